//! What the best move would have won or begun.

use crate::explain::claims::{Claim, Proposal, about_follow_up, in_both};
use crate::explain::counterfactual::Counterfactual;
use crate::explain::scene::{Scene, near, prey, value};
use crate::explain::words::{both, kind, name, piece};
use crate::judge::LOSS;
use monomi_movegen::{PackedMove, Position};
use shogi_core::{PieceKind, Square};

/// Gains of material and promotions.
pub(super) const GAINS: &[Claim] = &[
    Claim {
        name: "missed-capture",
        group: 4,
        propose: |scene| {
            let at = scene.best.to();
            let target = scene.before.piece_at(at)?.piece_kind();
            // It may be taken a move later.
            let later = scene.replies.iter().skip(1).step_by(2).take(2).any(|mv| mv.to() == at);
            if later
                || scene.played.to() == at
                || value(target) < LOSS
                || !scene.before.see_ge(scene.best, LOSS)
            {
                return None;
            }
            let [ja, en] = scene.name_of_own(scene.best);
            let [of_ja, of_en] = piece(scene.before, at)?;
            Some(Proposal {
                words: both(
                    format!("{ja}と{of_ja}を取る手を逃す"),
                    format!("misses {en}, which takes the {of_en}"),
                ),
                squares: vec![at],
                moves: vec![scene.best],
                counterfactual: Counterfactual::Elsewhere(Box::new(empty(scene.before, at)?)),
            })
        },
        example: [
            "l2lgk1nl/5s1g1/1P+Nppp2p/p1p6/5N3/P1+rP2P2/3SPP+s1P/2PGK1s2/5R2L b 2BN2Pg2p 109",
            "6g7f 3h4i 5h6g R*9g B*7g G*8f N*3d",
            "4i8i 3h4g",
            "▲７六銀と７六の竜を取る手を逃す",
        ],
    },
    Claim {
        name: "missed-fork",
        group: 4,
        propose: |scene| {
            let targets = prey(&scene.best_after, scene.best.to(), scene.mover.flip());
            let follow = scene.follow_up()?;
            let taken = targets.iter().any(|&(at, _)| at == follow.to());
            if targets.len() < 2 || !taken || !scene.before.see_ge(scene.best, 0) {
                return None;
            }
            let [ja, en] = scene.name_of_own(scene.best);
            let [first, second] = [targets[0], targets[1]].map(|(_, found)| kind(found));
            let squares: Vec<Square> = targets.iter().take(2).map(|&(at, _)| at).collect();
            let words = both(
                format!("{ja}の両取り（{}と{}）を逃す", first[0], second[0]),
                format!("misses the fork {en} of a {} and a {}", first[1], second[1]),
            );
            let without = scene.follow_ups_that(|mv| squares.contains(&mv.to()));
            about_follow_up(scene, words, squares, without)
        },
        example: [
            "ln4gnk/6gsl/p1ppspbpp/4p1p2/9/1BPPPP2P/P2S1GPP1/6SK1/LN3G1NL w RPrp 40",
            "R*8g 8f5c+ 8g6g+ S*5h 6g8g 8i7g 3c6f",
            "5c4b R*8g R*6i 4i5i 6i7i+ 8f6h",
            "△８七飛の両取り（角と銀）を逃す",
        ],
    },
    Claim {
        name: "missed-gain",
        group: 4,
        propose: |scene| {
            let gain = scene.missed()?;
            let (follow, answered) = (scene.follow_up()?, scene.answered.as_ref()?);
            answered.piece_at(follow.to())?;
            let [ja, en] = in_both(&gain.missed_gain());
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let [next_ja, next_en] = name(answered, follow);
            let words = both(
                format!("{best_ja}から{next_ja}の{ja}"),
                format!("{en} ({best_en}, then {next_en})"),
            );
            let without = scene.follow_ups_that(|mv| mv.to() == follow.to());
            about_follow_up(scene, words, vec![follow.to()], without)
        },
        example: [
            "l5gnk/2+P2+P2l/2+R3ng1/p5p1p/3N1p1p1/P3SPPKP/2+b1BG3/2+p3S2/+r4G2L b SNL5Psp 97",
            "2f1g 9i4i 3h4i 7g5i S*3h 2e2f R*4h",
            "2f3g 9i4i",
            "▲１七玉から▲４九銀の飛得を逃す",
        ],
    },
    Claim {
        name: "missed-promotion",
        group: 4,
        propose: |scene| {
            let (follow, answered) = (scene.follow_up()?, scene.answered.as_ref()?);
            if !follow.is_promotion() {
                return None;
            }
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let [next_ja, next_en] = name(answered, follow);
            let words = both(
                format!("{best_ja}から{next_ja}と成り込む手を逃す"),
                format!("misses {best_en}, which prepares the promotion {next_en}"),
            );
            let from = follow.from_square();
            let without = scene.follow_ups_that(|mv| mv.is_promotion() && mv.from_square() == from);
            about_follow_up(scene, words, vec![follow.to()], without)
        },
        example: [
            "l6nk/6ggl/2n4s1/p1p1pBpbp/2s2p1N1/Pr2PPP2/5S3/1PR1G1SK1/LN3G2L b 3P4p 65",
            "P*1c 2a1c 2e1c+ 2d1c N*2e 1c2d P*1c",
            "3h3g 4e4f",
            "▲１三歩から▲１三桂成と成り込む手を逃す",
        ],
    },
];

/// Chances of other kinds.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "missed-attack",
        group: 10,
        propose: |scene| {
            let (follow, answered) = (scene.follow_up()?, scene.answered.as_ref()?);
            let king = answered.king(scene.mover.flip())?;
            if !near(follow.to(), king, 2) || answered.moving_kind(follow) == PieceKind::King {
                return None;
            }
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let [next_ja, next_en] = name(answered, follow);
            let words = if scene.best_threatens {
                both(
                    format!("{best_ja}の詰めろを逃す（次に{next_ja}）"),
                    format!("misses the threatmate {best_en} (then {next_en})"),
                )
            } else {
                both(
                    format!("{best_ja}から{next_ja}と玉を攻める機会を逃す"),
                    format!("misses the attack on the king: {best_en}, then {next_en}"),
                )
            };
            let attacks = scene.follow_ups_that(|mv| near(mv.to(), king, 2));
            about_follow_up(scene, words, vec![king], attacks)
        },
        example: [
            "k1gn5/l2g5/1p+bpp2pp/s1p6/p2P1+RP2/1PP1P4/1L1GSP1PP/L+BKG2+p2/L8 w S2Nrsn2p 90",
            "N*9f 9h9f 9e9f N*8e 9d8e 8f8e R*3i",
            "R*2i 9h9e",
            "△９六桂から△９六歩と玉を攻める機会を逃す",
        ],
    },
    Claim {
        name: "missed-tempo",
        group: 10,
        propose: |scene| {
            // The target moves away from the best move, which wins a tempo: where it is not attacked, there is none.
            let (target, _) =
                prey(&scene.best_after, scene.best.to(), scene.mover.flip()).into_iter().next()?;
            let flees = scene.best_line.get(1).and_then(|mv| mv.from_square()) == Some(target);
            if !flees || !scene.before.see_ge(scene.best, 0) {
                return None;
            }
            let [ja, en] = scene.name_of_own(scene.best);
            let [of_ja, of_en] = piece(&scene.best_after, target)?;
            Some(Proposal {
                words: both(
                    format!("{ja}と{of_ja}に当てて手番を取れた"),
                    format!("misses {en}, which attacks the {of_en} and wins a tempo"),
                ),
                squares: vec![target],
                moves: vec![scene.best],
                counterfactual: Counterfactual::Elsewhere(Box::new(empty(scene.before, target)?)),
            })
        },
        example: [
            "ln1g3+Bl/1ks1g4/1ppp3pp/p5P2/7P1/P1PPR4/1P2S3+r/1BK1S4/LN1G5 b N5Pgsnlp 71",
            "P*5c 5b6b N*5d 6b5c 5d4b+ L*5b",
            "6f6e G*4e 5f5e 4e5e 8h5e N*7d N*6f 7d6f",
            "▲５三歩と５二の金に当てて手番を取れた",
        ],
    },
];

/// The position without the piece on a square.
fn empty(position: &Position, at: Square) -> Option<Position> {
    let mut partial = position.to_partial();
    partial.piece_set(at, None);
    Position::from_partial(&partial).ok()
}

impl Scene<'_> {
    /// The name of a move in the position before.
    pub(super) fn name_of_own(&self, mv: PackedMove) -> [String; 2] {
        name(self.before, mv)
    }
}
