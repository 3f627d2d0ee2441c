//! `engine_options.txt` beside the program and `eval_options.txt` beside the network.

use std::path::Path;
use std::process::Command;
use tests::folder::Folder;
use tests::networks;
use tests::program::engine;
use tests::usi_client::UsiClient;

#[test]
fn files_beside_program_and_network_are_read() {
    let folder = Folder::new();
    let program = folder.path().join(engine().file_name().expect("a name"));
    std::fs::copy(engine(), &program).expect("a copy of the engine");
    folder.write("engine_options.txt", "MultiPV 2\r\nUSI_Hash=16\r\n\r\nNoSuchOption 3\r\n");
    let nets = folder.path().join("nets");
    std::fs::create_dir(&nets).expect("a folder");
    std::fs::write(nets.join("nn.bin"), networks::constant(3600)).expect("a network");
    std::fs::write(nets.join("eval_options.txt"), "FV_SCALE 36\n").expect("a file");

    let mut client = UsiClient::start_at(&program);
    client.send("usi");
    let options = client.collect("usiok");
    let announced = "option name MultiPV type spin default 2 min 1 max 600";
    assert!(options.iter().any(|line| line == announced), "{options:?}");
    client.send("setoption name MultiPV value 1");
    assert!(client.expect("info string").contains("MultiPV stays `2`"));
    client.send(&format!("setoption name EvalFile value {}", nets.join("nn.bin").display()));
    client.send("setoption name FV_SCALE value 16");
    client.send("isready");
    let ready = client.collect("readyok").join("\n");
    assert!(ready.contains("line 4") && ready.contains("NoSuchOption"), "{ready}");
    assert!(ready.contains("FV_SCALE 36"), "{ready}");
    client.send("getoption FV_SCALE");
    client.expect("FV_SCALE = 36");
    // Without the network its file does not count any more.
    client.send("setoption name EvalFile value <internal>");
    client.send("isready");
    client.expect("readyok");
    client.send("getoption FV_SCALE");
    client.expect("FV_SCALE = 16");
    client.quit();
}

/// A command line with arguments of its own means the same in every folder.
#[test]
fn commands_of_the_program_do_not_read_the_files() {
    let folder = Folder::new();
    let program = folder.path().join(engine().file_name().expect("a name"));
    std::fs::copy(engine(), &program).expect("a copy of the engine");
    folder.write("engine_options.txt", "EvalFile <piece-square>\nMultiPV 2\n");
    let output = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).env("LC_ALL", "C").args(arguments).output();
        let output = output.expect("the engine runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for arguments in [&["bench", "--depth", "2"][..], &["eval"]] {
        let last = |program: &Path, more: &[&str]| {
            let text = output(program, &[arguments, more].concat());
            text.lines().last().expect("a line").to_owned()
        };
        assert_eq!(last(&program, &[]), last(engine(), &[]), "{arguments:?}");
        let other = last(engine(), &["--eval-file", "<piece-square>"]);
        assert_ne!(last(&program, &[]), other, "{arguments:?}");
    }
    let scores = |program: &Path| -> Vec<String> {
        let text = output(program, &["go", "--depth", "4"]);
        let score = |line: &str| line.split_once(" score ").map(|(_, rest)| rest.to_owned());
        let scores = text.lines().filter_map(score);
        scores.map(|rest| rest.split(" nps").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(scores(&program), scores(engine()));
    assert!(scores(&program).len() >= 4);
    // As USI, `bench` reads it.
    assert!(output(&program, &["bench", "16", "2", ",", "quit"]).contains("options read from "));
}

#[test]
fn the_network_in_use_is_exported() {
    let folder = Folder::new();
    let file = folder.file("out.bin");
    let mut client = UsiClient::ready();
    client.send(&format!("export_net {file}"));
    client.expect("info string network written to");
    client.send(&format!("setoption name EvalFile value {file}"));
    client.send("isready");
    let said = client.collect("readyok").join("\n");
    assert!(said.contains("evaluation: network SFNN K+P 512-15-32"), "{said}");
    // The file is a network of the same shape and can be exported in turn.
    let again = folder.file("again.bin");
    client.send(&format!("export_net {again}"));
    client.expect("info string network written to");
    let bytes = |path: &str| std::fs::read(path).expect("the exported network");
    assert!(bytes(&file) == bytes(&again));
    client.send("export_net /no/such/folder/x.bin");
    client.expect("info string Error! export_net /no/such/folder/x.bin:");
    client.send("export_net");
    client.expect("info string Error! export_net:");
    client.send("compiler");
    assert!(client.expect("Monomi").contains("compiled by rustc "));
    client.quit();
}
