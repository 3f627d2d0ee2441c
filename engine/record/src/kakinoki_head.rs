//! The headers of a game in KIF or KI2 while its moves have not begun.

use crate::Fault;
use crate::board::Setup;

/// What stands before the moves of a game.
pub struct Head {
    pub setup: Setup,
    pub headers: Vec<(String, String)>,
    pub comments: Vec<String>,
    pub faults: Vec<Fault>,
    /// The handicap was given.
    pub named: bool,
    /// The hands that were given.
    pub hands: [bool; 2],
    /// Whether it has anything that begins a game.
    pub seen: bool,
    /// The first line that might be a move and could not be read.
    pub suspect: Option<(usize, String)>,
    /// A side to move that is not known. It matters with a diagram only.
    pub unclear_side: Option<Fault>,
    /// The handicap that is not known, if no diagram follows.
    pub handicap: Option<(usize, String)>,
}

impl Head {
    pub fn new() -> Self {
        Self {
            setup: Setup::new(),
            headers: Vec::new(),
            comments: Vec::new(),
            faults: Vec::new(),
            named: false,
            hands: [false; 2],
            seen: false,
            suspect: None,
            unclear_side: None,
            handicap: None,
        }
    }
}
