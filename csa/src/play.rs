//! The state of one game: the game itself, its record, and what the engine said.

use crate::game::Game;
use crate::notice::Notice;
use crate::record::RecordFile;
use crate::secret::Secret;
use monomi_movegen::PackedMove;
use monomi_record::notation::csa_move;
use monomi_search::{Info, Score};
use shogi_core::Color;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

/// Longest PV in a comment, in moves.
const COMMENT_MOVES: usize = 24;
/// Score of a mate in a comment, in centipawns.
const MATE: i32 = 100_000;

/// A game, its record and the state of the engine.
pub(super) struct Play {
    pub(super) game: Game,
    pub(super) record: Option<RecordFile>,
    pub(super) began: Instant,
    /// Start of the current turn, or the time of the last line sent.
    pub(super) since: Instant,
    /// The engine's last line for the move it is searching.
    pub(super) thought: Option<Info>,
    /// The engine's last line for the move that was sent.
    pub(super) played: Option<Info>,
    /// The comment that was sent with that move.
    pub(super) comment: Option<String>,
    /// The predicted reply while pondering.
    pub(super) expected: Option<PackedMove>,
    /// When the server sent an illegal move. After that the client only waits for the end.
    pub(super) adrift: Option<Instant>,
    /// When the connection was lost.
    pub(super) lost: Option<Instant>,
    pub(super) patience: Duration,
}

impl Play {
    /// Whether the server sent a token for resuming the game.
    pub(super) fn can_resume(&self) -> bool {
        self.resumption().is_some()
    }

    /// Game identifier and token for resuming the game.
    pub(super) fn resumption(&self) -> Option<(&str, &Secret)> {
        let summary = self.game.summary();
        Some((summary.game_id.as_str(), summary.token.as_ref()?))
    }

    /// Whether the side to move must have lost on time by now.
    pub(super) fn is_expired(&self) -> bool {
        let longest = Color::all().into_iter().filter_map(|c| self.game.clocks().longest_move(c));
        let longest = longest.max().unwrap_or(Duration::from_secs(3600));
        self.lost.is_some_and(|lost| lost.elapsed() > longest + self.patience)
    }

    /// Longest expected silence while a side thinks.
    pub(super) fn longest_silence(&self) -> Duration {
        let to_move = self.game.position().side_to_move();
        let longest = self.game.clocks().longest_move(to_move).unwrap_or_default();
        longest + self.patience * 2
    }

    /// The client's color.
    pub(super) fn us(&self) -> Color {
        self.game.summary().us
    }

    /// Latest time at which the server must send something, given the clocks.
    pub(super) fn deadline(&self) -> Instant {
        if let Some(since) = self.adrift {
            return since + self.patience;
        }
        let thinking = !self.game.awaits_confirmation() && !self.game.is_ending();
        let own_turn = self.game.is_our_turn();
        let to_move = self.game.position().side_to_move();
        let longest = match self.game.clocks().longest_move(to_move) {
            Some(longest) if thinking => longest,
            None if thinking => Duration::from_secs(365 * 86_400),
            _ => Duration::ZERO,
        };
        // On the client's turn the engine keeps the time itself.
        self.since + longest + self.patience * if own_turn { 2 } else { 1 }
    }

    /// Writes to the record. Returns an error only the first time.
    pub(super) fn write(
        &mut self,
        write: impl FnOnce(&mut RecordFile) -> io::Result<()>,
    ) -> Option<Notice> {
        let record = self.record.as_mut()?;
        let error = write(record).err()?;
        let path = record.path().to_owned();
        self.record = None;
        Some(Notice::RecordIncomplete(path, error))
    }
}

/// A comment `* score pv` as floodgate viewers expect it: centipawns from Black's view, and the PV
/// after the move. `None` without a line of the engine.
pub(super) fn comment(play: &Play, mv: PackedMove) -> Option<String> {
    let sign = if play.us() == Color::Black { 1 } else { -1 };
    let thought = play.thought.as_ref()?;
    let score = match thought.score {
        Score::Cp(cp) => cp.clamp(-MATE + 1, MATE - 1),
        Score::Mate(plies) if plies > 0 => MATE,
        Score::Mate(_) => -MATE,
    };
    let mut text = format!("* {}", sign * score);
    let mut position = play.game.position().clone();
    let line = thought.pv.split_first().filter(|(first, _)| **first == mv);
    position.do_move(mv);
    for &next in line.map_or(&[][..], |(_, rest)| rest).iter().take(COMMENT_MOVES) {
        if !position.is_legal(next) {
            break;
        }
        let _ = write!(text, " {}", csa_move(&position, next));
        position.do_move(next);
    }
    Some(text)
}
