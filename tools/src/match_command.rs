//! `monomi-tools match`.

use crate::match_settings::MatchSettings;
use crate::progress_line::ProgressLine;
use crate::runner::{Event, Pair, PairCollector, Runner, Stop};
use crate::spec::{EngineSpec, distinct};
use crate::statistics::{Decision, Pentanomial, Sprt};
use crate::store::{GameRecord, PROGRAMS, Store, programs, shown};
use crate::tournament::{self, Tournament};
use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
An engine is described by words KEY=VALUE in one argument: `cmd` (the program with its arguments,
quoted if it has spaces), `name`, `dir` (the working folder) and `go` (its own limit: nodes:N,
depth:N, movetime:MS, byoyomi:MS or tc:SECONDS+SECONDS); all others are USI options.

  monomi-tools match --nodes 25000 --sprt 0,5 --pairs 20000 --concurrency 4 --games trial.jsonl \\
      --a 'name=new cmd=target/release/monomi Threads=1 USI_Hash=32' \\
      --b 'name=base cmd=./monomi-base Threads=1 USI_Hash=32'

  monomi-tools match --tc 5+0.05 --pairs 50 --ponder --csa games --adjudicate-win 3,3000 \\
      --engine 'name=new cmd=target/release/monomi' --engine 'cmd=./monomi-base' --engine 'cmd=./other'

Ctrl-C stops and prints the result so far; the same command continues a match stored by --games.";

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Engine A: `name=... cmd=... OPTION=VALUE ...`
    #[arg(long, value_name = "ENGINE", required_unless_present = "engine", requires = "b")]
    a: Option<EngineSpec>,
    /// Engine B
    #[arg(long, value_name = "ENGINE", requires = "a")]
    b: Option<EngineSpec>,
    /// An engine of a tournament instead of --a and --b; give it once for each engine. --pairs counts for
    /// each two engines
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["a", "b", "sprt", "strict"])]
    engine: Vec<EngineSpec>,
    /// The first engine of the tournament plays against all others, which do not meet
    #[arg(long, requires = "engine")]
    gauntlet: bool,
    /// Stop as soon as a sequential test decides whether A is stronger by ELO1 rather than by ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// ELO0 and ELO1 are normalized Elo: in units of a game's standard deviation, so that the length of the
    /// test does not depend on the share of draws
    #[arg(long, requires = "sprt")]
    normalized: bool,
    /// Exit with 1 if engine A forfeited a game
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    settings: MatchSettings,
}

/// `ELO0,ELO1` of the command line.
///
/// # Errors
/// They are no two numbers from -1000 to 1000, the smaller one first.
pub fn sprt(text: &str) -> Result<Sprt> {
    let (low, high) = text.split_once(',').context("expected ELO0,ELO1")?;
    let number = |text: &str| -> Result<f64> {
        let number: f64 = text.trim().parse().with_context(|| format!("`{text}` is no number"))?;
        ensure!(number.abs() <= 1000.0, "`{text}`: expected -1000 to 1000");
        Ok(number)
    };
    let (elo0, elo1) = (number(low)?, number(high)?);
    ensure!(elo0 < elo1, "ELO0 must be less than ELO1");
    Ok(Sprt { elo0, elo1, normalized: false, alpha: 0.05, beta: 0.05 })
}

/// The result so far.
#[derive(Default)]
pub struct Tally {
    pairs: Pentanomial,
    wins_draws_losses: [u64; 3],
    endings: BTreeMap<String, u64>,
    forfeits: BTreeMap<String, u64>,
    collector: PairCollector,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.wins_draws_losses[((1.0 - game.score) * 2.0) as usize] += 1;
        *self.endings.entry(game.ending.clone()).or_default() += 1;
        if let (Some(name), Some(fault)) = (&game.forfeited_by, game.fault_kind()) {
            *self.forfeits.entry(format!("{name} {fault}")).or_default() += 1;
        }
        if let Some(points) = self.collector.add(game) {
            self.pairs.add(points);
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins_draws_losses.iter().sum()
    }

    /// The difference in Elo with its 95 % interval.
    pub fn elo_text(&self) -> String {
        let [elo, low, high] = self.pairs.elo();
        format!("Elo {elo:+.1} ({low:+.1} to {high:+.1})")
    }

    /// The share of the points that engine A has, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.pairs.score()
    }

    fn line(&self, sprt: Option<&Sprt>) -> String {
        let mut text = format!(
            "pairs {} score {:.1} % {}",
            self.pairs.pairs(),
            100.0 * self.pairs.score(),
            self.elo_text()
        );
        if let Some(sprt) = sprt {
            let (ratio, _) = sprt.decide(&self.pairs);
            let (lower, upper) = sprt.bounds();
            let _ = write!(text, " LLR {ratio:+.2} ({lower:.2} to {upper:+.2})");
        }
        for (what, count) in &self.forfeits {
            let _ = write!(text, ", forfeit {what} x{count}");
        }
        text
    }

    /// The result as text, with the names of the two engines.
    pub fn report(&self, names: [&str; 2], sprt: Option<&Sprt>) -> String {
        let [wins, draws, losses] = self.wins_draws_losses;
        let list = |counts: &BTreeMap<String, u64>| {
            let items: Vec<String> =
                counts.iter().map(|(what, count)| format!("{what} x{count}")).collect();
            items.join(", ")
        };
        let mut text = format!(
            "{} against {}: {} games, {} pairs\n\
             score {:.1} % (won {wins}, drawn {draws}, lost {losses})\n\
             {} with 95 %",
            names[0],
            names[1],
            self.games(),
            self.pairs.pairs(),
            100.0 * self.pairs.score(),
            self.elo_text(),
        );
        if let Some(normalized) = self.pairs.normalized_elo() {
            let _ = write!(text, ", normalized {normalized:+.1}");
        }
        let _ = write!(
            text,
            ", likelihood of superiority {:.1} %\npairs by points 0, 0.5, 1, 1.5, 2: {:?}\nendings: {}",
            100.0 * self.pairs.los(),
            self.pairs.0,
            list(&self.endings)
        );
        if let Some(sprt) = sprt {
            let (ratio, decision) = sprt.decide(&self.pairs);
            let (lower, upper) = sprt.bounds();
            let decision = match decision {
                Decision::Undecided => "undecided",
                Decision::AcceptH0 => "failed (H0 accepted)",
                Decision::AcceptH1 => "passed (H1 accepted)",
            };
            let _ = write!(
                text,
                "\nSPRT {:+} against {:+} {}Elo: LLR {ratio:+.2} ({lower:.2} to {upper:+.2}), {decision}",
                sprt.elo1,
                sprt.elo0,
                if sprt.normalized { "normalized " } else { "" },
            );
        }
        if !self.forfeits.is_empty() {
            let _ = write!(text, "\nforfeits: {}", list(&self.forfeits));
        }
        text
    }

    /// The result as JSON, with the names of the two engines.
    pub fn json(&self, names: [&str; 2], sprt: Option<&Sprt>) -> Value {
        let [elo, low, high] = self.pairs.elo();
        json!({
            "a": names[0], "b": names[1],
            "games": self.games(), "pairs": self.pairs.pairs(), "pentanomial": self.pairs,
            "wins": self.wins_draws_losses[0],
            "draws": self.wins_draws_losses[1],
            "losses": self.wins_draws_losses[2],
            "score": self.pairs.score(),
            // Infinite values become null.
            "elo": elo, "elo_low": low, "elo_high": high,
            "normalized_elo": self.pairs.normalized_elo(), "los": self.pairs.los(),
            "sprt": sprt.map(|sprt| {
                let (llr, decision) = sprt.decide(&self.pairs);
                let (lower, upper) = sprt.bounds();
                json!({ "elo0": sprt.elo0, "elo1": sprt.elo1, "normalized": sprt.normalized, "llr": llr, "lower": lower,
                        "upper": upper, "decision": decision })
            }),
            "endings": self.endings, "forfeits": self.forfeits,
        })
    }
}

/// The columns of the tables in trials/ that a result fills, from `games` to `high`, with tabs between them. `result`
/// is that of [`Tally::json`].
pub fn trial_columns(result: &Value) -> String {
    let elo = |key: &str| result[key].as_f64().map_or(String::new(), |elo| format!("{elo:+.0}"));
    let score = format!("{:.1}", 100.0 * result["score"].as_f64().unwrap_or_default());
    [result["games"].to_string(), score, elo("elo"), elo("elo_low"), elo("elo_high")].join("\t")
}

/// A match between two engines.
pub struct Match<'a> {
    /// Engines A and B.
    pub engines: [&'a EngineSpec; 2],
    /// Ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// How the games are played and where they are stored.
    pub settings: &'a MatchSettings,
    /// When to stop.
    pub stop: &'a Stop,
}

impl Match<'_> {
    /// The engines with names that differ.
    fn engines(&self) -> [EngineSpec; 2] {
        let [a, b] = self.engines;
        [a.clone(), distinct(b, &a.name)]
    }

    /// Plays the games and adds them, and those stored by an earlier run, to `tally`.
    ///
    /// # Errors
    /// Bad settings, files that cannot be read or written, engines that do not start.
    pub fn play(&self, tally: &mut Tally) -> Result<()> {
        let Self { sprt, settings, stop, .. } = self;
        let engines = self.engines();
        engines.iter().try_for_each(|engine| settings.limit_of(engine.limit).map(drop))?;
        let (openings, checksum) = settings.read_openings()?;
        let mut header = settings.header("match", checksum)?;
        for (key, engine) in ["a", "b"].into_iter().zip(self.engines) {
            header.insert(key.to_owned(), Value::from(format!("{engine:?}")));
        }
        header.insert(PROGRAMS.to_owned(), programs(&engines));
        let names = engines.each_ref().map(|engine| engine.name.as_str());
        shown(&mut header, &names, settings.limit()?);
        let (mut store, finished) = Store::open(settings.games.as_deref(), &header)?;
        let mut progress = ProgressLine::default();
        store.warnings().for_each(|text| progress.message(&text));
        finished.iter().for_each(|game| tally.add(game));
        if !finished.is_empty() {
            progress.message(&format!("continued: {}", tally.line(sprt.as_ref())));
        }
        let decided = |tally: &Tally| {
            sprt.as_ref().is_some_and(|sprt| sprt.decide(&tally.pairs).1 != Decision::Undecided)
        };
        if decided(tally) {
            return Ok(());
        }
        let pair = |_| Pair { engines: engines.clone(), factors: None };
        let runner = Runner {
            settings,
            openings: &openings,
            pair: &pair,
            pairings: 1,
            strict_options: false,
            stop,
        };
        let played = runner.run(&finished, |event| {
            match event {
                Event::Warning(text) => progress.message(&format!("warning: {text}")),
                Event::Game(game) => {
                    store.add(game)?;
                    let before = tally.pairs.pairs();
                    tally.add(game);
                    let pairs = tally.pairs.pairs();
                    let milestone = pairs > before && pairs.is_multiple_of(settings.every);
                    progress.show(&tally.line(sprt.as_ref()), milestone);
                }
            }
            Ok(!decided(tally))
        });
        progress.end();
        played
    }
}

/// Plays the match and prints its result.
///
/// # Errors
/// Bad settings, files that cannot be read or written, engines that do not start.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { a: Some(a), b: Some(b), sprt, normalized, strict, settings, .. } = arguments
    else {
        let tournament = Tournament::new(&arguments.engine, arguments.gauntlet)?;
        return tournament::run(&tournament, &arguments.settings);
    };
    let stop = Stop::on_interrupt()?;
    let sprt = sprt.map(|sprt| Sprt { normalized: *normalized, ..sprt });
    let series = Match { engines: [a, b], sprt, settings, stop: &stop };
    let mut tally = Tally::default();
    let played = match series.play(&mut tally) {
        Err(error) if tally.games() == 0 => return Err(error),
        played => played,
    };
    let engines = series.engines();
    let names = [engines[0].name.as_str(), engines[1].name.as_str()];
    let mut out = std::io::stdout().lock();
    if settings.json {
        writeln!(out, "{}", tally.json(names, sprt.as_ref()))?;
    } else {
        writeln!(out, "{}", tally.report(names, sprt.as_ref()))?;
    }
    played?;
    let forfeited = tally.forfeits.keys().any(|key| key.starts_with(&format!("{} ", names[0])));
    Ok(if stop.interrupted() {
        ExitCode::from(130)
    } else {
        ExitCode::from(u8::from(*strict && forfeited))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sprt_is_read() {
        assert_eq!(sprt("-3,1").unwrap().elo0, -3.0);
        for bad in ["5", "5,0", "0,x", "0,nan", "0,0", "0,2000"] {
            assert!(sprt(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_tally_counts_games_pairs_and_forfeits() {
        let game = |pair, swap, score, fault: Option<&str>| GameRecord {
            pair,
            swap,
            score,
            ending: "mate".to_owned(),
            forfeited_by: fault.map(|_| "new".to_owned()),
            fault: fault.map(str::to_owned),
            factors: None,
            time_ms: [0, 0],
            game: String::new(),
        };
        let mut tally = Tally::default();
        tally.add(&game(0, false, 1.0, None));
        tally.add(&game(1, true, 0.0, Some("illegal-move 1a1b")));
        tally.add(&game(0, true, 0.5, None));
        assert_eq!(tally.wins_draws_losses, [1, 1, 1]);
        assert_eq!(tally.pairs, Pentanomial([0, 0, 0, 1, 0]));
        assert_eq!(tally.forfeits["new illegal-move"], 1);
        let json = tally.json(["new", "base"], None);
        assert_eq!(json["score"], 0.75);
        assert!(trial_columns(&json).starts_with("3\t75.0\t+191\t"), "{}", trial_columns(&json));
        assert_eq!(json["forfeits"]["new illegal-move"], 1);
    }
}
