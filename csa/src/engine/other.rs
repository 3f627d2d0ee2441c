//! Another engine: a process that speaks USI.
//!
//! Between `go` and `bestmove` it gets nothing but `stop` and `ponderhit`, as from a GUI: options and the
//! next search wait for its answer.

use super::{EngineFault, QUIT, Said, Search, UNTIMED};
use crossbeam_channel::{Receiver, RecvTimeoutError, never};
use monomi_movegen::square::Dense as _;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Bound, Clock, Info, Score};
use monomi_support::usi_process::{UsiProcess, option_name, reported_error};
use monomi_usi::Reply;
use shogi_core::Color;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long it may take for `usiok`.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// How long it may take for `readyok`: large tables and networks take time.
const READY: Duration = Duration::from_secs(120);
/// How long it may take to answer `stop` before a new game.
const STOPPED: Duration = Duration::from_secs(5);
/// How often it is started again in one game.
const MOST_RESTARTS: u32 = 3;
/// How many errors are kept while it becomes ready.
const MOST_ERRORS: usize = 10;

pub struct OtherEngine {
    path: PathBuf,
    process: UsiProcess,
    lines: Receiver<String>,
    /// The channel of this program's engine, which this one does not have.
    no_replies: Receiver<Reply>,
    /// The names of the options that it declares.
    declared: Vec<String>,
    /// The options that were set, and whether they were sent.
    options: Vec<SetOption>,
    /// The position that it searches or has searched last.
    root: Position,
    /// Whether a `go` was sent that it has not answered.
    busy: bool,
    /// The search that begins when it has answered.
    next: Option<Search>,
    /// How often it was started again since the last game began.
    restarts: u32,
}

struct SetOption {
    name: String,
    value: String,
    sent: bool,
}

impl OtherEngine {
    pub fn start(path: &Path) -> Result<Self, EngineFault> {
        let (process, lines) = start_process(path)?;
        let mut engine = Self {
            path: path.to_owned(),
            process,
            lines,
            no_replies: never(),
            declared: Vec::new(),
            options: Vec::new(),
            root: Position::startpos(),
            busy: false,
            next: None,
            restarts: 0,
        };
        engine.shake_hands()?;
        Ok(engine)
    }

    fn shake_hands(&mut self) -> Result<(), EngineFault> {
        self.process.send("usi");
        let mut declared = Vec::new();
        self.wait_for("usiok", HANDSHAKE, |line| {
            declared.extend(option_name(line).map(str::to_owned));
        })?;
        self.declared = declared;
        Ok(())
    }

    pub fn restart(&mut self) -> Result<(), EngineFault> {
        self.restarts += 1;
        if self.restarts > MOST_RESTARTS {
            return Err(EngineFault::Ended(self.path.clone()));
        }
        (self.busy, self.next) = (false, None);
        (self.process, self.lines) = start_process(&self.path)?;
        self.shake_hands()?;
        for option in &mut self.options {
            option.sent = false;
        }
        self.become_ready()?;
        self.process.send("usinewgame");
        Ok(())
    }

    pub fn lines(&self) -> &Receiver<String> {
        &self.lines
    }

    pub fn no_replies(&self) -> &Receiver<Reply> {
        &self.no_replies
    }

    pub fn require_option(&self, name: &str) -> Result<(), EngineFault> {
        if self.declares(name) {
            return Ok(());
        }
        Err(EngineFault::NoOption { path: self.path.clone(), name: name.to_owned() })
    }

    /// `USI_Hash` and `USI_Ponder` need no declaration.
    fn declares(&self, name: &str) -> bool {
        let mut names = self.declared.iter().map(String::as_str).chain(["USI_Hash", "USI_Ponder"]);
        names.any(|declared| declared.eq_ignore_ascii_case(name))
    }

    pub fn set_option(&mut self, name: &str, value: &str) {
        if !self.declares(name) {
            return;
        }
        let known = self.options.iter_mut().find(|known| known.name.eq_ignore_ascii_case(name));
        match known {
            Some(option) if option.value == value => {}
            Some(option) => (option.value, option.sent) = (value.to_owned(), false),
            None => {
                let (name, value) = (name.to_owned(), value.to_owned());
                self.options.push(SetOption { name, value, sent: false });
            }
        }
    }

    fn send_options(&mut self) {
        for option in &mut self.options {
            if !std::mem::replace(&mut option.sent, true) {
                let SetOption { name, value, .. } = option;
                self.process.send(&format!("setoption name {name} value {value}"));
            }
        }
    }

    pub fn prepare(&mut self) {
        self.send_options();
        self.process.send("isready");
    }

    fn become_ready(&mut self) -> Result<Vec<String>, EngineFault> {
        self.prepare();
        let mut errors = Vec::new();
        self.wait_for("readyok", READY, |line| {
            if errors.len() < MOST_ERRORS {
                errors.extend(reported_error(line).map(str::to_owned));
            }
        })?;
        Ok(errors)
    }

    pub fn new_game(&mut self) -> Result<Vec<String>, EngineFault> {
        self.restarts = 0;
        self.next = None;
        if self.busy {
            self.wait_for("bestmove", STOPPED, |_| {})?;
            self.busy = false;
        }
        // Many engines clear their tables and read their options at `isready` only.
        let errors = self.become_ready()?;
        self.process.send("usinewgame");
        Ok(errors)
    }

    /// Waits for the line that begins with `word`; `other` gets the lines before it.
    fn wait_for(
        &mut self,
        word: &'static str,
        patience: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(), EngineFault> {
        let deadline = Instant::now() + patience;
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok(line) if line.split(' ').next() == Some(word) => return Ok(()),
                // Lines without end do not prolong the wait.
                Ok(line) if Instant::now() < deadline => other(&line),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {
                    return Err(EngineFault::Silent { path: self.path.clone(), word });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineFault::Ended(self.path.clone()));
                }
            }
        }
    }

    /// The next line, while it becomes ready.
    pub fn recv(&self) -> Result<String, EngineFault> {
        self.lines.recv_timeout(READY).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                EngineFault::Silent { path: self.path.clone(), word: "readyok" }
            }
            RecvTimeoutError::Disconnected => EngineFault::Ended(self.path.clone()),
        })
    }

    pub fn go(&mut self, search: Search) {
        if self.busy {
            self.next = Some(search);
        } else {
            self.begin(&search);
        }
    }

    fn begin(&mut self, search: &Search) {
        self.send_options();
        let moves: String = search.moves.iter().fold(String::new(), |mut text, mv| {
            let _ = write!(text, " {mv}");
            text
        });
        let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
        self.process.send(&format!("position sfen {}{moves}", search.start.to_sfen()));
        self.root = search.position();
        self.process.send(&go_line(search, self.root.side_to_move()));
        self.busy = true;
    }

    pub fn ponderhit(&mut self, clock: Clock, at: Instant) {
        match &mut self.next {
            Some(search) => (search.clock, search.ponder, search.at) = (Some(clock), false, at),
            None => self.process.send("ponderhit"),
        }
    }

    /// Cancels the search. Returns whether an answer follows.
    pub fn stop(&mut self) -> bool {
        if self.next.take().is_some() {
            return false;
        }
        self.process.send("stop");
        true
    }

    /// Takes a line. At the end of a search the next one begins.
    pub fn read(&mut self, line: &str) -> Option<Said> {
        if let Some(answer) = line.strip_prefix("bestmove") {
            self.busy = false;
            if let Some(search) = self.next.take() {
                self.begin(&search);
            }
            return Some(read_answer(answer.trim()));
        }
        if line == "readyok" {
            return Some(Said::Ready);
        }
        if let Some(error) = reported_error(line) {
            return Some(Said::OtherTrouble(error.to_owned()));
        }
        read_info(line.strip_prefix("info ")?, &self.root).map(Said::Thought)
    }
}

impl Drop for OtherEngine {
    fn drop(&mut self) {
        self.process.quit(QUIT);
    }
}

/// Starts the program in its own folder, where engines look for their files.
fn start_process(path: &Path) -> Result<(UsiProcess, Receiver<String>), EngineFault> {
    let fault = |error| EngineFault::Start { path: path.to_owned(), error };
    // The folder is changed before the program is found.
    let program = std::path::absolute(path).map_err(fault)?;
    let none: [&str; 0] = [];
    UsiProcess::start(&program, none, program.parent(), |line, _| Some(line.to_owned()))
        .map_err(fault)
}

/// The command for a search of the side `us`.
fn go_line(search: &Search, us: Color) -> String {
    let ponder = if search.ponder { " ponder" } else { "" };
    let Some(clock) = search.clock else {
        return format!("go{ponder} btime 0 wtime 0 byoyomi {}", UNTIMED.as_millis());
    };
    // The engine counts from now on. A predicted move does not use the clock yet.
    let used = if search.ponder { Duration::ZERO } else { search.at.elapsed() };
    let mut time = clock.time;
    let own = &mut time[us.dense()];
    let over = used.saturating_sub(*own);
    *own = own.saturating_sub(used);
    let byoyomi = clock.byoyomi.saturating_sub(over);
    let [black, white] = time.map(|time| time.as_millis());
    let mut line = format!("go{ponder} btime {black} wtime {white}");
    if clock.increment == [Duration::ZERO; 2] {
        let _ = write!(line, " byoyomi {}", byoyomi.as_millis());
    } else {
        let [black, white] = clock.increment.map(|time| time.as_millis());
        let _ = write!(line, " binc {black} winc {white}");
        if !byoyomi.is_zero() {
            let _ = write!(line, " byoyomi {}", byoyomi.as_millis());
        }
    }
    line
}

/// Reads what follows `bestmove`.
fn read_answer(answer: &str) -> Said {
    let mut words = answer.split_whitespace();
    let best = match words.next() {
        Some("resign") => BestMove::Resign,
        Some("win") => BestMove::Win,
        Some(word) if let Ok(mv) = word.parse() => BestMove::Move(mv),
        _ => return Said::NoAnswer(answer.to_owned()),
    };
    let reply = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
    Said::Answer(best, reply.and_then(|word| word.parse().ok()))
}

/// Reads what follows `info`. `None` without score or line, and for all lines but the first of several. The
/// line ends before the first move that is illegal after `root`.
fn read_info(text: &str, root: &Position) -> Option<Info> {
    let (numbers, line) = text.split_once(" pv ")?;
    let mut position = root.clone();
    let mut pv = Vec::new();
    for mv in line.split_whitespace().map_while(|word| word.parse::<PackedMove>().ok()) {
        if !position.is_legal(mv) {
            break;
        }
        position.do_move(mv);
        pv.push(mv);
    }
    let mut info = Info::new(Score::Cp(0), pv);
    let mut score = None;
    let mut words = numbers.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next()?.parse().ok()?,
            "seldepth" => info.seldepth = words.next()?.parse().ok()?,
            "multipv" if words.next()? != "1" => return None,
            "nodes" => info.nodes = words.next()?.parse().ok()?,
            "hashfull" => info.hashfull = words.next()?.parse().ok()?,
            "time" => info.time = Duration::from_millis(words.next()?.parse().ok()?),
            "cp" => score = Some(Score::Cp(words.next()?.parse().ok()?)),
            "mate" => {
                // `+` and `-` give no distance; the line has one.
                let plies = i32::try_from(info.pv.len()).ok()?.max(1);
                score = Some(Score::Mate(match words.next()? {
                    "+" => plies,
                    "-" => -plies,
                    number => number.parse().ok()?,
                }));
            }
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            _ => {}
        }
    }
    info.score = score?;
    Some(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(numbers: [u64; 2]) -> [Duration; 2] {
        numbers.map(Duration::from_millis)
    }

    fn search(clock: Option<Clock>, ponder: bool) -> Search {
        let start = Position::startpos();
        Search { start, moves: Vec::new(), clock, ponder, at: Instant::now() }
    }

    #[test]
    fn clocks_are_written_as_uis_do() {
        let byoyomi = Duration::from_millis(10_000);
        let clock = Clock { time: millis([60_000, 50_000]), byoyomi, ..Clock::default() };
        let line = go_line(&search(Some(clock), true), Color::Black);
        assert_eq!(line, "go ponder btime 60000 wtime 50000 byoyomi 10000");
        let increment = millis([2000, 5000]);
        let clock = Clock { time: millis([60_000, 50_000]), increment, ..Clock::default() };
        let line = go_line(&search(Some(clock), true), Color::White);
        assert_eq!(line, "go ponder btime 60000 wtime 50000 binc 2000 winc 5000");
        assert_eq!(go_line(&search(None, false), Color::Black), "go btime 0 wtime 0 byoyomi 5000");
    }

    #[test]
    fn time_that_has_passed_is_taken_off() {
        let byoyomi = Duration::from_millis(10_000);
        let clock = Clock { time: millis([3000, 2000]), byoyomi, ..Clock::default() };
        let mut search = search(Some(clock), false);
        search.at = Instant::now().checked_sub(Duration::from_millis(4500)).unwrap();
        let line = go_line(&search, Color::Black);
        let rest = line.strip_prefix("go btime 0 wtime 2000 byoyomi ").unwrap();
        assert!((8000..=8500).contains(&rest.parse::<u32>().unwrap()), "{line}");
    }

    #[test]
    fn answers() {
        let answer = |text| match read_answer(text) {
            Said::Answer(best, reply) => (best, reply.map(|mv| mv.to_string())),
            other => panic!("{other:?}"),
        };
        let mv = BestMove::Move("7g7f".parse().unwrap());
        assert_eq!(answer("7g7f"), (mv, None));
        assert_eq!(answer("7g7f ponder 3c3d"), (mv, Some("3c3d".to_owned())));
        assert_eq!(answer("resign"), (BestMove::Resign, None));
        assert_eq!(answer("win"), (BestMove::Win, None));
        for text in ["", "(none)", "0000"] {
            assert!(matches!(read_answer(text), Said::NoAnswer(what) if what == text));
        }
    }

    #[test]
    fn lines_of_a_search() {
        let read = |text: &str| read_info(text, &Position::startpos());
        let info = read(
            "depth 12 seldepth 18 score cp -34 upperbound multipv 1 nodes 5000 nps 9 hashfull 7 \
             time 80 pv 7g7f 3c3d 7g7f",
        )
        .unwrap();
        let counts = (info.depth, info.seldepth, info.nodes, info.hashfull, info.time.as_millis());
        assert_eq!(counts, (12, 18, 5000, 7, 80));
        assert!(matches!((info.score, info.bound), (Score::Cp(-34), Bound::Upper)));
        let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        assert_eq!(pv, ["7g7f", "3c3d"], "an illegal move ends the line");
        for (text, mate) in [("mate -4", -4), ("mate +", 2), ("mate -", -2), ("mate 7", 7)] {
            let line = format!("score {text} pv 7g7f 3c3d");
            assert!(matches!(read(&line).unwrap().score, Score::Mate(plies) if plies == mate));
        }
        for nothing in [
            "string hello pv 7g7f",
            "depth 3 pv 7g7f",
            "score cp 3",
            "score cp 3 multipv 2 pv 7g7f",
        ] {
            assert!(read(nothing).is_none(), "{nothing}");
        }
    }
}
