//! `monomi csa`.

use crate::commands::{INTERRUPTED, on_interrupt};
use crate::failure::Failure;
use crate::lang::Lang;
use crossbeam_channel::Receiver;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use monomi_csa::Client;
use monomi_csa::clock::{self, Clocks};
use monomi_csa::config::{CommandLine, Config, ConfigError, Settings, ValueFault};
use monomi_csa::output::{Listener, Report, Tally, side};
use monomi_search::{Info, Score};
use monomi_support::text::{AsIs, Message, say};
use serde_json::{Value, json};
use shogi_core::Color;
use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How long the program may take to end at once.
const GRACE: Duration = Duration::from_secs(3);

const AFTER_HELP: &str = "\
The configuration file (TOML) has the same keys as the options; options win. See docs/csa.toml for
an example with every key, and docs/servers.md for floodgate and other servers.

The password comes from --password-file, or the environment variable of --password-env
(MONOMI_CSA_PASSWORD by default); otherwise it is asked for.

SIGTERM or Ctrl-C ends the program after the game in progress; a second one ends it at once and
loses that game.

Examples:
  monomi csa --config floodgate.toml
  monomi csa --config floodgate.toml --games 10 --option Threads=8 --option USI_Hash=4096
  monomi csa --host localhost --user Monomi --game test-300-10F --password-file secret.txt
  monomi csa --config floodgate.toml --json | jq -c 'select(.event == \"ended\")'

Exit codes: 0 success; 1 failure, such as a refused login; 2 invalid arguments or configuration;
130 interrupted twice.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Configuration (TOML).
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    config: Option<PathBuf>,
    #[command(flatten)]
    line: CommandLine,
    /// Write events to standard output as JSON, one per line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let config = configure(args, lang)?;
    let (stops, signals) = catch_signals()?;
    let signals = &*signals;
    let mut screen = Screen::new(out, args.json, lang);
    let (tally, outcome) = match Client::new(&config, &mut screen, stops) {
        Ok(client) => client.run(),
        Err(error) => (Tally::default(), Err(error)),
    };
    screen.summary(&tally);
    screen.written?;
    outcome?;
    let at_once = signals.load(Ordering::Relaxed) > 1;
    Ok(if at_once { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn configure(args: &Args, lang: Lang) -> Result<Config, Failure> {
    let settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), Settings::read);
    let settings = settings.map_err(Failure::invalid)?.overridden_by(&args.line);
    let settings = settings.map_err(|error| AsIs(error.to_string()))?;
    settings.complete(|| ask_password(lang)).map_err(Failure::invalid)
}

fn ask_password(lang: Lang) -> Result<String, ConfigError> {
    let failed = |fault| ConfigError::Bad { key: "password", fault };
    if !std::io::stdin().is_terminal() {
        return Err(failed(ValueFault::NoPassword));
    }
    rpassword::prompt_password(say!(lang, "Password: ", "パスワード: "))
        .map_err(|error| failed(ValueFault::Prompt(error)))
}

/// A message for each signal, and the number of signals so far.
fn catch_signals() -> Result<(Receiver<()>, Arc<AtomicU32>), Failure> {
    let (sender, stops) = crossbeam_channel::unbounded();
    let signals = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&signals);
    on_interrupt(move || {
        let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
        // The client may have ended.
        let _ = sender.send(());
        if count > 1 {
            // It may also be waiting for the system, as for a server's name.
            std::thread::sleep(GRACE);
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok((stops, signals))
}

/// What people or scripts see.
struct Screen<'a, W> {
    out: &'a mut W,
    json: bool,
    lang: Lang,
    live: ProgressBar,
    /// The game in progress: the client's color, and how it is named.
    us: Color,
    title: String,
    clocks: String,
    /// The first failure to write; the games continue.
    written: std::io::Result<()>,
}

impl<'a, W: Write> Screen<'a, W> {
    fn new(out: &'a mut W, json: bool, lang: Lang) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let live = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            live.set_style(style);
        }
        let (title, clocks) = (String::new(), String::new());
        Self { out, json, lang, live, us: Color::Black, title, clocks, written: Ok(()) }
    }

    /// A line on standard output, above the live line.
    fn line(&mut self, text: &str) {
        let out = &mut self.out;
        let written = self.live.suspend(|| writeln!(out, "{text}").and_then(|()| out.flush()));
        if self.written.is_ok() {
            self.written = written;
        }
    }

    /// A line on standard error.
    fn remark(&self, text: &str) {
        let text = text.replace(|c: char| c.is_control(), "\u{FFFD}");
        let now = chrono::Local::now().format("%H:%M:%S");
        self.live.suspend(|| {
            // If this cannot be written either, the error cannot be reported.
            let _ = writeln!(std::io::stderr(), "{now} {text}");
        });
    }

    fn event(&mut self, name: &str, mut value: Value) {
        value["event"] = name.into();
        value["time"] =
            chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true).into();
        self.line(&value.to_string());
    }

    fn summary(&mut self, tally: &Tally) {
        self.live.finish_and_clear();
        if self.json {
            let counts = |counts: &monomi_csa::output::Counts| {
                json!({ "wins": counts.wins, "losses": counts.losses, "draws": counts.draws,
                        "unfinished": counts.unfinished })
            };
            let pair = |pair: &[monomi_csa::output::Counts; 2]| json!({ "black": counts(&pair[0]), "white": counts(&pair[1]) });
            let opponents: serde_json::Map<String, Value> = tally
                .by_opponent
                .iter()
                .map(|(name, pair_of)| (name.clone(), pair(pair_of)))
                .collect();
            let value = json!({ "games": tally.games(), "all": counts(&tally.all),
                "by_color": pair(&tally.by_color), "by_opponent": opponents });
            self.event("summary", value);
        } else if tally.games() > 0 {
            let text = tally.in_lang(self.lang).to_string();
            self.line(text.trim_end());
        }
    }

    fn told(&mut self, report: &Report<'_>) {
        let lang = self.lang;
        match report {
            Report::Connecting { host, port } => self.live.set_message(say!(
                lang,
                "connecting to {host}:{port}",
                "{host}:{port} に接続しています"
            )),
            Report::LoggedIn => {
                self.live.enable_steady_tick(Duration::from_millis(500));
                self.live.set_message(say!(
                    lang,
                    "logged in, waiting for a game",
                    "ログインしました。対局を待っています"
                ));
            }
            Report::Notice(notice) => self.remark(&notice.in_lang(lang).to_string()),
            Report::Started(summary) => {
                self.us = summary.us;
                let (side, opponent) = (side(summary.us, lang), clean(summary.opponent()));
                self.title =
                    say!(lang, "{side} against {opponent}", "{opponent} との対局（{side}）");
                let game_id = clean(&summary.game_id);
                self.remark(&format!("{game_id}: {}", self.title));
            }
            Report::Moved { ply, clocks, .. } => {
                let clocks = left(clocks);
                self.clocks = say!(lang, "move {ply}  {clocks}", "{ply} 手目  {clocks}");
                self.live.set_message(format!("{}  {}", self.title, self.clocks));
            }
            Report::Thinking { thought, ponder } => {
                let score = score_text(self.us, thought.score, lang);
                let depth = thought.depth;
                let ponder = match ponder {
                    true => say!(lang, " (pondering)", "（先読み）"),
                    false => String::new(),
                };
                let thinking =
                    say!(lang, "{score}  depth {depth}{ponder}", "{score}  深さ {depth}{ponder}");
                let (title, clocks) = (&self.title, &self.clocks);
                self.live.set_message(format!("{title}  {clocks}  {thinking}"));
            }
            Report::Ended(result) => {
                self.line(&result.in_lang(lang).to_string());
                self.live.set_message(say!(lang, "waiting for a game", "対局を待っています"));
            }
        }
    }

    fn told_json(&mut self, report: &Report<'_>) {
        match report {
            Report::Connecting { host, port } => {
                self.event("connecting", json!({ "host": host, "port": port }));
            }
            Report::LoggedIn => self.event("logged_in", json!({})),
            Report::Notice(notice) => {
                let text = notice.in_lang(Lang::En).to_string();
                self.event("notice", json!({ "text": text }));
            }
            Report::Started(summary) => {
                let value = json!({ "game": summary.game_id, "black": summary.names[0],
                    "white": summary.names[1], "color": color(summary.us) });
                self.event("started", value);
            }
            Report::Moved { moved, ply, clocks, thought } => {
                let left = Color::all().map(|color| clocks.left(color).as_millis() as u64);
                let mut value = json!({ "ply": ply, "move": moved.text,
                    "ms": moved.time.map(|time| time.as_millis() as u64),
                    "black_ms": left[0], "white_ms": left[1] });
                if let Some(thought) = thought {
                    thought_json(&mut value, thought);
                }
                self.event("move", value);
            }
            Report::Thinking { .. } => {}
            Report::Ended(result) => {
                let value = json!({ "number": result.number, "game": result.game_id,
                    "color": color(result.color), "opponent": result.opponent,
                    "plies": result.plies, "seconds": result.time.as_secs(),
                    "result": result.result.in_lang(Lang::En).to_string(),
                    "reason": result.reason(Lang::En),
                    "record": result.record().map(|path| path.display().to_string()) });
                self.event("ended", value);
            }
        }
    }
}

impl<W: Write> Listener for Screen<'_, W> {
    fn on_report(&mut self, report: &Report<'_>) {
        if self.json { self.told_json(report) } else { self.told(report) }
    }
}

fn color(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

fn clean(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "\u{FFFD}")
}

fn left(clocks: &Clocks) -> String {
    let [black, white] = Color::all().map(|color| clock::shown(clocks.left(color)));
    format!("☗{black} ☖{white}")
}

/// A score for the side to move as one for Black.
fn score_text(us: Color, score: Score, lang: Lang) -> String {
    let sign = if us == Color::Black { 1 } else { -1 };
    match score {
        Score::Cp(cp) => format!("{:+}", sign * cp),
        Score::Mate(plies) => say!(lang, "mate {:+}", "詰み {:+}", sign * plies),
    }
}

fn thought_json(value: &mut Value, thought: &Info) {
    match thought.score {
        Score::Cp(cp) => value["cp"] = cp.into(),
        Score::Mate(plies) => value["mate"] = plies.into(),
    }
    value["depth"] = thought.depth.into();
    value["nodes"] = thought.nodes.into();
    value["pv"] = thought.pv.iter().map(ToString::to_string).collect::<Vec<_>>().into();
}
