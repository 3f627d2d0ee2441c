use super::*;
use crate::network::FeatureSet;

fn small() -> Vec<u8> {
    let architecture = Architecture { features: FeatureSet::KP, l1: 32, l2: 8, l3: 32 };
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias[31] = -2;
    weights[32 * 1710 - 1] = 1234;
    file.layers[0].weights[8 * 64 - 1] = -7;
    file.layers[2].bias[0] = -70_000;
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
    assert_eq!((file.transformer_bias[31], file.transformer_weights[32 * 1710 - 1]), (-2, 1234));
    assert_eq!(file.layers[0].weights[8 * 64 - 1], -7);
    assert_eq!(file.layers[2].bias[0], -70_000);
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
        read(&bytes).err().unwrap()
    };
    let body = body(&bytes);
    let layers = body + 4 + 2 * 32 * 1711;
    assert!(matches!(with(0, 0x7AF3_2F17), NetworkError::Version { found: 0x7AF3_2F17 }));
    assert!(matches!(with(4, 1), NetworkError::FileHash { found: 1, .. }));
    assert!(matches!(with(8, u32::MAX), NetworkError::TextTooLong { length: u32::MAX }));
    assert!(matches!(with(body, 2), NetworkError::UnknownTransformer(2)));
    assert!(matches!(with(layers, 3), NetworkError::UnknownLayers { network: 3, .. }));
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(read(&long), Err(NetworkError::Trailing { extra: 1, .. })));
    // 10 GB claimed: the answer comes without reading or allocating them.
    let error = NetworkFile::read(bytes.as_slice(), 10 << 30).err();
    assert!(matches!(error, Some(NetworkError::Trailing { .. })));
    // A header that promises a large network is not believed.
    let shape = Architecture { features: FeatureSet::HalfKP, l1: 4096, l2: 8, l3: 32 };
    let error = with(body, shape.transformer_hash());
    assert!(matches!(error, NetworkError::Truncated { needed, .. } if needed > 1_000_000_000));
}

#[test]
fn folders_and_missing_files_are_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(matches!(NetworkFile::open(folder), Err(NetworkError::NotAFile)));
    let missing = folder.join("no such file");
    assert!(matches!(NetworkFile::open(&missing), Err(NetworkError::Io(_))));
    let error = crate::Evaluation::load(&missing, crate::DEFAULT_FV_SCALE).err().unwrap();
    assert!(error.to_string().contains("no such file: "), "{error}");
}
