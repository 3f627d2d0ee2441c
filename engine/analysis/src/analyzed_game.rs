//! An analysed game, position by position: the input of every output format.

use crate::found::{Found, Over, ScoredLine, parts, usi};
use crate::judge::{Class, Judgement, judge, score_of, win_probability};
use crate::tactics::{Examination, Reason, Tactics, Threat};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{kif_move, official, side_mark};
use monomi_record::{Played, Record};
use monomi_search::Score;
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
    /// The evaluation to show, for the side to move: the score of the search, unless a comparison of
    /// moves or the mate solver corrected it.
    pub evaluation: Option<Score>,
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
            for ply in 0..steps.len() {
                steps[ply].evaluation =
                    evaluation(&steps[ply], ply.checked_sub(1).map(|ply| &steps[ply]));
            }
        }
        Self { name, record, steps }
    }
}

/// The evaluation to show of a position, so that the loss of a move is the difference between the
/// evaluations before and after it. `previous` is the step before.
///
/// A position between two compared moves has two values. That of a bad move counts first, because
/// its loss is shown.
fn evaluation(step: &Step<'_>, previous: Option<&Step<'_>>) -> Option<Score> {
    let found = step.found?;
    if found.over.is_some() {
        return Some(found.score());
    }
    if let Some(plies) = step.judgement.and_then(|judgement| judgement.missed_mate) {
        return Some(i32::try_from(plies).map_or(found.score(), Score::Mate));
    }
    let compared = |step: &Step<'_>| {
        let _ = step.found?.comparison?;
        step.judgement
    };
    let own = compared(step).map(|judgement| judgement.best);
    let before = previous.and_then(compared);
    let bad = before.filter(|judgement| judgement.class.is_bad());
    let after = |judgement: Judgement| 1.0 - judgement.kept;
    let chance = bad.map(after).or(own).or(before.map(after));
    match chance {
        Some(chance) if chance != win_probability(found.score()) => Some(score_of(chance)),
        _ => Some(found.score()),
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
            evaluation: None,
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
    /// The lines to show: those of the search, the first one with the evaluation and none better than
    /// it, and before them a mate that the move played here missed.
    pub fn lines(&self) -> Vec<ScoredLine> {
        let mut lines = self.found.map(|found| found.lines.clone()).unwrap_or_default();
        let missed = self.judgement.is_some_and(|judgement| judgement.missed_mate.is_some());
        let mate = self.tactics.mate.as_ref().filter(|_| missed);
        if let (Some(mate), Some(score)) = (mate, self.evaluation) {
            lines.retain(|line| line.pv.first() != mate.first());
            lines.insert(0, ScoredLine { score, pv: mate.clone() });
        } else if let (Some(first), Some(score)) = (lines.first_mut(), self.evaluation) {
            first.score = score;
            let best = win_probability(score);
            for line in lines.iter_mut().filter(|line| win_probability(line.score) > best) {
                line.score = score;
            }
        }
        lines
    }

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
            win_black: self
                .evaluation
                .map(|score| rounded(black_chance(score, self.position.side_to_move()))),
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
    /// Black's winning probability by the evaluation that is shown in reports.
    pub win_black: Option<f64>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparison;
    use crate::output::{CommentStyle, EngineInfo, html, kif, svg};
    use monomi_record::Encoding;

    fn record(text: &str) -> Record {
        monomi_record::read(text.as_bytes()).unwrap().records.remove(0)
    }

    fn found(cp: i32, best: &str, comparison: Option<(f64, f64)>) -> Option<Found> {
        let line = ScoredLine { score: Score::Cp(cp), pv: vec![best.parse().unwrap()] };
        let compared = |(best, played)| Comparison { best, played, nodes: 1 };
        let comparison = comparison.map(compared);
        let lines = vec![line];
        Some(Found { depth: 1, seldepth: 1, nodes: 1, millis: 0, lines, over: None, comparison })
    }

    /// The search after the first move found +1477 for White; comparing White's moves did not.
    #[test]
    fn an_overruled_score_is_not_shown() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let found = [
            found(30, "7g7f", None),
            found(1477, "8c8d", Some((0.49, 0.48))),
            found(40, "2g2f", None),
            found(-40, "8c8d", None),
        ];
        let game = AnalyzedGame::new("game", &record, &found);
        let shown: Vec<_> = game.steps.iter().map(|step| step.evaluation.unwrap()).collect();
        // After the second move Black has 52 %.
        assert_eq!(shown, [Score::Cp(30), Score::Cp(-24), Score::Cp(48), Score::Cp(-40)]);
        let texts = [
            html(&game, &EngineInfo::default()).unwrap(),
            kif(&game, CommentStyle::Shogihome, Encoding::Utf8),
        ];
        for text in texts {
            assert!(text.contains("評価値=24") && !text.contains("1477"), "{text}");
        }
        let middle = |svg: String| {
            let heights =
                svg.split("class=\"line\" d=\"M").nth(1).unwrap().split('"').next().unwrap();
            let heights = heights.split('L').map(|point| point.split(' ').nth(1).unwrap());
            heights.map(|y| y.parse::<f64>().unwrap() / 240.0).all(|y| (0.45..0.55).contains(&y))
        };
        assert!(middle(svg(&game)));
    }

    #[test]
    fn no_line_is_shown_as_better_than_the_first() {
        let record = record("startpos moves 7g7f 3c3d");
        let mut first = found(300, "2g2f", Some((0.5, 0.45))).unwrap();
        for (cp, mv) in [(200, "7g7f"), (-200, "1g1f")] {
            first.lines.push(ScoredLine { score: Score::Cp(cp), pv: vec![mv.parse().unwrap()] });
        }
        let found = [Some(first), found(80, "3c3d", None), found(0, "2g2f", None)];
        let game = AnalyzedGame::new("game", &record, &found);
        let scores: Vec<Score> = game.steps[0].lines().iter().map(|line| line.score).collect();
        assert_eq!(scores, [Score::Cp(0), Score::Cp(0), Score::Cp(-200)]);
    }

    /// The evaluations before and after a bad move differ by its loss, also where the reply was
    /// compared too.
    #[test]
    fn evaluations_agree_with_the_loss_of_bad_moves() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let found = [
            found(300, "2g2f", Some((0.6, 0.4))),
            found(900, "8c8d", Some((0.65, 0.64))),
            found(-500, "2g2f", None),
            found(500, "8c8d", None),
        ];
        let game = AnalyzedGame::new("game", &record, &found);
        let chance = |ply: usize| win_probability(game.steps[ply].evaluation.unwrap());
        let judgement = game.steps[0].judgement.unwrap();
        assert_eq!(judgement.class, Class::Mistake);
        assert!((chance(0) - (1.0 - chance(1)) - judgement.loss).abs() < 0.001);
        assert_eq!(game.steps[2].evaluation, Some(score_of(0.36)));
    }

    /// The search did not see the mate, which the solver proves.
    #[test]
    fn a_missed_mate_is_the_evaluation_and_the_first_line() {
        let record = record("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b");
        let found = [found(800, "G*4b", None), found(-300, "5a6b", None)];
        let game = AnalyzedGame::new("game", &record, &found);
        assert_eq!(game.steps[0].judgement.unwrap().missed_mate, Some(1));
        assert_eq!(game.steps[0].evaluation, Some(Score::Mate(1)));
        let lines = game.steps[0].lines();
        assert_eq!(usi(&lines[0].pv), "G*5b");
        assert_eq!((lines[1].score, usi(&lines[1].pv)), (Score::Cp(800), "G*4b".to_owned()));
    }
}
