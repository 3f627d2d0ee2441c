//! `monomi analyze --positions --shard` and `monomi merge`: lists on many machines.

use super::positions::{folder, list, searched, sfens};
use serde_json::Value;
use std::path::Path;
use tests::analysis::{analyze, code, contents, rows, stderr};
use tests::program::command;

#[test]
fn files_and_shards_agree_with_standard_output() {
    let (folder, sfens) = (folder("files"), sfens());
    let list = list(&folder, "list.sfen", &sfens);
    let whole = searched(&[&list]);
    let out = folder.join("out").display().to_string();
    for shard in ["1/1", "1/3", "2/3", "3/3"] {
        let output = analyze(&[
            "--positions",
            "--nodes",
            "1500",
            "--shard",
            shard,
            "-f",
            "jsonl,csv",
            "-o",
            &out,
            &list,
        ]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    }
    let files = contents(Path::new(&out));
    let text = |name: &str| String::from_utf8(files[name].clone()).expect("UTF-8");
    assert_eq!(rows(&text("list.monomi.jsonl")), whole);
    let mut parts: Vec<Value> =
        (1..=3).flat_map(|part| rows(&text(&format!("list.{part}of3.monomi.jsonl")))).collect();
    assert_eq!(parts[1]["line"], 4);
    parts.sort_by_key(|row| row["line"].as_u64());
    assert_eq!(parts, whole);
    // Nothing but the files is left behind, and what is known of each shard.
    assert_eq!(files.len(), 8 + 3, "{:?}", files.keys());
    let csv = text("list.monomi.csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    for (line, row) in lines.zip(&whole) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), header.len(), "{line}");
        for (key, field) in header.iter().zip(fields) {
            let value = row.get(key).unwrap_or_else(|| panic!("{key} is no field of JSONL"));
            let same = match value {
                Value::Null => field.is_empty(),
                Value::String(text) => text == field,
                number => field.parse().ok() == number.as_f64(),
            };
            assert!(same, "{key}: {value}, {field}");
        }
    }
    assert_eq!(csv.lines().count(), whole.len() + 1);
}

fn merge(arguments: &[&str]) -> std::process::Output {
    command().arg("merge").args(arguments).output().expect("the program runs")
}

#[test]
fn shards_are_merged() {
    let (folder, mut lines) = (folder("merge"), sfens());
    lines.insert(2, "# a comment".to_owned());
    lines.insert(5, "9/9 b - 1".to_owned());
    let list = list(&folder, "list.sfen", &lines);
    let out = folder.join("out").display().to_string();
    let run = |shard: &str, out: &str, nodes: &str| {
        let formats = ["-f", "jsonl,csv", "-o", out, &list];
        let arguments = ["--positions", "-q", "--nodes", nodes, "--shard", shard];
        let output = analyze(&[&arguments[..], &formats[..]].concat());
        assert!(matches!(code(&output), Some(0 | 3)), "{}", stderr(&output));
    };
    for shard in ["1/3", "2/3", "3/3"] {
        run(shard, &out, "300");
    }
    let output = analyze(&["--positions", "-q", "--nodes", "300", &list]);
    let whole = String::from_utf8(output.stdout).expect("UTF-8");
    let shards = |extension: &str| {
        let path = |part: u32| format!("{out}/list.{part}of3.monomi.{extension}");
        [3, 1, 2].map(path)
    };
    let names = shards("jsonl");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = merge(&names);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), whole);
    assert!(stderr(&output).contains("1 line of the list held no position"), "{}", stderr(&output));
    let merged = folder.join("merged.csv");
    let csv = shards("csv");
    let csv: Vec<&str> = csv.iter().map(String::as_str).collect();
    let output = merge(&[&["-o", merged.to_str().expect("UTF-8")], &csv[..]].concat());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(&merged).expect("merged");
    assert_eq!(text.lines().count(), whole.lines().count() + 1);
    assert!(text.starts_with("list,line,sfen,"));

    // A finished shard is not searched again, and its exit code is the same.
    let again = |shard: &str, nodes: &str| {
        let arguments = ["--positions", "--nodes", nodes, "--shard", shard, "-f", "jsonl,csv"];
        analyze(&[&arguments[..], &["-o", &out, &list]].concat())
    };
    let (good, bad) = (again("1/3", "300"), again("3/3", "300"));
    assert_eq!([code(&good), code(&bad)], [Some(0), Some(3)]);
    for (output, shard) in [(&good, "1/3"), (&bad, "3/3")] {
        let said = format!("list.sfen: shard {shard} is finished already");
        assert!(stderr(output).contains(&said), "{}", stderr(output));
    }
    let output =
        analyze(&["--positions", "-q", "--nodes", "300", "--shard", "1/3", "-o", &out, &list]);
    assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()));
    let output = again("1/3", "200");
    assert!(!stderr(&output).contains("finished already"), "{}", stderr(&output));
    run("1/3", &out, "300");

    // Everything that is wrong is named.
    let refused = |names: &[&str], parts: &[&str]| {
        let target = folder.join("refused.jsonl");
        let output = merge(&[&["-o", target.to_str().expect("UTF-8")], names].concat());
        assert_eq!(code(&output), Some(1), "{names:?}");
        for part in parts {
            assert!(stderr(&output).contains(part), "{part} in {}", stderr(&output));
        }
        let left = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        assert_eq!(left.filter(|name| name.contains("refused")).count(), 0);
    };
    refused(&names[..2], &["missing shards: 2 (of 3)"]);
    refused(&[names[0], names[1], names[2], names[1]], &["list.1of3", "already there"]);
    refused(&[names[0], names[1], csv[2]], &["list.2of3.monomi.csv", "format"]);
    let other = |name: &str| format!("{}/{name}/list.2of3.monomi.jsonl", folder.display());
    run("2/3", &folder.join("settings").display().to_string(), "301");
    refused(&[names[0], names[1], &other("settings")], &[&other("settings"), "settings"]);
    std::fs::write(&list, lines.join("\n") + "\nstartpos\n").expect("written");
    run("2/3", &folder.join("list").display().to_string(), "300");
    refused(&[names[0], names[1], &other("list")], &[&other("list"), "list"]);
    run("1/2", &folder.join("number").display().to_string(), "300");
    let two = format!("{}/number/list.1of2.monomi.jsonl", folder.display());
    refused(&[names[0], &two], &[&two, "another number of shards"]);
    refused(&[&list], &["list.sfen", "not the result of a shard"]);
    let copy = folder.join("copy.monomi.jsonl");
    std::fs::copy(names[0], &copy).expect("copied");
    refused(&[copy.to_str().expect("UTF-8")], &["copy.monomi.shard.json"]);
    // A damaged file: a row is there twice, or is no row.
    let text = std::fs::read_to_string(names[2]).expect("readable");
    let first = text.lines().next().expect("a row");
    std::fs::write(names[2], format!("{first}\n{text}")).expect("written");
    refused(&names, &["list.2of3", "is there already"]);
    std::fs::write(names[2], format!("{text}what\n")).expect("written");
    refused(&names, &["list.2of3", "not a result"]);
}
