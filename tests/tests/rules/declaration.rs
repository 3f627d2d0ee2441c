//! Declarations compared with a direct implementation of the rules on random entering kings; handicap
//! games; the position with the most legal moves.

use monomi_movegen::square::{HAND_KINDS, promoted};
use monomi_movegen::{Declaration, EnteringKingRule, PackedMove, Position, perft};
use shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind, Square, ToUsi};
use std::collections::BTreeSet;
use tests::data;
use tests::games::Random;
use tests::plain_rules::{in_check, plain_legal_moves};

/// The even game's start and the usual handicaps, weakest giver last.
const STARTS: [&str; 12] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

fn plain_worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::ProBishop | PieceKind::ProRook => 5,
        _ => 1,
    }
}

fn hand_points(hand: Hand) -> i32 {
    HAND_KINDS.iter().map(|&k| plain_worth(k) * i32::from(hand.count(k).unwrap())).sum()
}

/// Whether the side to move may declare: its king in the camp and not in check, ten pieces beside
/// it, and the points of those pieces and the hand.
fn may_declare(partial: &PartialPosition, rule: EnteringKingRule) -> bool {
    use EnteringKingRule::*;
    let us = partial.side_to_move();
    let on_board = || Square::all().filter_map(|sq| Some((sq, partial.piece_at(sq)?)));
    let inside: Vec<PieceKind> = on_board()
        .filter(|(sq, piece)| piece.color() == us && sq.relative_rank(us) <= 3)
        .map(|(_, piece)| piece.piece_kind())
        .collect();
    let mut need = match (rule, us) {
        (Csa24 | Csa24Handicap, _) => 31,
        (_, Color::Black) => 28,
        (_, Color::White) => 27,
    };
    if matches!(rule, Csa24Handicap | Csa27Handicap) && us == Color::White {
        // What is on neither board nor stands was given as a handicap.
        let hands = Color::all().map(|color| hand_points(partial.hand_of_a_player(color)));
        let all: i32 = on_board().map(|(_, piece)| plain_worth(piece.piece_kind())).sum();
        need -= 54 - all - hands.iter().sum::<i32>();
    }
    let points: i32 = inside.iter().map(|&kind| plain_worth(kind)).sum();
    inside.contains(&PieceKind::King)
        && inside.len() > 10
        && points + hand_points(partial.hand_of_a_player(us)) >= need
        && !in_check(partial)
}

/// Most of a set on the board, most of it in the camps; both kings likely to have entered.
fn entering_kings(random: &mut Random) -> PartialPosition {
    let mut partial = PartialPosition::empty();
    let side = if random.below(2) == 0 { Color::Black } else { Color::White };
    partial.side_to_move_set(side);
    let square = |random: &mut Random, color: Color| {
        let far = if random.below(8) == 0 { 9 } else { 3 };
        let rank = random.below(far) as u8 + 1;
        Square::new_relative(random.below(9) as u8 + 1, rank, color).unwrap()
    };
    for color in Color::all() {
        let king = square(random, color);
        partial.piece_set(king, Some(Piece::new(PieceKind::King, color)));
    }
    let strong = random.below(3) as u64;
    for (kind, count) in HAND_KINDS.into_iter().zip([18, 4, 4, 4, 4, 2, 2]) {
        for _ in 0..count {
            let owner = if random.next_u64() % 4 < strong + 1 { side } else { side.flip() };
            match random.below(8) {
                0 => continue,
                1 => {
                    let hand = partial.hand_of_a_player_mut(owner);
                    *hand = hand.added(kind).unwrap();
                }
                n => {
                    let kind = if n < 5 { promoted(kind) } else { kind };
                    let to = square(random, owner);
                    if partial.piece_at(to).is_none() {
                        partial.piece_set(to, Some(Piece::new(kind, owner)));
                    }
                }
            }
        }
    }
    partial
}

#[test]
fn declarations_follow_the_rules() {
    use EnteringKingRule::*;
    let mut random = Random::new(31);
    let rules = [Csa24, Csa24Handicap, Csa27, Csa27Handicap];
    let mut declared = [0; 4];
    let mut refused = 0;
    let wanted = if data::full() { 300_000 } else { 20_000 };
    let mut positions = 0;
    while positions < wanted {
        let partial = entering_kings(&mut random);
        let Ok(position) = Position::from_partial(&partial) else { continue };
        positions += 1;
        assert_eq!(position.declaration(EnteringKingRule::None), Option::None);
        for (i, rule) in rules.into_iter().enumerate() {
            let expected = may_declare(&partial, rule);
            let found = position.declaration(rule);
            assert_eq!(found.is_some(), expected, "{rule:?} {}", position.to_sfen());
            assert!(matches!(found, Option::None | Some(Declaration::Declare)));
            declared[i] += usize::from(expected);
            refused += usize::from(!expected);
        }
    }
    tests::report(&format!("{positions} positions, declared {declared:?}, refused {refused}"));
    assert!(declared.iter().all(|&n| n > 100) && refused > 1000, "{declared:?} {refused}");
}

#[test]
fn a_try_is_a_legal_king_move_to_the_goal() {
    let mut random = Random::new(32);
    let mut tried = 0;
    for _ in 0..20_000 {
        let mut partial = entering_kings(&mut random);
        let us = partial.side_to_move();
        // Bring the king near the goal, else it happens too rarely.
        if let Some(king) = partial.king_position(us)
            && let Some(near) = Square::new_relative(random.below(3) as u8 + 4, 2, us)
        {
            partial.piece_set(king, None);
            partial.piece_set(near, Some(Piece::new(PieceKind::King, us)));
        }
        let Ok(position) = Position::from_partial(&partial) else { continue };
        let goal = Square::new_relative(5, 1, us).unwrap();
        let expected = position
            .king(us)
            .map(|king| PackedMove::normal(king, goal, false))
            .filter(|mv| position.legal_moves().contains(mv));
        let found = position.declaration(EnteringKingRule::Try);
        assert_eq!(found, expected.map(Declaration::Try), "{}", position.to_sfen());
        tried += usize::from(found.is_some());
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn handicap_games_can_be_declared() {
    for sfen in STARTS {
        let mut position = Position::from_sfen(sfen).unwrap();
        assert_eq!(position.to_sfen(), sfen);
        let partial = position.to_partial();
        let mut nodes = 0;
        let expected: BTreeSet<String> =
            plain_legal_moves(&partial).iter().map(ToUsi::to_usi_owned).collect();
        for mv in plain_legal_moves(&partial) {
            let mut next = partial.clone();
            next.make_move(mv).unwrap();
            nodes += plain_legal_moves(&next).len() as u64;
        }
        let found: BTreeSet<String> =
            position.legal_moves().iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{sfen}");
        assert_eq!(perft(&mut position, 2), nodes, "{sfen}");
    }
}

#[test]
fn the_position_with_593_moves() {
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let position = Position::from_sfen(sfen).unwrap();
    assert_eq!(position.legal_moves().len(), 593);
    assert_eq!(position.count_legal_moves(), 593);
}
