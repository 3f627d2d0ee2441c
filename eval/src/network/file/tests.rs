use super::*;
use crate::network::FeatureSet;
use crate::network::error::{NetworkError, Unsupported};
use std::path::Path;

fn small() -> Vec<u8> {
    let architecture = Architecture::plain(FeatureSet::KP, 32, 8, 32);
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias[31] = -2;
    weights[32 * 1710 - 1] = 1234;
    file.stacks[0][0].weights[8 * 64 - 1] = -7;
    file.stacks[0][2].bias[0] = -70_000;
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<NetworkFile, NetworkError> {
    NetworkFile::read(bytes, bytes.len() as u64)
}

/// Where the transformer's hash stands.
fn body(bytes: &[u8]) -> usize {
    12 + u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize
}

#[test]
fn what_is_written_is_read() {
    let bytes = small();
    let file = read(&bytes).unwrap();
    assert_eq!((file.bias[31], file.weights[32 * 1710 - 1]), (-2, 1234));
    assert_eq!(file.stacks[0][0].weights[8 * 64 - 1], -7);
    assert_eq!(file.stacks[0][2].bias[0], -70_000);
    let mut again = Vec::new();
    file.write(&mut again).unwrap();
    assert!(bytes == again);
    assert_eq!((bytes.len() - body(&bytes)) as u64, file.architecture.body_bytes());
}

#[test]
fn the_text_may_say_anything() {
    let bytes = small();
    let body = body(&bytes);
    for text in [vec![], b"HalfKP 256x2-32-32".to_vec(), vec![0xFF; 4096]] {
        let mut lying = bytes[..8].to_vec();
        lying.extend((text.len() as u32).to_le_bytes());
        lying.extend(text);
        lying.extend(&bytes[body..]);
        assert_eq!(read(&lying).unwrap().architecture.l1, 32);
    }
}

#[test]
fn every_truncation_is_named() {
    let bytes = small();
    let body = body(&bytes);
    let ends = (0..body + 80).chain((body + 80..bytes.len()).step_by(997));
    for end in ends.chain(bytes.len() - 40..bytes.len()) {
        let error = read(&bytes[..end]).err();
        match error {
            Some(NetworkError::Truncated { found, needed }) => {
                assert!(found == end as u64 && needed > found && needed <= bytes.len() as u64);
            }
            other => panic!("{end}: {other:?}"),
        }
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_an_error() {
    let bytes = small();
    let cut = &bytes[..bytes.len() - 1];
    assert!(matches!(NetworkFile::read(cut, bytes.len() as u64), Err(NetworkError::Io(_))));
}

#[test]
fn wrong_words_are_named() {
    let bytes = small();
    let with = |at: usize, word: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        let read = read(&bytes).map(|file| (file.architecture, file.info.reasons));
        read.expect_err("wrong words are errors")
    };
    let body = body(&bytes);
    let layers = body + 4 + 2 * 32 * 1711;
    assert!(matches!(with(0, 0x7AF3_2F15), NetworkError::Version { found: 0x7AF3_2F15 }));
    assert!(matches!(with(0, 0x7AF3_2F17), NetworkError::Unsupported(Unsupported::Nn16)));
    assert!(matches!(with(8, u32::MAX), NetworkError::TextTooLong { length: u32::MAX }));
    // The hash of another shape before the layers: the size is wrong for it.
    let other = Architecture::plain(FeatureSet::KP, 32, 16, 32);
    assert!(matches!(with(layers, other.network_hash()), NetworkError::Truncated { .. }));
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(read(&long), Err(NetworkError::Trailing { extra: 1, .. })));
    // 10 GB claimed: the answer comes without reading or allocating them.
    let error = NetworkFile::read(bytes.as_slice(), 10 << 30).err();
    assert!(matches!(error, Some(NetworkError::Trailing { .. })));
    // A header that promises a large network is not believed.
    let shape = Architecture::plain(FeatureSet::HalfKP, 4096, 8, 32);
    let mut lying = bytes.clone();
    lying[12..body].fill(b' ');
    lying[body..body + 4].copy_from_slice(&shape.transformer_hash().to_le_bytes());
    let error = read(&lying).err().unwrap();
    assert!(matches!(error, NetworkError::Truncated { needed, .. } if needed > 1_000_000_000));
}

/// Hashes are advice only: other programs write other ones.
#[test]
fn unknown_hashes_are_ignored_where_size_and_text_agree() {
    let bytes = small();
    let body = body(&bytes);
    let layers = body + 4 + 2 * 32 * 1711;
    for at in [4, body, layers] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&2_u32.to_le_bytes());
        assert_eq!(read(&changed).unwrap().architecture, read(&bytes).unwrap().architecture);
    }
    // Without a text and with an unknown hash, an unusual shape is not guessed.
    let mut unknown = bytes.clone();
    unknown[12..body].fill(b' ');
    unknown[body] ^= 1;
    let shape = read(&unknown).map(|file| file.architecture);
    assert_eq!(shape.unwrap(), read(&bytes).unwrap().architecture, "8-32 is a usual shape");
}

/// All ways to write a plain network are read back.
#[test]
fn plain_networks_are_read_with_and_without_hashes_and_compression() {
    let original = read(&small()).unwrap();
    for hashes in [true, false] {
        for compressed in [true, false] {
            for text in [None, Some("HalfKP(Friend)[125388->256x2],fv_scale=24".to_owned())] {
                // A compressed layer without hashes is no known container.
                if compressed && !hashes {
                    continue;
                }
                let fv_scale = if text.is_some() { 24 } else { 16 };
                let mut bytes = Vec::new();
                let options = WriteOptions { text, hashes, compressed };
                original.write_with(&mut bytes, &options).unwrap();
                let again = read(&bytes).unwrap_or_else(|error| panic!("{options:?}: {error}"));
                assert_eq!(again.architecture, original.architecture, "{options:?}");
                assert!(*again.weights == *original.weights && again.stacks == original.stacks);
                assert_eq!(again.fv_scale().get(), fv_scale);
            }
        }
    }
}

fn sfnn(stacks: usize, text: Option<&str>) -> Vec<u8> {
    let mut file = NetworkFile::zeroed(Architecture::sfnn(FeatureSet::KP, 64, 7, 16, stacks));
    file.bias[63] = -300;
    file.weights[64 * 1710 - 1] = 9;
    let mut bytes = Vec::new();
    let text = text.map(ToOwned::to_owned);
    file.write_with(&mut bytes, &WriteOptions { text, ..Default::default() }).unwrap();
    bytes
}

fn read_routed(bytes: &[u8], routing: &str) -> Result<NetworkFile, NetworkError> {
    let options = crate::network::ReadOptions {
        routing: (routing != "auto").then(|| routing.parse().unwrap()),
        folder: None,
    };
    NetworkFile::read_with(bytes, bytes.len() as u64, &options)
}

#[test]
fn stacks_are_routed_by_text_then_rule_then_option() {
    let routing = |bytes: &[u8], option: &str| {
        read_routed(bytes, option).map(|file| file.routing.to_string()).map_err(|e| e.to_string())
    };
    let nine = sfnn(9, Some(""));
    assert_eq!(routing(&nine, "auto").unwrap(), "k3k3");
    assert_eq!(routing(&nine, "k3k3").unwrap(), "k3k3");
    assert!(routing(&nine, "k9k9").unwrap_err().contains("EvalRouting k9k9 does not fit"));
    assert!(routing(&nine, "progress8ek").unwrap_err().contains("needs progress.bin"));
    let many = sfnn(81, Some(""));
    assert!(routing(&many, "auto").unwrap_err().contains("(k9k9, k9k9z)"));
    assert_eq!(routing(&many, "k9k9z").unwrap(), "k9k9z");
    let named = sfnn(81, Some("SFNN_kp_64_7_16_k9k9z"));
    assert_eq!(routing(&named, "auto").unwrap(), "k9k9z");
    assert_eq!(routing(&named, "k9k9").unwrap(), "k9k9");
    // A part completes the rest by the number of stacks.
    let joined = sfnn(64 * 9, Some(""));
    assert!(routing(&joined, "auto").is_err());
    assert_eq!(routing(&joined, "hand64z").unwrap(), "hand64z_k3k3");
    assert!(routing(&sfnn(10, Some("")), "auto").unwrap_err().contains("none is known"));
    assert_eq!(read_routed(&nine, "auto").unwrap().fv_scale().get(), 28);
}

/// What the text or the caller says of the stacks must fit the file.
#[test]
fn stacks_that_do_not_fit_the_file_are_named() {
    let error = |bytes: &[u8], option: &str| {
        read_routed(bytes, option)
            .map(|file| file.routing)
            .expect_err("it does not fit")
            .to_string()
    };
    let named = |stacks: usize, text: &str| error(&sfnn(stacks, Some(text)), "auto");
    let wrong = named(9, "SFNN_kp_64_7_16_k9k9");
    assert!(wrong.contains("names the routing k9k9, which does not fit 9 layer"), "{wrong}");
    assert!(wrong.contains("set EvalRouting"), "{wrong}");
    // Progress without its weights.
    let wrong = named(8, "SFNN_kp_64_7_16_progress8");
    assert!(wrong.contains("the routing progress8, which does not fit 8 layer"), "{wrong}");
    let wrong = named(10, "SFNN-64{LayerStack=9}");
    assert_eq!(wrong, "the header states 9 layer stack(s), the file has 10");
    // The caller may correct a wrong name, but not with another wrong one.
    let text = "SFNN_kp_64_7_16_k9k9";
    let corrected = read_routed(&sfnn(9, Some(text)), "k3k3").unwrap().routing;
    assert_eq!(corrected.to_string(), "k3k3");
    assert!(error(&sfnn(9, Some(text)), "hand4").contains("EvalRouting hand4 does not fit"));
    // A number of stacks in the header itself.
    let mut stated = vec![0x21, 0x2F, 0xF3, 0x7A, 0, 0, 0, 0, 12, 0, 0, 0];
    stated.extend(b"kp-64x2-8-16");
    stated.extend(8_u32.to_le_bytes());
    let nine = sfnn(9, None);
    stated.extend(&nine[body(&nine)..]);
    assert_eq!(error(&stated, "auto"), "the header states 8 layer stack(s), the file has 9");
    // Absurd numbers in the text.
    let wrong = named(9, &format!("SFNN-64{{LayerStack={}}},PSQT=1", usize::MAX));
    assert!(wrong.contains("PSQT with more than 16 layer stacks"), "{wrong}");
    // Plain networks have one stack.
    let plain = small();
    assert!(error(&plain, "k3k3").contains("EvalRouting k3k3 does not fit a file with 1 layer"));
    assert_eq!(read_routed(&plain, "none").unwrap().architecture.stacks(), 1);
}

#[test]
fn shards_must_divide_the_first_affine_layer() {
    let shape = Architecture::sfnn(FeatureSet::KP, 256, 7, 16, 1);
    let with = |shards: &str| {
        let mut file = NetworkFile::zeroed(shape);
        file.stacks[0][0].weights.fill(1);
        let text = Some(format!("SFNN_kp_256_7_16_{shards}"));
        let mut bytes = Vec::new();
        file.write_with(&mut bytes, &WriteOptions { text, ..Default::default() }).unwrap();
        read(&bytes)
    };
    // 256 inputs, 8 outputs.
    for fits in ["c128_s64x2", "c0_s64x4", "c64_s24x8", "c0_s256x1"] {
        let file = with(fits).unwrap_or_else(|error| panic!("{fits}: {error}"));
        let shards = fits[1..].split(['_', 's', 'x']).filter_map(|n| n.parse::<usize>().ok());
        let [common, size, count] = shards.collect::<Vec<_>>()[..] else { panic!("{fits}") };
        for (output, row) in file.stacks[0][0].weights.chunks(256).enumerate() {
            let group = output / (8 / count);
            for (input, &weight) in row.iter().enumerate() {
                let used = input < common || (input - common) / size == group;
                assert_eq!(weight, i8::from(used), "{fits}: {output} {input}");
            }
        }
    }
    let huge = format!("c1_s{}x{}", usize::MAX, usize::MAX);
    for wrong in ["c128_s64x3", "c128_s128x2", "c0_s0x8", "c256_s64x0", "c16_s80x3", &huge] {
        let error = with(wrong).err().unwrap_or_else(|| panic!("{wrong} fits")).to_string();
        let expected = format!("shards {wrong}, which do not fit 256 inputs and 8 outputs");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn compressed_blocks_are_checked() {
    let bytes = sfnn(9, None);
    let body = body(&bytes);
    let length = body + 4 + 17;
    let with = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        read(&bytes).err().unwrap_or_else(|| panic!("byte {at} is not checked"))
    };
    // A length beyond the file is refused before memory is reserved.
    let error = with(length, &u32::MAX.to_le_bytes());
    assert!(matches!(error, NetworkError::Truncated { needed, .. } if needed > 1 << 32), "{error}");
    let error = with(length, &3_u32.to_le_bytes());
    assert!(matches!(error, NetworkError::NoBlock), "{error}");
    // One number less.
    let error = with(length + 4, &[0x80]);
    assert!(matches!(error, NetworkError::UnknownCounts { biases: 63, .. }), "{error}");
    let error = with(length + 4, &[0x80, 0x80, 0x80, 0x80]);
    assert!(matches!(error, NetworkError::Compressed(_)), "{error}");
    for end in (0..bytes.len()).step_by(101).chain(bytes.len() - 9..bytes.len()) {
        let error = read(&bytes[..end]).err();
        assert!(error.is_some(), "cut to {end} bytes");
    }
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(read(&long), Err(NetworkError::UnknownStacks { .. })));
}

/// A stray `_`, a word after the text, one block for biases and weights.
#[test]
fn containers_of_other_writers_are_read() {
    let bytes = sfnn(9, None);
    let body = body(&bytes);
    let expected = read(&bytes).unwrap();
    let same = |bytes: &[u8]| {
        let file = read(bytes).unwrap();
        assert_eq!(file.architecture, expected.architecture);
        assert!(*file.weights == *expected.weights && *file.bias == *expected.bias);
    };
    same(&[&bytes[..body + 4], b"_", &bytes[body + 4..]].concat());
    same(&[&bytes[..body], &[9, 0, 0, 0], &bytes[body..]].concat());
    let block = |at: usize| {
        let length = u32::from_le_bytes(bytes[at + 17..at + 21].try_into().unwrap()) as usize;
        at + 21..at + 21 + length
    };
    let first = block(body + 4);
    let second = block(first.end);
    let length = (first.len() + second.len()) as u32;
    let joined = [
        &bytes[..body + 4 + 17],
        &length.to_le_bytes(),
        &bytes[first],
        &bytes[second.clone()],
        &bytes[second.end..],
    ];
    same(&joined.concat());
    // Stated with the skip connection, and with the number of stacks.
    let mut stated = vec![0x21, 0x2F, 0xF3, 0x7A, 0, 0, 0, 0, 12, 0, 0, 0];
    stated.extend(b"kp-64x2-8-16");
    stated.extend(9_u32.to_le_bytes());
    stated.extend(&bytes[body..]);
    same(&stated);
}

#[test]
fn piece_square_terms_are_read_and_added() {
    use crate::evaluation::Evaluation;
    use crate::network::SimdLevel;
    let mut shape = Architecture::sfnn(FeatureSet::KP, 64, 7, 16, 9);
    shape.family = crate::network::Family::Sfnn { skip: true, stacks: 9, psqt: true };
    let mut file = NetworkFile::zeroed(shape);
    let psqt = file.psqt.as_mut().unwrap();
    // Start position: stack 8. A pawn in Black's own hand counts 700 there.
    psqt.weights[9 + 8] = 700;
    psqt.weights[20 * 9 + 8] = -41;
    psqt.bias[8] = 12_345;
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    let file = read(&bytes).unwrap();
    assert_eq!((file.architecture, &file.psqt), (shape, &file.psqt));
    let evaluation =
        Evaluation::from_network(file, crate::network::DEFAULT_FV_SCALE, SimdLevel::best());
    let raw = |turn: &str| {
        let sfen = format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/1PPPPPPPP/1B5R1/LNSGKGSNL {turn} P 1");
        let position = monomi_movegen::Position::from_sfen(&sfen).unwrap();
        evaluation.breakdown(&position).raw
    };
    assert_eq!((raw("b"), raw("w")), (Some(741 / 2), Some(-741 / 2)));
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no files")]
fn folders_and_missing_files_are_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(matches!(NetworkFile::open(folder), Err(NetworkError::NotAFile)));
    let missing = folder.join("no such file");
    assert!(matches!(NetworkFile::open(&missing), Err(NetworkError::Io(_))));
    let error = crate::evaluation::Evaluation::load(&missing, None).err().unwrap();
    assert!(error.to_string().contains("no such file: "), "{error}");
}

/// Today's GPU trainers write SCReLU so in the text of a plain network; its numbers mean other things.
#[test]
fn squared_activations_of_a_plain_network_are_refused_by_name() {
    let bytes = small();
    let body = body(&bytes);
    let with_text = |text: &str| {
        let mut file = bytes[..8].to_vec();
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(text.bytes());
        file.extend(&bytes[body..]);
        read(&file)
    };
    let layers = |name: &str| {
        format!(
            "Features=K+P(Friend)[1710->32x2],Network=AffineTransform[1<-32]({name}[32](Input)))"
        )
    };
    assert!(with_text(&layers("ClippedReLU")).is_ok());
    for name in ["SqrClippedReLU", "SCReLU"] {
        let error = with_text(&layers(name)).err();
        assert!(
            matches!(error, Some(NetworkError::Unsupported(Unsupported::ScRelu))),
            "{name}: {error:?}"
        );
    }
}
