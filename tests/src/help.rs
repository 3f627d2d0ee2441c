//! The commands and examples in a program's `--help`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(program: &Path, arguments: &[&str]) -> Output {
    let output =
        Command::new(program).env("LC_ALL", "C").args(arguments).stdin(Stdio::null()).output();
    output.expect("the program starts")
}

fn help(program: &Path, command: &[String]) -> Vec<String> {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let output = run(program, &words);
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(ToOwned::to_owned).collect()
}

/// All commands and subcommands (`["book", "build"]`) of a program except `help`.
///
/// # Panics
/// `--help` fails.
pub fn commands(program: &Path) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(command) = open.pop() {
        let lines = help(program, &command);
        let list = lines.iter().skip_while(|line| *line != "Commands:").skip(1);
        for line in list.take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").and_then(|line| line.split(' ').next());
            if let Some(name) = name.filter(|name| !name.is_empty() && *name != "help") {
                open.push(command.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
        if !command.is_empty() {
            all.push(command);
        }
    }
    all
}

/// The examples in a command's help, split into words without quotes, up to a pipe or redirection.
///
/// # Panics
/// There is none.
pub fn examples(program: &Path, command: &[String]) -> Vec<Vec<String>> {
    let lines = help(program, command);
    let name = program
        .file_stem()
        .and_then(|name| name.to_str())
        .expect("a name")
        .trim_end_matches("-tested");
    let of_line = |line: &String| -> Option<Vec<String>> {
        let words = line.trim_start().strip_prefix(name)?.strip_prefix(' ')?;
        // What is in quotes, every second part, is one word.
        let words = words.split('\'').enumerate().flat_map(|(index, part)| match index % 2 {
            0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
            _ => vec![part],
        });
        Some(
            words
                .take_while(|word| !["|", "||", ">", ">>", "<", "2>"].contains(word))
                .map(ToOwned::to_owned)
                .collect(),
        )
    };
    let all: Vec<_> =
        lines.iter().skip_while(|line| *line != "Examples:").filter_map(of_line).collect();
    assert!(!all.is_empty(), "no examples for {command:?}: {lines:#?}");
    all
}

/// Checks that every command's help has examples that use the command and can be parsed.
///
/// # Panics
/// A command has no example, or one that cannot be parsed.
pub fn insist_on_examples(program: &Path) {
    for command in commands(program) {
        let examples = examples(program, &command);
        let uses = |example: &Vec<String>| command.iter().all(|word| example.contains(word));
        assert!(examples.iter().any(uses), "{command:?}: {examples:?}");
        for example in examples {
            // With `--help` appended the arguments are parsed but nothing is executed.
            let words: Vec<&str> = example.iter().map(String::as_str).chain(["--help"]).collect();
            assert!(run(program, &words).status.success(), "{example:?}");
        }
    }
}
