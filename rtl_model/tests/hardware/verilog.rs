//! The Verilog of a small router, whole, as a person would read it; of larger ones, whether one could. `CUBEWAVE_GOLDEN=overwrite` writes the
//! file anew.

use rtl_model::circuit::verilog::Design;
use rtl_model::embedding::phase::Order;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::folded::Folded;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::Plain;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

use crate::machines::{self, Visit, Writes};
use crate::prearranged::phase::common::{cycle, machine, wide};

#[test]
fn packing_on_four_nodes_reads_as_it_should() {
    let router = PackingRouter::new(Dimensions::new(2).unwrap(), 1).unwrap();
    let design = Design::of(&router, "Packing, k = 2, D = 1.");
    let texts: Vec<&str> = design.files().into_iter().map(|(_, text)| text).collect();
    let written = texts.join("\n");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/packing.v");
    if std::env::var_os("CUBEWAVE_GOLDEN").is_some() {
        std::fs::write(golden, &written).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    for (number, (written, expected)) in written.lines().zip(expected.lines()).enumerate() {
        assert_eq!(written, expected, "line {}", number + 1);
    }
    assert_eq!(written, expected);
}

/// Lines that are too long to read, and wires of a node that have no name, where there are to be none.
struct Readable {
    unnamed_may_be: bool,
}

impl Visit for Readable {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, _writes: &Writes<'_>) {
        let design = Design::of(machine, "A machine.");
        let files = design.files().into_iter();
        let lines = files.flat_map(|(_, text)| text.lines());
        let long: Vec<&str> = lines.filter(|line| line.len() > 105).collect();
        assert!(long.is_empty(), "{what}: {long:#?}");
        let of_node = design.node.lines();
        let unnamed = of_node.filter(|line| line.starts_with("  wire n"));
        assert!(self.unnamed_may_be || unnamed.count() == 0, "{what}");
    }
}

#[test]
fn no_line_is_too_long_to_read_and_every_wire_of_a_node_has_a_name() {
    fn on<S: Schedule>(readable: &mut Readable) {
        for k in [1, 2, 3, 4, 5, 7, 10, 16] {
            let cube = Dimensions::new(k).unwrap();
            let router = PermutationRouter::<S>::new(cube, 2 * k).unwrap();
            readable.machine(&router, &format!("k={k}"), &|_, _, _| false);
        }
    }
    let mut readable = Readable {
        unnamed_may_be: false,
    };
    on::<Plain>(&mut readable);
    on::<Overlapped>(&mut readable);
    on::<Folded>(&mut readable);
    on::<Spread>(&mut readable);
    on::<Radix4>(&mut readable);
    on::<bitonic::SortAndUnpack>(&mut readable);
    on::<bitonic::Sort>(&mut readable);
    on::<radix::SortAndUnpack>(&mut readable);
    on::<radix::Sort>(&mut readable);
}

#[test]
fn phases_can_be_read() {
    let mut readable = Readable {
        unnamed_may_be: false,
    };
    machines::phases(&mut readable);
    for embedding in [wide(8), cycle(10, 9)] {
        let machine = machine(&embedding, Order::Greedy, 9, 2);
        readable.machine(&machine, "a large phase", &|_, _, _| false);
    }
}

#[test]
fn collectives_can_be_read() {
    machines::collectives(&mut Readable {
        unnamed_may_be: true,
    });
}

#[test]
fn the_host_of_a_phase_loads_codes_and_packets_and_reads_packets() {
    let machine = machine(&cycle(3, 2), Order::HopByHop, 4, 1);
    let design = Design::of(&machine, "A cycle.");
    assert_eq!(design.from_host, []);
    let writes: Vec<(&str, usize)> = (design.host_writes.iter())
        .map(|(name, bits)| (name.as_str(), *bits))
        .collect();
    let expected = [("load_sends", 12), ("load_receives", 12), ("load_cells", 8)];
    assert_eq!(writes, expected);
    assert!(design.node.contains("unload_cells"), "{}", design.node);
}
