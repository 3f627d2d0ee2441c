//! Too little memory, too few cores, files that are none, and a GUI that does not read.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tests::program::engine;
use tests::report;
use tests::usi_client::{PATIENCE, UsiClient};

/// The text of the first `info string` line that contains `words`, before the line that starts with
/// `end`.
fn note(client: &mut UsiClient, words: &str, end: &str) -> Option<String> {
    client.collect(end).into_iter().find(|line| line.contains(words))
}

#[test]
fn threads_that_do_not_fit_are_refused() {
    let Some(mut client) = UsiClient::start_within(1024) else {
        return report("skipped: this system has no limit of the address space");
    };
    client.send("setoption name USI_Hash value 16");
    // As many as fit, but no more.
    for (threads, fits) in [("16", false), ("1024", false), ("3", true), ("900", false)] {
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("isready");
        let error = note(&mut client, "Error! Threads", "readyok");
        assert_eq!(error.is_none(), fits, "{threads}: {error:?}");
        if let Some(error) = error {
            assert!(error.contains("MiB of memory are needed and"), "{error}");
        }
        client.send("go nodes 20000");
        client.best_move();
    }
    client.quit();
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let Some(mut client) = UsiClient::start_within(1024) else {
        return report("skipped: this system has no limit of the address space");
    };
    for (mib, fits) in [("100", true), ("2000", false), ("30000000", false), ("200", true)] {
        client.send(&format!("setoption name USI_Hash value {mib}"));
        client.send("isready");
        let error = note(&mut client, "Error! USI_Hash", "readyok");
        assert_eq!(error.is_none(), fits, "{mib}: {error:?}");
        client.send("go nodes 1000");
        client.best_move();
    }
    client.quit();
}

/// Keeps all cores busy until it is dropped.
struct BusyCores(Arc<AtomicBool>);

impl BusyCores {
    fn start() -> Self {
        let busy = Arc::new(AtomicBool::new(true));
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let busy = Arc::clone(&busy);
            std::thread::spawn(move || {
                while busy.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Self(busy)
    }
}

impl Drop for BusyCores {
    fn drop(&mut self) {
        self.0.store(false, Relaxed);
    }
}

#[test]
fn many_threads_on_busy_cores_answer() {
    let _busy = BusyCores::start();
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    for threads in [16, 128] {
        let mut client = UsiClient::ready();
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("position startpos");
        // The first search also creates the threads.
        for _ in 0..4 {
            let start = Instant::now();
            client.send("go movetime 300");
            let heard = client.expect_within("bestmove", PATIENCE);
            report(&format!("{threads} threads: movetime 300 took {:?}", heard.at - start));
        }
        client.send("go infinite");
        client.settle();
        client.send("stop");
        client.expect_within("bestmove", PATIENCE);
        // A second go is answered as well, and the first one before it.
        client.send("go movetime 60000");
        client.send("go movetime 300");
        client.expect_within("bestmove", PATIENCE);
        client.expect_within("bestmove", PATIENCE);
        client.send("go infinite");
        client.quit();
    }
    let mut client = UsiClient::ready();
    for (threads, warned) in [(4 * cores, false), (4 * cores + 1, true)] {
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("isready");
        let note = note(&mut client, "times the number of cores", "readyok");
        assert_eq!(note.is_some(), warned, "{note:?}");
    }
    client.quit();
}

#[test]
fn threads_are_kept_and_given_back() {
    let mut client = UsiClient::ready();
    let threads = |client: &UsiClient| {
        std::fs::read_dir(format!("/proc/{}/task", client.id())).map(Iterator::count).ok()
    };
    if threads(&client).is_none() {
        return report("skipped: this system does not list threads");
    }
    // The thread that loaded the evaluation may still be listed.
    let samples = (0..20).filter_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        threads(&client)
    });
    let alone = samples.min().expect("a number of threads");
    // Threads that have ended may be listed for a moment.
    let expect = |client: &UsiClient, number: usize| {
        let deadline = Instant::now() + Duration::from_secs(20);
        while threads(client) != Some(number) {
            assert!(Instant::now() < deadline, "{:?}, not {number}", threads(client));
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    client.send("setoption name Threads value 5");
    client.settle();
    // Four searching ones and the clock's.
    expect(&client, alone + 5);
    for _ in 0..20 {
        client.send("go nodes 2000");
        client.best_move();
    }
    expect(&client, alone + 5);
    client.send("setoption name Threads value 2");
    client.settle();
    expect(&client, alone + 2);
    client.quit();
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_folders_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut client = UsiClient::ready();
    let paths = [fifo.as_path(), "/dev/zero".as_ref(), folder.path()];
    for (option, path) in ["BookFile", "EvalFile", "DebugLogFile"]
        .into_iter()
        .flat_map(|option| paths.into_iter().map(move |path| (option, path.display().to_string())))
    {
        for on_the_fly in ["false", "true"] {
            client.send(&format!("setoption name BookOnTheFly value {on_the_fly}"));
            client.send(&format!("setoption name {option} value {path}"));
            client.send("isready");
            let error = note(&mut client, "Error!", "readyok");
            assert!(error.is_some_and(|error| error.contains(option)), "{option} {path}");
        }
        client.send("go nodes 100");
        client.best_move();
    }
    client.quit();
}

#[test]
fn a_junk_book_on_the_fly_is_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let junk: [(&str, Vec<u8>); 4] = [
        ("text", b"This is a letter.\nIt has two lines.\n".to_vec()),
        ("binary", (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()),
        ("sfens", b"sfen nothing to see\n7g7f none 0 0 1\nsfen here b - 1\n".repeat(500)),
        ("long", vec![b'x'; 9 << 20]),
    ];
    let mut client = UsiClient::ready();
    client.send("setoption name BookOnTheFly value true");
    for (name, bytes) in junk {
        let path = folder.path().join(format!("{name}.db"));
        std::fs::write(&path, bytes).unwrap();
        client.send(&format!("setoption name BookFile value {}", path.display()));
        client.send("isready");
        let error = note(&mut client, "Error! BookFile", "readyok").expect(name);
        assert!(error.contains("this is not a book ("), "{error}");
        client.send("position startpos");
        client.send("go nodes 100");
        client.best_move();
    }
    // A real one still opens.
    let path = folder.path().join("good.db");
    let sfen = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    std::fs::write(&path, format!("#YANEURAOU-DB2016 1.00\n{sfen}\n2g2f 8c8d 10 32 1\n")).unwrap();
    client.send(&format!("setoption name BookFile value {}", path.display()));
    client.send("isready");
    assert!(note(&mut client, "searched on disk", "readyok").is_some());
    client.send("position startpos");
    client.send("go nodes 100");
    assert_eq!(client.best_move(), "2g2f");
    client.quit();
}

#[test]
fn a_position_after_a_thousand_plies_is_searched() {
    let mut client = UsiClient::ready();
    let moves = tests::games::long_game(1_200);
    for plies in [999, 1_000, 1_200] {
        client.send(&format!("position startpos moves {}", moves[..plies].join(" ")));
        client.send("go depth 3");
        client.best_move();
        client.send("go nodes 3000");
        client.best_move();
    }
    client.quit();
}

fn start_unread(stdout: Stdio) -> Child {
    Command::new(engine())
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .expect("the engine starts")
}

fn ends(child: &mut Child) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Much more output than a pipe holds.
fn talk(input: &mut impl Write) {
    for _ in 0..200 {
        writeln!(input, "usi").unwrap();
    }
    writeln!(input, "setoption name USI_Hash value 16\nisready\nposition startpos").unwrap();
}

#[test]
fn a_gui_that_never_reads_does_not_block_quit() {
    for commands in ["quit", "go infinite\nstop\nquit", "go movetime 100\ngo movetime 100\nquit"] {
        let mut child = start_unread(Stdio::piped());
        let mut input = child.stdin.take().unwrap();
        talk(&mut input);
        writeln!(input, "{commands}").unwrap();
        assert!(ends(&mut child), "{commands}");
    }
}

#[test]
fn a_gui_that_reads_late_gets_everything() {
    let mut child = start_unread(Stdio::piped());
    let mut input = child.stdin.take().unwrap();
    talk(&mut input);
    writeln!(input, "go nodes 1000").unwrap();
    writeln!(input, "isready").unwrap();
    drop(input);
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(ends(&mut child));
    assert_eq!(text.matches("usiok\n").count(), 200);
    assert_eq!(text.matches("bestmove ").count(), 1);
    assert_eq!(text.matches("readyok\n").count(), 2);
}

#[test]
fn an_output_that_cannot_be_written_ends_the_program() {
    if !std::path::Path::new("/dev/full").exists() {
        return report("skipped: there is no /dev/full");
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = start_unread(full.into());
    writeln!(child.stdin.as_mut().unwrap(), "usi").unwrap();
    // Its input stays open.
    assert!(ends(&mut child));
}
