//! Readers never panic or hang: random bytes, and valid inputs with random changes, go through every
//! entry point that the fuzz targets in `fuzz/` use.

use monomi_movegen::Random;
use tests::data;
use tests::entry_points::ALL;

/// The fuzz corpus is the set of valid inputs that are changed.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no seeds for {target}");
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            bytes.push(random.next_u64() as u8);
            continue;
        }
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(30)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.next_u64() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.extend_from_within(at..end),
            4 => bytes.truncate(at),
            _ => bytes.insert(at, random.choose(b" \n0129+-*,:{}[]\"b\xff").unwrap_or(0)),
        }
    }
}

#[test]
fn every_reader_survives_changed_and_random_input() {
    let rounds = if data::full() { 20_000 } else { 200 };
    for (name, read) in ALL {
        let seeds = corpus(name);
        seeds.iter().for_each(|seed| read(seed));
        // Starting threads for a session takes longer than reading.
        let rounds = if name == "usi_session" { rounds / 10 } else { rounds };
        let mut random = Random::new(20);
        for round in 0..rounds {
            let mut bytes = seeds[round % seeds.len()].clone();
            if round % 10 == 9 {
                bytes = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
            } else {
                change(&mut bytes, &mut random);
            }
            read(&bytes);
        }
    }
}
