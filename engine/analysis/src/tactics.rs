//! Mates, threats of mate and the reasons why moves are bad. Mates are proven by the mate solver.

use crate::analyzed_game::Step;
use crate::judge::win_probability;
use crate::material::{LOSS, Material, Pieces, english_name};
use monomi_mate::{MateAnswer, MateLimits, MateSolver};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::piece_name;
use monomi_search::Score;
use serde::{Serialize, Serializer};
use shogi_core::PieceKind;

/// Memory of the mate solver in MiB.
const SOLVER_MIB: usize = 16;
/// The node limit of each mate search is the position's nodes divided by this.
const NODE_SHARE: u64 = 20;
/// Bounds of that limit.
const SOLVER_NODES: (u64, u64) = (100, 20_000);
/// Below this winning probability a threatmate is examined for being a brinkmate.
const HOPELESS: f64 = 0.2;

/// What threatens the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Threat {
    /// 詰めろ: it is mated if it passes.
    Threatmate,
    /// 必至: every legal move allows a mate.
    Brinkmate,
}

impl Threat {
    /// The Japanese name.
    pub fn japanese(self) -> &'static str {
        match self {
            Threat::Threatmate => "詰めろ",
            Threat::Brinkmate => "必至",
        }
    }
}

/// What the mate solver proved about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tactics {
    /// A mate by the side to move, all of whose moves give check.
    pub mate: Option<Vec<PackedMove>>,
    /// A threat against the side to move, where it has no mate itself.
    pub threat: Option<Threat>,
}

/// Why a move is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
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

impl Reason {
    /// In Japanese.
    pub fn japanese(self) -> String {
        match self {
            Reason::ThreatNotParried(plies) => format!("詰めろを受けず{plies}手詰"),
            Reason::EscapeClosed(plies) => format!("玉の逃げ道を塞いで{plies}手詰"),
            Reason::AllowsMate(plies) => format!("{plies}手詰を許す"),
            Reason::AllowsForcedMate(plies) => format!("{plies}手で詰まされる"),
            Reason::AllowsThreatmate => "詰めろを許す".to_owned(),
            Reason::Material(pieces) => pieces.loss_in_japanese(),
            Reason::MissesGain(pieces) => pieces.gain_in_japanese(),
            Reason::AllowsPromotion(kind) => format!("{}を作られる", new_piece(kind)),
        }
    }

    /// In English.
    pub fn english(self) -> String {
        match self {
            Reason::ThreatNotParried(plies) => {
                format!("does not parry the threatmate: mate in {plies}")
            }
            Reason::EscapeClosed(plies) => {
                format!("closes an escape square of the king: mate in {plies}")
            }
            Reason::AllowsMate(plies) => format!("allows mate in {plies}"),
            Reason::AllowsForcedMate(plies) => format!("allows a forced mate in {plies}"),
            Reason::AllowsThreatmate => "allows a threatmate".to_owned(),
            Reason::Material(pieces) => pieces.loss_in_english(),
            Reason::MissesGain(pieces) => pieces.gain_in_english(),
            Reason::AllowsPromotion(kind) => {
                format!("allows a {} to promote", english_name(kind))
            }
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

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.english())
    }
}

/// Runs the mate solver on the positions of one game.
pub struct Examination {
    solver: MateSolver,
}

impl Default for Examination {
    fn default() -> Self {
        Self { solver: MateSolver::new(SOLVER_MIB) }
    }
}

impl Examination {
    fn mate(&mut self, position: &Position, nodes: u64) -> Option<Vec<PackedMove>> {
        let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
        match self.solver.solve(position, &limits, &|| false).answer {
            MateAnswer::Mate(line) => Some(line),
            MateAnswer::NoMate | MateAnswer::Unknown => None,
        }
    }

    /// Whether the side to move would be mated if it passed.
    fn threatened(&mut self, position: &Position, nodes: u64) -> bool {
        passed(position).is_some_and(|passed| self.mate(&passed, nodes).is_some())
    }

    /// What the solver proves about a searched position.
    pub fn tactics(&mut self, step: &Step<'_>) -> Tactics {
        let Some(found) = step.found.filter(|found| found.over.is_none()) else {
            return Tactics::default();
        };
        let nodes = budget(found.nodes);
        let claimed = matches!(found.score(), Score::Mate(plies) if plies > 0);
        // Search longer if the search has found a mate.
        let mate = self.mate(&step.position, if claimed { nodes * 10 } else { nodes });
        if mate.is_some() || !self.threatened(&step.position, nodes) {
            return Tactics { mate, threat: None };
        }
        let hopeless = win_probability(found.score()) < HOPELESS;
        let brinkmate = hopeless && self.is_lost_to_mate(&step.position, nodes);
        let threat = if brinkmate { Threat::Brinkmate } else { Threat::Threatmate };
        Tactics { mate, threat: Some(threat) }
    }

    /// Whether the side that does not move mates whatever the side to move does: every legal move
    /// allows a mate.
    pub fn is_lost_to_mate(&mut self, position: &Position, nodes: u64) -> bool {
        let moves = position.legal_moves();
        !moves.iter().any(|&mv| {
            let mut after = position.clone();
            after.do_move(mv);
            self.mate(&after, nodes).is_none()
        })
    }

    /// Length in plies of a mate by checks that was proven before a move and that the move gave up.
    pub fn missed_mate(&mut self, before: &Step<'_>, after: &Step<'_>) -> Option<usize> {
        let line = before.tactics.mate.as_ref()?;
        let found = after.found?;
        let kept = 1.0 - win_probability(found.score());
        if kept == 1.0 || line.first() == before.played.map(|played| &played.mv) {
            return None;
        }
        // Another check may keep the mate where the search has not seen it.
        let mates =
            after.position.in_check() && self.is_lost_to_mate(&after.position, budget(found.nodes));
        (!mates).then_some(line.len())
    }

    /// Why the move from `before` to `after` is bad, if that can be said.
    pub fn reason(&mut self, before: &Step<'_>, after: &Step<'_>) -> Option<Reason> {
        let played = before.played?.mv;
        let reply = after.found?;
        let mate = match (&after.tactics.mate, reply.score()) {
            (Some(line), _) => Some(line.len()),
            (None, Score::Mate(plies)) if plies > 0 => usize::try_from(plies).ok(),
            _ => None,
        };
        if let Some(plies) = mate {
            let reason = if before.tactics.threat.is_some() {
                Reason::ThreatNotParried
            } else if closes_escape(&before.position, played) {
                Reason::EscapeClosed
            } else if after.tactics.mate.is_some() {
                Reason::AllowsMate
            } else {
                Reason::AllowsForcedMate
            };
            return Some(reason(plies));
        }
        let reply_line = reply.lines.first().map_or(&[][..], |line| &line.pv);
        let replies = Material::of_line(&after.position, reply_line);
        let kept = Material::of_move(&before.position, played, replies);
        let best = before.found.and_then(|found| found.lines.first());
        let best_line = best.map_or(&[][..], |line| &line.pv);
        let could = Material::of_line(&before.position, best_line);
        if let Some(reason) = material_lost(kept, could, replies.promoted) {
            return Some(reason);
        }
        let mut replied = after.position.clone();
        replied.do_move(reply.best()?);
        let nodes = budget(reply.nodes);
        let new = before.tactics.threat.is_none() && self.threatened(&replied, nodes);
        new.then_some(Reason::AllowsThreatmate)
    }
}

fn budget(nodes: u64) -> u64 {
    (nodes / NODE_SHARE).clamp(SOLVER_NODES.0, SOLVER_NODES.1)
}

/// The position after a pass; `None` in check, where passing is impossible.
fn passed(position: &Position) -> Option<Position> {
    if position.in_check() {
        return None;
    }
    let mut passed = position.clone();
    passed.do_null_move();
    Some(passed)
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
                (reason.japanese().as_str(), reason.english().as_str()),
                (japanese, english)
            );
        }
    }

    #[test]
    fn positions_lost_to_mate_are_recognised() {
        let mut examination = Examination::default();
        let lost = Position::from_sfen("k8/1G7/1P7/9/9/9/9/9/4K4 w G 1").unwrap();
        assert!(!lost.has_legal_move());
        assert!(examination.is_lost_to_mate(&lost, 1000));
        let free = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w G 1").unwrap();
        assert!(!examination.is_lost_to_mate(&free, 1000));
        // The king has one move, after which a gold is dropped before it.
        let cornered = Position::from_sfen("k8/9/GP7/9/9/9/9/9/4K4 w G 1").unwrap();
        assert!(examination.is_lost_to_mate(&cornered, 10_000));
    }
}
