//! `monomi-tools mate-suite`.

use crate::opening::legal_move;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::{Silence, UsiEngine};
use anyhow::{Context, Result, ensure};
use clap::Args;
use monomi_movegen::Position;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi-tools mate-suite 'cmd=target/release/monomi USI_Hash=256' mate7.sfen --ms 1000

An answer counts as solved if every move is legal, every move of the attacker gives check, and the
end is mate. Whether the defender had better moves is not examined.")]
pub struct Arguments {
    /// The engine: `cmd=... OPTION=VALUE ...`, see `match --help`
    engine: EngineSpec,
    /// Problems: an sfen in each line; `moves ...` after it (a solution) is not used
    file: PathBuf,
    /// Milliseconds for each problem
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    ms: u64,
    /// Seconds to wait for an answer after the time is up
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::spec::seconds)]
    hang: Duration,
    /// The first problems of the file only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Accept `nomate`; without this every problem has a mate, and `nomate` is wrong
    #[arg(long)]
    allow_nomate: bool,
    /// List the solved problems, too
    #[arg(long)]
    verbose: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Why a line of moves is no mate; `Ok` if it is one.
fn verify(start: &Position, moves: &[&str]) -> Result<(), String> {
    let mut position = start.clone();
    for (index, text) in moves.iter().enumerate() {
        let number = index + 1;
        let mv = legal_move(&position, text)
            .ok_or_else(|| format!("move {number} `{text}` is not legal"))?;
        position.do_move(mv);
        if index % 2 == 0 && !position.in_check() {
            return Err(format!("move {number} `{text}` gives no check"));
        }
    }
    if moves.len() % 2 == 1 && !position.has_legal_move() {
        Ok(())
    } else {
        Err("the last position is not mate".to_owned())
    }
}

/// Solves the file.
///
/// # Errors
/// The file cannot be read or contains a bad sfen, or the engine does not start.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let path = arguments.file.display();
    let text =
        std::fs::read_to_string(&arguments.file).with_context(|| format!("cannot read {path}"))?;
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let sfen = line.split_once("moves").map_or(line, |(sfen, _)| sfen).trim();
        if !sfen.is_empty() && !sfen.starts_with('#') {
            let position =
                Position::from_sfen(sfen).with_context(|| format!("{path} line {}", number + 1))?;
            problems.push((number + 1, position));
        }
    }
    problems.truncate(arguments.limit.unwrap_or(usize::MAX));
    ensure!(!problems.is_empty(), "{path} contains no problems");
    let stop = Stop::on_interrupt()?;
    let mut engine = UsiEngine::start(&arguments.engine, stop.flag())?;
    let mut out = std::io::stdout().lock();
    let (mut wrong, mut timeouts, mut nomates) = (0, 0, 0);
    let mut solved: Vec<(Duration, usize)> = Vec::new();
    let patience = Duration::from_millis(arguments.ms) + arguments.hang;
    let go = format!("go mate {}", arguments.ms);
    for (number, position) in &problems {
        let sfen = format!("sfen {}", position.to_sfen());
        let fault = match engine.ask(&sfen, &go, "checkmate", patience, |_| {}) {
            Err(Silence::Interrupted) => break,
            Err(silence) => {
                drop(engine);
                engine = UsiEngine::start(&arguments.engine, stop.flag())?;
                Some(match silence {
                    Silence::TimedOut => "no answer".to_owned(),
                    _ => "the engine ended".to_owned(),
                })
            }
            Ok(answer) => {
                let moves: Vec<&str> = answer.line.split_ascii_whitespace().skip(1).collect();
                match moves[..] {
                    ["timeout"] => {
                        timeouts += 1;
                        None
                    }
                    ["notimplemented"] => anyhow::bail!("the engine does not solve mates"),
                    ["nomate"] if arguments.allow_nomate => {
                        nomates += 1;
                        None
                    }
                    ["nomate"] => Some("says nomate".to_owned()),
                    _ => match verify(position, &moves) {
                        Err(fault) => Some(format!("{fault}: {}", answer.line)),
                        Ok(()) => {
                            solved.push((answer.time, moves.len()));
                            if arguments.verbose && !arguments.json {
                                let ms = answer.time.as_secs_f64() * 1000.0;
                                writeln!(out, "line {number}: {ms:.1} ms {} plies", moves.len())?;
                            }
                            None
                        }
                    },
                }
            }
        };
        if let Some(fault) = fault {
            wrong += 1;
            let mut out = std::io::stderr().lock();
            let _ = writeln!(out, "wrong: line {number}: {fault}");
        }
    }
    engine.quit();
    let total: Duration = solved.iter().map(|(time, _)| *time).sum();
    let mut times: Vec<Duration> = solved.iter().map(|(time, _)| *time).collect();
    times.sort_unstable();
    let median = times.get(times.len() / 2).map(|time| time.as_secs_f64() * 1000.0);
    let plies: usize = solved.iter().map(|(_, plies)| plies).sum();
    let length = (!solved.is_empty()).then(|| plies as f64 / solved.len() as f64);
    if arguments.json {
        let result = json!({ "problems": problems.len(), "solved": solved.len(), "wrong": wrong,
            "timeout": timeouts, "nomate": nomates, "median_ms": median,
            "total_seconds": total.as_secs_f64(), "mean_plies": length });
        writeln!(out, "{result}")?;
    } else {
        write!(out, "solved {} of {}, wrong {wrong}, ", solved.len(), problems.len())?;
        write!(out, "timeout {timeouts}, nomate {nomates}")?;
        if let (Some(median), Some(length)) = (median, length) {
            let total = total.as_secs_f64();
            write!(out, "; median {median:.1} ms, total {total:.1} s, mean {length:.1} plies")?;
        }
        writeln!(out)?;
    }
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::from(u8::from(wrong > 0)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mates_by_checks_are_accepted() {
        // Two golds in hand against a bare king at the edge.
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        assert_eq!(verify(&position, &["G*5b"]), Ok(()));
        let fault = |moves: &[&str]| verify(&position, moves).unwrap_err();
        assert!(fault(&["G*5a"]).contains("move 1 `G*5a` is not legal"));
        assert!(fault(&["hello"]).contains("not legal"));
        assert!(fault(&["G*9i"]).contains("gives no check"));
        assert!(fault(&["G*4b"]).contains("not mate"));
        assert!(fault(&["G*4b", "5a6a"]).contains("not mate"));
        assert!(fault(&[]).contains("not mate"));
    }
}
