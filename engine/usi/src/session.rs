//! The driver with threads: passes lines and events to the [`Dialogue`], executes its actions.

use crate::console::{Log, Output};
use crate::dialogue::{Action, Dialogue, Input, Request};
use crate::engine_thread::EngineThread;
use crate::input::{InputLine, decoded};
use crate::job::{Event, Setting};
use crate::notice::UsiError;
use crate::options::{Platform, Precedence};
use crossbeam_channel::{Receiver, after, never, select};
use monomi_eval::Evaluation;
use monomi_search::ThreadsError;
use monomi_support::batch::files;
use monomi_support::host::Instant;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long the engine thread may take to end after the last answer.
const LAST_JOIN: Duration = Duration::from_millis(25);

/// What a session reads: lines from a GUI, or commands from a program.
#[derive(Debug)]
pub enum Incoming {
    /// A line.
    Line(InputLine),
    /// A command whose clock starts at this time.
    Request(Request, Instant),
}

impl From<InputLine> for Incoming {
    fn from(line: InputLine) -> Self {
        Self::Line(line)
    }
}

/// A session with an engine on a thread of its own.
pub struct Session<O> {
    dialogue: Dialogue,
    engine: EngineThread,
    out: O,
    log: Log,
    /// Closed when the output can no longer be written.
    output_ended: Receiver<()>,
    on_evaluation: OnEvaluation,
}

/// Receives the evaluation when it has changed.
type OnEvaluation = Box<dyn FnMut(&Arc<Evaluation>) + Send>;

/// How a session ended.
pub struct Ended<O> {
    /// Where it sent its replies.
    pub out: O,
    /// By `quit`, not by the end of its input.
    pub by_quit: bool,
}

impl<O: Output> Session<O> {
    /// A session that sends its replies to `out`.
    ///
    /// # Errors
    /// The engine thread cannot be started.
    pub fn new(out: O) -> Result<Self, ThreadsError> {
        Self::on(Platform::Native, out)
    }

    /// As [`Session::new`], for commands of others than the user of the program, such as a page: files that they
    /// name are not written.
    ///
    /// # Errors
    /// The engine thread cannot be started.
    pub fn hosted(out: O) -> Result<Self, ThreadsError> {
        Self::on(Platform::Hosted, out)
    }

    fn on(platform: Platform, out: O) -> Result<Self, ThreadsError> {
        let evaluation = Evaluation::built_in();
        let engine = EngineThread::start(Arc::clone(&evaluation))?;
        let dialogue = Dialogue::new(platform, evaluation, Instant::now());
        let (log, output_ended, on_evaluation) = (Log::default(), never(), Box::new(|_: &_| ()));
        Ok(Self { dialogue, engine, out, log, output_ended, on_evaluation })
    }

    /// Ends also when this channel is closed: the output can no longer be written.
    pub fn ending_with(self, output_ended: Receiver<()>) -> Self {
        Self { output_ended, ..self }
    }

    /// Calls this when the evaluation has changed.
    pub fn on_evaluation(self, tell: impl FnMut(&Arc<Evaluation>) + Send + 'static) -> Self {
        Self { on_evaluation: Box::new(tell), ..self }
    }

    /// Reads the files of options beside the program and the network.
    pub fn with_option_files(mut self, precedence: Precedence) -> Self {
        let program = std::env::current_exe().ok();
        if let Some(folder) = program.as_deref().and_then(Path::parent) {
            self.dialogue.read_option_files(folder, read_options, precedence);
        }
        self
    }

    /// Runs until `quit`, the end of input, or a write error.
    pub fn run(mut self, incoming: &Receiver<Incoming>) -> Ended<O> {
        let nothing = never();
        let mut incoming = incoming;
        let by_quit = loop {
            let rest = |at: Instant| at.saturating_duration_since(Instant::now());
            let tick = self.dialogue.wakes_at().map_or_else(never, |at| after(rest(at)));
            let next = if self.dialogue.is_full() { &nothing } else { incoming };
            let input = select! {
                recv(next) -> read => match read {
                    Ok(Incoming::Line(line)) => {
                        self.log.read(&line.text, line.at);
                        Input::Line(line)
                    }
                    Ok(Incoming::Request(request, at)) => {
                        self.log.read(&request, at);
                        Input::Request(request, at)
                    }
                    Err(_) => {
                        incoming = &nothing;
                        Input::End
                    }
                },
                recv(self.engine.events()) -> event => {
                    event.map_or(Input::EngineEnded, Input::Event)
                }
                recv(tick) -> _ => Input::Tick,
                recv(self.output_ended) -> _ => break false,
            };
            match self.handle(input) {
                Ok(None) => {}
                Ok(Some(by_quit)) => break by_quit,
                // Nobody reads any more.
                Err(_) => break false,
            }
        };
        self.engine.quit(LAST_JOIN);
        Ended { out: self.out, by_quit }
    }

    /// Executes the actions of the dialogue. At the end of the session: whether it was ended by `quit`.
    fn handle(&mut self, input: Input) -> std::io::Result<Option<bool>> {
        let now = Instant::now();
        if let Input::Event(Event::Evaluation(evaluation)) = &input {
            (self.on_evaluation)(evaluation);
        }
        let mut actions = VecDeque::from(self.dialogue.handle(input, now));
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Say(reply) => {
                    self.log.written(&reply, now);
                    self.out.write_reply(reply)?;
                }
                Action::Run(job) => self.engine.send(job),
                Action::Stop => self.engine.signals().stop(),
                Action::PonderHit { at, clock } => self.engine.signals().ponderhit(at, clock),
                Action::Log { file, before } => {
                    if let Err(error) = self.log.log_to(&file, now) {
                        let error = UsiError::LogFile { file, error };
                        let refused = Event::Refused(Setting::LogFile(before), error);
                        let more = self.dialogue.handle(Input::Event(refused), now);
                        more.into_iter().rev().for_each(|action| actions.push_front(action));
                    }
                }
                Action::End { by_quit } => return Ok(Some(by_quit)),
            }
        }
        Ok(None)
    }
}

/// Reads a file of options in UTF-8, UTF-16 or, on Windows, Shift_JIS; `None` if there is none.
pub fn read_options(path: &Path) -> io::Result<Option<String>> {
    match files::read(path) {
        Ok(bytes) => {
            // Windows' editor writes UTF-16 as "Unicode".
            let mark = bytes.first_chunk();
            if bytes.contains(&0) || mark == Some(&[0xFF, 0xFE]) || mark == Some(&[0xFE, 0xFF]) {
                return Ok(Some(utf16(&bytes)));
            }
            let lines = bytes.split(|&byte| byte == b'\n').map(decoded);
            Ok(Some(lines.collect::<Vec<_>>().join("\n")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads UTF-16 in the order of bytes that gives more ASCII: lines of options are nearly all ASCII.
fn utf16(bytes: &[u8]) -> String {
    let read = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let texts = [read(u16::from_le_bytes), read(u16::from_be_bytes)];
    let plain = |text: &String| text.chars().filter(|c| c.is_ascii() && *c != '\0').count();
    let text = texts.into_iter().max_by_key(plain).unwrap_or_default();
    text.trim_start_matches('\u{FEFF}').to_owned()
}

#[cfg(test)]
mod tests {
    use super::read_options;

    #[test]
    fn option_files_may_be_in_utf_16() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine_options.txt");
        assert!(read_options(&path).unwrap().is_none());
        let text = "Threads 3\r\nBookFile 定跡.db\r\n";
        let little = |mark: &[u8]| {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            mark.iter().copied().chain(units).collect::<Vec<u8>>()
        };
        for bytes in [text.as_bytes().to_vec(), little(&[0xFF, 0xFE]), little(&[])] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read_options(&path).unwrap().as_deref(), Some(text));
        }
        std::fs::write(&path, "").unwrap();
        assert_eq!(read_options(&path).unwrap().as_deref(), Some(""));
    }
}
