//! The program `monomi csa`.

use crate::client::PASSWORD;
use crate::server::{Offer, Peer, Server};
use monomi_movegen::Position;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};
use tests::folder::Folder;
use tests::other_programs::{chromium, here, output};

const OPTIONS: [&str; 8] = [
    "--option",
    "USI_Hash=1",
    "--option",
    "DepthLimit=2",
    "--option",
    "USI_OwnBook=false",
    "--option",
    "MinimumThinkingTime=0",
];

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = tests::program::command();
    command.arg("csa").args(arguments).current_dir(folder.path());
    command.env_remove("MONOMI_CSA_PASSWORD").stdin(Stdio::null());
    command
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the engine runs")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .concat()
}

#[test]
fn mistakes_in_the_configuration_are_named() {
    let folder = Folder::new();
    folder.write("a.toml", "host = 'h'\nuser = 'u'\nhots = 1\n");
    folder.write("b.toml", "host = 'h'\nuser = 'u'\n[options]\nTheads = 1\n");
    folder.write("c.toml", format!("host = 'h'\nuser = 'u'\npassword = '{PASSWORD}'\n"));
    for (arguments, expected) in [
        (&["--config", "a.toml"][..], "hots"),
        (&["--config", "b.toml"], "Theads"),
        (&["--config", "c.toml"], "password-file"),
        (&["--config", "none.toml"], "none.toml"),
        (&["--host", "h"], "`user`"),
        (&["--host", "h", "--user", "u"], "MONOMI_CSA_PASSWORD"),
        (&["--host", "h", "--user", "u", "--password-file", "nothing"], "nothing"),
        (&["--host", "h", "--option", "Threads"], "NAME=VALUE"),
    ] {
        let output = run(&folder, arguments);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected) && !text.contains(PASSWORD), "{arguments:?}: {text}");
    }
}

#[test]
fn a_game_as_lines_and_as_json_without_the_password() {
    for json in [false, true] {
        let server = Server::start(|listener| {
            let mut peer = Peer::accept(listener);
            assert_eq!(peer.login(), format!("LOGIN me {PASSWORD}"));
            let mut position = Position::startpos();
            peer.begin(&Offer::new("the-game", '+').with_token("0123456789abcdef"));
            peer.take_move(&mut position, "T1");
            peer.make_move(&mut position, "T2");
            peer.take_move(&mut position, "T1");
            peer.send("%TORYO,T1\n#RESIGN\n#WIN");
            peer.logout();
        });
        let folder = Folder::new();
        folder.write("secret", format!("{PASSWORD}\n"));
        let port = server.port.to_string();
        let mut arguments = vec!["--host", "127.0.0.1", "--port", &port, "--user", "me"];
        arguments.extend(["--password-file", "secret", "--games", "1", "--log-file", "log"]);
        arguments.extend(OPTIONS);
        arguments.extend(json.then_some("--json"));
        let output = run(&folder, &arguments);
        server.finish();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        if json {
            let events: Vec<serde_json::Value> =
                stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            let names: Vec<&str> =
                events.iter().map(|event| event["event"].as_str().unwrap()).collect();
            assert_eq!(
                names,
                ["connecting", "logged_in", "started", "move", "move", "move", "ended", "summary"]
            );
            assert!(events[3]["pv"].is_array() && events[3]["cp"].is_number(), "{stdout}");
            assert_eq!(events[6]["result"], "win");
            assert_eq!(events[7]["by_opponent"]["you"]["black"]["wins"], 1);
        } else {
            assert!(stdout.starts_with("1 win (resignation) black against you, 3 moves"));
            assert!(stdout.contains("1 game: 1 won, 0 lost, 0 drawn"), "{stdout}");
        }
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(log.contains("> LOGIN me ***") && log.contains("< START:the-game"), "{log}");
        assert!(!said.contains(PASSWORD) && !log.contains(PASSWORD));
        let record = std::fs::read_to_string(folder.path().join("games/the-game.csa")).unwrap();
        assert!(record.contains("%TORYO"), "{record}");
    }
}

/// The page of a game in progress, and a command for each event.
#[cfg(unix)]
#[test]
fn a_page_shows_the_game_and_a_command_hears_the_events() {
    let (seen, wait) = std::sync::mpsc::channel::<()>();
    let server = Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut position = Position::startpos();
        peer.begin(&Offer::new("the-game", '-'));
        peer.make_move(&mut position, "T2");
        peer.take_move(&mut position, "T1");
        wait.recv().expect("seen");
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.logout();
    });
    let folder = Folder::new();
    let port = server.port.to_string();
    let mut arguments = vec!["--host", "127.0.0.1", "--port", &port, "--user", "me", "--games"];
    arguments.extend(["1", "--json", "--page", "0", "--on-event"]);
    arguments.push("{ echo $MONOMI_EVENT; cat; } >> heard-$MONOMI_EVENT");
    arguments.extend(OPTIONS);
    let mut child = command(&folder, &arguments)
        .env("MONOMI_CSA_PASSWORD", PASSWORD)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine runs");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut address =
        || lines.find_map(|line| Some(line.ok()?.split_once("http://")?.1.to_owned()));
    let address = address().expect("an address");
    let state = state_with_moves(address.trim_end_matches('/'), 2);
    let game = &state["game"];
    assert_eq!(game["id"], "the-game");
    assert_eq!((&game["us"], &game["to_move"]), (&"white".into(), &"black".into()));
    assert_eq!(game["moves"][0]["ms"], 2000);
    assert!(game["moves"][0]["cp"].is_null() && game["moves"][1]["cp"].is_number(), "{state}");
    assert!(game["board"].as_str().expect("a picture").starts_with("<svg"), "{state}");
    check_in_chromium(&format!("http://{address}"));
    seen.send(()).expect("the server");
    let output = child.wait_with_output().expect("the engine ends");
    server.finish();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // The last command may still run.
    for event in ["connecting", "logged_in", "started", "ended"] {
        let file = folder.path().join(format!("heard-{event}"));
        let heard = || std::fs::read_to_string(&file).unwrap_or_default();
        let heard = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            Some(heard()).filter(|heard| heard.ends_with("}\n"))
        });
        let heard = heard.unwrap_or_else(|| panic!("{event} was not heard"));
        let (name, json) = heard.split_once('\n').expect("two lines");
        let json: serde_json::Value = serde_json::from_str(json).expect("one object");
        assert_eq!((name, &json["event"]), (event, &event.into()));
    }
    assert!(!folder.path().join("heard-move").exists());
    assert!(TcpStream::connect(address.trim_end_matches('/')).is_err(), "the page is still there");
}

/// What the page at this address shows as soon as so many moves are played.
fn state_with_moves(address: &str, moves: usize) -> serde_json::Value {
    let mut state = serde_json::Value::Null;
    for _ in 0..200 {
        let mut stream = TcpStream::connect(address).expect("the page");
        write!(stream, "GET /state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        state = serde_json::from_str(body).expect("JSON");
        if state["game"]["moves"].as_array().is_some_and(|list| list.len() == moves) {
            return state;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{moves} moves are never shown: {state}");
}

fn check_in_chromium(address: &str) {
    if !chromium() {
        return;
    }
    let script = here("clients/open_live.mjs");
    let seen = output(Command::new("node").arg(script).args([address, "2"]));
    let seen: serde_json::Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["errors"].as_array().map(Vec::len), Some(0), "{seen}");
    assert_eq!((&seen["pieces"], &seen["lost"]), (&40.into(), &false.into()), "{seen}");
    assert!(seen["lower"].as_str().is_some_and(|name| name.starts_with("☖ ")), "{seen}");
    assert_eq!(seen["rows"][0][2], "0:02", "{seen}");
    assert!(seen["curve"].as_str().is_some_and(|curve| curve.starts_with('M')), "{seen}");
}

/// As in a GUI, but there is nobody who sends every option, so one that is given replaces the file's.
#[test]
fn the_file_beside_the_program_counts_unless_an_option_is_given() {
    let folder = Folder::new();
    folder.write("secret", PASSWORD);
    folder.write("engine_options.txt", "USI_Hash 1\nDepthLimit 1\nNoSuchOption 1\n");
    let engine = tests::program::engine();
    let program = folder.path().join(engine.file_name().expect("a name"));
    std::fs::copy(engine, &program).expect("a copy of the engine");
    for (option, depth) in [("MinimumThinkingTime=0", 1), ("DepthLimit=2", 2)] {
        let server = Server::start(|listener| {
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.begin(&Offer::new("g", '+'));
            peer.take_move(&mut Position::startpos(), "T1");
            peer.send("%TORYO,T1\n#RESIGN\n#WIN");
            peer.logout();
        });
        let mut command = Command::new(&program);
        command.args(["csa", "--host", "127.0.0.1", "--port", &server.port.to_string()]);
        command.args(["--user", "me", "--password-file", "secret", "--games", "1", "--json"]);
        command.args(["--option", option]).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().expect("the engine runs");
        server.finish();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let events = said.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let events: Vec<serde_json::Value> = events.collect();
        let depths: Vec<u64> = events.iter().filter_map(|event| event["depth"].as_u64()).collect();
        assert_eq!(depths, [depth], "{option}: {said}");
        let notices = events.iter().filter(|event| event["event"] == "notice");
        let notices: Vec<&str> = notices.filter_map(|event| event["text"].as_str()).collect();
        assert!(notices.iter().any(|text| text.starts_with("options read from ")), "{said}");
        assert!(notices.iter().any(|text| text.contains("NoSuchOption")), "{said}");
    }
}

#[test]
fn a_wrong_password_sets_the_exit_code() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.line();
        peer.send("LOGIN:incorrect");
        while peer.next_line().is_some() {}
    });
    let folder = Folder::new();
    let port = server.port.to_string();
    let arguments = ["--host", "127.0.0.1", "--port", &port, "--user", "me"];
    let output =
        command(&folder, &arguments).env("MONOMI_CSA_PASSWORD", PASSWORD).output().unwrap();
    server.finish();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("refuses the login of me") && !said.contains(PASSWORD), "{said}");
}

/// A slip in the name or the port shows at the first attempt; nobody waits for it.
#[test]
fn a_host_without_an_address_sets_the_exit_code() {
    let folder = Folder::new();
    let arguments = ["--host", "no-such-host.invalid", "--user", "me"];
    let output =
        command(&folder, &arguments).env("MONOMI_CSA_PASSWORD", PASSWORD).output().unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("no-such-host.invalid has no address"), "{said}");
}

#[cfg(unix)]
#[test]
fn signals_stop_after_the_game_and_at_once() {
    for signals in [1, 2] {
        let (sender, receiver) = std::sync::mpsc::channel::<u32>();
        let server = Server::start(move |listener| {
            let mut peer = Peer::accept(listener);
            peer.login();
            let mut position = Position::startpos();
            peer.begin(&Offer::new("g", '+'));
            peer.take_move(&mut position, "T1");
            let pid = receiver.recv().unwrap();
            for _ in 0..signals {
                let killed = Command::new("kill").args(["-TERM", &pid.to_string()]).status();
                assert!(killed.unwrap().success());
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            if signals == 2 {
                assert_eq!(peer.next_line(), None);
                return;
            }
            peer.make_move(&mut position, "T1");
            peer.take_move(&mut position, "T1");
            peer.send("%TORYO,T1\n#RESIGN\n#WIN");
            peer.logout();
        });
        let folder = Folder::new();
        let port = server.port.to_string();
        let mut arguments = vec!["--host", "127.0.0.1", "--port", &port, "--user", "me"];
        arguments.extend(OPTIONS);
        let mut command = command(&folder, &arguments);
        command.env("MONOMI_CSA_PASSWORD", PASSWORD);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        sender.send(child.id()).unwrap();
        let output = child.wait_with_output().unwrap();
        server.finish();
        let expected = if signals == 1 { 0 } else { 130 };
        assert_eq!(output.status.code(), Some(expected), "{}", text(&output));
    }
}
