//! The searcher: owns the transposition table and the threads' memory, and runs searches on them.

use crate::history::SharedHistories;
use crate::limits::{Limits, SearchOptions};
use crate::node::Window;
use crate::node_type::Root;
use crate::observer::{NodeObserver, Visit};
use crate::parallel::in_parallel;
use crate::placement::Placement;
use crate::policy::Exact;
use crate::pool::{Helpers, Pool, SHARING};
use crate::reduction_table::ReductionTable;
use crate::report::{BestMove, Info, Reporter, SearchResult};
use crate::root_move::RootMove;
use crate::signals::Signals;
use crate::thread::{
    NodeCounter, STACK_SIZE, SearchThread, Shared, ThreadMemory, ThreadResult, history_key, search,
};
use crate::time::{PreviousMove, TimeManager};
use crate::tt::TranspositionTable;
use crossbeam_channel::unbounded;
use monomi_eval::Evaluation;
use monomi_eval::score::{MATE_IN_MAX_PLY, Score, Value};
use monomi_movegen::{Declaration, EachMove, EnteringKingRule, PackedMove, Position};
use monomi_support::host::numa::nodes;
use monomi_support::memory::{Available, NotEnoughMemory};
use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt;
use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Memory of the large histories, in whole large pages.
const HISTORIES_BYTES: u64 = 92 << 20;
/// Memory that each thread uses besides, at most: a few arrays in whole large pages.
const THREAD_BYTES: u64 = 10 << 20;
/// Address space that the C library of Linux reserves for the small allocations of each thread.
const ARENA_BYTES: u64 = 64 << 20;
/// How long to wait for the other threads' results after a search.
const LAST_RESULTS: Duration = Duration::from_millis(100);

/// Owns the transposition table and the memory of the search threads.
pub struct Searcher {
    tt: Arc<TranspositionTable>,
    /// Memory of thread 0, the calling thread.
    memory: ThreadMemory,
    /// The large histories, one set for every [`SHARING`] threads.
    histories: Vec<Arc<SharedHistories>>,
    /// The helper threads.
    pool: Pool,
    /// The NUMA nodes of the helper threads.
    placement: Placement,
    evaluation: Arc<Evaluation>,
    reductions: Arc<ReductionTable>,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (threads, evaluation) = (self.pool.len() + 1, &self.evaluation);
        let mut shown = f.debug_struct("Searcher");
        shown.field("hash_mib", &self.tt.mib()).field("threads", &threads);
        shown.field("evaluation", evaluation).finish_non_exhaustive()
    }
}

/// Why the number of search threads cannot be changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ThreadsError {
    /// There is not enough memory.
    Memory(NotEnoughMemory),
    /// The system does not create them.
    Threads(std::io::Error),
}

#[doc(hidden)]
impl Message for ThreadsError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.write(lang, f),
            Self::Threads(error) => say!(
                lang,
                f,
                "the threads cannot be created: {}",
                "スレッドを開始できません: {}",
                error.in_lang(lang)
            ),
        }
    }
}
error_message!(ThreadsError, Memory: NotEnoughMemory, Threads: std::io::Error);

/// Starts a thread with the stack size that searches need.
///
/// # Errors
/// The system cannot create more threads.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run)
}

impl Searcher {
    /// A searcher with a table of `hash_mib` mebibytes (0 counts as 1) and one thread.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn new(hash_mib: usize, evaluation: Arc<Evaluation>) -> Result<Self, NotEnoughMemory> {
        let need = HISTORIES_BYTES;
        Available::now().check(need, need)?;
        let histories = SharedHistories::try_new().ok_or(NotEnoughMemory { need, left: None })?;
        Ok(Self {
            tt: Arc::new(TranspositionTable::new(hash_mib, 0)?),
            memory: ThreadMemory::new(),
            histories: vec![Arc::new(histories)],
            pool: Pool::new(),
            placement: Placement::new(nodes()),
            evaluation,
            reductions: Arc::new(ReductionTable::new()),
        })
    }

    /// Changes the table's size in mebibytes (0 counts as 1) and clears it. On an error the old table stays.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Result<(), NotEnoughMemory> {
        self.tt = Arc::new(TranspositionTable::new(hash_mib, self.tt.mib())?);
        Ok(())
    }

    /// Changes the number of search threads; 0 counts as 1. On an error it stays.
    ///
    /// # Errors
    /// There is not enough memory, or the system does not create the threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        let threads = threads.max(1);
        let (groups, old) = (threads.div_ceil(SHARING), self.histories.len());
        let new_groups = groups.saturating_sub(old) as u64;
        let new_threads = (threads - 1).saturating_sub(self.pool.len()) as u64;
        if new_threads > 0 {
            let memory = new_groups * HISTORIES_BYTES + new_threads * THREAD_BYTES;
            let addresses = memory + new_threads * (STACK_SIZE as u64 + ARENA_BYTES);
            Available::now().check(addresses, memory)?;
        }
        for _ in old..groups {
            let Some(histories) = SharedHistories::try_new() else {
                self.histories.truncate(old);
                let need = new_groups * HISTORIES_BYTES;
                return Err(NotEnoughMemory { need, left: None }.into());
            };
            self.histories.push(Arc::new(histories));
        }
        let resized = self.pool.resize(threads - 1);
        self.histories.truncate(if resized.is_ok() { groups } else { old });
        self.placement.place(self.pool.len() + 1, &self.evaluation);
        Ok(resized?)
    }

    /// Whether the helper threads are bound to the NUMA nodes, where there are several, with a copy of the
    /// network in the memory of each node (the default), or left to the system.
    pub fn use_numa(&mut self, bound: bool) {
        self.placement.bind(bound);
        self.placement.place(self.pool.len() + 1, &self.evaluation);
    }

    /// Changes the evaluation and clears everything learned with the old one.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
        self.placement.place(self.pool.len() + 1, &self.evaluation);
        self.memory.eval = None;
        self.clear(true);
    }

    /// Sets or removes the observer of the first thread's nodes.
    pub fn observe(&mut self, observer: Option<NodeObserver>) {
        self.memory.observer = observer;
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    /// Starts a new game. Transposition table and histories are kept, since they still improve move
    /// ordering; what time management knew of the last game is dropped.
    pub fn new_game(&mut self) {
        self.memory.previous_move = PreviousMove::default();
    }

    /// Clears everything learned: the next search is the same as that of a new searcher.
    pub fn forget(&mut self) {
        self.clear(false);
    }

    /// Has the system provide the memory of the histories now: it does so when memory is first written
    /// to, which would cost the first search of a game tens of milliseconds.
    pub fn touch_memory(&mut self) {
        let touch = |histories: &mut Arc<SharedHistories>| {
            if let Some(histories) = Arc::get_mut(histories) {
                histories.touch();
            }
        };
        match &mut self.histories[..] {
            [histories] => touch(histories),
            all => in_parallel(all.iter_mut(), touch),
        }
    }

    fn clear(&mut self, eval: bool) {
        self.pool.clear(eval);
        self.memory.clear();
        let clear = |histories: &mut Arc<SharedHistories>| match Arc::get_mut(histories) {
            Some(histories) => histories.clear(),
            // A helper still uses these tables: replace them, or keep them if memory is short.
            None => {
                if let Some(new) = SharedHistories::try_new() {
                    *histories = Arc::new(new);
                }
            }
        };
        match &mut self.histories[..] {
            [histories] => clear(histories),
            all => in_parallel(all.iter_mut(), clear),
        }
        match Arc::get_mut(&mut self.tt) {
            Some(tt) => tt.clear(),
            None => {
                if let Ok(new) = TranspositionTable::new(self.tt.mib(), self.tt.mib()) {
                    self.tt = Arc::new(new);
                }
            }
        }
    }

    /// Searches the position (with its game history) until a limit or `stop`, on a thread of its
    /// own with enough stack.
    ///
    /// With `limits.infinite` or `limits.ponder` it may return early (a mate was found, the depth
    /// was reached); holding the result back until `stop` is up to the caller.
    pub fn go(
        &mut self,
        root: &Position,
        limits: &Limits,
        options: &SearchOptions,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        std::thread::scope(|scope| {
            let run = || self.go_here(root, limits, options, signals, reporter);
            match spawn(scope, run).map(ScopedJoinHandle::join) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // Without threads there is no search: answer with any move.
                Err(_) => unsearched(root_moves(root, limits, options).first().map(|root| root.mv)),
            }
        })
    }

    /// [`Self::go`], but the calling thread is the first search thread. It must have been started by
    /// [`spawn`] to have enough stack. Faster for many short searches.
    pub fn go_here(
        &mut self,
        root: &Position,
        limits: &Limits,
        options: &SearchOptions,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let rule = options.entering_king_rule;
        if let Some(answer) = answer_without_search(root, rule, &limits.searchmoves) {
            return answer;
        }
        let root_moves = root_moves(root, limits, options);
        let first_move = root_moves.first().map(|root| root.mv);
        if first_move.is_none() {
            return unsearched(None);
        }
        self.tt.new_search();
        let nodes = (0..=self.pool.len()).map(|_| NodeCounter::default()).collect();
        let shared = Shared { nodes, root_moves, ..self.shared(root, limits, options) };
        let shared = Arc::new(shared);
        let clock = TimeManager::new(limits, root.side_to_move(), root.ply(), options);
        let (sender, others) = unbounded();
        let start_helpers = (self.pool.len() > 0).then(|| {
            self.pool.watch(&shared.ending, clock.as_ref(), signals);
            let (pool, histories) = (&self.pool, &self.histories[..]);
            let (shared, placement, results) = (&shared, &self.placement, sender);
            let helpers = Helpers { pool, shared, histories, root, results, placement };
            Box::new(move || helpers.start()) as Box<dyn FnOnce()>
        });
        let memory = &mut self.memory;
        let make = || SearchThread {
            clock,
            signals: Some(signals),
            start_helpers,
            ..SearchThread::new(0, &shared, &self.histories[0], memory, root)
        };
        let first = search(&shared.ending, make, reporter);
        let mut results = vec![first];
        if self.pool.len() > 0 {
            signals.wake();
            let deadline = Instant::now() + LAST_RESULTS;
            while let Ok(result) = others.recv_deadline(deadline) {
                results.push(result);
            }
        }
        let nodes = shared.total_nodes();
        drop(shared);
        // A thread's panic is passed on to the caller.
        let results: Vec<ThreadResult> = results
            .into_iter()
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        // With a fixed depth or MultiPV the first thread's result counts: helpers may stop at other
        // depths.
        let voted = limits.depth.is_none() && options.multi_pv <= 1;
        let chosen = voted.then(|| vote(&results)).flatten().or(results.first());
        let Some(chosen) = chosen else { return unsearched(first_move) };
        // Report once more so that the final info line matches bestmove.
        if let Some(info) = &chosen.last
            && !chosen.reported
            && reporter.listens()
        {
            let _ended =
                reporter.info(&Info { nodes, time: limits.start.elapsed(), ..info.clone() });
        }
        Self::result(chosen, nodes)
    }

    /// The minimax value of a position at exactly this depth, without useless non-promotions; leaves
    /// get their static evaluation even if they are mates. Outside the window (alpha, beta) it is a
    /// fail-soft bound. This is the NegaScout that plays with everything selective switched off, for
    /// tests. Repetitions count as in that search. `visits` is called with each node before its moves
    /// are searched.
    pub fn search_exactly(
        &mut self,
        root: &Position,
        depth: u32,
        (alpha, beta): (Value, Value),
        visits: &mut dyn FnMut(&Visit<'_>),
    ) -> Value {
        let shared = self.shared(root, &Limits::new(), &SearchOptions::default());
        let mut memory = ThreadMemory::new();
        let mut thread = SearchThread::new(0, &shared, &self.histories[0], &mut memory, root);
        thread.visits = Some(visits);
        thread.search::<Exact, Root>(Window { alpha, beta }, depth as i32, 0, false)
    }

    /// What the threads share: one node counter, no root moves.
    fn shared(&self, root: &Position, limits: &Limits, options: &SearchOptions) -> Shared {
        Shared {
            tt: Arc::clone(&self.tt),
            evaluation: Arc::clone(&self.evaluation),
            options: options.clone(),
            limits: limits.clone(),
            reductions: Arc::clone(&self.reductions),
            ending: Arc::default(),
            nodes: vec![NodeCounter::default()],
            root_side: root.side_to_move(),
            root_moves: Vec::new(),
            history_key: history_key(root),
        }
    }

    fn result(result: &ThreadResult, nodes: u64) -> SearchResult {
        let best = &result.best;
        let score = result.last.as_ref().map_or(Score::Cp(0), |info| info.score);
        let depth = result.depth.max(0) as u32;
        // The second move of the line last shown: the user sees what is pondered on.
        let line = result.last.as_ref().map_or(&[][..], |info| &info.pv);
        let ponder = match line {
            [first, reply, ..] if *first == best.mv => Some(*reply),
            _ => None,
        };
        SearchResult {
            best: BestMove::Move(best.mv),
            ponder,
            score,
            depth,
            nodes,
            pv: line.to_vec(),
        }
    }
}

/// The answer where no search is needed: there is no legal move, or the side to move can declare a
/// win. With `searchmoves` declarations are ignored, because they are not moves.
pub fn answer_without_search(
    root: &Position,
    rule: EnteringKingRule,
    searchmoves: &[PackedMove],
) -> Option<SearchResult> {
    if !root.has_legal_move() {
        return Some(unsearched(None));
    }
    if !searchmoves.is_empty() {
        return None;
    }
    let best = match root.declaration(rule)? {
        Declaration::Declare => BestMove::Win,
        Declaration::Try(mv) => BestMove::Move(mv),
    };
    Some(SearchResult::new(best, Score::Mate(1)))
}

/// The result without a search: a move, or resignation if there is none.
fn unsearched(mv: Option<PackedMove>) -> SearchResult {
    let (best, score) = match mv {
        Some(mv) => (BestMove::Move(mv), Score::Cp(0)),
        None => (BestMove::Resign, Score::Mate(0)),
    };
    SearchResult::new(best, score)
}

/// The last known value of a root move; 0 if it has not been searched.
fn best_value(root: &RootMove) -> Value {
    root.known().unwrap_or(0)
}

/// Lazy SMP: chooses a thread's result. Each thread votes for its move, weighted by depth and score.
fn vote(results: &[ThreadResult]) -> Option<&ThreadResult> {
    let known = || results.iter().filter(|f| f.best.known().is_some());
    let worst = known().map(|f| best_value(&f.best)).min()?;
    let weight =
        |f: &ThreadResult| i64::from(best_value(&f.best) - worst + 14) * i64::from(f.depth.max(1));
    let support =
        |f: &ThreadResult| -> i64 { known().filter(|o| o.best.mv == f.best.mv).map(weight).sum() };
    known()
        .enumerate()
        .max_by_key(|(id, f)| {
            let mate = best_value(&f.best) >= MATE_IN_MAX_PLY;
            let mate = if mate { best_value(&f.best) } else { 0 };
            (mate, support(f), weight(f), std::cmp::Reverse(*id))
        })
        .map(|(_, result)| result)
}

/// The moves to choose from.
fn root_moves(root: &Position, limits: &Limits, options: &SearchOptions) -> Vec<RootMove> {
    let mut moves = Vec::new();
    let mut sink = EachMove(|mv| moves.push(mv));
    if options.generate_all_legal_moves || !limits.searchmoves.is_empty() {
        root.generate_all(&mut sink);
    } else {
        root.generate_useful(&mut sink);
    }
    let asked = &limits.searchmoves;
    moves.retain(|mv| asked.is_empty() || asked.contains(mv));
    moves.into_iter().map(RootMove::new).collect()
}

#[cfg(test)]
mod tests {
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
        // Plies beyond the shallowest ones, so that razoring and all margins are in use.
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
    #[cfg_attr(miri, ignore = "Miri looks at all 90 MB of histories whenever an entry is used")]
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
}
