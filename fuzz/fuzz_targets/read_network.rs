//! The reader of network files: any bytes give a network or an error, and what it accepts is read
//! again after writing and evaluates alike on all vector instructions.
//!
//! A network takes 110 KB at least, which no fuzzer generates. So the input is a container, a routing,
//! a header text, and a list of edits to a small valid file of that container: five bytes each, a
//! place and what to put there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monomi_eval::network::{
    Architecture, Family, FeatureSet, NetworkFile, ProgressWeights, ReadOptions, Routing,
    SimdLevel, WriteOptions,
};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Version, and u32 number of stacks after the text.
const VERSION_NINE: u32 = 0x7AF3_2F20;
const VERSION_STACKS: u32 = 0x7AF3_2F21;

/// A valid file without its header's text.
struct Container {
    version: u32,
    /// The word after the text.
    stacks: Option<u32>,
    text: &'static str,
    body: Vec<u8>,
}

/// Plain, plain with LEB128, SFNN, SFNN with weights of the progress, 7AF32F20, 7AF32F21, 7AF32F21
/// with PSQT.
static VALID: LazyLock<[Container; 7]> = LazyLock::new(|| {
    let plain = Architecture::plain(FeatureSet::KP, 32, 8, 8);
    let sfnn = |stacks, psqt| Architecture {
        family: Family::Sfnn { skip: true, stacks, psqt },
        ..Architecture::sfnn(FeatureSet::KP, 64, 7, 8, 1)
    };
    let kinds = [
        (plain, false, 0x7AF3_2F16, None, "kp_32x2_8_8"),
        (plain, true, 0x7AF3_2F16, None, "kp_32x2_8_8"),
        (sfnn(9, false), true, 0x7AF3_2F16, None, "SFNN_kp_64_7_8_k3k3"),
        (sfnn(2, false), true, 0x7AF3_2F16, None, "SFNN_kp_64_7_8_progress2"),
        (sfnn(9, false), true, VERSION_NINE, None, "kp-64x2-8-8"),
        (sfnn(9, false), true, VERSION_STACKS, Some(9), "kp-64x2-8-8"),
        (sfnn(9, true), true, VERSION_STACKS, Some(9), "SFNN kp-64x2-8-8,PSQT=9"),
    ];
    kinds.map(|(shape, compressed, version, stacks, text)| {
        let mut file = NetworkFile::zeroed(shape);
        if text.contains("progress") {
            file.routing = "progress2".parse().expect("a routing");
            let weights = vec![7; ProgressWeights::COUNT];
            file.progress = Some(ProgressWeights { bias: 1234, weights });
        }
        let mut bytes = Vec::new();
        let options = WriteOptions::default().with_text(String::new()).with_compressed(compressed);
        file.write_with(&mut bytes, &options).expect("a Vec takes everything");
        // Without version, hash and length, and without the number of stacks that PSQT has.
        let body = bytes.split_off(if shape.has_psqt() { 16 } else { 12 });
        Container { version, stacks, text, body }
    })
});

/// A folder with a valid `progress.bin`.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("monomi-fuzz-{}", std::process::id()));
    let weights = vec![0; 8 * ProgressWeights::COUNT];
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::fs::write(folder.join("progress.bin"), weights).expect("a temporary file");
    folder
});

impl Container {
    fn bytes(&self, text: &[u8], edits: &[u8]) -> Vec<u8> {
        let text = if text.is_empty() { self.text.as_bytes() } else { text };
        let mut bytes = Vec::with_capacity(self.body.len() + text.len() + 16);
        for word in [self.version, 0, text.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(text);
        bytes.extend(self.stacks.map(u32::to_le_bytes).iter().flatten());
        let body = bytes.len();
        bytes.extend(&self.body);
        for edit in edits.chunks_exact(5) {
            let [kind, low, high, a, b] = *edit else { continue };
            let place = usize::from(u16::from_le_bytes([low, high]));
            let start = match kind % 5 {
                // The words that matter: the header; hash and length of the first layer; the end.
                0 => place % 16,
                1 => body + place % 96,
                2 => bytes.len().saturating_sub(place),
                3 => place * 7 % bytes.len().max(1),
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
}

fn routing(choice: u8) -> Option<Routing> {
    let names: Vec<_> = Routing::part_names().chain(["none", "hand4_k3k3"]).collect();
    names.get(usize::from(choice).checked_sub(1)?).map(|name| name.parse().expect("a routing"))
}

/// `progress.bin`: a byte more or less than 128 is a byte too many or too few.
fn progress_file(length: u8, edits: &[u8]) {
    let mut bytes = vec![0; 8 * ProgressWeights::COUNT - 128 + usize::from(length)];
    for edit in edits.chunks_exact(10) {
        let place = 8 * usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        bytes[place..place + 8].copy_from_slice(&edit[2..]);
    }
    let weights = ProgressWeights::from_file(&bytes);
    assert!(weights.is_none_or(|w| length == 128 && w.weights.len() == ProgressWeights::COUNT));
}

fuzz_target!(|input: &[u8]| {
    let Some((&[container, choice, length], rest)) = input.split_first_chunk() else { return };
    if container == u8::MAX {
        progress_file(length, rest);
        return;
    }
    let (text, edits) = rest.split_at(usize::from(length).min(rest.len()));
    let bytes = match VALID.get(usize::from(container)) {
        Some(container) => container.bytes(text, edits),
        None => rest.to_vec(),
    };
    let folder = (choice & 0x80 != 0).then(|| FOLDER.clone());
    let mut options = ReadOptions::default();
    (options.routing, options.folder) = (routing(choice & 0x7F), folder);
    let read = |bytes: &[u8], options: &ReadOptions| {
        NetworkFile::read_with(bytes, bytes.len() as u64, options)
    };
    let Ok(file) = read(&bytes, &options) else { return };

    let mut again = Vec::new();
    file.write(&mut again).expect("a Vec takes everything");
    options.routing = Some(file.routing);
    let again = read(&again, &options).expect("it was written");
    assert_eq!(again.architecture, file.architecture);
    assert!(again.stacks == file.stacks && again.psqt == file.psqt);

    let position = Position::startpos();
    let raw = |level| {
        let file = read(&bytes, &options).expect("it was read");
        Evaluation::from_network(file, DEFAULT_FV_SCALE, level).breakdown(&position).raw
    };
    assert_eq!(raw(SimdLevel::best()), raw(SimdLevel::Scalar));
});
