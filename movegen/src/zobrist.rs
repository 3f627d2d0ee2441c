//! Zobrist keys: a random word for each [`Place`] and one for the side to move.
//!
//! The keys of board and hands are kept separately, to recognise positions with equal boards and
//! different hands (superior and inferior repetitions).

use crate::place::Place;

const fn splitmix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

static PLACES: [u64; Place::COUNT] = {
    let mut table = [0; Place::COUNT];
    let mut i = 0;
    while i < Place::COUNT {
        table[i] = splitmix(GAMMA.wrapping_mul(i as u64 + 1));
        i += 1;
    }
    table
};

/// Part of the board key if White is to move.
pub const WHITE_TO_MOVE: u64 = splitmix(GAMMA.wrapping_mul(Place::COUNT as u64 + 1));

/// The key of a place.
#[inline(always)]
pub fn place_key(place: Place) -> u64 {
    PLACES[place.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_different() {
        let mut keys = PLACES.to_vec();
        keys.push(WHITE_TO_MOVE);
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), Place::COUNT + 1);
    }
}
