//! The examples of docs/distributed.md, as they are written there but for smaller numbers. What they need and is not
//! there is reported as skipped.
//!
//!     apt install parallel
//!     pip install 'dask[distributed]'
#![cfg(unix)]

use super::positions::{folder, list, sfens};
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::analysis::{analyze, code, rows, stderr};
use tests::other_programs::{here, output, there};
use tests::program::engine;

/// The blocks of code in a section of the page.
fn examples(section: &str) -> Vec<String> {
    let page = std::fs::read_to_string(here("../docs/distributed.md")).expect("the page");
    let (_, text) = page.split_once(&format!("\n## {section}\n")).expect("the section");
    let text = text.split_once("\n## ").map_or(text, |(text, _)| text);
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        let block = blocks.last_mut().expect("a block");
        match line.strip_prefix("    ") {
            Some(line) => *block += &format!("{line}\n"),
            // Python's code has empty lines.
            None if line.is_empty() => *block += "\n",
            None => blocks.push(String::new()),
        }
    }
    blocks.into_iter().map(|block| block.trim().to_owned()).filter(|b| !b.is_empty()).collect()
}

/// A block with these words in place of others, each of which it must have.
fn with(block: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(block.to_owned(), |block, (from, to)| {
        assert!(block.contains(from), "{from} in {block}");
        block.replace(from, to)
    })
}

/// A folder in which `list.sfen` is searched, with `monomi` in the path. It has keys and a line that is no position.
struct Place {
    folder: PathBuf,
    path: String,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = folder(&format!("distributed-{name}"));
        let mut lines = sfens();
        lines.truncate(12);
        lines[3] = format!("third\t{}", lines[3]);
        lines.insert(5, "no position".to_owned());
        list(&folder, "list.sfen", &lines);
        let bin = folder.join("bin");
        std::fs::create_dir(&bin).expect("a folder");
        std::os::unix::fs::symlink(engine(), bin.join("monomi")).expect("a link");
        let path = std::env::var("PATH").expect("a path");
        Self { path: format!("{}:{path}", bin.display()), folder }
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", &self.path).env("LC_ALL", "C.UTF-8");
        command
    }

    fn shell(&self, script: &str) -> String {
        output(self.command("bash").args(["-e", "-c", script]))
    }

    /// The rows in `list.jsonl` are those of the program alone.
    fn check(&self, lines_count_in_parts: bool) {
        let path = self.folder.join("list.sfen").display().to_string();
        let alone = analyze(&["--positions", "-q", "--nodes", "300", "--errors", "rows", &path]);
        assert_eq!(code(&alone), Some(0), "{}", stderr(&alone));
        let of_file = std::fs::read_to_string(self.folder.join("list.jsonl")).expect("rows");
        let [found, alone] =
            [of_file, String::from_utf8(alone.stdout).expect("UTF-8")].map(|text| {
                let mut rows = rows(&text);
                for row in &mut rows {
                    row["list"].take();
                    if lines_count_in_parts {
                        row["line"].take();
                    }
                }
                rows
            });
        assert_eq!(found.len(), 13);
        assert_eq!(found, alone);
        std::fs::remove_file(self.folder.join("list.jsonl")).expect("removed");
    }
}

fn parallel() -> bool {
    there(Command::new("parallel").arg("--version"), "GNU parallel")
}

#[test]
fn parallel_gives_the_same_rows() {
    if !parallel() {
        return;
    }
    let place = Place::new("parallel");
    let [parts, shards] = &examples("GNU parallel")[..] else { panic!("two examples") };
    place.shell(&with(parts, &[("50000", "300"), ("-10", "-3")]));
    place.check(true);
    // A second run accepts what is there.
    let few = [("50000", "300"), ("-S host1,host2,host3 ", ""), ("64", "4")];
    for _ in 0..2 {
        place.shell(&with(shards, &few));
        place.check(false);
    }
}

#[test]
fn tasks_of_slurm_give_the_same_rows() {
    let place = Place::new("slurm");
    let script = std::fs::read_to_string(here("../docs/distributed/slurm_positions.sh"));
    let few = [("50000", "300"), ("shards=64", "shards=3"), ("array=1-64", "array=1-3")];
    let script = with(&script.expect("the script"), &few);
    let job = "docs/distributed/slurm_positions.sh";
    std::fs::create_dir_all(place.folder.join("docs/distributed")).expect("a folder");
    std::fs::write(place.folder.join(job), script).expect("written");
    let [both] = &examples("Slurm")[..] else { panic!("one example") };
    let (submit, merge) = both.split_once('\n').expect("two lines");
    let merge = with(merge, &[("of64", "of3")]);
    // What Slurm does with each task.
    let (_, arguments) = submit.split_once(' ').expect("a command");
    for task in ["2", "1", "3", "3"] {
        let words = arguments.split(' ');
        let tasks = [("SLURM_ARRAY_TASK_ID", task), ("SLURM_CPUS_PER_TASK", "2")];
        output(place.command("bash").args(words).envs(tasks));
    }
    place.shell(&merge);
    place.check(false);
    if there(Command::new("sinfo").arg("--noheader"), "Slurm") {
        std::fs::remove_dir_all(place.folder.join("out")).expect("removed");
        place.shell(&with(submit, &[("sbatch ", "sbatch --wait --cpus-per-task=1 ")]));
        place.shell(&merge);
        place.check(false);
    }
}

#[test]
fn dask_gives_the_same_rows() {
    let dask = ["-c", "import dask.distributed"];
    if !there(Command::new("python3").args(dask), "Dask (pip install 'dask[distributed]')") {
        return;
    }
    let place = Place::new("dask");
    let [program] = &examples("Dask")[..] else { panic!("one example") };
    std::fs::write(place.folder.join("job.py"), with(program, &[("50000", "300"), ("250", "5")]))
        .expect("written");
    output(place.command("python3").arg("job.py"));
    place.check(false);
}

/// Tasks of Slurm and GNU parallel make the same files of games, and a task that was done is not done again.
#[test]
fn games_for_a_generation_are_the_same_everywhere() {
    if !parallel() {
        return;
    }
    let place = Place::new("games");
    std::fs::copy(here("../tools/openings/even.sfen"), place.folder.join("even.sfen"))
        .expect("copied");
    let example = &examples("A generation of the network")[0];
    let example = with(
        example,
        &[("500000", "100"), ("--nodes 400", "--nodes 100"), ("-S host1,host2,host3 ", "")],
    );
    let (folder, rest) = example.split_once("sbatch ").expect("a job");
    let (_, rest) = rest.split_once("--wrap '").expect("what it runs");
    let (task, rest) = rest.split_once("'\n").expect("an end");
    let (parallel, _) = rest.split_once("monomi-trainer").expect("what follows");
    place.shell(folder);
    let games = |name: &str| std::fs::read(place.folder.join("games").join(name)).expect("games");
    let run = |number: &str| {
        output(place.command("sh").args(["-c", task]).env("SLURM_ARRAY_TASK_ID", number));
    };
    run("1");
    run("2");
    let first = [games("1.mgr"), games("2.mgr")];
    assert_ne!(first[0], first[1]);
    run("1");
    assert!(first[0] == games("1.mgr"));
    std::fs::remove_file(Path::new(&place.folder).join("games/2.mgr")).expect("removed");
    place.shell(&with(parallel, &[("seq 64", "seq 2")]));
    assert!(first == [games("1.mgr"), games("2.mgr")]);
}
