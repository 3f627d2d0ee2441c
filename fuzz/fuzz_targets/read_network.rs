//! The reader of network files: any bytes give a network or an error, and what it accepts is
//! written back as it was and evaluates alike on all vector instructions.
//!
//! A network takes 110 KB at least, which no fuzzer makes up. So the input is a list of edits to a
//! small valid file: five bytes each, a place and what to put there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, SimdLevel};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;
use std::sync::LazyLock;

static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let shape = Architecture::plain(FeatureSet::KP, 32, 8, 8);
    let mut bytes = Vec::new();
    NetworkFile::zeroed(shape).write(&mut bytes).expect("a Vec takes everything");
    bytes
});

/// Where the transformer starts.
fn body(bytes: &[u8]) -> Option<usize> {
    let text = bytes.get(8..12)?.try_into().ok()?;
    12_usize.checked_add(u32::from_le_bytes(text) as usize)
}

fn edited(edits: &[u8]) -> Vec<u8> {
    let mut bytes = VALID.clone();
    let layers = bytes.len() - 4 * (8 + 8 + 1) - 64 * 8 - 32 * 8 - 32 - 4;
    for edit in edits.chunks_exact(5) {
        let [kind, low, high, a, b] = *edit else { continue };
        let place = usize::from(u16::from_le_bytes([low, high]));
        let start = match kind % 4 {
            // The words that matter: header, the transformer's hash and the layers'.
            0 => place % 64,
            1 => layers + place % 64,
            2 => place * 7 % bytes.len().max(1),
            _ => {
                bytes.resize(place * 8, a);
                continue;
            }
        };
        for (byte, new) in bytes.iter_mut().skip(start).zip([a, b]) {
            *byte = new;
        }
    }
    bytes
}

fuzz_target!(|input: &[u8]| {
    let Some((mode, rest)) = input.split_first() else { return };
    let bytes = if mode % 8 == 0 { rest.to_vec() } else { edited(rest) };
    let Ok(file) = NetworkFile::read(bytes.as_slice(), bytes.len() as u64) else { return };

    let mut again = Vec::new();
    file.write(&mut again).expect("a Vec takes everything");
    let (old, new) = (body(&bytes).expect("it was read"), body(&again).expect("we wrote it"));
    assert!(bytes[old..] == again[new..]);

    let position = Position::startpos();
    let raw = |level| {
        let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).expect("it was read");
        Evaluation::from_network(file, DEFAULT_FV_SCALE, level).breakdown(&position).raw
    };
    assert_eq!(raw(SimdLevel::best()), raw(SimdLevel::Scalar));
});
