//! What a run takes, said before it begins.

use rtl_model::machine::device::Device;
use rtl_model::machine::memory;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::share::Share;

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
    /// What is beside the machine.
    pub beside: Beside,
}

/// Bytes that a run takes beside its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Before there is a machine.
    pub before: u64,
    /// Together with the machine.
    pub beside: u64,
}

impl Beside {
    /// Bytes that a run of a share of the machine takes, with what is beside it.
    pub fn with(self, device: &dyn Device, share: Share) -> u64 {
        let machine = match share.ranks() {
            1 => device.bytes(1),
            _ => device.bytes_of_share(share),
        };
        (machine + self.beside).max(self.before)
    }
}

impl Requirement {
    /// Of a machine, or what this rank holds of it, and what is beside it.
    pub fn of(device: &dyn Device, beside: Beside) -> Self {
        let nodes = device.topology().nodes() as u64;
        Requirement {
            bytes: beside.with(device, ranks::share()),
            beside,
            has_program: device.has_program(),
            node_bit_times: device.bit_times().value * nodes,
            bit_times: device.bit_times(),
            storage_bits: device.storage_bits(),
        }
    }

    /// Whether the traffic is a list: what is computed node by node is nowhere.
    pub(crate) fn is_listed(&self) -> bool {
        self.beside.beside > 0
    }
}

/// Refuses a run that would not fit.
///
/// # Errors
/// With the figures.
pub fn require_memory(device: &dyn Device, requirement: &Requirement) -> Result<(), Error> {
    let all_nodes = device.topology().nodes();
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
    use crate::families::{bench, lockstep_benches};
    use crate::lockstep::options::Setup;
    use crate::lockstep::{Bench, Schedule};

    /// In bytes a node, with payloads of 24 bits: 8 GiB are 512 at k = 24, 24 GiB are 96 at k = 28.
    #[test]
    fn the_largest_cubes_fit_into_24_gibibytes() {
        let bytes_per_node = |bench: Bench, schedule: Option<Schedule>, dims| {
            let setup = Setup {
                dims: Some(dims),
                payload_bits: Some(24),
                schedule: schedule.map(|schedule| schedule.name().to_owned()),
                ..Setup::default()
            };
            memory::per_node(bench.requirement(&setup).unwrap().bytes, 1 << dims)
        };
        for bench in lockstep_benches().filter(|bench| bench.has_messages()) {
            let schedules = bench.schedules().iter().map(|schedule| Some(*schedule));
            for schedule in schedules.chain([None]) {
                assert!(bytes_per_node(bench, schedule, 24) <= 512.0);
                assert!(bytes_per_node(bench, schedule, 28) <= 96.0, "{schedule:?}");
            }
        }
        let kuszmaul = bench("kuszmaul").unwrap();
        let plain = kuszmaul.schedules().first().copied();
        let plain = [24, 28].map(|dims| bytes_per_node(kuszmaul, plain, dims));
        assert_eq!(plain, [47.7, 54.7]);
    }
}
