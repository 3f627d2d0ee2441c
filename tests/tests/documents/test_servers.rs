//! The engine's files for OpenBench and ShogiBench have the keys that these servers read.

use super::text;
use serde_json::Value;

/// Keys of presets for tests, tuning and generated games, as `OpenBench/config.py` of ShogiBench (3675b7e) checks them.
/// OpenBench has no more.
const BRANCHES: [&str; 4] = ["both", "dev", "base", ""];
const OF_BRANCHES: [&str; 5] = ["branch", "bench", "network", "options", "time_control"];
const PRESETS: [(&str, &[&str]); 3] = [
    ("test_presets", &["test_bounds", "test_confidence", "test_max_games"]),
    (
        "tune_presets",
        &[
            "spsa_reporting_type",
            "spsa_distribution_type",
            "spsa_alpha",
            "spsa_gamma",
            "spsa_A_ratio",
            "spsa_iterations",
            "spsa_pairs_per",
        ],
    ),
    ("datagen_presets", &["datagen_custom_genfens", "datagen_play_reverses", "datagen_max_games"]),
];
const COMMON: [&str; 8] = [
    "book_name",
    "upload_pgns",
    "priority",
    "throughput",
    "workload_size",
    "syzygy_wdl",
    "win_adj",
    "draw_adj",
];

fn is_known(key: &str, of_kind: &[&str]) -> bool {
    let of_branch = key
        .split_once('_')
        .is_some_and(|(branch, rest)| BRANCHES.contains(&branch) && OF_BRANCHES.contains(&rest));
    of_branch || of_kind.contains(&key) || COMMON.contains(&key)
}

#[test]
fn test_servers_read_all_keys_of_the_engines_files() {
    for folder in ["openbench", "shogibench"] {
        let path = format!("packaging/{folder}/Monomi.json");
        let engine: Value = serde_json::from_str(&text(&path)).expect("JSON");
        assert!(engine["private"].is_boolean() && engine["nps"].as_u64() > Some(0), "{path}");
        assert!(
            text(&format!("{}/Makefile", engine["build"]["path"].as_str().expect("a path")))
                .contains("cargo build")
        );
        for (kind, keys) in PRESETS {
            let presets = engine[kind].as_object().expect("presets");
            assert!(presets.contains_key("default"), "{path}: {kind}");
            for (name, preset) in presets {
                for key in preset.as_object().expect("a preset").keys() {
                    assert!(is_known(key, keys), "{path}: {kind}, {name}: {key}");
                }
            }
        }
        // ShogiBench's client plays with shogitest if the name of the book says so.
        for kind in ["test_presets", "tune_presets"] {
            let book = engine[kind]["default"]["book_name"].as_str();
            let is_shogi = book.is_some_and(|name| name.to_uppercase().contains("SHOGI"));
            assert_eq!(is_shogi, folder == "shogibench", "{path}: {kind}");
        }
    }
}
