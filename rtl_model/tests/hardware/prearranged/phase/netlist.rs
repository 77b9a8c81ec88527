//! The netlist of a phase's machine is its description.

use rtl_model::embedding::phase::Order;

use crate::prearranged::beside::runs_beside_its_netlist;
use crate::prearranged::phase::common::{Loading, drawn, embeddings, machine};

#[test]
fn its_netlist_is_the_description() {
    let sizes = [(1, 0), (3, 1), (2, 0), (5, 3)];
    for (number, (what, embedding)) in embeddings().iter().enumerate() {
        for (order, at) in Order::EACH.into_iter().zip([0, 1]) {
            let (bits, start_up) = sizes[(number + at) % sizes.len()];
            let device = machine(embedding, order, bits, start_up);
            let (_, contents) = drawn(&device, 5);
            runs_beside_its_netlist(&device, &mut Loading::new(device.plan(), &contents), what);
        }
    }
}
