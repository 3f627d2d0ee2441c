//! The same books through YaneuraOu's `makebook peta_shock`. The environment variable
//! `MONOMI_YANEURAOU` names the program, built of any edition from 33ccf1f or later; without it the test
//! says that it was skipped.

use crate::minimax::tests::{how, read};
use crate::test_books::{random_sample, write_db};
use crate::{convert, minimax};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of books.
const BOOKS: u64 = 1000;

/// Runs `makebook` commands.
fn makebook(program: &Path, folder: &Path, commands: &str) {
    let mut yaneuraou = Command::new(program)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The least memory and no book, because each command prepares the engine.
    let options = [("USI_Hash", "1"), ("Threads", "1"), ("BookFile", "no_book")];
    let options = options.map(|(name, value)| format!("setoption name {name} value {value}\n"));
    let dir = folder.display();
    let options = options.concat();
    let start = format!("{options}setoption name BookDir value {dir}\n{commands}quit\n");
    yaneuraou.stdin.take().unwrap().write_all(start.as_bytes()).unwrap();
    assert!(yaneuraou.wait().unwrap().success());
}

#[test]
fn books_have_the_values_of_yaneuraou() {
    let Ok(program) = std::env::var("MONOMI_YANEURAOU") else {
        let _ = writeln!(std::io::stderr(), "skipped: MONOMI_YANEURAOU is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name);
    let how = how(folder.path(), 0);
    let mut commands = String::new();
    for seed in 0..BOOKS {
        write_db(&random_sample(seed), &path(format!("{seed}.db")));
        let (db, ybb) = (path(format!("{seed}.db")), path(format!("{seed}.ybb")));
        convert(&[db], &ybb, &how.conversion).unwrap();
        for format in ["db", "ybb"] {
            commands += &format!("makebook peta_shock {seed}.{format} yo{seed}.{format}\n");
        }
    }
    makebook(Path::new(&program), folder.path(), &commands);
    for seed in 0..BOOKS {
        for format in ["db", "ybb"] {
            let path = |name: &str| path(format!("{name}{seed}.{format}"));
            minimax(&path(""), &path("monomi"), &how).unwrap();
            let (theirs, ours) = (read(&path("yo")), read(&path("monomi")));
            for (position, expected) in &theirs {
                let found = ours.get(position).cloned().unwrap_or_default();
                assert_eq!(found, *expected, "book {seed}.{format}, {position}");
            }
            assert!(ours.keys().all(|position| theirs.contains_key(position)));
        }
    }
}
