//! Texts of the summary. Columns are aligned by their widths on a terminal, where Japanese characters
//! take two.

use crate::judge::{Class, Reason};
use crate::solve::Threat;
use monomi_text::{Lang, Message, count, say};
use std::fmt::{Formatter, Result};

/// A part of the summary of a game.
pub(crate) enum SummaryText<'a> {
    /// The first line: file, format, length, how the game ended, its opening, and how many of its
    /// positions were searched if that is not all.
    Heading {
        name: &'a str,
        format: &'a str,
        moves: usize,
        ending: Option<&'a str>,
        opening: Option<&'a str>,
        searched: Option<(usize, usize)>,
    },
    /// The heading of the statistics, eight right-aligned columns.
    StatisticsHeading,
    GraphLabel,
    /// Centipawns and winning probability in percent, both for Black.
    Evaluation {
        cp: i32,
        percent: f64,
    },
    /// As an evaluation.
    MateFor {
        plies: u32,
        winner: char,
    },
    NotSearched,
    PositionEvaluation {
        evaluation: &'a str,
        depth: u32,
        line: &'a str,
    },
    MateLine {
        plies: usize,
        line: &'a str,
    },
    Threat(Threat),
    /// A move that lost this much winning probability, 0 to 1.
    BadMove {
        loss: f64,
        class: Class,
    },
    /// Follows the class of a bad move.
    Better(&'a str),
    /// Follows the class of a bad move.
    Reason(Reason),
    MissedMate {
        plies: usize,
        line: &'a str,
    },
    /// Between the parts of a remark.
    Separator,
}

impl Message for SummaryText<'_> {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match *self {
            Self::Heading { name, format, moves, ending, opening, searched } => {
                let mut facts = vec![format.to_owned(), Length(moves).in_lang(lang).to_string()];
                facts.extend(ending.into_iter().chain(opening).map(ToOwned::to_owned));
                facts.extend(
                    searched.map(|(done, of)| Searched { done, of }.in_lang(lang).to_string()),
                );
                match lang {
                    Lang::En => writeln!(f, "{name}  ({})", facts.join(", ")),
                    Lang::Ja => writeln!(f, "{name}（{}）", facts.join("、")),
                }
            }
            Self::StatisticsHeading => say!(
                lang,
                f,
                "  accuracy  loss/move   best  inaccurate  dubious  mistakes  blunders  missed mates\n",
                "      精度   平均損失   最善        緩手   疑問手      悪手    大悪手    詰み見逃し\n"
            ),
            Self::GraphLabel => say!(lang, f, "▲'s winning chances", "先手の勝率"),
            Self::Evaluation { cp, percent } => {
                say!(lang, f, "{cp:+} ({percent:.0}% for ▲)", "{cp:+}（先手の勝率 {percent:.0}%）")
            }
            Self::MateFor { plies, winner } => {
                say!(lang, f, "mate in {plies} for {winner}", "{winner}の {plies} 手詰")
            }
            Self::NotSearched => say!(lang, f, "  not searched\n", "  未探索\n"),
            Self::PositionEvaluation { evaluation, depth, line } => say!(
                lang,
                f,
                "  evaluation {evaluation}, depth {depth}  {line}\n",
                "  評価値 {evaluation}、深さ {depth}  {line}\n"
            ),
            Self::MateLine { plies, line } => {
                say!(lang, f, "mate in {plies}: {line}", "{plies} 手詰: {line}")
            }
            Self::Threat(threat) => {
                let japanese = threat.in_lang(Lang::Ja);
                say!(lang, f, "{japanese} ({threat:?})", "{japanese}")
            }
            Self::BadMove { loss, class } => {
                write!(f, "-{:.0}%  {}", loss * 100.0, class.in_lang(lang))
            }
            Self::Better(line) => say!(lang, f, "; better {line}", "、最善は {line}"),
            Self::Reason(reason) => {
                let reason = reason.in_lang(lang);
                say!(lang, f, "; {reason}", "、{reason}")
            }
            Self::MissedMate { plies, line } => {
                say!(lang, f, "misses a mate in {plies}: {line}", "{plies} 手詰を見逃し: {line}")
            }
            Self::Separator => say!(lang, f, "; ", "、"),
        }
    }
}

/// The number of moves of a game.
struct Length(usize);

impl Message for Length {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match lang {
            Lang::En => f.write_str(&count(self.0 as u64, "move", "moves")),
            Lang::Ja => write!(f, "{} 手", self.0),
        }
    }
}

/// How many positions of a game were searched.
struct Searched {
    done: usize,
    of: usize,
}

impl Message for Searched {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let Self { done, of } = self;
        match lang {
            Lang::En => {
                write!(f, "{done} of {} searched", count(*of as u64, "position", "positions"))
            }
            Lang::Ja => write!(f, "{of} 局面中 {done} 局面を探索"),
        }
    }
}
