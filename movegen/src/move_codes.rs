//! 16-bit move codes of other programs. Destination and origin use the same bits as in
//! [`PackedMove`]; the numbers of dropped pieces and the positions of the flags differ.

use crate::packed_move::PackedMove;
use crate::square::{Dense, SQUARES, square_at};
use shogi_core::PieceKind;

/// The order of piece kinds in the other formats; the first seven can be dropped.
pub const KINDS: [PieceKind; 14] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
    PieceKind::King,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::ProBishop,
    PieceKind::ProRook,
];
const DROPS: &[PieceKind] = KINDS.split_at(7).0;
const PSV_DROP: u16 = 1 << 14;
const PSV_PROMOTE: u16 = 1 << 15;
const APERY_PROMOTE: u16 = 1 << 14;

fn number_of(kind: PieceKind) -> usize {
    DROPS.iter().position(|&known| known == kind).unwrap_or(0)
}

fn normal(from: usize, bits: u16, promote: bool) -> Option<PackedMove> {
    let (from, to) = (square_at(from)?, square_at(usize::from(bits & 127))?);
    (from != to).then(|| PackedMove::normal(from, to, promote))
}

fn drop(number: usize, bits: u16) -> Option<PackedMove> {
    let to = square_at(usize::from(bits & 127))?;
    Some(PackedMove::drop(*DROPS.get(number)?, to))
}

/// Encodes as YaneuraOu and PSV: dropped kinds from 1, drop flag in bit 14, promotion flag in bit
/// 15.
pub fn to_psv(mv: PackedMove) -> u16 {
    match mv.dropped() {
        Some(kind) => mv.to().dense() as u16 | ((number_of(kind) + 1) << 7) as u16 | PSV_DROP,
        None => mv.bits(),
    }
}

/// The inverse of [`to_psv`]; `None` for invalid bits.
pub fn from_psv(bits: u16) -> Option<PackedMove> {
    let from = usize::from(bits >> 7 & 127);
    if bits & PSV_DROP == 0 {
        return normal(from, bits, bits & PSV_PROMOTE != 0);
    }
    if bits & PSV_PROMOTE != 0 { None } else { drop(from.checked_sub(1)?, bits) }
}

/// Encodes as Apery, its books and hcpe: dropped kinds as origins from 81, promotion flag in bit
/// 14.
pub fn to_apery(mv: PackedMove) -> u16 {
    let from = match (mv.from_square(), mv.dropped()) {
        (Some(from), _) => from.dense(),
        (None, kind) => SQUARES + kind.map_or(0, number_of),
    };
    let promote = if mv.is_promotion() { APERY_PROMOTE } else { 0 };
    mv.to().dense() as u16 | (from as u16) << 7 | promote
}

/// The inverse of [`to_apery`]; `None` for invalid bits.
pub fn from_apery(bits: u16) -> Option<PackedMove> {
    let from = usize::from(bits >> 7 & 127);
    match from.checked_sub(SQUARES) {
        Some(number) => drop(number, bits),
        None => normal(from, bits, bits & APERY_PROMOTE != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes computed by cshogi 1.1 (`move16_to_psv`, `move16`).
    const KNOWN: [(&str, u16, u16); 5] = [
        ("R*5e", 17_192, 11_048),
        ("G*5e", 17_320, 11_176),
        ("9g9f", 10_061, 10_061),
        ("4c3d+", 36_501, 20_117),
        ("3e3d+", 35_605, 19_221),
    ];

    #[test]
    fn bits_are_those_of_the_ecosystem() {
        for (text, psv, apery) in KNOWN {
            let mv: PackedMove = text.parse().unwrap();
            assert_eq!((to_psv(mv), to_apery(mv)), (psv, apery), "{text}");
        }
        for (text, apery) in [
            ("7g7f", 0x1E3B),
            ("P*5e", 0x28A8),
            ("L*5e", 0x2928),
            ("N*5e", 0x29A8),
            ("S*5e", 0x2A28),
            ("B*5e", 0x2AA8),
            ("R*5e", 0x2B28),
            ("G*5e", 0x2BA8),
        ] {
            assert_eq!(to_apery(text.parse().unwrap()), apery, "{text}");
        }
    }

    #[test]
    fn every_move_comes_back_and_nothing_else_is_one() {
        let (mut ours, mut psv, mut apery) = (0, 0, 0);
        for bits in 0..=u16::MAX {
            if let Some(mv) = PackedMove::from_bits(bits) {
                ours += 1;
                assert_eq!(from_psv(to_psv(mv)), Some(mv));
                assert_eq!(from_apery(to_apery(mv)), Some(mv));
            }
            psv += u32::from(from_psv(bits).is_some());
            apery += u32::from(from_apery(bits & 0x7FFF).is_some());
        }
        assert_eq!(psv, ours);
        // Apery ignores the promotion flag on drops, and the highest bit.
        assert_eq!(apery, 2 * (ours + 7 * 81));
        assert_eq!((from_psv(0), from_apery(0)), (None, None));
        assert_eq!((from_apery(88 << 7), from_apery(81)), (None, None));
    }
}
