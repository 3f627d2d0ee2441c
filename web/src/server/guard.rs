//! Who may use the server: the browser that was opened with the address that the program has printed.
//!
//! - Only this machine: the server listens at 127.0.0.1.
//! - The address has a random token, which the first browser that brings it exchanges for a cookie. The token is used
//!   up then, because other users of the machine can see the address in the list of processes. Scripts cannot
//!   read the cookie, and browsers do not send it with what other sites ask for.
//! - `Host` must be this server. A site whose name was made to point at 127.0.0.1 (DNS rebinding) has another one.
//! - `Origin` must be this server wherever a browser sends it, and it must be there for everything but files.

use super::{Shared, locked};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use monomi_support::text::{Lang, Message as _, messages};
use std::sync::{Arc, Mutex};

messages! {
    /// Why a request is refused.
    #[derive(Clone, Copy, Debug)]
    enum Refusal {
        /// Neither a token nor a cookie.
        Unknown =>
            "This address works only in the browser that opened it first, and only while `monomi app` runs. \
             Start `monomi app` again for a new address.",
            "このアドレスは、最初に開いたブラウザーで、`monomi app` の実行中だけ使えます。\
             新しいアドレスで開くには `monomi app` を起動し直してください。";
        /// The request is meant for another host, or comes from another site.
        Foreign =>
            "Monomi answers only requests of its own pages.",
            "Monomi は自分のページからの要求にだけ応答します。";
    }
}

pub struct Guard {
    port: u16,
    lang: Lang,
    token: String,
    /// Whether the token has been exchanged.
    used: Mutex<bool>,
    cookie: String,
}

impl Guard {
    /// For the server at this port.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(port: u16, lang: Lang) -> Result<Self, getrandom::Error> {
        let (token, cookie) = (secret()?, secret()?);
        Ok(Self { port, lang, token, used: Mutex::new(false), cookie })
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Other servers of this machine get the cookie too, so its name tells whose it is.
    fn cookie_name(&self) -> String {
        format!("monomi-{}", self.port)
    }

    fn hosts(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port))
    }

    /// Whether the request is meant for this server and comes from its own page. `act`: it does more than
    /// fetching a file.
    fn is_own(&self, headers: &HeaderMap, act: bool) -> bool {
        let Some(host) = only(headers, header::HOST) else { return false };
        if !self.hosts().iter().any(|own| own == host) {
            return false;
        }
        match headers.get(header::ORIGIN) {
            None => !act,
            Some(_) => {
                only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"))
                    == Some(host)
            }
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            all.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
        pairs.any(|(key, value)| key.trim() == name && equal(value.trim(), &self.cookie))
    }

    /// Uses the token up, if this is it.
    fn exchange(&self, query: Option<&str>) -> bool {
        let token = query.and_then(|query| query.strip_prefix("token="));
        let mut used = locked(&self.used);
        let good = !*used && token.is_some_and(|token| equal(token, &self.token));
        *used |= good;
        good
    }

    fn refuse(&self, refusal: Refusal) -> Response {
        let text = refusal.in_lang(self.lang);
        let page =
            format!("<!DOCTYPE html><meta charset=\"utf-8\"><title>Monomi</title><p>{text}</p>\n");
        (StatusCode::FORBIDDEN, Html(page)).into_response()
    }
}

/// 256 random bits.
fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The header, if it is there once.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// Compares in a time that does not depend on where the texts differ.
fn equal(given: &str, secret: &str) -> bool {
    let differences = given.bytes().zip(secret.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == secret.len() && differences == 0
}

/// Lets requests of the page through.
pub async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let guard = &shared.guard;
    let (path, headers) = (request.uri().path(), request.headers());
    let act = request.method() != Method::GET || path == "/session";
    let mut response = if !guard.is_own(headers, act) {
        guard.refuse(Refusal::Foreign)
    } else if path == "/" && request.uri().query().is_some() {
        // The address in the browser is without the token from now on.
        if guard.has_cookie(headers) {
            (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response()
        } else if guard.exchange(request.uri().query()) {
            let cookie = format!(
                "{}={}; Path=/; HttpOnly; SameSite=Strict",
                guard.cookie_name(),
                guard.cookie
            );
            let headers = [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, headers).into_response()
        } else {
            guard.refuse(Refusal::Unknown)
        }
    } else if guard.has_cookie(headers) {
        next.run(request).await
    } else {
        guard.refuse(Refusal::Unknown)
    };
    keep_private(&mut response);
    response
}

/// Forbids browsers to store an answer, and other sites to show it in a frame or to load it.
pub fn keep_private(response: &mut Response) {
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn hosts_and_origins() {
        let guard = Guard::new(7000, Lang::En).unwrap();
        let own = |list: &[_], act| guard.is_own(&headers(list), act);
        let host = (header::HOST, "127.0.0.1:7000");
        assert!(own(std::slice::from_ref(&host), false));
        assert!(own(&[(header::HOST, "localhost:7000")], false));
        assert!(!own(std::slice::from_ref(&host), true), "an act without an origin");
        assert!(own(&[host.clone(), (header::ORIGIN, "http://127.0.0.1:7000")], true));
        assert!(own(
            &[(header::HOST, "localhost:7000"), (header::ORIGIN, "http://localhost:7000")],
            true
        ));
        for other in [
            "null",
            "http://127.0.0.1",
            "http://127.0.0.1:7001",
            "https://127.0.0.1:7000",
            "http://localhost:7000",
            "http://evil.example",
            "http://127.0.0.1:7000.evil.example",
        ] {
            assert!(!own(&[host.clone(), (header::ORIGIN, other)], false), "{other}");
        }
        for other in ["", "127.0.0.1", "127.0.0.1:7001", "evil.example:7000", "[::1]:7000"] {
            assert!(!own(&[(header::HOST, other)], false), "{other}");
        }
        assert!(!own(&[], false));
        assert!(!own(&[host.clone(), (header::HOST, "evil.example")], false), "two hosts");
    }

    #[test]
    fn the_token_works_once_and_the_cookie_always() {
        let guard = Guard::new(7000, Lang::En).unwrap();
        let token = format!("token={}", guard.token);
        assert!(!guard.exchange(None) && !guard.exchange(Some("token=")));
        assert!(!guard.exchange(Some(&token[..token.len() - 1])));
        assert!(guard.exchange(Some(&token)));
        assert!(!guard.exchange(Some(&token)));
        let cookie = |text: &str| guard.has_cookie(&headers(&[(header::COOKIE, text)]));
        assert!(cookie(&format!("a=b; monomi-7000={}; c=d", guard.cookie)));
        assert!(!cookie(&format!("monomi-7001={}", guard.cookie)));
        assert!(!cookie("monomi-7000=") && !cookie(&format!("monomi-7000={}", guard.token)));
        assert_ne!(guard.token, Guard::new(7000, Lang::En).unwrap().token);
    }
}
