//! The values that other implementations gave for a real network.

use crate::network::{NetworkFile, SimdLevel};
use crate::{DEFAULT_FV_SCALE, EvalStack, Evaluation};
use monomi_movegen::Position;
use std::path::Path;

/// The text behind `"key": ` up to one of the ends.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    let (_, rest) = line.split_once(&format!("\"{key}\": ")).unwrap();
    let rest = rest.trim_start_matches('"');
    &rest[..rest.find(['"', ',', '}']).unwrap()]
}

#[test]
fn raw_values_equal_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/nets/suisho-petite");
    let Ok(reference) = std::fs::read_to_string(folder.join("reference.jsonl")) else {
        // Tests may write where they like; the lint is meant for the library.
        #[expect(clippy::print_stderr)]
        {
            eprintln!("skipped: {} is not there", folder.display());
        }
        return;
    };
    for level in SimdLevel::available() {
        let file = NetworkFile::open(&folder.join("nn.bin")).unwrap();
        let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, level);
        let mut stack = EvalStack::new(evaluation.clone(), &Position::startpos());
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
