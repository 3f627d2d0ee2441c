//! `monomi app`: the program with the app for browsers, from its command to the first move.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tests::other_programs::{chromium, here, output};
use tests::program::{command, engine};
use tests::report;

const PATIENCE: Duration = Duration::from_secs(60);

/// The program, and the address that it printed.
struct App {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
}

impl App {
    fn start() -> Self {
        let mut child = command()
            .args(["app", "--no-open", "--port", &free_port().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut out = BufReader::new(child.stdout.take().expect("output"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http://127.0.0.1:"));
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).to_owned();
        Self { child, out, address }
    }

    fn port(&self) -> &str {
        self.address.split([':', '/']).nth(4).expect("a port")
    }
}

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn the_address_is_printed_in_both_languages_and_the_port_named_if_taken() {
    let app = App::start();
    assert!(app.address.contains("/?token="), "{}", app.address);
    for (lang, words) in [("en", "--port"), ("ja", "使用中です")] {
        let second = command()
            .args(["--lang", lang, "app", "--no-open", "--port", app.port()])
            .output()
            .expect("the program");
        assert_eq!(second.status.code(), Some(1));
        let error = String::from_utf8_lossy(&second.stderr);
        assert!(error.contains(app.port()) && error.contains(words), "{error}");
        assert!(second.stdout.is_empty());
    }
    // The folder of the games is the user's, unless another one is named.
    let help = command().args(["app", "--help"]).output().expect("the program");
    let help = String::from_utf8_lossy(&help.stdout);
    assert!(help.contains("--games") && help.contains("monomi/games"), "{help}");
    for port in ["0", "65536", "x"] {
        let refused = command().args(["app", "--port", port]).output().expect("the program");
        assert_eq!(refused.status.code(), Some(2), "{port}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let mut app = App::start();
    let kill = Command::new("kill").args(["-INT", &app.child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let since = Instant::now();
    let status = loop {
        if let Some(status) = app.child.try_wait().expect("a status") {
            break status;
        }
        assert!(since.elapsed() < PATIENCE, "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    let mut rest = String::new();
    app.out.read_line(&mut rest).expect("the rest");
    assert!(rest.contains("Ctrl-C"), "{rest}");
}

/// Chromium plays by the program that was built with this test.
#[test]
fn chromium_plays_by_the_native_engine() {
    if !chromium() {
        return;
    }
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(env!("CARGO_TARGET_TMPDIR").to_owned());
    let mut node = Command::new("node");
    node.arg(here("../web/tests/native.mjs")).arg(engine());
    node.arg(here("data/records/game.kif")).arg("-").arg(shots);
    let text = output(&mut node);
    let answer = text.lines().last().unwrap_or_default();
    let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
    assert_eq!(answer["passed"].as_array().map(Vec::len), Some(21), "{answer}");
    report(&format!("monomi app in Chromium: {}", answer["figures"]));
}
