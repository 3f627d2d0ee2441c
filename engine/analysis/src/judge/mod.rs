//! The third stage: judges the moves of a game and decides which evaluation of each position to show.

mod material;
mod reason;
mod statistics;
mod verdict;

pub(crate) use statistics::{Side, sides, turning_points};
pub(crate) use verdict::{Class, Verdict};

use crate::chance::{black_chance, score_of, win_probability};
use crate::line::names;
use crate::search::{ScoredLine, SearchedPosition};
use crate::solve::{SolvedPosition, Threat};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{kif_move, official, side_mark};
use monomi_record::{Played, Record};
use monomi_search::Score;
use shogi_core::PartialPosition;
use verdict::{MoveContext, SolvedAt};

/// A judged game: the input of every output format.
pub struct AnalyzedGame<'a> {
    /// Name of the game in outputs: the path of the file, with `#2` for its second game.
    pub(crate) name: &'a str,
    pub(crate) record: &'a Record,
    /// The positions, from the start to the one after the last move.
    pub(crate) positions: Vec<JudgedPosition<'a>>,
}

/// The result of the third stage: a position of the game, what was found there, and the verdict on the
/// move played there.
pub(crate) struct JudgedPosition<'a> {
    /// Number of moves before this position.
    pub(crate) ply: usize,
    pub(crate) position: Position,
    /// The same position, for the notation.
    pub(crate) partial: PartialPosition,
    /// The move before this position.
    pub(crate) previous: Option<&'a Played>,
    /// The move played here.
    pub(crate) played: Option<&'a Played>,
    /// The result of the first two stages; `None` if the position was not searched.
    result: Option<&'a SolvedPosition>,
    /// The evaluation to show, for the side to move: the score of the search, unless a comparison of
    /// moves or the mate solver corrected it.
    pub(crate) evaluation: Option<Score>,
    /// The verdict on the move played here.
    pub(crate) verdict: Option<Verdict>,
}

impl<'a> AnalyzedGame<'a> {
    /// Judges the moves of a game. `results` holds those of the first two stages by position, `None`
    /// where it was not searched; it may be shorter than the game.
    pub fn new(name: &'a str, record: &'a Record, results: &'a [Option<SolvedPosition>]) -> Self {
        let mut positions = positions(record, results);
        for ply in 0..record.moves.len() {
            positions[ply].verdict = verdict(&positions[ply], &positions[ply + 1]);
        }
        for ply in 0..positions.len() {
            let before = ply.checked_sub(1).map(|ply| &positions[ply]);
            positions[ply].evaluation = evaluation(&positions[ply], before);
        }
        Self { name, record, positions }
    }
}

fn positions<'a>(
    record: &'a Record,
    results: &'a [Option<SolvedPosition>],
) -> Vec<JudgedPosition<'a>> {
    let mut position = record.start.clone();
    let mut partial = position.to_partial();
    let mut positions = Vec::new();
    let mut previous = None;
    for ply in 0..=record.moves.len() {
        let played = record.moves.get(ply);
        positions.push(JudgedPosition {
            ply,
            position: position.clone(),
            partial: partial.clone(),
            previous,
            played,
            result: results.get(ply).and_then(Option::as_ref),
            evaluation: None,
            verdict: None,
        });
        if let Some(played) = played {
            let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
            position.do_move(played.mv);
        }
        previous = played;
    }
    positions
}

/// The verdict on the move between two positions; `None` unless both were searched.
fn verdict(before: &JudgedPosition<'_>, after: &JudgedPosition<'_>) -> Option<Verdict> {
    fn at<'a>(judged: &'a JudgedPosition<'_>) -> Option<SolvedAt<'a>> {
        Some(SolvedAt { position: &judged.position, result: judged.result? })
    }
    let played = before.played?.mv;
    Some(Verdict::of(&MoveContext { played, before: at(before)?, after: at(after)? }))
}

/// The evaluation to show of a position, so that the loss of a move is the difference between the
/// evaluations before and after it. `previous` is the position before.
///
/// A position between two compared moves has two values. That of a bad move counts first, because
/// its loss is shown.
fn evaluation(judged: &JudgedPosition<'_>, previous: Option<&JudgedPosition<'_>>) -> Option<Score> {
    let searched = judged.searched()?;
    if searched.over.is_some() {
        return Some(searched.score());
    }
    if let Some(plies) = judged.verdict.and_then(|verdict| verdict.missed_mate) {
        return Some(i32::try_from(plies).map_or(searched.score(), Score::Mate));
    }
    let compared = |judged: &JudgedPosition<'_>| {
        let _ = judged.searched()?.comparison?;
        judged.verdict
    };
    let own = compared(judged).map(|verdict| verdict.best);
    let before = previous.and_then(compared);
    let bad = before.filter(|verdict| verdict.class.is_bad());
    let after = |verdict: Verdict| 1.0 - verdict.kept;
    let chance = bad.map(after).or(own).or(before.map(after));
    match chance {
        Some(chance) if chance != win_probability(searched.score()) => Some(score_of(chance)),
        _ => Some(searched.score()),
    }
}

impl<'a> JudgedPosition<'a> {
    /// The result of the search.
    pub(crate) fn searched(&self) -> Option<&'a SearchedPosition> {
        self.result.map(|result| &result.searched)
    }

    /// A proven mate by checks.
    pub(crate) fn mate(&self) -> Option<&'a [PackedMove]> {
        self.result?.proofs.mate()
    }

    /// The threat against the side to move.
    pub(crate) fn threat(&self) -> Option<Threat> {
        self.result?.proofs.threat
    }

    /// Black's winning probability by the evaluation to show.
    pub(crate) fn black_chance(&self) -> Option<f64> {
        Some(black_chance(self.evaluation?, self.position.side_to_move()))
    }

    /// The lines to show: those of the search, the first one with the evaluation and none better than
    /// it, and before them a mate that the move played here missed.
    pub(crate) fn lines(&self) -> Vec<ScoredLine> {
        let mut lines = self.searched().map(|searched| searched.lines.clone()).unwrap_or_default();
        let missed = self.verdict.is_some_and(|verdict| verdict.missed_mate.is_some());
        let mate = self.mate().filter(|_| missed);
        if let (Some(mate), Some(score)) = (mate, self.evaluation) {
            lines.retain(|line| line.pv.first() != mate.first());
            lines.insert(0, ScoredLine { score, pv: mate.to_vec() });
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
    pub(crate) fn played_name(&self) -> Option<String> {
        official(&self.position, &self.partial, self.played?.mv)
    }

    /// A line from here in official Japanese notation.
    pub(crate) fn names(&self, moves: &[PackedMove]) -> Vec<String> {
        names(&self.position, &self.partial, moves)
    }

    /// A line from here in KIF notation: `▲７六歩(77)△３四歩(33)`.
    pub(crate) fn kif_line(&self, moves: &[PackedMove], separator: &str) -> String {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::usi;
    use crate::output::{CommentStyle, EngineInfo, html, kif, svg};
    use crate::search::Comparison;
    use crate::solve::PositionSolver;
    use monomi_record::Encoding;

    fn record(text: &str) -> Record {
        monomi_record::read(text.as_bytes()).unwrap().records.remove(0)
    }

    fn searched(cp: i32, best: &str, comparison: Option<(f64, f64)>) -> SearchedPosition {
        let line = ScoredLine { score: Score::Cp(cp), pv: vec![best.parse().unwrap()] };
        let compared = |(best, played)| Comparison { best, played, nodes: 1 };
        SearchedPosition {
            depth: 1,
            seldepth: 1,
            nodes: 1,
            millis: 0,
            lines: vec![line],
            over: None,
            comparison: comparison.map(compared),
        }
    }

    /// The results of both stages for the positions of a game.
    fn solved(
        record: &Record,
        searched: impl IntoIterator<Item = SearchedPosition>,
    ) -> Vec<Option<SolvedPosition>> {
        let mut solver = PositionSolver::new();
        let solve = |(position, searched)| Some(solver.solve(&position, searched, &|| false));
        record.positions().zip(searched).map(solve).collect()
    }

    /// The search after the first move found +1477 for White; comparing White's moves did not.
    #[test]
    fn an_overruled_score_is_not_shown() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let results = solved(
            &record,
            [
                searched(30, "7g7f", None),
                searched(1477, "8c8d", Some((0.49, 0.48))),
                searched(40, "2g2f", None),
                searched(-40, "8c8d", None),
            ],
        );
        let game = AnalyzedGame::new("game", &record, &results);
        let shown: Vec<_> =
            game.positions.iter().map(|judged| judged.evaluation.unwrap()).collect();
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
        let mut first = searched(300, "2g2f", Some((0.5, 0.45)));
        for (cp, mv) in [(200, "7g7f"), (-200, "1g1f")] {
            first.lines.push(ScoredLine { score: Score::Cp(cp), pv: vec![mv.parse().unwrap()] });
        }
        let results =
            solved(&record, [first, searched(80, "3c3d", None), searched(0, "2g2f", None)]);
        let game = AnalyzedGame::new("game", &record, &results);
        let scores: Vec<Score> = game.positions[0].lines().iter().map(|line| line.score).collect();
        assert_eq!(scores, [Score::Cp(0), Score::Cp(0), Score::Cp(-200)]);
    }

    /// The evaluations before and after a bad move differ by its loss, also where the reply was
    /// compared too.
    #[test]
    fn evaluations_agree_with_the_loss_of_bad_moves() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let results = solved(
            &record,
            [
                searched(300, "2g2f", Some((0.6, 0.4))),
                searched(900, "8c8d", Some((0.65, 0.64))),
                searched(-500, "2g2f", None),
                searched(500, "8c8d", None),
            ],
        );
        let game = AnalyzedGame::new("game", &record, &results);
        let chance = |ply: usize| win_probability(game.positions[ply].evaluation.unwrap());
        let verdict = game.positions[0].verdict.unwrap();
        assert_eq!(verdict.class, Class::Mistake);
        assert!((chance(0) - (1.0 - chance(1)) - verdict.loss).abs() < 0.001);
        assert_eq!(game.positions[2].evaluation, Some(score_of(0.36)));
    }

    /// The search did not see the mate, which the solver proves.
    #[test]
    fn a_missed_mate_is_the_evaluation_and_the_first_line() {
        let record = record("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b");
        let results = solved(&record, [searched(800, "G*4b", None), searched(-300, "5a6b", None)]);
        let game = AnalyzedGame::new("game", &record, &results);
        assert_eq!(game.positions[0].verdict.unwrap().missed_mate, Some(1));
        assert_eq!(game.positions[0].evaluation, Some(Score::Mate(1)));
        let lines = game.positions[0].lines();
        assert_eq!(usi(&lines[0].pv), "G*5b");
        assert_eq!((lines[1].score, usi(&lines[1].pv)), (Score::Cp(800), "G*4b".to_owned()));
    }
}
