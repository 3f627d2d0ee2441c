//! Requests in JSON and their answers: `{"ok": ...}` or `{"error": "..."}`.

use crate::account::account;
use crate::analysis::Analysis;
use monomi_analysis::output::{mistake_kinds, record_kif, score_comment};
use monomi_analysis::{SolvedPosition, names};
use monomi_eval::Evaluation;
use monomi_eval::score::Score;
use monomi_movegen::position_text;
use monomi_movegen::{EnteringKingRule, PackedMove, Position, Repetition};
use monomi_record::{
    Branch, Encoding, Ending, HANDICAPS, Played, Record, handicap_name, read_text, read_usi_line,
    write,
};
use monomi_support::text::{Lang, Message as _};
use monomi_usi::Skill;
use serde::Deserialize;
use serde_json::{Value, json};
use shogi_core::Color;
use std::sync::Arc;

/// A request. Positions are texts as after `position` in USI.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// Side to move, legal moves and more of a position.
    Position { position: String },
    /// Japanese names of moves from a position on.
    Names { position: String, moves: Vec<String> },
    /// The static evaluation for the side to move, in centipawns.
    Evaluate { position: String },
    /// A game as KIF.
    Kif(Kif),
    /// One of the games of the file opened last as KIF, with everything that it says.
    RecordKif {
        #[serde(default)]
        game: usize,
    },
    /// What a list of games says of a record.
    Account { record: String },
    /// The kinds of mistakes that reports name by numbers.
    Kinds,
    /// The estimated ratings of some levels.
    Ratings,
    /// A record in KIF with further variations.
    Branches { kif: String, branches: Vec<Variation> },
    /// Errors are in this language from now on: `en` or `ja`.
    Language { language: String },
    /// The handicaps and their positions.
    Handicaps,
    /// Begins the analysis of a game of the file opened last.
    Analyze {
        #[serde(default)]
        name: String,
        #[serde(default)]
        game: usize,
        nodes: u64,
        #[serde(default = "one")]
        lines: usize,
    },
    /// Begins one of the stretches of the game instead of the whole, up to the position `to`, which is not part of
    /// it.
    Stretch { from: usize, to: usize },
    /// Continues the analysis.
    Advance,
    /// Judges the move played in a position again, the result after it being known; `first`: with an empty
    /// table. Whether that makes a difference for the position before.
    Join { ply: usize, first: bool },
    /// Results of positions, for another instance.
    Results { from: usize, to: usize },
    /// Takes results from another instance.
    Take { from: usize, results: Vec<Option<SolvedPosition>> },
    /// The report of the analysis so far; `hosted`: as a part of the app, whose engine it uses.
    Report {
        #[serde(default)]
        hosted: bool,
    },
}

/// What a KIF is made of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kif {
    position: String,
    /// The names of Black and White; empty where not known.
    #[serde(default)]
    players: [String; 2],
    /// How the game ended, as CSA's word without the `%`.
    #[serde(default)]
    ending: Option<String>,
    /// Other headers with their keys in KIF, such as `開始日時`.
    #[serde(default)]
    headers: Vec<(String, String)>,
    /// The time used for each move, in seconds; null where it is not known.
    #[serde(default)]
    seconds: Vec<Option<u32>>,
    #[serde(default)]
    branches: Vec<Variation>,
    /// Comments on the start and on each move, line by line.
    #[serde(default)]
    comments: Vec<Vec<String>>,
}

/// A variation, from where it leaves the game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    /// Number of moves of the game before it.
    before: usize,
    moves: Vec<String>,
    /// As for games.
    #[serde(default)]
    seconds: Vec<Option<u32>>,
    /// Comments on each of its moves, line by line.
    #[serde(default)]
    comments: Vec<Vec<String>>,
    #[serde(default)]
    ending: Option<String>,
    /// The evaluation of its last position for Black, in centipawns or plies to the mate.
    #[serde(default)]
    cp: Option<i32>,
    #[serde(default)]
    mate: Option<i32>,
}

fn one() -> usize {
    1
}

/// Receives texts in JSON: progress of a request.
pub type Tell<'a> = &'a mut dyn FnMut(&str);

/// Answers requests about positions, records and the analysis of a game.
pub struct Requests {
    /// Of the errors.
    lang: Lang,
    evaluation: Arc<Evaluation>,
    /// The games of the file opened last.
    records: Vec<Record>,
    analysis: Option<Analysis>,
}

impl Requests {
    /// No file has been opened yet.
    pub fn new(evaluation: Arc<Evaluation>) -> Self {
        Self { lang: Lang::default(), evaluation, records: Vec::new(), analysis: None }
    }

    /// Changes the evaluation for the requests that follow.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
    }

    /// The language of errors.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Opens a file with game records in any format and encoding; the answer lists its games.
    pub fn open(&mut self, bytes: &[u8]) -> String {
        let read = monomi_record::read(bytes).map_err(|error| error.in_lang(self.lang).to_string());
        answer(read.map(|file| {
            self.records = file.records;
            games(&self.records, self.lang)
        }))
    }

    /// Answers a request in JSON.
    pub fn answer(&mut self, request: &str, tell: Tell<'_>) -> String {
        answer(execute(self, request, tell))
    }
}

/// Executes a request.
fn execute(instance: &mut Requests, request: &str, tell: Tell<'_>) -> Result<Value, String> {
    let lang = instance.lang;
    match serde_json::from_str(request).map_err(|error| format!("request: {error}"))? {
        Request::Position { position } => describe(&read(&position, lang)?),
        Request::Names { position, moves } => {
            let position = read(&position, lang)?;
            let moves: Vec<PackedMove> = moves.iter().map_while(|mv| mv.parse().ok()).collect();
            Ok(json!(names_from(&position, &moves)))
        }
        Request::Evaluate { position } => {
            let position = read(&position, lang)?;
            let value =
                monomi_eval::EvalStack::new(&instance.evaluation, &position).evaluate(&position);
            Ok(match Score::from_value(value) {
                Score::Cp(value) => json!(value),
                Score::Mate(plies) => json!({ "mate": plies }),
            })
        }
        Request::Kif(game) => write_kif(game, lang),
        Request::RecordKif { game } => Ok(json!(record_kif(recorded(&instance.records, game)?))),
        Request::Account { record } => {
            let records = read_text(&record).map_err(|error| error.in_lang(lang).to_string())?;
            Ok(account(recorded(&records, 0)?))
        }
        Request::Kinds => Ok(json!(mistake_kinds())),
        Request::Ratings => Ok(json!(Skill::RATINGS)),
        Request::Branches { kif, branches } => {
            let records = read_text(&kif).map_err(|error| error.in_lang(lang).to_string())?;
            let record = records.into_iter().next().ok_or("there is no game")?;
            let branches = branches.into_iter().map(|branch| branch.read(&record));
            let branches = branches.collect::<Result<_, _>>()?;
            Ok(json!(write::with_branches(&kif, record, branches)))
        }
        Request::Language { language } => {
            instance.lang = match language.as_str() {
                "en" => Lang::En,
                "ja" => Lang::Ja,
                _ => return Err(format!("language: expected en or ja, got {language}")),
            };
            Ok(Value::Null)
        }
        Request::Handicaps => Ok(json!(HANDICAPS)),
        Request::Analyze { name, game, nodes, lines } => {
            let record = recorded(&instance.records, game)?.clone();
            let evaluation = Arc::clone(&instance.evaluation);
            // The tables of the last analysis are released first.
            instance.analysis = None;
            let analysis =
                Analysis::new(name, record, nodes.max(1), lines.clamp(1, 16), evaluation);
            let positions = analysis.positions();
            let (stretches, table) = analysis.stretches();
            let stretches: Vec<_> = stretches.iter().map(|part| [part.start, part.end]).collect();
            instance.analysis = Some(analysis);
            Ok(json!({ "positions": positions, "stretches": stretches, "table": table }))
        }
        Request::Stretch { from, to } => {
            let begun = begun(&mut instance.analysis)?.begin(from..to);
            begun.then_some(Value::Null).ok_or_else(|| "there is no such stretch".to_owned())
        }
        Request::Advance => {
            let analysis = begun(&mut instance.analysis)?;
            let all = analysis.positions();
            let more = analysis.advance(&mut |done| {
                tell(&json!({ "done": done, "of": all }).to_string());
            })?;
            Ok(json!({ "more": more }))
        }
        Request::Join { ply, first } => {
            let more = begun(&mut instance.analysis)?.join(ply, first)?;
            Ok(json!({ "more": more }))
        }
        Request::Results { from, to } => {
            Ok(json!(begun(&mut instance.analysis)?.results(from, to)))
        }
        Request::Take { from, results } => {
            let taken = begun(&mut instance.analysis)?.take(from, results);
            taken
                .then_some(Value::Null)
                .ok_or_else(|| "the results belong to another game".to_owned())
        }
        Request::Report { hosted } => {
            let analysis = begun(&mut instance.analysis)?;
            Ok(json!({ "html": analysis.report(hosted)?, "kif": analysis.kif() }))
        }
    }
}

fn begun(analysis: &mut Option<Analysis>) -> Result<&mut Analysis, String> {
    analysis.as_mut().ok_or_else(|| "no analysis was begun".to_owned())
}

/// The text of an answer.
pub fn answer(answer: Result<Value, String>) -> String {
    let answer = match answer {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error }),
    };
    answer.to_string()
}

fn read(text: &str, lang: Lang) -> Result<Position, String> {
    let text = text.strip_prefix("position ").unwrap_or(text);
    position_text::read(text).map_err(|error| error.in_lang(lang).to_string())
}

fn write_kif(game: Kif, lang: Lang) -> Result<Value, String> {
    let mut record =
        read_usi_line(1, &game.position).map_err(|fault| fault.in_lang(lang).to_string())?;
    if let Some(fault) = record.faults.first() {
        return Err(fault.in_lang(lang).to_string());
    }
    let names = ["先手", "後手"].map(str::to_owned).into_iter().zip(game.players);
    let headers = game.headers.into_iter().chain(names);
    record.headers.extend(headers.filter(|(_, value)| !value.is_empty()));
    for (played, seconds) in record.moves.iter_mut().zip(game.seconds) {
        played.seconds = seconds;
    }
    let mut comments = game.comments.into_iter();
    record.comments = comments.next().unwrap_or_default();
    for (played, comments) in record.moves.iter_mut().zip(comments) {
        played.comments = comments;
    }
    record.ending = game.ending.as_deref().map(Ending::from_csa);
    let branches = game.branches.into_iter().map(|branch| branch.read(&record));
    record.set_branches(branches.collect::<Result<_, _>>()?);
    Ok(json!(write::kif(&record, Encoding::Utf8)))
}

fn recorded(records: &[Record], game: usize) -> Result<&Record, String> {
    records.get(game).ok_or_else(|| "there is no such game".to_owned())
}

impl Variation {
    /// The variation of a game. The errors are for programmers.
    fn read(self, record: &Record) -> Result<Branch, String> {
        let before = record.moves.get(..self.before);
        let before =
            before.ok_or_else(|| format!("branch after move {}: no such move", self.before))?;
        let mut position = record.start.clone();
        for played in before {
            position.do_move(played.mv);
        }
        let mut seconds = self.seconds.into_iter();
        let mut comments = self.comments.into_iter();
        let mut moves = Vec::new();
        for text in &self.moves {
            let legal = |mv: &PackedMove| position.is_legal(*mv);
            let mv = text.parse().ok().filter(legal);
            let mv = mv
                .ok_or_else(|| format!("branch after move {}: {text} is not legal", self.before))?;
            position.do_move(mv);
            let mut played = Played::new(mv);
            played.seconds = seconds.next().flatten();
            played.comments = comments.next().unwrap_or_default();
            moves.push(played);
        }
        let score = self.cp.map(Score::Cp).or(self.mate.map(Score::Mate));
        if let (Some(score), Some(last)) = (score, moves.last_mut()) {
            last.comments.push(score_comment(score, position.side_to_move()));
        }
        let mut branch = Branch::new(self.before, moves);
        branch.ending = self.ending.as_deref().map(Ending::from_csa);
        Ok(branch)
    }
}

fn names_from(position: &Position, moves: &[PackedMove]) -> Vec<String> {
    let mut legal = Vec::new();
    let mut walk = position.clone();
    for &mv in moves {
        if !walk.is_legal(mv) {
            break;
        }
        walk.do_move(mv);
        legal.push(mv);
    }
    let mut partial = position.to_partial();
    // The square of the last move is written as 同.
    if let Some(last) = position.last_move() {
        let mut before = position.clone();
        before.undo_move();
        partial = before.to_partial();
        let _ = partial.make_move(last.to_core(before.side_to_move()));
    }
    names(position, &partial, &legal)
}

fn describe(position: &Position) -> Result<Value, String> {
    let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let over = if legal.is_empty() {
        Some("mate")
    } else {
        match position.repeated(4) {
            Some(Repetition::Win | Repetition::Superior) => Some("perpetual-won"),
            Some(Repetition::Lose | Repetition::Inferior) => Some("perpetual-lost"),
            Some(Repetition::Draw) => Some("repetition"),
            None => None,
        }
    };
    Ok(json!({
        "sfen": position.to_sfen(),
        "turn": if position.side_to_move() == Color::Black { "b" } else { "w" },
        "ply": position.ply(),
        "check": position.in_check(),
        "last": position.last_move().map(|mv| mv.to_string()),
        "declaration": position.declaration(EnteringKingRule::Csa27).is_some(),
        "over": over,
        "legal": legal,
    }))
}

/// The games of a file.
fn games(records: &[Record], lang: Lang) -> Value {
    let usi = |moves: &[Played]| -> Vec<String> {
        moves.iter().map(|played| played.mv.to_string()).collect()
    };
    let seconds = |moves: &[Played]| moves.iter().map(|played| played.seconds).collect::<Vec<_>>();
    let branch = |branch: &Branch| {
        let comments = branch.moves.iter().map(|played| &played.comments).collect::<Vec<_>>();
        json!({
            "before": branch.before,
            "moves": usi(&branch.moves),
            "seconds": seconds(&branch.moves),
            "comments": comments,
        })
    };
    let game = |record: &Record| {
        let moves = usi(&record.moves);
        let start = record.start.to_sfen();
        json!({
            "players": record.players(),
            "event": record.header("棋戦"),
            "date": record.header("開始日時"),
            "handicap": handicap_name(&record.start),
            "start": start,
            "moves": moves,
            "seconds": seconds(&record.moves),
            "comments": std::iter::once(&record.comments)
                .chain(record.moves.iter().map(|played| &played.comments))
                .collect::<Vec<_>>(),
            "branches": record.branches_off_main_line().iter().map(branch).collect::<Vec<_>>(),
            "ending": record.closing.as_deref().or(record.ending.as_ref().map(Ending::kif)),
            "faults": record.faults.iter().map(|fault| fault.in_lang(lang).to_string()).collect::<Vec<_>>(),
        })
    };
    records.iter().map(game).collect()
}
