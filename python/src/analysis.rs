//! `analyze`: the verdicts on the moves of a game.

use crate::convert::{duration, value_error};
use crate::network::Network;
use crate::record::Record;
use crate::work;
use monomi_analysis::output::{
    CommentStyle, EngineInfo, Terminal, csa, csv, csv_header, html, jsonl, kif, summary, svg,
};
use monomi_analysis::{
    AnalysisSettings, AnalyzedGame, Notation, SolvedPosition, WinScale, analyze as run,
};
use monomi_record::Encoding;
use monomi_support::batch::jobs::Cancel;
use monomi_support::text::Lang;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// An analysed game. docs/analysis.md describes the verdicts and the fields.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Analysis {
    record: monomi_record::Record,
    results: Vec<Option<SolvedPosition>>,
    scale: WinScale,
    name: String,
    engine: EngineInfo,
}

impl Analysis {
    fn game(&self) -> AnalyzedGame<'_> {
        AnalyzedGame::new(&self.name, &self.record, &self.results, self.scale)
    }
}

fn language(name: &str) -> PyResult<Lang> {
    match name {
        "en" => Ok(Lang::En),
        "ja" => Ok(Lang::Ja),
        _ => Err(value_error(format!("`{name}` is no language: expected 'en' or 'ja'"))),
    }
}

fn style_of(name: &str) -> PyResult<CommentStyle> {
    match name {
        "shogihome" => Ok(CommentStyle::Shogihome),
        "shogigui" => Ok(CommentStyle::Shogigui),
        "floodgate" => Ok(CommentStyle::Floodgate),
        _ => Err(value_error(format!(
            "`{name}` is no style: expected shogihome, shogigui or floodgate"
        ))),
    }
}

#[pymethods]
impl Analysis {
    /// One JSON object for each position, a line each.
    fn jsonl(&self) -> PyResult<String> {
        Ok(jsonl(&self.game())?)
    }

    /// The positions as dicts: the fields of `jsonl`.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let loads = py.import("json")?.getattr("loads")?;
        self.jsonl()?.lines().map(|line| loads.call1((line,))).collect()
    }

    /// CSV with a header, one line for each position.
    fn csv(&self) -> String {
        csv_header() + &csv(&self.game())
    }

    /// The report: a page of HTML in one file, in English and Japanese.
    fn html(&self) -> PyResult<String> {
        Ok(html(&self.game(), &self.engine)?)
    }

    /// The record as KIF, with the analysis as comments. Styles: shogihome, shogigui, floodgate.
    #[pyo3(signature = (style = "shogihome"))]
    fn kif(&self, style: &str) -> PyResult<String> {
        Ok(kif(&self.game(), style_of(style)?, Encoding::Utf8))
    }

    /// The record as CSA, with the analysis as comments.
    #[pyo3(signature = (style = "shogihome"))]
    fn csa(&self, style: &str) -> PyResult<String> {
        Ok(csa(&self.game(), style_of(style)?))
    }

    /// The graph of Black's winning probability as SVG.
    fn svg(&self) -> String {
        svg(&self.game())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Who led and which moves decided the game, as text in 'en' or 'ja'.
    #[pyo3(signature = (lang = "en"))]
    fn summary(&self, lang: &str) -> PyResult<String> {
        let lang = language(lang)?;
        Ok(summary(
            &self.game(),
            lang,
            Notation::of(lang),
            Terminal { columns: 80, colours: false },
        ))
    }

    fn __repr__(&self) -> String {
        format!("<Analysis: {} positions>", self.results.len())
    }
}

/// Analyses a game: searches every position, compares each move with the best one and solves mates.
///
/// `nodes` (200,000 by default), `depth` (plies) or `movetime` (seconds) for each position, or `time_per_game` (seconds).
/// `on_progress` is called with the number of positions done and their number; an exception that it raises ends the
/// analysis. By nodes or depth the result does not depend on `threads`.
#[pyfunction]
#[pyo3(signature = (record, *, nodes = None, depth = None, movetime = None, time_per_game = None, threads = 1, multipv = 1, hash_mib = None, network = None, name = "game", on_progress = None))]
#[allow(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn analyze(
    py: Python<'_>,
    record: &Bound<'_, Record>,
    nodes: Option<u64>,
    depth: Option<u32>,
    movetime: Option<f64>,
    time_per_game: Option<f64>,
    threads: usize,
    multipv: usize,
    hash_mib: Option<usize>,
    network: Option<&Bound<'_, PyAny>>,
    name: &str,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Analysis> {
    for (name, value) in [
        ("threads", Some(threads as u64)),
        ("multipv", Some(multipv as u64)),
        ("hash_mib", hash_mib.map(|mib| mib as u64)),
        ("nodes", nodes),
        ("depth", depth.map(u64::from)),
    ] {
        if value == Some(0) {
            return Err(value_error(format!("{name} is 0: expected 1 or more")));
        }
    }
    let record = record.get().record.clone();
    let evaluation = Network::of(py, network)?;
    let scale = WinScale::new(evaluation.win_scale());
    let has_limit = depth.is_some() || movetime.is_some() || time_per_game.is_some();
    let settings = AnalysisSettings {
        nodes: nodes.or((!has_limit).then_some(NODES)),
        depth,
        movetime: movetime.map(|time| duration("movetime", time)).transpose()?,
        time_per_game: time_per_game.map(|time| duration("time_per_game", time)).transpose()?,
        threads,
        multi_pv: multipv,
        hash_mib,
        ..AnalysisSettings::of_nodes(NODES, scale)
    };
    let all = record.moves.len() + 1;
    let cancel = Cancel::new();
    let ended = AtomicBool::new(false);
    let outcome = work::run(py, 1 << 20, |stop| {
        let mut results = vec![None; all];
        let mut failed = None;
        let mut done = 0;
        let found = thread::scope(|scope| {
            let _ended = SetAtEnd(&ended);
            // Ctrl-C, while a long search is in progress.
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed) {
                        cancel.stop();
                        break;
                    }
                    thread::sleep(Duration::from_millis(20));
                }
            });
            run(
                &[&record],
                &settings,
                &evaluation,
                &cancel,
                &[vec![None; all]],
                &mut |_, ply, solved| {
                    // The result of a bad move comes again with its reason.
                    let is_new = results[ply].replace(solved).is_none();
                    done += usize::from(is_new);
                    if let Some(call) = &on_progress
                        && is_new
                        && failed.is_none()
                        && let Err(error) = Python::attach(|py| call.call1(py, (done, all)))
                    {
                        failed = Some(error);
                        cancel.stop();
                    }
                },
            )
        });
        match (failed, found) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(PyRuntimeError::new_err(error.to_string())),
            (None, Ok(())) => Ok(results),
        }
    })?;
    let results = outcome?;
    let limits = match (settings.nodes, depth, movetime, time_per_game) {
        (_, _, Some(seconds), _) => format!("{seconds} s"),
        (_, _, _, Some(seconds)) => format!("{seconds} s for the game"),
        (Some(nodes), ..) => format!("{nodes} nodes"),
        (_, Some(depth), ..) => format!("depth {depth}"),
        _ => String::new(),
    };
    let limits = format!("{limits}, MultiPV {multipv}");
    let engine = EngineInfo { network: evaluation.describe(), limits, live: None };
    Ok(Analysis { record, results, scale, name: name.to_owned(), engine })
}

/// Sets a flag at the end, also if that is a panic.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Nodes for each position, if there is no limit.
const NODES: u64 = 200_000;
