//! Progress of the games: a bar on a terminal, a line every half minute elsewhere.

use crate::commands::progress;
use crate::commands::records::{games_text, positions_text};
use crate::lang::Lang;
use indicatif::ProgressBar;
use monomi_datagen::{Produced, Target};
use monomi_games::Scan;
use monomi_support::text::say;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

const TEMPLATE: &str = "{bar:20} {wide_msg}";
/// Between two lines where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(30);

pub struct GamesProgress {
    /// Hidden where it is not wanted.
    bar: ProgressBar,
    plain: bool,
    lang: Lang,
    target: Target,
    before: Produced,
    started: Instant,
    last_line: Instant,
}

impl GamesProgress {
    pub fn new(quiet: bool, target: Target, scan: &Scan, lang: Lang) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = progress::bar(quiet, Some(1_000), TEMPLATE, lang);
        let before = Produced { games: scan.games, positions: scan.positions };
        let now = Instant::now();
        let plain = !quiet && !terminal;
        Self { bar, plain, lang, target, before, started: now, last_line: now }
    }

    /// A game is done.
    pub fn tell(&mut self, now: &Produced) {
        if self.bar.is_hidden() && !self.plain {
            return;
        }
        if self.plain && self.last_line.elapsed() < LINES_EVERY {
            return;
        }
        self.last_line = Instant::now();
        let share = self.share(now);
        let speed = self.positions_a_second(now);
        let left = share.zip(self.share(&self.before)).map(|(share, before)| {
            let part = ((share - before) / (1.0 - before)).max(1e-9);
            self.started.elapsed().mul_f64((1.0 / part - 1.0).clamp(0.0, 1e6))
        });
        let lang = self.lang;
        let (games, positions) = (games_text(now.games, lang), positions_text(now.positions, lang));
        let left = left.map_or(String::new(), |left| progress::left(left, lang));
        let text = say!(
            lang,
            "{games}, {positions}, {speed:.0} per second{left}",
            "{games}、{positions}、毎秒 {speed:.0} 局面{left}"
        );
        if self.plain {
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{text}");
        } else {
            self.bar.set_position((share.unwrap_or(0.0) * 1_000.0) as u64);
            self.bar.set_message(text);
        }
    }

    /// Positions a second since the start of this run.
    pub fn positions_a_second(&self, now: &Produced) -> f64 {
        let positions = now.positions - self.before.positions;
        positions as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// How much of what is wanted is there, from 0 to 1.
    fn share(&self, now: &Produced) -> Option<f64> {
        let of = |have: u64, want: Option<u64>| Some(have as f64 / want?.max(1) as f64);
        let games = of(now.games, self.target.games);
        let positions = of(now.positions, self.target.positions);
        games.into_iter().chain(positions).reduce(f64::max).map(|share| share.min(1.0))
    }
}
