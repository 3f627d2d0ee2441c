//! Login and logout.

use super::{Break, Client, Event, Link};
use crate::notice::{Lost, Notice, Refusal};
use crate::output::Report;
use crate::play::Play;
use crate::protocol::{Command, Message};
use monomi_support::text::shown;
use std::time::{Duration, Instant};

/// Time to wait for the line that explains a refused login.
const EXPLANATION: Duration = Duration::from_secs(1);
/// Time to wait for the answer to a logout.
const LOGOUT: Duration = Duration::from_secs(2);

impl Client<'_> {
    pub(super) fn login(&mut self, link: &mut Link, resuming: bool) -> Result<(), Break> {
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
                    if !std::mem::replace(&mut self.logged_in, true) {
                        self.latency.add(at.saturating_duration_since(sent));
                    }
                    self.listener.on_report(&Report::LoggedIn);
                    return Ok(());
                }
                Event::Message(Message::LoginRefused(reason), _) => {
                    let reason = self.explanation(link, reason)?;
                    if resuming && !is_temporary(reason.text()) {
                        self.notice(Notice::NotResumed(reason));
                        self.abandon();
                        return Err(Break::Lost(Lost::NotResumable));
                    }
                    return Err(Break::Refused(reason));
                }
                Event::Message(message, _) => self.unexpected(link, &message)?,
                Event::Timeout => {
                    return Err(Break::Lost(Lost::NoLogin(self.config.patience)));
                }
                Event::Engine(_) | Event::EngineRestarted | Event::Stopping => {}
            }
        }
    }

    /// The server's reason for refusing a login. Some servers send it in a line of its own.
    fn explanation(&mut self, link: &mut Link, reason: String) -> Result<Refusal, Break> {
        if !reason.is_empty() {
            return Ok(Refusal::Said(shown(&reason)));
        }
        let deadline = Instant::now() + EXPLANATION;
        loop {
            match self.next(Some(link), deadline) {
                Ok(Event::Message(Message::Unknown(line), _)) => {
                    return Ok(Refusal::Said(shown(&line)));
                }
                Ok(Event::Timeout) | Err(Break::Lost(_)) => return Ok(Refusal::Silent),
                Ok(_) => {}
                Err(other) => return Err(other),
            }
        }
    }

    pub(super) fn logout(&mut self, link: &mut Link) -> Result<(), Break> {
        // The server may already have closed the connection; that counts as a logout.
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
}

/// Whether the reason may be temporary: the name is still in use, too many attempts.
pub(super) fn is_temporary(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["already", "duplicat", "rate_limit", "retry"].iter().any(|word| reason.contains(word))
}

/// The delay that the server asks for.
pub(super) fn retry_after(reason: &str) -> Option<Duration> {
    let (_, seconds) = reason.split_once("retry_after=")?;
    let seconds = seconds.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_secs(seconds).min(Duration::from_secs(3600)))
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
}
