//! The searcher: what the engine's worker thread owns and a job drives.

use crate::search::observer::NodeObserver;
use crate::search::pruning::Reductions;
use crate::search::report::{BestMove, Info, Reporter, SearchResult, Silent};
use crate::search::root::RootMove;
use crate::search::score::Score;
use crate::search::time::{Pace, TimeManager};
use crate::search::tt::{TableTooLarge, TranspositionTable};
use crate::search::worker::{Counter, Memory, Shared, Worker};
use crate::search::{Limits, SearchOptions, Signals, Value};
use monomi_eval::Evaluation;
use monomi_movegen::{Declaration, EachMove, PackedMove, Position};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{Scope, ScopedJoinHandle};

/// Stack of a search thread: some 10 KiB a ply, twice over for safety.
const STACK: usize = 16 << 20;

/// Owns the transposition table and the memory of the search threads.
pub struct Searcher {
    tt: TranspositionTable,
    memories: Vec<Memory>,
    evaluation: Arc<Evaluation>,
    reductions: Reductions,
}

/// Starts a thread with the stack that searches need.
///
/// # Errors
/// The system gives no more threads.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)
}

/// What one thread found.
struct Finding {
    best: RootMove,
    depth: i32,
    /// Its line, of a thread that has reported nothing.
    unreported: Option<Info>,
}

impl Searcher {
    /// A searcher with a table of `hash_mib` mebibytes and one thread.
    ///
    /// # Errors
    /// The table's memory cannot be had.
    pub fn new(hash_mib: usize, evaluation: Arc<Evaluation>) -> Result<Self, TableTooLarge> {
        Ok(Self {
            tt: TranspositionTable::new(hash_mib)?,
            memories: vec![Memory::new()],
            evaluation,
            reductions: Reductions::new(),
        })
    }

    /// Changes the table's size and clears it; the old table stays when memory cannot be had.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn resize_hash(&mut self, hash_mib: usize) -> Result<(), TableTooLarge> {
        self.tt = TranspositionTable::new(hash_mib)?;
        Ok(())
    }

    /// Changes the number of search threads (from 1).
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), Memory::new);
    }

    /// Changes the evaluation, from the next search on. What was learnt with the old one is
    /// forgotten.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
        self.memories.iter_mut().for_each(|memory| memory.eval = None);
        self.forget();
    }

    /// Shows the nodes of the first thread's searches to an observer from now on, or to none.
    pub fn observe(&mut self, observer: Option<NodeObserver>) {
        if let Some(memory) = self.memories.first_mut() {
            memory.observer = observer;
        }
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    /// A new game begins. The table and the histories of the games before are kept: they order the
    /// new game's moves better than nothing does. What the last game's clock knew is not.
    pub fn new_game(&mut self) {
        for memory in &mut self.memories {
            memory.pace = Pace::new();
        }
    }

    /// Forgets everything learnt: the next search is that of a new searcher.
    pub fn forget(&mut self) {
        self.tt.clear();
        if let [memory] = &mut self.memories[..] {
            return memory.clear();
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let share = self.memories.len().div_ceil(cores);
        std::thread::scope(|scope| {
            for part in self.memories.chunks_mut(share) {
                scope.spawn(|| part.iter_mut().for_each(Memory::clear));
            }
        });
    }

    /// Searches the position, which carries the game's history, until a limit or `stop`; on a
    /// thread of its own, so that the caller's may be of any kind.
    ///
    /// With `limits.infinite` or `limits.ponder` it may return early (a mate is found, the depth
    /// is reached): holding the result back is the caller's part.
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
                // Any move is better than none.
                Err(_) => unsearched(&root_moves(root, limits, options)),
            }
        })
    }

    /// [`Self::go`] with the calling thread as the first that searches: one that [`spawn`]
    /// started, for its stack. For many short searches, where starting a thread for each would show.
    pub fn go_here(
        &mut self,
        root: &Position,
        limits: &Limits,
        options: &SearchOptions,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        if limits.searchmoves.is_empty()
            && let Some(declaration) = root.declaration(options.entering_king_rule)
        {
            let best = match declaration {
                Declaration::Declare => BestMove::Win,
                Declaration::Try(mv) => BestMove::Move(mv),
            };
            return SearchResult { best, ponder: None, score: Score::Mate(1), depth: 0, nodes: 0 };
        }
        let root_moves = root_moves(root, limits, options);
        if root_moves.is_empty() {
            return unsearched(&root_moves);
        }
        self.tt.new_search();
        let mut memories = std::mem::take(&mut self.memories);
        let shared = self.shared(root, limits, options, signals, memories.len());
        let mut workers = memories.iter_mut().enumerate().map(|(id, memory)| {
            Worker::new(id, &shared, memory, root, root_moves.clone(), Arc::clone(&self.evaluation))
        });
        let first = workers.next();
        let findings = std::thread::scope(|scope| {
            let mut others = Vec::new();
            for worker in workers {
                let run = || search(worker, &mut Silent);
                // The system may give no more threads: then those search that there are.
                others.extend(spawn(scope, run));
            }
            let first = first.map(|mut worker| {
                worker.clock = TimeManager::new(limits, root.side_to_move(), root.ply(), options);
                search(worker, reporter)
            });
            let others = others.into_iter().map(|thread| thread.join().flatten());
            first.into_iter().chain(others).collect::<Vec<_>>()
        });
        let nodes = shared.total_nodes();
        drop(shared);
        self.memories = memories;
        // A thread's panic is the caller's: nothing of the searcher is lost with it.
        let findings: Vec<Finding> = findings
            .into_iter()
            .map(|finding| finding.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        // A depth or several lines asked for are the first thread's to give: it alone keeps count.
        let voted = limits.depth.is_none() && options.multi_pv <= 1;
        let chosen = voted.then(|| vote(&findings)).flatten().or(findings.first());
        let Some(finding) = chosen else { return unsearched(&root_moves) };
        // The last word is about the move that will be played.
        if let Some(info) = &finding.unreported
            && reporter.listens()
        {
            let _ended =
                reporter.info(&Info { nodes, time: limits.start.elapsed(), ..info.clone() });
        }
        self.result(root, finding, nodes)
    }

    /// The minimax value of a position at exactly this depth, useless non-promotions aside, leaves
    /// evaluated as they are (mated or not): the production search with everything but NegaScout switched off.
    /// For tests and for the curious; repetition is not considered.
    pub fn search_exactly(&mut self, root: &Position, depth: u32) -> Value {
        let (limits, options) = (Limits::new(), SearchOptions::default());
        let signals = Signals::default();
        let shared = self.shared(root, &limits, &options, &signals, 1);
        let moves = root_moves(root, &limits, &options);
        let mut memory = Memory::new();
        let evaluation = Arc::clone(&self.evaluation);
        let mut worker = Worker::new(0, &shared, &mut memory, root, moves, evaluation);
        worker.search_exactly(depth as i32)
    }

    fn shared<'a>(
        &'a self,
        root: &Position,
        limits: &'a Limits,
        options: &'a SearchOptions,
        signals: &'a Signals,
        threads: usize,
    ) -> Shared<'a> {
        Shared {
            tt: &self.tt,
            options,
            limits,
            signals,
            reductions: &self.reductions,
            stop: AtomicBool::new(false),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            root_side: root.side_to_move(),
        }
    }

    fn result(&self, root: &Position, finding: &Finding, nodes: u64) -> SearchResult {
        let best = &finding.best;
        let value = best_value(best);
        let score = Score::from_value(value);
        let depth = finding.depth.max(0) as u32;
        let ponder = self.expected_reply(root, best);
        SearchResult { best: BestMove::Move(best.mv), ponder, score, depth, nodes }
    }

    /// The reply to the best move: from its line, or from the table; always legal.
    fn expected_reply(&self, root: &Position, best: &RootMove) -> Option<PackedMove> {
        let mut after = root.clone();
        after.do_move(best.mv);
        let known = best.pv.get(1).copied();
        known
            .or_else(|| self.tt.probe(after.key()).0.and_then(|entry| entry.mv))
            .filter(|&mv| after.is_legal(mv))
    }
}

/// Ends the others' search when a thread panics: were it the first, nobody else would.
struct PanicEndsAll<'a>(&'a Shared<'a>);

impl Drop for PanicEndsAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Relaxed);
        }
    }
}

/// A thread's whole search, or its panic.
fn search(mut worker: Worker<'_>, reporter: &mut dyn Reporter) -> std::thread::Result<Finding> {
    let shared = worker.shared;
    catch_unwind(AssertUnwindSafe(move || {
        let _guard = PanicEndsAll(shared);
        worker.deepen(reporter);
        let unreported = if worker.id == 0 { None } else { worker.line(0, 1) };
        worker.memory.eval = Some(worker.eval);
        Finding { best: worker.root_moves[0].clone(), depth: worker.completed_depth, unreported }
    }))
}

/// What can be said without a search: the first move, or that there is none.
fn unsearched(root_moves: &[RootMove]) -> SearchResult {
    let (best, score) = match root_moves.first() {
        Some(first) => (BestMove::Move(first.mv), Score::Cp(0)),
        None => (BestMove::Resign, Score::Mate(0)),
    };
    SearchResult { best, ponder: None, score, depth: 0, nodes: 0 }
}

/// The value of a root move; nothing is known of one that has not been searched.
fn best_value(root: &RootMove) -> Value {
    root.known().unwrap_or(0)
}

/// The thread to trust: each that has searched anything speaks for its move with the weight of its
/// depth and value.
fn vote(findings: &[Finding]) -> Option<&Finding> {
    let known = || findings.iter().filter(|f| f.best.known().is_some());
    let worst = known().map(|f| best_value(&f.best)).min()?;
    let weight =
        |f: &Finding| i64::from(best_value(&f.best) - worst + 14) * i64::from(f.depth.max(1));
    let support =
        |f: &Finding| -> i64 { known().filter(|o| o.best.mv == f.best.mv).map(weight).sum() };
    known()
        .enumerate()
        .max_by_key(|(id, f)| {
            let mate = best_value(&f.best) >= crate::search::MATE_IN_MAX_PLY;
            let mate = if mate { best_value(&f.best) } else { 0 };
            (mate, support(f), weight(f), std::cmp::Reverse(*id))
        })
        .map(|(_, finding)| finding)
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

    /// An entry of the greatest depth is never replaced by others: mates in one would take up ever
    /// more of the table, search after search.
    #[test]
    fn no_entry_is_so_deep_that_it_outlives_the_searches() {
        // Mates in one stand everywhere in the tree.
        let sfen = "l7l/7s1/p2+BP2gp/n+R3Np2/2P2p1+r1/P2Pp4/KP1S+b1PPk/2G3G1g/LNS6 b SN3Pl3p 1";
        let root = Position::from_sfen(sfen).unwrap();
        let evaluation = Evaluation::piece_square();
        let mut searcher = Searcher::new(1, evaluation).unwrap();
        let limits = Limits { depth: Some(8), ..Limits::new() };
        let (options, signals) = (SearchOptions::default(), Signals::default());
        let result = searcher.go(&root, &limits, &options, &signals, &mut Silent);
        assert!(result.nodes > 500, "{}", result.nodes);
        // Extensions may go beyond the iteration's depth, but not far.
        let deepest = searcher.tt.deepest();
        assert!((8..32).contains(&deepest), "{deepest}");
    }
}
