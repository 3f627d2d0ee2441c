//! The exact search: the attacker's shortest mate against the longest defence, by iterative
//! deepening in every node of an AND/OR tree with a table.

use crate::tsume::interposition::DistantCheck;
use crate::tsume::progress::Watch;
use crate::tsume::table::{Known, Length, NEVER, Plies, Table};
use crate::tsume::team::Team;
use monomi_movegen::{MoveList, PackedMove, Position};
use parking_lot::{RwLock, RwLockReadGuard};

/// Nodes between two looks at the limits.
const STOP_INTERVAL: u64 = 256;

/// The search was stopped; nothing follows from what it has not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

type Found = Result<Length, Stopped>;

/// One ply more.
fn longer(length: Plies) -> Plies {
    if length == NEVER { NEVER } else { length + 1 }
}

/// A search of one position and of those below it.
pub struct Search<'a> {
    pub position: Position,
    lock: &'a RwLock<Table>,
    /// Unlocked only while the table grows.
    table: RwLockReadGuard<'a, Table>,
    /// The other threads, if there are any.
    pub team: Option<&'a Team>,
    /// The number of this thread; 0 is the one that has to answer.
    pub thread: usize,
    /// Whether useless interpositions count as replies.
    pub keep_useless: bool,
    /// Called now and then; the search ends when it returns true.
    pub stop: &'a dyn Fn() -> bool,
    /// Told about the progress as often.
    pub reporter: Option<&'a Watch<'a>>,
    /// Nodes so far.
    pub nodes: u64,
    /// The search ends after this many nodes.
    pub node_limit: u64,
    /// Positions, by key, from which the attacker may not mate (for detours).
    pub forbidden: Vec<u64>,
}

impl<'a> Search<'a> {
    pub fn new(
        position: Position,
        lock: &'a RwLock<Table>,
        keep_useless: bool,
        node_limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            position,
            lock,
            table: lock.read(),
            team: None,
            thread: 0,
            keep_useless,
            stop,
            reporter: None,
            nodes: 0,
            node_limit,
            forbidden: Vec::new(),
        }
    }

    /// Lets the table grow. The first thread does it, the others wait for it.
    #[cold]
    fn grow(&mut self) {
        let (lock, stop, is_first) = (self.lock, self.stop, self.thread == 0);
        RwLockReadGuard::unlocked(&mut self.table, || {
            if is_first {
                return lock.write().grow();
            }
            while !stop() && lock.read().is_half_full() {
                std::thread::yield_now();
            }
        });
    }

    /// The length of the mate with the attacker to move, if it is at most `limit` (odd), or a lower
    /// bound above `limit`.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn attack(&mut self, limit: Plies) -> Found {
        let key = self.position.key();
        if self.forbidden.contains(&key) {
            return Ok(Length::AtLeast(NEVER));
        }
        let (mut length, mut best) = (Length::AtLeast(1), None);
        if let Some(known) = self.table.probe(key) {
            (length, best) = (known.length, known.best);
        }
        let before = self.nodes;
        let mut checks: Option<Vec<Check>> = None;
        while let Length::AtLeast(plies) = length {
            if plies > limit {
                break;
            }
            let checks = checks.get_or_insert_with(|| self.checks(limit, best));
            length = self.deepen(checks, plies)?;
        }
        if let Some(checks) = checks {
            let exact = matches!(length, Length::Exact(_));
            let best = checks.first().filter(|_| exact).map(|check| check.mv);
            let nodes = self.nodes - before;
            self.table.store(key, Known { length, best }, nodes);
        }
        Ok(length)
    }

    pub fn all_checks(&self) -> Vec<PackedMove> {
        let mut moves = MoveList::new();
        self.position.generate_all_checks(&mut moves);
        moves.iter().copied().collect()
    }

    /// The checks, those with the fewest replies first.
    fn checks(&mut self, limit: Plies, best: Option<PackedMove>) -> Vec<Check> {
        let moves = self.all_checks().into_iter();
        let mut checks: Vec<Check> = moves.map(|mv| Check { mv, order: 0 }).collect();
        if limit > 1 {
            for check in &mut checks {
                self.position.do_move(check.mv);
                check.order = self.position.count_legal_moves();
                self.position.undo_move();
            }
        }
        for check in &mut checks {
            check.order = if Some(check.mv) == best { 0 } else { check.order + 1 };
        }
        checks.sort_by_key(|check| check.order);
        if self.thread % 2 == 1 {
            // Most positions have no mate of the length in question, and all checks are searched:
            // from the other end the threads meet in the middle.
            checks.reverse();
        }
        checks
    }

    /// Looks for a mate in `plies`, after all shorter ones have been refuted; puts the mating move
    /// first and drops hopeless ones.
    fn deepen(&mut self, checks: &mut Vec<Check>, plies: Plies) -> Found {
        let mut at_least = NEVER;
        let mut index = 0;
        while index < checks.len() {
            let mv = checks[index].mv;
            self.position.do_move(mv);
            let found = self.defend(plies - 1);
            self.position.undo_move();
            match found? {
                Length::Exact(length) if length < plies => {
                    checks.swap(0, index);
                    return Ok(Length::Exact(length + 1));
                }
                Length::Exact(length) => at_least = at_least.min(longer(length)),
                Length::AtLeast(NEVER) => {
                    checks.remove(index);
                    continue;
                }
                Length::AtLeast(length) => at_least = at_least.min(longer(length)),
            }
            index += 1;
        }
        Ok(Length::AtLeast(at_least))
    }

    /// The length of the mate with the defender to move, in check, if it is at most `limit` (even),
    /// or a lower bound above `limit`.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn defend(&mut self, limit: Plies) -> Found {
        let key = self.position.key();
        let mut refutation = None;
        if let Some(known) = self.table.probe(key) {
            match known.length {
                Length::Exact(_) => return Ok(known.length),
                Length::AtLeast(length) if length > limit => return Ok(known.length),
                Length::AtLeast(_) => refutation = known.best,
            }
        }
        self.count()?;
        let before = self.nodes;
        let mut replies = Replies::of(&self.position, self.keep_useless, refutation);
        let (length, best) = self.longest(&mut replies, limit)?;
        let nodes = self.nodes - before;
        self.table.store(key, Known { length, best }, nodes);
        Ok(length)
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if !self.nodes.is_multiple_of(STOP_INTERVAL) {
            return if self.nodes >= self.node_limit { Err(Stopped) } else { Ok(()) };
        }
        let nodes = self.team.map_or(self.nodes, |team| team.count(STOP_INTERVAL));
        let permille = self.table.permille();
        if let Some(reporter) = self.reporter {
            reporter.exact(nodes, permille);
        }
        if self.table.is_half_full() {
            self.grow();
        }
        if nodes >= self.node_limit || (self.stop)() { Err(Stopped) } else { Ok(()) }
    }

    /// The length against the longest reply that is not useless, and that reply.
    fn longest(&mut self, replies: &mut Replies, limit: Plies) -> Result<Longest, Stopped> {
        let mut longest = (0, None);
        for &mv in &replies.others {
            match self.after_reply(mv, limit)? {
                Length::Exact(length) if length <= limit => {
                    if length > longest.0 {
                        longest = (length, Some(mv));
                    }
                }
                more => return Ok((at_least(more), Some(mv))),
            }
        }
        let Some(check) = replies.check else { return Ok((Length::Exact(longest.0), longest.1)) };
        let mut longer_ones = Vec::new();
        let mut too_long = Vec::new();
        for &mv in &replies.interpositions {
            if self.is_useless(check, mv, longest.0)? {
                continue;
            }
            let length = match self.after_reply(mv, limit)? {
                Length::Exact(length) if length <= limit => {
                    longer_ones.push((length, mv));
                    continue;
                }
                more => at_least(more),
            };
            // Others may yet make it useless, but none of them takes more than `limit` plies.
            if limit == 0 || !self.is_useless(check, mv, limit)? {
                let bound = if length == Length::AtLeast(NEVER) {
                    self.bound_of_refutation(check, mv, limit)?
                } else {
                    Length::AtLeast(limit + 2)
                };
                return Ok((bound, Some(mv)));
            }
            too_long.push(mv);
        }
        longer_ones.sort_by_key(|&(length, _)| length);
        for (length, mv) in longer_ones {
            if length > longest.0 && !self.is_useless(check, mv, longest.0)? {
                longest = (length, Some(mv));
            }
        }
        for mv in too_long {
            if !self.is_useless(check, mv, longest.0)? {
                return Ok((Length::AtLeast(limit + 2), Some(mv)));
            }
        }
        Ok((Length::Exact(longest.0), longest.1))
    }

    /// An interposition that leads to no mate refutes the check for ever if its capture does, too.
    fn bound_of_refutation(&mut self, check: DistantCheck, mv: PackedMove, limit: Plies) -> Found {
        let shortest = self.after_captures(check, mv, limit)?;
        Ok(match shortest {
            Length::AtLeast(NEVER) => shortest,
            _ => Length::AtLeast(limit + 2),
        })
    }

    /// The length of the mate from the reply on.
    pub fn after_reply(&mut self, mv: PackedMove, limit: Plies) -> Found {
        if limit == 0 {
            return Ok(Length::AtLeast(2));
        }
        self.position.do_move(mv);
        let found = self.attack(limit - 1);
        self.position.undo_move();
        Ok(match found? {
            Length::Exact(length) => Length::Exact(longer(length)),
            Length::AtLeast(length) => Length::AtLeast(longer(length)),
        })
    }

    /// Whether an interposition is useless, given that another reply takes `length` plies.
    pub fn is_useless(
        &mut self,
        check: DistantCheck,
        mv: PackedMove,
        length: Plies,
    ) -> Result<bool, Stopped> {
        let shortest = self.after_captures(check, mv, length)?;
        Ok(matches!(shortest, Length::Exact(found) if found <= length))
    }

    /// The length of the mate after the checking piece has captured an interposed piece without
    /// gain, if it is at most `limit`.
    fn after_captures(&mut self, check: DistantCheck, mv: PackedMove, limit: Plies) -> Found {
        let mut shortest = Length::AtLeast(NEVER);
        self.position.do_move(mv);
        for capture in check.captures(mv) {
            if !self.position.is_legal(capture) {
                continue;
            }
            self.position.do_capture_without_gain(capture, mv.is_drop());
            let found = match self.position.in_check() {
                true => self.defend(limit),
                false => Ok(Length::AtLeast(NEVER)),
            };
            self.position.undo_capture_without_gain(mv.is_drop());
            shortest = match (found, shortest) {
                (Err(stopped), _) => {
                    self.position.undo_move();
                    return Err(stopped);
                }
                (Ok(Length::Exact(a)), Length::Exact(b)) => Length::Exact(a.min(b)),
                (Ok(Length::AtLeast(a)), Length::AtLeast(b)) => Length::AtLeast(a.min(b)),
                (Ok(exact @ Length::Exact(_)), _) | (Ok(_), exact) => exact,
            };
        }
        self.position.undo_move();
        Ok(shortest)
    }
}

/// A length and the move that decides it.
type Longest = (Length, Option<PackedMove>);

/// The lower bound from a length that is too long.
fn at_least(length: Length) -> Length {
    match length {
        Length::Exact(length) | Length::AtLeast(length) => Length::AtLeast(length),
    }
}

/// A move of the attacker.
struct Check {
    mv: PackedMove,
    /// Smaller ones are searched first.
    order: u64,
}

/// The defender's moves.
pub struct Replies {
    /// The distant check, if interpositions are to be examined.
    pub check: Option<DistantCheck>,
    /// Moves that are no interpositions, or all of them if none is useless by definition.
    pub others: Vec<PackedMove>,
    pub interpositions: Vec<PackedMove>,
}

impl Replies {
    /// All legal replies; `first` before the others.
    pub fn of(position: &Position, keep_useless: bool, first: Option<PackedMove>) -> Self {
        let mut moves = MoveList::new();
        position.generate_all(&mut moves);
        let check = if keep_useless { None } else { DistantCheck::of(position) };
        let mut replies = Self { check, others: Vec::new(), interpositions: Vec::new() };
        for &mv in moves.iter() {
            let list = match check.is_some_and(|check| check.is_answered_by(mv)) {
                true => &mut replies.interpositions,
                false => &mut replies.others,
            };
            list.push(mv);
        }
        for list in [&mut replies.others, &mut replies.interpositions] {
            if let Some(at) = list.iter().position(|&mv| Some(mv) == first) {
                list[..=at].rotate_right(1);
            }
        }
        replies
    }
}
