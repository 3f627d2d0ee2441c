//! `monomi analyze --positions`.

use crate::cli::analyze::Args;
use crate::cli::analyze::list_output::{Folder, Sink, Stdout};
use crate::cli::analyze::outputs::{Names, OutputFormat};
use crate::cli::analyze::progress::ProgressDisplay;
use crate::cli::{INTERRUPTED, PARTLY, Usage, complain};
use crate::lang::Lang;
use crate::lang::{FixedTexts as _, MessageTexts as _};
use anyhow::Context as _;
use monomi_analysis::output::ListRow;
use monomi_analysis::{
    AnalysisSettings, ListedPosition, Place, SearchedPosition, Shard, read_list, search_list,
};
use monomi_batch::files;
use monomi_batch::jobs::Cancel;
use monomi_eval::Evaluation;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

pub fn run(
    args: &Args,
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    out: &mut impl Write,
    lang: Lang,
) -> anyhow::Result<ExitCode> {
    let formats = args.formats();
    if let Some(format) =
        formats.iter().find(|format| !matches!(format, OutputFormat::Jsonl | OutputFormat::Csv))
    {
        let format = format.extension();
        return Err(Usage::new(&lang.positions_formats(format), lang).into());
    }
    let mut names = Names::default();
    let mut to_stdout = Stdout::new(formats.first().copied().unwrap_or(OutputFormat::Jsonl));
    let (mut all_good, mut any) = (true, false);
    for path in &args.files {
        let mut list = match List::open(path, args.quiet, lang) {
            Ok(list) => list,
            Err(error) => {
                complain(&format!("{}: {}", shown(path, lang), lang.error(&error)));
                all_good = false;
                continue;
            }
        };
        any = true;
        match &args.output {
            Some(folder) if folder != Path::new("-") => {
                let shard = args.shard;
                let part = if shard.of == 1 {
                    String::new()
                } else {
                    format!(".{}of{}", shard.index, shard.of)
                };
                let stem = names.unique(&format!("{}{part}", stem(path)));
                let dependence = super::dependence(args, settings);
                let (mut files, place) = Folder::open(folder, &stem, &formats, &dependence, lang)?;
                list.place = place;
                if place != Place::START && !args.quiet {
                    complain(&lang.continuing_after(&list.name, place.lines));
                }
                all_good &= list.search(args, settings, evaluation, cancel, &mut files)?;
                if cancel.is_cancelled() {
                    files.save()?;
                } else {
                    files.finish()?;
                }
            }
            _ => {
                let mut sink = to_stdout.with(out);
                all_good &= list.search(args, settings, evaluation, cancel, &mut sink)?;
            }
        }
        if cancel.is_cancelled() {
            let lines = list.place.lines;
            complain(&lang.list_interrupted(&list.name, lines));
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    anyhow::ensure!(any, lang.no_list_to_search());
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

fn shown(path: &Path, lang: Lang) -> String {
    match path == Path::new("-") {
        true => lang.standard_input().to_owned(),
        false => path.display().to_string(),
    }
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if stem == "-" { "stdin".to_owned() } else { stem.into_owned() }
}

/// A list being searched.
struct List {
    name: String,
    source: Option<Box<dyn std::io::BufRead + Send>>,
    progress: ProgressDisplay,
    /// The place after the last position done.
    place: Place,
    lang: Lang,
}

impl List {
    fn open(path: &Path, quiet: bool, lang: Lang) -> std::io::Result<Self> {
        let mut size = None;
        let source: Box<dyn std::io::BufRead + Send> = if path == Path::new("-") {
            Box::new(BufReader::new(std::io::stdin()))
        } else {
            let file = files::open(path)?;
            let data = file.metadata()?;
            size = data.is_file().then_some(data.len());
            Box::new(BufReader::new(file))
        };
        let name = shown(path, lang);
        let progress = ProgressDisplay::of_list(quiet, &name, size, lang);
        Ok(Self { name, source: Some(source), progress, place: Place::START, lang })
    }

    /// False if there were invalid lines.
    fn search(
        &mut self,
        args: &Args,
        settings: &AnalysisSettings,
        evaluation: &Arc<Evaluation>,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> anyhow::Result<bool> {
        let Some(source) = self.source.take() else { return Ok(true) };
        let entries =
            read_list(source, args.shard, self.place).context(self.lang.reading_the_list())?;
        let (mut all_good, mut failed) = (true, None);
        self.progress.list_from(self.place.bytes);
        let searched = search_list(&entries, settings, evaluation, cancel, &mut |entry, result| {
            if failed.is_some() {
                return;
            }
            match self.line(entry, result, sink) {
                Ok(good) => all_good &= good,
                Err(error) => {
                    failed = Some(error);
                    cancel.cancel();
                }
            }
        });
        self.progress.finish();
        if let Some(error) = failed {
            return Err(error);
        }
        if let Err(error) = searched {
            sink.save(self.place)?;
            return Err(anyhow::Error::new(error).context(self.name.clone()));
        }
        if self.place == Place::START && args.shard == Shard::WHOLE && !cancel.is_cancelled() {
            complain(&format!("{}: {}", self.name, self.lang.no_position_in_list()));
        }
        Ok(all_good)
    }

    /// False for an invalid line.
    fn line(
        &mut self,
        entry: &ListedPosition,
        result: Option<&SearchedPosition>,
        sink: &mut dyn Sink,
    ) -> anyhow::Result<bool> {
        match (&entry.position, result) {
            (Ok(position), Some(searched)) => {
                let row = ListRow::new(&self.name, entry.place.lines, position, searched);
                self.progress.aside(|| sink.row(&row, entry.place))?;
            }
            (Ok(_), None) => {}
            (Err(fault), _) => {
                let fault = format!("{}: {}", self.name, self.lang.fault(fault));
                self.progress.aside(|| complain(&fault));
            }
        }
        self.place = entry.place;
        self.progress.line(self.place.bytes);
        Ok(entry.position.is_ok())
    }
}
