//! The client: connects, logs in, plays game after game, and comes back after a lost connection.

mod games;
mod login;

use self::login::{is_temporary, retry_after};
use crate::config::Config;
use crate::connection::{Connection, Incoming};
use crate::engine::{Engine, EngineFault, Said};
use crate::latency::Latency;
use crate::notice::{ConnectError, Lost, MOST_GARBAGE, Notice, Refusal};
use crate::output::{Listener, Report, Tally};
use crate::play::Play;
use crate::protocol::{Command, Message, Reader};
use crate::summary::Summary;
use crossbeam_channel::{Receiver, never, select};
use monomi_support::text::{Lang, error_message, say, shown};
use monomi_usi::UsiError;
use std::time::{Duration, Instant};
use std::{fmt, io};

/// Why the client cannot go on.
#[derive(Debug)]
pub enum ClientError {
    /// The engine's thread cannot be started.
    Thread(io::Error),
    /// An option names a file that cannot be used.
    Engine(UsiError),
    /// The engine cannot play.
    Fault(EngineFault),
    /// The server refused the login.
    Login {
        /// The player's name.
        user: String,
        /// The server's reason.
        reason: Refusal,
    },
    /// There is no connection, and another attempt would not help.
    Connect(ConnectError),
}

impl monomi_support::text::Message for ClientError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread(error) => {
                say!(lang, f, "the engine: {}", "エンジン: {}", error.in_lang(lang))
            }
            Self::Engine(error) => {
                say!(lang, f, "the engine: {}", "エンジン: {}", error.in_lang(lang))
            }
            Self::Fault(fault) => {
                say!(lang, f, "the engine: {}", "エンジン: {}", fault.in_lang(lang))
            }
            Self::Login { user, reason } => {
                let reason = reason.in_lang(lang);
                say!(
                    lang,
                    f,
                    "the server refuses the login of {user}: {reason}",
                    "サーバーが {user} のログインを拒否しました: {reason}"
                )
            }
            Self::Connect(error) => error.write(lang, f),
        }
    }
}
error_message!(ClientError);

/// Why a connection ended early.
pub(super) enum Break {
    /// The connection was lost, or the client closed it because of an error.
    Lost(Lost),
    /// The server refused the login, perhaps temporarily.
    Refused(Refusal),
    /// The user asked the client to exit at once.
    Stop,
    /// The client cannot continue.
    Fatal(ClientError),
}

/// Whether the user asked the client to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stopping {
    No,
    AfterGame,
    Now,
}

/// An event that ends a wait.
pub(super) enum Event {
    /// A message from the server and the time it was read.
    Message(Message, Instant),
    /// Output of the engine.
    Engine(Said),
    /// The engine has ended and was started again; its search is lost.
    EngineRestarted,
    /// The user asked the client to exit after the game in progress.
    Stopping,
    /// The deadline has passed.
    Timeout,
}

/// An open connection and the state of its reader.
pub(super) struct Link {
    connection: Connection,
    reader: Reader,
    last_received: Instant,
    garbage: u32,
}

impl Link {
    /// Sends a line.
    pub(super) fn send(&mut self, command: &Command<'_>) -> Result<(), Break> {
        self.connection.send(command).map_err(|error| Break::Lost(Lost::Sending(error)))
    }

    /// Counts an unexpected line; fails if there were too many.
    fn count_garbage(&mut self) -> Result<(), Break> {
        self.garbage += 1;
        if self.garbage > MOST_GARBAGE {
            return Err(Break::Lost(Lost::Garbage));
        }
        Ok(())
    }
}

/// A client of one server.
pub struct Client<'a> {
    pub(super) config: &'a Config,
    pub(super) engine: Engine,
    pub(super) listener: &'a mut dyn Listener,
    pub(super) latency: Latency,
    /// The game in progress, or one whose connection was lost.
    pub(super) play: Option<Play>,
    pub(super) tally: Tally,
    stops: Receiver<()>,
    stopping: Stopping,
    /// Whether an earlier login succeeded.
    logged_in: bool,
    /// When the client began to connect.
    started: Instant,
}

impl<'a> Client<'a> {
    /// Creates a client that starts its own engine. The first message on `stops` makes it exit after
    /// the game in progress, the second one at once.
    ///
    /// # Errors
    /// The engine cannot be started, or rejects one of its options.
    pub fn new(
        config: &'a Config,
        listener: &'a mut dyn Listener,
        stops: Receiver<()>,
    ) -> Result<Self, ClientError> {
        let mut engine = match &config.engine {
            None => Engine::start().map_err(ClientError::Thread)?,
            Some(path) => Engine::start_other(path).map_err(ClientError::Fault)?,
        };
        engine.set_option("USI_Ponder", if config.ponder { "true" } else { "false" });
        for (name, value) in &config.options {
            engine.require_option(name).map_err(ClientError::Fault)?;
            engine.set_option(name, value);
        }
        engine.prepare();
        let mut tell = |notice| listener.on_report(&Report::Notice(&notice));
        loop {
            let said = engine.recv().map_err(ClientError::Fault)?;
            match said {
                Said::Ready => break,
                Said::OptionFile(note) => tell(Notice::OptionFile(note)),
                // A file for several engines may have options that this one does not know.
                Said::Trouble(what @ UsiError::OptionFile(_)) => tell(Notice::Engine(what)),
                Said::Trouble(what) => return Err(ClientError::Engine(what)),
                Said::OtherTrouble(what) => tell(Notice::OtherEngine(what)),
                _ => {}
            }
        }
        Ok(Self {
            config,
            engine,
            listener,
            latency: Latency::default(),
            play: None,
            tally: Tally::default(),
            stops,
            stopping: Stopping::No,
            logged_in: false,
            started: Instant::now(),
        })
    }

    /// Plays until all games are played or the user stops the client. Returns the results.
    ///
    /// # Errors
    /// See [`ClientError`]. The results so far are returned with it.
    pub fn run(mut self) -> (Tally, Result<(), ClientError>) {
        let mut wait = self.config.retry.first;
        let mut refused_since = None;
        let outcome = loop {
            if self.is_done() {
                break Ok(());
            }
            let logged_in_earlier = self.logged_in;
            match self.connect_and_play() {
                Ok(()) => {
                    wait = self.config.retry.first;
                    refused_since = None;
                    continue;
                }
                Err(Break::Stop) => break Ok(()),
                Err(Break::Fatal(error)) => break Err(error),
                Err(Break::Refused(reason)) => {
                    let since = *refused_since.get_or_insert_with(Instant::now);
                    let patience = self.config.retry.refused;
                    if !logged_in_earlier && !is_temporary(reason.text())
                        || since.elapsed() >= patience
                    {
                        let user = self.config.user.clone();
                        break Err(ClientError::Login { user, reason });
                    }
                    let asked = retry_after(reason.text()).unwrap_or_default();
                    wait = wait.max(asked);
                    self.notice(Notice::Refused(reason, wait));
                }
                Err(Break::Lost(reason)) => {
                    refused_since = None;
                    // This attempt connected before it failed, so start again with the first delay.
                    if self.logged_in && !logged_in_earlier || self.play.is_some() {
                        wait = wait.min(self.config.retry.first);
                    }
                    self.notice(Notice::Lost(reason, wait));
                }
            }
            if self.is_done() {
                break Ok(());
            }
            match self.pause(wait) {
                Ok(()) => wait = (wait * 2).min(self.config.retry.longest),
                Err(_) => break Ok(()),
            }
        };
        self.abandon();
        (self.tally, outcome)
    }

    pub(super) fn notice(&mut self, notice: Notice) {
        self.listener.on_report(&Report::Notice(&notice));
    }

    /// Whether nothing is left to do.
    fn is_done(&self) -> bool {
        let resumable = self.play.as_ref().is_some_and(Play::can_resume);
        let limit = self.config.games;
        let played = limit > 0 && self.tally.games() >= limit;
        match self.stopping {
            Stopping::No => played,
            Stopping::AfterGame => !resumable,
            Stopping::Now => true,
        }
    }

    /// Plays during one login: one game in plain mode, all games in extended mode.
    fn connect_and_play(&mut self) -> Result<(), Break> {
        let (host, port) = (self.config.host.as_str(), self.config.port);
        self.listener.on_report(&Report::Connecting { host, port });
        let connection = Connection::open(self.config).map_err(|error| match error {
            // A wrong name or port is most probably a slip; later the server may be down for a while.
            ConnectError::Unreachable { .. }
                if self.logged_in || self.started.elapsed() < self.config.retry.unreached =>
            {
                Break::Lost(Lost::Connect(error))
            }
            ConnectError::NoHost { .. } | ConnectError::Tls { .. } if self.logged_in => {
                Break::Lost(Lost::Connect(error))
            }
            _ => Break::Fatal(ClientError::Connect(error)),
        })?;
        let last_received = Instant::now();
        let mut link = Link { connection, reader: Reader::default(), last_received, garbage: 0 };
        if self.play.as_ref().is_some_and(Play::is_expired) {
            self.notice(Notice::Expired);
            self.abandon();
        }
        let resuming = self.play.as_ref().is_some_and(Play::can_resume);
        self.login(&mut link, resuming)?;
        if resuming {
            self.resume(&mut link)?;
            if !self.config.extended || self.is_done() {
                return self.logout(&mut link);
            }
        }
        while !self.is_done() {
            if self.config.extended
                && let Some(game) = &self.config.game
            {
                let side = self.config.color.sign();
                link.send(&Command::Seek { game, side })?;
            }
            let Some(summary) = self.wait_for_game(&mut link)? else { break };
            let played = self.play(&mut link, summary)?;
            if played && !self.config.extended {
                // In plain mode, shogi-server needs a new login for every game.
                break;
            }
        }
        self.logout(&mut link)
    }

    fn resume(&mut self, link: &mut Link) -> Result<(), Break> {
        let deadline = Instant::now() + self.config.patience;
        let mut offer: Option<Summary> = None;
        loop {
            match self.next(Some(link), deadline)? {
                Event::Message(Message::Summary(summary), _) => offer = Some(*summary),
                Event::Message(Message::Resume(state), at) => {
                    let Some(offer) = offer.take() else { continue };
                    return self.resume_with(link, offer, Some(&state), at);
                }
                Event::Message(message, _) => self.unexpected(link, &message)?,
                Event::Timeout => {
                    return Err(Break::Lost(Lost::NotContinued));
                }
                Event::Engine(_) | Event::EngineRestarted | Event::Stopping => {}
            }
        }
    }

    /// Waits for an offered game. `None` if the user stops the client.
    fn wait_for_game(&mut self, link: &mut Link) -> Result<Option<Summary>, Break> {
        // Waiting for an opponent can take any time; `next` checks for silence.
        let forever = Instant::now() + Duration::from_secs(365 * 86_400);
        loop {
            if self.is_done() {
                return Ok(None);
            }
            match self.next(Some(link), forever)? {
                Event::Message(Message::Summary(summary), _) => return Ok(Some(*summary)),
                Event::Message(Message::BrokenSummary { game_id, error }, _) => {
                    self.notice(Notice::CannotPlay(error));
                    link.send(&Command::Reject(&game_id))?;
                    link.count_garbage()?;
                }
                Event::Message(Message::Extension(line), _) if line.contains("[ERROR]") => {
                    self.notice(Notice::ServerSays(shown(&line)));
                    link.count_garbage()?;
                }
                Event::Message(message, _) => self.unexpected(link, &message)?,
                Event::Engine(_) | Event::EngineRestarted | Event::Stopping | Event::Timeout => {}
            }
        }
    }

    /// Handles a message that is not expected here. Only unknown lines are counted.
    pub(super) fn unexpected(&mut self, link: &mut Link, message: &Message) -> Result<(), Break> {
        match message {
            Message::Unknown(line) => {
                if link.garbage == 0 {
                    self.notice(Notice::Unrecognised(shown(line)));
                }
                link.count_garbage()
            }
            _ => Ok(()),
        }
    }

    /// Waits while there is no connection.
    fn pause(&mut self, time: Duration) -> Result<(), Break> {
        let deadline = Instant::now() + time;
        loop {
            match self.next(None, deadline)? {
                Event::Timeout => return Ok(()),
                Event::Stopping if self.is_done() => return Err(Break::Stop),
                _ => {}
            }
        }
    }

    /// Waits for the next event until `deadline`, sending keep-alive lines meanwhile.
    pub(super) fn next(
        &mut self,
        mut link: Option<&mut Link>,
        deadline: Instant,
    ) -> Result<Event, Break> {
        loop {
            let mut wake = deadline;
            if let Some(link) = link.as_deref_mut() {
                // While a side thinks, silence is normal.
                let thinking = self.play.as_ref().map_or(Duration::ZERO, Play::longest_silence);
                let silence = self.config.silence.max(thinking);
                if link.last_received.elapsed() >= silence {
                    return Err(Break::Lost(Lost::Silent(silence)));
                }
                wake = wake.min(link.last_received + silence);
                let every = self.config.keep_alive;
                if !every.is_zero() {
                    if link.connection.last_sent().elapsed() >= every {
                        link.send(&Command::KeepAlive)?;
                    }
                    wake = wake.min(link.connection.last_sent() + every);
                }
            }
            let nothing = never();
            let incoming = link.as_ref().map_or(&nothing, |link| link.connection.incoming());
            let timeout = wake.saturating_duration_since(Instant::now());
            select! {
                recv(incoming) -> incoming => if let Some(link) = link.as_deref_mut() {
                    let closed = || Incoming::Closed(Lost::NoReader);
                    let incoming = incoming.unwrap_or_else(|_| closed());
                    if let Some(event) = read(link, incoming)? {
                        return Ok(event);
                    }
                },
                recv(self.engine.output()) -> reply => {
                    let Ok(reply) = reply else {
                        return Err(Break::Fatal(ClientError::Fault(EngineFault::OwnEnded)));
                    };
                    if let Some(said) = self.engine.handle_reply(reply) {
                        return Ok(Event::Engine(said));
                    }
                },
                recv(self.engine.lines()) -> line => {
                    let Ok(line) = line else {
                        self.restart_engine()?;
                        return Ok(Event::EngineRestarted);
                    };
                    if let Some(said) = self.engine.handle_line(&line) {
                        return Ok(Event::Engine(said));
                    }
                },
                recv(self.stops) -> stop => match stop {
                    Ok(()) => return self.stop(),
                    // The other end was dropped: no stop request can arrive.
                    Err(_) => self.stops = never(),
                },
                default(timeout) => if Instant::now() >= deadline {
                    return Ok(Event::Timeout);
                },
            }
        }
    }

    /// Starts another engine again that has ended.
    pub(super) fn restart_engine(&mut self) -> Result<(), Break> {
        self.engine.restart().map_err(|fault| Break::Fatal(ClientError::Fault(fault)))?;
        self.notice(Notice::EngineRestarted);
        Ok(())
    }

    fn stop(&mut self) -> Result<Event, Break> {
        if self.stopping == Stopping::No {
            self.stopping = Stopping::AfterGame;
            if self.play.is_some() {
                self.notice(Notice::LastGame);
            }
            return Ok(Event::Stopping);
        }
        self.stopping = Stopping::Now;
        Err(Break::Stop)
    }
}

/// Converts a line into an event once its message is complete.
fn read(link: &mut Link, incoming: Incoming) -> Result<Option<Event>, Break> {
    match incoming {
        Incoming::Line(line, at) => {
            link.last_received = at;
            link.connection.log_incoming(&line);
            let message =
                link.reader.feed(&line).map_err(|error| Break::Lost(Lost::Block(error)))?;
            Ok(message.map(|message| Event::Message(message, at)))
        }
        Incoming::TooLong => {
            link.count_garbage()?;
            Ok(None)
        }
        Incoming::Closed(reason) => Err(Break::Lost(reason)),
    }
}
