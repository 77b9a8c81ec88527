//! A machine that promises something, and what its file and the block of each node are both written with.

use crate::circuit::metered::Readings;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::Ports;
use crate::closed_form::ClosedForm;
use crate::machine::router::Promise;
use crate::machine::topology::Topology;

/// A machine and what it promises.
pub(super) struct Promised<'a> {
    pub(super) netlist: &'a Netlist,
    pub(super) ports: &'a Ports,
    pub(super) readings: &'a Readings,
    pub(super) topology: &'a dyn Topology,
    pub(super) bit_times: ClosedForm,
    pub(super) promise: Promise,
}

/// Declarations, with their ranges, with which Yosys knows signals inside of instances: other tools know those by their names.
pub fn joined_by_yosys(signals: impl IntoIterator<Item = (String, String)>) -> String {
    let signals = signals.into_iter();
    let signals =
        signals.map(|(signal, range)| format!("  (* hierconn *) wire {range}\\{signal} ;\n"));
    format!(
        "`ifdef YOSYS\n\
         \x20 // What other tools know by its name inside of an instance, Yosys joins to this when it flattens.\n\
         {}`endif\n\n",
        signals.collect::<String>()
    )
}

/// Digits of a number that goes up to this one.
pub(super) fn digits(most: u64) -> usize {
    most.checked_ilog2().unwrap_or(0) as usize + 1
}

impl Promised<'_> {
    pub(super) fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    /// Digits of the bit times.
    pub(super) fn time_digits(&self) -> usize {
        digits(self.bit_times.value)
    }

    /// The most live bits that a node is said to hold.
    pub(super) fn most_bits(&self) -> u64 {
        let all = self.readings.iter().map(|(reading, _)| {
            let bits = reading.bits.iter().map(|(_, bits)| u64::from(*bits));
            bits.sum()
        });
        all.max().unwrap_or(0)
    }

    /// Digits of the live bits of a node, and of all nodes.
    pub(super) fn bit_digits(&self) -> [usize; 2] {
        let most = self.most_bits();
        [digits(most), digits(most * self.nodes() as u64)]
    }

    /// Bit times as a case lists them.
    pub(super) fn listed(&self, times: &[usize]) -> String {
        let width = self.time_digits();
        let times: Vec<String> = times
            .iter()
            .map(|time| format!("{width}'d{time}"))
            .collect();
        let lines: Vec<String> = times.chunks(10).map(|line| line.join(", ")).collect();
        lines.join(",\n        ")
    }
}
