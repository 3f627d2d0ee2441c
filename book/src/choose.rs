//! Chooses the book move to play by the usual book options.

use crate::book::{Book, Lookup};
use crate::book_move::BookMove;
use crate::fault::BookError;
use monomi_movegen::square::Dense;
use monomi_movegen::{PackedMove, Position};
use monomi_support::text::messages;
use shogi_core::Color;

/// The book options except those for the file. They have YaneuraOu's names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookOptions {
    /// BookMoves: use the book up to this move of the game.
    pub moves: u16,
    /// BookIgnoreRate: how often to ignore the book at random, in percent.
    pub ignore_rate: u32,
    /// NarrowBook: ignore moves that were played in less than 10 % of the games.
    pub narrow: bool,
    /// BookEvalDiff: how much worse than the best move a move may be, in centipawns.
    pub eval_diff: i32,
    /// BookEvalBlackDiff, BookEvalWhiteDiff: the same for that side only; `None` for `eval_diff`.
    pub eval_diff_of: [Option<i32>; 2],
    /// BookEvalBlackLimit, BookEvalWhiteLimit: the minimum evaluation for that side, in centipawns.
    pub eval_limit: [i32; 2],
    /// BookDepthLimit: ignore positions whose best move has a smaller depth; 0 for no limit. Books
    /// without depths are not affected.
    pub depth_limit: u32,
    /// BookDepthBlackLimit, BookDepthWhiteLimit: the same for that side only; `None` for
    /// `depth_limit`.
    pub depth_limit_of: [Option<u32>; 2],
    /// ConsiderBookMoveCount: choose moves in proportion to their counts; otherwise all remaining
    /// moves with equal probability. Moves without a searched value (depth 0), as in books made
    /// from games, are always chosen in proportion to their counts.
    pub consider_count: bool,
    /// BookPvMoves: the maximum length of the displayed lines, in moves.
    pub pv_moves: usize,
    /// IgnoreBookPly and FlippedBook.
    pub lookup: Lookup,
}

impl Default for BookOptions {
    /// The defaults of the USI options.
    fn default() -> Self {
        Self {
            moves: 16,
            ignore_rate: 0,
            narrow: false,
            eval_diff: 30,
            eval_diff_of: [None; 2],
            eval_limit: [0, -140],
            depth_limit: 16,
            depth_limit_of: [None; 2],
            consider_count: false,
            pv_moves: 8,
            lookup: Lookup::default(),
        }
    }
}

/// The result of probing a book.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct BookProbe {
    /// The book's answer; `None` to search instead.
    pub hit: Option<BookHit>,
    /// For the user: moves that the options excluded.
    pub notes: Vec<Excluded>,
    /// For the user: problems with the book.
    pub faults: Vec<ProbeFault>,
}

messages! {
    /// Why the options exclude moves of the book.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Excluded {
        /// NarrowBook.
        Narrow {
            /// The number of moves that are left.
            left: usize,
            /// The number of moves in the book.
            all: usize,
        } =>
            "book: NarrowBook leaves {left} of {all} moves",
            "定跡: NarrowBook により {all} 手のうち {left} 手が残りました";
        /// The game would end by repetition.
        Repetition {
            /// The number of moves that are left.
            left: usize,
            /// The number of moves before.
            all: usize,
        } =>
            "book: {left} of {all} moves are left that do not end the game by repetition",
            "定跡: 千日手で終局になる手を除き、{all} 手のうち {left} 手が残りました";
        /// BookDepthLimit: the depth of the best move, in plies.
        Depth(depth: u32) =>
            "book: depth {depth} is below BookDepthLimit",
            "定跡: 深さ {depth} は BookDepthLimit 未満です";
        /// BookEvalDiff and the limit of the side to move.
        Value {
            /// BookEvalDiff, in centipawns.
            diff: i32,
            /// The limit's name.
            name: &'static str,
            /// The limit, in centipawns.
            limit: i32,
            /// The number of moves that are left.
            left: usize,
            /// The number of moves in the book.
            all: usize,
        } =>
            "book: BookEvalDiff {diff} and {name} {limit} leave {left} of {all} moves",
            "定跡: BookEvalDiff {diff} と {name} {limit} により {all} 手のうち {left} 手が残りました";
    }

    /// What is wrong with a book at a position.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum ProbeFault {
        /// The file of a book on disk cannot be read.
        Book(error: BookError) => "book {error}", "定跡 {error}";
        /// A move is illegal.
        Illegal {
            /// The move.
            mv: PackedMove,
            /// The position.
            sfen: String,
        } => "book: {mv} is illegal in {sfen}", "定跡: {mv} は {sfen} で指せません";
    }
}

/// A book move to play without searching.
#[derive(Debug)]
#[non_exhaustive]
pub struct BookHit {
    /// All moves of the book: first the one to play, then the others, best first.
    pub lines: Vec<BookLine>,
    /// The expected reply; legal.
    pub ponder: Option<PackedMove>,
}

/// A book move and its continuation.
#[derive(Debug)]
#[non_exhaustive]
pub struct BookLine {
    /// The book's move.
    pub found: BookMove,
    /// The move followed by the book's best moves; legal.
    pub pv: Vec<PackedMove>,
}

/// Looks up a position and chooses a move from the first of the books that has one. `below(n)` returns a random number less than `n`. If
/// `searchmoves` is not empty, the move is one of them.
pub fn probe(
    books: &[Book],
    root: &Position,
    options: &BookOptions,
    searchmoves: &[PackedMove],
    below: &mut dyn FnMut(u64) -> u64,
) -> BookProbe {
    let mut probe = BookProbe::default();
    if root.ply() > options.moves || below(100) < u64::from(options.ignore_rate) {
        return probe;
    }
    for book in books {
        let more = probe_one(book, root, options, searchmoves, below);
        probe.notes.extend(more.notes);
        probe.faults.extend(more.faults);
        if more.hit.is_some() {
            probe.hit = more.hit;
            break;
        }
    }
    probe
}

fn probe_one(
    book: &Book,
    root: &Position,
    options: &BookOptions,
    searchmoves: &[PackedMove],
    below: &mut dyn FnMut(u64) -> u64,
) -> BookProbe {
    let mut probe = BookProbe::default();
    let mut all = match book.find(root, options.lookup) {
        Ok(all) => all,
        Err(error) => {
            let error = BookError::Unreadable { path: book.path().to_owned(), error };
            probe.faults.push(ProbeFault::Book(error));
            return probe;
        }
    };
    all.retain(|found| {
        let legal = root.is_legal(found.mv);
        if !legal {
            probe.faults.push(ProbeFault::Illegal { mv: found.mv, sfen: root.to_sfen() });
        }
        legal
    });
    let left = Choice { all: &all, options, side: root.side_to_move() }.narrow(&mut probe.notes);
    let asked = |found: &&BookMove| searchmoves.is_empty() || searchmoves.contains(&found.mv);
    let mut left: Vec<BookMove> = left.iter().filter(asked).copied().collect();
    let before = left.len();
    left.retain(|found| !ends_by_repetition(root, found.mv));
    if left.len() < before {
        probe.notes.push(Excluded::Repetition { left: left.len(), all: before });
    }
    let by_count = options.consider_count || left.iter().all(|found| found.depth == 0);
    let Some(chosen) = choose_at_random(&left, by_count, below) else { return probe };
    all.sort_by_key(|found| found.mv != chosen.mv);
    let follow =
        |found: &BookMove| BookLine { found: *found, pv: follow(book, root, found, options) };
    let lines: Vec<BookLine> = all.iter().map(follow).collect();
    let ponder = lines.first().and_then(|line| match line.pv.get(1) {
        Some(&reply) => Some(reply),
        None => reply(book, root, &chosen, options),
    });
    probe.hit = Some(BookHit { lines, ponder });
    probe
}

struct Choice<'a> {
    all: &'a [BookMove],
    options: &'a BookOptions,
    side: Color,
}

impl Choice<'_> {
    /// The moves that the options allow.
    fn narrow(&self, notes: &mut Vec<Excluded>) -> Vec<BookMove> {
        let (options, all) = (self.options, self.all.len());
        let mut left = self.all.to_vec();
        let total: u64 = left.iter().map(|found| u64::from(found.count)).sum();
        if options.narrow && total > 0 {
            left.retain(|found| u64::from(found.count) * 10 >= total);
            if left.len() < all {
                notes.push(Excluded::Narrow { left: left.len(), all });
            }
        }
        let Some(best) = left.first().copied() else { return left };
        let side = self.side.dense();
        let diff = options.eval_diff_of[side].unwrap_or(options.eval_diff);
        if best.depth > 0
            && best.depth < options.depth_limit_of[side].unwrap_or(options.depth_limit)
        {
            notes.push(Excluded::Depth(best.depth));
            return Vec::new();
        }
        let before = left.len();
        let (name, limit) = match self.side {
            Color::Black => ("BookEvalBlackLimit", options.eval_limit[0]),
            Color::White => ("BookEvalWhiteLimit", options.eval_limit[1]),
        };
        let least = best.eval.saturating_sub(diff).max(limit);
        left.retain(|found| found.eval >= least);
        if left.len() < before {
            let (diff, left) = (options.eval_diff, left.len());
            notes.push(Excluded::Value { diff, name, limit, left, all });
        }
        left
    }
}

/// Chooses one of the moves at random.
fn choose_at_random(
    moves: &[BookMove],
    by_count: bool,
    below: &mut dyn FnMut(u64) -> u64,
) -> Option<BookMove> {
    let weights: Vec<u64> = moves.iter().map(|found| u64::from(found.count)).collect();
    let total: u64 = weights.iter().sum();
    if !by_count || total == 0 {
        return (!moves.is_empty()).then(|| moves[below(moves.len() as u64) as usize]);
    }
    let mut rest = below(total);
    for (found, weight) in moves.iter().zip(weights) {
        match rest.checked_sub(weight) {
            Some(less) => rest = less,
            None => return Some(*found),
        }
    }
    moves.first().copied()
}

/// Whether the game ends with a move because its position occurs for the fourth time. A book knows
/// nothing of the game, so whether to end it is left to the search.
fn ends_by_repetition(root: &Position, mv: PackedMove) -> bool {
    let mut position = root.clone();
    position.do_move(mv);
    position.repeated(4).is_some()
}

/// The book's best legal move in a position.
fn best(book: &Book, position: &Position, options: &BookOptions) -> Option<BookMove> {
    // Read errors have been reported at the root.
    let found = book.find(position, options.lookup).unwrap_or_default();
    found.into_iter().find(|found| position.is_legal(found.mv))
}

/// The line that starts with a move: always the book's best move, and at the end its expected reply.
fn follow(
    book: &Book,
    root: &Position,
    first: &BookMove,
    options: &BookOptions,
) -> Vec<PackedMove> {
    let mut position = root.clone();
    let mut pv = Vec::new();
    let mut now = Some(*first);
    // The first move belongs to the line in any case; after it the line ends at a repetition.
    while let Some(found) = now
        && pv.len() < options.pv_moves
        && position.repetition_in_search(pv.len()).is_none_or(|_| pv.is_empty())
    {
        pv.push(found.mv);
        position.do_move(found.mv);
        now = best(book, &position, options);
        if now.is_none() && pv.len() < options.pv_moves {
            pv.extend(found.ponder.filter(|&reply| position.is_legal(reply)));
        }
    }
    pv
}

/// The expected reply to a move.
fn reply(
    book: &Book,
    root: &Position,
    found: &BookMove,
    options: &BookOptions,
) -> Option<PackedMove> {
    let mut position = root.clone();
    position.do_move(found.mv);
    let noted = found.ponder.filter(|&reply| position.is_legal(reply));
    noted.or_else(|| best(book, &position, options).map(|found| found.mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> BookOptions {
        let lookup = Lookup { ignore_ply: false, flipped: true };
        BookOptions { lookup, ..BookOptions::default() }
    }

    fn book_move(text: &str, eval: i32, depth: u32, count: u32) -> BookMove {
        BookMove { mv: text.parse().unwrap(), ponder: None, eval, depth, count }
    }

    fn left(all: &[BookMove], options: &BookOptions, side: Color) -> Vec<String> {
        let choice = Choice { all, options, side };
        choice.narrow(&mut Vec::new()).iter().map(|found| found.mv.to_string()).collect()
    }

    #[test]
    fn options_exclude_moves_by_evaluation_count_and_depth() {
        let all = [
            book_move("7g7f", 50, 20, 60),
            book_move("2g2f", 20, 20, 35),
            book_move("5g5f", 19, 20, 5),
        ];
        assert_eq!(left(&all, &options(), Color::Black), ["7g7f", "2g2f"]);
        let wide = BookOptions { eval_diff: 100, ..options() };
        assert_eq!(left(&all, &wide, Color::Black).len(), 3);
        let narrow = BookOptions { narrow: true, ..wide.clone() };
        assert_eq!(left(&all, &narrow, Color::Black), ["7g7f", "2g2f"]);
        let high = BookOptions { eval_limit: [20, 51], ..wide.clone() };
        assert_eq!(left(&all, &high, Color::Black), ["7g7f", "2g2f"]);
        assert!(left(&all, &high, Color::White).is_empty());
        let deep = BookOptions { depth_limit: 21, ..wide.clone() };
        assert!(left(&all, &deep, Color::Black).is_empty());
        let of_black = BookOptions {
            eval_diff_of: [Some(0), None],
            depth_limit_of: [None, Some(21)],
            ..wide.clone()
        };
        assert_eq!(left(&all, &of_black, Color::Black), ["7g7f"]);
        assert!(left(&all, &of_black, Color::White).is_empty());
        let unknown = [book_move("7g7f", 0, 0, 1)];
        assert_eq!(left(&unknown, &deep, Color::Black), ["7g7f"]);
        assert!(left(&[], &options(), Color::Black).is_empty());
    }

    #[test]
    fn counts_weight_the_random_choice_only_if_requested() {
        let all = [book_move("7g7f", 0, 0, 3), book_move("2g2f", 0, 0, 1)];
        let times = |moves: &[BookMove], by_count, of: u64| {
            let chosen =
                |n| choose_at_random(moves, by_count, &mut |below| n % below).map(|found| found.mv);
            (0..of).filter(|&n| chosen(n) == Some(all[0].mv)).count()
        };
        assert_eq!((times(&all, false, 4), times(&all, true, 4)), (2, 3));
        let uncounted = all.map(|found| BookMove { count: 0, ..found });
        assert_eq!(times(&uncounted, true, 4), 2);
        assert_eq!(choose_at_random(&[], true, &mut |_| 0), None);
    }
}
