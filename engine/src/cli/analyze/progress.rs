//! Progress of the analysis: a bar with the remaining time on a terminal, one line per game
//! elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// The message is cut to the width of the terminal.
const TEMPLATE: &str = "{bar:20} {pos}/{len}  {elapsed}, {eta} left  {wide_msg}";

/// For lists, whose number of lines is unknown: the bar counts bytes.
const LIST_TEMPLATE: &str = "{bar:20} {percent}%  {elapsed}, {eta} left  {wide_msg}";
/// For lists of unknown length.
const ENDLESS_TEMPLATE: &str = "{spinner} {elapsed}  {wide_msg}";
/// Interval of progress lines where there is no bar.
const LIST_LINE_EVERY: Duration = Duration::from_secs(30);

/// Shows the progress on standard error.
pub struct ProgressDisplay {
    /// Hidden if quiet or not on a terminal.
    bar: ProgressBar,
    plain: bool,
    /// Name of the list.
    name: String,
    lines: u64,
    /// Time of the last progress line.
    printed: Instant,
}

impl ProgressDisplay {
    /// For the positions of all games, including those known from an earlier run.
    pub fn of_games(quiet: bool, is_known: &[Vec<bool>]) -> Self {
        let all = || is_known.iter().flatten();
        let progress = Self::new(quiet, Some(all().count() as u64), TEMPLATE);
        progress.bar.set_position(all().filter(|&&known| known).count() as u64);
        progress.bar.reset_eta();
        progress
    }

    /// For a list, with its length in bytes if known.
    pub fn of_list(quiet: bool, name: &str, bytes: Option<u64>) -> Self {
        let template = if bytes.is_some() { LIST_TEMPLATE } else { ENDLESS_TEMPLATE };
        Self { name: name.to_owned(), ..Self::new(quiet, bytes, template) }
    }

    fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if quiet || !terminal {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(length, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        let plain = !quiet && !terminal;
        Self { bar, plain, name: String::new(), lines: 0, printed: Instant::now() }
    }

    /// The list is read from this byte on.
    pub fn list_from(&self, bytes: u64) {
        self.bar.set_position(bytes);
        self.bar.reset_eta();
    }

    /// A line of the list is done; `bytes` is the place after it.
    pub fn line(&mut self, bytes: u64) {
        self.lines += 1;
        self.bar.set_position(bytes);
        if !self.bar.is_hidden() {
            let (name, lines) = (printable(&self.name), self.lines);
            self.bar.set_message(format!("{lines} positions of {name}"));
        } else if self.plain && self.printed.elapsed() >= LIST_LINE_EVERY {
            self.printed = Instant::now();
            let part = self.bar.length().filter(|&length| length > 0);
            let part = part.map(|length| format!(", {}%", bytes * 100 / length));
            let (name, lines) = (&self.name, self.lines);
            // A closed standard error is no reason to stop.
            let _ = writeln!(
                std::io::stderr(),
                "{name}: {lines} positions{}",
                part.unwrap_or_default()
            );
        }
    }

    /// A position of this game is done.
    pub fn position(&self, game: &str) {
        self.bar.set_message(printable(game));
        self.bar.inc(1);
    }

    /// A game is written.
    pub fn game(&self, name: &str, number: usize, of: usize) {
        if self.plain {
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{number}/{of} {}", printable(name));
        }
    }

    /// Writes something to the terminal above the bar.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// File names may contain control characters; they must not reach the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}
