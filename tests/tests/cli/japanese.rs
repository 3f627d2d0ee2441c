//! The program in Japanese: help, errors, output; and what stays the same.

use serde_json::Value;
use std::process::Output;
use std::process::Stdio;
use tests::folder::Folder;
use tests::help;
use tests::program::{command, engine};
use unicode_width::UnicodeWidthStr as _;

fn run(arguments: &[&str], lang: &str) -> Output {
    let output = command().args(["--lang", lang]).args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

fn out(arguments: &[&str], lang: &str) -> String {
    let output = run(arguments, lang);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Exit code and error text.
fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments, "ja");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}'))
}

/// Lines that are the same in all languages: usage and names of arguments whose description is on the
/// next line, examples, and the names of shells.
fn needs_no_japanese(line: &str) -> bool {
    let words = line.trim();
    words.is_empty()
        || words.starts_with("monomi ")
        || words.starts_with("grep ")
        || (line.starts_with("  ") && words.starts_with(['-', '[', '<']) && words.width() < 40)
}

#[test]
fn every_line_of_help_is_japanese() {
    let mut commands = help::commands(engine());
    commands.push(Vec::new());
    assert!(commands.len() > 15, "{commands:?}");
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = out(&words, "ja");
        assert!(help.contains("使い方: monomi") && help.contains("オプション:"), "{help}");
        for line in help.lines() {
            assert!(is_japanese(line) || needs_no_japanese(line), "{words:?}: {line}");
            let example = line.trim_start().starts_with("monomi ");
            assert!(line.width() <= 100 || example, "{words:?}: {line}");
        }
        // The same options and examples as in English.
        let english = out(&words, "en");
        assert!(
            !is_japanese(
                &english
                    .replace("評価値", "")
                    .replace("読み筋", "")
                    .replace("解析", "")
                    .replace("候補", "")
            ),
            "{english}"
        );
        for text in [&english, &help] {
            for word in text.split_whitespace().filter(|word| word.starts_with("--")) {
                let word: String =
                    word.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
                assert!(english.contains(&word) && help.contains(&word), "{words:?}: {word}");
            }
        }
        for example in english.lines().filter(|line| line.starts_with("  monomi ")) {
            assert!(help.contains(example), "{words:?}: {example}");
        }
        for line in english.lines() {
            let example = line.trim_start().starts_with("monomi ");
            assert!(line.width() <= 100 || example, "{words:?}: {line}");
        }
    }
}

#[test]
fn columns_are_aligned_by_width() {
    for words in [&["go", "--help"][..], &["book", "--help"], &["--help"]] {
        let help = out(words, "ja");
        // The column after names and spaces.
        let column = |line: &str| {
            // Not the continuation of a description or its list of values.
            let rest = line.trim_start();
            if !rest.starts_with('-') {
                return None;
            }
            let name = rest.find("  ").map(|at| &rest[..at])?;
            let text = rest[name.len()..].trim_start();
            is_japanese(text).then(|| line.width() - text.width())
        };
        let options = help.lines().skip_while(|line| *line != "オプション:").skip(1);
        let columns: Vec<usize> =
            options.take_while(|line| !line.is_empty()).filter_map(column).collect();
        assert!(
            columns.len() > 1 && columns.iter().all(|&c| c == columns[0]),
            "{columns:?}\n{help}"
        );
    }
}

#[test]
fn every_line_of_an_error_is_japanese() {
    for (arguments, part) in [
        (&["juggle"][..], "'juggle' というコマンドはありません"),
        (&["analyse"], "似ているコマンド: 'analyze'"),
        (&["go", "--nodez", "5"], "似ているオプション: '--nodes'"),
        (&["go", "--nodes"], "の値がありません"),
        (&["go", "--nodes", "many"], "数ではありません"),
        (&["go", "--multipv", "65535"], "1 から 600 の数を指定してください（65535 は不可）"),
        (&["go", "--hash", "0"], "1 以上の数"),
        (&["go", "--nodes", "1", "--nodes", "2"], "一度しか"),
        (&["go", "--infinite", "--depth", "3"], "同時に指定できません"),
        (&["go", "--searchmoves", "x"], "USI 形式の指し手ではありません"),
        (&["go", "--searchmoves", "7g7e"], "7g7e は指せません"),
        (&["perft"], "次の引数が必要です"),
        (&["perft", "3", "hello"], "`startpos` または SFEN が必要なところに `hello`"),
        (&["perft", "2", "startpos moves 7g7f 7g7f"], "2 手目の `7g7f`"),
        (&["go", "9/9/9 b - 1"], "段の数が 9 ではなく 3"),
        (&["completions", "dos"], "使える値: bash"),
        (&["analyze", "--shard", "9/3", "--positions", "x"], "I/N"),
        (&["analyze", "no/such.kif"], "そのようなファイル"),
        (&["analyze", "-o", "-", "-f", "csv,jsonl", "x.kif"], "一つの形式"),
        (&["book", "check", "no/such.db"], "no/such.db: そのような"),
        (&["book", "merge", "-o", "x.db", "x.bin"], "Apery"),
        (&["convert", "a.txt", "-o", "b.psv"], "形式"),
        (&["datagen", "--random-plies", "9-2", "x.mgr"], "より大きい"),
        (&["datagen", "--startpos-share", "2", "--openings", "x", "x.mgr"], "0 から 1 の数"),
        (&["eval", "--eval-file", "no/such.bin"], "no/such.bin: そのような"),
        (&["eval", "--eval-routing", "x"], "未知の選択方式"),
        (&["net", "info", "no/such.bin"], "そのような"),
        (&["csa", "--host", "x"], "`user` が設定されていません"),
        (&["man", "juggle"], "`juggle` というコマンド"),
        (&["records", "no/such.mgr"], "そのような"),
        (&["book"], "使い方"),
    ] {
        let (code, text) = failure(arguments);
        assert!(matches!(code, Some(1..=3)), "{arguments:?}: {code:?} {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        for line in text.lines() {
            assert!(is_japanese(line) || needs_no_japanese(line), "{arguments:?}: {line}");
        }
        // The same code as in English, and a text without Japanese.
        let english = run(arguments, "en");
        assert_eq!(english.status.code(), code, "{arguments:?}");
        let english = String::from_utf8(english.stderr).expect("UTF-8");
        assert!(!is_japanese(&english) && !english.is_empty(), "{arguments:?}: {english}");
    }
}

#[test]
fn an_unknown_language_is_named() {
    let output = command().env("LC_ALL", "ja_JP.UTF-8").args(["--lang", "fr"]).output();
    let output = output.expect("the engine runs");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.code() == Some(2) && text.contains("使える値: en、ja"), "{text}");
}

#[test]
fn faults_in_files_are_named_in_japanese() {
    let folder = Folder::new();
    let kif = folder.write("bad.kif", "手合割：平手\n   1 ７六歩(77)\n   2 ３三歩(33)\n");
    let (code, text) = failure(&["analyze", "--nodes", "100", &kif]);
    assert!(code == Some(3) && text.contains("3 行目 2 手目"), "{code:?} {text}");
    assert!(text.contains("同じです"), "{text}");
    let book = folder.write("bad.db", "sfen 9/9 b - 1\nhello\n");
    let (code, text) = failure(&["book", "check", &book]);
    assert!(
        code == Some(3) && text.contains("1 行目") && text.contains("指し手ではありません"),
        "{text}"
    );
    let list = folder.write("list.sfen", "startpos\nnonsense\n");
    let (code, text) = failure(&["analyze", "--positions", "--nodes", "10", &list]);
    assert!(code == Some(3) && text.contains("2 行目"), "{text}");
}

/// Output for people is in Japanese.
#[test]
fn summaries_are_japanese() {
    let folder = Folder::new();
    let game = folder.write("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n");
    let summary = out(&["analyze", "--nodes", "300", "-q", &game], "ja");
    assert!(summary.is_empty(), "{summary}");
    let summary = out(&["analyze", "--nodes", "300", &game], "ja");
    for part in ["（CSA、3 手、投了", "精度", "疑問手", "先手の勝率"] {
        assert!(summary.contains(part), "{summary}");
    }
    // The heading is as wide as the numbers below it.
    let lines: Vec<&str> = summary.lines().collect();
    let heading = lines.iter().position(|line| line.contains("精度")).expect("a heading");
    let numbers = lines[heading + 1].split('▲').next().expect("a name").trim_end();
    assert_eq!(lines[heading].width(), numbers.width(), "{summary}");
    let book = folder.file("book.db");
    assert_eq!(out(&["book", "build", "-o", &book, &game], "ja"), "1 局: 3 局面、3 手\n");
    assert!(out(&["book", "check", &book], "ja").contains("並び順は正しく"));
    assert!(out(&["book", "show", &book], "ja").contains("採用回数"));
    let mate = out(&["mate", "4k4/9/4P4/9/9/9/9/9/9 b G 1"], "ja");
    assert!(mate.starts_with("1 手詰: G*5b | ") && mate.contains("\n1 問: 詰み 1"), "{mate}");
    let eval = out(&["eval"], "ja");
    assert!(eval.contains("評価関数: ") && eval.contains("手番の先手から見た値"), "{eval}");
    let records = folder.file("g.mgr");
    let made =
        out(&["datagen", "-q", "--games", "1", "--nodes", "100", "--seed", "1", &records], "ja");
    assert!(made.contains(": 1 局、") && made.contains("シード 1"), "{made}");
    let counted = out(&["records", &records], "ja");
    assert!(counted.contains("終局の理由: ") && counted.contains("先手勝ち"), "{counted}");
    let psv = folder.file("g.psv");
    assert!(out(&["convert", &records, "-o", &psv], "ja").contains(": 1 局、"));
}

/// Programs read these.
#[test]
fn output_for_programs_does_not_depend_on_the_language() {
    let folder = Folder::new();
    let game = folder.write("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    for format in ["jsonl", "csv", "kifu", "csa", "svg"] {
        let words = ["analyze", "-q", "--nodes", "300", "-o", "-", "-f", format, &game];
        assert_eq!(out(&words, "ja"), out(&words, "en"), "{format}");
    }
    let words = ["go", "--nodes", "500", "--json"];
    let json = |lang| -> Value {
        let mut json: Value = serde_json::from_str(&out(&words, lang)).expect("JSON");
        json["time_ms"] = 0.into();
        json
    };
    assert_eq!(json("ja"), json("en"));
    // USI, as on a pipe.
    let ends = out(&["go", "--depth", "3"], "ja");
    assert!(ends.is_ascii() && ends.contains("bestmove "), "{ends}");
    let perft = out(&["perft", "2"], "ja");
    assert!(perft.is_ascii() && perft.ends_with("Total: 900\n"), "{perft}");
    assert!(out(&["bench", "--depth", "1"], "ja").is_ascii());
    // The engine itself.
    let mut child = command()
        .env("LC_ALL", "ja_JP.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, b"usi\nsetoption name Juggle value 1\nquit\n")
        .expect("open");
    drop(input);
    let said = child.wait_with_output().expect("it ends").stdout;
    let said = String::from_utf8(said).expect("UTF-8");
    assert!(said.contains("usiok") && said.contains("no option `Juggle`"), "{said}");
    assert!(!is_japanese(&said.replace("物見", "")), "{said}");
}

#[test]
fn the_locale_chooses_the_language() {
    let heading = |variables: &[(&str, &str)]| {
        let mut command = command();
        command.env_remove("LC_ALL").env_remove("LC_MESSAGES").env_remove("LANG");
        let output = command.envs(variables.iter().copied()).arg("--help").output();
        String::from_utf8(output.expect("the engine runs").stdout).expect("UTF-8")
    };
    for ja in [
        &[("LANG", "ja_JP.UTF-8")][..],
        &[("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "en_US.UTF-8")],
        &[("LC_ALL", "ja_JP.UTF-8"), ("LC_MESSAGES", "C")],
    ] {
        assert!(heading(ja).contains("使い方"), "{ja:?}");
    }
    for en in [&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")][..], &[("LANG", "ja_JP.eucJP")]] {
        assert!(heading(en).contains("Usage"), "{en:?}");
    }
    let forced = command().env("LC_ALL", "ja_JP.UTF-8").args(["--lang", "en", "--help"]).output();
    assert!(!is_japanese(&String::from_utf8_lossy(&forced.expect("the engine runs").stdout)));
}

#[test]
fn completions_and_manual_pages_exist_in_japanese() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = out(&["completions", shell], "ja");
        for word in ["multipv", "eval-file", "min-count"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
        // Bash shows no descriptions.
        assert!(shell == "bash" || script.contains("候補手の数"), "{shell}");
        let path = Folder::new();
        let file = path.write("script", &script);
        let check = std::process::Command::new(shell).args(["-n", &file]).output();
        match check {
            Ok(check) if ["bash", "zsh", "fish"].contains(&shell) => {
                assert!(check.status.success(), "{shell}: {check:?}");
            }
            _ => tests::report(&format!("skipped: no {shell} to check its script")),
        }
    }
    let folder = Folder::new();
    out(&["man", "--output", &folder.file("man")], "ja");
    for command in help::commands(engine()) {
        let name = format!("man/monomi-{}.1", command.join("-"));
        let page = std::fs::read_to_string(folder.file(&name)).expect("a page");
        assert!(page.contains(".SH 書式") && page.contains("例:"), "{page}");
        for line in page.lines().filter(|line| line.starts_with(".SH ")) {
            assert!(is_japanese(line), "{line}");
        }
    }
}
