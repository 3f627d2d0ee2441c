//! The NUMA nodes of this machine: groups of processors with memory of their own. Known on Linux only.

use std::io;
use std::path::Path;

/// The processors of one node that this process may use; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    processors: Vec<usize>,
}

impl Node {
    /// A node of these processors, by their numbers.
    pub fn new(processors: Vec<usize>) -> Self {
        Self { processors }
    }

    /// The processors of these nodes as one node.
    pub fn all(nodes: &[Self]) -> Self {
        Self { processors: nodes.iter().flat_map(|node| node.processors.clone()).collect() }
    }

    /// The number of its processors.
    pub fn processors(&self) -> usize {
        self.processors.len()
    }

    /// Makes the calling thread run on this node only. Memory that it is the first to write is that of the
    /// node.
    ///
    /// # Errors
    /// The system refuses, or there is no way to ask it (all systems but Linux).
    pub fn bind(&self) -> io::Result<()> {
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            use rustix::thread::{CpuSet, sched_setaffinity};
            let mut set = CpuSet::new();
            for &processor in self.processors.iter().filter(|&&number| number < CpuSet::MAX_CPU) {
                set.set(processor);
            }
            Ok(sched_setaffinity(None, &set)?)
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The nodes on which this process may run. Empty if they are not known.
pub fn nodes() -> Vec<Node> {
    if !cfg!(target_os = "linux") || cfg!(miri) {
        return Vec::new();
    }
    let allowed = super::cores::allowed().unwrap_or_default();
    nodes_in(Path::new("/sys/devices/system/node"), &allowed)
}

/// The nodes in a folder of Linux's sysfs, without the processors that are not allowed.
fn nodes_in(folder: &Path, allowed: &[usize]) -> Vec<Node> {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let online = super::cores::numbers(read(&folder.join("online")).trim());
    let node = |number: usize| {
        let list = read(&folder.join(format!("node{number}/cpulist")));
        let mut processors = super::cores::numbers(list.trim());
        processors.retain(|number| allowed.contains(number));
        // There are nodes with memory only.
        (!processors.is_empty()).then_some(Node { processors })
    };
    online.into_iter().filter_map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_from_sysfs() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(nodes_in(folder.path(), &[0, 1]), []);
        write("online", "0-1,3\n");
        write("node0/cpulist", "0-3,8-11\n");
        write("node1/cpulist", "4-7,12-15\n");
        // Memory without processors.
        write("node3/cpulist", "\n");
        let all: Vec<usize> = (0..16).collect();
        let nodes = |lists: &[&[usize]]| -> Vec<Node> {
            lists.iter().map(|list| Node::new(list.to_vec())).collect()
        };
        assert_eq!(
            nodes_in(folder.path(), &all),
            nodes(&[&[0, 1, 2, 3, 8, 9, 10, 11], &[4, 5, 6, 7, 12, 13, 14, 15]])
        );
        // `taskset` and containers allow some of them.
        assert_eq!(nodes_in(folder.path(), &[2, 3]), nodes(&[&[2, 3]]));
        assert_eq!(nodes_in(folder.path(), &[3, 4]), nodes(&[&[3], &[4]]));
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_thread_stays_on_its_node() {
        let allowed = crate::host::cores::allowed().unwrap();
        assert!(nodes().iter().map(Node::processors).sum::<usize>() <= allowed.len());
        for processor in [allowed[0], *allowed.last().unwrap()] {
            let here = std::thread::spawn(move || {
                Node::new(vec![processor]).bind().unwrap();
                // Of this thread, not of the process.
                std::fs::read_to_string("/proc/thread-self/status").unwrap()
            });
            let status = here.join().unwrap();
            let line = format!("Cpus_allowed_list:\t{processor}\n");
            assert!(status.contains(&line), "{status}");
        }
        // The other threads run where they did.
        assert_eq!(crate::host::cores::allowed().unwrap(), allowed);
    }
}
