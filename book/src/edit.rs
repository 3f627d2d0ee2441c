//! Building books from games and other books, and checking a book.

use crate::book_move::BookMove;
use crate::book_move::Results;
use crate::fault::{Fault, Reason};
use crate::opened::NAMED_FAULTS;
use crate::text::{self, DbLine, HEADER};
use monomi_movegen::square::Dense;
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Write};

/// Collects the moves of a book; positions are sorted as they will be written.
#[derive(Debug, Default)]
pub struct BookBuilder {
    positions: BTreeMap<String, Vec<BuilderMove>>,
}

#[derive(Debug)]
struct BuilderMove {
    found: BookMove,
    results: Results,
    /// How often each reply was played.
    replies: HashMap<PackedMove, u32>,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWon,
    /// A draw.
    Drawn,
    /// White won.
    WhiteWon,
    /// The result is unknown.
    Unknown,
}

impl GameResult {
    /// The game as a result of one side; nothing if the result is unknown.
    pub fn for_side(self, side: Color) -> Results {
        let none = Results::default();
        match (self, side) {
            (Self::Unknown, _) => none,
            (Self::Drawn, _) => Results { drawn: 1, ..none },
            (Self::BlackWon, Color::Black) | (Self::WhiteWon, Color::White) => {
                Results { won: 1, ..none }
            }
            _ => Results { lost: 1, ..none },
        }
    }
}

impl BookBuilder {
    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    fn entry(&mut self, sfen: String, mv: PackedMove) -> &mut BuilderMove {
        let moves = self.positions.entry(sfen).or_default();
        let index = moves.iter().position(|known| known.found.mv == mv).unwrap_or_else(|| {
            let found = BookMove { mv, ponder: None, eval: 0, depth: 0, count: 0 };
            moves.push(BuilderMove { found, results: Results::default(), replies: HashMap::new() });
            moves.len() - 1
        });
        &mut moves[index]
    }

    /// Adds the first `plies` moves of a game, those of Black if `only[0]` and those of White if
    /// `only[1]`. They must be legal.
    pub fn add_game(
        &mut self,
        start: &Position,
        moves: &[PackedMove],
        plies: usize,
        result: GameResult,
        only: [bool; 2],
    ) {
        let mut position = start.clone();
        for (index, &mv) in moves.iter().enumerate().take(plies) {
            if !only[position.side_to_move().dense()] {
                position.do_move(mv);
                continue;
            }
            let entry = self.entry(position.to_sfen(), mv);
            entry.found.count = entry.found.count.saturating_add(1);
            entry.results += result.for_side(position.side_to_move());
            if let Some(&reply) = moves.get(index + 1) {
                *entry.replies.entry(reply).or_default() += 1;
            }
            position.do_move(mv);
        }
    }

    /// Adds the moves of a book. Counts are added, evaluations are taken from the deeper search, and
    /// results written by [`BookBuilder::write`] are added. Returns the first invalid lines, which
    /// are skipped, and their number.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn add_book(&mut self, input: impl BufRead) -> std::io::Result<(Vec<Fault>, usize)> {
        let mut faults = Faults::default();
        let mut current: Option<String> = None;
        let mut last: Option<PackedMove> = None;
        each_line(input, |number, line| {
            match text::read(line) {
                Ok(DbLine::Blank) => {}
                Ok(DbLine::Results(results)) => {
                    if let (Some(sfen), Some(mv)) = (&current, last) {
                        self.entry(sfen.clone(), mv).results += results;
                    }
                }
                Ok(DbLine::Position(sfen)) => {
                    last = None;
                    let (board, side, hands) = (sfen.board, sfen.side, sfen.hands);
                    let text = format!("{board} {side} {hands} {}", sfen.ply.max(1));
                    match Position::from_sfen(&text) {
                        // Normalise the order of the hands.
                        Ok(position) => current = Some(position.to_sfen()),
                        Err(error) => {
                            current = None;
                            faults.add(number, line, error);
                        }
                    }
                }
                Ok(DbLine::Move(found)) => {
                    let Some(sfen) = &current else { return };
                    last = Some(found.mv);
                    let entry = self.entry(sfen.clone(), found.mv);
                    let known = &mut entry.found;
                    if found.depth > known.depth || known.count == 0 {
                        (known.eval, known.depth) = (found.eval, found.depth);
                    }
                    if let Some(ponder) = found.ponder {
                        *entry.replies.entry(ponder).or_default() += found.count.max(1);
                    }
                    known.count = known.count.saturating_add(found.count);
                }
                Err(reason) => {
                    if text::is_position(line) {
                        // The moves that follow do not belong to the position before.
                        (current, last) = (None, None);
                    }
                    faults.add(number, line, reason);
                }
            }
        })?;
        Ok((faults.named, faults.count))
    }

    /// Removes moves played less than `least` times.
    pub fn prune(&mut self, least: u32) {
        self.positions.retain(|_, moves| {
            moves.retain(|known| known.found.count >= least);
            !moves.is_empty()
        });
    }

    /// Replaces evaluations by estimates from the results: `600 * ln(odds)` centipawns, where each
    /// move starts with one win and one loss.
    pub fn score_by_results(&mut self) {
        for known in self.positions.values_mut().flatten() {
            let Results { won, drawn, lost } = known.results;
            let [won, drawn, lost] = [won, drawn, lost].map(f64::from);
            let odds = (won + 0.5 * drawn + 1.0) / (lost + 0.5 * drawn + 1.0);
            known.found.eval = (600.0 * odds.ln()).round() as i32;
        }
    }

    /// Writes the book, sorted for binary search. The moves of a position are written best first; a
    /// comment after a move gives its results if there are any.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        writeln!(out, "{HEADER}")?;
        for (sfen, moves) in &self.positions {
            writeln!(out, "sfen {sfen}")?;
            let mut moves: Vec<&BuilderMove> = moves.iter().collect();
            moves.sort_by_key(|known| {
                let BookMove { mv, eval, count, .. } = known.found;
                (std::cmp::Reverse(eval), std::cmp::Reverse(count), mv)
            });
            for known in moves {
                let reply = known.replies.iter().max_by_key(|(mv, n)| (**n, **mv));
                let ponder = reply.map(|(&mv, _)| mv);
                writeln!(out, "{}", text::write(&BookMove { ponder, ..known.found }))?;
                if !known.results.is_empty() {
                    writeln!(out, "{}", known.results)?;
                }
            }
        }
        out.flush()
    }
}

#[derive(Default)]
struct Faults {
    named: Vec<Fault>,
    count: usize,
}

impl Faults {
    fn add(&mut self, line: usize, text: &str, reason: impl Into<Reason>) {
        self.count += 1;
        if self.named.len() < NAMED_FAULTS {
            self.named.push(Fault::new(line, text, reason));
        }
    }
}

/// The result of checking a book.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Inspection {
    /// The number of positions.
    pub positions: usize,
    /// The number of moves.
    pub moves: usize,
    /// The first invalid lines, including illegal moves.
    pub faults: Vec<Fault>,
    /// The number of invalid lines.
    pub fault_count: usize,
    /// The number of repeated positions.
    pub duplicates: usize,
    /// The first line that is not in the order needed for searching on disk.
    pub unsorted_at: Option<usize>,
}

/// Checks every line and move of a `.db`.
///
/// # Errors
/// The book cannot be read.
pub fn inspect(input: impl BufRead) -> std::io::Result<Inspection> {
    let mut found = Inspection::default();
    let mut faults = Faults::default();
    let mut current: Option<Position> = None;
    let mut former = String::new();
    let mut seen = std::collections::HashSet::new();
    each_line(input, |number, line| match text::read(line) {
        Ok(DbLine::Blank | DbLine::Results(_)) => {}
        Ok(DbLine::Position(_)) => {
            let text = line.trim_end();
            if text < former.as_str() && found.unsorted_at.is_none() {
                found.unsorted_at = Some(number);
            }
            text.clone_into(&mut former);
            found.positions += 1;
            match Position::from_sfen(text) {
                Ok(position) => {
                    if !seen.insert((position.key(), position.ply())) {
                        found.duplicates += 1;
                    }
                    current = Some(position);
                }
                Err(error) => {
                    current = None;
                    faults.add(number, line, error);
                }
            }
        }
        Ok(DbLine::Move(book_move)) => {
            found.moves += 1;
            let Some(position) = &mut current else { return };
            if !position.is_legal(book_move.mv) {
                faults.add(number, line, Reason::Illegal(book_move.mv));
            } else if let Some(ponder) = book_move.ponder {
                position.do_move(book_move.mv);
                if !position.is_legal(ponder) {
                    faults.add(number, line, Reason::IllegalReply(ponder));
                }
                position.undo_move();
            }
        }
        Err(reason) => faults.add(number, line, reason),
    })?;
    (found.faults, found.fault_count) = (faults.named, faults.count);
    Ok(found)
}

/// Calls `take` with each line and its number, from 1.
fn each_line(mut input: impl BufRead, mut take: impl FnMut(usize, &str)) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        take(number, &String::from_utf8_lossy(&bytes));
    }
    Ok(())
}
