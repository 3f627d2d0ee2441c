//! Options: sets them, and passes changes on to the engine.

use super::exchange::What;
use super::{Action, Dialogue, KEEPALIVE};
use crate::command::Command;
use crate::job::{Job, Setting};
use crate::notice::{Notice, UsiError};
use crate::options::{BookSource, OptionError, Overrides, Precedence, ReadFile};
use crate::reply::Reply;
use monomi_eval::source::EvalSource;
use monomi_support::host::Instant;
use monomi_support::text::shown;
use std::path::Path;

/// The settings last sent to the engine.
pub(super) struct Applied {
    hash_mib: usize,
    threads: usize,
    numa: bool,
    eval: EvalSource,
    book: Option<BookSource>,
}

impl Dialogue {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.options.debug_log_file.clone();
        match self.overrides.set(&mut self.options, self.platform, name, value) {
            Ok(note) => {
                note.into_iter().for_each(|n| self.reply(Reply::Notice(Notice::OptionFile(n))))
            }
            Err(error) => return self.error(UsiError::Option(error)),
        }
        let file = self.options.debug_log_file.clone();
        if file != before {
            self.actions.push(Action::Log { file, before });
        }
    }

    /// Reads the files of options beside the program, which is in this folder, and beside networks.
    pub fn read_option_files(&mut self, program: &Path, read: ReadFile, precedence: Precedence) {
        self.overrides = Overrides::begin(program, read, precedence, &mut self.options);
        self.initial = self.options.clone();
    }

    /// Shows the value of an option, or of all if the name is empty.
    pub(super) fn show_option(&mut self, name: &str) {
        if name.is_empty() {
            let all = self.options.all_texts(self.platform);
            let lines: Vec<String> = all.map(|(name, text)| format!("{name} = {text}")).collect();
            return self.reply_text(&lines.join("\n"));
        }
        match self.options.text(name) {
            Some((name, text)) => self.reply_text(&format!("{name} = {text}")),
            None => self.error(UsiError::Option(OptionError::Unknown { name: shown(name) })),
        }
    }

    /// Sends changed settings to the engine.
    pub(super) fn apply_options(&mut self) {
        self.overrides.follow_eval(&mut self.options);
        for note in self.overrides.take_notes() {
            match note {
                Ok(note) => self.reply(Reply::Notice(Notice::OptionFile(note))),
                Err(error) => self.error(UsiError::OptionFile(error)),
            }
        }
        let wanted = Applied {
            hash_mib: self.options.hash_mib,
            threads: self.options.threads,
            numa: self.options.numa,
            eval: self.options.eval_source(),
            book: self.options.book_source(),
        };
        // The system provides new memory when it is first written to. `used` has it cleared at `isready`;
        // otherwise the first search would pay for that on the game's clock.
        let applied = self.applied.take();
        let applied = applied.as_ref();
        if applied.map(|a| &a.eval).unwrap_or(&EvalSource::default()) != &wanted.eval {
            self.run(Job::LoadEval(wanted.eval.clone()));
        }
        if applied.map(|a| &a.book).unwrap_or(&None) != &wanted.book {
            self.run(Job::LoadBook(wanted.book.clone()));
        }
        if applied.is_none_or(|a| a.numa) != wanted.numa {
            self.run(Job::UseNuma(wanted.numa));
        }
        if applied.map(|a| a.threads) != Some(wanted.threads) {
            self.run(Job::SetThreads(wanted.threads));
            self.used = true;
        }
        if applied.map(|a| a.hash_mib) != Some(wanted.hash_mib) {
            self.run(Job::Resize(wanted.hash_mib));
            self.used = true;
        }
        self.applied = Some(wanted);
    }

    pub(super) fn make_ready(&mut self, at: Instant) {
        if !self.is_idle() {
            // Options set meanwhile take effect with the next search.
            return self.reply(Reply::ReadyOk);
        }
        self.apply_options();
        self.forget();
        self.run(Job::Ready);
        if self.readying == 0 {
            self.keep_alive_at = at + KEEPALIVE;
        }
        self.readying += 1;
    }

    /// Gets the engine ready for a `go` if no `isready` has done that, without `readyok`.
    pub(super) fn load_unless_ready(&mut self) {
        if self.applied.is_some() || self.loading {
            return;
        }
        self.apply_options();
        self.forget();
        self.run(Job::Ready);
        self.loading = true;
    }

    /// The engine is ready: clocks that wait for it start. But the clock of a game runs at the GUI,
    /// which does not know that a `go` without `isready` has to wait.
    pub(super) fn ready(&mut self) {
        let now = self.now;
        if std::mem::take(&mut self.loading) {
            for (request, at) in &mut self.waiting {
                let What::Command(Command::Go(go)) = &request.what else { continue };
                if go.clock.clock().is_none() {
                    *at = now.max(*at);
                }
            }
            return;
        }
        self.readying = self.readying.saturating_sub(1);
        self.reply(Reply::ReadyOk);
        if self.readying == 0 {
            self.waiting.iter_mut().for_each(|(_, at)| *at = now.max(*at));
        }
    }

    /// Clears the table and the histories if they have been used. This is done at `isready`, which
    /// may take long, and not at `usinewgame`, after which the clock may already run.
    fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.run(Job::Forget);
        }
    }

    pub(super) fn refused(&mut self, setting: Setting, reason: UsiError) {
        self.error(reason);
        // Reset the option to the present value, so that the change is not tried again at each `go`.
        match setting {
            Setting::Hash(mib) => {
                self.options.put("USI_Hash", &mib.to_string());
                if let Some(applied) = &mut self.applied {
                    applied.hash_mib = mib;
                }
            }
            Setting::Threads(threads) => {
                self.options.put("Threads", &threads.to_string());
                if let Some(applied) = &mut self.applied {
                    applied.threads = threads;
                }
            }
            Setting::Eval(source) => {
                self.options.set_eval_source(&source);
                if let Some(applied) = &mut self.applied {
                    applied.eval = source;
                }
            }
            Setting::LogFile(file) => self.options.put("DebugLogFile", &file),
            Setting::Book(source) => {
                self.options.set_book_source(source.as_ref());
                if let Some(applied) = &mut self.applied {
                    applied.book = source;
                }
            }
        }
    }
}
