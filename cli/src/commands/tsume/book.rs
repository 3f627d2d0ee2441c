//! `monomi tsume book`.

use crate::commands::problems::Problem;
use crate::commands::tsume::batch::{Common, Task};
use crate::commands::tsume::diagram;
use crate::commands::tsume::hands::hand_text;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_analysis::Notation;
use monomi_mate::tsume::{TsumeAnswer, attacker};
use monomi_movegen::{PackedMove, Position, rotated};
use monomi_support::batch::files;
use monomi_support::text::{escaped, say};
use shogi_core::Color;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi tsume book problems.sfen -o book.html
  monomi tsume book --title 'Mates in 5' problems.sfen -o book.html
  monomi tsume make --plies 5 --count 24 | monomi tsume book - -o book.html

The page has six diagrams to a sheet and the answers at the end. Print it from a browser, also to a
PDF. The attacker is always at the bottom. Where a problem is not solved within the limits, the page
shows the moves given with it.

Exit codes: 0 done; 1 failure; 2 invalid arguments or position; 3 done, but a problem is not solved
or some input is invalid; 130 interrupted: the page has the problems solved before.";

/// Problems on a sheet.
const SHEET: usize = 6;

const STYLE: &str = "\
body{font-family:serif;color:#111;background:#fff;max-width:48rem;margin:1rem auto;padding:0 1rem}\
h1,h2{text-align:center;font-weight:normal}\
.sheet{display:grid;grid-template-columns:1fr 1fr;gap:1rem 2rem;margin-bottom:2rem}\
figure{margin:0;break-inside:avoid}figcaption{text-align:center;margin-bottom:.2rem}\
a{color:inherit;text-decoration:none}li{margin:.4rem 0;break-inside:avoid}\
.source{color:#555;font-size:.8em;overflow-wrap:anywhere}\
@page{size:A4;margin:12mm}\
@media print{body{max-width:none;margin:0;padding:0}.sheet{break-after:page;margin:0}\
.sheet svg{max-height:72mm}}";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct BookArgs {
    #[command(flatten)]
    common: Common,
    /// Title of the page.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// HTML file to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
}

/// A problem as it is printed.
struct Entry {
    position: Position,
    /// The solution; `None` if there is no mate or it is not known.
    line: Option<Vec<PackedMove>>,
    /// What else to say with the answer.
    remark: Option<String>,
    source: String,
}

pub fn run(args: &BookArgs, lang: Lang) -> Result<ExitCode, Failure> {
    let mut entries = Vec::new();
    let work = |task: Task<'_>, problem: &Problem| {
        let (position, given) = from_below(problem);
        let answer = task.solver.solve(&position, &task.limits, task.stop).answer;
        let solved = matches!(&answer, TsumeAnswer::Mate(solution) if solution.shortest);
        (Entry::new(position, answer, given, problem, lang), solved)
    };
    let code = args.common.run(lang, work, |_, _, (entry, solved)| {
        entries.push(entry);
        Ok(solved)
    })?;
    let title = match &args.title {
        Some(title) => title.clone(),
        None => say!(lang, "Tsume problems", "詰将棋"),
    };
    let page = page(&entries, &title, args.common.notation(lang), lang);
    files::write(&args.output, page.as_bytes())
        .with_context(|| Doing::Writing(args.output.clone()))?;
    Ok(code)
}

/// The position and the moves given with it, rotated if White is the attacker.
fn from_below(problem: &Problem) -> (Position, Vec<PackedMove>) {
    let Problem { position, solution, .. } = problem;
    if attacker(position) == Color::White
        && let Ok(rotated) = Position::from_partial(&rotated(&position.to_partial()))
    {
        return (rotated, solution.iter().map(|mv| mv.flipped()).collect());
    }
    (position.clone(), solution.clone())
}

impl Entry {
    fn new(
        position: Position,
        answer: TsumeAnswer,
        given: Vec<PackedMove>,
        problem: &Problem,
        lang: Lang,
    ) -> Self {
        let given = Some(given).filter(|moves| !moves.is_empty());
        let (line, remark) = match answer {
            TsumeAnswer::Mate(solution) => {
                let unproven = || say!(lang, "not proven to be the shortest", "最短の証明なし");
                let hand = hand_text(solution.hand_left, lang);
                let left = || say!(lang, "left in hand: {hand}", "駒余り: {hand}");
                let remark = match (solution.shortest, solution.leaves_pieces()) {
                    (false, _) => Some(unproven()),
                    (true, true) => Some(left()),
                    (true, false) => None,
                };
                (Some(solution.line), remark)
            }
            TsumeAnswer::NoMate => (None, Some(say!(lang, "no mate", "不詰"))),
            TsumeAnswer::Unknown => (given, Some(say!(lang, "not solved", "未解決"))),
        };
        Self { position, line, remark, source: problem.name.clone() }
    }

    fn caption(&self, number: usize, lang: Lang) -> String {
        let Some(line) = &self.line else {
            return say!(lang, "Problem {number}", "第{number}番");
        };
        let plies = line.len();
        let english = count(plies as u64, "ply", "plies");
        say!(lang, "Problem {number}: {english}", "第{number}番　{plies} 手詰")
    }

    fn answer(&self, notation: Notation, lang: Lang) -> String {
        let line = self.line.as_ref().map(|line| notation.line(&self.position, line));
        let remark = self.remark.as_ref().map(|remark| say!(lang, "({remark})", "（{remark}）"));
        [line, remark].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn page(entries: &[Entry], title: &str, notation: Notation, lang: Lang) -> String {
    let (code, answers) = match lang {
        Lang::En => ("en", "Answers"),
        Lang::Ja => ("ja", "解答"),
    };
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        diagram::STYLE
    );
    for (sheet, entries) in entries.chunks(SHEET).enumerate() {
        page.push_str("<section class=\"sheet\">\n");
        for (entry, number) in entries.iter().zip(sheet * SHEET + 1..) {
            let caption = escaped(&entry.caption(number, lang));
            let svg = diagram::board(&entry.position, &caption, lang);
            let _ = writeln!(
                page,
                "<figure id=\"p{number}\"><figcaption><a href=\"#a{number}\">{caption}</a>\
                 </figcaption>{svg}</figure>"
            );
        }
        page.push_str("</section>\n");
    }
    let _ = writeln!(page, "<section class=\"answers\">\n<h2>{answers}</h2>\n<ol>");
    for (entry, number) in entries.iter().zip(1..) {
        let answer = escaped(&entry.answer(notation, lang));
        let source = escaped(&entry.source);
        let _ = writeln!(
            page,
            "<li id=\"a{number}\"><a href=\"#p{number}\">{answer}</a> \
             <span class=\"source\">{source}</span></li>"
        );
    }
    page.push_str("</ol>\n</section>\n</body>\n</html>\n");
    page
}
