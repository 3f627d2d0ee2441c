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
mod tests;
