//! The terminal, or JSON on standard output.

use super::events::Event;
use crate::lang::Lang;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use monomi_csa::clock::{self, Clocks};
use monomi_csa::output::{Report, Tally, side};
use monomi_search::Score;
use monomi_support::text::{Message as _, say};
use shogi_core::Color;
use std::io::{IsTerminal as _, Write};
use std::time::Duration;

/// What people or scripts see.
pub struct Screen<'a, W> {
    out: &'a mut W,
    json: bool,
    lang: Lang,
    live: ProgressBar,
    /// The game in progress: the client's color, and how it is named.
    us: Color,
    title: String,
    clocks: String,
    /// The first failure to write; the games continue.
    pub written: std::io::Result<()>,
}

impl<'a, W: Write> Screen<'a, W> {
    pub fn new(out: &'a mut W, json: bool, lang: Lang) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let live = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            live.set_style(style);
        }
        let (title, clocks) = (String::new(), String::new());
        Self { out, json, lang, live, us: Color::Black, title, clocks, written: Ok(()) }
    }

    /// A line on standard output, above the live line.
    fn line(&mut self, text: &str) {
        let out = &mut self.out;
        let written = self.live.suspend(|| writeln!(out, "{text}").and_then(|()| out.flush()));
        if self.written.is_ok() {
            self.written = written;
        }
    }

    /// A line on standard error.
    pub fn remark(&self, text: &str) {
        let text = text.replace(|c: char| c.is_control(), "\u{FFFD}");
        let now = chrono::Local::now().format("%H:%M:%S");
        self.live.suspend(|| {
            // If this cannot be written either, the error cannot be reported.
            let _ = writeln!(std::io::stderr(), "{now} {text}");
        });
    }

    pub fn summary(&mut self, tally: &Tally) {
        self.live.finish_and_clear();
        if self.json {
            self.line(&Event::summary(tally).value.to_string());
        } else if tally.games() > 0 {
            let text = tally.in_lang(self.lang).to_string();
            self.line(text.trim_end());
        }
    }

    /// Shows or writes what happened; `event` is the same as JSON.
    pub fn show(&mut self, report: &Report<'_>, event: Option<&Event>) {
        match (self.json, event) {
            (true, Some(event)) => self.line(&event.value.to_string()),
            (true, None) => {}
            (false, _) => self.tell(report),
        }
    }

    fn tell(&mut self, report: &Report<'_>) {
        let lang = self.lang;
        match report {
            Report::Connecting { host, port } => self.live.set_message(say!(
                lang,
                "connecting to {host}:{port}",
                "{host}:{port} に接続しています"
            )),
            Report::LoggedIn => {
                self.live.enable_steady_tick(Duration::from_millis(500));
                self.live.set_message(say!(
                    lang,
                    "logged in, waiting for a game",
                    "ログインしました。対局を待っています"
                ));
            }
            Report::Notice(notice) => self.remark(&notice.in_lang(lang).to_string()),
            Report::Started { summary, .. } => {
                self.us = summary.us;
                let (side, opponent) = (side(summary.us, lang), clean(summary.opponent()));
                self.title =
                    say!(lang, "{side} against {opponent}", "{opponent} との対局（{side}）");
                let game_id = clean(&summary.game_id);
                self.remark(&format!("{game_id}: {}", self.title));
            }
            Report::Moved { ply, clocks, .. } => {
                let clocks = left(clocks);
                self.clocks = say!(lang, "move {ply}  {clocks}", "{ply} 手目  {clocks}");
                self.live.set_message(format!("{}  {}", self.title, self.clocks));
            }
            Report::Thinking { thought, ponder } => {
                let score = score_text(self.us, thought.score, lang);
                let depth = thought.depth;
                let ponder = match ponder {
                    Some(_) => say!(lang, " (pondering)", "（先読み）"),
                    None => String::new(),
                };
                let thinking =
                    say!(lang, "{score}  depth {depth}{ponder}", "{score}  深さ {depth}{ponder}");
                let (title, clocks) = (&self.title, &self.clocks);
                self.live.set_message(format!("{title}  {clocks}  {thinking}"));
            }
            Report::Ended(result) => {
                self.line(&result.in_lang(lang).to_string());
                self.live.set_message(say!(lang, "waiting for a game", "対局を待っています"));
            }
        }
    }
}

fn clean(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "\u{FFFD}")
}

fn left(clocks: &Clocks) -> String {
    let [black, white] = Color::all().map(|color| clock::shown(clocks.left(color)));
    format!("☗{black} ☖{white}")
}

/// A score for the side to move as one for Black.
fn score_text(us: Color, score: Score, lang: Lang) -> String {
    let sign = if us == Color::Black { 1 } else { -1 };
    match score {
        Score::Cp(cp) => format!("{:+}", sign * cp),
        Score::Mate(plies) => say!(lang, "mate {:+}", "詰み {:+}", sign * plies),
    }
}
