//! Events of the engine, and the answers to `go`.

use super::{Activity, Dialogue, STOPPED};
use crate::display;
use crate::job::Event;
use crate::notice::{Notice, UsiError};
use crate::reply::Reply;
use crate::running::Running;
use monomi_mate::MateAnswer;
use monomi_movegen::Declaration;
use monomi_search::{Bound, Info, Score, SearchResult};
use monomi_support::host::Instant;
use monomi_support::text::shown;

impl Dialogue {
    pub(super) fn handle_event(&mut self, event: Event) {
        match event {
            Event::Ready => self.ready(),
            Event::Refused(setting, reason) => self.refused(setting, reason),
            Event::Notice(notice) => self.reply(Reply::Notice(notice)),
            Event::Error(error) => self.error(error),
            Event::Evaluation(evaluation) => {
                self.reply(Reply::Notice(Notice::Evaluation(evaluation.describe())));
                self.evaluation = evaluation;
            }
            Event::Info(id, info) => {
                let now = self.now;
                if let Some(running) = self.running(id) {
                    let shown = running.add_info(info, now);
                    self.show_infos(shown);
                }
            }
            Event::Done(id, result) => {
                if let Some(running) = self.running(id) {
                    let last = running.finish();
                    let result = running.own_result(result);
                    self.show_infos(last);
                    self.take_result(result);
                }
            }
            Event::Failed(id, reason) => {
                self.error(UsiError::Crashed(shown(&reason)));
                if let Some(running) = self.running(id) {
                    let fallback = running.fallback();
                    let result = running.own_result(fallback);
                    self.take_result(result);
                } else if self.mating(id) {
                    self.give_up();
                }
            }
            Event::OtherMate(id, number, result) => {
                if self.mating(id) {
                    self.reply(Reply::MateInfo(number, result));
                }
            }
            Event::Mate(id, result) => {
                if self.mating(id) {
                    self.rest();
                    let answer = result.answer.clone();
                    self.reply(Reply::MateInfo(1, result));
                    self.reply(Reply::Checkmate(answer));
                }
            }
            Event::ToolLine(id, line) => {
                if matches!(self.activity, Activity::Tool(running) if running == id) {
                    self.reply(Reply::Text(line));
                }
            }
            Event::ToolDone(id, done) => {
                if matches!(self.activity, Activity::Tool(running) if running == id) {
                    self.rest();
                    done.err().into_iter().for_each(|error| self.error(error));
                }
            }
            Event::PerftShare(id, mv, nodes) => {
                if self.counting(id).is_some() {
                    self.reply(Reply::Text(format!("{mv}: {nodes}")));
                }
            }
            Event::PerftDone(id, total) => {
                if let Some(since) = self.counting(id) {
                    self.rest();
                    let time = self.now.saturating_duration_since(since);
                    match total {
                        Some(nodes) => self.reply_text(&display::perft_summary(nodes, time)),
                        None => self.reply(Reply::Notice(Notice::PerftStopped)),
                    }
                }
            }
        }
    }

    /// The search in progress, if it has this id.
    fn running(&mut self, id: u64) -> Option<&mut Running> {
        match &mut self.activity {
            Activity::Search(running) if running.id == id => Some(running),
            _ => None,
        }
    }

    fn mating(&self, id: u64) -> bool {
        matches!(self.activity, Activity::Mate { id: mating, .. } if mating == id)
    }

    /// When the count in progress began, if it has this id.
    fn counting(&self, id: u64) -> Option<Instant> {
        match self.activity {
            Activity::Perft { id: counting, since } if counting == id => Some(since),
            _ => None,
        }
    }

    pub(super) fn show_infos(&mut self, infos: Vec<Info>) {
        let win_scale = self.options.show_wdl.then(|| self.evaluation.win_scale());
        for info in infos {
            let declares = self.ends_with_declaration(&info);
            self.reply(match win_scale {
                Some(scale) => Reply::InfoWithShares(info, scale),
                None => Reply::Info(info),
            });
            if declares {
                self.reply(Reply::Notice(Notice::LineDeclares));
            }
        }
    }

    /// Whether a line that claims a mate ends with the declaration of a win, which is no move.
    fn ends_with_declaration(&self, info: &Info) -> bool {
        let Activity::Search(running) = &self.activity else { return false };
        if !matches!(info.score, Score::Mate(plies) if plies != 0) || info.bound != Bound::Exact {
            return false;
        }
        let mut position = running.root.clone();
        for &mv in &info.pv {
            if !position.is_legal(mv) {
                return false;
            }
            position.do_move(mv);
        }
        let rule = self.options.search.entering_king_rule;
        position.declaration(rule) == Some(Declaration::Declare)
    }

    /// The search has ended: answers, or keeps the result until an answer is allowed.
    pub(super) fn take_result(&mut self, result: SearchResult) {
        match &mut self.activity {
            Activity::Search(running) if running.holds() => running.result = Some(result),
            _ => self.answer(result),
        }
    }

    /// Answers the `go` in progress.
    pub(super) fn answer(&mut self, result: SearchResult) {
        if let Activity::Search(running) = self.rest() {
            self.reply(Reply::best_move(&running.final_answer(result)));
        }
    }
    /// Stops the `go` in progress; it is answered soon, if need be by a fallback.
    pub(super) fn finish(&mut self) {
        if self.give_up_at.is_none() && !self.is_idle() {
            self.give_up_at = Some(self.now + STOPPED);
            self.stop();
        }
    }

    /// The `go` in progress has been answered.
    pub(super) fn rest(&mut self) -> Activity {
        self.give_up_at = None;
        std::mem::replace(&mut self.activity, Activity::Idle)
    }

    /// Answers in place of a search that does not end.
    pub(super) fn give_up(&mut self) {
        match self.rest() {
            Activity::Search(running) => {
                let fallback = running.final_answer(running.fallback());
                self.reply(Reply::best_move(&fallback));
            }
            Activity::Mate { .. } => self.reply(Reply::Checkmate(MateAnswer::Unknown)),
            Activity::Idle | Activity::Perft { .. } | Activity::Tool(_) => {}
        }
    }
}
