//! A slot of the table, which threads read and write at the same time.
//!
//! Each slot is a sequence lock: a writer makes the version odd, writes, and makes it even again; a
//! reader ignores what it has read if the version is odd or has changed meanwhile, so it does not get a
//! mixture of two entries. (It would if exactly 32,768 writes, or a multiple, with the same length and
//! ply fell between its two looks at the version.) All fields are atomic, and on x86 reading costs no
//! more than reading plain integers.

use super::hand::MateHand;
use super::value::{Plies, Ply};
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) hand: MateHand,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The number of nodes searched below, saturating.
    pub(super) effort: u32,
    pub(super) len: Plies,
    /// The smallest ply at which the position was searched.
    pub(super) ply: Ply,
}

/// Length, ply, generation and version in 16 bits each. The slot is empty unless the generation is
/// that of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State(u64);

const GENERATION: u32 = 32;
const VERSION: u32 = 48;
const ONE_VERSION: u64 = 1 << VERSION;

impl State {
    #[inline(always)]
    fn generation(self) -> u16 {
        (self.0 >> GENERATION) as u16
    }

    #[inline(always)]
    fn is_being_written(self) -> bool {
        self.0 & ONE_VERSION != 0
    }
}

/// What a look at a slot shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    Empty(State),
    /// An entry of another board.
    Other,
    /// Another thread writes it.
    Busy,
    Entry(Entry, State),
}

/// The board has all 64 bits; the other words hold two or more fields.
#[derive(Default)]
#[repr(align(32))]
pub(super) struct Slot {
    board: AtomicU64,
    /// The hand and the proof number above it.
    hand_pn: AtomicU64,
    /// The disproof number and the effort above it.
    dn_effort: AtomicU64,
    state: AtomicU64,
}

const _: () = assert!(size_of::<Slot>() == 32);

impl Slot {
    /// Looks for an entry of `board` in the table's `generation`.
    #[inline(always)]
    pub(super) fn see(&self, board: u64, generation: u16) -> Seen {
        let state = State(self.state.load(Ordering::Acquire));
        if state.generation() != generation {
            return Seen::Empty(state);
        }
        // A slot in use always keeps its board.
        if self.board.load(Ordering::Relaxed) != board {
            return Seen::Other;
        }
        let entry = self.entry(state);
        fence(Ordering::Acquire);
        if state.is_being_written() || self.state.load(Ordering::Relaxed) != state.0 {
            return Seen::Busy;
        }
        Seen::Entry(entry, state)
    }

    #[inline(always)]
    fn entry(&self, state: State) -> Entry {
        let hand_pn = self.hand_pn.load(Ordering::Relaxed);
        let dn_effort = self.dn_effort.load(Ordering::Relaxed);
        Entry {
            hand: MateHand::from_bits(hand_pn as u32),
            pn: (hand_pn >> 32) as u32,
            dn: dn_effort as u32,
            effort: (dn_effort >> 32) as u32,
            len: state.0 as u16,
            ply: (state.0 >> 16) as u16,
        }
    }

    /// Writes an entry if the slot is still as it was seen. False: another thread was faster.
    pub(super) fn write(&self, seen: State, board: u64, entry: &Entry, generation: u16) -> bool {
        if seen.is_being_written() {
            return false;
        }
        let writing = seen.0 | ONE_VERSION;
        let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
        if self.state.compare_exchange(seen.0, writing, success, failure).is_err() {
            return false;
        }
        // No other thread may see the new fields with the old version.
        fence(Ordering::Release);
        self.board.store(board, Ordering::Relaxed);
        self.hand_pn
            .store(u64::from(entry.hand.bits()) | u64::from(entry.pn) << 32, Ordering::Relaxed);
        self.dn_effort
            .store(u64::from(entry.dn) | u64::from(entry.effort) << 32, Ordering::Relaxed);
        let version = (writing >> VERSION).wrapping_add(1);
        let state = u64::from(entry.len)
            | u64::from(entry.ply) << 16
            | u64::from(generation) << GENERATION
            | version << VERSION;
        self.state.store(state, Ordering::Release);
        true
    }

    /// The board and the entry, if it is of `generation`. No other thread has the slot.
    pub(super) fn take(&mut self, generation: u16) -> Option<(u64, Entry)> {
        let state = State(*self.state.get_mut());
        if state.generation() != generation {
            return None;
        }
        let taken = (*self.board.get_mut(), self.entry(state));
        *self.state.get_mut() &= !(u64::from(u16::MAX) << GENERATION);
        Some(taken)
    }

    /// The generation. No other thread has the slot.
    pub(super) fn generation(&mut self) -> u16 {
        State(*self.state.get_mut()).generation()
    }

    /// Puts an entry in. No other thread has the slot.
    pub(super) fn put(&mut self, board: u64, entry: &Entry, generation: u16) {
        let seen = State(*self.state.get_mut());
        self.write(seen, board, entry, generation);
    }

    /// The effort of an entry of `generation`, about.
    pub(super) fn effort(&self, generation: u16) -> Option<u32> {
        let state = State(self.state.load(Ordering::Relaxed));
        (state.generation() == generation).then(|| self.entry(state).effort)
    }
}
