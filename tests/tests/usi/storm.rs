//! Commands in random order and timing: each `go` gets one answer, legal in its position and not too
//! early.

use monomi_movegen::Position;
use std::time::{Duration, Instant};
use tests::games::{Random, random_move};
use tests::usi_client::{Answer, PATIENCE, UsiClient, best_move_of};

/// Answers that the engine has not given yet.
struct Debt {
    /// The position that was to be searched; `None` after an invalid `position` command.
    root: Option<Position>,
    /// The command.
    go: String,
    /// Before this moment no answer may come; `None` while nothing has allowed one.
    free_from: Option<Instant>,
    /// Still waiting for `ponderhit` or `stop`.
    pondering: bool,
}

struct Storm {
    client: UsiClient,
    random: Random,
    /// The last position sent; `None` if it was invalid.
    position: Option<Position>,
    debts: Vec<Debt>,
    /// Every answer, in order.
    answers: Vec<Answer>,
    readied: usize,
    sent_isready: usize,
}

impl Storm {
    fn new(seed: u64) -> Self {
        Self {
            client: UsiClient::ready_with(&[("RoundUpToFullSecond", "false")]),
            random: Random::new(seed),
            position: Some(Position::startpos()),
            debts: Vec::new(),
            answers: Vec::new(),
            readied: 0,
            sent_isready: 0,
        }
    }

    fn step(&mut self) {
        match self.random.below(20) {
            0..=6 => self.go(),
            7..=9 => self.release("stop", true),
            10 => self.release("gameover lose", true),
            11 | 12 => self.ponderhit(),
            13..=15 => self.new_position(),
            16 => {
                self.sent_isready += 1;
                self.client.send("isready");
            }
            17 => self.option(),
            18 => self.client.send("usinewgame"),
            _ => self.nonsense(),
        }
    }

    fn go(&mut self) {
        let go = [
            "go infinite",
            "go btime 100 wtime 100",
            "go btime 0 wtime 0 byoyomi 20",
            "go ponder btime 200 wtime 200 binc 10 winc 10",
            "go ponder",
            "go depth 3",
            "go nodes 500",
            "go movetime 10",
            "go infinite depth 2",
            "go infinite nodes 100 ponder",
            "go mate 50",
            "go depth junk",
        ][self.random.below(12)];
        let now = Instant::now();
        // The former search is to be answered now.
        self.release(go, true);
        let waits = go.contains("infinite") || go.contains("ponder");
        self.debts.push(Debt {
            root: self.position.clone(),
            go: go.to_owned(),
            free_from: (!waits).then_some(now),
            pondering: go.contains("ponder"),
        });
    }

    /// Sends a command that lets the last search be answered.
    fn release(&mut self, command: &str, also_infinite: bool) {
        let now = Instant::now();
        if let Some(debt) = self.debts.last_mut() {
            debt.pondering = false;
            if also_infinite || !debt.go.contains("infinite") {
                debt.free_from.get_or_insert(now);
            }
        }
        self.client.send(command);
    }

    fn ponderhit(&mut self) {
        let command = ["ponderhit", "ponderhit btime 50 wtime 50", "ponderhit byoyomi x"]
            [self.random.below(3)];
        if self.debts.last().is_some_and(|debt| debt.pondering) {
            self.release(command, false);
        } else {
            self.client.send(command);
        }
    }

    fn new_position(&mut self) {
        let mut position = Position::startpos();
        let mut line = "position startpos moves".to_owned();
        for _ in 0..self.random.below(120) {
            let Some(mv) = random_move(&mut position, &mut self.random) else { break };
            line.push_str(&format!(" {mv}"));
            position.do_move(mv);
        }
        if self.random.below(5) == 0 {
            line.push_str(" 5e5e");
            self.position = None;
        } else {
            self.position = Some(position);
        }
        self.client.send(&line);
    }

    fn option(&mut self) {
        let option = [
            "USI_Hash value 1",
            "USI_Hash value 8",
            "MultiPV value 1",
            "MultiPV value 4",
            "Threads value 1",
            "Threads value 3",
            "PvInterval value 0",
            "EnteringKingRule value TryRule",
            "EnteringKingRule value CSARule27",
            "USI_Hash value many",
            "EvalFile value /no/such/file",
            "Stochastic_Ponder value true",
            "Stochastic_Ponder value false",
            "SkillLevel value 7",
            "SkillLevel value 20",
            "BookFile value no/such/book.db",
        ][self.random.below(16)];
        self.client.send(&format!("setoption name {option}"));
    }

    fn nonsense(&mut self) {
        let line = ["", "go_", "position", "setoption", "position sfen 9/9 b - 1", "\u{0}"];
        let line = line[self.random.below(line.len())];
        if line.starts_with("position") {
            self.position = None;
        }
        self.client.send(line);
    }

    /// What the engine holds with everything set back; `None` where the system does not tell.
    fn memory(&mut self) -> Option<u64> {
        self.release("stop", true);
        for option in ["USI_Hash value 1", "Threads value 1", "MultiPV value 1"] {
            self.client.send(&format!("setoption name {option}"));
        }
        // A search gives the mate solver's memory back.
        self.short_search();
        // The first applies what was set, the second comes when that is done.
        for _ in 0..2 {
            self.sent_isready += 1;
            self.client.send("isready");
            self.settle();
        }
        self.client.resident_kib()
    }

    /// A short search whatever is set.
    fn short_search(&mut self) {
        let now = Instant::now();
        self.release("go depth 1", true);
        self.debts.push(Debt {
            root: self.position.clone(),
            go: "go depth 1".to_owned(),
            free_from: Some(now),
            pondering: false,
        });
        self.settle();
    }

    /// Answers and `readyok`s that are still to come.
    fn owed(&self) -> usize {
        self.debts.len() - self.answers.len() + self.sent_isready - self.readied
    }

    /// Waits until nothing is owed. However slow the machine, something must come
    /// within the usual patience, or the engine hangs.
    fn settle(&mut self) {
        let mut last = (self.owed(), Instant::now());
        while self.owed() > 0 {
            self.hear(Duration::from_millis(5));
            if self.owed() < last.0 {
                last = (self.owed(), Instant::now());
            } else if last.1.elapsed() > PATIENCE {
                self.client.fail(&format!(
                    "{} of {} answers, {} of {} readyok",
                    self.answers.len(),
                    self.debts.len(),
                    self.readied,
                    self.sent_isready
                ));
            }
        }
    }

    /// Hears what has been said so far, or within `time`.
    fn hear(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(answer) =
            self.client.next(deadline.saturating_duration_since(Instant::now()))
        {
            self.take(answer);
        }
    }

    fn take(&mut self, answer: Answer) {
        if answer.text == "readyok" {
            self.readied += 1;
        } else if tests::usi_client::is_answer(&answer.text) {
            self.check(&answer);
            self.answers.push(answer);
        }
    }

    fn check(&mut self, answer: &Answer) {
        let Some(debt) = self.debts.get(self.answers.len()) else {
            self.client.fail("an answer that nobody asked for");
        };
        if debt.free_from.is_none_or(|from| from > answer.at) {
            self.client.fail(&format!("`{}` was answered too early", debt.go));
        }
        if debt.go.contains("mate") {
            return assert!(answer.text.starts_with("checkmate "), "{}", answer.text);
        }
        assert!(answer.text.starts_with("bestmove "), "{}", answer.text);
        let best = best_move_of(&answer.text);
        let sound = match (&debt.root, best.as_str()) {
            (None, best) => best == "resign",
            (Some(root), "resign") => !root.has_legal_move(),
            (Some(root), "win") => root.declaration(Default::default()).is_some(),
            (Some(root), mv) => mv.parse().is_ok_and(|mv| root.is_legal(mv)),
        };
        if !sound {
            let root =
                debt.root.as_ref().map_or("an invalid position".to_owned(), Position::to_sfen);
            self.client.fail(&format!("{best} in {root}"));
        }
    }

    fn end(mut self) -> usize {
        self.release("stop", true);
        self.sent_isready += 1;
        self.client.send("isready");
        self.settle();
        self.hear(Duration::from_millis(100));
        assert_eq!(self.answers.len(), self.debts.len());
        assert_eq!(self.readied, self.sent_isready);
        let rest = self.client.quit();
        assert!(!rest.iter().any(|line| tests::usi_client::is_answer(&line.text)), "{rest:?}");
        self.answers.len()
    }
}

/// A storm this long is a soak: memory must not grow.
const SOAK: Duration = Duration::from_secs(60);

/// Owed more than this, the engine is let finish.
const BACKLOG: usize = 50;

/// `MONOMI_STORM_SECONDS` makes it longer.
fn duration() -> Duration {
    let seconds = std::env::var("MONOMI_STORM_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(4))
}

fn storm(seed: u64, pause: impl Fn(&mut Random) -> Duration) {
    let mut storm = Storm::new(seed);
    let start = Instant::now();
    let mut memory = Vec::new();
    while start.elapsed() < duration() {
        storm.step();
        let pause = pause(&mut storm.random);
        storm.hear(pause);
        // A machine that is busy with something else gets time to catch up.
        if storm.owed() > BACKLOG {
            storm.release("stop", true);
            storm.settle();
        }
        // Looked at six times, so that a leak can be told from a tide.
        if start.elapsed() > duration() / 6 * (memory.len() as u32 + 1) {
            memory.extend(storm.memory());
        }
    }
    memory.extend(storm.memory());
    if let (Some(before), Some(after)) = (memory.first(), memory.last()) {
        let slack = if duration() < SOAK { 32 << 10 } else { before / 20 + (2 << 10) };
        assert!(*after <= before + slack, "KiB by and by: {memory:?}");
        tests::report(&format!("KiB by and by: {memory:?}"));
    }
    let answers = storm.end();
    assert!(answers > 20, "{answers} answers are no storm");
}

#[test]
fn random_commands_without_pauses() {
    storm(1, |_| Duration::ZERO);
}

#[test]
fn random_commands_with_pauses() {
    storm(2, |random| Duration::from_micros(random.below(20_000) as u64));
}
