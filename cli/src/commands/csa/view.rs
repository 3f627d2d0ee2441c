//! What the page of `--page` shows (web/live/live.js): the game in progress, its clocks and scores, and the last events.

use super::events::color;
use crate::lang::Lang;
use monomi_analysis::Notation;
use monomi_csa::clock::Clocks;
use monomi_csa::output::{Report, Tally};
use monomi_movegen::{PackedMove, Position};
use monomi_record::Diagram;
use monomi_search::{Info, Score};
use monomi_support::text::{Message as _, say};
use serde_json::{Value, json};
use shogi_core::Color;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Number of events to remember.
const EVENTS: usize = 100;
/// Score of a mate in the graph. In centipawns.
const MATE: i32 = 100_000;
/// Longest line to show, in moves.
const LINE: usize = 24;

pub struct View {
    lang: Lang,
    status: String,
    tally: Tally,
    events: VecDeque<String>,
    game: Option<Game>,
}

struct Game {
    id: String,
    names: [String; 2],
    us: Color,
    position: Position,
    clocks: Clocks,
    /// Since when the side to move thinks; `None` when the game is over.
    since: Option<Instant>,
    moves: Vec<Played>,
    /// The last line of the search, and the predicted reply that it follows.
    thought: Option<(Info, Option<PackedMove>)>,
}

struct Played {
    name: String,
    time: Option<Duration>,
    /// For Black.
    score: Option<Score>,
    depth: Option<u32>,
}

impl View {
    pub fn new(lang: Lang) -> Self {
        Self {
            lang,
            status: String::new(),
            tally: Tally::default(),
            events: VecDeque::new(),
            game: None,
        }
    }

    pub fn on_report(&mut self, report: &Report<'_>) {
        let lang = self.lang;
        match report {
            Report::Connecting { host, port } => {
                self.status =
                    say!(lang, "connecting to {host}:{port}", "{host}:{port} に接続しています");
                self.add(self.status.clone());
            }
            Report::LoggedIn => {
                self.status = say!(
                    lang,
                    "logged in, waiting for a game",
                    "ログインしました。対局を待っています"
                );
                self.add(self.status.clone());
            }
            Report::Notice(notice) => self.add(notice.in_lang(lang).to_string()),
            Report::Started { summary, moves, clocks } => {
                self.status = say!(lang, "playing", "対局中");
                self.add(format!("{}: {}", summary.game_id, summary.names.join(" - ")));
                // A resumed game goes on with the times and scores that are known.
                let same = |game: &Game| game.id == summary.game_id;
                let known = self.game.take().filter(same).map(|game| game.moves);
                let mut game = Game {
                    id: summary.game_id.clone(),
                    names: summary.names.clone(),
                    us: summary.us,
                    position: summary.start.clone(),
                    clocks: **clocks,
                    since: Some(Instant::now()),
                    moves: Vec::new(),
                    thought: None,
                };
                for &mv in *moves {
                    game.play(mv, lang);
                }
                for (played, known) in game.moves.iter_mut().zip(known.unwrap_or_default()) {
                    if played.name == known.name {
                        *played = known;
                    }
                }
                self.game = Some(game);
            }
            Report::Moved { moved, clocks, thought, .. } => {
                let Some(game) = &mut self.game else { return };
                let Ok(mv) = monomi_record::parse_csa_move(&game.position, &moved.text) else {
                    return;
                };
                game.play(mv, lang);
                game.clocks = **clocks;
                game.since = Some(Instant::now());
                game.thought = None;
                if let Some(played) = game.moves.last_mut() {
                    played.time = moved.time;
                    played.score = thought.map(|thought| for_black(thought.score, game.us));
                    played.depth = thought.map(|thought| thought.depth);
                }
            }
            Report::Thinking { thought, ponder } => {
                let Some(game) = &mut self.game else { return };
                game.thought = Some(((*thought).clone(), *ponder));
            }
            Report::Ended(result) => {
                self.status = say!(lang, "the game is over", "終局");
                self.add(result.in_lang(lang).to_string());
                self.tally.add(result);
                if let Some(game) = &mut self.game {
                    game.since = None;
                    game.thought = None;
                }
            }
        }
    }

    fn add(&mut self, text: String) {
        self.events.push_front(format!("{} {text}", chrono::Local::now().format("%H:%M:%S")));
        self.events.truncate(EVENTS);
    }

    pub fn json(&self) -> String {
        let results = match self.tally.games() {
            0 => String::new(),
            _ => self.tally.all.in_lang(self.lang).to_string(),
        };
        let game = self.game.as_ref().map(|game| game.json(self.lang));
        json!({ "status": self.status, "results": results, "log": self.events, "game": game })
            .to_string()
    }
}

impl Game {
    fn play(&mut self, mv: PackedMove, lang: Lang) {
        let name = line(&self.position, &[mv], lang);
        self.position.do_move(mv);
        self.moves.push(Played { name, time: None, score: None, depth: None });
    }

    fn json(&self, lang: Lang) -> Value {
        let left = |color| self.clocks.left(color).as_millis() as u64;
        let moves = self.moves.iter().map(|played| {
            let score = played.score.map(|score| score_text(score, lang)).unwrap_or_default();
            let cp = played.score.map(|score| match score {
                Score::Cp(cp) => cp,
                Score::Mate(plies) => MATE * plies.signum(),
            });
            let ms = played.time.map(|time| time.as_millis() as u64);
            json!({ "text": played.name, "ms": ms, "score": score, "cp": cp, "depth": played.depth })
        });
        let thought = self.thought.as_ref().map(|(thought, reply)| {
            let moves: Vec<PackedMove> =
                reply.iter().chain(&thought.pv).copied().take(LINE).collect();
            json!({ "score": score_text(for_black(thought.score, self.us), lang),
                "depth": thought.depth, "nodes": thought.nodes,
                "line": line(&self.position, &moves, lang), "pondering": reply.is_some() })
        });
        let board = Diagram::default().with_flipped(self.us == Color::White);
        json!({ "id": self.id, "names": { "black": self.names[0], "white": self.names[1] },
            "us": color(self.us), "board": board.svg(&self.position),
            "to_move": color(self.position.side_to_move()), "running": self.since.is_some(),
            "left_ms": { "black": left(Color::Black), "white": left(Color::White) },
            "turn_ms": self.since.map_or(0, |since| since.elapsed().as_millis() as u64),
            "moves": moves.collect::<Vec<_>>(), "thought": thought })
    }
}

/// A line from a position, as far as it is legal: the client's own move may not be confirmed yet.
fn line(start: &Position, moves: &[PackedMove], lang: Lang) -> String {
    let mut position = start.clone();
    let legal = moves.iter().take_while(|&&mv| {
        let legal = position.is_legal(mv);
        if legal {
            position.do_move(mv);
        }
        legal
    });
    let length = legal.count();
    Notation::of(lang).line(start, &moves[..length])
}

/// A score of the client's search.
fn for_black(score: Score, us: Color) -> Score {
    match score {
        score if us == Color::Black => score,
        Score::Cp(cp) => Score::Cp(-cp),
        Score::Mate(plies) => Score::Mate(-plies),
    }
}

fn score_text(score: Score, lang: Lang) -> String {
    match score {
        Score::Cp(cp) => format!("{cp:+}"),
        Score::Mate(plies) => say!(lang, "mate {:+}", "詰み {:+}", plies),
    }
}
