//! How far the analysis is: a bar with the time left on a terminal, a line a game elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

const TEMPLATE: &str = "{bar:30} {pos}/{len} positions  {elapsed} so far, {eta} left  {msg}";

pub struct Progress {
    /// Hidden where it is not wanted.
    bar: ProgressBar,
    plain: bool,
}

impl Progress {
    /// For the positions of all games, those included that are known from an earlier run.
    pub fn new(quiet: bool, is_known: &[Vec<bool>]) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let all = || is_known.iter().flatten();
        let bar = ProgressBar::with_draw_target(
            Some(all().count() as u64),
            if quiet || !terminal {
                ProgressDrawTarget::hidden()
            } else {
                ProgressDrawTarget::stderr()
            },
        );
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_position(all().filter(|&&known| known).count() as u64);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, plain: !quiet && !terminal }
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
