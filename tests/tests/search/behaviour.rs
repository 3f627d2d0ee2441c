//! The search as a library.

use monomi_eval::Evaluation;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{
    BestMove, Bound, Info, Limits, Reporter, Score, SearchOptions, SearchResult, Searcher, Signals,
};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Records all reports and stops the search after `break_after` of them.
#[derive(Default)]
struct Log {
    infos: Vec<Info>,
    break_after: Option<usize>,
}

impl Reporter for Log {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        self.infos.push(info.clone());
        match self.break_after {
            Some(n) if self.infos.len() >= n => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

const MIDDLEGAME: &str =
    "1n1gk2nl/1r4g2/1sppppspp/L5p2/1p5P1/2P6/1PSPPPPSP/7R1/1N1GKG1NL w BLPbp 24";
const SHARP: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Positions with a mate, its length in plies, from real games (facts of a public mate collection).
const MATES: [(&str, i32); 4] = [
    ("Kbg4nl/3sk1gs1/2n4pp/1G1p5/1pP4P1/4S4/P2PPG2P/1L7/LNS4NL w 7P2Rpb 1", 1),
    ("s2R1S1Sl/2k3G2/3ppp3/p+B4p2/3s1P2p/1P1N2P2/PKG6/5+r3/LN2+b3L b GPg2nl7p 125", 3),
    ("l1R5l/1G2gkg1s/n4p2p/ppNpps1P1/3N1N3/2P3+R2/P+b1PPP2P/3GK1S2/L7L b S3Pb2p 87", 3),
    ("1k3p1R1/5g3/l1spps1pp/p1p3p2/1P3P1P1/P+bP1P1P2/1G1+s+r3P/K8/LN5NL w N2Pb2gsnl 94", 5),
];

pub(crate) fn searcher() -> Searcher {
    Searcher::new(16, Evaluation::internal()).expect("16 MiB can be had")
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("a valid sfen")
}

fn depth(depth: u32) -> Limits {
    Limits::new().with_depth(depth)
}

pub(crate) fn go(
    searcher: &mut Searcher,
    root: &Position,
    limits: &Limits,
    options: &SearchOptions,
) -> (SearchResult, Vec<Info>) {
    let mut log = Log::default();
    let result = searcher.go(root, limits, options, &Signals::default(), &mut log);
    (result, log.infos)
}

pub(crate) fn best(result: &SearchResult) -> PackedMove {
    match result.best {
        BestMove::Move(mv) => mv,
        other => panic!("{other:?} instead of a move"),
    }
}

#[test]
fn one_thread_with_fixed_nodes_is_reproducible() {
    let limits = Limits::new().with_nodes(60_000);
    let options = SearchOptions::default();
    let run = |searcher: &mut Searcher| {
        [MIDDLEGAME, SHARP].map(|sfen| {
            let (result, infos) = go(searcher, &position(sfen), &limits, &options);
            let lines: Vec<_> =
                infos.into_iter().map(|i| (i.depth, i.score, i.nodes, i.pv)).collect();
            (result.best, result.nodes, lines)
        })
    };
    let mut first = searcher();
    let once = run(&mut first);
    first.forget();
    assert_eq!(once, run(&mut first), "a new game forgets all");
    assert_eq!(once, run(&mut searcher()), "a new searcher knows nothing");
}

#[test]
fn node_limits_hold() {
    for nodes in [1, 100, 5_000] {
        let limits = Limits::new().with_nodes(nodes);
        let (result, _) =
            go(&mut searcher(), &position(MIDDLEGAME), &limits, &SearchOptions::default());
        assert!(result.nodes <= nodes + 1, "{} of {nodes}", result.nodes);
        assert!(position(MIDDLEGAME).is_legal(best(&result)));
    }
}

#[test]
fn lines_are_legal_and_depth_increases() {
    for sfen in ["startpos", MIDDLEGAME, SHARP] {
        let (result, infos) =
            go(&mut searcher(), &position(sfen), &depth(11), &SearchOptions::default());
        assert!(!infos.is_empty());
        for info in &infos {
            let mut board = position(sfen);
            for &mv in &info.pv {
                assert!(board.is_legal(mv), "{mv} of {:?} in {sfen}", info.pv);
                board.do_move(mv);
            }
            assert!(!info.pv.is_empty() && info.seldepth >= 1);
        }
        assert!(infos.windows(2).all(|pair| pair[0].depth <= pair[1].depth));
        let last = infos.iter().rfind(|info| info.bound == Bound::Exact).expect("an exact line");
        assert_eq!(last.depth, 11);
        assert_eq!(last.pv[0], best(&result));
        if let Some(reply) = result.ponder {
            let mut board = position(sfen);
            board.do_move(best(&result));
            assert!(board.is_legal(reply));
        }
    }
}

#[test]
fn mates_are_found_with_their_length() {
    for (sfen, plies) in MATES {
        let limits = depth(30).with_nodes(300_000);
        let (result, infos) =
            go(&mut searcher(), &position(sfen), &limits, &SearchOptions::default());
        assert_eq!(result.score, Score::Mate(plies), "{sfen}");
        let line = &infos.last().expect("a line").pv;
        let mut board = position(sfen);
        for &mv in line {
            board.do_move(mv);
        }
        assert_eq!(line.len(), plies as usize, "{line:?}");
        assert!(board.in_check() && !board.has_legal_move(), "{line:?} is no mate");
        if plies == 1 {
            assert_eq!(result.ponder, None);
        }
    }
}

#[test]
fn multipv_lines_are_distinct_and_sorted() {
    let options = SearchOptions::default().with_multi_pv(4);
    let (_, infos) = go(&mut searcher(), &position(MIDDLEGAME), &depth(8), &options);
    let last: Vec<&Info> = infos.iter().filter(|info| info.depth == 8).collect();
    assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let mut firsts: Vec<_> = last.iter().map(|info| info.pv[0]).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    let scores: Vec<i32> = last
        .iter()
        .map(|info| match info.score {
            Score::Cp(cp) => cp,
            Score::Mate(_) => panic!("no mate here"),
        })
        .collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
}

#[test]
fn only_searchmoves_are_searched() {
    let wanted: PackedMove = "9g9f".parse().expect("a move");
    let limits = depth(6).with_searchmoves([wanted]);
    let (result, infos) =
        go(&mut searcher(), &Position::startpos(), &limits, &SearchOptions::default());
    assert_eq!(best(&result), wanted);
    assert!(infos.iter().all(|info| info.pv[0] == wanted));
}

#[test]
fn a_reporter_can_end_the_search() {
    let mut log = Log { break_after: Some(3), ..Log::default() };
    let result = searcher().go(
        &position(MIDDLEGAME),
        &Limits::new(),
        &SearchOptions::default(),
        &Signals::default(),
        &mut log,
    );
    assert!(position(MIDDLEGAME).is_legal(best(&result)));
    assert!(log.infos.len() <= 4, "{} lines", log.infos.len());
}

#[test]
fn the_searcher_survives_a_panic() {
    struct Faulty;
    impl Reporter for Faulty {
        fn info(&mut self, _: &Info) -> ControlFlow<()> {
            std::panic::panic_any("a defect")
        }
    }
    let root = position(MIDDLEGAME);
    let options = SearchOptions::default();
    let expected = go(&mut searcher(), &root, &depth(6), &options).0;
    for threads in [1, 3] {
        let mut searcher = searcher();
        searcher.set_threads(threads).unwrap();
        let search = AssertUnwindSafe(|| {
            searcher.go(&root, &depth(6), &options, &Signals::default(), &mut Faulty)
        });
        let panic = catch_unwind(search).expect_err("a panic");
        assert_eq!(panic.downcast_ref(), Some(&"a defect"));
        // Nothing is lost, and nothing of it remains once it is forgotten.
        searcher.forget();
        let found = go(&mut searcher, &root, &depth(6), &options).0;
        assert!(root.is_legal(best(&found)) && found.depth == 6);
        if threads == 1 {
            assert_eq!((found.nodes, best(&found)), (expected.nodes, best(&expected)));
        }
    }
}

#[test]
fn a_stop_before_the_search_still_gives_a_move() {
    let signals = Signals::default();
    signals.stop();
    let mut log = Log::default();
    let result = searcher().go(
        &position(MIDDLEGAME),
        &Limits::new(),
        &SearchOptions::default(),
        &signals,
        &mut log,
    );
    assert!(position(MIDDLEGAME).is_legal(best(&result)));
}

#[test]
fn no_legal_move_means_no_search() {
    // Mated: the gold on 5b is guarded by the pawn.
    let mated = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    let (result, _) = go(&mut searcher(), &mated, &depth(3), &SearchOptions::default());
    assert_eq!((result.best, result.score), (BestMove::Resign, Score::Mate(0)));
}

#[test]
fn with_several_threads_the_last_line_is_that_of_the_best_move() {
    let mut searcher = searcher();
    searcher.set_threads(4).unwrap();
    let limits = Limits::new().with_nodes(3_000);
    for _ in 0..50 {
        for sfen in [MIDDLEGAME, SHARP] {
            let (found, infos) =
                go(&mut searcher, &position(sfen), &limits, &SearchOptions::default());
            let last = infos.last().expect("a line");
            assert_eq!((last.pv[0], last.score), (best(&found), found.score));
        }
        searcher.forget();
    }
}

#[test]
fn with_several_threads_the_requested_depth_is_reached() {
    let mut searcher = searcher();
    searcher.set_threads(4).unwrap();
    for _ in 0..100 {
        let (found, infos) =
            go(&mut searcher, &position(MIDDLEGAME), &depth(6), &SearchOptions::default());
        let last = infos.last().expect("a line");
        assert_eq!((found.depth, last.depth, last.pv[0]), (6, 6, best(&found)));
        searcher.forget();
    }
}

#[test]
fn several_threads_agree_on_the_obvious() {
    let mut searcher = searcher();
    searcher.set_threads(3).unwrap();
    let (sfen, plies) = MATES[1];
    let (result, _) = go(&mut searcher, &position(sfen), &depth(12), &SearchOptions::default());
    assert_eq!(result.score, Score::Mate(plies));
}

#[test]
fn an_interrupted_search_does_not_play_a_refuted_move() {
    // From real games. Some moves lead into a mate but look good to shallow iterations; others do not.
    for sfen in [
        "3g1k2l/4s4/3PpGn+P1/3s1Pp1p/r1P1Pp3/1P6P/1+p1+pBS2B/9/3RK3L w 2N2LP2gsn4p 1",
        "ln1g3+Pl/2sk1+P3/pppppp2p/9/9/2BL2P2/P1NP+bP2P/3S5/LsGK1+n3 b RGSNrg4p 1",
    ] {
        let root = position(sfen);
        let mut searcher = searcher();
        let (deep, _) = go(&mut searcher, &root, &depth(10), &SearchOptions::default());
        assert!(!matches!(deep.score, Score::Mate(n) if n <= 0), "not lost: {:?}", deep.score);
        for nodes in (100..2_500).step_by(13) {
            searcher.forget();
            let limits = Limits::new().with_nodes(nodes);
            let (result, _) = go(&mut searcher, &root, &limits, &SearchOptions::default());
            assert!(
                !matches!(result.score, Score::Mate(n) if n <= 0),
                "{:?} with {:?} after {nodes} nodes",
                result.best,
                result.score
            );
        }
    }
}

#[test]
fn an_interrupted_search_does_not_play_a_move_that_is_mated_sooner_than_the_first() {
    // The first two moves are mated in four and two plies, the third holds longer than these searches last.
    let root = position("8k/6Sp1/7G1/9/9/3n5/PP7/9/K7R w r2b3g3s3n4l15p 1");
    let moves = ["P*1c", "N*1b", "B*1f"].map(|mv| mv.parse::<PackedMove>().expect("a move"));
    let mut searcher = searcher();
    for nodes in (60..=300).step_by(20) {
        searcher.forget();
        let limits = Limits::new().with_nodes(nodes).with_searchmoves(moves);
        let (result, _) = go(&mut searcher, &root, &limits, &SearchOptions::default());
        assert_eq!(best(&result), moves[2], "after {nodes} nodes");
    }
}

#[test]
fn an_inferior_repetition_of_the_game_is_not_a_loss() {
    // White took a pawn on a round trip, and may complete it: the board will be that of eight plies
    // ago, with a pawn more in White's hand. That is worth a pawn, no more: nobody can go back and
    // do better.
    let mut root = position("8k/9/9/4g4/9/9/9/9/4K4 b 2P 1");
    for mv in ["P*5e", "5d5e", "5i5h", "5e5d", "5h4h", "1a1b", "4h5i"] {
        root.do_move(mv.parse().expect("a move"));
    }
    let completing: PackedMove = "1b1a".parse().expect("a move");
    let limits = depth(4).with_searchmoves([completing]);
    let (result, _) = go(&mut searcher(), &root, &limits, &SearchOptions::default());
    let Score::Cp(score) = result.score else { panic!("{:?}", result.score) };
    assert!(score.abs() < 5_000, "{score}");
}

/// Hopeless for the side to move: a bare king against everything.
const LOST: &str = "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";

fn nodes(nodes: u64) -> Limits {
    Limits::new().with_nodes(nodes)
}

#[test]
fn the_last_line_of_an_interrupted_search_is_exact_and_starts_with_the_best_move() {
    let mut searcher = searcher();
    for sfen in [MIDDLEGAME, SHARP, LOST] {
        let root = position(sfen);
        for limit in (300..6_000).step_by(171) {
            searcher.forget();
            let (result, infos) =
                go(&mut searcher, &root, &nodes(limit), &SearchOptions::default());
            let last = infos.last().expect("a line");
            let context = format!("{sfen} nodes {limit}: {last:?}");
            assert_eq!(last.bound, Bound::Exact, "{context}");
            assert_eq!(BestMove::Move(last.pv[0]), result.best, "{context}");
            // A mate in one has a single move, and so may a line at depth 1, and that of a move that
            // failed high just before: the table knows no reply to it.
            let [before @ .., _] = &infos[..] else { unreachable!() };
            let same = before.iter().rfind(|info| info.pv[0] == last.pv[0]);
            let failed_high = same.is_some_and(|info| info.bound == Bound::Lower);
            let short = last.depth < 2 || matches!(last.score, Score::Mate(_)) || failed_high;
            assert!(last.pv.len() >= 2 || short, "{context}");
        }
    }
}

#[test]
fn the_last_group_of_an_interrupted_multipv_search_was_searched_at_its_depth() {
    let mut searcher = searcher();
    let options = SearchOptions::default().with_multi_pv(4);
    for sfen in [MIDDLEGAME, SHARP] {
        let root = position(sfen);
        for limit in (2_000..20_000).step_by(997) {
            searcher.forget();
            let (result, infos) = go(&mut searcher, &root, &nodes(limit), &options);
            let (earlier, last) = infos.split_at(infos.len() - 4);
            let context = format!("{sfen} nodes {limit}: {last:?}");
            assert_eq!(BestMove::Move(last[0].pv[0]), result.best, "{context}");
            assert!(last.iter().enumerate().all(|(i, info)| info.multipv == i + 1), "{context}");
            let value = |info: &Info| info.score.to_value();
            assert!(last.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])), "{context}");
            for line in last {
                assert_eq!((line.depth, line.bound), (last[0].depth, Bound::Exact), "{context}");
                // The same line was reported when its iteration was completed.
                let same = |info: &Info| {
                    info.depth == line.depth && info.score == line.score && info.pv == line.pv
                };
                assert!(earlier.iter().any(same), "{context}");
            }
        }
    }
}

#[test]
fn the_ponder_move_is_in_a_line_that_was_shown() {
    let mut searcher = searcher();
    let (mut pondered, mut searches) = (0, 0);
    for sfen in [MIDDLEGAME, SHARP, LOST] {
        let root = position(sfen);
        for limit in (200..20_000).step_by(271) {
            let (result, infos) =
                go(&mut searcher, &root, &nodes(limit), &SearchOptions::default());
            searches += 1;
            let Some(reply) = result.ponder else { continue };
            pondered += 1;
            let shown = infos.iter().any(|info| info.pv.starts_with(&[best(&result), reply]));
            assert!(shown, "{} ponder {reply} at {limit} in {sfen}", best(&result));
        }
    }
    tests::report(&format!("{pondered} of {searches} searches gave a ponder move"));
    assert!(pondered * 10 > searches * 9, "{pondered} of {searches}");
}

/// The only way to win is a bishop that does not promote (a mate by a pawn drop is illegal): without
/// it the search sees a mate against itself. A mate is shown only if it holds with all legal moves.
#[test]
fn a_mate_holds_with_all_legal_moves() {
    let root = position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1");
    let mut searcher = searcher();
    let (result, infos) = go(&mut searcher, &root, &nodes(400_000), &SearchOptions::default());
    assert_eq!(best(&result).to_string(), "4a2c");
    assert_eq!(result.score, Score::Mate(5));
    for info in infos.iter().filter(|info| info.bound == Bound::Exact) {
        assert!(!matches!(info.score, Score::Mate(plies) if plies <= 0), "{info:?}");
    }
    // Moves that were asked for are what they are.
    let promoting: PackedMove = "3c2c+".parse().expect("a move");
    let limits = nodes(50_000).with_searchmoves([promoting]);
    let (result, _) = go(&mut searcher, &root, &limits, &SearchOptions::default());
    assert_eq!(best(&result), promoting);
}
