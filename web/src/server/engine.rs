//! An engine of a page: a native USI session, and requests for records and analysis. Each has a thread, which is
//! started when it is first needed: an engine that analyses stretches of a game needs no session.

use super::locked;
use crate::Requests;
use crossbeam_channel::{Receiver, Sender, bounded};
use monomi_eval::Evaluation;
use monomi_search::STACK_SIZE;
use monomi_support::host::Instant;
use monomi_usi::{Incoming, InputLine, Output, Precedence, Reply, Session};
use serde_json::json;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use tokio::sync::mpsc::{self, error::TrySendError};

/// Lines and requests that wait; a page asks for a few at a time.
const WAITING: usize = 256;
/// The evaluation of all engines of a page.
type SharedEvaluation = Arc<Mutex<Arc<Evaluation>>>;

enum Task {
    Answer(String),
    Open(Vec<u8>),
}

pub struct Engine {
    number: u32,
    out: mpsc::Sender<String>,
    evaluation: SharedEvaluation,
    session: Option<Lines>,
    tasks: Option<Sender<(u32, Task)>>,
}

/// Where a session reads. When it is dropped, the session ends and stops its search.
struct Lines {
    lines: Sender<Incoming>,
    _alive: Sender<()>,
}

impl Engine {
    pub fn new(number: u32, out: mpsc::Sender<String>, evaluation: SharedEvaluation) -> Self {
        Self { number, out, evaluation, session: None, tasks: None }
    }

    /// Passes a line of USI on.
    pub fn line(&mut self, line: &str) -> Result<(), String> {
        let at = Instant::now();
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(start(self.number, &self.out, &self.evaluation)?),
        };
        let line = InputLine { text: line.to_owned(), at, cut: false };
        session.lines.try_send(line.into()).map_err(|_| "too many lines, or no session".to_owned())
    }

    /// Answers a request in JSON.
    pub fn request(&mut self, id: u32, request: &str) -> Result<(), String> {
        self.task(id, Task::Answer(request.to_owned()))
    }

    /// Opens a file of records.
    pub fn open(&mut self, id: u32, file: Vec<u8>) -> Result<(), String> {
        self.task(id, Task::Open(file))
    }

    fn task(&mut self, id: u32, task: Task) -> Result<(), String> {
        let tasks = match &mut self.tasks {
            Some(tasks) => tasks,
            none => {
                let (sender, tasks) = bounded(WAITING);
                let (number, out) = (self.number, self.out.clone());
                let evaluation = Arc::clone(&self.evaluation);
                Builder::new()
                    .name("requests".to_owned())
                    .stack_size(STACK_SIZE)
                    .spawn(move || work(number, &tasks, &out, &evaluation))
                    .map_err(|error| error.to_string())?;
                none.insert(sender)
            }
        };
        tasks.try_send((id, task)).map_err(|_| "too many requests".to_owned())
    }
}

fn start(
    number: u32,
    out: &mpsc::Sender<String>,
    evaluation: &SharedEvaluation,
) -> Result<Lines, String> {
    let (lines, incoming) = bounded(WAITING);
    let (alive, ended) = bounded(0);
    let session =
        Session::hosted(ToPage { number, out: out.clone() }).map_err(|e| e.to_string())?;
    let shared = Arc::clone(evaluation);
    let session = session
        .ending_with(ended)
        .with_option_files(Precedence::File)
        .on_evaluation(move |evaluation| *locked(&shared) = Arc::clone(evaluation));
    Builder::new()
        .name("session".to_owned())
        .spawn(move || drop(session.run(&incoming)))
        .map_err(|error| error.to_string())?;
    Ok(Lines { lines, _alive: alive })
}

/// Sends replies to the page.
struct ToPage {
    number: u32,
    out: mpsc::Sender<String>,
}

impl Output for ToPage {
    fn write_reply(&mut self, reply: Reply) -> std::io::Result<()> {
        let line = reply.to_string();
        let dispensable = line.starts_with("info ") && !line.starts_with("info string ");
        let text = json!({ "engine": self.number, "line": line }).to_string();
        let gone = || ErrorKind::BrokenPipe.into();
        match self.out.try_send(text) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(gone()),
            // The page does not read.
            Err(TrySendError::Full(_)) if dispensable => Ok(()),
            Err(TrySendError::Full(text)) => self.out.blocking_send(text).map_err(|_| gone()),
        }
    }
}

/// Executes the requests of an engine until it ends.
fn work(
    number: u32,
    tasks: &Receiver<(u32, Task)>,
    out: &mpsc::Sender<String>,
    evaluation: &SharedEvaluation,
) {
    let mut requests = Requests::new(Arc::clone(&locked(evaluation)));
    for (id, task) in tasks {
        if out.is_closed() {
            return;
        }
        requests.set_evaluation(Arc::clone(&locked(evaluation)));
        let mut tell = |progress: &str| {
            // Progress may be lost.
            let _ =
                out.try_send(format!(r#"{{"engine":{number},"id":{id},"progress":{progress}}}"#));
        };
        let answer = match task {
            Task::Answer(request) => requests.answer(&request, &mut tell),
            Task::Open(file) => requests.open(&file),
        };
        let text = format!(r#"{{"engine":{number},"id":{id},"answer":{answer}}}"#);
        if out.blocking_send(text).is_err() {
            return;
        }
    }
}
