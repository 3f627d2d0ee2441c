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
        example: [
            "ln3k1nl/1r4gb1/3psg1p1/p1p1s1P1p/4pS3/P1PS2R2/1P1P2N1P/2G1G4/LNBK4L b 3P3p 71",
            "4e5d",
            "P*2d 2c2d",
            "△２四歩と２四の歩を取られる",
        ],
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
        example: [
            "ln5nS/1r2g3k/2pp2g1l/p3s2P1/1p2pp2p/P1PP5/1PSBPPP2/2G4R1/LN2KG1NL b bs3p 61",
            "9f9e P*2f 9e9d S*2g 9d9c+ 8a9c 9i9c+",
            "2i1g S*3e 5i6h",
            "△３五銀と打たれる",
        ],
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
        example: [
            "ln4gnk/5sgsl/p1pp1pbpp/4p1p2/9/1BPPPP2P/P2S1GPP1/6SK1/LN3G1NL b RPrp 41",
            "R*8g R*6i 4i5i 6i7i+ 8f6h",
            "P*8b R*8g 8f7g 8g8i+ 8b8a+ 8i8g R*7i N*8e",
            "△８七飛など、持ち駒の飛を打つ手が厳しい",
        ],
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
        example: [
            "ln1gkg1nl/2s2rsb1/ppppp1ppp/5p3/9/2P4P1/PP1PPPP1P/1B1K1S1R1/LNSG1G1NL b - 9",
            "2f2e",
            "7i7h 3c3d 9g9f 3b4c 4g4f 5a6b 4i5h 4c5d",
            "△３四歩と突かれる",
        ],
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
        example: [
            "ln5nl/1r4gb1/p1pp3k1/3spgspp/1pPR2p2/P7P/1PB1PGPP1/6S2/LN3GKNL b S2Pp 51",
            "6e6h 2b3c 3i2h P*4e",
            "6e6i 4d4c P*6e 6d5c 3i2h P*4e",
            "△４三金引を許す",
        ],
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
        example: [
            "lnsgkgsnl/1r5b1/pppppp3/6pRp/9/9/PPPPPPP1P/1B7/LNSGKGSNL w Pp 8",
            "4a3b",
            "3d3e 2d2c+ 2b3c 2c2a 8b2b 2a2b 3a2b R*2h",
            "２四の飛が▲２三飛成などと働く",
        ],
    },
];
