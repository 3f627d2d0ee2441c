//! Mates: the mate solver has proven them, or the search has seen them.

use crate::explain::claims::{Claim, Proposal, about_reply};
use crate::explain::counterfactual::Counterfactual;
use crate::explain::scene::Scene;
use crate::explain::words::{both, square};
use monomi_movegen::{PackedMove, Position};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "threat-not-parried",
        group: 1,
        propose: |scene| {
            let plies = scene.mate.filter(|_| scene.was_threatened)?;
            let ja = format!("詰めろを受けず{plies}手詰");
            proven(ja, format!("does not parry the threatmate: mate in {plies}"))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "escape-closed",
        group: 1,
        propose: |scene| {
            let plies = scene.mate.filter(|_| scene.by_checks)?;
            let to = scene.played.to();
            let king = scene.before.king(scene.mover)?;
            let closes = scene.played.from_square() != Some(king)
                && king != to
                && scene.before.is_legal(PackedMove::normal(king, to, false));
            let mut partial = scene.after.to_partial();
            // The piece is gone: if there is still a mate, it was not in the way.
            partial.piece_set(to, None);
            let open = Position::from_partial(&partial).ok().filter(|_| closes)?;
            let [ja, en] = square(to);
            Some(Proposal {
                words: both(
                    format!("玉の逃げ道（{ja}）を塞いで{plies}手詰"),
                    format!("closes an escape square of the king ({en}): mate in {plies}"),
                ),
                squares: vec![to],
                moves: Vec::new(),
                counterfactual: Counterfactual::NoMate(Box::new(open)),
            })
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "mate",
        group: 1,
        propose: |scene| {
            let plies = scene.mate.filter(|_| scene.by_checks)?;
            proven(format!("{plies}手詰を許す"), format!("allows mate in {plies}"))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "forced-mate",
        group: 1,
        propose: |scene| {
            let plies = scene.mate?;
            proven(format!("{plies}手で詰まされる"), format!("allows a forced mate in {plies}"))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "threatmate",
        group: 2,
        propose: |scene| {
            let reply = scene.reply().filter(|_| scene.threatmate)?;
            let [ja, en] = scene.name_of(reply);
            let words = both(format!("{ja}の詰めろを許す"), format!("allows the threatmate {en}"));
            about_reply(scene, words, Vec::new(), vec![reply])
        },
        example: ["", "", "", ""],
    },
];

fn proven(ja: String, en: String) -> Option<Proposal> {
    let counterfactual = Counterfactual::Proof;
    Some(Proposal { words: both(ja, en), squares: Vec::new(), moves: Vec::new(), counterfactual })
}

impl Scene<'_> {
    /// The name of a reply to the move played.
    pub(super) fn name_of(&self, reply: PackedMove) -> [String; 2] {
        crate::explain::words::name(&self.after, reply)
    }
}
