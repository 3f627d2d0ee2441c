//! The state of one game: position, clocks, end. No I/O, no engine.

use crate::clock::Clocks;
use crate::protocol::{EndReason, Message, Resume, ServerResult};
use crate::summary::{Summary, TimedMove};
use crate::units::Units;
use monomi_movegen::square::Dense;
use monomi_movegen::{Declaration, PackedMove, Position};
use monomi_record::notation::csa_move;
use monomi_record::parse_csa_move;
use monomi_support::text::{Lang, error_message, say};
use shogi_core::Color;
use std::fmt;
use std::time::{Duration, Instant};

/// Largest rounding error of a server's times in milliseconds.
const ROUNDING: Duration = Duration::from_millis(10);

/// Progress of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Offered,
    Playing,
    Over,
}

/// A game from the offer to its end.
#[derive(Clone, Debug)]
pub struct Game {
    summary: Summary,
    position: Position,
    moves: Vec<PackedMove>,
    clocks: Clocks,
    phase: Phase,
    /// Start of the current turn as measured by the client.
    turn: Option<Instant>,
    /// The server's times are not in the clock's unit, so the client measures the times itself.
    measured: bool,
    /// What was sent but not yet confirmed, and when.
    sent: Option<(String, Instant)>,
    special: Option<String>,
    reason: Option<EndReason>,
}

/// Effect of a message on the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// No effect.
    None,
    /// The game begins.
    Started,
    /// The game was rejected; by whom.
    Rejected(String),
    /// A move was made.
    Moved(Moved),
    /// The game is over.
    Over(End),
}

/// A move that the server confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The side that moved.
    pub color: Color,
    /// The move in CSA notation.
    pub text: String,
    /// The time that the server counted, or the one that the client measured if the server did not tell.
    pub time: Option<Duration>,
    /// For the client's moves: the time from sending the move to its confirmation.
    pub latency: Option<Duration>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The result for the client; `None` if the server gave none.
    pub outcome: Option<ServerResult>,
    /// The reason.
    pub reason: Option<EndReason>,
    /// `TORYO`, `KACHI` or `CHUDAN`, if one of these ended the game.
    pub special: Option<String>,
}

/// The server sent a move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// A move that is illegal or cannot be read.
    Move {
        /// The move.
        text: String,
        /// What is wrong.
        reason: monomi_record::Reason,
        /// The position.
        sfen: String,
    },
    /// A move of the side that is not to move.
    Turn {
        /// The move.
        text: String,
        /// The position.
        sfen: String,
    },
}

impl monomi_support::text::Message for Breach {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { text, reason, sfen } => {
                let reason = reason.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the server relayed `{text}`, which is {reason} in {sfen}",
                    "サーバーから届いた `{text}`: {reason}（局面 {sfen}）"
                )
            }
            Self::Turn { text, sfen } => say!(
                lang,
                f,
                "the server relayed `{text}` while it is the other side's turn in {sfen}",
                "サーバーから届いた `{text}`: 相手の手番です（局面 {sfen}）"
            ),
        }
    }
}
error_message!(Breach);

/// The server's offer to resume does not match the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherPosition;

impl monomi_support::text::Message for OtherPosition {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            lang,
            f,
            "the server goes on from a position that does not follow from the game so far",
            "サーバーが、これまでの手順からは生じない局面から対局を続けようとしています"
        )
    }
}
error_message!(OtherPosition);

impl Game {
    /// Creates a game from an offer.
    pub fn new(summary: Summary) -> Self {
        let mut clocks = Clocks::new(summary.times);
        let mut position = summary.start.clone();
        for &(mv, units) in &summary.moves {
            let color = position.side_to_move();
            clocks.spend(color, units.map(|units| clocks.time(color, units)).unwrap_or_default());
            position.do_move(mv);
        }
        let moves = summary.moves.iter().map(|&(mv, _)| mv).collect();
        let phase = Phase::Offered;
        Self {
            summary,
            position,
            moves,
            clocks,
            phase,
            turn: None,
            measured: false,
            sent: None,
            special: None,
            reason: None,
        }
    }

    /// The game's conditions.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The current position with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves since the summary's start position.
    pub fn moves(&self) -> &[PackedMove] {
        &self.moves
    }

    /// The clocks after the last move.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Whether the server waits for the client's move.
    pub fn is_our_turn(&self) -> bool {
        self.phase == Phase::Playing
            && self.sent.is_none()
            && self.position.side_to_move() == self.summary.us
    }

    /// Whether something was sent that the server has not confirmed yet.
    pub fn awaits_confirmation(&self) -> bool {
        self.sent.is_some()
    }

    /// Whether the server has sent a reason for the end but no result yet.
    pub fn is_ending(&self) -> bool {
        self.reason.is_some()
    }

    /// The end as far as it is known, for games that get no result.
    pub fn broken_end(&self) -> End {
        End { outcome: None, reason: self.reason.clone(), special: self.special.clone() }
    }

    /// Records that a move, a resignation or a declaration was sent.
    pub fn sent(&mut self, text: &str, at: Instant) {
        self.sent = Some((text.to_owned(), at));
    }

    /// Whether the game's rules allow a declaration in this position.
    pub fn may_declare(&self) -> bool {
        let rule = self.summary.entering_king;
        rule.and_then(|rule| self.position.declaration(rule)) == Some(Declaration::Declare)
    }

    /// Processes a message that was read at `at`.
    ///
    /// # Errors
    /// The move is against the rules. The game is unchanged.
    pub fn receive(&mut self, message: &Message, at: Instant) -> Result<Step, Breach> {
        match (message, self.phase) {
            (Message::Start(id), Phase::Offered) if *id == self.summary.game_id => {
                self.phase = Phase::Playing;
                self.turn = Some(at);
                Ok(Step::Started)
            }
            (Message::Rejected(by), Phase::Offered) => {
                self.phase = Phase::Over;
                Ok(Step::Rejected(by.clone()))
            }
            (Message::Move { color, text, time }, Phase::Playing) => {
                self.take_move(*color, text, *time, at)
            }
            (Message::Special { word, .. }, Phase::Playing) => {
                self.special = Some(word.clone());
                Ok(Step::None)
            }
            (Message::Reason(reason), Phase::Playing) => {
                self.reason = Some(reason.clone());
                Ok(Step::None)
            }
            (Message::Result(outcome), Phase::Playing | Phase::Offered) => {
                self.phase = Phase::Over;
                Ok(Step::Over(End { outcome: Some(*outcome), ..self.broken_end() }))
            }
            _ => Ok(Step::None),
        }
    }

    fn take_move(
        &mut self,
        color: Color,
        text: &str,
        units: Option<Units>,
        at: Instant,
    ) -> Result<Step, Breach> {
        let sfen = || self.position.to_sfen();
        if color != self.position.side_to_move() {
            return Err(Breach::Turn { text: text.to_owned(), sfen: sfen() });
        }
        let mv = self.legal(text).map_err(|reason| Breach::Move {
            text: text.to_owned(),
            reason,
            sfen: sfen(),
        })?;
        let sent = self.sent.take_if(|_| color == self.summary.us);
        let time = self.time_used(color, units, sent.as_ref().map(|(_, sent_at)| *sent_at), at);
        self.turn = Some(at);
        self.clocks.spend(color, time.unwrap_or_default());
        self.position.do_move(mv);
        self.moves.push(mv);
        let latency = sent.map(|(_, sent_at)| at.saturating_duration_since(sent_at));
        Ok(Step::Moved(Moved { color, text: text.to_owned(), time, latency }))
    }

    /// The time used for a move. If the server does not tell it, the client's own measurement is used,
    /// which includes the network latency: a clock that stands still would make the engine lose on time.
    ///
    /// rshogi's server counts milliseconds but sends whole seconds. This is detected when the sent time
    /// is shorter than the client's own thinking time; from then on the client measures.
    fn time_used(
        &mut self,
        color: Color,
        units: Option<Units>,
        sent: Option<Instant>,
        at: Instant,
    ) -> Option<Duration> {
        let told = units.map(|units| self.clocks.time(color, units));
        let Some(turn) = self.turn else { return told };
        let counts_parts = self.clocks.rules(color).unit < Duration::from_secs(1);
        if let (true, Some(told), Some(sent)) = (counts_parts, told, sent) {
            self.measured |= told + ROUNDING < sent.saturating_duration_since(turn);
        }
        told.filter(|_| !self.measured).or_else(|| Some(at.saturating_duration_since(turn)))
    }

    fn legal(&self, text: &str) -> Result<PackedMove, monomi_record::Reason> {
        let mv = parse_csa_move(&self.position, text)?;
        if self.position.is_legal(mv) { Ok(mv) } else { Err(monomi_record::Reason::Illegal) }
    }

    /// Resumes the game after a lost connection. `offer` is the server's summary; `resume` has the
    /// clocks at the time `at`, if the server sends them. Returns the moves that the client missed.
    ///
    /// # Errors
    /// The offered position cannot follow from the game so far.
    pub fn resume(
        &mut self,
        offer: Summary,
        resume: Option<&Resume>,
        at: Instant,
    ) -> Result<Vec<Moved>, OtherPosition> {
        let missed = self.missed(&offer, resume).ok_or(OtherPosition)?;
        let state = resume.map(|resume| self.left_before_increments(resume.left));
        let mut news = Vec::new();
        // The client may have sent its move long before it was confirmed.
        let mut turn = self.turn.unwrap_or(at);
        let sent = self.sent.take();
        for (index, (mv, units)) in missed.into_iter().enumerate() {
            let color = self.position.side_to_move();
            let text = csa_move(&self.position, mv);
            let told = units.map(|units| self.clocks.time(color, units));
            let time = told.or_else(|| self.time_between(color, state?[color.dense()]));
            let own = index == 0 && color == self.summary.us;
            turn = match sent.as_ref().filter(|_| own) {
                Some((_, sent_at)) => *sent_at,
                None => turn + time.unwrap_or_default(),
            };
            self.clocks.spend(color, time.unwrap_or_default());
            self.position.do_move(mv);
            self.moves.push(mv);
            news.push(Moved { color, text, time, latency: None });
        }
        self.turn = None;
        if let Some(left) = state {
            self.clocks.set_left(left);
            // The server's clock has been running since the last move.
            self.turn = Some(turn.min(at));
            // The server continues without an agreement.
            self.phase = Phase::Playing;
        } else {
            self.phase = Phase::Offered;
        }
        // Whether the move arrived follows from the position.
        (self.special, self.reason) = (None, None);
        self.summary.token = offer.token;
        Ok(news)
    }

    /// The start of the turn in progress, not later than the server's.
    pub fn turn(&self) -> Option<Instant> {
        self.turn
    }

    /// The main times of a resumed game as [`Clocks`] counts them: rshogi's server adds the increment
    /// of a move before it, so its times contain it already.
    fn left_before_increments(&self, left: [Duration; 2]) -> [Duration; 2] {
        Color::all()
            .map(|color| left[color.dense()].saturating_sub(self.clocks.rules(color).increment))
    }

    /// The time of a missed move, from the main time before and after it. In byoyomi it was longer.
    fn time_between(&self, color: Color, after: Duration) -> Option<Duration> {
        let increment = self.clocks.rules(color).increment;
        (self.clocks.left(color) + increment).checked_sub(after)
    }

    /// The moves that lead from the current position to the offered one.
    fn missed(&self, offer: &Summary, resume: Option<&Resume>) -> Option<Vec<TimedMove>> {
        if offer.us != self.summary.us {
            return None;
        }
        let known = self.moves.len();
        let same_start = is_same(&offer.start, &self.summary.start);
        if same_start && offer.moves.len() >= known {
            let same = offer.moves.iter().zip(&self.moves).all(|((a, _), b)| a == b);
            return same.then(|| offer.moves[known..].to_vec());
        }
        // The offer has no moves. At most two can be missing: the client's unconfirmed move and the
        // opponent's reply.
        let target = offer.position();
        let sent = self.sent.as_ref().map(|(text, _)| text.as_str());
        let last = resume.and_then(|resume| resume.last_move.as_deref());
        let lines: [&[Option<&str>]; 4] = [&[], &[last], &[sent], &[sent, last]];
        lines.into_iter().find_map(|line| {
            let mut position = self.position.clone();
            let mut moves = Vec::new();
            for text in line {
                let mv = parse_csa_move(&position, (*text)?).ok()?;
                if !position.is_legal(mv) {
                    return None;
                }
                position.do_move(mv);
                moves.push((mv, None));
            }
            is_same(&position, &target).then_some(moves)
        })
    }
}

/// Whether board, hands and side to move are equal; move numbers may differ.
fn is_same(a: &Position, b: &Position) -> bool {
    let placement = |position: &Position| {
        let sfen = position.to_sfen();
        sfen.rsplit_once(' ').map(|(rest, _)| rest.to_owned())
    };
    a.key() == b.key() && placement(a) == placement(b)
}

#[cfg(test)]
mod tests;
