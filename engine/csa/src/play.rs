//! Plays one game: connects the server's messages, the engine's answers and the record.

use crate::client::{Break, Client, Event, Link};
use crate::engine::Said;
use crate::game::{End, Game, Moved, Step};
use crate::notice::{Lost, Notice};
use crate::output::{GameResult, Report, Verdict};
use crate::protocol::{Command, Message, Resume};
use crate::record::RecordFile;
use crate::secret::Secret;
use crate::summary::Summary;
use chrono::Local;
use monomi_movegen::{EnteringKingRule, PackedMove};
use monomi_record::notation::csa_move;
use monomi_search::{BestMove, Info, Score};
use monomi_text::shown;
use shogi_core::Color;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

/// Longest PV in a comment, in moves.
const COMMENT_MOVES: usize = 24;
/// Score of a mate in a comment, in centipawns.
const MATE: i32 = 100_000;

/// A game, its record and the state of the engine.
pub(super) struct Play {
    game: Game,
    record: Option<RecordFile>,
    began: Instant,
    /// Start of the current turn, or the time of the last line sent.
    since: Instant,
    /// The engine's last line for the move it is searching.
    thought: Option<Info>,
    /// The engine's last line for the move that was sent.
    played: Option<Info>,
    /// The comment that was sent with that move.
    comment: Option<String>,
    /// The predicted reply while pondering.
    expected: Option<PackedMove>,
    /// When the server sent an illegal move. After that the client only waits for the end.
    adrift: Option<Instant>,
    /// When the connection was lost.
    lost: Option<Instant>,
    patience: Duration,
}

impl Play {
    /// Whether the server sent a token for resuming the game.
    pub(super) fn can_resume(&self) -> bool {
        self.resumption().is_some()
    }

    /// Game identifier and token for resuming the game.
    pub(super) fn resumption(&self) -> Option<(&str, &Secret)> {
        let summary = self.game.summary();
        Some((summary.game_id.as_str(), summary.token.as_ref()?))
    }

    /// Whether the side to move must have lost on time by now.
    pub(super) fn is_expired(&self) -> bool {
        let longest = Color::all().into_iter().filter_map(|c| self.game.clocks().longest_move(c));
        let longest = longest.max().unwrap_or(Duration::from_secs(3600));
        self.lost.is_some_and(|lost| lost.elapsed() > longest + self.patience)
    }

    /// Longest expected silence while a side thinks.
    pub(super) fn longest_silence(&self) -> Duration {
        let to_move = self.game.position().side_to_move();
        let longest = self.game.clocks().longest_move(to_move).unwrap_or_default();
        longest + self.patience * 2
    }

    fn us(&self) -> Color {
        self.game.summary().us
    }

    /// Latest time at which the server must send something, given the clocks.
    fn deadline(&self) -> Instant {
        if let Some(since) = self.adrift {
            return since + self.patience;
        }
        let thinking = !self.game.awaits_confirmation() && !self.game.is_ending();
        let own_turn = self.game.is_our_turn();
        let to_move = self.game.position().side_to_move();
        let longest = match self.game.clocks().longest_move(to_move) {
            Some(longest) if thinking => longest,
            None if thinking => Duration::from_secs(365 * 86_400),
            _ => Duration::ZERO,
        };
        // On the client's turn the engine keeps the time itself.
        self.since + longest + self.patience * if own_turn { 2 } else { 1 }
    }

    /// Writes to the record. Returns an error only the first time.
    fn write(&mut self, write: impl FnOnce(&mut RecordFile) -> io::Result<()>) -> Option<Notice> {
        let record = self.record.as_mut()?;
        let error = write(record).err()?;
        let path = record.path().to_owned();
        self.record = None;
        Some(Notice::RecordIncomplete(path, error))
    }
}

fn now() -> String {
    Local::now().format("%Y/%m/%d %H:%M:%S").to_string()
}

impl Client<'_> {
    /// Plays an offered game. Returns whether it took place. On an error the game is kept so that it
    /// can be resumed.
    pub(super) fn play(&mut self, link: &mut Link, offer: Summary) -> Result<bool, Break> {
        let same = |play: &Play| play.game.summary().game_id == offer.game_id;
        if self.play.as_ref().is_some_and(same) {
            self.resume_with(link, offer, None, Instant::now())?;
            return Ok(true);
        }
        self.abandon();
        self.set_options(&offer);
        self.engine.new_game();
        link.send(&Command::Agree(&offer.game_id))?;
        let mut game = Game::new(offer);
        if !self.wait_for_start(link, &mut game)? {
            return Ok(false);
        }
        let record = self.config.record_folder.as_deref();
        let record = record.map(|folder| RecordFile::create(folder, &game, &now())).transpose();
        let record = record.unwrap_or_else(|error| {
            self.notice(Notice::NoRecord(error));
            None
        });
        self.listener.on_report(&Report::Started(game.summary()));
        let start = Instant::now();
        self.play = Some(Play {
            game,
            record,
            began: start,
            since: start,
            thought: None,
            played: None,
            comment: None,
            expected: None,
            adrift: None,
            lost: None,
            patience: self.config.patience,
        });
        self.play_on(link, start)?;
        Ok(true)
    }

    /// Waits until an accepted game begins. Returns false if it is rejected.
    fn wait_for_start(&mut self, link: &mut Link, game: &mut Game) -> Result<bool, Break> {
        let forever = Instant::now() + Duration::from_secs(365 * 86_400);
        loop {
            let Event::Message(message, at) = self.next(Some(link), forever)? else { continue };
            match game.receive(&message, at) {
                Ok(Step::Started) => return Ok(true),
                Ok(Step::Rejected(by)) => {
                    self.notice(Notice::Rejected(shown(&by)));
                    return Ok(false);
                }
                Ok(Step::Over(_)) => {
                    self.notice(Notice::EndedEarly);
                    return Ok(false);
                }
                Ok(Step::None | Step::Moved(_)) | Err(_) => self.unexpected(link, &message)?,
            }
        }
    }

    /// Continues the game whose connection was lost.
    pub(super) fn resume_with(
        &mut self,
        link: &mut Link,
        offer: Summary,
        state: Option<&Resume>,
        at: Instant,
    ) -> Result<(), Break> {
        let Some(mut play) = self.play.take() else { return Ok(()) };
        let missed = match play.game.resume(offer, state, at) {
            Ok(missed) => missed,
            Err(error) => {
                self.play = Some(play);
                self.notice(Notice::OtherPosition(error));
                self.abandon();
                return Err(Break::Lost(Lost::NotResumable));
            }
        };
        self.notice(Notice::Resumed);
        play.lost = None;
        play.since = at;
        play.expected = None;
        play.adrift = None;
        let problem = play.write(|record| {
            record.remark("connection lost and resumed")?;
            missed.iter().try_for_each(|moved| record.add_move(moved, None))
        });
        let id = play.game.summary().game_id.clone();
        self.listener.on_report(&Report::Started(play.game.summary()));
        if let Some(problem) = problem {
            self.notice(problem);
        }
        if state.is_none() {
            link.send(&Command::Agree(&id))?;
            let mut game = play.game.clone();
            let started = self.wait_for_start(link, &mut game);
            play.game = game;
            self.play = Some(play);
            if !started? {
                self.abandon();
                return Ok(());
            }
        } else {
            self.play = Some(play);
        }
        self.play_on(link, Instant::now())
    }

    /// Sets the engine options that follow from the game's conditions, unless the user set them.
    fn set_options(&self, offer: &Summary) {
        let set = |name: &str, value: &str| {
            if !self.config.sets(name) {
                self.engine.set_option(name, value);
            }
        };
        let rule = match offer.entering_king {
            None | Some(EnteringKingRule::None) => "NoEnteringKing",
            Some(EnteringKingRule::Csa24) => "CSARule24",
            Some(EnteringKingRule::Csa24Handicap) => "CSARule24H",
            Some(EnteringKingRule::Csa27) => "CSARule27",
            Some(EnteringKingRule::Csa27Handicap) => "CSARule27H",
            Some(EnteringKingRule::Try) => "TryRule",
        };
        set("EnteringKingRule", rule);
        set("MaxMovesToDraw", &offer.max_moves.min(100_000).to_string());
        let whole_seconds = offer.times.iter().all(|rules| rules.unit.as_millis() >= 1000);
        set("RoundUpToFullSecond", if whole_seconds { "true" } else { "false" });
    }

    fn play_on(&mut self, link: &mut Link, start: Instant) -> Result<(), Break> {
        let outcome = self.rounds(link, start);
        if outcome.is_err() {
            self.engine.give_up();
            // A reason without a result is also an end.
            if self.play.as_ref().is_some_and(|play| play.game.is_ending()) {
                self.finish(None);
            } else if let Some(play) = &mut self.play {
                play.lost = Some(Instant::now());
            }
        }
        outcome
    }

    fn rounds(&mut self, link: &mut Link, start: Instant) -> Result<(), Break> {
        self.begin_turn(start);
        while let Some(play) = &self.play {
            match self.next(Some(link), play.deadline())? {
                Event::Message(message, at) => self.receive(link, &message, at)?,
                Event::Engine(Said::Thought(thought)) => self.think(thought),
                Event::Engine(Said::Answer(best, reply)) => self.answer(link, best, reply)?,
                Event::Engine(Said::Trouble(what)) => self.notice(Notice::Engine(what)),
                Event::Engine(Said::Ready) | Event::Stopping => {}
                Event::Timeout => return Err(self.overdue()),
            }
        }
        Ok(())
    }

    /// Handles silence after the clocks have run out.
    fn overdue(&mut self) -> Break {
        if self.play.as_ref().is_some_and(|play| play.adrift.is_some()) {
            self.abandon();
            return Break::Lost(Lost::GivenUp);
        }
        Break::Lost(Lost::Overdue(self.config.patience))
    }

    fn receive(&mut self, link: &mut Link, message: &Message, at: Instant) -> Result<(), Break> {
        let Some(play) = &mut self.play else { return Ok(()) };
        let was_ending = play.game.is_ending();
        match play.game.receive(message, at) {
            Ok(Step::Moved(moved)) => self.moved(&moved, at),
            Ok(Step::Over(end)) => self.finish(Some(end)),
            Ok(_) => {
                if !was_ending && play.game.is_ending() {
                    play.since = at;
                    self.engine.give_up();
                }
                self.unexpected(link, message)?;
            }
            Err(breach) => {
                play.adrift.get_or_insert(at);
                self.engine.give_up();
                self.notice(Notice::Breach(breach));
            }
        }
        Ok(())
    }

    fn moved(&mut self, moved: &Moved, at: Instant) {
        let Some(play) = &mut self.play else { return };
        play.since = at;
        let own = moved.color == play.us();
        let comment = play.comment.take_if(|_| own);
        let problem = play.write(|record| record.add_move(moved, comment.as_deref()));
        let thought = play.played.take_if(|_| own);
        let thought = thought.as_ref();
        let ply = play.game.moves().len();
        let clocks = play.game.clocks();
        self.listener.on_report(&Report::Moved { moved, ply, clocks, thought });
        if let Some(latency) = moved.latency {
            self.latency.add(latency);
        }
        if let Some(problem) = problem {
            self.notice(problem);
        }
        self.begin_turn(at);
    }

    /// Starts the search if it is the client's turn, which began at `at`.
    fn begin_turn(&mut self, at: Instant) {
        let Some(play) = &mut self.play else { return };
        if !play.game.is_our_turn() || play.adrift.is_some() {
            return;
        }
        let delays = self.latency.delays();
        for (name, ms) in [("NetworkDelay", delays.usual), ("NetworkDelay2", delays.worst)] {
            if !self.config.sets(name) {
                self.engine.set_option(name, &ms.to_string());
            }
        }
        let clock = play.game.clocks().for_engine(play.us());
        let expected = play.expected.take();
        if self.engine.is_thinking()
            && expected.is_some()
            && play.game.moves().last() == expected.as_ref()
            && let Some(clock) = clock
        {
            return self.engine.ponderhit(clock, at);
        }
        play.thought = None;
        self.engine.go(play.game.position().clone(), clock, false, at);
    }

    fn think(&mut self, thought: Info) {
        let Some(play) = &mut self.play else { return };
        let ponder = !play.game.is_our_turn();
        self.listener.on_report(&Report::Thinking { thought: &thought, ponder });
        play.thought = Some(thought);
    }

    fn answer(
        &mut self,
        link: &mut Link,
        best: BestMove,
        reply: Option<PackedMove>,
    ) -> Result<(), Break> {
        let Some(play) = &mut self.play else { return Ok(()) };
        if !play.game.is_our_turn() {
            return Ok(());
        }
        let sent = Instant::now();
        match best {
            BestMove::Move(mv) if play.game.position().is_legal(mv) => {
                let text = csa_move(play.game.position(), mv);
                let comment = comment(play, mv).filter(|_| self.config.comments);
                link.send(&Command::Move { text: &text, comment: comment.as_deref() })
                    .inspect_err(|_| play.game.sent(&text, sent))?;
                play.game.sent(&text, sent);
                play.comment = comment;
                play.played = play.thought.clone();
                self.ponder(mv, reply);
            }
            BestMove::Win if play.game.may_declare() => {
                link.send(&Command::Declare)?;
                play.game.sent("%KACHI", sent);
            }
            BestMove::Win => {
                // The user chose another declaration rule than the server's.
                self.notice(Notice::NoDeclaration);
                self.engine.set_option("EnteringKingRule", "NoEnteringKing");
                self.begin_turn(sent);
            }
            BestMove::Move(_) | BestMove::Resign => {
                link.send(&Command::Resign)?;
                play.game.sent("%TORYO", sent);
            }
        }
        if let Some(play) = &mut self.play {
            play.since = sent;
        }
        Ok(())
    }

    /// Ponders the position after the sent move and the predicted reply.
    fn ponder(&mut self, mv: PackedMove, reply: Option<PackedMove>) {
        let Some(play) = &mut self.play else { return };
        let Some(reply) = reply.filter(|_| self.config.ponder) else { return };
        let Some(clock) = play.game.clocks().for_engine(play.us()) else { return };
        play.expected = Some(reply);
        let mut position = play.game.position().clone();
        position.do_move(mv);
        position.do_move(reply);
        self.engine.go(position, Some(clock), true, Instant::now());
    }

    /// Ends the game in progress, if any, without a result.
    pub(super) fn abandon(&mut self) {
        self.finish(None);
    }

    fn finish(&mut self, end: Option<End>) {
        let Some(mut play) = self.play.take() else { return };
        self.engine.give_up();
        let end = end.unwrap_or_else(|| play.game.broken_end());
        let us = play.us();
        let path = play.record.as_ref().map(|record| record.path().to_owned());
        let problem = play.write(|record| record.finish(&end, us, &now()));
        let summary = play.game.summary();
        let result = GameResult {
            number: self.tally.games() + 1,
            game_id: summary.game_id.clone(),
            color: us,
            opponent: shown(summary.opponent()),
            plies: play.game.moves().len(),
            time: play.began.elapsed(),
            result: Verdict::of(&end),
            end,
            record: path,
        };
        self.tally.add(&result);
        if let Some(problem) = problem {
            self.notice(problem);
        }
        self.listener.on_report(&Report::Ended(&result));
    }
}

/// A comment `* score pv` as floodgate viewers expect it: centipawns from Black's view, and the PV
/// after the move. `None` without a line of the engine.
fn comment(play: &Play, mv: PackedMove) -> Option<String> {
    let sign = if play.us() == Color::Black { 1 } else { -1 };
    let thought = play.thought.as_ref()?;
    let score = match thought.score {
        Score::Cp(cp) => cp.clamp(-MATE + 1, MATE - 1),
        Score::Mate(plies) if plies > 0 => MATE,
        Score::Mate(_) => -MATE,
    };
    let mut text = format!("* {}", sign * score);
    let mut position = play.game.position().clone();
    let line = thought.pv.split_first().filter(|(first, _)| **first == mv);
    position.do_move(mv);
    for &next in line.map_or(&[][..], |(_, rest)| rest).iter().take(COMMENT_MOVES) {
        if !position.is_legal(next) {
            break;
        }
        let _ = write!(text, " {}", csa_move(&position, next));
        position.do_move(next);
    }
    Some(text)
}
