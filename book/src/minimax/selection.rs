//! Which moves out of a book are worth a search. Positions are numbers here.

use monomi_movegen::PackedMove;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: PackedMove,
    /// In centipawns for the side that moves, carried back from the leaves.
    pub value: i32,
    /// The position it leads to; `None` if the book does not have it.
    pub next: Option<usize>,
}

/// A move that leads out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leaf {
    pub node: usize,
    pub mv: PackedMove,
}

/// The positions of a book, by their numbers.
pub trait Lines {
    /// The moves of a position, best first.
    fn choices(&self, node: usize) -> Vec<Choice>;

    /// The best move by the position's own search, with the value that this search found.
    fn searched(&self, node: usize) -> Option<(PackedMove, i32)>;
}

/// Which leaves are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How much worse than the best move of its position a move may be.
    pub margin: i32,
    /// The greatest number of moves of a line.
    pub plies: u32,
    /// Leaves with greater values, for either side, are not chosen.
    pub eval: i32,
    /// By how much a value has to differ from that of the position's own search.
    pub change: i32,
    /// The greatest number of leaves.
    pub count: usize,
}

/// Chooses leaves, taking one of each of these lists in turn:
///
/// 1. those on the lines from `starts` that lose least;
/// 2. moves that became best because the move that the search preferred was refuted;
/// 3. the ends of the best lines of positions whose value has changed since their search;
/// 4. the ends of the best lines from `games`.
///
/// The second and third list have positions that the lines of the first one visit; greater differences
/// come first.
pub fn choose(lines: &impl Lines, starts: &[usize], games: &[usize], limits: &Limits) -> Vec<Leaf> {
    let reached = reach(lines, starts, limits);
    let from_games = games.iter().filter_map(|&node| best_end(lines, node, limits)).collect();
    let lists = [
        reached.leaves,
        refuted(lines, &reached.nodes, limits),
        changed(lines, &reached.nodes, limits),
        from_games,
    ];
    in_turn(lists, limits.count)
}

/// What the lines from the starting positions visit.
#[derive(Debug, Default)]
struct Reached {
    /// Positions, in the order in which they were visited.
    nodes: Vec<usize>,
    /// Leaves; those on lines that lose least come first.
    leaves: Vec<Leaf>,
}

/// A line: what it loses, its length, its last position and the move out of the book.
type Line = (i32, u32, usize, Option<PackedMove>);

/// Follows the lines that lose least, until there are enough leaves.
fn reach(lines: &impl Lines, starts: &[usize], limits: &Limits) -> Reached {
    let mut reached = Reached::default();
    let mut visited = HashSet::new();
    let mut open: BinaryHeap<Reverse<Line>> =
        starts.iter().map(|&node| Reverse((0, 0, node, None))).collect();
    while let Some(Reverse((loss, plies, node, out))) = open.pop() {
        if reached.leaves.len() >= limits.count {
            break;
        }
        if let Some(mv) = out {
            reached.leaves.push(Leaf { node, mv });
            continue;
        }
        if plies >= limits.plies || !visited.insert(node) {
            continue;
        }
        reached.nodes.push(node);
        let choices = lines.choices(node);
        let best = choices.first().map_or(0, |best| best.value);
        for choice in choices {
            let behind = best - choice.value;
            if behind > limits.margin {
                continue;
            }
            match choice.next {
                Some(next) => open.push(Reverse((loss + behind, plies + 1, next, None))),
                None if choice.value.abs() > limits.eval => {}
                None => open.push(Reverse((loss + behind, plies + 1, node, Some(choice.mv)))),
            }
        }
    }
    reached
}

/// Leaves that are best because the move that the search preferred has become worse.
fn refuted(lines: &impl Lines, nodes: &[usize], limits: &Limits) -> Vec<Leaf> {
    let refutation = |&node: &usize| {
        let (preferred, _) = lines.searched(node)?;
        let choices = lines.choices(node);
        let best = choices.first().filter(|best| best.next.is_none() && best.mv != preferred)?;
        let former = choices.iter().find(|choice| choice.mv == preferred)?;
        let gain = best.value - former.value;
        let counts = gain >= limits.change && best.value.abs() <= limits.eval;
        counts.then_some((gain, Leaf { node, mv: best.mv }))
    };
    greatest_first(nodes.iter().filter_map(refutation).collect())
}

/// The ends of the best lines of positions whose value differs from that of their search.
fn changed(lines: &impl Lines, nodes: &[usize], limits: &Limits) -> Vec<Leaf> {
    let end = |&node: &usize| {
        let (_, searched) = lines.searched(node)?;
        let difference = (lines.choices(node).first()?.value - searched).abs();
        let leaf = best_end(lines, node, limits).filter(|_| difference >= limits.change)?;
        Some((difference, leaf))
    };
    greatest_first(nodes.iter().filter_map(end).collect())
}

/// Of equal numbers the first one stays first.
fn greatest_first(mut found: Vec<(i32, Leaf)>) -> Vec<Leaf> {
    found.sort_by_key(|&(number, _)| Reverse(number));
    found.into_iter().map(|(_, leaf)| leaf).collect()
}

/// The leaf at the end of the best moves from a position. `None` if they repeat a position or are too
/// many, or if the value is too great.
fn best_end(lines: &impl Lines, from: usize, limits: &Limits) -> Option<Leaf> {
    let (mut node, mut visited) = (from, HashSet::new());
    for _ in 0..limits.plies {
        if !visited.insert(node) {
            return None;
        }
        let best = lines.choices(node).first().copied()?;
        match best.next {
            Some(next) => node = next,
            None => {
                return (best.value.abs() <= limits.eval).then_some(Leaf { node, mv: best.mv });
            }
        }
    }
    None
}

/// One of each list in turn, without repetitions.
fn in_turn<const N: usize>(lists: [Vec<Leaf>; N], count: usize) -> Vec<Leaf> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut seen = HashSet::new();
    let all = (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at)));
    all.copied().filter(|leaf| seen.insert(*leaf)).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Random;
    use std::collections::BTreeMap;

    const ALL: Limits = Limits { margin: 40, plies: 1000, eval: 5000, change: 50, count: 1000 };

    /// A random graph: positions with moves best first, and what their searches found.
    struct Sample {
        moves: Vec<Vec<Choice>>,
        searched: Vec<Option<(PackedMove, i32)>>,
    }

    impl Lines for Sample {
        fn choices(&self, node: usize) -> Vec<Choice> {
            self.moves[node].clone()
        }

        fn searched(&self, node: usize) -> Option<(PackedMove, i32)> {
            self.searched[node]
        }
    }

    /// Different moves, by number.
    fn some_move(number: usize) -> PackedMove {
        let moves = ["7g7f", "2g2f", "6i7h", "9g9f", "1g1f", "5g5f", "3g3f", "4g4f"];
        moves[number].parse().unwrap()
    }

    fn sample(seed: u64) -> Sample {
        let mut random = Random::new(seed);
        let count = 1 + random.below(7);
        let mut sample = Sample { moves: Vec::new(), searched: Vec::new() };
        for _ in 0..count {
            let mut moves: Vec<Choice> = (0..random.below(5))
                .map(|number| {
                    let value = random.below(13) as i32 * 10 - 60;
                    let next = (random.below(2) > 0).then(|| random.below(count));
                    Choice { mv: some_move(number), value, next }
                })
                .collect();
            moves.sort_by_key(|choice| Reverse(choice.value));
            sample.moves.push(moves);
            let value = random.below(30) as i32 * 10 - 150;
            sample
                .searched
                .push((random.below(4) > 0).then(|| (some_move(random.below(5)), value)));
        }
        sample
    }

    /// The least loss of each leaf, by trying every line that visits no position twice.
    fn losses(sample: &Sample, starts: &[usize], limits: &Limits) -> BTreeMap<Leaf, i32> {
        fn walk(
            sample: &Sample,
            path: &mut Vec<usize>,
            loss: i32,
            limits: &Limits,
            found: &mut BTreeMap<Leaf, i32>,
        ) {
            let node = *path.last().unwrap();
            let best = sample.moves[node].iter().map(|choice| choice.value).max();
            for choice in &sample.moves[node] {
                let behind = best.unwrap() - choice.value;
                if behind > limits.margin {
                    continue;
                }
                match choice.next {
                    None => {
                        let leaf = Leaf { node, mv: choice.mv };
                        let known = found.entry(leaf).or_insert(i32::MAX);
                        *known = (*known).min(loss + behind);
                    }
                    Some(next) if !path.contains(&next) => {
                        path.push(next);
                        walk(sample, path, loss + behind, limits, found);
                        path.pop();
                    }
                    Some(_) => {}
                }
            }
        }
        let mut found = BTreeMap::new();
        for &start in starts {
            walk(sample, &mut vec![start], 0, limits, &mut found);
        }
        found.retain(|leaf, _| {
            let choice = sample.moves[leaf.node].iter().find(|choice| choice.mv == leaf.mv);
            choice.unwrap().value.abs() <= limits.eval
        });
        found
    }

    /// The end of the best moves, by recursion.
    fn end(sample: &Sample, node: usize, path: &[usize]) -> Option<Leaf> {
        let best = sample.moves[node].first()?;
        let path = [path, &[node]].concat();
        match best.next {
            None => Some(Leaf { node, mv: best.mv }),
            Some(next) if path.contains(&next) => None,
            Some(next) => end(sample, next, &path),
        }
    }

    #[test]
    fn lines_that_lose_least_come_first() {
        let mut several = 0;
        for seed in 0..2000 {
            let sample = sample(seed);
            let starts: Vec<usize> = (0..sample.moves.len().min(2)).collect();
            let limits = Limits { eval: if seed % 2 == 0 { 5000 } else { 30 }, ..ALL };
            let expected = losses(&sample, &starts, &limits);
            let reached = reach(&sample, &starts, &limits);
            let found: Vec<i32> = reached.leaves.iter().map(|leaf| expected[leaf]).collect();
            assert!(found.is_sorted(), "{seed}");
            assert_eq!(found.len(), expected.len(), "{seed}");
            several += u32::from(found.len() > 1);
            // With a limit the first of them, and none on a longer line than allowed.
            let first = reach(&sample, &starts, &Limits { count: 2, ..limits }).leaves;
            assert_eq!(first, reached.leaves[..found.len().min(2)], "{seed}");
            let short = reach(&sample, &starts, &Limits { plies: 1, ..limits });
            assert!(short.nodes.iter().all(|node| starts.contains(node)), "{seed}");
            assert!(short.leaves.iter().all(|leaf| expected.contains_key(leaf)), "{seed}");
        }
        assert!(several > 300, "{several}");
    }

    #[test]
    fn changed_values_and_refuted_moves_are_found() {
        let (mut changes, mut refutations) = (0, 0);
        for seed in 0..2000 {
            let sample = sample(seed);
            let nodes: Vec<usize> = (0..sample.moves.len()).collect();
            let found = changed(&sample, &nodes, &ALL);
            let mut expected = BTreeMap::new();
            for &node in &nodes {
                let best = sample.moves[node].iter().map(|choice| choice.value).max();
                let (Some(best), Some((_, value))) = (best, sample.searched[node]) else {
                    continue;
                };
                if let Some(leaf) = end(&sample, node, &[]).filter(|_| best.abs_diff(value) >= 50) {
                    let known = expected.entry(leaf).or_insert(0);
                    *known = best.abs_diff(value).max(*known);
                }
            }
            changes += expected.len();
            assert!(found.iter().all(|leaf| expected.contains_key(leaf)), "{seed}");
            assert!(expected.keys().all(|leaf| found.contains(leaf)), "{seed}");
            let mut first: Vec<Leaf> = Vec::new();
            found.iter().for_each(|leaf| {
                if !first.contains(leaf) {
                    first.push(*leaf);
                }
            });
            assert!(first.iter().map(|leaf| Reverse(expected[leaf])).is_sorted(), "{seed}");
            for leaf in refuted(&sample, &nodes, &ALL) {
                refutations += 1;
                let moves = &sample.moves[leaf.node];
                let (preferred, _) = sample.searched[leaf.node].unwrap();
                let value = |mv| moves.iter().find(|choice| choice.mv == mv).unwrap().value;
                assert!(moves.iter().all(|choice| choice.value <= value(leaf.mv)), "{seed}");
                assert!(value(leaf.mv) - value(preferred) >= 50, "{seed}");
            }
        }
        assert!(changes > 500 && refutations > 50, "{changes} {refutations}");
    }

    #[test]
    fn lists_take_turns() {
        let leaf = |node| Leaf { node, mv: some_move(0) };
        let lists =
            [vec![leaf(1), leaf(2), leaf(3)], vec![leaf(2)], vec![leaf(9), leaf(1), leaf(8)]];
        let nodes = |count| {
            let chosen = in_turn(lists.clone(), count);
            chosen.into_iter().map(|leaf| leaf.node).collect::<Vec<_>>()
        };
        assert_eq!(nodes(100), [1, 2, 9, 3, 8]);
        assert_eq!(nodes(2), [1, 2]);
    }
}
