//! Why moves are bad, from what the search and the mate solver found before and after them.

use crate::judge::context::MoveContext;
use crate::judge::material::{LOSS, Material, Pieces, piece_in_english};
use monomi_movegen::square::unpromoted;
use monomi_movegen::{PackedMove, Position, SEE_VALUE};
use monomi_record::notation::piece_name;
use monomi_search::Score;
use monomi_support::text::{Lang, Message, say};
use shogi_core::PieceKind;
use std::fmt::{Formatter, Result};

/// Why a move is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The own king was threatened with mate before, and still is: mate in this many plies.
    ThreatNotParried(usize),
    /// It blocks an escape square of the own king, which is mated in this many plies.
    EscapeClosed(usize),
    /// It allows a mate by checks in this many plies.
    AllowsMate(usize),
    /// It allows a mate in this many plies, not all of whose moves give check.
    AllowsForcedMate(usize),
    /// The best reply is a threatmate.
    AllowsThreatmate,
    /// It loses these pieces, and wins others that are worth less.
    Material(Pieces),
    /// It gives these pieces for others in an exchange.
    Sacrifice(Pieces),
    /// The best move wins these pieces, and this one does not.
    MissesGain(Pieces),
    /// It allows the opponent to promote this piece.
    AllowsPromotion(PieceKind),
}

impl Message for Reason {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Reason::ThreatNotParried(plies) => say!(
                lang,
                f,
                "does not parry the threatmate: mate in {plies}",
                "詰めろを受けず{plies}手詰"
            ),
            Reason::EscapeClosed(plies) => say!(
                lang,
                f,
                "closes an escape square of the king: mate in {plies}",
                "玉の逃げ道を塞いで{plies}手詰"
            ),
            Reason::AllowsMate(plies) => {
                say!(lang, f, "allows mate in {plies}", "{plies}手詰を許す")
            }
            Reason::AllowsForcedMate(plies) => {
                say!(lang, f, "allows a forced mate in {plies}", "{plies}手で詰まされる")
            }
            Reason::AllowsThreatmate => say!(lang, f, "allows a threatmate", "詰めろを許す"),
            Reason::Material(pieces) => pieces.loss().write(lang, f),
            Reason::Sacrifice(pieces) => pieces.sacrifice().write(lang, f),
            Reason::MissesGain(pieces) => pieces.missed_gain().write(lang, f),
            Reason::AllowsPromotion(kind) => match lang {
                Lang::En => write!(f, "allows a {} to promote", piece_in_english(*kind)),
                Lang::Ja => write!(f, "{}を作られる", new_piece(*kind)),
            },
        }
    }
}

/// The usual name of a promoted piece that a player gets: 竜, 馬, と金.
fn new_piece(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::ProRook => "竜",
        PieceKind::ProPawn => "と金",
        _ => piece_name(kind),
    }
}

/// Why a move is bad, if that can be said. What the best line does not avoid is no reason.
pub(crate) fn reason(context: &MoveContext<'_>) -> Option<Reason> {
    let MoveContext { played, before, after, .. } = *context;
    if let Some(plies) = allowed_mate(context) {
        let reason = if before.result.proofs.threat.is_some() {
            Reason::ThreatNotParried
        } else if closes_escape(before.position, played) {
            Reason::EscapeClosed
        } else if after.result.proofs.mate().is_some() {
            Reason::AllowsMate
        } else {
            Reason::AllowsForcedMate
        };
        return Some(reason(plies));
    }
    let reply = after.result.searched.best_line();
    let replies = Material::of_line(after.position, reply);
    let kept = Material::of_move(before.position, played, replies);
    let could = Material::of_line(before.position, before.result.searched.best_line());
    let proofs = &before.result.proofs;
    let threatened =
        proofs.threat.is_none() && after.result.proofs.threatens && !proofs.allows_threatmate;
    let exchanged = exchanged_piece(before.position, played, reply.first().copied());
    material_lost(kept, could, exchanged).or(threatened.then_some(Reason::AllowsThreatmate))
}

/// Plies of the mate that a move allows and the best one does not.
pub(crate) fn allowed_mate(context: &MoveContext<'_>) -> Option<usize> {
    let (before, after) = (context.before.result, context.after.result);
    let best = &before.searched;
    let avoidable = best.best() != Some(context.played)
        && !matches!(best.score(), Score::Mate(plies) if plies <= 0)
        && !before.proofs.checked_to_mate;
    let mate = match (after.proofs.mate(), after.searched.score()) {
        (Some(line), _) => Some(line.len()),
        (None, Score::Mate(plies)) if plies > 0 => usize::try_from(plies).ok(),
        _ => None,
    };
    mate.filter(|_| avoidable)
}

/// The kind of a piece that captures and is captured on the same square by the reply.
fn exchanged_piece(
    before: &Position,
    played: PackedMove,
    reply: Option<PackedMove>,
) -> Option<PieceKind> {
    let captures = before.piece_at(played.to()).is_some();
    let recaptured = reply.is_some_and(|reply| reply.to() == played.to());
    (captures && recaptured).then(|| before.moving_kind(played))
}

/// Whether a move takes a square to which the own king could have moved.
fn closes_escape(before: &Position, mv: PackedMove) -> bool {
    before.king(before.side_to_move()).is_some_and(|king| {
        mv.from_square() != Some(king)
            && king != mv.to()
            && before.is_legal(PackedMove::normal(king, mv.to(), false))
    })
}

/// The reason if the played line keeps much less material than the best one. `exchanged` is the piece
/// that the move itself gave in an exchange.
fn material_lost(kept: Material, could: Material, exchanged: Option<PieceKind>) -> Option<Reason> {
    if could.balance - kept.balance < LOSS {
        return None;
    }
    let difference = could.pieces.minus(kept.pieces);
    // What the best line loses as well is not counted.
    let lost = if could.pieces.worth() > -LOSS { kept.pieces } else { difference.opposite() };
    let given = exchanged.is_some_and(|kind| lost.most_valuable_lost() == Some(unpromoted(kind)));
    if kept.pieces.worth() <= -LOSS && difference.worth() >= LOSS {
        Some(if given { Reason::Sacrifice(lost) } else { Reason::Material(lost) })
    } else if difference.worth() >= LOSS && could.pieces.worth() >= LOSS {
        Some(Reason::MissesGain(difference))
    } else {
        let value = |kind: PieceKind| SEE_VALUE[kind as usize];
        let avoided = |&kind: &PieceKind| {
            could.promoted_against.is_none_or(|other| value(other) < value(kind))
        };
        kept.promoted_against.filter(avoided).map(Reason::AllowsPromotion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::WinScale;
    use crate::judge::context::SolvedAt;
    use crate::search::{Over, ScoredLine, SearchedPosition};
    use crate::solve::{Proofs, SolvedPosition, Threat};
    use PieceKind::*;

    fn line(pieces: &[(PieceKind, i8)], promotion: i32) -> Material {
        let pieces = Pieces::of(pieces);
        Material { pieces, balance: pieces.worth() + promotion, ..Material::default() }
    }

    fn promoting(kind: PieceKind, promotion: i32) -> Material {
        Material { promoted_against: Some(kind), ..line(&[], promotion) }
    }

    #[test]
    fn the_difference_to_the_best_line_is_the_reason() {
        let even = line(&[], 0);
        let silver_down = line(&[(Silver, -1)], 0);
        let lost = |kept, could| material_lost(kept, could, None);
        assert_eq!(lost(silver_down, even), Some(Reason::Material(silver_down.pieces)));
        // The best line loses the same, or the move wins as much as the best one.
        assert_eq!(lost(silver_down, silver_down), None);
        assert_eq!(lost(even, even), None);
        // The best line loses a knight as well: only the silver is named.
        let more = line(&[(Silver, -1), (Knight, -1)], 0);
        let knight_down = line(&[(Knight, -1)], 0);
        assert_eq!(lost(more, knight_down), Some(Reason::Material(silver_down.pieces)));
        // Nothing is lost, but something could have been won.
        let silver_up = line(&[(Silver, 1)], 0);
        assert_eq!(lost(even, silver_up), Some(Reason::MissesGain(silver_up.pieces)));
        assert_eq!(lost(silver_up, silver_up), None);
        // A pawn or two are no reason.
        assert_eq!(lost(line(&[(Pawn, -2)], 0), even), None);
    }

    #[test]
    fn a_promotion_is_a_reason_unless_the_best_line_allows_it() {
        let lost = |kept, could| material_lost(kept, could, None);
        let even = line(&[], 0);
        assert_eq!(lost(promoting(ProRook, -405), even), Some(Reason::AllowsPromotion(ProRook)));
        assert_eq!(lost(promoting(ProRook, -405), promoting(ProRook, 0)), None);
        let lesser = promoting(ProLance, 0);
        assert_eq!(lost(promoting(ProRook, -405), lesser), Some(Reason::AllowsPromotion(ProRook)));
        assert_eq!(lost(promoting(ProLance, -405), promoting(ProRook, 0)), None);
        assert_eq!(lost(line(&[], -405), even), None);
    }

    #[test]
    fn a_piece_given_in_an_exchange_is_not_called_lost() {
        let exchange = line(&[(Rook, -1), (Gold, 1)], 0);
        let even = line(&[], 0);
        let lost = |exchanged| material_lost(exchange, even, exchanged);
        assert_eq!(lost(Some(Rook)), Some(Reason::Sacrifice(exchange.pieces)));
        assert_eq!(lost(Some(ProRook)), Some(Reason::Sacrifice(exchange.pieces)));
        // Another piece was exchanged, and the rook was lost later.
        assert_eq!(lost(Some(Silver)), Some(Reason::Material(exchange.pieces)));
        assert_eq!(lost(None), Some(Reason::Material(exchange.pieces)));
        let position = Position::from_sfen("4k4/4g4/9/9/4R4/9/9/9/4K4 b - 1").unwrap();
        let piece = |mv: &str, reply: &str| {
            exchanged_piece(&position, mv.parse().unwrap(), reply.parse().ok())
        };
        assert_eq!(piece("5e5b", "5a5b"), Some(Rook));
        assert_eq!((piece("5e5b", "5a4a"), piece("5e5c", "5b5c")), (None, None));
    }

    fn solved(cp: i32, mate: Option<i32>, best: &str) -> SolvedPosition {
        let score = mate.map_or(Score::Cp(cp), Score::Mate);
        let line = ScoredLine { score, pv: vec![best.parse().unwrap()] };
        let mut searched = SearchedPosition::over(Over::Mated, score);
        (searched.over, searched.lines) = (None, vec![line]);
        SolvedPosition { searched, proofs: Proofs::default(), passed: None, exercise: None }
    }

    /// The reason why 5i4h is bad, from the results before and after it.
    fn reason_of(before: &SolvedPosition, after: &SolvedPosition) -> Option<Reason> {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
        let played = "5i4h".parse().unwrap();
        let mut next = position.clone();
        next.do_move(played);
        reason(&MoveContext {
            played,
            before: SolvedAt { position: &position, result: before },
            after: SolvedAt { position: &next, result: after },
            scale: WinScale::default(),
        })
    }

    #[test]
    fn an_allowed_mate_is_a_reason_unless_the_best_move_allows_one() {
        let mated = solved(0, Some(7), "5a5b");
        assert_eq!(
            reason_of(&solved(-900, None, "5i5h"), &mated),
            Some(Reason::AllowsForcedMate(7))
        );
        assert_eq!(reason_of(&solved(0, Some(-8), "5i5h"), &mated), None);
        // The best move was played; the search of the position before did not see the mate.
        assert_eq!(reason_of(&solved(-900, None, "5i4h"), &mated), None);
        let mut threatened = solved(-900, None, "5i5h");
        threatened.proofs.threat = Some(Threat::Threatmate);
        assert_eq!(reason_of(&threatened, &mated), Some(Reason::ThreatNotParried(7)));
    }

    #[test]
    fn an_allowed_threatmate_is_a_reason_unless_the_best_line_allows_one() {
        let mut after = solved(300, None, "5a5b");
        after.proofs.threatens = true;
        let before = solved(100, None, "5i5h");
        assert_eq!(reason_of(&before, &after), Some(Reason::AllowsThreatmate));
        let mut same = before.clone();
        same.proofs.allows_threatmate = true;
        assert_eq!(reason_of(&same, &after), None);
        let mut already = before;
        already.proofs.threat = Some(Threat::Threatmate);
        assert_eq!(reason_of(&already, &after), None);
    }

    #[test]
    fn reasons_are_named_in_both_languages() {
        for (reason, japanese, english) in [
            (
                Reason::ThreatNotParried(3),
                "詰めろを受けず3手詰",
                "does not parry the threatmate: mate in 3",
            ),
            (Reason::AllowsForcedMate(9), "9手で詰まされる", "allows a forced mate in 9"),
            (Reason::AllowsPromotion(ProRook), "竜を作られる", "allows a rook to promote"),
            (Reason::AllowsPromotion(ProPawn), "と金を作られる", "allows a pawn to promote"),
            (Reason::AllowsPromotion(ProSilver), "成銀を作られる", "allows a silver to promote"),
        ] {
            assert_eq!(
                (reason.in_lang(Lang::Ja).to_string(), reason.in_lang(Lang::En).to_string()),
                (japanese.to_owned(), english.to_owned())
            );
        }
    }
}
