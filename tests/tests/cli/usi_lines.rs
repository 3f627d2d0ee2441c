//! Commands of USI as arguments, and what test servers read from them.

use monomi_movegen::Position;
use tests::program::command;

/// The output of the engine with these arguments, which must succeed.
fn output(arguments: &[&str]) -> String {
    let output = command().args(arguments).output().expect("the engine runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Nodes and nodes per second as OpenBench's client reads them: from the last line that has each, where
/// anything but letters, digits and spaces counts as a space, and case does not matter.
fn read_by_openbench(output: &str) -> (Option<u64>, Option<u64>) {
    let (mut bench, mut nps) = (None, None);
    for line in output.trim().lines().rev() {
        let plain: String =
            line.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
        let words: Vec<String> = plain.split_whitespace().map(str::to_ascii_lowercase).collect();
        let number = |at: Option<usize>| words.get(at?).and_then(|word| word.parse::<u64>().ok());
        let followed = |name: &[&str]| {
            let at = words.windows(name.len()).position(|found| found == name)?;
            number(Some(at + name.len()))
        };
        let preceded = |name: &str| {
            words
                .iter()
                .enumerate()
                .filter(|(_, word)| *word == name)
                .find_map(|(at, _)| number(at.checked_sub(1)))
        };
        nps = nps
            .or_else(|| preceded("nps").or(followed(&["nps"])).or(followed(&["nodes", "second"])));
        bench = bench.or_else(|| {
            preceded("nodes").or(followed(&["nodes"])).or(followed(&["nodes", "searched"]))
        });
    }
    (bench, nps)
}

fn signature(output: &str) -> Option<u64> {
    output.trim().lines().last()?.strip_prefix("Bench: ")?.parse().ok()
}

#[test]
fn openbench_reads_nodes_and_speed_of_the_bench() {
    let text = output(&["bench", "--depth", "3"]);
    let (bench, nps) = read_by_openbench(&text);
    assert_eq!(bench, signature(&text));
    assert!(bench > Some(1000), "{text}");
    let second = text.lines().find_map(|line| line.strip_prefix("Nodes/second: "));
    assert_eq!(nps.map(|nps| nps.to_string()).as_deref(), second);
    // Without the line made for it, the last position would be taken for the whole bench.
    let without: Vec<&str> = text.lines().filter(|line| !line.ends_with(" nps")).collect();
    assert_ne!(read_by_openbench(&without.join("\n")).0, bench);
}

#[test]
fn a_bench_over_usi_is_that_of_the_command() {
    let hash = monomi_search::bench::HASH_MIB.to_string();
    let usi = output(&["bench", &hash, "3", ",", "quit"]);
    assert_eq!(signature(&usi), signature(&output(&["bench", "--depth", "3"])));
    // The last line ends a session that does not say `quit`.
    let twice = output(&[
        "setoption",
        "name",
        "EvalFile",
        "value",
        "<piece-square>",
        ",",
        "bench",
        "16",
        "2",
    ]);
    let count = |text: &str| signature(text).expect("a bench");
    assert_ne!(count(&twice), count(&output(&["bench", "--depth", "2"])));
    let other = output(&["bench", "--depth", "2", "--eval-file", "<piece-square>"]);
    assert_eq!(count(&twice), count(&other));
}

#[test]
fn single_commands_are_answered() {
    assert!(output(&["usi"]).ends_with("usiok\n"));
    assert_eq!(output(&["--lang", "ja", "usi"]), output(&["usi"]));
    assert_eq!(output(&["--lang=en", "getoption", "USI_Hash", ",", "quit"]), "USI_Hash = 256\n");
    assert_eq!(output(&["getoption", "USI_Hash"]), "USI_Hash = 256\n");
    let speed = output(&["speedtest", "1", "16", "1"]);
    let last = speed.lines().last().and_then(|line| line.strip_prefix("Nodes/second: "));
    assert!(last.and_then(|number| number.parse::<u64>().ok()).is_some_and(|nps| nps > 0));
    let text = output(&["genfens 3 seed 5 book None ", "quit"]);
    let sfens: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix("info string genfens ").expect("a line"))
        .collect();
    assert_eq!(sfens.len(), 3);
    assert!(sfens.iter().all(|sfen| Position::from_sfen(sfen).is_ok()), "{sfens:?}");
}

#[test]
fn an_error_among_the_answers_gives_exit_code_1() {
    let lines: [&[&str]; 4] = [
        &["getoption", "NoSuch"],
        &["export_net"],
        &["setoption", "name", "USI_Hash", "value", "many", ",", "getoption", "USI_Hash"],
        &["position", "startpos", "moves", "7g7e", ",", "quit"],
    ];
    for line in lines {
        let ended = command().args(line).output().expect("the engine runs");
        let text = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status.code(), Some(1), "{line:?}: {text}");
        assert!(text.contains("info string Error! "), "{line:?}: {text}");
    }
}
