//! `monomi-tools factorial`.

use crate::match_settings::MatchSettings;
use crate::progress_line::ProgressLine;
use crate::regression::Regression;
use crate::runner::{Event, Pair, PairCollector, Runner, Stop};
use crate::spec::{EngineSpec, pairs, words};
use crate::store::{GameRecord, PROGRAMS, Store, programs, shown};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

const EXAMPLES: &str = "\
A factor is one argument of words OPTION=OLD,NEW; with several, the options change together.
`name` names it, and `cmd=OLD,NEW` stands for two builds.

  cargo build --release --features tune --target-dir target/tune
  monomi-tools factorial --nodes 5000 --pairs 2000 --concurrency 4 --games screening.jsonl \\
      --engine 'cmd=target/tune/release/monomi Threads=1 USI_Hash=32' \\
      --factor rfp_margin=76,58 --factor 'name=null null_base=378,282 null_depth=4,3'

In every pair of games each factor is given at random to one of the two sides, so that all effects
are estimated from the same games. With many factors some seem to help by chance: confirm what is
favoured by `match --sprt`.

To tune many parameters at once, give each a lower and a higher value around the present one and use
`--suggest`; thousands of games are needed. Check the suggested values by `match --sprt`. `--results`
keeps only the points of each pair: a table small enough to be kept with the settings, from which
the test goes on with another machine.";

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The engine: `cmd=... OPTION=VALUE ...`, see `match --help`
    #[arg(long, value_name = "ENGINE")]
    engine: EngineSpec,
    /// An option with its old and new value; give it once for each factor
    #[arg(
        long = "factor",
        value_name = "OPTION=OLD,NEW",
        required_unless_present = "factors_file"
    )]
    factors: Vec<Factor>,
    /// More factors from a file, one in each line
    #[arg(long = "factors", value_name = "FILE")]
    factors_file: Option<PathBuf>,
    /// Also print a value for each option that is a number: between its two values, the nearer to
    /// the better one the more certain and the larger its effect is
    #[arg(long)]
    suggest: bool,
    /// Keep the points of each finished pair in this table, too; pairs that are in it are not
    /// played again. It depends on `--seed` and the factors
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    #[command(flatten)]
    settings: MatchSettings,
}

/// Something that one side has and the other has not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Factor {
    name: String,
    /// Old and new program.
    command: Option<[Vec<String>; 2]>,
    /// Options with the old and the new value.
    options: Vec<(String, [String; 2])>,
}

impl FromStr for Factor {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut factor = Self { name: String::new(), command: None, options: Vec::new() };
        for (key, value) in pairs(text)? {
            if key == "name" {
                factor.name = value;
                continue;
            }
            let both: Vec<&str> = value.split(',').collect();
            let [old, new] = both[..] else {
                bail!("`{key}={value}`: expected two values, OLD,NEW");
            };
            ensure!(old != new, "`{key}={value}`: the two values are the same");
            if key == "cmd" {
                factor.command = Some([words(old)?, words(new)?]);
            } else {
                factor.options.push((key, [old.to_owned(), new.to_owned()]));
            }
        }
        let first = match factor.options.first() {
            Some((option, _)) => option.clone(),
            None if factor.command.is_some() => "cmd".to_owned(),
            None => bail!("`{text}` names no option"),
        };
        if factor.name.is_empty() {
            factor.name = first;
        }
        Ok(factor)
    }
}

/// The factors of the command line and of the file.
fn all_factors(arguments: &Arguments) -> Result<Vec<Factor>> {
    let mut factors = arguments.factors.clone();
    if let Some(path) = &arguments.factors_file {
        factors.extend(read_factors(path)?);
    }
    check(&factors)?;
    Ok(factors)
}

fn read_factors(path: &Path) -> Result<Vec<Factor>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let factors: Vec<Factor> = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| line.parse().with_context(|| format!("{shown} line {number}")))
        .collect::<Result<_>>()?;
    ensure!(!factors.is_empty(), "{shown} contains no factors");
    Ok(factors)
}

/// The suggested value of each option that has whole numbers as its values, as `OPTION=VALUE`.
/// `steps` are those of [`Regression::steps`].
fn suggestions(factors: &[Factor], steps: &[f64]) -> Vec<String> {
    let mut lines = Vec::new();
    for (factor, step) in factors.iter().zip(steps) {
        for (option, values) in &factor.options {
            if let [Ok(old), Ok(new)] = values.each_ref().map(|value| value.parse::<i64>()) {
                let (old, new) = (old as f64, new as f64);
                let value = (old + new) / 2.0 + (new - old) / 2.0 * step;
                lines.push(format!("{option}={value:.0}"));
            }
        }
    }
    lines
}

/// Which factors engine A has in a pair; engine B has the others.
fn assignment(seed: u64, pair: usize, factors: usize) -> Vec<bool> {
    let mut random = fastrand::Rng::with_seed(seed);
    let stream = random.u64(..) ^ (pair as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = fastrand::Rng::with_seed(stream);
    (0..factors).map(|_| random.bool()).collect()
}

/// The engine with these factors.
fn with_factors(engine: &EngineSpec, factors: &[Factor], has: &[bool]) -> EngineSpec {
    let mut engine = engine.clone();
    for (factor, &has) in factors.iter().zip(has) {
        if let Some(commands) = &factor.command {
            engine.command.clone_from(&commands[usize::from(has)]);
        }
        for (option, values) in &factor.options {
            engine.set(option, &values[usize::from(has)]);
        }
    }
    engine
}

fn bits(has: &[bool]) -> String {
    has.iter().map(|&has| if has { '1' } else { '0' }).collect()
}

/// The result so far.
pub struct Estimate {
    names: Vec<String>,
    regression: Regression,
    collector: PairCollector,
    games: u64,
    forfeits: BTreeMap<String, u64>,
}

impl Estimate {
    /// No games yet, of factors with these names.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            regression: Regression::new(names.len()),
            names,
            collector: PairCollector::default(),
            games: 0,
            forfeits: BTreeMap::new(),
        }
    }

    /// Adds a game. Returns the points of its pair if the pair is complete.
    ///
    /// # Errors
    /// The game does not say which of the factors engine A had.
    pub fn add(&mut self, game: &GameRecord) -> Result<Option<f64>> {
        let factors = game.factors.as_deref().unwrap_or_default();
        ensure!(
            factors.len() == self.names.len() && factors.bytes().all(|b| b == b'0' || b == b'1'),
            "pair {}: `{factors}` does not say which of {} factors engine A had",
            game.pair,
            self.names.len()
        );
        self.games += 1;
        if let Some(fault) = game.fault_kind() {
            *self.forfeits.entry(fault.to_owned()).or_default() += 1;
        }
        let points = self.collector.add(game);
        if let Some(points) = points {
            let has: Vec<bool> = factors.bytes().map(|b| b == b'1').collect();
            self.regression.add(&has, points);
        }
        Ok(points)
    }

    /// The effects as text, the most certain gains first.
    pub fn report(&self) -> String {
        let mut text = format!("{} games, {} pairs", self.games, self.regression.pairs());
        for (fault, count) in &self.forfeits {
            let _ = write!(text, ", forfeit {fault} x{count}");
        }
        let Some(effects) = self.regression.effects() else {
            return text + "; too few for an estimate";
        };
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let _ = write!(text, "\n{:width$}    Elo   95 % interval  helps", "factor");
        let mut sorted: Vec<_> = self.names.iter().zip(effects).collect();
        sorted.sort_by(|(_, a), (_, b)| b.los.total_cmp(&a.los));
        for (name, effect) in sorted {
            let _ = write!(
                text,
                "\n{name:width$} {:+6.1} {:+7.1} {:+7.1} {:5.1} %",
                effect.elo,
                effect.low,
                effect.high,
                100.0 * effect.los
            );
        }
        text
    }

    /// The effects as JSON.
    pub fn json(&self) -> Value {
        let effects = self.regression.effects();
        let factors: Vec<Value> = self
            .names
            .iter()
            .enumerate()
            .map(|(i, name)| json!({ "name": name, "effect": effects.as_ref().map(|all| all[i]) }))
            .collect();
        json!({ "games": self.games, "pairs": self.regression.pairs(), "factors": factors,
                "forfeits": self.forfeits })
    }
}

/// The points of each finished pair in a file: a line names the columns, then the pair's number, a
/// tab and engine A's points of 2.
#[derive(Default)]
struct ResultTable {
    file: Option<File>,
    pairs: HashSet<usize>,
}

impl ResultTable {
    const COLUMNS: &str = "pair\tpoints";

    /// Opens or creates the table. Returns the results that it has already.
    fn open(path: Option<&Path>) -> Result<(Self, Vec<(usize, f64)>)> {
        let Some(path) = path else { return Ok((Self::default(), Vec::new())) };
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => format!("{}\n", Self::COLUMNS),
            text => text.with_context(|| format!("cannot read {shown}"))?,
        };
        // A line that was cut off when the machine stopped.
        let text = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = text.lines();
        ensure!(lines.next() == Some(Self::COLUMNS), "{shown} is not a table of results");
        let results: Vec<(usize, f64)> = lines
            .enumerate()
            .map(|(index, line)| {
                result(line).with_context(|| {
                    format!("{shown} line {}: expected a pair and 0 to 2 points", index + 2)
                })
            })
            .collect::<Result<_>>()?;
        std::fs::write(path, text).with_context(|| format!("cannot write {shown}"))?;
        let file = OpenOptions::new().append(true).open(path)?;
        let pairs = results.iter().map(|&(pair, _)| pair).collect();
        Ok((Self { file: Some(file), pairs }, results))
    }

    /// Appends a pair that is not in the table.
    fn add(&mut self, pair: usize, points: f64) -> Result<()> {
        match &mut self.file {
            Some(file) if self.pairs.insert(pair) => {
                writeln!(file, "{pair}\t{points}").context("cannot write the table of results")
            }
            _ => Ok(()),
        }
    }
}

/// A line of a [`ResultTable`].
fn result(line: &str) -> Option<(usize, f64)> {
    let (pair, points) = line.split_once('\t')?;
    let points = points.parse().ok().filter(|points| (0.0..=2.0).contains(points))?;
    Some((pair.parse().ok()?, points))
}

/// Plays the games and prints the effects.
///
/// # Errors
/// Bad settings, files that cannot be read or written, engines that do not start or do not
/// declare an option.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { engine, settings, .. } = arguments;
    settings.limit_of(engine.limit)?;
    let factors = &all_factors(arguments)?;
    let (openings, checksum) = settings.read_openings()?;
    let mut header = settings.header("factorial", checksum)?;
    header.insert("engine".to_owned(), Value::from(format!("{engine:?}")));
    header.insert("factors".to_owned(), Value::from(format!("{factors:?}")));
    header.insert(PROGRAMS.to_owned(), programs([engine]));
    let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
    shown(&mut header, &names, settings.limit()?);
    let stop = Stop::on_interrupt()?;
    let (mut store, mut finished) = Store::open(settings.games.as_deref(), &header)?;
    let (mut table, earlier) = ResultTable::open(arguments.results.as_deref())?;
    let stored: HashSet<usize> = finished.iter().map(|game| game.pair).collect();
    let missing = earlier.into_iter().filter(|(pair, _)| !stored.contains(pair));
    finished.extend(missing.flat_map(|(pair, points)| {
        let factors = bits(&assignment(settings.seed, pair, factors.len()));
        [false, true].map(|swap| GameRecord::without_moves(pair, swap, points / 2.0, &factors))
    }));
    let mut estimate = Estimate::new(factors.iter().map(|factor| factor.name.clone()).collect());
    for game in &finished {
        if let Some(points) = estimate.add(game)? {
            table.add(game.pair, points)?;
        }
    }
    let pair = |number: usize| {
        let has = assignment(settings.seed, number, factors.len());
        let has_not: Vec<bool> = has.iter().map(|has| !has).collect();
        let mut engines =
            [with_factors(engine, factors, &has), with_factors(engine, factors, &has_not)];
        for (engine, side) in engines.iter_mut().zip(["A", "B"]) {
            engine.name = format!("{} {side}", engine.name);
        }
        Pair { engines, factors: Some(bits(&has)) }
    };
    let runner = Runner {
        settings,
        openings: &openings,
        pair: &pair,
        pairings: 1,
        strict_options: true,
        stop: &stop,
    };
    let mut progress = ProgressLine::default();
    store.warnings().for_each(|text| progress.message(&text));
    let played = runner.run(&finished, |event| {
        match event {
            Event::Warning(text) => progress.message(&format!("warning: {text}")),
            Event::Game(game) => {
                store.add(game)?;
                let complete = estimate.add(game)?;
                if let Some(points) = complete {
                    table.add(game.pair, points)?;
                }
                let pairs = estimate.regression.pairs();
                if complete.is_some() && pairs.is_multiple_of(settings.every) {
                    progress.message(&estimate.report());
                } else if std::io::stderr().is_terminal() {
                    progress.show(&format!("{} games, {pairs} pairs", estimate.games), false);
                }
            }
        }
        Ok(true)
    });
    progress.end();
    let mut out = std::io::stdout().lock();
    if settings.json {
        writeln!(out, "{}", estimate.json())?;
    } else {
        writeln!(out, "{}", estimate.report())?;
        if arguments.suggest
            && let Some(steps) = estimate.regression.steps()
        {
            writeln!(out, "\nsuggested values\n{}", suggestions(factors, &steps).join("\n"))?;
        }
    }
    played?;
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// An option belongs to one factor only.
fn check(factors: &[Factor]) -> Result<()> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for factor in factors {
        let command = factor.command.iter().map(|_| "cmd");
        for option in factor.options.iter().map(|(option, _)| option.as_str()).chain(command) {
            if let Some(other) = seen.insert(option, &factor.name) {
                return Err(anyhow::anyhow!("factors `{other}` and `{}`", factor.name))
                    .with_context(|| format!("`{option}` is given twice"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read() {
        let factor: Factor = "name=null null_base=378,282 null_depth=4,3".parse().unwrap();
        assert_eq!(factor.name, "null");
        assert_eq!(factor.options[1].1, ["4".to_owned(), "3".to_owned()]);
        let builds: Factor = "cmd=./old,./new".parse().unwrap();
        assert_eq!(builds.name, "cmd");
        for bad in ["x=1", "x=1,1", "x=1,2,3", "name=x", "x"] {
            assert!(bad.parse::<Factor>().is_err(), "{bad}");
        }
        let steps = suggestions(&[factor, builds], &[0.5, 1.0]);
        assert_eq!(steps, ["null_base=306", "null_depth=3"]);
        let twice = ["x=1,2".parse().unwrap(), "name=y x=1,3".parse().unwrap()];
        assert!(format!("{:#}", check(&twice).unwrap_err()).contains("`x` is given twice"));
    }

    #[test]
    fn each_side_has_a_factor_about_half_of_the_time_and_independently() {
        let n = 10;
        let pairs = 4000;
        let all: Vec<Vec<bool>> = (0..pairs).map(|pair| assignment(3, pair, n)).collect();
        assert_eq!(all[7], assignment(3, 7, n));
        for i in 0..n {
            for j in 0..=i {
                let both = all.iter().filter(|has| has[i] && (i == j || has[j])).count() as f64;
                let expected = pairs as f64 * if i == j { 0.5 } else { 0.25 };
                assert!((both - expected).abs() < 4.5 * (pairs as f64 / 4.0).sqrt(), "{i} {j}");
            }
        }
    }

    #[test]
    fn factors_are_read_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("factors");
        std::fs::write(&path, "# margins\nx=1,2\n\nname=y z=3,4\n").unwrap();
        let names: Vec<String> =
            read_factors(&path).unwrap().into_iter().map(|factor| factor.name).collect();
        assert_eq!(names, ["x", "y"]);
        std::fs::write(&path, "x=1,2\nx\n").unwrap();
        assert!(format!("{:#}", read_factors(&path).unwrap_err()).contains("line 2"));
        std::fs::write(&path, "# nothing\n").unwrap();
        assert!(format!("{:#}", read_factors(&path).unwrap_err()).contains("no factors"));
    }

    #[test]
    fn results_are_read_again_and_a_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        let (mut table, earlier) = ResultTable::open(Some(&path)).unwrap();
        assert!(earlier.is_empty());
        [(0, 2.0), (3, 0.5), (0, 1.0)].iter().for_each(|&(p, x)| table.add(p, x).unwrap());
        drop(table);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "4\t1.";
        std::fs::write(&path, &text).unwrap();
        let (mut table, earlier) = ResultTable::open(Some(&path)).unwrap();
        assert_eq!(earlier, [(0, 2.0), (3, 0.5)]);
        table.add(4, 1.5).unwrap();
        drop(table);
        assert_eq!(ResultTable::open(Some(&path)).unwrap().1[2], (4, 1.5));
        for (bad, expected) in [
            ("pair\tpoints\n1\t3\n", "line 2"),
            ("pair\tpoints\n1 2\n", "line 2"),
            ("", "not a table"),
        ] {
            std::fs::write(&path, bad).unwrap();
            let error = format!("{:#}", ResultTable::open(Some(&path)).err().unwrap());
            assert!(error.contains(expected), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), bad, "the file is kept");
        }
    }

    #[test]
    fn factors_change_the_engine() {
        let engine: EngineSpec = "cmd=base Threads=1 x=0".parse().unwrap();
        let factors: Vec<Factor> =
            ["x=1,2", "cmd=old,new"].into_iter().map(|text| text.parse().unwrap()).collect();
        let changed = with_factors(&engine, &factors, &[true, false]);
        assert_eq!(changed.command, ["old"]);
        assert_eq!(changed.options[1], ("x".to_owned(), "2".to_owned()));
        assert_eq!(bits(&[true, false]), "10");
    }
}
