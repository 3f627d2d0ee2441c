//! From scores to judgements: winning probabilities, what a move lost, what it is called.

use crate::analyze::found::Found;
use crate::search::Score;
use monomi_movegen::PackedMove;
use serde::Serialize;

/// The slope of the winning probability in centipawns: the field's customary figure, and
/// ShogiHome's default.
pub const SLOPE: f64 = 600.0;

/// The winning probability of the side that the score speaks for, from 0 to 1.
pub fn win_probability(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / SLOPE).exp()),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// What a move is called. The thresholds of the bad ones are ShogiHome's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The engine's own choice, and with MultiPV the only move: every other one of the lines
    /// searched loses at least 20 points in a hundred more.
    Only,
    /// Not the engine's choice, and at least 10 points better after it than the engine thought.
    Brilliant,
    /// The engine's own choice.
    Best,
    /// Less than 5 points lost.
    Good,
    /// 緩手: from 5 points.
    Inaccuracy,
    /// 疑問手: from 10 points.
    Dubious,
    /// 悪手: from 20 points.
    Mistake,
    /// 大悪手: from 50 points.
    Blunder,
}

impl Class {
    /// The Japanese word, for those that deserve a mark.
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

    /// The English word, as data has it.
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

    /// Whether it is one of the four kinds of bad moves.
    pub fn is_bad(self) -> bool {
        matches!(self, Class::Inaccuracy | Class::Dubious | Class::Mistake | Class::Blunder)
    }

    fn of_loss(loss: f64) -> Self {
        // Rounded as it is shown, so that nobody sees 20.0 % called less than 20 %.
        match (loss * 1000.0).round() as i64 {
            500.. => Class::Blunder,
            200.. => Class::Mistake,
            100.. => Class::Dubious,
            50.. => Class::Inaccuracy,
            _ => Class::Good,
        }
    }
}

/// The judgement of one played move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Winning probability lost by the mover, from 0 to 1.
    pub loss: f64,
    /// What it is called.
    pub class: Class,
    /// A mate in so many plies that the engine saw before the move, and not any more after it.
    pub missed_mate: Option<i32>,
}

/// Judges the move `played` between two positions.
pub fn judge(before: &Found, played: PackedMove, after: &Found) -> Judgement {
    let chance = win_probability(before.score());
    let kept = 1.0 - win_probability(after.score());
    let own_choice = before.best() == Some(played);
    let missed_mate = match before.score() {
        Score::Mate(plies) if plies > 0 && kept < 1.0 && !own_choice => Some(plies),
        _ => None,
    };
    if own_choice {
        let second = before.lines.get(1).map(|line| win_probability(line.score));
        let only = second.is_some_and(|second| chance - second >= 0.2);
        let class = if only { Class::Only } else { Class::Best };
        return Judgement { loss: 0.0, class, missed_mate };
    }
    let loss = (chance - kept).max(0.0);
    let class = if kept - chance >= 0.1 { Class::Brilliant } else { Class::of_loss(loss) };
    Judgement { loss, class, missed_mate }
}

/// The accuracy of a move from what it lost, 0 to 100, on the curve that Lichess publishes
/// (<https://lichess.org/page/accuracy>).
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss * 100.0).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::found::Line;

    fn found(scores: &[(Score, &str)]) -> Found {
        let line = |&(score, mv): &(Score, &str)| Line { score, pv: vec![mv.parse().unwrap()] };
        let lines = scores.iter().map(line).collect();
        Found { depth: 1, seldepth: 1, nodes: 1, millis: 0, lines, over: None }
    }

    #[test]
    fn probabilities() {
        assert!((win_probability(Score::Cp(0)) - 0.5).abs() < 1e-12);
        for cp in [1, 100, 2000, 30_000] {
            let both = win_probability(Score::Cp(cp)) + win_probability(Score::Cp(-cp));
            assert!((both - 1.0).abs() < 1e-12);
        }
        // The customary example: 600 is 73 %.
        assert!((win_probability(Score::Cp(600)) - 0.731).abs() < 1e-3);
        assert_eq!(win_probability(Score::Mate(5)), 1.0);
        assert_eq!(win_probability(Score::Mate(-5)), 0.0);
        assert_eq!(win_probability(Score::Mate(0)), 0.0);
    }

    #[test]
    fn classes_go_by_the_loss() {
        let mv = "7g7f".parse().unwrap();
        // The score for the opponent afterwards, and what that makes of the move.
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

    #[test]
    fn a_mate_is_missed_only_when_it_is_gone() {
        let mv = "7g7f".parse().unwrap();
        let before = found(&[(Score::Mate(5), "2g2f")]);
        let judged = judge(&before, mv, &found(&[(Score::Cp(-3000), "3c3d")]));
        assert_eq!(judged.missed_mate, Some(5));
        // A slower mate loses nothing.
        let judged = judge(&before, mv, &found(&[(Score::Mate(-8), "3c3d")]));
        assert_eq!((judged.missed_mate, judged.class), (None, Class::Good));
    }

    #[test]
    fn accuracy_falls_from_a_hundred_to_nothing() {
        assert!(accuracy(0.0) > 99.9);
        assert!(accuracy(0.1) < 70.0 && accuracy(0.1) > 50.0);
        assert_eq!(accuracy(1.0), 0.0);
    }
}
