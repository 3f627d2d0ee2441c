//! Any bytes are a network or a reason why not; what is read is written back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use monomi_eval::network::NetworkFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(network) = NetworkFile::read(bytes, bytes.len() as u64) else { return };
    let mut written = Vec::new();
    network.write(&mut written).expect("writing to memory");
    let again = NetworkFile::read(written.as_slice(), written.len() as u64).expect("just written");
    assert_eq!(again.architecture, network.architecture);
});
