//! Passes changed options on to the engine thread.

use super::{Activity, Session};
use crate::engine_thread::{Job, Setting};
use crate::options::BookSource;
use monomi_search::eval_source::EvalSource;
use std::io::Write;
use std::path::Path;

/// The settings last sent to the engine thread.
pub(super) struct Applied {
    hash_mib: usize,
    threads: usize,
    eval: EvalSource,
    book: Option<BookSource>,
}

impl<W: Write> Session<W> {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let log = self.options.debug_log_file.clone();
        if let Err(error) = self.options.set(name, value) {
            self.console.error(error);
            return;
        }
        if self.options.debug_log_file != log {
            let wanted = self.options.debug_log_file.as_str();
            let path = (!wanted.is_empty()).then(|| Path::new(wanted));
            if let Err(error) = self.console.log_to(path) {
                self.console.error(format!("DebugLogFile {wanted}: {error}"));
                self.options.debug_log_file = log;
            }
        }
    }

    /// Sends changed settings to the engine thread.
    pub(super) fn apply_options(&mut self) {
        let wanted = Applied {
            hash_mib: self.options.hash_mib,
            threads: self.options.threads,
            eval: self.options.eval_source(),
            book: self.options.book_source(),
        };
        let applied = self.applied.as_ref();
        if applied.map(|a| &a.eval).unwrap_or(&EvalSource::Internal) != &wanted.eval {
            self.engine.send(Job::LoadEval(wanted.eval.clone()));
        }
        if applied.map(|a| &a.book).unwrap_or(&None) != &wanted.book {
            self.engine.send(Job::LoadBook(wanted.book.clone()));
        }
        if applied.map(|a| a.threads) != Some(wanted.threads) {
            self.engine.send(Job::SetThreads(wanted.threads));
        }
        if applied.map(|a| a.hash_mib) != Some(wanted.hash_mib) {
            self.engine.send(Job::Resize(wanted.hash_mib));
            // The system provides memory when it is first written to. Clear it now; otherwise the
            // first search would pay for that on the game's clock.
            self.used = true;
        }
        self.applied = Some(wanted);
    }

    pub(super) fn make_ready(&mut self) {
        if !matches!(self.activity, Activity::Idle) {
            // Options set meanwhile take effect with the next search.
            self.console.line("readyok");
            return;
        }
        self.apply_options();
        self.forget();
        self.engine.send(Job::Ready);
        self.readying += 1;
    }

    /// Clears the table and the histories if they have been used. This is done at `isready`, which
    /// may take long, and not at `usinewgame`, after which the clock may already run.
    fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.engine.send(Job::Forget);
        }
    }

    pub(super) fn refused(&mut self, setting: Setting, reason: &str) {
        self.console.error(reason);
        // Reset the option to the present value, so that the change is not tried again at each `go`.
        match setting {
            Setting::Hash(mib) => {
                self.options.hash_mib = mib;
                if let Some(applied) = &mut self.applied {
                    applied.hash_mib = mib;
                }
            }
            Setting::Threads(threads) => {
                self.options.threads = threads;
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
            Setting::Book(source) => {
                self.options.set_book_source(source.as_ref());
                if let Some(applied) = &mut self.applied {
                    applied.book = source;
                }
            }
        }
    }
}
