//! Every shape agrees with the slow implementation, through a written and read file.

use super::generated::{self, Name};
use super::*;

/// Each feature set, each king, hand and progress part, with and without the skip connection, and
/// odd sizes.
const NAMES: [&str; 28] = [
    "halfkp_64x2_32_32",
    "kp_256x2_32_32",
    "ka2_256x2_16_32",
    "halfkpvm_32x2_8_64",
    "halfka1_32x2_8_96",
    "halfka2_64x2_15_64",
    "halfkahm1_32x2_16_32",
    "halfkahm2_96x2_8_96",
    "kp_1024x2_8_64",
    "kp_512x2_64_128",
    "kp_160x2_3_5",
    "kp_32x2_128_1",
    "SFNN_halfkahm2_64_15_32_k3k3",
    "SFNN_kp_1536_15_32",
    "SFNN_kp_128_7_64_k9k9",
    "SFNN_kp_128_7_64_k9k9z",
    "SFNN_ka2_192_7_64_k13k13z",
    "SFNN_kp_64_7_32_k21k21",
    "SFNN_kp_64_7_32_k29k29",
    "SFNN_kp_64_8_32_hand4",
    "SFNN_kp_64_16_33_hand16_k3k3",
    "SFNN_kp_128_31_32_hand64",
    "SFNN_kp_128_32_32_hand64z",
    "SFNN_halfka1_64_7_64_hand256",
    "SFNN_kp_64_7_16_hand1024",
    "SFNN_kp_128_7_64_progress3",
    "SFNN_halfka2_64_7_64_hand4_k3k3_progress8",
    "SFNN_kp_256_63_96_k3k3_progress32",
];

#[test]
#[cfg_attr(miri, ignore = "makes large networks")]
fn every_shape_agrees_with_the_slow_implementation() {
    let positions = positions(150);
    for (i, name) in NAMES.into_iter().enumerate() {
        agrees(name, 400 + i as u64, &positions);
    }
}

/// `cargo test --release -p monomi-eval -- --ignored large_shapes`
#[test]
#[ignore = "takes a minute; run on demand"]
fn large_shapes_agree_with_the_slow_implementation() {
    let positions = positions(500);
    for name in NAMES.into_iter().chain(["SFNN_halfkahm2_1536_15_32_k3k3", "halfkp_512x2_8_96"]) {
        agrees(name, 7, &positions);
    }
}

fn agrees(name: &str, seed: u64, positions: &[Position]) {
    let name = Name::new(name);
    let bytes = generated::bytes(&name, seed);
    let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64)
        .unwrap_or_else(|error| panic!("{}: {error}", name.name));
    assert_eq!(file.architecture, name.architecture(), "{}", name.name);
    let slow = slow::SlowNetwork::new(&bytes, &name);
    let network = Network::new(file, SimdLevel::best());
    let mut distinct = std::collections::HashSet::new();
    for position in positions {
        let (stack, raw) = slow.raw(&position.to_partial());
        let sfen = position.to_sfen();
        assert_eq!(network.stack(position), stack, "{}, {sfen}", name.name);
        let fast = network.raw_without(position, [None])[0];
        assert_eq!(i64::from(fast), raw, "{}, {sfen}", name.name);
        distinct.insert(raw);
    }
    assert!(distinct.len() >= 8, "{}: all positions are alike", name.name);
}

#[test]
fn extreme_weights_agree_between_slow_and_scalar() {
    let positions = positions(if cfg!(miri) { 8 } else { 60 });
    let names = ["SFNN_kp_64_8_32", "kp_64x2_32_32", "ka2_96x2_8_96", "SFNN_kp_128_15_32_k3k3"];
    for name in &names[..if cfg!(miri) { 1 } else { names.len() }] {
        let name = Name::new(name);
        let mut bytes = Vec::new();
        extreme_network(name.architecture(), 99).write(&mut bytes).unwrap();
        let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).unwrap();
        let slow = slow::SlowNetwork::new(&bytes, &name);
        let network = Network::new(file, SimdLevel::Scalar);
        for position in &positions {
            let fast = network.raw_without(position, [None])[0];
            assert_eq!(i64::from(fast), slow.raw(&position.to_partial()).1, "{}", name.name);
        }
    }
}
