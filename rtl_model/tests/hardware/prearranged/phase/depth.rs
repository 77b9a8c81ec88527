//! Logic depth: gates between registers, in a node, in the sequencer, and through both.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::embedding::phase::Order;

use crate::prearranged::phase::common::{embeddings, machine};

/// From a cell of one node to a cell of the next: `W` muxes that pick it, an AND with what drives the port, an AND with
/// what names the cell that it fills, the OR over the ports, the mux before the cell, and its clock enable. Where there is one
/// port, the mux is told by the very bit that the AND is.
#[test]
fn a_node_is_as_deep_as_the_way_from_cell_to_cell() {
    for (what, embedding) in embeddings() {
        for order in Order::EACH {
            for (bits, start_up) in [(1, 0), (4, 1), (5, 3)] {
                let device = machine(&embedding, order, bits, start_up);
                let plan = device.plan();
                let over_ports = plan.host().count().next_power_of_two().ilog2() as usize;
                let depth = LogicDepth::of(&device).unwrap();
                let one_port = usize::from(plan.host().count() == 1);
                let due = plan.code_bits() + over_ports + 4 - one_port;
                assert_eq!(depth.node, due, "{what}");
            }
        }
    }
}
