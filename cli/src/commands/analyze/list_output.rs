//! Writes the results for a list of positions: to standard output, or to files that the next run can
//! continue after an interruption.

use crate::commands::analyze::messages::Problem;
use crate::commands::analyze::outputs::OutputFormat;
use crate::failure::{Context as _, Doing, Failure};
use monomi_analysis::Place;
use monomi_analysis::output::{ListRow, json_line, list_csv, list_csv_header};
use monomi_support::batch::files;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval between checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Receives the rows in order.
pub trait Sink {
    /// Writes a row; `place` is after its line.
    fn row(&mut self, row: &ListRow<'_>, place: Place) -> Result<(), Failure>;

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

    fn save(&mut self, _: Place) -> Result<(), Failure> {
        Ok(())
    }
}

/// State of the files of a list.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    /// Settings on which the rows depend.
    settings: String,
    place: Place,
    /// Size of each file in bytes.
    sizes: Vec<u64>,
}

/// The files of a list in a folder: `NAME.monomi.FORMAT`, with `.part` appended until they are
/// complete.
pub struct Folder {
    parts: Vec<Part>,
    checkpoint: PathBuf,
    settings: String,
    place: Place,
    saved: Instant,
}

struct Part {
    format: OutputFormat,
    path: PathBuf,
    part: PathBuf,
    file: File,
    size: u64,
}

impl Folder {
    /// Creates the files, or continues those of an interrupted run from the returned place.
    pub fn open(
        folder: &Path,
        stem: &str,
        formats: &[OutputFormat],
        settings: &str,
    ) -> Result<(Self, Place), Failure> {
        let settings = format!("{settings} {formats:?}");
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
            let path = folder.join(format!("{stem}.monomi.{}", format.extension()));
            let part = folder.join(format!("{stem}.monomi.{}.part", format.extension()));
            let size = known.as_ref().map(|known| known.sizes[index]);
            let (file, size) =
                open_part(&part, format, size).with_context(|| Doing::Writing(part.clone()))?;
            parts.push(Part { format, path, part, file, size });
        }
        let place = known.map_or(Place::START, |known| known.place);
        Ok((Self { parts, checkpoint, settings, place, saved: Instant::now() }, place))
    }

    /// Writes a checkpoint.
    pub fn save(&mut self) -> Result<(), Failure> {
        let sizes = self.parts.iter().map(|part| part.size).collect();
        let checkpoint = Checkpoint { settings: self.settings.clone(), place: self.place, sizes };
        let text = serde_json::to_vec(&checkpoint).map_err(std::io::Error::from)?;
        files::write(&self.checkpoint, &text)
            .with_context(|| Doing::Writing(self.checkpoint.clone()))?;
        self.saved = Instant::now();
        Ok(())
    }

    /// The list is complete: renames the files.
    pub fn finish(self) -> Result<(), Failure> {
        files::remove(&self.checkpoint)
            .with_context(|| Doing::Removing(self.checkpoint.clone()))?;
        for part in self.parts {
            drop(part.file);
            files::rename(&part.part, &part.path)
                .with_context(|| Doing::Writing(part.path.clone()))?;
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
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self, place: Place) -> Result<(), Failure> {
        self.place = place;
        Folder::save(self)
    }
}
