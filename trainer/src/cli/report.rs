//! Progress for people: a bar on a terminal, a line after each epoch.

use crate::scales::OUTPUT_UNIT;
use crate::training_loop::{EpochReport, HeldOut, TrainingProgress};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::{self, Write};

/// Steps of the bar.
const STEPS: u64 = 1000;

/// The progress bar of the current epoch; invisible without a terminal.
pub(super) struct Bar {
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

impl Bar {
    pub(super) fn new() -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(STEPS).with_style(style), epoch: 0 }
    }

    pub(super) fn show(&mut self, progress: &TrainingProgress) {
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
