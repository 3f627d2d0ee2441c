//! Why a move is bad, and what the better one prepares: in words, each of them verified by a search.
//!
//! A reason is a claim that a search can refute. The library in `claims/` proposes claims from the position and the two
//! lines; each one names its counterfactual: the same position with the cause taken away. Only a claim whose
//! counterfactual takes away at least half of the loss becomes a reason. docs/analysis.md has the table.

mod claims;
mod counterfactual;
mod game;
mod plan;
#[cfg(test)]
mod properties;
mod scene;
#[cfg(test)]
mod tests;
mod words;

pub use claims::{GROUPS, group_of};
pub use counterfactual::{Counterfactual, Evidence};
pub use game::Explaining;
pub use scene::Scene;

use crate::line;
use claims::{CLAIMS, Claim, Proposal};
use monomi_movegen::{PackedMove, Position};
use serde::{Deserialize, Serialize};
use shogi_core::{Color, Square, ToUsi as _};

/// A claim is a reason if its counterfactual takes away at least this share of the loss.
const CONFIRMED: f64 = 0.5;
/// A claim that is confirmed by less than this is searched again, with so many times the nodes; then the second search
/// counts. Of two close values the one that passes is too often the wrong one. (With 0.9 fewer moves have a reason, and
/// another network confirms no more of them: trials/notes/analysis.md.)
const SURE: f64 = 0.75;
const AGAIN: u32 = 3;
/// The claims need so many moves of the best line: the best move, the reply to it, and what follows.
const LINE: usize = 3;
/// So many searches are kept for the plan.
const FOR_PLAN: usize = 2;
/// So many replies of the same kind are taken away together, at most.
const ALIKE: usize = 3;

/// Why a move is bad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of the claim.
    pub claim: String,
    /// In Japanese and in English.
    pub words: [String; 2],
    /// Share of the loss that the counterfactual takes away, from 0.5 to 1.
    pub confirmed: f64,
    /// The counterfactual, for other programs; see docs/analysis.md.
    pub counterfactual: String,
    /// The squares of which it speaks, in USI with blanks between them.
    pub squares: String,
    /// The moves of which it speaks.
    #[serde(with = "line::as_text")]
    pub moves: Vec<PackedMove>,
    /// Whether these are moves of White.
    pub of_white: bool,
}

/// What is said of a move that was bad.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Why it is bad.
    pub reason: Option<Reason>,
    /// What the best move prepares, in Japanese and in English.
    pub plan: Option<[String; 2]>,
}

impl Explanation {
    /// Whether there is anything in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Explains a move: the first claim that its counterfactual confirms, and the plan of the best move.
pub fn explain(scene: &Scene<'_>, evidence: &mut dyn Evidence) -> Explanation {
    evidence.reserve(if scene.is_bad { FOR_PLAN } else { 0 });
    let longer = with_long_line(scene, evidence);
    let scene = longer.as_ref().unwrap_or(scene);
    let reason = reason(scene, evidence);
    evidence.reserve(0);
    let plan = scene.is_bad.then(|| plan::plan(scene, evidence)).flatten();
    Explanation { reason, plan }
}

/// The scene with a best line that is long enough, where a search finds one. Lines are short where they end in an
/// entry of the transposition table.
fn with_long_line<'a>(scene: &Scene<'a>, evidence: &mut dyn Evidence) -> Option<Scene<'a>> {
    if scene.best_line.len() >= LINE {
        return None;
    }
    let (_, line) = evidence.without(&scene.best_after, &[])?;
    scene.with_best_line(&line)
}

fn reason(scene: &Scene<'_>, evidence: &mut dyn Evidence) -> Option<Reason> {
    CLAIMS.iter().copied().flatten().find_map(|claim| confirmed(claim, scene, evidence))
}

/// The reason that a claim gives, if it applies and is confirmed. Where the reply that it names can be replaced by
/// another one that does the same, both are taken away.
fn confirmed(claim: &Claim, scene: &Scene<'_>, evidence: &mut dyn Evidence) -> Option<Reason> {
    let mut proposal = (claim.propose)(scene)?;
    for _ in 0..ALIKE {
        let found = proposal.counterfactual.test(scene, evidence)?;
        if found.share >= CONFIRMED {
            let share = if found.share >= SURE {
                found.share
            } else {
                evidence.set_effort(AGAIN);
                let again = proposal.counterfactual.test(scene, evidence);
                evidence.set_effort(1);
                again?.share
            };
            return (share >= CONFIRMED).then(|| stated(claim, proposal, scene, share));
        }
        let Counterfactual::Replies(without) = &mut proposal.counterfactual else { return None };
        let other = scene.with_replies(&found.line)?;
        let alike = (claim.propose)(&other)?;
        let Counterfactual::Replies(more) = alike.counterfactual else { return None };
        let before = without.len();
        without.extend(more);
        without.sort_by_key(|mv| mv.bits());
        without.dedup();
        if without.len() == before {
            return None;
        }
    }
    None
}

fn stated(claim: &Claim, proposal: Proposal, scene: &Scene<'_>, share: f64) -> Reason {
    let Proposal { words, squares, moves, counterfactual } = proposal;
    let of_white = (scene.mover == Color::White) != counterfactual.is_of_replies();
    let squares: Vec<String> =
        squares.into_iter().map(|square: Square| square.to_usi_owned()).collect();
    Reason {
        claim: claim.name.to_owned(),
        words,
        confirmed: share.min(1.0),
        counterfactual: counterfactual.to_text(scene),
        squares: squares.join(" "),
        moves,
        of_white,
    }
}

/// The position after a move.
fn after(position: &Position, mv: PackedMove) -> Position {
    let mut after = position.clone();
    after.do_move(mv);
    after
}
