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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
    },
    Claim {
        name: "missed-plan",
        group: 10,
        propose: |scene| {
            let (follow, answered) = (scene.follow_up()?, scene.answered.as_ref()?);
            // A recapture says nothing.
            let answer = *scene.best_line.get(1)?;
            if follow.to() == answer.to() {
                return None;
            }
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let [next_ja, next_en] = name(answered, follow);
            let words = both(
                format!("{best_ja}から{next_ja}の狙いを逃す"),
                format!("misses {best_en} with the idea {next_en}"),
            );
            about_follow_up(scene, words, vec![follow.to()], vec![follow])
        },
        example: ["", "", "", ""],
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
