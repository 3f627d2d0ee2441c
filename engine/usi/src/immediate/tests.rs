//! Behaviour of the session without threads.

use super::*;

fn run(lines: &[&str]) -> Vec<String> {
    let mut session = Immediate::new().unwrap();
    let mut printed = Vec::new();
    for line in lines {
        session.line(line, &mut |line| printed.push(line.to_owned()));
    }
    printed
}

/// The same lines through the session with threads; times differ.
fn served(lines: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let input = std::io::Cursor::new(lines.join("\n"));
    crate::serve(input, &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

fn timeless(lines: Vec<String>) -> Vec<String> {
    let word = |line: &str| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for key in ["nps", "time"] {
            if let Some(at) = words.iter().position(|word| *word == key) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.iter().map(|line| word(line)).collect()
}

#[test]
fn it_answers_like_the_session_with_threads() {
    // In the session with threads the next `go` would end a search.
    for go in [
        "position startpos moves 7g7f 3c3d\ngo nodes 3000",
        "position startpos moves 7g7e\ngo nodes 10",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo depth 5",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate 1000",
        "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\ngo nodes 10",
        "what",
    ] {
        let mut lines = vec!["setoption name USI_Hash value 16", "isready"];
        lines.extend(go.lines());
        let mut ours = timeless(run(&lines));
        let mut theirs = timeless(served(&lines));
        // There `readyok` waits for a thread.
        ours.retain(|line| line != "readyok");
        theirs.retain(|line| line != "readyok");
        assert_eq!(ours, theirs);
        assert!(!ours.is_empty(), "{go}");
    }
}

#[test]
fn slices_go_deeper_and_deeper_until_stop() {
    // Short slices often end within an iteration that prefers another move.
    for (slices, milliseconds) in [(8, 20), (30, 1), (20, 2), (15, 3), (12, 5)] {
        slices_end_with_the_move_printed_last(slices, Duration::from_millis(milliseconds));
    }
}

fn slices_end_with_the_move_printed_last(slices: u32, time: Duration) {
    let mut session = Immediate::new().unwrap();
    let mut printed = Vec::new();
    assert_eq!(session.line("go infinite", &mut |_| panic!("too early")), Next::Step);
    for _ in 0..slices {
        let out = &mut |line: &str| printed.push(line.to_owned());
        assert_eq!(session.step(time, out), Next::Step);
    }
    let number = |line: &String, key: &str| -> u64 {
        let mut words = line.split(' ').skip_while(|word| *word != key);
        words.nth(1).and_then(|word| word.parse().ok()).unwrap()
    };
    for key in ["depth", "nodes", "time"] {
        let numbers: Vec<u64> = printed.iter().map(|line| number(line, key)).collect();
        assert!(numbers.is_sorted(), "{key}: {printed:?}");
    }
    let last = printed.last().unwrap().clone();
    printed.clear();
    let out = &mut |line: &str| printed.push(line.to_owned());
    assert_eq!(session.line("stop", out), Next::Wait);
    let best = last.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()).unwrap();
    assert_eq!(printed.len(), 1);
    assert_eq!(printed[0].split(' ').nth(1), Some(best), "{last}");
    assert_eq!(session.step(Duration::from_millis(1), &mut |_| panic!("over")), Next::Wait);
}

#[test]
fn a_mate_ends_the_slices_but_not_the_silence_before_stop() {
    let mut session = Immediate::new().unwrap();
    session.line("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &mut |_| ());
    let mut next = session.line("go infinite", &mut |_| ());
    let mut steps = 0;
    while next == Next::Step {
        next = session.step(Duration::from_millis(2_000), &mut |line| {
            assert!(line.starts_with("info"), "{line}");
        });
        steps += 1;
        assert!(steps < 3);
    }
    let mut printed = Vec::new();
    session.line("stop", &mut |line| printed.push(line.to_owned()));
    assert_eq!(printed, ["bestmove G*5b"]);
}

#[test]
fn ponderhit_searches_with_the_clock() {
    let mut session = Immediate::new().unwrap();
    session.line("go ponder btime 0 wtime 0 byoyomi 100", &mut |_| ());
    session.step(Duration::from_millis(5), &mut |_| ());
    let mut printed = Vec::new();
    let next = session.line("ponderhit", &mut |line| printed.push(line.to_owned()));
    assert_eq!(next, Next::Wait);
    assert!(printed.last().is_some_and(|line| line.starts_with("bestmove ")), "{printed:?}");
}

#[test]
fn ponderhit_without_a_clock_answers_with_the_best_move_so_far() {
    let mut session = Immediate::new().unwrap();
    session.line("go ponder", &mut |_| ());
    let mut printed = Vec::new();
    for _ in 0..5 {
        let time = Duration::from_millis(10);
        session.step(time, &mut |line| printed.push(line.to_owned()));
    }
    let last = printed.last().unwrap().split(" pv ").nth(1).unwrap().to_owned();
    printed.clear();
    let next = session.line("ponderhit", &mut |line| printed.push(line.to_owned()));
    assert_eq!((next, printed.len()), (Next::Wait, 1), "{printed:?}");
    assert_eq!(printed[0].split(' ').nth(1), last.split(' ').next(), "{last}");
}

#[test]
fn options_without_meaning_here_are_refused_and_not_announced() {
    let printed = run(&["usi", "setoption name EvalFile value nn.bin", "setoption name X"]);
    let options: Vec<&String> = printed.iter().filter(|line| line.starts_with("option")).collect();
    assert!(options.iter().any(|line| line.contains("SkillLevel")), "{options:?}");
    for name in ["EvalFile", "BookFile", "Threads", "DebugLogFile"] {
        assert!(!options.iter().any(|line| line.contains(name)), "{name}");
    }
    assert!(printed[printed.len() - 2].contains("EvalFile is not available"));
    assert!(printed[printed.len() - 1].contains("no option `X`"));
}
