//! Writes a random book (`.ybb`) for tests and measurements: `random_book OUT POSITIONS SEED [PLIES]`.
//!
//! Each position has up to five legal moves with random values. Positions are reached from random ones
//! of the book by one of their moves, so that lines, transpositions and repetitions occur.

use monomi_book::{BookMove, YbbWriter};
use monomi_movegen::Position;
use monomi_movegen::{Layout, PackedPosition, Random};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

struct Node {
    packed: [u8; 32],
    ply: u16,
    moves: Vec<BookMove>,
}

fn node(position: &Position, random: &mut Random) -> Node {
    let packed = PackedPosition::pack(position, Layout::Sfen).expect("a full set").0;
    let legal = position.legal_moves();
    let mut moves: Vec<BookMove> = Vec::new();
    for _ in 0..1 + random.below(5) {
        let Some(mv) = random.choose(&legal) else { break };
        if moves.iter().all(|known| known.mv != mv) {
            let eval = random.below(601) as i32 - 300;
            let depth = random.below(30) as u32;
            moves.push(BookMove { mv, ponder: None, eval, depth, count: 1 });
        }
    }
    Node { packed, ply: position.ply(), moves }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, positions, seed, rest @ ..] = arguments.as_slice() else {
        return Err("usage: random_book OUT POSITIONS SEED [PLIES]".into());
    };
    let (count, seed): (usize, u64) = (positions.parse()?, seed.parse()?);
    let plies: u16 = rest.first().map_or(Ok(60), |plies| plies.parse())?;
    let mut random = Random::new(seed);
    let mut nodes = vec![node(&Position::startpos(), &mut random)];
    let mut seen = HashSet::from([nodes[0].packed]);
    while nodes.len() < count {
        let from = &nodes[random.below(nodes.len())];
        let moves: Vec<_> = from.moves.iter().map(|found| found.mv).collect();
        let packed = PackedPosition(from.packed);
        let mut position = packed.unpack(Layout::Sfen, from.ply)?;
        let Some(mv) = random.choose(&moves) else { continue };
        position.do_move(mv);
        if position.ply() > plies {
            continue;
        }
        let new = node(&position, &mut random);
        if !new.moves.is_empty() && seen.insert(new.packed) {
            nodes.push(new);
        }
    }
    drop(seen);
    nodes.sort_unstable_by_key(|node| node.packed);
    let out = Path::new(out);
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut writer = YbbWriter::new(folder.unwrap_or(Path::new(".")), true)?;
    for Node { packed, ply, moves } in &nodes {
        writer.add(*packed, *ply, moves)?;
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(out)?);
    writer.finish(&mut file)?;
    file.flush()?;
    Ok(())
}
