//! `--on-event`: a command of the user for each event but moves.

use super::events::Event;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// The command, which the system's shell runs.
pub struct Alarm {
    command: String,
}

impl Alarm {
    pub fn new(command: String) -> Self {
        Self { command }
    }

    /// Starts the command: the event's name is in `MONOMI_EVENT`, its JSON on standard input. Nothing waits for the
    /// command, and what it writes to standard output is dropped, because that belongs to the client.
    ///
    /// # Errors
    /// The shell cannot be started.
    pub fn run(&self, event: &Event) -> io::Result<()> {
        let mut child = self
            .shell()
            .env("MONOMI_EVENT", event.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A line fits into the pipe. The command need not read it.
            let _ = writeln!(stdin, "{}", event.value);
        }
        // Waited for so that the system can forget it.
        std::thread::Builder::new().name("on-event".to_owned()).spawn(move || child.wait())?;
        Ok(())
    }

    #[cfg(not(windows))]
    fn shell(&self) -> Command {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.command);
        shell
    }

    #[cfg(windows)]
    fn shell(&self) -> Command {
        use std::os::windows::process::CommandExt as _;
        let mut shell = Command::new("cmd");
        // `cmd` does not read quotes as other programs do.
        shell.raw_arg("/C").raw_arg(&self.command);
        shell
    }
}
