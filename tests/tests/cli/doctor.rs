//! `monomi doctor`: the report, what it complains about, and the exit code.

use std::io::Read as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tests::folder::Folder;
use tests::networks;
use tests::program::{command, engine};

/// The marks of a line, from good to bad.
const MARKS: [&str; 4] = ["ok", "note", "check", "bad"];
const MARKS_JA: [&str; 4] = ["○", "・", "△", "×"];

/// A report.
struct Report {
    text: String,
    /// Index of the mark, and what is said.
    lines: Vec<(usize, String)>,
}

impl Report {
    /// Reads the output, every line of which must have a mark, and whose exit code must follow from them.
    fn of(output: &Output, marks: [&str; 4]) -> Self {
        assert!(output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        let line = |line: &str| {
            let (mark, said) = line.split_once(' ').expect("a mark and a text");
            let mark = marks.iter().position(|&known| known == mark).expect("a known mark");
            (mark, said.trim_start().to_owned())
        };
        let lines: Vec<(usize, String)> = text.lines().map(line).collect();
        let worst = lines.iter().map(|&(mark, _)| mark).max().expect("a line");
        assert_eq!(output.status.code(), Some([0, 0, 3, 1][worst]), "{text}");
        Self { text, lines }
    }

    /// The mark of the only line with this text.
    fn mark(&self, part: &str) -> &'static str {
        let found: Vec<usize> = self
            .lines
            .iter()
            .filter(|(_, said)| said.contains(part))
            .map(|&(mark, _)| mark)
            .collect();
        assert_eq!(found.len(), 1, "{part} in {}", self.text);
        MARKS[found[0]]
    }
}

/// What doctor says with these arguments, without the measurement of speed.
fn doctor(arguments: &[&str]) -> Report {
    Report::of(&run(arguments), MARKS)
}

fn run(arguments: &[&str]) -> Output {
    let mut command = command();
    command.args(["doctor", "--seconds", "0"]).args(arguments);
    output(&mut command)
}

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the engine runs")
}

#[test]
fn a_report_has_every_section() {
    let folder = Folder::new();
    folder.write("nn.bin", networks::constant(0));
    // One thread, then as many as the options say; the network is small and fast.
    let file = folder.file("nn.bin");
    for threads in [1, 2] {
        let mut command = command();
        command.args(["doctor", "--seconds", "1", "-o", "USI_Hash=16"]);
        command.args(["-o", &format!("Threads={threads}"), "-o", &format!("EvalFile={file}")]);
        let report = Report::of(&output(&mut command), MARKS);
        for section in [
            "Monomi ",
            "processor: ",
            "memory: ",
            "large pages: ",
            "program: ",
            "encoding: ",
            "clock: ",
            "evaluation: network K+P 256x2-32-32, FV_SCALE 16",
            "no opening book",
            "EnteringKingRule CSARule27",
            "NetworkDelay 120, NetworkDelay2 1120",
            "MaxMovesToDraw 0",
            "nodes/s, threads: 1",
        ] {
            report.mark(section);
        }
        assert!(report.text.contains(&format!("threads: {threads} of ")), "{}", report.text);
        let speeds = report.lines.iter().filter_map(|(_, said)| {
            let said = said.strip_prefix("speed: ")?;
            said.split(' ').next()?.parse::<u64>().ok()
        });
        let speeds: Vec<u64> = speeds.collect();
        assert!(speeds.len() == threads && speeds.iter().all(|&nps| nps > 0), "{speeds:?}");
    }
    // With the defaults, nothing about the options is more than a note.
    let report = doctor(&[]);
    assert!(!report.text.contains("speed: "), "{}", report.text);
    for (part, mark) in [
        ("evaluation: network", "ok"),
        ("no opening book", "note"),
        ("EnteringKingRule CSARule27", "ok"),
        ("NetworkDelay 120", "ok"),
        ("MaxMovesToDraw 0", "note"),
    ] {
        assert_eq!(report.mark(part), mark, "{}", report.text);
    }
}

#[test]
fn options_that_lose_games_are_named() {
    for (option, part, mark) in [
        ("Threads=1024", "threads: 1024 of", "bad"),
        ("EnteringKingRule=CSARule24", "a wrong declaration loses", "check"),
        ("EnteringKingRule=NoEnteringKing", "never declares a win", "check"),
        ("MaxMovesToDraw=100", "shorter than in any usual rule", "check"),
        ("MaxMovesToDraw=320", "MaxMovesToDraw 320", "ok"),
        ("NetworkDelay2=10", "may lose on time", "check"),
        ("NetworkDelay2=9000", "gives much thinking time away", "check"),
        ("SkillLevel=3", "SkillLevel 3: plays at reduced strength", "check"),
        ("USI_LimitStrength=true", "plays at reduced strength", "check"),
        ("DepthLimit=3", "searches end early", "check"),
        ("ResignValue=200", "may resign games that can be saved", "check"),
        ("MultiPV=2", "weaker in games than 1", "check"),
        ("EvalFile=<piece-square>", "evaluation: piece-square tables", "check"),
        ("EvalFile=no/such.bin", "EvalFile: no/such.bin: there is no such file", "bad"),
        ("BookFile=no/such.db", "no/such.db", "bad"),
    ] {
        let report = doctor(&["-o", option]);
        assert_eq!(report.mark(part), mark, "{option}: {}", report.text);
    }
    let huge = doctor(&["-o", "USI_Hash=33554432"]);
    let mark = huge.mark("USI_Hash is 33554432 MiB");
    match huge.text.contains("memory: not known") {
        true => tests::report("skipped: the memory of this system is not known"),
        false => assert_eq!(mark, "bad", "{}", huge.text),
    }
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = Folder::new();
    let bytes = networks::constant(0);
    folder.write("nn.bin", &bytes);
    folder.write("stated.bin", networks::with_text(&bytes, "K-P(Friend)[1629->256x2],fv_scale=24"));
    folder.write("short.bin", &bytes[..bytes.len() / 2]);
    folder.write("text.bin", "not a network");
    folder.write("empty.db", "#YANEURAOU-DB2016 1.00\n");
    folder.write(
        "one.db",
        "#YANEURAOU-DB2016 1.00\n\
         sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
         7g7f none 0 20 1\n",
    );
    for (options, part, mark) in [
        (&["EvalFile={}/nn.bin"][..], "FV_SCALE is not set", "note"),
        (&["EvalFile={}/nn.bin", "FV_SCALE=20"], "K+P 256x2-32-32, FV_SCALE 20", "ok"),
        (&["EvalFile={}/stated.bin"], "K+P 256x2-32-32, FV_SCALE 24", "ok"),
        (&["EvalFile={}/stated.bin", "FV_SCALE=24"], "K+P 256x2-32-32, FV_SCALE 24", "ok"),
        (&["EvalFile={}/stated.bin", "FV_SCALE=20"], "file states FV_SCALE 24", "check"),
        (&["EvalDir={}", "FV_SCALE=24"], "K+P 256x2-32-32, FV_SCALE 24", "ok"),
        (&["EvalFile={}/short.bin"], "short.bin", "bad"),
        (&["EvalFile={}/text.bin"], "text.bin", "bad"),
        (&["EvalFile={}"], "EvalFile: ", "bad"),
        (&["EvalDir={}/none"], "none", "bad"),
        (&["BookFile={}/one.db"], "one.db: 1 position", "ok"),
        (&["BookDir={}", "BookFile=one.db;none.db"], "none.db", "bad"),
        (&["BookFile={}/empty.db"], "there is no position in it", "bad"),
        (&["BookFile={}/nn.bin"], "book ", "bad"),
        (&["BookFile={}/none.db", "USI_OwnBook=false"], "no opening book", "note"),
    ] {
        let here = folder.path().display().to_string();
        let options: Vec<String> =
            options.iter().map(|option| option.replace("{}", &here)).collect();
        let arguments: Vec<&str> = options.iter().flat_map(|option| ["-o", option]).collect();
        let report = doctor(&arguments);
        assert_eq!(report.mark(part), mark, "{options:?}: {}", report.text);
    }
}

#[test]
fn the_file_beside_the_program_is_read_first() {
    let folder = Folder::new();
    let program = folder.path().join(engine().file_name().expect("a name"));
    std::fs::copy(engine(), &program).expect("a copy of the engine");
    folder.write("engine_options.txt", "MaxMovesToDraw 320\nNoSuchOption 1\n");
    let mut command = Command::new(&program);
    command.env("LC_ALL", "C").args(["doctor", "--seconds", "0", "-o", "MaxMovesToDraw=100"]);
    let report = Report::of(&output(&mut command), MARKS);
    assert_eq!(report.mark("options read from "), "note");
    assert_eq!(report.mark("NoSuchOption"), "bad");
    assert_eq!(report.mark("option MaxMovesToDraw stays `320`"), "note");
    assert_eq!(report.mark("MaxMovesToDraw 320"), "ok");
}

#[test]
fn mistakes_in_the_arguments_are_named_before_anything_is_checked() {
    for (arguments, part) in [
        (&["-o", "Threads"][..], "`Threads`"),
        (&["-o", "Theads=1"], "Theads"),
        (&["-o", "Threads=many"], "Threads"),
        (&["--csa", "host:99999"], "99999"),
        (&["--csa", ""], "there is no host"),
        (&["--seconds", "soon"], "--seconds"),
    ] {
        let output = output(command().arg("doctor").args(arguments));
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(2) && said.contains(part), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// The server must see connections without a single byte.
#[test]
fn the_round_trip_to_a_server_is_measured_without_a_login() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // For each of the two hosts one connection that is not timed, and five that are.
        for _ in 0..12 {
            let (mut peer, _) = listener.accept().expect("a connection");
            peer.read_to_end(&mut bytes).expect("the end of the connection");
        }
        bytes
    });
    // A name may also have addresses at which nobody listens.
    for host in ["127.0.0.1", "localhost"] {
        let report = doctor(&["--csa", &format!("{host}:{port}")]);
        let mark = report.mark(&format!("{host}:{port}: round trip "));
        assert!(mark == "ok" || mark == "check", "{}", report.text);
    }
    assert_eq!(server.join().expect("the server"), b"");
    let report = doctor(&["--csa", &format!("127.0.0.1:{port}")]);
    assert_eq!(report.mark(&format!("127.0.0.1:{port}: ")), "bad", "{}", report.text);
    let report = doctor(&["--csa", "no-such-host.invalid"]);
    assert_eq!(report.mark("no-such-host.invalid:4081: "), "bad", "{}", report.text);
}

#[test]
fn everything_is_said_in_japanese() {
    let is_japanese = |text: &str| {
        text.contains(|c| matches!(c, '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}'))
    };
    let missing = Path::new("no").join("such.db").display().to_string();
    let book = format!("BookFile={missing}");
    for options in [
        &[][..],
        &["EnteringKingRule=TryRule", "NetworkDelay2=0", "SkillLevel=1", "DepthLimit=1"],
        &["EnteringKingRule=NoEnteringKing", "NetworkDelay2=9999", "ResignValue=1", "MultiPV=9"],
        &["EvalFile=no.bin", &book, "MaxMovesToDraw=9", "Threads=1024", "USI_Hash=33554432"],
        &["EvalFile=<piece-square>", "MaxMovesToDraw=256"],
    ] {
        let mut command = command();
        command.args(["--lang", "ja", "doctor", "--seconds", "0", "--csa", "127.0.0.1:1"]);
        command.args(options.iter().flat_map(|option| ["-o", option]));
        let report = Report::of(&output(&mut command), MARKS_JA);
        for (_, said) in &report.lines {
            assert!(is_japanese(said) || said.starts_with("Monomi "), "{said}");
        }
    }
    let mut command = command();
    command.args(["--lang", "ja", "doctor", "--seconds", "1", "-o", "Threads=1"]);
    let report = Report::of(&output(&mut command), MARKS_JA);
    assert!(report.lines.iter().any(|(_, said)| said.starts_with("速度: ")), "{}", report.text);
    for (arguments, part) in [
        (&["-o", "Threads"][..], "`名前=値` の形"),
        (&["--csa", "host:0"], "ポート番号"),
        (&["-o", "Theads=1"], "Theads"),
    ] {
        let mut command = tests::program::command();
        command.args(["--lang", "ja", "doctor"]).args(arguments);
        let said = String::from_utf8(output(&mut command).stderr).expect("UTF-8");
        assert!(said.contains(part) && is_japanese(&said), "{said}");
    }
}
