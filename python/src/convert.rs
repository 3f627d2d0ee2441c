//! Values of Python and their counterparts.

use crate::board::Board;
use monomi_movegen::{PackedMove, Position, position_text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};
use shogi_core::{Color, Square};
use std::fmt::Display;
use std::time::Duration;

/// An error of the library as `ValueError`.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// `b` or `w`.
pub fn color_name(color: Color) -> &'static str {
    if color == Color::Black { "b" } else { "w" }
}

/// Reads `b`, `w`, `black` or `white`.
pub fn color(name: &str) -> PyResult<Color> {
    match name {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(value_error(format!("`{name}` is no side: expected 'b' or 'w'"))),
    }
}

/// Reads `7g`.
pub fn square(name: &str) -> PyResult<Square> {
    monomi_movegen::square::parse(name)
        .ok_or_else(|| value_error(format!("`{name}` is no square: expected 1a to 9i")))
}

/// `7g`.
pub fn square_name(square: Square) -> String {
    monomi_movegen::square::name(square)
}

/// A position from a `Board`, or from a text as after `position` in USI.
pub fn position(value: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(board) = value.cast::<Board>() {
        return Ok(board.try_borrow()?.position.clone());
    }
    let text = value.cast::<PyString>().map_err(|_| {
        let kind = value.get_type();
        PyTypeError::new_err(format!("a position is a Board or a str, not {kind}"))
    })?;
    position_from_text(&text.to_cow()?)
}

/// Reads a text as after `position` in USI.
pub fn position_from_text(text: &str) -> PyResult<Position> {
    let text = text.trim();
    position_text::read(text.strip_prefix("position ").unwrap_or(text)).map_err(value_error)
}

/// Reads a move in USI. It need not be legal.
pub fn a_move(text: &str) -> PyResult<PackedMove> {
    text.parse().map_err(value_error)
}

/// Reads a move in USI that is legal in a position.
pub fn legal_move(position: &Position, text: &str) -> PyResult<PackedMove> {
    let mv = a_move(text)?;
    if position.is_legal(mv) {
        return Ok(mv);
    }
    Err(value_error(format!("{mv} is illegal in {}", position.to_sfen())))
}

/// A time in seconds.
pub fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| value_error(format!("{name} is {seconds}: expected seconds, 0 or more")))
}

/// The text of every move, made once: lists of moves only count references.
fn names(py: Python<'_>) -> &'static [Option<Py<PyString>>] {
    static NAMES: PyOnceLock<Vec<Option<Py<PyString>>>> = PyOnceLock::new();
    NAMES.get_or_init(py, || {
        let name = |bits| {
            let mv = PackedMove::from_bits(bits)?;
            Some(PyString::new(py, &mv.to_string()).unbind())
        };
        (0..=u16::MAX).map(name).collect()
    })
}

/// A move as text.
pub fn move_text(py: Python<'_>, mv: PackedMove) -> Bound<'_, PyString> {
    match &names(py)[usize::from(mv.bits())] {
        Some(name) => name.bind(py).clone(),
        None => PyString::new(py, &mv.to_string()),
    }
}

/// Moves as a list of texts.
pub fn move_list<'py>(py: Python<'py>, moves: &[PackedMove]) -> PyResult<Bound<'py, PyList>> {
    let names = names(py);
    let text = |mv: &PackedMove| match &names[usize::from(mv.bits())] {
        Some(name) => name.bind(py).clone(),
        None => PyString::new(py, &mv.to_string()),
    };
    PyList::new(py, moves.iter().map(text))
}
