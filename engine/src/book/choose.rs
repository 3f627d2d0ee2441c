//! Which move of a book is played, by the options that the field knows.

use crate::book::{Book, BookMove, Lookup};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;

/// The book's options, without those that name the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// BookMoves: up to which move of the game the book is asked.
    pub moves: u16,
    /// BookIgnoreRate: how often it is not asked all the same, in percent.
    pub ignore_rate: u32,
    /// NarrowBook: nothing that was played in less than a tenth of the games.
    pub narrow: bool,
    /// BookEvalDiff: how much worse than the best a move may be, in centipawns.
    pub eval_diff: i32,
    /// BookEvalBlackLimit and BookEvalWhiteLimit: no move with a lower value for that side.
    pub eval_limit: [i32; 2],
    /// BookDepthLimit: values from shallower searches do not count, nor does the position then;
    /// 0 for no limit. Books without depths are taken as they are.
    pub depth_limit: u32,
    /// ConsiderBookMoveCount: play moves as often as the book has them; otherwise all that are
    /// left equally often.
    pub consider_count: bool,
    /// BookPvMoves: how far the lines shown go, in moves.
    pub pv_moves: usize,
    /// IgnoreBookPly and FlippedBook.
    pub lookup: Lookup,
}

/// What a book says about a position.
#[derive(Debug, Default)]
pub struct Probe {
    /// The move to play; none to think for oneself.
    pub hit: Option<Hit>,
    /// For the user: what was left out, and why.
    pub notes: Vec<String>,
    /// For the user: what is wrong with the book.
    pub faults: Vec<String>,
}

/// A move to play at once.
#[derive(Debug)]
pub struct Hit {
    /// All moves of the book, the one to play first, the others best first.
    pub lines: Vec<Line>,
    /// The reply to ponder on; legal.
    pub ponder: Option<PackedMove>,
}

/// A move and where it leads.
#[derive(Debug)]
pub struct Line {
    /// The move as it stands in the book.
    pub found: BookMove,
    /// The move and what the book plays behind it; legal.
    pub pv: Vec<PackedMove>,
}

/// Looks a position up and chooses. `below(n)` is a random number from 0 to n - 1, for n from 1;
/// of `searchmoves`, where there are any, the move is one.
pub fn probe(
    book: &Book,
    root: &Position,
    options: &BookOptions,
    searchmoves: &[PackedMove],
    below: &mut dyn FnMut(u64) -> u64,
) -> Probe {
    let mut probe = Probe::default();
    if root.ply() > options.moves || below(100) < u64::from(options.ignore_rate) {
        return probe;
    }
    let mut all = match book.find(root, options.lookup) {
        Ok(all) => all,
        Err(error) => {
            probe.faults.push(format!("book {}: {error}", book.path().display()));
            return probe;
        }
    };
    all.retain(|found| {
        let legal = root.is_legal(found.mv);
        if !legal {
            probe.faults.push(format!("book: {} is illegal in {}", found.mv, root.to_sfen()));
        }
        legal
    });
    let left = Choice { all: &all, options, side: root.side_to_move() }.narrow(&mut probe.notes);
    let asked = |found: &&BookMove| searchmoves.is_empty() || searchmoves.contains(&found.mv);
    let left: Vec<BookMove> = left.iter().filter(asked).copied().collect();
    let Some(chosen) = draw(&left, options.consider_count, below) else { return probe };
    all.sort_by_key(|found| found.mv != chosen.mv);
    let follow = |found: &BookMove| Line { found: *found, pv: follow(book, root, found, options) };
    let lines: Vec<Line> = all.iter().map(follow).collect();
    let ponder = lines.first().and_then(|line| match line.pv.get(1) {
        Some(&reply) => Some(reply),
        None => reply(book, root, &chosen, options),
    });
    probe.hit = Some(Hit { lines, ponder });
    probe
}

struct Choice<'a> {
    all: &'a [BookMove],
    options: &'a BookOptions,
    side: Color,
}

impl Choice<'_> {
    /// The moves that the options leave.
    fn narrow(&self, notes: &mut Vec<String>) -> Vec<BookMove> {
        let options = self.options;
        let mut left = self.all.to_vec();
        let total: u64 = left.iter().map(|found| u64::from(found.count)).sum();
        if options.narrow && total > 0 {
            left.retain(|found| u64::from(found.count) * 10 >= total);
            self.note(notes, "NarrowBook", left.len());
        }
        let Some(best) = left.first().copied() else { return left };
        if best.depth > 0 && best.depth < options.depth_limit {
            notes.push(format!("book: depth {} is below BookDepthLimit", best.depth));
            return Vec::new();
        }
        let before = left.len();
        let (name, limit) = match self.side {
            Color::Black => ("BookEvalBlackLimit", options.eval_limit[0]),
            Color::White => ("BookEvalWhiteLimit", options.eval_limit[1]),
        };
        let least = best.eval.saturating_sub(options.eval_diff).max(limit);
        left.retain(|found| found.eval >= least);
        if left.len() < before {
            self.note(
                notes,
                &format!("BookEvalDiff {} and {name} {limit}", options.eval_diff),
                left.len(),
            );
        }
        left
    }

    fn note(&self, notes: &mut Vec<String>, cause: &str, left: usize) {
        if left < self.all.len() {
            notes.push(format!("book: {cause} leave {left} of {} moves", self.all.len()));
        }
    }
}

/// One of the moves, by chance.
fn draw(moves: &[BookMove], by_count: bool, below: &mut dyn FnMut(u64) -> u64) -> Option<BookMove> {
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

/// The best move of the book in a position, if it is legal.
fn best(book: &Book, position: &Position, options: &BookOptions) -> Option<BookMove> {
    // A book that cannot be read any more has been complained about at the root.
    let found = book.find(position, options.lookup).unwrap_or_default();
    found.into_iter().find(|found| position.is_legal(found.mv))
}

/// The line that a move begins: always the best move of the book, and at its end the reply noted
/// there.
fn follow(
    book: &Book,
    root: &Position,
    first: &BookMove,
    options: &BookOptions,
) -> Vec<PackedMove> {
    let mut position = root.clone();
    let mut pv = Vec::new();
    let mut now = Some(*first);
    while let Some(found) = now
        && pv.len() < options.pv_moves
        && position.repeated(2).is_none()
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

/// The reply to a move.
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
        BookOptions {
            moves: 16,
            ignore_rate: 0,
            narrow: false,
            eval_diff: 30,
            eval_limit: [0, -140],
            depth_limit: 16,
            consider_count: false,
            pv_moves: 8,
            lookup: Lookup { ignore_ply: false, flipped: true },
        }
    }

    fn book_move(text: &str, eval: i32, depth: u32, count: u32) -> BookMove {
        BookMove { mv: text.parse().unwrap(), ponder: None, eval, depth, count }
    }

    fn left(all: &[BookMove], options: &BookOptions, side: Color) -> Vec<String> {
        let choice = Choice { all, options, side };
        choice.narrow(&mut Vec::new()).iter().map(|found| found.mv.to_string()).collect()
    }

    #[test]
    fn values_and_depths_narrow_the_choice() {
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
        let deep = BookOptions { depth_limit: 21, ..wide };
        assert!(left(&all, &deep, Color::Black).is_empty());
        let unknown = [book_move("7g7f", 0, 0, 1)];
        assert_eq!(left(&unknown, &deep, Color::Black), ["7g7f"]);
        assert!(left(&[], &options(), Color::Black).is_empty());
    }

    #[test]
    fn chance_follows_the_counts_only_when_asked_to() {
        let all = [book_move("7g7f", 0, 0, 3), book_move("2g2f", 0, 0, 1)];
        let times = |moves: &[BookMove], by_count, of: u64| {
            let chosen = |n| draw(moves, by_count, &mut |below| n % below).map(|found| found.mv);
            (0..of).filter(|&n| chosen(n) == Some(all[0].mv)).count()
        };
        assert_eq!((times(&all, false, 4), times(&all, true, 4)), (2, 3));
        let uncounted = all.map(|found| BookMove { count: 0, ..found });
        assert_eq!(times(&uncounted, true, 4), 2);
        assert_eq!(draw(&[], true, &mut |_| 0), None);
    }
}
