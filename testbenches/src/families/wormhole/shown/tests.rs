use bitvec::vec::BitVec;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::parameters::Parameters;

use super::*;

fn machine() -> WormholeMachine {
    let network = Network::CubeConnectedCycles(CubeConnectedCycles::new(4).unwrap());
    let parameters = Parameters {
        virtual_channels: 2,
        buffer_bits: 1,
        wire_bits: 1,
        weak_switch: false,
    };
    WormholeMachine::new(network, parameters).unwrap()
}

/// From node 0_1 to nodes 1_13 and 1_1: the one's name begins with the other's.
fn messages() -> Vec<Message> {
    [16 + 13, 16 + 1]
        .map(|destination| Message {
            source: 1,
            destination,
            created: 0,
            bits: BitVec::repeat(true, 16),
        })
        .to_vec()
}

#[test]
fn a_message_is_called_by_its_whole_name_or_by_its_number() {
    let (machine, messages) = (machine(), messages());
    let number = |text: &str| named(&machine, &messages, text).ok();
    assert_eq!(number("0_1->1_13"), Some(0));
    assert_eq!(number("0_1->1_1"), Some(1));
    assert_eq!((number("0"), number("1")), (Some(0), Some(1)));
    for none in ["0_1->1", "0_1", "2", "-1", ""] {
        assert_eq!(number(none), None, "{none}");
    }
}

fn wish(nodes: Option<&[usize]>) -> Wish<'_> {
    Wish {
        nodes,
        message: None,
        window: 0..1000,
        quiet: true,
    }
}

/// The number of the worm that is shown of these, by their nodes and latencies.
fn chosen(worms: &[(&[usize], u64)], nodes: Option<&[usize]>) -> Option<usize> {
    let candidates = worms.iter().enumerate();
    let candidates = candidates.map(|(worm, (nodes, latency))| Candidate {
        worm,
        message: worm,
        nodes: nodes.to_vec(),
        latency: *latency,
    });
    choose(candidates.collect(), &wish(nodes))?.worm
}

#[test]
fn of_the_longest_ways_one_of_median_latency_is_shown() {
    let (long, short): (&[usize], &[usize]) = (&[0, 1, 2], &[0, 1]);
    let worms = [(long, 50), (short, 30), (long, 90), (long, 70), (short, 10)];
    assert_eq!(chosen(&worms, None), Some(3));
    // Of those that took as long the first one.
    let worms = [(short, 5), (long, 50), (long, 50), (long, 50)];
    assert_eq!(chosen(&worms, None), Some(1));
}

/// Whoever names nodes wants a worm there, however short its way.
#[test]
fn most_of_the_named_nodes_come_before_the_longest_way() {
    let worms: [(&[usize], u64); 3] = [(&[0, 1, 2, 3], 9), (&[4, 5], 9), (&[3, 5, 6], 9)];
    assert_eq!(chosen(&worms, Some(&[4, 5])), Some(1));
    assert_eq!(chosen(&worms, Some(&[3])), Some(0));
    assert_eq!(chosen(&worms, Some(&[7])), None);
}
