//! What the client reports: events for a listener, results, the tally.

use crate::clock::Clocks;
use crate::game::{End, Moved};
use crate::protocol::{Reason, ServerResult};
use crate::summary::Summary;
use monomi_search::Info;
use monomi_text::count;
use shogi_core::Color;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a> {
    /// The client is connecting.
    Connecting {
        /// The server.
        host: &'a str,
        /// Its port.
        port: u16,
    },
    /// The login succeeded.
    LoggedIn,
    /// A message for the user.
    Notice(&'a str),
    /// A game begins or is resumed.
    Started(&'a Summary),
    /// A move was made.
    Moved {
        /// The move.
        moved: &'a Moved,
        /// Its number in the game, from 1.
        ply: usize,
        /// The clocks after the move.
        clocks: &'a Clocks,
        /// For the client's moves: the engine's info line.
        thought: Option<&'a Info>,
    },
    /// The engine is searching or pondering.
    Thinking {
        /// Its last info line.
        thought: &'a Info,
        /// Whether it is the opponent's turn.
        ponder: bool,
    },
    /// A game is over.
    Ended(&'a GameResult),
}

/// Receives the client's events.
pub trait Listener {
    /// Called for every event.
    fn on_report(&mut self, report: &Report<'_>);
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// Number of the game in this run, from 1.
    pub number: u32,
    /// The game's identifier.
    pub game_id: String,
    /// The client's color.
    pub color: Color,
    /// The opponent's name.
    pub opponent: String,
    /// Number of moves.
    pub plies: usize,
    /// Duration of the game.
    pub time: Duration,
    /// The verdict for the client.
    pub result: Verdict,
    /// The end of the game.
    pub end: End,
    /// Path of the record.
    pub record: Option<std::path::PathBuf>,
}

impl GameResult {
    /// The reason for the end, in a few words.
    pub fn reason(&self) -> &str {
        match &self.end.reason {
            Some(Reason::Resign) => "resignation",
            Some(Reason::TimeUp) => "time",
            Some(Reason::IllegalMove) => "illegal move",
            Some(Reason::Sennichite) => "repetition",
            Some(Reason::OuteSennichite) => "perpetual check",
            Some(Reason::Jishogi) => "declaration",
            Some(Reason::MaxMoves) => "limit of moves",
            Some(Reason::Other(word)) => word,
            None => match self.end.outcome {
                Some(ServerResult::Chudan) => "broken off",
                Some(_) => "no reason given",
                None => "connection lost",
            },
        }
    }

    /// Path of the record.
    pub fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }
}

/// The result of a game for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Without a result.
    Unfinished,
}

impl Verdict {
    /// The verdict of an end.
    pub fn of(end: &End) -> Self {
        match (end.outcome, &end.reason) {
            (Some(ServerResult::Win), _) => Self::Win,
            (Some(ServerResult::Lose), _) => Self::Loss,
            (Some(ServerResult::Draw), _) => Self::Draw,
            // Servers that end games as drawn at the move limit name no winner.
            (Some(ServerResult::Censored), Some(Reason::MaxMoves)) => Self::Draw,
            (Some(ServerResult::Censored | ServerResult::Chudan) | None, _) => Self::Unfinished,
        }
    }

    /// The verdict in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Unfinished => "unfinished",
        }
    }
}

/// Number of games by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
    /// Without a result.
    pub unfinished: u32,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Win => &mut self.wins,
            Verdict::Loss => &mut self.losses,
            Verdict::Draw => &mut self.draws,
            Verdict::Unfinished => &mut self.unfinished,
        } += 1;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} won, {} lost, {} drawn", self.wins, self.losses, self.draws)?;
        if self.unfinished > 0 {
            write!(f, ", {} unfinished", self.unfinished)?;
        }
        Ok(())
    }
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All games.
    pub all: Counts,
    /// Games as Black and as White.
    pub by_color: [Counts; 2],
    /// Games against each opponent, as Black and as White.
    pub by_opponent: BTreeMap<String, [Counts; 2]>,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &GameResult) {
        let color = usize::from(game.color == Color::White);
        self.all.add(game.result);
        self.by_color[color].add(game.result);
        self.by_opponent.entry(game.opponent.clone()).or_default()[color].add(game.result);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        let Counts { wins, losses, draws, unfinished } = self.all;
        wins + losses + draws + unfinished
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", count(self.games(), "game", "games"), self.all)?;
        let [black, white] = self.by_color;
        writeln!(f, "  as Black: {black}\n  as White: {white}")?;
        for (opponent, [black, white]) in &self.by_opponent {
            writeln!(f, "  against {opponent}: as Black {black}; as White {white}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(opponent: &str, color: Color, end: End) -> GameResult {
        GameResult {
            number: 1,
            game_id: "g".to_owned(),
            color,
            opponent: opponent.to_owned(),
            plies: 1,
            time: Duration::ZERO,
            result: Verdict::of(&end),
            end,
            record: None,
        }
    }

    fn end(outcome: Option<ServerResult>, reason: Option<Reason>) -> End {
        End { outcome, reason, special: None }
    }

    #[test]
    fn results_are_counted_by_opponent_and_color() {
        let mut tally = Tally::default();
        tally.add(&result("a", Color::Black, end(Some(ServerResult::Win), Some(Reason::Resign))));
        tally.add(&result("a", Color::White, end(Some(ServerResult::Lose), Some(Reason::TimeUp))));
        tally.add(&result(
            "b",
            Color::White,
            end(Some(ServerResult::Censored), Some(Reason::MaxMoves)),
        ));
        tally.add(&result("b", Color::White, end(None, None)));
        assert_eq!(tally.games(), 4);
        assert_eq!((tally.by_color[0].wins, tally.by_color[1].losses), (1, 1));
        let [black, white] = tally.by_opponent["b"];
        assert_eq!((black, white.draws, white.unfinished), (Counts::default(), 1, 1));
        let text = tally.to_string();
        assert!(text.contains("4 games: 1 won, 1 lost, 1 drawn, 1 unfinished"), "{text}");
        assert!(text.contains("against a: as Black 1 won"), "{text}");
    }
}
