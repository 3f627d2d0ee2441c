//! Writes replies as text, and logs input and output.

use crate::reply::Reply;
use monomi_support::batch::files;
use monomi_support::host::Instant;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Receives the replies of a session.
pub trait Output {
    /// Takes a reply. On an error the session ends: no further replies can be passed on.
    ///
    /// # Errors
    /// The replies cannot be passed on.
    fn write_reply(&mut self, reply: Reply) -> std::io::Result<()>;
}

/// Writes a line of USI for each reply, and flushes it.
pub struct Lines<W>(pub W);

impl<W: Write> Output for Lines<W> {
    fn write_reply(&mut self, reply: Reply) -> std::io::Result<()> {
        self.0.write_all(format!("{reply}\n").as_bytes())?;
        self.0.flush()
    }
}

impl Output for crossbeam_channel::Sender<Reply> {
    fn write_reply(&mut self, reply: Reply) -> std::io::Result<()> {
        self.send(reply).map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }
}

/// Passes replies on and notes whether one of them was an error.
pub struct NotingErrors<O> {
    /// Where the replies go.
    pub out: O,
    /// There was an error.
    pub failed: bool,
}

impl<O: Output> Output for NotingErrors<O> {
    fn write_reply(&mut self, reply: Reply) -> std::io::Result<()> {
        self.failed |= matches!(reply, Reply::Error(_));
        self.out.write_reply(reply)
    }
}

/// The log of a session: what is read and written, with the time.
#[derive(Default)]
pub struct Log(Option<OpenLog>);

struct OpenLog {
    file: File,
    start: Instant,
}

impl Log {
    /// Appends the log to this file from the time `start` on; an empty name turns logging off.
    ///
    /// # Errors
    /// The file cannot be written, or is not a regular file; logging continues as before.
    #[expect(clippy::disallowed_methods, reason = "the date of the log")]
    pub fn log_to(&mut self, file: &str, start: Instant) -> std::io::Result<()> {
        self.0 = if file.is_empty() {
            None
        } else {
            let mut file = files::append(Path::new(file))?;
            let date = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let version = env!("CARGO_PKG_VERSION");
            writeln!(file, "# Monomi {version}, seconds since {} (Unix time)", date.as_secs())?;
            Some(OpenLog { file, start })
        };
        Ok(())
    }

    /// Logs something that was read at `at`.
    pub fn read(&mut self, text: &dyn std::fmt::Display, at: Instant) {
        self.line('<', text, at);
    }

    /// Logs a reply that is written at `at`.
    pub fn written(&mut self, reply: &Reply, at: Instant) {
        self.line('>', reply, at);
    }

    fn line(&mut self, direction: char, text: &dyn std::fmt::Display, at: Instant) {
        let Some(log) = &mut self.0 else { return };
        let seconds = at.saturating_duration_since(log.start).as_secs_f64();
        // A full disk must not end the game; ignore the error.
        let _ = writeln!(log.file, "{seconds:.3} {direction} {text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        assert!(Lines(Broken).write_reply(Reply::ReadyOk).is_err());
        let mut out = Vec::new();
        Lines(&mut out).write_reply(Reply::KeepAlive).unwrap();
        Lines(&mut out).write_reply(Reply::ReadyOk).unwrap();
        assert_eq!(out, b"\nreadyok\n");
    }

    #[test]
    fn the_log_has_both_directions_and_refuses_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.txt");
        let path = path.to_str().unwrap();
        let (mut log, start) = (Log::default(), Instant::now());
        assert!(log.log_to("/nonexistent/x/y", start).is_err());
        assert!(log.log_to(folder.path().to_str().unwrap(), start).is_err());
        #[cfg(unix)]
        assert!(log.log_to("/dev/null", start).is_err());
        log.log_to(path, start).unwrap();
        log.read(&"isready", start + Duration::from_millis(1_500));
        log.written(&Reply::ReadyOk, start + Duration::from_secs(2));
        log.log_to("", start).unwrap();
        log.written(&Reply::UsiOk, start);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("# Monomi"), "{text}");
        assert!(text.ends_with("\n1.500 < isready\n2.000 > readyok\n"), "{text}");
        assert!(!text.contains("usiok"));
    }
}
