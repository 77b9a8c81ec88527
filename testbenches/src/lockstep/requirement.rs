//! What a run takes, said before it begins.

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::machine::memory;
use rtl_model::machine::share::Share;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::{Part, file};

use crate::error::Error;
use crate::ranks;

/// What a run takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Bytes of memory, for the machine, its traffic and its scoreboard.
    pub bytes: u64,
    /// It is run as a program, if nobody watches.
    pub has_program: bool,
    /// Nodes times the bit times of its closed form.
    pub node_bit_times: u64,
    /// That closed form.
    pub bit_times: ClosedForm,
    /// The closed form of a node's storage.
    pub storage_bits: ClosedForm,
    /// The storage that the design allows a node, where it says so.
    pub storage_bound: Option<ClosedForm>,
    /// What is beside the machine, on each of any number of ranks.
    pub beside: OnRank,
}

/// Bytes that a run takes beside its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Before there is a machine.
    pub before: u64,
    /// Together with the machine.
    pub beside: u64,
}

/// Bytes that a run takes beside its machine on a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRank {
    /// As many on each, however many there are.
    Same(Beside),
    /// Messages of a file, with so many payload bits: one process has `alone`, and each of several has a part.
    Part {
        /// In one process.
        alone: Beside,
        /// The hypercube.
        cube: Dimensions,
        /// Bits of each.
        payload_bits: usize,
    },
}

impl From<Beside> for OnRank {
    fn from(beside: Beside) -> Self {
        OnRank::Same(beside)
    }
}

impl OnRank {
    /// Of who has a share of the machine.
    pub fn of(self, share: Share) -> Beside {
        match self {
            OnRank::Part {
                cube, payload_bits, ..
            } if share.ranks() > 1 => Beside {
                before: file::reading_part_bytes(cube, share, payload_bits),
                beside: Part::bytes(cube, share, payload_bits),
            },
            OnRank::Same(beside) | OnRank::Part { alone: beside, .. } => beside,
        }
    }

    /// Bytes that a run of a share of the machine takes, with what is beside it.
    pub fn with(self, device: &dyn Device, share: Share) -> u64 {
        let machine = match share.ranks() {
            1 => device.bytes(1),
            _ => device.bytes_of_share(share),
        };
        let Beside { before, beside } = self.of(share);
        (machine + beside).max(before)
    }
}

impl Requirement {
    /// Of a machine, or what this rank holds of it, and what is beside it.
    pub fn of(device: &dyn Device, beside: impl Into<OnRank>) -> Self {
        let beside = beside.into();
        let nodes = device.topology().nodes() as u64;
        Requirement {
            bytes: beside.with(device, ranks::share()),
            beside,
            has_program: device.has_program(),
            node_bit_times: device.bit_times().value * nodes,
            bit_times: device.bit_times(),
            storage_bits: device.storage_bits(),
            storage_bound: None,
        }
    }

    /// Of what is not run in lockstep: its bytes, and about how many bit times.
    pub fn out_of_lockstep(nodes: usize, bytes: u64, bit_times: u64) -> Self {
        let about = |value| ClosedForm::counted("", value);
        Requirement {
            bytes,
            beside: OnRank::Same(Beside {
                before: 0,
                beside: bytes,
            }),
            has_program: false,
            node_bit_times: bit_times.saturating_mul(nodes as u64),
            bit_times: about(bit_times),
            storage_bits: about(0),
            storage_bound: None,
        }
    }

    /// Whether the first of several ranks compares all messages: those of a file each rank compares where they arrive.
    pub(crate) fn is_compared_by_first(&self) -> bool {
        self.is_listed() && matches!(self.beside, OnRank::Same(_))
    }

    /// Whether the traffic is a list: what is computed node by node is nowhere.
    pub(crate) fn is_listed(&self) -> bool {
        self.beside.of(Share::WHOLE).beside > 0
    }
}

/// Refuses a run that would not fit.
///
/// # Errors
/// With the figures.
pub fn require_memory(topology: &dyn Topology, requirement: &Requirement) -> Result<(), Error> {
    let all_nodes = topology.nodes();
    let share = ranks::share();
    let nodes = share.nodes(all_nodes);
    let what = match share.ranks() {
        1 => format!("a run of {nodes} nodes"),
        ranks => format!("a run of {nodes} nodes, each of {ranks} ranks' share of {all_nodes},"),
    };
    memory::require_for_nodes(what, nodes, requirement.bytes, memory::available())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::testbench as bench;
    use crate::lockstep::benches;
    use crate::lockstep::parameters::PAYLOAD_BITS;
    use crate::testbench::Testbench;
    use crate::testbench::bench::asked;

    /// What a run of such words takes.
    fn requirement(bench: &'static Testbench, words: &str, needs_list: bool) -> Requirement {
        let mut chosen = asked(bench, words);
        chosen.needs_list = needs_list;
        (bench.job)(&chosen).unwrap().requirement()
    }

    /// In bytes a node, with payloads of 24 bits: 8 GiB are 512 at k = 24, 24 GiB are 96 at k = 28.
    #[test]
    fn the_largest_cubes_fit_into_24_gibibytes() {
        let bytes_per_node = |bench: &'static Testbench, schedule: &str, dims: usize| {
            let words = format!("--dims {dims} --payload-bits 24 {schedule}");
            memory::per_node(requirement(bench, &words, false).bytes, 1 << dims)
        };
        for bench in benches().filter(|bench| bench.parameter(PAYLOAD_BITS.name).is_some()) {
            let schedules = bench.schedules.iter();
            let schedules = schedules.map(|schedule| format!("--schedule {}", schedule.name()));
            for schedule in schedules.chain([String::new()]) {
                assert!(bytes_per_node(bench, &schedule, 24) <= 512.0);
                assert!(bytes_per_node(bench, &schedule, 28) <= 96.0, "{schedule}");
            }
        }
        let kuszmaul = bench("kuszmaul").unwrap();
        let plain = [24, 28].map(|dims| bytes_per_node(kuszmaul, "--schedule plain", dims));
        assert_eq!(plain, [47.7, 54.7]);
    }

    /// What a rank has of a file is of its share; what has to do with all nodes is a few bits of each while it is read.
    #[test]
    fn what_a_rank_has_of_a_file_shrinks_with_the_ranks() {
        let words = "--dims 16 --payload-bits 24 --traffic-file mine.csv";
        for (name, has_parts) in [("kuszmaul", true), ("bitonic", true), ("packing", false)] {
            let bench = bench(name).unwrap();
            let beside = |ranks, needs_list| {
                let requirement = requirement(bench, words, needs_list);
                requirement.beside.of(Share::new(0, ranks).unwrap())
            };
            let alone = beside(1, false);
            assert_eq!(alone, beside(1, true));
            for ranks in [2, 4, 8] {
                assert_eq!(beside(ranks, true), alone, "{name}");
                let here = (1 << 16) / ranks as u64;
                let part = Beside {
                    // Two ends of 32 bits with a payload, the line of each, payloads to compare; and of 64 nodes each 20 bytes.
                    before: (2 * (4 + 3) + 2 * 4) * here + 12 * here * 9 / 8 + (1 << 16) / 64 * 20,
                    beside: 2 * (4 + 3) * here,
                };
                let expected = if has_parts { part } else { alone };
                assert_eq!(beside(ranks, false), expected, "{name} on {ranks} ranks");
            }
            let bytes = |ranks| {
                let job = (bench.job)(&asked(bench, words)).unwrap();
                let (device, requirement) = (job.machine().device().unwrap(), job.requirement());
                let share = Share::new(0, ranks).unwrap();
                requirement.beside.with(device, share)
            };
            if has_parts {
                assert!(bytes(4) < bytes(2) && 2 * bytes(8) < bytes(2));
            }
        }
    }
}
