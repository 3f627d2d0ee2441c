//! The output files of an analysis.

use crate::commands::analyze::messages::Problem;
use crate::failure::{Context as _, Doing, Failure};
use monomi_analysis::AnalyzedGame;
use monomi_analysis::output::{
    CommentStyle, EngineInfo, IndexRow, csa, csv, csv_header, html, index, jsonl, kif, svg,
};
use monomi_record::{Encoding, shift_jis};
use monomi_support::batch::files;
use std::collections::HashSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// Name of the journal in the output folder.
const JOURNAL: &str = ".monomi-analysis";

/// Name of the index of reports in the output folder.
const INDEX: &str = "index.monomi.html";

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    /// One JSON object per line for each position (see docs/analysis.md).
    Jsonl,
    /// The same as a table.
    Csv,
    /// Annotated KIF in Shift_JIS, on a terminal in UTF-8.
    Kif,
    /// Annotated KIF in UTF-8.
    Kifu,
    /// Annotated CSA in UTF-8.
    Csa,
    /// A report for the browser in a single file.
    Html,
    /// The graph only.
    Svg,
}

impl OutputFormat {
    /// Extension of the file name.
    pub fn extension(self) -> &'static str {
        match self {
            OutputFormat::Jsonl => "jsonl",
            OutputFormat::Csv => "csv",
            OutputFormat::Kif => "kif",
            OutputFormat::Kifu => "kifu",
            OutputFormat::Csa => "csa",
            OutputFormat::Html => "html",
            OutputFormat::Svg => "svg",
        }
    }
}

/// Makes file names unique.
#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Appends a number if the name was used before.
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

fn replace(path: &Path, text: &[u8]) -> Result<(), Failure> {
    files::write(path, text).with_context(|| Doing::Writing(path.to_owned()))
}

/// Writes the outputs.
pub struct Outputs {
    folder: Option<PathBuf>,
    to_stdout: Option<OutputFormat>,
    formats: Vec<OutputFormat>,
    style: CommentStyle,
    engine: EngineInfo,
    /// Reports written so far.
    reports: Vec<IndexRow>,
    header_written: bool,
    names: Names,
}

impl Outputs {
    /// Creates the folder.
    pub fn new(
        output: Option<&Path>,
        formats: &[OutputFormat],
        style: CommentStyle,
        engine: EngineInfo,
    ) -> Result<Self, Failure> {
        let mut outputs = Self {
            folder: None,
            to_stdout: None,
            formats: formats.to_vec(),
            style,
            engine,
            reports: Vec::new(),
            header_written: false,
            names: Names::default(),
        };
        match output {
            None => {}
            Some(path) if path == Path::new("-") => {
                let [format] = formats else {
                    return Err(Failure::usage(Problem::OneFormatOnly));
                };
                outputs.to_stdout = Some(*format);
            }
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| Doing::Writing(folder.to_owned()))?;
                outputs.folder = Some(folder.to_owned());
            }
        }
        Ok(outputs)
    }

    /// Path of the journal, if there is an output folder.
    pub fn journal_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(JOURNAL))
    }

    /// The text for standard output instead of a summary.
    pub fn text(&mut self, analysis: &AnalyzedGame<'_>) -> Result<Option<Vec<u8>>, Failure> {
        let Some(format) = self.to_stdout else { return Ok(None) };
        let mut text = Vec::new();
        if format == OutputFormat::Csv && !std::mem::replace(&mut self.header_written, true) {
            text.extend(csv_header().into_bytes());
        }
        let terminal = std::io::stdout().is_terminal();
        // Terminals do not understand Shift_JIS.
        let shown =
            if terminal && format == OutputFormat::Kif { OutputFormat::Kifu } else { format };
        text.extend(self.render(shown, analysis)?);
        if terminal {
            // Names in records may contain escape sequences.
            text.retain(|byte| !matches!(byte, 0..=8 | 11..=31 | 127));
        }
        Ok(Some(text))
    }

    /// Writes the files of a game. Each appears only once it is complete.
    pub fn write(&mut self, stem: &str, analysis: &AnalyzedGame<'_>) -> Result<(), Failure> {
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        let stem = self.names.unique(stem);
        for format in self.formats.clone() {
            let mut text = Vec::new();
            if format == OutputFormat::Csv {
                text.extend(csv_header().into_bytes());
            }
            text.extend(self.render(format, analysis)?);
            let name = format!("{stem}.monomi.{}", format.extension());
            if format == OutputFormat::Html {
                self.reports.push(IndexRow::new(analysis, name.clone()));
            }
            replace(&folder.join(name), &text)?;
        }
        Ok(())
    }

    /// Writes an index of the reports, if there are several.
    pub fn finish(&self) -> Result<(), Failure> {
        match &self.folder {
            Some(folder) if self.reports.len() > 1 => {
                replace(&folder.join(INDEX), index(&self.reports)?.as_bytes())
            }
            _ => Ok(()),
        }
    }

    fn render(
        &self,
        format: OutputFormat,
        analysis: &AnalyzedGame<'_>,
    ) -> Result<Vec<u8>, Failure> {
        let text = match format {
            OutputFormat::Jsonl => jsonl(analysis)?,
            OutputFormat::Csv => csv(analysis),
            OutputFormat::Kif => {
                return Ok(shift_jis(&kif(analysis, self.style, Encoding::ShiftJis)));
            }
            OutputFormat::Kifu => kif(analysis, self.style, Encoding::Utf8),
            OutputFormat::Csa => csa(analysis, self.style),
            OutputFormat::Html => html(analysis, &self.engine)?,
            OutputFormat::Svg => svg(analysis),
        };
        Ok(text.into_bytes())
    }
}
