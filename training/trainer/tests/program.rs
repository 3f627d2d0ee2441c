//! Runs the program as users do.

use monomi_eval::network::{FeatureMap, NetworkFile};
use monomi_eval::piece_square::Numbers;
use monomi_games::{EndReason, Game, GameWriter, GenerationSettings, Outcome};
use monomi_movegen::Position;
use monomi_movegen::square::Dense as _;
use shogi_core::Color;
use std::path::Path;
use std::process::{Command, Output};
use tests::folder::Folder;
use tests::games::{Random, random_move};

/// Random games with scores by material, so that there is something to learn.
fn write_games(path: &str, games: u64) {
    let (mut writer, _) =
        GameWriter::open(Path::new(path), &GenerationSettings::default()).unwrap();
    let evaluation = monomi_eval::Evaluation::internal();
    for number in 0..games {
        let mut random = Random::new(number);
        let base = Position::startpos();
        let mut position = base.clone();
        let mut opening = Vec::new();
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        for ply in 0..90 {
            let value = evaluation.breakdown(&position).material as i16;
            let Some(mv) = random_move(&mut position, &mut random) else { break };
            position.do_move(mv);
            if ply < 8 {
                opening.push(mv);
            } else {
                moves.push(mv);
                scores.push(value);
            }
        }
        let winner = [Some(Color::Black), Some(Color::White), None][number as usize % 3];
        let outcome = Outcome { winner, reason: EndReason::Adjudicated };
        let (leaves, tree) = (Vec::new(), Vec::new());
        writer.add(&Game { base, opening, moves, scores, leaves, outcome, tree }).unwrap();
    }
    writer.finish().unwrap();
}

fn trainer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_monomi-trainer")).args(arguments).output().unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = trainer(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str]) -> String {
    let output = trainer(arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

/// The held-out loss of each epoch.
fn held_out(output: &str) -> Vec<f64> {
    let loss = |line: &str| line.split_once("held out ")?.1.split(',').next()?.parse().ok();
    output.lines().filter(|line| line.starts_with("epoch")).filter_map(loss).collect()
}

#[test]
fn a_network_learns_the_values_of_another() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 80);
    let shape = ["--l1", "32", "--l2", "8", "--l3", "8", "--batch", "256", "--held-out", "0.1"];
    let run = |out: &str, more: &[&str]| {
        let out = folder.file(out);
        held_out(&succeeds(&[&["net", &games, "--out", &out], &shape[..], more].concat()))
    };
    run("teacher.bin", &["--epochs", "3", "--rate", "0.005"]);
    let teacher = folder.file("teacher.ckpt");
    let same = run(
        "same.bin",
        &["--from", &teacher, "--teacher", &teacher, "--epochs", "1", "--rate", "1e-9"],
    );
    assert!(same[0] < 1e-6, "{same:?}");
    let pupil = run(
        "pupil.bin",
        &["--teacher", &teacher, "--epochs", "6", "--rate", "0.005", "--seed", "2"],
    );
    assert!(pupil[5] < pupil[0] / 2.0, "{pupil:?}");
}

#[test]
fn a_network_is_trained_interrupted_and_resumed() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 120);
    let [net, other] = [folder.file("nn.bin"), folder.file("other.bin")];
    let shape = ["--l1", "32", "--l2", "8", "--l3", "8", "--batch", "256", "--held-out", "0.1"];
    let run = |out: &str, more: &[&str]| {
        succeeds(&[&["net", &games, "--out", out], &shape[..], more].concat())
    };
    let output = run(&net, &["--epochs", "6", "--rate", "0.005"]);
    let losses = held_out(&output);
    assert!(losses.len() == 6 && losses[5] < losses[0], "{output}");
    assert!(output.contains("written file") && output.contains("fitted"), "{output}");
    assert_eq!(NetworkFile::open(Path::new(&net)).unwrap().architecture.l1, 32);
    // The same bytes, whatever the number of threads.
    let again = run(&other, &["--epochs", "6", "--rate", "0.005", "--threads", "1"]);
    assert_eq!(held_out(&again), losses);
    assert!(std::fs::read(&net).unwrap() == std::fs::read(&other).unwrap());
    // With all epochs done nothing is left; a seventh epoch is.
    assert!(held_out(&run(&net, &["--epochs", "6", "--resume"])).is_empty());
    assert_eq!(held_out(&run(&net, &["--epochs", "7", "--resume"])).len(), 1);
    // A network to start from determines the architecture.
    let more = succeeds(&["net", &games, "--out", &other, "--from", &net, "--epochs", "1"]);
    assert!(more.contains("K+P 32x2-8-8"), "{more}");
    // Scores of twice the size do not fit these games.
    let twice =
        &["net", &games, "--out", &other, "--from", &net, "--epochs", "1", "--held-out", "0.1"];
    let rate = ["--rate", "0.0000001"];
    let [as_it_is, doubled] = [&rate[..], &[&rate[..], &["--from-fv-scale", "8"]].concat()]
        .map(|more| held_out(&succeeds(&[&twice[..], more].concat()))[0]);
    assert!(doubled > as_it_is, "{doubled} {as_it_is}");
}

#[test]
fn networks_are_averaged() {
    let folder = Folder::new();
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/nets/monomi.bin");
    let out = folder.file("soup.bin");
    succeeds(&["average", built_in, built_in, "--out", &out]);
    assert!(std::fs::read(&out).unwrap() == std::fs::read(built_in).unwrap());
    let games = folder.file("games.mgr");
    write_games(&games, 20);
    let small = folder.file("small.bin");
    succeeds(&[
        "net", &games, "--out", &small, "--l1", "32", "--l2", "8", "--l3", "8", "--epochs", "1",
    ]);
    let error = fails(&["average", built_in, &small, "--out", &out]);
    let different = "cannot average networks with different architectures: \
                     SFNN K+P 512-15-32, 9 stacks, K+P 32x2-8-8";
    assert!(error.contains(different), "{error}");
    let error = fails(&["average", built_in, "--fv-scale", "1", "--out", &out]);
    assert!(error.contains("monomi.bin: its output weights fit FV_SCALE"), "{error}");
    let error = fails(&["average", built_in, built_in, "--fv-scale", "1", "--out", &out]);
    assert!(error.contains("the average: its output weights fit FV_SCALE"), "{error}");
}

#[test]
fn the_built_in_network_is_its_rounded_checkpoint() {
    let folder = Folder::new();
    let nets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/nets");
    let [checkpoint, built_in] = ["monomi.ckpt", "monomi.bin"].map(|name| format!("{nets}/{name}"));
    let out = folder.file("rounded.bin");
    succeeds(&["average", &checkpoint, "--out", &out]);
    assert!(std::fs::read(&out).unwrap() == std::fs::read(&built_in).unwrap());
    // It has what rounding loses.
    let again = folder.file("again.bin");
    succeeds(&["average", &built_in, "--out", &again]);
    let [kept, lost] =
        [&out, &again].map(|net| std::fs::read(net.replace(".bin", ".ckpt")).unwrap());
    assert!(kept == std::fs::read(&checkpoint).unwrap() && kept != lost);
}

#[test]
fn a_checkpoint_keeps_what_rounding_loses() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 60);
    let [net, checkpoint] = [folder.file("a.bin"), folder.file("a.ckpt")];
    let shape = ["--l1", "32", "--l2", "8", "--l3", "8"];
    let all = ["--held-out", "0.2", "--epochs", "2", "--batch", "256"];
    succeeds(&[&["net", &games, "--out", &net], &shape[..], &all[..]].concat());
    let from = |start: &str, out: &str| {
        let tiny = ["--from", start, "--rate", "0.0000001", "--rounded-part", "0"];
        succeeds(&[&["net", &games, "--out", out], &tiny[..], &all[..]].concat())
    };
    let [b, c] = [folder.file("b.bin"), folder.file("c.bin")];
    let output = from(&checkpoint, &b);
    assert!(output.contains("a.ckpt: floating-point weights, optimiser state after"), "{output}");
    let of_checkpoint = held_out(&output)[0];
    let output = from(&net, &c);
    assert!(output.contains("a.bin: rounded weights, new optimiser state"), "{output}");
    assert!(output.contains("note: ") && output.contains("a.ckpt has its floating"), "{output}");
    let of_file = held_out(&output)[0];

    // Measured without training, both have the same losses as at the start of such a run.
    let measured =
        succeeds(&["loss", &games, "--held-out", "0.2", "--net", &checkpoint, "--net", &net]);
    let loss = |name: &str| -> f64 {
        let line = measured.lines().find(|line| line.contains(name)).unwrap();
        line.split_once(": ").unwrap().1.split(',').next().unwrap().parse().unwrap()
    };
    assert!((loss("a.ckpt:") - of_checkpoint).abs() < 2e-6, "{measured} {of_checkpoint}");
    assert!((loss("a.bin:") - of_file).abs() < 2e-6, "{measured} {of_file}");
    assert!(loss("a.ckpt:") != loss("a.bin:"), "{measured}");

    // Averages of checkpoints stay in floating point; those of rounded networks are warned about.
    let mean = folder.file("mean.bin");
    let output = succeeds(&["average", &checkpoint, &checkpoint, "--out", &mean]);
    assert!(!output.contains("warning"), "{output}");
    assert!(std::fs::read(&mean).unwrap() == std::fs::read(&net).unwrap());
    let again =
        succeeds(&["loss", &games, "--held-out", "0.2", "--net", &folder.file("mean.ckpt")]);
    assert!(again.contains(&format!("mean.ckpt: {:.6}", loss("a.ckpt:"))), "{again}");
    let output = succeeds(&["average", &net, &b, "--out", &mean]);
    assert!(output.matches("is rounded").count() == 2, "{output}");
    let error = fails(&["net", &games, "--out", &checkpoint]);
    assert!(error.contains("--out names the network"), "{error}");
}

#[test]
fn tables_are_fitted() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 60);
    let out = folder.file("piece_square.txt");
    let losses = held_out(&succeeds(&["piece-square", &games, "--out", &out, "--held-out", "0.1"]));
    assert!(losses.len() == 5 && losses[4] < losses[0], "{losses:?}");
    let numbers = Numbers::parse(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_ne!(numbers, Numbers::internal());
    succeeds(&["piece-square", &games, "--out", &out, "--from", &out, "--epochs", "1"]);
}

#[test]
fn errors_name_the_cause() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 3);
    let missing = folder.file("missing.mgr");
    let out = folder.file("nn.bin");
    let net = |more: &[&str]| fails(&[&["net", "--out", &out], more].concat());
    assert!(net(&[&missing]).contains("missing.mgr"));
    let foreign = folder.file("foreign.mgr");
    std::fs::write(&foreign, "no games here at all").unwrap();
    assert!(net(&[&foreign]).contains("foreign.mgr: this is no file of game records"));
    assert!(net(&[&games, "--l1", "100"]).contains("L1 must be a multiple of 32"));
    let empty = folder.file("empty.mgr");
    write_games(&empty, 0);
    assert!(net(&[&empty]).contains("no position"));
    assert!(net(&[&games, "--from", &games]).contains("games.mgr: not a network file"));
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/nets/monomi.bin");
    let error = net(&[&games, "--from", built_in, "--from-fv-scale", "1"]);
    assert!(error.contains("monomi.bin: its output weights fit FV_SCALE"), "{error}");
    assert!(net(&[&games, "--result-share", "2"]).contains("--result-share"));
    std::fs::write(folder.file("nn.ckpt"), "not a checkpoint").unwrap();
    assert!(net(&[&games, "--resume"]).contains("nn.ckpt: not a checkpoint"));
    let nowhere = folder.file("no/folder/nn.bin");
    let error = fails(&["net", &games, "--out", &nowhere, "--epochs", "1"]);
    assert!(error.contains("writing") && error.contains("nn.ckpt"), "{error}");
}

#[test]
fn the_examples_of_the_help_are_valid() {
    tests::help::insist_on_examples(Path::new(env!("CARGO_BIN_EXE_monomi-trainer")));
}

/// The games of a file as PSV and hcpe: in their order, or each position on its own.
fn write_positions(games: &str, positions: &str, shuffled: bool) {
    let format = monomi_games::FlatFormat::of(Path::new(positions)).unwrap();
    let mut records = Vec::new();
    for game in monomi_games::GameReader::open(Path::new(games)).unwrap() {
        let game = game.unwrap();
        game.walk(|at| {
            let mut record = Vec::new();
            format.write(at.position, at.mv, at.score, game.outcome.winner, &mut record).unwrap();
            records.push(record);
        });
    }
    if shuffled {
        let mut random = Random::new(1);
        for end in (2..=records.len()).rev() {
            records.swap(end - 1, random.below(end));
        }
    }
    std::fs::write(positions, records.concat()).unwrap();
}

/// From files of positions the same network is learnt as from the games.
#[test]
fn positions_of_other_programs_are_read_as_they_are() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 60);
    let train = |data: &str, name: &str| {
        let net = folder.file(name);
        let options =
            ["--epochs", "1", "--l1", "32", "--l2", "8", "--l3", "8", "--held-out", "0.1"];
        let text = succeeds(&[&["net", data, "--out", &net], &options[..]].concat());
        (text, std::fs::read(net).unwrap())
    };
    // Without the random openings the games begin later, so that others are held out.
    let positions = ["a.psv", "a.hcpe"].map(|name| folder.file(name));
    positions.iter().for_each(|positions| write_positions(&games, positions, false));
    let [psv, hcpe] = ["psv.bin", "hcpe.bin"].map(|name| {
        let data = positions[usize::from(name.starts_with('h'))].as_str();
        train(data, name)
    });
    assert!(psv.0.contains("60 games: ") && !psv.0.contains("note:"), "{}", psv.0);
    assert!(psv.1 == hcpe.1, "PSV and hcpe hold the same");
    let counted =
        |text: &str| text.lines().find(|line| line.contains(" games: ")).map(str::to_owned);
    assert_eq!(counted(&psv.0), counted(&hcpe.0));
    // After shuffling, held-out positions are neighbours of the others.
    let shuffled = folder.file("s.psv");
    write_positions(&games, &shuffled, true);
    let (text, _) = train(&shuffled, "s.bin");
    assert!(text.contains("note: ") && text.contains("s.psv") && text.contains("little"), "{text}");
    let missing = fails(&["net", &folder.file("none.psv"), "--out", &folder.file("n.bin")]);
    assert!(missing.contains("none.psv"), "{missing}");
}

#[test]
fn the_average_of_unlike_networks_is_warned_of() {
    let folder = Folder::new();
    let [games, others] = ["a.mgr", "b.mgr"].map(|name| folder.file(name));
    write_games(&games, 40);
    write_games(&others, 50);
    let net = |name: &str, data: &str, options: &[&str]| {
        let net = folder.file(name);
        let shape = ["--epochs", "2", "--l1", "32", "--l2", "8", "--l3", "8", "--rate", "0.003"];
        succeeds(&[&["net", data, "--out", &net], &shape[..], options].concat());
        net.replace(".bin", ".ckpt")
    };
    let first = net("one.bin", &games, &["--seed", "1"]);
    let second = net("two.bin", &games, &["--seed", "2"]);
    let third = net("three.bin", &others, &["--from", &first]);
    let average =
        |a: &str, b: &str| succeeds(&["average", a, b, "--out", &folder.file("mean.bin")]);
    let text = average(&first, &second);
    assert!(text.contains("different random weights") && text.contains("two.ckpt"), "{text}");
    assert!(!average(&first, &third).contains("warning"));
}

/// What `python3` prints; `None` if there is none with numpy.
fn numpy(script: &str, arguments: &[&str]) -> Option<String> {
    let python =
        |script: &str| Command::new("python3").arg("-c").arg(script).args(arguments).output();
    if !python("import numpy").is_ok_and(|output| output.status.success()) {
        tests::report("skipped: there is no python3 with numpy");
        return None;
    }
    let output = python(script).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The formulas of docs/training.md, in numpy, with the exported arrays, give the engine's evaluation of the written network.
#[test]
fn numpy_computes_what_the_engine_does() {
    const SCRIPT: &str = r#"
import sys, numpy
a = dict(numpy.load(sys.argv[1]))
source = "average." if "average.first.weight" in a else ""
w = lambda name: a[source + name].astype(numpy.float64)
clamp = lambda x: numpy.clip(x, 0, 1)
for line in sys.argv[2:]:
    stack, *views = line.split(";")
    sides = []
    for view in views:
        rows = [int(i) for i in view.split()]
        if int(a["shared"]):
            rows += [int(a["inputs"]) + i % int(a["shared"]) for i in rows]
        sides.append(clamp(w("first.bias") + w("first.weight")[rows].sum(axis=0)))
    linear = lambda name, x: w(name + ".weight")[int(stack)] @ x + w(name + ".bias")[int(stack)]
    if int(a["stacks"]) == 0:
        out = linear("output", clamp(linear("hidden2", clamp(linear("hidden1", numpy.concatenate(sides))))))
    else:
        half = int(a["l1"]) // 2
        products = numpy.concatenate([s[:half] * s[half:] * 127 / 128 for s in sides])
        sums = linear("hidden1", products)
        sums, skip = sums[:-1], sums[-1]
        hidden = numpy.concatenate([clamp(0.9922 * sums * sums), clamp(sums)])
        out = linear("output", clamp(linear("hidden2", hidden))) + 0.847 * skip
    print(600 * float(out[0]))
"#;
    let folder = Folder::new();
    let games = folder.file("g.mgr");
    write_games(&games, 60);
    for (name, shape) in [
        ("plain", "--features halfkpvm --l1 32 --l2 8 --l3 8"),
        ("sfnn", "--features kp --sfnn --l1 64"),
    ] {
        let [net, arrays] = ["bin", "npz"].map(|end| folder.file(&format!("{name}.{end}")));
        let mut options =
            vec!["net", &games, "--out", &net, "--epochs", "3", "--rounded-part", "0"];
        options.extend(shape.split(' '));
        succeeds(&options);
        succeeds(&["export", &net.replace(".bin", ".ckpt"), "--out", &arrays]);
        let evaluation = monomi_eval::Evaluation::load(Path::new(&net), None).unwrap();
        let features = NetworkFile::open(Path::new(&net)).unwrap().architecture.features;
        let map = FeatureMap::new(features);
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        let mut random = Random::new(9);
        let mut position = Position::startpos();
        for _ in 0..40 {
            let view = |side: Color| {
                let king = position.king(side).unwrap().dense();
                let block = map.block_at(if side == Color::Black { king } else { 80 - king });
                let inputs = position.places();
                let inputs =
                    inputs.filter_map(|(place, _)| map.input_at(side, block, place.index()));
                inputs.map(|input| input.to_string()).collect::<Vec<_>>().join(" ")
            };
            let us = position.side_to_move();
            let stack = evaluation.stack(&position).unwrap_or(0);
            lines.push(format!("{stack};{};{}", view(us), view(us.flip())));
            expected.push(f64::from(evaluation.breakdown(&position).value));
            let Some(mv) = random_move(&mut position, &mut random) else { break };
            position.do_move(mv);
        }
        let mut arguments = vec![arrays.as_str()];
        arguments.extend(lines.iter().map(String::as_str));
        let Some(printed) = numpy(SCRIPT, &arguments) else { return };
        let found: Vec<f64> = printed.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(found.len(), expected.len());
        let spread = expected.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        assert!(spread > 50.0, "{name}: nothing was learnt: {expected:?}");
        for (found, expected) in found.iter().zip(&expected) {
            // The engine's weights are rounded.
            assert!((found - expected).abs() < 20.0, "{name}: {found} {expected}");
        }
    }
}

/// numpy reads the arrays, and what it writes, compressed and in other types, is read.
#[test]
fn numpy_reads_and_writes_checkpoints() {
    let folder = Folder::new();
    let [games, net, arrays, other, back] =
        ["g.mgr", "nn.bin", "nn.npz", "other.npz", "back.bin"].map(|name| folder.file(name));
    write_games(&games, 30);
    let checkpoint = net.replace(".bin", ".ckpt");
    succeeds(&[
        "net",
        &games,
        "--out",
        &net,
        "--epochs",
        "1",
        "--sfnn",
        "--l1",
        "64",
        "--rounded-part",
        "0",
    ]);
    succeeds(&["export", &checkpoint, "--out", &arrays]);
    let script = r#"
import sys, numpy
a = dict(numpy.load(sys.argv[1]))
assert int(a["l1"]) == 64 and int(a["stacks"]) == 9 and int(a["inputs"]) == 1710, a["inputs"]
assert a["first.weight"].shape == (1710, 64) and a["first.weight"].dtype == numpy.float32
assert a["first.bias"].shape == (64,)
assert a["hidden1.weight"].shape == (9, 16, 64) and a["hidden1.bias"].shape == (9, 16)
assert a["hidden2.weight"].shape == (9, 32, 30) and a["output.weight"].shape == (9, 1, 32)
for name in ("adam.mean.", "adam.square.", "average."):
    assert a[name + "first.weight"].shape == (1710, 64), name
assert numpy.isfinite(a["first.weight"]).all() and a["first.weight"].std() > 0
# In other types and orders.
a["first.weight"] = numpy.asfortranarray(a["first.weight"].astype(numpy.float64))
a["hidden1.weight"] = numpy.asfortranarray(a["hidden1.weight"])
a["steps"] = numpy.int32(a["steps"])
numpy.savez_compressed(sys.argv[2], **a)
a["output.bias"] = a["output.bias"][:, :0]
numpy.savez(sys.argv[3], **a)
"#;
    let wrong = folder.file("wrong.npz");
    if numpy(script, &[&arrays, &other, &wrong]).is_none() {
        return;
    }
    succeeds(&["import", &other, "--out", &back]);
    let read = |path: &str| std::fs::read(path).unwrap();
    assert!(
        read(&back.replace(".bin", ".ckpt")) == read(&checkpoint),
        "the checkpoint is the same"
    );
    assert!(read(&back) == read(&net), "the network is the same");
    let error = fails(&["import", &wrong, "--out", &back]);
    assert!(error.contains("`output.bias` has the shape [9, 0] instead of [9, 1]"), "{error}");
}
