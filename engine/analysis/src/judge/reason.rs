//! Why moves are bad, from what the search and the mate solver found before and after them.

use crate::judge::context::MoveContext;
use crate::judge::material::{LOSS, Material, Pieces, piece_in_english};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::piece_name;
use monomi_search::Score;
use monomi_text::{Lang, Message, say};
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

/// Why a move is bad, if that can be said.
pub(crate) fn reason(context: &MoveContext<'_>) -> Option<Reason> {
    let MoveContext { played, before, after } = *context;
    let reply = &after.result.searched;
    let mate = match (after.result.proofs.mate(), reply.score()) {
        (Some(line), _) => Some(line.len()),
        (None, Score::Mate(plies)) if plies > 0 => usize::try_from(plies).ok(),
        _ => None,
    };
    let was_threatened = before.result.proofs.threat.is_some();
    if let Some(plies) = mate {
        let reason = if was_threatened {
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
    let replies = Material::of_line(after.position, reply.best_line());
    let kept = Material::of_move(before.position, played, replies);
    let could = Material::of_line(before.position, before.result.searched.best_line());
    let threatened = !was_threatened && after.result.proofs.threatens;
    material_lost(kept, could, replies.promoted).or(threatened.then_some(Reason::AllowsThreatmate))
}

/// Whether a move takes a square to which the own king could have moved.
fn closes_escape(before: &Position, mv: PackedMove) -> bool {
    before.king(before.side_to_move()).is_some_and(|king| {
        mv.from() != Some(king)
            && king != mv.to()
            && before.is_legal(PackedMove::normal(king, mv.to(), false))
    })
}

/// The reason if the played line keeps much less material than the best one. `promoted` is what the
/// opponent promotes in the played line.
fn material_lost(kept: Material, could: Material, promoted: Option<PieceKind>) -> Option<Reason> {
    if could.balance - kept.balance < LOSS {
        return None;
    }
    let difference = could.pieces.minus(kept.pieces);
    if kept.pieces.worth() <= -LOSS {
        Some(Reason::Material(kept.pieces))
    } else if difference.worth() >= LOSS && could.pieces.worth() >= LOSS {
        Some(Reason::MissesGain(difference))
    } else {
        promoted.map(Reason::AllowsPromotion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::*;

    fn line(pieces: &[(PieceKind, i8)], promotion: i32) -> Material {
        let pieces = Pieces::of(pieces);
        Material { pieces, balance: pieces.worth() + promotion, promoted: None }
    }

    #[test]
    fn the_difference_to_the_best_line_is_the_reason() {
        let even = line(&[], 0);
        let silver_down = line(&[(Silver, -1)], 0);
        let lost = |kept, could| material_lost(kept, could, Some(ProRook));
        assert_eq!(lost(silver_down, even), Some(Reason::Material(silver_down.pieces)));
        // The best line loses the same, or the move wins as much as the best one.
        assert_eq!(lost(silver_down, silver_down), None);
        assert_eq!(lost(even, even), None);
        // Nothing is lost, but something could have been won.
        let silver_up = line(&[(Silver, 1)], 0);
        assert_eq!(lost(even, silver_up), Some(Reason::MissesGain(silver_up.pieces)));
        // The opponent promotes a rook.
        assert_eq!(lost(line(&[], -405), even), Some(Reason::AllowsPromotion(ProRook)));
        assert_eq!(material_lost(line(&[], -405), even, None), None);
        // A pawn or two are no reason.
        assert_eq!(lost(line(&[(Pawn, -2)], 0), even), None);
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
