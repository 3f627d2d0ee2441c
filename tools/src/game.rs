//! A game between two players, judged by the rules alone.

use crate::adjudication::{Adjudication, Adjudicator};
use crate::info_line::InfoLine;
use crate::opening::{Opening, legal_move};
use crate::spec::Limit;
use crate::usi_engine::{Silence, UsiEngine};
use monomi_movegen::{Declaration, EnteringKingRule, Repetition};
use shogi_core::Color;
use std::fmt;
use std::time::Duration;

/// Score of a mate in centipawns.
const MATE: i32 = 32_000;

/// The rules of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameRules {
    /// The game is a draw once it has this many plies, the opening's included, and no mate.
    pub max_plies: usize,
    /// Which declaration wins.
    pub entering_king: EnteringKingRule,
    /// How far a move may exceed its time.
    pub margin: Duration,
    /// How long to wait for an answer after the time is up, or without a clock at all.
    pub hang: Duration,
    /// When the engines' scores end a game.
    pub adjudication: Adjudication,
    /// The engines think while the opponent does.
    pub ponder: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move had no legal move.
    Mate,
    /// The side to move resigned.
    Resign,
    /// The side to move declared a win, and was right.
    Declaration,
    /// The fourth occurrence of a position.
    Repetition,
    /// The same, with checks by one side all along: that side loses.
    PerpetualCheck,
    /// Too long.
    MaxPlies,
    /// Both engines agreed on the result.
    Adjudication,
    /// An engine broke the rules and lost.
    Forfeit(Fault),
}

/// How an engine forfeited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The engine played this illegal move.
    IllegalMove(String),
    /// The engine declared a win that the position does not allow.
    FalseDeclaration,
    /// The engine exceeded its time by this much.
    Time(Duration),
    /// The engine did not answer at all.
    Hang,
    /// The engine's process ended.
    Crash,
}

impl Fault {
    /// The kind of fault, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) => "illegal-move",
            Self::FalseDeclaration => "false-declaration",
            Self::Time(_) => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalMove(mv) => write!(out, "illegal-move {mv}"),
            Self::Time(over) => write!(out, "time +{} ms", over.as_millis()),
            other => out.write_str(other.kind()),
        }
    }
}

impl Ending {
    /// The word for reports and files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Resign => "resign",
            Self::Declaration => "declaration",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual-check",
            Self::MaxPlies => "max-plies",
            Self::Adjudication => "adjudication",
            Self::Forfeit(_) => "forfeit",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub ending: Ending,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// Time and score of each of these moves.
    pub details: Vec<MoveDetails>,
    /// Thinking time of Black and White.
    pub time: [Duration; 2],
}

/// How a move was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDetails {
    /// How long it took.
    pub used: Duration,
    /// The engine's score in centipawns, for itself; mates are ±32,000.
    pub score: Option<i32>,
}

/// The answer to a `go`.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The word after `bestmove`.
    pub word: String,
    /// The word after `ponder`.
    pub ponder: Option<String>,
    /// Time and score.
    pub details: MoveDetails,
}

/// What a player did when asked for a move.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It chose a move, resigned or declared a win.
    Move(Chosen),
    /// Nothing came.
    Silence(Silence),
}

/// One of two players.
pub trait Player {
    /// A new game begins.
    fn new_game(&mut self);
    /// Asks for a move and waits at most `patience`.
    fn choose(&mut self, position: &str, go: &str, patience: Duration) -> Reply;
    /// Lets the player think about the position after the opponent's expected move, with this `go`.
    fn ponder(&mut self, position: &str, go: &str);
    /// The game is over: `win`, `lose` or `draw`.
    fn game_over(&mut self, result: &str);
}

impl Player for UsiEngine<'_> {
    fn new_game(&mut self) {
        self.send("usinewgame");
    }

    fn choose(&mut self, position: &str, go: &str, patience: Duration) -> Reply {
        let mut score = None;
        let answer = self.ask(position, go, "bestmove", patience, |line| {
            score = InfoLine::parse(line).and_then(InfoLine::best_score).or(score);
        });
        match answer {
            Ok(answer) => {
                let mut words = answer.line.split(' ').skip(1);
                let word = words.next().unwrap_or_default().to_owned();
                let ponder = words.nth(1).map(str::to_owned);
                let score = score.map(|score| score.centipawns(MATE));
                let details = MoveDetails { used: answer.time, score };
                Reply::Move(Chosen { word, ponder, details })
            }
            Err(silence) => Reply::Silence(silence),
        }
    }

    fn ponder(&mut self, position: &str, go: &str) {
        self.begin_ponder(position, go);
    }

    fn game_over(&mut self, result: &str) {
        self.end_ponder();
        self.send(&format!("gameover {result}"));
    }
}

/// One side's clock.
struct Clock {
    limit: Limit,
    left: Duration,
}

impl Clock {
    fn new(limit: Limit) -> Self {
        let left = if let Limit::Clock { base, .. } = limit { base } else { Duration::ZERO };
        Self { limit, left }
    }

    /// The time that the next move may take; `None` without a clock.
    fn allowed(&self) -> Option<Duration> {
        match self.limit {
            Limit::Nodes(_) | Limit::Depth(_) => None,
            Limit::MoveTime(time) => Some(time),
            Limit::Clock { byoyomi, .. } => Some(self.left + byoyomi),
        }
    }

    fn use_time(&mut self, used: Duration) {
        if let Limit::Clock { increment, .. } = self.limit {
            self.left = self.left.saturating_sub(used) + increment;
        }
    }
}

/// The `go` of the side whose clock is `clocks[turn]`.
fn go_text(clocks: &[Clock; 2], turn: usize) -> String {
    match clocks[turn].limit {
        Limit::Nodes(nodes) => format!("go nodes {nodes}"),
        Limit::Depth(depth) => format!("go depth {depth}"),
        Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
        Limit::Clock { byoyomi, .. } => {
            let [black, white] = [0, 1].map(|side| clocks[side].left.as_millis());
            let increment = |side: usize| match clocks[side].limit {
                Limit::Clock { increment, .. } => increment.as_millis(),
                _ => 0,
            };
            let (binc, winc) = (increment(0), increment(1));
            if byoyomi.is_zero() {
                format!("go btime {black} wtime {white} binc {binc} winc {winc}")
            } else {
                format!("go btime {black} wtime {white} byoyomi {}", byoyomi.as_millis())
            }
        }
    }
}

/// Why a game has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aborted {
    /// The runner was told to stop.
    Interrupted,
    /// Something else ended the engine of this side.
    Killed(Color),
}

/// Plays a game; `players` and `limits` are Black's and White's.
///
/// # Errors
/// The game was not played to its end.
pub fn play(
    mut players: [&mut dyn Player; 2],
    opening: &Opening,
    limits: [Limit; 2],
    rules: &GameRules,
) -> Result<Game, Aborted> {
    let mut position = opening.position.clone();
    let mut clocks = limits.map(Clock::new);
    let mut moves: Vec<String> = Vec::new();
    let mut details: Vec<MoveDetails> = Vec::new();
    let mut adjudicator = Adjudicator::new(rules.adjudication);
    let mut time = [Duration::ZERO; 2];
    players.iter_mut().for_each(|player| player.new_game());
    let (winner, ending) = loop {
        let us = position.side_to_move();
        let them = us.flip();
        if !position.has_legal_move() {
            break (Some(them), Ending::Mate);
        }
        match position.repeated(4) {
            Some(Repetition::Win) => break (Some(us), Ending::PerpetualCheck),
            Some(Repetition::Lose) => break (Some(them), Ending::PerpetualCheck),
            Some(_) => break (None, Ending::Repetition),
            None => {}
        }
        if opening.moves.len() + moves.len() >= rules.max_plies {
            break (None, Ending::MaxPlies);
        }
        let turn = us.array_index();
        let allowed = clocks[turn].allowed();
        let patience = allowed.unwrap_or_default() + rules.margin + rules.hang;
        let go = go_text(&clocks, turn);
        let forfeit = |fault| (Some(them), Ending::Forfeit(fault));
        let reply = players[turn].choose(&opening.position_text(&moves), &go, patience);
        let Chosen { word, ponder, details: found } = match reply {
            Reply::Move(chosen) => chosen,
            Reply::Silence(Silence::Interrupted) => return Err(Aborted::Interrupted),
            Reply::Silence(Silence::Killed) => return Err(Aborted::Killed(us)),
            Reply::Silence(Silence::Ended) => break forfeit(Fault::Crash),
            Reply::Silence(Silence::TimedOut) => break forfeit(Fault::Hang),
        };
        let used = found.used;
        time[turn] += used;
        if let Some(allowed) = allowed
            && used > allowed + rules.margin
        {
            break forfeit(Fault::Time(used - allowed));
        }
        clocks[turn].use_time(used);
        if word == "resign" {
            break (Some(them), Ending::Resign);
        }
        if word == "win" {
            match position.declaration(rules.entering_king) {
                Some(Declaration::Declare) => break (Some(us), Ending::Declaration),
                _ => break forfeit(Fault::FalseDeclaration),
            }
        }
        let Some(mv) = legal_move(&position, &word) else {
            break forfeit(Fault::IllegalMove(word));
        };
        // The try rule is won by the move itself.
        let tries = rules.entering_king == EnteringKingRule::Try
            && position.declaration(EnteringKingRule::Try) == Some(Declaration::Try(mv));
        position.do_move(mv);
        moves.push(word);
        details.push(found);
        if tries {
            break (Some(us), Ending::Declaration);
        }
        let plies = opening.moves.len() + moves.len();
        if let Some(winner) = adjudicator.see(us, plies, found.score) {
            break (winner, Ending::Adjudication);
        }
        if rules.ponder
            && let Some(expected) = ponder.filter(|word| legal_move(&position, word).is_some())
        {
            let text = format!("{} {expected}", opening.position_text(&moves));
            players[turn].ponder(&text, &go_text(&clocks, turn));
        }
    };
    for (color, player) in Color::all().into_iter().zip(players) {
        player.game_over(match winner {
            None => "draw",
            Some(winner) if winner == color => "win",
            Some(_) => "lose",
        });
    }
    Ok(Game { winner, ending, moves, details, time })
}

#[cfg(test)]
mod tests;
