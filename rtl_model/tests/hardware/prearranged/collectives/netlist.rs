//! The netlist of every algorithm's machine is its description.

use crate::prearranged::beside::runs_beside_its_netlist;
use crate::prearranged::collectives::common::{Loading, machines};

#[test]
fn its_netlist_is_the_description() {
    for (dims, bits, start_up) in [(1, 2, 0), (2, 3, 1), (3, 3, 0)] {
        for (what, operation, device) in machines(dims, bits, start_up) {
            let mut host = Loading::new(operation, &device, true);
            runs_beside_its_netlist(&device, &mut host, &what);
        }
    }
}
