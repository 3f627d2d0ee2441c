//! Where the rows of a list go: to standard output, or to files that an interrupted run leaves in a
//! state from which the next one goes on.

use crate::analyze::list::Place;
use crate::analyze::output::{json_line, list_csv, list_csv_header};
use crate::analyze::rows::ListRow;
use crate::cli::analyze::outputs::Kind;
use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two notes of how far the files are.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Takes rows in order.
pub trait Sink {
    /// Writes a row; `place` is behind its line.
    fn row(&mut self, row: &ListRow<'_>, place: Place) -> anyhow::Result<()>;

    /// Notes that everything before `place` is done.
    fn save(&mut self, place: Place) -> anyhow::Result<()>;
}

fn render(kind: Kind, row: &ListRow<'_>) -> anyhow::Result<String> {
    Ok(if kind == Kind::Csv { list_csv(row) } else { json_line(row)? })
}

fn header(kind: Kind) -> String {
    if kind == Kind::Csv { list_csv_header() } else { String::new() }
}

/// Standard output, for all lists together.
pub struct Stdout {
    kind: Kind,
    header: String,
}

impl Stdout {
    pub fn new(kind: Kind) -> Self {
        Self { kind, header: header(kind) }
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
    fn row(&mut self, row: &ListRow<'_>, _: Place) -> anyhow::Result<()> {
        let text = std::mem::take(&mut self.settings.header) + &render(self.settings.kind, row)?;
        self.out.write_all(text.as_bytes())?;
        // Whoever reads may wait for this row before writing the next line.
        Ok(self.out.flush()?)
    }

    fn save(&mut self, _: Place) -> anyhow::Result<()> {
        Ok(())
    }
}

/// How far the files of a list are.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    /// What rows depend on.
    settings: String,
    place: Place,
    /// By file.
    sizes: Vec<u64>,
}

/// The files of a list in a folder: `NAME.monomi.KIND`, called `.part` until they are whole.
pub struct Folder {
    parts: Vec<Part>,
    checkpoint: PathBuf,
    settings: String,
    place: Place,
    saved: Instant,
}

struct Part {
    kind: Kind,
    path: PathBuf,
    part: PathBuf,
    file: File,
    size: u64,
}

impl Folder {
    /// Makes the files, or goes on with those of an interrupted run: from the place returned.
    pub fn open(
        folder: &Path,
        stem: &str,
        kinds: &[Kind],
        settings: &str,
    ) -> anyhow::Result<(Self, Place)> {
        let settings = format!("{settings} {kinds:?}");
        let checkpoint = folder.join(format!(".{stem}.monomi-checkpoint"));
        let known = match std::fs::read(&checkpoint) {
            Ok(bytes) => serde_json::from_slice::<Checkpoint>(&bytes).ok(),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => bail!("cannot read {}: {error}", checkpoint.display()),
        };
        if let Some(known) = &known {
            ensure!(
                known.settings == settings && known.sizes.len() == kinds.len(),
                "{} is of a run with other settings: finish that one, or remove the file",
                checkpoint.display()
            );
        }
        let mut parts = Vec::new();
        for (index, &kind) in kinds.iter().enumerate() {
            let path = folder.join(format!("{stem}.monomi.{}", kind.extension()));
            let part = folder.join(format!("{stem}.monomi.{}.part", kind.extension()));
            let size = known.as_ref().map(|known| known.sizes[index]);
            let (file, size) = open_part(&part, kind, size)
                .with_context(|| format!("cannot write {}", part.display()))?;
            parts.push(Part { kind, path, part, file, size });
        }
        let place = known.map_or(Place::START, |known| known.place);
        Ok((Self { parts, checkpoint, settings, place, saved: Instant::now() }, place))
    }

    /// Notes how far the files are.
    pub fn save(&mut self) -> anyhow::Result<()> {
        let sizes = self.parts.iter().map(|part| part.size).collect();
        let checkpoint = Checkpoint { settings: self.settings.clone(), place: self.place, sizes };
        let new = self.checkpoint.with_extension("monomi-checkpoint-new");
        let text = serde_json::to_vec(&checkpoint)?;
        std::fs::write(&new, text)
            .and_then(|()| std::fs::rename(&new, &self.checkpoint))
            .with_context(|| format!("cannot write {}", self.checkpoint.display()))?;
        self.saved = Instant::now();
        Ok(())
    }

    /// Everything is done: the files get their names.
    pub fn finish(self) -> anyhow::Result<()> {
        match std::fs::remove_file(&self.checkpoint) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                bail!("cannot remove {}: {error}", self.checkpoint.display())
            }
            _ => {}
        }
        for part in self.parts {
            drop(part.file);
            std::fs::rename(&part.part, &part.path)
                .with_context(|| format!("cannot write {}", part.path.display()))?;
        }
        Ok(())
    }
}

/// Opens a file cut to the size it is known to be good for.
fn open_part(path: &Path, kind: Kind, size: Option<u64>) -> std::io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    let Some(size) = size else {
        let mut file = options.create(true).write(true).truncate(true).open(path)?;
        let header = header(kind);
        file.write_all(header.as_bytes())?;
        return Ok((file, header.len() as u64));
    };
    let mut file = options.write(true).open(path)?;
    if file.metadata()?.len() < size {
        return Err(std::io::Error::other("it is shorter than the run before left it"));
    }
    file.set_len(size)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, size))
}

impl Sink for Folder {
    fn row(&mut self, row: &ListRow<'_>, place: Place) -> anyhow::Result<()> {
        for part in &mut self.parts {
            let text = render(part.kind, row)?;
            part.file
                .write_all(text.as_bytes())
                .with_context(|| format!("cannot write {}", part.part.display()))?;
            part.size += text.len() as u64;
        }
        self.place = place;
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self, place: Place) -> anyhow::Result<()> {
        self.place = place;
        Folder::save(self)
    }
}
