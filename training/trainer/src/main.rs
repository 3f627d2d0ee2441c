//! The trainer's program.

use std::process::ExitCode;

fn main() -> ExitCode {
    monomi_trainer::cli::main()
}
