//! Analysis as comment lines that GUIs understand. The comments follow the move that led to the
//! position. Scores are from Black's point of view. The best line comes last, because readers keep
//! the last one.

use crate::chance::black_view;
use crate::judge::{AnalyzedGame, JudgedPosition, Menace};
use crate::line::Notation;
use crate::search::{ScoredLine, SearchedPosition};
use monomi_record::Record;
use monomi_record::notation::csa_move;
use monomi_search::Score;
use monomi_support::text::{Lang, Message as _};
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
pub fn by_ply(style: CommentStyle, game: &AnalyzedGame<'_>) -> Vec<Vec<String>> {
    let positions = &game.positions;
    let before = |ply: usize| ply.checked_sub(1).map(|ply| &positions[ply]);
    let mut all: Vec<Vec<String>> =
        positions.iter().map(|judged| lines(style, judged, before(judged.ply))).collect();
    if style != CommentStyle::Floodgate
        && let (Some(first), Some(story)) =
            (all.first_mut(), game.story(Lang::Ja, Notation::Japanese))
    {
        first.insert(0, format!("【総評】{story}"));
    }
    all
}

/// Which of the lines between two moves are comments of an earlier analysis by Monomi; `mark` begins the comments
/// of the format. `of_gui` says that ShogiGUI wrote the analysis of the record. In Floodgate's style nobody can tell
/// whose they are.
pub fn own(lines: &[String], mark: &str, of_gui: bool) -> Vec<bool> {
    let lines: Vec<&str> =
        lines.iter().map(|line| line.strip_prefix(mark).unwrap_or_default()).collect();
    let mut own = vec![false; lines.len()];
    let first = |line: &str| line.starts_with("#評価値=") || line.starts_with("#詰み=");
    for end in 0..lines.len() {
        if lines[end] == "#エンジン=Monomi" {
            let block = (0..end).rev().take_while(|&at| lines[at].starts_with('#'));
            let begin = block.into_iter().find(|&at| first(lines[at])).unwrap_or(end);
            own[begin..=end].fill(true);
        }
    }
    for (at, line) in lines.iter().enumerate() {
        own[at] |= !of_gui && line.starts_with("*解析 0 ") && line.contains(" 候補");
    }
    // What is said about the move follows these lines.
    let tags = ["【", "ヒント："];
    for at in 0..lines.len() {
        let said = tags.iter().any(|tag| lines[at].starts_with(tag)) || lines[at].contains("手詰");
        own[at] |= said && at > 0 && own[at - 1];
    }
    if own.contains(&true) {
        own.iter_mut().zip(&lines).for_each(|(own, line)| *own |= line.starts_with("【総評】"));
    }
    own
}

/// Whether ShogiGUI has written an analysis into a record: it names its engines before the first move.
pub fn is_of_gui(record: &Record) -> bool {
    record.comments.iter().any(|comment| comment.starts_with("*Engines "))
}

/// A record with comments added by ply. Those of an earlier analysis are left out where new ones are added.
pub fn annotated(record: &Record, added: &[Vec<String>]) -> Record {
    let of_gui = is_of_gui(record);
    let mut record = record.clone();
    let own_comments = std::iter::once(&mut record.comments);
    let of_moves = record.moves.iter_mut().map(|played| &mut played.comments);
    for (comments, added) in own_comments.chain(of_moves).zip(added) {
        if !added.is_empty() {
            let mut old = own(comments, "", of_gui).into_iter();
            comments.retain(|_| !old.next().unwrap_or(false));
            comments.extend_from_slice(added);
        }
    }
    record
}

/// The comments on a position; `before` is the position whose move led here.
fn lines(
    style: CommentStyle,
    judged: &JudgedPosition<'_>,
    before: Option<&JudgedPosition<'_>>,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(searched) = judged.searched() {
        for (index, line) in judged.lines().iter().enumerate().rev() {
            match style {
                CommentStyle::Shogihome => shogihome(judged, searched, line, &mut lines),
                CommentStyle::Shogigui => lines.push(shogigui(judged, searched, index, line)),
                CommentStyle::Floodgate => lines.push(floodgate(judged, line)),
            }
        }
    }
    // Floodgate comments are read by programs, which do not expect text.
    if style != CommentStyle::Floodgate {
        lines.extend(before.and_then(verdict));
        lines.extend(threat(judged));
    }
    lines
}

/// `【詰めろ】▲5手詰`, or `【狙い】▲２三歩成` where the move before threatens to win material.
fn threat(judged: &JudgedPosition<'_>) -> Option<String> {
    let mark = if judged.position.side_to_move() == Color::Black { '△' } else { '▲' };
    let plies = judged.menace.and_then(Menace::mate);
    match (judged.threat(), plies) {
        (Some(threat), Some(plies)) => {
            Some(format!("【{}】{mark}{plies}手詰", threat.in_lang(Lang::Ja)))
        }
        (Some(threat), None) => Some(format!("【{}】", threat.in_lang(Lang::Ja))),
        (None, _) => judged.threatened().map(|(_, name)| format!("【狙い】{name}")),
    }
}

/// `【悪手】`, with the better move and the reason.
fn verdict(judged: &JudgedPosition<'_>) -> Option<String> {
    let verdict = judged.verdict?;
    if verdict.class.is_hint() && verdict.missed_mate.is_none() {
        return hint(judged, verdict.loss);
    }
    let mut text = match verdict.missed_mate {
        _ if verdict.class.is_marked() => format!("【{}】", verdict.class.in_lang(Lang::Ja)),
        Some(_) => "【詰み見逃し】".to_owned(),
        None => return judged.reason().map(|reason| reason.words[0].clone()),
    };
    if verdict.class.is_bad() {
        text.push_str(&format!("勝率-{:.1}%", verdict.loss * 100.0));
        let best = judged.lines().first().map(|line| judged.names(&line.pv))?;
        if let Some(best) = best.first() {
            text.push_str(&format!(" 最善は{best}"));
        }
        if let Some(reason) = judged.reason() {
            text.push_str(&format!(" {}", reason.words[0]));
        }
        if let Some([plan, _]) = judged.plan() {
            text.push_str(&format!(" 最善手は{plan}"));
        }
    }
    if let Some((difficulty, nodes)) = judged.difficulty() {
        let difficulty = difficulty.in_lang(Lang::Ja);
        text.push_str(&format!(" 発見の難度：{difficulty}（{nodes}ノード）"));
    }
    if let Some(plies) = verdict.missed_mate {
        text.push_str(&format!(" {plies}手詰を逃す"));
    }
    Some(text)
}

/// A better move where the one played was no mistake.
fn hint(judged: &JudgedPosition<'_>, loss: f64) -> Option<String> {
    let best = judged.names(judged.searched()?.best_line());
    Some(format!("ヒント：{}なら勝率+{:.1}%", best.first()?, loss * 100.0))
}

/// ShogiHome's comment on a score from Black's point of view: `#評価値=315`, `#詰み=先手勝ち:5手`.
pub fn score_comment(score: Score, to_move: Color) -> String {
    match score {
        Score::Cp(cp) => format!("#評価値={cp}"),
        Score::Mate(plies) => {
            let winner = if winner(plies, to_move) == Color::Black { "先手" } else { "後手" };
            format!("#詰み={winner}勝ち:{}手", plies.abs())
        }
    }
}

fn shogihome(
    judged: &JudgedPosition<'_>,
    searched: &SearchedPosition,
    line: &ScoredLine,
    lines: &mut Vec<String>,
) {
    let to_move = judged.position.side_to_move();
    lines.push(score_comment(black_view(line.score, to_move), to_move));
    if !line.pv.is_empty() {
        lines.push(format!("#読み筋={}", judged.kif_line(&line.pv, "")));
    }
    if searched.over.is_none() {
        lines.push(format!("#深さ={}", searched.depth));
        lines.push(format!("#ノード数={}", searched.nodes));
    }
    lines.push("#エンジン=Monomi".to_owned());
}

fn shogigui(
    judged: &JudgedPosition<'_>,
    searched: &SearchedPosition,
    index: usize,
    line: &ScoredLine,
) -> String {
    let played = judged.played.map(|played| played.mv);
    let agrees = played.is_some() && played == line.pv.first().copied();
    let tenths = searched.millis / 100;
    format!(
        "*解析 0 {} 候補{} 時間 {:02}:{:02}.{} 深さ {}/{} ノード数 {} 評価値 {} 読み筋 {}",
        if agrees { "○" } else { "×" },
        index + 1,
        tenths / 600,
        tenths / 10 % 60,
        tenths % 10,
        searched.depth,
        searched.seldepth,
        searched.nodes,
        number(judged, line.score),
        judged.kif_line(&line.pv, " "),
    )
}

fn floodgate(judged: &JudgedPosition<'_>, line: &ScoredLine) -> String {
    let mut text = format!("* {}", number(judged, line.score));
    let mut position = judged.position.clone();
    for &mv in &line.pv {
        text.push(' ');
        text.push_str(&csa_move(&position, mv));
        position.do_move(mv);
    }
    text
}

/// The side that mates; plies from Black's point of view, 0 if the side to move is mated already.
fn winner(plies: i32, to_move: Color) -> Color {
    match plies {
        0 => to_move.flip(),
        1.. => Color::Black,
        _ => Color::White,
    }
}

/// The score from Black's point of view as a number.
fn number(judged: &JudgedPosition<'_>, score: Score) -> i32 {
    let to_move = judged.position.side_to_move();
    match black_view(score, to_move) {
        Score::Cp(cp) => cp,
        Score::Mate(plies) if winner(plies, to_move) == Color::Black => MATE_NUMBER,
        Score::Mate(_) => -MATE_NUMBER,
    }
}
