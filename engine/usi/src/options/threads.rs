//! The number of search threads where nobody has set it.

use super::Platform;
use monomi_support::memory::Available;

/// Most threads by default: more are used only if somebody asks for them.
const MOST: usize = 8;
/// Memory to be left for the table and everything else.
const KEPT: u64 = 1 << 30;
/// Memory for each thread: its own, and its share of the large histories and of a larger table.
const EACH: u64 = 64 << 20;

/// One less than the cores, so that the GUI has one, from 1 to 8, and as memory allows.
pub fn automatic(platform: Platform) -> usize {
    match platform {
        Platform::Native | Platform::Hosted => of(cores(), Available::now().memory),
        Platform::Browser => 1,
    }
}

fn of(cores: usize, memory: Option<u64>) -> usize {
    let by_memory = memory.map_or(MOST, |bytes| (bytes.saturating_sub(KEPT) / EACH) as usize);
    cores.saturating_sub(1).min(by_memory).clamp(1, MOST)
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn cores() -> usize {
    monomi_support::host::cores::physical()
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn cores() -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_and_memory_decide() {
        let counts = [1, 2, 3, 8, 9, 64].map(|cores| of(cores, None));
        assert_eq!(counts, [1, 1, 2, 7, 8, 8]);
        let gib = |count: u64| Some(count << 30);
        assert_eq!(
            [gib(0), gib(1), Some((1 << 30) + 3 * EACH), gib(16)].map(|m| of(64, m)),
            [1, 1, 3, 8]
        );
        assert_eq!(automatic(Platform::Browser), 1);
        assert!((1..=MOST).contains(&automatic(Platform::Native)));
    }
}
