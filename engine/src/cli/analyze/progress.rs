//! How far the analysis is: a bar with the time left on a terminal, a line a game elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

const TEMPLATE: &str = "{bar:30} {pos}/{len} positions  {elapsed} so far, {eta} left  {msg}";

/// The same for a list: what is left goes by bytes, for nobody counts the lines beforehand.
const LIST_TEMPLATE: &str = "{bar:30} {percent}%  {elapsed} so far, {eta} left  {msg}";
/// For a list whose end nobody knows.
const ENDLESS_TEMPLATE: &str = "{spinner} {elapsed} so far  {msg}";
/// Where there is no bar, a list is heard of so often.
const LIST_LINE_EVERY: Duration = Duration::from_secs(30);

pub struct Progress {
    /// Hidden where it is not wanted.
    bar: ProgressBar,
    plain: bool,
    /// Of a list.
    name: String,
    lines: u64,
    told: Instant,
}

impl Progress {
    /// For the positions of all games, those included that are known from an earlier run.
    pub fn of_games(quiet: bool, is_known: &[Vec<bool>]) -> Self {
        let all = || is_known.iter().flatten();
        let progress = Self::new(quiet, Some(all().count() as u64), TEMPLATE);
        progress.bar.set_position(all().filter(|&&known| known).count() as u64);
        progress.bar.reset_eta();
        progress
    }

    /// For a list of so many bytes, where that is known.
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
        Self { bar, plain, name: String::new(), lines: 0, told: Instant::now() }
    }

    /// A list is read from here on.
    pub fn list_from(&self, bytes: u64) {
        self.bar.set_position(bytes);
        self.bar.reset_eta();
    }

    /// A line of a list is done, which ends behind so many bytes.
    pub fn line(&mut self, bytes: u64) {
        self.lines += 1;
        self.bar.set_position(bytes);
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("{} positions of {}", self.lines, self.name));
        } else if self.plain && self.told.elapsed() >= LIST_LINE_EVERY {
            self.told = Instant::now();
            let part = self.bar.length().filter(|&length| length > 0);
            let part = part.map(|length| format!(", {}%", bytes * 100 / length));
            let (name, lines) = (&self.name, self.lines);
            // Nobody is there to read it: no reason to stop.
            let _ = writeln!(
                std::io::stderr(),
                "{name}: {lines} positions{}",
                part.unwrap_or_default()
            );
        }
    }

    /// A position of this game is done.
    pub fn position(&self, game: &str) {
        self.bar.set_message(game.to_owned());
        self.bar.inc(1);
    }

    /// A game has left.
    pub fn game(&self, name: &str, number: usize, of: usize) {
        if self.plain {
            // Nobody is there to read it: no reason to stop.
            let _ = writeln!(std::io::stderr(), "{number}/{of} {name}");
        }
    }

    /// Lets something be written to the terminal above the bar.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
