//! Plays games: connects the server's messages, the engine's answers and the record.

use super::{Break, Client, Event, Link};
use crate::config::DeclarationChoice;
use crate::engine::{Said, Search};
use crate::game::{End, Game, Moved, Step};
use crate::notice::{Lost, Notice};
use crate::output::{GameResult, Report, Verdict};
use crate::play::{Play, comment};
use crate::protocol::{Command, Message, Resume};
use crate::record::RecordFile;
use crate::summary::Summary;
use chrono::Local;
use monomi_movegen::{EnteringKingRule, PackedMove};
use monomi_record::notation::csa_move;
use monomi_search::{BestMove, Info};
use monomi_support::text::{Lang, Message as _, shown};
use std::time::{Duration, Instant};

fn now() -> String {
    Local::now().format("%Y/%m/%d %H:%M:%S").to_string()
}

impl Client<'_> {
    /// Plays an offered game. Returns whether it took place. On an error the game is kept so that it
    /// can be resumed.
    pub(super) fn play(&mut self, link: &mut Link, mut offer: Summary) -> Result<bool, Break> {
        let same = |play: &Play| play.game.summary().game_id == offer.game_id;
        if self.play.as_ref().is_some_and(same) {
            self.resume_with(link, offer, None, Instant::now())?;
            return Ok(true);
        }
        self.abandon();
        self.choose_declaration(link, &mut offer);
        self.set_options(&offer);
        if self.engine.new_game().map(|errors| self.complain(errors)).is_err() {
            self.restart_engine()?;
        }
        link.send(&Command::Agree(&offer.game_id))?;
        let mut game = Game::new(offer);
        if !self.wait_for_start(link, &mut game)? {
            return Ok(false);
        }
        let folder = self.config.record_folder.as_path();
        let record = Some(folder).filter(|folder| !folder.as_os_str().is_empty());
        let record = record.map(|folder| RecordFile::create(folder, &game, &now())).transpose();
        let record = record.unwrap_or_else(|error| {
            self.notice(Notice::NoRecord(error));
            None
        });
        self.started(&game);
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

    /// Passes on the errors of another engine.
    fn complain(&mut self, errors: Vec<String>) {
        for error in errors {
            self.notice(Notice::OtherEngine(error));
        }
    }

    fn started(&mut self, game: &Game) {
        let (summary, moves, clocks) = (game.summary(), game.moves(), game.clocks());
        self.listener.on_report(&Report::Started { summary, moves, clocks });
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
        let turn = play.game.turn();
        play.expected = None;
        play.adrift = None;
        let problem = play.write(|record| {
            record.remark("connection lost and resumed")?;
            missed.iter().try_for_each(|moved| record.add_move(moved, None))
        });
        let id = play.game.summary().game_id.clone();
        self.started(&play.game);
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
            // The opponent's move may have arrived before the connection was lost.
            if let Some(turn) = turn {
                return self.play_on(link, turn);
            }
        }
        self.play_on(link, Instant::now())
    }

    /// Replaces the declaration rule by the user's choice, or by floodgate's if the server says nothing:
    /// the protocol allows it to leave the line out.
    fn choose_declaration(&mut self, link: &mut Link, offer: &mut Summary) {
        match self.config.declaration {
            DeclarationChoice::Server if offer.names_declaration => {}
            DeclarationChoice::Server => {
                offer.entering_king = Some(EnteringKingRule::Csa27);
                let notice = Notice::DeclarationUnknown;
                link.connection.log_remark(&notice.in_lang(Lang::En).to_string());
                self.notice(notice);
            }
            DeclarationChoice::Points27 => offer.entering_king = Some(EnteringKingRule::Csa27),
            DeclarationChoice::Points24 => offer.entering_king = Some(EnteringKingRule::Csa24),
            DeclarationChoice::Never => offer.entering_king = None,
        }
    }

    /// Sets the engine options that follow from the game's conditions, unless the user set them.
    fn set_options(&mut self, offer: &Summary) {
        let mut set = |name: &str, value: &str| {
            if !self.config.sets(name) {
                self.engine.set_option(name, value);
            }
        };
        let rule = offer.entering_king.unwrap_or(EnteringKingRule::None);
        set("EnteringKingRule", rule.name());
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
            let turn = play.game.turn();
            match self.next(Some(link), play.deadline())? {
                Event::Message(message, at) => self.receive(link, &message, at)?,
                Event::Engine(Said::Thought(thought)) => self.think(thought),
                Event::Engine(Said::Answer(best, reply)) => self.answer(link, best, reply)?,
                Event::Engine(Said::NoAnswer(what)) => {
                    self.notice(Notice::NoAnswer(what));
                    self.answer(link, BestMove::Resign, None)?;
                }
                Event::Engine(Said::OtherTrouble(what)) => self.notice(Notice::OtherEngine(what)),
                Event::EngineRestarted => self.begin_turn(turn.unwrap_or_else(Instant::now)),
                Event::Engine(Said::OptionFile(note)) => self.notice(Notice::OptionFile(note)),
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
        let (start, moves) = (play.game.summary().start.clone(), play.game.moves().to_vec());
        self.engine.go(Search { start, moves, clock, ponder: false, at });
    }

    fn think(&mut self, thought: Info) {
        let Some(play) = &mut self.play else { return };
        let ponder = play.expected.filter(|_| !play.game.is_our_turn());
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
                self.engine.set_option("EnteringKingRule", EnteringKingRule::None.name());
                self.begin_turn(sent);
            }
            BestMove::Move(mv) => {
                self.notice(Notice::NoAnswer(mv.to_string()));
                return self.answer(link, BestMove::Resign, None);
            }
            BestMove::Resign => {
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
        let start = play.game.summary().start.clone();
        let mut moves = play.game.moves().to_vec();
        moves.push(mv);
        // Another engine may predict what is illegal.
        let mut position = play.game.position().clone();
        position.do_move(mv);
        if !position.is_legal(reply) {
            return;
        }
        moves.push(reply);
        play.expected = Some(reply);
        let (clock, at) = (Some(clock), Instant::now());
        self.engine.go(Search { start, moves, clock, ponder: true, at });
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
