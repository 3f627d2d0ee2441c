//! Playing weaker than one can (SkillLevel), the way people do: looking at less, and sometimes
//! preferring a move that is a little worse. Blunders beyond what the level allows do not happen.

use crate::search::{BestMove, Limits, SearchOptions};
use crate::search::{Info, Score, SearchResult};

/// A level below full strength, 0 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill(u32);

/// The level of full strength.
pub const FULL_STRENGTH: u32 = 20;
/// The levels, weakest first. The way from one to the next was divided by matches between some
/// of them, for steps of much the same size; what came out is in docs/skill.md.
const LEVELS: [Level; FULL_STRENGTH as usize] = [
    Level { nodes: 1_800, lines: 14, taste: 650.0 },
    Level { nodes: 3_400, lines: 12, taste: 470.0 },
    Level { nodes: 4_500, lines: 11, taste: 410.0 },
    Level { nodes: 6_000, lines: 10, taste: 350.0 },
    Level { nodes: 7_600, lines: 9, taste: 310.0 },
    Level { nodes: 9_400, lines: 9, taste: 270.0 },
    Level { nodes: 12_000, lines: 8, taste: 250.0 },
    Level { nodes: 15_000, lines: 7, taste: 220.0 },
    Level { nodes: 19_000, lines: 6, taste: 190.0 },
    Level { nodes: 24_000, lines: 6, taste: 170.0 },
    Level { nodes: 28_000, lines: 5, taste: 150.0 },
    Level { nodes: 33_000, lines: 5, taste: 140.0 },
    Level { nodes: 39_000, lines: 4, taste: 130.0 },
    Level { nodes: 50_000, lines: 4, taste: 110.0 },
    Level { nodes: 65_000, lines: 4, taste: 99.0 },
    Level { nodes: 86_000, lines: 4, taste: 78.0 },
    Level { nodes: 120_000, lines: 4, taste: 55.0 },
    Level { nodes: 160_000, lines: 4, taste: 37.0 },
    Level { nodes: 240_000, lines: 4, taste: 24.0 },
    Level { nodes: 340_000, lines: 4, taste: 16.0 },
];
/// No move is played that is worse by more than so many times that.
const WORST: f64 = 3.0;
/// What a mate is worth beside centipawns, less ten for each of its plies.
const MATE: i32 = 6_000;
/// Won and lost positions look alike beyond this, so that nobody wanders about in them.
const DECIDED: i32 = 3_000;

/// What a level sees and likes.
struct Level {
    /// Nodes searched.
    nodes: u64,
    /// Lines of an iteration, to choose from.
    lines: usize,
    /// How much worse a move may be, in centipawns, to be liked e times less than the best.
    taste: f64,
}

impl Skill {
    /// A level; `None` from [`FULL_STRENGTH`] on.
    pub fn new(level: u32) -> Option<Self> {
        (level < FULL_STRENGTH).then_some(Self(level))
    }

    /// Narrows a search to what the level looks at.
    pub fn narrow(self, limits: &mut Limits, options: &mut SearchOptions) {
        let Level { nodes, lines, .. } = *self.level();
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        options.multi_pv = options.multi_pv.max(lines);
    }

    fn level(self) -> &'static Level {
        &LEVELS[self.0 as usize]
    }

    /// Replaces the best move by the one that the level plays: of the lines of the last iteration,
    /// best first, each as likely as e to the minus loss over taste. `chance` is from 0 to 1.
    /// Returns the line played when it is another than the first.
    pub fn choose<'a>(
        self,
        lines: &'a [Info],
        chance: f64,
        result: &mut SearchResult,
    ) -> Option<&'a Info> {
        let (BestMove::Move(best), Some(first)) = (result.best, lines.first()) else {
            return None;
        };
        if first.pv.first() != Some(&best) {
            return None;
        }
        let taste = self.level().taste;
        let weight = |line: &Info| {
            let loss = f64::from(plain(first.score) - plain(line.score)).max(0.0);
            if loss > WORST * taste { 0.0 } else { (-loss / taste).exp() }
        };
        let mut rest = chance * lines.iter().map(weight).sum::<f64>();
        let played = lines.iter().find(|line| {
            rest -= weight(line);
            rest < 0.0
        })?;
        let &mv = played.pv.first()?;
        if mv == best {
            return None;
        }
        result.best = BestMove::Move(mv);
        result.ponder = played.pv.get(1).copied();
        Some(played)
    }
}

/// A score that can be subtracted.
fn plain(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-DECIDED, DECIDED),
        Score::Mate(plies) if plies > 0 => MATE - 10 * plies,
        Score::Mate(plies) => -MATE - 10 * plies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;
    use std::time::Duration;

    fn line(mv: &str, score: Score) -> Info {
        Info {
            depth: 5,
            seldepth: 5,
            multipv: 1,
            multipv_count: 3,
            score,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![mv.parse().unwrap()],
        }
    }

    fn played(level: u32, lines: &[Info]) -> Vec<String> {
        let choose = |n: u32| {
            let best = BestMove::Move(lines[0].pv[0]);
            let score = lines[0].score;
            let mut result = SearchResult { best, ponder: None, score, depth: 5, nodes: 1 };
            let level = Skill::new(level).unwrap();
            level.choose(lines, f64::from(n) / 100.0, &mut result);
            match result.best {
                BestMove::Move(mv) => mv.to_string(),
                BestMove::Resign | BestMove::Win => String::new(),
            }
        };
        (0..100).map(choose).collect()
    }

    fn times(played: &[String], mv: &str) -> usize {
        played.iter().filter(|played| played.as_str() == mv).count()
    }

    #[test]
    fn the_weaker_the_more_taste_but_no_blunders() {
        let scores = [("7g7f", 50), ("2g2f", 0), ("9i9h", -2_000)];
        let lines = scores.map(|(mv, value)| line(mv, Score::Cp(value)));
        let often = |level| times(&played(level, &lines), "7g7f");
        assert!(often(0) < often(8) && often(8) < often(19), "{} {}", often(0), often(8));
        assert_eq!(often(19), 100);
        assert_eq!(times(&played(0, &lines), "9i9h"), 0);
    }

    #[test]
    fn mates_are_taken_and_not_run_into() {
        let lines = [line("7g7f", Score::Mate(3)), line("2g2f", Score::Cp(5_000))];
        assert_eq!(times(&played(0, &lines), "7g7f"), 100);
        let lines = [line("7g7f", Score::Cp(-5_000)), line("2g2f", Score::Mate(-4))];
        assert_eq!(times(&played(0, &lines), "7g7f"), 100);
    }

    #[test]
    fn levels_look_at_more_and_like_less() {
        assert_eq!(Skill::new(FULL_STRENGTH), None);
        assert!(LEVELS.is_sorted_by(|a, b| a.nodes < b.nodes && a.taste > b.taste));
        assert!(LEVELS.is_sorted_by(|a, b| a.lines >= b.lines) && LEVELS[19].lines > 1);
    }
}
