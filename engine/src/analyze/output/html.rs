//! The report: one HTML file with everything in it, for browsers without a network.

use crate::analyze::analyzed_game::{AnalyzedGame, Row, black_chance, names};
use crate::analyze::opening::{Opening, opening};
use crate::analyze::output::svg::escaped;
use crate::analyze::record::{Branch, Record};
use crate::analyze::summary::{sides, turning_points};
use serde::Serialize;

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");

/// What the page's script works on.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    players: [&'a str; 2],
    headers: &'a [(String, String)],
    ending: Option<&'a str>,
    opening: Option<Opening>,
    sides: [SideData; 2],
    turning_points: Vec<usize>,
    steps: Vec<StepData<'a>>,
    branches: Vec<BranchData>,
}

#[derive(Serialize)]
struct SideData {
    accuracy: Option<f64>,
    loss: f64,
    best: f64,
    bad: [usize; 4],
    missed_mates: usize,
}

#[derive(Serialize)]
struct StepData<'a> {
    sfen: String,
    played: Option<String>,
    played_ja: Option<String>,
    comments: &'a [String],
    win_black: Option<f64>,
    /// The line's moves by name, one by one.
    names: Vec<String>,
    row: Option<Row<'a>>,
}

#[derive(Serialize)]
struct BranchData {
    before: usize,
    sfen: String,
    moves: Vec<String>,
    names: Vec<String>,
}

/// The report of a game.
///
/// # Errors
/// None that a game could cause; the serializer's type demands one.
pub fn html(analysis: &AnalyzedGame<'_>) -> serde_json::Result<String> {
    let record = analysis.record;
    let steps = &analysis.steps;
    let of_side = |side: &crate::analyze::summary::Side| SideData {
        accuracy: side.accuracy,
        loss: side.loss,
        best: side.best as f64 / side.moves.max(1) as f64,
        bad: side.bad,
        missed_mates: side.missed_mates,
    };
    let data = Data {
        name: analysis.name,
        players: record.players(),
        headers: &record.headers,
        ending: record.ending.as_ref().map(|ending| ending.kif()),
        opening: opening(record),
        sides: sides(steps).each_ref().map(of_side),
        turning_points: turning_points(steps).iter().map(|step| step.ply).collect(),
        steps: steps
            .iter()
            .map(|step| StepData {
                sfen: step.position.to_sfen(),
                played: step.played.map(|played| played.mv.to_string()),
                played_ja: step.played_name(),
                comments: step.previous.map_or(&record.comments, |played| &played.comments),
                win_black: step
                    .found
                    .map(|found| black_chance(found.score(), step.position.side_to_move())),
                names: step
                    .found
                    .and_then(|found| found.lines.first())
                    .map(|line| step.names(&line.pv))
                    .unwrap_or_default(),
                row: step.row(analysis.name),
            })
            .collect(),
        branches: branches(record),
    };
    // Nothing in the data can end the script element that holds it.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let title = match record.players() {
        ["", ""] => analysis.name.to_owned(),
        [black, white] => format!("▲{black} △{white}"),
    };
    // The data last: it may contain anything.
    let page = PAGE
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replace("{{title}}", &escaped(&title));
    let (before, behind) = page.split_once("{{data}}").unwrap_or((&page, ""));
    Ok(format!("{before}{json}{behind}"))
}

fn branches(record: &Record) -> Vec<BranchData> {
    let mut path: Vec<_> = record.moves.iter().map(|played| played.mv).collect();
    let mut of_branch = |branch: &Branch| {
        path.truncate(branch.before);
        let mut position = record.start.clone();
        let mut partial = position.to_partial();
        for &mv in &path {
            let _ = partial.make_move(mv.to_core(position.side_to_move()));
            position.do_move(mv);
        }
        let sfen = position.to_sfen();
        let line: Vec<_> = branch.moves.iter().map(|played| played.mv).collect();
        path.extend(&line);
        let names = names(&position, &partial, &line);
        let moves = line.iter().map(|mv| mv.to_string()).collect();
        BranchData { before: branch.before, sfen, moves, names }
    };
    record.branches.iter().map(&mut of_branch).collect()
}
