use super::*;
use crate::node::Node;
use crate::node_type::NonPv;
use crate::report::Silent;
use crate::selective::Selective;
use crate::tt::{TtBound, TtEntry};
use monomi_eval::score::MAX_PLY;

/// Two processors as two nodes, or one of them twice: what can be tried on a machine with one node.
#[cfg(feature = "builtin-network")]
#[test]
fn helpers_on_other_nodes_use_a_copy_of_the_network() {
    use monomi_eval::EvalStack;
    use monomi_support::host::numa::Node as NumaNode;

    let original = Evaluation::internal();
    let mut searcher = Searcher::new(1, Arc::clone(&original)).unwrap();
    let last = monomi_support::host::cores::logical() - 1;
    searcher.placement = Placement::new([0, last].map(|id| NumaNode::new(vec![id])).to_vec());
    for threads in [4, 2, 1, 3] {
        searcher.set_threads(threads).unwrap();
        let place = |id| searcher.placement.of(id).unwrap();
        let on_second: Vec<bool> =
            (0..threads).map(|id| !Arc::ptr_eq(&place(id).evaluation, &original)).collect();
        let first = threads.div_ceil(2);
        assert_eq!(on_second, (0..threads).map(|id| id >= first).collect::<Vec<_>>());
        let root = Position::startpos();
        let value = |evaluation| EvalStack::new(evaluation, &root).evaluate(&root);
        assert_eq!(value(&place(threads - 1).evaluation), value(&original));
        let limits = Limits::new().with_nodes(20_000);
        let options = SearchOptions::default();
        let result = searcher.go(&root, &limits, &options, &Signals::default(), &mut Silent);
        assert!(matches!(result.best, BestMove::Move(mv) if root.is_legal(mv)));
    }
    // Without binding, the threads run everywhere with the original.
    searcher.use_numa(false);
    assert!((0..3).all(|id| {
        let place = searcher.placement.of(id).unwrap();
        place.node.processors() == 2 && Arc::ptr_eq(&place.evaluation, &original)
    }));
    searcher.use_numa(true);
    assert!(!Arc::ptr_eq(&searcher.placement.of(2).unwrap().evaluation, &original));
    // Another evaluation replaces the copies, too.
    let other = Evaluation::piece_square();
    searcher.set_evaluation(Arc::clone(&other));
    assert!((0..3).all(|id| searcher.placement.of(id).unwrap().evaluation.bytes() == 0));
}

/// The value in the table is that of the move left out, here a capture of the opponent's only
/// big piece: without it nothing comes near to that value.
#[test]
fn a_singular_search_does_not_use_the_value_of_the_move_it_leaves_out() {
    let root = Position::from_sfen("4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1").unwrap();
    let searcher = Searcher::new(1, Evaluation::piece_square()).unwrap();
    let (limits, options) = (Limits::new(), SearchOptions::default());
    let capture = "5f5e".parse().ok();
    let entry = TtEntry {
        mv: capture,
        value: Some(1_200),
        eval: None,
        depth: 12,
        bound: TtBound::Lower,
        tt_pv: false,
    };
    let shared = searcher.shared(&root, &limits, &options);
    // Plies beyond the shallowest ones, so that all margins are in use.
    for depth in 1..6 {
        let mut memory = ThreadMemory::new();
        let histories = &searcher.histories[0];
        let mut thread = SearchThread::new(0, &shared, histories, &mut memory, &root);
        thread.root_depth = MAX_PLY as i32;
        for window in [Window::below(100), Window::below(1_100)] {
            let (_, slot) = shared.probe(root.key(), 2);
            shared.tt.store(slot, entry);
            let mut others = Node::new(window, depth, 2, true);
            others.excluded = capture;
            let nodes = thread.nodes;
            let value = thread.negascout::<Selective, NonPv>(&mut others);
            assert!(value < window.beta, "{value} at depth {depth}");
            assert!(thread.nodes > nodes, "nothing was searched at depth {depth}");
        }
    }
}

/// Entries of the greatest depth would never be replaced: mates in one would fill more and more of
/// the table with each search.
#[test]
fn proven_wins_are_stored_with_a_moderate_depth() {
    // The tree is full of mates in one.
    let sfen = "l7l/7s1/p2+BP2gp/n+R3Np2/2P2p1+r1/P2Pp4/KP1S+b1PPk/2G3G1g/LNS6 b SN3Pl3p 1";
    let root = Position::from_sfen(sfen).unwrap();
    let evaluation = Evaluation::piece_square();
    let mut searcher = Searcher::new(1, evaluation).unwrap();
    let limits = Limits { depth: Some(8), ..Limits::new() };
    let (options, signals) = (SearchOptions::default(), Signals::default());
    let result = searcher.go(&root, &limits, &options, &signals, &mut Silent);
    assert!(result.nodes > 500, "{}", result.nodes);
    // Extensions exceed the iteration's depth, but not by much; after fail highs the root is
    // searched less deep.
    let deepest = searcher.tt.deepest();
    assert!((4..32).contains(&deepest), "{deepest}");
}

/// Reductions and extensions depend on the correction, in check as elsewhere.
#[test]
fn a_node_in_check_has_a_correction() {
    let root = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4K4 b G 1").unwrap();
    let searcher = Searcher::new(1, Evaluation::piece_square()).unwrap();
    let shared = searcher.shared(&root, &Limits::new(), &SearchOptions::default());
    let (mut memory, histories) = (ThreadMemory::new(), &searcher.histories[0]);
    let mut thread = SearchThread::new(0, &shared, histories, &mut memory, &root);
    let mut node = Node::new(Window::below(1), 6, 2, true);
    thread.enter_node::<NonPv>(&node);
    thread.look_up::<NonPv>(&mut node);
    histories.corrections.update(node.correction_index, 200, thread.params());
    thread.evaluate_node(&mut node);
    assert!(root.in_check() && node.correction > 0 && node.raw_eval.is_none());
}

/// The next move's time is compared with that of the last move that was played.
#[test]
fn pondering_on_a_move_that_is_not_played_leaves_the_previous_move() {
    use crate::limits::Clock;
    use crate::report::{Info, Reporter};
    use std::ops::ControlFlow;

    /// Ends the search after its fifth iteration, in the way a GUI does.
    struct End<'a>(&'a Signals, bool);
    impl Reporter for End<'_> {
        fn info(&mut self, info: &Info) -> ControlFlow<()> {
            let Self(signals, hit) = self;
            if info.depth == 2 && *hit {
                signals.ponderhit(Instant::now(), None);
            }
            if info.depth >= 5 {
                signals.stop();
            }
            ControlFlow::Continue(())
        }
    }

    let position = |sfen: &str| Position::from_sfen(sfen).unwrap();
    let played = position("4k4/9/4p4/9/9/9/4P4/9/4K4 b Rr 1");
    let predicted = position("4k4/9/4p4/9/9/9/4P4/9/4K4 b RBGr 1");
    let mut searcher = Searcher::new(1, Evaluation::piece_square()).unwrap();
    let options = SearchOptions::default();
    let minute = [Duration::from_secs(60); 2];
    let clock = Some(Clock { time: minute, ..Clock::default() });
    let mut previous = |root: &Position, ponder: bool, hit: bool| {
        let signals = Signals::default();
        let limits = Limits { clock, ponder, ..Limits::new() };
        searcher.go(root, &limits, &options, &signals, &mut End(&signals, hit));
        format!("{:?}", searcher.memory.previous_move)
    };
    let before = previous(&played, false, false);
    assert_eq!(previous(&predicted, true, false), before);
    assert_ne!(previous(&predicted, true, true), before);
}

/// Searches that end by nodes or by a signal, with changes of threads, table and evaluation between
/// them. ThreadSanitizer looks for data races here.
#[test]
#[cfg_attr(miri, ignore = "Miri looks at all 53 MB of histories whenever an entry is used")]
fn searches_with_several_threads_follow_each_other() {
    let position = |sfen: &str| Position::from_sfen(sfen).unwrap();
    let roots = [
        position("4k4/9/4p4/9/9/9/4P4/9/4K4 b Rr 1"),
        position("4k4/PL5R1/4b4/9/9/9/9/9/4K4 b BGSNLPrgsnlp 1"),
    ];
    let mut searcher = Searcher::new(1, Evaluation::piece_square()).unwrap();
    let options = SearchOptions::default();
    let go = |searcher: &mut Searcher, root: &Position, nodes: Option<u64>| {
        let (limits, signals) = (Limits { nodes, ..Limits::new() }, Signals::default());
        let stopper = signals.clone();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                if nodes.is_none() {
                    stopper.stop()
                }
            });
            searcher.go(root, &limits, &options, &signals, &mut Silent)
        });
        assert!(matches!(result.best, BestMove::Move(mv) if root.is_legal(mv)));
    };
    for _ in 0..20 {
        for (root, threads) in roots.iter().zip([3, 2]) {
            searcher.set_threads(threads).unwrap();
            go(&mut searcher, root, Some(2_000));
            go(&mut searcher, root, None);
        }
        searcher.resize_hash(1).unwrap();
        searcher.set_evaluation(Evaluation::piece_square());
        searcher.new_game();
    }
}
