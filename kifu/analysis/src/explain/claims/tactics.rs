//! Tactics that the move allows: forks, pins, pieces without a defender, drops, promotions.

use crate::explain::claims::{Claim, about_reply};
use crate::explain::scene::{Scene, attacked_from, near, prey, value};
use crate::explain::words::{Both, both, kind, piece};
use crate::judge::LOSS;
use monomi_movegen::square::{in_promotion_zone, relative_rank};
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::{PieceKind, Square};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "fork",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let targets = prey(replied, reply.to(), scene.mover);
            let check = gives_check_itself(scene, replied, reply);
            if targets.len() + usize::from(check) < 2 || !safe(scene, reply) {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let squares: Vec<Square> = targets.iter().take(2).map(|&(square, _)| square).collect();
            let kinds: Vec<Both> = targets.iter().take(2).map(|&(_, found)| kind(found)).collect();
            let words = match (&kinds[..], check) {
                ([first, ..], true) => both(
                    format!("{ja}の王手{}取りを許す", first[0]),
                    format!(
                        "allows the check {en}, which also attacks {}",
                        the(&piece(replied, squares[0])?)
                    ),
                ),
                ([first, second, ..], false) => both(
                    format!("{ja}の両取り（{}と{}）を許す", first[0], second[0]),
                    format!(
                        "allows the fork {en} of {} and {}",
                        the(&piece(replied, squares[0])?),
                        the(&piece(replied, squares[1])?)
                    ),
                ),
                _ => return None,
            };
            about_reply(scene, words, squares, vec![reply])
        },
        example: [
            "ln1g3nl/1ks1g1r2/ppppp2pp/9/6p2/2P4PP/PPNPPRPb1/2KS2s2/L1G2G1NL b BS2P 39",
            "4g4a+ 3b4b 4a4b 5b4b 4i5i 3h4i+ 5i6i",
            "4i3h 2g3h+ 4g4a+ 3b4b 4a4b 5b4b",
            "△３八角成の両取り（飛と桂）を許す",
        ],
    },
    Claim {
        name: "discovered-attack",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let from = reply.from_square()?;
            let them = scene.mover.flip();
            // A slider behind the moving piece that attacks something new.
            let opened =
                (replied.pieces(them)).into_iter().filter(|&at| at != reply.to()).find_map(|at| {
                    let now = attacked_from(replied, at).without(attacked_from(&scene.after, at));
                    let (_, best) = prey_among(replied, at, scene, now)?;
                    attacked_from(&scene.after, at).contains(from).then_some((at, best))
                });
            let (slider, target) = opened?;
            let [ja, en] = scene.name_of(reply);
            let [by_ja, by_en] = piece(replied, slider)?;
            let [of_ja, of_en] = piece(replied, target)?;
            let words = both(
                format!("{ja}で{by_ja}の利きが{of_ja}に通る"),
                format!("allows {en}, which opens the line of the {by_en} to the {of_en}"),
            );
            about_reply(scene, words, vec![slider, target], vec![reply])
        },
        example: [
            "lnkgb2nl/2s3r2/pp1gps1p1/2pp1P2p/P3P2P1/1PP1S1pRP/1SBP2N2/1KG1G4/LN6L w Pp 52",
            "4c5b 3g4e 3f3g+ 5e5d 6c5d 4d4c+ 5b4c",
            "4c4d 5e5d 4d3e 5d5c+ 3e2f 5c6c 7b6c 3g4e",
            "▲５四歩で７七の角の利きが４四の銀に通る",
        ],
    },
    Claim {
        name: "pin",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let slides = matches!(
                replied.piece_at(reply.to())?.piece_kind(),
                PieceKind::Rook
                    | PieceKind::Bishop
                    | PieceKind::Lance
                    | PieceKind::ProRook
                    | PieceKind::ProBishop
            );
            let king = scene.king()?;
            let pinned = replied.pinned() & replied.pieces(scene.mover);
            let line = monomi_movegen::attacks::between(reply.to(), king);
            let at = (pinned & line).first().filter(|&at| {
                slides
                    && !scene.after.pinned().contains(at)
                    && replied
                        .piece_at(at)
                        .is_some_and(|piece| piece.piece_kind() != PieceKind::Pawn)
            })?;
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(replied, at)?;
            let words = both(
                format!("{ja}で{of_ja}が動けなくなる"),
                format!("allows {en}, which pins the {of_en} to the king"),
            );
            about_reply(scene, words, vec![at], vec![reply])
        },
        example: [
            "ln1g3+Bl/1ks1g4/1ppp3pp/p5P2/3P1n1P1/P1P1R4/1P6+r/1BKSG4/LN7 w SN6Pgsl 80",
            "L*5c",
            "S*4g 5f5b+ 6a5b 8h4d 4g5h+ S*7a 8b9b G*8b",
            "▲５二飛成で７二の銀が動けなくなる",
        ],
    },
    Claim {
        name: "exchange",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let gives = scene.before.piece_at(scene.played.to()).is_some()
                && reply.to() == scene.played.to();
            let lost = scene.lost()?;
            let given = lost.most_valuable_lost()?
                == monomi_movegen::square::unpromoted(scene.before.moving_kind(scene.played));
            if !gives || !given {
                return None;
            }
            let words = crate::explain::claims::in_both(&lost.sacrifice());
            about_reply(scene, words, vec![reply.to()], takes(scene, reply.to()))
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "piece-given-away",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let moved = scene.after.piece_at(scene.played.to())?.piece_kind();
            // It goes where it is taken, and it takes less than it is worth.
            let taken = scene
                .before
                .piece_at(scene.played.to())
                .map_or(0, |piece| value(piece.piece_kind()));
            if reply.to() != scene.played.to() || value(moved) - taken < LOSS {
                return None;
            }
            let [ja, en] = piece(&scene.after, reply.to())?;
            let [by_ja, by_en] = scene.name_of(reply);
            let words =
                both(format!("{ja}が{by_ja}で取られる"), format!("the {en} is taken ({by_en})"));
            about_reply(scene, words, vec![reply.to()], takes(scene, reply.to()))
        },
        example: [
            "l4r2l/1kgB5/1g1s5/pG2p2pp/1p+Bp5/P1P5P/1S1+n5/KG3+p3/LN6L b Nr2sn8p 143",
            "8d8c",
            "N*7d 6c7d",
            "７四の桂が△７四銀で取られる",
        ],
    },
    Claim {
        name: "defender-left",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let victim = victim(scene, reply)?;
            let from = scene.played.from_square()?;
            let guarded = attacked_from(scene.before, from).contains(victim);
            let guards = attacked_from(&scene.after, scene.played.to()).contains(victim);
            if !guarded || guards {
                return None;
            }
            let [ja, en] = piece(&scene.after, victim)?;
            let words = both(
                format!("{ja}を守る駒がいなくなる"),
                format!("leaves the {en} without its defender"),
            );
            about_reply(scene, words, vec![victim], takes(scene, victim))
        },
        example: [
            "l1p2gbnl/2g3k2/3p1pppp/p1S1P4/2s1l4/1+R2NB2P/P2P1PPP1/4G1SK1/+r4G1NL b S3Pnp 55",
            "8f9f 7e6d 9f6f 7b6b 4f5e 6d5e 6f5e",
            "8f8a 5e5f 5h4h P*5g P*7c 5g5h+ 4i5h 5f5h+",
            "５六の桂を守る駒がいなくなる",
        ],
    },
    Claim {
        name: "line-opened",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let victim = victim(scene, reply)?;
            let by = reply.from_square()?;
            let opens = !attacked_from(scene.before, by).contains(victim)
                && attacked_from(&scene.after, by).contains(victim);
            if !opens {
                return None;
            }
            let [ja, en] = piece(&scene.after, victim)?;
            let [by_ja, by_en] = piece(&scene.after, by)?;
            let words = both(
                format!("{by_ja}の利きを{ja}に通してしまう"),
                format!("opens the line of the {by_en} to the {en}"),
            );
            about_reply(scene, words, vec![by, victim], takes(scene, victim))
        },
        example: [
            "ln1g1g1nl/1r4k2/p1sp1pppp/5b3/1P1s5/1pp2P3/P3P1PPP/1R1G2SK1/LN3G1NL b BS3P 61",
            "P*6b",
            "8h8f 4d9i+ 8e8d 7c8d P*6b 6a7a P*7b 7a7b",
            "４四の角の利きを９九の香に通してしまう",
        ],
    },
    Claim {
        name: "hanging",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let victim = victim(scene, reply)?;
            let [ja, en] = piece(&scene.after, victim)?;
            let defended = scene.after.is_attacked(victim, scene.mover, scene.after.occupied());
            let words = if defended {
                both(format!("{ja}を取られる"), format!("does not save the {en}"))
            } else {
                both(format!("{ja}が浮いている"), format!("leaves the {en} without a defender"))
            };
            about_reply(scene, words, vec![victim], takes(scene, victim))
        },
        example: [
            "l2g1k1nl/4r1g2/p1+Pp1p1pp/6p2/1p4s2/2S4PP/PP2+pPP2/2GB1R3/LNK4NL b BSNPgs2p 51",
            "P*6i",
            "6h7g 5g4h S*6g R*4i 7i8h 5b5i+ 7g5i 4i5i+",
            "４八の飛が浮いている",
        ],
    },
    Claim {
        name: "several-hanging",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            victim(scene, reply)?;
            let wins = |mv: PackedMove| {
                let taken = scene.after.piece_at(mv.to());
                taken.is_some_and(|piece| value(piece.piece_kind()) >= LOSS)
                    && scene.after.see_ge(mv, LOSS)
            };
            let mut squares: Vec<Square> =
                scene.replies_that(wins).into_iter().map(|mv| mv.to()).collect();
            squares.sort_by_key(|&square| (square != reply.to(), square.index()));
            squares.dedup();
            let [first, second, ..] = squares[..] else { return None };
            let [first_ja, first_en] = piece(&scene.after, first)?;
            let [second_ja, second_en] = piece(&scene.after, second)?;
            let words = both(
                format!("{first_ja}と{second_ja}が当たりになっている"),
                format!("leaves the {first_en} and the {second_en} attacked"),
            );
            let without = scene.replies_that(|mv| squares.contains(&mv.to()));
            about_reply(scene, words, squares, without)
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "trapped",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let (at, found) = prey(replied, reply.to(), scene.mover).into_iter().next()?;
            let flights = replied.legal_moves();
            let mut flights = flights.iter().filter(|mv| mv.from_square() == Some(at));
            let caught = value(found) >= value(PieceKind::Silver)
                && flights.all(|&mv| !replied.see_ge(mv, -LOSS));
            if !caught || replied.in_check() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(replied, at)?;
            let words = both(
                format!("{ja}で{of_ja}の逃げ場がなくなる"),
                format!("allows {en}, after which the {of_en} is trapped"),
            );
            about_reply(scene, words, vec![at], vec![reply])
        },
        example: [
            "l2lgk1nl/5sgp1/2+Nppp2p/p+Rp6/B8/P5P2/1+bSPPPN1P/2PGK1S2/1+r1G4L b S3Pnp 73",
            "7g7f N*6f 5h4h 6f7h+ 8d8g 8i8g 7f8g",
            "9e8f N*7f P*2c 2b2c P*2b 7f6h+ 5h6h G*7f",
            "△７六桂で６八の金の逃げ場がなくなる",
        ],
    },
    Claim {
        name: "promotion",
        group: 5,
        propose: |scene| {
            let reply = scene.reply().filter(|reply| reply.is_promotion())?;
            let from = reply.from_square();
            let promoted = scene.after.arriving_kind(reply);
            let [ja, en] = scene.name_of(reply);
            let [new_ja, new_en] = kind(promoted);
            let words = both(
                format!("{ja}と{new_ja}を作られる"),
                format!("allows {en}, which makes a {new_en}"),
            );
            let without = scene.replies_that(|mv| mv.is_promotion() && mv.from_square() == from);
            about_reply(scene, words, vec![reply.to()], without)
        },
        example: [
            "k1g4nl/1s1g3r1/lp1pp2pp/p1p6/1N1P1sP2/2P1P1p2/1P1G1P1PP/1SKG1S1R1/L7L w BPb2np 58",
            "B*3c",
            "3f3g+ 8e9c+",
            "▲９三桂成と成桂を作られる",
        ],
    },
    Claim {
        name: "promotion-threat",
        group: 5,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let piece = replied.piece_at(reply.to())?;
            let front = Bitboard::single(reply.to()).forward(piece.color()).first()?;
            let comes = piece.piece_kind() == PieceKind::Pawn
                && in_promotion_zone(front, piece.color())
                && replied.piece_at(front).is_none_or(|there| there.color() == scene.mover)
                && !scene.after.in_check()
                && !replied.is_attacked(front, scene.mover, replied.occupied());
            if !comes {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let words = if reply.is_drop() {
                both(format!("{ja}と垂らされる"), format!("allows {en}, and the pawn will promote"))
            } else {
                both(
                    format!("{ja}からと金を作られる"),
                    format!("allows {en}, and the pawn will promote"),
                )
            };
            about_reply(scene, words, vec![reply.to()], vec![reply])
        },
        example: [
            "ln4gkl/1r4gs1/5pnpp/pPsS2p2/1p3P3/PbpB4P/4P1PP1/LR2G1SK1/1N3G1NL b P3p 55",
            "6f5e P*5d 8h8f 8e8f 5e4f 8b8d 6d5c+",
            "8h8f 8e8f 6d5c+ R*6e B*5e P*6d P*7e P*5d",
            "△８六歩からと金を作られる",
        ],
    },
    Claim {
        name: "breakthrough",
        group: 5,
        propose: |scene| {
            let reply = scene.reply().filter(|reply| reply.is_promotion())?;
            let [ja, en] = scene.name_of(reply);
            let words = both(
                format!("{ja}など、成り込みを防げない"),
                format!("lets the opponent's pieces break through ({en})"),
            );
            about_reply(
                scene,
                words,
                vec![reply.to()],
                scene.replies_that(PackedMove::is_promotion),
            )
        },
        example: ["", "", "", ""],
    },
    Claim {
        name: "material",
        group: 3,
        propose: |scene| {
            let reply = scene.reply()?;
            let lost = scene.lost()?;
            let [ja, en] = crate::explain::claims::in_both(&lost.loss());
            let [by_ja, by_en] = scene.name_of(reply);
            let words = both(format!("{by_ja}で{ja}"), format!("{en} after {by_en}"));
            let without = match scene.after.piece_at(reply.to()) {
                Some(_) => takes(scene, reply.to()),
                None => vec![reply],
            };
            about_reply(scene, words, vec![reply.to()], without)
        },
        example: [
            "ln5nl/6g2/p1pp1g3/3sps1kp/2P6/Pr3PP1P/2+b1PG3/3R2S2/L4GKNL b BS3Pn4p 73",
            "B*9e",
            "S*4a 3b4b B*2b 7g6h 2b1a+ N*5e 4g3g 4b4a",
            "△４二金寄で飛と香の交換",
        ],
    },
    Claim {
        name: "head",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let pawn = replied
                .piece_at(reply.to())
                .filter(|piece| piece.piece_kind() == PieceKind::Pawn)?;
            let at = Bitboard::single(reply.to()).forward(pawn.color()).first()?;
            let head =
                replied.piece_at(at).filter(|piece| piece.color() == scene.mover)?.piece_kind();
            let weak = matches!(head, PieceKind::Knight | PieceKind::Bishop);
            if !weak || scene.after.piece_at(reply.to()).is_some() {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, _] = kind(head);
            let [_, of_en] = piece(replied, at)?;
            let words = both(
                format!("{ja}と{of_ja}頭を攻められる"),
                format!("allows {en}, which attacks the {of_en} from the front"),
            );
            about_reply(scene, words, vec![at], vec![reply])
        },
        example: [
            "lnsgkgsnl/1r7/pppppp1p1/2b5p/5BpP1/2P6/PP1PPPP1P/1S2G2R1/LN1GK1SNL w - 12",
            "4a3b 8g8f 2a3c 4e1h 8c8d 7f7e 7d9b",
            "8b2b 7f7e 2a3c 4e1h 7d8e 8i7g 8e7f 1h6c+",
            "▲７五歩と角頭を攻められる",
        ],
    },
    Claim {
        name: "pawn-tap",
        group: 6,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let at = Bitboard::single(reply.to()).forward(scene.mover.flip()).first()?;
            let hit =
                replied.piece_at(at).filter(|piece| piece.color() == scene.mover)?.piece_kind();
            if reply.dropped() != Some(PieceKind::Pawn)
                || value(hit) <= value(PieceKind::Pawn)
                || hit == PieceKind::King
            {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(replied, at)?;
            let words = both(
                format!("{ja}と{of_ja}を叩かれる"),
                format!("allows {en}, which hits the {of_en}"),
            );
            about_reply(scene, words, vec![at], vec![reply])
        },
        example: [
            "l6nl/1r1g1k1g1/4pp1p1/2s2sP1p/P1pnP4/3G1SB2/1PS2PN1P/1KG4R1/LN6L b 5Pb2p 69",
            "P*6c 6e7g+ 7h7g 6b5b 5e5d 5c5d P*5c",
            "7g8f P*8e",
            "△８五歩と８六の銀を叩かれる",
        ],
    },
    Claim {
        name: "drop-behind",
        group: 7,
        propose: |scene| {
            let reply = scene.reply()?;
            let dropped = reply.dropped().filter(|&kind| kind != PieceKind::Pawn)?;
            if relative_rank(reply.to(), scene.mover) < 7 {
                return None;
            }
            let is_like = |mv: PackedMove| {
                mv.dropped() == Some(dropped) && relative_rank(mv.to(), scene.mover) >= 7
            };
            let [ja, en] = scene.name_of(reply);
            let [_, of_en] = kind(dropped);
            let words = both(
                format!("{ja}の打ち込みの隙がある"),
                format!("leaves a hole for the {of_en} dropped into the camp ({en})"),
            );
            let near_it = scene.replies_that(|mv| is_like(mv) && near(mv.to(), reply.to(), 1));
            about_reply(scene, words, vec![reply.to()], near_it)
        },
        example: [
            "ln1g3+Rl/1ksg5/ppp1p2pp/3p1N3/4B1p2/2P4PP/PPNPP1P2/2KS2+b2/L1G2+r1NL b 2S2Pg 49",
            "S*5a 6b6c S*5b G*7a 5b6c+ 7b6c",
            "S*5b G*5h",
            "△５八金の打ち込みの隙がある",
        ],
    },
    Claim {
        name: "chased",
        group: 9,
        propose: |scene| {
            let (reply, replied) = (scene.reply()?, scene.replied.as_ref()?);
            let (at, _) = prey(replied, reply.to(), scene.mover).into_iter().next()?;
            let before = scene.after.attackers_to(at, scene.mover.flip(), scene.after.occupied());
            if before.any() || !safe(scene, reply) {
                return None;
            }
            let [ja, en] = scene.name_of(reply);
            let [of_ja, of_en] = piece(replied, at)?;
            let words = both(
                format!("{ja}と{of_ja}に当てられる"),
                format!("allows {en}, which attacks the {of_en} and wins a tempo"),
            );
            about_reply(scene, words, vec![at], vec![reply])
        },
        example: [
            "ln4gkl/1r4gs1/5pnpp/pPsp2p2/1pp1SP3/Pb1B4P/4P1PP1/LR2G1SK1/1N3G1NL b 3p 53",
            "4e4d",
            "5e6d 7d6e 6f7e 8f7e 6d7e P*5f 4e4d 3c4e",
            "△６五銀と６六の角に当てられる",
        ],
    },
];

/// `the silver on 5f`, of a piece in Japanese and in English.
fn the(words: &Both) -> String {
    format!("the {}", words[1])
}

/// Whether the piece that replies gives check itself.
fn gives_check_itself(scene: &Scene<'_>, replied: &Position, reply: PackedMove) -> bool {
    scene.king().is_some_and(|king| attacked_from(replied, reply.to()).contains(king))
}

/// Whether the piece that replies cannot be taken with a gain.
fn safe(scene: &Scene<'_>, reply: PackedMove) -> bool {
    scene.after.see_ge(reply, 0)
}

/// All replies that take on a square.
fn takes(scene: &Scene<'_>, at: Square) -> Vec<PackedMove> {
    scene.replies_that(|mv| mv.to() == at)
}

/// The square of a piece that the reply takes, which stood there before the move, if that wins something.
fn victim(scene: &Scene<'_>, reply: PackedMove) -> Option<Square> {
    let at = reply.to();
    let taken = scene.after.piece_at(at)?.piece_kind();
    let stood = at != scene.played.to() && value(taken) >= LOSS && scene.after.see_ge(reply, LOSS);
    stood.then_some(at)
}

/// The most valuable piece among these squares that the piece on a square could take with a gain.
fn prey_among(
    position: &Position,
    from: Square,
    scene: &Scene<'_>,
    among: Bitboard,
) -> Option<(PieceKind, Square)> {
    let found = prey(position, from, scene.mover).into_iter().find(|&(at, _)| among.contains(at));
    found.map(|(at, kind)| (kind, at))
}
