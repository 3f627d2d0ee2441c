//! The files that an analysis writes.

use crate::analyze::output::{CommentStyle, csa, csv, csv_header, html, jsonl, kif, svg};
use crate::analyze::record::{Encoding, shift_jis};
use crate::analyze::rows::Analysis;
use crate::cli::Usage;
use anyhow::Context as _;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What an interrupted run leaves in the output folder.
const JOURNAL: &str = ".monomi-analysis";

/// A kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// A line of JSON for each position (see docs/analysis.md).
    Jsonl,
    /// The same as a table.
    Csv,
    /// The record with comments, as KIF in Shift_JIS.
    Kif,
    /// The record with comments, as KIF in UTF-8.
    Kifu,
    /// The record with comments, as CSA.
    Csa,
    /// A report for the browser, one file.
    Html,
    /// The graph alone.
    Svg,
}

impl Kind {
    /// What files of this kind are called.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Jsonl => "jsonl",
            Kind::Csv => "csv",
            Kind::Kif => "kif",
            Kind::Kifu => "kifu",
            Kind::Csa => "csa",
            Kind::Html => "html",
            Kind::Svg => "svg",
        }
    }
}

/// Names for files, each given once.
#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Inputs of one name may come from several folders.
    pub fn unique(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        name
    }
}

/// Where the outputs go.
pub struct Outputs {
    folder: Option<PathBuf>,
    to_stdout: Option<Kind>,
    kinds: Vec<Kind>,
    style: CommentStyle,
    header_written: bool,
    names: Names,
}

impl Outputs {
    /// Makes the folder.
    pub fn new(output: Option<&Path>, kinds: &[Kind], style: CommentStyle) -> anyhow::Result<Self> {
        let mut outputs = Self {
            folder: None,
            to_stdout: None,
            kinds: kinds.to_vec(),
            style,
            header_written: false,
            names: Names::default(),
        };
        match output {
            None => {}
            Some(path) if path == Path::new("-") => {
                let [kind] = kinds else {
                    return Err(Usage("`-o -` takes one format".to_owned()).into());
                };
                outputs.to_stdout = Some(*kind);
            }
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot write to {}", folder.display()))?;
                outputs.folder = Some(folder.to_owned());
            }
        }
        Ok(outputs)
    }

    /// Where to note what is done, if there is a folder for it.
    pub fn journal_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(JOURNAL))
    }

    /// What goes to standard output instead of a summary.
    pub fn text(&mut self, analysis: &Analysis<'_>) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(kind) = self.to_stdout else { return Ok(None) };
        let mut text = Vec::new();
        if kind == Kind::Csv && !std::mem::replace(&mut self.header_written, true) {
            text.extend(csv_header().into_bytes());
        }
        text.extend(self.render(kind, analysis)?);
        Ok(Some(text))
    }

    /// Writes the game's files. A file appears whole or not at all.
    pub fn write(&mut self, stem: &str, analysis: &Analysis<'_>) -> anyhow::Result<()> {
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        let stem = self.names.unique(stem);
        for kind in self.kinds.clone() {
            let mut text = Vec::new();
            if kind == Kind::Csv {
                text.extend(csv_header().into_bytes());
            }
            text.extend(self.render(kind, analysis)?);
            let path = folder.join(format!("{stem}.monomi.{}", kind.extension()));
            let unfinished = folder.join(format!(".{stem}.monomi.unfinished"));
            std::fs::write(&unfinished, text)
                .and_then(|()| std::fs::rename(&unfinished, &path))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    fn render(&self, kind: Kind, analysis: &Analysis<'_>) -> anyhow::Result<Vec<u8>> {
        let text = match kind {
            Kind::Jsonl => jsonl(analysis)?,
            Kind::Csv => csv(analysis),
            Kind::Kif => return Ok(shift_jis(&kif(analysis, self.style, Encoding::ShiftJis))),
            Kind::Kifu => kif(analysis, self.style, Encoding::Utf8),
            Kind::Csa => csa(analysis, self.style),
            Kind::Html => html(analysis)?,
            Kind::Svg => svg(analysis),
        };
        Ok(text.into_bytes())
    }
}
