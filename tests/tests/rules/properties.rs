//! Properties of arbitrary input: any text, any 16 bits, any arrangement of pieces.

use monomi_movegen::square::{HAND_KINDS, promoted};
use monomi_movegen::{PackedMove, Position};
use proptest::prelude::*;
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square, ToUsi};
use std::collections::BTreeSet;
use tests::games::{Random, visit_random_positions};
use tests::plain_rules::{in_check, plain_legal_moves};

/// Distributes the 40 pieces over the board, the hands and the box: the kings on the given squares,
/// each of the others by a number.
fn set_up(kings: [Option<u8>; 2], throws: &[u16], side: Color) -> PartialPosition {
    let mut partial = PartialPosition::empty();
    for (color, king) in Color::all().into_iter().zip(kings) {
        let square = king.and_then(|n| Square::from_u8(n % 81 + 1));
        if let Some(square) = square.filter(|&square| partial.piece_at(square).is_none()) {
            partial.piece_set(square, Some(Piece::new(PieceKind::King, color)));
        }
    }
    let counts = [18, 4, 4, 4, 4, 2, 2];
    let set = HAND_KINDS.into_iter().zip(counts).flat_map(|(kind, n)| std::iter::repeat_n(kind, n));
    for (kind, &throw) in set.zip(throws) {
        let color = if throw & 1 == 0 { Color::Black } else { Color::White };
        let where_to = throw >> 2;
        match Square::from_u8((where_to % 110) as u8 + 1) {
            Some(square) => {
                let kind = if throw & 2 != 0 { promoted(kind) } else { kind };
                let piece = Piece::new(kind, color);
                // Rarely allow squares on which the piece must not stand.
                let fits = may_stand(&partial, piece, square) || throw % 64 == 0;
                if fits && partial.piece_at(square).is_none() {
                    partial.piece_set(square, Some(piece));
                }
            }
            None if where_to % 110 < 106 => {
                let hand = partial.hand_of_a_player_mut(color);
                *hand = hand.added(kind).unwrap();
            }
            None => {}
        }
    }
    partial.side_to_move_set(side);
    partial
}

/// Whether the piece on the square is neither dead nor nifu.
fn may_stand(partial: &PartialPosition, piece: Piece, square: Square) -> bool {
    let rank = square.relative_rank(piece.color());
    let mut others =
        Square::all().filter(|&other| other != square && other.file() == square.file());
    match piece.piece_kind() {
        PieceKind::Pawn => rank > 1 && others.all(|other| partial.piece_at(other) != Some(piece)),
        PieceKind::Lance => rank > 1,
        PieceKind::Knight => rank > 2,
        _ => true,
    }
}

/// Whether the position is playable by the rules.
fn is_sound(partial: &PartialPosition) -> bool {
    let mut kings = 0;
    let mut sound = true;
    for square in Square::all() {
        let Some(piece) = partial.piece_at(square) else { continue };
        kings += usize::from(piece.piece_kind() == PieceKind::King);
        sound &= may_stand(partial, piece, square);
    }
    let mut waiting = partial.clone();
    waiting.side_to_move_set(partial.side_to_move().flip());
    sound && kings > 0 && !in_check(&waiting)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    /// An arrangement is rejected with a reason or has the same legal moves as by the plain rules.
    #[test]
    fn any_arrangement_of_pieces(
        kings in proptest::array::uniform2(proptest::option::weighted(0.9, any::<u8>())),
        throws in proptest::collection::vec(any::<u16>(), 0..=38),
        white in any::<bool>(),
    ) {
        let side = if white { Color::White } else { Color::Black };
        let partial = set_up(kings, &throws, side);
        let position = Position::from_partial(&partial);
        prop_assert_eq!(position.is_ok(), is_sound(&partial), "{:?}", position.err());
        let Ok(mut position) = position else { return Ok(()) };
        prop_assert_eq!(position.validate(), Ok(()));
        prop_assert_eq!(position.in_check(), in_check(&partial));
        prop_assert_eq!(position.to_partial(), partial.clone());
        let found: BTreeSet<String> =
            position.legal_moves().iter().map(|mv| mv.to_core(side).to_usi_owned()).collect();
        let expected: BTreeSet<String> =
            plain_legal_moves(&partial).iter().map(ToUsi::to_usi_owned).collect();
        prop_assert_eq!(found, expected, "{}", position.to_sfen());
        let before = position.to_sfen();
        let mate_found = position.mate_in_one();
        let mut mates = Vec::new();
        for mv in position.legal_moves() {
            position.do_move(mv);
            prop_assert_eq!(position.validate(), Ok(()), "after {}", mv);
            if position.in_check() && !position.has_legal_move() {
                mates.push(mv);
            }
            position.undo_move();
        }
        prop_assert_eq!(&position.to_sfen(), &before);
        let right = mate_found.map_or(mates.is_empty(), |mv| mates.contains(&mv));
        prop_assert!(right, "{:?}, not of {:?} in {}", mate_found, mates, before);
    }

    /// Any text is rejected or parsed, and a parsed position is written as the same text.
    #[test]
    fn any_text(text in "(startpos|sfen )?[1-9KkRrBbGgSsNnLlPp+/]{0,90}( [bw])?( [RBGSNLPrbgsnlp0-9-]{1,12})?( [0-9]{1,6})?") {
        if let Ok(position) = Position::from_sfen(&text) {
            let written = position.to_sfen();
            prop_assert_eq!(Position::from_sfen(&written).unwrap().to_sfen(), written);
            prop_assert_eq!(position.validate(), Ok(()));
        }
    }

    /// A valid sfen with a few characters changed.
    #[test]
    fn any_spoilt_text(changes in proptest::collection::vec((any::<u8>(), "[ -~]"), 1..4)) {
        let mut text: Vec<char> =
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1".chars().collect();
        for (at, with) in &changes {
            let at = *at as usize % text.len();
            text.splice(at..=at, with.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(position.validate(), Ok(()));
        }
    }

    /// Unmaking all moves of a line restores the position.
    #[test]
    fn any_line(choices in proptest::collection::vec(any::<u16>(), 0..120)) {
        let mut position = Position::startpos();
        let mut sfens = vec![position.to_sfen()];
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[choice as usize % moves.len()]);
            sfens.push(position.to_sfen());
        }
        prop_assert_eq!(position.moves_made(), sfens.len() - 1);
        while let Some(sfen) = sfens.pop() {
            prop_assert_eq!(position.to_sfen(), sfen);
            prop_assert_eq!(position.validate(), Ok(()));
            position.undo_move();
        }
        prop_assert_eq!(position.moves_made(), 0);
    }
}

/// All 65,536 values at about a hundred positions: `is_legal` accepts the legal moves only.
#[test]
fn is_legal_accepts_any_sixteen_bits() {
    let check = |position: &mut Position| {
        let legal: BTreeSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        for bits in 0..=u16::MAX {
            let found = PackedMove::from_bits(bits).is_some_and(|mv| position.is_legal(mv));
            assert_eq!(found, legal.contains(&bits), "{bits:#06x} in {}", position.to_sfen());
        }
    };
    for (seed, sfen) in [
        "startpos",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4S4/9/2B3R2/9/4L4/9/4K4 b 2G2Prbgsnlp 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b RB2G2S2N4Lrbgsn9p 1",
    ]
    .into_iter()
    .enumerate()
    {
        let start = Position::from_sfen(sfen).unwrap();
        visit_random_positions(&start, seed as u64, 60, 120, check);
    }
}

/// `is_legal` for legal moves of another position, as after a key collision in the search.
#[test]
fn moves_of_other_positions() {
    let mut positions = Vec::new();
    visit_random_positions(&Position::startpos(), 77, 200, 2000, |p| positions.push(p.clone()));
    let mut random = Random::new(78);
    let mut legal = 0;
    for _ in 0..4000 {
        let here = &positions[random.below(positions.len())];
        let there = &positions[random.below(positions.len())];
        let moves = here.legal_moves();
        for &mv in there.legal_moves().iter() {
            assert_eq!(here.is_legal(mv), moves.contains(&mv), "{mv} in {}", here.to_sfen());
            legal += usize::from(moves.contains(&mv));
        }
    }
    assert!(legal > 1000);
}
