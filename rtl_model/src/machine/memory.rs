//! Memory: estimated before anything is allocated.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Processes that share this machine.
static PROCESSES: AtomicU64 = AtomicU64::new(1);

/// Says that so many processes, all alike, share this machine, its memory and its processors.
pub fn shared_by(processes: u64) {
    PROCESSES.store(processes.max(1), Ordering::Relaxed);
}

/// How many processes share this machine: see [`shared_by`].
pub fn processes() -> u64 {
    PROCESSES.load(Ordering::Relaxed)
}

/// Bytes that this machine (or the container it runs in) can still give out, to each of the processes that share it.
pub fn available() -> u64 {
    available_to_all() / processes()
}

fn available_to_all() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => machine.min(limits.free_memory),
        _ => machine,
    }
}

/// Refuses what would not fit.
///
/// # Errors
/// [`Error::DoesNotFit`], with both figures.
pub fn require(what: impl Into<String>, needed: u64, available: u64) -> Result<(), Error> {
    check((what.into(), String::new()), needed, available)
}

/// Refuses a machine of so many nodes that would not fit, and says what each of them takes.
///
/// # Errors
/// [`Error::DoesNotFit`], with all figures.
pub fn require_for_nodes(
    what: impl Into<String>,
    nodes: usize,
    needed: u64,
    available: u64,
) -> Result<(), Error> {
    let each = format!(" ({} bytes a node)", per_node(needed, nodes));
    check((what.into(), each), needed, available)
}

fn check((what, each): (String, String), needed: u64, available: u64) -> Result<(), Error> {
    if needed > available {
        Err(Error::DoesNotFit {
            what,
            needed: gibibytes(needed),
            each,
            available: gibibytes(available),
        })
    } else {
        Ok(())
    }
}

/// The bytes of each of so many nodes, to a tenth of a byte, rounded up.
pub fn per_node(bytes: u64, nodes: usize) -> f64 {
    (10 * bytes).div_ceil(nodes.max(1) as u64) as f64 / 10.0
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_both_figures() {
        assert!(require("a run", 1 << 30, 1 << 30).is_ok());
        let error = require("a run", 3 << 30, 1 << 30).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a run needs 3.00 GiB of memory and this machine has 1.00 GiB available: use fewer \
             dimensions, or fewer bits of payload, message or words"
        );
        let for_nodes = |needed| require_for_nodes("a run of 7 nodes", 7, needed, 1 << 30);
        assert!(for_nodes(1 << 30).is_ok());
        assert_eq!(
            for_nodes(3 << 30).unwrap_err().to_string(),
            "a run of 7 nodes needs 3.00 GiB of memory (460175067.5 bytes a node) and this machine has 1.00 GiB \
             available: use fewer dimensions, or fewer bits of payload, message or words"
        );
        assert!(available() > 0);
    }

    #[test]
    fn bytes_a_node_are_rounded_up() {
        let bytes = [(0, 1), (1, 1), (3, 2), (1, 3), (1, 16), (u64::MAX / 10, 1)];
        let each = [0.0, 1.0, 1.5, 0.4, 0.1, (u64::MAX / 10) as f64];
        assert_eq!(bytes.map(|(bytes, nodes)| per_node(bytes, nodes)), each);
    }
}
