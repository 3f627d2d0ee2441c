//! An analysed game, position by position: the input of every output format.

use crate::analyze::found::{Found, Over, ScoredLine, parts, usi};
use crate::analyze::judge::{Class, Judgement, judge, win_probability};
use crate::analyze::record::notation::{kif_move, official, side_mark};
use crate::analyze::record::{Played, Record};
use crate::analyze::tactics::{Examination, Reason, Tactics, Threat};
use crate::search::Score;
use monomi_movegen::{PackedMove, Position};
use serde::Serialize;
use shogi_core::{Color, PartialPosition};

/// A game with the results of its searches.
pub struct AnalyzedGame<'a> {
    /// Name of the game in outputs: the path of the file, with `#2` for its second game.
    pub name: &'a str,
    /// The game.
    pub record: &'a Record,
    /// Its positions, from the start to the one after the last move.
    pub steps: Vec<Step<'a>>,
}

/// A position of the game with its search result.
pub struct Step<'a> {
    /// Number of moves before this position.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// The same position, for the notation.
    pub partial: PartialPosition,
    /// The move before this position.
    pub previous: Option<&'a Played>,
    /// The move played here.
    pub played: Option<&'a Played>,
    /// Search result.
    pub found: Option<&'a Found>,
    /// The judgement of the move played here.
    pub judgement: Option<Judgement>,
    /// Mates and threats here.
    pub tactics: Tactics,
    /// Why the move played here is bad.
    pub reason: Option<Reason>,
}

impl<'a> AnalyzedGame<'a> {
    /// Judges the moves of a game. `found` holds the search results by position, `None` where it was
    /// not searched.
    pub fn new(name: &'a str, record: &'a Record, found: &'a [Option<Found>]) -> Self {
        let mut steps = steps(record, found);
        if found.iter().any(Option::is_some) {
            let mut examination = Examination::default();
            for step in &mut steps {
                step.tactics = examination.tactics(step);
            }
            for ply in 0..record.moves.len() {
                let missed = examination.missed_mate(&steps[ply], &steps[ply + 1]);
                if let (Some(plies), Some(judgement)) = (missed, &mut steps[ply].judgement) {
                    judgement.miss_mate(plies);
                }
                let reason = steps[ply]
                    .judgement
                    .filter(|judgement| judgement.class.is_bad() && missed.is_none())
                    .and_then(|_| examination.reason(&steps[ply], &steps[ply + 1]));
                steps[ply].reason = reason;
            }
        }
        Self { name, record, steps }
    }
}

fn steps<'a>(record: &'a Record, found: &'a [Option<Found>]) -> Vec<Step<'a>> {
    let mut position = record.start.clone();
    let mut partial = position.to_partial();
    let mut steps = Vec::new();
    let mut previous = None;
    for ply in 0..=record.moves.len() {
        let played = record.moves.get(ply);
        let at = |ply: usize| found.get(ply).and_then(Option::as_ref);
        let here = at(ply);
        let judgement = played
            .zip(here)
            .zip(at(ply + 1))
            .map(|((played, before), after)| judge(before, played.mv, after));
        steps.push(Step {
            ply,
            position: position.clone(),
            partial: partial.clone(),
            previous,
            played,
            found: here,
            judgement,
            tactics: Tactics::default(),
            reason: None,
        });
        if let Some(played) = played {
            let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
            position.do_move(played.mv);
        }
        previous = played;
    }
    steps
}

/// The score from Black's point of view.
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
    /// The move played here in official Japanese notation.
    pub fn played_name(&self) -> Option<String> {
        official(&self.position, &self.partial, self.played?.mv)
    }

    /// A line from here in official Japanese notation.
    pub fn names(&self, moves: &[PackedMove]) -> Vec<String> {
        names(&self.position, &self.partial, moves)
    }

    /// A line from here in KIF notation: `▲７六歩(77)△３四歩(33)`.
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

    /// The row of this position; `None` if it was not searched.
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
            best_win: self.judgement.map(|judgement| rounded(judgement.best)),
            played_win: self.judgement.map(|judgement| rounded(judgement.kept)),
            comparison_nodes: found.comparison.map_or(0, |comparison| comparison.nodes),
            reason: self.reason.map(Reason::english),
            reason_ja: self.reason.map(Reason::japanese),
            solved_mate: self.tactics.mate.as_ref().map(Vec::len),
            threat: self.tactics.threat,
        })
    }
}

/// A line in official Japanese notation, each move with the symbol of its side.
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

/// A score, relative to the side to move and to Black; either `cp` or `mate` is set.
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

/// A line other than the best one (MultiPV).
#[derive(Debug, Serialize)]
pub struct Candidate {
    #[serde(flatten)]
    score: Scored,
    pv: String,
    pv_ja: String,
}

/// The search result of a position, as in JSONL and CSV.
#[derive(Debug, Serialize)]
pub struct Searched {
    /// The position.
    pub sfen: String,
    /// The side to move.
    pub side: &'static str,
    /// The best move.
    pub best: Option<String>,
    /// The same in Japanese notation.
    pub best_ja: Option<String>,
    /// The score.
    #[serde(flatten)]
    pub score: Scored,
    /// Winning probability of the side to move.
    pub win: f64,
    /// Last completed iteration in plies.
    pub depth: u32,
    /// Longest line in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line.
    pub pv: String,
    /// The same in Japanese notation.
    pub pv_ja: String,
    /// Further lines (MultiPV).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Set if the game is over here.
    pub over: Option<Over>,
}

impl Searched {
    /// `partial` is the same position as `position`.
    pub fn new(position: &Position, partial: &PartialPosition, found: &Found) -> Self {
        let to_move = position.side_to_move();
        let view = |score| Scored::new(score, to_move);
        let candidate = |line: &ScoredLine| Candidate {
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
    /// Number of moves before this position.
    pub ply: usize,
    /// The move played here.
    pub played: Option<String>,
    /// The same in Japanese notation.
    pub played_ja: Option<String>,
    /// Search result.
    #[serde(flatten)]
    pub searched: Searched,
    /// Winning probability lost by the played move.
    pub loss: Option<f64>,
    /// Class of the played move.
    pub class: Option<Class>,
    /// Length in plies of the mate that the played move missed.
    pub missed_mate: Option<usize>,
    /// Winning probability with the best move, as compared with the played one.
    pub best_win: Option<f64>,
    /// Winning probability after the played move.
    pub played_win: Option<f64>,
    /// Nodes searched to compare the two, in addition to those of the position.
    pub comparison_nodes: u64,
    /// Why the played move is bad.
    pub reason: Option<String>,
    /// The same in Japanese.
    pub reason_ja: Option<String>,
    /// Length in plies of a mate by checks that the solver proved for the side to move.
    pub solved_mate: Option<usize>,
    /// Threat of mate against the side to move.
    pub threat: Option<Threat>,
}

/// A row of a searched list; `docs/analysis.md` describes the fields.
#[derive(Debug, Serialize)]
pub struct ListRow<'a> {
    /// The list.
    pub list: &'a str,
    /// Line of the list, from 1.
    pub line: u64,
    /// Search result.
    #[serde(flatten)]
    pub searched: Searched,
}
