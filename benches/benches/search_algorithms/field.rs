//! Test conditions: positions, an evaluation, and move orderings.

use monomi_movegen::{MoveList, PackedMove, Position};
use shogi_core::{Color, Square};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use tests::oracles::minimax::alpha_beta_fail_soft;
use tests::oracles::{
    Game, GameTree, INFINITE, Material, Random, Reordered, ShogiNode, ShogiTree, Value,
};

/// The start, openings with and without pieces in hand, and middlegames.
pub const POSITIONS: [&str; 6] = [
    "startpos",
    "l1s1k1snl/1r1g2g2/2n1p1bpp/p1pp1pp2/1p5PP/P1PP1P3/1PB1P1P2/3SGS1R1/LN1GK2NL w - 24",
    "l1s1k1snl/1r2g4/2n1ppgpp/p1pp2p2/1p5P1/P1P5P/1PSPPPP2/2GK2SR1/LN3G1NL w Bb 24",
    "2s3snl/l1rg2g2/p2+N1p3/1p2p1p1p/2pkb2p1/2P2PG2/PPRPP1PPP/LBG1K4/1N2S1SNL b P 43",
    "1ks2+P2b/4+Lg3/PN2sl+Bp+P/1p5RP/1ggP1p1N1/4PP2p/l1K3SPn/2PSR+p2L/4G3N b 4P 187",
    "1n1gk2nl/1Bsr3s1/lp2ppgpp/p1pp2p2/7P1/P1P6/1PNPPPP1P/1SKG2SR1/L4G1NL w b 24",
];

/// The order in which moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By exact value.
    Perfect,
    /// By a shallow search.
    Shallow,
    /// Captures first.
    Captures,
    /// At random.
    Shuffled,
}

impl Order {
    /// All orders from the best to the worst.
    pub const ALL: [Self; 4] = [Self::Perfect, Self::Shallow, Self::Captures, Self::Shuffled];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Shallow => "shallow",
            Self::Captures => "captures",
            Self::Shuffled => "shuffled",
        }
    }

    /// A description in one line.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Perfect => "by the moves' exact values, the best first",
            Self::Shallow => "by a search of half the depth left behind the move, then as captures",
            Self::Captures => "the most valuable victim by the least valuable piece, promotions",
            Self::Shuffled => "at random; means of three shuffles",
        }
    }

    /// The order with each of the seeds it is tried with.
    pub fn with_seeds(self) -> impl Iterator<Item = (Self, u64)> {
        (0..if self == Self::Shuffled { 3 } else { 1 }).map(move |seed| (self, seed))
    }
}

/// Shogi with a fine evaluation, moves in a fixed order, and a limit on visits.
#[derive(Clone)]
pub struct Field {
    order: Order,
    seed: u64,
    visits: Rc<Cell<u64>>,
    limit: u64,
}

impl Field {
    /// An order, and the seed for shuffling.
    pub fn new(order: Order, seed: u64) -> Self {
        Self { order, seed, visits: Rc::default(), limit: u64::MAX }
    }

    /// After `limit` visits every node is a leaf, so that the search ends soon with a meaningless
    /// value.
    pub fn limited(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// For each rank that a piece has advanced, 3.
    fn advanced(position: &Position, color: Color) -> Value {
        let ranks = |sq: Square| if color == Color::Black { 9 - sq.rank() } else { sq.rank() - 1 };
        position.pieces(color).into_iter().map(|sq| 3 * Value::from(ranks(sq))).sum()
    }
}

impl Game for Field {
    fn evaluate(&self, position: &Position, ply: u32) -> Value {
        let us = position.side_to_move();
        100 * Material.evaluate(position, ply) + Self::advanced(position, us)
            - Self::advanced(position, us.flip())
    }

    fn adjudicate(&self, _: &Position, _: u32) -> Option<Value> {
        self.visits.set(self.visits.get() + 1);
        (self.visits.get() > self.limit).then_some(0)
    }

    fn moves(&self, position: &Position) -> MoveList {
        let mut moves = position.legal_moves().to_vec();
        match self.order {
            Order::Shuffled => {
                let mut random = Random::new(position.key().wrapping_add(self.seed));
                moves.sort_by_cached_key(|_| random.bits());
            }
            _ => moves.sort_by_key(|&mv| capture_rank(position, mv)),
        }
        let mut list = MoveList::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list
    }
}

/// Sort key: captures of valuable pieces by cheap ones first, then promotions.
fn capture_rank(position: &Position, mv: PackedMove) -> Value {
    let value = |square| position.piece_at(square).map(|piece| Material::of(piece.piece_kind()));
    let attacker = mv.from_square().and_then(value).unwrap_or(0);
    match value(mv.to()) {
        Some(victim) => attacker - 100 * victim,
        None if mv.is_promotion() => -1,
        None => 0,
    }
}

/// The tree of a position, its moves in the field's order. Its clones share what the order has
/// cost them.
pub fn tree(
    position: &Position,
    depth: u32,
    field: Field,
) -> impl GameTree<Node = ShogiNode> + Clone + use<> {
    let order = field.order;
    let memory = Rc::new(RefCell::new(HashMap::new()));
    let rank = move |node: &ShogiNode| {
        let plies = match order {
            Order::Perfect => node.height,
            Order::Shallow if node.height > 0 => node.height / 2,
            _ => return 0,
        };
        let key = (node.position.key(), node.height);
        let known = memory.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let ahead =
                ShogiTree::new(node.position.clone(), plies, Field::new(Order::Captures, 0));
            let value = alpha_beta_fail_soft(&ahead, &ahead.root(), -INFINITE, INFINITE);
            memory.borrow_mut().insert(key, value);
            value
        })
    };
    Reordered::new(ShogiTree::new(position.clone(), depth, field), rank)
}
