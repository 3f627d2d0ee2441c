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
        example: [
            "ln5n1/1r2g1gk1/2pp3pl/p3sp3/1p2p3p/P1PP5/1PSBPPP2/2G4R1/LN2KG1NL b SPbs2p 53",
            "S*2e S*2d 2e2d 2c2d S*4a 3b3c 4a5b+",
            "S*1a 2b3c P*2b 5e5f 5g5f 8e8f 8g8f",
            "王手で△３三玉と安全な所へ逃がす",
        ],
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
        example: [
            "lnsgk1s1+B/6g2/p1ppppn1p/1R5p1/5b3/2P6/P2PPPP1P/2G4S1/LN2KG1NL w L4Prs 30",
            "S*1h 1i1h 4e1h+ 8d8a+ 1h2i 5i6h",
            "S*6f 5i5h",
            "▲５八玉と玉を逃げる余裕を与える",
        ],
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
        example: [
            "l4r2l/3B5/2gs+B4/pkp1p2pp/1p1p5/P1P5P/1S1+n5/KG3+p3/LN6L w G2Nrg2s7p 130",
            "S*7i G*7h 6g7h 8h7h R*5h N*8h S*8f",
            "G*7b G*7e 7d7e 5c7e 8d8c P*8d 8c8b 6b7c+",
            "▲７五金の王手が厳しい",
        ],
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
        example: [
            "l2g3nl/1r2k1g2/2nsp1sp1/p1pp1P2p/1p4R2/P1PB5/1PSPP3P/2G1GS3/LNK5L w 3Pbnp 54",
            "P*3d",
            "B*4f 3e3c+ 2a3c S*4c 3b4c 4d4c+ 5b4c P*4d",
            "▲３三飛成と玉を攻められる",
        ],
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
        example: [
            "ln1g3nl/2skg2r1/1p2psbpp/p1pp1pp2/7P1/1PPSP4/P2P1PP1P/1SKB3R1/LN1G1G1NL b - 27",
            "8i7g 5c5d 3g3f 8a7c 9g9f 3c4b 8h8g",
            "7h8g 9d9e 4i5h 3c4b 3g3f 8a7c 2i3g 5c5d",
            "玉の守りが薄く、△９五歩などの攻めがある",
        ],
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
        example: [
            "lnsg1g1nl/1r4kb1/p1pp1s1pp/4ppp2/P7P/2P3PP1/1P1PPP3/1BG3R1L/LNS1KGSN1 b p 25",
            "4g4f P*8f 8g8f 8b8f 3f3e",
            "1h1g 2b3a 3h1h 6a5b 5i6i 3a6d 3i3h P*8f",
            "△３一角と玉を固める余裕を与える",
        ],
    },
];

/// Whether a reply moves the opponent's king.
fn moves_king(scene: &Scene<'_>, reply: PackedMove) -> bool {
    scene.after.moving_kind(reply) == PieceKind::King
}
