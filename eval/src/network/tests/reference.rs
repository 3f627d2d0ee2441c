//! The values that other implementations gave.

use super::generated::{self, Name};
use super::slow::SlowNetwork;
use crate::evaluation::Evaluation;
use crate::network::DEFAULT_FV_SCALE;
use crate::network::{Network, NetworkFile, SimdLevel};
use crate::stack::EvalStack;
use monomi_movegen::Position;
use shogi_core::{Color, PartialPosition};
use shogi_usi_parser::FromUsi;
use std::path::{Path, PathBuf};

/// The text after `"key": ` up to one of the ends.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    let (_, rest) = line.split_once(&format!("\"{key}\": ")).unwrap();
    let rest = rest.trim_start_matches('"');
    &rest[..rest.find(['"', ',', '}']).unwrap()]
}

/// A folder of the data that is not part of the repository.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/nets").join(folder);
    if !path.is_dir() {
        // The lint against printing is for the library only.
        #[expect(clippy::print_stderr)]
        {
            eprintln!("skipped: {} does not exist", path.display());
        }
        return None;
    }
    Some(path)
}

#[test]
#[cfg_attr(miri, ignore = "a large network")]
fn a_real_network_gives_its_reference_values() {
    let Some(folder) = shared("suisho-petite") else { return };
    let reference = std::fs::read_to_string(folder.join("reference.jsonl")).unwrap();
    for level in SimdLevel::available() {
        let file = NetworkFile::open(&folder.join("nn.bin")).unwrap();
        let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, level);
        let mut stack = EvalStack::new(&evaluation, &Position::startpos());
        let mut compared = 0;
        for line in reference.lines() {
            let position = Position::from_sfen(field(line, "sfen")).unwrap();
            let breakdown = evaluation.breakdown(&position);
            assert_eq!(breakdown.raw, field(line, "raw").parse().ok(), "{}: {line}", level.name());
            assert_eq!(breakdown.value.to_string(), field(line, "score"), "{line}");
            stack.reset(&position);
            assert_eq!(stack.evaluate(&position), breakdown.value);
            compared += 1;
        }
        assert_eq!(compared, 320);
    }
}

/// Generated networks, on which YaneuraOu's own evaluation printed output and stack.
#[test]
#[cfg_attr(miri, ignore = "large networks")]
fn generated_networks_give_the_values_of_yaneuraou() {
    let Some(folder) = shared("reference") else { return };
    for name in [
        "NNUE_halfkahm2_256x2_32_32",
        "SFNN_halfka2_128_7_64_k3k3",
        "SFNN_halfkahm2_128_15_32_k3k3",
    ] {
        let read = |ending| std::fs::read_to_string(folder.join(format!("{name}.{ending}")));
        let seed = read("seed").unwrap().trim().parse().unwrap();
        let bytes = generated::bytes(&Name::new(name), seed);
        let slow = SlowNetwork::new(&bytes, &Name::new(name));
        let networks: Vec<_> = SimdLevel::available()
            .map(|level| {
                let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).unwrap();
                Network::new(file, level)
            })
            .collect();
        let (mut compared, mut evaluated, mut playable) = (0, 0, 0);
        for line in read("jsonl").unwrap().lines() {
            let sfen = field(line, "sfen");
            let expected =
                (field(line, "stack").parse().unwrap(), field(line, "raw").parse().unwrap());
            let partial = PartialPosition::from_usi(&format!("sfen {sfen}")).unwrap();
            assert_eq!(slow.raw(&partial), expected, "{name}: {line}");
            compared += 1;
            let Some((position, turn)) = either_turn(sfen) else { continue };
            for network in &networks {
                let [ours, theirs] =
                    [turn, turn.flip()].map(|view| network.accumulator(&position, view));
                let layers = &network.stacks[expected.0];
                let raw = network.kernels.forward(layers, &ours, &theirs);
                assert_eq!(i64::from(raw), expected.1, "{name}: {line}");
                if position.side_to_move() == turn {
                    assert_eq!(network.stack(&position), expected.0, "{name}: {line}");
                    assert_eq!(network.raw_without(&position, [None]), [raw], "{name}: {line}");
                }
            }
            evaluated += 1;
            playable += usize::from(position.side_to_move() == turn);
        }
        // The slow implementation takes all; boards on which a king can be taken are no positions.
        assert_eq!((compared, evaluated, playable), (217, 194, 157), "{name}");
    }
}

/// The position of an sfen with either side to move, and the side to move of the sfen: a board on
/// which a king can be taken is a position for the other side, if its king cannot be taken as well.
fn either_turn(sfen: &str) -> Option<(Position, Color)> {
    let [board, turn, rest] = sfen.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
    let (side, other) = if turn == "b" { (Color::Black, "w") } else { (Color::White, "b") };
    let position = Position::from_sfen(sfen)
        .or_else(|_| Position::from_sfen(&format!("{board} {other} {rest}")));
    Some((position.ok()?, side))
}
