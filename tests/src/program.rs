//! The engine's binary, built with the profile of the tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The path of the built engine, or the value of `MONOMI_BIN`.
///
/// Cargo builds this package's program `monomi-tested` before its tests.
///
/// # Panics
/// The program is not there.
pub fn engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| match std::env::var_os("MONOMI_BIN") {
        Some(path) => PathBuf::from(path),
        None => {
            let name = format!("monomi-tested{}", std::env::consts::EXE_SUFFIX);
            let binary = profile_folder().join(name);
            assert!(binary.exists(), "cargo did not build {}", binary.display());
            binary
        }
    })
}

/// The folder of the programs that were built with this test: `.../target/[TRIPLE/]PROFILE`.
fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    test.ancestors().nth(2).expect("a test is in PROFILE/deps").to_owned()
}

/// A command that runs the engine in English, whatever the locale.
pub fn command() -> Command {
    let mut command = Command::new(engine());
    command.env("LC_ALL", "C");
    command
}

/// The engine built with the feature `tune` (search parameters as USI options), or the value of
/// `MONOMI_TUNE_BIN`.
///
/// # Panics
/// The engine cannot be built.
pub fn tunable_engine() -> PathBuf {
    match std::env::var_os("MONOMI_TUNE_BIN") {
        Some(path) => PathBuf::from(path),
        None => build_tunable(),
    }
}

/// Whether the tests and the engine are built with debug assertions, which are slow.
pub fn is_debug_build() -> bool {
    cfg!(debug_assertions)
}

/// Builds the engine with the feature `tune` in a target folder of its own.
fn build_tunable() -> PathBuf {
    let folder = profile_folder();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let target = folder.parent().expect("the target folder").join("tune");
    let name = format!("monomi{}", std::env::consts::EXE_SUFFIX);
    let binary = target.join(if profile == "dev" { "debug" } else { profile }).join(name);
    let mut arguments: Vec<OsString> = ["build", "--quiet", "--package", "monomi", "--bin"]
        .iter()
        .chain(&["monomi", "--features", "tune", "--profile", profile, "--target-dir"])
        .map(OsString::from)
        .collect();
    arguments.push(target.into());
    let status = Command::new(env!("CARGO"))
        .args(&arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "cargo {arguments:?}: {status}");
    assert!(binary.exists(), "cargo did not build {}", binary.display());
    binary
}

/// Sends a signal (`-TERM`) to a process as soon as it catches signals; its exit code. `None`, and the
/// process is stopped, where the system does not tell whether it catches them.
///
/// # Panics
/// The process ends otherwise, or catches no signals within a minute.
pub fn signalled(mut child: Child, signal: &str) -> Option<i32> {
    let pid = child.id().to_string();
    if !catches_signals(&pid) {
        let _ = child.kill();
        let _ = child.wait();
        crate::report("skipped: no /proc to see whether a program catches signals");
        return None;
    }
    Command::new("kill").args([signal, &pid]).status().expect("kill runs");
    child.wait().expect("it ends").code()
}

/// Waits until a process catches SIGTERM. False where the system does not tell.
///
/// # Panics
/// It does not within a minute.
fn catches_signals(pid: &str) -> bool {
    const SIGTERM: u64 = 15;
    let deadline = Instant::now() + Duration::from_secs(60);
    while let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.map(|mask| u64::from_str_radix(mask.trim(), 16).expect("a mask"));
        match mask {
            Some(mask) if mask >> (SIGTERM - 1) & 1 == 1 => return true,
            Some(_) => std::thread::sleep(Duration::from_millis(1)),
            None => return false,
        }
        assert!(Instant::now() < deadline, "no handler of signals");
    }
    false
}
