//! A server of `monomi app` for a test, and its pages.

#![allow(dead_code, reason = "each test file uses a part of it")]

use monomi_app::server::{Server, Stopper};
use monomi_support::text::Lang;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::protocol::CloseFrame;
use tungstenite::{Message, WebSocket};

/// Much longer than anything here takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server of a test, which ends with it.
pub struct Served {
    pub port: u16,
    pub token: String,
    /// Where the games are.
    pub folder: tempfile::TempDir,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub fn new() -> Self {
        // The usual port belongs to users.
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().join("games");
        let server = Server::bind(Some(free.expect("a free port").port()), games, Lang::En);
        let server = server.expect("a server");
        let address = server.address();
        let (host, token) = address.split_once("/?token=").expect("a token");
        let port = host.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let (token, stopper) = (token.to_owned(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { port, token, folder, stopper, thread }
    }

    pub fn connect(&self) -> TcpStream {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        stream
    }

    /// Sends this and returns all that comes until the server closes the connection.
    pub fn exchange(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// The answer to a request with these headers besides `Host`.
    pub fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        self.ask_as(&self.host(), line, headers, body)
    }

    pub fn ask_as(&self, host: &str, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        let headers: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        self.exchange(
            format!(
                "{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
                 {headers}\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Exchanges the token for the cookie.
    pub fn enter(&self) -> String {
        let answer = self.ask(&format!("GET /?token={}", self.token), &[], "");
        assert_eq!(status(&answer), 303, "{answer}");
        assert!(answer.contains("HttpOnly; SameSite=Strict"), "{answer}");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned()
    }

    pub fn socket_with(&self, cookie: &str, host: &str, origin: Option<&str>) -> Result<Page, u16> {
        let mut request = tungstenite::http::Request::get(format!("ws://{}/session", self.host()))
            .header("Host", host)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", tungstenite::handshake::client::generate_key())
            .header("Cookie", cookie);
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        let request = request.body(()).expect("a request");
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(Page { socket }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub fn socket(&self, cookie: &str) -> Page {
        self.socket_with(cookie, &self.host(), Some(&self.origin())).expect("a WebSocket")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stopper.stop();
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || std::thread::panicking());
    }
}

pub struct Page {
    pub socket: WebSocket<TcpStream>,
}

impl Page {
    pub fn say(&mut self, message: &Value) {
        self.socket.send(Message::Text(message.to_string().into())).expect("sent");
    }

    pub fn line(&mut self, engine: u32, line: &str) {
        self.say(&json!({ "engine": engine, "line": line }));
    }

    /// The next text, or why there will be none.
    pub fn receive(&mut self) -> Result<Value, Option<CloseFrame>> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(frame)) => return Err(frame),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next text that fits.
    pub fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            let text = self.receive().expect("a text");
            if fits(&text) {
                return text;
            }
            assert!(since.elapsed() < PATIENCE, "{text}");
        }
    }
}

pub fn status(answer: &str) -> u16 {
    let code = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
    code.and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("no status: {answer:?}"))
}

pub fn begins(line: &Value, engine: u32, start: &str) -> bool {
    line["engine"] == engine && line["line"].as_str().is_some_and(|line| line.starts_with(start))
}
