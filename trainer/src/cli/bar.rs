//! Progress for people: a bar on a terminal, a line behind each epoch.

use crate::run::{EpochReport, Progress};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::{self, Write};

/// Steps of the bar.
const STEPS: u64 = 1000;

/// The bar of the epoch under way. Where there is no terminal, it is invisible.
pub(super) struct Bar {
    bar: ProgressBar,
    epoch: u64,
}

impl Bar {
    pub(super) fn new() -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(STEPS).with_style(style), epoch: 0 }
    }

    pub(super) fn show(&mut self, progress: &Progress) {
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
    pub(super) fn line(
        &self,
        out: &mut impl Write,
        epochs: u64,
        report: &EpochReport,
    ) -> io::Result<()> {
        let progress = &report.progress;
        let held_out = report.held_out.map_or("-".to_owned(), |loss| format!("{loss:.6}"));
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
