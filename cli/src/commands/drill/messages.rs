//! What `monomi drill` says.

use crate::lang::count;
use monomi_support::text::{Lang, Message, say};
use std::fmt::{self, Formatter};
use std::path::PathBuf;

/// Why there are no exercises.
pub(super) enum Problem {
    NoGame,
    /// No mistake, of this player if one is asked for.
    NoExercise(Option<String>),
}

impl Message for Problem {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGame => say!(lang, f, "no game to analyse", "解析する棋譜がありません"),
            Self::NoExercise(None) => {
                say!(lang, f, "no mistake to make an exercise of", "問題にできる悪手がありません")
            }
            Self::NoExercise(Some(player)) => say!(
                lang,
                f,
                "no mistake of a player whose name contains `{player}`",
                "名前に「{player}」を含む対局者の悪手がありません"
            ),
        }
    }
}

/// How far the work is.
pub(super) enum Notice {
    /// A game, and how many of how many are done.
    Analysed(String, usize, usize),
    Interrupted,
    /// The number of exercises, and the files.
    Written(usize, PathBuf, PathBuf),
}

impl Message for Notice {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Analysed(game, done, all) => {
                say!(
                    lang,
                    f,
                    "{game}: analysed ({done}/{all})",
                    "{game}: 解析しました（{done}/{all}）"
                )
            }
            Self::Interrupted => say!(
                lang,
                f,
                "interrupted; the same command continues",
                "中断しました。同じコマンドで続けられます"
            ),
            Self::Written(exercises, page, problems) => {
                let (page, problems) = (page.display(), problems.display());
                match lang {
                    Lang::En => {
                        let exercises = count(*exercises as u64, "exercise", "exercises");
                        write!(f, "{exercises}: {page}, {problems}")
                    }
                    Lang::Ja => write!(f, "{exercises}問: {page}、{problems}"),
                }
            }
        }
    }
}
