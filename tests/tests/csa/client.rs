//! Runs the client under test on its own thread.

use crate::server::PATIENCE;
use crossbeam_channel::{Sender, unbounded};
use monomi_csa::config::{Config, Settings};
use monomi_csa::output::{GameResult, Listener, Report, Tally};
use monomi_csa::{Client, ClientError};
use monomi_support::text::{Lang, Message as _};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tests::folder::Folder;

/// A password that must not appear in any output.
pub const PASSWORD: &str = "swordfish-4711";

/// The outcome of a run.
pub struct ClientResult {
    pub tally: Tally,
    pub result: Result<(), ClientError>,
    pub notices: Vec<String>,
    pub games: Vec<GameResult>,
    /// The folder of the records, removed when the outcome is dropped.
    _folder: Folder,
}

impl ClientResult {
    /// Whether a notice contains this text.
    pub fn said(&self, text: &str) -> bool {
        self.notices.iter().any(|notice| notice.contains(text))
    }

    /// The records in the order of their games.
    pub fn records(&self) -> Vec<String> {
        let read = |game: &GameResult| std::fs::read_to_string(game.record().unwrap()).unwrap();
        self.games.iter().map(read).collect()
    }
}

#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Told>>);

#[derive(Default)]
struct Told {
    notices: Vec<String>,
    games: Vec<GameResult>,
    moves: usize,
}

impl Listener for Collected {
    fn on_report(&mut self, report: &Report<'_>) {
        let mut collected = self.0.lock().unwrap();
        match report {
            Report::Notice(notice) => {
                collected.notices.push(notice.in_lang(Lang::En).to_string());
            }
            Report::Ended(result) => collected.games.push((*result).clone()),
            Report::Moved { .. } => collected.moves += 1,
            _ => {}
        }
    }
}

/// A running client.
pub struct Running {
    thread: JoinHandle<ClientResult>,
    stops: Sender<()>,
    collected: Collected,
}

/// Starts a client for a server on this port; `more` are additional lines of its configuration.
pub fn start(port: u16, more: &str) -> Running {
    start_with(port, more, |_| {})
}

/// The same, with a function that changes the configuration.
pub fn start_with(port: u16, more: &str, change: impl FnOnce(&mut Config)) -> Running {
    let folder = Folder::new();
    let text = format!(
        "host = '127.0.0.1'\nport = {port}\nuser = 'me'\nrecord-folder = '{}'\n{more}\n\
         [options]\nUSI_Hash = 1\nDepthLimit = 2\nMinimumThinkingTime = 0\nUSI_OwnBook = false\n",
        folder.file("games").replace('\\', "/")
    );
    let settings = Settings::parse(&text).expect("a configuration");
    let mut config = settings.complete(|| Ok(PASSWORD.to_owned())).expect("a configuration");
    config.retry.first = Duration::from_millis(20);
    config.retry.longest = Duration::from_millis(100);
    config.retry.refused = Duration::from_secs(60);
    change(&mut config);
    let (stops, receiver) = unbounded();
    let collected = Collected::default();
    let mut listener = collected.clone();
    let thread = std::thread::spawn(move || {
        let client = Client::new(&config, &mut listener, receiver).expect("a client");
        let (tally, result) = client.run();
        let collected = std::mem::take(&mut *listener.0.lock().unwrap());
        ClientResult {
            tally,
            result,
            notices: collected.notices,
            games: collected.games,
            _folder: folder,
        }
    });
    Running { thread, stops, collected }
}

impl Running {
    /// Asks the client to exit, as the user does.
    pub fn stop(&self) {
        let _ = self.stops.send(());
    }

    /// Waits for a notice.
    pub fn wait_for(&self, text: &str) {
        self.wait(|told| told.notices.iter().any(|notice| notice.contains(text)));
    }

    /// Waits until the server has confirmed this many moves.
    pub fn wait_for_moves(&self, count: usize) {
        self.wait(|told| told.moves >= count);
    }

    fn wait(&self, until: impl Fn(&Told) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !until(&self.collected.0.lock().unwrap()) {
            assert!(Instant::now() < deadline, "waited in vain");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the client has exited.
    pub fn finish(self) -> ClientResult {
        match self.thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
