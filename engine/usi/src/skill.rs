//! Reduced playing strength (SkillLevel): a small node limit, and a random choice among the best
//! lines. Moves that are much worse than the best one are never chosen.

use monomi_movegen::square::Dense as _;
use monomi_search::{BestMove, Info, Limits, Score, SearchOptions, SearchResult};
use shogi_core::Color;
use std::time::Duration;

/// A level below full strength, 0 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill(u32);

/// The level of full strength.
pub const FULL_STRENGTH: u32 = 20;
/// The levels, weakest first. In matches each level is 190 to 510 Elo stronger than the one two
/// levels below it (docs/skill.md; only even levels were measured).
const LEVELS: [Level; FULL_STRENGTH as usize] = [
    Level { nodes: 1_800, lines: 14, taste: 650.0 },
    Level { nodes: 2_800, lines: 13, taste: 520.0 },
    Level { nodes: 3_800, lines: 12, taste: 450.0 },
    Level { nodes: 4_600, lines: 11, taste: 400.0 },
    Level { nodes: 5_900, lines: 10, taste: 355.0 },
    Level { nodes: 7_200, lines: 9, taste: 320.0 },
    Level { nodes: 9_400, lines: 9, taste: 270.0 },
    Level { nodes: 13_000, lines: 8, taste: 240.0 },
    Level { nodes: 17_000, lines: 7, taste: 205.0 },
    Level { nodes: 21_000, lines: 6, taste: 180.0 },
    Level { nodes: 25_500, lines: 6, taste: 160.0 },
    Level { nodes: 30_000, lines: 5, taste: 145.0 },
    Level { nodes: 39_000, lines: 4, taste: 130.0 },
    Level { nodes: 50_000, lines: 4, taste: 110.0 },
    Level { nodes: 65_000, lines: 4, taste: 99.0 },
    Level { nodes: 86_000, lines: 4, taste: 78.0 },
    Level { nodes: 120_000, lines: 4, taste: 55.0 },
    Level { nodes: 160_000, lines: 4, taste: 37.0 },
    Level { nodes: 240_000, lines: 4, taste: 24.0 },
    Level { nodes: 340_000, lines: 4, taste: 16.0 },
];
/// The range of ratings that can be asked for.
pub const ELO: std::ops::RangeInclusive<i32> =
    Skill::RATINGS[0].1..=Skill::RATINGS[Skill::RATINGS.len() - 1].1;
/// Moves that lose more than this many times `taste` are never played.
const WORST: f64 = 3.0;
/// Value of a mate in centipawns; each ply to the mate subtracts ten.
const MATE: i32 = 6_000;
/// Centipawn scores are clamped to this range, so that all larger ones count as equal.
const DECIDED: i32 = 3_000;

/// Parameters of a level.
struct Level {
    /// Nodes searched.
    nodes: u64,
    /// Number of lines to choose from.
    lines: usize,
    /// Loss in centipawns at which a move is chosen e times less often than the best one.
    taste: f64,
}

impl Skill {
    /// Estimated ratings of some levels, lowest first (docs/skill.md): the results of their matches, with level 10 at
    /// 1800. Level 0 would be at -79 and counts as 0.
    pub const RATINGS: [(u32, i32); 10] = [
        (0, 0),
        (2, 244),
        (4, 545),
        (6, 927),
        (8, 1376),
        (10, 1800),
        (12, 2224),
        (14, 2415),
        (16, 2678),
        (18, 3190),
    ];

    /// A level; `None` from `FULL_STRENGTH` on.
    pub fn new(level: u32) -> Option<Self> {
        (level < FULL_STRENGTH).then_some(Self(level))
    }

    /// The level whose estimated rating is nearest to this one.
    pub fn level_of_elo(elo: i32) -> u32 {
        for pair in Skill::RATINGS.windows(2) {
            let [(low, low_elo), (high, high_elo)] = [pair[0], pair[1]];
            if elo < high_elo {
                let share = f64::from((elo - low_elo).max(0)) / f64::from(high_elo - low_elo);
                return low + (share * f64::from(high - low)).round() as u32;
            }
        }
        Skill::RATINGS[Skill::RATINGS.len() - 1].0
    }

    /// Restricts a search to the nodes and lines of the level.
    pub fn narrow(self, limits: &mut Limits, options: &mut SearchOptions) {
        let Level { nodes, lines, .. } = *self.level();
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        options.multi_pv = options.multi_pv.max(lines);
    }

    /// Thinking time for a move in a game, counted from [`Limits::start`]: a share of the time
    /// available, at most the option MinimumThinkingTime, varied by `chance` (in 0..1). With the
    /// node limit alone every answer would be instant. Zero if no clock runs.
    pub fn thinking_time(limits: &Limits, side: Color, chance: f64) -> Duration {
        if limits.infinite || limits.ponder {
            return Duration::ZERO;
        }
        let available = match (limits.movetime, limits.clock) {
            (Some(movetime), _) => movetime / 2,
            (None, Some(clock)) => {
                let side = side.dense();
                clock.time[side] / 40 + clock.increment[side] / 2 + clock.byoyomi / 2
            }
            (None, None) => return Duration::ZERO,
        };
        let most = available.min(limits.time.minimum_thinking_time);
        most.mul_f64(0.4 + 0.6 * chance)
    }

    fn level(self) -> &'static Level {
        &LEVELS[self.0 as usize]
    }

    /// Replaces the best move by one chosen at random from the lines of the last iteration (best
    /// first), with weights exp(-loss / taste). `chance` is a random number in 0..1. Returns the
    /// line chosen unless it is the first.
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

/// A score as a number of centipawns.
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
    use monomi_search::Clock;
    use std::time::Duration;

    fn line(mv: &str, score: Score) -> Info {
        Info::new(score, vec![mv.parse().unwrap()])
    }

    fn played(level: u32, lines: &[Info]) -> Vec<String> {
        let choose = |n: u32| {
            let best = BestMove::Move(lines[0].pv[0]);
            let score = lines[0].score;
            let mut result = SearchResult::new(best, score);
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
    fn the_thinking_time_is_a_share_of_the_clock_up_to_the_minimum() {
        let ms = Duration::from_millis;
        let clock = |time, byoyomi| {
            Some(Clock { time: [ms(time); 2], increment: [ms(0); 2], byoyomi: ms(byoyomi) })
        };
        let time = |mut limits: Limits, chance| {
            limits.time.minimum_thinking_time = ms(2_000);
            Skill::thinking_time(&limits, Color::Black, chance).as_millis()
        };
        let with_clock = |clock: Option<Clock>| Limits::new().with_clock(clock);
        assert_eq!(time(with_clock(clock(600_000, 0)), 1.0), 2_000);
        assert_eq!(time(with_clock(clock(600_000, 0)), 0.0), 800);
        assert_eq!(time(with_clock(clock(0, 1_000)), 1.0), 500);
        // When little time is left, the share is small.
        assert_eq!(time(with_clock(clock(4_000, 0)), 1.0), 100);
        assert_eq!(time(Limits::new().with_movetime(ms(300)), 1.0), 150);
        assert_eq!(time(Limits::new().with_depth(5), 1.0), 0);
        let mut ponder = with_clock(clock(600_000, 0));
        ponder.ponder = true;
        assert_eq!(time(ponder, 1.0), 0);
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

    #[test]
    fn ratings_choose_levels() {
        assert!(
            Skill::RATINGS.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1)
        );
        for (level, elo) in Skill::RATINGS {
            assert_eq!(Skill::level_of_elo(elo), level);
        }
        let levels: Vec<u32> = (0..4000).map(Skill::level_of_elo).collect();
        assert!(levels.is_sorted() && levels[0] == 0 && levels[3999] == 18);
        assert_eq!(Skill::level_of_elo(740), 5);
    }
}
