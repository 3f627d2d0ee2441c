//! The engine's program as the tests run it: Cargo builds it together with the tests, with the same
//! dependencies, so that nothing is compiled twice.

fn main() -> std::process::ExitCode {
    monomi::commands::main()
}
