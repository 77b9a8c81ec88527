//! How a machine is run.

#[cfg(doc)]
use crate::machine::fabric::Fabric;
use crate::machine::instructions::Instructions;
use crate::machine::program::Readings;

/// How to [advance](Fabric::advance).
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Threads at the most; beyond the first they are of the pool of threads that it is called in.
    pub threads: usize,
    /// The instructions.
    pub instructions: Instructions,
    /// Is told how far it is.
    pub watch: &'a dyn Watch,
    /// Where the meters are read, of the program's making; `None`: nothing is measured. They are read as loaded and after
    /// each bit time.
    pub readings: Option<&'a Readings>,
    /// When parts are run apart.
    pub blocking: Blocking,
}

impl Default for How<'_> {
    /// One thread, and the widest instructions that there are.
    fn default() -> Self {
        How {
            threads: 1,
            instructions: Instructions::widest(),
            watch: &(),
            readings: None,
            blocking: Blocking::default(),
        }
    }
}

/// Is told how far a run is.
pub trait Watch: Sync {
    /// So many nodes have gone through a bit time. Where it answers `false`, the run is broken off.
    fn goes_on(&self, node_bit_times: u64) -> bool;
}

/// Nobody asks.
impl Watch for () {
    fn goes_on(&self, _node_bit_times: u64) -> bool {
        true
    }
}

/// Is shown the wires of all tiles once their bits are on them, in a bit time.
pub(super) type OnWires<'s> = dyn FnMut(usize, &[u64]) + 's;

/// When it is worth running parts of a machine apart. The outcome is always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// Bytes of tiles that are run together through many bit times: they and their wires stay in the second-level cache
    /// of one core.
    pub cache: usize,
    /// The shortest pause of a dimension that is worth running halves apart, in bit times; at least 1.
    pub shortest_pause: usize,
    /// Bytes that a thread should have to go through, in a bit time in which all tiles depend on each other; less is not
    /// worth meeting again after it. At least 1.
    pub bytes_per_thread: usize,
}

impl Default for Blocking {
    fn default() -> Self {
        Blocking {
            cache: 512 << 10,
            shortest_pause: 4,
            bytes_per_thread: 2 << 20,
        }
    }
}
