//! Depths of small circuits, and of routers.

use super::*;
use crate::circuit::netlist::{NodeCircuit, Register, SequencerCircuit};
use crate::language::bit::Bit;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::enumeration::EnumerationRouter;
use crate::routers::kuszmaul::packing::PackingRouter;

fn part(name: &str, bit: Expression, next: Expression) -> Vec<Part> {
    vec![Part {
        name: name.to_owned(),
        kind: None,
        note: "",
        registers: vec![Register {
            path: vec![name.to_owned()],
            bits: vec![bit],
            next: vec![next],
            reset: vec![bit],
        }],
    }]
}

fn strobe(line: Expression) -> Vec<Bundle> {
    vec![Bundle {
        name: "go".to_owned(),
        note: "",
        first: None,
        lines: vec![line],
    }]
}

/// A sequencer that sends the strobe `go` and has a register `count`; a node of a register
/// `held`, that reads the strobe and what it receives.
fn machine<const D: usize>(
    sequencer: impl FnOnce(Expression) -> [Expression; 2],
    node: impl FnOnce(Expression, Expression, [Expression; D]) -> ([Expression; D], Expression),
) -> Netlist {
    let (netlist, graph) = Graph::record(|| {
        let [count, port, held] = std::array::from_fn(|_| Expression::variable());
        let rx = std::array::from_fn(|_| Expression::variable());
        let [go, next] = sequencer(count);
        let (tx, taken) = node(port, held, rx);
        (
            NodeCircuit {
                drives: Vec::new(),
                parts: part("held", held, taken),
                address: Vec::new(),
                links: D,
                rx: rx.to_vec(),
                tx: tx.to_vec(),
                strobes: strobe(port),
                host_writes: Vec::new(),
                host_reads: Vec::new(),
            },
            SequencerCircuit {
                parts: part("count", count, next),
                strobes: strobe(go),
                done: count,
            },
        )
    });
    Netlist {
        graph,
        node: netlist.0,
        sequencer: netlist.1,
    }
}

/// Node, sequencer, total; and the path, with the gates up to each place.
fn depth(netlist: &Netlist) -> ([usize; 3], Vec<String>) {
    let depth = LogicDepth::of_netlist(netlist).unwrap();
    let step = |step: &Step| format!("{} {} {}", step.gates, step.module.name(), step.name);
    (
        [depth.node, depth.sequencer, depth.total],
        depth.path.iter().map(step).collect(),
    )
}

#[test]
fn a_path_goes_from_the_counter_across_a_wire_to_the_neighbours_register() {
    let netlist = machine(
        |count| [(!count).named("not counted as a gate"), !count],
        |go, held, [rx]| {
            let sent = (go & held).named("sent");
            ([sent], (go ^ held ^ rx).named("sum"))
        },
    );
    let path = [
        "0 sequencer count",
        "0 sequencer not counted as a gate",
        "0 node go",
        "1 node sent",
        "1 node tx[0]",
        "1 node rx[0]",
        "2 node sum",
        "2 node held",
    ];
    assert_eq!(depth(&netlist), ([2, 0, 2], path.map(str::to_owned).into()));
}

#[test]
fn what_is_deep_in_the_sequencer_adds_to_what_is_deep_in_the_node() {
    let netlist = machine(
        |count| {
            let [a, b] = std::array::from_fn(|_| Expression::variable());
            [((count | a) ^ b) & !a, a.mux(b, count)]
        },
        |go, held, rx: [_; 2]| ([held, go & held], go.mux(rx[0], held) | rx[1]),
    );
    // Three, an AND, a wire, an OR; alone an AND or a mux, and the OR.
    assert_eq!(depth(&netlist).0, [2, 3, 5]);
}

#[test]
fn a_sequencer_may_be_deeper_than_all_that_hangs_on_it() {
    let netlist = machine(
        |count| [count, (count & Expression::variable()) ^ count],
        |go, _, [_]| ([go], go),
    );
    let ([node, sequencer, total], path) = depth(&netlist);
    assert_eq!([node, sequencer, total], [0, 2, 2]);
    assert_eq!(path.last().unwrap(), "2 sequencer count");
}

#[test]
fn several_wires_in_one_bit_time_add_up_and_a_loop_is_an_error() {
    let relay = machine(
        |count| [count, count],
        |go, held, [a, b]| ([go & held, a ^ held], b | held),
    );
    let ([node, ..], path) = depth(&relay);
    assert_eq!(node, 3);
    let wires = path.iter().filter(|step| step.contains("x["));
    assert_eq!(wires.count(), 4, "two wires, an end each: {path:?}");

    // Without a gate between, and via another dimension.
    let echo = machine(|count| [count, count], |_, _, [a]| ([!a], a));
    assert_eq!(LogicDepth::of_netlist(&echo), Err(Error::CombinationalLoop));
    let round = machine(|count| [count, count], |go, _, [a, b]| ([b & go, a], go));
    assert_eq!(
        LogicDepth::of_netlist(&round),
        Err(Error::CombinationalLoop)
    );
}

fn of<R: Machine>(router: &R) -> [usize; 3] {
    depth(&Netlist::of(router)).0
}

/// Counted by hand in `tests/golden/packing.v`. The node: from `packing_dim_0_out` an XOR, AND,
/// mux and AND to `tx[1]`; an OR, AND and two muxes to `message_bits`. In the sequencer, n1,
/// t_is_4 and the mux of the counter. Together: `packer_decide[1]` after three, a mux and an AND
/// to `tx[1]`, an OR, AND and two muxes to `message_bits`.
#[test]
fn packing_on_four_nodes_is_as_deep_as_its_verilog_reads() {
    let router = PackingRouter::new(Dimensions::new(2).unwrap(), 1).unwrap();
    assert_eq!(of(&router), [8, 3, 9]);
}

/// The node: the stage drives, and there is a member (AND), wire, AND,
/// half sum (XOR), carry (AND, OR), clock enable. The sequencer: `drive` is not t = 2 (AND),
/// and t is not 0 (AND).
#[test]
fn enumeration_on_two_nodes_is_as_deep_as_counted_by_hand() {
    let router = EnumerationRouter::new(Dimensions::new(1).unwrap());
    assert_eq!(of(&router), [6, 2, 8]);
}
