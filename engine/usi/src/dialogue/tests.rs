//! The behaviour of a session: inputs and the actions that follow from them, on a clock that the tests
//! set.

mod ends;
mod settings;
mod tools;

use super::*;
use crate::go::ClockParts;
use crate::job::Event;
use crate::job::Setting;
use monomi_mate::MateResult;
use monomi_search::{Info, Score, SearchResult};

/// A session whose engine is the test.
struct Talk {
    dialogue: Dialogue,
    start: Instant,
    now: Instant,
    /// The last search given to the engine.
    search: Option<Search>,
}

impl Talk {
    fn new() -> Self {
        let start = Instant::now();
        let dialogue = Dialogue::new(Platform::Native, Evaluation::piece_square(), start);
        Self { dialogue, start, now: start, search: None }
    }

    /// A session after the first `isready`.
    fn ready() -> Self {
        let mut talk = Self::new();
        talk.send("isready");
        assert_eq!(talk.tell(Event::Ready), ["readyok"]);
        talk
    }

    fn handle(&mut self, input: Input) -> Vec<String> {
        let actions = self.dialogue.handle(input, self.now);
        actions
            .into_iter()
            .map(|action| match action {
                Action::Say(reply) => reply.to_string(),
                Action::Run(Job::Go(search)) => {
                    let text = format!("RUN go {}", search.id);
                    self.search = Some(*search);
                    text
                }
                Action::Run(Job::Mate { id, tsume: None, .. }) => format!("RUN mate {id}"),
                Action::Run(Job::Mate { id, tsume: Some(lines), .. }) => {
                    format!("RUN mate {id} tsume {lines}")
                }
                Action::Run(Job::Perft { id, depth, .. }) => format!("RUN perft {id} {depth}"),
                Action::Run(job) => format!("RUN {job:?}"),
                Action::Stop => "STOP".to_owned(),
                Action::PonderHit { at, clock } => {
                    let ms = at.saturating_duration_since(self.start).as_millis();
                    format!("PONDERHIT at {ms}, {:?}", clock.map(|clock| clock.time))
                }
                Action::Log { file, before } => format!("LOG {file:?} before {before:?}"),
                Action::End { by_quit } => format!("END {by_quit}"),
            })
            .collect()
    }

    fn send(&mut self, line: &str) -> Vec<String> {
        let line = InputLine { text: line.to_owned(), at: self.now, cut: false };
        self.handle(Input::Line(line))
    }

    /// Sends lines without effect on the outside.
    fn quietly(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.send(line), [""; 0], "{line}");
        }
    }

    fn tell(&mut self, event: Event) -> Vec<String> {
        self.handle(Input::Event(event))
    }

    /// The search of this id ends with a move.
    fn done(&mut self, id: u64, best: &str) -> Vec<String> {
        self.tell(Event::Done(id, result(best)))
    }

    /// A line of the search of this id.
    fn info(&mut self, id: u64, depth: u32, pv: &str) -> Vec<String> {
        self.tell(Event::Info(id, info(depth, pv)))
    }

    /// Lets time pass.
    fn after(&mut self, ms: u64) -> Vec<String> {
        self.now += Duration::from_millis(ms);
        self.handle(Input::Tick)
    }

    /// Milliseconds until the session must be called.
    fn wakes_in(&self) -> Option<u128> {
        let at = self.dialogue.wakes_at()?;
        Some(at.saturating_duration_since(self.now).as_millis())
    }

    fn last_search(&self) -> &Search {
        self.search.as_ref().expect("a search was started")
    }

    /// Milliseconds from the beginning to the start of the last search's clock.
    fn clock_starts_at(&self) -> u128 {
        self.last_search().limits.start.saturating_duration_since(self.start).as_millis()
    }
}

fn result(best: &str) -> SearchResult {
    let best = BestMove::Move(best.parse().unwrap());
    SearchResult::new(best, Score::Cp(0))
}

fn info(depth: u32, pv: &str) -> Info {
    let pv = pv.split(' ').map(|mv| mv.parse().unwrap()).collect();
    let mut info = Info::new(Score::Cp(7), pv);
    (info.depth, info.seldepth) = (depth, depth);
    (info.nodes, info.time) = (10, Duration::from_secs(1));
    info
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_search_is_answered_when_it_ends() {
    let mut talk = Talk::ready();
    assert_eq!(talk.send("go btime 1000 wtime 1000"), ["RUN go 1"]);
    let line =
        "info depth 3 seldepth 3 score cp 7 nodes 10 nps 10 hashfull 0 time 1000 pv 7g7f 3c3d";
    assert_eq!(talk.info(1, 3, "7g7f 3c3d"), [line]);
    assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f"]);
    for line in ["stop", "gameover win", "ponderhit"] {
        assert_eq!(talk.send(line), NOTHING);
    }
    assert_eq!(talk.wakes_in(), None);
}

#[test]
fn stop_ends_a_search_once() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    assert_eq!(talk.send("stop"), ["STOP"]);
    // A second one, and the end of the game, may come before the search has ended.
    assert_eq!(talk.send("gameover lose"), ["STOP"]);
    assert_eq!(talk.done(1, "2g2f"), ["bestmove 2g2f"]);
    assert_eq!(talk.send("gameover lose"), NOTHING);
}

#[test]
fn infinite_waits_for_stop_with_its_result() {
    let mut talk = Talk::ready();
    for (id, end) in [(1, "stop"), (2, "gameover draw")] {
        assert_eq!(talk.send("go infinite depth 1"), [format!("RUN go {id}")]);
        assert_eq!(talk.done(id, "2g2f"), NOTHING);
        assert_eq!(talk.send("isready"), ["readyok"]);
        assert_eq!(talk.after(3_600_000), NOTHING);
        assert_eq!(talk.send(end), ["bestmove 2g2f"]);
    }
    // A mated side, too.
    talk.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    let at_once = talk.send("go infinite");
    assert!(at_once.iter().all(|line| line.starts_with("info ")), "{at_once:?}");
    assert_eq!(talk.send("stop"), ["bestmove resign"]);
    let lines = talk.send("go btime 1000");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove resign"));
}

#[test]
fn pondering_waits_for_a_hit_or_stop() {
    let mut talk = Talk::ready();
    talk.send("position startpos moves 7g7f 3c3d");
    let go = "go ponder btime 5000 wtime 4000";
    // The search ends before the hit.
    talk.send(go);
    assert_eq!(talk.done(1, "2g2f"), NOTHING);
    assert_eq!(talk.send("ponderhit"), ["bestmove 2g2f"]);
    assert_eq!(talk.send("ponderhit"), NOTHING);
    // The hit comes first; the clock starts there.
    talk.send(go);
    talk.after(900);
    assert_eq!(talk.send("ponderhit"), ["PONDERHIT at 900, None"]);
    assert_eq!(talk.send("ponderhit"), NOTHING);
    assert_eq!(talk.done(2, "2g2f"), ["bestmove 2g2f"]);
    // A miss.
    talk.send(go);
    assert_eq!(talk.send("stop"), ["STOP"]);
    assert_eq!(talk.send("ponderhit"), NOTHING);
    assert_eq!(talk.done(3, "2g2f"), ["bestmove 2g2f"]);
    // The game ends.
    talk.send(go);
    assert_eq!(talk.send("gameover win"), ["STOP"]);
    assert_eq!(talk.done(4, "2g2f"), ["bestmove 2g2f"]);
}

#[test]
fn ponderhit_may_bring_the_clock() {
    let mut talk = Talk::ready();
    talk.send("go ponder");
    let hit = talk.send("ponderhit btime 3000 wtime 500");
    assert_eq!(hit, ["PONDERHIT at 0, Some([3s, 500ms])"]);
    talk.done(1, "7g7f");
    // No clock from anywhere: the best move so far has to do.
    talk.send("go ponder");
    assert_eq!(talk.send("ponderhit"), ["PONDERHIT at 0, None", "STOP"]);
    assert_eq!(talk.done(2, "7g7f"), ["bestmove 7g7f"]);
}

#[test]
fn a_go_during_a_go_waits_for_its_answer() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.send("position startpos moves 7g7f");
    assert_eq!(talk.send("go depth 2"), ["STOP"]);
    // All that follows waits, too.
    talk.quietly(&["position startpos moves 2g2f", "go infinite", "stop", "isready"]);
    assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f", "RUN go 2", "STOP"]);
    assert_eq!(talk.last_search().root.last_move().unwrap().to_string(), "7g7f");
    assert_eq!(talk.done(2, "3c3d"), ["bestmove 3c3d", "RUN go 3", "STOP", "readyok"]);
    assert_eq!(talk.last_search().root.last_move().unwrap().to_string(), "2g2f");
    assert_eq!(talk.done(3, "8c8d"), ["bestmove 8c8d"]);
}

#[test]
fn a_flood_of_commands_is_not_read_while_they_must_wait() {
    let mut talk = Talk::new();
    talk.send("isready");
    talk.quietly(&["go depth 1"; 63]);
    assert!(!talk.dialogue.is_full());
    talk.quietly(&["stop"]);
    assert!(talk.dialogue.is_full());
    talk.tell(Event::Ready);
    assert!(!talk.dialogue.is_full());
}

#[test]
fn a_go_after_a_held_result_starts_at_once() {
    let mut talk = Talk::ready();
    talk.send("go infinite depth 1");
    talk.done(1, "7g7f");
    assert_eq!(talk.send("go depth 2"), ["bestmove 7g7f", "RUN go 2"]);
}

#[test]
fn a_search_that_does_not_stop_is_answered_without_it() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.info(1, 5, "2g2f 8c8d");
    assert_eq!(talk.send("go depth 1"), ["STOP"]);
    assert_eq!(talk.wakes_in(), Some(5_000));
    assert_eq!(talk.after(4_999), NOTHING);
    let lines = talk.after(1);
    assert!(lines[0].starts_with("info string Error! the search does not stop"), "{lines:?}");
    assert_eq!(lines[1..], ["bestmove 2g2f", "RUN go 2"]);
    assert_eq!(talk.done(1, "7g7f"), NOTHING, "too late");
    assert_eq!(talk.done(2, "7g7f"), ["bestmove 7g7f"]);
}

#[test]
fn late_events_of_older_searches_are_dropped() {
    let mut talk = Talk::ready();
    talk.send("go depth 1");
    talk.done(1, "7g7f");
    talk.send("go infinite");
    assert_eq!(talk.done(1, "2g2f"), NOTHING);
    assert_eq!(talk.info(1, 9, "2g2f"), NOTHING);
    assert_eq!(talk.tell(Event::PerftDone(1, Some(1))), NOTHING);
    assert_eq!(talk.tell(Event::PerftShare(1, "7g7f".parse().unwrap(), 1)), NOTHING);
    let mate = MateResult::new(MateAnswer::NoMate, 1, Duration::ZERO);
    assert_eq!(talk.tell(Event::Mate(1, mate)), NOTHING);
    talk.send("stop");
    assert_eq!(talk.done(2, "7g7f"), ["bestmove 7g7f"]);
    assert_eq!(talk.done(2, "7g7f"), NOTHING);
}

#[test]
fn the_clock_starts_when_the_engine_is_ready() {
    let mut talk = Talk::new();
    talk.send("isready");
    talk.quietly(&["position startpos moves 7g7f", "go movetime 1000", "eval"]);
    talk.after(2_500);
    let lines = talk.tell(Event::Ready);
    assert_eq!(lines[..2], ["readyok", "RUN go 1"]);
    assert!(lines[2].starts_with("Evaluation: "), "{lines:?}");
    assert_eq!(talk.clock_starts_at(), 2_500);
    // Without `isready` it starts when the line was read, even if the former search has to end first.
    talk.send("go btime 1000");
    talk.after(300);
    talk.done(1, "3c3d");
    assert_eq!(talk.clock_starts_at(), 2_500);
}

#[test]
fn after_an_invalid_position_there_is_no_search() {
    let mut talk = Talk::ready();
    talk.send("position startpos moves 7g7f");
    for position in ["position startpos moves 7g7e", "position nonsense", "position"] {
        let error = talk.send(position);
        assert!(error[0].starts_with("info string Error! position: "), "{error:?}");
        let lines = talk.send("go btime 1000");
        assert!(lines[0].starts_with("info string Error! go: the last position"), "{lines:?}");
        assert_eq!(lines[1..], ["bestmove resign"]);
        assert_eq!(talk.send("go mate 100")[1..], ["checkmate timeout"]);
        assert_eq!(talk.send("go perft 1").len(), 1);
        // Analysis waits for `stop`, as always.
        assert_eq!(talk.send("go infinite").len(), 1);
        assert_eq!(talk.send("stop"), ["bestmove resign"]);
    }
    talk.quietly(&["position startpos"]);
    assert!(talk.send("go btime 1000")[0].starts_with("RUN go"));
}

#[test]
fn a_pass_shows_what_the_opponent_threatens() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name Stochastic_Ponder value true"]);
    for (id, pass) in [(1, "pass"), (2, "null"), (3, "0000")] {
        talk.quietly(&[&format!("position startpos moves 7g7f {pass}")]);
        // There is no predicted move to take back.
        assert_eq!(talk.send("go ponder btime 1000"), [format!("RUN go {id}")]);
        let root = &talk.last_search().root;
        assert_eq!((root.side_to_move(), root.ply()), (shogi_core::Color::Black, 3));
        assert!(!talk.last_search().limits.infinite);
        talk.send("stop");
        talk.done(id, "2g2f");
    }
    let error = talk.send("position sfen 4k4/9/4G4/9/9/9/9/9/4K4 b - 1 moves 5c5b pass");
    assert!(error[0].contains("move 2 is a pass, but the side to move is in check"), "{error:?}");
}

#[test]
fn invalid_parts_are_named_and_the_rest_is_used() {
    let mut talk = Talk::ready();
    let lines = talk.send("go depth x searchmoves 7g7e");
    let errors = [
        "`depth` needs a number",
        "go: no valid limit",
        "searchmoves: `7g7e`",
        "none of the moves",
    ];
    for error in errors {
        assert!(lines.iter().any(|line| line.contains(error)), "{error}: {lines:?}");
    }
    assert_eq!(lines.last().map(String::as_str), Some("RUN go 1"));
    let limits = &talk.last_search().limits;
    assert_eq!((limits.movetime, limits.searchmoves.len()), (Some(Duration::from_secs(1)), 0));
}

#[test]
fn analysis_has_full_strength_and_no_book() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name SkillLevel value 3"]);
    talk.send("go infinite");
    assert!(talk.last_search().skill.is_none() && talk.last_search().book.is_none());
    talk.send("stop");
    talk.done(1, "7g7f");
    talk.send("go btime 1000");
    assert!(talk.last_search().skill.is_some() && talk.last_search().book.is_some());
    talk.done(2, "7g7f");
    talk.quietly(&["setoption name USI_OwnBook value false"]);
    talk.send("go btime 1000");
    assert!(talk.last_search().book.is_none());
}

#[test]
fn mate_searches_and_counts_are_answered_in_their_own_words() {
    let mut talk = Talk::ready();
    talk.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1");
    for (id, go) in [(1, "go mate 1000"), (2, "go mate infinite"), (3, "go mate")] {
        assert_eq!(talk.send(go), [format!("RUN mate {id}")]);
        let answer = MateAnswer::Mate(vec!["G*5b".parse().unwrap()]);
        let time = Duration::from_millis(1);
        let lines = talk.tell(Event::Mate(id, MateResult::new(answer, 9, time)));
        assert_eq!(
            lines,
            [
                "info depth 1 score mate 1 nodes 9 nps 9000 hashfull 0 time 1 pv G*5b",
                "checkmate G*5b"
            ]
        );
    }
    talk.quietly(&["setoption name TsumeRules value true", "setoption name MultiPV value 2"]);
    assert_eq!(talk.send("go mate infinite"), ["RUN mate 4 tsume 2"]);
    let answer = || MateAnswer::Mate(vec!["G*4b".parse().unwrap()]);
    let result = || MateResult::new(answer(), 9, Duration::from_millis(1));
    assert_eq!(
        talk.tell(Event::OtherMate(4, 2, result())),
        ["info multipv 2 depth 1 score mate 1 nodes 9 nps 9000 hashfull 0 time 1 pv G*4b"]
    );
    assert_eq!(talk.tell(Event::Mate(4, result()))[1], "checkmate G*4b");
    assert_eq!(talk.send("go perft 3"), ["RUN perft 5 3"]);
    let share = Event::PerftShare(5, "7g7f".parse().unwrap(), 30);
    assert_eq!(talk.tell(share), ["7g7f: 30"]);
    assert_eq!(talk.send("stop"), ["STOP"]);
    let stopped = talk.tell(Event::PerftDone(5, None));
    assert_eq!(stopped, ["info string perft stopped"]);
}

#[test]
fn the_time_of_a_count_begins_when_it_starts() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    assert_eq!(talk.send("go perft 2"), ["STOP"]);
    // What it waits for is not its own time.
    talk.after(3_000);
    assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f", "RUN perft 2 2"]);
    talk.after(500);
    let lines = talk.tell(Event::PerftDone(2, Some(900)));
    assert_eq!(lines, ["Time: 0.500 s", "Nodes/second: 1800", "Total: 900"]);
}

#[test]
fn stochastic_ponder_searches_the_position_before_and_then_the_real_one() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name Stochastic_Ponder value true"]);
    talk.quietly(&["position startpos moves 7g7f 3c3d"]);
    assert_eq!(talk.send("go ponder btime 1000 wtime 1000"), ["RUN go 1"]);
    assert_eq!(talk.last_search().root.last_move().unwrap().to_string(), "7g7f");
    assert!(talk.last_search().limits.infinite);
    // Only lines with the predicted move are shown, from the other side.
    assert_eq!(talk.info(1, 4, "8c8d 2g2f"), NOTHING);
    let lines = talk.info(1, 5, "3c3d 2g2f");
    assert!(lines[0].starts_with("info depth 4 seldepth 4 score cp -7 "), "{lines:?}");
    talk.after(100);
    assert_eq!(talk.send("ponderhit"), ["STOP", "RUN go 2"]);
    assert_eq!(talk.last_search().root.last_move().unwrap().to_string(), "3c3d");
    assert_eq!(talk.clock_starts_at(), 100);
    assert_eq!(talk.done(1, "3c3d"), NOTHING);
    assert_eq!(talk.done(2, "2g2f"), ["bestmove 2g2f"]);
    // A miss is answered with a move of the position that was to be searched.
    talk.send("go ponder btime 1000 wtime 1000");
    talk.send("stop");
    let lines = talk.done(3, "3c3d");
    let best = lines[0].strip_prefix("bestmove ").unwrap().parse().unwrap();
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d"] {
        position.do_move(mv.parse().unwrap());
    }
    assert!(position.is_legal(best), "{lines:?}");
}

#[test]
fn long_lines_and_unknown_commands_are_named() {
    let mut talk = Talk::new();
    let line = InputLine { text: "position".to_owned(), at: talk.now, cut: true };
    let lines = talk.handle(Input::Line(line));
    assert_eq!(lines, ["info string Error! line of more than 8 bytes ignored"]);
    assert_eq!(talk.send("uci\u{7}"), ["info string unknown command `uci\u{fffd}`"]);
    assert_eq!(talk.send(""), NOTHING);
}

#[test]
fn programs_send_typed_commands() {
    let mut talk = Talk::ready();
    let mut position = Position::startpos();
    position.do_move("7g7f".parse().unwrap());
    talk.handle(Input::Request(Request::position(position), talk.now));
    talk.now += Duration::from_millis(50);
    let clock = ClockParts { byoyomi: Some(Duration::from_secs(1)), ..ClockParts::default() };
    let go = GoCommand { clock, ..GoCommand::default() };
    let lines = talk.handle(Input::Request(Command::Go(go).into(), talk.start));
    assert_eq!(lines, ["RUN go 1"]);
    assert_eq!((talk.clock_starts_at(), talk.last_search().root.moves_made()), (0, 1));
}

#[test]
fn analysis_of_a_won_declaration_shows_it_and_searches_a_move() {
    let mut talk = Talk::ready();
    talk.quietly(&[
        "setoption name EnteringKingRule value CSARule27",
        "position sfen KSSSSGGGG/PP7/9/9/9/9/9/9/k8 b 2RB3P 1",
    ]);
    let lines = talk.send("go infinite");
    assert!(lines[0].starts_with("info depth 0 ") && lines[0].contains(" score mate 1 "));
    assert_eq!(lines[1], "info string the line ends with the declaration of a win");
    assert_eq!(lines[2..], ["RUN go 1"]);
    assert!(talk.last_search().limits.searchmoves.len() > 10);
    let info = talk.info(1, 3, "P*5e");
    assert!(info[0].ends_with(" pv P*5e"), "{info:?}");
    assert_eq!(talk.send("stop"), ["STOP"]);
    assert_eq!(talk.done(1, "P*5e"), ["bestmove win"]);
    // In a game nothing is searched.
    let lines = talk.send("go btime 1000 wtime 1000");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove win"));
    assert!(lines.iter().all(|line| !line.starts_with("RUN")), "{lines:?}");
}

#[test]
fn a_line_held_back_is_printed_when_the_interval_ends() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name PvInterval value 300"]);
    assert_eq!(talk.send("go btime 60000 wtime 60000"), ["RUN go 1"]);
    let held = |ms: u64, depth: u32| {
        let mut info = info(depth, "7g7f");
        info.time = Duration::from_millis(ms);
        info
    };
    talk.now += Duration::from_millis(50);
    assert_eq!(talk.tell(Event::Info(1, held(50, 4))), NOTHING);
    assert_eq!(talk.wakes_in(), Some(250));
    assert_eq!(talk.after(100), NOTHING);
    let lines = talk.after(150);
    assert!(lines.len() == 1 && lines[0].starts_with("info depth 4 "), "{lines:?}");
    assert_eq!((talk.wakes_in(), talk.after(1_000)), (None, NOTHING.map(String::from).to_vec()));
    // The next one comes at once, and is not repeated at the end.
    let lines = talk.tell(Event::Info(1, held(1_300, 5)));
    assert!(lines[0].starts_with("info depth 5 "), "{lines:?}");
    assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f"]);
}
