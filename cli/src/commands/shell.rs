//! `monomi completions` and `monomi man`.

use crate::commands::{Cli, commands};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, help};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, italic, roman};
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
    let mut commands = commands(lang);
    if args.shell == Shell::Zsh {
        commands = commands.mut_subcommands(with_commands_first);
    }
    clap_complete::generate(args.shell, &mut commands, "monomi", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Zsh {
        for command in commands.get_subcommands().filter(|command| command.has_subcommands()) {
            // A file may stand in the place of the command.
            let ask = format!("\":: :_monomi__subcmd__{}_commands\"", command.get_name());
            let either = ask
                .replace(":: :", ":: : _alternative 'commands:command:")
                .replace("_commands\"", "_commands' 'files:file:_files'\"");
            if is_optional(command) {
                script = script.replace(&ask, &either);
            }
        }
    }
    if args.shell == Shell::Fish {
        // The condition is false where the value is missing yet. This option is good everywhere.
        let condition = "-n \"__fish_monomi_needs_command\" ";
        script = script.replace(&format!("{condition}-l lang "), "-l lang ");
    }
    Ok(out.write_all(script.as_bytes())?)
}

/// Whether a command works without its commands, too, as `tsume FILE`.
fn is_optional(command: &Command) -> bool {
    command.has_subcommands() && command.is_args_conflicts_with_subcommands_set()
}

/// A command without its own positional arguments, where it has commands as well: zsh would only offer the commands
/// after them.
fn with_commands_first(command: Command) -> Command {
    if !is_optional(&command) {
        return command;
    }
    let options = command.get_arguments().filter(|argument| !argument.is_positional());
    let bin_name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let short = Command::new(command.get_name().to_owned())
        .bin_name(bin_name.to_owned())
        .args_conflicts_with_subcommands(true)
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .args(options.cloned())
        .subcommands(command.get_subcommands().cloned());
    match command.get_about() {
        Some(about) => short.about(about.clone()),
        None => short,
    }
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

/// Where the documents are that help texts name: an installed program has none.
const DOCUMENTS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");

fn page(command: &Command, lang: Lang) -> std::io::Result<Vec<u8>> {
    let version = concat!("monomi ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).source(version).manual("Monomi").render(&mut page)?;
    let mut text = String::from_utf8_lossy(&page).into_owned();
    if let Some((before, rest)) = text.split_once(".SH SYNOPSIS\n")
        && let Some((_, after)) = rest.split_once(".SH DESCRIPTION\n")
    {
        text = format!("{before}.SH SYNOPSIS\n{}.SH DESCRIPTION\n{after}", synopsis(command));
    }
    text = text.replace("docs/", &DOCUMENTS.replace('-', "\\-"));
    if lang == Lang::Ja {
        for (english, japanese) in help::SECTIONS {
            text = text.replace(&format!(".SH {english}\n"), &format!(".SH {japanese}\n"));
        }
    }
    Ok(text.into_bytes())
}

/// How a command is called, each option with its values.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut line = vec![bold(name)];
    let positional = command.get_positionals();
    let options = command.get_arguments().filter(|argument| !argument.is_positional());
    for argument in options.chain(positional).filter(|argument| !argument.is_hide_set()) {
        let optional = !argument.is_required_set();
        line.push(roman(if optional { " [" } else { " " }));
        let names = [
            argument.get_short().map(|short| format!("-{short}")),
            argument.get_long().map(|long| format!("--{long}")),
        ];
        let names: Vec<String> = names.into_iter().flatten().collect();
        for (name, index) in names.iter().zip(0..) {
            line.extend((index > 0).then(|| roman("|")));
            line.push(bold(name));
        }
        if argument.get_action().takes_values() {
            let values = argument.get_value_names().unwrap_or_default();
            line.extend((!names.is_empty()).then(|| roman(" ")));
            line.push(italic(values.join(" ")));
            let many = argument.get_num_args().is_some_and(|range| range.max_values() > 1);
            line.extend(many.then(|| roman("...")));
        }
        line.extend(optional.then(|| roman("]")));
    }
    if command.has_subcommands() {
        let value = command.get_subcommand_value_name().unwrap_or("COMMAND");
        let required = command.is_subcommand_required_set();
        line.push(roman(if required { " " } else { " [" }));
        line.push(italic(value));
        line.extend((!required).then(|| roman("]")));
    }
    let mut roff = Roff::new();
    roff.text(line);
    // Only the lines: a whole page begins with the definitions of roff.
    roff.to_roff()
}
