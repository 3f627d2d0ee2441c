//! `monomi app`.

use crate::commands::on_interrupt;
use crate::commands::values::within;
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_app::server::Server;
use monomi_support::text::{Message as _, messages};
use std::io::Write;

const AFTER_HELP: &str = "\
The app is part of the program. It uses this engine with all its threads, files of options, networks
and books. Only the browser that opens the address first can use it, and only one page at a time.
Nothing outside this machine is contacted or let in.

Examples:
  monomi app
  monomi app --no-open --port 8000";

messages! {
    enum Notice {
        Serving(address: String) =>
            "Monomi is at {address}\nCtrl-C ends it.",
            "Monomi のアドレス: {address}\nCtrl-C で終了します。";
        NotOpened(error: std::io::Error) =>
            "No browser could be opened ({error}): open the address yourself.",
            "ブラウザーを開けませんでした（{error}）。上のアドレスを自分で開いてください。";
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Port of this machine [default: 7276, or a free one].
    #[arg(long, value_name = "PORT", value_parser = within(1..=u16::MAX))]
    port: Option<u16>,
    /// Opens the browser (the default).
    #[arg(long, overrides_with = "no_open")]
    open: bool,
    /// Only prints the address.
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let server = Server::bind(args.port, lang)?;
    let stopper = server.stopper();
    on_interrupt(move || stopper.stop())?;
    let address = server.address();
    writeln!(out, "{}", Notice::Serving(address.clone()).in_lang(lang))?;
    out.flush()?;
    if (args.open || !args.no_open)
        && let Err(error) = open::that_detached(&address)
    {
        writeln!(out, "{}", Notice::NotOpened(error).in_lang(lang))?;
    }
    server.run();
    Ok(())
}
