//! Game records.

use crate::board::Board;
use crate::convert::{color_name, legal_move, position, value_error};
use monomi_movegen::{PackedMove, Position};
use monomi_record::{self as record, Encoding, Ending, Format, write};
use monomi_support::batch::files;
use monomi_support::text::{Lang, Message as _};
use pyo3::exceptions::{PyIndexError, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::path::{Path, PathBuf};

/// A move of a record, with the time used and comments.
#[pyclass(module = "monomi_shogi", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub struct Played {
    /// The move in USI.
    r#move: String,
    /// The time used, in whole seconds, or None.
    seconds: Option<u32>,
    /// The comments after the move, one for each line.
    comments: Vec<String>,
}

#[pymethods]
impl Played {
    #[new]
    #[pyo3(signature = (r#move, seconds = None, comments = Vec::new()))]
    fn new(r#move: String, seconds: Option<u32>, comments: Vec<String>) -> Self {
        Self { r#move, seconds, comments }
    }

    fn __repr__(&self) -> String {
        let seconds = self.seconds.map_or("None".to_owned(), |seconds| seconds.to_string());
        format!("Played('{}', {seconds}, {:?})", self.r#move, self.comments)
    }
}

impl Played {
    fn of(played: &record::Played) -> Self {
        Self {
            r#move: played.mv.to_string(),
            seconds: played.seconds,
            comments: played.comments.clone(),
        }
    }
}

/// A variation: its first move replaces move `before + 1` of the line that it leaves.
#[pyclass(module = "monomi_shogi", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub struct Branch {
    /// The number of moves of the game before it.
    before: usize,
    /// Its moves.
    moves: Vec<Played>,
    /// How it ends, see `Record.ending`, or None.
    ending: Option<String>,
}

#[pymethods]
impl Branch {
    #[new]
    #[pyo3(signature = (before, moves, ending = None))]
    fn new(before: usize, moves: Vec<Bound<'_, PyAny>>, ending: Option<String>) -> PyResult<Self> {
        let moves = moves.iter().map(one_move).collect::<PyResult<_>>()?;
        Ok(Self { before, moves, ending })
    }

    fn __repr__(&self) -> String {
        let moves: Vec<&str> = self.moves.iter().map(|played| played.r#move.as_str()).collect();
        format!("Branch({}, {moves:?})", self.before)
    }
}

/// A move given as `Played` or as text in USI.
fn one_move(value: &Bound<'_, PyAny>) -> PyResult<Played> {
    if let Ok(played) = value.cast::<Played>() {
        return Ok(played.get().clone());
    }
    let text = value.cast::<PyString>().map_err(|_| {
        let kind = value.get_type();
        PyTypeError::new_err(format!("a move is a str in USI or a Played, not {kind}"))
    })?;
    Ok(Played { r#move: text.to_cow()?.into_owned(), seconds: None, comments: Vec::new() })
}

/// Moves that can be played one after the other from a position.
fn play(mut position: Position, moves: &[Played]) -> PyResult<Vec<record::Played>> {
    let mut line = Vec::new();
    for played in moves {
        let mv = legal_move(&position, &played.r#move)?;
        position.do_move(mv);
        let mut found = record::Played::new(mv);
        (found.seconds, found.comments) = (played.seconds, played.comments.clone());
        line.push(found);
    }
    Ok(line)
}

/// An ending from a word of KIF or CSA.
fn ending_of(word: &str) -> Ending {
    let word = word.trim_start_matches('%');
    Ending::from_kif(word).unwrap_or_else(|| Ending::from_csa(word))
}

fn format_of(name: &str) -> PyResult<Format> {
    match name.to_ascii_lowercase().as_str() {
        "kif" | "kifu" => Ok(Format::Kif),
        "ki2" | "ki2u" => Ok(Format::Ki2),
        "csa" => Ok(Format::Csa),
        "jkf" | "json" => Ok(Format::Jkf),
        "usi" => Ok(Format::Usi),
        _ => Err(value_error(format!("`{name}` is no format: expected kif, ki2, csa, jkf or usi"))),
    }
}

fn encoding_of(name: &str) -> PyResult<Encoding> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "utf8" => Ok(Encoding::Utf8),
        "utf8sig" | "utf8bom" | "utf8withbom" => Ok(Encoding::Utf8Bom),
        "utf16" => Ok(Encoding::Utf16),
        "shiftjis" | "sjis" | "cp932" | "windows31j" => Ok(Encoding::ShiftJis),
        "eucjp" => Ok(Encoding::EucJp),
        "iso2022jp" => Ok(Encoding::Iso2022Jp),
        _ => Err(value_error(format!(
            "`{name}` is no encoding: expected utf-8, utf-8-sig, utf-16, shift_jis, euc-jp or iso-2022-jp"
        ))),
    }
}

fn encoding_name(encoding: Encoding) -> String {
    match encoding {
        Encoding::Utf8Bom => "utf-8-sig".to_owned(),
        other => other.name().to_ascii_lowercase(),
    }
}

/// A game: headers, moves with times and comments, variations, how it ended.
///
/// `start`: a `Board`, or a text as after `position` in USI. `moves`: texts in USI or `Played`; they must be legal.
/// `headers`: a dict, or pairs, with the keys of KIF such as 先手, 後手, 棋戦, 開始日時. `ending`: a word of KIF or CSA, such as
/// 投了 or TORYO.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Record {
    pub record: record::Record,
    encoding: Option<Encoding>,
}

fn pairs(headers: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    match headers.cast::<PyDict>() {
        Ok(headers) => {
            headers.iter().map(|(key, value)| Ok((key.extract()?, value.extract()?))).collect()
        }
        Err(_) => headers.extract(),
    }
}

impl Record {
    fn moves_of(line: &[record::Played]) -> Vec<Played> {
        line.iter().map(Played::of).collect()
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (start = None, moves = Vec::new(), *, headers = None, comments = Vec::new(), ending = None, ending_seconds = None, branches = Vec::new()))]
    fn new(
        start: Option<&Bound<'_, PyAny>>,
        moves: Vec<Bound<'_, PyAny>>,
        headers: Option<&Bound<'_, PyAny>>,
        comments: Vec<String>,
        ending: Option<&str>,
        ending_seconds: Option<u32>,
        branches: Vec<Bound<'_, Branch>>,
    ) -> PyResult<Self> {
        let mut from = match start {
            Some(start) => position(start)?,
            None => Position::startpos(),
        };
        // The moves of a `Board` are the first ones of the game.
        let mut before: Vec<PackedMove> = Vec::new();
        while let Some(mv) = from.last_move() {
            before.push(mv);
            from.undo_move();
        }
        let given: Vec<Played> = moves.iter().map(one_move).collect::<PyResult<_>>()?;
        let plain = |mv: &PackedMove| Played {
            r#move: mv.to_string(),
            seconds: None,
            comments: Vec::new(),
        };
        let all: Vec<Played> = before.iter().rev().map(plain).chain(given).collect();
        let mut record = record::Record::new(from.clone());
        record.moves = play(from, &all)?;
        record.headers = headers.map(pairs).transpose()?.unwrap_or_default();
        record.comments = comments;
        record.ending = ending.map(ending_of);
        record.ending_seconds = ending_seconds;
        let mut path = record.moves.clone();
        for branch in &branches {
            let branch = branch.get();
            if branch.before > path.len() {
                return Err(value_error(format!(
                    "a variation after {} moves, but the line before it has only {}",
                    branch.before,
                    path.len()
                )));
            }
            path.truncate(branch.before);
            let mut position = record.start.clone();
            for played in &path {
                position.do_move(played.mv);
            }
            let moves = play(position, &branch.moves)?;
            path.extend_from_slice(&moves);
            let mut found = record::Branch::new(branch.before, moves);
            found.ending = branch.ending.as_deref().map(ending_of);
            record.branches.push(found);
        }
        Ok(Self { record, encoding: None })
    }

    /// The format that it was read from: 'kif', 'ki2', 'csa', 'jkf' or 'usi'.
    #[getter]
    fn format(&self) -> String {
        self.record.format.name().to_ascii_lowercase()
    }

    /// The encoding of the file, such as 'shift_jis'; None for text.
    #[getter]
    fn encoding(&self) -> Option<String> {
        self.encoding.map(encoding_name)
    }

    /// The headers in their order, with the keys of KIF.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.record.headers.clone()
    }

    /// The names of Black and White, empty if they are not given.
    #[getter]
    fn players(&self) -> (&str, &str) {
        self.record.players().into()
    }

    /// The ratings of Black and White that records of floodgate give, or None.
    #[getter]
    fn ratings(&self) -> (Option<i32>, Option<i32>) {
        self.record.ratings.into()
    }

    /// The first position.
    #[getter]
    fn start(&self) -> Board {
        Board { position: self.record.start.clone() }
    }

    /// The comments before the first move, one for each line.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.record.comments.clone()
    }

    /// The moves of the main line, with times and comments.
    #[getter]
    fn moves(&self) -> Vec<Played> {
        Self::moves_of(&self.record.moves)
    }

    /// How the game ended, in the words of KIF (投了, 千日手, 切れ負け, 反則勝ち, 反則負け, 持将棋, 入玉勝ち, 詰み, 中断, ...),
    /// seen by the side to move, or None.
    #[getter]
    fn ending(&self) -> Option<&str> {
        self.record.ending.as_ref().map(Ending::kif)
    }

    /// How the game ended, in English, or None.
    #[getter]
    fn ending_in_english(&self) -> Option<String> {
        self.record.ending.as_ref().map(|ending| ending.in_lang(Lang::En).to_string())
    }

    /// The time used for the ending, in seconds, or None.
    #[getter]
    fn ending_seconds(&self) -> Option<u32> {
        self.record.ending_seconds
    }

    /// The winner, if the record says it or the rules do: 'b' or 'w', or None.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.record.winner().map(color_name)
    }

    /// The variations, in the order of the file.
    #[getter]
    fn branches(&self) -> Vec<Branch> {
        let branch = |branch: &record::Branch| Branch {
            before: branch.before,
            moves: Self::moves_of(&branch.moves),
            ending: branch.ending.as_ref().map(|ending| ending.kif().to_owned()),
        };
        self.record.branches.iter().map(branch).collect()
    }

    /// Parts of the file that could not be read; the moves before them are valid.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.record.faults.iter().map(ToString::to_string).collect()
    }

    /// The board after so many moves of the main line; after all of them by default.
    #[pyo3(signature = (ply = None))]
    fn board(&self, ply: Option<usize>) -> PyResult<Board> {
        let all = self.record.moves.len();
        let ply = ply.unwrap_or(all);
        if ply > all {
            return Err(PyIndexError::new_err(format!("the game has {all} moves, not {ply}")));
        }
        let mut position = self.record.start.clone();
        for played in &self.record.moves[..ply] {
            position.do_move(played.mv);
        }
        Ok(Board { position })
    }

    /// All boards of the main line, from the first position to the one after the last move.
    fn boards(&self) -> Vec<Board> {
        self.record.positions().map(|position| Board { position }).collect()
    }

    /// The record as text: 'kif', 'ki2' (no times), 'csa' (no variations), 'jkf', or 'usi' (the moves only).
    #[pyo3(signature = (format = "kif"))]
    fn to_text(&self, format: &str) -> PyResult<String> {
        Ok(write::write(&self.record, format_of(format)?, Encoding::Utf8))
    }

    /// The record as bytes. Encodings: utf-8, utf-8-sig, utf-16, shift_jis, euc-jp, iso-2022-jp. What the encoding does not
    /// have becomes 〓.
    #[pyo3(signature = (format = "kif", encoding = "utf-8"))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        encoding: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.bytes(format_of(format)?, encoding_of(encoding)?)))
    }

    /// Writes the record to a file. The format is that of the file's name; the encoding is Shift_JIS for .kif and .ki2, and
    /// UTF-8 otherwise, as .kifu and .ki2u demand. An existing file is replaced as a whole.
    #[pyo3(signature = (path, *, format = None, encoding = None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        encoding: Option<&str>,
    ) -> PyResult<()> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let format = format_of(format.unwrap_or(&extension))?;
        let extension = extension.to_ascii_lowercase();
        let usual = match extension.as_str() {
            "kif" | "ki2" => Encoding::ShiftJis,
            _ => Encoding::Utf8,
        };
        let encoding = encoding.map(encoding_of).transpose()?.unwrap_or(usual);
        let bytes = self.bytes(format, encoding);
        py.detach(|| files::write(&path, &bytes)).map_err(|error| os_error(&path, &error))
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __repr__(&self) -> String {
        let (format, [black, white]) = (self.record.format.name(), self.record.players());
        format!("<Record: {format}, {} moves, {black:?} - {white:?}>", self.record.moves.len())
    }
}

impl Record {
    fn bytes(&self, format: Format, encoding: Encoding) -> Vec<u8> {
        let text = write::write(&self.record, format, encoding);
        let end = if format == Format::Usi { "\n" } else { "" };
        write::encode(&(text + end), encoding)
    }
}

fn os_error(path: &Path, error: &std::io::Error) -> PyErr {
    let text = format!("{}: {error}", path.display());
    match error.raw_os_error() {
        // Python makes FileNotFoundError and the like of the number.
        Some(number) => PyOSError::new_err((number, error.to_string(), path.to_owned())),
        None => PyOSError::new_err(text),
    }
}

fn of_file(file: record::File, encoding: bool) -> Vec<Record> {
    let encoding = encoding.then_some(file.encoding);
    file.records.into_iter().map(|record| Record { record, encoding }).collect()
}

/// Reads the games of a record: bytes in any Japanese or Unicode encoding, or text. KIF, KI2, CSA, JKF and USI lines; the
/// content tells the format.
///
/// ValueError if there is no game. A game with invalid parts is no error: see `Record.faults`.
#[pyfunction]
pub fn read_records(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Vec<Record>> {
    if let Ok(text) = data.cast::<PyString>() {
        let text = text.to_cow()?;
        let records = py.detach(|| record::read_text(&text)).map_err(value_error)?;
        return Ok(records.into_iter().map(|record| Record { record, encoding: None }).collect());
    }
    let bytes: Vec<u8> = data.extract().map_err(|_| {
        let kind = data.get_type();
        PyTypeError::new_err(format!("a record is bytes or a str, not {kind}"))
    })?;
    let file = py.detach(|| record::read(&bytes)).map_err(value_error)?;
    Ok(of_file(file, true))
}

/// Reads the games of a file, as `read_records`.
#[pyfunction]
pub fn read_file(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Record>> {
    let bytes = py.detach(|| std::fs::read(&path)).map_err(|error| os_error(&path, &error))?;
    let file = py.detach(|| record::read(&bytes));
    let file = file.map_err(|error| value_error(format!("{}: {error}", path.display())))?;
    Ok(of_file(file, true))
}
