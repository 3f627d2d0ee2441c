//! What the options ask for, and what the worker has been told of it.

use super::{Activity, Session};
use crate::usi::options::{BookSource, EvalSource};
use crate::usi::worker::{Job, Setting};
use std::io::Write;
use std::path::Path;

/// What the worker was last told to have.
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

    /// Has the worker catch up with the options.
    pub(super) fn apply_options(&mut self) {
        let wanted = Applied {
            hash_mib: self.options.hash_mib,
            threads: self.options.threads,
            eval: self.options.eval_source(),
            book: self.options.book_source(),
        };
        let applied = self.applied.as_ref();
        if applied.map(|a| &a.eval).unwrap_or(&EvalSource::internal()) != &wanted.eval {
            self.worker.send(Job::LoadEval(wanted.eval.clone()));
        }
        if applied.map(|a| &a.book).unwrap_or(&None) != &wanted.book {
            self.worker.send(Job::LoadBook(wanted.book.clone()));
        }
        if applied.map(|a| a.threads) != Some(wanted.threads) {
            self.worker.send(Job::SetThreads(wanted.threads));
        }
        if applied.map(|a| a.hash_mib) != Some(wanted.hash_mib) {
            self.worker.send(Job::Resize(wanted.hash_mib));
            // The system hands memory out when it is first written to. Clearing does that now;
            // otherwise the first search would, on the game's clock.
            self.used = true;
        }
        self.applied = Some(wanted);
    }

    pub(super) fn make_ready(&mut self) {
        if !matches!(self.activity, Activity::Idle) {
            // What was set since takes effect with the next search.
            self.console.line("readyok");
            return;
        }
        self.apply_options();
        self.forget();
        self.worker.send(Job::Ready);
        self.readying += 1;
    }

    /// Clears what was learnt; for free when nothing was. That is a matter for `isready`, which may
    /// take its time: behind `usinewgame` the clock runs.
    fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.worker.send(Job::Forget);
        }
    }

    pub(super) fn refused(&mut self, setting: Setting, reason: &str) {
        self.console.error(reason);
        // The option shows again what is in force, so that nothing is tried anew at each `go`.
        match setting {
            Setting::Hash(mib) => {
                self.options.hash_mib = mib;
                if let Some(applied) = &mut self.applied {
                    applied.hash_mib = mib;
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
