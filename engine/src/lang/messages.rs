//! Messages that several commands print, and those of `go`, `mate`, `analyze` and `net`.

use super::errors::InJapanese;
use super::{Lang, count};
use monomi_text::texts;
use std::error::Error;
use std::path::Path;

/// A method that returns a fixed text.
macro_rules! fixed {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $ja:literal;)*) => {
        /// Fixed texts.
        pub(crate) trait FixedTexts: Sized {
            $($(#[$doc])* fn $name(self) -> &'static str;)*
        }

        impl FixedTexts for Lang {
            $(fn $name(self) -> &'static str {
                match self {
                    Lang::En => $en,
                    Lang::Ja => $ja,
                }
            })*
        }
    };
}

fixed! {
    standard_input: "standard input", "標準入力";
    catching_interrupts: "cannot handle Ctrl-C", "Ctrl-C を処理できません";
    reading_the_list: "cannot read the list", "一覧を読めません";
    storing_results: "cannot store the results", "結果を保存できません";
    removing_the_journal: "cannot remove the journal", "途中経過のファイルを削除できません";
    no_game_to_analyse: "no game to analyse", "解析する棋譜がありません";
    no_list_to_search: "no list to search", "探索する一覧がありません";
    live_needs_reports: "`--live` is for reports: `-o DIR -f html`",
        "`--live` はレポート用です（`-o フォルダ -f html`）";
    no_program_folder: "cannot find the folder of this program",
        "このプログラムのフォルダが分かりません";
    no_position_in_list: "contains no position", "局面がありません";
    analysis_interrupted: "interrupted; finished results are written",
        "中断しました。終わった分の結果は書き出してあります";
    one_format_only: "`-o -` writes a single format", "`-o -` で書けるのは一つの形式だけです";
    password: "Password: ", "パスワード: ";
    logged_in: "logged in, waiting for a game", "ログインしました。対局を待っています";
    waiting: "waiting for a game", "対局を待っています";
    /// Elapsed and remaining time in a template of `indicatif`.
    bar_times: "{elapsed}, {eta} left", "経過 {elapsed_precise}、残り {eta_precise}";
}

texts! {
    MessageTexts
    /// An argument that cannot be used.
    fn see_help(self, problem: &str) -> String {
        match self {
            Lang::En => format!("{problem}; see `--help`"),
            Lang::Ja => format!("{problem}（`--help` を参照してください）"),
        }
    }

    /// An error without its causes.
    fn error(self, error: &(dyn Error + 'static)) -> String {
        match self {
            Lang::En => error.to_string(),
            Lang::Ja => super::errors::japanese(error),
        }
    }

    /// A fault in a file, or an error of a known type.
    fn fault(self, fault: &impl InJapanese) -> String {
        match self {
            Lang::En => fault.to_string(),
            Lang::Ja => fault.ja(),
        }
    }

    /// A notice of the CSA client.
    fn notice(self, text: &str) -> String {
        match self {
            Lang::En => text.to_owned(),
            Lang::Ja => super::phrases::phrase(text),
        }
    }

    fn cannot_write(self, path: &Path) -> String {
        match self {
            Lang::En => format!("cannot write {}", path.display()),
            Lang::Ja => format!("{} に書けません", path.display()),
        }
    }

    fn cannot_remove(self, path: &Path) -> String {
        match self {
            Lang::En => format!("cannot remove {}", path.display()),
            Lang::Ja => format!("{} を削除できません", path.display()),
        }
    }

    fn cannot_read(self, path: &Path) -> String {
        match self {
            Lang::En => format!("cannot read {}", path.display()),
            Lang::Ja => format!("{} を読めません", path.display()),
        }
    }

    // `analyze`

    fn no_browser_engine(self, path: &Path, name: &str) -> String {
        let path = path.display();
        match self {
            Lang::En => format!(
                "{path}: cannot read the engine for browsers. `web/build`, in Monomi's sources, makes \
                 target/web/{name}. Put it beside the program, or give its path with --live=FILE"
            ),
            Lang::Ja => format!(
                "{path}: ブラウザ用のエンジンを読めません。Monomi のソースで `web/build` を実行すると \
                 target/web/{name} ができます。プログラムと同じフォルダに置くか、--live=ファイル で指定して\
                 ください"
            ),
        }
    }

    fn bad_browser_engine(self, path: &Path, name: &str) -> String {
        let path = path.display();
        match self {
            Lang::En => format!("{path}: this is not {name} as made by `web/build`"),
            Lang::Ja => format!("{path}: `web/build` で作った {name} ではありません"),
        }
    }

    fn positions_formats(self, kind: &str) -> String {
        match self {
            Lang::En => format!("`--positions` writes jsonl and csv, not {kind}"),
            Lang::Ja => {
                format!("`--positions` で書けるのは jsonl と csv です（{kind} は書けません）")
            }
        }
    }

    fn continuing_after(self, list: &str, line: u64) -> String {
        match self {
            Lang::En => format!("{list}: continuing after line {line}"),
            Lang::Ja => format!("{list}: {line} 行目の次から再開します"),
        }
    }

    fn list_interrupted(self, list: &str, line: u64) -> String {
        match self {
            Lang::En => format!("{list}: interrupted; done up to line {line}"),
            Lang::Ja => format!("{list}: 中断しました（{line} 行目まで完了）"),
        }
    }

    fn checkpoint_of_other_settings(self, path: &Path) -> String {
        let path = path.display();
        match self {
            Lang::En => format!(
                "{path} belongs to a run with other settings: finish that run or remove the file"
            ),
            Lang::Ja => format!(
                "{path} は別の設定での実行の途中経過です。その実行を終わらせるか、ファイルを削除してください"
            ),
        }
    }

    fn positions_of(self, positions: u64, name: &str) -> String {
        match self {
            Lang::En => format!("{} of {name}", count(positions, "position", "positions")),
            Lang::Ja => format!("{name}: {positions} 局面"),
        }
    }

    fn list_progress(self, name: &str, positions: u64, percent: Option<u64>) -> String {
        match self {
            Lang::En => {
                let percent = percent.map_or(String::new(), |percent| format!(", {percent}%"));
                format!("{name}: {}{percent}", count(positions, "position", "positions"))
            }
            Lang::Ja => {
                let percent = percent.map_or(String::new(), |percent| format!("（{percent}%）"));
                format!("{name}: {positions} 局面{percent}")
            }
        }
    }

}
