//! Messages of a session: errors and notices.

use crate::options::{FileNote, OptionError, OptionFileError};
use crate::syntax_error::SyntaxError;
use monomi_book::BookError;
use monomi_eval::source::{EvalSourceError, Loading};
use monomi_movegen::PackedMove;
use monomi_movegen::position_text::PositionTextError;
use monomi_search::ThreadsError;
use monomi_support::memory::NotEnoughMemory;
use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt::{self, Formatter};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What went wrong in a session. USI shows it as `info string Error! ...`.
#[derive(Debug)]
pub enum UsiError {
    /// Part of a line is invalid.
    Syntax(SyntaxError),
    /// The line has more than this many bytes and was ignored.
    LongLine(usize),
    /// An option was not changed.
    Option(OptionError),
    /// A file of options is not used, or not all of it.
    OptionFile(OptionFileError),
    /// `bench` or `speedtest` could not run.
    Measure(ThreadsError),
    /// The evaluation in use is no network that could be exported.
    NoNetwork,
    /// The network cannot be written to this file.
    Export {
        /// The file, as given.
        file: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file of DebugLogFile cannot be written.
    LogFile {
        /// Path of the log, as given.
        file: String,
        /// The error.
        error: io::Error,
    },
    /// `position` is invalid.
    Position(PositionTextError),
    /// `go` after an invalid `position`.
    NoPosition,
    /// The only limit of `go` was invalid; the search takes this time.
    NoLimit(Duration),
    /// A move of `searchmoves` is illegal.
    IllegalSearchMove {
        /// The move.
        mv: PackedMove,
        /// The position.
        sfen: String,
    },
    /// No move of `searchmoves` is legal.
    NoSearchMove,
    /// The search did not stop in time.
    DoesNotStop,
    /// The engine's thread has ended.
    ThreadEnded,
    /// The search has panicked, with this message.
    Crashed(String),
    /// The table cannot have this size.
    Hash {
        /// The size in mebibytes.
        mib: usize,
        /// The error.
        error: NotEnoughMemory,
    },
    /// There cannot be so many threads.
    Threads {
        /// The number.
        threads: usize,
        /// The error.
        error: ThreadsError,
    },
    /// After a panic the search has less memory or fewer threads than before.
    Restart(ThreadsError),
    /// The evaluation cannot be loaded.
    Eval(EvalSourceError),
    /// The book cannot be opened.
    Book(BookFileError),
    /// A line of the book is invalid.
    BookLine {
        /// The book.
        book: PathBuf,
        /// What is wrong.
        fault: monomi_book::Fault,
    },
    /// The number of invalid lines of the book, if not all of them are named.
    BookLines {
        /// The book.
        book: PathBuf,
        /// The number.
        count: usize,
    },
    /// The book could not be used in a position.
    BookProbe(monomi_book::ProbeFault),
}

impl Message for UsiError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.write(lang, f),
            Self::LongLine(bytes) => say!(
                lang,
                f,
                "line of more than {bytes} bytes ignored",
                "{bytes} バイトを超える行を無視しました"
            ),
            Self::Option(error) => error.write(lang, f),
            Self::OptionFile(error) => error.write(lang, f),
            Self::Measure(error) => error.write(lang, f),
            Self::NoNetwork => say!(
                lang,
                f,
                "export_net: the evaluation in use is not a network",
                "export_net: 現在の評価関数は NNUE ではありません"
            ),
            Self::Export { file, error } => {
                write!(f, "export_net {}: {}", file.display(), error.in_lang(lang))
            }
            Self::LogFile { file, error } => {
                write!(f, "DebugLogFile {file}: {}", error.in_lang(lang))
            }
            Self::Position(error) => write!(f, "position: {}", error.in_lang(lang)),
            Self::NoPosition => say!(
                lang,
                f,
                "go: the last position command was invalid, so there is no position",
                "go: 直前の position が正しくないため、局面がありません"
            ),
            Self::NoLimit(time) => {
                let seconds = time.as_secs();
                say!(
                    lang,
                    f,
                    "go: no valid limit, searching for {seconds} s",
                    "go: 正しい制限がないため、{seconds} 秒探索します"
                )
            }
            Self::IllegalSearchMove { mv, sfen } => say!(
                lang,
                f,
                "searchmoves: `{mv}` is illegal in {sfen}",
                "searchmoves: `{mv}` は {sfen} で指せない手です"
            ),
            Self::NoSearchMove => say!(
                lang,
                f,
                "searchmoves: none of the moves is legal, searching all moves",
                "searchmoves: 指せる手が一つもないため、すべての手を探索します"
            ),
            Self::DoesNotStop => say!(
                lang,
                f,
                "the search does not stop; answering without it",
                "探索が止まらないため、結果を待たずに応答します"
            ),
            Self::ThreadEnded => say!(
                lang,
                f,
                "the search thread has died; please restart the engine",
                "探索スレッドが終了しました。エンジンを再起動してください"
            ),
            Self::Crashed(reason) => say!(
                lang,
                f,
                "the search has crashed: {reason}",
                "探索が異常終了しました: {reason}"
            ),
            Self::Hash { mib, error } => write!(f, "USI_Hash {mib}: {}", error.in_lang(lang)),
            Self::Threads { threads, error } => {
                write!(f, "Threads {threads}: {}", error.in_lang(lang))
            }
            Self::Restart(error) => {
                let error = error.in_lang(lang);
                say!(lang, f, "restarting the search: {error}", "探索の再開: {error}")
            }
            Self::Eval(error) => write!(f, "EvalFile {}", error.in_lang(lang)),
            Self::Book(error) => error.write(lang, f),
            Self::BookLine { book, fault } => {
                let (book, fault) = (book.display(), fault.in_lang(lang));
                say!(lang, f, "book {book}: {fault}", "定跡 {book}: {fault}")
            }
            Self::BookLines { book, count } => {
                let book = book.display();
                say!(
                    lang,
                    f,
                    "book {book}: {count} broken lines in total",
                    "定跡 {book}: 正しくない行は全部で {count} 行です"
                )
            }
            Self::BookProbe(fault) => fault.write(lang, f),
        }
    }
}

error_message!(UsiError);

/// What a session tells its user. USI shows it as `info string ...`.
#[derive(Clone, Debug)]
pub enum Notice {
    /// The last line printed ends with the declaration of a win.
    LineDeclares,
    /// A command that USI does not have.
    UnknownCommand(String),
    /// A file of options.
    OptionFile(FileNote),
    /// The evaluation in use has changed; its description.
    Evaluation(String),
    /// The evaluation is still loading.
    Loading(Loading),
    /// The number of search threads, if there are several.
    Threads(usize),
    /// Far more search threads than cores.
    ManyThreads {
        /// The number of threads.
        threads: usize,
        /// The number of cores.
        cores: usize,
        /// The number of threads per core from which this is reported.
        most: usize,
    },
    /// The book is not sorted and was read into memory.
    UnsortedBook(PathBuf),
    /// The book has been opened: its number of positions, `None` if it stays on disk.
    BookOpened {
        /// The book.
        book: PathBuf,
        /// The number of positions.
        positions: Option<usize>,
    },
    /// Why a move of the book is not played.
    BookMove(monomi_book::Excluded),
    /// The count of moves was stopped.
    PerftStopped,
}

impl Message for Notice {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineDeclares => say!(
                lang,
                f,
                "the line ends with the declaration of a win",
                "この読み筋は入玉宣言勝ちで終わります"
            ),
            Self::UnknownCommand(word) => {
                say!(lang, f, "unknown command `{word}`", "不明なコマンド `{word}`")
            }
            Self::OptionFile(note) => note.write(lang, f),
            Self::Evaluation(name) => say!(lang, f, "evaluation: {name}", "評価関数: {name}"),
            Self::Loading(loading) => loading.write(lang, f),
            Self::BookMove(excluded) => excluded.write(lang, f),
            Self::Threads(count) => {
                say!(lang, f, "{count} search threads", "探索スレッド数: {count}")
            }
            Self::ManyThreads { threads, cores, most } => say!(
                lang,
                f,
                "Threads {threads} is more than {most} times the number of cores ({cores}); \
                 more threads than cores do not search faster",
                "Threads {threads} はコア数（{cores}）の {most} 倍を超えています。\
                 コア数より多いスレッドは探索を速くしません"
            ),
            Self::UnsortedBook(book) => {
                let book = book.display();
                say!(
                    lang,
                    f,
                    "book {book} is not sorted and was read into memory",
                    "定跡 {book} は整列されていないため、メモリに読み込みました"
                )
            }
            Self::BookOpened { book, positions: Some(positions) } => {
                let book = book.display();
                say!(lang, f, "book {book}: {positions} positions", "定跡 {book}: {positions} 局面")
            }
            Self::BookOpened { book, positions: None } => {
                let book = book.display();
                say!(
                    lang,
                    f,
                    "book {book}: searched on disk",
                    "定跡 {book}: ディスク上で検索します"
                )
            }
            Self::PerftStopped => say!(lang, f, "perft stopped", "perft を中止しました"),
        }
    }
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookFileError {
    /// Not in any of the folders.
    Missing {
        /// The value of BookFile.
        file: String,
        /// The value of BookDir.
        dir: String,
    },
    /// The file is not a usable book.
    Unusable(BookError),
}

impl Message for BookFileError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { file, dir } => say!(
                lang,
                f,
                "BookFile {file}: no such file in {dir:?}, the working folder or the program's folder",
                "BookFile {file}: {dir:?}、作業フォルダ、プログラムのフォルダのどこにもありません"
            ),
            Self::Unusable(error) => write!(f, "BookFile {}", error.in_lang(lang)),
        }
    }
}
