//! Commands of USI as arguments: `monomi bench , quit`.

use crate::commands::genfens;
use crate::failure::Failure;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Words that begin commands of USI, and are no commands of the program.
const WORDS: [&str; 13] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "speedtest",
    "getoption",
    "compiler",
    "export_net",
    "genfens",
    "d",
    "display",
    "quit",
];

/// The lines in the arguments of the program, the first of which is its name. `None` if they are arguments
/// of another kind.
///
/// Three forms are recognised: commands separated by commas (`bench , quit`, as YaneuraOu reads them), one
/// command to an argument (`"genfens 4 seed 1 book None" quit`, as OpenBench sends them), and a single
/// command that only USI has (`speedtest 8`).
pub fn of(arguments: &[OsString]) -> Option<Vec<String>> {
    let words: Vec<&str> =
        arguments.get(1..)?.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    if words.contains(&",") {
        return Some(words.split(|&word| word == ",").map(|line| line.join(" ")).collect());
    }
    let first = words.first()?.trim();
    let word = first.split_whitespace().next()?;
    if !WORDS.contains(&word) {
        return None;
    }
    Some(match first == word {
        true => vec![words.join(" ")],
        false => words.iter().map(|&line| line.to_owned()).collect(),
    })
}

/// Executes the lines. The exit code is 1 if an answer was an error.
pub fn run(lines: &[String], out: &mut impl Write) -> Result<ExitCode, Failure> {
    match lines.first().map(|line| line.trim()) {
        Some(line) if line.split_whitespace().next() == Some("genfens") => {
            genfens::run(line, out)?;
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            let succeeded = monomi_usi::run_lines(lines)?;
            Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(arguments: &[&str]) -> Option<Vec<String>> {
        let all: Vec<OsString> =
            std::iter::once(&"monomi").chain(arguments).map(OsString::from).collect();
        of(&all)
    }

    #[test]
    fn three_forms_are_recognised() {
        let owned = |lines: &[&str]| Some(lines.iter().map(|&l| l.to_owned()).collect::<Vec<_>>());
        assert_eq!(lines(&["bench", ",", "quit"]), owned(&["bench", "quit"]));
        assert_eq!(
            lines(&["setoption", "name", "USI_Hash", "value", "16", ",", "bench", "16", "4"]),
            owned(&["setoption name USI_Hash value 16", "bench 16 4"])
        );
        assert_eq!(
            lines(&["genfens 4 seed 1 book None ", "quit"]),
            owned(&["genfens 4 seed 1 book None ", "quit"])
        );
        assert_eq!(lines(&["speedtest", "8"]), owned(&["speedtest 8"]));
        let others: [&[&str]; 4] = [&[], &["bench"], &["go", "--nodes", "5"], &["--version"]];
        for other in others {
            assert_eq!(lines(other), None, "{other:?}");
        }
    }
}
