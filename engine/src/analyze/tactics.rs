//! Mates, threats of mate and the reasons why moves are bad. Mates are proven by the mate solver.

use crate::analyze::analyzed_game::Step;
use crate::analyze::judge::win_probability;
use crate::analyze::record::notation::piece_name;
use crate::mate::{MateAnswer, MateLimits, MateSolver};
use crate::search::Score;
use monomi_movegen::square::unpromoted;
use monomi_movegen::{PackedMove, Position};
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
/// Plies of a line in which material is counted.
const MATERIAL_PLIES: usize = 10;
/// Material difference, in pawns, that counts as a loss.
const MATERIAL_LOSS: i32 = 3;

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
    /// It blocks an escape square of the own king, which is mated in this many plies.
    EscapeClosed(usize),
    /// It allows a mate in this many plies.
    AllowsMate(usize),
    /// The best reply is a threatmate.
    AllowsThreatmate,
    /// It loses material: the most valuable piece lost.
    Material(PieceKind),
}

impl Reason {
    /// In Japanese.
    pub fn japanese(self) -> String {
        match self {
            Reason::EscapeClosed(plies) => format!("玉の逃げ道を塞いで{plies}手詰"),
            Reason::AllowsMate(plies) => format!("{plies}手詰を許す"),
            Reason::AllowsThreatmate => "詰めろを許す".to_owned(),
            Reason::Material(kind) => format!("{}損", piece_name(kind)),
        }
    }

    /// In English.
    pub fn english(self) -> String {
        match self {
            Reason::EscapeClosed(plies) => {
                format!("closes an escape square of the king: mate in {plies}")
            }
            Reason::AllowsMate(plies) => format!("allows mate in {plies}"),
            Reason::AllowsThreatmate => "allows a threatmate".to_owned(),
            Reason::Material(kind) => format!("loses a {}", english_name(kind)),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.english())
    }
}

fn english_name(kind: PieceKind) -> &'static str {
    match unpromoted(kind) {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        _ => "king",
    }
}

/// Customary piece values in pawns.
fn points(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 3,
        PieceKind::Knight => 4,
        PieceKind::Silver => 5,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => 6,
        PieceKind::Bishop => 8,
        PieceKind::Rook => 10,
        PieceKind::ProBishop => 10,
        PieceKind::ProRook => 12,
        PieceKind::King => 0,
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
        let mut escapes = || {
            let moves = step.position.legal_moves();
            moves.iter().any(|&mv| {
                let mut after = step.position.clone();
                after.do_move(mv);
                self.mate(&after, nodes).is_none()
            })
        };
        let hopeless = win_probability(found.score()) < HOPELESS;
        let threat = if hopeless && !escapes() { Threat::Brinkmate } else { Threat::Threatmate };
        Tactics { mate, threat: Some(threat) }
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
            let closed = closes_escape(&before.position, played);
            let reason = if closed { Reason::EscapeClosed } else { Reason::AllowsMate };
            return Some(reason(plies));
        }
        let lost = material(&after.position, reply.lines.first().map_or(&[], |line| &line.pv));
        let best = before.found.and_then(|found| found.lines.first());
        let could = material(&before.position, best.map_or(&[], |line| &line.pv));
        // The first balance is the opponent's; the played move itself may have captured.
        let captured = gain(&before.position, played);
        if could.balance - (captured - lost.balance) >= MATERIAL_LOSS
            && let Some(kind) = lost.captured
        {
            return Some(Reason::Material(kind));
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

/// Material won in a line.
struct Material {
    /// In pawns, for the side that moves first.
    balance: i32,
    /// The most valuable piece that this side captures.
    captured: Option<PieceKind>,
}

/// Value of what a move captures and promotes, in pawns.
fn gain(position: &Position, mv: PackedMove) -> i32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| points(piece.piece_kind()));
    let promoted = points(position.arriving_kind(mv)) - points(position.moving_kind(mv));
    captured + promoted
}

/// Plays a line and counts material, up to the last exchange of its first plies.
fn material(position: &Position, line: &[PackedMove]) -> Material {
    let mut position = position.clone();
    let (mut balance, mut sign) = (0, 1);
    let mut captured: Option<PieceKind> = None;
    let mut settled = Material { balance: 0, captured: None };
    let mut quiet = 0;
    for &mv in line.iter().take(MATERIAL_PLIES) {
        if !position.is_legal(mv) {
            break;
        }
        balance += sign * gain(&position, mv);
        let taken = position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        quiet = if taken.is_some() { 0 } else { quiet + 1 };
        if sign > 0
            && let Some(kind) = taken.filter(|&kind| points(kind) > captured.map_or(0, points))
        {
            captured = Some(kind);
        }
        // In the middle of an exchange the balance is not meaningful.
        if quiet > 0 {
            settled = Material { balance, captured };
        }
        position.do_move(mv);
        sign = -sign;
    }
    settled
}
