//! `Board`: a position with the moves that led to it.

use crate::convert::{
    a_move, color, color_name, legal_move, move_list, move_text, position_from_text, square,
    square_name, value_error,
};
use crate::work;
use monomi_analysis::{Notation, names};
use monomi_movegen::{
    CheckInfo, Declaration, EnteringKingRule, Layout, Outcome, PackedMove, PackedPosition,
    Position, Repetition, divide, perft,
};
use monomi_record::notation::{csa_move, kif_move};
use monomi_record::{Diagram, bod, csa_board, handicap_name};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use shogi_core::{Square, ToUsi};
use std::sync::atomic::Ordering;

/// A position of shogi, with the moves that led to it.
///
/// `Board()` is the first position of a game; otherwise give a text as after `position` in USI: `startpos moves 7g7f`, or
/// an sfen. Moves are texts in USI ('7g7f', '8h2b+', 'P*5e'), squares are texts such as '7g', sides are 'b' (Black,
/// 先手) and 'w'. Two boards are equal if pieces, hands and side to move are.
#[pyclass(module = "monomi_shogi")]
pub struct Board {
    pub position: Position,
}

/// The first position of a line and the moves from it.
fn line(position: &Position) -> (Position, Vec<PackedMove>) {
    let mut start = position.clone();
    let mut moves = Vec::new();
    while let Some(mv) = start.last_move() {
        moves.push(mv);
        start.undo_move();
    }
    moves.reverse();
    (start, moves)
}

pub fn rule_of(name: &str) -> PyResult<EnteringKingRule> {
    EnteringKingRule::from_name(name).ok_or_else(|| {
        let names = EnteringKingRule::NAMES.map(|(_, name)| name).join(", ");
        value_error(format!("`{name}` is no rule: expected one of {names}"))
    })
}

fn repetition_name(repetition: Repetition) -> &'static str {
    match repetition {
        Repetition::Win | Repetition::Superior => "win",
        Repetition::Lose | Repetition::Inferior => "lose",
        Repetition::Draw => "draw",
    }
}

impl Board {
    fn unpacked(bytes: &[u8], layout: Layout, ply: u16) -> PyResult<Self> {
        let packed = <[u8; 32]>::try_from(bytes)
            .map_err(|_| value_error(format!("{} bytes, not 32", bytes.len())))?;
        let position = PackedPosition(packed).unpack(layout, ply).map_err(value_error)?;
        Ok(Self { position })
    }

    fn packed<'py>(&self, py: Python<'py>, layout: Layout) -> PyResult<Bound<'py, PyBytes>> {
        let packed = PackedPosition::pack(&self.position, layout);
        let packed =
            packed.map_err(|_| value_error("a position without all 40 pieces cannot be packed"))?;
        Ok(PyBytes::new(py, &packed.0))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (position = "startpos"))]
    fn new(position: &str) -> PyResult<Self> {
        Ok(Self { position: position_from_text(position)? })
    }

    /// A board from 32 bytes in the packing of YaneuraOu's PSV; `ply` is the number of the next move.
    #[staticmethod]
    #[pyo3(signature = (data, ply = 1))]
    fn from_psfen(data: &[u8], ply: u16) -> PyResult<Self> {
        Self::unpacked(data, Layout::Sfen, ply)
    }

    /// A board from 32 bytes in Apery's packing (hcp); `ply` is the number of the next move.
    #[staticmethod]
    #[pyo3(signature = (data, ply = 1))]
    fn from_hcp(data: &[u8], ply: u16) -> PyResult<Self> {
        Self::unpacked(data, Layout::Hcp, ply)
    }

    /// The position in 32 bytes, in the packing of YaneuraOu's PSV. ValueError if one of the 40 pieces is missing.
    fn to_psfen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.packed(py, Layout::Sfen)
    }

    /// The position in 32 bytes, in Apery's packing (hcp). ValueError if one of the 40 pieces is missing.
    fn to_hcp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.packed(py, Layout::Hcp)
    }

    /// The position as sfen, with the number of the next move.
    #[getter]
    fn sfen(&self) -> String {
        self.position.to_sfen()
    }

    /// The first position and the moves from it, as after `position` in USI.
    #[getter]
    fn usi(&self) -> String {
        let (start, moves) = line(&self.position);
        let sfen = start.to_sfen();
        let mut text = match sfen == Position::startpos().to_sfen() {
            true => "startpos".to_owned(),
            false => format!("sfen {sfen}"),
        };
        if !moves.is_empty() {
            text.push_str(" moves ");
            text.push_str(&monomi_analysis::usi(&moves));
        }
        text
    }

    /// The side to move: 'b' or 'w'.
    #[getter]
    fn turn(&self) -> &'static str {
        color_name(self.position.side_to_move())
    }

    /// The number of the next move: 1 at the start of a game.
    #[getter]
    fn ply(&self) -> u16 {
        self.position.ply()
    }

    /// A hash of board, side to move and hands (64 bits). It may change between versions.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The moves that `pop` can take back, in USI.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &line(&self.position).1)
    }

    /// The last move, or None.
    #[getter]
    fn last_move<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.position.last_move().map(|mv| move_text(py, mv))
    }

    /// All legal moves in USI, non-promotions included.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &self.position.legal_moves())
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.position.in_check()
    }

    /// The squares of the pieces that give check, such as '5a'.
    #[getter]
    fn checkers(&self) -> Vec<String> {
        self.position.checkers().into_iter().map(square_name).collect()
    }

    /// The Japanese name of the handicap whose first position this is ('平手' without one), or None.
    #[getter]
    fn handicap(&self) -> Option<&'static str> {
        handicap_name(&self.position)
    }

    /// Whether a move is legal. A text that is no move is not.
    fn is_legal(&self, mv: &str) -> bool {
        mv.parse().is_ok_and(|mv| self.position.is_legal(mv))
    }

    /// Makes a move. ValueError if it is illegal: the board is as before.
    fn push(&mut self, mv: &str) -> PyResult<()> {
        self.position.play(a_move(mv)?).map_err(value_error)
    }

    /// Takes the last move back and returns it. IndexError if there is none.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let mv = self.position.last_move();
        let mv = mv.ok_or_else(|| PyIndexError::new_err("there is no move to take back"))?;
        self.position.undo_move();
        Ok(move_text(py, mv))
    }

    /// A copy that does not change with this board.
    fn copy(&self) -> Self {
        Self { position: self.position.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let text = slf.try_borrow()?.usi();
        Ok((slf.get_type().into_any().unbind(), (text,)))
    }

    /// Whether the side to move has no legal move: it has lost.
    fn is_mate(&self) -> bool {
        !self.position.has_legal_move()
    }

    /// If this position has occurred this many times (2 or more; the rules say 4): 'draw', or 'win' or 'lose' for the side to
    /// move where one side gave check all the time. Otherwise None.
    #[pyo3(signature = (times = 4))]
    fn repetition(&self, times: usize) -> PyResult<Option<&'static str>> {
        if times < 2 {
            return Err(value_error(format!("{times} times are no repetition")));
        }
        Ok(self.position.repeated(times).map(repetition_name))
    }

    /// How the side to move can win by its entered king now: 'win' by declaring, by the try rule the winning move, otherwise
    /// None. Rules: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H, TryRule.
    #[pyo3(signature = (rule = "CSARule27"))]
    fn declaration(&self, rule: &str) -> PyResult<Option<String>> {
        Ok(self.position.declaration(rule_of(rule)?).map(|won| match won {
            Declaration::Declare => "win".to_owned(),
            Declaration::Try(mv) => mv.to_string(),
        }))
    }

    /// Why the game is over for the side to move: 'mate', 'repetition', 'perpetual check, won', 'perpetual check, lost', or
    /// 'declaration' where it can declare a win. None if it goes on.
    #[pyo3(signature = (rule = "CSARule27"))]
    fn outcome(&self, rule: &str) -> PyResult<Option<&'static str>> {
        let declared = self.position.declaration(rule_of(rule)?) == Some(Declaration::Declare);
        let us = self.position.side_to_move();
        Ok(match self.position.outcome() {
            Some(Outcome::NoMoves { .. }) => Some("mate"),
            Some(Outcome::PerpetualCheck { winner }) if winner == us => {
                Some("perpetual check, won")
            }
            Some(Outcome::PerpetualCheck { .. }) => Some("perpetual check, lost"),
            Some(_) => Some("repetition"),
            None => declared.then_some("declaration"),
        })
    }

    /// A move that mates at once, or None. Interposing by a pawn drop counts as a defence even where it would itself be a
    /// forbidden mate.
    fn mate_in_one<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.position.mate_in_one().map(|mv| move_text(py, mv))
    }

    /// Whether a legal move captures a piece.
    fn is_capture(&self, mv: &str) -> PyResult<bool> {
        let mv = legal_move(&self.position, mv)?;
        Ok(self.position.is_capture(mv))
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: &str) -> PyResult<bool> {
        let mv = legal_move(&self.position, mv)?;
        Ok(self.position.gives_check(mv, &CheckInfo::new(&self.position)))
    }

    /// The piece on a square such as '7g': 'P', for White 'p', promoted '+P'. None if it is empty.
    fn piece_at(&self, square_name: &str) -> PyResult<Option<String>> {
        let piece = self.position.piece_at(square(square_name)?);
        Ok(piece.map(|piece| piece.to_usi_owned()))
    }

    /// All pieces on the board by square: {'9i': 'L', ...}.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in Square::all() {
            if let Some(piece) = self.position.piece_at(square) {
                pieces.set_item(square_name(square), piece.to_usi_owned())?;
            }
        }
        Ok(pieces)
    }

    /// The hand of a side ('b' or 'w'): the numbers of pieces by letter, such as {'R': 1, 'P': 3}.
    fn hand<'py>(&self, py: Python<'py>, side: &str) -> PyResult<Bound<'py, PyDict>> {
        let (side, hand) = (color(side)?, PyDict::new(py));
        for kind in monomi_movegen::square::HAND_KINDS.into_iter().rev() {
            let count = self.position.hand_count(side, kind);
            if count > 0 {
                hand.set_item(kind.to_usi_owned(), count)?;
            }
        }
        Ok(hand)
    }

    /// The number of sequences of `depth` legal moves.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let mut position = self.position.clone();
        // Ctrl-C must end a count that would take years; a count of few plies needs no thread.
        if depth <= 3 {
            return Ok(py.detach(|| perft(&mut position, depth)));
        }
        work::run(py, 1 << 20, move |stop| {
            let stopped = || stop.load(Ordering::Relaxed);
            // Nobody reads the count of an interrupted call.
            divide(&position, depth, &stopped, |_, _| ()).unwrap_or_default()
        })
    }

    /// A line of moves from here in words. Notations: japanese ('▲７六歩'), western ('P-7f'), kif ('７六歩(77)'), csa
    /// ('+7776FU').
    #[pyo3(signature = (moves, notation = "japanese"))]
    fn names(&self, moves: Vec<String>, notation: &str) -> PyResult<Vec<String>> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        for text in &moves {
            let mv = legal_move(&position, text)?;
            position.do_move(mv);
            line.push(mv);
        }
        let mut position = self.position.clone();
        let mut each = |name: &dyn Fn(&Position, PackedMove) -> String| {
            let one = |&mv: &PackedMove| {
                let text = name(&position, mv);
                position.do_move(mv);
                text
            };
            line.iter().map(one).collect::<Vec<_>>()
        };
        Ok(match notation {
            "japanese" => names(&self.position, &self.position.to_partial(), &line),
            "western" => {
                let text = Notation::Western.line(&self.position, &line);
                text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
            }
            "csa" => each(&csa_move),
            "kif" => each(&|position, mv| {
                kif_move(position, mv, position.last_move().map(|last| last.to()))
            }),
            _ => {
                return Err(value_error(format!(
                    "`{notation}` is no notation: expected japanese, western, kif or csa"
                )));
            }
        })
    }

    /// One move in words, see `names`.
    #[pyo3(signature = (mv, notation = "japanese"))]
    fn name(&self, mv: &str, notation: &str) -> PyResult<String> {
        Ok(self.names(vec![mv.to_owned()], notation)?.concat())
    }

    /// A diagram as SVG. `flipped`: White is below. The destination of the last move and the squares in `marked` are
    /// coloured.
    #[pyo3(signature = (*, flipped = false, marked = Vec::new()))]
    fn svg(&self, flipped: bool, marked: Vec<String>) -> PyResult<String> {
        let marked = marked.iter().map(|name| square(name)).collect::<PyResult<Vec<_>>>()?;
        Ok(Diagram::default().with_flipped(flipped).with_marked(marked).svg(&self.position))
    }

    fn _repr_svg_(&self) -> String {
        Diagram::default().svg(&self.position)
    }

    /// The board as in KIF files (BOD), in several lines.
    fn kif(&self) -> String {
        bod(&self.position)
    }

    /// The board as in CSA files, in several lines.
    fn csa(&self) -> String {
        csa_board(&self.position)
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board({:?})", self.usi())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(self.position == other.try_borrow()?.position)
    }
}
