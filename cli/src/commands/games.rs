//! Reads the games from the files given on the command line and reports invalid files.

use crate::failure::{Doing, Failure};
use crate::lang::Lang;
use monomi_record::{Format, Record};
use monomi_support::batch::files;
use monomi_support::text::{Message as _, say};
use std::path::{Path, PathBuf};

/// Extensions of the files to read from a folder, besides those of records. Files given directly may have any name.
const EXTENSIONS: [&str; 4] = ["json", "usi", "sfen", "txt"];

/// A game from a file.
pub struct Game {
    /// Name for messages: the path, followed by `#2` for the second game in the file.
    pub name: String,
    /// Name for output files, without extension.
    pub stem: String,
    pub record: Record,
}

/// Reads all games; false if a file or part of it could not be read. Errors are printed to standard
/// error.
pub fn read_games(paths: &[PathBuf], lang: Lang) -> (Vec<Game>, bool) {
    let mut games = Vec::new();
    let all_good = each_game(paths, lang, |game| games.push(game));
    (games, all_good)
}

/// Like [`read_games`], but passes on one game at a time, with only one file in memory.
pub fn each_game(paths: &[PathBuf], lang: Lang, mut take: impl FnMut(Game)) -> bool {
    let mut all_good = true;
    let mut complain = |text: String| {
        all_good = false;
        super::complain(&text);
    };
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            walk(path, &mut files, lang, &mut complain);
            if files.len() == before {
                complain(say!(
                    lang,
                    "{}: no records in this folder",
                    "{}: このフォルダに棋譜がありません",
                    path.display()
                ));
            }
        } else {
            files.push(path.clone());
        }
    }
    for path in files {
        let shown = Doing::input(&path).in_lang(lang).to_string();
        let read = read_bytes(&path)
            .map_err(Failure::from)
            .and_then(|bytes| Ok(monomi_record::read(&bytes)?));
        match read {
            Err(error) => complain(format!("{shown}: {}", error.in_lang(lang))),
            Ok(file) => {
                let several = file.records.len() > 1;
                for (record, number) in file.records.into_iter().zip(1..) {
                    let suffix = if several { format!("#{number}") } else { String::new() };
                    let name = format!("{shown}{suffix}");
                    for fault in &record.faults {
                        complain(format!("{name}: {}", fault.in_lang(lang)));
                    }
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    let stem = if stem == "-" { "stdin".into() } else { stem };
                    let number = if several { format!("-{number}") } else { String::new() };
                    take(Game { name, stem: format!("{stem}{number}"), record });
                }
            }
        }
    }
    all_good
}

fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return files::read_all(std::io::stdin().lock());
    }
    files::read(path)
}

/// Collects the records of a folder and its subfolders, sorted by name.
fn walk(folder: &Path, files: &mut Vec<PathBuf>, lang: Lang, complain: &mut dyn FnMut(String)) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return complain(format!("{}: {}", folder.display(), error.in_lang(lang))),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        // Do not follow links; they may lead to a parent folder.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files, lang, complain);
        } else if path.is_file() && is_record(&path) {
            files.push(path);
        }
    }
}

fn is_record(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else {
        return false;
    };
    // Skip the output files of earlier runs.
    let ours = path.file_stem().is_some_and(|s| s.to_string_lossy().ends_with(".monomi"));
    let known = Format::EXTENSIONS.iter().chain(&EXTENSIONS);
    !ours && known.into_iter().any(|known| known.eq_ignore_ascii_case(extension))
}
