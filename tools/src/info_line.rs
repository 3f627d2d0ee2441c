//! What an engine says in an `info` line.

use crate::win_scale::win;
use std::num::NonZeroU16;

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In centipawns.
    Cp(i32),
    /// The side to move mates.
    Mates,
    /// The side to move is mated.
    IsMated,
}

impl Score {
    /// In centipawns; a mate is worth `mate`, and no other score is worth more.
    pub fn centipawns(self, mate: i32) -> i32 {
        match self {
            Self::Cp(cp) => cp.clamp(-mate, mate),
            Self::Mates => mate,
            Self::IsMated => -mate,
        }
    }
}

/// The parts of an `info` line that the tools use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoLine<'a> {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Number of the line, 1 for the best one.
    pub multipv: u32,
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: bool,
    /// The first move of the line.
    pub first_move: Option<&'a str>,
}

impl<'a> InfoLine<'a> {
    /// Reads a line. `None` if it is no `info` line, or if `multipv` or `score` have no value. Other values
    /// that cannot be read count as missing, and what follows `string` is text.
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self {
            depth: None,
            nodes: None,
            multipv: 1,
            score: None,
            bound: false,
            first_move: None,
        };
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|number| number.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|number| number.parse().ok()),
                "multipv" => info.multipv = words.next()?.parse().ok()?,
                "score" => info.score = score(words.next()?, words.next()?),
                "lowerbound" | "upperbound" => info.bound = true,
                "pv" => info.first_move = words.next(),
                "string" => break,
                _ => {}
            }
        }
        Some(info)
    }

    /// The score of the best line.
    pub fn best_score(self) -> Option<Score> {
        self.score.filter(|_| self.multipv == 1)
    }

    /// The winning probability of the best line, if its score is exact.
    pub fn chance(self, scale: NonZeroU16) -> Option<f64> {
        match self.best_score().filter(|_| !self.bound)? {
            Score::Cp(cp) => Some(win(cp.into(), scale)),
            Score::Mates => Some(1.0),
            Score::IsMated => Some(0.0),
        }
    }
}

fn score(kind: &str, value: &str) -> Option<Score> {
    match kind {
        "cp" => value.parse().ok().map(Score::Cp),
        // Without a distance it is `+` or `-`.
        "mate" if value.starts_with('-') => Some(Score::IsMated),
        "mate" => Some(Score::Mates),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line = "info depth 12 seldepth 20 multipv 2 score cp -35 upperbound nodes 500 nps 9 pv 7g7f 3c3d";
        assert_eq!(
            InfoLine::parse(line),
            Some(InfoLine {
                depth: Some(12),
                nodes: Some(500),
                multipv: 2,
                score: Some(Score::Cp(-35)),
                bound: true,
                first_move: Some("7g7f"),
            })
        );
        let score = |line| InfoLine::parse(line).and_then(InfoLine::best_score);
        assert_eq!(score("info depth 3 score cp -25 nodes 1"), Some(Score::Cp(-25)));
        assert_eq!(score("info score mate -3 pv 7g7f"), Some(Score::IsMated));
        assert_eq!(score("info score mate - pv 7g7f"), Some(Score::IsMated));
        assert_eq!(score("info score mate + pv 7g7f"), Some(Score::Mates));
        assert_eq!(score("info score mate 3 string score cp 5"), Some(Score::Mates));
        for other in [
            line,
            "info depth 3",
            "info string score cp 5",
            "info score cp",
            "info score cp x",
            "bestmove score cp 3",
            "",
        ] {
            assert_eq!(score(other), None, "{other}");
        }
        let nodes = |line| InfoLine::parse(line).and_then(|info| info.nodes);
        assert_eq!(nodes("info depth 3 nodes 1200 nps 5 pv 7g7f"), Some(1200));
        assert_eq!(nodes("info string nodes 7"), None);
        assert_eq!(nodes("bestmove 7g7f"), None);
    }

    #[test]
    fn only_exact_scores_have_a_chance() {
        let scale = NonZeroU16::new(600).unwrap();
        let chance = |line| InfoLine::parse(line).and_then(|info| info.chance(scale));
        assert_eq!(chance("info depth 12 score cp 0 nodes 5 pv 7g7f"), Some(0.5));
        assert_eq!(chance("info depth 3 score mate 5 pv 7g7f"), Some(1.0));
        assert_eq!(chance("info depth 3 score mate -5 pv 7g7f"), Some(0.0));
        assert_eq!(chance("info depth 3 score cp 10 lowerbound pv 7g7f"), None);
        assert_eq!(chance("info depth 3 score cp 10 multipv 2 pv 7g7f"), None);
        assert_eq!(chance("info string hello"), None);
        let [up, down] =
            ["info score cp 300", "info score cp -300"].map(|line| chance(line).unwrap());
        assert!((up + down - 1.0).abs() < 1e-9 && up > 0.6);
    }

    #[test]
    fn scores_are_limited_by_that_of_a_mate() {
        let scores = [Score::Cp(-35), Score::Cp(40_000), Score::Mates, Score::IsMated];
        assert_eq!(scores.map(|score| score.centipawns(30_000)), [-35, 30_000, 30_000, -30_000]);
    }
}
