//! Networks for tests of loading them.

use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, WriteOptions};

/// The smallest shape in use.
const SMALL: Architecture = Architecture::plain(FeatureSet::KP, 256, 32, 32);

/// The file of a small network whose output is the same for every position.
pub fn constant(output: i32) -> Vec<u8> {
    let mut network = NetworkFile::zeroed(SMALL);
    network.stacks[0][2].bias[0] = output;
    let mut bytes = Vec::new();
    network.write(&mut bytes).expect("writing to memory");
    bytes
}

/// The same network with another text in its header.
pub fn with_text(network: &[u8], text: &str) -> Vec<u8> {
    let network = NetworkFile::read(network, network.len() as u64).expect("a network");
    let options = WriteOptions::default().with_text(text.to_owned());
    let mut bytes = Vec::new();
    network.write_with(&mut bytes, &options).expect("writing to memory");
    bytes
}
