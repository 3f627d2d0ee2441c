//! Why an analysis cannot start or go on.

use monomi_support::text::{Lang, Message, say};
use std::fmt::{self, Formatter};
use std::path::PathBuf;

/// The engine for reports with `--live`.
pub(super) const BROWSER_ENGINE: &str = "monomi-live.js";

/// Why an analysis cannot start or go on.
pub(super) enum Problem {
    LiveNeedsReports,
    NoProgramFolder,
    NoBrowserEngine(PathBuf),
    BadBrowserEngine(PathBuf),
    NoGame,
    NoList,
    OneFormatOnly,
    /// An extension that `--positions` does not write.
    PositionsFormat(&'static str),
    CheckpointOfOtherSettings(PathBuf),
    ShorterThanCheckpoint,
    /// A finished file of another list of the same name.
    ResultsOfAnotherList(PathBuf),
}

impl Message for Problem {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::LiveNeedsReports => say!(
                lang,
                f,
                "`--live` is for reports: `-o DIR -f html`",
                "`--live` はレポート用です（`-o フォルダ -f html`）"
            ),
            Self::NoProgramFolder => say!(
                lang,
                f,
                "cannot find the folder of this program",
                "このプログラムのフォルダが分かりません"
            ),
            Self::NoBrowserEngine(path) => say!(
                lang,
                f,
                "{}: cannot read the engine for browsers. `web/build`, in Monomi's sources, makes \
                 target/web/{BROWSER_ENGINE}. Put it beside the program, or give its path with \
                 --live=FILE",
                "{}: ブラウザ用のエンジンを読めません。Monomi のソースで `web/build` を実行すると \
                 target/web/{BROWSER_ENGINE} ができます。プログラムと同じフォルダに置くか、\
                 --live=ファイル で指定してください",
                path.display()
            ),
            Self::BadBrowserEngine(path) => say!(
                lang,
                f,
                "{}: this is not {BROWSER_ENGINE} as made by `web/build`",
                "{}: `web/build` で作った {BROWSER_ENGINE} ではありません",
                path.display()
            ),
            Self::NoGame => say!(lang, f, "no game to analyse", "解析する棋譜がありません"),
            Self::NoList => say!(lang, f, "no list to search", "探索する一覧がありません"),
            Self::OneFormatOnly => say!(
                lang,
                f,
                "`-o -` writes a single format",
                "`-o -` で書けるのは一つの形式だけです"
            ),
            Self::PositionsFormat(format) => say!(
                lang,
                f,
                "`--positions` writes jsonl and csv, not {format}",
                "`--positions` で書けるのは jsonl と csv です（{format} は書けません）"
            ),
            Self::CheckpointOfOtherSettings(path) => say!(
                lang,
                f,
                "{} belongs to a run with other settings: finish that run or remove the file",
                "{} は別の設定での実行の途中経過です。その実行を終わらせるか、ファイルを削除してください",
                path.display()
            ),
            Self::ShorterThanCheckpoint => say!(
                lang,
                f,
                "the file is shorter than the checkpoint says",
                "ファイルが前回の記録より短くなっています"
            ),
            Self::ResultsOfAnotherList(path) => say!(
                lang,
                f,
                "{} holds the results of another list with the same name, or of an earlier version of this \
                 one: choose another folder, or move that file away",
                "{} は同じ名前の別の一覧（または変更前の一覧）の結果です。別のフォルダを指定するか、\
                 そのファイルを移動してください",
                path.display()
            ),
        }
    }
}

/// What was being done when an analysis failed.
pub(super) enum Task {
    ReadingTheList,
    StoringResults,
    RemovingTheJournal,
}

impl Message for Task {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadingTheList => say!(lang, f, "cannot read the list", "一覧を読めません"),
            Self::StoringResults => {
                say!(lang, f, "cannot store the results", "結果を保存できません")
            }
            Self::RemovingTheJournal => {
                say!(lang, f, "cannot remove the journal", "途中経過のファイルを削除できません")
            }
        }
    }
}
