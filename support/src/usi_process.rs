//! An engine that runs as a process of its own and speaks USI over its standard input and output.

use crossbeam_channel::{Receiver, bounded};
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// How many items wait for the reader. An engine that writes without end waits for the reader, too, so the
/// memory stays limited.
const QUEUE: usize = 4096;
/// How long a process may take to end after it has closed its output.
#[cfg(unix)]
const ENDED: Duration = Duration::from_secs(1);

/// A running engine; killed when dropped.
#[derive(Debug)]
pub struct UsiProcess {
    child: Child,
    input: ChildStdin,
}

impl UsiProcess {
    /// Starts a program with these arguments, in `folder` if there is one. `read` gets each line, without
    /// the spaces around it, and the time at which it came; what it returns is sent over the channel, which
    /// closes at the end of the output. The standard error of the program is ignored.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start<T: Send + 'static>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        folder: Option<&Path>,
        mut read: impl FnMut(&str, Instant) -> Option<T> + Send + 'static,
    ) -> io::Result<(Self, Receiver<T>)> {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        // Ctrl-C is for this program alone, which then ends its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x200);
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            let _ = child.kill();
            return Err(io::Error::other("input and output are not connected"));
        };
        let process = Self { child, input };
        let (sender, receiver) = bounded(QUEUE);
        std::thread::Builder::new().name("usi-process".to_owned()).spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let at = Instant::now();
                if let Some(item) = read(String::from_utf8_lossy(&bytes).trim(), at)
                    && sender.send(item).is_err()
                {
                    return;
                }
                bytes.clear();
            }
        })?;
        Ok((process, receiver))
    }

    /// Sends a line. If the engine no longer reads, its output has ended or will not come.
    pub fn send(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
    }

    /// Whether the process is still there.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// After the end of the output: whether the process was ended from outside, by a signal that a program
    /// does not send to itself. Waits a moment for its end. Known on Unix only.
    pub fn was_killed(&mut self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt as _;
            // SIGHUP, SIGINT, SIGKILL, SIGTERM.
            const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];
            let deadline = Instant::now() + ENDED;
            while Instant::now() < deadline {
                match self.child.try_wait() {
                    Ok(Some(status)) => {
                        return status.signal().is_some_and(|n| FROM_OUTSIDE.contains(&n));
                    }
                    // Output is closed before the process ends.
                    Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                    Err(_) => break,
                }
            }
        }
        false
    }

    /// Asks the engine to quit and waits up to `patience`; what is left is killed.
    pub fn quit(&mut self, patience: Duration) {
        self.send("quit");
        let deadline = Instant::now() + patience;
        while self.is_running() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
    }
}

impl Drop for UsiProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The name in an `option` line.
pub fn option_name(line: &str) -> Option<&str> {
    line.strip_prefix("option name ")?.split(" type ").next()
}

/// The text of an error, as Monomi (`Error! ...`) and YaneuraOu (`Error! : ...`) report it.
pub fn reported_error(line: &str) -> Option<&str> {
    let text = line.strip_prefix("info string Error!")?;
    Some(text.trim_start_matches([' ', ':']))
}
