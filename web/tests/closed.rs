//! A page that is closed ends its searches. In a process of its own, since it looks at the threads of the process.

#![cfg(target_os = "linux")]

mod served;

use serde_json::json;
use served::{PATIENCE, Served, begins};
use std::time::{Duration, Instant};

/// How many threads of this process have such a name.
fn threads(name: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("threads");
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|thread| thread.trim_end() == name).count()
}

fn wait_until_none(names: &[&str]) {
    let since = Instant::now();
    for name in names {
        while threads(name) > 0 {
            assert!(since.elapsed() < PATIENCE, "{name}: still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_closed_page_ends_its_searches() {
    let served = Served::new();
    let cookie = served.enter();
    // Closed as a browser does, and by a connection that breaks.
    for orderly in [true, false] {
        let mut page = served.socket(&cookie);
        page.receive().expect("a greeting");
        page.line(1, "setoption name Threads value 2");
        page.line(1, "position startpos");
        page.line(1, "go infinite");
        page.wait_for(|text| begins(text, 1, "info depth 3 "));
        // An engine that analyses, too.
        let file =
            [&[2, 0, 0, 0, 1, 0, 0, 0][..], b"position startpos moves 7g7f 3c3d 2g2f"].concat();
        page.socket.send(tungstenite::Message::Binary(file.into())).expect("sent");
        let request = json!({ "type": "analyze", "nodes": 20_000 });
        page.say(&json!({ "engine": 2, "id": 2, "request": request }));
        for id in 3..7 {
            page.say(&json!({ "engine": 2, "id": id, "request": { "type": "advance" } }));
        }
        page.wait_for(|text| text["engine"] == 2 && text["id"] == 3);
        assert_eq!((threads("search"), threads("session"), threads("requests")), (1, 1, 1));
        if orderly {
            page.socket.close(None).expect("closed");
        }
        drop(page);
        wait_until_none(&["search", "session", "requests"]);
    }
}
