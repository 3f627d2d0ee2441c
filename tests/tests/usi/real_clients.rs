//! Other people's clients drive the engine. `.ci/clients` installs those that are available; tests of
//! clients that are not installed are reported as skipped. They need:
//!
//! - cshogi (from PyPI), in the `python3` in the path;
//! - ShogiHome's sources, with esbuild and what they import in their `node_modules`, in the folder
//!   `MONOMI_SHOGIHOME`;
//! - ShogiArena's program (`pip install shogiarena`), which `MONOMI_SHOGIARENA` names. The run of SPSA
//!   builds the engine with the feature `tune`, which takes minutes; it runs with `MONOMI_FULL=1` only.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tests::data::full;
use tests::folder::Folder;
use tests::program::{engine, tunable_engine};
use tests::report;

fn client(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// Runs a command that must succeed; what it says.
fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("the client starts");
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}

/// One match at a time: two engines that ponder are enough for two cores, and a clock is a clock.
fn alone() -> MutexGuard<'static, ()> {
    static MATCH: Mutex<()> = Mutex::new(());
    // A failed test spoils nothing for the others.
    MATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn cshogis_player_plays_games() {
    let installed = Command::new("python3").args(["-c", "import cshogi.cli"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        return report("skipped: python3 has no cshogi (pip install cshogi)");
    }
    let folder = Folder::new();
    let record = folder.path().join("games.pgn");
    let (engine, _alone) = (engine(), alone());
    let said = run(Command::new("python3").arg(client("cshogi_match.py")).arg(engine).arg(&record));
    assert!(said.contains(" of 2\n"), "{said}");
    // Lost by an illegal move, or on time.
    for foul in ["反則負け", "切れ負け"] {
        assert!(!said.contains(foul), "{said}");
    }
    assert!(record.metadata().is_ok_and(|file| file.len() > 200), "{said}");
}

#[test]
fn shogihomes_client_plays_analyses_and_solves() {
    let Some(sources) = std::env::var_os("MONOMI_SHOGIHOME").map(PathBuf::from) else {
        return report("skipped: MONOMI_SHOGIHOME names no sources of ShogiHome");
    };
    let folder = Folder::new();
    let bundle = folder.path().join("client.mjs");
    let esbuild = sources.join("node_modules/.bin").join(if cfg!(windows) {
        "esbuild.cmd"
    } else {
        "esbuild"
    });
    let mut child = Command::new(esbuild)
        .args(["--bundle", "--platform=node", "--format=esm", "--loader=ts", "--alias:@=./src"])
        .arg(format!("--outfile={}", bundle.display()))
        .current_dir(&sources)
        .stdin(Stdio::piped())
        .spawn()
        .expect("esbuild starts");
    let entry = "export { EngineProcess } from \"@/background/usi/engine.js\";\n\
                 export { Record } from \"tsshogi\";\n";
    let mut input = child.stdin.take().expect("its input is piped");
    input.write_all(entry.as_bytes()).expect("esbuild reads");
    drop(input);
    assert!(child.wait().is_ok_and(|status| status.success()), "esbuild failed");
    let (engine, _alone) = (engine(), alone());
    let said = run(Command::new("node").arg(client("shogihome.mjs")).arg(&bundle).arg(engine));
    assert!(said.ends_with("ok\n"), "{said}");
}

const ENGINE: &str = "
handshake_timeout: 10
options:
  Threads: 1
  USI_Hash: 16
  MinimumThinkingTime: 0
  NetworkDelay: 0
  NetworkDelay2: 500
  RoundUpToFullSecond: false
";

fn engine_yaml(folder: &Folder, name: &str, program: &Path) -> String {
    let parent = program.parent().unwrap_or(program);
    let head = format!(
        "name: \"{name}\"\nengine_path: \"{}\"\nworking_directory: \"{}\"",
        program.display(),
        parent.display()
    );
    folder.write(&format!("{name}.yaml"), format!("{head}{ENGINE}"));
    format!("{name}.yaml")
}

fn shogiarena() -> Option<PathBuf> {
    let program = std::env::var_os("MONOMI_SHOGIARENA").map(PathBuf::from);
    if program.is_none() {
        report("skipped: MONOMI_SHOGIARENA names no ShogiArena (pip install shogiarena)");
    }
    program
}

#[test]
fn shogiarena_holds_a_tournament() {
    let Some(arena) = shogiarena() else { return };
    let _alone = alone();
    let folder = Folder::new();
    let engines = ["one", "two"].map(|name| engine_yaml(&folder, name, engine()));
    let config = format!(
        "experiment_name: tournament
engines:
  - engine_path: {}
  - engine_path: {}
tournament: {{scheduler: round_robin, games_per_pair: 4, num_parallel: 1}}
rules:
  time_control: {{time_ms: 1000, increment_ms: 50}}
dashboard: {{enabled: false}}
",
        engines[0], engines[1]
    );
    let config = folder.write("tournament.yaml", &config);
    let runs = folder.path().join("run");
    run(Command::new(&arena).args(["run", "tournament"]).arg(&config).arg("--run-dir").arg(&runs));
    let summary =
        run(Command::new(&arena).args(["results", "summary", "--format", "json"]).arg(&runs));
    for part in ["\"completed_games\": 4", "\"failed_games\": 0", "\"incomplete_games\": 0"] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
}

#[test]
fn shogiarena_tunes_two_parameters() {
    let Some(arena) = shogiarena() else { return };
    if !full() {
        return report("skipped: SPSA builds another engine and runs with MONOMI_FULL=1 only");
    }
    let _alone = alone();
    let folder = Folder::new();
    let tunable = engine_yaml(&folder, "tunable", &tunable_engine());
    folder.write(
        "starts.sfen",
        "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n",
    );
    let mut space = "schema_version: shogiarena.spsa.space.v1
target:
  engine_family: monomi
  protocol: usi_options
  required_options_policy: strict
  tunable_manifest: {required: false, command: usi_tunables}
parameters:
"
    .to_owned();
    let tuned = monomi_search::Params::TABLE;
    for &(name, default, min, max) in tuned.iter().take(2) {
        space += &format!(
            "  - id: {name}
    target: {{option: {name}, value_encoding: integer}}
    value_type: int
    initial: {default}
    bounds: {{min: {min}, max: {max}}}
    schedule: {{c_end: {}, r_end: 0.002}}
    rounding: {{mode: stochastic}}
",
            ((max - min) / 20).max(1)
        );
    }
    folder.write("space.yaml", &space);
    let config = format!(
        "experiment_name: spsa
engines:
  - engine_path: {tunable}
dashboard: {{enabled: false}}
rules:
  initial_positions:
    type: file
    source: starts.sfen
    source_format: sfen
    flip_policy: pair_both
    sync_scope: pair
  time_control: {{time_ms: 300, increment_ms: 10}}
spsa:
  space: space.yaml
  num_updates: 2
  pairs_per_update: 1
  num_parallel: 1
  algorithm: {{name: classic, A: {{mode: ratio, value: 0.1}}}}
  variants:
    apply: {{clear_hash: false, after_setoption: isready}}
"
    );
    folder.write("spsa.yaml", &config);
    let runs = folder.path().join("run");
    let arguments = ["run", "spsa", "spsa.yaml", "--run-dir", "run"];
    run(Command::new(&arena).args(arguments).current_dir(folder.path()));
    let status = std::fs::read_to_string(runs.join("completion_status.json")).expect("a status");
    for part in ["\"status\": \"clean\"", "\"last_committed_update\": 2", "\"failed\": 0"] {
        assert!(status.contains(part), "{part} in {status}");
    }
}
