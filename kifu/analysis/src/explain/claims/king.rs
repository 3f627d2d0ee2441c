//! Kings: attacks that the move allows, and kings that get away.

use crate::explain::after;
use crate::explain::claims::{Claim, about_reply};
use crate::explain::scene::{Scene, attacked_from, near, value};
use crate::explain::words::both;
use monomi_movegen::PackedMove;
use shogi_core::PieceKind;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "drives-king-to-safety",
        group: 9,
        propose: |scene| {
            let reply = scene
                .reply()
                .filter(|&reply| scene.after.in_check() && moves_king(scene, reply))?;
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("王手で{ja}と安全な所へ逃がす"),
                format!("the check drives the king to safety ({en})"),
            );
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "king-gets-away",
        group: 9,
        propose: |scene| {
            let reply = scene
                .reply()
                .filter(|&reply| !scene.after.in_check() && moves_king(scene, reply))?;
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{ja}と玉を逃げる余裕を与える"),
                format!("gives the king time to get away ({en})"),
            );
            about_reply(
                scene,
                words,
                vec![reply.to()],
                scene.replies_that(|mv| moves_king(scene, mv)),
            )
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "check",
        group: 8,
        propose: |scene| {
            let reply = scene
                .reply()
                .filter(|_| scene.replied.as_ref().is_some_and(|replied| replied.in_check()))?;
            let [ja, en] = scene.name_of(reply);
            let words =
                both(format!("{ja}の王手が厳しい"), format!("allows the strong check {en}"));
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "attack-on-king",
        group: 8,
        propose: |scene| {
            let (reply, king) = (scene.reply()?, scene.king()?);
            let attacks = attacked_from(scene.replied.as_ref()?, reply.to());
            let comes = near(reply.to(), king, 2)
                || attacks.into_iter().any(|square| near(square, king, 1));
            let by = scene.after.moving_kind(reply);
            if by == PieceKind::King || !comes || !near(reply.to(), king, 4) {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = if value(by) <= value(PieceKind::Pawn) {
                both(
                    format!("{ja}と玉の近くを攻められる"),
                    format!("allows {en}, an attack near the king"),
                )
            } else {
                both(
                    format!("{ja}と玉を攻められる"),
                    format!("lets the opponent attack the king with {en}"),
                )
            };
            about_reply(scene, words, vec![king], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "king-exposed",
        group: 8,
        propose: |scene| {
            let (reply, king) = (scene.reply()?, scene.king()?);
            let comes = |mv: PackedMove| {
                near(mv.to(), king, 2) && scene.after.moving_kind(mv) != PieceKind::King
            };
            if !comes(reply) {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("玉の守りが薄く、{ja}などの攻めがある"),
                format!("leaves the king open to attack ({en} among others)"),
            );
            about_reply(scene, words, vec![king], scene.replies_that(comes))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "checks",
        group: 8,
        propose: |scene| {
            let reply = scene.reply()?;
            let checks = scene.replies_that(|mv| after(&scene.after, mv).in_check());
            if !checks.contains(&reply) || checks.len() < 2 {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{ja}などの王手で攻められる"),
                format!("allows checks ({en} among others)"),
            );
            about_reply(scene, words, vec![scene.king()?], checks)
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "king-defended",
        group: 9,
        propose: |scene| {
            let reply = scene.reply().filter(|_| !scene.after.in_check())?;
            let king = scene.after.king(scene.mover.flip())?;
            let quiet = scene.after.piece_at(reply.to()).is_none();
            let by = scene.after.moving_kind(reply);
            if !near(reply.to(), king, 1) || !quiet || by == PieceKind::King {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{ja}と玉を固める余裕を与える"),
                format!("gives the opponent time to defend the king with {en}"),
            );
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
];

/// Whether a reply moves the opponent's king.
fn moves_king(scene: &Scene<'_>, reply: PackedMove) -> bool {
    scene.after.moving_kind(reply) == PieceKind::King
}
