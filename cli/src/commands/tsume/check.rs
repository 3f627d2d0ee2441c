//! `monomi tsume check`.

use crate::commands::problems::Problem;
use crate::commands::tsume::batch::{Common, Task};
use crate::commands::tsume::hands::hand_in_sfen;
use crate::commands::tsume::record::{Folder, check_record};
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_analysis::{Notation, usi};
use monomi_mate::tsume::{CheckResult, Defect, Severity, TsumeAnswer};
use monomi_movegen::Position;
use monomi_support::text::{Message as _, say};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi tsume check problem.kif
  monomi tsume check --json problems.sfen > checked.jsonl
  monomi tsume check --kif checked problems.sfen

The moves of a record, or `moves ...` after an SFEN, are taken as the intended solution.
docs/tsume.md explains the defects.

Exit codes: 0 every problem is sound; 1 failure; 2 invalid arguments or position; 3 a problem is
not sound or not decided, or some input is invalid; 130 interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct CheckArgs {
    #[command(flatten)]
    common: Common,
    /// Print one JSON object for each problem.
    #[arg(long)]
    json: bool,
    /// Write a record (KIF) of each solved problem with its defects into this folder.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kif: Option<PathBuf>,
}

pub fn run(args: &CheckArgs, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let folder = args.kif.as_deref().map(Folder::open).transpose()?;
    let notation = args.common.notation(lang);
    let work = |task: Task<'_>, problem: &Problem| {
        task.solver.check(&problem.position, &problem.solution, &task.limits, task.stop)
    };
    args.common.run(lang, work, |index, problem, checked| {
        if args.json {
            writeln!(out, "{}", in_json(problem, &checked))?;
        } else {
            let answer = describe(problem, &checked, notation, lang);
            writeln!(out, "{answer} | {}", problem.name)?;
        }
        if let (Some(folder), TsumeAnswer::Mate(solution)) = (&folder, &checked.solved.answer) {
            folder.write(index, &check_record(problem, solution, &checked.defects, lang))?;
        }
        Ok(checked.is_sound())
    })
}

fn in_json(problem: &Problem, checked: &CheckResult) -> serde_json::Value {
    let solution = match &checked.solved.answer {
        TsumeAnswer::Mate(solution) => Some(solution),
        _ => None,
    };
    json!({
        "sfen": problem.position.to_sfen(),
        "sound": if is_undecided(checked) { None } else { Some(checked.is_sound()) },
        "plies": solution.map(|solution| solution.line.len()),
        "line": solution.map(|solution| usi(&solution.line)),
        "shortest": solution.map(|solution| solution.shortest),
        "hand_left": solution.map(|solution| hand_in_sfen(solution.hand_left)),
        "defects": defects_in_json(&checked.defects),
    })
}

/// The objects of defects.
pub fn defects_in_json(defects: &[Defect]) -> Vec<serde_json::Value> {
    let object = |defect: &Defect| {
        let (ply, mv) = defect.place().unzip();
        let plies = match defect {
            Defect::Cook { plies, .. } => *plies,
            Defect::Shorter { plies, .. } | Defect::Longer { plies, .. } => Some(*plies),
            _ => None,
        };
        json!({
            "kind": defect.code(),
            "severity": severity(defect.severity()),
            "ply": ply,
            "move": mv.map(|mv| mv.to_string()),
            "plies": plies,
            "text": defect.in_lang(Lang::En).to_string(),
        })
    };
    defects.iter().map(object).collect()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Flaw => "flaw",
        Severity::Unsound => "unsound",
    }
}

/// Whether what makes the problem unsound is only that something was not decided.
fn is_undecided(checked: &CheckResult) -> bool {
    let mut serious =
        checked.defects.iter().filter(|defect| defect.severity() == Severity::Unsound).peekable();
    serious.peek().is_some()
        && serious.all(|defect| matches!(defect, Defect::Undecided | Defect::UndecidedMove { .. }))
}

/// The verdict, the solution and the defects in one line.
fn describe(problem: &Problem, checked: &CheckResult, notation: Notation, lang: Lang) -> String {
    let flawed = checked.defects.iter().any(|defect| defect.severity() == Severity::Flaw);
    let mut text = if is_undecided(checked) {
        say!(lang, "undecided", "判定不能")
    } else if !checked.is_sound() {
        say!(lang, "unsound", "不完全作")
    } else if flawed {
        say!(lang, "sound with flaws", "完全作（キズあり）")
    } else {
        say!(lang, "sound", "完全作")
    };
    let defects: Vec<String> = checked
        .defects
        .iter()
        .map(|defect| defect_text(&problem.position, checked, defect, notation, lang))
        .collect();
    if !defects.is_empty() {
        let between = if lang == Lang::Ja { "、" } else { "; " };
        text += &format!(": {}", defects.join(between));
    }
    if let TsumeAnswer::Mate(solution) = &checked.solved.answer {
        let line = notation.line(&problem.position, &solution.line);
        let plies = solution.line.len();
        let english = count(plies as u64, "ply", "plies");
        text += &say!(lang, " | {english}: {line}", " | {plies} 手: {line}");
    }
    text
}

/// A defect with its move.
fn defect_text(
    start: &Position,
    checked: &CheckResult,
    defect: &Defect,
    notation: Notation,
    lang: Lang,
) -> String {
    let text = defect.in_lang(lang);
    let Some((ply, mv)) = defect.place() else { return text.to_string() };
    let TsumeAnswer::Mate(solution) = &checked.solved.answer else { return text.to_string() };
    let before = &solution.line[..usize::from(ply) - 1];
    let mut position = start.clone();
    before.iter().for_each(|&mv| {
        position.do_move(mv);
    });
    let name = notation.line(&position, &[mv]);
    say!(lang, "move {ply} {name} {text}", "{ply} 手目{name} {text}")
}
