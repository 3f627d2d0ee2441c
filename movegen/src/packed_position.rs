//! Positions in 256 bits: "packed sfen", used by most shogi engines, and "hcp", used by Apery and
//! dlshogi.
//!
//! Both formats write, from the least significant bit: the side to move in 1 bit, the squares of
//! Black's and White's king in 7 bits each, then the contents of all other squares in order, then
//! both hands. Each of the other 38 pieces adds the same number of bits on the board and in a hand,
//! so a full set takes exactly 256 bits. The formats differ in some codes and in the order of the
//! flags.

use crate::position::Position;
use crate::position_error::PositionError;
use crate::square::{Dense, SQUARES, promoted, square_at, unpromoted};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

/// A position in 32 bytes, without its move number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition(pub [u8; 32]);

/// Which of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Packed sfen, as in PSV and in Monomi's own records.
    Sfen,
    /// Hcp, as in hcpe.
    Hcp,
}

/// The position cannot be packed because a king or another piece is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAFullSet;

/// The 32 bytes are not a valid position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackError {
    /// A king is not on the board, or both are on the same square.
    Kings(usize, usize),
    /// The bits end within a piece or are not a valid code.
    Bits(usize),
    /// The pieces do not form a valid position.
    Position(PositionError),
}

/// The codes of a piece kind. Both are read from the least significant bit.
struct Code {
    kind: PieceKind,
    /// On the board: the bits and their number. Colour and promotion follow.
    board: (usize, usize),
    /// In a hand: the bits and their number. The colour follows.
    hand: (usize, usize),
}

impl Layout {
    /// Codes of the piece kinds that can be held in hand, in the order of the hands.
    const fn codes(self) -> [Code; 7] {
        use PieceKind::*;
        const fn code(kind: PieceKind, board: (usize, usize), hand: (usize, usize)) -> Code {
            Code { kind, board, hand }
        }
        let (knight, silver, bishop, rook) = match self {
            Layout::Sfen => (0x0B, 0x07, 0x0F, 0x1F),
            Layout::Hcp => (0x07, 0x0B, 0x1F, 0x3F),
        };
        [
            code(Pawn, (0x01, 2), (0x00, 2)),
            code(Lance, (0x03, 4), (0x01, 4)),
            code(Knight, (knight, 4), (knight >> 1, 4)),
            code(Silver, (silver, 4), (silver >> 1, 4)),
            code(Gold, (0x0F, 5), (0x07, 4)),
            code(Bishop, (0x1F, 6), (bishop, 6)),
            code(Rook, (0x3F, 6), (rook, 6)),
        ]
    }

    fn write_on_board(self, bits: &mut Writer, code: &Code, flags: Flags) {
        let (promoted, white) = (usize::from(flags.promoted), usize::from(flags.white));
        bits.write(code.board.0, code.board.1);
        if code.kind == PieceKind::Gold {
            bits.write(white, 1);
            return;
        }
        let both = match self {
            Layout::Sfen => promoted | white << 1,
            Layout::Hcp => white | promoted << 1,
        };
        bits.write(both, 2);
    }

    fn read_on_board(self, bits: &mut Reader<'_>) -> Option<(PieceKind, Flags)> {
        let codes = self.codes();
        let code = codes.iter().find(|code| bits.skip(code.board))?;
        if code.kind == PieceKind::Gold {
            return Some((code.kind, Flags { promoted: false, white: bits.read(1)? != 0 }));
        }
        let both = bits.read(2)?;
        let (first, second) = (both & 1 != 0, both & 2 != 0);
        let (promoted, white) = match self {
            Layout::Sfen => (first, second),
            Layout::Hcp => (second, first),
        };
        Some((code.kind, Flags { promoted, white }))
    }

    fn read_in_hand(self, bits: &mut Reader<'_>) -> Option<(PieceKind, Color)> {
        let codes = self.codes();
        let code = codes.iter().find(|code| bits.skip(code.hand))?;
        Some((code.kind, color_of(bits.read(1)? != 0)))
    }
}

#[derive(Clone, Copy)]
struct Flags {
    promoted: bool,
    white: bool,
}

struct Writer {
    bytes: [u8; 32],
    at: usize,
}

impl Writer {
    fn write(&mut self, value: usize, len: usize) {
        for bit in 0..len {
            // Only a full set takes exactly 256 bits; `pack` rejects any other length.
            if let Some(byte) = self.bytes.get_mut(self.at / 8) {
                *byte |= ((value >> bit & 1) as u8) << (self.at % 8);
            }
            self.at += 1;
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8; 32],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self, len: usize) -> Option<usize> {
        if self.at + len > 256 {
            return None;
        }
        let bit = |at: usize| usize::from(self.bytes[at / 8] >> (at % 8) & 1);
        Some((0..len).fold(0, |value, i| value | bit(self.at + i) << i))
    }

    /// Consumes a code if it comes next.
    fn skip(&mut self, (code, len): (usize, usize)) -> bool {
        let found = self.peek(len) == Some(code);
        self.at += if found { len } else { 0 };
        found
    }

    fn read(&mut self, len: usize) -> Option<usize> {
        let value = self.peek(len)?;
        self.at += len;
        Some(value)
    }
}

impl PackedPosition {
    /// Packs a position.
    ///
    /// # Errors
    /// A piece of the full set is missing.
    pub fn pack(position: &Position, layout: Layout) -> Result<Self, NotAFullSet> {
        let (Some(black), Some(white)) = (position.king(Color::Black), position.king(Color::White))
        else {
            return Err(NotAFullSet);
        };
        let codes = layout.codes();
        let mut bits = Writer { bytes: [0; 32], at: 0 };
        bits.write(position.side_to_move().dense(), 1);
        bits.write(black.dense(), 7);
        bits.write(white.dense(), 7);
        for square in Square::all() {
            let Some(piece) = position.piece_at(square) else {
                bits.write(0, 1);
                continue;
            };
            let (kind, color) = piece.to_parts();
            let plain = unpromoted(kind);
            if let Some(code) = codes.iter().find(|code| code.kind == plain) {
                let flags = Flags { promoted: plain != kind, white: color == Color::White };
                layout.write_on_board(&mut bits, code, flags);
            }
        }
        for color in Color::all() {
            for code in &codes {
                for _ in 0..position.hand_count(color, code.kind) {
                    bits.write(code.hand.0, code.hand.1);
                    bits.write(color.dense(), 1);
                }
            }
        }
        if bits.at == 256 { Ok(Self(bits.bytes)) } else { Err(NotAFullSet) }
    }

    /// Unpacks the position. `ply` is the number of the next move, from 1.
    ///
    /// # Errors
    /// The bits are not a valid position.
    pub fn unpack(&self, layout: Layout, ply: u16) -> Result<Position, UnpackError> {
        let mut bits = Reader { bytes: &self.0, at: 0 };
        let mut next = |len| bits.read(len).unwrap_or(0);
        let (side, black, white) = (next(1), next(7), next(7));
        if black >= SQUARES || white >= SQUARES || black == white {
            return Err(UnpackError::Kings(black, white));
        }
        let mut partial = PartialPosition::empty();
        partial.side_to_move_set(if side == 0 { Color::Black } else { Color::White });
        // Fails only for 0.
        let _ = partial.ply_set(ply.max(1));
        for square in Square::all() {
            let at = bits.at;
            let error = UnpackError::Bits(at);
            let king = [(black, Color::Black), (white, Color::White)];
            let piece = match king.iter().find(|king| square_at(king.0) == Some(square)) {
                Some(&(_, color)) => Some(Piece::new(PieceKind::King, color)),
                None if bits.peek(1) == Some(0) => {
                    bits.at += 1;
                    None
                }
                None => {
                    let (kind, flags) = layout.read_on_board(&mut bits).ok_or(error)?;
                    let kind = if flags.promoted { promoted(kind) } else { kind };
                    Some(Piece::new(kind, color_of(flags.white)))
                }
            };
            partial.piece_set(square, piece);
        }
        while bits.at < 256 {
            let error = UnpackError::Bits(bits.at);
            let (kind, color) = layout.read_in_hand(&mut bits).ok_or(error.clone())?;
            let hand = partial.hand_of_a_player_mut(color);
            *hand = hand.added(kind).ok_or(error)?;
        }
        Ok(Position::from_partial(&partial)?)
    }
}

fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes written by cshogi 0.9 (`Board.to_psfen`, `Board.to_hcp`).
    const KNOWN: [(&str, &str, &str); 4] = [
        (
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
            "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c",
        ),
        (
            "1n2g1R1l/1p1kg2+S1/2s1p2+Pp/2pp1p3/4n2B1/+r5P1P/3PPP1+b1/3S1G3/1NG1K2LL w S6Pnl 1",
            "59ae51120caef2e1dbf0030124f178dfb40a2471e04c78d60416f00f000046ac",
            "59ae49110cd6f4e1dbf0030114f178df720914b1602b78ae020ef00f00004a9c",
        ),
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbc",
            "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd",
        ),
        (
            "1+LG+P+S1+P1+S/+b+S1GG+N1P1/1+P1bK3+P/4p+P2P/2+RP4p/kp6+R/pn2+l3+p/+p+s5+l+n/+pg+p+l+n+p+p2 b - 675",
            "4ccd4b45fef54e805901daa6a0af2799edf57c0acc0ffed0d355e47abfbe91dd",
            "4ccd5546fdf64d805902da29a1d7a798ddf97c09cc0f7ed1e39ad4b5bfbe51dd",
        ),
    ];

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_bytes_are_those_of_the_ecosystem() {
        for (sfen, psfen, hcp) in KNOWN {
            let position = Position::from_sfen(sfen).unwrap();
            for (layout, bytes) in [(Layout::Sfen, psfen), (Layout::Hcp, hcp)] {
                let packed = PackedPosition::pack(&position, layout).unwrap();
                assert_eq!(hex(&packed.0), bytes, "{sfen}");
                let back = packed.unpack(layout, position.ply()).unwrap();
                assert_eq!(back.to_sfen(), position.to_sfen());
            }
        }
    }

    #[test]
    fn full_sets_come_back_and_others_are_refused() {
        let mut positions: Vec<Position> = vec![
            // A handicap position without White's bishop, and a tsume problem with one king.
            Position::from_sfen("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
                .unwrap(),
            Position::from_sfen("7nl/6k2/6ppp/5s3/9/9/9/9/9 b RGSN 1").unwrap(),
        ];
        let mut random = crate::random::Random::new(5);
        for _ in 0..30 {
            let mut position = Position::startpos();
            for _ in 0..random.below(150) {
                let Some(mv) = random.choose(&position.legal_moves()) else { break };
                positions.push(position.clone());
                position.do_move(mv);
            }
        }
        let (mut full, mut refused) = (0, 0);
        for position in positions {
            let complete = position.places().count() == 40;
            for layout in [Layout::Sfen, Layout::Hcp] {
                match PackedPosition::pack(&position, layout) {
                    Ok(packed) => {
                        let back = packed.unpack(layout, position.ply()).unwrap();
                        assert_eq!(back.to_sfen(), position.to_sfen());
                        full += 1;
                    }
                    Err(NotAFullSet) => {
                        assert!(!complete, "{}", position.to_sfen());
                        refused += 1;
                    }
                }
            }
        }
        assert!(full > 1_000 && refused == 4, "{full} {refused}");
    }

    #[test]
    fn noise_is_refused_or_a_position() {
        let mut random = crate::random::Random::new(7);
        let start = PackedPosition::pack(&Position::startpos(), Layout::Sfen).unwrap();
        let mut refused = 0;
        for round in 0..20_000 {
            let mut packed = start;
            for _ in 0..1 + round % 4 {
                let bit = random.below(256);
                packed.0[bit / 8] ^= 1 << (bit % 8);
            }
            match packed.unpack(Layout::Sfen, 1) {
                Ok(position) => {
                    // The hands may be in another order.
                    if let Ok(again) = PackedPosition::pack(&position, Layout::Sfen) {
                        let again = again.unpack(Layout::Sfen, 1).unwrap();
                        assert_eq!(again.to_sfen(), position.to_sfen());
                    }
                }
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 10_000);
        assert!(PackedPosition([0; 32]).unpack(Layout::Sfen, 1).is_err());
        assert!(PackedPosition([255; 32]).unpack(Layout::Hcp, 1).is_err());
    }
}
