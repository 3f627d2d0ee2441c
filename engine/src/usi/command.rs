//! Lines become typed commands. Whatever is typed parses into something: what is not understood
//! is complained about, never fatal.

use crate::usi::go::{ClockParts, GoCommand};

/// One line, understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Nothing but space.
    Empty,
    /// `usi`: who are you, what can be set?
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
    /// `position ...`: all behind the word; read by [`crate::usi::position::read`].
    Position(String),
    /// `go ...`.
    Go(GoCommand),
    /// `stop`.
    Stop,
    /// `ponderhit`, with the clock where the GUI tells it only now.
    PonderHit(ClockParts),
    /// `gameover win|lose|draw`.
    GameOver,
    /// `quit`.
    Quit,
    /// `d`, `display`: shows the position.
    Display,
    /// `eval`: evaluates the position without a search.
    Eval,
    /// Something else: its first word.
    Unknown(String),
}

/// What is wrong with a part of a line whose rest still stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// A keyword that needs a number came without one.
    #[error("`{keyword}` needs a number, nothing follows")]
    MissingNumber {
        /// The keyword.
        keyword: &'static str,
    },
    /// A number was expected.
    #[error("`{keyword}` needs a number, not `{token}`")]
    BrokenNumber {
        /// The keyword.
        keyword: &'static str,
        /// What stands there instead.
        token: String,
    },
    /// A move was expected.
    #[error("`{token}` in searchmoves is no move in USI notation")]
    BrokenMove {
        /// What stands there instead.
        token: String,
    },
    /// `setoption` without a name.
    #[error("setoption names no option")]
    NamelessOption,
}

/// Reads a line.
pub fn parse(line: &str) -> (Command, Vec<Complaint>) {
    // Windows shells put a byte-order mark in front of what they pipe.
    let line = line.trim_start_matches('\u{feff}').trim();
    let (word, rest) = split_word(line);
    let mut complaints = Vec::new();
    let command = match word {
        "" => Command::Empty,
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "setoption" => parse_setoption(rest).unwrap_or_else(|| {
            complaints.push(Complaint::NamelessOption);
            Command::Empty
        }),
        "usinewgame" => Command::NewGame,
        "position" => Command::Position(rest.to_owned()),
        "go" => Command::Go(GoCommand::parse(rest, &mut complaints)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit(ClockParts::parse(rest, &mut complaints)),
        "gameover" => Command::GameOver,
        "quit" => Command::Quit,
        "d" | "display" => Command::Display,
        "eval" => Command::Eval,
        other => Command::Unknown(other.to_owned()),
    };
    (command, complaints)
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
    let (word, behind) = split_word(rest);
    let mut rest = if word == "name" { behind } else { rest };
    let mut name = String::new();
    loop {
        let (word, behind) = split_word(rest);
        if word.is_empty() || word == "value" && !name.is_empty() {
            let value = (!word.is_empty()).then(|| behind.trim_end().to_owned());
            return (!name.is_empty()).then_some(Command::SetOption { name, value });
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        rest = behind;
    }
}

/// A token short enough to be repeated to the user, free of control characters.
pub fn shown(token: &str) -> String {
    const LONGEST: usize = 80;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut text: String = token.chars().take(LONGEST).map(clean).collect();
    if token.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
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
            assert_eq!(parse(line), (Command::Empty, vec![Complaint::NamelessOption]));
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

    #[test]
    fn long_tokens_are_cut_when_shown() {
        assert_eq!(shown("abc\u{7}"), "abc\u{fffd}");
        assert_eq!(shown(&"é".repeat(1 << 20)).chars().count(), 81);
    }
}
