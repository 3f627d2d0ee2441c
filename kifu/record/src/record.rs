//! A game: headers, moves with their times and comments, variations, ending.

use crate::ending::{Defeat, Ending};
use crate::fault::Fault;
use crate::format::Format;
use crate::source::SourceText;
use monomi_movegen::{PackedMove, Position, Repetition};
use shogi_core::Color;
use std::cmp::Reverse;

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// The move; legal in its position.
    pub mv: PackedMove,
    /// Time used, in seconds.
    pub seconds: Option<u32>,
    /// Comments after the move, one per line, without the comment mark of the format.
    pub comments: Vec<String>,
}

impl Played {
    /// A move without time and comments.
    pub fn new(mv: PackedMove) -> Self {
        Self { mv, seconds: None, comments: Vec::new() }
    }
}

/// A variation. Its first move replaces move `before + 1` of the line that it branches off: the
/// latest line before it in the file (variation or main line) that reaches this move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// Moves of the game before the first move of the variation.
    pub before: usize,
    /// The moves.
    pub moves: Vec<Played>,
    /// How the variation ends, if stated.
    pub ending: Option<Ending>,
    /// Time used for the ending, in seconds.
    pub ending_seconds: Option<u32>,
    /// Closing words, as in [`Record::closing`].
    pub closing: Option<String>,
}

impl Branch {
    /// A variation after so many moves of the game.
    pub fn new(before: usize, moves: Vec<Played>) -> Self {
        Self { before, moves, ending: None, ending_seconds: None, closing: None }
    }
}

/// A game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Record {
    /// Format of the file.
    pub format: Format,
    /// Players, dates and other headers in the order of the file, with the keys used in KIF.
    pub headers: Vec<(String, String)>,
    /// The ratings of Black and White, which CSA records of floodgate give.
    pub ratings: [Option<i32>; 2],
    /// The position before the first move.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The main line.
    pub moves: Vec<Played>,
    /// How the game ended, if stated.
    pub ending: Option<Ending>,
    /// Time used for the ending (such as a resignation), in seconds.
    pub ending_seconds: Option<u32>,
    /// The closing line of KIF and KI2: `まで11手で先手の勝ち`.
    pub closing: Option<String>,
    /// Variations in the order of the file.
    pub branches: Vec<Branch>,
    /// Parts of the file that could not be read; the moves before them are valid.
    pub faults: Vec<Fault>,
    /// The text of the file, where it holds this game only and its format allows comments to be
    /// inserted (KIF and CSA).
    pub source: Option<SourceText>,
}

impl Record {
    /// A game without moves and headers. Moves that are added must be legal.
    pub fn new(start: Position) -> Self {
        Self {
            format: Format::Usi,
            headers: Vec::new(),
            ratings: [None; 2],
            start,
            comments: Vec::new(),
            moves: Vec::new(),
            ending: None,
            ending_seconds: None,
            closing: None,
            branches: Vec::new(),
            faults: Vec::new(),
            source: None,
        }
    }

    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(name, _)| name == key)?;
        Some(found.1.as_str()).filter(|value| !value.is_empty())
    }

    /// The names of Black and White, empty if not given. In handicap games Black is the side that
    /// receives the handicap (下手).
    pub fn players(&self) -> [&str; 2] {
        [["先手", "下手"], ["後手", "上手"]]
            .map(|keys| keys.into_iter().find_map(|key| self.header(key)).unwrap_or_default())
    }

    /// Calls a function with every text that was written by people.
    pub(crate) fn texts_mut(&mut self, mut each: impl FnMut(&mut String)) {
        for (key, value) in &mut self.headers {
            each(key);
            each(value);
        }
        let branches = self.branches.iter_mut();
        let lines = branches.map(|line| (&mut line.moves, &mut line.ending, &mut line.closing));
        let main = (&mut self.moves, &mut self.ending, &mut self.closing);
        self.comments.iter_mut().for_each(&mut each);
        for (moves, ending, closing) in std::iter::once(main).chain(lines) {
            moves.iter_mut().flat_map(|played| &mut played.comments).for_each(&mut each);
            closing.iter_mut().for_each(&mut each);
            if let Some(Ending::Other(word)) = ending {
                each(word);
            }
        }
    }

    /// The variations, each from where it leaves the main line: a variation of another one begins
    /// with the moves that it shares with that one. Those that leave it nowhere are left out.
    pub fn branches_off_main_line(&self) -> Vec<Branch> {
        let mut path = self.moves.clone();
        let mut whole = |branch: &Branch| {
            path.truncate(branch.before);
            path.extend_from_slice(&branch.moves);
            let same = |(a, b): &(&Played, &Played)| a.mv == b.mv;
            let before = self.moves.iter().zip(&path).take_while(same).count();
            let moves = path[before..].to_vec();
            (!moves.is_empty()).then(|| Branch { before, moves, ..branch.clone() })
        };
        self.branches.iter().filter_map(&mut whole).collect()
    }

    /// Replaces the variations by others, each from where it leaves the main line.
    pub fn set_branches(&mut self, mut branches: Vec<Branch>) {
        // In KIF a variation continues the last line before it that is long enough: here always the
        // main line.
        branches.sort_by_key(|branch| Reverse(branch.before));
        self.branches = branches;
    }

    /// The side that lost, and how, if the record says it or the rules do. A record holds legal moves only,
    /// so an illegal move that ended the game belongs to the side to move at the end.
    pub fn defeat(&self) -> Option<(Color, Defeat)> {
        let to_move = match self.moves.len() % 2 {
            0 => self.start.side_to_move(),
            _ => self.start.side_to_move().flip(),
        };
        Some(match self.ending.as_ref()? {
            Ending::Resign => (to_move, Defeat::Resignation),
            Ending::Mate => (to_move, Defeat::Mate),
            Ending::TimeUp => (to_move, Defeat::Time),
            Ending::FoulLoss | Ending::IllegalMove => (to_move, Defeat::Rules),
            Ending::FoulWin => (to_move.flip(), Defeat::Rules),
            Ending::Declaration => (to_move.flip(), Defeat::Declaration),
            // Perpetual check loses, but not every record says so.
            Ending::Repetition => match self.positions().last()?.repeated(4)? {
                Repetition::Win => (to_move.flip(), Defeat::Rules),
                Repetition::Lose => (to_move, Defeat::Rules),
                _ => return None,
            },
            Ending::Other(word) if word == "不戦敗" => (to_move, Defeat::Default),
            Ending::Other(word) if word == "不戦勝" => (to_move.flip(), Defeat::Default),
            _ => return None,
        })
    }

    /// The side that won, if the record says it or the rules do.
    pub fn winner(&self) -> Option<Color> {
        self.defeat().map(|(loser, _)| loser.flip())
    }

    /// The position after the last move, with its history.
    pub fn last_position(self) -> Position {
        let mut position = self.start;
        for played in &self.moves {
            position.do_move(played.mv);
        }
        position
    }

    /// Every position of the main line with its history, from the start to the one after the last
    /// move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        let mut moves = self.moves.iter();
        let mut next = Some(position.clone());
        std::iter::from_fn(move || {
            let now = next.take()?;
            if let Some(played) = moves.next() {
                position.do_move(played.mv);
                next = Some(position.clone());
            }
            Some(now)
        })
    }
}
