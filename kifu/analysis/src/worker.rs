//! Runs the first two stages on one thread: searches positions and examines them with the mate solver.

use crate::explain::{Evidence, Explanation, Scene, explain};
use crate::judge::{MoveContext, SolvedAt, Verdict};
use crate::search::{Comparison, Exercise, PositionSearcher, ScoredLine, SearchedPosition};
use crate::settings::{AnalysisSettings, Work};
use crate::solve::{PositionSolver, SolvedPosition, passed};
use monomi_eval::Evaluation;
use monomi_movegen::{PackedMove, Position};
use monomi_record::{Ending, Record};
use monomi_search::{Score, Searcher, Signals, ThreadsError, spawn};
use monomi_support::batch::jobs::Cancel;
use monomi_support::host::Instant;
use monomi_support::memory::NotEnoughMemory;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// With a clock the mate solver has the time of a search divided by this, for each position.
const SOLVER_SHARE: u32 = 4;

/// The last position of a game gets this many times the nodes or the time of the others: the account of
/// all moves begins with it.
pub const LAST_SHARE: u32 = 4;

/// What a resignation says about the last position, if its search agrees: `chance` is the winning
/// probability of the side to move by the search. A player who resigns knows something, too; the two
/// are combined as independent judges of equal weight.
fn by_resignation(record: &Record, chance: f64) -> Option<Comparison> {
    let resigned = matches!(record.ending, Some(Ending::Resign | Ending::Mate));
    if !resigned || chance >= 0.5 {
        return None;
    }
    let (lost, won) = ((1.0 - chance).powi(2), chance.powi(2));
    Some(Comparison::of_best_move(won / (won + lost)))
}

/// A searcher and a mate solver with the settings of the analysis.
pub struct Worker {
    searcher: PositionSearcher,
    solver: PositionSolver,
    settings: AnalysisSettings,
}

impl Worker {
    /// Creates the workers that run in parallel, at most `most`, and divides threads and memory among
    /// them.
    ///
    /// # Errors
    /// Not enough memory, or a thread cannot be started.
    pub fn team(
        settings: &AnalysisSettings,
        evaluation: &Arc<Evaluation>,
        cancel: &Cancel,
        (work, most): (Work, usize),
    ) -> Result<Vec<Self>, ThreadsError> {
        let (threads, workers) = settings.teams();
        let workers = workers.min(most);
        let make = |signals: Arc<Signals>| {
            let on_stop = Arc::clone(&signals);
            cancel.on_stop(move || on_stop.stop());
            let mut searcher =
                Searcher::new(settings.table(work, workers), Arc::clone(evaluation))?;
            searcher.set_threads(threads)?;
            Ok::<_, ThreadsError>(Self::new(searcher, settings, signals))
        };
        // In parallel: clearing their memory takes time.
        std::thread::scope(|scope| {
            let start = |_| spawn(scope, || make(Arc::new(Signals::default())));
            let making: Vec<_> = (0..workers).map(start).collect();
            let made = making.into_iter().map(|thread| match thread?.join() {
                Ok(worker) => Ok(worker?),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            made.collect()
        })
    }

    /// A worker for games on the calling thread, with one search thread and the table of one worker.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn single(
        settings: &AnalysisSettings,
        evaluation: &Arc<Evaluation>,
    ) -> Result<Self, NotEnoughMemory> {
        let searcher = Searcher::new(settings.table(Work::Games, 1), Arc::clone(evaluation))?;
        Ok(Self::new(searcher, settings, Arc::new(Signals::default())))
    }

    fn new(searcher: Searcher, settings: &AnalysisSettings, signals: Arc<Signals>) -> Self {
        let searcher = PositionSearcher::new(searcher, settings.clone(), signals);
        Self {
            searcher,
            solver: PositionSolver::new(settings.win_scale),
            settings: settings.clone(),
        }
    }

    /// Clears the transposition table and the histories.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on its own, within the limits of the settings; the mate solver is not
    /// asked. The calling thread must come from [`spawn`].
    pub fn search(&mut self, position: &Position) -> SearchedPosition {
        self.searcher.search(position, 1, self.settings.movetime)
    }

    /// Searches consecutive positions of a game, last one first, solves them, and compares the moves
    /// played with the best ones. `next` is the result of the position after them, if there is one.
    /// Reports each position's result as soon as it is complete. The calling thread must come from
    /// [`spawn`].
    ///
    /// Going backwards, what later moves reveal is known to the search of earlier positions: by the
    /// table, and by the account of the rest of the game. `movetime` is asked before each search; its
    /// argument is the number of positions left. Returns false when cancelled.
    pub fn stretch(
        &mut self,
        record: &Record,
        plies: Range<usize>,
        next: Option<&SolvedPosition>,
        cancel: &Cancel,
        movetime: &dyn Fn(usize) -> Option<Duration>,
        tell: &mut dyn FnMut(usize, SolvedPosition),
    ) -> bool {
        let positions: Vec<Position> =
            record.positions().skip(plies.start).take(plies.len() + 1).collect();
        // The result of the next position.
        let mut following = next.cloned();
        for (at, ply) in plies.clone().enumerate().rev() {
            let position = &positions[at];
            if cancel.is_cancelled() {
                return false;
            }
            let movetime = movetime(ply + 1 - plies.start);
            let is_last = ply == record.moves.len();
            let share = if is_last { LAST_SHARE } else { 1 };
            let searched = self.searcher.search(position, share, movetime);
            // With a clock the mate solver gets a share of the time, too.
            let ends = movetime.map(|time| Instant::now() + time / SOLVER_SHARE);
            let stop = || cancel.is_stopped() || ends.is_some_and(|ends| Instant::now() >= ends);
            let mut solved = self.solver.solve(position, searched, &stop);
            // What the move before this position threatens.
            if ply > 0 && solved.is_quiet() {
                let passed = passed(position);
                solved.passed = passed.and_then(|passed| self.searcher.shortly(&passed, movetime));
            }
            if is_last {
                solved.searched.comparison =
                    by_resignation(record, solved.chance(self.settings.win_scale));
            }
            if let (Some(played), Some(result), Some(next)) =
                (record.moves.get(ply), &following, positions.get(at + 1))
            {
                let after = SolvedAt { position: next, result };
                self.account(position, &mut solved, played.mv, after, movetime, &stop);
            }
            if cancel.is_stopped() {
                return false;
            }
            following = Some(solved.clone());
            tell(ply, solved);
        }
        true
    }

    /// Compares the move played in a position with the best one again, because the result `after` it is
    /// another one now; what was found in the position itself stays. The calling thread must come from
    /// [`spawn`].
    pub fn account_again(
        &mut self,
        position: &Position,
        solved: &mut SolvedPosition,
        played: PackedMove,
        after: SolvedAt<'_>,
    ) {
        solved.searched.comparison = None;
        solved.proofs.allows_threatmate = false;
        self.account(position, solved, played, after, None, &|| false);
    }

    /// What the move played in a searched position lost, given the result after it.
    fn account(
        &mut self,
        position: &Position,
        solved: &mut SolvedPosition,
        played: PackedMove,
        after: SolvedAt<'_>,
        movetime: Option<Duration>,
        stop: &dyn Fn() -> bool,
    ) {
        let scale = self.settings.win_scale;
        // Winning probability of the mover after the move played.
        let kept = 1.0 - after.result.chance(scale);
        // The search may have missed the mate and want the move that was played.
        let comparison = match solved.proofs.mate().and_then(<[_]>::first) {
            Some(&first) if first == played => Comparison::of_best_move(kept),
            Some(_) => Comparison::of_missed_mate(kept),
            None => {
                let chance = solved.chance(scale);
                let searched = &mut solved.searched;
                self.searcher.compare(position, searched, chance, (played, kept), movetime)
            }
        };
        solved.searched.comparison = Some(comparison);
        // Whether the move played allows a threatmate.
        let allowed = after.result.proofs.threatens;
        let asked = solved.exercise.take();
        solved.exercise = self.exercise(position, solved, (played, asked), after, movetime);
        if allowed && solved.searched.best() != Some(played) {
            solved.proofs.allows_threatmate =
                self.solver.allows_threatmate(position, &solved.searched, stop);
        }
    }

    /// The answers to the question for a better move, if the move played is bad or misses a mate; those that
    /// are `asked` already stay.
    fn exercise(
        &mut self,
        position: &Position,
        result: &SolvedPosition,
        (played, asked): (PackedMove, Option<Exercise>),
        after: SolvedAt<'_>,
        movetime: Option<Duration>,
    ) -> Option<Exercise> {
        let before = SolvedAt { position, result };
        let scale = self.settings.win_scale;
        let verdict = Verdict::of(&MoveContext { played, before, after, scale });
        let known = match (verdict.missed_mate, result.proofs.mate()) {
            (Some(plies), Some(mate)) => {
                ScoredLine { score: Score::Mate(i32::try_from(plies).ok()?), pv: mate.to_vec() }
            }
            _ if verdict.class.is_bad() => result.searched.lines.first()?.clone(),
            _ => return None,
        };
        asked.or_else(|| self.searcher.exercise(position, (&known, played), movetime))
    }

    /// Why the move played in a searched position is bad, as far as that can be said with so many searches; their number is
    /// reduced by those made. The calling thread must come from [`spawn`].
    pub fn explain(
        &mut self,
        position: &Position,
        solved: &SolvedPosition,
        played: PackedMove,
        after: SolvedAt<'_>,
        (searches, movetime): (&mut usize, Option<Duration>),
        cancel: &Cancel,
    ) -> Option<Explanation> {
        let before = SolvedAt { position, result: solved };
        let scale = self.settings.win_scale;
        let context = MoveContext { played, before, after, scale };
        let scene = Scene::new(&context, &Verdict::of(&context))?;
        let mut evidence = EvidenceOf {
            worker: self,
            known: Vec::new(),
            effort: 1,
            reserved: 0,
            searches,
            movetime,
            cancel,
        };
        let explanation = explain(&scene, &mut evidence);
        (!explanation.is_empty()).then_some(explanation)
    }

    /// The answers to the question for a better move than `played`. `known` begins with the best one by
    /// an earlier analysis; `mate`: a mate was missed, and the mate solver is asked for it. The calling
    /// thread must come from [`spawn`].
    pub fn answers(
        &mut self,
        position: &Position,
        (known, played): (&ScoredLine, PackedMove),
        mate: bool,
    ) -> Option<Exercise> {
        let movetime = self.settings.movetime;
        let ends = movetime.map(|time| Instant::now() + time / SOLVER_SHARE);
        let stop = || ends.is_some_and(|ends| Instant::now() >= ends);
        let nodes = self.settings.nodes.unwrap_or(0);
        let solved = mate.then(|| self.solver.mate(position, nodes, &stop)).flatten();
        let known = solved.as_ref().unwrap_or(known);
        self.searcher.exercise(position, (known, played), movetime)
    }
}

/// A winning probability and the line with it.
type Valued = (f64, Vec<PackedMove>);

/// The searches of the explanation of one move.
struct EvidenceOf<'a> {
    worker: &'a mut Worker,
    /// What was searched already.
    known: Vec<(u32, u64, Vec<PackedMove>, Option<Valued>)>,
    /// The nodes of the next searches, as a multiple.
    effort: u32,
    /// So many searches are left.
    searches: &'a mut usize,
    /// So many of them are for later.
    reserved: usize,
    movetime: Option<Duration>,
    cancel: &'a Cancel,
}

impl EvidenceOf<'_> {
    /// Whether another search may be made.
    fn may_search(&mut self) -> bool {
        let cost = self.effort as usize;
        let may = *self.searches >= self.reserved + cost && !self.cancel.is_cancelled();
        if may {
            *self.searches -= cost;
        }
        may
    }
}

impl Evidence for EvidenceOf<'_> {
    fn set_effort(&mut self, times: u32) {
        self.effort = times;
    }

    fn reserve(&mut self, searches: usize) {
        // Where there are few searches, the reason comes first.
        self.reserved = searches.min(*self.searches / 4);
    }

    fn without(
        &mut self,
        position: &Position,
        moves: &[PackedMove],
    ) -> Option<(f64, Vec<PackedMove>)> {
        let key = position.key();
        if let Some((.., found)) = self.known.iter().find(|(times, known, without, _)| {
            *times == self.effort && *known == key && without == moves
        }) {
            return found.clone();
        }
        if !self.may_search() {
            return None;
        }
        let scale = self.worker.settings.win_scale;
        let line = self.worker.searcher.without(position, moves, (self.effort, self.movetime));
        let found = line.map(|line| (scale.chance(line.score), line.pv));
        self.known.push((self.effort, key, moves.to_vec(), found.clone()));
        found
    }

    fn both(&mut self, position: &Position, moves: [PackedMove; 2]) -> Option<[f64; 2]> {
        if !self.may_search() {
            return None;
        }
        self.worker.searcher.both(position, moves, (self.effort, self.movetime))
    }

    fn is_mate(&mut self, position: &Position) -> Option<bool> {
        let nodes = self.worker.settings.nodes.unwrap_or(0);
        let cancel = self.cancel;
        let mate = self.worker.solver.mate(position, nodes, &|| cancel.is_cancelled());
        Some(mate.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resignation_counts_where_the_search_agrees() {
        let game = |ending: Option<Ending>, chance| {
            let mut record = monomi_record::read_usi_line(1, "startpos moves 7g7f").unwrap();
            record.ending = ending;
            by_resignation(&record, chance).map(|comparison| comparison.chance())
        };
        let resigned = |chance| game(Some(Ending::Resign), chance);
        // Two judges of 20 % each: 0.04 against 0.64.
        assert!((resigned(0.2).unwrap() - 0.04 / 0.68).abs() < 1e-12);
        assert_eq!(resigned(0.0), Some(0.0));
        // Never better than by the search, and monotonic up to a position that is not lost.
        let mut last = 0.0;
        for chance in (1..50).map(|percent| f64::from(percent) / 100.0) {
            let counted = resigned(chance).unwrap();
            assert!(counted <= chance && counted > last, "{chance}: {counted}");
            last = counted;
        }
        // Somebody resigned a won game.
        assert_eq!([resigned(0.5), resigned(0.9)], [None; 2]);
        assert_eq!([game(None, 0.2), game(Some(Ending::TimeUp), 0.2)], [None; 2]);
    }
}
