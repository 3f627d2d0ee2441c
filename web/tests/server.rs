//! The server of `monomi app`, from outside: who gets in, and what a page can do.

mod served;

use monomi_app::server::{Server, ServerError};
use monomi_support::text::Lang;
use serde_json::{Value, json};
use served::{PATIENCE, Page, Served, begins, status};
use std::time::Instant;
use tungstenite::Message;

#[test]
fn nobody_enters_without_the_token_or_the_cookie() {
    let served = Served::new();
    for line in ["GET /", "GET /app.js", "GET /?token=", "GET /?token=0", "GET /nothing"] {
        let answer = served.ask(line, &[], "");
        assert_eq!(status(&answer), 403, "{line}: {answer}");
        assert!(!answer.contains("<script"), "{answer}");
    }
    let other = format!("monomi-{}={}", served.port, "0".repeat(64));
    let origin = served.origin();
    for headers in [vec![], vec![("Cookie", other.as_str())]] {
        let headers = [headers, vec![("Origin", origin.as_str())]].concat();
        assert_eq!(status(&served.ask("POST /rules", &headers, r#"{"type":"handicaps"}"#)), 403);
    }
    assert_eq!(served.socket_with(&other, &served.host(), Some(&origin)).err(), Some(403));
    // The token is used up by the first browser; its cookie stays good.
    let cookie = served.enter();
    let again = served.ask(&format!("GET /?token={}", served.token), &[], "");
    assert_eq!(status(&again), 403, "{again}");
    assert!(again.contains("monomi app"), "{again}");
    assert_eq!(status(&served.ask("GET /", &[("Cookie", &cookie)], "")), 200);
    assert_eq!(status(&served.ask("GET /no/such/file", &[("Cookie", &cookie)], "")), 404);
    let reopened = served.ask(&format!("GET /?token={}", served.token), &[("Cookie", &cookie)], "");
    assert_eq!(status(&reopened), 303, "{reopened}");
}

#[test]
fn other_origins_are_refused() {
    let served = Served::new();
    let cookie = served.enter();
    let port = served.port.to_string();
    for origin in [
        "null",
        "http://evil.example",
        &format!("http://127.0.0.1:{}", 1),
        &format!("https://127.0.0.1:{port}"),
    ] {
        let headers = [("Cookie", cookie.as_str()), ("Origin", origin)];
        assert_eq!(status(&served.ask("GET /", &headers, "")), 403, "{origin}");
        assert_eq!(status(&served.ask("POST /rules", &headers, "{}")), 403, "{origin}");
        assert_eq!(served.socket_with(&cookie, &served.host(), Some(origin)).err(), Some(403));
    }
    // Nothing but files without an origin.
    assert_eq!(status(&served.ask("POST /rules", &[("Cookie", &cookie)], "{}")), 403);
    assert_eq!(served.socket_with(&cookie, &served.host(), None).err(), Some(403));
}

#[test]
fn other_hosts_are_refused() {
    let served = Served::new();
    let cookie = served.enter();
    for host in ["evil.example", "127.0.0.1", "", &format!("evil.example:{}", served.port)] {
        let origin = format!("http://{host}");
        for headers in
            [vec![("Cookie", cookie.as_str())], vec![("Cookie", &cookie), ("Origin", &origin)]]
        {
            let answer = served.ask_as(host, "GET /", &headers, "");
            assert!([400, 403].contains(&status(&answer)), "{host}: {answer}");
        }
        assert_eq!(
            status(&served.ask_as(host, &format!("GET /?token={}", served.token), &[], "")),
            403
        );
        assert_eq!(served.socket_with(&cookie, host, Some(&origin)).err(), Some(403));
    }
    let localhost = format!("localhost:{}", served.port);
    assert_eq!(status(&served.ask_as(&localhost, "GET /", &[("Cookie", &cookie)], "")), 200);
}

#[test]
fn a_second_page_is_told_and_a_later_one_gets_in() {
    let served = Served::new();
    let cookie = served.enter();
    let mut first = served.socket(&cookie);
    assert!(first.receive().expect("a greeting")["hello"]["cores"].as_u64() >= Some(1));
    let refused = served.socket(&cookie).receive().expect_err("refused").expect("a reason");
    assert_eq!(u16::from(refused.code), 4001);
    // The first one is not disturbed.
    first.line(1, "isready");
    first.wait_for(|text| begins(text, 1, "readyok"));
    first.socket.close(None).expect("closed");
    drop(first);
    let since = Instant::now();
    while served.socket(&cookie).receive().is_err() {
        assert!(since.elapsed() < PATIENCE);
    }
}

#[test]
fn a_port_in_use_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    match Server::bind(Some(port), std::env::temp_dir(), Lang::En) {
        Err(error @ ServerError::PortTaken(_)) => {
            assert!(error.to_string().contains(&port.to_string()), "{error}");
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two programs at one port"),
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let served = Served::new();
    let mut state = 42_u64;
    let mut bytes = |count: usize| -> Vec<u8> {
        let next = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u8
        });
        next.take(count).collect()
    };
    for _ in 0..20 {
        let answer = served.exchange(&bytes(1_000));
        assert!(answer.is_empty() || (400..500).contains(&status(&answer)), "{answer}");
    }
    // The same from a page that is connected.
    let cookie = served.enter();
    let mut page = served.socket(&cookie);
    page.receive().expect("a greeting");
    page.socket.send(Message::Binary(bytes(1_000).into())).expect("sent");
    let answer = page.receive().expect("an answer");
    assert!(answer["answer"]["error"].is_string() || answer["answer"]["ok"].is_array(), "{answer}");
    for text in ["", "{}", "[]", r#"{"engine":1}"#, r#"{"engine":1,"line":7}"#] {
        let mut page = loop {
            page = served.socket(&cookie);
            if page.receive().is_ok() {
                break page;
            }
        };
        page.socket.send(Message::Text(text.into())).expect("sent");
        let closed = page.receive().expect_err(text).expect("a reason");
        assert_eq!(u16::from(closed.code), 4002, "{text}");
    }
    // Requests that are not understood are answered.
    let headers = [("Cookie", cookie.as_str()), ("Origin", &served.origin())];
    let answer = served.ask("POST /rules", &headers, "no JSON");
    assert_eq!(status(&answer), 200, "{answer}");
    assert!(answer.contains("error"), "{answer}");
}

#[test]
fn rules_and_records_are_answered_at_once() {
    let served = Served::new();
    let cookie = served.enter();
    let origin = served.origin();
    let headers = [("Cookie", cookie.as_str()), ("Origin", &origin)];
    let rules = |request: Value| {
        let answer = served.ask("POST /rules", &headers, &request.to_string());
        serde_json::from_str::<Value>(answer.split("\r\n\r\n").nth(1).expect("a body"))
            .expect("JSON")
    };
    let position = rules(json!({ "type": "position", "position": "startpos moves 7g7f" }));
    assert_eq!(position["ok"]["legal"].as_array().map(Vec::len), Some(30));
    let opened = served.ask("POST /records", &headers, "position startpos moves 7g7f 3c3d");
    assert!(opened.contains(r#""moves":["7g7f","3c3d"]"#), "{opened}");
    let kif = rules(json!({ "type": "recordkif", "game": 0 }));
    assert!(kif["ok"].as_str().is_some_and(|kif| kif.contains("７六歩")), "{kif}");
}

#[test]
fn a_page_plays_and_analyses() {
    let served = Served::new();
    let cookie = served.enter();
    let mut page = served.socket(&cookie);
    for line in ["setoption name Threads value 2", "isready", "position startpos", "go nodes 5000"]
    {
        page.line(1, line);
    }
    page.wait_for(|text| begins(text, 1, "info depth 1 "));
    page.wait_for(|text| begins(text, 1, "bestmove "));
    // The evaluation of one engine is that of all, for requests too.
    let evaluate = |page: &mut Page, id| {
        let request = json!({ "type": "evaluate", "position": "startpos moves 7g7f" });
        page.say(&json!({ "engine": 2, "id": id, "request": request }));
        page.wait_for(|text| text["engine"] == 2 && text["id"] == id)["answer"]["ok"].clone()
    };
    let before = evaluate(&mut page, 1);
    page.line(1, "setoption name EvalFile value <piece-square>");
    page.line(1, "isready");
    page.wait_for(|text| begins(text, 1, "readyok"));
    assert_ne!(before, evaluate(&mut page, 2));
    // A game, as a file and in stretches.
    let file = [&[3, 0, 0, 0, 7, 0, 0, 0][..], b"position startpos moves 7g7f 3c3d 2g2f"].concat();
    page.socket.send(Message::Binary(file.into())).expect("sent");
    let opened = page.wait_for(|text| text["engine"] == 3 && text["id"] == 7);
    assert_eq!(opened["answer"]["ok"][0]["moves"].as_array().map(Vec::len), Some(3), "{opened}");
    page.say(&json!({ "engine": 3, "id": 8, "request": { "type": "analyze", "nodes": 500 } }));
    let begun = page.wait_for(|text| text["id"] == 8);
    assert_eq!(begun["answer"]["ok"]["positions"], 4, "{begun}");
    page.say(&json!({ "engine": 3, "id": 9, "request": { "type": "advance" } }));
    let progress = page.wait_for(|text| text["id"] == 9 && !text["progress"].is_null());
    assert_eq!(progress["progress"], json!({ "done": 1, "of": 4 }));
    let more = page.wait_for(|text| text["id"] == 9 && !text["answer"].is_null());
    assert_eq!(more["answer"]["ok"]["more"], true);
    // A search without an end stops when it is told to.
    page.line(1, "go infinite");
    page.wait_for(|text| begins(text, 1, "info depth 3 "));
    page.line(1, "stop");
    page.wait_for(|text| begins(text, 1, "bestmove "));
}

/// However a page spells it.
#[test]
fn pages_write_no_files() {
    let served = Served::new();
    let cookie = served.enter();
    let mut page = served.socket(&cookie);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("written").display().to_string();
    for command in [
        "setoption name DebugLogFile value",
        "setoption DebugLogFile value",
        "setoption name Debug_Log_File value",
        "setoption name debug log file value",
        "export_net",
    ] {
        page.line(1, &format!("{command} {file}"));
        page.wait_for(|text| begins(text, 1, "info string Error! "));
        page.line(1, "isready");
        page.wait_for(|text| begins(text, 1, "readyok"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// Games are reached by the page alone, and only those of the folder.
#[test]
fn games_need_the_cookie_and_the_origin() {
    let served = Served::new();
    let cookie = served.enter();
    let origin = served.origin();
    let folder = served.folder.path().join("games");
    let name = "monomi-20261128-143005-won.kifu";
    let write =
        json!({ "type": "write", "name": name, "kif": "position startpos moves 7g7f 3c3d" });
    let write = write.to_string();
    let own = [("Cookie", cookie.as_str()), ("Origin", origin.as_str())];
    let wrong = format!("monomi-{}={}", served.port, "0".repeat(64));
    let refused: [&[(&str, &str)]; 5] = [
        &[],
        &[("Origin", &origin)],
        &[("Cookie", &cookie)],
        &[("Cookie", &wrong), ("Origin", &origin)],
        &[("Cookie", &cookie), ("Origin", "http://evil.example")],
    ];
    for headers in refused {
        assert_eq!(status(&served.ask("POST /games", headers, &write)), 403, "{headers:?}");
    }
    let answer = served.ask_as("evil.example", "POST /games", &own, &write);
    assert_eq!(status(&answer), 403, "{answer}");
    // A page of another site can make a browser fetch an address, but that is no request for games.
    for path in ["GET /games", "GET /games/", "GET /games/x.kifu", "DELETE /games", "PUT /games"] {
        let answer = status(&served.ask(path, &own, ""));
        assert!([404, 405].contains(&answer), "{path}: {answer}");
    }
    assert!(!folder.exists());
    let ask = |request: &str| {
        let answer = served.ask("POST /games", &own, request);
        assert_eq!(status(&answer), 200, "{answer}");
        serde_json::from_str::<Value>(answer.split("\r\n\r\n").nth(1).expect("a body"))
            .expect("JSON")
    };
    assert_eq!(ask(&write), json!({ "ok": null }));
    let listed = ask(r#"{"type":"list"}"#);
    assert_eq!(listed["ok"]["games"][0]["name"], name, "{listed}");
    assert_eq!(listed["ok"]["folder"], folder.display().to_string());
    // Nothing outside the folder, by any spelling of a name.
    let secret = served.folder.path().join("secret.kifu");
    std::fs::write(&secret, "position startpos moves 7g7f").expect("written");
    for name in [
        "../secret.kifu",
        "..\\secret.kifu",
        "%2e%2e/secret.kifu",
        "./../secret.kifu",
        "games/../../secret.kifu",
        secret.to_str().expect("a path"),
        "secret.kifu",
        "monomi-20261128-143005-won.kifu/../../secret.kifu",
        "",
        "\0",
    ] {
        for kind in ["read", "remove"] {
            let answer = ask(&json!({ "type": kind, "name": name }).to_string());
            assert!(answer["error"].is_string(), "{kind} {name:?}: {answer}");
        }
        let write = json!({ "type": "write", "name": name, "kif": "position startpos moves 7g7f" });
        assert!(ask(&write.to_string())["error"].is_string(), "{name:?}");
    }
    for request in ["", "no JSON", "[]", r#"{"type":"list","more":1}"#, r#"{"type":"chmod"}"#] {
        assert!(ask(request)["error"].is_string(), "{request}");
    }
    // Errors are in the language of the page.
    served.ask("POST /rules", &own, r#"{"type":"language","language":"ja"}"#);
    let answer = ask(r#"{"type":"read","name":"x.kif"}"#);
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("ありません")), "{answer}");
    let names: Vec<_> = std::fs::read_dir(served.folder.path()).expect("a folder").collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 1);
}
