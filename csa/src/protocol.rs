//! Lines of the CSA server protocol (version 1.2.1, <http://www2.computer-shogi.org/protocol/>)
//! as typed messages and commands. No I/O.
//!
//! Extensions: shogi-server's x1 mode (`%%GAME`, `##[...]`), comments after moves, and rshogi's
//! `Reconnect_Token` and `Reconnect_State`.

use crate::secret::Secret;
use crate::summary::{Summary, SummaryError};
use crate::units::Units;
use monomi_support::text::{Lang, error_message, say};
use shogi_core::Color;
use std::fmt;
use std::time::Duration;

/// Longest block (`BEGIN Game_Summary` to its end) in bytes.
const LONGEST_BLOCK: usize = 256 << 10;

/// A message from the server: a line, or a block of lines.
#[derive(Clone, Debug)]
pub enum Message {
    /// An empty line.
    KeepAlive,
    /// The login succeeded.
    LoggedIn,
    /// The login failed; the server's reason, often empty.
    LoginRefused(String),
    /// The logout is confirmed.
    LoggedOut,
    /// A game is offered.
    Summary(Box<Summary>),
    /// A game is offered whose conditions cannot be used.
    BrokenSummary {
        /// The game's identifier, empty if not given.
        game_id: String,
        /// The error.
        error: SummaryError,
    },
    /// The clocks of a resumed game.
    Resume(Resume),
    /// The game with this identifier begins.
    Start(String),
    /// An offered game was rejected; the rest of the line says which game and by whom.
    Rejected(String),
    /// A move was made.
    Move {
        /// The side that moved.
        color: Color,
        /// The move, such as `+7776FU`.
        text: String,
        /// Time used; `None` if it is missing or cannot be read.
        time: Option<Units>,
    },
    /// A side resigned, declared a win or aborted the game: `%TORYO`, `%KACHI`, `%CHUDAN`, without
    /// the `%`.
    Special {
        /// The word.
        word: String,
        /// Time used; `None` if it is missing or cannot be read.
        time: Option<Units>,
    },
    /// The reason for the end of the game; the result follows.
    Reason(EndReason),
    /// The result of the game.
    Result(ServerResult),
    /// A line of an extension: `##[...]`.
    Extension(String),
    /// Any other line.
    Unknown(String),
}

/// The reason for the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// `#RESIGN`
    Resign,
    /// `#TIME_UP`
    TimeUp,
    /// `#ILLEGAL_MOVE`
    IllegalMove,
    /// `#SENNICHITE`: draw by repetition.
    Sennichite,
    /// `#OUTE_SENNICHITE`: perpetual check.
    OuteSennichite,
    /// `#JISHOGI`: win by declaration.
    Jishogi,
    /// `#MAX_MOVES`: the move limit was reached.
    MaxMoves,
    /// Any other reason, without the `#`.
    Other(String),
}

impl EndReason {
    fn from_word(word: &str) -> Self {
        match word {
            "RESIGN" => Self::Resign,
            "TIME_UP" => Self::TimeUp,
            "ILLEGAL_MOVE" => Self::IllegalMove,
            "SENNICHITE" => Self::Sennichite,
            "OUTE_SENNICHITE" => Self::OuteSennichite,
            "JISHOGI" => Self::Jishogi,
            "MAX_MOVES" => Self::MaxMoves,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The reason as the protocol writes it, without the `#`.
    pub fn word(&self) -> &str {
        match self {
            Self::Resign => "RESIGN",
            Self::TimeUp => "TIME_UP",
            Self::IllegalMove => "ILLEGAL_MOVE",
            Self::Sennichite => "SENNICHITE",
            Self::OuteSennichite => "OUTE_SENNICHITE",
            Self::Jishogi => "JISHOGI",
            Self::MaxMoves => "MAX_MOVES",
            Self::Other(word) => word,
        }
    }
}

/// The result of a game for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerResult {
    /// `#WIN`
    Win,
    /// `#LOSE`
    Lose,
    /// `#DRAW`
    Draw,
    /// `#CENSORED`: ended by the server without a result.
    Censored,
    /// `#CHUDAN`: aborted.
    Chudan,
}

impl ServerResult {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "WIN" => Self::Win,
            "LOSE" => Self::Lose,
            "DRAW" => Self::Draw,
            "CENSORED" => Self::Censored,
            "CHUDAN" => Self::Chudan,
            _ => return None,
        })
    }
}

/// The state of a resumed game (rshogi's `Reconnect_State`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// Remaining main time of Black and White.
    pub left: [Duration; 2],
    /// The last move, such as `+7776FU`, if one was made.
    pub last_move: Option<String>,
}

/// The server sent a block without an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndlessBlock;

impl monomi_support::text::Message for EndlessBlock {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            lang,
            f,
            "the server sent a game summary of more than {} KiB",
            "サーバーから {} KiB を超える対局条件が届きました",
            LONGEST_BLOCK >> 10
        )
    }
}
error_message!(EndlessBlock);

/// Assembles lines into messages.
#[derive(Debug, Default)]
pub struct Reader {
    block: Option<Block>,
}

#[derive(Debug)]
struct Block {
    name: String,
    lines: Vec<String>,
    bytes: usize,
}

impl Reader {
    /// Takes a line without its line ending. Returns a message unless the line is inside a block.
    ///
    /// # Errors
    /// A block is too long.
    pub fn feed(&mut self, line: &str) -> Result<Option<Message>, EndlessBlock> {
        let line = line.trim_end();
        let Some(mut block) = self.block.take() else {
            match line.strip_prefix("BEGIN ") {
                Some(name @ ("Game_Summary" | "Reconnect_State")) => {
                    self.block = Some(Block { name: name.to_owned(), lines: Vec::new(), bytes: 0 });
                    return Ok(None);
                }
                _ => return Ok(Some(single(line))),
            }
        };
        if line.strip_prefix("END ") == Some(block.name.as_str()) {
            return Ok(Some(block.message()));
        }
        block.bytes += line.len() + 1;
        if block.bytes > LONGEST_BLOCK {
            return Err(EndlessBlock);
        }
        if !line.is_empty() {
            block.lines.push(line.to_owned());
        }
        self.block = Some(block);
        Ok(None)
    }
}

impl Block {
    fn message(&self) -> Message {
        if self.name == "Reconnect_State" {
            return Message::Resume(resume(&self.lines));
        }
        match Summary::parse(&self.lines) {
            Ok(summary) => Message::Summary(Box::new(summary)),
            Err(error) => {
                let game_id = self.lines.iter().find_map(|line| line.strip_prefix("Game_ID:"));
                Message::BrokenSummary { game_id: game_id.unwrap_or_default().to_owned(), error }
            }
        }
    }
}

fn resume(lines: &[String]) -> Resume {
    let value = |key: &str| lines.iter().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let left = |key: &str| {
        Duration::from_millis(value(key).and_then(|ms| ms.parse().ok()).unwrap_or_default())
    };
    Resume {
        left: [left("Black_Time_Remaining_Ms:"), left("White_Time_Remaining_Ms:")],
        last_move: value("Last_Move:").filter(|mv| !mv.is_empty()).map(ToOwned::to_owned),
    }
}

/// Parses a line outside of blocks.
fn single(line: &str) -> Message {
    let unknown = || Message::Unknown(line.to_owned());
    if line.is_empty() {
        return Message::KeepAlive;
    }
    if line.starts_with("##") {
        return Message::Extension(line.to_owned());
    }
    if let Some(word) = line.strip_prefix('#') {
        let word = word.split([',', ' ']).next().unwrap_or_default();
        return match ServerResult::from_word(word) {
            Some(outcome) => Message::Result(outcome),
            None => Message::Reason(EndReason::from_word(word)),
        };
    }
    if let Some(rest) = line.strip_prefix("LOGIN:") {
        return match rest.strip_prefix("incorrect") {
            Some(reason) => Message::LoginRefused(reason.trim().to_owned()),
            None if rest.ends_with(" OK") => Message::LoggedIn,
            None => unknown(),
        };
    }
    if line.starts_with("LOGOUT:") {
        return Message::LoggedOut;
    }
    if let Some(game_id) = line.strip_prefix("START:") {
        return Message::Start(game_id.to_owned());
    }
    if let Some(rest) = line.strip_prefix("REJECT:") {
        return Message::Rejected(rest.to_owned());
    }
    let mut parts = line.split(',');
    let first = parts.next().unwrap_or_default();
    let time = parts.find_map(|part| Units::parse(part.trim().strip_prefix('T')?));
    let color = match first.as_bytes().first() {
        Some(b'+') => Color::Black,
        Some(b'-') => Color::White,
        Some(b'%') if first.len() > 1 && !first.starts_with("%%") => {
            return Message::Special { word: first[1..].to_owned(), time };
        }
        _ => return unknown(),
    };
    if first.len() == 7 && first.is_ascii() {
        Message::Move { color, text: first.to_owned(), time }
    } else {
        unknown()
    }
}

/// A line that the client sends.
#[derive(Clone, Debug)]
pub enum Command<'a> {
    /// Logs in.
    Login {
        /// The player's name.
        user: &'a str,
        /// The password.
        password: &'a Secret,
        /// shogi-server's extended mode.
        extended: bool,
        /// Identifier and token of the game to resume.
        resume: Option<(&'a str, &'a Secret)>,
    },
    /// Logs out.
    Logout,
    /// Accepts the game with this identifier.
    Agree(&'a str),
    /// Rejects the game with this identifier.
    Reject(&'a str),
    /// Makes a move.
    Move {
        /// The move, such as `+7776FU`.
        text: &'a str,
        /// `* score pv`, as floodgate viewers expect it.
        comment: Option<&'a str>,
    },
    /// `%TORYO`
    Resign,
    /// `%KACHI`
    Declare,
    /// Requests a game in extended mode.
    Seek {
        /// The game's name.
        game: &'a str,
        /// `+` for Black, `-` for White, `*` for either side.
        side: char,
    },
    /// An empty line, which keeps the connection open.
    KeepAlive,
}

impl Command<'_> {
    /// The line without its line ending. The line of a login contains the password.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Login { user, password, extended, resume } => {
                let mut line = format!("LOGIN {user} {}", password.reveal());
                if let Some((game_id, token)) = resume {
                    line.push_str(&format!(" reconnect:{game_id}+{}", token.reveal()));
                } else if *extended {
                    line.push_str(" x1");
                }
                line
            }
            Self::Logout => "LOGOUT".to_owned(),
            Self::Agree(game_id) => format!("AGREE {}", sendable(game_id)).trim_end().to_owned(),
            Self::Reject(game_id) => format!("REJECT {}", sendable(game_id)).trim_end().to_owned(),
            Self::Move { text, comment: None } => (*text).to_owned(),
            Self::Move { text, comment: Some(comment) } => format!("{text},'{comment}"),
            Self::Resign => "%TORYO".to_owned(),
            Self::Declare => "%KACHI".to_owned(),
            Self::Seek { game, side } => format!("%%GAME {game} {side}"),
            Self::KeepAlive => String::new(),
        }
    }

    /// The line with password and token masked, for the log.
    pub fn shown(&self) -> String {
        match self {
            Self::Login { user, .. } => format!("LOGIN {user} ***"),
            other => other.line(),
        }
    }
}

/// The identifier of a game as it can be sent back: the protocol allows to leave it out, and one that is
/// not ASCII may have come in another encoding than UTF-8.
fn sendable(game_id: &str) -> &str {
    if game_id.is_ascii() { game_id } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> Message {
        Reader::default().feed(line).unwrap().unwrap()
    }

    #[test]
    fn single_lines() {
        assert!(matches!(message(""), Message::KeepAlive));
        assert!(matches!(message("LOGIN:Monomi OK\r"), Message::LoggedIn));
        assert!(matches!(message("LOGIN:incorrect"), Message::LoginRefused(why) if why.is_empty()));
        assert!(matches!(message("LOGIN:incorrect rate_limited retry_after=3"),
                Message::LoginRefused(why) if why == "rate_limited retry_after=3"));
        assert!(matches!(message("LOGOUT:completed"), Message::LoggedOut));
        assert!(matches!(message("START:a+b"), Message::Start(id) if id == "a+b"));
        assert!(matches!(message("REJECT:a by b"), Message::Rejected(rest) if rest == "a by b"));
        assert!(matches!(message("##[LOGIN] +OK x1"), Message::Extension(_)));
        for garbage in ["hello", "+77", "+7776歩", "%", "%%WHO", "LOGIN:x", "T5", ",", "\u{0}"] {
            assert!(matches!(message(garbage), Message::Unknown(_)), "{garbage}");
        }
    }

    #[test]
    fn moves_and_their_times() {
        let units = Units::parse;
        let parts = |line| match message(line) {
            Message::Move { color, text, time } => (color, text, time),
            other => panic!("{other:?}"),
        };
        assert_eq!(parts("+7776FU,T12"), (Color::Black, "+7776FU".to_owned(), units("12")));
        assert_eq!(parts("-3334FU"), (Color::White, "-3334FU".to_owned(), None));
        assert_eq!(parts("-0055KA,'* 5 T,T1500").2, units("1500"));
        assert_eq!(parts("+7776FU,T3.500").2, units("3.500"));
        assert_eq!(parts("+7776FU,Tx").2, None);
        assert!(matches!(message("%TORYO,T4"),
            Message::Special { word, time } if word == "TORYO" && time == units("4")));
    }

    #[test]
    fn reasons_and_outcomes() {
        for word in [
            "RESIGN",
            "TIME_UP",
            "ILLEGAL_MOVE",
            "SENNICHITE",
            "OUTE_SENNICHITE",
            "JISHOGI",
            "MAX_MOVES",
            "ABNORMAL",
        ] {
            match message(&format!("#{word}")) {
                Message::Reason(reason) => assert_eq!(reason.word(), word),
                other => panic!("{other:?}"),
            }
        }
        for (word, expected) in [
            ("WIN", ServerResult::Win),
            ("LOSE", ServerResult::Lose),
            ("DRAW", ServerResult::Draw),
            ("CENSORED", ServerResult::Censored),
            ("CHUDAN", ServerResult::Chudan),
        ] {
            let line = format!("#{word}");
            assert!(matches!(message(&line), Message::Result(outcome) if outcome == expected));
        }
    }

    #[test]
    fn blocks_become_one_message() {
        let mut reader = Reader::default();
        let lines = [
            "BEGIN Reconnect_State",
            "Current_Turn:+",
            "Black_Time_Remaining_Ms:1500",
            "",
            "White_Time_Remaining_Ms:x",
            "Last_Move:-3334FU",
        ];
        for line in lines {
            assert!(reader.feed(line).unwrap().is_none());
        }
        let Some(Message::Resume(resume)) = reader.feed("END Reconnect_State").unwrap() else {
            panic!()
        };
        assert_eq!(resume.left, [Duration::from_millis(1500), Duration::ZERO]);
        assert_eq!(resume.last_move.as_deref(), Some("-3334FU"));
        assert!(matches!(reader.feed("#WIN").unwrap(), Some(Message::Result(ServerResult::Win))));
    }

    #[test]
    fn endless_blocks_are_an_error() {
        let mut reader = Reader::default();
        reader.feed("BEGIN Game_Summary").unwrap();
        let line = "x".repeat(1000);
        let fed = (0..1000).map(|_| reader.feed(&line)).find_map(Result::err);
        assert_eq!(fed, Some(EndlessBlock));
    }

    #[test]
    fn commands_are_lines_and_logins_are_masked() {
        let password = Secret::new("pass");
        let token = Secret::new("abcdef");
        let login =
            |extended, resume| Command::Login { user: "me", password: &password, extended, resume };
        assert_eq!(login(false, None).line(), "LOGIN me pass");
        assert_eq!(login(true, None).line(), "LOGIN me pass x1");
        assert_eq!(login(false, Some(("g", &token))).line(), "LOGIN me pass reconnect:g+abcdef");
        for command in [login(true, None), login(false, Some(("g", &token)))] {
            for text in [command.shown(), format!("{command:?}")] {
                assert!(!text.contains("pass ") && !text.contains("abcdef"), "{text}");
            }
        }
        let comment = Some("* 12 -3334FU");
        assert_eq!(Command::Move { text: "+7776FU", comment }.line(), "+7776FU,'* 12 -3334FU");
        assert_eq!(Command::Agree("").line(), "AGREE");
        assert_eq!(Command::Seek { game: "g-60-10", side: '*' }.line(), "%%GAME g-60-10 *");
    }
}
