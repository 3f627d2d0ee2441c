//! What the cross-crate tests share: their data, the built engine, a USI client, random games,
//! oracles.

pub mod analysis;
pub mod data;
pub mod folder;
pub mod games;
pub mod help;
pub mod oracles;
pub mod plain_rules;
pub mod program;
pub mod usi_client;

/// One line for whoever runs the tests.
#[expect(clippy::print_stderr, reason = "tests speak to the terminal")]
pub fn report(line: &str) {
    eprintln!("{line}");
}
