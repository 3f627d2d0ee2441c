//! What the choices and verdicts say.

use super::store::Store;
use crate::win_scale::win;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroU16;

/// The winning probability above which the best move counts as decisive; below one minus this, all is lost.
const DECIDED: f64 = 0.95;

/// The regrets of one engine at one number of nodes.
#[derive(Default)]
pub(super) struct Regrets {
    /// Regret by position, and the game of each.
    pub(super) by_position: BTreeMap<String, (usize, f64)>,
    /// Sum of the depths of its searches.
    depths: u64,
}

/// A mean with its standard error, games being independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mean {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// All regrets.
pub(super) struct Report {
    /// By nodes a move and engine.
    pub(super) regrets: BTreeMap<(u64, String), Regrets>,
    /// Positions that are not decided.
    undecided: usize,
    /// Undecided positions in which different moves were chosen.
    judged: usize,
}

impl Report {
    /// Only positions in which all engines have chosen and all referees have judged count.
    pub(super) fn new(
        store: &Store,
        games: &[Vec<String>],
        engines: &[&str],
        referees: &[String],
        win_scale: NonZeroU16,
    ) -> Self {
        let win = |cp: i32| win(cp.into(), win_scale);
        let mut report = Self { regrets: BTreeMap::new(), undecided: 0, judged: 0 };
        let nodes: Vec<_> = engines.iter().map(|engine| store.nodes_of(engine)).collect();
        for (game, position) in
            games.iter().enumerate().flat_map(|(game, all)| all.iter().map(move |p| (game, p)))
        {
            let choices: Option<Vec<_>> = (0..engines.len())
                .flat_map(|engine| nodes[engine].iter().map(move |&nodes| (engine, nodes)))
                .map(|(engine, nodes)| store.choice(engines[engine], nodes, position))
                .collect();
            let Some(choices) = choices.filter(|choices| !choices.is_empty()) else { continue };
            let moves = store.moves(position, engines);
            let value = |mv: &str| -> Option<f64> {
                let mut sum = 0.0;
                for referee in referees {
                    sum += win(store.verdict(referee, position, mv)?);
                }
                Some(sum / referees.len() as f64)
            };
            // Without different moves nothing was judged; the engines' own scores show whether it is decided.
            let values: Option<BTreeMap<&str, f64>> = if moves.len() == 1 {
                let sum: f64 = choices.iter().map(|choice| win(choice.cp)).sum();
                moves.iter().map(|&mv| Some((mv, sum / choices.len() as f64))).collect()
            } else {
                moves.iter().map(|&mv| Some((mv, value(mv)?))).collect()
            };
            let Some(values) = values else { continue };
            let best = values.values().fold(0.0, |best: f64, &value| best.max(value));
            if !(1.0 - DECIDED..DECIDED).contains(&best) {
                continue;
            }
            report.undecided += 1;
            report.judged += usize::from(moves.len() > 1);
            for choice in choices {
                let key = (choice.nodes, choice.engine.clone());
                let regrets = report.regrets.entry(key).or_default();
                let regret = best - values[choice.mv.as_str()];
                regrets.by_position.insert(position.clone(), (game, regret));
                regrets.depths += u64::from(choice.depth);
            }
        }
        report
    }

    /// Regret of an engine minus that of another one, in the positions that both have, and the share of
    /// positions in which their regrets differ.
    fn difference(&self, nodes: u64, engine: &str, base: &str) -> Option<(Mean, f64)> {
        let ours = &self.regrets.get(&(nodes, engine.to_owned()))?.by_position;
        let theirs = &self.regrets.get(&(nodes, base.to_owned()))?.by_position;
        let both: Vec<(usize, f64)> = ours
            .iter()
            .filter_map(|(position, &(game, regret))| {
                Some((game, regret - theirs.get(position)?.1))
            })
            .collect();
        let other = both.iter().filter(|(_, difference)| *difference != 0.0).count();
        let share = other as f64 / both.len().max(1) as f64;
        Some((mean(both.into_iter())?, share))
    }

    /// The report for people.
    pub(super) fn text(&self, base: &str) -> String {
        let mut text = format!(
            "{} undecided positions, {} of them with different moves\n\
             {:24} {:>8} {:>9} {:>6} {:>17} {:>24} {:>6}\n",
            self.undecided,
            self.judged,
            "engine",
            "nodes",
            "positions",
            "depth",
            "regret",
            format!("minus {base}"),
            "other"
        );
        for ((nodes, engine), regrets) in &self.regrets {
            let count = regrets.by_position.len();
            let Some(Mean { value, error }) = mean(regrets.by_position.values().copied()) else {
                continue;
            };
            let depth = regrets.depths as f64 / count as f64;
            let _ = write!(
                text,
                "{engine:24} {nodes:8} {count:9} {depth:6.2} {:8.3} ± {:.3} %",
                100.0 * value,
                100.0 * error
            );
            if engine != base
                && let Some((Mean { value, error }, share)) = self.difference(*nodes, engine, base)
            {
                let difference = format!("{:+.3} ± {:.3} %", 100.0 * value, 100.0 * error);
                let _ = write!(text, " {difference:>24} {:4.0} %", 100.0 * share);
            }
            text.push('\n');
        }
        text.push_str(
            "± one standard error, games taken as independent. `other`: share of positions in which the \
             regrets differ.\n",
        );
        text
    }

    /// The report for programs, in shares of winning probability.
    pub(super) fn json(&self, base: &str) -> String {
        let rows: Vec<_> = self
            .regrets
            .iter()
            .filter_map(|((nodes, engine), regrets)| {
                let all = mean(regrets.by_position.values().copied())?;
                let difference = self.difference(*nodes, engine, base);
                Some(json!({
                    "engine": engine,
                    "nodes": nodes,
                    "positions": regrets.by_position.len(),
                    "depth": regrets.depths as f64 / regrets.by_position.len() as f64,
                    "regret": all.value,
                    "error": all.error,
                    "difference": difference.map(|(mean, _)| mean.value),
                    "difference_error": difference.map(|(mean, _)| mean.error),
                    "other": difference.map(|(_, share)| share),
                }))
            })
            .collect();
        let report = json!({
            "undecided": self.undecided,
            "judged": self.judged,
            "base": base,
            "regrets": rows,
        });
        format!("{report}\n")
    }
}

/// The mean of values that belong to games; `None` without values. The standard error is that of a ratio of
/// sums over games (a cluster-robust one).
pub(super) fn mean(values: impl Iterator<Item = (usize, f64)>) -> Option<Mean> {
    let mut games: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (game, value) in values {
        let (sum, count) = games.entry(game).or_default();
        *sum += value;
        *count += 1.0;
    }
    let count: f64 = games.values().map(|game| game.1).sum();
    if count == 0.0 {
        return None;
    }
    let value = games.values().map(|game| game.0).sum::<f64>() / count;
    let squares: f64 = games.values().map(|(sum, count)| (sum - value * count).powi(2)).sum();
    let clusters = games.len() as f64;
    let error = (squares * clusters / (clusters - 1.0).max(1.0)).sqrt() / count;
    Some(Mean { value, error })
}

#[cfg(test)]
mod tests {
    use super::super::store::{Choice, Verdict};
    use super::*;

    #[test]
    fn means_take_games_as_independent() {
        assert_eq!(mean(std::iter::empty()), None);
        // One value a game: the usual standard error of the mean.
        let one_each = [1.0, 2.0, 3.0, 6.0].into_iter().enumerate();
        let Mean { value, error } = mean(one_each).unwrap();
        assert_eq!(value, 3.0);
        assert!((error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12, "{error}");
        // The same values a second time in the same games say nothing new.
        let twice = [1.0, 2.0, 3.0, 6.0].into_iter().enumerate();
        let twice = twice.clone().chain(twice);
        assert_eq!(mean(twice).unwrap(), Mean { value, error });
    }

    #[test]
    fn regret_is_what_the_best_chosen_move_is_better() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("regret.jsonl")).unwrap();
        let games = vec![vec!["startpos".to_owned()], vec!["same".to_owned(), "won".to_owned()]];
        let choose = |engine: &str, position: &str, mv: &str, cp| Choice {
            engine: engine.into(),
            nodes: 10,
            position: position.into(),
            mv: mv.into(),
            cp,
            depth: 7,
        };
        let all = vec![
            choose("a", "startpos", "7g7f", 0),
            choose("b", "startpos", "9g9f", 0),
            choose("a", "same", "2g2f", 50),
            choose("b", "same", "2g2f", 50),
            choose("a", "won", "5a5b", 3000),
            choose("b", "won", "5a5b", 3000),
        ];
        store.add_choices(all).unwrap();
        let report = |store: &Store| {
            Report::new(
                store,
                &games,
                &["a", "b"],
                &["r 99".to_owned(), "s 99".to_owned()],
                crate::win_scale::USUAL,
            )
        };
        // The position with different moves is not judged yet.
        assert_eq!((report(&store).undecided, report(&store).judged), (1, 0));
        for (referee, mv, cp) in
            [("r 99", "7g7f", 60), ("s 99", "7g7f", 60), ("r 99", "9g9f", 0), ("s 99", "9g9f", 0)]
        {
            let (referee, mv) = (referee.to_owned(), mv.to_owned());
            store.add_verdict(Verdict { referee, position: "startpos".into(), mv, cp }).unwrap();
        }
        let report = report(&store);
        assert_eq!((report.undecided, report.judged), (2, 1));
        let gain = 1.0 / (1.0 + (-0.1_f64).exp()) - 0.5;
        let regret = |name: &str| {
            mean(report.regrets[&(10, name.to_owned())].by_position.values().copied())
                .unwrap()
                .value
        };
        assert_eq!(regret("a"), 0.0);
        assert!((regret("b") - gain / 2.0).abs() < 1e-12);
        let (difference, other) = report.difference(10, "b", "a").unwrap();
        assert!((difference.value - gain / 2.0).abs() < 1e-12);
        assert_eq!(other, 0.5);
        let chart = report.chart().unwrap();
        assert!(chart.starts_with("<svg"), "{chart}");
        for name in ["a", "b"] {
            assert!(chart.lines().any(|line| line.trim() == name), "{name} is missing: {chart}");
        }
    }
}
