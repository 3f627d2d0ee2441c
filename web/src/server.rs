//! The server of `monomi app`: the app for browsers with native sessions behind it.
//!
//! It is written with axum on hyper and tokio, on one thread; sessions and requests have threads of their own. hyper
//! is what most servers in Rust read HTTP with, so it has met all kinds of broken input. tiny_http with tungstenite
//! would be smaller, but a connection that tiny_http hands over for a WebSocket can only be read and written by one
//! thread that blocks, and here lines of a search and a `stop` pass each other at any time.
//!
//! A page gets the files of the app (`files`), keeps games (`games`), sends rules' requests by POST (their answers are
//! needed at once), and opens one WebSocket (`page`) to its engines (`engine`). `guard` says who may do that.

mod engine;
mod files;
mod games;
mod guard;
mod page;

use crate::Requests;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use files::Files;
use games::Games;
use guard::Guard;
pub(crate) use guard::keep_private;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use monomi_eval::Evaluation;
use monomi_support::text::{Lang, error_message, messages};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

/// The port that is tried first where none is asked for: browsers keep settings and games by the address of a page.
const USUAL_PORT: u16 = 7276;
/// Connections at the same time, most of which a browser keeps for files.
const MOST_CONNECTIONS: usize = 64;
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// Size of a request or of a file of records in bytes.
const LARGEST: usize = 32 << 20;
/// How long to wait after an error of the system, such as too many open files.
const RECOVERY: Duration = Duration::from_millis(200);

messages! {
    /// Why the app cannot be served.
    #[derive(Debug)]
    pub enum ServerError {
        /// Another program has the port.
        PortTaken(port: u16) =>
            "port {port} is in use by another program; choose another one with `--port`, or leave it out",
            "ポート {port} は別のプログラムが使用中です。`--port` で別の番号を指定するか、指定せずに起動してください";
        /// The system does not allow it.
        System(error: std::io::Error) =>
            "the server cannot be started: {error}", "サーバーを開始できません: {error}";
    }
}
error_message!(ServerError, System: std::io::Error);

/// What all requests share.
struct Shared {
    guard: Guard,
    files: Files,
    games: Games,
    /// Answers the rules' requests of the page.
    rules: Mutex<Requests>,
    /// Of the page's engines.
    evaluation: Arc<Mutex<Arc<Evaluation>>>,
    /// Whether a page is connected.
    occupied: Mutex<bool>,
}

/// Nothing that holds a lock here leaves a value half changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a server.
#[derive(Clone, Debug, Default)]
pub struct Stopper(pub(crate) Arc<Notify>);

impl Stopper {
    /// Ends the server: at once, or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// A server that is ready to run.
pub struct Server {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
    port: u16,
    stopper: Stopper,
}

impl Server {
    /// Takes a port of this machine: the one asked for, or a free one. `games`: the folder where games are kept.
    /// `lang` is that of the pages which refuse.
    ///
    /// # Errors
    /// The port is in use, or the system does not allow it.
    pub fn bind(port: Option<u16>, games: PathBuf, lang: Lang) -> Result<Self, ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listen = |port| runtime.block_on(listen(port));
        let listener = match port {
            None => listen(USUAL_PORT).or_else(|_| listen(0))?,
            Some(port) => listen(port)?,
        };
        let port = listener.local_addr()?.port();
        let guard = Guard::new(port, lang).map_err(std::io::Error::from)?;
        let evaluation = Evaluation::internal();
        let shared = Shared {
            guard,
            files: Files::new(port),
            games: Games::new(games),
            rules: Mutex::new(Requests::new(Arc::clone(&evaluation))),
            evaluation: Arc::new(Mutex::new(evaluation)),
            occupied: Mutex::new(false),
        };
        Ok(Self { runtime, listener, shared: Arc::new(shared), port, stopper: Stopper::default() })
    }

    /// The address to open. It contains a token that is good for one browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.shared.guard.token())
    }

    /// What ends the server.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Serves until the stopper is called. All searches end then.
    pub fn run(self) {
        let Self { runtime, listener, shared, stopper, .. } = self;
        let app = Router::new()
            .route("/session", get(page::connect))
            .route("/rules", post(answer))
            .route("/records", post(open))
            .route("/games", post(games::answer))
            .fallback(get(files::file))
            .layer(DefaultBodyLimit::max(LARGEST))
            .layer(from_fn_with_state(Arc::clone(&shared), guard::check))
            .with_state(shared);
        runtime.block_on(async {
            tokio::select! {
                () = accept(&listener, &app) => {}
                () = stopper.0.notified() => {}
            }
        });
        // Connections end with the runtime, and their engines with them.
        runtime.shutdown_background();
    }
}

/// Listens at a port of this machine; 0 is a free one.
pub(crate) async fn listen(port: u16) -> Result<TcpListener, ServerError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => ServerError::PortTaken(port),
        _ => ServerError::System(error),
    })
}

/// Answers connections.
pub(crate) async fn accept(listener: &TcpListener, app: &Router) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(RECOVERY).await;
            continue;
        };
        // Lines are short and answers to them are waited for.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // The other side has closed it, or has sent something else than HTTP.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// Answers a request about rules and records.
async fn answer(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    match String::from_utf8(body.to_vec()) {
        Ok(request) => with_rules(shared, move |rules| rules.answer(&request, &mut |_| ())).await,
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Opens a file with records.
async fn open(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    with_rules(shared, move |rules| rules.open(&body)).await
}

/// A large file takes its time, in which lines of searches pass.
async fn with_rules(
    shared: Arc<Shared>,
    run: impl FnOnce(&mut Requests) -> String + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(move || run(&mut locked(&shared.rules))).await {
        Ok(answer) => ([("content-type", "application/json")], answer).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
