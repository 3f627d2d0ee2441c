//! `monomi analyze --positions`.

use crate::commands::analyze::list_output::{Folder, Manifest, Sink, Stdout};
use crate::commands::analyze::messages::{Problem, Task};
use crate::commands::analyze::outputs::{Names, OutputFormat};
use crate::commands::analyze::progress::{ProgressDisplay, ProgressStyle};
use crate::commands::analyze::{Args, BadLines};
use crate::commands::{INTERRUPTED, PARTLY, complain};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_analysis::output::ListRow;
use monomi_analysis::{
    AnalysisSettings, ListedPosition, Place, SearchedPosition, WinScale, read_list, search_list,
};
use monomi_eval::Evaluation;
use monomi_support::batch::files;
use monomi_support::batch::jobs::Cancel;
use monomi_support::batch::shard::Shard;
use monomi_support::text::{AsIs, Message as _, say};
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
) -> Result<ExitCode, Failure> {
    let formats = args.formats();
    if let Some(format) =
        formats.iter().find(|format| !matches!(format, OutputFormat::Jsonl | OutputFormat::Csv))
    {
        return Err(Failure::usage(Problem::PositionsFormat(format.extension())));
    }
    let mut names = Names::default();
    let mut to_stdout = Stdout::new(formats.first().copied().unwrap_or(OutputFormat::Jsonl));
    let (mut all_good, mut any) = (true, false);
    for path in &args.files {
        let mut list = match List::open(path, args.progress(), lang) {
            Ok(list) => list,
            Err(error) => {
                complain(format!("{}: {}", shown(path, lang), error.in_lang(lang)));
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
                let dependence = format!(
                    "{} bad lines {:?} offset {}",
                    super::dependence(settings, evaluation),
                    args.errors,
                    args.line_offset
                );
                let end = || end_of(path).with_context(|| Doing::Reading(path.clone()));
                if shard != Shard::WHOLE
                    && let Some(end) = end()?
                    && let Some(bad) =
                        Manifest::finished((folder, &stem), &formats, &dependence, shard, end)
                {
                    all_good &= bad == 0;
                    if !args.quiet {
                        complain(say!(
                            lang,
                            "{}: shard {shard} is finished already",
                            "{}: {shard} の部分は終わっています",
                            list.name
                        ));
                    }
                    continue;
                }
                let positions = || positions_of(path, args.shard, args.line_offset);
                let mut files = Folder::open(folder, &stem, &formats, &dependence, positions)?;
                let (bad, numbers) = files.bad_lines();
                all_good &= bad == 0;
                list.place = files.place();
                if list.place != Place::START && !args.quiet {
                    list.say_continued(bad, numbers);
                }
                all_good &= list.search(args, settings, evaluation, cancel, &mut files)?;
                if cancel.is_cancelled() {
                    files.save()?;
                } else {
                    let end = end()?;
                    files.finish((shard != Shard::WHOLE).then_some((shard, end)))?;
                }
            }
            _ => {
                let mut sink = to_stdout.with(out);
                all_good &= list.search(args, settings, evaluation, cancel, &mut sink)?;
            }
        }
        if cancel.is_cancelled() {
            complain(say!(
                lang,
                "{}: interrupted; done up to line {}",
                "{}: 中断しました（{} 行目まで完了）",
                list.name,
                list.place.lines
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    if !any {
        return Err(Problem::NoList.into());
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

fn shown(path: &Path, lang: Lang) -> String {
    match path == Path::new("-") {
        true => Doing::StandardInput.in_lang(lang).to_string(),
        false => path.display().to_string(),
    }
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if stem == "-" { "stdin".to_owned() } else { stem.into_owned() }
}

/// A list, if it is a file that can be read again.
fn again(path: &Path) -> std::io::Result<Option<Box<dyn std::io::BufRead + Send>>> {
    if path == Path::new("-") || !path.is_file() {
        return Ok(None);
    }
    monomi_record::list_in_utf8(Box::new(BufReader::new(files::open(path)?))).map(Some)
}

/// The positions of a list with their line numbers in rows, if it can be read again.
fn positions_of(
    path: &Path,
    shard: Shard,
    offset: u64,
) -> std::io::Result<Option<impl Iterator<Item = (u64, String)>>> {
    let Some(source) = again(path)? else { return Ok(None) };
    let entries = read_list(source, shard, Place::START)?.into_iter();
    Ok(Some(entries.filter_map(move |entry| {
        let ListedPosition { place, position, .. } = entry.ok()?;
        Some((place.lines + offset, position.ok()?.to_sfen()))
    })))
}

/// The end of a list, if it can be read again.
fn end_of(path: &Path) -> std::io::Result<Option<Place>> {
    again(path)?.map(Place::end_of).transpose()
}

/// A list being searched.
struct List {
    name: String,
    source: Option<Box<dyn std::io::BufRead + Send>>,
    progress: ProgressDisplay,
    /// The place after the last position done.
    place: Place,
    /// Added to line numbers.
    offset: u64,
    bad_lines: BadLines,
    lang: Lang,
}

impl List {
    fn open(path: &Path, style: ProgressStyle, lang: Lang) -> std::io::Result<Self> {
        let mut size = None;
        let source: Box<dyn std::io::BufRead + Send> = if path == Path::new("-") {
            Box::new(BufReader::new(std::io::stdin()))
        } else {
            let file = files::open(path)?;
            let data = file.metadata()?;
            size = data.is_file().then_some(data.len());
            Box::new(BufReader::new(file))
        };
        let source = monomi_record::list_in_utf8(source)?;
        let name = shown(path, lang);
        let progress = ProgressDisplay::of_list(style, &name, size, lang);
        Ok(Self {
            name,
            source: Some(source),
            progress,
            place: Place::START,
            offset: 0,
            bad_lines: BadLines::Report,
            lang,
        })
    }

    /// `bad` lines before the place held no position; `numbers` are those of the first ones.
    fn say_continued(&self, bad: u64, numbers: &[u64]) {
        let (name, lines) = (&self.name, self.place.lines);
        complain(say!(
            self.lang,
            "{name}: continuing after line {lines}",
            "{name}: {lines} 行目の次から再開します"
        ));
        if bad > 0 {
            let mut list: Vec<String> = numbers.iter().take(20).map(u64::to_string).collect();
            if bad > list.len() as u64 {
                list.push("...".to_owned());
            }
            let list = list.join(", ");
            let lines = count(bad, "line", "lines");
            complain(say!(
                self.lang,
                "{name}: {lines} before it held no position: {list}",
                "{name}: それまでに局面でない行が {bad} 行ありました（{list} 行目）"
            ));
        }
    }

    /// False if there were invalid lines.
    fn search(
        &mut self,
        args: &Args,
        settings: &AnalysisSettings,
        evaluation: &Arc<Evaluation>,
        cancel: &Cancel,
        sink: &mut dyn Sink,
    ) -> Result<bool, Failure> {
        let Some(source) = self.source.take() else { return Ok(true) };
        let entries = read_list(source, args.shard, self.place).context(Task::ReadingTheList)?;
        let (mut all_good, mut failed) = (true, None);
        (self.offset, self.bad_lines) = (args.line_offset, args.errors);
        self.progress.start_from(self.place.bytes);
        let searched = search_list(&entries, settings, evaluation, cancel, &mut |entry, result| {
            if failed.is_some() {
                return;
            }
            let result = result.map(|result| (result, settings.win_scale));
            match self.line(entry, result, sink) {
                Ok(good) => all_good &= good,
                Err(error) => {
                    failed = Some(error);
                    cancel.cancel();
                }
            }
        });
        self.progress.finish(Some(self.place.bytes));
        if let Some(error) = failed {
            return Err(error);
        }
        if let Err(error) = searched {
            sink.save(self.place)?;
            return Err(error).context(AsIs(self.name.clone()));
        }
        if self.place == Place::START && args.shard == Shard::WHOLE && !cancel.is_cancelled() {
            complain(say!(
                self.lang,
                "{}: contains no position",
                "{}: 局面がありません",
                self.name
            ));
        }
        Ok(all_good)
    }

    /// False for an invalid line.
    fn line(
        &mut self,
        entry: &ListedPosition,
        result: Option<(&SearchedPosition, WinScale)>,
        sink: &mut dyn Sink,
    ) -> Result<bool, Failure> {
        let mut good = true;
        match (&entry.position, result) {
            (Err(fault), _) if self.bad_lines == BadLines::Report => {
                let mut fault = fault.clone();
                fault.line += self.offset as usize;
                let fault = format!("{}: {}", self.name, fault.in_lang(self.lang));
                self.progress.aside(|| complain(&fault));
                sink.bad(entry.place)?;
                good = false;
            }
            // Not searched: the analysis was stopped.
            (Ok(_), None) => {}
            (Ok(_), Some(_)) | (Err(_), _) => {
                let row =
                    ListRow::new((&self.name, entry.place.lines + self.offset), entry, result);
                self.progress.aside(|| sink.row(&row, entry.place))?;
            }
        }
        self.place = entry.place;
        self.progress.line(self.place.bytes);
        Ok(good)
    }
}
