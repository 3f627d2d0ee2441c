//! The library of claims. Each claim is one block in one of these files: its name, the group in which mistakes are
//! counted, when it applies and what it says, its counterfactual, and an example that a test plays. Nothing else
//! changes when a claim is added, but the table in docs/analysis.md.
//!
//! The order counts: of the claims that are confirmed the first one is the reason. Exact proofs come first, then what
//! says most, and at the end what says little.

mod general;
mod king;
mod mates;
mod missed;
mod position;
mod tactics;

use crate::explain::counterfactual::Counterfactual;
use crate::explain::scene::Scene;
use crate::explain::words::Both;
use monomi_movegen::PackedMove;
use monomi_support::text::{Lang, Message};
use shogi_core::Square;

/// All claims, by file.
pub(super) const CLAIMS: &[&[Claim]] = &[
    mates::CLAIMS,
    tactics::CLAIMS,
    missed::GAINS,
    king::CLAIMS,
    position::CLAIMS,
    missed::CLAIMS,
    general::CLAIMS,
];

/// Groups of claims in which mistakes are counted, in Japanese and in English. Data of earlier versions has the first
/// six.
pub const GROUPS: [&str; 12] = [
    "詰みを逃した / Missed mate",
    "詰みを許した / Allowed mate",
    "詰めろを許した / Allowed a threatmate",
    "駒損 / Lost material",
    "駒得を逃した / Missed a gain",
    "成られた / Allowed a promotion",
    "手筋を許した / Allowed a tactic",
    "打ち込みを許した / Allowed a drop",
    "玉を攻められた / Allowed an attack on the king",
    "手を渡した / Lost the initiative",
    "好機を逃した / Missed a chance",
    "その他 / Other",
];

/// The group of mistakes without a reason.
const OTHER: usize = GROUPS.len() - 1;

/// The group of a claim by its name.
pub fn group_of(name: &str) -> usize {
    let known = CLAIMS.iter().copied().flatten().find(|claim| claim.name == name);
    known.map_or(OTHER, |claim| claim.group)
}

/// A kind of reason.
pub(super) struct Claim {
    /// Its name in data.
    pub(super) name: &'static str,
    /// The index of its group.
    pub(super) group: usize,
    /// What it says of a move; `None` where it does not apply.
    pub(super) propose: fn(&Scene<'_>) -> Option<Proposal>,
    /// A position, the line with the best move, the line with the move played, and what the claim says in Japanese.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    pub(super) example: [&'static str; 4],
}

/// What a claim says of a move, before it is confirmed.
pub(super) struct Proposal {
    pub(super) words: Both,
    /// The squares of which it speaks.
    pub(super) squares: Vec<Square>,
    /// The moves of which it speaks, all of one side.
    pub(super) moves: Vec<PackedMove>,
    pub(super) counterfactual: Counterfactual,
}

/// A proposal about the opponent's reply to the move: without it (or without these moves) the loss is gone.
fn about_reply(
    scene: &Scene<'_>,
    words: Both,
    squares: Vec<Square>,
    without: Vec<PackedMove>,
) -> Option<Proposal> {
    let moves = scene.reply().into_iter().collect();
    Some(Proposal { words, squares, moves, counterfactual: Counterfactual::Replies(without) })
}

/// A proposal about the best move and the move after it: without these the best move is not better.
fn about_follow_up(
    scene: &Scene<'_>,
    words: Both,
    squares: Vec<Square>,
    without: Vec<PackedMove>,
) -> Option<Proposal> {
    let moves = vec![scene.best];
    Some(Proposal { words, squares, moves, counterfactual: Counterfactual::FollowUps(without) })
}

/// In Japanese and in English.
fn in_both(message: &impl Message) -> Both {
    [Lang::Ja, Lang::En].map(|lang| message.in_lang(lang).to_string())
}
