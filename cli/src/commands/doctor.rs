//! `monomi doctor`: checks machine, options and files.

mod machine;
mod options;
mod server;

use crate::commands::PARTLY;
use crate::commands::values::parsed;
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_support::text::{Message, messages};
use monomi_usi::{FileNote, Setup};
use server::Server;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

const AFTER_HELP: &str = "\
A line begins with `ok`, `note`, `check` (look at this) or `bad`.

Examples:
  monomi doctor
  monomi doctor -o EvalFile=nn.bin -o Threads=8 -o MaxMovesToDraw=320
  monomi doctor --csa wdoor.c.u-tokyo.ac.jp --seconds 0

Exit codes: 0 nothing is wrong; 1 something would lose games, or a file cannot be used; 2 invalid
command line; 3 something should be looked at.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// An option as the GUI sets it; may be repeated. What engine_options.txt sets comes first.
    #[arg(short, long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Measures the round trip to a CSA server, too (port 4081 unless given), without logging in.
    #[arg(long, value_name = "HOST[:PORT]", value_parser = parsed::<Server>)]
    csa: Option<Server>,
    /// Seconds for the measurement of speed; 0 leaves it out.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parsed::<u32>)]
    seconds: u32,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Good,
    Note,
    Check,
    Bad,
}

/// A line of the report.
#[derive(Debug)]
struct Finding {
    grade: Grade,
    text: String,
}

/// The report so far.
struct Report<'a, W> {
    out: &'a mut W,
    lang: Lang,
    worst: Grade,
}

impl<W: Write> Report<'_, W> {
    fn add(&mut self, Finding { grade, text }: Finding) -> std::io::Result<()> {
        self.worst = self.worst.max(grade);
        let mark = match (grade, self.lang) {
            (Grade::Good, Lang::En) => "ok   ",
            (Grade::Note, Lang::En) => "note ",
            (Grade::Check, Lang::En) => "check",
            (Grade::Bad, Lang::En) => "bad  ",
            (Grade::Good, Lang::Ja) => "○",
            (Grade::Note, Lang::Ja) => "・",
            (Grade::Check, Lang::Ja) => "△",
            (Grade::Bad, Lang::Ja) => "×",
        };
        writeln!(self.out, "{mark} {text}")
    }

    fn add_all(&mut self, findings: impl IntoIterator<Item = Finding>) -> std::io::Result<()> {
        findings.into_iter().try_for_each(|finding| self.add(finding))
    }
}

fn good(text: String) -> Finding {
    Finding { grade: Grade::Good, text }
}

fn note(text: String) -> Finding {
    Finding { grade: Grade::Note, text }
}

fn check(text: String) -> Finding {
    Finding { grade: Grade::Check, text }
}

fn bad(text: String) -> Finding {
    Finding { grade: Grade::Bad, text }
}

messages! {
    /// An option that is not `NAME=VALUE`.
    struct NotAnOption(text: String) =>
        "expected NAME=VALUE, got `{text}`", "`名前=値` の形で指定してください（指定: `{text}`）";
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let program = std::env::current_exe()?;
    let mut setup = Setup::in_folder(program.parent().unwrap_or(&program));
    let fixed = set_options(&mut setup, &args.option)?;
    let mut report = Report { out, lang, worst: Grade::Good };
    report.add_all(machine::findings(&program, setup.options(), lang))?;
    report.add_all(setup.take_notes().into_iter().map(|said| match said {
        Ok(read) => note(read.in_lang(lang).to_string()),
        Err(error) => bad(error.in_lang(lang).to_string()),
    }))?;
    report.add_all(fixed.iter().map(|fixed| note(fixed.in_lang(lang).to_string())))?;
    report.add_all(options::findings(&setup, lang))?;
    if args.seconds > 0 {
        let time = Duration::from_secs(args.seconds.into());
        report.add_all(machine::speed(setup.options(), time, lang))?;
    }
    if let Some(server) = &args.csa {
        report.add(server.round_trip(lang))?;
    }
    Ok(match report.worst {
        Grade::Good | Grade::Note => ExitCode::SUCCESS,
        Grade::Check => PARTLY.into(),
        Grade::Bad => ExitCode::FAILURE,
    })
}

/// Sets options as a GUI does. Returns which of them files have fixed.
fn set_options(setup: &mut Setup, options: &[String]) -> Result<Vec<FileNote>, Failure> {
    let mut fixed = Vec::new();
    for text in options {
        let (name, value) =
            text.split_once('=').ok_or_else(|| Failure::usage(NotAnOption(text.clone())))?;
        fixed.extend(setup.set(name.trim(), value.trim()).map_err(Failure::usage)?);
    }
    Ok(fixed)
}
