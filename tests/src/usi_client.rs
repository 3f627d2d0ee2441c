//! A small USI client that drives the built engine and fails if an answer is late.

use crate::program::engine;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Much longer than any answer should take, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A line written by the engine and the time of its arrival.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The line.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// A running engine. Errors make the test fail and print the dialogue.
pub struct UsiClient {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Answer>,
    dialogue: Vec<String>,
}

impl UsiClient {
    /// Starts the engine without sending anything.
    pub fn start() -> Self {
        Self::start_at(engine())
    }

    /// Starts and initialises the engine with a small table and no delays.
    pub fn ready() -> Self {
        Self::ready_with(&[])
    }

    /// Like [`UsiClient::ready`], with options set before `isready`.
    pub fn ready_with(options: &[(&str, &str)]) -> Self {
        let mut client = Self::start();
        client.send("usi");
        client.expect("usiok");
        // One thread: searches by nodes and depth are the same on every machine.
        let usual = [
            ("Threads", "1"),
            ("USI_Hash", "16"),
            ("MinimumThinkingTime", "0"),
            ("NetworkDelay", "0"),
        ];
        for (name, value) in usual.iter().chain(options) {
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.send("isready");
        client.expect("readyok");
        client
    }

    /// Starts the engine under a limit of its address space. `None` where the system has none.
    pub fn start_within(mib: u64) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {} && exec \"$0\"", mib << 10);
        command.arg("-c").arg(script).arg(engine());
        Some(Self::start_by(&mut command))
    }

    /// Starts another program without sending anything.
    pub fn start_at(program: &Path) -> Self {
        Self::start_by(&mut Command::new(program))
    }

    fn start_by(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("its output is piped"));
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while stdout.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let at = Instant::now();
                let text = String::from_utf8(std::mem::take(&mut bytes)).expect("UTF-8 only");
                let text = text.trim_end_matches(['\r', '\n']).to_owned();
                if sender.send(Answer { text, at }).is_err() {
                    return;
                }
            }
        });
        Self { child, input, output, dialogue: Vec::new() }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The engine's resident memory in KiB, if the system provides it.
    pub fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().split(' ').next()?.parse().ok()
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let shown: String = line.chars().take(300).collect();
        self.dialogue.push(format!("> {shown}"));
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Sends bytes unchanged.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        if let Err(error) = sent {
            self.fail(&format!("cannot write to the engine: {error}"));
        }
    }

    /// The next line; `None` after `patience` or at the end of the output.
    pub fn next(&mut self, patience: Duration) -> Option<Answer> {
        match self.output.recv_timeout(patience) {
            Ok(answer) => {
                self.dialogue.push(format!("< {}", answer.text));
                Some(answer)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Waits for a line that starts with `words` and returns it. Lines before it are ignored, except
    /// that an unexpected `bestmove` or `checkmate` is an error.
    pub fn expect(&mut self, words: &str) -> String {
        self.expect_within(words, PATIENCE).text
    }

    /// Like [`UsiClient::expect`] with a time limit.
    pub fn expect_within(&mut self, words: &str, patience: Duration) -> Answer {
        self.collect_until(words, patience).pop().expect("it ends with the line waited for")
    }

    /// All lines up to and including the one that starts with `words`.
    pub fn collect(&mut self, words: &str) -> Vec<String> {
        self.collect_until(words, PATIENCE).into_iter().map(|answer| answer.text).collect()
    }

    fn collect_until(&mut self, words: &str, patience: Duration) -> Vec<Answer> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(answer) = self.next(left) else {
                self.fail(&format!("`{words}` did not come within {patience:?}"));
            };
            let found = starts_with_words(&answer.text, words);
            let unasked = is_answer(&answer.text) && !found;
            lines.push(answer);
            if unasked {
                self.fail(&format!("an answer came while waiting for `{words}`"));
            }
            if found {
                return lines;
            }
        }
    }

    /// Waits for a `bestmove` and returns its move.
    pub fn best_move(&mut self) -> String {
        best_move_of(&self.expect("bestmove"))
    }

    /// Sends `isready` and waits until everything sent before has been processed. An answer that comes
    /// meanwhile is an error.
    pub fn settle(&mut self) {
        self.send("isready");
        self.expect("readyok");
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.dialogue.push("> (end of input)".to_owned());
        self.input = None;
    }

    /// Waits for the end of the process; returns the remaining lines and the exit status.
    pub fn wait(&mut self) -> (Vec<Answer>, ExitStatus) {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        while let Some(answer) = self.next(deadline.saturating_duration_since(Instant::now())) {
            lines.push(answer);
        }
        // The output is closed or the time is up.
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return (lines, status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_micros(500));
                }
                other => self.fail(&format!("the process does not end: {other:?}")),
            }
        }
    }

    /// Sends `quit` and fails if the process does not end successfully.
    pub fn quit(mut self) -> Vec<Answer> {
        self.send("quit");
        let (lines, status) = self.wait();
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
        lines
    }

    /// Fails the test, showing the end of the dialogue.
    pub fn fail(&self, reason: &str) -> ! {
        let from = self.dialogue.len().saturating_sub(60);
        panic!("{reason}; the dialogue:\n{}", self.dialogue[from..].join("\n"));
    }
}

impl Drop for UsiClient {
    fn drop(&mut self) {
        // Usually it has ended already; a failing test must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line answers a `go`.
pub fn is_answer(line: &str) -> bool {
    starts_with_words(line, "bestmove") || starts_with_words(line, "checkmate")
}

/// The move of a `bestmove` line.
pub fn best_move_of(line: &str) -> String {
    line.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// The word after a keyword in a line.
pub fn value_of<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|&word| word != keyword).nth(1)
}

/// The moves after `pv`.
pub fn pv_of(line: &str) -> Vec<&str> {
    line.split(' ').skip_while(|&word| word != "pv").skip(1).collect()
}

fn starts_with_words(line: &str, words: &str) -> bool {
    line.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
