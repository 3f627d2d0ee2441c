//! Random games: at thousands of positions all functions for the rules must agree with each other and
//! with `shogi_legality_lite`, an independent implementation without tables.

use monomi_movegen::{CheckInfo, MoveList, MoveSink, PackedMove, Position};
use shogi_core::{Color, PieceKind, Square, ToUsi};
use std::collections::BTreeSet;
use tests::data;
use tests::games::visit_random_positions;
use tests::plain_rules::{in_check, plain_legal_moves};

/// Where the games start: the usual start, and positions rich in drops, promoted pieces, entering
/// kings, double checks and positions with one king only.
const STARTS: [&str; 9] = [
    "startpos",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l1+Rl2+Bnl/3g2+P2/pspppkp1p/1P5s1/9/2P6/P1NPPPP1P/5S1p1/2rSKG1NL b BGNg2p 53",
    "1+LG+P+S1+P1+S/+b+S1GG+N1P1/1+P1bK3+P/4p+P2P/2+RP4p/kp6+R/pn2+l3+p/+p+s5+l+n/+pg+p+l+n+p+p2 b - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
    "4k4/9/4S4/9/2B3R2/9/4L4/9/4K4 b 2G2Prbgsnlp 1",
    // One king only, as in tsume problems.
    "4k4/9/4P4/9/9/9/9/9/9 b RB2G2S2N4Lrbgsn9p 1",
    "4k4/9/9/9/9/9/9/9/9 w 2R2B2GS2N4L9Pg3s2n8p 1",
    "8k/9/9/9/9/9/9/9/K8 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
];

fn visit(seed: u64, count: usize, mut check: impl FnMut(&mut Position)) {
    let count = if data::full() { count * 20 } else { count };
    for (seed, sfen) in (seed..).zip(STARTS) {
        let start = Position::from_sfen(sfen).unwrap();
        visit_random_positions(&start, seed, 100, count / STARTS.len(), &mut check);
    }
}

fn set(moves: impl IntoIterator<Item = PackedMove>) -> BTreeSet<PackedMove> {
    let mut set = BTreeSet::new();
    for mv in moves {
        assert!(set.insert(mv), "{mv} twice");
    }
    set
}

fn generated(generate: impl FnOnce(&mut MoveList)) -> BTreeSet<PackedMove> {
    let mut list = MoveList::new();
    generate(&mut list);
    set(list)
}

/// Another implementation of `MoveSink`.
#[derive(Default)]
struct Tally(usize);

impl MoveSink for Tally {
    fn piece(
        &mut self,
        _: Square,
        promotions: monomi_movegen::Bitboard,
        plain: monomi_movegen::Bitboard,
    ) {
        self.0 += promotions.into_iter().chain(plain).count();
    }
    fn pawns(&mut self, _: Color, a: monomi_movegen::Bitboard, b: monomi_movegen::Bitboard) {
        self.0 += a.into_iter().chain(b).count();
    }
    fn drops(&mut self, _: PieceKind, targets: monomi_movegen::Bitboard) {
        self.0 += targets.into_iter().count();
    }
}

#[test]
fn legal_moves_agree_with_shogi_legality_lite() {
    let (mut positions, mut checks, mut doubles, mut mates) = (0, 0, 0, 0);
    visit(1, 20_000, |position| {
        positions += 1;
        checks += usize::from(position.in_check());
        doubles += usize::from(position.checkers().more_than_one());
        let us = position.side_to_move();
        let partial = position.to_partial();
        let expected: BTreeSet<String> =
            plain_legal_moves(&partial).iter().map(ToUsi::to_usi_owned).collect();
        let found: BTreeSet<String> =
            position.legal_moves().iter().map(|mv| mv.to_core(us).to_usi_owned()).collect();
        assert_eq!(found, expected, "{}", position.to_sfen());
        mates += usize::from(expected.is_empty());
        assert_eq!(position.has_legal_move(), !expected.is_empty());
        assert_eq!(position.in_check(), in_check(&partial), "{}", position.to_sfen());
    });
    tests::report(&format!(
        "{positions} positions: {checks} checks, {doubles} double, {mates} mates"
    ));
    assert!(positions >= 19_000 && checks > 1000 && doubles > 20 && mates > 20);
}

#[test]
fn make_and_unmake_keep_the_position_consistent() {
    visit(100, 6000, |position| {
        position.validate().unwrap_or_else(|part| panic!("{part} in {}", position.to_sfen()));
        let before = format!("{position:?}");
        let checks = CheckInfo::new(position);
        for mv in position.legal_moves() {
            let gives_check = position.gives_check(mv, &checks);
            let mut expected = position.to_partial();
            expected.make_move(mv.to_core(position.side_to_move())).expect("a pseudo-legal move");
            let mut key_after = None;
            position.do_move_with(mv, |key| key_after = Some(key));
            let context = || format!("after {mv} {}", position.to_sfen());
            assert_eq!(position.validate(), Ok(()), "{}", context());
            assert_eq!(Some(position.key()), key_after, "{}", context());
            assert_eq!(position.in_check(), gives_check, "{}", context());
            assert_eq!(position.to_sfen(), expected.to_sfen_owned());
            assert_eq!(position.last_move(), Some(mv));
            position.undo_move();
        }
        if !position.in_check() {
            position.do_null_move();
            assert_eq!(position.validate(), Ok(()));
            position.undo_null_move();
        }
        assert_eq!(format!("{position:?}"), before);
    });
}

/// Choices that are never better than promoting.
fn is_idle(position: &Position, mv: PackedMove) -> bool {
    let us = position.side_to_move();
    let Some(from) = mv.from_square() else { return false };
    let zone = from.relative_rank(us) <= 3 || mv.to().relative_rank(us) <= 3;
    let kind = position.piece_at(from).unwrap().piece_kind();
    let better_promoted = match kind {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
        PieceKind::Lance => mv.to().relative_rank(us) <= 2,
        _ => false,
    };
    zone && better_promoted && !mv.is_promotion()
}

#[test]
fn generators_agree_with_their_definitions() {
    visit(200, 12_000, |position| {
        let all = set(position.legal_moves());
        let useful: BTreeSet<_> =
            all.iter().copied().filter(|&mv| !is_idle(position, mv)).collect();
        let noisy = |mv: PackedMove, position: &Position| {
            let kind =
                mv.from_square().and_then(|from| position.piece_at(from)).map(|p| p.piece_kind());
            position.piece_at(mv.to()).is_some()
                || mv.is_promotion() && kind == Some(PieceKind::Pawn)
        };
        let (captures, quiets): (BTreeSet<_>, BTreeSet<_>) =
            useful.iter().partition(|&&mv| noisy(mv, position));
        let mut check = |mv: PackedMove| {
            position.do_move(mv);
            let check = position.in_check();
            position.undo_move();
            check
        };
        let all_checks: BTreeSet<_> = all.iter().copied().filter(|&mv| check(mv)).collect();
        let sfen = position.to_sfen();
        let position = &*position;
        assert_eq!(generated(|l| position.generate_all(l)), all, "all of {sfen}");
        assert_eq!(generated(|l| position.generate_useful(l)), useful, "useful of {sfen}");
        assert_eq!(generated(|l| position.generate_captures(l)), captures, "captures of {sfen}");
        assert_eq!(generated(|l| position.generate_quiets(l)), quiets, "quiets of {sfen}");
        assert_eq!(generated(|l| position.generate_all_checks(l)), all_checks, "{sfen}");
        assert_eq!(
            generated(|l| position.generate_checks(l)),
            &all_checks & &useful,
            "checks of {sfen}"
        );
        assert_eq!(position.count_legal_moves(), all.len() as u64);
        let mut tally = Tally::default();
        position.generate_all(&mut tally);
        assert_eq!(tally.0, all.len());
        for &mv in &useful {
            assert_eq!(position.is_capture_class(mv), captures.contains(&mv), "{mv} in {sfen}");
            assert_eq!(position.is_capture(mv), position.piece_at(mv.to()).is_some());
        }
    });
}

#[test]
fn sfen_and_moves_round_trip() {
    visit(300, 6000, |position| {
        let sfen = position.to_sfen();
        let read = Position::from_sfen(&sfen).unwrap();
        assert_eq!(read.to_sfen(), sfen);
        assert_eq!(read.key(), position.key());
        assert_eq!(read.checkers(), position.checkers());
        assert_eq!(read.pinned(), position.pinned());
        assert_eq!(read.to_partial(), position.to_partial());
        for mv in position.legal_moves() {
            assert_eq!(PackedMove::from_bits(mv.bits()), Some(mv));
            assert_eq!(PackedMove::from_core(mv.to_core(position.side_to_move())), Some(mv));
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    });
}
