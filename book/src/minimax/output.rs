//! Reads a book, computes its values and writes the new book.

use crate::book_move::{BookMove, PlayedMove};
use crate::convert::{Conversion, ConvertError, Converted};
use crate::convert::{NewBook, SortedBook, check_output};
use crate::entry::{BookEntry, Faults};
use crate::fault::BookError;
use crate::format::Format;
use crate::minimax::graph::{Draft, Graph, Next};
use crate::minimax::propagate::{Values, propagate};
use crate::minimax::value::{PERPETUAL_CHECK, Value};
use crate::reader::BookReader;
use crate::ybb::YbbFault;
use monomi_movegen::PackedMove;
use monomi_movegen::{Layout, PackedPosition};
use monomi_support::batch::files;
use monomi_support::text::{error_message, messages};
use std::io;
use std::path::Path;

/// The number of positions that fit into 32 bits.
const MOST: usize = u32::MAX as usize - 1;

/// How values are computed and written.
#[derive(Clone, Debug)]
pub struct Minimax {
    /// Threads that generate moves.
    pub threads: usize,
    /// Write only the moves with the best value of each position.
    pub shrink: bool,
    /// The value of a draw by repetition for Black; White's is its opposite.
    pub draw: i16,
    /// For writing a book of another format than the one read.
    pub conversion: Conversion,
}

/// What was computed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Minimaxed {
    /// What was written.
    pub written: Converted,
    /// Illegal moves of the book, which are left out.
    pub illegal: u64,
    /// Moves that were added because they lead to a position of the book.
    pub added: u64,
    /// Positions without a move, which count as lost for the side to move.
    pub without_moves: u64,
    /// Positions from which a repetition can be reached.
    pub cyclic: u64,
    /// Positions of perpetual checks.
    pub check_loops: u64,
    /// Positions of perpetual checks with too many lines; they were computed like other repetitions.
    pub given_up: u64,
    /// How often the positions with repetitions were computed.
    pub passes: usize,
    /// Positions that still changed in the last pass.
    pub unsettled: u64,
}

messages! {
    /// Why the values cannot be computed.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum MinimaxError {
        /// The book cannot be read or written.
        Convert(error: ConvertError) => both "{error}";
        /// The book has too many positions or moves for 32 bits.
        TooLarge =>
            "the book has more positions or moves than 32 bits can count",
            "局面または指し手の数が 32 ビットを超えています";
    }
}
error_message!(MinimaxError, Convert: ConvertError);

impl MinimaxError {
    /// A file could not be read.
    pub(crate) fn reading(path: &Path, error: io::Error) -> Self {
        ConvertError::Reading(path.to_owned(), error).into()
    }
}

impl From<BookError> for MinimaxError {
    fn from(error: BookError) -> Self {
        ConvertError::Book(error).into()
    }
}

/// Computes the values of a book (`.db` or `.ybb`) and writes the new one. A book of the same format has the
/// order of the one read.
///
/// # Errors
/// The book cannot be read or is too large, or the new one cannot be written.
pub fn minimax(book: &Path, output: &Path, how: &Minimax) -> Result<Minimaxed, MinimaxError> {
    check_output(output)?;
    let (draft, faults) = read(book)?;
    let graph = draft.finish(how.threads).map_err(|error| MinimaxError::reading(book, error))?;
    if graph.edges.len() > MOST {
        return Err(MinimaxError::TooLarge);
    }
    let count = graph.len();
    let values = compute(&graph, how.draw);
    let mut done = Minimaxed {
        illegal: graph.illegal,
        added: graph.added,
        without_moves: (0..count).filter(|&node| graph.moves(node).is_empty()).count() as u64,
        cyclic: values.cyclic,
        check_loops: values.loops.nodes.len() as u64,
        given_up: values.loops.given_up,
        passes: values.passes,
        unsettled: values.unsettled,
        ..Minimaxed::default()
    };
    let chosen = Chosen { graph: &graph, values: &values, shrink: how.shrink };
    done.written = chosen.write(book, output, &how.conversion)?;
    done.written.faults = vec![(book.to_owned(), faults)];
    Ok(done)
}

/// The values of all positions; `draw` is that of a draw for Black.
pub fn compute(graph: &Graph, draw: i16) -> Values {
    if draw == 0 {
        return propagate(graph, |_| 0);
    }
    let (both, count) = (graph.for_both_colors(), graph.len());
    propagate(&both, |node| {
        // The side that moves to a position is the other one.
        let white = graph.is_white(node % count) ^ (node >= count);
        if white { draw } else { -draw }
    })
}

/// Reads the positions of a book. Those that cannot be unpacked are faults.
pub fn read(book: &Path) -> Result<(Draft, Faults), MinimaxError> {
    let reading = |error| MinimaxError::reading(book, error);
    let mut reader = BookReader::open(book)?;
    let mut draft = Draft::default();
    while let Some(entry) = reader.read().map_err(reading)? {
        match entry.position.unpack(Layout::Sfen, 1) {
            Ok(_) if draft.len() < MOST => draft.add(&entry),
            Ok(_) => return Err(MinimaxError::TooLarge),
            Err(error) => reader.complain(|number| YbbFault::Position(number, error)),
        }
    }
    Ok((draft, reader.into_faults()))
}

/// The moves of all positions with their values.
pub struct Chosen<'a> {
    pub graph: &'a Graph,
    pub values: &'a Values,
    /// Only the moves with the best value.
    pub shrink: bool,
}

impl Chosen<'_> {
    fn write(
        &self,
        book: &Path,
        output: &Path,
        conversion: &Conversion,
    ) -> Result<Converted, ConvertError> {
        let writing = |error: io::Error| ConvertError::Writing(output.to_owned(), error);
        let format = Format::of(output);
        if format != Format::of(book) {
            let mut sorted = SortedBook::new(format, conversion);
            (0..self.graph.len())
                .try_for_each(|node| sorted.add(&self.entry(node)))
                .map_err(writing)?;
            return sorted.write(output, conversion);
        }
        let mut converted = Converted::default();
        files::replace(output, |out| {
            let mut new = NewBook::new(out, format, conversion)?;
            for node in 0..self.graph.len() {
                new.write(&self.entry(node), &mut converted)?;
            }
            new.finish()
        })
        .map_err(writing)?;
        Ok(converted)
    }

    fn entry(&self, node: usize) -> BookEntry {
        let played = |(mv, value): (_, Value)| {
            let (eval, depth) = (i32::from(value.value), u32::from(value.depth));
            let found = BookMove { mv, ponder: None, eval, depth, count: 1 };
            PlayedMove { found, results: None }
        };
        let moves = self.moves(node).into_iter().map(played).collect();
        let position = PackedPosition(self.graph.positions[node]);
        BookEntry { position, ply: self.graph.plies[node], moves }
    }

    /// The moves of a position, best first. A move with the same value as the best one, but another
    /// depth, gets one less: it may lead around a repetition.
    pub fn moves(&self, node: usize) -> Vec<(PackedMove, Value)> {
        let value = |next| match next {
            Next::Leaf(value) => Value { value, depth: 0 },
            Next::Node(next) => {
                let next = next as usize;
                let mut value = self.values.values[next];
                // Of moves with the same value those that go on giving check are worse.
                if self.values.loops.member[next] && self.graph.checked[next] {
                    value.depth = PERPETUAL_CHECK;
                }
                value
            }
        };
        let moves = self.graph.moves(node).iter();
        let mut moves: Vec<_> = moves.map(|edge| (edge.mv, value(edge.next))).collect();
        moves.sort_by(|a, b| b.1.order(a.1));
        let Some(&(_, best)) = moves.first() else { return moves };
        moves.retain(|(_, value)| !self.shrink || value.value == best.value);
        for (_, value) in &mut moves {
            if value.value == best.value && value.depth != best.depth {
                value.value = value.value.saturating_sub(1);
            }
        }
        moves
    }
}
