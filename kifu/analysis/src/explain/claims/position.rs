//! Time and shape: moves in the wrong order, attacks that the opponent begins, pieces that come to good squares.

use crate::explain::claims::{Claim, about_reply};
use crate::explain::scene::{Scene, value};
use crate::explain::words::{both, kind, piece};
use monomi_movegen::Bitboard;
use shogi_core::PieceKind;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "wrong-order",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            let later =
                scene.best_line.iter().skip(2).step_by(2).take(3).any(|&mv| mv == scene.played);
            if !later {
                return None;
            }
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("手順前後：先に{best_ja}（今は{ja}がある）"),
                format!(
                    "the moves are in the wrong order: {best_en} first, because now there is {en}"
                ),
            );
            about_reply(scene, words, vec![scene.best.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "wrong-recapture",
        group: 11,
        propose: |scene| {
            let reply = scene.reply()?;
            let to = scene.played.to();
            let both_take = to == scene.best.to() && scene.before.piece_at(to).is_some();
            if !both_take || scene.played.from_square() == scene.best.from_square() {
                return None;
            }
            let [best_ja, best_en] = kind(scene.before.moving_kind(scene.best));
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("取るなら{best_ja}で。{ja}がある"),
                format!("takes with the wrong piece (better the {best_en}), because there is {en}"),
            );
            about_reply(scene, words, vec![to], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "promotion-choice",
        group: 11,
        propose: |scene| {
            let reply = scene.reply()?;
            let same = scene.played.to() == scene.best.to()
                && scene.played.from_square().is_some()
                && scene.played.from_square() == scene.best.from_square();
            if !same {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = if scene.best.is_promotion() {
                both(
                    format!("成るべきところ。{ja}がある"),
                    format!("should promote, because there is {en}"),
                )
            } else {
                both(
                    format!("成らないほうがよい。{ja}がある"),
                    format!("should not promote, because there is {en}"),
                )
            };
            about_reply(scene, words, vec![scene.played.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "wrong-drop",
        group: 11,
        propose: |scene| {
            let reply = scene.reply()?;
            let (played, best) = (scene.played.dropped()?, scene.best.dropped()?);
            let [ja, en] = scene.name_of(reply);
            let [best_ja, best_en] = scene.name_of_own(scene.best);
            let words = match (played == best, scene.played.to() == scene.best.to()) {
                (true, _) => both(
                    format!("打つ場所が違う：{best_ja}なら{ja}がない"),
                    format!("drops the piece on the wrong square: {best_en}, because of {en}"),
                ),
                (false, true) => both(
                    format!("打つ駒が違う：{best_ja}なら{ja}がない"),
                    format!("drops the wrong piece: {best_en}, because of {en}"),
                ),
                _ => return None,
            };
            about_reply(scene, words, vec![scene.best.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "pawn-break",
        group: 9,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let pawn = replied
                .piece_at(reply.to())
                .filter(|piece| piece.piece_kind() == PieceKind::Pawn)?;
            let front = Bitboard::single(reply.to()).forward(pawn.color()).first()?;
            let offers = replied.piece_at(front).is_some_and(|there| {
                there.color() == scene.mover && there.piece_kind() == PieceKind::Pawn
            });
            if !offers || reply.is_drop() || scene.after.piece_at(reply.to()).is_some() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = both(format!("{ja}の仕掛けを許す"), format!("allows the attack {en}"));
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "exchange-allowed",
        group: 9,
        propose: |scene| {
            let reply = scene.reply()?;
            let taken = scene.after.piece_at(reply.to())?.piece_kind();
            let by = scene.after.moving_kind(reply);
            let even = value(taken) == value(by) && value(taken) > value(PieceKind::Pawn);
            if !even || reply.to() == scene.played.to() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = kind(taken);
            let words = both(
                format!("{ja}の{of_ja}交換を許す"),
                format!("allows {en}, which exchanges {of_en}s"),
            );
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "guarded-in-time",
        group: 9,
        propose: |scene| {
            // What the best move would have attacked is defended or moved away by the reply.
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let them = scene.mover.flip();
            let target = crate::explain::scene::prey(&scene.best_after, scene.best.to(), them)
                .into_iter()
                .next()?;
            let away = reply.from_square() == Some(target.0);
            let defends =
                crate::explain::scene::attacked_from(replied, reply.to()).contains(target.0);
            if !away && !defends {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(&scene.best_after, target.0)?;
            let words = both(
                format!("{of_ja}を攻める機会を逃し、{ja}と受けられる"),
                format!("gives time to save the {of_en} with {en}"),
            );
            about_reply(scene, words, vec![target.0], vec![reply])
        },
        example: ["", "", "", ""],
    },
];
