//! Writes problems that a command has found or made.

use crate::commands::problems::Problem;
use crate::commands::tsume::check::defects_in_json;
use crate::commands::tsume::record::{Folder, check_record};
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_analysis::usi;
use monomi_mate::tsume::SoundProblem;
use monomi_movegen::Position;
use serde_json::json;
use shogi_core::{PartialPosition, Square};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

/// How problems are written.
#[derive(Debug, clap::Args)]
pub struct Form {
    /// Print one JSON object for each problem.
    #[arg(long)]
    json: bool,
    /// Write a record (KIF) of each problem with its solution into this folder.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    kif: Option<PathBuf>,
}

/// Where a problem comes from.
pub struct Origin {
    /// The file.
    pub game: String,
    /// Moves before the position.
    pub after: usize,
    /// Whether the player has missed the mate.
    pub missed: bool,
}

/// Writes problems, each once.
pub struct Found<'a> {
    form: &'a Form,
    folder: Option<Folder>,
    known: HashSet<String>,
    lang: Lang,
}

impl<'a> Found<'a> {
    pub fn new(form: &'a Form, lang: Lang) -> Result<Self, Failure> {
        let folder = form.kif.as_deref().map(Folder::open).transpose()?;
        Ok(Self { form, folder, known: HashSet::new(), lang })
    }

    /// How many have been written.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Writes a problem unless it or its mirror image has been written.
    pub fn write(
        &mut self,
        problem: SoundProblem,
        origin: Option<&Origin>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if !self.known.insert(either_way(&problem.position)) {
            return Ok(());
        }
        let SoundProblem { position, solution, defects, .. } = problem;
        let (sfen, line) = (position.to_sfen(), usi(&solution.line));
        if self.form.json {
            let mut object = json!({
                "sfen": sfen,
                "sound": true,
                "plies": solution.line.len(),
                "line": line,
                "shortest": true,
                "hand_left": "",
                "defects": defects_in_json(&defects),
            });
            if let Some(Origin { game, after, missed }) = origin {
                object["source"] = json!({ "file": game, "after": after, "missed": missed });
            }
            writeln!(out, "{object}")?;
        } else {
            if let Some(origin) = origin {
                writeln!(out, "{}", origin.comment(self.lang))?;
            }
            writeln!(out, "{sfen} moves {line}")?;
        }
        // Whoever reads it sees each problem at once.
        out.flush()?;
        if let Some(folder) = &self.folder {
            let name = origin.map_or_else(String::new, |origin| origin.game.clone());
            let problem = Problem { name, position, solution: Vec::new() };
            let record = check_record(&problem, &solution, &defects, self.lang);
            folder.write(self.count() - 1, &record)?;
        }
        Ok(())
    }
}

impl Origin {
    /// A line that readers of problems skip.
    fn comment(&self, lang: Lang) -> String {
        let Self { game, after, missed } = self;
        let game = game.replace(char::is_control, "\u{FFFD}");
        match (missed, lang) {
            (true, Lang::En) => format!("# {game}, after {after} moves, missed"),
            (false, Lang::En) => format!("# {game}, after {after} moves"),
            (true, Lang::Ja) => format!("# {game}、{after} 手目の後、詰み逃し"),
            (false, Lang::Ja) => format!("# {game}、{after} 手目の後"),
        }
    }
}

/// The same text for a position and its mirror image.
fn either_way(position: &Position) -> String {
    let partial = position.to_partial();
    let mut mirrored = partial.clone();
    for square in Square::all() {
        let opposite = Square::new(10 - square.file(), square.rank());
        mirrored.piece_set(square, opposite.and_then(|square| partial.piece_at(square)));
    }
    let text = |partial: &PartialPosition| {
        let sfen = partial.to_sfen_owned();
        // Without the move number.
        sfen.rsplit_once(' ').map_or(sfen.clone(), |(position, _)| position.to_owned())
    };
    text(&partial).min(text(&mirrored))
}
