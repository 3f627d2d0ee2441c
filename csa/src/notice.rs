//! What the client tells the user, and why connections end.

use crate::game::{Breach, OtherPosition};
use crate::protocol::EndlessBlock;
use crate::summary::SummaryError;
use monomi_support::text::{Lang, Message, error_message, say};
use monomi_usi::{FileNote, UsiError};
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

/// Number of unexpected lines after which the client closes the connection.
pub(crate) const MOST_GARBAGE: u32 = 200;

/// A message for the user.
#[derive(Debug)]
pub enum Notice {
    /// The login is refused; another attempt follows after a time.
    Refused(Refusal, Duration),
    /// The connection is lost; another attempt follows after a time.
    Lost(Lost, Duration),
    /// The connection was lost for so long that the game cannot be resumed.
    Expired,
    /// The server does not resume a game.
    NotResumed(Refusal),
    /// The server resumes a game from another position.
    OtherPosition(OtherPosition),
    /// A game is resumed.
    Resumed,
    /// A game is offered that the client cannot play.
    CannotPlay(SummaryError),
    /// An error that the server sent.
    ServerSays(String),
    /// The first line that was not recognised.
    Unrecognised(String),
    /// The user asked the client to exit.
    LastGame,
    /// An accepted game was rejected; in the words of the server.
    Rejected(String),
    /// An accepted game ended before its start.
    EndedEarly,
    /// The record cannot be created.
    NoRecord(io::Error),
    /// The record cannot be written any more.
    RecordIncomplete(PathBuf, io::Error),
    /// A file of options was read.
    OptionFile(FileNote),
    /// An error of the engine.
    Engine(UsiError),
    /// The server sent a move that the rules do not allow.
    Breach(Breach),
    /// The engine declared a win by another rule than the server's.
    NoDeclaration,
    /// The server does not say by which rule a win may be declared.
    DeclarationUnknown,
}

/// The server's reason for refusing a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The server's text.
    Said(String),
    /// The server gave none.
    Silent,
}

impl Refusal {
    /// The server's words, if there are any.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Said(text) => text,
            Self::Silent => "",
        }
    }
}

/// Why a connection ended.
#[derive(Debug)]
pub enum Lost {
    /// It could not be opened.
    Connect(ConnectError),
    /// The server closed it.
    Closed,
    /// Reading failed.
    Reading(io::Error),
    /// The thread that reads has ended.
    NoReader,
    /// Sending failed.
    Sending(io::Error),
    /// The server sent too many lines that are not recognised.
    Garbage,
    /// The server sent a block without an end.
    Block(EndlessBlock),
    /// Nothing came for this time.
    Silent(Duration),
    /// The login was not answered within this time.
    NoLogin(Duration),
    /// The server does not go on with a game.
    NotContinued,
    /// A game cannot be resumed.
    NotResumable,
    /// A game is given up after an illegal move of the server.
    GivenUp,
    /// The server did not end a game this time after the clock had run out.
    Overdue(Duration),
}

/// A duration in words.
struct Words(Duration);

impl Message for Words {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs() {
            0 => {
                let ms = self.0.as_millis();
                say!(lang, f, "{ms} ms", "{ms} ミリ秒")
            }
            1 => say!(lang, f, "1 second", "1 秒"),
            seconds if seconds < 120 || seconds % 60 != 0 => {
                say!(lang, f, "{seconds} seconds", "{seconds} 秒")
            }
            seconds => say!(lang, f, "{} minutes", "{} 分", seconds / 60),
        }
    }
}

impl Message for Notice {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason, wait) => {
                let (reason, wait) = (reason.in_lang(lang), Words(*wait));
                let wait = wait.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the login is refused ({reason}); next attempt in {wait}",
                    "ログインを拒否されました（{reason}）。{wait}後に再試行します"
                )
            }
            Self::Lost(reason, wait) => {
                let (reason, wait) = (reason.in_lang(lang), Words(*wait));
                let wait = wait.in_lang(lang);
                say!(
                    lang,
                    f,
                    "{reason}; next attempt in {wait}",
                    "{reason}。{wait}後に再試行します"
                )
            }
            Self::Expired => say!(
                lang,
                f,
                "the lost game cannot be resumed any more",
                "切断した対局は再開できません"
            ),
            Self::NotResumed(reason) => {
                let reason = reason.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the server does not resume the game ({reason})",
                    "サーバーが対局を再開しません（{reason}）"
                )
            }
            Self::OtherPosition(error) => error.write(lang, f),
            Self::Resumed => say!(lang, f, "the game goes on", "対局を再開します"),
            Self::CannotPlay(error) => {
                let error = error.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the server offered a game this client cannot play: {error}",
                    "対応していない条件の対局です: {error}"
                )
            }
            Self::ServerSays(text) => {
                say!(lang, f, "the server says: {text}", "サーバーからの通知: {text}")
            }
            Self::Unrecognised(line) => say!(
                lang,
                f,
                "unrecognised line from the server: `{line}`",
                "サーバーから解釈できない行が届きました: `{line}`"
            ),
            Self::LastGame => say!(
                lang,
                f,
                "ending after this game; interrupt again to exit now",
                "この対局が終わったら終了します。もう一度中断するとただちに終了します"
            ),
            Self::Rejected(by) => {
                say!(lang, f, "the game is rejected: {by}", "対局が拒否されました: {by}")
            }
            Self::EndedEarly => {
                say!(lang, f, "the game ended before it began", "対局が始まる前に終わりました")
            }
            Self::NoRecord(error) => {
                let error = error.in_lang(lang);
                say!(
                    lang,
                    f,
                    "this game has no record: {error}",
                    "この対局の棋譜は書けません: {error}"
                )
            }
            Self::RecordIncomplete(path, error) => {
                let (path, error) = (path.display(), error.in_lang(lang));
                say!(
                    lang,
                    f,
                    "the record {path} is not complete: {error}",
                    "棋譜 {path} を最後まで書けません: {error}"
                )
            }
            Self::OptionFile(note) => note.write(lang, f),
            Self::Engine(error) => {
                say!(lang, f, "the engine: {}", "エンジン: {}", error.in_lang(lang))
            }
            Self::Breach(breach) => {
                let breach = breach.in_lang(lang);
                say!(
                    lang,
                    f,
                    "{breach}; no more moves are made in this game",
                    "{breach}。この対局ではもう指しません"
                )
            }
            Self::DeclarationUnknown => say!(
                lang,
                f,
                "warning: the server names no rule for declaring a win; 27 points are taken, as on \
                 floodgate (`declaration` sets another rule)",
                "警告: 対局条件に入玉宣言の規則がないため、floodgate と同じ 27 点法とみなします\
                 （`declaration` で変更できます）"
            ),
            Self::NoDeclaration => say!(
                lang,
                f,
                "the server's rules do not allow the declaration; playing on",
                "サーバーの規則では宣言できないため、対局を続けます"
            ),
        }
    }
}

impl Message for Refusal {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(text) => f.write_str(text),
            Self::Silent => say!(
                lang,
                f,
                "wrong password, or the name is in use",
                "パスワードの誤り、または使用中の名前です"
            ),
        }
    }
}

impl Message for Lost {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(error) => error.write(lang, f),
            Self::Closed => {
                say!(lang, f, "the server closed the connection", "サーバーが接続を切りました")
            }
            Self::Reading(error) => error.write(lang, f),
            Self::NoReader => {
                say!(lang, f, "the connection's thread is gone", "接続のスレッドが終わりました")
            }
            Self::Sending(error) => say!(
                lang,
                f,
                "sending to the server: {}",
                "サーバーに送信できません: {}",
                error.in_lang(lang)
            ),
            Self::Garbage => say!(
                lang,
                f,
                "the server sent {MOST_GARBAGE} unrecognised lines; is it a CSA server?",
                "サーバーから解釈できない行が {MOST_GARBAGE} 行届きました。CSA サーバーではないかも\
                 しれません"
            ),
            Self::Block(error) => error.write(lang, f),
            Self::Silent(time) => say!(
                lang,
                f,
                "the server has been silent for {}",
                "サーバーから {} 届いていません",
                Words(*time).in_lang(lang)
            ),
            Self::NoLogin(time) => say!(
                lang,
                f,
                "the server does not answer the login within {}",
                "サーバーが {} 以内にログインに応答しません",
                Words(*time).in_lang(lang)
            ),
            Self::NotContinued => say!(
                lang,
                f,
                "the server does not go on with the game",
                "サーバーが対局を続けません"
            ),
            Self::NotResumable => {
                say!(lang, f, "the game cannot be resumed", "対局を再開できません")
            }
            Self::GivenUp => say!(lang, f, "the game is given up", "対局をあきらめました"),
            Self::Overdue(time) => say!(
                lang,
                f,
                "the server is overdue by {}",
                "持ち時間が切れてから {} たっても、サーバーから結果が届きません",
                Words(*time).in_lang(lang)
            ),
        }
    }
}

/// Why no connection could be opened.
#[derive(Debug)]
pub enum ConnectError {
    /// The server's name has no address.
    NoHost {
        /// The name.
        host: String,
        /// The reason.
        error: io::Error,
    },
    /// The server cannot be reached.
    Unreachable {
        /// The server.
        host: String,
        /// Its port.
        port: u16,
        /// The reason.
        error: io::Error,
    },
    /// The TLS handshake failed: an untrusted certificate, or a server without TLS.
    Tls {
        /// The server.
        host: String,
        /// The reason.
        reason: TlsFault,
    },
    /// The certificate file or the log file cannot be used. Another attempt would not help.
    File {
        /// Path of the certificates or of the log.
        path: std::path::PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// Why a connection with TLS failed.
#[derive(Debug)]
pub enum TlsFault {
    /// Nothing came within the time.
    NoAnswer,
    /// The system's error.
    Io(io::Error),
    /// The message of the library.
    Library(String),
}

/// What is wrong with a file of certificates.
#[derive(Debug)]
pub(crate) enum FileFault {
    NoCertificate,
    /// The message of the library.
    Library(String),
}

/// The server's name has no address.
pub(crate) struct NoAddress;

impl Message for ConnectError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { host, port, error } => {
                let error = error.in_lang(lang);
                say!(
                    lang,
                    f,
                    "cannot connect to {host}:{port}: {error}",
                    "{host}:{port} に接続できません: {error}"
                )
            }
            Self::NoHost { host, error } => {
                let error = error.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the server's name {host} has no address: {error}",
                    "サーバー名 {host} のアドレスが見つかりません: {error}"
                )
            }
            Self::Tls { host, reason } => {
                let reason = reason.in_lang(lang);
                say!(
                    lang,
                    f,
                    "TLS with {host}: {reason}",
                    "{host} と TLS で通信できません: {reason}"
                )
            }
            Self::File { path, error } => {
                write!(f, "{}: {}", path.display(), error.in_lang(lang))
            }
        }
    }
}
error_message!(ConnectError);

impl Message for TlsFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer => say!(
                lang,
                f,
                "the server does not answer; does it speak TLS on this port?",
                "サーバーが応答しません。このポートは TLS に対応していないかもしれません"
            ),
            Self::Io(error) => error.write(lang, f),
            Self::Library(text) => f.write_str(text),
        }
    }
}

impl Message for FileFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCertificate => say!(lang, f, "holds no certificate", "証明書がありません"),
            Self::Library(text) => f.write_str(text),
        }
    }
}

impl Message for NoAddress {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(lang, f, "the name has no address", "この名前のアドレスがありません")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_words() {
        let words = |ms, lang| Words(Duration::from_millis(ms)).in_lang(lang).to_string();
        let english = [250, 1000, 90_000, 3_600_000].map(|ms| words(ms, Lang::En));
        assert_eq!(english, ["250 ms", "1 second", "90 seconds", "60 minutes"]);
        let notice = Notice::Lost(Lost::Closed, Duration::from_secs(1));
        assert_eq!(
            notice.in_lang(Lang::Ja).to_string(),
            "サーバーが接続を切りました。1 秒後に再試行します"
        );
    }
}
