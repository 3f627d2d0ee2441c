//! The WebSocket of a page: passes texts between it and its engines.
//!
//! A text from the page is a line of USI or a request for one of its engines, which are created when they are first
//! named: `{ engine, line }`, `{ engine, id, request }`, `{ engine, end: true }`. Bytes are a file of records for an
//! engine: its number and the number of the request, four bytes each with the lowest first, then the file. The page
//! gets `{ engine, line }`, `{ engine, id, progress }`, and `{ engine, id, answer }`, where the answer is that of
//! `requests.rs`. When the WebSocket closes, all its engines end.

use super::engine::Engine;
use super::{LARGEST, Shared, locked};
use crate::Requests;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Why the WebSocket was closed, for the page: another page is connected; a text is not understood.
const ANOTHER_PAGE: u16 = 4001;
const NOT_UNDERSTOOD: u16 = 4002;
/// Texts that wait to be sent to the page; more `info` lines are dropped.
const WAITING: usize = 1024;
/// Engines of a page: one that plays and one for each core that analyses.
const MOST_ENGINES: usize = 1024;
/// How often to see whether the page is still there.
const PING: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Incoming<'a> {
    engine: u32,
    line: Option<String>,
    id: Option<u32>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
    #[serde(default)]
    end: bool,
}

/// The only page, as long as this lives.
struct Occupant(Arc<Shared>);

impl Occupant {
    fn enter(shared: &Arc<Shared>) -> Option<Self> {
        let mut occupied = locked(&shared.occupied);
        let free = !std::mem::replace(&mut *occupied, true);
        free.then(|| Self(Arc::clone(shared)))
    }
}

impl Drop for Occupant {
    fn drop(&mut self) {
        *locked(&self.0.occupied) = false;
    }
}

pub async fn connect(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(LARGEST).on_upgrade(|socket| serve(socket, shared))
}

async fn serve(mut socket: WebSocket, shared: Arc<Shared>) {
    let Some(_occupant) = Occupant::enter(&shared) else {
        return close(socket, ANOTHER_PAGE, "another page is connected").await;
    };
    // What another page has opened and set is not this one's.
    let evaluation = monomi_eval::Evaluation::internal();
    *locked(&shared.rules) = Requests::new(Arc::clone(&evaluation));
    *locked(&shared.evaluation) = evaluation;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let version = env!("CARGO_PKG_VERSION");
    let hello = json!({ "hello": { "version": version, "cores": cores } });
    if socket.send(Message::Text(hello.to_string().into())).await.is_err() {
        return;
    }
    let (out, mut texts) = mpsc::channel(WAITING);
    let mut page = Page { engines: HashMap::new(), out, shared: Arc::clone(&shared) };
    let mut ping = tokio::time::interval(PING);
    let mut answered = true;
    loop {
        tokio::select! {
            text = texts.recv() => {
                let Some(text) = text else { return };
                if socket.send(Message::Text(String::into(text))).await.is_err() { return }
            }
            message = socket.recv() => {
                answered = true;
                let done = match message {
                    Some(Ok(Message::Text(text))) => page.handle_text(&text),
                    Some(Ok(Message::Binary(bytes))) => page.handle_file(&bytes),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                if let Err(reason) = done {
                    return close(socket, NOT_UNDERSTOOD, &reason).await;
                }
            }
            _ = ping.tick() => {
                // A machine that slept has sent nothing for long, but answers the next ping.
                if !std::mem::take(&mut answered) || socket.send(Message::Ping("".into())).await.is_err() { return }
            }
        }
    }
}

async fn close(mut socket: WebSocket, code: u16, reason: &str) {
    let mut end = reason.len().min(100);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    let frame = CloseFrame { code, reason: reason[..end].into() };
    // The page may have gone.
    let _ = socket.send(Message::Close(Some(frame))).await;
}

struct Page {
    engines: HashMap<u32, Engine>,
    out: mpsc::Sender<String>,
    shared: Arc<Shared>,
}

impl Page {
    fn handle_text(&mut self, text: &str) -> Result<(), String> {
        let incoming: Incoming<'_> = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match incoming {
            Incoming { engine, end: true, .. } => {
                self.engines.remove(&engine);
                Ok(())
            }
            Incoming { engine, line: Some(line), request: None, .. } => {
                self.engine(engine)?.line(&line)
            }
            Incoming { engine, line: None, id: Some(id), request: Some(request), .. } => {
                self.engine(engine)?.request(id, request.get())
            }
            _ => Err("neither a line nor a request".to_owned()),
        }
    }

    fn handle_file(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some((engine, rest)) = bytes.split_first_chunk() else {
            return Err("the file has no number".to_owned());
        };
        let Some((id, file)) = rest.split_first_chunk() else {
            return Err("the file has no number".to_owned());
        };
        self.engine(u32::from_le_bytes(*engine))?.open(u32::from_le_bytes(*id), file.to_vec())
    }

    fn engine(&mut self, number: u32) -> Result<&mut Engine, String> {
        let count = self.engines.len();
        match self.engines.entry(number) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(_) if count >= MOST_ENGINES => {
                Err("there are too many engines".to_owned())
            }
            Entry::Vacant(entry) => {
                let evaluation = Arc::clone(&self.shared.evaluation);
                Ok(entry.insert(Engine::new(number, self.out.clone(), evaluation)))
            }
        }
    }
}
