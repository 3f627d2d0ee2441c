//! The engine's program: everything is in the library.

fn main() -> std::process::ExitCode {
    monomi::commands::main()
}
