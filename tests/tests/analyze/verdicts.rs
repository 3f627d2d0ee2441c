//! `monomi analyze`: verdicts, mates, and the names of openings and castles.

use super::{folder, jsonl, one};
use monomi_analysis::opening::{castles, opening};
use tests::analysis::analyze;
use tests::data::shared_file;
use tests::report;

#[test]
fn castles_have_the_names_that_others_give_them() {
    for (file, expected) in [
        ("COMPLETE_YAGURA-H42_3", "矢倉囲い"),
        ("HIGH_MINO_CASTLE-frYADu-wfz0", "高美濃囲い"),
        ("SILVER_CROWN-95mVj5UFs7M", "銀冠"),
    ] {
        let path = format!("records/kif/tests_castles_{file}.kif");
        let Some(path) = shared_file(&path) else {
            report(&format!("skipped: ../shared/{path} is not there"));
            continue;
        };
        let record = one(&std::fs::read(path).expect("a file"));
        let names = castles(&record).map(|castle| castle.map(|castle| castle.ja));
        let found = names.iter().flatten().any(|name| name.contains(expected));
        assert!(found, "{file}: {names:?}");
    }
}

/// Professional moves are rarely bad: 637644e accuses more than a fifth of these.
#[test]
fn few_professional_opening_moves_are_accused() {
    let Some(folder) = shared_file("records/csa") else {
        report("skipped: ../shared/records is not there");
        return;
    };
    let games = super::folder("openings");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name.starts_with("kifu") {
            let record = one(&std::fs::read(&path).expect("readable"));
            let moves: Vec<String> =
                record.moves.iter().take(22).map(|played| played.mv.to_string()).collect();
            let file = games.join(format!("{name}.usi"));
            let line = format!("sfen {} moves {}", record.start.to_sfen(), moves.join(" "));
            std::fs::write(&file, line).expect("written");
            files.push(file.display().to_string());
        }
    }
    files.sort();
    let mut arguments = vec!["-q", "--nodes", "5000"];
    arguments.extend(files.iter().map(String::as_str));
    let rows = jsonl(&arguments);
    let judged = rows.iter().filter(|row| row["loss"].is_number()).count();
    let bad = ["dubious", "mistake", "blunder"];
    let accused = rows.iter().filter(|row| bad.iter().any(|class| row["class"] == *class)).count();
    report(&format!("{accused} of {judged} opening moves are accused at 5,000 nodes"));
    assert!(judged == 220 && accused <= 33, "{accused} of {judged}");
}

/// The winning probabilities before and after every move differ by the loss that its verdict states.
#[test]
fn every_fall_has_a_verdict() {
    let games = [
        "records/csa/kifu09136.csa",
        "records/kif/tests_wars_0012.kif",
        "records/kif/tests_wars_0060.kif",
    ];
    let files: Vec<_> = games.iter().filter_map(|game| shared_file(game)).collect();
    if files.len() < games.len() {
        report("skipped: ../shared/records is not there");
    }
    let mut moves = 0;
    for file in files {
        let rows = jsonl(&["-q", "--nodes", "2000", &file.display().to_string()]);
        for pair in rows.windows(2) {
            let number = |row: usize, key: &str| pair[row][key].as_f64().expect("a number");
            let fall = number(0, "win_black") - number(1, "win_black");
            let fall = if pair[0]["side"] == "black" { fall } else { -fall };
            let loss = number(0, "loss");
            // Evaluations are shown in centipawns, which rounds them.
            assert!((fall - loss).abs() < 0.002, "{fall} and {loss}: {}", pair[0]);
            let bad = ["inaccuracy", "dubious", "mistake", "blunder"];
            let accused = bad.iter().any(|class| pair[0]["class"] == *class);
            // At 4.95 % rounding decides.
            assert!(accused == (loss > 0.0495) || (loss - 0.0495).abs() < 0.0001, "{}", pair[0]);
            moves += 1;
        }
    }
    report(&format!("{moves} moves"));
}

/// A missed mate and threats are proven by the mate solver.
#[test]
fn mates_and_threats_are_proven() {
    let folder = folder("tactics");
    let path = folder.join("tactics.usi");
    // A gold in hand before a pawn that supports it: White is mated if it passes. In the second
    // position White has nowhere to go.
    let text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h 5a4a\n\
                4k4/9/4P4/9/9/9/9/9/4K4 w G 1\n\
                k8/9/1P7/9/9/9/9/9/4K4 b 2G 1 moves G*9c\n\
                4k3l/9/4P4/9/9/9/9/8r/4K4 w G 1 moves 1a1b\n";
    std::fs::write(&path, text).expect("written");
    let rows = jsonl(&["--nodes", "5000", &path.display().to_string()]);
    assert_eq!(rows[0]["solved_mate"], 1, "{}", rows[0]);
    assert_eq!(rows[0]["missed_mate"], 1, "{}", rows[0]);
    assert!(rows[1]["solved_mate"].is_null());
    assert_eq!(rows[3]["threat"], "threatmate", "{}", rows[3]);
    assert_eq!((&rows[3]["threat_mate"], &rows[3]["threat_move"]), (&1.into(), &"G*5b".into()));
    let name = rows[3]["threat_move_ja"].as_str().expect("a move");
    assert!(name.starts_with("▲５二金"), "{name}");
    // After Black's king move, too; before it, Black is to move.
    assert!(rows[1]["threat_move"].is_string() && rows[0]["threat_move"].is_null());
    let brink = &rows[5];
    assert!(brink["threat"] == "brinkmate" || brink["over"] == "mated", "{brink}");
    // White has a rook more and moves its lance: it should have moved its king.
    assert_eq!(rows[6]["threat"], "threatmate", "{}", rows[6]);
    assert_eq!(rows[6]["reason_ja"], "詰めろを受けず1手詰", "{}", rows[6]);
    assert_eq!(rows[6]["class"], "blunder", "{}", rows[6]);
    for (notation, mate) in [(None, "▲G*5b"), (Some("japanese"), "▲５二金")] {
        let option = notation.map(|notation| format!("--notation={notation}"));
        let path = path.display().to_string();
        let arguments = option.as_deref().into_iter().chain(["--nodes", "5000", path.as_str()]);
        let output = analyze(&arguments.collect::<Vec<_>>());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains(&format!("misses a mate in 1: {mate}")), "{text}");
    }
}

/// A record without moves has an evaluation, and no accuracy.
#[test]
fn a_diagram_gets_its_evaluation_and_mate() {
    let folder = folder("diagram");
    let path = folder.join("diagram.usi");
    std::fs::write(&path, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n").expect("written");
    let output = analyze(&["--nodes", "1000", &path.display().to_string()]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("mate in 1 for ▲") && !text.contains("accuracy"), "{text}");
    // A side without judged moves has no accuracy either.
    std::fs::write(&path, "7g7f\n").expect("written");
    let output = analyze(&["--nodes", "1000", &path.display().to_string()]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let white = text.lines().find(|line| line.contains('△')).expect("a line for White");
    assert!(white.trim_start().starts_with('–'), "{text}");
    assert!(text.contains("1 move)"), "{text}");
}

/// The files of another project's tests are named after their openings.
#[test]
fn opening_names_agree_with_other_sources() {
    for (file, expected) in [
        ("BISHOP_EXCHANGE-SPSX76u6-vA", "角換わり"),
        ("BISHOP_EXCHANGE_RECLINING_SILVER-zK7wPvUYxHE", "一手損角換わり腰掛け銀"),
        ("DEMON_KILLER-H19", "鬼殺し"),
        ("HIDE_CHAN_STYLE_CENTRAL_ROOK-H12", "後手中飛車"),
        ("MORISHITA_SYSTEM-LgiilJ3RQoI", "相矢倉"),
        ("PRIMITIVE_CLIMBING_SILVER-7YhJI74Ycqc", "棒銀"),
        ("RAPID_ADVANCING_SILVER-zibthLm7FB8", "一手損角換わり早繰り銀"),
        ("SILVER_HORNED_SNOW_ROOF-H32", "相雁木"),
        ("WAKI_SYSTEM-RMg4w2dFXA4", "脇システム"),
    ] {
        let path = format!("records/kif/tests_openings_{file}.kif");
        let Some(path) = shared_file(&path) else {
            report(&format!("skipped: ../shared/{path} is not there"));
            continue;
        };
        let record = one(&std::fs::read(path).expect("a file"));
        let name = opening(&record).map(|opening| opening.ja);
        assert_eq!(name.as_deref(), Some(expected), "{file}");
    }
}
