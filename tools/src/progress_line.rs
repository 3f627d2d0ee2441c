//! Progress on the terminal.

use std::io::{IsTerminal, Write};

/// Writes progress: one line that is rewritten on a terminal, else a line now and then.
pub struct ProgressLine {
    terminal: bool,
    width: usize,
}

impl Default for ProgressLine {
    fn default() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), width: 0 }
    }
}

impl ProgressLine {
    /// Shows a line; `milestone` says whether it is worth a line of its own in a log.
    pub fn show(&mut self, line: &str, milestone: bool) {
        let mut out = std::io::stderr().lock();
        let _ = if self.terminal {
            let padding = self.width.saturating_sub(line.chars().count());
            self.width = line.chars().count();
            write!(out, "\r{line}{:padding$}", "").and_then(|()| out.flush())
        } else if milestone {
            writeln!(out, "{line}")
        } else {
            Ok(())
        };
    }

    /// Ends the line.
    pub fn end(&mut self) {
        if self.terminal && self.width > 0 {
            let _ = writeln!(std::io::stderr());
        }
        self.width = 0;
    }

    /// A line of its own.
    pub fn message(&mut self, text: &str) {
        self.end();
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}
