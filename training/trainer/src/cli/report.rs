//! Progress for people: a bar on a terminal, a line after each epoch.

use crate::scales::OUTPUT_UNIT;
use crate::training_loop::{EpochReport, HeldOut, TrainingProgress, Watcher};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Steps of the bar.
const STEPS: u64 = 1000;

/// The progress bar of the current epoch; invisible without a terminal.
struct Bar {
    bar: ProgressBar,
    epoch: u64,
}

/// The losses of held-out positions.
pub(super) fn losses(held_out: &HeldOut) -> String {
    let written = match held_out.written {
        None => String::new(),
        Some(written) => {
            let change = 100.0 * (written / held_out.loss - 1.0);
            format!(", written file {written:.6} ({change:+.1} %)")
        }
    };
    let fit = held_out.fit;
    format!(
        "{:.6}{written}, fitted {:.6} (scale {:.3}, offset {:+.0})",
        held_out.loss,
        fit.loss,
        fit.scale,
        fit.offset * f64::from(OUTPUT_UNIT),
    )
}

/// Shows the progress of a run, and writes what has been learned after each epoch.
pub(super) struct Reporter<'a, W, S> {
    bar: Bar,
    out: &'a mut W,
    /// Is given the learner and the number of epochs done.
    save: S,
    failed: Option<anyhow::Error>,
}

impl<'a, W: Write, S> Reporter<'a, W, S> {
    pub(super) fn new(out: &'a mut W, save: S) -> Self {
        Self { bar: Bar::new(), out, save, failed: None }
    }

    /// The error that ended the run, if one did.
    pub(super) fn result(self) -> anyhow::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}

impl<L, W: Write, S: FnMut(&mut L, u64) -> anyhow::Result<()>> Watcher<L> for Reporter<'_, W, S> {
    fn batch(&mut self, progress: &TrainingProgress) -> ControlFlow<()> {
        self.bar.show(progress);
        ControlFlow::Continue(())
    }

    fn epoch(&mut self, learner: &mut L, epochs: u64, report: &EpochReport) -> ControlFlow<()> {
        let line = self.bar.line(self.out, epochs, report).map_err(anyhow::Error::from);
        match line.and_then(|()| (self.save)(learner, epochs)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

impl Bar {
    fn new() -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(STEPS).with_style(style), epoch: 0 }
    }

    fn show(&mut self, progress: &TrainingProgress) {
        if progress.epoch != self.epoch {
            self.epoch = progress.epoch;
            self.bar.reset();
        }
        self.bar.set_position((progress.done * STEPS as f64) as u64);
        self.bar.set_message(format!(
            "epoch {} loss {:.6} {}/s",
            progress.epoch + 1,
            progress.loss,
            HumanCount(progress.speed() as u64)
        ));
    }

    /// Writes the line of an epoch.
    fn line(&self, out: &mut impl Write, epochs: u64, report: &EpochReport) -> io::Result<()> {
        let progress = &report.progress;
        let held_out = report.held_out.as_ref().map_or("-".to_owned(), losses);
        self.bar.suspend(|| {
            writeln!(
                out,
                "epoch {epochs}: {} positions, loss {:.6}, held out {held_out}, rate {:.2e}, {}/s",
                HumanCount(progress.samples),
                progress.loss,
                progress.rate,
                HumanCount(progress.speed() as u64),
            )?;
            out.flush()
        })
    }
}
