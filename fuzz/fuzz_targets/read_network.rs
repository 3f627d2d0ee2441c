//! The reader of network files: any bytes give a network or an error, and what it accepts is read
//! again after writing and evaluates alike on all vector instructions.
//!
//! A network takes 110 KB at least, which no fuzzer generates. So the input is a list of edits to a
//! small valid file of one of three containers (plain, compressed, SFNN): five bytes each, a place
//! and what to put there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, SimdLevel, WriteOptions};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;
use std::sync::LazyLock;

static VALID: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let plain = Architecture::plain(FeatureSet::KP, 32, 8, 8);
    let stacked = Architecture::sfnn(FeatureSet::KP, 64, 7, 8, 9);
    [(plain, false), (plain, true), (stacked, true)].map(|(shape, compressed)| {
        let mut bytes = Vec::new();
        let options = WriteOptions { compressed, ..WriteOptions::default() };
        NetworkFile::zeroed(shape).write_with(&mut bytes, &options).expect("a Vec takes everything");
        bytes
    })
});

fn edited(container: u8, edits: &[u8]) -> Vec<u8> {
    let mut bytes = VALID[usize::from(container % 3)].clone();
    let layers = bytes.len() - 4 * (8 + 8 + 1) - 64 * 8 - 32 * 8 - 32 - 4;
    for edit in edits.chunks_exact(5) {
        let [kind, low, high, a, b] = *edit else { continue };
        let place = usize::from(u16::from_le_bytes([low, high]));
        let start = match kind % 4 {
            // The words that matter: the header, the hash before the first layer or the length of
            // a compressed block, and the hash before the layers.
            0 => place % 96,
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
    let bytes = if mode % 8 == 0 { rest.to_vec() } else { edited(mode / 8, rest) };
    let Ok(file) = NetworkFile::read(bytes.as_slice(), bytes.len() as u64) else { return };

    let mut again = Vec::new();
    file.write(&mut again).expect("a Vec takes everything");
    let again = NetworkFile::read(again.as_slice(), again.len() as u64).expect("it was written");
    assert_eq!(again.architecture, file.architecture);
    assert!(again.stacks == file.stacks);

    let position = Position::startpos();
    let raw = |level| {
        let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).expect("it was read");
        Evaluation::from_network(file, DEFAULT_FV_SCALE, level).breakdown(&position).raw
    };
    assert_eq!(raw(SimdLevel::best()), raw(SimdLevel::Scalar));
});
