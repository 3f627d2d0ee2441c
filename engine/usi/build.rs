//! Tells the program which compiler built it, for the USI command `compiler`.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let version = Command::new(of("RUSTC")).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let version = version.ok().filter(|text| !text.is_empty()).unwrap_or("rustc".to_owned());
    println!("cargo::rustc-env=MONOMI_RUSTC={version}");
    println!("cargo::rustc-env=MONOMI_TARGET={}", of("TARGET"));
}
