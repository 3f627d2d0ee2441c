//! Progress of the analysis: a bar with the remaining time on a terminal, one line per game
//! elsewhere.

use crate::commands::progress;
use crate::lang::{Lang, count};
use indicatif::ProgressBar;
use monomi_support::text::say;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Interval of progress lines where there is no bar.
const LIST_LINE_EVERY: Duration = Duration::from_secs(30);

/// Shows the progress on standard error.
pub struct ProgressDisplay {
    /// Hidden if quiet or not on a terminal.
    bar: ProgressBar,
    plain: bool,
    lang: Lang,
    /// Name of the list.
    name: String,
    lines: u64,
    /// Time of the last progress line.
    printed: Instant,
}

impl ProgressDisplay {
    /// For the positions of all games, including those known from an earlier run.
    pub fn of_games(quiet: bool, is_known: &[Vec<bool>], lang: Lang) -> Self {
        let all = || is_known.iter().flatten();
        let template = format!("{{bar:20}} {{pos}}/{{len}}  {BAR_TIMES}  {{wide_msg}}");
        let progress = Self::new(quiet, Some(all().count() as u64), &template, lang);
        progress.bar.set_position(all().filter(|&&known| known).count() as u64);
        progress.bar.reset_eta();
        progress
    }

    /// For a list, with its length in bytes if known.
    pub fn of_list(quiet: bool, name: &str, bytes: Option<u64>, lang: Lang) -> Self {
        // The number of lines is unknown: the bar counts bytes.
        let template = match bytes {
            Some(_) => format!("{{bar:20}} {{percent}}%  {BAR_TIMES}  {{wide_msg}}"),
            None => "{spinner} {elapsed_precise}  {wide_msg}".to_owned(),
        };
        Self { name: name.to_owned(), ..Self::new(quiet, bytes, &template, lang) }
    }

    fn new(quiet: bool, length: Option<u64>, template: &str, lang: Lang) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = progress::bar(quiet, length, template, lang);
        bar.enable_steady_tick(Duration::from_millis(500));
        let plain = !quiet && !terminal;
        Self { bar, plain, lang, name: String::new(), lines: 0, printed: Instant::now() }
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
            let positions = count(lines, "position", "positions");
            self.bar.set_message(say!(self.lang, "{positions} of {name}", "{name}: {lines} 局面"));
        } else if self.plain && self.printed.elapsed() >= LIST_LINE_EVERY {
            self.printed = Instant::now();
            let part = self.bar.length().filter(|&length| length > 0);
            let percent = part.map(|length| bytes * 100 / length);
            let line = list_progress(self.lang, &self.name, self.lines, percent);
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
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

/// Elapsed and remaining time in a template of a bar.
const BAR_TIMES: &str = "{elapsed_precise}{left}";

fn list_progress(lang: Lang, name: &str, lines: u64, percent: Option<u64>) -> String {
    let positions = count(lines, "position", "positions");
    match percent {
        Some(percent) => {
            say!(lang, "{name}: {positions}, {percent}%", "{name}: {lines} 局面（{percent}%）")
        }
        None => say!(lang, "{name}: {positions}", "{name}: {lines} 局面"),
    }
}

/// File names may contain control characters; they must not reach the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}
