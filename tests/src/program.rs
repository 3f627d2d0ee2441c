//! The engine's binary, built once with the profile of the tests.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the built engine, or the value of `MONOMI_BIN`.
///
/// Cargo does not tell tests the path of another package's binary, so this runs `cargo build`,
/// which does nothing if the binary is up to date.
///
/// # Panics
/// The engine cannot be built.
pub fn engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| match std::env::var_os("MONOMI_BIN") {
        Some(path) => PathBuf::from(path),
        None => build(None),
    })
}

/// The engine built with the feature `tune` (search parameters as USI options), or the value of
/// `MONOMI_TUNE_BIN`.
///
/// # Panics
/// The engine cannot be built.
pub fn tunable_engine() -> PathBuf {
    match std::env::var_os("MONOMI_TUNE_BIN") {
        Some(path) => PathBuf::from(path),
        None => build(Some("tune")),
    }
}

/// Whether the tests and the engine are built with debug assertions, which are slow.
pub fn is_debug_build() -> bool {
    cfg!(debug_assertions)
}

/// The target triple if the tests were built with `--target`, which adds a folder level. Cargo marks
/// the target folder with a tag file.
fn triple(folder: &Path) -> Option<&OsStr> {
    let is_tagged = |folder: &Path| folder.join("CACHEDIR.TAG").exists();
    if is_tagged(folder) || !folder.parent().is_some_and(is_tagged) {
        return None;
    }
    folder.file_name()
}

/// Builds the engine. With a feature it uses a separate target folder.
fn build(feature: Option<&str>) -> PathBuf {
    // .../target/[TRIPLE/]PROFILE/deps/TEST
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.ancestors().nth(2).expect("a test is in PROFILE/deps");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let name = format!("monomi{}", std::env::consts::EXE_SUFFIX);
    let mut binary = folder.join(&name);
    let mut arguments: Vec<OsString> =
        ["build", "--quiet", "--package", "monomi", "--bin", "monomi", "--profile", profile]
            .map(OsString::from)
            .to_vec();
    arguments.push("--target-dir".into());
    let target = folder.parent().expect("the target folder");
    if let Some(feature) = feature {
        let beside = target.join(feature);
        binary = beside.join(if profile == "dev" { "debug" } else { profile }).join(name);
        arguments.extend([beside.into(), "--features".into(), feature.into()]);
    } else if let Some(triple) = triple(target) {
        arguments.push(target.parent().expect("the target folder").into());
        arguments.extend(["--target".into(), triple.to_owned()]);
    } else {
        arguments.push(target.into());
    }
    let status = Command::new(env!("CARGO"))
        .args(&arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "cargo {arguments:?}: {status}");
    assert!(binary.exists(), "cargo did not build {}", binary.display());
    binary
}
