//! Records of solutions.

use crate::commands::problems::Problem;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_mate::tsume::{Defect, Solution, Variation, VariationKind};
use monomi_movegen::PackedMove;
use monomi_record::{Branch, Encoding, Ending, Played, Record, write};
use monomi_support::batch::files;
use monomi_support::text::{Message as _, say};
use std::path::{Path, PathBuf};

/// A folder of records.
pub struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, which is created if it is not there.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(path).with_context(|| Doing::Writing(path.to_owned()))?;
        Ok(Self(path.to_owned()))
    }

    /// Writes the record of a problem: `0001.kif` for the first one.
    pub fn write(&self, index: usize, record: &Record) -> Result<(), Failure> {
        let path = self.0.join(format!("{:04}.kif", index + 1));
        files::write(&path, write::kif(record, Encoding::Utf8).as_bytes())
            .with_context(|| Doing::Writing(path.clone()))?;
        Ok(())
    }
}

fn played(moves: &[PackedMove]) -> Vec<Played> {
    moves.iter().map(|&mv| Played::new(mv)).collect()
}

/// A record of the main line with variations and comments.
pub fn solution_record(
    problem: &Problem,
    solution: &Solution,
    variations: &[Variation],
    lang: Lang,
) -> Record {
    let plies = solution.line.len();
    let proven = if solution.shortest {
        say!(lang, "mate in {plies}", "{plies} 手詰")
    } else {
        say!(
            lang,
            "mate in {plies}, not proven to be the shortest",
            "{plies} 手詰（最短とは証明されていません）"
        )
    };
    let mut record = Record::new(problem.position.clone());
    record.headers = vec![("手合割".to_owned(), "詰将棋".to_owned())];
    record.comments = vec![proven];
    record.moves = played(&solution.line);
    record.ending = Some(Ending::Mate);
    record.branches = variations.iter().map(|variation| branch(variation, lang)).collect();
    record
}

fn branch(variation: &Variation, lang: Lang) -> Branch {
    let mut moves = played(&variation.moves);
    let (comment, ending) = match variation.kind {
        VariationKind::Reply { plies } => {
            (say!(lang, "mate in {plies}", "変化: {plies} 手詰"), Ending::Mate)
        }
        VariationKind::Try { proven: true } => {
            (say!(lang, "no mate after this", "紛れ: これで不詰"), Ending::NoMate)
        }
        VariationKind::Try { proven: false } => (
            say!(lang, "no mate as short after this", "紛れ: これで作意の手数では詰まない"),
            Ending::Interrupted,
        ),
    };
    let at = match variation.kind {
        VariationKind::Reply { .. } => 0,
        VariationKind::Try { .. } => moves.len() - 1,
    };
    if let Some(played) = moves.get_mut(at) {
        played.comments.push(comment);
    }
    let mut branch = Branch::new(variation.before, moves);
    branch.ending = Some(ending);
    branch
}

/// A record of the main line with the defects as comments, and with a variation for each move that is
/// one.
pub fn check_record(
    problem: &Problem,
    solution: &Solution,
    defects: &[Defect],
    lang: Lang,
) -> Record {
    let mut record = solution_record(problem, solution, &[], lang);
    let text = |defect: &Defect| defect.in_lang(lang).to_string();
    let of_problem = defects.iter().filter(|defect| defect.place().is_none());
    record.comments.extend(of_problem.map(text));
    let mut branches: Vec<Branch> = defects
        .iter()
        .filter_map(|defect| {
            let (ply, mv) = defect.place()?;
            let mut played = Played::new(mv);
            played.comments.push(text(defect));
            let mut branch = Branch::new(usize::from(ply) - 1, vec![played]);
            branch.ending = Some(Ending::Interrupted);
            Some(branch)
        })
        .collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.before));
    record.branches = branches;
    record
}
