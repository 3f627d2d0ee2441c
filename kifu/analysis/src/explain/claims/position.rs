//! Time and shape: moves in the wrong order, attacks that the opponent begins, pieces that come to good squares.

use crate::explain::claims::{Claim, about_reply};
use crate::explain::scene::value;
use crate::explain::words::{both, kind, piece};
use crate::judge::LOSS;
use crate::solve::passed;
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::{PieceKind, Square};

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
            if !even {
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
        name: "piece-saved",
        group: 9,
        propose: |scene| {
            // What the mover could take next, and after the reply no more.
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let free = passed(&scene.after)?;
            let gains = |position: &Position, mv: PackedMove| {
                let taken = position.piece_at(mv.to());
                taken.is_some_and(|piece| value(piece.piece_kind()) >= LOSS)
                    && position.see_ge(mv, LOSS)
            };
            let legal = free.legal_moves();
            let mut targets: Vec<Square> =
                legal.iter().filter(|&&mv| gains(&free, mv)).map(|mv| mv.to()).collect();
            let still = replied.legal_moves();
            targets.retain(|&at| !still.iter().any(|&mv| mv.to() == at && gains(replied, mv)));
            let worth =
                |&at: &Square| free.piece_at(at).map_or(0, |piece| value(piece.piece_kind()));
            let target = targets.into_iter().max_by_key(worth)?;
            if scene.after.piece_at(reply.to()).is_some() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(&scene.after, target)?;
            let words = if reply.from_square() == Some(target) {
                both(
                    format!("{ja}と{of_ja}を逃げる余裕を与える"),
                    format!("gives the {of_en} time to get away ({en})"),
                )
            } else {
                both(
                    format!("{ja}と{of_ja}を守る余裕を与える"),
                    format!("gives the opponent time to save the {of_en} ({en})"),
                )
            };
            about_reply(scene, words, vec![target], vec![reply])
        },
        example: ["", "", "", ""],
    },
];
