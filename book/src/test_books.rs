//! Books that tests generate.

use crate::text::HEADER;
use monomi_movegen::Random;
use monomi_movegen::{PackedMove, Position};
use shogi_core::PieceKind;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// A position of a book with moves and their values.
#[derive(Clone)]
pub struct Sample {
    pub position: Position,
    pub moves: Vec<(PackedMove, i32)>,
    /// The moves that led to it.
    path: Vec<PackedMove>,
}

/// Where books begin: the initial position, and positions with a king in the open.
const STARTS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "4k4/9/9/6R2/9/9/9/9/4K4 b r2b4g4s4n4l18p 1",
    "k8/9/9/9/9/8+b/4+R4/9/4K4 w rb4g4s4n4l18p 1",
    "3k5/9/9/9/3+R5/9/9/8+r/4K4 w B2G2Sb2g2s4n4l18p 1",
];

/// A book of up to forty positions in random order. Many moves go back, give check or leave a check, so that there
/// are repetitions and perpetual checks.
pub fn random_sample(seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let start = STARTS[random.below(STARTS.len())];
    let root = Position::from_sfen(start).expect("a position");
    let size = 5 + random.below(36);
    let mut samples = vec![sample(root, Vec::new(), &mut random)];
    let mut seen = HashMap::from([(samples[0].position.key(), 0)]);
    let mut now = 0;
    for _ in 0..size * 4 {
        if samples.len() >= size {
            break;
        }
        if random.below(4) == 0 {
            now = random.below(samples.len());
        }
        let from = samples[now].clone();
        let Some(mv) = some_move(&from, &mut random) else { continue };
        let mut position = from.position.clone();
        position.do_move(mv);
        let mut path = from.path;
        path.push(mv);
        // Without the earlier moves, so that it equals a position that is read.
        let position = Position::from_sfen(&position.to_sfen()).expect("a position");
        let next = samples.len();
        now = *seen.entry(position.key()).or_insert(next);
        if now == next {
            samples.push(sample(position, path, &mut random));
        }
    }
    // In another order, which decides what the values of repetitions become.
    for at in (1..samples.len()).rev() {
        samples.swap(at, random.below(at + 1));
    }
    samples
}

fn sample(position: Position, path: Vec<PackedMove>, random: &mut Random) -> Sample {
    let legal = position.legal_moves();
    let mut moves: Vec<(PackedMove, i32)> = Vec::new();
    for _ in 0..random.below(4) {
        let Some(mv) = random.choose(&legal) else { break };
        if moves.iter().all(|known| known.0 != mv) {
            moves.push((mv, random.below(9) as i32 * 20 - 80));
        }
    }
    Sample { position, moves, path }
}

fn some_move(from: &Sample, random: &mut Random) -> Option<PackedMove> {
    let position = &from.position;
    let legal = position.legal_moves();
    // Back to where the piece came from.
    let last = from.path.len().checked_sub(2).and_then(|at| from.path.get(at));
    let back =
        last.and_then(|last| Some(PackedMove::normal(last.to(), last.from_square()?, false)));
    if let Some(back) = back.filter(|&back| position.is_legal(back))
        && random.below(2) == 0
    {
        return Some(back);
    }
    let gives_check = |mv: &PackedMove| {
        let mut position = position.clone();
        position.do_move(*mv);
        position.in_check()
    };
    let by_king = |mv: &PackedMove| {
        let piece = mv.from_square().and_then(|from| position.piece_at(from));
        piece.is_some_and(|piece| piece.piece_kind() == PieceKind::King)
    };
    let preferred: Vec<PackedMove> = if position.in_check() {
        legal.iter().copied().filter(by_king).collect()
    } else {
        legal.iter().copied().filter(|mv| !mv.is_drop()).filter(gives_check).collect()
    };
    if random.below(4) > 0 && !preferred.is_empty() {
        return random.choose(&preferred);
    }
    let on_board: Vec<PackedMove> = legal.iter().copied().filter(|mv| !mv.is_drop()).collect();
    random.choose(&on_board)
}

/// Writes a `.db` in the order of the positions.
pub fn write_db(samples: &[Sample], path: &Path) {
    let mut text = format!("{HEADER}\n");
    for Sample { position, moves, .. } in samples {
        let sfen = position.to_sfen();
        writeln!(text, "sfen {sfen}").expect("memory");
        for (mv, value) in moves {
            writeln!(text, "{mv} none {value} 5 1").expect("memory");
        }
    }
    std::fs::write(path, text).expect("the book is written");
}
