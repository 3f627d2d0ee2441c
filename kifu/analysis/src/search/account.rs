//! The account of a game: what the move played in a position lost, given how good it was by the rest of
//! the game.
//!
//! The difference between two independent searches, one before and one after the move, contains the
//! error of both: at 100,000 nodes, two thirds of the moves that lose 5 % by this measure lose much
//! less in a search with 50 times the nodes. A search from the position before the move, restricted
//! to the two moves, compares them at equal depth. But where the rest of the game has refuted what that
//! search says of the played move, it cannot say how much was lost: then positions after other moves are
//! searched. docs/analysis.md has the rules, trials/notes/analysis.md the measured figures.

use crate::chance::WinScale;
use crate::search::SearchedPosition;
use crate::search::compare::{Comparison, reduced};
use monomi_movegen::PackedMove;

/// Losses and gains of at least this much are checked by comparing the moves.
const SUSPICIOUS: f64 = 0.035;
/// Difference from which a search of the played move is contradicted by what follows it in the game, so
/// that its alternatives are searched.
const CONTRADICTED: f64 = 0.1;
/// A loss of this much is shown to the player, as a hint or as a mistake.
const SHOWN: f64 = 0.05;
/// Before it is, the moves are compared again with so many times the nodes; the position after an
/// alternative gets as many.
const CHECK_SHARE: u32 = 3;
/// The share of the difference to an alternative that counts, unless one of the two is decided: the rest
/// of the game has examined the played move more closely than a search examines the other one.
const COUNTED: f64 = 0.5;
/// Most alternatives whose positions are searched.
const ALTERNATIVES: usize = 3;

/// The searches of a position that an account asks for. `share` multiplies nodes and time.
pub trait Searches {
    /// The position without these moves; `None` if there are no others.
    fn without(&mut self, moves: &[PackedMove]) -> Option<SearchedPosition>;
    /// The winning probabilities of two moves by one search of both, and its nodes.
    fn both(&mut self, moves: [PackedMove; 2], share: u32) -> (Option<[f64; 2]>, u64);
    /// The mover's winning probability after a move, by a search of the next position, and its nodes.
    fn after(&mut self, mv: PackedMove, share: u32) -> (f64, u64);
}

/// Compares the played move with the best one. `kept` is the mover's winning probability after the
/// played move in the account of the rest of the game, `chance` that of the position by its search and
/// the mate solver. Where another move turns out to be the best one, `searched` is replaced.
///
/// The comparison says by how much the best move is better; how good the played move is, the rest of
/// the game says. So the winning probabilities of consecutive positions differ by exactly the losses of
/// the moves.
pub fn account(
    searches: &mut impl Searches,
    searched: &mut SearchedPosition,
    chance: f64,
    (played, kept): (PackedMove, f64),
    scale: WinScale,
) -> Comparison {
    let difference = chance - kept;
    let by_account = |best: f64, nodes| Comparison { best, played: kept, nodes };
    let Some(best) = searched.best() else { return by_account(chance, 0) };
    let mut alternatives =
        Alternatives { searches, kept, scale, tried: vec![played], best: None, nodes: 0 };
    if best == played {
        if difference < CONTRADICTED {
            return Comparison::of_best_move(kept);
        }
        alternatives.find();
        return alternatives.adopt(searched);
    }
    // A mate needs no comparison.
    if difference.abs() < SUSPICIOUS || chance == 1.0 {
        return by_account(chance, 0);
    }
    match compared(alternatives.searches, [best, played]) {
        (Some([_, of_played]), nodes) if of_played - kept >= CONTRADICTED => {
            alternatives.nodes = nodes;
            alternatives.examine(best, chance, None);
            alternatives.find();
            alternatives.adopt(searched)
        }
        (Some([of_best, of_played]), nodes) => {
            // The best move is worth no more than any search says of it.
            let most = of_best.max(chance);
            by_account((kept + reduced(of_best, of_played)).min(most).max(0.0), nodes)
        }
        (None, nodes) => by_account(chance, nodes),
    }
}

/// The winning probabilities of the best and the played move, and the nodes searched. A difference that
/// will be shown to the player is checked by a longer search.
fn compared(searches: &mut impl Searches, moves: [PackedMove; 2]) -> (Option<[f64; 2]>, u64) {
    let (mut chances, mut all) = (None, 0);
    for share in [1, CHECK_SHARE] {
        let (found, nodes) = searches.both(moves, share);
        all += nodes;
        chances = found.or(chances);
        if chances.is_none_or(|[best, played]| reduced(best, played) < SHOWN) {
            break;
        }
    }
    (chances, all)
}

/// Looks for moves better than the played one, which the rest of the game has refuted. A search of the
/// position before it might overlook the same refutation after another move, so the positions after
/// other moves are searched, too.
struct Alternatives<'a, S> {
    searches: &'a mut S,
    /// Winning probability after the played move.
    kept: f64,
    scale: WinScale,
    /// Moves already examined, the played one included.
    tried: Vec<PackedMove>,
    /// The winning probability with the best alternative; the search that found it, if it was another one
    /// than that of the whole position.
    best: Option<(f64, Option<SearchedPosition>)>,
    nodes: u64,
}

impl<S: Searches> Alternatives<'_, S> {
    /// The winning probability with the best move known.
    fn known(&self) -> f64 {
        self.best.as_ref().map_or(self.kept, |(chance, _)| chance.max(self.kept))
    }

    /// Examines the best moves not yet tried, until they promise nothing.
    fn find(&mut self) {
        while self.tried.len() <= ALTERNATIVES {
            let Some(other) = self.searches.without(&self.tried) else { return };
            self.nodes += other.nodes;
            let expected = self.scale.chance(other.score());
            let Some(mv) = other.best() else { return };
            if expected - self.known() < SUSPICIOUS {
                return;
            }
            self.examine(mv, expected, Some(other));
        }
    }

    /// Searches the position after a move of which `expected` is the winning probability by `found`.
    fn examine(&mut self, mv: PackedMove, expected: f64, found: Option<SearchedPosition>) {
        let (chance, nodes) = self.searches.after(mv, CHECK_SHARE);
        self.nodes += nodes;
        self.tried.push(mv);
        let chance = chance.min(expected);
        if self.best.as_ref().is_none_or(|(best, _)| chance > *best) {
            self.best = Some((chance, found));
        }
    }

    /// The played move compared with the best alternative, which becomes the best move of `searched` if
    /// it is better.
    fn adopt(self, searched: &mut SearchedPosition) -> Comparison {
        let Self { kept, nodes, .. } = self;
        let Some((chance, found)) = self.best.filter(|(chance, _)| *chance > kept) else {
            return Comparison { best: kept, played: kept, nodes };
        };
        if let Some(found) = found {
            let whole = std::mem::replace(searched, found);
            searched.nodes = whole.nodes;
            searched.millis += whole.millis;
            // The search of all moves did not find it.
            searched.found_after += whole.nodes;
        }
        let difference = chance - kept;
        let decided = [chance, kept].iter().any(|&win| win == 0.0 || win == 1.0);
        let gain = if decided { difference } else { difference * COUNTED };
        Comparison { best: (kept + gain).min(1.0), played: kept, nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Over, ScoredLine};
    use monomi_search::Score;
    use std::collections::BTreeMap;

    fn mv(text: &str) -> PackedMove {
        text.parse().unwrap()
    }

    /// A search that says so much of a move.
    fn found(chance: f64, best: &str) -> SearchedPosition {
        let line = ScoredLine { score: WinScale::default().score(chance), pv: vec![mv(best)] };
        let over = SearchedPosition::over(Over::Mated, Score::Mate(0));
        SearchedPosition { nodes: 100, lines: vec![line], over: None, ..over }
    }

    /// Answers of searches: from the position before each move, and from the one after it.
    #[derive(Default)]
    struct Script {
        before: BTreeMap<&'static str, f64>,
        after: BTreeMap<&'static str, f64>,
        /// What was searched.
        asked: Vec<String>,
    }

    impl Script {
        fn new(moves: &[(&'static str, f64, f64)]) -> Self {
            Self {
                before: moves.iter().map(|&(mv, before, _)| (mv, before)).collect(),
                after: moves.iter().map(|&(mv, _, after)| (mv, after)).collect(),
                asked: Vec::new(),
            }
        }
    }

    impl Searches for Script {
        fn without(&mut self, moves: &[PackedMove]) -> Option<SearchedPosition> {
            self.asked.push("without".to_owned());
            let others = self.before.iter().filter(|(name, _)| !moves.contains(&mv(name)));
            let (best, chance) = others.max_by(|a, b| a.1.total_cmp(b.1))?;
            Some(found(*chance, best))
        }

        fn both(&mut self, moves: [PackedMove; 2], share: u32) -> (Option<[f64; 2]>, u64) {
            self.asked.push(format!("both {share}"));
            (Some(moves.map(|mv| self.before[mv.to_string().as_str()])), 100)
        }

        fn after(&mut self, mv: PackedMove, _: u32) -> (f64, u64) {
            self.asked.push(format!("after {mv}"));
            (self.after[mv.to_string().as_str()], 300)
        }
    }

    /// The percentages before and after the played move, the best move, and what was searched. The
    /// search of the position says that the first move is the best one.
    fn judged(script: &mut Script, chance: f64, best: &str, played: &str, kept: f64) -> [i64; 2] {
        let mut searched = found(chance, best);
        let scale = WinScale::default();
        let comparison = account(script, &mut searched, chance, (mv(played), kept), scale);
        script.asked.push(format!("best {}", searched.best().unwrap()));
        let percent = |chance: f64| (chance * 100.0).round() as i64;
        [comparison.chance(), comparison.played].map(percent)
    }

    /// Before move 95 the engine gives Black 82 % and would play the same move; by the rest of the game
    /// Black has lost after it. Another move holds.
    #[test]
    fn a_refuted_choice_is_blamed_if_another_move_holds() {
        let moves = [("5b5a", 0.82, 0.0), ("4b4c", 0.8, 0.63), ("1g1f", 0.2, 0.2)];
        let mut script = Script::new(&moves);
        assert_eq!(judged(&mut script, 0.82, "5b5a", "5b5a", 0.0), [63, 0]);
        assert_eq!(script.asked, ["without", "after 4b4c", "without", "best 4b4c"]);
    }

    /// The engine prefers another move by 2 %. Its search of both sees nothing of what refutes the
    /// played move, so it cannot say what was lost.
    #[test]
    fn a_comparison_that_the_game_contradicts_is_not_believed() {
        let moves = [("4b4c", 0.82, 0.63), ("5b5a", 0.8, 0.0), ("1g1f", 0.2, 0.2)];
        let mut script = Script::new(&moves);
        assert_eq!(judged(&mut script, 0.82, "4b4c", "5b5a", 0.0), [63, 0]);
        assert_eq!(script.asked, ["both 1", "after 4b4c", "without", "best 4b4c"]);
        // Near what the game says, it is.
        let mut script = Script::new(&[("4b4c", 0.825, 0.0), ("5b5a", 0.6, 0.0)]);
        assert_eq!(judged(&mut script, 0.82, "4b4c", "5b5a", 0.55), [75, 55]);
        assert_eq!(script.asked, ["both 1", "both 3", "best 4b4c"]);
    }

    /// After every move the same mate is found, or whatever else the search before them overlooks.
    #[test]
    fn nobody_is_blamed_where_all_moves_lose() {
        let moves = [("5b5a", 0.82, 0.0), ("4b4c", 0.8, 0.01), ("1g1f", 0.79, 0.0)];
        for best in ["5b5a", "4b4c"] {
            let mut script = Script::new(&moves);
            assert_eq!(judged(&mut script, 0.82, best, "5b5a", 0.01), [1, 1]);
        }
    }

    /// The second choice is refuted as well; the third holds.
    #[test]
    fn several_alternatives_are_examined() {
        let moves = [("5b5a", 0.82, 0.0), ("4b4c", 0.8, 0.1), ("1g1f", 0.7, 0.655)];
        let mut script = Script::new(&moves);
        assert_eq!(judged(&mut script, 0.82, "5b5a", "5b5a", 0.05), [35, 5]);
        assert_eq!(script.asked.last().unwrap(), "best 1g1f");
        // A move that promises no more than what is known is not searched.
        let moves = [("5b5a", 0.82, 0.0), ("4b4c", 0.8, 0.705), ("1g1f", 0.7, 0.9)];
        let mut script = Script::new(&moves);
        assert_eq!(judged(&mut script, 0.82, "5b5a", "5b5a", 0.05), [38, 5]);
        assert_eq!(script.asked, ["without", "after 4b4c", "without", "best 4b4c"]);
    }

    /// A position with a single move.
    #[test]
    fn the_only_move_loses_nothing() {
        let mut script = Script::new(&[("5b5a", 0.82, 0.0)]);
        assert_eq!(judged(&mut script, 0.82, "5b5a", "5b5a", 0.3), [30, 30]);
    }

    #[test]
    fn small_differences_need_no_search() {
        let mut script = Script::new(&[("5b5a", 0.5, 0.5), ("4b4c", 0.5, 0.5)]);
        assert_eq!(judged(&mut script, 0.53, "4b4c", "5b5a", 0.5), [53, 50]);
        assert_eq!(judged(&mut script, 0.59, "5b5a", "5b5a", 0.5), [50, 50]);
        assert_eq!(judged(&mut script, 1.0, "4b4c", "5b5a", 0.5), [100, 50]);
        assert_eq!(script.asked, ["best 4b4c", "best 5b5a", "best 4b4c"]);
    }

    /// Whatever the searches say, no position is worth less than the move played in it, nor more than its
    /// search says of it.
    #[test]
    fn accounts_stay_within_what_was_searched() {
        let steps = [0.0, 0.3, 0.6, 0.95];
        for a in steps {
            for b in steps {
                for c in steps {
                    for kept in [0.0, 0.2, 0.5, 1.0] {
                        for best in ["5b5a", "4b4c"] {
                            let mut script =
                                Script::new(&[("5b5a", a, kept), ("4b4c", b, c), ("1g1f", c, b)]);
                            let [before, after] = judged(&mut script, 0.9, best, "5b5a", kept);
                            assert_eq!(after, (kept * 100.0) as i64);
                            assert!(before >= after, "{a} {b} {c} {kept} {best}: {before}");
                            assert!(before <= after.max(95), "{a} {b} {c} {kept} {best}: {before}");
                        }
                    }
                }
            }
        }
    }
}
