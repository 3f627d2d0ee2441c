//! Texts of the summary of an analysed game. Columns are aligned by their widths on a terminal, where
//! Japanese characters take two.

use crate::judge::Class;
use crate::tactics::{Reason, Threat};
use monomi_text::{Lang, count, texts};

texts! {
    AnalysisTexts
    /// The first line: file, format, length, how the game ended, its opening, and how much of it was
    /// searched if that is not all.
    fn game_heading(
        self,
        name: &str,
        format: &str,
        moves: usize,
        ending: Option<&str>,
        opening: Option<&str>,
        searched: Option<(usize, usize)>,
    ) -> String {
        let mut facts = vec![format.to_owned()];
        facts.push(match self {
            Lang::En => count(moves as u64, "move", "moves"),
            Lang::Ja => format!("{moves} 手"),
        });
        facts.extend(ending.into_iter().chain(opening).map(ToOwned::to_owned));
        facts.extend(searched.map(|(done, all)| match self {
            Lang::En => {
                format!("{done} of {} searched", count(all as u64, "position", "positions"))
            }
            Lang::Ja => format!("{all} 局面中 {done} 局面を探索"),
        }));
        match self {
            Lang::En => format!("{name}  ({})\n", facts.join(", ")),
            Lang::Ja => format!("{name}（{}）\n", facts.join("、")),
        }
    }

    /// The heading of the statistics, eight right-aligned columns.
    fn statistics_heading(self) -> &'static str {
        match self {
            Lang::En => {
                "  accuracy  loss/move   best  inaccurate  dubious  mistakes  blunders  missed mates\n"
            }
            Lang::Ja => {
                "      精度   平均損失   最善        緩手   疑問手      悪手    大悪手    詰み見逃し\n"
            }
        }
    }

    fn graph_label(self) -> &'static str {
        match self {
            Lang::En => "▲'s winning chances",
            Lang::Ja => "先手の勝率",
        }
    }

    /// Centipawns and winning probability in percent, both for Black.
    fn evaluation(self, cp: i32, percent: f64) -> String {
        match self {
            Lang::En => format!("{cp:+} ({percent:.0}% for ▲)"),
            Lang::Ja => format!("{cp:+}（先手の勝率 {percent:.0}%）"),
        }
    }

    fn mate_for(self, plies: u32, winner: char) -> String {
        match self {
            Lang::En => format!("mate in {plies} for {winner}"),
            Lang::Ja => format!("{winner}の {plies} 手詰"),
        }
    }

    fn not_searched(self) -> &'static str {
        match self {
            Lang::En => "  not searched\n",
            Lang::Ja => "  未探索\n",
        }
    }

    fn position_evaluation(self, evaluation: &str, depth: u32, line: &str) -> String {
        match self {
            Lang::En => format!("  evaluation {evaluation}, depth {depth}  {line}\n"),
            Lang::Ja => format!("  評価値 {evaluation}、深さ {depth}  {line}\n"),
        }
    }

    fn mate_line(self, plies: usize, line: &str) -> String {
        match self {
            Lang::En => format!("mate in {plies}: {line}"),
            Lang::Ja => format!("{plies} 手詰: {line}"),
        }
    }

    fn threat(self, threat: Threat) -> String {
        match self {
            Lang::En => format!("{} ({threat:?})", threat.japanese()),
            Lang::Ja => threat.japanese().to_owned(),
        }
    }

    fn class(self, class: Class) -> &'static str {
        match self {
            Lang::En => class.english(),
            Lang::Ja => class.japanese().unwrap_or_default(),
        }
    }

    /// Follows the class of a bad move.
    fn better(self, line: &str) -> String {
        match self {
            Lang::En => format!("; better {line}"),
            Lang::Ja => format!("、最善は {line}"),
        }
    }

    /// Follows the class of a bad move.
    fn reason(self, reason: Reason) -> String {
        match self {
            Lang::En => format!("; {}", reason.english()),
            Lang::Ja => format!("、{}", reason.japanese()),
        }
    }

    fn missed_mate(self, plies: usize) -> String {
        match self {
            Lang::En => format!("misses a mate in {plies}"),
            Lang::Ja => format!("{plies} 手詰を見逃し"),
        }
    }

    /// Between the parts of a remark.
    fn separator(self) -> &'static str {
        match self {
            Lang::En => "; ",
            Lang::Ja => "、",
        }
    }
}
