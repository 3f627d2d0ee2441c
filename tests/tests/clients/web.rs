//! Monomi in browsers: the npm package in Node.js, the app and reports with the engine in Chromium.
//! `web/build` must have been run; tests of what is not there are reported as skipped.
//!
//!     npm install puppeteer-core
//!     web/build --quick
//!     MONOMI_NODE_MODULES=$PWD/node_modules cargo test -p tests --test clients web

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use tests::analysis::{analyze, code, own, stderr};
use tests::other_programs::{chromium, here, output, there};
use tests::program::engine;
use tests::report;

fn folder(name: &str) -> PathBuf {
    tests::analysis::folder(env!("CARGO_TARGET_TMPDIR"), &format!("clients-{name}"))
}

/// What `web/build` has made, in the folder that `MONOMI_WEB` names or in target/web.
fn built() -> Option<PathBuf> {
    let folder =
        std::env::var_os("MONOMI_WEB").map_or_else(|| here("../target/web"), PathBuf::from);
    if folder.join("monomi-live.js").is_file() {
        return Some(folder);
    }
    report(&format!("skipped: {} is not there (web/build)", folder.display()));
    None
}

/// Every test of the script passes, and none is left out.
fn passed(answer: &str, tests: usize) -> Value {
    let answer: Value = serde_json::from_str(answer.lines().last().unwrap_or("")).expect("JSON");
    assert_eq!(answer["passed"].as_array().map(Vec::len), Some(tests), "{answer}");
    answer
}

#[test]
fn node_runs_the_package_as_the_program_does() {
    let Some(web) = built() else { return };
    if !there(Command::new("node").arg("--version"), "Node.js") {
        return;
    }
    let mut node = Command::new("node");
    node.arg(here("../web/tests/package.mjs")).arg(web.join("package"));
    passed(&output(node.arg(engine()).arg(own("game.kif"))), 10);
}

/// Errors, exceptions, signals, replaced workers, threads of Node.js.
#[test]
fn node_runs_engines_where_things_go_wrong() {
    let Some(web) = built() else { return };
    if !there(Command::new("node").arg("--version"), "Node.js") {
        return;
    }
    let mut node = Command::new("node");
    node.arg(here("../web/tests/engines.mjs")).arg(web.join("package"));
    passed(&output(&mut node), 12);
}

/// The parts of the app that draw nothing: notes in KIF, dates, statistics, practice.
#[test]
fn node_runs_the_statistics_of_the_app() {
    if !there(Command::new("node").arg("--version"), "Node.js") {
        return;
    }
    let mut node = Command::new("node");
    passed(&output(node.arg(here("../web/tests/statistics.mjs"))), 9);
}

/// The package is packed and installed under its name.
#[test]
fn npm_installs_what_the_readme_says() {
    let Some(web) = built() else { return };
    if !there(Command::new("npm").arg("--version"), "npm") {
        return;
    }
    let mut node = Command::new("node");
    passed(&output(node.arg(here("../web/tests/readme.mjs")).arg(web.join("package"))), 3);
}

#[test]
fn node_runs_the_package_for_shogihome() {
    let Some(web) = built() else { return };
    let package = web.join("shogihome/monomi-shogi");
    if !package.is_dir() {
        return report("skipped: the package for ShogiHome was not made (it needs wasm-opt)");
    }
    if !there(Command::new("node").arg("--version"), "Node.js") {
        return;
    }
    let mut node = Command::new("node");
    node.arg(here("../web/tests/shogihome.mjs")).arg(package).arg(web.join("package/index.js"));
    passed(&output(&mut node), 9);
}

#[test]
fn chromium_runs_the_package_for_lishogi() {
    let Some(web) = built() else { return };
    let package = web.join("lishogi/monomi-shogi");
    if !package.is_dir() {
        return report("skipped: the package for lishogi was not made (it needs wasm-opt)");
    }
    if !chromium() {
        return;
    }
    let mut node = Command::new("node");
    passed(&output(node.arg(here("../web/tests/lishogi.mjs")).arg(package)), 3);
}

/// `MONOMI_SHOTS` names a folder for screenshots at several widths.
#[test]
fn chromium_plays_analyses_and_tries_moves() {
    let Some(web) = built() else { return };
    if !chromium() {
        return;
    }
    let folder = folder("live");
    let out = folder.display().to_string();
    let live = format!("--live={}", web.join("monomi-live.js").display());
    let game = own("game.kif");
    let written = analyze(&["-q", "--nodes", "500", &live, "-o", &out, "-f", "html", &game]);
    assert_eq!(code(&written), Some(0), "{}", stderr(&written));
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(out.clone());
    let mut node = Command::new("node");
    node.arg(here("../web/tests/browser.mjs")).arg(web).arg(game);
    node.arg(format!("{out}/game.monomi.html")).arg(shots);
    let answer = passed(&output(&mut node), 45);
    report(&format!("in Chromium: {}", answer["figures"]));
}

/// axe-core, the contrast of pieces and boards, and the app without sight.
#[test]
fn chromium_shows_the_app_to_everybody() {
    let Some(web) = built() else { return };
    if !chromium() {
        return;
    }
    let shots = folder("everybody");
    std::fs::create_dir_all(&shots).expect("a folder");
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(shots.display().to_string());
    let mut node = Command::new("node");
    node.arg(here("../web/tests/everybody.mjs")).arg(web).args(["-", "-"]).arg(shots);
    passed(&output(&mut node), 19);
}

/// `MONOMI_BUNDLERS` names folders of node_modules: that of .ci/javascript has three bundlers, that of .ci/bundlers
/// the others.
#[test]
fn bundlers_and_examples_use_the_package() {
    let Some(web) = built() else { return };
    let Some(modules) = std::env::var_os("MONOMI_BUNDLERS") else {
        return report("skipped: MONOMI_BUNDLERS is not set (.ci/javascript)");
    };
    if !chromium() {
        return;
    }
    let mut node = Command::new("node");
    node.arg(here("../web/tests/bundlers.mjs")).arg(web.join("package"));
    let answer = output(node.args(std::env::split_paths(&modules)));
    let answer: Value = serde_json::from_str(answer.lines().last().unwrap_or("")).expect("JSON");
    let passed = answer["passed"].as_array().map_or(0, Vec::len);
    let skipped = answer["skipped"].as_array().map_or(0, Vec::len);
    // What is installed once a week may be missing.
    assert!(passed + skipped == 18 && skipped <= 9, "{answer}");
}

#[test]
fn live_reports_need_the_engine_for_browsers() {
    let folder = folder("no-live");
    let out = folder.display().to_string();
    let game = own("game.kif");
    let run = |live: &str, kind: &str| {
        let written = analyze(&["-q", "--nodes", "1", live, "-o", &out, "-f", kind, &game]);
        (code(&written), stderr(&written))
    };
    let (status, error) = run("--live=/no/such/file.js", "html");
    assert_eq!(status, Some(1));
    assert!(error.contains("/no/such/file.js") && error.contains("web/build"), "{error}");
    let other = folder.join("other.js");
    for text in ["alert(1)", "const MONOMI = { wasm: \"</script><script>alert(1)\" };"] {
        std::fs::write(&other, text).expect("written");
        let (status, error) = run(&format!("--live={}", other.display()), "html");
        assert_eq!(status, Some(1));
        assert!(error.contains("is not monomi-live.js"), "{error}");
    }
    assert_eq!(run("--live", "csv").0, Some(2));
    // The engine becomes a part of the page, whose policy allows it.
    std::fs::write(&other, "const MONOMI = {};\n").expect("written");
    let (status, error) = run(&format!("--live={}", other.display()), "html");
    assert_eq!(status, Some(0), "{error}");
    let page = std::fs::read_to_string(folder.join("game.monomi.html")).expect("a report");
    assert!(
        page.contains("<script>\nconst MONOMI = {};\n</script>") && page.contains("startTrial")
    );
    assert!(page.contains("script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:;"), "{page}");
    let plain = analyze(&["-q", "--nodes", "1", "-o", &out, "-f", "html", &game]);
    assert_eq!(code(&plain), Some(0), "{}", stderr(&plain));
    let page = std::fs::read_to_string(folder.join("game.monomi.html")).expect("a report");
    assert!(!page.contains("wasm") && !page.contains("startTrial") && !page.contains("{{"));
}
