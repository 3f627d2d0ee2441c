//! Progress of the analysis on standard error: a bar on a terminal, lines elsewhere, or JSON for programs.

use crate::commands::progress;
use crate::lang::{Lang, count};
use indicatif::ProgressBar;
use monomi_support::text::say;
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Interval of lines about a list where there is no bar.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// Interval of JSON lines.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// How the progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressStyle {
    /// Not at all.
    Quiet,
    /// A bar on a terminal, lines elsewhere.
    Text,
    /// A JSON object each second, on a line of its own.
    Json,
}

/// Shows the progress on standard error.
pub struct ProgressDisplay {
    style: ProgressStyle,
    /// Hidden unless it is a bar on a terminal.
    bar: ProgressBar,
    lang: Lang,
    /// Name of the list.
    name: String,
    /// Positions done by this run.
    positions: u64,
    /// Where this run started: a byte of a list, or a number of positions.
    from: u64,
    started: Instant,
    /// Time of the last line.
    printed: Instant,
}

impl ProgressDisplay {
    /// For the positions of all games, including those known from an earlier run.
    pub fn of_games(style: ProgressStyle, is_known: &[Vec<bool>], lang: Lang) -> Self {
        let all = || is_known.iter().flatten();
        let template = format!("{{bar:20}} {{pos}}/{{len}}  {BAR_TIMES}  {{wide_msg}}");
        let mut progress = Self::new(style, Some(all().count() as u64), &template, lang);
        progress.start_from(all().filter(|&&known| known).count() as u64);
        progress
    }

    /// For a list, with its length in bytes if known.
    pub fn of_list(style: ProgressStyle, name: &str, bytes: Option<u64>, lang: Lang) -> Self {
        // The number of lines is unknown: the bar counts bytes.
        let template = match bytes {
            Some(_) => format!("{{bar:20}} {{percent}}%  {BAR_TIMES}  {{wide_msg}}"),
            None => "{spinner} {elapsed_precise}  {wide_msg}".to_owned(),
        };
        Self { name: name.to_owned(), ..Self::new(style, bytes, &template, lang) }
    }

    fn new(style: ProgressStyle, length: Option<u64>, template: &str, lang: Lang) -> Self {
        let bar = progress::bar(style != ProgressStyle::Text, length, template, lang);
        bar.enable_steady_tick(Duration::from_millis(500));
        let (name, now) = (String::new(), Instant::now());
        Self { style, bar, lang, name, positions: 0, from: 0, started: now, printed: now }
    }

    /// This run starts at a byte of the list, or with so many positions known.
    pub fn start_from(&mut self, place: u64) {
        self.bar.set_position(place);
        self.bar.reset_eta();
        (self.from, self.started) = (place, Instant::now());
    }

    /// A line of the list is done; `bytes` is the place after it.
    pub fn line(&mut self, bytes: u64) {
        self.positions += 1;
        self.bar.set_position(bytes);
        if !self.bar.is_hidden() {
            let (name, lines) = (printable(&self.name), self.positions);
            let positions = count(lines, "position", "positions");
            self.bar.set_message(say!(self.lang, "{positions} of {name}", "{name}: {lines} 局面"));
        } else if self.is_plain() && self.is_time(LINE_EVERY) {
            let percent = self.length().map(|length| bytes * 100 / length);
            let (speed, left) = (self.positions_a_second(), self.left(bytes));
            write_line(&list_progress(self.lang, &self.name, self.positions, percent, speed, left));
        } else if self.style == ProgressStyle::Json && self.is_time(JSON_EVERY) {
            self.write_json(bytes);
        }
    }

    /// A position of this game is done.
    pub fn position(&mut self, game: &str) {
        self.positions += 1;
        self.bar.set_message(printable(game));
        self.bar.inc(1);
        if self.style == ProgressStyle::Json && self.is_time(JSON_EVERY) {
            game.clone_into(&mut self.name);
            self.write_json(self.from + self.positions);
        }
    }

    /// A game is written.
    pub fn game(&self, name: &str, number: usize, of: usize) {
        if self.is_plain() {
            write_line(&format!("{number}/{of} {}", printable(name)));
        }
    }

    /// Whether lines stand in for a bar.
    fn is_plain(&self) -> bool {
        self.style == ProgressStyle::Text && !std::io::stderr().is_terminal()
    }

    /// Whether the last line was printed at least this long ago; if so, the next one is printed now.
    fn is_time(&mut self, interval: Duration) -> bool {
        let is_time = self.printed.elapsed() >= interval;
        if is_time {
            self.printed = Instant::now();
        }
        is_time
    }

    /// The length of what is done, in the unit of the bar.
    fn length(&self) -> Option<u64> {
        self.bar.length().filter(|&length| length > 0)
    }

    fn positions_a_second(&self) -> f64 {
        self.positions as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// The remaining time, if this run goes on as it did so far.
    fn left(&self, place: u64) -> Option<Duration> {
        let (length, done) = (self.length()?, place.saturating_sub(self.from));
        let left = length.saturating_sub(place) as f64 / done.max(1) as f64;
        Some(self.started.elapsed().mul_f64(left.min(1e6)))
    }

    fn write_json(&self, place: u64) {
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        let share = self.length().map(|length| place as f64 / length as f64);
        write_line(
            &json!({
                "name": self.name,
                "positions": self.positions,
                "share": share.map(|share| (share.min(1.0) * 1e4).round() / 1e4),
                "seconds": rounded(self.started.elapsed().as_secs_f64()),
                "positions_per_second": rounded(self.positions_a_second()),
                "seconds_left": self.left(place).map(|left| rounded(left.as_secs_f64())),
            })
            .to_string(),
        );
    }

    /// Writes something to the terminal above the bar.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Everything that this run does is done; so far the list was read up to this byte.
    pub fn finish(&self, bytes: Option<u64>) {
        self.bar.finish_and_clear();
        if self.style == ProgressStyle::Json {
            self.write_json(bytes.unwrap_or(self.from + self.positions));
        }
    }
}

/// Writes a line to standard error. If that is closed, this is no reason to stop.
fn write_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Elapsed and remaining time in a template of a bar.
const BAR_TIMES: &str = "{elapsed_precise}{left}";

fn list_progress(
    lang: Lang,
    name: &str,
    lines: u64,
    percent: Option<u64>,
    speed: f64,
    left: Option<Duration>,
) -> String {
    let positions = count(lines, "position", "positions");
    let left = left.map_or(String::new(), |left| progress::left(left, lang));
    match percent {
        Some(percent) => say!(
            lang,
            "{name}: {positions}, {percent}%, {speed:.1} per second{left}",
            "{name}: {lines} 局面（{percent}%）、毎秒 {speed:.1} 局面{left}"
        ),
        None => say!(
            lang,
            "{name}: {positions}, {speed:.1} per second",
            "{name}: {lines} 局面、毎秒 {speed:.1} 局面"
        ),
    }
}

/// File names may contain control characters; they must not reach the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}
