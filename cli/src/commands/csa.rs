//! `monomi csa`.

mod alarm;
mod events;
mod screen;
mod view;

use self::alarm::Alarm;
use self::events::Event;
use self::screen::Screen;
use self::view::View;
use crate::commands::{INTERRUPTED, on_interrupt};
use crate::failure::Failure;
use crate::lang::Lang;
use crossbeam_channel::Receiver;
use monomi_app::live::LivePage;
use monomi_csa::Client;
use monomi_csa::config::{CommandLine, Config, ConfigError, Settings, ValueFault};
use monomi_csa::output::{Listener, Report, Tally};
use monomi_support::text::{AsIs, Message as _, messages, say};
use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the program may take to end at once.
const GRACE: Duration = Duration::from_secs(3);

const AFTER_HELP: &str = "\
The configuration file (TOML) has the same keys as the options; options win. See docs/csa.toml for
an example with every key, and docs/servers.md for floodgate and other servers.

The password comes from --password-file, or the environment variable of --password-env
(MONOMI_CSA_PASSWORD by default); otherwise it is asked for.

SIGTERM or Ctrl-C ends the program after the game in progress; a second one ends it at once and
loses that game.

Examples:
  monomi csa --config floodgate.toml
  monomi csa --config floodgate.toml --games 10 --option Threads=8 --option USI_Hash=4096
  monomi csa --host localhost --user Monomi --game test-300-10F --password-file secret.txt
  monomi csa --config floodgate.toml --json | jq -c 'select(.event == \"ended\")'

Exit codes: 0 success; 1 failure, such as a refused login; 2 invalid arguments or configuration;
130 interrupted twice.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Configuration (TOML).
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    config: Option<PathBuf>,
    #[command(flatten)]
    line: CommandLine,
    /// Write events to standard output as JSON, one per line.
    #[arg(long)]
    json: bool,
}

messages! {
    enum Notice {
        Page(address: String) => "the game is shown at {address}", "対局のページ: {address}";
        NoAlarm(error: std::io::Error) =>
            "the command of `on-event` cannot be started: {error}",
            "`on-event` のコマンドを実行できません: {error}";
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let config = configure(args, lang)?;
    let (stops, signals) = catch_signals()?;
    let signals = &*signals;
    let mut audience = Audience {
        screen: Screen::new(out, args.json, lang),
        view: Arc::new(Mutex::new(View::new(lang))),
        alarm: config.on_event.clone().map(Alarm::new),
        lang,
    };
    // It ends with this function.
    let _page = config.page.map(|port| audience.open_page(port)).transpose()?;
    let (tally, outcome) = match Client::new(&config, &mut audience, stops) {
        Ok(client) => client.run(),
        Err(error) => (Tally::default(), Err(error)),
    };
    audience.screen.summary(&tally);
    audience.screen.written?;
    outcome?;
    let at_once = signals.load(Ordering::Relaxed) > 1;
    Ok(if at_once { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// All that hear what happens.
struct Audience<'a, W> {
    screen: Screen<'a, W>,
    /// Read by the page, if there is one.
    view: Arc<Mutex<View>>,
    alarm: Option<Alarm>,
    lang: Lang,
}

impl<W: Write> Audience<'_, W> {
    fn open_page(&self, port: u16) -> Result<LivePage, Failure> {
        let view = Arc::clone(&self.view);
        let page = LivePage::start(port, self.lang, move || locked(&view).json())?;
        self.screen.remark(&Notice::Page(page.address()).in_lang(self.lang).to_string());
        Ok(page)
    }
}

impl<W: Write> Listener for Audience<'_, W> {
    fn on_report(&mut self, report: &Report<'_>) {
        let event = Event::of(report);
        self.screen.show(report, event.as_ref());
        locked(&self.view).on_report(report);
        if let (Some(alarm), Some(event)) = (&self.alarm, event)
            && event.name != Event::MOVE
            && let Err(error) = alarm.run(&event)
        {
            self.screen.remark(&Notice::NoAlarm(error).in_lang(self.lang).to_string());
        }
    }
}

/// Nothing that holds the lock leaves a view half changed.
fn locked(view: &Mutex<View>) -> MutexGuard<'_, View> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}

fn configure(args: &Args, lang: Lang) -> Result<Config, Failure> {
    let settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), Settings::read);
    let settings = settings.map_err(Failure::invalid)?.overridden_by(&args.line);
    let settings = settings.map_err(|error| AsIs(error.to_string()))?;
    settings.complete(|| ask_password(lang)).map_err(Failure::invalid)
}

fn ask_password(lang: Lang) -> Result<String, ConfigError> {
    let failed = |fault| ConfigError::Bad { key: "password", fault };
    if !std::io::stdin().is_terminal() {
        return Err(failed(ValueFault::NoPassword));
    }
    rpassword::prompt_password(say!(lang, "Password: ", "パスワード: "))
        .map_err(|error| failed(ValueFault::Prompt(error)))
}

/// A message for each signal, and the number of signals so far.
fn catch_signals() -> Result<(Receiver<()>, Arc<AtomicU32>), Failure> {
    let (sender, stops) = crossbeam_channel::unbounded();
    let signals = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&signals);
    on_interrupt(move || {
        let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
        // The client may have ended.
        let _ = sender.send(());
        if count > 1 {
            // It may also be waiting for the system, as for a server's name.
            std::thread::sleep(GRACE);
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok((stops, signals))
}
