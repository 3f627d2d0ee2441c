//! One game.

use super::{Openings, style};
use crate::datagen::sampler::Sampler;
use crate::search::{
    BestMove, Limits, MATE_IN_MAX_PLY, SearchOptions, Searcher, Signals, Silent, Value,
};
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_records::{Game, Outcome, Reason};
use monomi_records::{GenerationSettings, Random};
use shogi_core::Color;
use std::num::NonZeroU32;

/// When a game is as good as over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The score beyond which a side is winning, in internal units.
    pub score: Value,
    /// So many positions in a row must say so.
    pub times: u32,
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Play {
    /// Nodes of each search.
    pub nodes: u64,
    /// Openings whose first score is beyond this are drawn again, in internal units.
    pub opening_score: Value,
    /// When to call a game won.
    pub adjudication: Adjudication,
    /// The game is a draw when this number of moves has been played, those before the base
    /// included.
    pub max_plies: u16,
    /// One in so many quiet nodes of the searches' trees is recorded, `None` for none.
    pub tree: Option<NonZeroU32>,
    /// Noise that gives every few games a style of their own: its standard deviation on the weights of
    /// the network's first layer, in the units of the file; 0 for none. Tables have no styles: they play as they are.
    pub style: f64,
}

/// Openings drawn for one game before something must be wrong with them.
const MOST_DRAWS: u32 = 1_000;

/// None of the openings drawn for a game is even enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("of {MOST_DRAWS} openings drawn for game {game} none is within the bound on their score")]
pub struct NoOpening {
    /// The game's number.
    pub game: u64,
}

impl Play {
    /// What the games depend on, for their file.
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

    /// Games that are played one behind the other by one searcher, which forgets everything before
    /// the first. What it has learnt from some games makes it play the next ones better; what a
    /// resumed run plays again are a few seconds' games at most. A power of two, from 1 to 128.
    pub fn session(&self) -> u64 {
        // A session has one style.
        let most = if self.style > 0.0 { style::GAMES } else { 128 };
        1 << (256_000 / self.nodes.max(1)).clamp(1, most).ilog2()
    }

    /// Plays a game. It depends on nothing but the seed, its number, the settings, and what the
    /// searcher has learnt from the games before it in its session. `None` when the search was
    /// told to stop.
    ///
    /// # Errors
    /// There is no opening to begin with.
    pub(super) fn game(
        &self,
        seed: u64,
        game: u64,
        openings: &Openings,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<Option<Game>, NoOpening> {
        let mut random = Random::stream(seed, game);
        // Lots of their own: with or without samples the games are the same.
        let sampler = self.tree.map(|one_in| Sampler::new(one_in, Random::stream(!seed, game)));
        searcher.observe(sampler.as_ref().map(Sampler::observer));
        let mut table = Table { play: self, searcher, signals, options: SearchOptions::default() };
        for _ in 0..MOST_DRAWS {
            let (base, opening, position) = openings.draw(&mut random);
            // What an opening that was not taken has left.
            drop(sampler.as_ref().map(Sampler::take));
            if !position.has_legal_move() || self.rules(&position).is_some() {
                continue;
            }
            let found = table.search(&position);
            if signals.stopped() {
                return Ok(None);
            }
            let Found::Move(_, score) = found else { continue };
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

    /// What the rules say of a position, before anybody thinks.
    fn rules(&self, position: &Position) -> Option<Outcome> {
        let us = position.side_to_move();
        match position.repeated(4) {
            Some(Repetition::Win) => {
                return Some(Outcome { winner: Some(us), reason: Reason::PerpetualCheck });
            }
            Some(Repetition::Lose) => {
                return Some(Outcome { winner: Some(us.flip()), reason: Reason::PerpetualCheck });
            }
            Some(_) => return Some(Outcome { winner: None, reason: Reason::Repetition }),
            None => {}
        }
        // The number is that of the move to come. Whoever is mated has lost, late or not.
        let late = position.ply() > self.max_plies && position.has_legal_move();
        late.then_some(Outcome { winner: None, reason: Reason::MaxPlies })
    }
}

/// What a search says.
#[derive(Clone, Copy)]
enum Found {
    Move(PackedMove, Value),
    /// The side to move declares.
    Declares,
    /// The side to move is mated.
    Mated,
}

/// Where the games of one thread are played.
struct Table<'a> {
    play: &'a Play,
    searcher: &'a mut Searcher,
    signals: &'a Signals,
    options: SearchOptions,
}

type Played = (Vec<PackedMove>, Vec<i16>, Outcome);

impl Table<'_> {
    fn search(&mut self, position: &Position) -> Found {
        let limits = Limits { nodes: Some(self.play.nodes), ..Limits::new() };
        let result =
            self.searcher.go_here(position, &limits, &self.options, self.signals, &mut Silent);
        match result.best {
            BestMove::Move(mv) => Found::Move(mv, result.score.to_value()),
            BestMove::Win => Found::Declares,
            BestMove::Resign => Found::Mated,
        }
    }

    /// Plays on to the end; `None` when told to stop.
    fn play(&mut self, mut position: Position, first: Found) -> Option<Played> {
        let mut moves = Vec::with_capacity(256);
        let mut scores = Vec::with_capacity(256);
        let mut found = first;
        let mut judge = Judge::new(self.play.adjudication);
        let outcome = loop {
            let us = position.side_to_move();
            let (mv, score) = match found {
                Found::Move(mv, score) => (mv, score),
                Found::Declares => {
                    break Outcome { winner: Some(us), reason: Reason::Declaration };
                }
                Found::Mated => break Outcome { winner: Some(us.flip()), reason: Reason::Mate },
            };
            moves.push(mv);
            // Values of the search fit: they are within 32,001.
            scores.push(score as i16);
            if let Some(outcome) = judge.hear(us, score) {
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

/// Calls a game won when the scores say so for long enough.
struct Judge {
    rule: Adjudication,
    leader: Option<Color>,
    times: u32,
}

impl Judge {
    fn new(rule: Adjudication) -> Self {
        Self { rule, leader: None, times: 0 }
    }

    /// The next score, of the side to move.
    fn hear(&mut self, us: Color, score: Value) -> Option<Outcome> {
        let leader = if score > 0 { us } else { us.flip() };
        if score.abs() >= MATE_IN_MAX_PLY {
            return Some(Outcome { winner: Some(leader), reason: Reason::Mate });
        }
        if score.abs() <= self.rule.score {
            (self.leader, self.times) = (None, 0);
            return None;
        }
        self.times = if self.leader == Some(leader) { self.times + 1 } else { 1 };
        self.leader = Some(leader);
        let over = self.times >= self.rule.times;
        over.then_some(Outcome { winner: Some(leader), reason: Reason::Adjudicated })
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
            scores.iter().map(|&(us, score)| judge.hear(us, score)).collect::<Vec<_>>()
        };
        let black = Some(Outcome { winner: Some(Black), reason: Reason::Adjudicated });
        let mate = Some(Outcome { winner: Some(White), reason: Reason::Mate });
        assert_eq!(hear(&[(Black, 2_501), (White, -2_600), (Black, 9_000)]), [None, None, black]);
        assert_eq!(hear(&[(Black, 2_501), (White, -2_500), (Black, 9_000)]), [None; 3]);
        assert_eq!(hear(&[(Black, 2_501), (White, 2_600), (Black, -9_000)]), [None; 3]);
        assert_eq!(hear(&[(Black, -31_990)]), [mate]);
        assert_eq!(hear(&[(White, 31_990)]), [mate]);
    }
}
