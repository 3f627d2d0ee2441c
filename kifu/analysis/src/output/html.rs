//! The report: a single HTML file that works without a network.

use crate::chance::{black_view, parts, rounded};
use crate::explain::Reason;
use crate::judge::statistics::{Side, sides};
use crate::judge::story::{story, turning_points};
use crate::judge::{AnalyzedGame, Difficulty, JudgedPosition, Menace};
use crate::line::{Notation, names, usi};
use crate::opening::{Name, castles, opening};
use crate::output::comments::CommentStyle;
use crate::output::index::mistake_kind;
use crate::output::kif;
use crate::output::line_data::{AnswersData, LineData};
use crate::output::result::result;
use crate::output::scripts::script;
use crate::solve::Threat;
use monomi_record::{Branch, Encoding, Record};
use monomi_support::text::escaped;
use monomi_support::text::{Lang, Message};
use serde::Serialize;
use shogi_core::Color;
use std::io;

const PAGE: &str = include_str!("report/page.html");
/// What all pages begin with.
const HEAD: &str = include_str!("report/head.html");
const NAVIGATION: &str = include_str!("report/navigation.html");
const STYLE: &str = include_str!("report/style.css");
/// What the Content-Security-Policy allows.
const SOURCES: &str =
    "script-src 'unsafe-inline'{{engine-sources}}; style-src 'unsafe-inline'; img-src data:";
/// Added to it for the engine and its worker.
const ENGINE_SOURCES: &str = " 'wasm-unsafe-eval' blob:; worker-src blob:";

/// Longest line shown, in plies; mates are shown to the end.
const LINE_PLIES: usize = 16;
/// Wrong answers that are refuted by a line, besides the move played; more would make reports large.
const REFUTATIONS: usize = 8;

/// What the report says about the engine.
#[derive(Clone, Debug, Default)]
pub struct EngineInfo {
    /// The evaluation.
    pub network: String,
    /// The search limits of each position.
    pub limits: String,
    /// The engine for browsers, to be put into the report.
    pub live: Option<BrowserEngine>,
}

/// The script `monomi-live.js`, which contains the engine as WebAssembly (`web/build`).
#[derive(Clone, Debug)]
pub struct BrowserEngine(String);

impl BrowserEngine {
    /// `None` if this is not such a script.
    pub fn new(script: String) -> Option<Self> {
        // What ends a script element would break the report.
        let fits = !script.contains("</") && !script.contains("<!--");
        (fits && script.starts_with("const MONOMI = {")).then_some(Self(script))
    }

    /// The engine of the app that shows the report in a frame: nothing needs to be in the report.
    pub fn hosted() -> Self {
        Self(String::new())
    }
}

/// The input of the script.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    file: String,
    players: [&'a str; 2],
    handicap: bool,
    facts: Facts<'a>,
    /// In Japanese and in English.
    result: Option<[String; 2]>,
    opening: Option<[String; 2]>,
    castles: [Option<[String; 2]>; 2],
    engine: String,
    network: &'a str,
    limits: &'a str,
    sides: [SideData; 2],
    turning: Vec<usize>,
    story: Option<StoryData>,
    /// The first position as SFEN, and its move number.
    start: String,
    ply: u32,
    steps: Vec<PositionData<'a>>,
    branches: Vec<BranchData>,
    kif: String,
}

#[derive(Serialize)]
struct Facts<'a> {
    event: Option<&'a str>,
    date: Option<&'a str>,
    site: Option<&'a str>,
    time: Option<&'a str>,
}

/// What the game was about.
#[derive(Serialize)]
struct StoryData {
    /// In Japanese and in English, with `{played}` and `{better}` instead of moves.
    text: [String; 2],
    /// The position in which they are moves.
    ply: Option<usize>,
}

#[derive(Serialize)]
struct SideData {
    accuracy: Option<f64>,
    phases: [Option<f64>; 3],
    loss: f64,
    best: f64,
    hints: usize,
    bad: [usize; 3],
    missed_mates: usize,
}

/// A position. Scores are from Black's point of view.
#[derive(Serialize)]
struct PositionData<'a> {
    turn: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    comments: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    lines: Vec<LineData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed: Option<usize>,
    /// The kind of the mistake and the phase of the game, as numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonData<'a>>,
    /// What the best move prepares, in Japanese and in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a [String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threat: Option<Threat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    menace: Option<MenaceData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exercise: Option<AnswersData>,
    /// How hard the better move was to find, and the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<(Difficulty, u64)>,
}

/// What the move before a position threatens: a mate in so many plies, or only a move.
#[derive(Serialize)]
struct MenaceData {
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<usize>,
    #[serde(rename = "move")]
    mv: String,
    name: String,
}

/// Why the move played in a position is bad.
#[derive(Serialize)]
struct ReasonData<'a> {
    /// In Japanese and in English.
    text: &'a [String; 2],
    /// The squares and the moves of which it speaks, with blanks between them.
    #[serde(skip_serializing_if = "str::is_empty")]
    squares: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    moves: String,
    /// Whether these are White's moves.
    white: bool,
}

impl<'a> ReasonData<'a> {
    fn new(reason: &'a Reason) -> Self {
        Self {
            text: &reason.words,
            squares: &reason.squares,
            moves: usi(&reason.moves),
            white: reason.of_white,
        }
    }
}

/// A variation, from where it leaves the game.
#[derive(Serialize)]
struct BranchData {
    before: usize,
    moves: String,
    names: String,
    /// On each of its moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Vec<String>>,
}

/// The report of a game.
///
/// # Errors
/// Serialization fails; no game causes this.
pub fn html(game: &AnalyzedGame<'_>, engine: &EngineInfo) -> io::Result<String> {
    let record = game.record;
    let both = |name: Name| [name.ja, name.en];
    let stem = std::path::Path::new(game.name).file_stem().unwrap_or_default().to_string_lossy();
    let header = |keys: &[&str]| keys.iter().find_map(|key| record.header(key));
    let data = Data {
        name: game.name,
        file: format!("{stem}.monomi.kifu"),
        players: record.players(),
        handicap: game.is_handicap(),
        facts: Facts {
            event: header(&["棋戦", "棋戦詳細"]),
            date: header(&["開始日時", "対局日"]),
            site: header(&["場所"]),
            time: header(&["持ち時間"]),
        },
        result: result(game, Lang::Ja).zip(result(game, Lang::En)).map(<[String; 2]>::from),
        opening: opening(record).map(both),
        castles: castles(record).map(|castle| castle.map(both)),
        engine: concat!("Monomi ", env!("CARGO_PKG_VERSION")).to_owned(),
        network: &engine.network,
        limits: &engine.limits,
        sides: sides(&game.positions).each_ref().map(side_data),
        turning: turning_points(&game.positions).iter().map(|judged| judged.ply).collect(),
        story: story_data(game),
        start: record.start.to_sfen(),
        ply: record.start.to_sfen().rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1),
        steps: game.positions.iter().map(position_data).collect(),
        branches: branches(record),
        kif: kif(game, CommentStyle::Shogihome, Encoding::Utf8),
    };
    let title = match record.players() {
        ["", ""] => game.name.to_owned(),
        [black, white] => format!("▲{black} △{white}"),
    };
    let entry = if engine.live.is_some() { "live.js" } else { "script.js" };
    let (mut sources, mut live) = ("", String::new());
    if let Some(BrowserEngine(engine)) = &engine.live
        && !engine.is_empty()
    {
        sources = ENGINE_SOURCES;
        live = format!("<script>\n{engine}</script>\n");
    }
    let template = with_head(PAGE, sources).replace("{{engine}}", &live);
    board_page(&template, &title, entry, &data)
}

/// A page with a board from its template: puts in the parts that all of them share, and what belongs to
/// this one. Its script begins with the module `entry`.
pub(super) fn board_page(
    template: &str,
    title: &str,
    entry: &str,
    data: &impl Serialize,
) -> io::Result<String> {
    let template = template.replace("{{navigation}}", NAVIGATION).replace("{{style}}", STYLE);
    page(&template, title, entry, data)
}

/// A page from its template.
pub(super) fn page(
    template: &str,
    title: &str,
    entry: &str,
    data: &impl Serialize,
) -> io::Result<String> {
    let page = with_head(template, "").replace("{{script}}", &script(entry));
    // The title may contain anything, too.
    let (before, after) = page.split_once("{{title}}").unwrap_or((&page, ""));
    Ok([before, &escaped(title), &with_data(after, data)?].concat())
}

fn with_head(template: &str, engine_sources: &str) -> String {
    let head = HEAD.replace("{{sources}}", &SOURCES.replace("{{engine-sources}}", engine_sources));
    template.replace("{{head}}", &head)
}

/// Inserts the data last, since it may contain anything.
fn with_data(page: &str, data: &impl Serialize) -> io::Result<String> {
    // `<` could end the script element that holds the data.
    let json = serde_json::to_string(data)?.replace('<', "\\u003c");
    let (before, after) = page.split_once("{{data}}").unwrap_or((page, ""));
    Ok(format!("{before}{json}{after}"))
}

fn story_data(game: &AnalyzedGame<'_>) -> Option<StoryData> {
    let mut story = story(game, Notation::Japanese)?;
    let ply = story.leave_moves_open();
    Some(StoryData { text: in_both(&story), ply })
}

/// In Japanese and in English.
fn in_both(message: &impl Message) -> [String; 2] {
    [Lang::Ja, Lang::En].map(|lang| message.in_lang(lang).to_string())
}

fn side_data(side: &Side) -> SideData {
    SideData {
        accuracy: side.accuracy.map(rounded),
        phases: side.phases.map(|phase| phase.map(rounded)),
        loss: side.loss,
        best: side.best as f64 / side.moves.max(1) as f64,
        hints: side.hints,
        bad: side.bad,
        missed_mates: side.missed_mates,
    }
}

fn position_data<'a>(judged: &JudgedPosition<'a>) -> PositionData<'a> {
    let to_move = judged.position.side_to_move();
    let score = judged.evaluation.map(|score| parts(black_view(score, to_move)));
    let at = (&judged.position, &judged.partial);
    let lines = judged.lines().into_iter().map(|line| LineData::new(at, &line, LINE_PLIES));
    let verdict = judged.verdict;
    PositionData {
        turn: if to_move == Color::Black { 'b' } else { 'w' },
        played: judged.played.map(|played| played.mv.to_string()),
        name: judged.played_name(),
        seconds: judged.played.and_then(|played| played.seconds),
        comments: judged.previous.map_or(&[], |played| &played.comments),
        win: judged.black_chance().map(rounded),
        cp: score.and_then(|score| score.0),
        mate: score.and_then(|score| score.1),
        depth: judged.searched().map_or(0, |searched| searched.depth),
        lines: lines.collect(),
        class: verdict.map(|verdict| verdict.class.name()),
        loss: verdict.map_or(0.0, |verdict| rounded(verdict.loss)),
        missed: verdict.and_then(|verdict| verdict.missed_mate),
        kind: mistake_kind(judged).map(|kind| [kind, judged.phase as usize]),
        reason: judged.reason().map(ReasonData::new),
        plan: judged.plan(),
        threat: judged.threat(),
        menace: judged.threatened().map(|(mv, name)| MenaceData {
            mate: judged.menace.and_then(Menace::mate),
            mv: mv.to_string(),
            name,
        }),
        hard: judged.difficulty(),
        exercise: judged
            .exercise()
            .zip(judged.played)
            .map(|(exercise, played)| AnswersData::new(at, exercise, (played.mv, REFUTATIONS))),
    }
}

fn branches(record: &Record) -> Vec<BranchData> {
    let data = |branch: Branch| {
        let mut position = record.start.clone();
        let mut partial = position.to_partial();
        for played in &record.moves[..branch.before] {
            let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
            position.do_move(played.mv);
        }
        let line: Vec<_> = branch.moves.iter().map(|played| played.mv).collect();
        let names = names(&position, &partial, &line).concat();
        let mut comments: Vec<_> = branch.moves.into_iter().map(|played| played.comments).collect();
        if comments.iter().all(Vec::is_empty) {
            comments.clear();
        }
        BranchData { before: branch.before, moves: usi(&line), names, comments }
    };
    record.branches_off_main_line().into_iter().map(data).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Class;

    /// The page has its own texts, since readers choose its language.
    #[test]
    fn the_page_names_classes_and_threats_as_records_do() {
        let words = include_str!("report/words.js");
        let has = |key: &str, word: String| {
            // English has "only move" here, "only" in data.
            assert!(words.contains(&format!("{key}: \"{word}")), "{key}: {word}");
        };
        for lang in [Lang::Ja, Lang::En] {
            for class in [
                Class::Only,
                Class::Brilliant,
                Class::Best,
                Class::Good,
                Class::Inaccuracy,
                Class::Dubious,
                Class::Mistake,
                Class::Blunder,
            ] {
                has(class.name(), class.in_lang(lang).to_string());
            }
            for grade in [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard] {
                has(grade.name(), grade.in_lang(lang).to_string());
            }
            has("threatmate", Threat::Threatmate.in_lang(lang).to_string());
            has("brinkmate", Threat::Brinkmate.in_lang(lang).to_string());
        }
    }
}
