//! The third stage: judges the moves of a game and decides which evaluation of each position to show.

mod allowed;
mod context;
mod curve;
mod difficulty;
mod material;
mod menace;
mod phase;
pub mod statistics;
pub mod story;
mod verdict;

pub use allowed::allowed_mate;
pub use context::{MoveContext, SolvedAt};
pub use difficulty::Difficulty;
pub use material::{LOSS, Material, Pieces};
pub use menace::Menace;
pub use phase::Phase;
pub use verdict::{Class, Verdict};

use crate::chance::{WinScale, of_black};
use crate::explain::{Explanation, Reason};
use crate::line::{Notation, names};
use crate::search::{Exercise, ScoredLine, SearchedPosition};
use crate::solve::{SolvedPosition, Threat, passed};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{kif_move, official, side_mark};
use monomi_record::{Played, Record, handicap_name};
use monomi_search::Score;
use monomi_support::text::{Lang, Message as _};
use shogi_core::PartialPosition;

/// A judged game: the input of every output format.
pub struct AnalyzedGame<'a> {
    /// Name of the game in outputs: the path of the file, with `#2` for its second game.
    pub(crate) name: &'a str,
    pub(crate) record: &'a Record,
    /// The positions, from the start to the one after the last move.
    pub(crate) positions: Vec<JudgedPosition<'a>>,
    /// Scale of the winning probability.
    pub(crate) scale: WinScale,
}

/// The result of the third stage: a position of the game, what was found there, and the verdict on the
/// move played there.
pub struct JudgedPosition<'a> {
    /// Number of moves before this position.
    pub ply: usize,
    pub position: Position,
    /// The same position, for the notation.
    pub partial: PartialPosition,
    /// The move before this position.
    pub previous: Option<&'a Played>,
    /// The move played here.
    pub played: Option<&'a Played>,
    /// The result of the first two stages; `None` if the position was not searched.
    result: Option<&'a SolvedPosition>,
    /// The evaluation to show, for the side to move: the score of the search, unless the account of the
    /// rest of the game or the mate solver corrected it.
    pub evaluation: Option<Score>,
    /// The verdict on the move played here.
    pub verdict: Option<Verdict>,
    /// What the move before this position threatens.
    pub menace: Option<Menace<'a>>,
    /// The phase of the game.
    pub phase: Phase,
    scale: WinScale,
}

impl<'a> AnalyzedGame<'a> {
    /// Judges the moves of a game. `results` holds those of the first two stages by position, `None`
    /// where it was not searched; it may be shorter than the game.
    pub fn new(
        name: &'a str,
        record: &'a Record,
        results: &'a [Option<SolvedPosition>],
        scale: WinScale,
    ) -> Self {
        let mut positions = positions(record, results, scale);
        for ply in 0..record.moves.len() {
            positions[ply].verdict = verdict(&positions[ply], &positions[ply + 1]);
        }
        for ply in 0..positions.len() {
            let before = ply.checked_sub(1).map(|before| &positions[before].position);
            let menace = |result| menace::menace(before, &positions[ply].position, result, scale);
            positions[ply].menace = positions[ply].result.and_then(menace);
        }
        let mut next = None;
        for judged in positions.iter_mut().rev() {
            next = evaluation(judged, next);
            judged.evaluation = next;
        }
        Self { name, record, positions, scale }
    }

    /// Whether the start is that of a handicap game.
    pub(crate) fn is_handicap(&self) -> bool {
        handicap_name(&self.record.start).is_some_and(|name| name != "平手")
    }

    /// Who led, and where the game was decided, in a few sentences; `None` unless all positions were searched.
    pub(crate) fn story(&self, lang: Lang, notation: Notation) -> Option<String> {
        story::story(self, notation).map(|story| story.in_lang(lang).to_string())
    }
}

fn positions<'a>(
    record: &'a Record,
    results: &'a [Option<SolvedPosition>],
    scale: WinScale,
) -> Vec<JudgedPosition<'a>> {
    let mut position = record.start.clone();
    let mut partial = position.to_partial();
    let mut positions = Vec::new();
    let (mut previous, mut phase) = (None, Phase::Opening);
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
            menace: None,
            phase,
            scale,
        });
        if let Some(played) = played {
            let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
            let before = position.clone();
            position.do_move(played.mv);
            phase = phase::next(phase, (&before, played.mv), &position, ply + 1);
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
    let (before, after, scale) = (at(before)?, at(after)?, before.scale);
    Some(Verdict::of(&MoveContext { played, before, after, scale }))
}

/// The evaluation to show of a position: its winning probability in the account of the game, so that the
/// loss of a move is the difference between the evaluations before and after it. `next` is the
/// evaluation of the position after it.
fn evaluation(judged: &JudgedPosition<'_>, next: Option<Score>) -> Option<Score> {
    let result = judged.result?;
    let score = result.searched.score();
    if let Some(plies) = judged.verdict.and_then(|verdict| verdict.missed_mate) {
        return Some(i32::try_from(plies).map_or(score, Score::Mate));
    }
    let chance = result.chance(judged.scale);
    if chance == judged.scale.chance(score) {
        return Some(score);
    }
    let solved = judged.mate().and_then(|mate| i32::try_from(mate.len()).ok());
    Some(match (next, solved) {
        (_, Some(plies)) if chance == 1.0 => Score::Mate(plies),
        // The mate is one ply farther away.
        (Some(Score::Mate(plies)), _) if chance == 0.0 && plies > 0 => Score::Mate(-plies - 1),
        (Some(Score::Mate(plies)), _) if chance == 1.0 && plies <= 0 => Score::Mate(1 - plies),
        _ => judged.scale.score(chance),
    })
}

impl<'a> JudgedPosition<'a> {
    /// The result of the search.
    pub fn searched(&self) -> Option<&'a SearchedPosition> {
        self.result.map(|result| &result.searched)
    }

    /// A proven mate by checks.
    pub fn mate(&self) -> Option<&'a [PackedMove]> {
        self.result?.proofs.mate()
    }

    /// The answers to the question for a better move than the one played, if that one is bad.
    pub fn exercise(&self) -> Option<&'a Exercise> {
        self.result?.exercise.as_ref()
    }

    /// Why the move played here is bad.
    pub fn reason(&self) -> Option<&'a Reason> {
        self.explanation()?.reason.as_ref()
    }

    /// What the best move prepares, in Japanese and in English, where another one was played and was bad.
    pub fn plan(&self) -> Option<&'a [String; 2]> {
        self.explanation()?.plan.as_ref()
    }

    fn explanation(&self) -> Option<&'a Explanation> {
        self.result?.explanation.as_ref()
    }

    /// How hard the better move was to find, and after how many nodes the search had found it for good,
    /// where the move played was bad. Nothing is known of a mate that only the mate solver found.
    pub fn difficulty(&self) -> Option<(Difficulty, u64)> {
        let verdict = self.verdict.filter(|verdict| verdict.class.is_bad())?;
        let nodes = self.searched()?.found_after;
        verdict.missed_mate.is_none().then(|| (Difficulty::of(nodes), nodes))
    }

    /// The move that is threatened, after a pass of the side to move, in USI and in official Japanese
    /// notation.
    pub fn threatened(&self) -> Option<(PackedMove, String)> {
        let mv = self.menace?.first()?;
        let passed = passed(&self.position)?;
        Some((mv, official(&passed, &passed.to_partial(), mv)?))
    }

    /// The threat against the side to move.
    pub fn threat(&self) -> Option<Threat> {
        self.result?.proofs.threat
    }

    /// Black's winning probability by the evaluation to show.
    pub fn black_chance(&self) -> Option<f64> {
        Some(of_black(self.scale.chance(self.evaluation?), self.position.side_to_move()))
    }

    /// The lines to show: those of the search, the first one with the evaluation and none better than
    /// it, and before them a mate that the move played here missed.
    pub fn lines(&self) -> Vec<ScoredLine> {
        let mut lines = self.searched().map(|searched| searched.lines.clone()).unwrap_or_default();
        let missed = self.verdict.is_some_and(|verdict| verdict.missed_mate.is_some());
        let mate = self.mate().filter(|_| missed);
        if let (Some(mate), Some(score)) = (mate, self.evaluation) {
            lines.retain(|line| line.pv.first() != mate.first());
            lines.insert(0, ScoredLine { score, pv: mate.to_vec() });
        } else if let (Some(first), Some(score)) = (lines.first_mut(), self.evaluation) {
            first.score = score;
            let best = self.scale.chance(score);
            for line in lines.iter_mut().filter(|line| self.scale.chance(line.score) > best) {
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

    /// A line from here in a notation, each move with the symbol of its side.
    pub fn line(&self, notation: Notation, moves: &[PackedMove]) -> String {
        notation.marked(&self.position, &self.partial, moves)
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

    fn judged<'a>(record: &'a Record, results: &'a [Option<SolvedPosition>]) -> AnalyzedGame<'a> {
        AnalyzedGame::new("game", record, results, WinScale::default())
    }

    fn searched(cp: i32, best: &str) -> SearchedPosition {
        let line = ScoredLine { score: Score::Cp(cp), pv: vec![best.parse().unwrap()] };
        SearchedPosition {
            depth: 1,
            seldepth: 1,
            nodes: 1,
            found_after: 1,
            millis: 0,
            lines: vec![line],
            over: None,
            comparison: None,
        }
    }

    /// The results of both stages for the positions of a game.
    fn solved(
        record: &Record,
        searched: impl IntoIterator<Item = SearchedPosition>,
    ) -> Vec<Option<SolvedPosition>> {
        let mut solver = PositionSolver::new(WinScale::default());
        let solve = |(position, searched)| Some(solver.solve(&position, searched, &|| false));
        record.positions().zip(searched).map(solve).collect()
    }

    /// Gives each position but the last a comparison in which the played move loses this much.
    fn account<const N: usize>(
        mut searched: [SearchedPosition; N],
        losses: &[f64],
    ) -> [SearchedPosition; N] {
        let mut kept =
            searched.last().map_or(0.5, |last| 1.0 - WinScale::default().chance(last.score()));
        for (searched, loss) in searched.iter_mut().zip(losses).rev() {
            let comparison = Comparison { best: kept + loss, played: kept, nodes: 1 };
            kept = 1.0 - comparison.chance();
            searched.comparison = Some(comparison);
        }
        searched
    }

    /// The search after the first move found +1477 for White; the rest of the game does not.
    #[test]
    fn an_overruled_score_is_not_shown() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let searched = [
            searched(30, "7g7f"),
            searched(1477, "8c8d"),
            searched(40, "2g2f"),
            searched(-40, "8c8d"),
        ];
        let results = solved(&record, account(searched, &[0.0, 0.01, 0.0]));
        let game = judged(&record, &results);
        let shown: Vec<_> =
            game.positions.iter().map(|judged| judged.evaluation.unwrap()).collect();
        assert_eq!(shown, [Score::Cp(16), Score::Cp(-16), Score::Cp(40), Score::Cp(-40)]);
        let texts = [
            html(&game, &EngineInfo::default()).unwrap(),
            kif(&game, CommentStyle::Shogihome, Encoding::Utf8),
        ];
        for text in texts {
            assert!(text.contains("評価値=16") && !text.contains("1477"), "{text}");
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
        let mut first = searched(300, "2g2f");
        for (cp, mv) in [(200, "7g7f"), (-200, "1g1f")] {
            first.lines.push(ScoredLine { score: Score::Cp(cp), pv: vec![mv.parse().unwrap()] });
        }
        let searched = [first, searched(80, "3c3d"), searched(0, "2g2f")];
        let results = solved(&record, account(searched, &[0.0, 0.0]));
        let game = judged(&record, &results);
        let scores: Vec<Score> = game.positions[0].lines().iter().map(|line| line.score).collect();
        assert_eq!(scores, [Score::Cp(0), Score::Cp(0), Score::Cp(-200)]);
    }

    /// Also where several moves in a row are bad or unexpectedly good.
    #[test]
    fn evaluations_differ_by_the_losses() {
        let record = record("startpos moves 7g7f 3c3d 2g2f");
        let searched = [
            searched(300, "2g2f"),
            searched(900, "8c8d"),
            searched(-500, "3i4h"),
            searched(500, "8c8d"),
        ];
        let results = solved(&record, account(searched, &[0.2, 0.06, -0.3]));
        let game = judged(&record, &results);
        let chance =
            |ply: usize| WinScale::default().chance(game.positions[ply].evaluation.unwrap());
        let verdicts: Vec<Verdict> =
            game.positions[..3].iter().map(|judged| judged.verdict.unwrap()).collect();
        let classes: Vec<Class> = verdicts.iter().map(|verdict| verdict.class).collect();
        assert_eq!(classes, [Class::Mistake, Class::Inaccuracy, Class::Brilliant]);
        for (ply, verdict) in verdicts.iter().enumerate() {
            let fall = chance(ply) - (1.0 - chance(ply + 1));
            assert!((fall - verdict.loss).abs() < 0.001, "{ply}: {fall} {verdict:?}");
        }
    }

    /// White errs and Black gives it back; then White errs for good.
    #[test]
    fn the_story_names_the_error_that_lasted() {
        let mut record = record("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
        record.ending = Some(monomi_record::Ending::FoulLoss);
        let best = ["7g7f", "4a3b", "6g6f", "5c5d", "2f2e", "8d8e", "6i7h"];
        // Black stands at 76 % at the end.
        let searched = best.map(|best| searched(700, best));
        let results = solved(&record, account(searched, &[0.0, 0.3, 0.3, 0.35, 0.0, 0.0]));
        let game = judged(&record, &results);
        let told = game.story(Lang::En, Notation::Japanese).unwrap();
        // By the rules Black lost, who stood well.
        assert!(told.starts_with("Black lost by breaking the rules"), "{told}");
        record.ending = None;
        let game = judged(&record, &results);
        for (notation, move_played, better) in [
            (Notation::Japanese, "△８四歩", "△５四歩"),
            (Notation::Western, "△P-8d", "△P-5d"),
            (Notation::Usi, "△8c8d", "△5c5d"),
        ] {
            let told = game.story(Lang::En, notation).unwrap();
            assert!(
                told.contains(&format!("until move 4 ({move_played},"))
                    && told.contains(&format!("; {better} kept")),
                "{told}"
            );
        }
        let turning = story::turning_points(&game.positions);
        assert_eq!(turning.iter().map(|judged| judged.ply).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(judged(&record, &results[..3]).story(Lang::En, Notation::Japanese), None);
    }

    /// The searches of the moves before the mate did not see it; they show no -30000.
    #[test]
    fn a_mate_is_counted_from_the_position_that_has_it() {
        let record = record("startpos moves 7g7f 3c3d");
        let mut last = searched(0, "2g2f");
        last.lines[0].score = Score::Mate(3);
        let searched = [searched(500, "7g7f"), searched(-900, "3c3d"), last];
        let results = solved(&record, account(searched, &[0.0, 0.0]));
        let game = judged(&record, &results);
        let shown: Vec<_> =
            game.positions.iter().map(|judged| judged.evaluation.unwrap()).collect();
        assert_eq!(shown, [Score::Mate(5), Score::Mate(-4), Score::Mate(3)]);
    }

    /// The search did not see the mate, which the solver proves.
    #[test]
    fn a_missed_mate_is_the_evaluation_and_the_first_line() {
        let record = record("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b");
        let results = solved(&record, [searched(800, "G*4b"), searched(-300, "5a6b")]);
        let game = judged(&record, &results);
        assert_eq!(game.positions[0].verdict.unwrap().missed_mate, Some(1));
        assert_eq!(game.positions[0].evaluation, Some(Score::Mate(1)));
        let lines = game.positions[0].lines();
        assert_eq!(usi(&lines[0].pv), "G*5b");
        assert_eq!((lines[1].score, usi(&lines[1].pv)), (Score::Cp(800), "G*4b".to_owned()));
    }
}
