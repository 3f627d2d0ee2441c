//! Generated books against an oracle: the plain algorithm on positions as text, every position in every
//! pass, without the indices and lists of the program.

use crate::convert::Conversion;
use crate::minimax::Minimax;
use crate::reader::BookReader;
use crate::test_books::{Sample, random_sample, write_db};
use crate::{convert, minimax};
use monomi_movegen::Layout;
use monomi_movegen::Position;
use shogi_core::Color;
use std::collections::HashMap;
use std::path::Path;

/// A value and a depth.
pub type Vd = (i32, i32);

fn better(a: Vd, b: Vd) -> bool {
    if a.0 != b.0 {
        return a.0 > b.0;
    }
    if a.1 == 9997 {
        return false;
    }
    if b.1 == 9997 {
        return true;
    }
    if a.0 >= 0 { a.1 < b.1 } else { a.1 > b.1 }
}

fn up(vd: Vd) -> Vd {
    (-vd.0, (vd.1 + 1).min(9999))
}

enum Way {
    Leaf(i32),
    To(usize),
}

struct Node {
    moves: Vec<(String, Way)>,
    check: bool,
}

/// The position with Black to move, by exchanging the colours if needed, without the move number.
fn text_of(position: &Position) -> String {
    let partial = position.to_partial();
    let black = position.side_to_move() == Color::Black;
    let sfen = if black { partial } else { monomi_movegen::rotated(&partial) }.to_sfen_owned();
    sfen.rsplit_once(' ').unwrap().0.to_owned()
}

fn nodes(books: &[Sample], draw_matters: bool) -> Vec<Node> {
    // With a value for draws the colours of positions matter: each is in the book twice.
    let name = |position: &Position, exchanged: bool| {
        let white = (position.side_to_move() == Color::White) ^ exchanged;
        (text_of(position), white && draw_matters)
    };
    let mut index = HashMap::new();
    let sides: &[bool] = if draw_matters { &[false, true] } else { &[false] };
    let all: Vec<(bool, &Sample)> =
        sides.iter().flat_map(|&side| books.iter().map(move |book| (side, book))).collect();
    for (number, (exchanged, sample)) in all.iter().enumerate() {
        index.insert(name(&sample.position, *exchanged), number);
    }
    let node = |(exchanged, sample): &(bool, &Sample)| {
        let mut position = sample.position.clone();
        let check = position.in_check();
        let mut moves = Vec::new();
        for mv in sample.position.legal_moves() {
            position.do_move(mv);
            if let Some(&next) = index.get(&name(&position, *exchanged)) {
                moves.push((mv.to_string(), Way::To(next)));
            } else if let Some((_, value)) = sample.moves.iter().find(|known| known.0 == mv) {
                moves.push((mv.to_string(), Way::Leaf(*value)));
            }
            position.undo_move();
        }
        Node { moves, check }
    };
    all.iter().map(node).collect()
}

struct Oracle {
    nodes: Vec<Node>,
    values: Vec<Vd>,
    check_loop: Vec<bool>,
}

impl Oracle {
    fn children(&self, node: usize) -> Vec<usize> {
        let next = |way: &(String, Way)| match way.1 {
            Way::To(next) => Some(next),
            Way::Leaf(_) => None,
        };
        self.nodes[node].moves.iter().filter_map(next).collect()
    }

    fn of_moves(&self, node: usize) -> Vd {
        let mut best = (-32767, 9999);
        for (_, way) in &self.nodes[node].moves {
            let vd = match way {
                Way::Leaf(value) => (*value, 0),
                Way::To(next) => self.values[*next],
            };
            if better(vd, best) {
                best = vd;
            }
        }
        up(best)
    }

    fn to_repetition(&self, node: usize, path: &mut Vec<usize>) -> Vd {
        if !self.check_loop[node] {
            return self.values[node];
        }
        if path.contains(&node) {
            return if self.nodes[node].check { (-32000, 9997) } else { (32000, 9998) };
        }
        path.push(node);
        let mut best = (-32767, 0);
        for (_, way) in &self.nodes[node].moves {
            let vd = match way {
                Way::Leaf(value) => (*value, 0),
                Way::To(next) => self.to_repetition(*next, path),
            };
            if better(vd, best) {
                best = vd;
            }
        }
        path.pop();
        up(best)
    }

    fn solve(nodes: Vec<Node>, draw: impl Fn(usize) -> i32) -> Self {
        let count = nodes.len();
        let (values, check_loop) = (vec![(0, 0); count], vec![false; count]);
        let mut oracle = Self { nodes, values, check_loop };
        let mut fixed = vec![false; count];
        loop {
            let ready = |node: &usize| {
                !fixed[*node] && oracle.children(*node).iter().all(|&next| fixed[next])
            };
            let Some(node) = (0..count).find(ready) else { break };
            oracle.values[node] = oracle.of_moves(node);
            fixed[node] = true;
        }
        // Positions in check from which two moves lead to such a position, without end.
        let mut inside: Vec<bool> = oracle.nodes.iter().map(|node| node.check).collect();
        while let Some(node) = (0..count).find(|&node| {
            inside[node] && {
                let next = oracle.children(node).into_iter();
                !next.flat_map(|next| oracle.children(next)).any(|later| inside[later])
            }
        }) {
            inside[node] = false;
        }
        oracle.check_loop.clone_from(&inside);
        for node in (0..count).filter(|&node| inside[node]) {
            for next in oracle.children(node) {
                oracle.check_loop[next] |= oracle.children(next).iter().any(|&later| inside[later]);
            }
        }
        for node in (0..count).filter(|&node| !fixed[node]) {
            let value = match (oracle.check_loop[node], oracle.nodes[node].check) {
                (false, _) => draw(node),
                (true, true) => -32000,
                (true, false) => 32000,
            };
            oracle.values[node] = (value, 9999);
        }
        for _ in 0..356 {
            let before = oracle.values.clone();
            for node in (0..count).filter(|&node| !fixed[node] && !oracle.check_loop[node]) {
                let mut vd = oracle.of_moves(node);
                if vd.1 > 256 {
                    vd.1 = 9999;
                }
                oracle.values[node] = vd;
            }
            for node in (0..count).filter(|&node| oracle.check_loop[node]) {
                oracle.values[node] = oracle.to_repetition(node, &mut Vec::new());
            }
            if oracle.values == before {
                break;
            }
        }
        oracle
    }

    fn written(&self, node: usize) -> HashMap<String, Vd> {
        let value = |way: &Way| match *way {
            Way::Leaf(value) => (value, 0),
            Way::To(next) if self.check_loop[next] && self.nodes[next].check => {
                (self.values[next].0, 9997)
            }
            Way::To(next) => self.values[next],
        };
        let all = self.nodes[node].moves.iter();
        let mut all: HashMap<String, Vd> = all.map(|(mv, way)| (mv.clone(), value(way))).collect();
        let best = all.values().copied().reduce(|a, b| if better(b, a) { b } else { a });
        for vd in all.values_mut() {
            if best.is_some_and(|best| best.0 == vd.0 && best.1 != vd.1) {
                vd.0 -= 1;
            }
        }
        all
    }
}

pub fn how(folder: &Path, draw: i16) -> Minimax {
    let (folder, starts) = (folder.to_owned(), Vec::new());
    let conversion = Conversion { memory: 1 << 20, folder, depths: true, starts };
    Minimax { threads: 2, shrink: false, draw, conversion }
}

/// The moves of a book with their values, by position.
pub fn read(path: &Path) -> HashMap<String, HashMap<String, Vd>> {
    let mut reader = BookReader::open(path).unwrap();
    let mut found = HashMap::new();
    while let Some(entry) = reader.read().unwrap() {
        let position = entry.position.unpack(Layout::Sfen, 1).unwrap();
        let moves = entry.moves.iter().map(|played| {
            let found = played.found;
            (found.mv.to_string(), (found.eval, found.depth as i32))
        });
        found.insert(position.to_sfen(), moves.collect());
    }
    assert_eq!(reader.into_faults().count, 0);
    found
}

#[test]
fn values_of_a_thousand_books_are_those_of_the_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (mut cyclic, mut loops, mut added, mut unsettled) = (0, 0, 0, 0);
    for seed in 0..1000 {
        let draw = if seed % 4 == 3 { -60 } else { 0 };
        let samples = random_sample(seed);
        write_db(&samples, &path("in.db"));
        let done = minimax(&path("in.db"), &path("out.db"), &how(folder.path(), draw)).unwrap();
        assert_eq!((done.given_up, done.illegal), (0, 0), "{seed}");
        unsettled += u64::from(done.unsettled > 0);
        cyclic += u64::from(done.cyclic > 0);
        loops += u64::from(done.check_loops > 0);
        added += done.added;
        let count = samples.len();
        let oracle = Oracle::solve(nodes(&samples, draw != 0), |node| {
            let white = samples[node % count].position.side_to_move() == Color::White;
            i32::from(if white ^ (node >= count) { draw } else { -draw })
        });
        let found = read(&path("out.db"));
        for (node, sample) in samples.iter().enumerate() {
            let mut sfen = sample.position.to_sfen();
            sfen = format!("{} 1", sfen.rsplit_once(' ').unwrap().0);
            let expected = oracle.written(node);
            let found = found.get(&sfen).cloned().unwrap_or_default();
            assert_eq!(found, expected, "book {seed}, {sfen}");
        }
    }
    // The books have what the test is about.
    assert!(cyclic > 300 && loops > 30 && added > 300, "{cyclic} {loops} {added}");
    assert!(unsettled < 100, "{unsettled}");
}

#[test]
fn other_formats_and_shrunk_books_have_the_same_best_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for seed in 0..20 {
        write_db(&random_sample(seed), &path("in.db"));
        let mut how = how(folder.path(), 0);
        convert(&[path("in.db")], &path("in.ybb"), &how.conversion).unwrap();
        minimax(&path("in.ybb"), &path("out.ybb"), &how).unwrap();
        minimax(&path("in.ybb"), &path("out.db"), &how).unwrap();
        let all = read(&path("out.db"));
        assert_eq!(read(&path("out.ybb")), all);
        how.shrink = true;
        minimax(&path("in.ybb"), &path("small.ybb"), &how).unwrap();
        for (sfen, moves) in read(&path("small.ybb")) {
            let best = moves.values().map(|vd| vd.0).max().unwrap();
            for (mv, vd) in &moves {
                assert_eq!(all[&sfen][mv], *vd);
                assert!(vd.0 == best || vd.0 == best - 1);
            }
            assert!(all[&sfen].iter().all(|(mv, vd)| moves.contains_key(mv) || vd.0 < best));
        }
    }
}
