//! What `monomi drill` says.

use crate::lang::count;
use monomi_support::text::{Lang, messages, say};
use std::path::PathBuf;

messages! {
    /// Why there are no exercises.
    pub(super) enum Problem {
        NoGame => "no game to analyse", "解析する棋譜がありません";
        /// No mistake, of this player if one is asked for.
        NoExercise(value: Option<String>) => |lang, f| match value {
            None => {
                say!(lang, f, "no mistake to make an exercise of", "問題にできる悪手がありません")
            }
            Some(player) => say!(
                lang,
                f,
                "no mistake of a player whose name contains `{player}`",
                "名前に「{player}」を含む対局者の悪手がありません"
            ),
        };
    }

    /// How far the work is.
    pub(super) enum Notice {
        /// A game, and how many of how many are done.
        Analysed(game: String, done: usize, all: usize) =>
            "{game}: analysed ({done}/{all})", "{game}: 解析しました（{done}/{all}）";
        Interrupted =>
            "interrupted; the same command continues", "中断しました。同じコマンドで続けられます";
        /// The number of exercises, and the files.
        Written(exercises: usize, page: PathBuf, problems: PathBuf) => |lang, f| {
            let (page, problems) = (page.display(), problems.display());
            match lang {
                Lang::En => {
                    let exercises = count(*exercises as u64, "exercise", "exercises");
                    write!(f, "{exercises}: {page}, {problems}")
                }
                Lang::Ja => write!(f, "{exercises}問: {page}、{problems}"),
            }
        };
    }
}
