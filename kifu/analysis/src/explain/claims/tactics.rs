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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
        example: ["", "", "", ""],
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
