//! Analysis as comment lines that GUIs understand. The comments follow the move that led to the
//! position. Scores are from Black's point of view. The best line comes last, because readers keep
//! the last one.

use crate::analyzed_game::{Step, black_view};
use crate::found::{Found, ScoredLine};
use monomi_record::notation::csa_move;
use monomi_search::Score;
use shogi_core::Color;

/// Score of a mate in formats that have numbers only.
const MATE_NUMBER: i32 = 30_000;

/// Format of analysis comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum CommentStyle {
    /// ShogiHome: `#評価値=315`, `#読み筋=...`.
    #[default]
    Shogihome,
    /// ShogiGUI: `*解析 0 ○ 候補1 ... 評価値 34 読み筋 ...`.
    Shogigui,
    /// Floodgate: `* 315 +7776FU -3334FU`.
    Floodgate,
}

/// The comments by ply, without the format's comment mark: element `n` is for the position after
/// `n` moves.
pub fn by_ply(style: CommentStyle, steps: &[Step<'_>]) -> Vec<Vec<String>> {
    let before = |ply: usize| ply.checked_sub(1).map(|ply| &steps[ply]);
    steps.iter().map(|step| lines(style, step, before(step.ply))).collect()
}

/// The comments on a position; `judged` is the step before it, whose move led here.
fn lines(style: CommentStyle, step: &Step<'_>, judged: Option<&Step<'_>>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(found) = step.found {
        for (index, line) in step.lines().iter().enumerate().rev() {
            match style {
                CommentStyle::Shogihome => shogihome(step, found, line, &mut lines),
                CommentStyle::Shogigui => lines.push(shogigui(step, found, index, line)),
                CommentStyle::Floodgate => lines.push(floodgate(step, line)),
            }
        }
    }
    // Floodgate comments are read by programs, which do not expect text.
    if style != CommentStyle::Floodgate {
        lines.extend(judged.and_then(verdict));
        if let Some(threat) = step.tactics.threat {
            lines.push(format!("【{}】", threat.japanese()));
        }
    }
    lines
}

/// `【悪手】`, with the better move and the reason.
fn verdict(step: &Step<'_>) -> Option<String> {
    let judgement = step.judgement?;
    let marked = judgement.class.japanese();
    let mut text = match (marked, judgement.missed_mate) {
        (Some(class), _) => format!("【{class}】"),
        (None, Some(_)) => "【詰み逃し】".to_owned(),
        (None, None) => return None,
    };
    if judgement.class.is_bad() {
        text.push_str(&format!("勝率-{:.1}%", judgement.loss * 100.0));
        let best = step.lines().first().map(|line| step.names(&line.pv))?;
        if let Some(best) = best.first() {
            text.push_str(&format!(" 最善は{best}"));
        }
        if let Some(reason) = step.reason {
            text.push_str(&format!(" {}", reason.japanese()));
        }
    }
    if let Some(plies) = judgement.missed_mate {
        text.push_str(&format!(" {plies}手詰を逃す"));
    }
    Some(text)
}

fn shogihome(step: &Step<'_>, found: &Found, line: &ScoredLine, lines: &mut Vec<String>) {
    match black_view(line.score, step.position.side_to_move()) {
        Score::Cp(cp) => lines.push(format!("#評価値={cp}")),
        Score::Mate(_) => {
            let (winner, plies) = mate(step, line.score);
            let winner = if winner == Color::Black { "先手" } else { "後手" };
            lines.push(format!("#詰み={winner}勝ち:{plies}手"));
        }
    }
    if !line.pv.is_empty() {
        lines.push(format!("#読み筋={}", step.kif_line(&line.pv, "")));
    }
    if found.over.is_none() {
        lines.push(format!("#深さ={}", found.depth));
        lines.push(format!("#ノード数={}", found.nodes));
    }
    lines.push("#エンジン=Monomi".to_owned());
}

fn shogigui(step: &Step<'_>, found: &Found, index: usize, line: &ScoredLine) -> String {
    let played = step.played.map(|played| played.mv);
    let agrees = played.is_some() && played == line.pv.first().copied();
    let tenths = found.millis / 100;
    format!(
        "*解析 0 {} 候補{} 時間 {:02}:{:02}.{} 深さ {}/{} ノード数 {} 評価値 {} 読み筋 {}",
        if agrees { "○" } else { "×" },
        index + 1,
        tenths / 600,
        tenths / 10 % 60,
        tenths % 10,
        found.depth,
        found.seldepth,
        found.nodes,
        number(step, line.score),
        step.kif_line(&line.pv, " "),
    )
}

fn floodgate(step: &Step<'_>, line: &ScoredLine) -> String {
    let mut text = format!("* {}", number(step, line.score));
    let mut position = step.position.clone();
    for &mv in &line.pv {
        text.push(' ');
        text.push_str(&csa_move(&position, mv));
        position.do_move(mv);
    }
    text
}

/// The side that mates, and in how many plies.
fn mate(step: &Step<'_>, score: Score) -> (Color, i32) {
    let to_move = step.position.side_to_move();
    match score {
        Score::Mate(plies) if plies > 0 => (to_move, plies),
        Score::Mate(plies) => (to_move.flip(), -plies),
        Score::Cp(_) => (to_move, 0),
    }
}

/// The score from Black's point of view as a number.
fn number(step: &Step<'_>, score: Score) -> i32 {
    match black_view(score, step.position.side_to_move()) {
        Score::Cp(cp) => cp,
        Score::Mate(_) if mate(step, score).0 == Color::Black => MATE_NUMBER,
        Score::Mate(_) => -MATE_NUMBER,
    }
}
