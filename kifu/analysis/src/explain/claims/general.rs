//! What can be said if nothing more special is true.

use crate::explain::claims::{Claim, about_reply};
use crate::explain::words::{both, kind, piece};
use shogi_core::PieceKind;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "capture-allowed",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            let [of_ja, of_en] = piece(&scene.after, reply.to())?;
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{ja}と{of_ja}を取られる"),
                format!("allows {en}, which takes the {of_en}"),
            );
            let at = reply.to();
            about_reply(scene, words, vec![at], scene.replies_that(|mv| mv.to() == at))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "drop-allowed",
        group: 7,
        propose: |scene| {
            let reply = scene.reply().filter(|reply| reply.is_drop())?;
            let [ja, en] = scene.name_of(reply);
            let words = both(format!("{ja}と打たれる"), format!("allows the drop {en}"));
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "drops-of-piece",
        group: 7,
        propose: |scene| {
            let reply = scene.reply()?;
            let dropped = reply.dropped()?;
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = kind(dropped);
            let words = both(
                format!("{ja}など、持ち駒の{of_ja}を打つ手が厳しい"),
                format!("there are strong drops of the {of_en} in hand ({en} among others)"),
            );
            let without = scene.replies_that(|mv| mv.dropped() == Some(dropped));
            about_reply(scene, words, vec![reply.to()], without)
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "pawn-advance-allowed",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            if scene.after.moving_kind(reply) != PieceKind::Pawn || reply.is_drop() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words =
                both(format!("{ja}と突かれる"), format!("allows the pawn to advance: {en}"));
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "move-allowed",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            let [ja, en] = scene.name_of(reply);
            let words = both(format!("{ja}を許す"), format!("allows {en}"));
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "piece-active",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            let from = reply.from_square()?;
            let without = scene.replies_that(|mv| mv.from_square() == Some(from));
            let moved = scene.after.moving_kind(reply);
            if matches!(moved, PieceKind::Pawn | PieceKind::King) || without.len() < 2 {
                return None;
            }
            let [of_ja, of_en] = piece(&scene.after, from)?;
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{of_ja}が{ja}などと働く"),
                format!("lets the {of_en} become active ({en} among others)"),
            );
            about_reply(scene, words, vec![from], without)
        },
        example: ["", "", "", ""],
    },
];
