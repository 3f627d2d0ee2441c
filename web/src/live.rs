//! A page that shows the game that a client plays: `monomi csa --page`.
//!
//! It can only be looked at, and only from this machine: the server listens at 127.0.0.1 and answers nothing but requests
//! for itself as `Host`, so that no site whose name was made to point here (DNS rebinding) reads what the engine thinks.

use crate::server::{ServerError, Stopper, accept, keep_private, listen};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use monomi_support::text::{Lang, say};
use std::sync::Arc;

const PAGE: &str = include_str!("../live/index.html");
const SCRIPT: &str = include_str!("../live/live.js");

/// What the page shows now, as JSON.
type Source = dyn Fn() -> String + Send + Sync;

struct Shared {
    port: u16,
    page: String,
    source: Box<Source>,
}

/// The server of the page, on a thread of its own. It ends when this is dropped.
#[derive(Debug)]
pub struct LivePage {
    port: u16,
    stopper: Stopper,
}

impl LivePage {
    /// Serves at this port; 0 is a free one. `source` gives what the page shows: the JSON that web/live/live.js describes
    /// (`State`). It is called on the server's thread for each request.
    ///
    /// # Errors
    /// The port is in use, or the system does not allow it.
    pub fn start(
        port: u16,
        lang: Lang,
        source: impl Fn() -> String + Send + Sync + 'static,
    ) -> Result<Self, ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(listen(port))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { port, page: page(lang), source: Box::new(source) });
        let app = Router::new()
            .route("/", get(html))
            .route("/live.js", get(script))
            .route("/state", get(state))
            .layer(from_fn_with_state(Arc::clone(&shared), check))
            .with_state(shared);
        let stopper = Stopper::default();
        let stop = Arc::clone(&stopper.0);
        std::thread::Builder::new().name("live-page".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(&listener, &app) => {}
                    () = stop.notified() => {}
                }
            });
            runtime.shutdown_background();
        })?;
        Ok(Self { port, stopper })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

/// The page in a language.
fn page(lang: Lang) -> String {
    let words = [
        ("lang", say!(lang, "en", "ja")),
        ("lost", say!(lang, "The program does not answer.", "プログラムから応答がありません。")),
        ("thinking", say!(lang, "Thinking", "読み筋")),
        ("moves", say!(lang, "Moves", "指し手")),
        ("graph", say!(lang, "Scores, for Black", "評価値（先手から見た値）")),
        ("number", say!(lang, "No.", "手数")),
        ("move", say!(lang, "Move", "指し手")),
        ("time", say!(lang, "Time", "消費時間")),
        ("score", say!(lang, "Score", "評価値")),
        ("depth", say!(lang, "Depth", "深さ")),
        ("log", say!(lang, "Events", "ログ")),
    ];
    words.iter().fold(PAGE.to_owned(), |page, (name, word)| {
        page.replace(&["{{", name, "}}"].concat(), word)
    })
}

async fn html(State(shared): State<Arc<Shared>>) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], shared.page.clone()).into_response()
}

async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

async fn state(State(shared): State<Arc<Shared>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], (shared.source)()).into_response()
}

/// Lets requests for this server through.
async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", shared.port));
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = if host.is_some_and(|host| own.iter().any(|own| own == host)) {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    };
    keep_private(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn answer(page: &LivePage, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", page.port)).unwrap();
        let request = request.replace("PORT", &page.port.to_string());
        stream.write_all(format!("{request}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn the_state_is_there_for_this_machine_only() {
        let page = LivePage::start(0, Lang::En, || "{\"status\":\"x\"}".to_owned()).unwrap();
        let good = answer(&page, "GET /state HTTP/1.1\r\nHost: 127.0.0.1:PORT");
        assert!(good.starts_with("HTTP/1.1 200") && good.ends_with("{\"status\":\"x\"}"), "{good}");
        for host in ["evil.example", "evil.example:PORT", "127.0.0.1", ""] {
            let refused = answer(&page, &format!("GET /state HTTP/1.1\r\nHost: {host}"));
            assert!(refused.starts_with("HTTP/1.1 403"), "{host}: {refused}");
        }
        let unknown = answer(&page, "GET /../Cargo.toml HTTP/1.1\r\nHost: 127.0.0.1:PORT");
        assert!(unknown.starts_with("HTTP/1.1 404"), "{unknown}");
        let taken = LivePage::start(page.port, Lang::En, String::new);
        assert!(matches!(taken, Err(ServerError::PortTaken(port)) if port == page.port));
    }

    #[test]
    fn the_page_has_all_words_in_both_languages() {
        for lang in [Lang::En, Lang::Ja] {
            assert!(!page(lang).contains("{{"), "{}", page(lang));
        }
    }

    #[test]
    fn the_server_ends_with_its_owner() {
        let page = LivePage::start(0, Lang::En, String::new).unwrap();
        let port = page.port;
        drop(page);
        for _ in 0..100 {
            if TcpStream::connect(("127.0.0.1", port)).is_err() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("still there");
    }
}
