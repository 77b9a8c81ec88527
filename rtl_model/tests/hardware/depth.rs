//! Logic depth against a cube that is really joined: every node has gates of its own, and its wires are its
//! neighbours'. And the path that is named, in the Verilog.

use std::collections::HashMap;
use std::fmt::Write;

use rtl_model::circuit::depth::{LogicDepth, Module};
use rtl_model::circuit::expression::{Expression, Gate};
use rtl_model::circuit::netlist::{Bundle, Netlist, Part};
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::hypercube::{Dimensions, neighbour};
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::folded::Folded;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::Plain;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

use crate::machines::{self, Visit, Writes};

/// A cube of a netlist's nodes.
struct Cube<'a> {
    netlist: &'a Netlist,
    /// What the strobes' ports are connected with; nothing, if they come out of flip-flops.
    strobes: HashMap<Expression, Expression>,
    known: HashMap<(usize, Expression), usize>,
}

fn lines(bundles: &[Bundle]) -> Vec<Expression> {
    bundles.iter().flat_map(|one| one.lines.clone()).collect()
}

fn next(parts: &[Part]) -> Vec<Expression> {
    let registers = parts.iter().flat_map(|part| &part.registers);
    registers.flat_map(|one| one.next.clone()).collect()
}

impl Cube<'_> {
    /// Gates on the longest path to an expression of a node.
    fn longest(&mut self, node: usize, expression: Expression) -> usize {
        if let Some(known) = self.known.get(&(node, expression)) {
            return *known;
        }
        let circuit = &self.netlist.node;
        let longest = match self.netlist.graph.gate(expression) {
            Gate::Constant(_) => 0,
            Gate::Variable(_) => {
                if let Some(d) = circuit.rx.iter().position(|rx| *rx == expression) {
                    self.longest(neighbour(node, d), circuit.tx[d])
                } else if let Some(strobe) = self.strobes.get(&expression) {
                    self.longest(node, *strobe)
                } else {
                    0
                }
            }
            Gate::Not(a) => self.longest(node, a),
            Gate::And(a, b) | Gate::Or(a, b) | Gate::Xor(a, b) => {
                1 + self.longest(node, a).max(self.longest(node, b))
            }
            Gate::Mux(a, b, c) => {
                let inputs = [a, b, c].map(|input| self.longest(node, input));
                1 + inputs.into_iter().max().unwrap()
            }
        };
        self.known.insert((node, expression), longest);
        longest
    }

    fn longest_to(&mut self, nodes: usize, ends: &[Expression]) -> usize {
        let ends = (0..nodes).flat_map(|node| ends.iter().map(move |end| (node, *end)));
        ends.map(|(node, end)| self.longest(node, end))
            .max()
            .unwrap_or(0)
    }
}

fn compare<R: Router<Topology = Dimensions>>(router: &R) {
    let netlist = Netlist::of(router);
    let depth = LogicDepth::of_netlist(&netlist).unwrap();
    let nodes = router.dimensions().nodes();
    let (ports, driven) = (
        lines(&netlist.node.strobes),
        lines(&netlist.sequencer.strobes),
    );
    let cube = |strobes| Cube {
        netlist: &netlist,
        strobes,
        known: HashMap::new(),
    };
    let [in_nodes, in_sequencer] =
        [&netlist.node.parts, &netlist.sequencer.parts].map(|parts| next(parts));
    let mut alone = cube(HashMap::new());
    assert_eq!(depth.node, alone.longest_to(nodes, &in_nodes));
    let ends = [in_sequencer.clone(), driven.clone()].concat();
    assert_eq!(depth.sequencer, alone.longest_to(1, &ends));
    let mut whole = cube(ports.into_iter().zip(driven).collect());
    let all = whole.longest_to(nodes, &in_nodes);
    assert_eq!(depth.total, all.max(whole.longest_to(1, &in_sequencer)));

    // The path begins and ends at registers, and grows from nothing to all of the depth.
    let path = &depth.path;
    assert_eq!(path[0].gates, 0);
    assert_eq!(path[path.len() - 1].gates, depth.total);
    assert!(path.is_sorted_by_key(|step| step.gates));
    let design = Design::of(router, "A router.");
    let names = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect()
    };
    let (node, sequencer) = (
        names(&design.node),
        names(design.sequencer.as_deref().unwrap()),
    );
    for step in path {
        let base = step.name.split('[').next().unwrap().to_owned();
        let module = match step.module {
            Module::Node => &node,
            Module::Sequencer => &sequencer,
        };
        assert!(module.contains(&base), "{base} in {}", step.module.name());
    }
}

fn on_schedule<S: Schedule>() {
    for k in 1..=4 {
        for payload_bits in [1, 4] {
            let cube = Dimensions::new(k).unwrap();
            compare(&PermutationRouter::<S>::new(cube, payload_bits).unwrap());
        }
    }
}

#[test]
fn algorithm_2_is_as_deep_as_a_cube_of_it() {
    on_schedule::<Plain>();
    on_schedule::<Overlapped>();
    on_schedule::<Folded>();
    on_schedule::<Spread>();
    on_schedule::<Radix4>();
    // From five dimensions on there are groups, of one dimension or of two.
    for (k, payload_bits) in [(5, 2), (6, 3), (7, 1)] {
        let cube = Dimensions::new(k).unwrap();
        compare(&PermutationRouter::<Radix4>::new(cube, payload_bits).unwrap());
    }
}

#[test]
fn the_sorts_are_as_deep_as_a_cube_of_them() {
    on_schedule::<bitonic::SortAndUnpack>();
    on_schedule::<bitonic::Sort>();
    on_schedule::<radix::SortAndUnpack>();
    on_schedule::<radix::Sort>();
}

#[test]
fn packing_and_enumeration_are_as_deep_as_a_cube_of_them() {
    for k in 1..=5 {
        let cube = Dimensions::new(k).unwrap();
        compare(&PackingRouter::new(cube, 3).unwrap());
        compare(&EnumerationRouter::new(cube));
    }
}

/// Node, sequencer and total of machines of a family, a line each.
#[derive(Default)]
struct Depths(String);

impl Visit for Depths {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, _writes: &Writes<'_>) {
        let depth = LogicDepth::of(machine).unwrap();
        assert_eq!(depth.path.last().unwrap().gates, depth.total, "{what}");
        assert!(depth.total >= depth.node.max(depth.sequencer), "{what}");
        assert!(depth.total <= depth.node + depth.sequencer, "{what}");
        let LogicDepth {
            node,
            sequencer,
            total,
            ..
        } = depth;
        _ = writeln!(self.0, "{what}: {node} {sequencer} {total}");
    }
}

/// Depths are those of the descriptions as they are. Whoever finds one changed should look at what became longer;
/// `CUBEWAVE_GOLDEN=overwrite` writes the file anew.
fn are_as_deep_as_they_were(file: &str, of: impl FnOnce(&mut Depths)) {
    let mut depths = Depths::default();
    of(&mut depths);
    let golden = format!("{}/tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("CUBEWAVE_GOLDEN").is_some() {
        std::fs::write(&golden, &depths.0).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    for (found, expected) in depths.0.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(depths.0.lines().count(), expected.lines().count());
}

#[test]
fn ports_are_as_deep_as_they_were() {
    are_as_deep_as_they_were("depths_of_ports.txt", machines::ports);
}

#[test]
fn machines_on_the_reduced_hypercube_are_as_deep_as_they_were() {
    let file = "depths_on_the_reduced_hypercube.txt";
    are_as_deep_as_they_were(file, machines::reduced_hypercube);
}

#[test]
fn collectives_are_as_deep_as_they_were() {
    are_as_deep_as_they_were("depths_of_collectives.txt", machines::collectives);
}

#[test]
fn phases_are_as_deep_as_they_were() {
    are_as_deep_as_they_were("depths_of_phases.txt", machines::phases);
}
