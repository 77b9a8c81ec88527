//! Memory: estimated before anything is allocated.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

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

/// Bytes that this process can still have: of what this machine (or the container it runs in) can give out, its part among the
/// processes that share it, as far as the limits of a process go.
pub fn available() -> u64 {
    left_by_limits().map_or_else(left_by_machine, |left| left_by_machine().min(left))
}

/// The part of this process of what the machine can give out.
fn left_by_machine() -> u64 {
    available_to_all() / processes()
}

/// Bytes that the limits of a process leave to this one; none where there are no limits.
pub fn left_by_limits() -> Option<u64> {
    limit().map(Limit::available)
}

/// Whether the limits of the process leave room for so many threads more. One that has its stack, and no room for what handles an
/// overflow of it, ends the process.
pub fn has_room_for_threads(threads: usize) -> bool {
    const STACK: u64 = 2 << 20;
    const BESIDE: u64 = 1 << 20;
    let needed = threads as u64 * STACK + BESIDE;
    left_by_limits().is_none_or(|left| left >= needed)
}

/// Has a thread of its own do something, where one can be had.
pub fn on_another_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<JoinHandle<T>> {
    if !has_room_for_threads(1) {
        return None;
    }
    thread::Builder::new().spawn(work).ok()
}

fn available_to_all() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    // Where there is no /proc nobody can tell, and nothing is refused.
    if system.total_memory() == 0 {
        return u64::MAX;
    }
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => machine.min(limits.free_memory),
        _ => machine,
    }
}

/// The variable that says from how many pools glibc's allocator gives out memory: of one, it sets nothing aside for threads.
pub const ARENAS: &str = "MALLOC_ARENA_MAX";

/// What a process may take, where the system sets it a limit (`ulimit -v` and `-d`, as batch systems do).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit {
    /// The option of `ulimit`.
    option: &'static str,
    /// Of all of it, in bytes.
    bytes: u64,
    /// Of that, what has not been taken.
    left: u64,
}

impl Limit {
    /// What may be asked for: without what threads take that have not begun yet, for their stacks and for memory that the
    /// allocator sets aside for each, where it does.
    fn available(self) -> u64 {
        let set_aside = match std::env::var_os(ARENAS) {
            Some(arenas) if arenas == "1" => 0,
            _ => 64,
        };
        let of_thread = (set_aside + 2) << 20;
        let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        // Where little is left, nothing is set aside.
        self.left - (of_thread * threads).min(self.left / 4 * 3)
    }
}

/// The limit of this process of which the least is left, from what Linux says of it.
fn limit() -> Option<Limit> {
    let read = |file| std::fs::read_to_string(format!("/proc/self/{file}"));
    limit_of(&read("limits").ok()?, &read("status").ok()?)
}

fn limit_of(limits: &str, status: &str) -> Option<Limit> {
    let of_kind = |option, name: &str, taken: &str| {
        let row = limits.lines().find_map(|line| line.strip_prefix(name))?;
        // The first number is the one that holds; `unlimited` is none.
        let bytes: u64 = row.split_whitespace().next()?.parse().ok()?;
        let row = status.lines().find_map(|line| line.strip_prefix(taken))?;
        let kibibytes: u64 = row.split_whitespace().next()?.parse().ok()?;
        let left = bytes.saturating_sub(kibibytes << 10);
        Some(Limit {
            option,
            bytes,
            left,
        })
    };
    let all = [
        of_kind("-v", "Max address space", "VmSize:"),
        of_kind("-d", "Max data size", "VmData:"),
    ];
    all.into_iter().flatten().min_by_key(|limit| limit.left)
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
        // Whether it is the limit that the figure comes from: what it leaves now may be more than it was then.
        let limit = limit().filter(|limit| limit.available() <= left_by_machine());
        let limit = limit.map_or(String::new(), |limit| {
            let Limit { option, bytes, .. } = limit;
            format!(" of the {} that `ulimit {option}` allows", in_units(bytes))
        });
        Err(Error::DoesNotFit {
            what,
            needed: in_units(needed),
            each,
            available: format!("{} available{limit}", in_units(available)),
        })
    } else {
        Ok(())
    }
}

/// The bytes of each of so many nodes, to a tenth of a byte, rounded up.
pub fn per_node(bytes: u64, nodes: usize) -> f64 {
    (10 * bytes).div_ceil(nodes.max(1) as u64) as f64 / 10.0
}

fn in_units(bytes: u64) -> String {
    let (size, unit) = match bytes {
        0..0x0800_0000 => (20, "MiB"),
        _ => (30, "GiB"),
    };
    format!("{:.2} {unit}", bytes as f64 / (1_u64 << size) as f64)
}

/// Rows up to which nobody asks whether they fit into memory.
const FEW_ROWS: usize = 1 << 16;

/// Refuses a list that grows, and has come to as many rows as this, if it would not fit once it is twice as long: that is looked at
/// whenever it has doubled.
///
/// # Errors
/// [`Error::DoesNotFit`].
pub fn require_growing(
    rows: usize,
    what: &str,
    bytes_of_row: u64,
    available: impl Fn() -> u64,
) -> Result<(), Error> {
    match rows >= FEW_ROWS && rows.is_power_of_two() {
        true => require(
            format!("a list of more than {rows} {what}"),
            2 * rows as u64 * bytes_of_row,
            available(),
        ),
        false => Ok(()),
    }
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
    fn a_limit_of_the_process_is_memory() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         307200000            unlimited            bytes     \n";
        let status = "Name:\tcubewave\nVmSize:\t  100000 kB\nVmData:\t  4000 kB\n";
        let limit = limit_of(limits, status).unwrap();
        let expected = Limit {
            option: "-v",
            bytes: 307_200_000,
            left: 204_800_000,
        };
        assert_eq!(limit, expected);
        assert!(limit.available() < limit.left && limit.available() >= limit.left / 4);
        let both = limits.replacen("unlimited", "5000000", 1);
        let data = limit_of(&both, status).unwrap();
        assert_eq!((data.option, data.left), ("-d", 5_000_000 - 4_096_000));
        // More has been taken than the limit is now.
        let less = limits.replace("307200000", "1000");
        assert_eq!(limit_of(&less, status).unwrap().available(), 0);
        let none = limits.replace("307200000", "unlimited");
        assert_eq!(limit_of(&none, status), None);
    }

    #[test]
    fn bytes_a_node_are_rounded_up() {
        let bytes = [(0, 1), (1, 1), (3, 2), (1, 3), (1, 16), (u64::MAX / 10, 1)];
        let each = [0.0, 1.0, 1.5, 0.4, 0.1, (u64::MAX / 10) as f64];
        assert_eq!(bytes.map(|(bytes, nodes)| per_node(bytes, nodes)), each);
    }
}
