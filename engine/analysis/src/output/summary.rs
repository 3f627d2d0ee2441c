//! Summary of a game as text, for the terminal. Columns are aligned by their widths there, where
//! Japanese characters take two.

use crate::chance::black_view;
use crate::judge::statistics::{Side, sides};
use crate::judge::story::turning_points;
use crate::judge::{AnalyzedGame, JudgedPosition};
use crate::opening::opening;
use monomi_search::Score;
use monomi_text::{Lang, Message as _, count, say};
use shogi_core::Color;
use std::fmt::Write as _;

/// Width of the graph in columns.
const WIDTH: usize = 60;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Black's winning probability over the game, left to right; blank where not searched.
fn graph(positions: &[JudgedPosition<'_>]) -> String {
    let width = positions.len().min(WIDTH);
    let column = |index: usize| {
        let from = index * positions.len() / width;
        let to = ((index + 1) * positions.len() / width).max(from + 1);
        let chances: Vec<f64> =
            positions[from..to].iter().filter_map(JudgedPosition::black_chance).collect();
        if chances.is_empty() {
            return ' ';
        }
        let mean = chances.iter().sum::<f64>() / chances.len() as f64;
        BARS[((mean * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    (0..width).map(column).collect()
}

/// The summary: a heading, the statistics of both sides, the graph and the turning points. A record
/// without moves gets the evaluation of its position instead.
///
/// Text from the record may contain anything; control characters are replaced, so that it is safe
/// to print.
pub fn summary(game: &AnalyzedGame<'_>, lang: Lang) -> String {
    let record = game.record;
    let positions = &game.positions;
    let mut text = heading(game, lang);
    if record.moves.is_empty() {
        text.push_str(&position(&positions[0], lang));
    } else {
        if let Some(story) = game.story(lang) {
            let _ = writeln!(text, "  {story}");
        }
        text.push_str(&statistics(record.players(), &sides(positions), lang));
        let _ = writeln!(
            text,
            "  {}  {}",
            graph(positions),
            say!(lang, "▲'s winning chances", "先手の勝率")
        );
        let turning = turning_points(positions);
        for judged in &turning {
            text.push_str(&turning_point(judged, lang));
        }
        let other =
            |judged: &&JudgedPosition<'_>| turning.iter().all(|turning| turning.ply != judged.ply);
        for judged in positions.iter().filter(other) {
            if let Some(missed) = missed_mate(judged, lang) {
                let played = judged.played_name().unwrap_or_default();
                let _ = writeln!(text, "  {:>4} {played}  {missed}", judged.ply + 1);
            }
        }
    }
    text.replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}")
}

/// The first line: file, format, length, how the game ended, its opening, and how many of its positions
/// were searched if that is not all.
fn heading(game: &AnalyzedGame<'_>, lang: Lang) -> String {
    let record = game.record;
    let length = record.moves.len();
    let moves = count(length as u64, "move", "moves");
    let mut facts = vec![record.format.name().to_owned(), say!(lang, "{moves}", "{length} 手")];
    facts.extend(record.ending.as_ref().map(|ending| ending.kif().to_owned()));
    facts.extend(opening(record).map(|opening| opening.ja));
    let all = game.positions.len();
    let searched = game.positions.iter().filter(|judged| judged.searched().is_some()).count();
    if searched < all {
        let positions = count(all as u64, "position", "positions");
        facts.push(say!(
            lang,
            "{searched} of {positions} searched",
            "{all} 局面中 {searched} 局面を探索"
        ));
    }
    match lang {
        Lang::En => format!("{}  ({})\n", game.name, facts.join(", ")),
        Lang::Ja => format!("{}（{}）\n", game.name, facts.join("、")),
    }
}

fn statistics(names: [&str; 2], sides: &[Side; 2], lang: Lang) -> String {
    let mut text = say!(
        lang,
        "  accuracy  opening  middle  endgame  loss/move   best  dubious  mistakes  blunders  \
         missed mates  inaccurate\n",
        "      精度     序盤    中盤     終盤   平均損失   最善   疑問手      悪手    大悪手    \
         詰み見逃し        緩手\n"
    );
    for ((side, mark), name) in sides.iter().zip(['▲', '△']).zip(names) {
        let some = |value: Option<f64>, digits: usize| {
            value.map_or("–".to_owned(), |value| format!("{value:.digits$}%"))
        };
        let percent = |value: f64, digits| some((side.moves > 0).then_some(value), digits);
        let best = side.best as f64 * 100.0 / side.moves.max(1) as f64;
        let [opening, middle, endgame] = side.phases.map(|phase| some(phase, 0));
        let [dubious, mistakes, blunders] = side.bad;
        let _ = writeln!(
            text,
            "  {:>8}  {opening:>7}  {middle:>6}  {endgame:>7}  {:>9}  {:>5}  {dubious:>7}  \
             {mistakes:>8}  {blunders:>8}  {:>12}  {:>10}  {mark}{name}",
            some(side.accuracy, 1),
            percent(side.loss * 100.0, 2),
            percent(best, 0),
            side.missed_mates,
            side.hints,
        );
    }
    text
}

/// The evaluation from Black's point of view.
fn evaluation(judged: &JudgedPosition<'_>, lang: Lang) -> Option<String> {
    let score = judged.evaluation?;
    let to_move = judged.position.side_to_move();
    Some(match black_view(score, to_move) {
        Score::Cp(cp) => {
            let percent = judged.black_chance().unwrap_or_default() * 100.0;
            say!(lang, "{cp:+} ({percent:.0}% for ▲)", "{cp:+}（先手の勝率 {percent:.0}%）")
        }
        Score::Mate(plies) => {
            let winner = match (plies, to_move) {
                // The side to move is mated already.
                (0, Color::Black) => '△',
                (0, Color::White) => '▲',
                (1.., _) => '▲',
                _ => '△',
            };
            let plies = plies.unsigned_abs();
            say!(lang, "mate in {plies} for {winner}", "{winner}の {plies} 手詰")
        }
    })
}

/// The evaluation of a single position.
fn position(judged: &JudgedPosition<'_>, lang: Lang) -> String {
    let Some(searched) = judged.searched() else {
        return say!(lang, "  not searched\n", "  未探索\n");
    };
    let line = judged.names(searched.best_line()).concat();
    let evaluation = evaluation(judged, lang).unwrap_or_default();
    let depth = searched.depth;
    let text = say!(
        lang,
        "  evaluation {evaluation}, depth {depth}  {line}\n",
        "  評価値 {evaluation}、深さ {depth}  {line}\n"
    );
    let mate = judged.mate().map(|mate| {
        let (plies, line) = (mate.len(), judged.names(mate).concat());
        say!(lang, "  mate in {plies}: {line}\n", "  {plies} 手詰: {line}\n")
    });
    let threat = judged.threat().map(|threat| {
        let japanese = threat.in_lang(Lang::Ja);
        say!(lang, "  {japanese} ({threat:?})\n", "  {japanese}\n")
    });
    text + &mate.or(threat).unwrap_or_default()
}

fn turning_point(judged: &JudgedPosition<'_>, lang: Lang) -> String {
    let Some(verdict) = judged.verdict else { return String::new() };
    let played = judged.played_name().unwrap_or_default();
    let (number, percent) = (judged.ply + 1, verdict.loss * 100.0);
    let mut text =
        format!("  {number:>4} {played}  -{percent:.1}%  {}", verdict.class.in_lang(lang));
    let line = judged.searched().map_or(&[][..], |searched| searched.best_line());
    let better = judged.names(&line[..line.len().min(5)]).concat();
    if !better.is_empty() {
        text.push_str(&say!(lang, "; better {better}", "、最善は {better}"));
    }
    if let Some(reason) = verdict.reason {
        let reason = reason.in_lang(lang);
        text.push_str(&say!(lang, "; {reason}", "、{reason}"));
    }
    if let Some(missed) = missed_mate(judged, lang) {
        text.push_str(&say!(lang, "; {missed}", "、{missed}"));
    }
    text.push('\n');
    text
}

/// The mate that the move missed, if it did, with the mate's moves.
fn missed_mate(judged: &JudgedPosition<'_>, lang: Lang) -> Option<String> {
    let plies = judged.verdict?.missed_mate?;
    let line = judged.names(judged.mate().unwrap_or_default()).concat();
    Some(say!(lang, "misses a mate in {plies}: {line}", "{plies} 手詰を見逃し: {line}"))
}
