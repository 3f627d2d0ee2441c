//! Evaluation files over USI: loading, rejection and error messages.

use tests::data::shared;
use tests::folder::Folder;
use tests::networks::constant;
use tests::usi_client::UsiClient;

/// Sets the file and returns what `isready` brings before `readyok`.
fn load(client: &mut UsiClient, path: impl std::fmt::Display) -> String {
    client.send(&format!("setoption name EvalFile value {}", path));
    client.send("isready");
    client.collect("readyok").join("\n")
}

/// The score that `eval` shows, and its raw value if there is a network.
fn evaluation(client: &mut UsiClient) -> (i32, Option<i32>) {
    client.send("eval");
    client.send("isready");
    let number = |line: &str| line.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    let mut raw = None;
    let mut score = None;
    for line in client.collect("readyok") {
        let line = line.trim_start_matches("info string ").to_owned();
        if line.starts_with("raw ") {
            raw = number(&line);
        } else if line.starts_with("score ") {
            score = number(&line);
        }
    }
    (score.unwrap_or_else(|| client.fail("`eval` shows no score")), raw)
}

#[test]
fn a_network_is_loaded_by_file_or_by_folder_and_scaled() {
    let folder = Folder::new();
    let file = folder.write("nn.bin", constant(3200));
    let mut client = UsiClient::ready();
    client.send("position startpos");
    let built_in = evaluation(&mut client);
    // The file of the network built in states the scale 16.
    assert_eq!(built_in.1.map(|raw| raw / 16), Some(built_in.0), "a network is built in");
    load(&mut client, "<piece-square>");
    assert_eq!(evaluation(&mut client), (0, None));
    let said = load(&mut client, &file);
    assert!(!said.contains("Error"), "{said}");
    assert_eq!(evaluation(&mut client), (200, Some(3200)));
    client.send("setoption name FV_SCALE value 20");
    client.settle();
    assert_eq!(evaluation(&mut client), (160, Some(3200)));
    client.send("go nodes 500");
    client.best_move();
    // Back to the evaluation built in, and once more by folder.
    load(&mut client, "<internal>");
    assert_eq!(evaluation(&mut client), built_in);
    client.send(&format!("setoption name EvalDir value {}", folder.path().display()));
    client.settle();
    assert_eq!(evaluation(&mut client), (160, Some(3200)));
    client.quit();
}

#[test]
fn eval_after_isready_uses_the_new_evaluation() {
    let folder = Folder::new();
    let file = folder.write("nn.bin", constant(3200));
    let mut client = UsiClient::ready();
    client.send("position startpos");
    // Piped commands wait for no answer; each `eval` means the position before it.
    const BARE: &str = "4k4/9/9/9/9/9/9/9/4K4 w - 1";
    let piped = format!(
        "setoption name EvalFile value {file}\nisready\neval\nposition sfen {BARE}\neval\n"
    );
    client.send_raw(piped.as_bytes());
    let is_score = |line: &String| line.trim_start_matches("info string ").starts_with("score ");
    assert!(!client.collect("readyok").iter().any(is_score));
    client.send("isready");
    let scores: Vec<_> = client.collect("readyok").into_iter().filter(is_score).collect();
    let of = |at: usize, words: &str| scores.get(at).is_some_and(|line| line.contains(words));
    assert!(of(0, "score 200 ") && of(0, "for Black") && scores.len() == 2, "{scores:?}");
    assert!(of(1, "score 200 ") && of(1, "for White"), "{scores:?}");
    client.quit();
}

#[test]
fn invalid_files_are_reported_and_change_nothing() {
    let folder = Folder::new();
    let good = constant(1600);
    let file = folder.write("good.bin", &good);
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        bytes
    };
    let bad: [(&str, Vec<u8>); 7] = [
        ("empty", Vec::new()),
        ("header-only", good[..10].to_vec()),
        ("truncated", good[..good.len() - 1].to_vec()),
        ("half", good[..good.len() / 2].to_vec()),
        ("trailing", [good.as_slice(), &[0]].concat()),
        ("version", changed(0, 1)),
        ("text", b"this is a text and no network at all".to_vec()),
    ];
    let mut client = UsiClient::ready();
    client.send("position startpos");
    load(&mut client, &file);
    assert_eq!(evaluation(&mut client), (100, Some(1600)));
    let folder_itself = folder.path().display().to_string();
    let missing = folder.file("missing.bin");
    let paths = bad.iter().map(|(name, bytes)| folder.write(name, bytes));
    for path in paths.chain([folder_itself, missing]) {
        let said = load(&mut client, &path);
        assert!(said.contains("info string Error!"), "{}: {said}", path);
        assert!(said.contains(&path.to_string()), "the path is not named: {said}");
        assert_eq!(evaluation(&mut client), (100, Some(1600)), "after {}", path);
    }
    client.quit();
}

#[test]
fn a_real_network_gives_its_reference_values() {
    let (Some(reference), Some(path)) = (
        shared("nets/suisho-petite/reference.jsonl"),
        tests::data::shared_file("nets/suisho-petite/nn.bin"),
    ) else {
        return;
    };
    let path = path.canonicalize().expect("it exists").display().to_string();
    let mut client = UsiClient::ready();
    let said = load(&mut client, &path);
    assert!(!said.contains("Error"), "{said}");
    let field = |line: &str, name: &str| {
        let rest = line.split_once(&format!("\"{name}\":")).expect("the field").1.trim_start();
        rest.trim_start_matches('"').split(['"', ',', '}']).next().expect("a value").to_owned()
    };
    for line in reference.lines().step_by(20) {
        client.send(&format!("position sfen {}", field(line, "sfen")));
        let raw: i32 = field(line, "raw").parse().expect("a number");
        let score: i32 = field(line, "score").parse().expect("a number");
        assert_eq!(evaluation(&mut client), (score, Some(raw)), "{line}");
    }
    client.quit();
}
