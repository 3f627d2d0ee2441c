//! Summary of a game as text, for the terminal. Columns are aligned by their widths there, where
//! Japanese characters take two.

use crate::chance::black_view;
use crate::judge::statistics::{Side, sides};
use crate::judge::story::turning_points;
use crate::judge::{AnalyzedGame, Class, JudgedPosition};
use crate::line::Notation;
use crate::opening::opening;
use crate::output::terminal::{Look, Terminal, harmless};
use console::{Alignment, measure_text_width, pad_str, truncate_str};
use monomi_search::Score;
use monomi_support::text::{Lang, Message as _, count, say};
use shogi_core::Color;
use std::fmt::Write as _;

/// Greatest width of the graph in columns.
const WIDTH: usize = 60;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Black's winning probability over the game, left to right in so many columns at most; blank where not
/// searched.
fn graph(positions: &[JudgedPosition<'_>], columns: usize) -> String {
    let width = positions.len().min(WIDTH).min(columns).max(1);
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
/// without moves gets the evaluation of its position instead. No line is wider than the terminal where that is
/// possible.
///
/// `notation` is that of the moves. Text from the record may contain anything; control characters are replaced, so that it is safe
/// to print.
pub fn summary(
    game: &AnalyzedGame<'_>,
    lang: Lang,
    notation: Notation,
    terminal: Terminal,
) -> String {
    let record = game.record;
    let positions = &game.positions;
    let mut text = heading(game, lang, terminal);
    if record.moves.is_empty() {
        text.push_str(&position(&positions[0], lang, notation));
    } else {
        if let Some(story) = game.story(lang, notation) {
            let _ = writeln!(text, "  {}", harmless(&story.to_string()));
        }
        text.push_str(&statistics(record.players(), &sides(positions), lang, terminal.columns));
        let label = say!(lang, "▲'s winning chances", "先手の勝率");
        let columns = terminal.columns.saturating_sub(4 + measure_text_width(&label));
        let _ = writeln!(text, "  {}  {label}", graph(positions, columns));
        let turning = turning_points(positions);
        for judged in &turning {
            text.push_str(&turning_point(judged, lang, notation, terminal));
        }
        let other =
            |judged: &&JudgedPosition<'_>| turning.iter().all(|turning| turning.ply != judged.ply);
        for judged in positions.iter().filter(other) {
            if let Some(missed) = missed_mate(judged, lang, notation) {
                let played = played(judged, notation);
                let missed = terminal.paint(&missed, Look::Bad);
                let _ = writeln!(text, "  {:>4} {played}  {missed}", judged.ply + 1);
            }
        }
    }
    terminal.lay_out(&text)
}

/// The first line: file, format, length, how the game ended, its opening, and how many of its positions
/// were searched if that is not all.
fn heading(game: &AnalyzedGame<'_>, lang: Lang, terminal: Terminal) -> String {
    let record = game.record;
    let length = record.moves.len();
    let moves = count(length as u64, "move", "moves");
    let mut facts = vec![record.format.name().to_owned(), say!(lang, "{moves}", "{length} 手")];
    facts.extend(record.ending.as_ref().map(|ending| harmless(&ending.in_lang(lang).to_string())));
    facts.extend(opening(record).map(|opening| match lang {
        Lang::En => opening.en,
        Lang::Ja => opening.ja,
    }));
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
    let name = terminal.paint(&harmless(game.name), Look::Heading);
    match lang {
        Lang::En => format!("{name}  ({})\n", facts.join(", ")),
        Lang::Ja => format!("{name}（{}）\n", facts.join("、")),
    }
}

/// The values of a side as they are shown, in the order of the columns.
fn values(side: &Side) -> [String; 11] {
    let some = |value: Option<f64>, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.digits$}%"))
    };
    let percent = |value: f64, digits| some((side.moves > 0).then_some(value), digits);
    let best = side.best as f64 * 100.0 / side.moves.max(1) as f64;
    let [opening, middle, endgame] = side.phases.map(|phase| some(phase, 0));
    let [dubious, mistakes, blunders] = side.bad.map(|number| number.to_string());
    let (missed, hints) = (side.missed_mates.to_string(), side.hints.to_string());
    let loss = percent(side.loss * 100.0, 2);
    let accuracy = some(side.accuracy, 1);
    [
        accuracy,
        opening,
        middle,
        endgame,
        loss,
        percent(best, 0),
        dubious,
        mistakes,
        blunders,
        missed,
        hints,
    ]
}

/// The statistics: a line for each player, or a column for each where the terminal is too narrow for that.
fn statistics(names: [&str; 2], sides: &[Side; 2], lang: Lang, columns: usize) -> String {
    let names = ['▲', '△'].into_iter().zip(names);
    let names: Vec<String> = names.map(|(mark, name)| harmless(&format!("{mark}{name}"))).collect();
    let mut text = say!(
        lang,
        "  accuracy  opening  middle  endgame  loss/move   best  dubious  mistakes  blunders  \
         missed mates  inaccurate\n",
        "      精度     序盤    中盤     終盤   平均損失   最善   疑問手      悪手    大悪手    \
         詰み見逃し        緩手\n"
    );
    for (side, name) in sides.iter().zip(&names) {
        let [
            accuracy,
            opening,
            middle,
            endgame,
            loss,
            best,
            dubious,
            mistakes,
            blunders,
            missed,
            hints,
        ] = values(side);
        let _ = writeln!(
            text,
            "  {accuracy:>8}  {opening:>7}  {middle:>6}  {endgame:>7}  {loss:>9}  {best:>5}  {dubious:>7}  \
             {mistakes:>8}  {blunders:>8}  {missed:>12}  {hints:>10}  {name}",
        );
    }
    let fits = text.lines().all(|line| measure_text_width(line) <= columns);
    if fits { text } else { narrow_statistics(&names, sides, lang, columns) }
}

fn narrow_statistics(names: &[String], sides: &[Side; 2], lang: Lang, columns: usize) -> String {
    let labels = say!(
        lang,
        "accuracy,  opening,  middle,  endgame,loss/move,best,dubious,mistakes,blunders,missed mates,inaccurate",
        "精度,  序盤,  中盤,  終盤,平均損失,最善,疑問手,悪手,大悪手,詰み見逃し,緩手"
    );
    let labels: Vec<&str> = labels.split(',').collect();
    let first = labels.iter().map(|label| measure_text_width(label)).max().unwrap_or(0);
    let room = (columns.saturating_sub(first + 6) / 2).max(4);
    let names: Vec<_> = names.iter().map(|name| truncate_str(name, room, "…")).collect();
    let second = names.first().map_or(0, |name| measure_text_width(name)).max(7);
    let mut text = String::new();
    let mut line = |label: &str, cells: [&str; 2]| {
        let _ = writeln!(
            text,
            "  {}  {}  {}",
            pad_str(label, first, Alignment::Left, None),
            pad_str(cells[0], second, Alignment::Left, None),
            cells[1]
        );
    };
    line("", [&names[0], &names[1]]);
    let [black, white] = sides.each_ref().map(values);
    for (label, (black, white)) in labels.iter().zip(black.iter().zip(&white)) {
        line(label, [black, white]);
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
fn position(judged: &JudgedPosition<'_>, lang: Lang, notation: Notation) -> String {
    let Some(searched) = judged.searched() else {
        return say!(lang, "  not searched\n", "  未探索\n");
    };
    let line = judged.line(notation, searched.best_line());
    let evaluation = evaluation(judged, lang).unwrap_or_default();
    let depth = searched.depth;
    let text = say!(
        lang,
        "  evaluation {evaluation}, depth {depth}  {line}\n",
        "  評価値 {evaluation}、深さ {depth}  {line}\n"
    );
    let mate = judged.mate().map(|mate| {
        let (plies, line) = (mate.len(), judged.line(notation, mate));
        say!(lang, "  mate in {plies}: {line}\n", "  {plies} 手詰: {line}\n")
    });
    let threat = judged.threat().map(|threat| format!("  {}\n", threat.in_lang(lang)));
    text + &mate.or(threat).unwrap_or_default()
}

/// The move played.
fn played(judged: &JudgedPosition<'_>, notation: Notation) -> String {
    judged.played.map_or(String::new(), |played| judged.line(notation, &[played.mv]))
}

fn turning_point(
    judged: &JudgedPosition<'_>,
    lang: Lang,
    notation: Notation,
    terminal: Terminal,
) -> String {
    let Some(verdict) = judged.verdict else { return String::new() };
    let played = played(judged, notation);
    let (number, percent) = (judged.ply + 1, verdict.loss * 100.0);
    let look = match verdict.class {
        Class::Blunder => Look::Worst,
        Class::Mistake => Look::Bad,
        Class::Dubious | Class::Inaccuracy => Look::Doubtful,
        _ => Look::Good,
    };
    let said = format!("-{percent:.1}%  {}", verdict.class.in_lang(lang));
    let mut text = format!("  {number:>4} {played}  {}", terminal.paint(&said, look));
    let line = judged.searched().map_or(&[][..], |searched| searched.best_line());
    let better = judged.line(notation, &line[..line.len().min(5)]);
    if !better.is_empty() {
        text.push_str(&say!(lang, "; better {better}", "、最善は {better}"));
    }
    if let Some(reason) = judged.reason() {
        let reason = in_lang(&reason.words, lang);
        text.push_str(&say!(lang, "; {reason}", "、{reason}"));
    }
    if let Some(plan) = judged.plan() {
        let plan = in_lang(plan, lang);
        text.push_str(&say!(lang, "; the better move {plan}", "、最善手は{plan}"));
    }
    if let Some(missed) = missed_mate(judged, lang, notation) {
        text.push_str(&say!(lang, "; {missed}", "、{missed}"));
    }
    text.push('\n');
    text
}

/// A text in Japanese and in English in the language of the reader.
fn in_lang(both: &[String; 2], lang: Lang) -> &str {
    &both[usize::from(lang != Lang::Ja)]
}

/// The mate that the move missed, if it did, with the mate's moves.
fn missed_mate(judged: &JudgedPosition<'_>, lang: Lang, notation: Notation) -> Option<String> {
    let plies = judged.verdict?.missed_mate?;
    let line = judged.line(notation, judged.mate().unwrap_or_default());
    Some(say!(lang, "misses a mate in {plies}: {line}", "{plies} 手詰を見逃し: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisSettings, StretchedGame, WinScale, test_games};
    use monomi_eval::Evaluation;
    use monomi_search::spawn;

    /// No line is wider than the terminal, and nothing is left out that a wide one shows, but for long names.
    #[test]
    fn summaries_fit_the_terminal() {
        let mut record = test_games::record(30);
        let name = "とても長い名前の対局者\x1b[2J ".repeat(4);
        record.headers.push(("先手".to_owned(), name.clone()));
        record.headers.push(("後手".to_owned(), "White".to_owned()));
        let settings = AnalysisSettings::of_nodes(200, WinScale::default());
        let mut game = StretchedGame::new(record, settings, Evaluation::internal());
        game.begin(0..31);
        std::thread::scope(|scope| {
            let search = || while game.advance(8, &mut |_| {}).unwrap() > 0 {};
            spawn(scope, search).unwrap().join().unwrap();
        });
        let path = "records/of a tournament/with a long name/round 1/game.kif";
        let game = AnalyzedGame::new(path, game.record(), game.results(), WinScale::default());
        for (lang, notation) in [
            (Lang::En, Notation::Western),
            (Lang::Ja, Notation::Japanese),
            (Lang::En, Notation::Usi),
        ] {
            let summary = |terminal| summary(&game, lang, notation, terminal);
            let wide = summary(Terminal::NONE);
            assert!(wide.contains("とても長い名前の対局者\u{FFFD}[2J"), "{wide}");
            let kanji = ['歩', '香', '桂', '銀', '金', '角', '飛', '玉', '同'];
            assert_eq!(wide.contains(kanji), notation == Notation::Japanese, "{wide}");
            let percent = |text: &str| text.matches('%').count();
            for columns in [60, 80, 100] {
                let narrow = summary(Terminal { columns, colours: false });
                let widest = narrow.lines().map(measure_text_width).max().unwrap();
                assert!((columns / 2..=columns).contains(&widest), "{columns}:\n{narrow}");
                assert_eq!(percent(&narrow), percent(&wide), "{narrow}");
                let coloured = summary(Terminal { columns, colours: true });
                assert!(coloured.contains("\x1b[1m") && !coloured.contains("\x1b[2J"));
                assert_eq!(console::strip_ansi_codes(&coloured), narrow);
            }
        }
    }
}
