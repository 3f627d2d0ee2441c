//! What happens as JSON, for `--json` and `--on-event`. docs/servers.md describes the fields.

use crate::lang::Lang;
use monomi_csa::output::{Counts, Report, Tally};
use monomi_csa::{End, Notice};
use monomi_search::{Info, Score};
use monomi_support::text::Message as _;
use serde_json::{Map, Value, json};
use shogi_core::Color;

/// An event: its name, and an object with `event`, `time` and what belongs to it.
pub struct Event {
    pub name: &'static str,
    pub value: Value,
}

impl Event {
    /// The name of the event that a move was made.
    pub const MOVE: &'static str = "move";

    fn new(name: &'static str, mut value: Value) -> Self {
        value["event"] = name.into();
        value["time"] =
            chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true).into();
        Self { name, value }
    }

    /// `None` for the lines of a search.
    pub fn of(report: &Report<'_>) -> Option<Self> {
        Some(match report {
            Report::Connecting { host, port } => {
                Self::new("connecting", json!({ "host": host, "port": port }))
            }
            Report::LoggedIn => Self::new("logged_in", json!({})),
            Report::Notice(notice) => {
                let name = match notice {
                    Notice::Lost(..) => "lost",
                    Notice::Resumed => "resumed",
                    _ => "notice",
                };
                Self::new(name, json!({ "text": notice.in_lang(Lang::En).to_string() }))
            }
            Report::Started { summary, moves, .. } => Self::new(
                "started",
                json!({ "game": summary.game_id, "black": summary.names[0],
                    "white": summary.names[1], "color": color(summary.us), "plies": moves.len() }),
            ),
            Report::Moved { moved, ply, clocks, thought } => {
                let left = Color::all().map(|color| clocks.left(color).as_millis() as u64);
                let mut value = json!({ "ply": ply, "move": moved.text,
                    "ms": moved.time.map(|time| time.as_millis() as u64),
                    "black_ms": left[0], "white_ms": left[1] });
                if let Some(thought) = thought {
                    add_thought(&mut value, thought);
                }
                Self::new(Self::MOVE, value)
            }
            Report::Thinking { .. } => return None,
            Report::Ended(result) => Self::new(
                "ended",
                json!({ "number": result.number, "game": result.game_id,
                    "color": color(result.color), "opponent": result.opponent,
                    "plies": result.plies, "seconds": result.time.as_secs(),
                    "result": result.result.in_lang(Lang::En).to_string(),
                    "reason": result.reason(Lang::En), "end": end(&result.end),
                    "record": result.record().map(|path| path.display().to_string()) }),
            ),
        })
    }

    /// The results of all games.
    pub fn summary(tally: &Tally) -> Self {
        let counts = |counts: &Counts| {
            json!({ "wins": counts.wins, "losses": counts.losses, "draws": counts.draws,
                    "unfinished": counts.unfinished })
        };
        let pair =
            |pair: &[Counts; 2]| json!({ "black": counts(&pair[0]), "white": counts(&pair[1]) });
        let opponents: Map<String, Value> =
            tally.by_opponent.iter().map(|(name, pair_of)| (name.clone(), pair(pair_of))).collect();
        let value = json!({ "games": tally.games(), "all": counts(&tally.all),
            "by_color": pair(&tally.by_color), "by_opponent": opponents });
        Self::new("summary", value)
    }
}

pub fn color(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// The server's word for the reason, such as `TIME_UP`.
fn end(end: &End) -> Option<&str> {
    end.reason.as_ref().map(|reason| reason.word())
}

fn add_thought(value: &mut Value, thought: &Info) {
    match thought.score {
        Score::Cp(cp) => value["cp"] = cp.into(),
        Score::Mate(plies) => value["mate"] = plies.into(),
    }
    value["depth"] = thought.depth.into();
    value["nodes"] = thought.nodes.into();
    value["pv"] = thought.pv.iter().map(ToString::to_string).collect::<Vec<_>>().into();
}
