//! Programs of others that tests run where they are: Node.js, Chromium, Python.

use crate::report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file seen from the folder of this package.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Whether a program runs. Where it does not, says that the test is skipped, and why.
pub fn there(command: &mut Command, what: &str) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = status.is_ok_and(|status| status.success());
    if !there {
        report(&format!("skipped: {what} is not there"));
    }
    there
}

/// What a program prints that must succeed.
///
/// # Panics
/// It fails, or prints something else than text.
pub fn output(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether Node.js can load a package from npm.
pub fn node(package: &str) -> bool {
    let modules = here("clients/modules.mjs");
    let code = format!("import('file://{}').then((m) => m.load('{package}'))", modules.display());
    there(Command::new("node").args(["-e", &code]), &format!("{package} (MONOMI_NODE_MODULES)"))
}

/// Whether Node.js can start Chromium.
pub fn chromium() -> bool {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    there(Command::new(browser).arg("--version"), "Chromium (CHROMIUM)") && node("puppeteer-core")
}
