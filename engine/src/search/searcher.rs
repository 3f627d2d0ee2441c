//! The searcher: owns the transposition table and the threads' memory, and runs searches on them.

use crate::search::observer::NodeObserver;
use crate::search::reduction_table::ReductionTable;
use crate::search::report::{BestMove, Info, Reporter, SearchResult, Silent};
use crate::search::root_move::RootMove;
use crate::search::score::{MATE_IN_MAX_PLY, Score, Value};
use crate::search::thread::{NodeCounter, SearchThread, Shared, ThreadMemory};
use crate::search::time::{PreviousMove, TimeManager};
use crate::search::tt::{TableTooLarge, TranspositionTable};
use crate::search::{Limits, SearchOptions, Signals};
use monomi_eval::Evaluation;
use monomi_movegen::{Declaration, EachMove, EnteringKingRule, PackedMove, Position};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{Scope, ScopedJoinHandle};

/// Stack size of a search thread: about 10 KiB per ply, and as much again for safety.
pub const STACK_SIZE: usize = 16 << 20;

/// Owns the transposition table and the memory of the search threads.
pub struct Searcher {
    tt: TranspositionTable,
    memories: Vec<ThreadMemory>,
    evaluation: Arc<Evaluation>,
    reductions: ReductionTable,
}

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

/// What one thread found.
struct ThreadResult {
    best: RootMove,
    depth: i32,
    /// The final line of its best move; `None` if nothing was searched.
    last: Option<Info>,
    /// Whether the thread has reported its lines itself.
    reported: bool,
}

impl Searcher {
    /// A searcher with a table of `hash_mib` mebibytes and one thread.
    ///
    /// # Errors
    /// The memory for the table cannot be allocated.
    pub fn new(hash_mib: usize, evaluation: Arc<Evaluation>) -> Result<Self, TableTooLarge> {
        Ok(Self {
            tt: TranspositionTable::new(hash_mib)?,
            memories: vec![ThreadMemory::new()],
            evaluation,
            reductions: ReductionTable::new(),
        })
    }

    /// Changes the table's size and clears it. On an error the old table stays.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Result<(), TableTooLarge> {
        self.tt = TranspositionTable::new(hash_mib)?;
        Ok(())
    }

    /// Changes the number of search threads (from 1).
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), ThreadMemory::new);
    }

    /// Changes the evaluation and clears everything learned with the old one.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
        self.memories.iter_mut().for_each(|memory| memory.eval = None);
        self.forget();
    }

    /// Sets or removes the observer of the first thread's nodes.
    pub fn observe(&mut self, observer: Option<NodeObserver>) {
        if let Some(memory) = self.memories.first_mut() {
            memory.observer = observer;
        }
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    /// Starts a new game. Transposition table and histories are kept, since they still improve move
    /// ordering; what time management knew of the last game is dropped.
    pub fn new_game(&mut self) {
        for memory in &mut self.memories {
            memory.previous_move = PreviousMove::default();
        }
    }

    /// Clears everything learned: the next search is the same as that of a new searcher.
    pub fn forget(&mut self) {
        self.tt.clear();
        if let [memory] = &mut self.memories[..] {
            return memory.clear();
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.memories.len().div_ceil(cores);
        std::thread::scope(|scope| {
            for part in self.memories.chunks_mut(share) {
                scope.spawn(|| part.iter_mut().for_each(ThreadMemory::clear));
            }
        });
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
        let mut memories = std::mem::take(&mut self.memories);
        let nodes = memories.iter().map(|_| NodeCounter::default()).collect();
        let shared = Shared { nodes, root_moves, ..self.shared(root, limits, options, signals) };
        let mut threads = (memories.iter_mut().enumerate())
            .map(|(id, memory)| SearchThread::new(id, &shared, memory, root));
        let first = threads.next();
        let results = std::thread::scope(|scope| {
            let mut others = Vec::new();
            for thread in threads {
                // If the system cannot create more threads, search with those that there are.
                others.extend(spawn(scope, || search(thread, &mut Silent)));
            }
            let first = first.map(|mut thread| {
                thread.clock = TimeManager::new(limits, root.side_to_move(), root.ply(), options);
                search(thread, reporter)
            });
            let others = others.into_iter().map(|thread| thread.join().flatten());
            first.into_iter().chain(others).collect::<Vec<_>>()
        });
        let nodes = shared.total_nodes();
        drop(shared);
        self.memories = memories;
        // A thread's panic is passed on to the caller, after the searcher has been restored.
        let results: Vec<ThreadResult> = results
            .into_iter()
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        // With a fixed depth or MultiPV the first thread's result counts; the others do not keep to it.
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
        self.result(root, chosen, nodes)
    }

    /// The minimax value of a position at exactly this depth, without useless non-promotions; leaves
    /// get their static evaluation even if they are mates. This is the production search with
    /// everything but NegaScout switched off, for tests. Repetitions are not considered.
    pub fn search_exactly(&mut self, root: &Position, depth: u32) -> Value {
        let (limits, options) = (Limits::new(), SearchOptions::default());
        let signals = Signals::default();
        let root_moves = root_moves(root, &limits, &options);
        let shared = Shared { root_moves, ..self.shared(root, &limits, &options, &signals) };
        let mut memory = ThreadMemory::new();
        SearchThread::new(0, &shared, &mut memory, root).search_exactly(depth as i32)
    }

    /// What the threads share: one node counter, no root moves.
    fn shared<'a>(
        &'a self,
        root: &Position,
        limits: &'a Limits,
        options: &'a SearchOptions,
        signals: &'a Signals,
    ) -> Shared<'a> {
        Shared {
            tt: &self.tt,
            evaluation: &self.evaluation,
            options,
            limits,
            signals,
            reductions: &self.reductions,
            stop: AtomicBool::new(false),
            nodes: vec![NodeCounter::default()],
            root_side: root.side_to_move(),
            root_moves: Vec::new(),
        }
    }

    fn result(&self, root: &Position, result: &ThreadResult, nodes: u64) -> SearchResult {
        let best = &result.best;
        let score = result.last.as_ref().map_or(Score::Cp(0), |info| info.score);
        let depth = result.depth.max(0) as u32;
        let ponder = self.expected_reply(root, best);
        SearchResult { best: BestMove::Move(best.mv), ponder, score, depth, nodes }
    }

    /// The expected reply to the best move, from its line or the transposition table; legal.
    fn expected_reply(&self, root: &Position, best: &RootMove) -> Option<PackedMove> {
        let mut after = root.clone();
        after.do_move(best.mv);
        let known = best.pv.get(1).copied();
        known
            .or_else(|| self.tt.probe(after.key(), 0).0.and_then(|entry| entry.mv))
            .filter(|&mv| after.is_legal(mv))
    }
}

/// Stops the other threads when one panics.
struct StopAllOnPanic<'a>(&'a Shared<'a>);

impl Drop for StopAllOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Relaxed);
        }
    }
}

/// Runs one thread's search and returns its result or its panic.
fn search(
    mut thread: SearchThread<'_>,
    reporter: &mut dyn Reporter,
) -> std::thread::Result<ThreadResult> {
    let shared = thread.shared;
    catch_unwind(AssertUnwindSafe(move || {
        let _guard = StopAllOnPanic(shared);
        thread.iterative_deepening(reporter);
        let (last, reported) = (thread.final_info(0), thread.id == 0);
        thread.memory.eval = Some(thread.eval);
        ThreadResult {
            best: thread.root_moves[0].clone(),
            depth: thread.completed_depth,
            last,
            reported,
        }
    }))
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
    Some(SearchResult { best, ponder: None, score: Score::Mate(1), depth: 0, nodes: 0 })
}

/// The result without a search: a move, or resignation if there is none.
fn unsearched(mv: Option<PackedMove>) -> SearchResult {
    let (best, score) = match mv {
        Some(mv) => (BestMove::Move(mv), Score::Cp(0)),
        None => (BestMove::Resign, Score::Mate(0)),
    };
    SearchResult { best, ponder: None, score, depth: 0, nodes: 0 }
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
        // Extensions exceed the iteration's depth, but not by much.
        let deepest = searcher.tt.deepest();
        assert!((8..32).contains(&deepest), "{deepest}");
    }
}
