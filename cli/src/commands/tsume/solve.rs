//! `monomi tsume`: solutions as text, JSON and records.

use crate::commands::problems::Problem;
use crate::commands::tsume::batch::{Common, Task};
use crate::commands::tsume::hands::{hand_in_sfen, hand_text};
use crate::commands::tsume::record::{Folder, solution_record};
use crate::commands::values::within;
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_analysis::{Notation, usi};
use monomi_mate::tsume::{TsumeAnswer, TsumeResult, Variation};
use monomi_support::text::say;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Nodes for the variations of a record.
const VARIATION_NODES: u64 = 5_000_000;

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    common: Common,
    /// Print one JSON object for each problem.
    #[arg(long)]
    json: bool,
    /// Search only for mates of at most this many plies.
    #[arg(long, value_name = "N", value_parser = within(1..=9_999u16))]
    plies: Option<u16>,
    /// Write a record (KIF) of each solved problem with its variations into this folder.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kif: Option<PathBuf>,
}

struct Solved {
    result: TsumeResult,
    variations: Vec<Variation>,
}

pub fn run(args: &SolveArgs, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let folder = args.kif.as_deref().map(Folder::open).transpose()?;
    let notation = args.common.notation(lang);
    let work = |task: Task<'_>, problem: &Problem| {
        let limits = task.limits.with_plies(args.plies);
        let (solver, root, report) = (task.solver, &problem.position, Some(task.report));
        let result = solver.solve_reporting(root, &limits, task.stop, report);
        let mut variations = Vec::new();
        if let TsumeAnswer::Mate(solution) = &result.answer
            && args.kif.is_some()
        {
            let limits = limits.with_nodes(VARIATION_NODES);
            variations = solver.variations(root, solution, &limits, task.stop);
        }
        Solved { result, variations }
    };
    args.common.run(lang, work, |index, problem, solved| {
        let result = &solved.result;
        if args.json {
            writeln!(out, "{}", in_json(problem, result))?;
        } else {
            let ms = result.time.as_secs_f64() * 1e3;
            let answer = describe(problem, result, args.plies, notation, lang);
            let (nodes, name) = (result.nodes, &problem.name);
            let english = count(nodes, "node", "nodes");
            say!(
                lang,
                out,
                "{answer} | {ms:.1} ms, {english} | {name}\n",
                "{answer} | {ms:.1} ミリ秒、{nodes} ノード | {name}\n"
            )?;
        }
        if let (Some(folder), TsumeAnswer::Mate(solution)) = (&folder, &result.answer) {
            let record = solution_record(problem, solution, &solved.variations, lang);
            folder.write(index, &record)?;
        }
        Ok(true)
    })
}

/// The object of a problem.
fn in_json(problem: &Problem, result: &TsumeResult) -> serde_json::Value {
    let sfen = problem.position.to_sfen();
    match &result.answer {
        TsumeAnswer::Mate(solution) => json!({
            "sfen": sfen,
            "answer": "mate",
            "plies": solution.line.len(),
            "line": usi(&solution.line),
            "shortest": solution.shortest,
            "at_least": result.at_least,
            "hand_left": hand_in_sfen(solution.hand_left),
            "nodes": result.nodes,
        }),
        other => json!({
            "sfen": sfen,
            "answer": if *other == TsumeAnswer::NoMate { "nomate" } else { "unknown" },
            "plies": null,
            "at_least": (result.at_least < u16::MAX).then_some(result.at_least),
            "nodes": result.nodes,
        }),
    }
}

fn describe(
    problem: &Problem,
    result: &TsumeResult,
    plies: Option<u16>,
    notation: Notation,
    lang: Lang,
) -> String {
    let shorter = result.at_least.saturating_sub(1);
    match (&result.answer, plies) {
        (TsumeAnswer::Mate(solution), _) => {
            let length = solution.line.len();
            let line = notation.line(&problem.position, &solution.line);
            let mut text = say!(lang, "mate in {length}: {line}", "{length} 手詰: {line}");
            if !solution.shortest {
                text += &say!(
                    lang,
                    " (not proven to be the shortest; at least {})",
                    "（最短とは証明されていません。{} 手以上）",
                    result.at_least
                );
            }
            if solution.leaves_pieces() {
                let hand = hand_text(solution.hand_left, lang);
                text += &say!(lang, " (left in hand: {hand})", "（駒余り: {hand}）");
            }
            text
        }
        (TsumeAnswer::NoMate, Some(plies)) => {
            say!(lang, "no mate within {plies}", "{plies} 手以内の詰みなし")
        }
        (TsumeAnswer::NoMate, None) => say!(lang, "no mate", "不詰"),
        (TsumeAnswer::Unknown, _) if shorter > 0 => {
            say!(lang, "unknown (no mate within {shorter})", "不明（{shorter} 手以内の詰みなし）")
        }
        (TsumeAnswer::Unknown, _) => say!(lang, "unknown", "不明"),
    }
}
