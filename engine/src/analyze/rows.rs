//! An analysed game, position by position: what every kind of output is made from.

use crate::analyze::found::{Found, Line, Over, parts, usi};
use crate::analyze::judge::{Class, Judgement, judge, win_probability};
use crate::analyze::record::notation::{kif_move, official, side_mark};
use crate::analyze::record::{Played, Record};
use crate::search::Score;
use monomi_movegen::{PackedMove, Position};
use serde::Serialize;
use shogi_core::{Color, PartialPosition};

/// A game with the findings of its positions.
pub struct Analysis<'a> {
    /// What the game is called in outputs: the file's path, with `#2` for the second game in it.
    pub name: &'a str,
    /// The game.
    pub record: &'a Record,
    /// By position, from the start to behind the last move; `None` where it was not searched.
    pub found: &'a [Option<Found>],
}

/// A position with everything that is known of it.
pub struct Step<'a> {
    /// Moves made before.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// The same for the notation's sake.
    pub partial: PartialPosition,
    /// The move before this position.
    pub previous: Option<&'a Played>,
    /// The move played here.
    pub played: Option<&'a Played>,
    /// What the search found here.
    pub found: Option<&'a Found>,
    /// The judgement of the move played here.
    pub judgement: Option<Judgement>,
}

impl<'a> Analysis<'a> {
    /// The positions in order.
    pub fn steps(&self) -> Vec<Step<'a>> {
        let mut position = self.record.start.clone();
        let mut partial = position.to_partial();
        let mut steps = Vec::new();
        let mut previous = None;
        for ply in 0..=self.record.moves.len() {
            let played = self.record.moves.get(ply);
            let at = |ply: usize| self.found.get(ply).and_then(Option::as_ref);
            let found = at(ply);
            let judgement = played
                .zip(found)
                .zip(at(ply + 1))
                .map(|((played, before), after)| judge(before, played.mv, after));
            steps.push(Step {
                ply,
                position: position.clone(),
                partial: partial.clone(),
                previous,
                played,
                found,
                judgement,
            });
            if let Some(played) = played {
                let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
                position.do_move(played.mv);
            }
            previous = played;
        }
        steps
    }
}

/// The score from Black's view.
pub fn black_view(score: Score, to_move: Color) -> Score {
    match (score, to_move) {
        (score, Color::Black) => score,
        (Score::Cp(cp), Color::White) => Score::Cp(-cp),
        (Score::Mate(plies), Color::White) => Score::Mate(-plies),
    }
}

/// Black's winning probability.
pub fn black_chance(score: Score, to_move: Color) -> f64 {
    let chance = win_probability(score);
    if to_move == Color::Black { chance } else { 1.0 - chance }
}

impl Step<'_> {
    /// The move played here in the federation's notation.
    pub fn played_name(&self) -> Option<String> {
        official(&self.position, &self.partial, self.played?.mv)
    }

    /// A line from here in the federation's notation, with the sides' marks.
    pub fn names(&self, moves: &[PackedMove]) -> Vec<String> {
        names(&self.position, &self.partial, moves)
    }

    /// A line from here as KIF writes moves: `▲７六歩(77)△３四歩(33)`.
    pub fn kif_line(&self, moves: &[PackedMove], separator: &str) -> String {
        let mut position = self.position.clone();
        let mut last = self.previous.map(|played| played.mv.to());
        let mut words = Vec::new();
        for &mv in moves {
            words.push(format!("{}{}", side_mark(&position), kif_move(&position, mv, last)));
            position.do_move(mv);
            last = Some(mv.to());
        }
        words.join(separator)
    }

    /// The row of this position; `None` where nothing was found.
    pub fn row<'b>(&'b self, name: &'b str) -> Option<Row<'b>> {
        let found = self.found?;
        Some(Row {
            game: name,
            ply: self.ply,
            played: self.played.map(|played| played.mv.to_string()),
            played_ja: self.played_name(),
            searched: Searched::new(&self.position, &self.partial, found),
            loss: self.judgement.map(|judgement| rounded(judgement.loss)),
            class: self.judgement.map(|judgement| judgement.class),
            missed_mate: self.judgement.and_then(|judgement| judgement.missed_mate),
        })
    }
}

/// A line in the federation's notation, with the sides' marks.
pub fn names(start: &Position, partial: &PartialPosition, moves: &[PackedMove]) -> Vec<String> {
    let (mut position, mut partial) = (start.clone(), partial.clone());
    let mut names = Vec::new();
    for &mv in moves {
        let Some(name) = official(&position, &partial, mv) else { break };
        names.push(name);
        if partial.make_move(mv.to_core(position.side_to_move())).is_none() {
            break;
        }
        position.do_move(mv);
    }
    names
}

fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

/// A score from both views; one of `cp` and `mate`.
#[derive(Debug, Serialize)]
pub struct Scored {
    /// Centipawns for the side to move.
    pub cp: Option<i32>,
    /// Plies to the mate, negative when the side to move is mated, 0 when it is already.
    pub mate: Option<i32>,
    /// Centipawns for Black.
    pub cp_black: Option<i32>,
    /// Plies to the mate, negative when Black is mated.
    pub mate_black: Option<i32>,
}

impl Scored {
    fn new(score: Score, to_move: Color) -> Self {
        let (cp, mate) = parts(score);
        let (cp_black, mate_black) = parts(black_view(score, to_move));
        Self { cp, mate, cp_black, mate_black }
    }
}

/// Another line than the best.
#[derive(Debug, Serialize)]
pub struct Candidate {
    #[serde(flatten)]
    score: Scored,
    pv: String,
    pv_ja: String,
}

/// What was found in a position, as data has it.
#[derive(Debug, Serialize)]
pub struct Searched {
    /// The position.
    pub sfen: String,
    /// The side to move.
    pub side: &'static str,
    /// The best move.
    pub best: Option<String>,
    /// The same in Japanese.
    pub best_ja: Option<String>,
    /// The score.
    #[serde(flatten)]
    pub score: Scored,
    /// Winning probability of the side to move.
    pub win: f64,
    /// Iteration in plies.
    pub depth: u32,
    /// Deepest line in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line.
    pub pv: String,
    /// The same in Japanese.
    pub pv_ja: String,
    /// Further lines (MultiPV).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Why the game is over here.
    pub over: Option<Over>,
}

impl Searched {
    /// For a position, given twice for the notation's sake.
    pub fn new(position: &Position, partial: &PartialPosition, found: &Found) -> Self {
        let to_move = position.side_to_move();
        let view = |score| Scored::new(score, to_move);
        let candidate = |line: &Line| Candidate {
            score: view(line.score),
            pv: usi(&line.pv),
            pv_ja: names(position, partial, &line.pv).concat(),
        };
        let pv = found.lines.first().map_or(&[][..], |line| &line.pv);
        let names = names(position, partial, pv);
        Self {
            sfen: position.to_sfen(),
            side: if to_move == Color::Black { "black" } else { "white" },
            best: found.best().map(|mv| mv.to_string()),
            best_ja: names.first().cloned(),
            score: view(found.score()),
            win: rounded(win_probability(found.score())),
            depth: found.depth,
            seldepth: found.seldepth,
            nodes: found.nodes,
            pv: usi(pv),
            pv_ja: names.concat(),
            candidates: found.lines.get(1..).unwrap_or_default().iter().map(candidate).collect(),
            over: found.over,
        }
    }
}

/// A row of an analysed game; `docs/analysis.md` describes the fields.
#[derive(Debug, Serialize)]
pub struct Row<'a> {
    /// The game.
    pub game: &'a str,
    /// Moves made before this position.
    pub ply: usize,
    /// The move played here.
    pub played: Option<String>,
    /// The same in Japanese.
    pub played_ja: Option<String>,
    /// What was found here.
    #[serde(flatten)]
    pub searched: Searched,
    /// Winning probability that the played move lost.
    pub loss: Option<f64>,
    /// What the played move is called.
    pub class: Option<Class>,
    /// Plies of the mate that the played move gave away.
    pub missed_mate: Option<i32>,
}

/// A row of a searched list; `docs/analysis.md` describes the fields.
#[derive(Debug, Serialize)]
pub struct ListRow<'a> {
    /// The list.
    pub list: &'a str,
    /// Line of the list, from 1.
    pub line: u64,
    /// What was found there.
    #[serde(flatten)]
    pub searched: Searched,
}
