//! `monomi-tools openings`.

use crate::info_line::{InfoLine, Score};
use crate::opening::legal_move;
use crate::progress_line::ProgressLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::UsiEngine;
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use monomi_movegen::Position;
use shogi_core::{Color, PartialPosition, Piece, Square};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi-tools openings --engine 'cmd=target/release/monomi Threads=1 USI_Hash=4' --out even.sfen

Each opening begins with random moves. The engine goes on: every move is drawn from its best lines,
those that are worse than the best by at most --spread. The position is kept if a longer search
finds it even. Positions that are equal after reflection or exchange of colours count as one. The
same command gives the same list if the engine has one thread and is deterministic at fixed nodes.")]
pub struct Arguments {
    /// The engine: `cmd=... OPTION=VALUE ...`, see `match --help`
    #[arg(long, value_name = "ENGINE")]
    engine: EngineSpec,
    /// The list to write; a file that exists is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Random legal moves at the start
    #[arg(long, value_name = "N", default_value_t = 2)]
    random_plies: u16,
    /// Length of the openings in plies
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// Lines searched for each move (the engine's option MultiPV)
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    lines: u16,
    /// Centipawns by which a move may be worse than the best
    #[arg(long, value_name = "CP", default_value_t = 40)]
    spread: i32,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 500)]
    move_nodes: u64,
    /// Nodes of the last search
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
    /// Centipawns by which the last search may find one side ahead
    #[arg(long, value_name = "CP", default_value_t = 80)]
    bound: i32,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of engines at work at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
}

/// Attempts of a round: what does not depend on the number of engines.
const ROUND: u64 = 64;

/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Score and first move of each line, best first.
fn lines(engine: &mut UsiEngine<'_>, position: &str, nodes: u64) -> Result<Vec<(i32, String)>> {
    let mut lines = BTreeMap::new();
    let go = format!("go nodes {nodes}");
    engine
        .ask(position, &go, "bestmove", PATIENCE, |line| {
            if let Some((number, score, mv)) = scored_line(line) {
                lines.insert(number, (score, mv));
            }
        })
        .map_err(|silence| anyhow!("the engine did not answer: {silence:?}"))?;
    Ok(lines.into_values().collect())
}

/// The number, score in centipawns and first move of an `info` line; `None` for mates and bounds.
fn scored_line(line: &str) -> Option<(u32, i32, String)> {
    let info = InfoLine::parse(line).filter(|info| !info.bound)?;
    match (info.score?, info.first_move?) {
        (Score::Cp(cp), mv) => Some((info.multipv, cp, mv.to_owned())),
        _ => None,
    }
}

/// One attempt; `None` if it leads to no even position.
fn attempt(
    arguments: &Arguments,
    engine: &mut UsiEngine<'_>,
    number: u64,
) -> Result<Option<Position>> {
    let seed = fastrand::Rng::with_seed(arguments.seed).u64(..) ^ number.wrapping_mul(0x9E37_79B9);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::startpos();
    engine.new_game()?;
    for ply in 0..arguments.plies {
        let mv = if ply < arguments.random_plies {
            let moves = position.legal_moves();
            random.choice(moves.iter()).copied()
        } else {
            let text = format!("sfen {}", position.to_sfen());
            let lines = lines(engine, &text, arguments.move_nodes)?;
            let Some(&(best, _)) = lines.first() else { return Ok(None) };
            if best.abs() > arguments.bound.saturating_mul(4) {
                return Ok(None);
            }
            let near: Vec<&str> = lines
                .iter()
                .filter(|(score, _)| *score >= best.saturating_sub(arguments.spread))
                .map(|(_, mv)| mv.as_str())
                .collect();
            random.choice(near).and_then(|mv| legal_move(&position, mv))
        };
        let Some(mv) = mv else { return Ok(None) };
        position.do_move(mv);
    }
    if position.in_check() || !position.has_legal_move() {
        return Ok(None);
    }
    let text = format!("sfen {}", position.to_sfen());
    let lines = lines(engine, &text, arguments.nodes)?;
    let even = lines.first().is_some_and(|(score, _)| score.abs() <= arguments.bound);
    Ok(even.then_some(position))
}

/// The same for a position, its reflection in the middle file, and both with colours exchanged.
fn canonical(position: &Position) -> String {
    let partial = position.to_partial();
    let reflected =
        mapped(&partial, |square| Square::new(10 - square.file(), square.rank()), false);
    let both = [partial, reflected];
    let exchanged =
        both.clone().map(|partial| mapped(&partial, |square| Some(square.flip()), true));
    let text = |partial: PartialPosition| {
        let sfen = partial.to_sfen_owned();
        sfen.rsplit_once(' ').map_or(sfen.clone(), |(sfen, _)| sfen.to_owned())
    };
    both.into_iter().chain(exchanged).map(text).min().unwrap_or_default()
}

fn mapped(
    partial: &PartialPosition,
    to: impl Fn(Square) -> Option<Square>,
    exchange: bool,
) -> PartialPosition {
    let color = |color: Color| if exchange { color.flip() } else { color };
    let mut result = PartialPosition::empty();
    for from in Square::all() {
        if let (Some(piece), Some(to)) = (partial.piece_at(from), to(from)) {
            result.piece_set(to, Some(Piece::new(piece.piece_kind(), color(piece.color()))));
        }
    }
    for side in Color::all() {
        *result.hand_of_a_player_mut(color(side)) = partial.hand_of_a_player(side);
    }
    result.side_to_move_set(color(partial.side_to_move()));
    result
}

/// Generates the list.
///
/// # Errors
/// The engine does not start or answer, or the file cannot be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    ensure!(arguments.random_plies <= arguments.plies, "--random-plies is more than --plies");
    let stop = Stop::on_interrupt()?;
    let mut spec = arguments.engine.clone();
    spec.set("MultiPV", &arguments.lines.to_string());
    let mut engines = (0..arguments.concurrency)
        .map(|_| UsiEngine::start(&spec, stop.flag()))
        .collect::<Result<Vec<_>>>()?;
    let mut progress = ProgressLine::default();
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let mut tried = 0;
    while list.len() < arguments.count as usize && !stop.interrupted() {
        let next = Mutex::new(tried..tried + ROUND);
        let found = Mutex::new(BTreeMap::new());
        std::thread::scope(|scope| {
            for engine in &mut engines {
                let (next, found) = (&next, &found);
                scope.spawn(move || {
                    loop {
                        let Some(number) = next.lock().ok().and_then(|mut next| next.next()) else {
                            return;
                        };
                        let result = attempt(arguments, engine, number);
                        let failed = result.is_err();
                        if let Ok(mut found) = found.lock() {
                            found.insert(number, result);
                        }
                        if failed {
                            return;
                        }
                    }
                });
            }
        });
        for result in found.into_inner().unwrap_or_default().into_values() {
            match result {
                Ok(Some(position))
                    if list.len() < arguments.count as usize
                        && seen.insert(canonical(&position)) =>
                {
                    list.push(position.to_sfen());
                }
                Ok(_) => {}
                Err(_) if stop.interrupted() => {}
                Err(error) => return Err(error),
            }
        }
        tried += ROUND;
        ensure!(
            tried < 100 * ROUND || list.len() as u64 * 1000 > tried,
            "{tried} attempts gave {} openings; use a larger --bound",
            list.len()
        );
        let milestone = (tried / ROUND).is_multiple_of(10);
        progress.show(&format!("{tried} attempts, {} openings", list.len()), milestone);
    }
    progress.end();
    engines.into_iter().for_each(UsiEngine::quit);
    if stop.interrupted() {
        return Ok(ExitCode::from(130));
    }
    let path = arguments.out.display();
    let text: String = list.iter().map(|sfen| format!("{sfen}\n")).collect();
    std::fs::write(&arguments.out, text).with_context(|| format!("cannot write {path}"))?;
    writeln!(std::io::stdout(), "{} openings of {tried} attempts in {path}", list.len())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_info_are_read() {
        let line = "info depth 5 seldepth 7 multipv 2 score cp -31 nodes 100 pv 7g7f 3c3d";
        assert_eq!(scored_line(line), Some((2, -31, "7g7f".to_owned())));
        for other in [
            "info string cp 3 pv 7g7f",
            "info depth 5 score mate 3 pv 7g7f",
            "info depth 5 score cp 3 lowerbound pv 7g7f",
            "info depth 5 score cp 3",
            "bestmove 7g7f",
        ] {
            assert_eq!(scored_line(other), None, "{other}");
        }
    }

    #[test]
    fn the_list_in_the_repository_has_thousands_of_different_positions() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/even.sfen");
        let (openings, _) = crate::opening::Opening::read_list(path.as_ref()).unwrap();
        let different: HashSet<String> =
            openings.iter().map(|opening| canonical(&opening.position)).collect();
        assert_eq!((openings.len(), different.len()), (5000, 5000));
        assert!(openings.iter().all(|opening| !opening.position.in_check()));
    }

    #[test]
    fn mirrored_and_flipped_positions_are_the_same_opening() {
        let sfen = |text: &str| Position::from_sfen(text).unwrap();
        let one = sfen("9/2k6/9/9/9/9/9/7K1/R8 b B2p 1");
        let mirrored = sfen("9/6k2/9/9/9/9/9/1K7/8R b B2p 9");
        let flipped = sfen("8r/1k7/9/9/9/9/9/6K2/9 w 2Pb 1");
        let both = sfen("r8/7k1/9/9/9/9/9/2K6/9 w 2Pb 1");
        for other in [mirrored, flipped, both] {
            assert_eq!(canonical(&one), canonical(&other));
        }
        let other_turn = sfen("9/2k6/9/9/9/9/9/7K1/R8 w B2p 1");
        assert_ne!(canonical(&one), canonical(&other_turn));
    }
}
