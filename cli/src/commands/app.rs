//! `monomi app`.

use crate::commands::on_interrupt;
use crate::commands::values::within;
use crate::failure::Failure;
use crate::lang::Lang;
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use monomi_app::server::Server;
use monomi_support::text::{Message as _, messages};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The app is part of the program. It uses this engine with all its threads, files of options, networks
and books. Only the browser that opens the address first can use it, and only one page at a time.
Nothing outside this machine is contacted or let in. Each game is kept as a file of KIF in a folder.

Examples:
  monomi app
  monomi app --games ~/shogi/games
  monomi app --no-open --port 8000";

messages! {
    enum Notice {
        Serving(address: String) =>
            "Monomi is at {address}\nCtrl-C ends it.",
            "Monomi のアドレス: {address}\nCtrl-C で終了します。";
        NotOpened(error: std::io::Error) =>
            "No browser could be opened ({error}): open the address yourself.",
            "ブラウザーを開けませんでした（{error}）。上のアドレスを自分で開いてください。";
        NoFolder =>
            "your home folder is not known: name a folder for games with `--games`",
            "ホームフォルダが分かりません。棋譜を保存するフォルダを `--games` で指定してください";
    }
}

/// `monomi/games` in the user's folder for data.
fn usual_folder() -> Result<PathBuf, Failure> {
    let folders = choose_native_strategy().map_err(|_| Notice::NoFolder)?;
    Ok(folders.data_dir().join("monomi").join("games"))
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Port of this machine [default: 7276, or a free one].
    #[arg(long, value_name = "PORT", value_parser = within(1..=u16::MAX))]
    port: Option<u16>,
    /// Folder where games are kept as KIF [default: monomi/games in the user's folder for data].
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Opens the browser (the default).
    #[arg(long, overrides_with = "no_open")]
    open: bool,
    /// Only prints the address.
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let games = match &args.games {
        Some(folder) => folder.clone(),
        None => usual_folder()?,
    };
    let server = Server::bind(args.port, games, lang)?;
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
