//! Any bytes go through `tests::entry_points::book_sbk`, which must not panic.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tests::entry_points::book_sbk(bytes));
