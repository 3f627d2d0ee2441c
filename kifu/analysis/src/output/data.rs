//! JSONL and CSV, one line per position.

use crate::chance::{WinScale, black_view, parts, rounded};
use crate::judge::{AnalyzedGame, Class, Difficulty, JudgedPosition, Menace, Phase};
use crate::line::{Notation, names, usi};
use crate::list::ListedPosition;
use crate::search::{Over, ScoredLine, SearchedPosition};
use crate::solve::Threat;
use monomi_movegen::Position;
use monomi_record::{Ending, Fault};
use monomi_search::Score;
use monomi_support::text::{Lang, Message as _};
use serde::Serialize;
use serde_json::Value;
use shogi_core::{Color, PartialPosition};
use std::io;

fn color_name(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// A score, relative to the side to move and to Black; either `cp` or `mate` is set.
#[derive(Debug, Serialize)]
struct ScoreFields {
    /// Centipawns for the side to move.
    cp: Option<i32>,
    /// Plies to the mate, negative when the side to move is mated, 0 when it is already.
    mate: Option<i32>,
    /// Centipawns for Black.
    cp_black: Option<i32>,
    /// Plies to the mate, negative when Black is mated.
    mate_black: Option<i32>,
}

impl ScoreFields {
    fn new(score: Score, to_move: Color) -> Self {
        let (cp, mate) = parts(score);
        let (cp_black, mate_black) = parts(black_view(score, to_move));
        Self { cp, mate, cp_black, mate_black }
    }
}

/// A line other than the best one (MultiPV).
#[derive(Debug, Serialize)]
struct LineFields {
    #[serde(flatten)]
    score: ScoreFields,
    pv: String,
    pv_ja: String,
}

/// The search result of a position, as in JSONL and CSV.
#[derive(Debug, Serialize)]
struct SearchFields {
    /// The position.
    sfen: String,
    /// The side to move.
    side: &'static str,
    /// The best move.
    best: Option<String>,
    /// The same in Japanese notation.
    best_ja: Option<String>,
    /// The score.
    #[serde(flatten)]
    score: ScoreFields,
    /// Winning probability of the side to move.
    win: f64,
    /// Last completed iteration in plies.
    depth: u32,
    /// Longest line in plies.
    seldepth: u32,
    /// Nodes searched.
    nodes: u64,
    /// The best line.
    pv: String,
    /// The same in Japanese notation.
    pv_ja: String,
    /// Further lines (MultiPV).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<LineFields>,
    /// Set if the game is over here.
    over: Option<Over>,
}

impl SearchFields {
    /// `partial` is the same position as `position`.
    fn new(
        (position, partial): (&Position, &PartialPosition),
        searched: &SearchedPosition,
        scale: WinScale,
    ) -> Self {
        let to_move = position.side_to_move();
        let view = |score| ScoreFields::new(score, to_move);
        let other = |line: &ScoredLine| LineFields {
            score: view(line.score),
            pv: usi(&line.pv),
            pv_ja: names(position, partial, &line.pv).concat(),
        };
        let pv = searched.best_line();
        let names = names(position, partial, pv);
        Self {
            sfen: position.to_sfen(),
            side: color_name(to_move),
            best: searched.best().map(|mv| mv.to_string()),
            best_ja: names.first().cloned(),
            score: view(searched.score()),
            win: rounded(scale.chance(searched.score())),
            depth: searched.depth,
            seldepth: searched.seldepth,
            nodes: searched.nodes,
            pv: usi(pv),
            pv_ja: names.concat(),
            candidates: searched.lines.get(1..).unwrap_or_default().iter().map(other).collect(),
            over: searched.over,
        }
    }
}

/// A row of an analysed game; `docs/analysis.md` describes the fields.
#[derive(Debug, Serialize)]
struct GameRow<'a> {
    /// The game.
    game: &'a str,
    /// Number of moves before this position.
    ply: usize,
    /// The phase of the game.
    phase: Phase,
    /// The move played here.
    played: Option<String>,
    /// The same in Japanese notation.
    played_ja: Option<String>,
    /// Seconds used for it.
    seconds: Option<u32>,
    /// Search result.
    #[serde(flatten)]
    searched: SearchFields,
    /// Winning probability lost by the played move.
    loss: Option<f64>,
    /// Class of the played move.
    class: Option<Class>,
    /// Length in plies of the mate that the played move missed.
    missed_mate: Option<usize>,
    /// Winning probability with the best move, as compared with the played one.
    best_win: Option<f64>,
    /// Winning probability after the played move.
    played_win: Option<f64>,
    /// Black's winning probability by the evaluation that is shown in reports.
    win_black: Option<f64>,
    /// The moves within 3 % of the best one, where the played move was bad or missed a mate.
    accepted: Option<String>,
    /// Nodes after which the search had found its best move for good.
    found_after: u64,
    /// How hard that was, where the played move was bad.
    difficulty: Option<Difficulty>,
    /// Nodes searched to compare the two, in addition to those of the position.
    comparison_nodes: u64,
    /// Why the played move is bad.
    reason: Option<String>,
    /// The same in Japanese.
    reason_ja: Option<String>,
    /// The kind of the reason.
    claim: Option<String>,
    /// Share of the loss that is gone without the cause.
    confirmed: Option<f64>,
    /// The search that confirmed it.
    counterfactual: Option<String>,
    /// The squares of which the reason speaks.
    squares: Option<String>,
    /// What the best move prepares.
    plan: Option<String>,
    /// The same in Japanese.
    plan_ja: Option<String>,
    /// Length in plies of a mate by checks that the solver proved for the side to move.
    solved_mate: Option<usize>,
    /// Threat of mate against the side to move.
    threat: Option<Threat>,
    /// Length in plies of the mate that threatens.
    threat_mate: Option<usize>,
    /// The move that the side which has just moved threatens, in USI and in Japanese notation.
    threat_move: Option<String>,
    threat_move_ja: Option<String>,
    /// The players.
    black: &'a str,
    white: &'a str,
    /// How the game ended, as in KIF.
    ending: Option<&'a str>,
    /// The side that won, by the record.
    winner: Option<&'static str>,
    /// Where the game was decided, in the row of the first position.
    story: Option<String>,
    /// The same in Japanese.
    story_ja: Option<String>,
}

impl<'a> GameRow<'a> {
    /// The rows of the positions that were searched.
    fn of_game(game: &'a AnalyzedGame<'_>) -> impl Iterator<Item = Self> {
        game.positions.iter().filter_map(|judged| Self::new(game, judged))
    }

    /// `None` if the position was not searched.
    fn new(game: &'a AnalyzedGame<'_>, judged: &JudgedPosition<'_>) -> Option<Self> {
        let searched = judged.searched()?;
        let verdict = judged.verdict;
        let (reason, plan) = (judged.reason(), judged.plan());
        let record = game.record;
        let [black, white] = record.players();
        let threatened = judged.threatened();
        let story =
            |lang| (judged.ply == 0).then(|| game.story(lang, Notation::of(lang))).flatten();
        Some(Self {
            game: game.name,
            ply: judged.ply,
            phase: judged.phase,
            played: judged.played.map(|played| played.mv.to_string()),
            played_ja: judged.played_name(),
            seconds: judged.played.and_then(|played| played.seconds),
            searched: SearchFields::new((&judged.position, &judged.partial), searched, game.scale),
            loss: verdict.map(|verdict| rounded(verdict.loss)),
            class: verdict.map(|verdict| verdict.class),
            missed_mate: verdict.and_then(|verdict| verdict.missed_mate),
            best_win: verdict.map(|verdict| rounded(verdict.best)),
            played_win: verdict.map(|verdict| rounded(verdict.kept)),
            win_black: judged.black_chance().map(rounded),
            accepted: judged.exercise().map(|exercise| usi(&exercise.accepted())),
            found_after: searched.found_after,
            difficulty: judged.difficulty().map(|(difficulty, _)| difficulty),
            comparison_nodes: searched.comparison.map_or(0, |comparison| comparison.nodes),
            reason: reason.map(|reason| reason.words[1].clone()),
            reason_ja: reason.map(|reason| reason.words[0].clone()),
            claim: reason.map(|reason| reason.claim.clone()),
            confirmed: reason.map(|reason| rounded(reason.confirmed)),
            counterfactual: reason.map(|reason| reason.counterfactual.clone()),
            squares: reason.map(|reason| reason.squares.clone()),
            plan: plan.map(|plan| plan[1].clone()),
            plan_ja: plan.map(|plan| plan[0].clone()),
            solved_mate: judged.mate().map(<[_]>::len),
            threat: judged.threat(),
            threat_mate: judged.menace.and_then(Menace::mate),
            threat_move: threatened.as_ref().map(|(mv, _)| mv.to_string()),
            threat_move_ja: threatened.map(|(_, name)| name),
            black,
            white,
            ending: record.ending.as_ref().map(Ending::kif),
            winner: game.record.winner().map(color_name),
            story: story(Lang::En),
            story_ja: story(Lang::Ja),
        })
    }
}

/// A row of a searched list; `docs/analysis.md` describes the fields.
#[derive(Debug, Serialize)]
pub struct ListRow<'a> {
    /// The list.
    list: &'a str,
    /// Line of the list, from 1.
    line: u64,
    /// Search result; `None` for a line without a position.
    #[serde(flatten)]
    searched: Option<SearchFields>,
    /// The key of the line.
    id: Option<&'a Value>,
    /// The text of the position as it was given.
    input: &'a str,
    /// Why the line has no position, in English.
    error: Option<String>,
}

impl<'a> ListRow<'a> {
    /// The row of an entry, which has this number in a list: what was found, or why it could not be read.
    pub fn new(
        (list, line): (&'a str, u64),
        entry: &'a ListedPosition,
        result: Option<(&SearchedPosition, WinScale)>,
    ) -> Self {
        let position = entry.position.as_ref().ok();
        let searched = position.zip(result).map(|(position, (searched, scale))| {
            SearchFields::new((position, &position.to_partial()), searched, scale)
        });
        // The row has the line's number already.
        let without_line = |fault: &Fault| {
            let mut fault = fault.clone();
            fault.line = 0;
            fault
        };
        let fault = entry.position.as_ref().err().map(without_line);
        let error = fault.map(|fault| fault.in_lang(Lang::En).to_string());
        Self { list, line, searched, id: entry.id.as_ref(), input: &entry.input, error }
    }
}

/// Columns of [`SearchFields`].
const SEARCHED_COLUMNS: &str = "sfen,side,best,best_ja,cp,mate,cp_black,mate_black,win,depth,seldepth,\
                           nodes,pv,pv_ja,over";

/// The columns of CSV for games.
pub fn csv_header() -> String {
    format!(
        "game,ply,phase,played,played_ja,seconds,{SEARCHED_COLUMNS},loss,class,missed_mate,best_win,\
         played_win,win_black,accepted,found_after,difficulty,comparison_nodes,reason,reason_ja,claim,confirmed,counterfactual,squares,plan,plan_ja,solved_mate,threat,threat_mate,threat_move,threat_move_ja,black,white,\
         ending,winner,story,story_ja\n"
    )
}

/// The columns of CSV for lists.
pub fn list_csv_header() -> String {
    format!("list,line,{SEARCHED_COLUMNS},id,input,error\n")
}

/// One JSON object per line for each position that was searched.
///
/// # Errors
/// Serialization fails; no game causes this.
pub fn jsonl(game: &AnalyzedGame<'_>) -> io::Result<String> {
    GameRow::of_game(game).map(|row| json_line(&row)).collect()
}

/// One JSON object and a line feed.
///
/// # Errors
/// As [`jsonl`].
pub fn json_line(row: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(row)? + "\n")
}

/// CSV (RFC 4180 with LF line ends) with one line for each position that was searched, without
/// the header.
pub fn csv(game: &AnalyzedGame<'_>) -> String {
    GameRow::of_game(game).map(|row| csv_of_row(&row)).collect()
}

fn csv_of_row(row: &GameRow<'_>) -> String {
    let before = [
        harmless(row.game),
        row.ply.to_string(),
        row.phase.name().to_owned(),
        text(&row.played),
        text(&row.played_ja),
        text(&row.seconds),
    ];
    let after = [
        text(&row.loss),
        row.class.map(|class| class.name().to_owned()).unwrap_or_default(),
        text(&row.missed_mate),
        text(&row.best_win),
        text(&row.played_win),
        text(&row.win_black),
        text(&row.accepted),
        row.found_after.to_string(),
        row.difficulty.map(|difficulty| difficulty.name().to_owned()).unwrap_or_default(),
        row.comparison_nodes.to_string(),
        text(&row.reason),
        text(&row.reason_ja),
        text(&row.claim),
        text(&row.confirmed),
        text(&row.counterfactual),
        text(&row.squares),
        text(&row.plan),
        text(&row.plan_ja),
        text(&row.solved_mate),
        row.threat.map(|threat| format!("{threat:?}").to_lowercase()).unwrap_or_default(),
        text(&row.threat_mate),
        text(&row.threat_move),
        text(&row.threat_move_ja),
        harmless(row.black),
        harmless(row.white),
        harmless(row.ending.unwrap_or_default()),
        text(&row.winner),
        text(&row.story),
        text(&row.story_ja),
    ];
    csv_line(before.into_iter().chain(searched(&row.searched)).chain(after))
}

/// A line of CSV for a position of a list.
pub fn list_csv(row: &ListRow<'_>) -> String {
    let before = [harmless(row.list), row.line.to_string()];
    let columns = row.searched.as_ref().map(searched).unwrap_or_default();
    let id = match row.id {
        Some(Value::String(text)) => harmless(text),
        other => text(&other),
    };
    let after = [id, harmless(row.input), harmless(&text(&row.error))];
    csv_line(before.into_iter().chain(columns).chain(after))
}

fn searched(searched: &SearchFields) -> [String; 15] {
    let score = &searched.score;
    [
        searched.sfen.clone(),
        searched.side.to_owned(),
        text(&searched.best),
        text(&searched.best_ja),
        text(&score.cp),
        text(&score.mate),
        text(&score.cp_black),
        text(&score.mate_black),
        searched.win.to_string(),
        searched.depth.to_string(),
        searched.seldepth.to_string(),
        searched.nodes.to_string(),
        searched.pv.clone(),
        searched.pv_ja.clone(),
        searched.over.map(|over| format!("{over:?}").to_lowercase()).unwrap_or_default(),
    ]
}

/// Empty for `None`.
fn text(value: &Option<impl ToString>) -> String {
    value.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// Text of other people, which a table program would take for a formula if it began like one.
fn harmless(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { format!("'{text}") } else { text.to_owned() }
}

fn csv_line(fields: impl Iterator<Item = String>) -> String {
    let quoted = |field: String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
