//! The round trip to a CSA server.

use super::{Finding, bad, check, good};
use crate::lang::Lang;
use monomi_support::text::{Message, error_message, messages, say};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The usual port of CSA servers.
const CSA_PORT: u16 = 4081;
/// Number of connections that are timed.
const CONNECTIONS: usize = 5;
/// A round trip that takes longer deserves a remark.
const LONG: Duration = Duration::from_millis(300);

/// A server: `HOST` or `HOST:PORT`; an IPv6 address with a port is in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    host: String,
    port: u16,
}

messages! {
    /// What is wrong with the name of a server.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ServerFault {
        /// There is no host.
        NoHost => "there is no host", "ホストがありません";
        /// The port is not a number from 1 to 65535.
        Port(text: String) =>
            "`{text}` is not a port (1 to 65535)",
            "`{text}` はポート番号（1〜65535）ではありません";
    }
}
error_message!(ServerFault);

impl FromStr for Server {
    type Err = ServerFault;

    fn from_str(text: &str) -> Result<Self, ServerFault> {
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => {
                let port = rest.strip_prefix(':');
                (host, Some(port.ok_or_else(|| ServerFault::Port(rest.to_owned()))?))
            }
            None => match text.split_once(':') {
                Some((host, port)) if !port.contains(':') => (host, Some(port)),
                // Several colons: an IPv6 address.
                _ => (text, None),
            },
        };
        if host.is_empty() {
            return Err(ServerFault::NoHost);
        }
        let port = match port {
            None => CSA_PORT,
            Some(text) => match text.parse() {
                Ok(port) if port > 0 => port,
                _ => return Err(ServerFault::Port(text.to_owned())),
            },
        };
        Ok(Self { host: host.to_owned(), port })
    }
}

impl Display for Server {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

impl Server {
    /// The round trip to the server, as the time to connect.
    pub fn round_trip(&self, lang: Lang) -> Finding {
        match self.connect_times() {
            Err(error) => bad(format!("{self}: {}", error.in_lang(lang))),
            Ok(times) => {
                let ms = |time: Duration| time.as_secs_f64() * 1000.0;
                let worst = times[times.len() - 1];
                let (median, most) = (ms(times[times.len() / 2]), ms(worst));
                let text = say!(
                    lang,
                    "{self}: round trip {median:.1} ms, at most {most:.1} ms",
                    "{self}: 往復 {median:.1} ms、最大 {most:.1} ms"
                );
                if worst > LONG { check(text) } else { good(text) }
            }
        }
    }

    /// The times of some connections, the shortest first.
    fn connect_times(&self) -> std::io::Result<Vec<Duration>> {
        // The first connection finds out the address, which is not part of a round trip.
        let address = monomi_csa::connect(&self.host, self.port)?.peer_addr()?.ip().to_string();
        let mut times = Vec::new();
        for _ in 0..CONNECTIONS {
            let start = Instant::now();
            monomi_csa::connect(&address, self.port)?;
            times.push(start.elapsed());
        }
        times.sort();
        Ok(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_with_and_without_a_port() {
        let shown = |text: &str| text.parse::<Server>().map(|server| server.to_string());
        for (text, expected) in [
            ("wdoor.c.u-tokyo.ac.jp", "wdoor.c.u-tokyo.ac.jp:4081"),
            ("localhost:80", "localhost:80"),
            ("::1", "[::1]:4081"),
            ("[::1]", "[::1]:4081"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        }
        let port = |text: &str| Err(ServerFault::Port(text.to_owned()));
        for (text, expected) in [
            ("", Err(ServerFault::NoHost)),
            (":4081", Err(ServerFault::NoHost)),
            ("host:", port("")),
            ("host:0", port("0")),
            ("host:65536", port("65536")),
            ("[::1]80", port("80")),
            ("[::1]:", port("")),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
