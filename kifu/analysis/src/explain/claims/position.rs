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
        example: [
            "ln1gk2nl/1r3sgb1/p2p1p1pp/2ps2p2/4p4/2PS1P3/PP1PPSP1P/1BG4R1/LN1K1G1NL b Pp 33",
            "4g3f 4b3c 4i5h 5e5f 5g5f 9c9d 3f2e",
            "5g5f 7d7e",
            "手順前後：先に▲３六銀（今は△７五歩がある）",
        ],
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
        example: [
            "l2g1k1nl/4r1gb1/p1np1p1pp/2ps2p2/1p2p1s2/2PSP2PP/PPSP1PP2/2GBR4/LNK2G1NL b - 35",
            "6f5e 6d6e 5h5i 6a6b 9g9f 1c1d 7i8h",
            "5f5e 6a6b",
            "取るなら銀で。△６二金がある",
        ],
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
        example: [
            "l4r2l/1SgB5/2gs5/pkp1p+B1pp/1p1p5/P1P5P/1S1+n5/KG3+p3/LN6L b 2Nrgs7p 127",
            "8b7c+ 7b7c N*9g 4a4d 6b4d+ B*6h R*8a",
            "8b7c 7b7c N*7g 4a4d 6b4d+ S*7i 7g6e 7i8h+",
            "成るべきところ。△７三金がある",
        ],
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
        example: [
            "ln5nS/1r2g3k/2pp3gl/p3s4/1p2pp2p/P1PP5/1PSBPPP2/2G4R1/LN2KG1NL b Pbs3p 59",
            "P*2b",
            "P*2d 2c3c 5g5f B*3d 3g3f P*2g 2h2g P*2f",
            "打つ場所が違う：▲２二歩なら△３三金がない",
        ],
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
        example: [
            "ln4gnk/1r1s2gsl/2pp2bpp/p3ppp2/1pPP4P/4SPP2/PPB1P2P1/2R1G1SK1/LN3G1NL b - 37",
            "7h8h 3b4c 2i3g 9d9e 5f4g 3c4b 7g6f",
            "9g9f 4d4e",
            "△４五歩の仕掛けを許す",
        ],
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
        example: [
            "ln4gkl/1r4gs1/5pnpp/pPsS2p2/5P3/PppB4P/4P1PP1/L3G1SK1/1N3G1NL b BPr3p 57",
            "6d5c+",
            "B*7a 8b4b 6d5c 4b7b 7a6b+ 7b6b 5c6b+",
            "△４二飛と８二の飛を逃げる余裕を与える",
        ],
    },
];
