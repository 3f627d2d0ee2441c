//! `monomi-tools match --engine ... --engine ...`: every engine against every other, or the first against
//! all others.

use crate::match_settings::MatchSettings;
use crate::progress_line::ProgressLine;
use crate::runner::{Event, Pair, PairCollector, Runner, Stop};
use crate::spec::{EngineSpec, distinct};
use crate::statistics::Pentanomial;
use crate::store::{GameRecord, PROGRAMS, Store, programs};
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Engines and their pairings.
pub struct Tournament {
    engines: Vec<EngineSpec>,
    /// Pairs of engine numbers. Pair `k` of games is played by pairing `k % pairings.len()`.
    pairings: Vec<[usize; 2]>,
}

impl Tournament {
    /// A round robin, or a gauntlet of the first engine.
    ///
    /// # Errors
    /// There are fewer than two engines.
    pub fn new(engines: &[EngineSpec], gauntlet: bool) -> Result<Self> {
        ensure!(engines.len() >= 2, "give at least two engines");
        let mut named: Vec<EngineSpec> = Vec::new();
        for engine in engines {
            let mut engine = engine.clone();
            while let Some(same) = named.iter().find(|other| other.name == engine.name) {
                engine = distinct(&engine, &same.name);
            }
            named.push(engine);
        }
        let firsts = if gauntlet { 0..1 } else { 0..named.len() };
        let pairings = firsts.flat_map(|a| (a + 1..engines.len()).map(move |b| [a, b])).collect();
        Ok(Self { engines: named, pairings })
    }

    fn pairing(&self, pair: usize) -> [usize; 2] {
        self.pairings[pair % self.pairings.len()]
    }
}

/// The results of all engines.
struct Table {
    /// Of each engine, by its own points, against all others.
    totals: Vec<Pentanomial>,
    /// Points and games of the row's engine against the column's.
    cross: Vec<Vec<(f64, u64)>>,
    forfeits: BTreeMap<String, u64>,
    collector: PairCollector,
}

impl Table {
    fn new(engines: usize) -> Self {
        Self {
            totals: vec![Pentanomial::default(); engines],
            cross: vec![vec![(0.0, 0); engines]; engines],
            forfeits: BTreeMap::new(),
            collector: PairCollector::default(),
        }
    }

    fn add(&mut self, [a, b]: [usize; 2], game: &GameRecord) {
        for (row, column, points) in [(a, b, game.score), (b, a, 1.0 - game.score)] {
            let cell = &mut self.cross[row][column];
            *cell = (cell.0 + points, cell.1 + 1);
        }
        if let (Some(name), Some(fault)) = (&game.forfeited_by, game.fault_kind()) {
            *self.forfeits.entry(format!("{name} {fault}")).or_default() += 1;
        }
        if let Some(points) = self.collector.add(game) {
            self.totals[a].add(points);
            self.totals[b].add(2.0 - points);
        }
    }

    /// Engines by their share of the points, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.totals.len()).collect();
        order.sort_by(|&a, &b| self.totals[b].score().total_cmp(&self.totals[a].score()));
        order
    }

    fn points(&self, engine: usize) -> (f64, u64) {
        self.cross[engine].iter().fold((0.0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1))
    }

    fn text(&self, names: &[&str]) -> String {
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let order = self.order();
        let mut text = format!(
            "  # {:width$} {:>7} {:>6} {:>7} {:>7} {:>17} ",
            "engine", "points", "games", "score", "Elo", "95 %"
        );
        for rank in 1..=order.len() {
            let _ = write!(text, " {:>9}", format!("#{rank}"));
        }
        for (rank, &engine) in order.iter().enumerate() {
            let (points, games) = self.points(engine);
            let [elo, low, high] = self.totals[engine].elo();
            let _ = write!(
                text,
                "\n{:3} {:width$} {points:7.1} {games:6} {:5.1} % {elo:+7.1} {:>17} ",
                rank + 1,
                names[engine],
                100.0 * self.totals[engine].score(),
                format!("{low:+.1} to {high:+.1}"),
            );
            for &other in &order {
                let (points, games) = self.cross[engine][other];
                let cell = if games == 0 { "-".to_owned() } else { format!("{points}/{games}") };
                let _ = write!(text, " {cell:>9}");
            }
        }
        text.push_str("\nElo: against the opponents of each engine, from its pairs of games");
        for (what, count) in &self.forfeits {
            let _ = write!(text, "\nforfeit {what} x{count}");
        }
        text
    }

    fn json(&self, names: &[&str]) -> Value {
        let row = |&engine: &usize| {
            let (points, games) = self.points(engine);
            let [elo, low, high] = self.totals[engine].elo();
            let against: serde_json::Map<String, Value> = (0..names.len())
                .filter(|&other| self.cross[engine][other].1 > 0)
                .map(|other| {
                    let (points, games) = self.cross[engine][other];
                    (names[other].to_owned(), json!({ "points": points, "games": games }))
                })
                .collect();
            json!({
                "name": names[engine], "points": points, "games": games,
                "pentanomial": self.totals[engine], "elo": elo, "elo_low": low, "elo_high": high,
                "against": against,
            })
        };
        json!({ "engines": self.order().iter().map(row).collect::<Vec<_>>(), "forfeits": self.forfeits })
    }
}

/// Plays the tournament. `settings.pairs` counts for each pairing.
///
/// # Errors
/// As for a match.
pub fn run(tournament: &Tournament, settings: &MatchSettings) -> Result<ExitCode> {
    let Tournament { engines, pairings } = tournament;
    engines.iter().try_for_each(|engine| settings.limit_of(engine.limit).map(drop))?;
    let (openings, checksum) = settings.read_openings()?;
    let mut header = settings.header("tournament", checksum)?;
    header.insert("engines".to_owned(), Value::from(format!("{engines:?}")));
    header.insert("pairings".to_owned(), Value::from(format!("{pairings:?}")));
    header.insert(PROGRAMS.to_owned(), programs(engines));
    let stop = Stop::on_interrupt()?;
    let (mut store, finished) = Store::open(settings.games.as_deref(), &header)?;
    let mut table = Table::new(engines.len());
    finished.iter().for_each(|game| table.add(tournament.pairing(game.pair), game));
    let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
    let pair = |number| Pair {
        engines: tournament.pairing(number).map(|engine| engines[engine].clone()),
        factors: None,
    };
    let runner = Runner {
        settings,
        openings: &openings,
        pair: &pair,
        pairings: pairings.len(),
        strict_options: false,
        stop: &stop,
    };
    let mut progress = ProgressLine::default();
    store.warnings().for_each(|text| progress.message(&text));
    let mut count = finished.len() as u64;
    let played = runner.run(&finished, |event| {
        match event {
            Event::Warning(text) => progress.message(&format!("warning: {text}")),
            Event::Game(game) => {
                store.add(game)?;
                table.add(tournament.pairing(game.pair), game);
                count += 1;
                progress.show(&format!("games {count}"), count.is_multiple_of(2 * settings.every));
            }
        }
        Ok(true)
    });
    progress.end();
    let mut out = std::io::stdout().lock();
    if settings.json {
        writeln!(out, "{}", table.json(&names))?;
    } else {
        writeln!(out, "{}", table.text(&names))?;
    }
    played?;
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines(names: &[&str]) -> Vec<EngineSpec> {
        names.iter().map(|name| format!("cmd=x name={name}").parse().unwrap()).collect()
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_meets_all() {
        let all = Tournament::new(&engines(&["a", "b", "a", "c"]), false).unwrap();
        assert_eq!(all.pairings, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(all.engines[2].name, "a'");
        let gauntlet = Tournament::new(&engines(&["a", "b", "c"]), true).unwrap();
        assert_eq!(gauntlet.pairings, [[0, 1], [0, 2]]);
        assert_eq!(gauntlet.pairing(5), [0, 2]);
        assert!(Tournament::new(&engines(&["a"]), false).is_err());
    }

    #[test]
    fn the_table_counts_points_of_both_sides() {
        let mut table = Table::new(3);
        let game = |pair, swap, score| GameRecord {
            pair,
            swap,
            score,
            ending: "mate".to_owned(),
            forfeited_by: None,
            fault: None,
            factors: None,
            time_ms: [0, 0],
            game: String::new(),
        };
        table.add([0, 1], &game(0, false, 1.0));
        table.add([0, 1], &game(0, true, 0.5));
        table.add([1, 2], &game(1, false, 0.0));
        assert_eq!(table.points(0), (1.5, 2));
        assert_eq!(table.points(1), (0.5, 3));
        assert_eq!(table.points(2), (1.0, 1));
        assert_eq!(table.totals[0], Pentanomial([0, 0, 0, 1, 0]));
        assert_eq!(table.totals[1], Pentanomial([0, 1, 0, 0, 0]));
        let total: f64 = (0..3).map(|engine| table.points(engine).0).sum();
        assert_eq!(total, 3.0);
        let text = table.text(&["a", "b", "c"]);
        assert!(text.contains("1.5/2") && text.contains("0.5/2"), "{text}");
        assert_eq!(table.json(&["a", "b", "c"])["engines"][0]["name"], "a");
    }
}
