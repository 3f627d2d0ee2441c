//! The client: connects, logs in, plays game after game, and comes back after a lost connection.

use crate::csa::config::Config;
use crate::csa::connection::{ConnectError, Connection, Incoming};
use crate::csa::engine::{Engine, Said};
use crate::csa::latency::Latency;
use crate::csa::output::{Listener, Report, Tally};
use crate::csa::play::Play;
use crate::csa::protocol::{Command, Message, Reader};
use crate::csa::summary::Summary;
use crossbeam_channel::{Receiver, never, select};
use std::time::{Duration, Instant};

/// Lines that make no sense, after which a connection is given up.
const MOST_GARBAGE: u32 = 200;
/// How long a server has for the line that explains a refused login.
const EXPLANATION: Duration = Duration::from_secs(1);
/// How long a server has for the answer to a logout.
const LOGOUT: Duration = Duration::from_secs(2);

/// Why the client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The engine has no thread, or its options name files that it cannot use.
    #[error("the engine: {0}")]
    Engine(String),
    /// The login is refused.
    #[error("the server refuses the login of {user}: {reason}")]
    Login {
        /// The player's name.
        user: String,
        /// The server's words, or what it may mean.
        reason: String,
    },
    /// There is no connection, and trying again will not help.
    #[error(transparent)]
    Connect(ConnectError),
}

/// Why a visit to the server is over before its time.
pub(super) enum Break {
    /// The connection is lost, or not worth keeping.
    Lost(String),
    /// The server refuses the login, perhaps only for now.
    Refused(String),
    /// The user wants to end at once.
    Stop,
    /// There is no point in going on.
    Fatal(ClientError),
}

/// Whether the user wants to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stopping {
    No,
    AfterGame,
    Now,
}

/// Something that happened while the client waited.
pub(super) enum Event {
    /// The server said something, read at this time.
    Message(Message, Instant),
    /// The engine said something.
    Engine(Said),
    /// The user wants to end after the game.
    Stopping,
    /// The time is up.
    Timeout,
}

/// An open connection and what has been read from it so far.
pub(super) struct Link {
    connection: Connection,
    reader: Reader,
    heard: Instant,
    garbage: u32,
}

impl Link {
    /// Sends a line.
    pub(super) fn send(&mut self, command: &Command<'_>) -> Result<(), Break> {
        self.connection
            .send(command)
            .map_err(|error| Break::Lost(format!("sending to the server: {error}")))
    }

    /// The server sent something that makes no sense here.
    fn count_garbage(&mut self) -> Result<(), Break> {
        self.garbage += 1;
        if self.garbage > MOST_GARBAGE {
            return Err(Break::Lost(format!(
                "the server sent {MOST_GARBAGE} lines that make no sense; is it a CSA server?"
            )));
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
    /// The server let the player in before.
    known: bool,
}

impl<'a> Client<'a> {
    /// A client with an engine of its own. Each message of `stops` is a wish to end: the first one
    /// after the game in progress, the second one at once.
    ///
    /// # Errors
    /// The engine cannot be started or has trouble with its options.
    pub fn new(
        config: &'a Config,
        listener: &'a mut dyn Listener,
        stops: Receiver<()>,
    ) -> Result<Self, ClientError> {
        let failed = |what: String| ClientError::Engine(what);
        let mut engine = Engine::start().map_err(|error| failed(error.to_string()))?;
        engine.set_option("USI_Ponder", if config.ponder { "true" } else { "false" });
        for (name, value) in &config.options {
            engine.set_option(name, value);
        }
        engine.prepare();
        loop {
            let line = engine.output().recv();
            let line = line.map_err(|_| failed("its thread could not be started".to_owned()))?;
            match engine.understand(&line) {
                Some(Said::Ready) => break,
                Some(Said::Trouble(what)) => return Err(failed(what)),
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
            known: false,
        })
    }

    /// Plays until the games are played or the user wants to end; the results.
    ///
    /// # Errors
    /// There is no point in going on: see [`ClientError`]. The results so far come with it.
    pub fn run(mut self) -> (Tally, Result<(), ClientError>) {
        let mut wait = self.config.retry.first;
        let mut refused_since = None;
        let outcome = loop {
            if self.is_done() {
                break Ok(());
            }
            let known_before = self.known;
            match self.visit() {
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
                    if !known_before && !is_temporary(&reason) || since.elapsed() >= patience {
                        let user = self.config.user.clone();
                        break Err(ClientError::Login { user, reason });
                    }
                    let asked = retry_after(&reason).unwrap_or_default();
                    wait = wait.max(asked);
                    self.notice(&format!(
                        "the login is refused ({reason}); next attempt in {}",
                        in_words(wait)
                    ));
                }
                Err(Break::Lost(reason)) => {
                    refused_since = None;
                    // The server was there: the connection has failed only now.
                    if self.known && !known_before || self.play.is_some() {
                        wait = wait.min(self.config.retry.first);
                    }
                    self.notice(&format!("{reason}; next attempt in {}", in_words(wait)));
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

    pub(super) fn notice(&mut self, text: &str) {
        self.listener.hear(&Report::Notice(text));
    }

    /// Whether everything is done that can be done.
    fn is_done(&self) -> bool {
        let resumable = self.play.as_ref().is_some_and(Play::can_resume);
        let played = self.config.games.is_some_and(|games| self.tally.games() >= games);
        match self.stopping {
            Stopping::No => played,
            Stopping::AfterGame => !resumable,
            Stopping::Now => true,
        }
    }

    /// One login: a game in the plain mode, all games in the extended one.
    fn visit(&mut self) -> Result<(), Break> {
        let (host, port) = (self.config.host.as_str(), self.config.port);
        self.listener.hear(&Report::Connecting { host, port });
        let connection = Connection::open(self.config).map_err(|error| match error {
            ConnectError::Unreachable { .. } => Break::Lost(error.to_string()),
            ConnectError::Tls { .. } if self.known => Break::Lost(error.to_string()),
            _ => Break::Fatal(ClientError::Connect(error)),
        })?;
        let heard = Instant::now();
        let mut link = Link { connection, reader: Reader::default(), heard, garbage: 0 };
        if self.play.as_ref().is_some_and(Play::is_expired) {
            self.notice("the lost game cannot be resumed any more");
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
                // shogi-server's plain mode is for one game, and everybody takes a new login.
                break;
            }
        }
        self.logout(&mut link)
    }

    fn login(&mut self, link: &mut Link, resuming: bool) -> Result<(), Break> {
        let password = self.config.login_password();
        let resume = self.play.as_ref().filter(|_| resuming).and_then(Play::resumption);
        let sent = Instant::now();
        link.send(&Command::Login {
            user: &self.config.user,
            password: &password,
            extended: self.config.extended,
            resume,
        })?;
        let deadline = sent + self.config.patience;
        loop {
            match self.next(Some(link), deadline)? {
                Event::Message(Message::LoggedIn, at) => {
                    if !std::mem::replace(&mut self.known, true) {
                        self.latency.add(at.saturating_duration_since(sent));
                    }
                    self.listener.hear(&Report::LoggedIn);
                    return Ok(());
                }
                Event::Message(Message::LoginRefused(reason), _) => {
                    let reason = self.explanation(link, reason)?;
                    if resuming && !is_temporary(&reason) {
                        self.notice(&format!("the server does not resume the game ({reason})"));
                        self.abandon();
                        return Err(Break::Lost("the game is lost".to_owned()));
                    }
                    return Err(Break::Refused(reason));
                }
                Event::Message(message, _) => self.unexpected(link, &message)?,
                Event::Timeout => {
                    let patience = in_words(self.config.patience);
                    return Err(Break::Lost(format!(
                        "the server does not answer the login within {patience}"
                    )));
                }
                Event::Engine(_) | Event::Stopping => {}
            }
        }
    }

    /// The server's reason for refusing a login; some send it in a line of its own.
    fn explanation(&mut self, link: &mut Link, reason: String) -> Result<String, Break> {
        if !reason.is_empty() {
            return Ok(shown(&reason));
        }
        let deadline = Instant::now() + EXPLANATION;
        loop {
            match self.next(Some(link), deadline) {
                Ok(Event::Message(Message::Unknown(line), _)) => return Ok(shown(&line)),
                Ok(Event::Timeout) | Err(Break::Lost(_)) => {
                    return Ok("wrong password, or the name is in use".to_owned());
                }
                Ok(_) => {}
                Err(other) => return Err(other),
            }
        }
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
                    return Err(Break::Lost("the server does not go on with the game".to_owned()));
                }
                Event::Engine(_) | Event::Stopping => {}
            }
        }
    }

    /// Waits for an offer; `None` when the user wants to end.
    fn wait_for_game(&mut self, link: &mut Link) -> Result<Option<Summary>, Break> {
        // A game takes as long as it takes to begin; the silence is watched by `next`.
        let forever = Instant::now() + Duration::from_secs(365 * 86_400);
        loop {
            if self.is_done() {
                return Ok(None);
            }
            match self.next(Some(link), forever)? {
                Event::Message(Message::Summary(summary), _) => return Ok(Some(*summary)),
                Event::Message(Message::BrokenSummary { game_id, error }, _) => {
                    self.notice(&format!("a game is offered that cannot be played: {error}"));
                    link.send(&Command::Reject(&game_id))?;
                    link.count_garbage()?;
                }
                Event::Message(Message::Extension(line), _) if line.contains("[ERROR]") => {
                    self.notice(&format!("the server says: {}", shown(&line)));
                    link.count_garbage()?;
                }
                Event::Message(message, _) => self.unexpected(link, &message)?,
                Event::Engine(_) | Event::Stopping | Event::Timeout => {}
            }
        }
    }

    fn logout(&mut self, link: &mut Link) -> Result<(), Break> {
        // The server may have closed the connection already: that is a logout too.
        if link.send(&Command::Logout).is_err() {
            return Ok(());
        }
        let deadline = Instant::now() + LOGOUT;
        loop {
            match self.next(Some(link), deadline) {
                Ok(Event::Message(Message::LoggedOut, _) | Event::Timeout) => return Ok(()),
                Err(Break::Lost(_)) => return Ok(()),
                Err(other) => return Err(other),
                Ok(_) => {}
            }
        }
    }

    /// A message that has no meaning here. Most are harmless; too many are not.
    pub(super) fn unexpected(&mut self, link: &mut Link, message: &Message) -> Result<(), Break> {
        match message {
            Message::Unknown(line) => {
                if link.garbage == 0 {
                    self.notice(&format!("a line that makes no sense: `{}`", shown(line)));
                }
                link.count_garbage()
            }
            _ => Ok(()),
        }
    }

    /// Waits without a connection.
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

    /// Waits for something to happen, until `deadline`. Sends keep-alive lines meanwhile.
    pub(super) fn next(
        &mut self,
        mut link: Option<&mut Link>,
        deadline: Instant,
    ) -> Result<Event, Break> {
        loop {
            let mut wake = deadline;
            if let Some(link) = link.as_deref_mut() {
                // Nobody needs to say anything while an opponent thinks.
                let thinking = self.play.as_ref().map_or(Duration::ZERO, Play::longest_silence);
                let silence = self.config.silence.max(thinking);
                if link.heard.elapsed() >= silence {
                    let silence = in_words(silence);
                    return Err(Break::Lost(format!("the server has been silent for {silence}")));
                }
                wake = wake.min(link.heard + silence);
                if let Some(every) = self.config.keep_alive {
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
                    let closed = || Incoming::Closed("the connection's thread is gone".to_owned());
                    let incoming = incoming.unwrap_or_else(|_| closed());
                    if let Some(event) = read(link, incoming)? {
                        return Ok(event);
                    }
                },
                recv(self.engine.output()) -> line => {
                    let Ok(line) = line else {
                        let what = "its thread has ended".to_owned();
                        return Err(Break::Fatal(ClientError::Engine(what)));
                    };
                    if let Some(said) = self.engine.understand(&line) {
                        return Ok(Event::Engine(said));
                    }
                },
                recv(self.stops) -> stop => match stop {
                    Ok(()) => return self.stop(),
                    // Nobody can ask any more.
                    Err(_) => self.stops = never(),
                },
                default(timeout) => if Instant::now() >= deadline {
                    return Ok(Event::Timeout);
                },
            }
        }
    }

    fn stop(&mut self) -> Result<Event, Break> {
        if self.stopping == Stopping::No {
            self.stopping = Stopping::AfterGame;
            if self.play.is_some() {
                self.notice("ending after this game; once more to end at once");
            }
            return Ok(Event::Stopping);
        }
        self.stopping = Stopping::Now;
        Err(Break::Stop)
    }
}

/// Makes an event of what arrived, if it is complete.
fn read(link: &mut Link, incoming: Incoming) -> Result<Option<Event>, Break> {
    match incoming {
        Incoming::Line(line, at) => {
            link.heard = at;
            link.connection.log_incoming(&line);
            let message =
                link.reader.feed(&line).map_err(|error| Break::Lost(error.to_string()))?;
            Ok(message.map(|message| Event::Message(message, at)))
        }
        Incoming::TooLong => {
            link.count_garbage()?;
            Ok(None)
        }
        Incoming::Closed(reason) => Err(Break::Lost(reason)),
    }
}

/// A refusal that may end by itself: a name still in use, too many attempts.
fn is_temporary(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["already", "duplicat", "rate_limit", "retry"].iter().any(|word| reason.contains(word))
}

/// The wait that the server asks for.
fn retry_after(reason: &str) -> Option<Duration> {
    let (_, seconds) = reason.split_once("retry_after=")?;
    let seconds = seconds.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_secs(seconds).min(Duration::from_secs(3600)))
}

/// Text of the server, short and without control characters.
pub(super) fn shown(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(100).map(clean).collect()
}

/// `90 seconds`, `2 minutes`.
pub(super) fn in_words(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1 => "1 second".to_owned(),
        seconds if seconds < 120 || seconds % 60 != 0 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_that_end_by_themselves() {
        assert!(is_temporary("username a is already connected"));
        assert!(is_temporary("already_logged_in"));
        assert!(!is_temporary("") && !is_temporary("unknown_game_name"));
        assert_eq!(retry_after("rate_limited retry_after=7"), Some(Duration::from_secs(7)));
        assert_eq!(retry_after("rate_limited"), None);
    }

    #[test]
    fn times_in_words() {
        let words = |ms| in_words(Duration::from_millis(ms));
        assert_eq!([words(250), words(1000), words(90_000)], ["250 ms", "1 second", "90 seconds"]);
        assert_eq!(words(3_600_000), "60 minutes");
    }

    #[test]
    fn what_the_server_says_is_shortened_and_cleaned() {
        assert_eq!(shown("a\u{1b}[2Jb"), "a\u{fffd}[2Jb");
        assert_eq!(shown(&"x".repeat(1000)).len(), 100);
    }
}
