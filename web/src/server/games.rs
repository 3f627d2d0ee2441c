//! The games that are kept: files of KIF in a folder, which other programs read and write as well.
//!
//! A page writes and removes only files with names of our own ([`is_own`]), and only readable records. It reads those
//! and other records that lie in the folder itself: no link, nothing in a folder below.

use super::{Shared, locked};
use crate::account::account;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monomi_record::Format;
use monomi_support::batch::files::NewFile;
use monomi_support::text::{Lang, Message as _, messages};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

/// Size of a file in bytes.
const LARGEST: u64 = 4 << 20;
/// Files that a list names; more are not looked at.
const MOST: usize = 20_000;

messages! {
    /// Why a game cannot be kept, read or removed.
    #[derive(Debug)]
    enum Fault {
        Request(error: String) => "request: {error}", "要求: {error}";
        Name(name: String) =>
            "{name:?} is not the name of a game that Monomi keeps",
            "{name:?} は Monomi が保存する棋譜の名前ではありません";
        Missing(name: String) =>
            "there is no record {name:?} in the folder", "棋譜 {name:?} はフォルダにありません";
        TooLarge(name: String) =>
            let mib = LARGEST >> 20;
            "{name}: records of more than {mib} MiB are not kept",
            "{name}: {mib} MiB を超える棋譜は扱いません";
        Unreadable(name: String) =>
            "{name}: this is not a record of a game", "{name}: 棋譜として読めません";
        Failed(path: String, error: io::Error) => "{path}: {error}", "{path}: {error}";
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// All records of the folder.
    List {},
    /// The bytes of a record, as base64.
    Read { name: String },
    /// Keeps a record under a name of our own.
    Write { name: String, kif: String },
    /// Removes a record with a name of our own.
    Remove { name: String },
}

/// The folder with the games of the user.
pub struct Games {
    folder: PathBuf,
    /// What lists say of files, and when these were last changed.
    known: Mutex<HashMap<String, (SystemTime, u64, Value)>>,
}

impl Games {
    /// The folder is created when the first game is kept.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::default() }
    }

    fn execute(&self, request: &str) -> Result<Value, Fault> {
        match serde_json::from_str(request).map_err(|error| Fault::Request(error.to_string()))? {
            Request::List {} => self.list(),
            Request::Read { name } => {
                let (path, _) = self.find(&name)?;
                let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
                Ok(json!(STANDARD.encode(bytes)))
            }
            Request::Write { name, kif } => self.write(&name, &kif),
            Request::Remove { name } => {
                let path = self.own(&name)?;
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        Err(failed(&path, error))
                    }
                    _ => Ok(Value::Null),
                }
            }
        }
    }

    /// The path of a file that may be written.
    fn own(&self, name: &str) -> Result<PathBuf, Fault> {
        if is_own(name) { Ok(self.folder.join(name)) } else { Err(Fault::Name(name.to_owned())) }
    }

    fn write(&self, name: &str, kif: &str) -> Result<Value, Fault> {
        let path = self.own(name)?;
        if kif.len() as u64 > LARGEST {
            return Err(Fault::TooLarge(name.to_owned()));
        }
        // Only games are written.
        let records = monomi_record::read_text(kif).unwrap_or_default();
        if !matches!(&records[..], [record] if record.faults.is_empty() && !record.moves.is_empty())
        {
            return Err(Fault::Unreadable(name.to_owned()));
        }
        // A link would lead elsewhere.
        if fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(Fault::Name(name.to_owned()));
        }
        let replace = || {
            fs::create_dir_all(&self.folder)?;
            let mut file = NewFile::create(&path)?;
            file.file().write_all(kif.as_bytes())?;
            file.commit()
        };
        replace().map_err(|error| failed(&path, error))?;
        Ok(Value::Null)
    }

    /// A record of the folder.
    fn find(&self, name: &str) -> Result<(PathBuf, Metadata), Fault> {
        let found = self.entries()?.find(|(other, ..)| other == name);
        let (_, path, metadata) = found.ok_or_else(|| Fault::Missing(name.to_owned()))?;
        if metadata.len() > LARGEST {
            return Err(Fault::TooLarge(name.to_owned()));
        }
        Ok((path, metadata))
    }

    /// Names, paths and metadata of the records. Links and special files are left out.
    fn entries(&self) -> Result<impl Iterator<Item = (String, PathBuf, Metadata)>, Fault> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => Some(entries),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(&self.folder, error)),
        };
        Ok(entries.into_iter().flatten().filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok().filter(|name| is_record(name))?;
            let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
            Some((name, entry.path(), metadata))
        }))
    }

    fn list(&self) -> Result<Value, Fault> {
        let mut known = locked(&self.known);
        let mut now = HashMap::new();
        let mut games = Vec::new();
        for (name, path, metadata) in self.entries()?.take(MOST) {
            let (changed, size) = (metadata.modified().unwrap_or(UNIX_EPOCH), metadata.len());
            let account = match known.remove(&name) {
                Some((at, length, account)) if (at, length) == (changed, size) => account,
                _ => summary(&path, size),
            };
            let time = changed.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
            games.push(
                json!({ "name": name, "own": is_own(&name), "time": time, "account": account }),
            );
            now.insert(name, (changed, size, account));
        }
        *known = now;
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        Ok(json!({ "folder": folder.display().to_string(), "games": games }))
    }
}

fn failed(path: &Path, error: io::Error) -> Fault {
    Fault::Failed(path.display().to_string(), error)
}

/// What a list says of a record; null if it cannot be read.
fn summary(path: &Path, size: u64) -> Value {
    let bytes = if size <= LARGEST { fs::read(path).ok() } else { None };
    let file = bytes.and_then(|bytes| monomi_record::read(&bytes).ok());
    file.and_then(|file| file.records.first().map(account)).unwrap_or_default()
}

/// Whether this is a name that the app gives to a game: `monomi-20261128-143005-won.kifu`.
fn is_own(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("monomi-").and_then(|rest| rest.strip_suffix(".kifu"))
    else {
        return false;
    };
    let parts: Vec<&str> = rest.split('-').collect();
    let number =
        |text: &str, digits| text.len() == digits && text.bytes().all(|c| c.is_ascii_digit());
    matches!(parts[..], [date, time, result] if number(date, 8) && number(time, 6)
        && ["won", "lost", "drawn", "open"].contains(&result))
}

/// Whether a file with this name may be a record.
fn is_record(name: &str) -> bool {
    let kind = name.rsplit_once('.').map(|(_, kind)| kind.to_ascii_lowercase());
    !name.starts_with('.') && kind.is_some_and(|kind| Format::EXTENSIONS.contains(&&*kind))
}

/// Answers a request for games.
pub async fn answer(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let Ok(request) = String::from_utf8(body.to_vec()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let run = move || {
        let lang: Lang = locked(&shared.rules).lang();
        let answer = shared.games.execute(&request);
        crate::requests::answer(answer.map_err(|fault| fault.in_lang(lang).to_string()))
    };
    match tokio::task::spawn_blocking(run).await {
        Ok(answer) => ([("content-type", "application/json")], answer).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "position startpos moves 7g7f 3c3d";

    fn ask(games: &Games, request: Value) -> Result<Value, Fault> {
        games.execute(&request.to_string())
    }

    #[test]
    fn names() {
        for name in ["monomi-20261128-143005-won.kifu", "monomi-00000000-000000-open.kifu"] {
            assert!(is_own(name), "{name}");
        }
        for name in [
            "",
            "monomi-20261128-143005-won.kif",
            "monomi-20261128-143005-.kifu",
            "monomi-20261128-143005.kifu",
            "monomi-2026112-143005-won.kifu",
            "monomi-２０２６１１２８-143005-won.kifu",
            "../monomi-20261128-143005-won.kifu",
            "monomi-20261128-143005-won-../../x.kifu",
            "monomi-20261128-143005/../won.kifu",
            "monomi-20261128-143005-won.kifu\0",
            "Monomi-20261128-143005-won.kifu",
            "monomi-20261128-143005-won.kifu ",
        ] {
            assert!(!is_own(name), "{name}");
        }
        assert!(is_record("a.KIF") && is_record("対局.csa"));
        assert!(!is_record(".a.kif") && !is_record("kif") && !is_record("a.kif.exe"));
    }

    #[test]
    fn games_are_kept_listed_read_and_removed() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/games");
        let games = Games::new(folder.clone());
        // A folder that is not there has no games.
        assert_eq!(ask(&games, json!({ "type": "list" })).unwrap()["games"], json!([]));
        let name = "monomi-20261128-143005-won.kifu";
        ask(&games, json!({ "type": "write", "name": name, "kif": GAME })).unwrap();
        fs::write(folder.join("other.csa"), "PI\n+\n+7776FU\n").unwrap();
        fs::write(folder.join("broken.kif"), [0xff; 40]).unwrap();
        fs::write(folder.join("notes.txt"), "no record").unwrap();
        let listed = ask(&games, json!({ "type": "list" })).unwrap();
        let mut found: Vec<_> = listed["games"].as_array().unwrap().iter().collect();
        found.sort_by_key(|game| game["name"].as_str());
        let names: Vec<_> = found.iter().map(|game| (&game["name"], &game["own"])).collect();
        let (broken, other, own) = (json!("broken.kif"), json!("other.csa"), json!(name));
        assert_eq!(
            names,
            [(&broken, &json!(false)), (&own, &json!(true)), (&other, &json!(false))]
        );
        assert_eq!(found[1]["account"]["moves"], 2);
        assert_eq!(found[2]["account"]["moves"], 1);
        let text = ask(&games, json!({ "type": "read", "name": name })).unwrap();
        assert_eq!(STANDARD.decode(text.as_str().unwrap()).unwrap(), GAME.as_bytes());
        // A changed file is read again.
        ask(&games, json!({ "type": "write", "name": name, "kif": format!("{GAME} 2g2f") }))
            .unwrap();
        let listed = ask(&games, json!({ "type": "list" })).unwrap().to_string();
        assert!(listed.contains(r#""moves":3"#), "{listed}");
        for _ in 0..2 {
            ask(&games, json!({ "type": "remove", "name": name })).unwrap();
        }
        assert!(!folder.join(name).exists() && folder.join("other.csa").exists());
    }

    #[test]
    fn nothing_else_is_reached() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("games");
        fs::create_dir_all(folder.join("below.kif")).unwrap();
        fs::write(root.path().join("secret.kif"), GAME).unwrap();
        fs::write(folder.join("other.kif"), GAME).unwrap();
        fs::write(folder.join("notes.txt"), GAME).unwrap();
        fs::write(folder.join("large.kif"), vec![b' '; LARGEST as usize + 1]).unwrap();
        let games = Games::new(folder.clone());
        let outside = root.path().join("secret.kif").display().to_string();
        for name in
            ["../secret.kif", &outside, "notes.txt", "below.kif", "large.kif", "", ".", ".."]
        {
            assert!(ask(&games, json!({ "type": "read", "name": name })).is_err(), "{name}");
        }
        for name in ["../monomi-20261128-143005-won.kifu", "other.kif", "new.kif", "notes.txt"] {
            let write = json!({ "type": "write", "name": name, "kif": GAME });
            assert!(matches!(ask(&games, write), Err(Fault::Name(_))), "{name}");
            let remove = json!({ "type": "remove", "name": name });
            assert!(matches!(ask(&games, remove), Err(Fault::Name(_))), "{name}");
        }
        let name = "monomi-20261128-143005-won.kifu";
        let large = format!("{GAME}\n{}", " ".repeat(LARGEST as usize));
        for kif in ["", "#!/bin/sh", "position startpos", "position startpos moves 1a1b", &large] {
            let write = json!({ "type": "write", "name": name, "kif": kif });
            assert!(ask(&games, write).is_err(), "{}", &kif[..kif.len().min(40)]);
        }
        assert!(!folder.join(name).exists());
        for request in ["", "{}", r#"{"type":"list","folder":"/"}"#, r#"{"type":"read"}"#] {
            assert!(matches!(games.execute(request), Err(Fault::Request(_))), "{request}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let secret = root.path().join("secret.kif");
        fs::write(&secret, GAME).unwrap();
        let folder = root.path().join("games");
        fs::create_dir(&folder).unwrap();
        let name = "monomi-20261128-143005-won.kifu";
        for link in ["link.kif", name] {
            std::os::unix::fs::symlink(&secret, folder.join(link)).unwrap();
        }
        let games = Games::new(folder.clone());
        assert_eq!(ask(&games, json!({ "type": "list" })).unwrap()["games"], json!([]));
        assert!(ask(&games, json!({ "type": "read", "name": "link.kif" })).is_err());
        let kif = format!("{GAME} 2g2f");
        assert!(ask(&games, json!({ "type": "write", "name": name, "kif": kif })).is_err());
        // Removing a link leaves what it points to.
        ask(&games, json!({ "type": "remove", "name": name })).unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), GAME);
    }
}
