//! Positions with moves, scores and results: PSV and hcpe.

use crate::board::Board;
use crate::convert::{color, color_name, legal_move, value_error};
use monomi_games::{Entry as FlatEntry, FlatFormat};
use monomi_movegen::{Layout, PackedPosition, Position};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A position with the move played there, a score and the winner of the game.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Entry {
    entry: FlatEntry,
}

#[pymethods]
impl Entry {
    /// `winner`: 'b', 'w', or None for a draw. `score`: centipawns for the side to move, -32768 to 32767.
    #[new]
    #[pyo3(signature = (board, r#move, score, winner))]
    fn new(board: &Board, r#move: &str, score: i16, winner: Option<&str>) -> PyResult<Self> {
        let position = board.position.clone();
        let mv = legal_move(&position, r#move)?;
        let winner = winner.map(color).transpose()?;
        Ok(Self { entry: FlatEntry { position, mv, score, winner } })
    }

    /// The position.
    #[getter]
    fn board(&self) -> Board {
        Board { position: self.entry.position.clone() }
    }

    /// The move in USI.
    #[getter]
    fn r#move(&self) -> String {
        self.entry.mv.to_string()
    }

    /// The score for the side to move, usually in centipawns.
    #[getter]
    fn score(&self) -> i16 {
        self.entry.score
    }

    /// The winner of the game: 'b', 'w', or None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.entry.winner.map(color_name)
    }

    fn __repr__(&self) -> String {
        let (sfen, mv) = (self.entry.position.to_sfen(), self.entry.mv);
        format!("Entry({sfen:?}, {mv}, {})", self.entry.score)
    }
}

pub fn format_of(name: &str) -> PyResult<FlatFormat> {
    match name {
        "psv" => Ok(FlatFormat::Psv),
        "hcpe" => Ok(FlatFormat::Hcpe),
        _ => Err(value_error(format!("`{name}` is no format: expected 'psv' or 'hcpe'"))),
    }
}

fn format_name(format: FlatFormat) -> &'static str {
    match format {
        FlatFormat::Psv => "PSV",
        FlatFormat::Hcpe => "hcpe",
    }
}

/// The records of some bytes.
pub fn records(data: &[u8], format: FlatFormat) -> PyResult<impl Iterator<Item = &[u8]>> {
    let records = data.chunks_exact(format.size());
    match records.remainder().len() {
        0 => Ok(records),
        _ => Err(value_error(format!(
            "{} bytes are no whole number of {} records, which have {} bytes",
            data.len(),
            format_name(format),
            format.size()
        ))),
    }
}

fn of_record(index: usize, error: impl std::fmt::Display) -> PyErr {
    value_error(format!("record {index}: {error}"))
}

/// The position of a record; its number is for errors, from 0 as in arrays.
pub fn position(record: &[u8], format: FlatFormat, index: usize) -> PyResult<Position> {
    let mut packed = [0; 32];
    packed.copy_from_slice(&record[..32]);
    let layout = match format {
        FlatFormat::Psv => Layout::Sfen,
        FlatFormat::Hcpe => Layout::Hcp,
    };
    PackedPosition(packed).unpack(layout, 1).map_err(|error| of_record(index, error))
}

/// Reads records of PSV or hcpe, given as bytes. ValueError names the first record (from 0) that is invalid.
#[pyfunction]
pub fn unpack(py: Python<'_>, data: &[u8], format: &str) -> PyResult<Vec<Entry>> {
    let format = format_of(format)?;
    let read = |(index, record)| match format.read(record) {
        Ok(entry) => Ok(Entry { entry }),
        Err(error) => Err(of_record(index, error)),
    };
    py.detach(|| records(data, format)?.enumerate().map(read).collect())
}

/// Entries as records of PSV or hcpe, in bytes. ValueError if a position lacks one of the 40 pieces.
#[pyfunction]
pub fn pack<'py>(
    py: Python<'py>,
    entries: Vec<Bound<'py, Entry>>,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_of(format)?;
    let mut bytes = Vec::with_capacity(entries.len() * format.size());
    for (index, entry) in entries.iter().enumerate() {
        append(&entry.get().entry, format, index, &mut bytes)?;
    }
    Ok(PyBytes::new(py, &bytes))
}

fn append(
    entry: &FlatEntry,
    format: FlatFormat,
    index: usize,
    bytes: &mut Vec<u8>,
) -> PyResult<()> {
    let FlatEntry { position, mv, score, winner } = entry;
    format
        .write(position, *mv, *score, *winner, bytes)
        .map_err(|_| of_record(index, "a position without all 40 pieces cannot be packed"))
}

/// Converts records between PSV and hcpe, in bytes. hcpe has no move numbers: PSV made of it has 1.
#[pyfunction]
pub fn convert<'py>(
    py: Python<'py>,
    data: &[u8],
    source: &str,
    target: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (source, target) = (format_of(source)?, format_of(target)?);
    let bytes = py.detach(|| {
        let mut bytes = Vec::with_capacity(data.len() / source.size() * target.size());
        for (index, record) in records(data, source)?.enumerate() {
            let entry = source.read(record).map_err(|error| of_record(index, error))?;
            append(&entry, target, index, &mut bytes)?;
        }
        Ok::<_, PyErr>(bytes)
    })?;
    Ok(PyBytes::new(py, &bytes))
}
