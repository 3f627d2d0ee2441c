//! Shogi to a fixed depth as a game tree.

use super::minimax::best_children;
use super::tree::{GameTree, Value};
use monomi_movegen::{MoveList, PackedMove, Position};
use shogi_core::{Color, PieceKind};

/// The value of an immediate mate; being mated after `ply` plies is worth `ply - MATE`.
pub const MATE: Value = 32_000;

/// The rules and evaluation of a shogi tree. Only the evaluation is required; a closure
/// `Fn(&Position) -> Value` is enough.
///
/// A node without legal moves that is not at the horizon is a leaf worth `ply - MATE`: the side to
/// move has lost; an earlier mate is worth less.
pub trait Game {
    /// The value at the horizon, for the side to move, `ply` plies from the root.
    fn evaluate(&self, position: &Position, ply: u32) -> Value;

    /// The value, for the side to move, of a position where the game ends by a rule other than
    /// mate: repetition or declaration. Not called at the root. The position has its full history.
    ///
    /// Results that depend on how a position was reached must not be used with searches that have
    /// a memory ([`mtd`](super::mtd::mtd)).
    fn adjudicate(&self, _position: &Position, _ply: u32) -> Option<Value> {
        None
    }

    /// The moves to search, in order. Must always be the same for the same position, and at least
    /// one if any move is legal.
    fn moves(&self, position: &Position) -> MoveList {
        position.legal_moves()
    }
}

impl<F: Fn(&Position) -> Value> Game for F {
    fn evaluate(&self, position: &Position, _ply: u32) -> Value {
        self(position)
    }
}

/// Material in pawns; an unpromoted piece is worth the same on the board and in hand. Such a coarse
/// evaluation causes many ties, which is useful in tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material;

impl Material {
    /// The value of a piece on the board, in pawns. Kings are worth 0.
    pub fn of(kind: PieceKind) -> Value {
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

    fn side(position: &Position, color: Color) -> Value {
        PieceKind::all()
            .into_iter()
            .map(|kind| {
                let on_board = position.pieces_of(color, kind).count();
                let in_hand = u32::from(position.hand_count(color, kind));
                Self::of(kind) * (on_board + in_hand) as Value
            })
            .sum()
    }
}

impl Game for Material {
    fn evaluate(&self, position: &Position, _ply: u32) -> Value {
        let us = position.side_to_move();
        Self::side(position, us) - Self::side(position, us.flip())
    }
}

/// The game tree of a position to a depth of `depth` plies.
#[derive(Clone, Debug)]
pub struct ShogiTree<G> {
    root: Position,
    depth: u32,
    game: G,
}

impl<G> ShogiTree<G> {
    /// A tree of `depth` plies.
    pub fn new(root: Position, depth: u32, game: G) -> Self {
        Self { root, depth, game }
    }
}

/// A position and its remaining depth in plies.
#[derive(Clone, Debug)]
pub struct ShogiNode {
    /// The position.
    pub position: Position,
    /// Plies to the horizon.
    pub height: u32,
}

impl<G: Game> GameTree for ShogiTree<G> {
    type Node = ShogiNode;
    /// Board, hands and height. Sufficient if [`ShogiTree`]'s rules depend only on the position.
    type Key = (u64, u64, u32);

    fn root(&self) -> ShogiNode {
        ShogiNode { position: self.root.clone(), height: self.depth }
    }

    fn leaf_value(&self, ShogiNode { position, height }: &ShogiNode) -> Option<Value> {
        let ply = self.depth - height;
        let verdict = if ply > 0 { self.game.adjudicate(position, ply) } else { None };
        if verdict.is_some() {
            verdict
        } else if *height == 0 {
            Some(self.game.evaluate(position, ply))
        } else if !position.has_legal_move() {
            Some(ply as Value - MATE)
        } else {
            None
        }
    }

    fn children<'t>(&'t self, node: &ShogiNode) -> impl Iterator<Item = ShogiNode> + use<'t, G> {
        let ShogiNode { position, height } = node.clone();
        self.game.moves(&position).into_iter().map(move |mv| {
            let mut position = position.clone();
            position.do_move(mv);
            ShogiNode { position, height: height - 1 }
        })
    }

    fn height(&self, node: &ShogiNode) -> u32 {
        node.height
    }

    fn key(&self, ShogiNode { position, height }: &ShogiNode) -> Self::Key {
        (position.board_key(), position.hand_key(), *height)
    }
}

/// The exact result of a position at some depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMoves {
    /// The minimax value for the side to move.
    pub value: Value,
    /// All moves with this value, in search order; empty if the root is a leaf.
    pub best: Vec<PackedMove>,
}

/// The exact minimax value of a position searched to `depth` plies, and all moves with that value.
///
/// ```
/// use monomi_movegen::Position;
/// use tests::oracles::{Material, root_moves};
/// let position = Position::from_sfen("4k4/9/9/9/4p4/4R4/9/9/4K4 b - 1")?;
/// let truth = root_moves(&position, 1, Material);
/// // A rook, and the pawn that it takes.
/// assert_eq!(truth.value, 11);
/// assert_eq!(truth.best, ["5f5e".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn root_moves(position: &Position, depth: u32, game: impl Game) -> RootMoves {
    let tree = ShogiTree::new(position.clone(), depth, game);
    let root = tree.root();
    if let Some(value) = tree.leaf_value(&root) {
        return RootMoves { value, best: Vec::new() };
    }
    let moves = tree.game.moves(position);
    let (value, indices) = best_children(&tree, &root);
    RootMoves { value, best: indices.into_iter().map(|index| moves[index]).collect() }
}
