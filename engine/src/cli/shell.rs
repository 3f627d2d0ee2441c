//! `monomi completions` and `monomi man`.

use crate::cli::Cli;
use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

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

pub(super) fn completions(args: &CompletionArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // Into memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "monomi", &mut script);
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

pub(super) fn man(args: &ManArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // Without the `help` commands, which would get pages of their own.
    let mut program = without_help(Cli::command());
    // Gives the commands their full names.
    program.build();
    if let Some(folder) = &args.output {
        let write = || {
            std::fs::create_dir_all(folder)?;
            clap_mangen::generate_to(program, folder)
        };
        return write().with_context(|| format!("cannot write to {}", folder.display()));
    }
    let mut command = &program;
    for name in &args.command {
        command = command
            .find_subcommand(name)
            .ok_or_else(|| super::Usage(format!("there is no command `{name}`")))?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(out.write_all(&page)?)
}

fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}
