//! Judges moves: winning probabilities, the loss of a move, its class.

use crate::found::Found;
use monomi_movegen::PackedMove;
use monomi_search::Score;
use serde::Serialize;

/// Scale of the winning probability in centipawns. 600 is the usual value and ShogiHome's default.
pub const SLOPE: f64 = 600.0;

/// The winning probability of the side to which the score belongs, 0 to 1.
pub fn win_probability(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / SLOPE).exp()),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// Largest score in centipawns made of a winning probability: that of a mate of unknown length.
const DECIDED: f64 = 30_000.0;

/// The score in centipawns that has this winning probability.
pub fn score_of(chance: f64) -> Score {
    let cp = SLOPE * (chance / (1.0 - chance)).ln();
    Score::Cp(cp.clamp(-DECIDED, DECIDED).round() as i32)
}

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
    /// 緩手: loses at least 5 %.
    Inaccuracy,
    /// 疑問手: loses at least 10 %.
    Dubious,
    /// 悪手: loses at least 20 %.
    Mistake,
    /// 大悪手: loses at least 50 %.
    Blunder,
}

impl Class {
    /// The Japanese name of classes that are marked in records.
    pub fn japanese(self) -> Option<&'static str> {
        match self {
            Class::Only => Some("絶対手"),
            Class::Brilliant => Some("好手"),
            Class::Best | Class::Good => None,
            Class::Inaccuracy => Some("緩手"),
            Class::Dubious => Some("疑問手"),
            Class::Mistake => Some("悪手"),
            Class::Blunder => Some("大悪手"),
        }
    }

    /// The English name, as used in data.
    pub fn english(self) -> &'static str {
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

    /// Whether this is one of the four classes of bad moves.
    pub fn is_bad(self) -> bool {
        matches!(self, Class::Inaccuracy | Class::Dubious | Class::Mistake | Class::Blunder)
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

/// The judgement of a played move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Winning probability lost by the mover, 0 to 1.
    pub loss: f64,
    /// Winning probability of the mover with the best move, 0 to 1.
    pub best: f64,
    /// Winning probability of the mover after the played move, 0 to 1.
    pub kept: f64,
    /// Class of the move.
    pub class: Class,
    /// Length in plies of a mate that was proven before the move and is gone after it.
    pub missed_mate: Option<usize>,
}

impl Judgement {
    /// The solver proved a mate before the move, which the search had not found and the move gave
    /// up: the best move was worth a win.
    pub fn miss_mate(&mut self, plies: usize) {
        self.missed_mate = Some(plies);
        self.best = 1.0;
        self.loss = (1.0 - self.kept).max(0.0);
        self.class = Class::of_loss(self.loss);
    }
}

/// Judges the move `played`, made between two positions.
pub fn judge(before: &Found, played: PackedMove, after: &Found) -> Judgement {
    let (best, kept) = match before.comparison {
        Some(comparison) => (comparison.best, comparison.played),
        None => (win_probability(before.score()), 1.0 - win_probability(after.score())),
    };
    let own_choice = before.best() == Some(played);
    if own_choice {
        let second = before.lines.get(1).map(|line| win_probability(line.score));
        let only = second.is_some_and(|second| best - second >= 0.2);
        let class = if only { Class::Only } else { Class::Best };
        return Judgement { loss: 0.0, best, kept: best, class, missed_mate: None };
    }
    let loss = (best - kept).max(0.0);
    let class = if kept - best >= 0.1 { Class::Brilliant } else { Class::of_loss(loss) };
    Judgement { loss, best, kept, class, missed_mate: None }
}

/// The accuracy of a move from its loss, 0 to 100, by the formula of Lichess
/// (<https://lichess.org/page/accuracy>).
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss * 100.0).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparison;
    use crate::found::ScoredLine;

    fn found(scores: &[(Score, &str)]) -> Found {
        let line =
            |&(score, mv): &(Score, &str)| ScoredLine { score, pv: vec![mv.parse().unwrap()] };
        let lines = scores.iter().map(line).collect();
        Found { depth: 1, seldepth: 1, nodes: 1, millis: 0, lines, over: None, comparison: None }
    }

    #[test]
    fn probabilities() {
        assert!((win_probability(Score::Cp(0)) - 0.5).abs() < 1e-12);
        for cp in [1, 100, 2000, 30_000] {
            let both = win_probability(Score::Cp(cp)) + win_probability(Score::Cp(-cp));
            assert!((both - 1.0).abs() < 1e-12);
        }
        // The usual example: 600 is 73 %.
        assert!((win_probability(Score::Cp(600)) - 0.731).abs() < 1e-3);
        assert_eq!(win_probability(Score::Mate(5)), 1.0);
        assert_eq!(win_probability(Score::Mate(-5)), 0.0);
        assert_eq!(win_probability(Score::Mate(0)), 0.0);
        for cp in [-5000, -600, -1, 0, 1, 86, 3000] {
            assert_eq!(score_of(win_probability(Score::Cp(cp))), Score::Cp(cp));
        }
        assert_eq!((score_of(1.0), score_of(0.0)), (Score::Cp(30_000), Score::Cp(-30_000)));
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
            let judged = judge(&found(&[(Score::Cp(0), "2g2f")]), mv, &found(&[(after, "3c3d")]));
            assert_eq!(judged.class, class, "{after:?}: {judged:?}");
            // The engine's own choice lost nothing, whatever a later search says.
            let judged = judge(&found(&[(Score::Cp(0), "7g7f")]), mv, &found(&[(after, "3c3d")]));
            assert_eq!((judged.class, judged.loss), (Class::Best, 0.0));
        }
        let two = [(Score::Cp(0), "7g7f"), (Score::Cp(-600), "2g2f")];
        let judged = judge(&found(&two), mv, &found(&[(Score::Cp(0), "3c3d")]));
        assert_eq!(judged.class, Class::Only);
    }

    /// Two searches say that the move loses 15 %, the comparison says that it does not.
    #[test]
    fn a_comparison_overrides_the_two_searches() {
        let mv = "7g7f".parse().unwrap();
        let mut before = found(&[(Score::Cp(200), "2g2f")]);
        let after = found(&[(Score::Cp(170), "3c3d")]);
        assert_eq!(judge(&before, mv, &after).class, Class::Dubious);
        before.comparison = Some(Comparison { best: 0.52, played: 0.51, nodes: 1 });
        let judged = judge(&before, mv, &after);
        assert_eq!((judged.class, judged.best, judged.kept), (Class::Good, 0.52, 0.51));
        before.comparison = Some(Comparison { best: 0.52, played: 0.4, nodes: 1 });
        assert_eq!(judge(&before, mv, &after).class, Class::Dubious);
    }

    #[test]
    fn a_slower_mate_loses_nothing() {
        let mv = "7g7f".parse().unwrap();
        let before = found(&[(Score::Mate(5), "2g2f")]);
        assert_eq!(judge(&before, mv, &found(&[(Score::Mate(-8), "3c3d")])).class, Class::Good);
    }

    #[test]
    fn accuracy_falls_from_a_hundred_to_nothing() {
        assert!(accuracy(0.0) > 99.9);
        assert!(accuracy(0.1) < 70.0 && accuracy(0.1) > 50.0);
        assert_eq!(accuracy(1.0), 0.0);
    }
}
