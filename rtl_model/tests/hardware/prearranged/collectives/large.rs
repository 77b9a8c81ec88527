//! Tables 5 and 6 of Ho & Johnsson by runs; cubes of more nodes than a group of lanes; structured permutations.

use std::sync::Arc;

use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{Ask, Operation, algorithm};
use rtl_model::routers::ports::algorithm::PortModel;

use crate::prearranged::collectives::common::{Loading, Reading, ask};

/// Runs an algorithm on 64 nodes at once and says how many bit times it took.
fn runs(operation: Operation, name: &str, ask: &Ask) -> u64 {
    let plan = algorithm(operation, name).unwrap().plan(ask).unwrap();
    let device = CollectiveMachine::new(Arc::new(plan)).unwrap();
    let mut fabric = device.build(1).unwrap();
    fabric
        .load(&mut Loading::new(operation, &device, false))
        .unwrap();
    fabric.advance(u64::MAX, &How::default()).unwrap();
    let mut reading = Reading::new(&device);
    fabric.unload(&mut reading).unwrap();
    let what = format!("{name}, d = {}, m = {}", ask.cube.count(), ask.message_bits);
    assert_eq!(
        reading.fault(operation, &device, ask.message_bits),
        None,
        "{what}"
    );
    assert_eq!(reading.violations, 0, "{what}");
    assert_eq!(fabric.bit_time(), device.plan().bit_times.value, "{what}");
    fabric.bit_time()
}

fn asked(
    operation: Operation,
    name: &str,
    dims: usize,
    bits: usize,
    start_up: usize,
    ports: PortModel,
) -> Ask {
    ask(
        algorithm(operation, name).unwrap(),
        dims,
        bits,
        start_up,
        ports,
    )
}

fn scattered(name: &str, dims: usize, start_up: usize, ports: PortModel) -> u64 {
    runs(
        Operation::Scatter,
        name,
        &asked(Operation::Scatter, name, dims, 1, start_up, ports),
    )
}

/// Messages of one bit in packets of one: the largest subtree is one bit a bit time.
#[test]
fn table_5_is_what_runs_take() {
    let largest = [2, 3, 5, 7, 13, 19, 35, 59, 107];
    for (dims, largest) in (2..).zip(largest) {
        assert_eq!(scattered("bst", dims, 0, PortModel::All), largest, "{dims}");
        assert_eq!(
            scattered("sbt", dims, 0, PortModel::All),
            1 << (dims - 1),
            "{dims}"
        );
        if dims <= 8 {
            for name in ["sbt", "bst", "tcbt"] {
                for ports in [PortModel::OneWay, PortModel::TwoWay] {
                    assert_eq!(
                        scattered(name, dims, 0, ports),
                        (1 << dims) - 1,
                        "{name}, {dims}"
                    );
                }
            }
        }
    }
}

/// What start-ups and what bits cost are told apart by two runs.
#[test]
fn table_6_is_what_runs_take() {
    for dims in 2..=8 {
        let (n, nodes) = (dims as u64, 1u64 << dims);
        let necklaces = [0, 0, 3, 4, 6, 8, 14, 20, 36][dims];
        let bst_bits = [0, 0, 3, 8, 18, 38, 76, 153, 300][dims];
        let due = [
            ("sbt-halving", PortModel::TwoWay, n, nodes - 1),
            ("sbt-levels", PortModel::All, n, nodes / 2),
            (
                "tcbt-subtrees",
                PortModel::TwoWay,
                2 * n - 2,
                2 * nodes - 2 * n - 1,
            ),
            ("tcbt-levels", PortModel::All, n, 3 * nodes / 4 - 1),
            ("tcbt-one-shot", PortModel::All, n, 3 * nodes / 2 - n - 1),
            ("bst-subtrees", PortModel::TwoWay, 2 * n - 2, bst_bits),
            ("bst-levels", PortModel::All, n, necklaces - 1),
        ];
        for (name, ports, start_ups, bits) in due {
            let [without, with] = [0, 1].map(|start_up| scattered(name, dims, start_up, ports));
            assert_eq!(
                (with - without, without),
                (start_ups, bits),
                "{name}, {dims}"
            );
        }
    }
}

#[test]
fn large_cubes_deliver() {
    for (operation, name, dims, bits) in [
        (Operation::Scatter, "distribute-1", 9, 10),
        (Operation::Scatter, "bst", 9, 3),
        (Operation::Gather, "collect", 8, 8),
        (Operation::AllGather, "complete-broadcast", 7, 9),
        (Operation::AllToAll, "complete-exchange", 7, 5),
        (Operation::Inversion, "inversion", 10, 25),
        (Operation::Inversion, "inversion", 13, 9),
        (Operation::PermutedSend, "permuted-send", 7, 200),
        (Operation::Transpose, "by-submatrices", 8, 24),
        (Operation::Histogram, "histogram", 7, 6),
        (Operation::Send, "oc-send-2", 10, 100),
        (Operation::Send, "oc-send-4", 9, 100),
        (Operation::Send, "arbitrary-send-2", 9, 100),
        (Operation::Send, "arbitrary-send-3", 9, 100),
        (Operation::Send, "xoc-send-2", 9, 90),
    ] {
        runs(
            operation,
            name,
            &asked(operation, name, dims, bits, 1, PortModel::All),
        );
    }
}

/// Where a node's message goes: bits permuted and some of them turned round, shifts, and nodes that keep their messages.
#[test]
fn structured_permutations_arrive() {
    let dims = 5;
    let nodes = 1usize << dims;
    let reversed = |node: usize| node.reverse_bits() >> (usize::BITS as usize - dims);
    let rotated = |node: usize| (node << 1 | node >> (dims - 1)) & (nodes - 1);
    let mut permutations: Vec<Vec<usize>> = Vec::new();
    for turned in [0, 0b1, 0b10110, nodes - 1] {
        permutations.push((0..nodes).map(|node| reversed(node) ^ turned).collect());
        permutations.push((0..nodes).map(|node| rotated(node) ^ turned).collect());
        permutations.push((0..nodes).map(|node| node ^ turned).collect());
        permutations.push((0..nodes).map(|node| (node + turned) % nodes).collect());
    }
    permutations.push(
        (0..nodes)
            .map(|node| if node < 2 { 1 - node } else { node })
            .collect(),
    );
    for permutation in permutations {
        let mut ask = asked(
            Operation::PermutedSend,
            "permuted-send",
            dims,
            70,
            1,
            PortModel::All,
        );
        ask.cube = Dimensions::new(dims).unwrap();
        ask.permutation = Some(permutation);
        runs(Operation::PermutedSend, "permuted-send", &ask);
    }
}
