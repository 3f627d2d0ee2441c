//! An engine process that speaks USI.

use crate::spec::EngineSpec;
use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use monomi_support::usi_process::{UsiProcess, option_name, reported_error};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an engine may take for `usiok`.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// How long it may take for `readyok`: large tables and networks take time.
const READY: Duration = Duration::from_secs(120);
/// How long it may take to stop pondering.
const STOPPED: Duration = Duration::from_secs(5);
/// How long it may take to quit.
const QUIT: Duration = Duration::from_secs(2);
/// How often a wait looks for an interruption.
const POLL: Duration = Duration::from_millis(50);

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The process ended or closed its output.
    Ended,
    /// Something else ended the process: a signal such as SIGKILL or SIGTERM.
    Killed,
    /// The time is up.
    TimedOut,
    /// The runner was told to stop.
    Interrupted,
}

/// An answer and how long it took.
#[derive(Clone, Debug)]
pub struct Answer {
    pub line: String,
    /// From the `go` to the arrival of the line.
    pub time: Duration,
}

/// A running engine, asked one thing at a time; killed when dropped.
pub struct UsiEngine<'a> {
    process: UsiProcess,
    lines: Receiver<(String, Instant)>,
    options: Vec<(String, String)>,
    known_options: Vec<String>,
    /// The errors that it reported at the last `isready`.
    errors: Vec<String>,
    /// The position that it ponders on.
    pondering: Option<String>,
    stop: &'a AtomicBool,
}

impl<'a> UsiEngine<'a> {
    /// Starts the engine, sets its options and waits until it is ready. `stop` ends every wait.
    pub fn start(spec: &EngineSpec, stop: &'a AtomicBool) -> Result<Self> {
        Self::try_start(spec, stop).with_context(|| format!("engine `{}`", spec.name))
    }

    fn try_start(spec: &EngineSpec, stop: &'a AtomicBool) -> Result<Self> {
        let read = |line: &str, at| Some((line.to_owned(), at));
        let folder = spec.folder.as_deref().map(Path::new);
        let (process, lines) =
            UsiProcess::start(&spec.command[0], &spec.command[1..], folder, read)
                .with_context(|| format!("cannot start `{}`", spec.command[0]))?;
        let mut engine = Self {
            process,
            lines,
            options: Vec::new(),
            known_options: Vec::new(),
            errors: Vec::new(),
            pondering: None,
            stop,
        };
        engine.send("usi");
        let mut names = Vec::new();
        engine
            .wait_for("usiok", HANDSHAKE, |line| names.extend(option_name(line).map(str::to_owned)))
            .map_err(|silence| not_received("usiok", silence))?;
        engine.known_options = names;
        engine.set_options(&spec.options);
        engine.make_ready()?;
        Ok(engine)
    }

    /// Waits until it is ready. Fails if it reports an error about an option that was set: it would
    /// play with another value than the one wanted.
    fn make_ready(&mut self) -> Result<()> {
        self.send("isready");
        let mut errors = Vec::new();
        self.wait_for("readyok", READY, |line| {
            // Lines without end do not fill the memory.
            if errors.len() < 10 {
                errors.extend(reported_error(line).map(str::to_owned));
            }
        })
        .map_err(|silence| not_received("readyok", silence))?;
        if let Some(error) = errors.iter().find(|error| self.concerns_an_option(error)) {
            bail!("it reports an error: {error}");
        }
        self.errors = errors;
        Ok(())
    }

    /// Whether an error contains the name of an option that was set and that the engine declares,
    /// in any case of letters, or the path that is its value.
    fn concerns_an_option(&self, error: &str) -> bool {
        let lower = error.to_lowercase();
        self.options.iter().any(|(name, value)| {
            let is_path = value.contains(['.', '/', '\\']);
            let named = lower.contains(&name.to_lowercase()) || is_path && error.contains(value);
            named && self.declares(name)
        })
    }

    /// The errors that it reported at the last `isready` and that are not about an option that was
    /// set, such as a missing file of the opening book.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Sets the options whose values differ from those it has.
    fn set_options(&mut self, options: &[(String, String)]) {
        for (name, value) in options {
            let known = self.options.iter_mut().find(|(known, _)| known == name);
            match known {
                Some((_, old)) if old == value => continue,
                Some((_, old)) => old.clone_from(value),
                None => self.options.push((name.clone(), value.clone())),
            }
            self.send(&format!("setoption name {name} value {value}"));
        }
    }

    /// Changes options between games. With `clear`, `isready` follows: some engines read options
    /// only then, and most clear their tables.
    pub fn reconfigure(&mut self, options: &[(String, String)], clear: bool) -> Result<()> {
        self.set_options(options);
        if clear { self.make_ready() } else { Ok(()) }
    }

    /// A new game from nothing: `isready` is where engines clear their tables.
    pub fn new_game(&mut self) -> Result<()> {
        self.make_ready()?;
        self.send("usinewgame");
        Ok(())
    }

    /// The options that it did not declare, of those set.
    pub fn undeclared_options(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(|(name, _)| name.as_str()).filter(|name| !self.declares(name))
    }

    /// Whether it has this option. `USI_Hash` and `USI_Ponder` need no declaration.
    fn declares(&self, name: &str) -> bool {
        ["USI_Hash", "USI_Ponder"].contains(&name)
            || self.known_options.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Sends a line. An engine that no longer reads is noticed when its answer is waited for.
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// Sends `position` and `go` and waits for the line that begins with `word`; `other` sees the
    /// lines before it.
    pub fn ask(
        &mut self,
        position: &str,
        go: &str,
        word: &str,
        patience: Duration,
        other: impl FnMut(&str),
    ) -> Result<Answer, Silence> {
        let hit = self.pondering.as_deref() == Some(position);
        if !hit {
            self.end_ponder();
            while self.lines.try_recv().is_ok() {}
            self.send(&format!("position {position}"));
        }
        self.pondering = None;
        let start = Instant::now();
        self.send(if hit { "ponderhit" } else { go });
        let (line, at) = self.wait_for(word, patience, other)?;
        Ok(Answer { line, time: at.saturating_duration_since(start) })
    }

    /// Lets it think about this position until the next [`UsiEngine::ask`] or [`UsiEngine::end_ponder`].
    pub fn begin_ponder(&mut self, position: &str, go: &str) {
        self.send(&format!("position {position}"));
        self.send(&go.replacen("go ", "go ponder ", 1));
        self.pondering = Some(position.to_owned());
    }

    /// Stops pondering. An engine that does not answer is noticed when its next move is waited for.
    pub fn end_ponder(&mut self) {
        if self.pondering.take().is_some() {
            self.send("stop");
            let _ = self.wait_for("bestmove", STOPPED, |_| {});
        }
    }

    fn wait_for(
        &mut self,
        word: &str,
        patience: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(String, Instant), Silence> {
        let deadline = Instant::now() + patience;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Silence::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok((line, at)) if line.split(' ').next() == Some(word) => return Ok((line, at)),
                // Lines without end do not prolong the wait.
                Ok(_) if left.is_zero() => return Err(Silence::TimedOut),
                Ok((line, _)) => other(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.why_ended()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::TimedOut),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Why its output ended.
    fn why_ended(&mut self) -> Silence {
        if self.process.was_killed() { Silence::Killed } else { Silence::Ended }
    }

    /// Whether the process is still there.
    pub fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// Asks the engine to quit and waits a moment; what is left is killed.
    pub fn quit(mut self) {
        self.process.quit(QUIT);
    }
}

fn not_received(word: &str, silence: Silence) -> anyhow::Error {
    match silence {
        Silence::Ended => anyhow::anyhow!("it ended before `{word}`"),
        Silence::Killed => anyhow::anyhow!("it was killed before `{word}`"),
        Silence::TimedOut => anyhow::anyhow!("no `{word}` in time"),
        Silence::Interrupted => anyhow::anyhow!("interrupted"),
    }
}
