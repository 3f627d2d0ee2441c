//! The engine's program.

fn main() -> anyhow::Result<()> {
    monomi::usi::run()
}
