//! How much memory this process may still use.
//!
//! Linux grants allocations that it cannot back and ends the process when the pages are written to.
//! So code that is about to use much memory must compare first.

use crate::text::{Lang, Message, error_message, say};
use std::fmt::Formatter;
use std::fs;
use std::path::{Path, PathBuf};

/// Memory to be left for everything that is not checked.
const RESERVE: u64 = 32 << 20;

/// Memory that is left, in bytes. `None` where there is no limit or none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// Address space (`ulimit -v` and `ulimit -d`).
    pub addresses: Option<u64>,
    /// Memory, by what the machine has left and by the limits of control groups (containers).
    pub memory: Option<u64>,
}

impl Available {
    /// As of now. Known on Linux only; on other systems (and under Miri) both are `None`, and allocations
    /// fail there when there is no memory.
    pub fn now() -> Self {
        if !cfg!(target_os = "linux") || cfg!(miri) {
            return Self::default();
        }
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let groups = groups(&text("/proc/self/cgroup"));
        let memory = groups.iter().filter_map(left_in_group);
        Self {
            addresses: left_in_limits(&text("/proc/self/limits"), &text("/proc/self/status")),
            memory: memory.chain(left_on_machine(&text("/proc/meminfo"))).min(),
        }
    }

    /// Checks that this much is left, and some memory besides for smaller things.
    ///
    /// # Errors
    /// Less is left.
    pub fn check(&self, addresses: u64, memory: u64) -> Result<(), NotEnoughMemory> {
        for (need, left) in [(memory, self.memory), (addresses, self.addresses)] {
            if left.is_some_and(|left| left < need.saturating_add(RESERVE)) {
                return Err(NotEnoughMemory { need, left });
            }
        }
        Ok(())
    }
}

/// Less memory is available than needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotEnoughMemory {
    /// Bytes needed.
    pub need: u64,
    /// Bytes available; `None` if unknown.
    pub left: Option<u64>,
}

impl NotEnoughMemory {
    /// The memory that is needed, in mebibytes.
    pub(crate) fn need_mib(&self) -> u64 {
        self.need.div_ceil(1 << 20)
    }

    /// The part of the remaining memory that may be used, in mebibytes.
    pub(crate) fn left_mib(&self) -> Option<u64> {
        self.left.map(|left| left.saturating_sub(RESERVE) >> 20)
    }
}

#[doc(hidden)]
impl Message for NotEnoughMemory {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> std::fmt::Result {
        let need = self.need_mib();
        match self.left_mib() {
            Some(left) => say!(
                lang,
                f,
                "{need} MiB of memory are needed and {left} MiB are available",
                "{need} MiB のメモリが必要ですが、使えるのは {left} MiB です"
            ),
            None => say!(
                lang,
                f,
                "{need} MiB of memory are needed and cannot be allocated",
                "{need} MiB のメモリを確保できません"
            ),
        }
    }
}
error_message!(NotEnoughMemory);

/// The number in kibibytes after a field's name, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

/// From `/proc/meminfo`: memory that is free or easily freed, and free swap space.
fn left_on_machine(meminfo: &str) -> Option<u64> {
    let free = field(meminfo, "MemAvailable:")?;
    Some(free.saturating_add(field(meminfo, "SwapFree:").unwrap_or(0)))
}

/// From `/proc/self/limits` and `/proc/self/status`.
fn left_in_limits(limits: &str, status: &str) -> Option<u64> {
    let left = |limit: &str, used: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        // `unlimited` is no number.
        let most: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(field(status, used)?))
    };
    let addresses = left("Max address space", "VmSize:");
    addresses.into_iter().chain(left("Max data size", "VmData:")).min()
}

/// A control group with a limit of its memory: the files with limit and usage, and the name of the
/// field for cached file contents, which count as used but are freed when needed.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    folder: PathBuf,
    limit: &'static str,
    usage: &'static str,
    cached: &'static str,
}

/// From `/proc/self/cgroup`: the process's groups and those that contain them. Within a container
/// the paths may be those of the host, so the root is always included.
fn groups(text: &str) -> Vec<Group> {
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, limit, usage, cached) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ")
        } else if controllers.split(',').any(|name| name == "memory") {
            let (limit, usage) = ("memory.limit_in_bytes", "memory.usage_in_bytes");
            ("/sys/fs/cgroup/memory", limit, usage, "total_inactive_file ")
        } else {
            continue;
        };
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            groups.push(Group { folder: Path::new(root).join(folder), limit, usage, cached });
        }
    }
    groups
}

fn left_in_group(group: &Group) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(group.folder.join(name)).ok();
    // `max` is no number.
    let limit: u64 = text(group.limit)?.trim().parse().ok()?;
    let usage: u64 = text(group.usage)?.trim().parse().ok()?;
    let stat = text("memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|line| line.strip_prefix(group.cached));
    let cached: u64 = cached.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
    Some(limit.saturating_sub(usage.saturating_sub(cached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_and_its_limits() {
        let meminfo = "MemTotal:       32000000 kB\nMemFree:  9 kB\nMemAvailable:   20000000 kB\n\
                       SwapTotal: 8 kB\nSwapFree:              1000 kB\n";
        assert_eq!(left_on_machine(meminfo), Some(20_001_000 * 1024));
        assert_eq!(left_on_machine(""), None);
        let status = "VmPeak: 9 kB\nVmSize:\t  200000 kB\nVmData:\t  100000 kB\n";
        let limits = |data: &str, addresses: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max data size             {data}            unlimited            bytes     \n\
                 Max address space         {addresses}            unlimited            bytes     \n"
            )
        };
        let left = |data, addresses| left_in_limits(&limits(data, addresses), status);
        assert_eq!(left("unlimited", "unlimited"), None);
        assert_eq!(left("unlimited", "1073741824"), Some((1 << 30) - 200_000 * 1024));
        assert_eq!(left("1073741824", "10737418240"), Some((1 << 30) - 100_000 * 1024));
        assert_eq!(left("1000", "unlimited"), Some(0));
    }

    #[test]
    fn control_groups_of_both_versions() {
        let folders = |text: &str| -> Vec<String> {
            groups(text).iter().map(|group| group.folder.display().to_string()).collect()
        };
        assert_eq!(
            folders("0::/user.slice/app\n"),
            ["/sys/fs/cgroup/user.slice/app", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup/"]
        );
        let old = "5:devices:/\n4:memory:/docker/a\n1:cpu,cpuacct:/x\n";
        assert_eq!(
            folders(old),
            [
                "/sys/fs/cgroup/memory/docker/a",
                "/sys/fs/cgroup/memory/docker",
                "/sys/fs/cgroup/memory/"
            ]
        );
        assert!(groups("nonsense\n\n7\n").is_empty());

        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let group = Group {
            folder: folder.path().to_owned(),
            limit: "memory.max",
            usage: "memory.current",
            cached: "inactive_file ",
        };
        assert_eq!(left_in_group(&group), None);
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(left_in_group(&group), None);
        write("memory.max", "1000\n");
        assert_eq!(left_in_group(&group), Some(300));
        write("memory.stat", "anon 5\nfile 250\ninactive_file 200\nactive_file 50\n");
        assert_eq!(left_in_group(&group), Some(500));
    }

    #[test]
    fn this_machine_has_memory_left() {
        let available = Available::now();
        if cfg!(all(target_os = "linux", not(miri))) {
            let memory = available.memory.unwrap();
            assert!((1 << 20..1 << 50).contains(&memory), "{memory}");
        }
        assert_eq!(available.check(0, 0), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_numbers() {
        let message = |available: Available, addresses: u64, memory: u64| {
            let mib = |bytes: u64| bytes << 20;
            available.check(mib(addresses), mib(memory)).err().map(|error| error.to_string())
        };
        let memory = Available { memory: Some(132 << 20), addresses: None };
        assert_eq!(message(memory, 1_000, 100), None);
        let text = "101 MiB of memory are needed and 100 MiB are available";
        assert_eq!(message(memory, 0, 101).as_deref(), Some(text));
        let addresses = Available { memory: None, addresses: Some(132 << 20) };
        assert_eq!(message(addresses, 101, 0).as_deref(), Some(text));
        assert_eq!(message(Available::default(), u64::MAX >> 20, u64::MAX >> 20), None);
    }
}
