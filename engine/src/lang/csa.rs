//! Messages of `monomi csa`.

use super::{Lang, count};
use monomi_csa::output::{Counts, GameResult, Tally, Verdict};
use monomi_csa::protocol::Reason as CsaReason;
use monomi_csa::protocol::ServerResult;
use monomi_text::texts;
use shogi_core::Color;
use std::fmt::Write as _;

texts! {
    CsaTexts
    // `csa`

    fn connecting(self, host: &str, port: u16) -> String {
        match self {
            Lang::En => format!("connecting to {host}:{port}"),
            Lang::Ja => format!("{host}:{port} に接続しています"),
        }
    }

    /// Black or White.
    fn side(self, color: Color) -> &'static str {
        match (self, color) {
            (Lang::En, Color::Black) => "black",
            (Lang::En, Color::White) => "white",
            (Lang::Ja, color) => super::errors::side(color),
        }
    }

    fn pairing(self, us: Color, opponent: &str) -> String {
        match self {
            Lang::En => format!("{} against {opponent}", self.side(us)),
            Lang::Ja => format!("{opponent} との対局（{}）", self.side(us)),
        }
    }

    fn ply_and_clocks(self, ply: usize, clocks: &str) -> String {
        match self {
            Lang::En => format!("move {ply}  {clocks}"),
            Lang::Ja => format!("{ply} 手目  {clocks}"),
        }
    }

    fn thinking(self, score: &str, depth: u32, ponder: bool) -> String {
        match self {
            Lang::En => {
                format!("{score}  depth {depth}{}", if ponder { " (pondering)" } else { "" })
            }
            Lang::Ja => format!("{score}  深さ {depth}{}", if ponder { "（先読み）" } else { "" }),
        }
    }

    fn csa_mate(self, plies: i32) -> String {
        match self {
            Lang::En => format!("mate {plies:+}"),
            Lang::Ja => format!("詰み {plies:+}"),
        }
    }

    /// One line on a finished game; `time` is its length.
    fn csa_result(self, game: &GameResult, time: &str) -> String {
        let record = game.record().map(|path| path.display().to_string());
        let (number, opponent, plies) = (game.number, &game.opponent, game.plies);
        let (verdict, reason, side) =
            (self.verdict(game.result), self.csa_reason(game), self.side(game.color));
        match self {
            Lang::En => {
                let record = record.map_or(String::new(), |path| format!(", {path}"));
                let moves = count(plies as u64, "move", "moves");
                format!(
                    "{number} {verdict} ({reason}) {side} against {opponent}, {moves}, {time}{record}"
                )
            }
            Lang::Ja => {
                let record = record.map_or(String::new(), |path| format!("、{path}"));
                format!(
                    "{number} {verdict}（{reason}）{side} 対 {opponent}、{plies} 手、{time}{record}"
                )
            }
        }
    }

    fn verdict(self, verdict: Verdict) -> &'static str {
        match (self, verdict) {
            (Lang::En, verdict) => verdict.word(),
            (Lang::Ja, Verdict::Win) => "勝ち",
            (Lang::Ja, Verdict::Loss) => "負け",
            (Lang::Ja, Verdict::Draw) => "引き分け",
            (Lang::Ja, Verdict::Unfinished) => "中断",
        }
    }

    fn csa_reason(self, game: &GameResult) -> &str {
        if self == Lang::En {
            return game.reason();
        }
        match &game.end.reason {
            Some(CsaReason::Resign) => "投了",
            Some(CsaReason::TimeUp) => "時間切れ",
            Some(CsaReason::IllegalMove) => "反則",
            Some(CsaReason::Sennichite) => "千日手",
            Some(CsaReason::OuteSennichite) => "連続王手の千日手",
            Some(CsaReason::Jishogi) => "入玉宣言",
            Some(CsaReason::MaxMoves) => "手数制限",
            Some(CsaReason::Other(word)) => word,
            None => match game.end.outcome {
                Some(ServerResult::Chudan) => "中断",
                Some(_) => "理由なし",
                None => "接続断",
            },
        }
    }

    fn csa_totals(self, tally: &Tally) -> String {
        if self == Lang::En {
            return tally.to_string();
        }
        let counts = |counts: &Counts| {
            let Counts { wins, losses, draws, unfinished } = counts;
            let mut text = format!("{wins} 勝 {losses} 敗 {draws} 分");
            if *unfinished > 0 {
                let _ = write!(text, "（中断 {unfinished}）");
            }
            text
        };
        let [black, white] = &tally.by_color;
        let mut text = format!("{} 局: {}\n", tally.games(), counts(&tally.all));
        let _ = writeln!(text, "  先手: {}\n  後手: {}", counts(black), counts(white));
        for (opponent, [black, white]) in &tally.by_opponent {
            let _ =
                writeln!(text, "  対 {opponent}: 先手 {}、後手 {}", counts(black), counts(white));
        }
        text
    }
}
