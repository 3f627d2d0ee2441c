//! Messages of a session: errors and notices.

use crate::options::{FileNote, OptionError, OptionFileError};
use crate::syntax_error::SyntaxError;
use monomi_book::BookError;
use monomi_eval::source::{EvalSourceError, Loading};
use monomi_movegen::PackedMove;
use monomi_movegen::position_text::PositionTextError;
use monomi_search::ThreadsError;
use monomi_support::memory::NotEnoughMemory;
use monomi_support::text::{error_message, messages, say};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

messages! {
    /// What went wrong in a session. USI shows it as `info string Error! ...`.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum UsiError {
        /// Part of a line is invalid.
        Syntax(error: SyntaxError) => both "{error}";
        /// The line has more than this many bytes and was ignored.
        LongLine(bytes: usize) =>
            "line of more than {bytes} bytes ignored", "{bytes} バイトを超える行を無視しました";
        /// An option was not changed.
        Option(error: OptionError) => both "{error}";
        /// A file of options is not used, or not all of it.
        OptionFile(error: OptionFileError) => both "{error}";
        /// `bench` or `speedtest` could not run.
        Measure(error: ThreadsError) => both "{error}";
        /// The evaluation in use is no network that could be exported.
        NoNetwork =>
            "export_net: the evaluation in use is not a network",
            "export_net: 現在の評価関数は NNUE ではありません";
        /// `export_net` where others than the user of the program give the commands.
        WritesNoFiles =>
            "export_net: no files are written here", "export_net: ここではファイルに書き出せません";
        /// The network cannot be written to this file.
        Export {
            /// The file, as given.
            file: PathBuf,
            /// The error.
            error: io::Error,
        } => both "export_net {file}: {error}";
        /// The file of DebugLogFile cannot be written.
        LogFile {
            /// Path of the log, as given.
            file: String,
            /// The error.
            error: io::Error,
        } => both "DebugLogFile {file}: {error}";
        /// `position` is invalid.
        Position(error: PositionTextError) => both "position: {error}";
        /// `go` after an invalid `position`.
        NoPosition =>
            "go: the last position command was invalid, so there is no position",
            "go: 直前の position が正しくないため、局面がありません";
        /// The only limit of `go` was invalid; the search takes this time.
        NoLimit(time: Duration) =>
            let seconds = time.as_secs();
            "go: no valid limit, searching for {seconds} s",
            "go: 正しい制限がないため、{seconds} 秒探索します";
        /// A move of `searchmoves` is illegal.
        IllegalSearchMove {
            /// The move.
            mv: PackedMove,
            /// The position.
            sfen: String,
        } =>
            "searchmoves: `{mv}` is illegal in {sfen}",
            "searchmoves: `{mv}` は {sfen} で指せない手です";
        /// No move of `searchmoves` is legal.
        NoSearchMove =>
            "searchmoves: none of the moves is legal, searching all moves",
            "searchmoves: 指せる手が一つもないため、すべての手を探索します";
        /// The search did not stop in time.
        DoesNotStop =>
            "the search does not stop; answering without it",
            "探索が止まらないため、結果を待たずに応答します";
        /// The engine's thread has ended.
        ThreadEnded =>
            "the search thread has died; please restart the engine",
            "探索スレッドが終了しました。エンジンを再起動してください";
        /// The search has panicked, with this message.
        Crashed(reason: String) =>
            "the search has crashed: {reason}", "探索が異常終了しました: {reason}";
        /// The table cannot have this size.
        Hash {
            /// The size in mebibytes.
            mib: usize,
            /// The error.
            error: NotEnoughMemory,
        } => both "USI_Hash {mib}: {error}";
        /// There cannot be so many threads.
        Threads {
            /// The number.
            threads: usize,
            /// The error.
            error: ThreadsError,
        } => both "Threads {threads}: {error}";
        /// After a panic the search has less memory or fewer threads than before.
        Restart(error: ThreadsError) => "restarting the search: {error}", "探索の再開: {error}";
        /// The evaluation cannot be loaded.
        Eval(error: EvalSourceError) => both "EvalFile {error}";
        /// The book cannot be opened.
        Book(error: BookFileError) => both "{error}";
        /// A line of the book is invalid.
        BookLine {
            /// The book.
            book: PathBuf,
            /// What is wrong.
            fault: monomi_book::Fault,
        } => "book {book}: {fault}", "定跡 {book}: {fault}";
        /// The number of invalid lines of the book, if not all of them are named.
        BookLines {
            /// The book.
            book: PathBuf,
            /// The number.
            count: usize,
        } =>
            "book {book}: {count} broken lines in total",
            "定跡 {book}: 正しくない行は全部で {count} 行です";
        /// The book could not be used in a position.
        BookProbe(fault: monomi_book::ProbeFault) => both "{fault}";
    }
}
error_message!(UsiError);

messages! {
    /// What a session tells its user. USI shows it as `info string ...`.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub enum Notice {
        /// The last line printed ends with the declaration of a win.
        LineDeclares =>
            "the line ends with the declaration of a win", "この読み筋は入玉宣言勝ちで終わります";
        /// A command that USI does not have.
        UnknownCommand(word: String) => "unknown command `{word}`", "不明なコマンド `{word}`";
        /// A file of options.
        OptionFile(note: FileNote) => both "{note}";
        /// The evaluation in use has changed; its description.
        Evaluation(name: String) => "evaluation: {name}", "評価関数: {name}";
        /// The evaluation is still loading.
        Loading(loading: Loading) => both "{loading}";
        /// The number of search threads, if there are several.
        Threads(count: usize) => "{count} search threads", "探索スレッド数: {count}";
        /// Far more search threads than cores.
        ManyThreads {
            /// The number of threads.
            threads: usize,
            /// The number of cores.
            cores: usize,
            /// The number of threads per core from which this is reported.
            most: usize,
        } =>
            "Threads {threads} is more than {most} times the number of cores ({cores}); \
             more threads than cores do not search faster",
            "Threads {threads} はコア数（{cores}）の {most} 倍を超えています。\
             コア数より多いスレッドは探索を速くしません";
        /// The book is not sorted and was read into memory.
        UnsortedBook(book: PathBuf) =>
            "book {book} is not sorted and was read into memory",
            "定跡 {book} は整列されていないため、メモリに読み込みました";
        /// The book has been opened: its number of positions, `None` if it stays on disk.
        BookOpened {
            /// The book.
            book: PathBuf,
            /// The number of positions.
            positions: Option<usize>,
        } => |lang, f| match positions {
            Some(positions) => {
                let book = book.display();
                say!(lang, f, "book {book}: {positions} positions", "定跡 {book}: {positions} 局面")
            }
            None => {
                let book = book.display();
                say!(
                    lang,
                    f,
                    "book {book}: searched on disk",
                    "定跡 {book}: ディスク上で検索します"
                )
            }
        };
        /// Why a move of the book is not played.
        BookMove(excluded: monomi_book::Excluded) => both "{excluded}";
        /// The count of moves was stopped.
        PerftStopped => "perft stopped", "perft を中止しました";
    }

    /// Why a book cannot be used.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum BookFileError {
        /// Not in any of the folders.
        Missing {
            /// The value of BookFile.
            file: String,
            /// The value of BookDir.
            dir: String,
        } =>
            "BookFile {file}: no such file in {dir:?}, the working folder or the program's folder",
            "BookFile {file}: {dir:?}、作業フォルダ、プログラムのフォルダのどこにもありません";
        /// The file is not a usable book.
        Unusable(error: BookError) => both "BookFile {error}";
    }
}
