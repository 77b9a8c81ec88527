//! Nodes with a gate that is stuck, worked out from the netlist beside the machines that they are in: what they send is put onto
//! their wires, and what their registers take into these.

use rtl_model::circuit::netlist::Netlist;
use rtl_model::circuit::stuck::{LANES, NamedGate, StuckNodes};
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Tap;

use crate::lockstep::campaign::fault::Fault;

/// The gates of a node, and what it hears in each bit time.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    /// So many nodes as have a lane, or more.
    wards: Vec<StuckNodes>,
    heard: Vec<Vec<bool>>,
}

impl Gates {
    /// Of a netlist, for as many bit times as a run takes, and what is heard when it is done.
    pub fn of(netlist: &Netlist, bit_times: u64) -> Self {
        Gates {
            wards: vec![StuckNodes::of(netlist)],
            heard: netlist.heard(bit_times + 1),
        }
    }

    /// By number.
    pub fn names(&self) -> &[NamedGate] {
        self.wards[0].gates()
    }
}

/// Nodes of several machines, each with a gate that is stuck.
pub(super) struct IllNodes<'g> {
    gates: Option<&'g mut Gates>,
    /// Their numbers among all nodes; 64 at a time are in one ward.
    nodes: Vec<usize>,
    held: Vec<bool>,
}

impl<'g> IllNodes<'g> {
    /// Those that are among faults, of which each is in a machine of its own of so many nodes.
    pub fn of(gates: Option<&'g mut Gates>, nodes: usize, faults: &[Fault]) -> Self {
        let firsts = (0..).step_by(nodes);
        let ill = faults.iter().zip(firsts);
        let ill = ill.filter_map(|(fault, first)| match *fault {
            Fault::Gate { node, gate, value } => Some((first + node, gate, value)),
            Fault::Wire { .. } | Fault::Flip { .. } => None,
        });
        let ill: Vec<_> = ill.filter(|_| gates.is_some()).collect();
        let mut all = IllNodes {
            gates,
            nodes: ill.iter().map(|(node, ..)| *node).collect(),
            held: Vec::new(),
        };
        if let Some(gates) = &mut all.gates {
            let wards = ill.len().div_ceil(LANES).max(gates.wards.len());
            let one = gates.wards[0].clone();
            gates.wards.resize(wards, one);
            gates.wards.iter_mut().for_each(StuckNodes::mend);
            for (place, (_, gate, value)) in ill.into_iter().enumerate() {
                let ward = &mut gates.wards[place / LANES];
                ward.stick(place % LANES, gate, value);
            }
        }
        all
    }

    /// The wards in which there is anybody, each with the nodes of its lanes.
    fn wards(&mut self) -> impl Iterator<Item = (&mut StuckNodes, &[usize])> {
        let wards = self.gates.iter_mut().flat_map(|gates| &mut gates.wards);
        wards.zip(self.nodes.chunks(LANES))
    }

    /// Before anybody sends: what they hold and hear, and what they send of it is put onto their wires once all have sent.
    pub fn hold(&mut self, machine: &dyn Simulation) {
        let mut held = std::mem::take(&mut self.held);
        let heard =
            (self.gates.as_ref()).and_then(|gates| gates.heard.get(machine.bit_time() as usize));
        let heard = heard.cloned().unwrap_or_default();
        for (ward, nodes) in self.wards() {
            ward.hear(&heard);
            for (lane, node) in nodes.iter().enumerate() {
                if machine.bit_time() == 0 {
                    ward.set_address(lane, &machine.address(*node));
                }
                held.clear();
                machine.append_registers(*node, &mut held);
                ward.hold(lane, &held);
            }
            ward.work_out();
        }
        self.held = held;
    }

    /// Puts what they send onto their wires. Where nobody drives a wire, nothing is read from it, whatever they would say.
    pub fn send(&mut self, machine: &mut dyn Simulation) {
        let driven = machine.topology().driven();
        for (ward, nodes) in self.wards() {
            for (lane, &node) in nodes.iter().enumerate() {
                for wire in 0..driven {
                    let sent = ward.sends(lane, wire);
                    if sent != machine.tapped(node, Tap::Driven(wire)) {
                        machine.force_wire(node, wire, sent);
                    }
                }
            }
        }
    }

    /// What they receive, and what their registers are to take.
    pub fn receive(&mut self, machine: &dyn Simulation) {
        let received = machine.topology().received();
        for (ward, nodes) in self.wards() {
            for (lane, &node) in nodes.iter().enumerate() {
                for wire in 0..received {
                    ward.receive(lane, wire, machine.tapped(node, Tap::Received(wire)));
                }
            }
            ward.work_out();
        }
    }

    /// Once all have taken their clock edge: these take theirs.
    pub fn take(&mut self, machine: &mut dyn Simulation) {
        for (ward, nodes) in self.wards() {
            for (lane, &node) in nodes.iter().enumerate() {
                machine.change_registers(node, &mut |number, _| ward.next(lane, number));
            }
        }
    }
}
