//! The processor cores of this machine.

use std::collections::BTreeSet;

/// Number of processors that this process may use, two for each core with simultaneous multithreading. At
/// least 1.
pub fn logical() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Number of cores that this process may use; a quota of a container counts, too. At least 1.
pub fn physical() -> usize {
    let logical = logical();
    let cores = match cfg!(target_os = "linux") && !cfg!(miri) {
        true => cores_of_linux(),
        false => None,
    };
    cores.unwrap_or_else(|| logical.div_ceil(threads_per_core())).clamp(1, logical)
}

/// The numbers of the processors that this process may use, on Linux.
pub(super) fn allowed() -> Option<Vec<usize>> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(numbers(list.trim()))
}

/// Counts the cores of the processors that this process may use.
fn cores_of_linux() -> Option<usize> {
    let mut cores = BTreeSet::new();
    for processor in allowed()? {
        let folder = format!("/sys/devices/system/cpu/cpu{processor}/topology");
        let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).ok();
        // The threads of a core have the same list.
        cores.insert(read("thread_siblings_list")?);
    }
    Some(cores.len()).filter(|&count| count > 0)
}

/// The numbers of a list such as `0-3,8`.
pub(super) fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        Some(first..=last).filter(|range| range.clone().count() <= 1 << 16)
    };
    list.split(',').filter_map(range).flatten().collect()
}

/// Threads of a core that can run at the same time, as the processor says.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unused_unsafe, reason = "these functions are safe in newer versions of Rust")]
fn threads_per_core() -> usize {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const TOPOLOGY: u32 = 0xB;
    // SAFETY: every x86-64 processor has this instruction.
    let leaves = unsafe { __cpuid(0) }.eax;
    if leaves < TOPOLOGY {
        return 1;
    }
    // SAFETY: as above.
    let level = unsafe { __cpuid_count(TOPOLOGY, 0) };
    // Bits 8 to 15: the kind of level, 1 for the threads of a core.
    let is_core = level.ecx >> 8 & 0xFF == 1;
    if is_core { (level.ebx & 0xFFFF).clamp(1, 8) as usize } else { 1 }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn threads_per_core() -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_more_cores_than_processors() {
        assert!((1..=logical()).contains(&physical()));
        assert!((1..=8).contains(&threads_per_core()));
    }

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(numbers("0-2,5,7-8"), [0, 1, 2, 5, 7, 8]);
        assert_eq!(numbers(""), [0; 0]);
        assert_eq!(numbers("3"), [3]);
        assert_eq!(numbers("x,1-"), [0; 0]);
        assert_eq!(numbers("0-99999999"), [0; 0]);
    }
}
