//! The parts of `go` and of `ponderhit`.

use crate::syntax_error::SyntaxError;
use monomi_movegen::PackedMove;
use monomi_search::Clock;
use monomi_support::host::Instant;
use monomi_support::text::shown;
use std::time::Duration;

/// Longer than any game; greater numbers are reduced to this.
const FOREVER_MS: f64 = 1e12;

/// The parts of the clock that a command contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockParts {
    /// `btime`.
    pub btime: Option<Duration>,
    /// `wtime`.
    pub wtime: Option<Duration>,
    /// `binc`.
    pub binc: Option<Duration>,
    /// `winc`.
    pub winc: Option<Duration>,
    /// `byoyomi`.
    pub byoyomi: Option<Duration>,
}

impl ClockParts {
    /// Reads what follows `ponderhit`.
    pub fn parse(text: &str, errors: &mut Vec<SyntaxError>) -> Self {
        let mut tokens = Tokens::new(text, errors);
        let mut clock = Self::default();
        while let Some(token) = tokens.next() {
            clock.read_argument(token, &mut tokens);
        }
        clock
    }

    /// Reads a clock keyword with its number; false if `token` is not one.
    fn read_argument(&mut self, token: &str, tokens: &mut Tokens<'_, '_>) -> bool {
        let (slot, keyword) = match token {
            "btime" => (&mut self.btime, "btime"),
            "wtime" => (&mut self.wtime, "wtime"),
            "binc" => (&mut self.binc, "binc"),
            "winc" => (&mut self.winc, "winc"),
            "byoyomi" => (&mut self.byoyomi, "byoyomi"),
            _ => return false,
        };
        *slot = tokens.duration(keyword).or(*slot);
        true
    }

    /// The clock, if any part of it was given; the other parts are zero.
    pub fn clock(&self) -> Option<Clock> {
        let parts = [self.btime, self.wtime, self.binc, self.winc, self.byoyomi];
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let [btime, wtime, binc, winc, byoyomi] = parts.map(Option::unwrap_or_default);
        Some(Clock { time: [btime, wtime], increment: [binc, winc], byoyomi })
    }
}

impl From<Clock> for ClockParts {
    fn from(clock: Clock) -> Self {
        let ([btime, wtime], [binc, winc]) = (clock.time, clock.increment);
        let [btime, wtime, binc, winc, byoyomi] =
            [btime, wtime, binc, winc, clock.byoyomi].map(Some);
        Self { btime, wtime, binc, winc, byoyomi }
    }
}

/// Time limit of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateTime {
    /// At most this long.
    Within(Duration),
    /// Until it is solved or stopped.
    Infinite,
}

impl MateTime {
    /// When a search that starts now must end.
    pub fn deadline(self, start: Instant) -> Option<Instant> {
        match self {
            MateTime::Within(time) => start.checked_add(time),
            MateTime::Infinite => None,
        }
    }
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GoCommand {
    /// `btime` and its companions.
    pub clock: ClockParts,
    /// `movetime`.
    pub movetime: Option<Duration>,
    /// `rtime`: this long, plus up to half of it at random.
    pub rtime: Option<Duration>,
    /// `nodes`, from 1.
    pub nodes: Option<u64>,
    /// `depth`, from 1.
    pub depth: Option<u32>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `mate`.
    pub mate: Option<MateTime>,
    /// `searchmoves`; not checked against any position.
    pub searchmoves: Vec<PackedMove>,
    /// `perft`: counts moves instead of searching.
    pub perft: Option<u32>,
}

impl GoCommand {
    /// Reads what follows `go`. Unknown tokens are skipped, errors are collected, and the rest is
    /// used, since each `go` must be answered.
    pub fn parse(text: &str, errors: &mut Vec<SyntaxError>) -> Self {
        let mut go = Self::default();
        let mut tokens = Tokens::new(text, errors);
        while let Some(token) = tokens.next() {
            match token {
                "movetime" => go.movetime = tokens.duration("movetime"),
                "rtime" => go.rtime = tokens.duration("rtime"),
                "nodes" => go.nodes = tokens.number("nodes").map(|n| (n as u64).max(1)),
                "depth" => go.depth = tokens.number("depth").map(|n| (n as u32).max(1)),
                "perft" => go.perft = tokens.number("perft").map(|n| n as u32),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "mate" => go.mate = Some(tokens.mate_time()),
                "searchmoves" => tokens.moves(&mut go.searchmoves),
                _ => {
                    go.clock.read_argument(token, &mut tokens);
                }
            }
        }
        go
    }
}

const KEYWORDS: [&str; 14] = [
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "movetime",
    "rtime",
    "nodes",
    "depth",
    "perft",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
];

struct Tokens<'t, 'c> {
    rest: std::iter::Peekable<std::str::SplitWhitespace<'t>>,
    errors: &'c mut Vec<SyntaxError>,
}

impl<'t, 'c> Tokens<'t, 'c> {
    fn new(text: &'t str, errors: &'c mut Vec<SyntaxError>) -> Self {
        Self { rest: text.split_whitespace().peekable(), errors }
    }

    fn next(&mut self) -> Option<&'t str> {
        self.rest.next()
    }

    /// The next token unless it is a keyword.
    fn argument(&mut self) -> Option<&'t str> {
        self.rest.next_if(|token| !KEYWORDS.contains(token))
    }

    /// A number, decimals allowed, never negative.
    fn number(&mut self, keyword: &'static str) -> Option<f64> {
        let Some(token) = self.argument() else {
            self.errors.push(SyntaxError::MissingNumber { keyword });
            return None;
        };
        let number = parse_number(token);
        if number.is_none() {
            self.errors.push(SyntaxError::NotANumber { keyword, token: shown(token) });
        }
        number
    }

    fn duration(&mut self, keyword: &'static str) -> Option<Duration> {
        self.number(keyword).map(milliseconds)
    }

    fn mate_time(&mut self) -> MateTime {
        if self.rest.next_if_eq(&"infinite").is_some() || self.rest.peek().is_none() {
            return MateTime::Infinite;
        }
        self.duration("mate").map_or(MateTime::Infinite, MateTime::Within)
    }

    fn moves(&mut self, moves: &mut Vec<PackedMove>) {
        while let Some(token) = self.argument() {
            match token.parse() {
                Ok(mv) => moves.push(mv),
                Err(_) => self.errors.push(SyntaxError::NotAMove { token: shown(token) }),
            }
        }
    }
}

/// Digits with an optional sign and fraction; negative numbers count as zero.
fn parse_number(token: &str) -> Option<f64> {
    // `f64` alone would also read "inf" and "nan".
    if !token.bytes().all(|b| b.is_ascii_digit() || b"+-.".contains(&b)) {
        return None;
    }
    token.parse::<f64>().ok().map(|number| number.max(0.0))
}

fn milliseconds(number: f64) -> Duration {
    Duration::from_secs_f64(number.min(FOREVER_MS) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (GoCommand, Vec<String>) {
        let mut errors = Vec::new();
        let go = GoCommand::parse(text, &mut errors);
        (go, errors.iter().map(ToString::to_string).collect())
    }

    fn ms(n: u64) -> Option<Duration> {
        Some(Duration::from_millis(n))
    }

    #[test]
    fn clocks() {
        let (go, errors) = parse("ponder btime 60000 wtime 50000 binc 1000 winc 2000");
        assert!(errors.is_empty() && go.ponder && !go.infinite);
        let clock = go.clock.clock().unwrap();
        assert_eq!(clock.time.map(|t| t.as_millis()), [60000, 50000]);
        assert_eq!(clock.increment.map(|t| t.as_millis()), [1000, 2000]);
        assert_eq!(parse("byoyomi 100").0.clock.clock().unwrap().byoyomi.as_millis(), 100);
        assert_eq!(parse("infinite").0.clock.clock(), None);
    }

    #[test]
    fn numbers_with_signs_fractions_and_many_digits() {
        assert_eq!(parse("movetime 0.9").0.movetime, Some(Duration::from_micros(900)));
        assert_eq!(parse("btime -300 wtime +5").0.clock.btime, ms(0));
        assert_eq!(parse("btime -300 wtime +5").0.clock.wtime, ms(5));
        assert_eq!(parse("nodes 99999999999999999999999").0.nodes, Some(u64::MAX));
        assert_eq!(parse("depth 0").0.depth, Some(1));
        assert_eq!(parse("depth 1e9").0.depth, None);
        assert_eq!(parse(&format!("btime {}", "9".repeat(500))).0.clock.btime, ms(1e12 as u64));
    }

    #[test]
    fn errors_are_reported_and_the_rest_is_used() {
        let (go, errors) = parse("btime abc wtime 1000 quick binc nodes 12 depth");
        assert_eq!((go.clock.btime, go.clock.wtime, go.nodes), (None, ms(1000), Some(12)));
        assert_eq!(errors.len(), 3);
        assert!(errors[0].contains("btime") && errors[0].contains("abc"));
        assert!(errors[1].contains("binc"));
        assert!(errors[2].contains("depth"));
        for token in ["inf", "nan", "1e5", "--3", "0x10", "１２", ""] {
            assert_eq!(parse_number(token), None, "{token}");
        }
    }

    #[test]
    fn mate_and_searchmoves() {
        assert_eq!(parse("mate infinite").0.mate, Some(MateTime::Infinite));
        assert_eq!(parse("mate").0.mate, Some(MateTime::Infinite));
        let five = MateTime::Within(Duration::from_secs(5));
        assert_eq!(parse("mate 5000").0.mate, Some(five));
        let (go, errors) = parse("searchmoves 7g7f P*5e x 2g2f infinite");
        assert_eq!(go.searchmoves.len(), 3);
        assert!(go.infinite && errors.len() == 1 && errors[0].contains("`x`"));
    }
}
