//! The verdict on a move: its loss and its class.

use crate::chance::WinScale;
use crate::judge::allowed::allowed_mate;
use crate::judge::context::MoveContext;
use crate::solve::SolvedPosition;
use monomi_movegen::PackedMove;
use monomi_support::text::{Lang, Message, say};
use serde::Serialize;
use std::fmt::{Formatter, Result};

/// A mate of at most this many plies that a move allows is named even if the move loses little.
const SHORT_MATE: usize = 3;

/// Class of a move. The thresholds of the bad classes are those of ShogiHome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The engine's choice, and the second line is worse by at least 20 % (MultiPV).
    Only,
    /// Not the engine's choice, and better than it by at least 10 %.
    Brilliant,
    /// The engine's choice.
    Best,
    /// Loses less than 5 %.
    Good,
    /// 緩手: loses at least 5 %. A hint, not a mistake.
    Inaccuracy,
    /// 疑問手: loses at least 10 %.
    Dubious,
    /// 悪手: loses at least 20 %.
    Mistake,
    /// 大悪手: loses at least 50 %.
    Blunder,
}

impl Class {
    /// The name in data, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Class::Only => "only",
            Class::Brilliant => "brilliant",
            Class::Best => "best",
            Class::Good => "good",
            Class::Inaccuracy => "inaccuracy",
            Class::Dubious => "dubious",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }

    /// Whether moves of this class are marked in records: bad and outstanding ones.
    pub fn is_marked(self) -> bool {
        !matches!(self, Class::Best | Class::Good | Class::Inaccuracy)
    }

    /// Whether this is one of the three classes of bad moves.
    pub fn is_bad(self) -> bool {
        matches!(self, Class::Dubious | Class::Mistake | Class::Blunder)
    }

    /// Whether a better move is worth a hint although the move was no mistake.
    pub fn is_hint(self) -> bool {
        self == Class::Inaccuracy
    }

    fn of_loss(loss: f64) -> Self {
        // Rounded to the precision shown, so that a loss shown as 20.0 % counts as 20 %.
        match (loss * 1000.0).round() as i64 {
            500.. => Class::Blunder,
            200.. => Class::Mistake,
            100.. => Class::Dubious,
            50.. => Class::Inaccuracy,
            _ => Class::Good,
        }
    }
}

impl Message for Class {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let japanese = match self {
            Class::Only => "絶対手",
            Class::Brilliant => "好手",
            Class::Best => "最善手",
            Class::Good => "良い手",
            Class::Inaccuracy => "緩手",
            Class::Dubious => "疑問手",
            Class::Mistake => "悪手",
            Class::Blunder => "大悪手",
        };
        let english = self.name();
        say!(lang, f, "{english}", "{japanese}")
    }
}

/// The verdict on a played move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Winning probability lost by the mover, 0 to 1.
    pub loss: f64,
    /// Winning probability of the mover with the best move, 0 to 1.
    pub best: f64,
    /// Winning probability of the mover after the played move, 0 to 1.
    pub kept: f64,
    pub class: Class,
    /// Length in plies of a mate by checks that was proven before the move and is gone after it.
    pub missed_mate: Option<usize>,
}

impl Verdict {
    /// Judges a move.
    pub fn of(context: &MoveContext<'_>) -> Self {
        let MoveContext { played, before, after, scale } = context;
        let searches = Searches { before: before.result, after: after.result, scale: *scale };
        let mut verdict = searches.verdict(*played);
        verdict.missed_mate = searches.missed_mate(*played);
        if verdict.missed_mate.is_some() {
            // The search had not found the mate: the best move was worth a win.
            verdict.best = 1.0;
            verdict.loss = (1.0 - verdict.kept).max(0.0);
            verdict.class = Class::of_loss(verdict.loss);
        }
        verdict
    }

    /// Whether the move deserves a reason: it was bad, or allows a short mate even where little was left to lose. A
    /// missed mate is reason enough.
    pub fn is_explained(&self, context: &MoveContext<'_>) -> bool {
        let short = || allowed_mate(context).is_some_and(|plies| plies <= SHORT_MATE);
        self.missed_mate.is_none() && (self.class.is_bad() || self.class.is_hint() || short())
    }
}

/// The results before and after a move.
struct Searches<'a> {
    before: &'a SolvedPosition,
    after: &'a SolvedPosition,
    scale: WinScale,
}

impl Searches<'_> {
    /// The verdict by the searches and the comparison.
    fn verdict(&self, played: PackedMove) -> Verdict {
        let (before, after) = (&self.before.searched, &self.after.searched);
        let chance = |score| self.scale.chance(score);
        let (best, kept) = match before.comparison {
            Some(comparison) => (comparison.best, comparison.played),
            None => (chance(before.score()), 1.0 - chance(after.score())),
        };
        let verdict = |loss, kept, class| Verdict { loss, best, kept, class, missed_mate: None };
        let lost = before.comparison.is_some_and(|comparison| comparison.best > comparison.played);
        if before.best() == Some(played) && !lost {
            let second = before.lines.get(1).map(|line| chance(line.score));
            let own = chance(before.score());
            let only = second.is_some_and(|second| own - second >= 0.2);
            return verdict(0.0, best, if only { Class::Only } else { Class::Best });
        }
        let loss = (best - kept).max(0.0);
        let brilliant = kept - best >= 0.1;
        verdict(loss, kept, if brilliant { Class::Brilliant } else { Class::of_loss(loss) })
    }

    /// Length in plies of a mate by checks that was proven before the move and that it gave up.
    fn missed_mate(&self, played: PackedMove) -> Option<usize> {
        let mate = self.before.proofs.mate()?;
        let kept = 1.0 - self.scale.chance(self.after.searched.score());
        // Another check may keep the mate where the search has not seen it.
        let keeps =
            kept == 1.0 || mate.first() == Some(&played) || self.after.proofs.checked_to_mate;
        (!keeps).then_some(mate.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Comparison, ScoredLine, SearchedPosition};
    use crate::solve::Proofs;
    use monomi_search::Score;

    fn solved(scores: &[(Score, &str)]) -> SolvedPosition {
        let line =
            |&(score, mv): &(Score, &str)| ScoredLine { score, pv: vec![mv.parse().unwrap()] };
        let lines = scores.iter().map(line).collect();
        let searched = SearchedPosition {
            depth: 1,
            seldepth: 1,
            nodes: 1,
            found_after: 1,
            millis: 0,
            lines,
            over: None,
            comparison: None,
        };
        SolvedPosition {
            searched,
            proofs: Proofs::default(),
            passed: None,
            exercise: None,
            explanation: None,
        }
    }

    fn judged(before: &SolvedPosition, mv: PackedMove, after: &SolvedPosition) -> Verdict {
        Searches { before, after, scale: WinScale::default() }.verdict(mv)
    }

    #[test]
    fn classes_go_by_the_loss() {
        let mv = "7g7f".parse().unwrap();
        // The opponent's score after the move, and the resulting class.
        for (after, class) in [
            (Score::Cp(0), Class::Good),
            (Score::Cp(-500), Class::Brilliant),
            (Score::Cp(119), Class::Good),
            (Score::Cp(122), Class::Inaccuracy),
            (Score::Cp(245), Class::Dubious),
            (Score::Cp(510), Class::Mistake),
            (Score::Mate(7), Class::Blunder),
        ] {
            let verdict =
                judged(&solved(&[(Score::Cp(0), "2g2f")]), mv, &solved(&[(after, "3c3d")]));
            assert_eq!(verdict.class, class, "{after:?}: {verdict:?}");
            // The engine's own choice lost nothing, whatever a later search says.
            let verdict =
                judged(&solved(&[(Score::Cp(0), "7g7f")]), mv, &solved(&[(after, "3c3d")]));
            assert_eq!((verdict.class, verdict.loss), (Class::Best, 0.0));
        }
        let two = [(Score::Cp(0), "7g7f"), (Score::Cp(-600), "2g2f")];
        let verdict = judged(&solved(&two), mv, &solved(&[(Score::Cp(0), "3c3d")]));
        assert_eq!(verdict.class, Class::Only);
    }

    /// Two searches say that the move loses 15 %, the comparison says that it does not.
    #[test]
    fn a_comparison_overrides_the_two_searches() {
        let mv = "7g7f".parse().unwrap();
        let mut before = solved(&[(Score::Cp(200), "2g2f")]);
        let after = solved(&[(Score::Cp(170), "3c3d")]);
        assert_eq!(judged(&before, mv, &after).class, Class::Dubious);
        before.searched.comparison = Some(Comparison { best: 0.52, played: 0.51, nodes: 1 });
        let verdict = judged(&before, mv, &after);
        assert_eq!((verdict.class, verdict.best, verdict.kept), (Class::Good, 0.52, 0.51));
        before.searched.comparison = Some(Comparison { best: 0.52, played: 0.4, nodes: 1 });
        assert_eq!(judged(&before, mv, &after).class, Class::Dubious);
        // Also where the search wanted the move that was played.
        before.searched.comparison = Some(Comparison::of_missed_mate(0.4));
        let verdict = judged(&before, "2g2f".parse().unwrap(), &after);
        assert_eq!((verdict.class, verdict.best, verdict.kept), (Class::Blunder, 1.0, 0.4));
    }

    #[test]
    fn a_slower_mate_loses_nothing() {
        let mv = "7g7f".parse().unwrap();
        let before = solved(&[(Score::Mate(5), "2g2f")]);
        assert_eq!(judged(&before, mv, &solved(&[(Score::Mate(-8), "3c3d")])).class, Class::Good);
    }
}
