//! The index of the reports in a folder, with a profile of each player.

use crate::chance::rounded;
use crate::explain::{GROUPS, group_of};
use crate::judge::statistics::{Side, sides};
use crate::judge::{AnalyzedGame, JudgedPosition};
use crate::line::Notation;
use crate::opening::{Name, castles, opening};
use crate::output::html::page;
use crate::output::result::result;
use monomi_support::text::Lang;
use serde::Serialize;
use serde_json::json;
use shogi_core::Color;
use std::io;

const INDEX: &str = include_str!("report/index.html");

/// A row of the index: a report and the cells of its row.
#[derive(Clone, Debug, Serialize)]
pub struct IndexRow {
    file: String,
    /// Numbers, texts, and texts in Japanese and English.
    cells: Vec<serde_json::Value>,
    /// The two players, for the profiles.
    sides: [ProfileData; 2],
    /// In Japanese and English.
    opening: Option<[String; 2]>,
}

/// What a game says about a player.
#[derive(Clone, Debug, Serialize)]
struct ProfileData {
    name: String,
    won: Option<bool>,
    accuracy: Option<f64>,
    phases: [Option<f64>; 3],
    mistakes: usize,
    missed_mates: usize,
    /// In Japanese and English.
    castle: Option<[String; 2]>,
    /// The bad moves and missed mates.
    typical: Vec<MistakeData>,
}

/// A bad move, as far as it can be typical.
#[derive(Clone, Debug, Serialize)]
struct MistakeData {
    /// The index of the group in [`GROUPS`].
    kind: usize,
    phase: usize,
    loss: f64,
}

impl MistakeData {
    /// `None` if the move was neither bad nor missed a mate.
    fn new(judged: &JudgedPosition<'_>) -> Option<Self> {
        let kind = mistake_kind(judged)?;
        let loss = judged.verdict.map_or(0.0, |verdict| rounded(verdict.loss));
        Some(Self { kind, phase: judged.phase as usize, loss })
    }
}

/// The kinds of mistakes, in Japanese and English: `ja / en`.
pub fn mistake_kinds() -> &'static [&'static str] {
    &GROUPS
}

/// The index of a mistake's kind in [`mistake_kinds`]. `None` if the move was neither bad nor missed a mate.
pub(super) fn mistake_kind(judged: &JudgedPosition<'_>) -> Option<usize> {
    let verdict = judged.verdict?;
    Some(match judged.reason() {
        _ if verdict.missed_mate.is_some() => 0,
        _ if !verdict.class.is_bad() => return None,
        Some(reason) => group_of(&reason.claim),
        None => GROUPS.len() - 1,
    })
}

impl IndexRow {
    /// For the report of a game in `file`.
    pub fn new(game: &AnalyzedGame<'_>, file: String) -> Self {
        let record = game.record;
        let [black, white] = record.players();
        let sides = sides(&game.positions);
        let accuracy = |side: &Side| side.accuracy.map(|value| (value * 10.0).round() / 10.0);
        let blunders = |side: &Side| side.bad[1] + side.bad[2];
        let both = |name: Name| [name.ja, name.en];
        let opening = opening(record).map(both);
        let result = result(game, Lang::Ja).zip(result(game, Lang::En)).map(<[String; 2]>::from);
        let story = [(Lang::Ja, Notation::Japanese), (Lang::En, Notation::Western)];
        let story = story.map(|(lang, notation)| game.story(lang, notation));
        let cells = vec![
            game.name.into(),
            record.header("開始日時").into(),
            record.header("棋戦").into(),
            black.into(),
            white.into(),
            json!(result),
            json!(opening),
            record.moves.len().into(),
            accuracy(&sides[0]).into(),
            accuracy(&sides[1]).into(),
            blunders(&sides[0]).into(),
            blunders(&sides[1]).into(),
            json!(story[0].is_some().then_some(story)),
        ];
        let castles = castles(record).map(|castle| castle.map(both));
        let own = |color: Color| {
            game.positions.iter().filter(move |judged| judged.position.side_to_move() == color)
        };
        let profile = |color: Color| {
            let index = usize::from(color == Color::White);
            let side = &sides[index];
            ProfileData {
                name: record.players()[index].to_owned(),
                won: game.record.winner().map(|winner| winner == color),
                accuracy: side.accuracy.map(rounded),
                phases: side.phases.map(|phase| phase.map(rounded)),
                mistakes: blunders(side),
                missed_mates: side.missed_mates,
                castle: castles[index].clone(),
                typical: own(color).filter_map(MistakeData::new).collect(),
            }
        };
        let sides = Color::all().map(profile);
        Self { file, cells, sides, opening }
    }
}

/// A sortable table of reports.
///
/// # Errors
/// As `html`.
pub fn index(rows: &[IndexRow]) -> io::Result<String> {
    let columns = [
        "棋譜 / Record",
        "日時 / Date",
        "棋戦 / Event",
        "▲",
        "△",
        "結果 / Result",
        "戦型 / Opening",
        "手数 / Moves",
        "▲ 精度 / ▲ Accuracy",
        "△ 精度 / △ Accuracy",
        "▲ 悪手 / ▲ Mistakes",
        "△ 悪手 / △ Mistakes",
        "総評 / Summary",
    ];
    let data = json!({ "columns": columns, "kinds": GROUPS, "games": rows });
    page(INDEX, "Monomi", "index.js", &data)
}
