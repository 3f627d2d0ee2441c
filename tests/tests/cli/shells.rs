//! Completions as shells offer them, manual pages as `man` shows them, and the engine as the first process of a container.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tests::folder::Folder;
use tests::program::engine;
use tests::report;

fn output(arguments: &[&str]) -> String {
    let output = tests::program::command().args(arguments).output().expect("the engine runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_shell_knows_the_values_of_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = output(&["completions", shell]);
        // PowerShell's and elvish's generators know no values.
        if ["bash", "zsh", "fish"].contains(&shell) {
            for values in [["japanese", "western"], ["en", "ja"]] {
                let known = |line: &str| values.iter().all(|value| line.contains(value));
                let separate = values.iter().all(|value| {
                    script.lines().any(|line| line.trim_start().starts_with(&format!("{value}\\t")))
                });
                assert!(script.lines().any(known) || separate, "{values:?} for {shell}");
            }
        }
    }
}

/// What fish offers after a line.
#[test]
fn fish_offers_values_and_commands() {
    let folder = Folder::new();
    let script = folder.file("monomi.fish");
    std::fs::write(&script, output(&["completions", "fish"])).expect("written");
    let ask = |line: &str| {
        let code = format!("source {script}; complete -C '{line}'");
        Command::new("fish").args(["--no-config", "-c", &code]).output().ok()
    };
    for (line, offers) in [
        ("monomi --lang ", &["en", "ja"][..]),
        ("monomi go --notation ", &["japanese", "western", "usi"]),
        ("monomi tsume ", &["check", "make", "find", "book"]),
    ] {
        let Some(output) = ask(line) else { return report("skipped: there is no fish") };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let words: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(offers.iter().all(|offer| words.contains(offer)), "{line}: {text}");
    }
}

/// What zsh offers after a line: the function is called as on Tab, with the builtin that shows the matches replaced.
#[test]
fn zsh_offers_commands_beside_files() {
    const ASK: &str = r#"
        autoload -Uz compinit && compinit -u -d $ZDOTDIR/dump
        zmodload zsh/zpty
        zpty shell zsh -f -i
        ask() { zpty -w shell "$1"; }
        ask "PS1= ; fpath=($ZDOTDIR \$fpath); autoload -Uz compinit; compinit -u -d $ZDOTDIR/dump2"
        ask "zstyle ':completion:*' list-colors ''; LISTMAX=1000; unsetopt beep"
        ask "bindkey '^I' list-choices; cd $ZDOTDIR/files"
        ask "print READY"
        zpty -r shell text '*READY*READY*'
        zpty -w -n shell "monomi tsume "$'\t'
        sleep 3
        zpty -r -t shell text '*'
        while zpty -r -t shell more; do text+=$more; done
        print -r -- $text
        zpty -d shell
    "#;
    let folder = Folder::new();
    let files = folder.file("files");
    std::fs::create_dir_all(&files).expect("a folder");
    std::fs::write(Path::new(&files).join("problem.kif"), "").expect("written");
    std::fs::write(folder.file("_monomi"), output(&["completions", "zsh"])).expect("written");
    let zsh = Command::new("zsh")
        .args(["-f", "-c", ASK])
        .env("ZDOTDIR", Path::new(&files).parent().expect("a folder"))
        .env("TERM", "dumb")
        .output();
    let Ok(zsh) = zsh else { return report("skipped: there is no zsh") };
    let text = String::from_utf8_lossy(&zsh.stdout).into_owned();
    for offer in ["check", "make", "find", "book", "problem.kif"] {
        assert!(text.contains(offer), "{offer}: {text}\n{}", String::from_utf8_lossy(&zsh.stderr));
    }
}

#[test]
fn manual_pages_have_versions_and_values_and_name_no_missing_file() {
    let folder = Folder::new();
    let pages = folder.file("man");
    output(&["man", "--output", &pages]);
    let mut count = 0;
    for page in std::fs::read_dir(&pages).expect("pages") {
        let page = page.expect("an entry").path();
        let text = std::fs::read_to_string(&page).expect("a page");
        let title = text.lines().find(|line| line.starts_with(".TH")).expect("a title");
        let version = concat!("monomi ", env!("CARGO_PKG_VERSION"));
        assert!(title.replace("\\-", "-").contains(version), "{title}");
        for (place, _) in text.match_indices("docs/") {
            let before = &text[..place];
            assert!(before.ends_with("/blob/main/"), "{}: {}", page.display(), &text[place..]);
        }
        count += 1;
    }
    assert!(count > 25, "{count} pages");
    let go = std::fs::read_to_string(Path::new(&pages).join("monomi-go.1")).expect("a page");
    let synopsis = go.split(".SH SYNOPSIS\n").nth(1).expect("a synopsis");
    let synopsis = synopsis.split(".SH").next().expect("a section").replace("\\-", "-");
    assert!(synopsis.contains("\\fB--nodes\\fR \\fIN\\fR"), "{synopsis}");
    let japanese = output(&["man", "--lang", "ja", "go"]);
    assert!(japanese.contains(".SH 書式\n"), "{japanese}");
}

/// Starts the engine as the first process of a namespace of its own.
fn first_process() -> Option<Child> {
    let mut child = Command::new("unshare")
        .args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child"])
        .arg(engine())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    std::thread::sleep(Duration::from_millis(300));
    child.try_wait().ok()?.is_none().then_some(child)
}

#[test]
fn the_first_process_of_a_container_ends_at_signals() {
    for signal in ["-TERM", "-INT"] {
        let Some(mut child) = first_process() else {
            return report("skipped: unshare makes no namespaces");
        };
        let children = format!("/proc/{0}/task/{0}/children", child.id());
        let engine = std::fs::read_to_string(children).unwrap_or_default();
        let Some(engine) = engine.split_whitespace().next().map(str::to_owned) else {
            let _ = child.kill();
            return report("skipped: no /proc that lists children");
        };
        let input = child.stdin.as_mut().expect("a pipe");
        writeln!(input, "usi").expect("written");
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(status) = child.try_wait().expect("a status") {
                assert_eq!(status.code(), Some(130), "{signal}");
                break;
            }
            if Instant::now() > deadline {
                let _ = child.kill();
                panic!("the engine goes on after {signal}");
            }
            Command::new("kill").args([signal, &engine]).status().expect("kill runs");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}
