//! Shared by the integration tests: test data, the built engine, a USI client, random games, and
//! reference implementations (oracles).

pub mod analysis;
pub mod data;
pub mod entry_points;
pub mod folder;
pub mod full_disk;
pub mod games;
pub mod help;
pub mod networks;
pub mod oracles;
pub mod other_programs;
pub mod plain_rules;
pub mod program;
pub mod usi_client;

/// Prints a line for the person running the tests.
#[expect(clippy::print_stderr, reason = "tests print to the terminal")]
pub fn report(line: &str) {
    eprintln!("{line}");
}
