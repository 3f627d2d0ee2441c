//! `monomi bench`.

use crate::commands::arguments::EvalArg;
use crate::commands::values::{at_least, parsed};
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_search::bench;
use std::io::Write;

const AFTER_HELP: &str = "\
Examples:
  monomi bench
  monomi bench --depth 8 --eval-file nn.bin";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Depth of each search in plies; the node count depends on it.
    #[arg(long, default_value_t = bench::DEPTH, value_parser = at_least(1u32))]
    depth: u32,
    /// Size of the hash table in MiB; the node count depends on it.
    #[arg(long, default_value_t = bench::HASH_MIB, value_name = "MIB", value_parser = parsed::<usize>)]
    hash: usize,
    #[command(flatten)]
    eval: EvalArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let total = bench::run(args.depth, args.hash.max(1), args.eval.load(lang)?, |share| {
        writeln!(out, "{share}")?;
        Ok::<(), Failure>(())
    })?;
    writeln!(out, "{total}")?;
    Ok(())
}
