//! Writes the results for a list of positions: to standard output, or to files that the next run can
//! continue after an interruption.

use crate::commands::analyze::messages::Problem;
use crate::commands::analyze::outputs::OutputFormat;
use crate::failure::{Context as _, Doing, Failure};
use monomi_analysis::Place;
use monomi_analysis::output::{ListRow, json_line, list_csv, list_csv_header};
use monomi_support::batch::files;
use monomi_support::batch::shard::Shard;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, ErrorKind, Seek as _, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between checkpoints: a hundredth of what the run has taken so far, within these limits. On a shared file
/// system the checkpoints of many processes are the larger part of the requests.
const SAVE_EVERY: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(60);

/// The time from the last checkpoint to the next one, in a run that has taken so long.
fn save_every(taken: Duration) -> Duration {
    (taken / 100).clamp(*SAVE_EVERY.start(), *SAVE_EVERY.end())
}

/// Receives the rows in order.
pub trait Sink {
    /// Writes a row; `place` is after its line.
    fn row(&mut self, row: &ListRow<'_>, place: Place) -> Result<(), Failure>;

    /// Notes a line that holds no position; `place` is after it.
    fn bad(&mut self, place: Place) -> Result<(), Failure>;

    /// Stores that everything before `place` is done.
    fn save(&mut self, place: Place) -> Result<(), Failure>;
}

fn render(format: OutputFormat, row: &ListRow<'_>) -> Result<String, Failure> {
    Ok(if format == OutputFormat::Csv { list_csv(row) } else { json_line(row)? })
}

fn header(format: OutputFormat) -> String {
    if format == OutputFormat::Csv { list_csv_header() } else { String::new() }
}

/// Standard output, shared by all lists.
pub struct Stdout {
    format: OutputFormat,
    header: String,
}

impl Stdout {
    pub fn new(format: OutputFormat) -> Self {
        Self { format, header: header(format) }
    }

    pub fn with<'a, W: Write>(&'a mut self, out: &'a mut W) -> StdoutSink<'a, W> {
        StdoutSink { settings: self, out }
    }
}

pub struct StdoutSink<'a, W> {
    settings: &'a mut Stdout,
    out: &'a mut W,
}

impl<W: Write> Sink for StdoutSink<'_, W> {
    fn row(&mut self, row: &ListRow<'_>, _: Place) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.settings.header) + &render(self.settings.format, row)?;
        self.out.write_all(text.as_bytes())?;
        // The reader may wait for this row before it writes the next line.
        Ok(self.out.flush()?)
    }

    fn bad(&mut self, _: Place) -> Result<(), Failure> {
        Ok(())
    }

    fn save(&mut self, _: Place) -> Result<(), Failure> {
        Ok(())
    }
}

/// At most so many numbers of invalid lines are kept.
const MOST_BAD_LINES: usize = 1000;

/// State of the files of a list.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    /// Settings on which the rows depend.
    settings: String,
    place: Place,
    /// Size of each file in bytes.
    sizes: Vec<u64>,
    /// Lines that held no position: how many, and the first of them.
    #[serde(default)]
    bad: u64,
    #[serde(default)]
    bad_lines: Vec<u64>,
}

/// What is known of a finished shard, in a file beside its results; `monomi merge` reads it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of this shard, from 1, and the number of shards.
    pub shard: [u64; 2],
    /// Settings on which the rows depend.
    pub settings: String,
    /// The end of the list, if it was a file.
    pub end: Option<Place>,
    /// Number of lines that held no position and have no row.
    pub bad: u64,
}

impl Manifest {
    /// Whether the results of a shard are complete already: the number of lines without a position, or `None` if
    /// they are missing or were not of these settings and the list with this end.
    pub fn finished(
        (folder, stem): (&Path, &str),
        formats: &[OutputFormat],
        dependence: &str,
        shard: Shard,
        end: Place,
    ) -> Option<u64> {
        let text = files::read(&folder.join(format!("{stem}.monomi.shard.json"))).ok()?;
        let manifest: Self = serde_json::from_slice(&text).ok()?;
        let is_there = |format: &OutputFormat| {
            folder.join(format!("{stem}.monomi.{}", format.extension())).is_file()
        };
        (manifest.shard == [shard.index, shard.of]
            && manifest.settings == dependence
            && manifest.end == Some(end)
            && formats.iter().all(is_there))
        .then_some(manifest.bad)
    }

    /// The place of the manifest of results, by their names; `None` if they do not have a name that this
    /// program gives.
    pub fn of_results(path: &Path) -> Option<(PathBuf, OutputFormat)> {
        let name = path.file_name()?.to_str()?;
        let (stem, format) =
            [OutputFormat::Jsonl, OutputFormat::Csv].into_iter().find_map(|format| {
                let stem = name.strip_suffix(format.extension())?.strip_suffix(".monomi.")?;
                Some((stem, format))
            })?;
        Some((path.with_file_name(format!("{stem}.monomi.shard.json")), format))
    }
}

/// The beginning of a row.
#[derive(Deserialize)]
struct RowHead {
    line: u64,
    /// Missing in a row of a line without a position.
    #[serde(default)]
    sfen: String,
}

/// The line and the position of a row, empty for a line without one; `None` if it is no row of a list.
pub fn head(format: OutputFormat, row: &str) -> Option<(u64, String)> {
    if format != OutputFormat::Csv {
        let RowHead { line, sfen } = serde_json::from_str(row).ok()?;
        return Some((line, sfen));
    }
    // The name of the list may contain anything.
    let after_name = match row.strip_prefix('"') {
        Some(quoted) => {
            let end = quoted.replace("\"\"", "..").find('"')?;
            quoted[end + 1..].strip_prefix(',')?
        }
        None => row.split_once(',')?.1,
    };
    let mut fields = after_name.split(',');
    Some((fields.next()?.parse().ok()?, fields.next()?.to_owned()))
}

/// Whether a finished file holds the rows of other positions than these, by line. What is no such file is left to
/// the user, who wanted it replaced.
fn is_of_another_list(
    path: &Path,
    format: OutputFormat,
    positions: impl Iterator<Item = (u64, String)>,
) -> std::io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut rows = Vec::new();
    for row in file.lines().skip(usize::from(format == OutputFormat::Csv)) {
        match head(format, &row?) {
            Some((_, sfen)) if sfen.is_empty() => {}
            Some(row) => rows.push(row),
            None => return Ok(false),
        }
    }
    Ok(!rows.is_empty() && !positions.eq(rows))
}

/// The files of a list in a folder: `NAME.monomi.FORMAT`, with `.part` appended until they are
/// complete.
pub struct Folder {
    parts: Vec<Part>,
    checkpoint: PathBuf,
    manifest: PathBuf,
    /// Settings on which rows depend.
    dependence: String,
    settings: String,
    place: Place,
    bad: u64,
    bad_lines: Vec<u64>,
    begun: Instant,
    flushed: Instant,
    saved: Instant,
    _claim: files::Claim,
}

struct Part {
    format: OutputFormat,
    path: PathBuf,
    part: PathBuf,
    /// What is not written yet is no loss if the process is killed: the next run continues at the checkpoint.
    file: BufWriter<File>,
    size: u64,
}

impl Folder {
    /// Creates the files, or continues those of an interrupted run. `positions` returns those of the list with
    /// their lines, if it can be read twice.
    pub fn open<P: Iterator<Item = (u64, String)>>(
        folder: &Path,
        stem: &str,
        formats: &[OutputFormat],
        dependence: &str,
        positions: impl FnOnce() -> std::io::Result<Option<P>>,
    ) -> Result<Self, Failure> {
        let settings = format!("{dependence} {formats:?}");
        let path =
            |format: OutputFormat| folder.join(format!("{stem}.monomi.{}", format.extension()));
        let claimed = folder.join(format!("{stem}.monomi"));
        let shown = formats.first().map_or_else(|| claimed.clone(), |&format| path(format));
        let claim = files::Claim::new(&claimed).with_context(|| Doing::Writing(shown))?;
        let finished = formats.iter().map(|&format| (path(format), format));
        if let Some((path, format)) = finished.into_iter().find(|(path, _)| path.exists())
            && let Some(positions) = positions()?
            && is_of_another_list(&path, format, positions)
                .with_context(|| Doing::Reading(path.clone()))?
        {
            return Err(Problem::ResultsOfAnotherList(path).into());
        }
        let checkpoint = folder.join(format!(".{stem}.monomi-checkpoint"));
        let known = match std::fs::read(&checkpoint) {
            Ok(bytes) => serde_json::from_slice::<Checkpoint>(&bytes).ok(),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).context(Doing::Reading(checkpoint)),
        };
        if known
            .as_ref()
            .is_some_and(|known| known.settings != settings || known.sizes.len() != formats.len())
        {
            return Err(Problem::CheckpointOfOtherSettings(checkpoint).into());
        }
        let mut parts = Vec::new();
        for (index, &format) in formats.iter().enumerate() {
            let path = path(format);
            let part = folder.join(format!("{stem}.monomi.{}.part", format.extension()));
            let size = known.as_ref().map(|known| known.sizes[index]);
            let (file, size) =
                open_part(&part, format, size).with_context(|| Doing::Writing(part.clone()))?;
            let file = BufWriter::with_capacity(1 << 20, file);
            parts.push(Part { format, path, part, file, size });
        }
        let (place, bad, bad_lines) = known.map_or((Place::START, 0, Vec::new()), |known| {
            (known.place, known.bad, known.bad_lines)
        });
        Ok(Self {
            parts,
            checkpoint,
            manifest: folder.join(format!("{stem}.monomi.shard.json")),
            dependence: dependence.to_owned(),
            settings,
            place,
            bad,
            bad_lines,
            begun: Instant::now(),
            flushed: Instant::now(),
            saved: Instant::now(),
            _claim: claim,
        })
    }

    /// The place up to which earlier runs have come.
    pub fn place(&self) -> Place {
        self.place
    }

    /// How many lines held no position so far, and the numbers of the first ones.
    pub fn bad_lines(&self) -> (u64, &[u64]) {
        (self.bad, &self.bad_lines)
    }

    /// Hands the rows to the system, and waits until they are on the disk if `sync`.
    fn flush(&mut self, sync: bool) -> Result<(), Failure> {
        for Part { file, part, .. } in &mut self.parts {
            let written =
                file.flush().and_then(|()| if sync { file.get_ref().sync_data() } else { Ok(()) });
            written.with_context(|| Doing::Writing(part.clone()))?;
        }
        self.flushed = Instant::now();
        Ok(())
    }

    /// Writes a checkpoint, after the rows that it counts: if the machine fails, both are on the disk or only the rows.
    pub fn save(&mut self) -> Result<(), Failure> {
        self.flush(true)?;
        let checkpoint = Checkpoint {
            settings: self.settings.clone(),
            place: self.place,
            sizes: self.parts.iter().map(|part| part.size).collect(),
            bad: self.bad,
            bad_lines: self.bad_lines.clone(),
        };
        let text = serde_json::to_vec(&checkpoint).map_err(std::io::Error::from)?;
        files::write(&self.checkpoint, &text)
            .with_context(|| Doing::Writing(self.checkpoint.clone()))?;
        self.saved = Instant::now();
        Ok(())
    }

    /// The list is complete: renames the files. For a shard, given with the end of its list, a manifest is
    /// written.
    pub fn finish(mut self, shard: Option<(Shard, Option<Place>)>) -> Result<(), Failure> {
        // The checkpoint stays until all rows are on the disk.
        self.flush(true)?;
        // A manifest stands only beside results that are complete.
        for old in [&self.manifest, &self.checkpoint] {
            files::remove(old).with_context(|| Doing::Removing(old.clone()))?;
        }
        for part in self.parts {
            drop(part.file);
            files::rename(&part.part, &part.path)
                .with_context(|| Doing::Writing(part.path.clone()))?;
        }
        if let Some((shard, end)) = shard {
            let manifest = Manifest {
                shard: [shard.index, shard.of],
                settings: self.dependence,
                end,
                bad: self.bad,
            };
            let text = serde_json::to_vec(&manifest).map_err(std::io::Error::from)?;
            files::write(&self.manifest, &text).with_context(|| Doing::Writing(self.manifest))?;
        }
        Ok(())
    }
}

/// Opens a file and truncates it to the size in the checkpoint.
fn open_part(path: &Path, format: OutputFormat, size: Option<u64>) -> Result<(File, u64), Failure> {
    let mut options = OpenOptions::new();
    let Some(size) = size else {
        let mut file = options.create(true).write(true).truncate(true).open(path)?;
        let header = header(format);
        file.write_all(header.as_bytes())?;
        return Ok((file, header.len() as u64));
    };
    let mut file = options.write(true).open(path)?;
    if file.metadata()?.len() < size {
        return Err(Problem::ShorterThanCheckpoint.into());
    }
    file.set_len(size)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, size))
}

impl Sink for Folder {
    fn row(&mut self, row: &ListRow<'_>, place: Place) -> Result<(), Failure> {
        for part in &mut self.parts {
            let text = render(part.format, row)?;
            part.file
                .write_all(text.as_bytes())
                .with_context(|| Doing::Writing(part.part.clone()))?;
            part.size += text.len() as u64;
        }
        self.place = place;
        let save_every = save_every(self.begun.elapsed());
        if self.saved.elapsed() >= save_every {
            self.save()?;
        } else if self.flushed.elapsed() >= save_every / 10 {
            self.flush(false)?;
        }
        Ok(())
    }

    fn bad(&mut self, place: Place) -> Result<(), Failure> {
        self.place = place;
        self.bad += 1;
        if self.bad_lines.len() < MOST_BAD_LINES {
            self.bad_lines.push(place.lines);
        }
        Ok(())
    }

    fn save(&mut self, place: Place) -> Result<(), Failure> {
        self.place = place;
        Folder::save(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_become_rarer_in_long_runs() {
        let seconds = |taken| save_every(Duration::from_secs(taken)).as_secs();
        assert_eq!([0, 99, 500, 3600, 6000, 86_400].map(seconds), [1, 1, 5, 36, 60, 60]);
    }
}
