//! The progress of long searches for a mate, on a terminal.

use crate::commands::{complain, progress};
use crate::lang::{Lang, count};
use indicatif::ProgressBar;
use monomi_analysis::usi;
use monomi_mate::MateProgress;
use monomi_mate::tsume::TsumeProgress;
use monomi_support::text::say;
use std::io::IsTerminal as _;
use std::time::Duration;

/// Moves of the line being searched.
const LINE_HEAD: usize = 8;

/// Memory of the lines of a thread of the mate solver at most, in MiB: 4,000 plies with up to 600 moves of 40 bytes.
const LINES: usize = 96;

/// A bar on a terminal, with what the searches report each second.
pub struct LongSearch {
    bar: ProgressBar,
    lang: Lang,
}

impl LongSearch {
    /// For so many problems; `None` if they are not counted before. Says first how much memory the
    /// searches may take: `tables` and `stacks` together, in MiB, and what the lines of `threads` take.
    pub fn new(
        problems: Option<usize>,
        tables: usize,
        stacks: usize,
        threads: usize,
        lang: Lang,
    ) -> Self {
        let more = stacks + LINES * threads;
        let template = match problems {
            Some(2..) => "{bar:20} {pos}/{len}  {elapsed_precise}{left}  {wide_msg}",
            _ => "{elapsed_precise}  {wide_msg}",
        };
        let length = problems.map(|problems| problems as u64);
        let bar = progress::bar(false, length, template, lang);
        if std::io::stderr().is_terminal() {
            complain(say!(
                lang,
                "tables take at most {tables} MiB, stacks and lines at most {more} MiB",
                "メモリ: 置換表は最大 {tables} MiB、スタックと手順は最大 {more} MiB"
            ));
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, lang }
    }

    /// What the search for any mate knows.
    pub fn mate(&self, progress: &MateProgress) {
        let head = head(progress.nodes, progress.hashfull, self.lang);
        self.bar.set_message(format!("{head}{}", numbers(progress, self.lang)));
    }

    /// What the search for the shortest mate knows.
    pub fn tsume(&self, progress: &TsumeProgress) {
        let mut text = head(progress.nodes, progress.hashfull, self.lang);
        let shorter = progress.at_least.saturating_sub(1);
        if shorter > 0 {
            text += &say!(self.lang, ", no mate within {shorter}", "、{shorter} 手以内の詰みなし");
        }
        if let Some(any) = &progress.any {
            text += &numbers(any, self.lang);
        }
        self.bar.set_message(text);
    }

    /// A problem is done: writes its result above the bar.
    pub fn done<R>(&self, write: impl FnOnce() -> R) -> R {
        let result = self.bar.suspend(write);
        self.bar.inc(1);
        result
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn head(nodes: u64, hashfull: usize, lang: Lang) -> String {
    let table = hashfull as f64 / 10.0;
    let english = count(nodes, "node", "nodes");
    say!(lang, "{english}, table {table:.1} %", "{nodes} ノード、置換表 {table:.1} %")
}

/// Proof and disproof number, and the line being searched.
fn numbers(progress: &MateProgress, lang: Lang) -> String {
    let MateProgress { proof, disproof, line, .. } = progress;
    let line = usi(&line[..line.len().min(LINE_HEAD)]);
    say!(
        lang,
        ", proof {proof}, disproof {disproof}: {line}",
        "、証明数 {proof}、反証数 {disproof}: {line}"
    )
}
