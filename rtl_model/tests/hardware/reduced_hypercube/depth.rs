//! Logic depth: gates between registers, in a node, in the sequencer, and through both.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::router::Router;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::reduced_hypercube::common::{full, reduced};
use crate::reduced_hypercube::machines::{Visit, on_keys, on_messages, on_words};

/// The depths of machines, in the order in which they come: node, sequencer, total.
#[derive(Default)]
struct Depths(Vec<[usize; 3]>);

impl Visit for Depths {
    fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str) {
        let depth = LogicDepth::of(&machine).unwrap();
        assert_eq!(depth.path.last().unwrap().gates, depth.total, "{what}");
        assert!(depth.node > 0 && depth.sequencer > 0, "{what}");
        assert!(depth.total >= depth.node.max(depth.sequencer), "{what}");
        assert!(depth.total <= depth.node + depth.sequencer, "{what}");
        self.0.push([depth.node, depth.sequencer, depth.total]);
    }
}

fn depths(of: impl Fn(&mut Depths)) -> Vec<[usize; 3]> {
    let mut depths = Depths::default();
    of(&mut depths);
    depths.0
}

/// These numbers are those of the descriptions as they are. Whoever rewrites a table, a selection or a comparison may find them
/// changed, and should then look at what became longer, and write down what is right now.
#[test]
fn depths_are_those_of_the_descriptions() {
    let words = |network: BlockNetwork, operator: Operator| {
        depths(|visit| on_words(network, &[operator], 4, visit))
    };
    // Reductions, printed and short; prefix operations, printed, short and in place.
    let due = [
        [13, 6, 18],
        [13, 6, 18],
        [14, 8, 20],
        [12, 10, 17],
        [16, 5, 20],
    ];
    assert_eq!(words(reduced(1, 1), Operator::Add), due);
    let due = [
        [17, 8, 24],
        [17, 8, 24],
        [18, 12, 29],
        [16, 12, 23],
        [22, 7, 28],
    ];
    assert_eq!(words(reduced(2, 2), Operator::Min), due);
    let due = [[14, 4, 17], [10, 4, 12]];
    assert_eq!(words(full(3), Operator::Carry), due);
    // Sorts: over virtual addresses, and of pairs of building blocks.
    let keys = |network: BlockNetwork| depths(|visit| on_keys(network, (2, 4), visit));
    assert_eq!(keys(reduced(1, 1)), [[23, 14, 35], [23, 15, 36]]);
    assert_eq!(keys(reduced(2, 2)), [[25, 16, 40], [25, 20, 43]]);
    assert_eq!(keys(full(3)), [[19, 11, 27]]);
    // Broadcasts: double-rooted and then e-cube, each stored and then cut through.
    let messages = |network: BlockNetwork| depths(|visit| on_messages(network, 4, visit));
    let due = [[11, 6, 14], [13, 6, 16], [11, 6, 14], [13, 6, 16]];
    assert_eq!(messages(reduced(1, 1)), due);
    let due = [[16, 7, 16], [16, 6, 17], [16, 7, 16], [16, 6, 17]];
    assert_eq!(messages(reduced(2, 2)), due);
    assert_eq!(messages(full(3)), [[12, 5, 14], [14, 5, 16]]);
}
