//! Writes all output, and logs input and output.

use monomi_batch::files;
use monomi_host::Instant;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes lines and flushes each one.
pub struct Console<W> {
    out: W,
    log: Option<Log>,
    closed: bool,
}

struct Log {
    file: File,
    start: Instant,
}

impl<W: Write> Console<W> {
    /// A console on a stream.
    pub fn new(out: W) -> Self {
        Self { out, log: None, closed: false }
    }

    /// Writes a line.
    pub fn line(&mut self, text: &str) {
        self.log('>', text, Instant::now());
        let written = self.out.write_all(format!("{text}\n").as_bytes());
        // The reader has closed the stream; the session checks `closed` and ends.
        self.closed |= written.and_then(|()| self.out.flush()).is_err();
    }

    /// Reports an error to the user.
    pub fn error(&mut self, what: impl std::fmt::Display) {
        self.line(&format!("info string Error! {what}"));
    }

    /// The stream.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Whether a write has failed.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Logs an input line that was read at `at`.
    pub fn heard(&mut self, text: &str, at: Instant) {
        self.log('<', text, at);
    }

    /// Appends the log to this file from now on; `None` turns logging off.
    ///
    /// # Errors
    /// The file cannot be written, or is not a regular file; logging continues as before.
    #[expect(clippy::disallowed_methods, reason = "the date of the log")]
    pub fn log_to(&mut self, path: Option<&Path>) -> std::io::Result<()> {
        self.log = match path {
            None => None,
            Some(path) => {
                let mut file = files::append(path)?;
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let version = env!("CARGO_PKG_VERSION");
                writeln!(file, "# Monomi {version}, seconds since {} (Unix time)", now.as_secs())?;
                Some(Log { file, start: Instant::now() })
            }
        };
        Ok(())
    }

    fn log(&mut self, direction: char, text: &str, at: Instant) {
        let Some(log) = &mut self.log else { return };
        let seconds = at.saturating_duration_since(log.start).as_secs_f64();
        // A full disk must not end the game; ignore the error.
        let _ = writeln!(log.file, "{seconds:.3} {direction} {text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_pipe_is_noticed() {
        let mut console = Console::new(Broken);
        assert!(!console.closed());
        console.line("readyok");
        assert!(console.closed());
    }

    #[test]
    fn lines_and_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.txt");
        let mut out = Vec::new();
        let mut console = Console::new(&mut out);
        assert!(console.log_to(Some(Path::new("/nonexistent/x/y"))).is_err());
        assert!(console.log_to(Some(folder.path())).is_err());
        #[cfg(unix)]
        assert!(console.log_to(Some(Path::new("/dev/null"))).is_err());
        console.log_to(Some(&path)).unwrap();
        console.heard("isready", Instant::now());
        console.line("readyok");
        console.log_to(None).unwrap();
        console.line("unlogged");
        drop(console);
        assert_eq!(out, b"readyok\nunlogged\n");
        let log = std::fs::read_to_string(&path).unwrap();
        assert!(log.starts_with("# Monomi"), "{log}");
        assert!(log.contains(" < isready\n") && log.contains(" > readyok\n"), "{log}");
        assert!(!log.contains("unlogged"));
    }
}
