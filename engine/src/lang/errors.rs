//! Errors of the library in Japanese. A `match` for each type names every case; reasons that are kept
//! as text are in `phrases.rs`.

use super::phrases::phrase;
use monomi_analysis::examine::NoExaminer;
use monomi_analysis::list::ListError;
use monomi_analysis::stream::StreamError;
use monomi_book::BookError;
use monomi_csa::config::ConfigError;
use monomi_csa::{ClientError, ConnectError};
use monomi_datagen::{DatagenError, NoOpening, OpeningsError};
use monomi_eval::LoadError;
use monomi_eval::network::{Leb128Error, NetworkError, UnknownRouting};
use monomi_memory::NotEnoughMemory;
use monomi_movegen::{ParseMoveError, PositionError};
use monomi_record::position_text::PositionTextError;
use monomi_record::{Fault, ReadError};
use monomi_search::ThreadsError;
use monomi_search::eval_source::EvalSourceError;
use monomi_selfplay::{
    AddError, EntryError, FlatError, GameError, NotAFullSet, RecordError, UnpackError,
};
use monomi_text::Lang;
use shogi_core::{Color, PieceKind};
use std::error::Error;
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::Path;

/// An error in Japanese.
pub(crate) trait InJapanese: Display {
    /// The text; the English one where there is no translation.
    fn ja(&self) -> String;
}

/// An error of any type in Japanese, without its causes. Errors of other programs' crates that are not
/// known remain in English.
pub(crate) fn japanese(error: &(dyn Error + 'static)) -> String {
    macro_rules! first_of {
        ($($kind:ty),* $(,)?) => {
            $(if let Some(error) = error.downcast_ref::<$kind>() {
                return error.ja();
            })*
        };
    }
    first_of!(
        std::io::Error,
        PositionTextError,
        PositionError,
        ParseMoveError,
        EvalSourceError,
        LoadError,
        NetworkError,
        UnknownRouting,
        BookError,
        ReadError,
        ListError,
        StreamError,
        NoExaminer,
        OpeningsError,
        NoOpening,
        DatagenError,
        AddError,
        RecordError,
        FlatError,
        EntryError,
        GameError,
        UnpackError,
        NotAFullSet,
        NotEnoughMemory,
        ThreadsError,
        ConfigError,
        ClientError,
        ConnectError,
        crate::cli::failure::Failure,
    );
    phrase(&error.to_string())
}

fn named(path: &Path, what: &str) -> String {
    format!("{}: {what}", path.display())
}

/// 先手 or 後手.
pub(crate) fn side(color: Color) -> &'static str {
    if color == Color::Black { "先手" } else { "後手" }
}

fn piece(kind: PieceKind) -> &'static str {
    monomi_record::notation::piece_name(kind)
}

impl InJapanese for crate::cli::failure::Failure {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja)
    }
}

impl InJapanese for std::io::Error {
    fn ja(&self) -> String {
        let text = match self.kind() {
            ErrorKind::NotFound => "そのようなファイルやフォルダはありません",
            ErrorKind::PermissionDenied => "アクセスが許可されていません",
            ErrorKind::AlreadyExists => "すでに存在します",
            ErrorKind::IsADirectory => "フォルダです",
            ErrorKind::NotADirectory => "フォルダではありません",
            ErrorKind::StorageFull => "ディスクの空きがありません",
            ErrorKind::ReadOnlyFilesystem => "読み取り専用です",
            ErrorKind::ConnectionRefused => "接続を拒否されました",
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "接続が切れました",
            ErrorKind::TimedOut => "時間内に応答がありません",
            ErrorKind::BrokenPipe => "出力先が閉じられました",
            ErrorKind::UnexpectedEof => "ファイルが途中で終わっています",
            ErrorKind::OutOfMemory => "メモリが足りません",
            _ => return phrase(&self.to_string()),
        };
        match self.raw_os_error() {
            Some(code) => format!("{text} (os error {code})"),
            None => text.to_owned(),
        }
    }
}

impl InJapanese for PositionTextError {
    fn ja(&self) -> String {
        match self {
            Self::Missing => "`startpos` または SFEN を指定してください".to_owned(),
            Self::NotAPosition { token } => {
                format!("`startpos` または SFEN が必要なところに `{token}` があります")
            }
            Self::Start(error) => error.ja(),
            Self::Extra { token } => format!("`moves` が必要なところに `{token}` があります"),
            Self::BrokenMove { ply, token } => {
                format!("{ply} 手目の `{token}` は USI 形式の指し手ではありません")
            }
            Self::IllegalMove { ply, mv, sfen } => {
                format!("{ply} 手目の `{mv}` は指せません（局面 {sfen}）")
            }
        }
    }
}

impl InJapanese for PositionError {
    fn ja(&self) -> String {
        match self {
            Self::Syntax { token, reason } => format!("SFEN の `{token}`: {}", phrase(reason)),
            Self::Missing(field) => {
                format!("SFEN が途中で終わっています（{}がありません）", phrase(field))
            }
            Self::TooMany { kind, count, max } => {
                format!("{}が {count} 枚あります（{max} 枚まで）", piece(*kind))
            }
            Self::TwoKings(color) => format!("{}の玉が二枚以上あります", side(*color)),
            Self::NoKing => "盤上に玉がありません".to_owned(),
            Self::TwoPawns { color, file } => format!("{}の {file} 筋が二歩です", side(*color)),
            Self::DeadPiece { color, kind, file, rank } => {
                format!("{file}{rank} の{}の{}は行き所がありません", side(*color), piece(*kind))
            }
            Self::KingCanBeTaken(color) => {
                format!("手番でない{}の玉に王手がかかっています", side(*color))
            }
        }
    }
}

impl InJapanese for ParseMoveError {
    fn ja(&self) -> String {
        "USI 形式の指し手ではありません".to_owned()
    }
}

impl InJapanese for EvalSourceError {
    fn ja(&self) -> String {
        match self {
            Self::Missing(path) => named(path, "そのようなファイルはありません"),
            Self::Unusable(error) => error.ja(),
        }
    }
}

impl InJapanese for LoadError {
    fn ja(&self) -> String {
        named(&self.path, &self.reason.ja())
    }
}

impl InJapanese for NetworkError {
    fn ja(&self) -> String {
        match self {
            Self::Io(error) => error.ja(),
            Self::NotAFile => "通常のファイルではありません".to_owned(),
            Self::Truncated { found, needed } => {
                format!(
                    "ファイルが途中で切れています（{found} バイト、少なくとも {needed} バイト必要）"
                )
            }
            Self::Trailing { architecture, extra } => {
                format!("{architecture} の後ろに余分な {extra} バイトがあります")
            }
            Self::Version { found } => {
                format!("評価関数ファイルではありません（未知のバージョン {found:08X}）")
            }
            Self::TextTooLong { length } => {
                format!("ヘッダの文字列が長すぎます（{length} バイト）")
            }
            Self::Unsupported(what) => format!("{what} には対応していません"),
            Self::UnknownShape { bytes, hash, text } => format!(
                "未知の構造です（ヘッダの後ろが {bytes} バイト、最初のハッシュ値 {hash:08X}、文字列 `{text}`）"
            ),
            Self::Ambiguous(shapes) => format!("複数の構造が考えられます: {shapes}"),
            Self::UnknownCounts { biases, weights } => {
                format!("未知の構造です（第一層のバイアス {biases} 個、重み {weights} 個）")
            }
            Self::UnknownStacks { bytes, features, l1 } => {
                format!(
                    "未知の構造です（{features}、L1 = {l1} の後ろの層スタックが {bytes} バイト）"
                )
            }
            Self::Compressed(Leb128Error::TooLong) => {
                "圧縮された数値が三バイトを超えています".to_owned()
            }
            Self::Compressed(Leb128Error::Unfinished) => {
                "最後の圧縮された数値が途中で終わっています".to_owned()
            }
            Self::NoBlock => "圧縮部分が COMPRESSED_LEB128 で始まっていません".to_owned(),
            Self::Size(error) => format!("{} の大きさの層には対応していません", error.0),
            Self::Memory { bytes } => format!("メモリが足りません（{bytes} バイト）"),
            Self::UnknownRouting { stacks, choices } => format!(
                "層スタックが {stacks} 個あります。選び方を EvalRouting で指定してください（{choices}）"
            ),
            Self::WrongRouting { routing, stacks, progress } => format!(
                "EvalRouting {routing} は、層スタックが {stacks} 個{}のファイルに合いません",
                if *progress { "で進行度の重みを持つ" } else { "" }
            ),
            Self::WrongTextRouting { routing, stacks, progress } => format!(
                "ヘッダの文字列にある選び方 {routing} は、層スタックが {stacks} 個{}のファイルに合いません。\
                 文字列が誤りなら EvalRouting を指定してください",
                if *progress { "で進行度の重みを持つ" } else { "" }
            ),
            Self::WrongStacks { stated, found } => {
                format!("ヘッダでは層スタックが {stated} 個ですが、ファイルには {found} 個あります")
            }
            Self::WrongShards { shards, architecture } => {
                let [(inputs, outputs), ..] = architecture.affine_sizes();
                format!(
                    "ヘッダの文字列にある分割 {shards} は、後続の最初の層（入力 {inputs}、出力 {outputs}、\
                     {architecture}）に合いません"
                )
            }
            Self::ProgressFile { routing, reason } => format!(
                "EvalRouting {routing} には同じフォルダの progress.bin が必要です: {}",
                phrase(reason)
            ),
        }
    }
}

impl InJapanese for UnknownRouting {
    fn ja(&self) -> String {
        "未知の選び方です。k3k3、hand16、progress8 などを `_` でつないで指定してください".to_owned()
    }
}

impl InJapanese for BookError {
    fn ja(&self) -> String {
        match self {
            Self::Unreadable { path, error } => named(path, &error.ja()),
            Self::NotABook { path, reason } => {
                named(path, &format!("定跡ファイルではありません（{}）", phrase(reason)))
            }
        }
    }
}

impl InJapanese for monomi_book::Fault {
    fn ja(&self) -> String {
        format!("{} 行目 `{}`: {}", self.line, self.text, phrase(&self.reason))
    }
}

impl InJapanese for ReadError {
    fn ja(&self) -> String {
        match self {
            Self::Empty => "ファイルが空です".to_owned(),
            Self::Binary => "テキストファイルではありません（対応する文字コード: UTF-8、UTF-16、\
                             Shift_JIS、EUC-JP、ISO-2022-JP）"
                .to_owned(),
            Self::NoRecord => {
                "棋譜ではありません（対応する形式: KIF、KI2、CSA、JKF、USI）".to_owned()
            }
            Self::Fault(fault) => fault.ja(),
            Self::Panic(text) => format!("読み込み中の内部エラーです: {text}"),
        }
    }
}

impl InJapanese for Fault {
    fn ja(&self) -> String {
        let line = if self.line > 0 { format!("{} 行目 ", self.line) } else { String::new() };
        let ply = self.ply.map_or(String::new(), |ply| format!("{ply} 手目 "));
        format!("{line}{ply}`{}`: {}", self.shown(), phrase(&self.reason))
    }
}

impl InJapanese for ListError {
    fn ja(&self) -> String {
        match self {
            Self::Io(error) => error.ja(),
            Self::Changed => "前回の実行から一覧が変更されています".to_owned(),
        }
    }
}

impl InJapanese for StreamError {
    fn ja(&self) -> String {
        match self {
            Self::Examiner(error) => error.ja(),
            Self::List(error) => error.ja(),
        }
    }
}

impl InJapanese for NoExaminer {
    fn ja(&self) -> String {
        match self {
            Self::Memory(error) => error.ja(),
            Self::Threads(error) => error.ja(),
            Self::Thread(error) => no_thread(error),
        }
    }
}

fn no_thread(error: &std::io::Error) -> String {
    format!("スレッドを開始できません: {}", error.ja())
}

impl InJapanese for NotEnoughMemory {
    fn ja(&self) -> String {
        let need = self.need_mib();
        match self.left_mib() {
            Some(left) => format!("{need} MiB のメモリが必要ですが、使えるのは {left} MiB です"),
            None => format!("{need} MiB のメモリを確保できません"),
        }
    }
}

impl InJapanese for ThreadsError {
    fn ja(&self) -> String {
        match self {
            Self::Memory(error) => error.ja(),
            Self::Threads(error) => no_thread(error),
        }
    }
}

impl InJapanese for OpeningsError {
    fn ja(&self) -> String {
        match self {
            Self::Io { path, error } => named(path, &error.ja()),
            Self::Line { path, line, error } => {
                named(path, &format!("{line} 行目: {}", error.ja()))
            }
            Self::NotAFullSet { path, line } => {
                named(path, &format!("{line} 行目: {}", NotAFullSet.ja()))
            }
            Self::Empty { path } => named(path, "局面がありません"),
        }
    }
}

impl InJapanese for NoOpening {
    fn ja(&self) -> String {
        format!("対局 {} の序盤に、評価値が制限内の局面が見つかりません", self.game)
    }
}

impl InJapanese for DatagenError {
    fn ja(&self) -> String {
        match self {
            Self::Memory(error) => error.ja(),
            Self::Thread(error) => no_thread(error),
            Self::NoOpening(error) => error.ja(),
            Self::Write(error) => error.ja(),
            Self::Record(error) => error.ja(),
        }
    }
}

impl InJapanese for AddError {
    fn ja(&self) -> String {
        match self {
            Self::NotAFullSet(error) => error.ja(),
            Self::Game(error) => error.ja(),
            Self::Record(error) => error.ja(),
        }
    }
}

impl InJapanese for NotAFullSet {
    fn ja(&self) -> String {
        "四十枚の駒が揃った局面しか記録できません".to_owned()
    }
}

impl InJapanese for RecordError {
    fn ja(&self) -> String {
        match self {
            Self::Io { path, error } => named(path, &error.ja()),
            Self::Foreign { path } => named(path, "自己対局の記録ではありません"),
            Self::Damage { path, at, bytes } => named(
                path,
                &format!("破損しています。{at} バイト目からの {bytes} バイトを飛ばしました"),
            ),
            Self::Torn { path, at, bytes } => named(
                path,
                &format!("末尾の {bytes} バイト（{at} バイト目から）は書きかけの部分です"),
            ),
            Self::Game { path, at, game, error } => {
                named(path, &format!("{at} バイト目からのブロックの {game} 局目: {}", error.ja()))
            }
            Self::Busy { path } => named(path, "別のプロセスがこのファイルに書いています"),
            Self::Settings { path, key, before, now } => named(
                path,
                &format!(
                    "作成時の設定は {key} {before} ですが、今回は {now} です。同じ設定にするか、\
                     別のファイルを指定してください"
                ),
            ),
        }
    }
}

impl InJapanese for GameError {
    fn ja(&self) -> String {
        match self {
            Self::Short => "ブロックが対局の途中で終わっています".to_owned(),
            Self::Extra(bytes) => format!("最後の対局の後ろに {bytes} バイトあります"),
            Self::Base(error) => error.ja(),
            Self::Move { ply, bits, sfen } => {
                format!("{ply} 手目 (0x{bits:04x}) は指せません（局面 {sfen}）")
            }
            Self::Bound(bound) => format!("評価値の種類 {bound} は未知です"),
            Self::Coded => "圧縮された対局が破損しています".to_owned(),
            Self::Outcome(outcome) => format!("結果 0x{outcome:02x} は未知です"),
        }
    }
}

impl InJapanese for UnpackError {
    fn ja(&self) -> String {
        match self {
            Self::Kings(a, b) => format!("玉の位置が {a} と {b} です"),
            Self::Bits(bit) => format!("{bit} ビット目からの駒を読めません"),
            Self::Position(error) => error.ja(),
        }
    }
}

impl InJapanese for FlatError {
    fn ja(&self) -> String {
        match self {
            Self::Io { path, error } => named(path, &error.ja()),
            Self::Entry { path, number, error } => {
                named(path, &format!("{number} 件目: {}", error.ja()))
            }
            Self::Torn { path, bytes } => {
                named(path, &format!("末尾の {bytes} バイトは書きかけの部分です"))
            }
        }
    }
}

impl InJapanese for EntryError {
    fn ja(&self) -> String {
        match self {
            Self::Position(error) => error.ja(),
            Self::Move { bits, sfen } => format!("指し手 0x{bits:04x} は指せません（局面 {sfen}）"),
            Self::Result(result) => format!("結果 {result} は未知です"),
        }
    }
}

impl InJapanese for ConfigError {
    fn ja(&self) -> String {
        match self {
            Self::Unreadable { path, error } => named(path, &error.ja()),
            Self::Syntax { path, error } => named(path, &phrase(error)),
            Self::Missing(key) => format!("`{key}` が設定されていません"),
            Self::Bad { key, reason } => format!("`{key}`: {}", phrase(reason)),
            Self::Option(error) => format!("options: {}", phrase(error)),
        }
    }
}

impl InJapanese for ClientError {
    fn ja(&self) -> String {
        match self {
            Self::Engine(reason) => format!("エンジン: {}", phrase(reason)),
            Self::Login { user, reason } => {
                format!("サーバが {user} のログインを拒否しました: {}", phrase(reason))
            }
            Self::Connect(error) => error.ja(),
        }
    }
}

impl InJapanese for ConnectError {
    fn ja(&self) -> String {
        match self {
            Self::Unreachable { host, port, error } => {
                format!("{host}:{port} に接続できません: {}", error.ja())
            }
            Self::Tls { host, reason } => format!("{host} と TLS で通信できません: {reason}"),
            Self::File { path, reason } => named(path, &phrase(reason)),
        }
    }
}
