//! What the client tells the user, and why connections end.

use crate::game::{Breach, OtherPosition};
use crate::protocol::EndlessBlock;
use crate::summary::SummaryError;
use monomi_support::text::{Lang, Message, error_message, messages, say};
use monomi_usi::{FileNote, UsiError};
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

/// Number of unexpected lines after which the client closes the connection.
pub const MOST_GARBAGE: u32 = 200;

messages! {
    /// A message for the user.
    #[derive(Debug)]
    pub enum Notice {
        /// The login is refused; another attempt follows after a time.
        Refused(reason: Refusal, wait: Duration) =>
            let wait = Words(*wait);
            "the login is refused ({reason}); next attempt in {wait}",
            "ログインを拒否されました（{reason}）。{wait}後に再試行します";
        /// The connection is lost; another attempt follows after a time.
        Lost(reason: Lost, wait: Duration) =>
            let wait = Words(*wait);
            "{reason}; next attempt in {wait}", "{reason}。{wait}後に再試行します";
        /// The connection was lost for so long that the game cannot be resumed.
        Expired => "the lost game cannot be resumed any more", "切断した対局は再開できません";
        /// The server does not resume a game.
        NotResumed(reason: Refusal) =>
            "the server does not resume the game ({reason})",
            "サーバーが対局を再開しません（{reason}）";
        /// The server resumes a game from another position.
        OtherPosition(error: OtherPosition) => both "{error}";
        /// A game is resumed.
        Resumed => "the game goes on", "対局を再開します";
        /// A game is offered that the client cannot play.
        CannotPlay(error: SummaryError) =>
            "the server offered a game this client cannot play: {error}",
            "対応していない条件の対局です: {error}";
        /// An error that the server sent.
        ServerSays(text: String) => "the server says: {text}", "サーバーからの通知: {text}";
        /// The first line that was not recognised.
        Unrecognised(line: String) =>
            "unrecognised line from the server: `{line}`",
            "サーバーから解釈できない行が届きました: `{line}`";
        /// The user asked the client to exit.
        LastGame =>
            "ending after this game; interrupt again to exit now",
            "この対局が終わったら終了します。もう一度中断するとただちに終了します";
        /// An accepted game was rejected; in the words of the server.
        Rejected(by: String) => "the game is rejected: {by}", "対局が拒否されました: {by}";
        /// An accepted game ended before its start.
        EndedEarly => "the game ended before it began", "対局が始まる前に終わりました";
        /// The record cannot be created.
        NoRecord(error: io::Error) =>
            "this game has no record: {error}", "この対局の棋譜は書けません: {error}";
        /// The record cannot be written any more.
        RecordIncomplete(path: PathBuf, error: io::Error) =>
            "the record {path} is not complete: {error}",
            "棋譜 {path} を最後まで書けません: {error}";
        /// A file of options was read.
        OptionFile(note: FileNote) => both "{note}";
        /// An error of the engine.
        Engine(error: UsiError) => "the engine: {error}", "エンジン: {error}";
        /// An error of another engine, in its words.
        OtherEngine(text: String) => "the engine: {text}", "エンジン: {text}";
        /// Another engine did not answer or had ended, and was started again.
        EngineRestarted =>
            "the engine stopped working and was started again",
            "エンジンが応答しなくなったため、起動し直しました";
        /// Another engine answered what is no legal move.
        NoAnswer(text: String) =>
            "the engine answered `{text}`, which is no legal move; resigning",
            "エンジンの答え `{text}` は指せない手のため、投了します";
        /// The server sent a move that the rules do not allow.
        Breach(breach: Breach) =>
            "{breach}; no more moves are made in this game", "{breach}。この対局ではもう指しません";
        /// The engine declared a win by another rule than the server's.
        NoDeclaration =>
            "the server's rules do not allow the declaration; playing on",
            "サーバーの規則では宣言できないため、対局を続けます";
        /// The server does not say by which rule a win may be declared.
        DeclarationUnknown =>
            "warning: the server names no rule for declaring a win; 27 points are taken, as on \
             floodgate (`declaration` sets another rule)",
            "警告: 対局条件に入玉宣言の規則がないため、floodgate と同じ 27 点法とみなします\
             （`declaration` で変更できます）";
    }

    /// The server's reason for refusing a login.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Refusal {
        /// The server's text.
        Said(text: String) => both "{text}";
        /// The server gave none.
        Silent =>
            "wrong password, or the name is in use", "パスワードの誤り、または使用中の名前です";
    }
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

messages! {
    /// Why a connection ended.
    #[derive(Debug)]
    pub enum Lost {
        /// It could not be opened.
        Connect(error: ConnectError) => both "{error}";
        /// The server closed it.
        Closed => "the server closed the connection", "サーバーが接続を切りました";
        /// Reading failed.
        Reading(error: io::Error) => both "{error}";
        /// The thread that reads has ended.
        NoReader => "the connection's thread is gone", "接続のスレッドが終わりました";
        /// Sending failed.
        Sending(error: io::Error) =>
            "sending to the server: {error}", "サーバーに送信できません: {error}";
        /// The server sent too many lines that are not recognised.
        Garbage =>
            "the server sent {MOST_GARBAGE} unrecognised lines; is it a CSA server?",
            "サーバーから解釈できない行が {MOST_GARBAGE} 行届きました。CSA サーバーではないかも\
             しれません";
        /// The server sent a block without an end.
        Block(error: EndlessBlock) => both "{error}";
        /// Nothing came for this time.
        Silent(time: Duration) =>
            let time = Words(*time);
            "the server has been silent for {time}", "サーバーから {time} 届いていません";
        /// The login was not answered within this time.
        NoLogin(time: Duration) =>
            let time = Words(*time);
            "the server does not answer the login within {time}",
            "サーバーが {time} 以内にログインに応答しません";
        /// The server does not go on with a game.
        NotContinued => "the server does not go on with the game", "サーバーが対局を続けません";
        /// A game cannot be resumed.
        NotResumable => "the game cannot be resumed", "対局を再開できません";
        /// A game is given up after an illegal move of the server.
        GivenUp => "the game is given up", "対局をあきらめました";
        /// The server did not end a game this time after the clock had run out.
        Overdue(time: Duration) =>
            let time = Words(*time);
            "the server is overdue by {time}",
            "持ち時間が切れてから {time} たっても、サーバーから結果が届きません";
    }
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

messages! {
    /// Why no connection could be opened.
    #[derive(Debug)]
    pub enum ConnectError {
        /// The server's name has no address.
        NoHost {
            /// The name.
            host: String,
            /// The reason.
            error: io::Error,
        } =>
            "the server's name {host} has no address: {error}",
            "サーバー名 {host} のアドレスが見つかりません: {error}";
        /// The server cannot be reached.
        Unreachable {
            /// The server.
            host: String,
            /// Its port.
            port: u16,
            /// The reason.
            error: io::Error,
        } => "cannot connect to {host}:{port}: {error}", "{host}:{port} に接続できません: {error}";
        /// The TLS handshake failed: an untrusted certificate, or a server without TLS.
        Tls {
            /// The server.
            host: String,
            /// The reason.
            reason: TlsFault,
        } => "TLS with {host}: {reason}", "{host} と TLS で通信できません: {reason}";
        /// The certificate file or the log file cannot be used. Another attempt would not help.
        File {
            /// Path of the certificates or of the log.
            path: std::path::PathBuf,
            /// The reason.
            error: io::Error,
        } => both "{path}: {error}";
    }

    /// Why a connection with TLS failed.
    #[derive(Debug)]
    pub enum TlsFault {
        /// Nothing came within the time.
        NoAnswer =>
            "the server does not answer; does it speak TLS on this port?",
            "サーバーが応答しません。このポートは TLS に対応していないかもしれません";
        /// The system's error.
        Io(error: io::Error) => both "{error}";
        /// The message of the library.
        Library(text: String) => both "{text}";
    }

    /// What is wrong with a file of certificates.
    #[derive(Debug)]
    pub enum FileFault {
        NoCertificate => "holds no certificate", "証明書がありません";
        /// The message of the library.
        Library(text: String) => both "{text}";
    }
}

messages! {
    /// The server's name has no address.
    pub struct NoAddress => "the name has no address", "この名前のアドレスがありません";
}

error_message!(ConnectError);

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
