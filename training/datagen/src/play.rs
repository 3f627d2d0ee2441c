//! Plays one game.

use super::{Openings, style};
use crate::sampler::Sampler;
use monomi_games::GenerationSettings;
use monomi_games::{EndReason, Game, Outcome};
use monomi_movegen::Random;
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_search::{
    BestMove, Limits, MATE_IN_MAX_PLY, SearchOptions, Searcher, Signals, Silent, Value,
};
use monomi_support::text::{error_message, messages};
use shogi_core::Color;
use std::num::NonZeroU32;

/// When to end a game early as won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The score, in internal units, beyond which a side counts as winning.
    pub score: Value,
    /// The number of consecutive positions that must exceed this score.
    pub times: u32,
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Play {
    /// Nodes of each search.
    pub nodes: u64,
    /// Openings whose first score is beyond this, in internal units, are drawn again.
    pub opening_score: Value,
    /// When to end a game as won.
    pub adjudication: Adjudication,
    /// The game is a draw after this number of moves, including those before the base.
    pub max_plies: u16,
    /// Record one in this many quiet nodes of the search trees; `None` for none.
    pub tree: Option<NonZeroU32>,
    /// Standard deviation of the noise that gives every few games their own style: it is added to
    /// the weights of the network's first layer, in the units of the file. 0 for none. Piece-square
    /// tables are used without noise.
    pub style: f64,
}

/// Number of openings to draw for one game before giving up.
const MOST_DRAWS: u32 = 1_000;

messages! {
    /// None of the openings drawn for a game is balanced enough.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct NoOpening {
        /// The game's number.
        pub game: u64,
    } =>
        "of {MOST_DRAWS} openings drawn for game {game} none is within the bound on their score",
        "対局 {game} の序盤を {MOST_DRAWS} 回選びましたが、評価値が制限内の局面がありません";
}
error_message!(NoOpening);

impl Play {
    /// The settings that determine the games, to be stored in their file.
    pub fn settings(&self) -> GenerationSettings {
        let Adjudication { score, times } = self.adjudication;
        let settings = GenerationSettings::default()
            .with("nodes", self.nodes)
            .with("opening-score", self.opening_score)
            .with("adjudication", format!("{score}x{times}"))
            .with("max-plies", self.max_plies);
        let settings = match self.tree {
            Some(one_in) => settings.with("tree", one_in),
            None => settings,
        };
        if self.style > 0.0 { settings.with("style", self.style) } else { settings }
    }

    /// Number of games in a session. They are played one after the other by one searcher, which is
    /// cleared before the first. What the searcher has stored in earlier games makes it play the
    /// later ones better. A resumed run replays at most the games of one session, which takes a few
    /// seconds. A power of two, from 1 to 128.
    pub fn session(&self) -> u64 {
        // All games of a session have the same style.
        let most = if self.style > 0.0 { style::GAMES } else { 128 };
        1 << (256_000 / self.nodes.max(1)).clamp(1, most).ilog2()
    }

    /// Plays a game. It depends only on the seed, its number, the settings, and the state of the
    /// searcher after the earlier games of the session. `None` if the search was stopped.
    ///
    /// # Errors
    /// No suitable opening was found.
    pub(super) fn game(
        &self,
        seed: u64,
        game: u64,
        openings: &Openings,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<Option<Game>, NoOpening> {
        let mut random = Random::stream(seed, game);
        // A separate random stream, so that the games are the same with and without samples.
        let sampler = self.tree.map(|one_in| Sampler::new(one_in, Random::stream(!seed, game)));
        searcher.observe(sampler.as_ref().map(Sampler::observer));
        let mut table = Table { play: self, searcher, signals, options: SearchOptions::default() };
        for _ in 0..MOST_DRAWS {
            let (base, opening, position) = openings.draw(&mut random);
            // Discard the samples of a rejected opening.
            drop(sampler.as_ref().map(Sampler::take));
            if !position.has_legal_move() || self.rules(&position).is_some() {
                continue;
            }
            let found = table.search(&position);
            if signals.stopped() {
                return Ok(None);
            }
            let Choice::Move(_, score) = found else { continue };
            if score.abs() > self.opening_score {
                continue;
            }
            let played = table.play(position, found);
            return Ok(played.map(|(moves, scores, outcome)| Game {
                base,
                opening,
                moves,
                scores,
                leaves: Vec::new(),
                outcome,
                tree: sampler.map_or(Vec::new(), |sampler| sampler.take()),
            }));
        }
        Err(NoOpening { game })
    }

    /// The outcome by the rules, checked before a search.
    fn rules(&self, position: &Position) -> Option<Outcome> {
        let us = position.side_to_move();
        match position.repeated(4) {
            Some(Repetition::Win) => {
                return Some(Outcome { winner: Some(us), reason: EndReason::PerpetualCheck });
            }
            Some(Repetition::Lose) => {
                return Some(Outcome {
                    winner: Some(us.flip()),
                    reason: EndReason::PerpetualCheck,
                });
            }
            Some(_) => return Some(Outcome { winner: None, reason: EndReason::Repetition }),
            None => {}
        }
        // `ply` is the number of the next move. A side that is mated has lost even after the last
        // move allowed.
        let late = position.ply() > self.max_plies && position.has_legal_move();
        late.then_some(Outcome { winner: None, reason: EndReason::MaxPlies })
    }
}

/// The result of a search.
#[derive(Clone, Copy)]
enum Choice {
    Move(PackedMove, Value),
    /// The side to move wins by declaration.
    Declares,
    /// The side to move is mated.
    Mated,
}

/// The state for playing games on one thread.
struct Table<'a> {
    play: &'a Play,
    searcher: &'a mut Searcher,
    signals: &'a Signals,
    options: SearchOptions,
}

type Played = (Vec<PackedMove>, Vec<i16>, Outcome);

impl Table<'_> {
    fn search(&mut self, position: &Position) -> Choice {
        let limits = Limits::new().with_nodes(self.play.nodes);
        let result =
            self.searcher.go_here(position, &limits, &self.options, self.signals, &mut Silent);
        match result.best {
            BestMove::Move(mv) => Choice::Move(mv, result.score.to_value()),
            BestMove::Win => Choice::Declares,
            BestMove::Resign => Choice::Mated,
        }
    }

    /// Plays on to the end of the game; `None` if stopped.
    fn play(&mut self, mut position: Position, first: Choice) -> Option<Played> {
        let mut moves = Vec::with_capacity(256);
        let mut scores = Vec::with_capacity(256);
        let mut found = first;
        let mut judge = Judge::new(self.play.adjudication);
        let outcome = loop {
            let us = position.side_to_move();
            let (mv, score) = match found {
                Choice::Move(mv, score) => (mv, score),
                Choice::Declares => {
                    break Outcome { winner: Some(us), reason: EndReason::Declaration };
                }
                Choice::Mated => {
                    break Outcome { winner: Some(us.flip()), reason: EndReason::Mate };
                }
            };
            moves.push(mv);
            // Search values are within ±32,001 and fit into `i16`.
            scores.push(score as i16);
            if let Some(outcome) = judge.adjudicate(us, score) {
                break outcome;
            }
            position.do_move(mv);
            if let Some(outcome) = self.play.rules(&position) {
                break outcome;
            }
            found = self.search(&position);
            if self.signals.stopped() {
                return None;
            }
        };
        Some((moves, scores, outcome))
    }
}

/// Ends a game as won when the scores exceed the bound for long enough.
struct Judge {
    rule: Adjudication,
    leader: Option<Color>,
    times: u32,
}

impl Judge {
    fn new(rule: Adjudication) -> Self {
        Self { rule, leader: None, times: 0 }
    }

    /// Adds the next score, which is for the side to move.
    fn adjudicate(&mut self, us: Color, score: Value) -> Option<Outcome> {
        let leader = if score > 0 { us } else { us.flip() };
        if score.abs() >= MATE_IN_MAX_PLY {
            return Some(Outcome { winner: Some(leader), reason: EndReason::Mate });
        }
        if score.abs() <= self.rule.score {
            (self.leader, self.times) = (None, 0);
            return None;
        }
        self.times = if self.leader == Some(leader) { self.times + 1 } else { 1 };
        self.leader = Some(leader);
        let over = self.times >= self.rule.times;
        over.then_some(Outcome { winner: Some(leader), reason: EndReason::Adjudicated })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_won_by_scores_in_a_row_for_one_side() {
        use Color::{Black, White};
        let hear = |scores: &[(Color, Value)]| {
            let mut judge = Judge::new(Adjudication { score: 2_500, times: 3 });
            scores.iter().map(|&(us, score)| judge.adjudicate(us, score)).collect::<Vec<_>>()
        };
        let black = Some(Outcome { winner: Some(Black), reason: EndReason::Adjudicated });
        let mate = Some(Outcome { winner: Some(White), reason: EndReason::Mate });
        assert_eq!(hear(&[(Black, 2_501), (White, -2_600), (Black, 9_000)]), [None, None, black]);
        assert_eq!(hear(&[(Black, 2_501), (White, -2_500), (Black, 9_000)]), [None; 3]);
        assert_eq!(hear(&[(Black, 2_501), (White, 2_600), (Black, -9_000)]), [None; 3]);
        assert_eq!(hear(&[(Black, -31_990)]), [mate]);
        assert_eq!(hear(&[(White, 31_990)]), [mate]);
    }
}
