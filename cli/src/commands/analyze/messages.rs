//! Why an analysis cannot start or go on.

use monomi_support::text::messages;
use std::path::PathBuf;

/// The engine for reports with `--live`.
pub(super) const BROWSER_ENGINE: &str = "monomi-live.js";

messages! {
    /// Why an analysis cannot start or go on.
    pub(super) enum Problem {
        LiveNeedsReports =>
            "`--live` is for reports: `-o DIR -f html`",
            "`--live` はレポート用です（`-o フォルダ -f html`）";
        NoProgramFolder =>
            "cannot find the folder of this program", "このプログラムのフォルダが分かりません";
        NoBrowserEngine(path: PathBuf) =>
            "{path}: cannot read the engine for browsers. `web/build`, in Monomi's sources, makes \
             target/web/{BROWSER_ENGINE}. Put it beside the program, or give its path with \
             --live=FILE",
            "{path}: ブラウザ用のエンジンを読めません。Monomi のソースで `web/build` を実行すると \
             target/web/{BROWSER_ENGINE} ができます。プログラムと同じフォルダに置くか、\
             --live=ファイル で指定してください";
        BadBrowserEngine(path: PathBuf) =>
            "{path}: this is not {BROWSER_ENGINE} as made by `web/build`",
            "{path}: `web/build` で作った {BROWSER_ENGINE} ではありません";
        NoGame => "no game to analyse", "解析する棋譜がありません";
        NoList => "no list to search", "探索する一覧がありません";
        OneFormatOnly => "`-o -` writes a single format", "`-o -` で書けるのは一つの形式だけです";
        /// An extension that `--positions` does not write.
        PositionsFormat(format: &'static str) =>
            "`--positions` writes jsonl and csv, not {format}",
            "`--positions` で書けるのは jsonl と csv です（{format} は書けません）";
        CheckpointOfOtherSettings(path: PathBuf) =>
            "{path} belongs to a run with other settings: finish that run or remove the file",
            "{path} は別の設定での実行の途中経過です。その実行を終わらせるか、ファイルを削除してください";
        ShorterThanCheckpoint =>
            "the file is shorter than the checkpoint says",
            "ファイルが前回の記録より短くなっています";
        /// A finished file of another list of the same name.
        ResultsOfAnotherList(path: PathBuf) =>
            "{path} holds the results of another list with the same name, or of an earlier version of this \
             one: choose another folder, or move that file away",
            "{path} は同じ名前の別の一覧（または変更前の一覧）の結果です。別のフォルダを指定するか、\
             そのファイルを移動してください";
    }

    /// What was being done when an analysis failed.
    pub(super) enum Task {
        ReadingTheList => "cannot read the list", "一覧を読めません";
        StoringResults => "cannot store the results", "結果を保存できません";
        RemovingTheJournal => "cannot remove the journal", "途中経過のファイルを削除できません";
    }
}
