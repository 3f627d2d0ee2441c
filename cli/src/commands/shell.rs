//! `monomi completions` and `monomi man`.

use crate::commands::{Cli, commands};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, help};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use monomi_support::text::messages;
use std::io::Write;
use std::path::{Path, PathBuf};

const COMPLETIONS_HELP: &str = "\
Examples:
  monomi completions bash > ~/.local/share/bash-completion/completions/monomi
  monomi completions zsh > \"${fpath[1]}/_monomi\"
  monomi completions fish > ~/.config/fish/completions/monomi.fish
  monomi completions powershell >> $PROFILE";

#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(super) struct CompletionArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(
    args: &CompletionArgs,
    out: &mut impl Write,
    lang: Lang,
) -> Result<(), Failure> {
    // Into memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut commands(lang), "monomi", &mut script);
    Ok(out.write_all(&script)?)
}

const MAN_HELP: &str = "\
Examples:
  monomi man | man -l -
  monomi man analyze | man -l -
  monomi man --output ~/.local/share/man/man1";

#[derive(Debug, clap::Args)]
#[command(after_help = MAN_HELP)]
pub(super) struct ManArgs {
    /// Command whose page to write [default: the program].
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Vec<String>,
    /// Folder for all pages (monomi.1, monomi-go.1, ...); created if missing.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn man(args: &ManArgs, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    // Without the `help` commands, which would get pages of their own.
    let program = help::translated(without_help(Cli::command()), lang);
    if let Some(folder) = &args.output {
        let write = || {
            std::fs::create_dir_all(folder)?;
            write_pages(&program, folder, lang)
        };
        return write().with_context(|| Doing::Writing(folder.clone()));
    }
    let mut command = &program;
    for name in &args.command {
        command =
            command.find_subcommand(name).ok_or_else(|| Failure::usage(NoCommand(name.clone())))?;
    }
    Ok(out.write_all(&page(command, lang)?)?)
}

messages! {
    /// The name of no command.
    struct NoCommand(name: String) =>
        "there is no command `{name}`", "`{name}` というコマンドはありません";
}

fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: &Command, folder: &Path, lang: Lang) -> std::io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    std::fs::write(folder.join(format!("{name}.1")), page(command, lang)?)?;
    command.get_subcommands().try_for_each(|sub| write_pages(sub, folder, lang))
}

fn page(command: &Command, lang: Lang) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    if lang == Lang::En {
        return Ok(page);
    }
    let mut text = String::from_utf8_lossy(&page).into_owned();
    for (english, japanese) in help::SECTIONS {
        text = text.replace(&format!(".SH {english}\n"), &format!(".SH {japanese}\n"));
    }
    Ok(text.into_bytes())
}
