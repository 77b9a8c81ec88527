//! The machine that properties are of, as its file and the block of each node are both written with it.

use crate::circuit::expression::Expression;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::network;
use crate::closed_form::ClosedForm;
use crate::machine::host::Field;
use crate::machine::topology::Topology;

/// The machine.
pub(super) struct Subject<'a> {
    pub(super) netlist: &'a Netlist,
    pub(super) ports: &'a Ports,
    pub(super) topology: &'a dyn Topology,
    /// What nodes are called, node by node.
    pub(super) addresses: Vec<Vec<bool>>,
    pub(super) bit_times: ClosedForm,
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

impl Subject<'_> {
    /// What its module is called.
    pub(super) fn name(&self) -> &'static str {
        self.topology.machine_name()
    }

    pub(super) fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    /// Digits of the bit times.
    pub(super) fn time_digits(&self) -> usize {
        digits(self.bit_times.value)
    }

    /// What node `n` is called, behind what that takes to be declared.
    pub(super) fn address(&self) -> [String; 2] {
        network::addresses(self.addresses.iter().cloned(), self.topology.address_bits())
    }

    /// The port of a field that hosts write, and its bits a node.
    pub(super) fn written(&self, field: Field) -> (&str, usize) {
        let (node, ports) = (&self.netlist.node, self.ports);
        port(node.host_writes.iter().zip(&ports.host_writes), field)
    }

    /// The port of a field that hosts read, and its bits a node.
    pub(super) fn read(&self, field: Field) -> (&str, usize) {
        let (node, ports) = (&self.netlist.node, self.ports);
        port(node.host_reads.iter().zip(&ports.host_reads), field)
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

/// The port of a field, and its bits a node.
fn port<'a, 'f>(
    mut ports: impl Iterator<Item = (&'f (Field, Vec<Expression>), &'a (String, usize))>,
    field: Field,
) -> (&'a str, usize) {
    let found = ports.find(|((known, _), _)| *known == field);
    found.map_or(("", 0), |(_, (name, width))| (name, *width))
}
