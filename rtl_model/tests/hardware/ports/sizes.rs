//! How much a node is, and how much it holds: as closed forms, and as it is listed and counted.

use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::{Machine, Router};

use crate::machines::{Visit, Writes, broadcast, let_hosts_drive, loaded};
use crate::ports::common::{each, machine, taken};

#[test]
fn storage_is_what_the_closed_form_says() {
    for kind in each() {
        for n in 1..=8 {
            for packets in taken(kind.0, n, &[1, 2, n - 1, n, n + 1, 3 * n, 100]) {
                for size in [(1, 0), (2, 3), (7, 1), (64, 0), (65, 2)] {
                    let device = machine(kind, n, 1, packets, size);
                    let (form, broadcast) = (device.storage_bits(), device.broadcast());
                    let listed = Storage::of(&device.node::<bool>()).total;
                    assert_eq!(listed as u64, form.value, "{broadcast:?}");
                }
            }
        }
    }
}

/// As much as some node holds in some bit time.
struct Holds(u64);

impl Visit for Holds {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, writes: &Writes<'_>) {
        let mut fabric = loaded::<R, u64>(machine, 1, writes);
        let_hosts_drive(&mut fabric);
        let mut most = 0;
        while !fabric.is_done() {
            let position = fabric.position();
            fabric.tick().unwrap();
            most = most.max(fabric.measure_occupancy(Some(position)).most_bits);
        }
        assert_eq!(u64::from(most), self.0, "{what}");
    }
}

#[test]
fn a_node_holds_as_much_for_others_as_the_closed_form_says() {
    for kind in each() {
        for n in 1..=4 {
            for packets in taken(kind.0, n, &[1, n, 2 * n + 1]) {
                let size = [(1, 0), (3, 2), (2, 1), (4, 0)][(n + packets) % 4];
                let device = machine(kind, n, packets * 7 % (1 << n), packets, size);
                let form = device.broadcast().forwarding_buffer().unwrap();
                broadcast(&mut Holds(form.value), &device);
            }
        }
    }
}
