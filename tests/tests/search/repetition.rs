//! Repetition with the history of a game: the engine's search against a plain search with the rules
//! written out, in games whose positions came up once, twice and three times.

use crate::behaviour::{best, go, searcher};
use monomi_eval::{EvalStack, Evaluation};
use monomi_mate::{MateAnswer, MateLimits, MateSolver};
use monomi_movegen::square::HAND_KINDS;
use monomi_movegen::{MoveList, PackedMove, Position};
use monomi_search::{INFINITE, Limits, Score, SearchOptions, Searcher};
use shogi_core::{Color, Hand};
use std::sync::Arc;
use tests::games::Random;

const MATE: i32 = 32_000;
/// A win or loss by perpetual check, and one by a superior or inferior position.
const BY_RULE: i32 = 28_500;
const SUPERIOR: i32 = 28_000;
/// A draw for the side to move at the root.
const DRAW: i32 = -2;
/// Values beyond are wins and losses.
const DECIDED: i32 = 27_000;

/// A position of a line: the game, and after it the moves of the search.
struct Entry {
    board: String,
    hands: [Hand; 2],
    check: bool,
}

/// A plain search of all lines of a length.
struct Plain {
    line: Vec<Entry>,
    /// The entry of the root.
    root: usize,
    evaluation: Option<Arc<Evaluation>>,
    /// Whether useless moves without promotion are searched, too.
    all_moves: bool,
    /// Whether a side that has no legal move and is not in check counts as open.
    only_mates: bool,
    /// How many lines ended by a rule because of positions of the game, and within the tree.
    ended: [u32; 2],
}

impl Plain {
    /// With the history of a position. Values at the horizon are those of `evaluation` or 0.
    fn new(root: &Position, evaluation: Option<Arc<Evaluation>>) -> Self {
        let mut before = root.clone();
        let mut moves = Vec::new();
        while let Some(mv) = before.last_move() {
            moves.push(mv);
            before.undo_move();
        }
        let all_moves = evaluation.is_none();
        let mut plain = Self {
            line: Vec::new(),
            root: 0,
            evaluation,
            all_moves,
            only_mates: false,
            ended: [0; 2],
        };
        plain.push(&before);
        for mv in moves.into_iter().rev() {
            before.do_move(mv);
            plain.push(&before);
        }
        plain.root = plain.line.len() - 1;
        plain
    }

    fn push(&mut self, position: &Position) {
        let sfen = position.to_sfen();
        let board: Vec<&str> = sfen.split(' ').take(2).collect();
        self.line.push(Entry {
            board: board.join(" "),
            hands: [Color::Black, Color::White].map(|side| position.hand(side)),
            check: position.in_check(),
        });
    }

    /// The value for the side to move of the cycle from an entry to the last one: who checked with
    /// all moves of it loses.
    fn cycle(&self, first: usize, ply: i32) -> i32 {
        let checks = |skip| self.line[first + 1..].iter().rev().skip(skip).step_by(2);
        if checks(1).all(|entry| entry.check) {
            ply - BY_RULE
        } else if checks(0).all(|entry| entry.check) {
            BY_RULE - ply
        } else if ply % 2 == 0 {
            DRAW
        } else {
            -DRAW
        }
    }

    /// The value by the rules of repetition, for the side to move.
    ///
    /// - At the fourth occurrence the game ends: a draw, or a loss for who has given check with all
    ///   moves since the first of the four.
    /// - A position of the tree that comes up again, the root not among them, can come up again and
    ///   again: that is worth the same at once. So are positions with the same board and more or
    ///   less in hand.
    /// - At the third occurrence, with the first two in the game, the line ends as well.
    fn by_rule(&mut self, ply: i32) -> Option<i32> {
        let last = self.line.len() - 1;
        let side = usize::from(self.line[last].board.ends_with('w'));
        let (now, boards) = (&self.line[last], 0..last);
        let boards = boards.rev().filter(|&i| self.line[i].board == now.board);
        let (mut same, mut in_tree) = (Vec::new(), None);
        for i in boards {
            let covers = |a: Hand, b: Hand| HAND_KINDS.iter().all(|&k| a.count(k) >= b.count(k));
            let (ours, then) = (now.hands[side], self.line[i].hands[side]);
            let value = match (covers(ours, then), covers(then, ours)) {
                (true, true) => {
                    same.push(i);
                    self.cycle(i, ply)
                }
                (true, false) => SUPERIOR - ply,
                (false, true) => ply - SUPERIOR,
                (false, false) => continue,
            };
            if i > self.root && in_tree.is_none() {
                in_tree = Some(value);
            }
        }
        let of_game = |count: usize| same.get(count - 2).map(|&first| self.cycle(first, ply));
        let value = of_game(4).or(in_tree).or_else(|| of_game(3));
        if value.is_some() {
            self.ended[usize::from(in_tree.is_some())] += 1;
        }
        value
    }

    /// The value for a side without a legal move: it has lost, in check or not.
    fn without_moves(&self, position: &Position, ply: i32) -> i32 {
        if self.only_mates && !position.in_check() { 0 } else { ply - MATE }
    }

    fn moves(&self, position: &Position) -> Vec<PackedMove> {
        let mut moves = MoveList::new();
        if self.all_moves {
            return position.legal_moves().to_vec();
        }
        position.generate_useful(&mut moves);
        moves.to_vec()
    }

    /// The value of a move for the side that makes it.
    fn value_of(
        &mut self,
        position: &mut Position,
        mv: PackedMove,
        (depth, ply): (u32, i32),
        (alpha, beta): (i32, i32),
    ) -> i32 {
        position.do_move(mv);
        self.push(position);
        let value = -self.value(position, (depth - 1, ply + 1), (-beta, -alpha));
        self.line.pop();
        position.undo_move();
        value
    }

    /// The minimax value by alpha-beta, for the side to move.
    fn value(
        &mut self,
        position: &mut Position,
        (depth, ply): (u32, i32),
        (mut alpha, beta): (i32, i32),
    ) -> i32 {
        if ply > 0
            && let Some(value) = self.by_rule(ply)
        {
            return value;
        }
        if depth == 0 {
            return match &self.evaluation {
                Some(evaluation) => EvalStack::new(evaluation, position).evaluate(position),
                None if position.has_legal_move() => 0,
                None => self.without_moves(position, ply),
            };
        }
        let moves = self.moves(position);
        if moves.is_empty() {
            return self.without_moves(position, ply);
        }
        let mut most = -INFINITE;
        for mv in moves {
            most = most.max(self.value_of(position, mv, (depth, ply), (alpha, beta)));
            alpha = alpha.max(most);
            if alpha >= beta {
                break;
            }
        }
        most
    }
}

fn fast_searcher() -> Searcher {
    Searcher::new(16, Evaluation::piece_square()).expect("16 MiB can be had")
}

/// Positions of few pieces, some with a mate threat, some with hands.
const STARTS: [(&str, u32); 6] = [
    ("k8/9/9/9/9/9/9/9/8K b - 1", 5),
    ("k8/2G6/9/9/9/9/9/9/8K w - 1", 5),
    ("k8/9/1r7/9/9/9/9/7R1/8K b - 1", 3),
    ("4k4/9/4p4/9/3R5/9/4P4/9/4K4 w - 1", 3),
    ("7k1/9/5S3/9/9/9/PP7/9/K6R1 w Gr2b3g3s4n4l16p 1", 2),
    ("9/9/9/9/4k4/9/9/9/R3K4 b - 1", 4),
];

/// A game in which moves are taken back again and again, so that a position has come up `earlier`
/// times, and then up to three moves of the same kind.
fn game(start: &str, earlier: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::from_sfen(start).expect("a valid sfen");
    for _ in 0..random.below(4) {
        let moves = position.legal_moves();
        position.do_move(random.choose(&moves)?);
    }
    // A move of each side, both taken back. Checks are preferred: perpetual check needs them.
    let cycle = (0..100).find_map(|_| {
        let mut there = position.clone();
        let mut cycle = Vec::new();
        for index in 0..4 {
            let moves = there.legal_moves();
            let mv = match index {
                0 | 1 => random.choose(&moves)?,
                _ => {
                    let before: PackedMove = cycle[index - 2];
                    let back = PackedMove::normal(before.to(), before.from_square()?, false);
                    moves.contains(&back).then_some(back)?
                }
            };
            cycle.push(mv);
            there.do_move(mv);
        }
        (there.repeated(2).is_some()).then_some(cycle)
    })?;
    for _ in 1..earlier {
        cycle.iter().for_each(|&mv| {
            position.do_move(mv);
        });
    }
    // The root is a position of the cycle, or one beside it.
    for &mv in &cycle[..random.below(4)] {
        position.do_move(mv);
    }
    if random.below(3) == 0 {
        let moves = position.legal_moves();
        position.do_move(random.choose(&moves)?);
    }
    (position.has_legal_move() && position.repeated(4).is_none()).then_some(position)
}

/// The positions of the tests, with the depth to which they are searched.
fn games(count: usize) -> impl Iterator<Item = (Position, u32, usize)> {
    let mut random = Random::new(67);
    (0..)
        .filter_map(move |number| {
            let (start, depth) = STARTS[number % STARTS.len()];
            let earlier = 1 + number / STARTS.len() % 3;
            let position = game(start, earlier, &mut random)?;
            Some((position, depth, earlier))
        })
        .take(count)
}

#[test]
fn a_plain_search_with_the_rules_written_out_gives_the_same_values() {
    let evaluation = Evaluation::piece_square();
    let mut searcher = fast_searcher();
    let (mut counts, mut ended) = ([0; 3], [0; 2]);
    for (position, depth, earlier) in games(1_000) {
        let mut plain = Plain::new(&position, Some(Arc::clone(&evaluation)));
        let window = (-INFINITE, INFINITE);
        let expected = plain.value(&mut position.clone(), (depth, 0), window);
        let value = searcher.search_exactly(&position, depth, window, &mut |_| {});
        assert_eq!(value, expected, "{}, {earlier} times", position.to_sfen());
        counts[earlier - 1] += 1;
        (0..2).for_each(|i| ended[i] += plain.ended[i]);
    }
    tests::report(&format!("positions {counts:?}, lines ended by game and tree {ended:?}"));
    assert!(counts.iter().all(|&count| count > 300) && ended.iter().all(|&count| count > 1_000));
}

/// The search that plays never takes a repetition for what it is not: it does not walk into a mate
/// that a plain search sees, nor miss one. In 2,000 nodes it may overlook that a lone king will have
/// no legal move without being in check, so a move is wrong only if it is wrong whether such ends
/// count as losses or as open.
#[test]
fn the_playing_search_neither_loses_nor_misses_what_a_plain_search_sees() {
    let (mut searcher, options) = (fast_searcher(), SearchOptions::default());
    let limits = Limits::new().with_nodes(2_000);
    let mut seen = [0; 3];
    for (mut position, _, earlier) in games(1_000) {
        let mut plain = Plain::new(&position, None);
        // As in the games, the searcher keeps its table from position to position.
        let (result, _) = go(&mut searcher, &position, &limits, &options);
        let played = best(&result);
        let depth = if position.hand(Color::White).count(shogi_core::PieceKind::Pawn) > Some(0) {
            2
        } else {
            4
        };
        let class = |value: i32| if value.abs() > DECIDED { value.signum() } else { 0 };
        let mut values = |only_mates| {
            plain.only_mates = only_mates;
            let window = (-INFINITE, INFINITE);
            let most = plain.value(&mut position, (depth, 0), window);
            (most, plain.value_of(&mut position, played, (depth, 0), window))
        };
        let good_enough = |(most, ours): (i32, i32)| class(ours) >= class(most);
        let (most, ours) = values(false);
        let right = good_enough((most, ours)) || good_enough(values(true));
        let sfen = position.to_sfen();
        assert!(right, "{played} is worth {ours} instead of {most}: {sfen}, {earlier} times");
        seen[(class(most) + 1) as usize] += 1;
    }
    tests::report(&format!("lost, open, won {seen:?}"));
    assert!(seen[1] > 100 && seen[2] > 10, "{seen:?}");
}

/// A game by its start and its moves.
fn after(sfen: &str, moves: &str) -> Position {
    let mut position = Position::from_sfen(sfen).expect("a valid sfen");
    for mv in moves.split_whitespace() {
        position.do_move(mv.parse().expect("a move"));
    }
    position
}

#[test]
fn a_repetition_of_the_game_hides_no_mate() {
    let cases = [
        ("7k1/9/5S3/9/9/9/PP7/9/K6R1 w Gr2b3g3s4n4l16p 1", "2a3a 2i3i 3a2a 3i2i", "2a3a"),
        (
            "ln2k1snl/1r1s3b1/p1p1Ppppp/9/9/9/PP3PPPP/1B5R1/LNSGKGSNL w GPg4p 1",
            "8b9b 2h1h 9b8b 1h2h",
            "8b9b",
        ),
    ];
    for (sfen, moves, losing) in cases {
        let root = after(sfen, moves);
        let limits = Limits::new().with_nodes(30_000);
        let (result, _) = go(&mut searcher(), &root, &limits, &SearchOptions::default());
        assert_ne!(best(&result).to_string(), losing, "{sfen}");
    }
}

/// What a search takes for a draw because of the game must be forgotten with it.
#[test]
fn draws_by_history_do_not_survive_in_the_table() {
    let sfen = "7k1/9/5S3/9/9/9/PP7/9/K6R1 w Gr2b3g3s4n4l16p 1";
    let cycle = "2a3a 2i3i 3a2a 3i2i ";
    let repeated = after(sfen, &cycle.repeat(2));
    let fresh = after(sfen, "");
    let limits = Limits::new().with_depth(9);
    let mut searcher = searcher();
    let options = SearchOptions::default();
    let (with_history, _) = go(&mut searcher, &repeated, &limits, &options);
    searcher.new_game();
    let shallow = Limits::new().with_depth(1).with_searchmoves(["2a3a".parse().expect("a move")]);
    let (value, _) = go(&mut searcher, &fresh, &shallow, &options);
    let (alone, _) = go(&mut crate::behaviour::searcher(), &fresh, &shallow, &options);
    assert_eq!(value.score, alone.score, "after {:?}", with_history.score);
}

/// A mate whose first move leads to a position that has come up three times is none: the game ends.
#[test]
fn a_mate_does_not_pass_a_fourth_occurrence() {
    let mut random = Random::new(5);
    let mut solver = MateSolver::new(16);
    let mut solve = |position: &Position| {
        let limits = MateLimits::default().with_nodes(20_000);
        solver.solve(position, &limits, &|| false).answer
    };
    let (mut others, mut none) = (0, 0);
    while others + none < 60 {
        let Some((root, mv, reply)) = reversible_check(&mut random, &mut solve) else { continue };
        // The position after the check, and from it three times around to before the check.
        let mut after = root.clone();
        after.do_move(mv);
        let mut game = Position::from_sfen(&after.to_sfen()).expect("a valid sfen");
        let back =
            |mv: PackedMove| mv.from_square().map(|from| PackedMove::normal(mv.to(), from, false));
        let (Some(mv_back), Some(reply_back)) = (back(mv), back(reply)) else { continue };
        let round = [reply, mv_back, reply_back, mv];
        let all = round.iter().cycle().take(11);
        if !all.clone().all(|&mv| {
            let legal = game.is_legal(mv);
            if legal {
                game.do_move(mv);
            }
            legal
        }) {
            continue;
        }
        assert_eq!(game.key(), root.key());
        match solve(&game) {
            MateAnswer::Mate(line) => {
                others += 1;
                assert_ne!(line[0], mv);
                let mut position = game.clone();
                for &mv in &line {
                    position.do_move(mv);
                    assert!(position.repeated(4).is_none(), "{}", game.to_sfen());
                }
            }
            MateAnswer::NoMate => {
                none += 1;
                // Every other check has a reply after which there is no mate, except by coming back.
                let mut checks = MoveList::new();
                game.generate_all_checks(&mut checks);
                for check in checks.iter().copied().filter(|&check| check != mv) {
                    let mut next = root.clone();
                    next.do_move(check);
                    let fails = next.legal_moves().to_vec().into_iter().any(|reply| {
                        let mut last = next.clone();
                        last.do_move(reply);
                        match solve(&last) {
                            MateAnswer::Mate(line) => line.iter().any(|&mv| {
                                last.do_move(mv);
                                last.key() == after.key()
                            }),
                            _ => true,
                        }
                    });
                    assert!(fails, "{check} mates in {}", game.to_sfen());
                }
            }
            MateAnswer::Unknown => {}
        }
    }
    tests::report(&format!("another mate {others}, none {none}"));
    assert!(others > 5 && none > 5);
}

/// A position with a mate in three or more plies whose first move can be taken back, as can the
/// reply to it.
fn reversible_check(
    random: &mut Random,
    solve: &mut impl FnMut(&Position) -> MateAnswer,
) -> Option<(Position, PackedMove, PackedMove)> {
    let mut board = [' '; 81];
    let mut put = |piece: char, ranks: std::ops::Range<usize>| {
        let square = (ranks.start + random.below(ranks.len())) * 9 + random.below(9);
        let free = board[square] == ' ';
        board[square] = piece;
        free
    };
    let placed = [('k', 0..2), ('R', 0..9), ('S', 1..4), ('G', 1..4), ('K', 8..9)];
    if !placed.into_iter().all(|(piece, ranks)| put(piece, ranks)) {
        return None;
    }
    let rows: Vec<String> = board
        .chunks(9)
        .map(|row| {
            let (mut text, mut empty) = (String::new(), 0);
            for &piece in row.iter().chain(&['/']) {
                if piece == ' ' {
                    empty += 1;
                } else {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.extend((piece != '/').then_some(piece));
                }
            }
            text
        })
        .collect();
    let root = Position::from_sfen(&format!("{} b G 1", rows.join("/"))).ok()?;
    let MateAnswer::Mate(line) = solve(&root) else { return None };
    let (&mv, &reply) = (line.first()?, line.get(1)?);
    let mut after = root.clone();
    let quiet = |position: &Position, mv: PackedMove| {
        !mv.is_drop() && !mv.is_promotion() && !position.is_capture(mv)
    };
    if !quiet(&after, mv) {
        return None;
    }
    after.do_move(mv);
    quiet(&after, reply).then_some((root, mv, reply))
}

/// The mate solver, which knows all legal moves, finds a mate that begins with a move that the search
/// leaves out at first: the search must not claim that the other side mates.
#[test]
fn no_mate_is_claimed_against_a_side_that_mates_by_not_promoting() {
    let mut random = Random::new(257);
    let mut solver = MateSolver::new(16);
    let (mut searcher, options) = (searcher(), SearchOptions::default());
    let (mut positions, mut mates) = (0, 0);
    for _ in 0..30_000 {
        if positions == 12 {
            break;
        }
        // The king in the corner, its escape by a pawn drop closed if the bishop promotes.
        let mut rows = [[' '; 9]; 9];
        let mut put = |piece: char, rank: usize, file: usize| {
            let free = rows[rank][9 - file] == ' ';
            rows[rank][9 - file] = piece;
            free
        };
        let free = put('k', 1, 1)
            && put('n', 0, 2)
            && put('K', 8, 9)
            && put('p', 2, 1)
            && put('p', 2, 2)
            && put('B', random.below(3), 3 + random.below(5))
            && put('R', random.below(4), 2 + random.below(6))
            && put(random.choose(&['s', 'g', 'l', 'S', 'P']).unwrap_or('p'), random.below(4), 3);
        if !free {
            continue;
        }
        let square = |&piece: &char| if piece == ' ' { '1' } else { piece };
        let rows: Vec<String> = rows.iter().map(|row| row.iter().map(square).collect()).collect();
        let threat = random.choose(&["rb4g", "rb4g2s", "2g"]).unwrap_or("rb4g");
        let sfen = format!("{} b P{threat} 1", rows.join("/"));
        let Ok(position) = Position::from_sfen(&sfen) else { continue };
        let limits = MateLimits::default().with_nodes(1_000);
        let MateAnswer::Mate(line) = solver.solve(&position, &limits, &|| false).answer else {
            continue;
        };
        let mut useful = MoveList::new();
        position.generate_useful(&mut useful);
        if useful.contains(&line[0]) {
            continue;
        }
        positions += 1;
        let limits = Limits::new().with_nodes(20_000);
        let (result, _) = go(&mut searcher, &position, &limits, &options);
        let claims = matches!(result.score, Score::Mate(plies) if plies <= 0);
        assert!(!claims, "{:?} in {sfen}, but {line:?} mates", result.score);
        mates += usize::from(matches!(result.score, Score::Mate(_)));
    }
    tests::report(&format!("{mates} of {positions} mates found"));
    assert!(positions > 0);
}
