//! The engine's search without pruning returns the minimax value of real positions: NegaScout with
//! transposition table and move ordering, compared with plain NegaMax and alpha-beta.

use monomi_eval::{EvalStack, Evaluation};
use monomi_movegen::{MoveList, Position};
use monomi_search::Searcher;
use std::sync::Arc;
use tests::oracles::{Algorithm, Game, ShogiTree, Value, root_moves};

/// The engine's moves and evaluation, computed from scratch at each node.
struct Engine(Arc<Evaluation>);

impl Game for Engine {
    fn evaluate(&self, position: &Position, _ply: u32) -> Value {
        EvalStack::new(&self.0, position).evaluate(position)
    }

    fn moves(&self, position: &Position) -> MoveList {
        let mut moves = MoveList::new();
        position.generate_useful(&mut moves);
        moves
    }
}

/// Positions and the depth that the oracle can search in reasonable time.
const POSITIONS: [(&str, u32); 7] = [
    ("startpos", 4),
    ("1n1gk2nl/1r4g2/1sppppspp/L5p2/1p5P1/2P6/1PSPPPPSP/7R1/1N1GKG1NL w BLPbp 24", 3),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 2),
    ("1ks2+P2b/4+Lg3/PN2sl+Bp+P/1p5RP/1ggP1p1N1/4PP2p/l1K3SPn/2PSR+p2L/4G3N b 4P 187", 3),
    // A mate in three, and one in one for the side to move.
    ("s2R1S1Sl/2k3G2/3ppp3/p+B4p2/3s1P2p/1P1N2P2/PKG6/5+r3/LN2+b3L b GPg2nl7p 125", 3),
    ("Kbg4nl/3sk1gs1/2n4pp/1G1p5/1pP4P1/4S4/P2PPG2P/1L7/LNS4NL w 7P2Rpb 1", 2),
    // In check.
    ("2s3snl/l1rg2g2/p2+N1p3/1p2p1p1p/2pkb2p1/2P2PG2/PPRPP1PPP/LBG1K4/1N2S1SNL b P 43", 3),
];

fn searcher() -> Searcher {
    Searcher::new(16, Evaluation::internal()).expect("16 MiB can be had")
}

#[test]
fn negascout_without_pruning_is_minimax() {
    let game = || Engine(Evaluation::internal());
    let mut kept = searcher();
    for (sfen, deepest) in POSITIONS {
        let position = Position::from_sfen(sfen).expect("a valid sfen");
        for depth in 1..=deepest {
            let expected = if depth <= 2 {
                root_moves(&position, depth, game()).value
            } else {
                Algorithm::AlphaBetaFailSoft.search(&ShogiTree::new(
                    position.clone(),
                    depth,
                    game(),
                ))
            };
            let fresh = searcher().search_exactly(&position, depth);
            assert_eq!(fresh, expected, "depth {depth} of {sfen}");
            // What the table holds from shallower searches orders moves, and changes no value.
            let again = kept.search_exactly(&position, depth);
            assert_eq!(again, expected, "depth {depth} of {sfen} with a filled table");
        }
    }
}
