//! Puts the help into a language and breaks its lines.

use super::Lang;
use super::help_ja::{AFTER, TEXTS, Table, VALUE_NAMES};
use super::wrap::{flow, wrap};
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use unicode_width::UnicodeWidthStr as _;

/// Width of the help where it is not on a terminal, and its greatest width.
const WIDTH: usize = 100;
/// Columns before the description of an argument in addition to its longest name.
const INDENT: usize = 4;

/// Sections of manual pages.
pub const SECTIONS: [(&str, &str); 7] = [
    ("NAME", "名前"),
    ("SYNOPSIS", "書式"),
    ("DESCRIPTION", "説明"),
    ("OPTIONS", "オプション"),
    ("SUBCOMMANDS", "コマンド"),
    ("EXTRA", "補足"),
    ("VERSION", "バージョン"),
];

/// The program's commands with their texts in a language. Defaults and possible values are part of
/// the descriptions.
pub fn translated(mut command: Command, lang: Lang) -> Command {
    // Adds `help`, `--help` and the global options to every command.
    command.build();
    translate(command, "", lang)
}

fn translate(command: Command, path: &str, lang: Lang) -> Command {
    let mut command = command.mut_args(|arg| argument(arg, path, lang)).mut_subcommands(|sub| {
        let path = format!("{path} {}", sub.get_name());
        translate(sub, path.trim(), lang)
    });
    if lang == Lang::Ja {
        // The tree below `help` repeats the commands, for completions.
        let name = match path.strip_suffix("help") {
            Some(_) => "help".to_owned(),
            None => path.replacen("help ", "", 1),
        };
        if let Some(about) = text(&name) {
            command = command.about(about);
        }
        let examples = command.get_after_help().map(|text| examples(&text.to_string()));
        if let (Some(after), Some(examples)) = (entry(AFTER, &name), examples) {
            command = command.after_help(after.replace("{examples}", &examples));
        }
        let usage = command.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        let usage = usage.replace("[OPTIONS]", "[オプション]").replace("[COMMAND]", "[コマンド]");
        let usage = usage.replace("<COMMAND>", "<コマンド>");
        command = command.subcommand_value_name("コマンド").subcommand_help_heading("コマンド");
        command = command.override_usage(usage);
        let template = template(&command);
        command = command.help_template(template);
    }
    command
}

/// The examples of a text with their heading, and what belongs to them.
fn examples(text: &str) -> String {
    let lines = text.lines().filter(|line| line.starts_with("  ")).collect::<Vec<_>>().join("\n");
    format!("例:\n{lines}")
}

/// The sections of the help under Japanese headings.
fn template(command: &Command) -> StyledStr {
    let header = command.get_styles().get_header();
    let heading = |name: &str| format!("{}{name}:{}", header.render(), header.render_reset());
    let mut text = format!("{{about-with-newline}}\n{} {{usage}}", heading("使い方"));
    let mut section = |name: &str, tag: &str| {
        text.push_str(&format!("\n\n{}\n{{{tag}}}", heading(name)));
    };
    if command.get_subcommands().next().is_some() {
        section("コマンド", "subcommands");
    }
    if command.get_positionals().next().is_some() {
        section("引数", "positionals");
    }
    section("オプション", "options");
    text.push_str("{after-help}");
    text.into()
}

fn argument(arg: Arg, path: &str, lang: Lang) -> Arg {
    let id = arg.get_id().to_string();
    let mut help = match lang {
        Lang::En => arg.get_help().map(ToString::to_string),
        Lang::Ja => text_of(path, &id).map(ToOwned::to_owned),
    }
    .unwrap_or_default();
    // Without a long form, which would also change the layout.
    let arg = arg.long_help(None::<&'static str>);
    if id == "help" {
        let help = if lang == Lang::En { "Print help".to_owned() } else { help };
        return arg.action(ArgAction::HelpShort).help(help);
    }
    if !arg.get_action().takes_values() {
        return arg.help(help);
    }
    let values = arg.get_possible_values();
    let are_explained = values.iter().any(|value| value.get_help().is_some());
    let names: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
    let longest = names.iter().map(|name| name.len()).max().unwrap_or_default();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
    // `true` and `false` are in the name of the value.
    if !names.is_empty() && !are_explained && names != ["true", "false"] {
        help.push_str(&match lang {
            Lang::En => format!(" [possible values: {}]", names.join(", ")),
            Lang::Ja => format!("［{}］", names.join("、")),
        });
    }
    if !defaults.is_empty() {
        help.push_str(&match lang {
            Lang::En => format!(" [default: {}]", defaults.join(", ")),
            Lang::Ja => format!("［省略時: {}］", defaults.join("、")),
        });
    }
    if are_explained {
        for value in &values {
            let name = value.get_name();
            let text = match lang {
                Lang::En => value.get_help().map(ToString::to_string),
                Lang::Ja => text_of(path, &format!("{id}={name}")).map(ToOwned::to_owned),
            };
            help.push_str(&format!("\n  {name:longest$}  {}", text.unwrap_or_default()));
        }
    }
    let translated = |name: &clap::builder::Str| entry(&[VALUE_NAMES], name.as_str());
    let name = arg.get_value_names().and_then(|names| names.first()).and_then(translated);
    let arg = arg.help(help).hide_default_value(true).hide_possible_values(true);
    match name {
        Some(name) if lang == Lang::Ja => arg.value_name(name),
        _ => arg,
    }
}

/// Breaks the descriptions of arguments and what follows them so that they fit the terminal.
pub fn wrapped(command: Command, columns: Option<usize>) -> Command {
    let width = columns.unwrap_or(WIDTH).clamp(40, WIDTH);
    fit(command, width)
}

fn fit(command: Command, width: usize) -> Command {
    // As clap aligns them: short option, comma and space take four columns.
    let name = |arg: &Arg| arg.to_string().width() + if arg.is_positional() { 0 } else { 4 };
    let longest = |positional: bool| {
        let args = command.get_arguments().filter(|arg| arg.is_positional() == positional);
        args.map(name).max().unwrap_or_default()
    };
    let longest = [longest(false), longest(true)];
    let names = command.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or_default();
    let about = command.get_about().map(|text| wrap(&text.to_string(), width));
    // The text is written for the greatest width.
    let after = command.get_after_help().filter(|_| width < WIDTH);
    let after = after.map(|text| flow(&text.to_string(), width));
    let room = |longest: usize| width.saturating_sub(longest + INDENT).max(20);
    let command = command
        .mut_args(|arg| {
            let room = room(longest[usize::from(arg.is_positional())]);
            let help = arg.get_help().map(|text| wrap(&text.to_string(), room));
            arg.help(help.unwrap_or_default())
        })
        .mut_subcommands(|sub| fit(sub, width));
    // In the list of commands; each one's own help has more room.
    let command = command.mut_subcommands(|sub| {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        let joined = about.replace('\n', " ");
        if joined.width() + names + INDENT > width {
            let indented = wrap(&joined, room(names));
            return sub.about(indented);
        }
        sub
    });
    let command = match after {
        Some(after) => command.after_help(after),
        None => command,
    };
    match about {
        Some(about) => command.about(about),
        None => command,
    }
}

fn text_of(path: &str, id: &str) -> Option<&'static str> {
    keys_of(path, id).iter().find_map(|key| text(key))
}

/// The keys under which the text of an argument may be: that of the command, those of the commands
/// that it belongs to, that of all commands.
fn keys_of(path: &str, id: &str) -> Vec<String> {
    let parents = std::iter::successors(Some(path), |path| Some(path.rsplit_once(' ')?.0));
    parents.chain(["*"]).map(|path| format!("{path}.{id}")).collect()
}

fn text(key: &str) -> Option<&'static str> {
    entry(TEXTS, key)
}

fn entry(tables: &[Table], key: &str) -> Option<&'static str> {
    entries(tables).find(|entry| entry.0 == key).map(|entry| entry.1)
}

fn entries(tables: &[Table]) -> impl Iterator<Item = (&'static str, &'static str)> {
    tables.iter().flat_map(|table| table.iter().copied())
}

/// Keys of the tables that a command and its subcommands need, after which its texts were looked up;
/// a key without a text is an error.
#[cfg(test)]
pub fn missing_and_unused(mut command: Command) -> (Vec<String>, Vec<&'static str>) {
    fn walk(command: &Command, path: &str, needed: &mut Vec<Vec<String>>) {
        needed.push(vec![path.to_owned()]);
        if command.get_after_help().is_some() {
            needed.push(vec![format!("{path}/after")]);
        }
        for arg in command.get_arguments() {
            let mut ids = vec![arg.get_id().to_string()];
            for value in arg.get_possible_values() {
                if value.get_help().is_some() {
                    ids.push(format!("{}={}", arg.get_id(), value.get_name()));
                }
            }
            needed.extend(ids.iter().map(|id| keys_of(path, id)));
            let takes_values = arg.get_action().takes_values();
            let names = arg.get_value_names().filter(|_| takes_values).unwrap_or_default();
            needed.extend(names.iter().map(|name| vec![format!("<{name}>")]));
        }
        // The tree below `help` repeats all commands.
        for sub in command.get_subcommands().filter(|_| path != "help") {
            let name = format!("{path} {}", sub.get_name());
            // `book help` and `net help` are the same as `help`.
            if sub.get_name() != "help" || path.is_empty() {
                walk(sub, name.trim(), needed);
            }
        }
    }
    command.build();
    let mut needed = Vec::new();
    walk(&command, "", &mut needed);
    let after = entries(AFTER).map(|entry| format!("{}/after", entry.0));
    let names = VALUE_NAMES.iter().map(|entry| format!("<{}>", entry.0));
    let known: Vec<String> =
        entries(TEXTS).map(|entry| entry.0.to_owned()).chain(after).chain(names).collect();
    let is_known = |keys: &&Vec<String>| keys.iter().any(|key| known.contains(key));
    let missing = needed.iter().filter(|keys| !is_known(keys)).map(|keys| keys[0].clone());
    let unused = entries(TEXTS).map(|entry| entry.0);
    let unused =
        unused.filter(|key| !needed.iter().any(|keys| keys.iter().any(|needed| needed == key)));
    (missing.collect(), unused.collect())
}
