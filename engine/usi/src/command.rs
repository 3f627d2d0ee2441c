//! Parses lines into commands. Parsing never fails; errors are reported as part of the command.

use crate::go::{ClockParts, GoCommand};
use crate::syntax_error::SyntaxError;
use crate::tool::Tool;

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// An empty line.
    Empty,
    /// `usi`: asks for the name and the options.
    Usi,
    /// `isready`.
    IsReady,
    /// `setoption name NAME value VALUE`; the value keeps its spaces and may be missing.
    SetOption {
        /// Words of the name, one space between them.
        name: String,
        /// The rest of the line; `None` without the word `value`.
        value: Option<String>,
    },
    /// `usinewgame`.
    NewGame,
    /// `position ...`: the rest of the line, for [`monomi_movegen::position_text::read`].
    Position(String),
    /// `go ...`.
    Go(GoCommand),
    /// `stop`.
    Stop,
    /// `ponderhit`, with the clock if the GUI sends it only now.
    PonderHit(ClockParts),
    /// `gameover win|lose|draw`.
    GameOver,
    /// `quit`.
    Quit,
    /// `d`, `display`: shows the position.
    Display,
    /// `eval`: evaluates the position without a search.
    Eval,
    /// `getoption NAME`: shows the value of an option, or of all without a name.
    GetOption(String),
    /// `compiler`: shows how the program was built.
    Compiler,
    /// `bench`, `speedtest` or `export_net`.
    Tool(Tool),
    /// `help`: the commands that a person types.
    Help,
    /// Something else: its first word.
    Unknown(String),
}

/// Reads a line.
pub fn parse(line: &str) -> (Command, Vec<SyntaxError>) {
    // Windows shells put a byte-order mark before piped input.
    let line = line.trim_start_matches('\u{feff}').trim();
    let (word, rest) = split_word(line);
    let mut errors = Vec::new();
    let command = match word {
        "" => Command::Empty,
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "setoption" => parse_setoption(rest).unwrap_or_else(|| {
            errors.push(SyntaxError::MissingName);
            Command::Empty
        }),
        "usinewgame" => Command::NewGame,
        "position" => Command::Position(rest.to_owned()),
        "go" => Command::Go(GoCommand::parse(rest, &mut errors)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit(ClockParts::parse(rest, &mut errors)),
        "gameover" => Command::GameOver,
        "quit" => Command::Quit,
        "d" | "display" => Command::Display,
        "eval" => Command::Eval,
        "getoption" => Command::GetOption(rest.to_owned()),
        "compiler" => Command::Compiler,
        "help" | "?" => Command::Help,
        other => match Tool::parse(other, rest, &mut errors) {
            Some(tool) => Command::Tool(tool),
            None => Command::Unknown(other.to_owned()),
        },
    };
    (command, errors)
}

/// The first word, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

fn parse_setoption(rest: &str) -> Option<Command> {
    let (word, after) = split_word(rest);
    let mut rest = if word == "name" { after } else { rest };
    let mut name = String::new();
    loop {
        let (word, after) = split_word(rest);
        if word.is_empty() || word == "value" && !name.is_empty() {
            let value = (!word.is_empty()).then(|| after.trim_end().to_owned());
            return (!name.is_empty()).then_some(Command::SetOption { name, value });
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> (String, Option<String>) {
        match parse(line).0 {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_keep_their_spaces() {
        let pair = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        assert_eq!(option("setoption name USI_Hash value 256"), pair("USI_Hash", "256"));
        assert_eq!(option("setoption USI_Hash value 256\r"), pair("USI_Hash", "256"));
        assert_eq!(
            option("  setoption  name  Draw  Value Black value  a  b.bin "),
            pair("Draw Value Black", "a  b.bin")
        );
        assert_eq!(option("setoption name EvalFile value"), pair("EvalFile", ""));
        assert_eq!(option("setoption name Clear"), ("Clear".to_owned(), None));
        assert_eq!(option("setoption name value value 3"), pair("value", "3"));
        for line in ["setoption", "setoption name", "setoption name "] {
            assert_eq!(parse(line), (Command::Empty, vec![SyntaxError::MissingName]));
        }
    }

    #[test]
    fn space_marks_and_unknown_words() {
        assert_eq!(parse("\u{feff}usi\r").0, Command::Usi);
        assert_eq!(parse("\t gameover   win ").0, Command::GameOver);
        assert_eq!(parse(" ").0, Command::Empty);
        assert_eq!(parse("uci").0, Command::Unknown("uci".to_owned()));
        assert_eq!(parse("position  startpos ").0, Command::Position("startpos".to_owned()));
    }
}
