//! What ranks find together, against what one process finds.

use rtl_model::machine::arrivals::Arrivals;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::permutation::PermutationRouter;
use rtl_model::traffic::file::{read_part, read_traffic};
use rtl_model::traffic::pattern::Pattern;

use super::*;
use rtl_model::machine::share::threads::on_threads;

type Fault = Option<(usize, bool, Option<usize>)>;

#[test]
fn the_first_fault_of_all_ranks_is_that_of_the_lowest_node() {
    let (low, high): (Fault, Fault) = (Some((4, false, Some(0))), Some((7, true, None)));
    for (faults, first) in [
        ([low, high], low),
        ([high, low], low),
        ([None, high], high),
        ([high, None], high),
        ([None, None], None),
    ] {
        let all = on_threads(2, |rank| {
            let number = rank.share().rank();
            let found = Found {
                delivered: [5, 3][number],
                wrong: [2, 1][number],
                first_fault: faults[number],
            };
            joined(found, &rank)
        })
        .unwrap();
        for all in all {
            assert_eq!((all.delivered, all.wrong), (8, 3));
            assert_eq!(all.first_fault, first);
        }
    }
}

const PAYLOAD_BITS: usize = 11;

fn router(cube: Dimensions) -> PermutationRouter<Spread> {
    PermutationRouter::new(cube, PAYLOAD_BITS).unwrap()
}

fn registers(machine: &dyn Lockstep, node: usize) -> Vec<bool> {
    let mut bits = Vec::new();
    machine.append_registers(node, &mut bits);
    bits
}

/// A file of half of the messages' payloads.
fn file(cube: Dimensions, load: f64) -> String {
    let drawn = Traffic::drawn(cube, PAYLOAD_BITS, Pattern::Randperm, load, 5).unwrap();
    let rows = drawn.messages().iter().map(|message| {
        let (source, destination) = (message.source, message.destination);
        let payload = match source % 2 {
            0 => format!("{source:x}"),
            _ => String::new(),
        };
        format!("{source},{destination},{payload}\n")
    });
    "source,destination,payload\n".to_owned() + &rows.collect::<String>()
}

/// Every node begins with what it begins with in one process; and everything that a host sees of a node that is not as it should
/// be is what one process says.
#[test]
fn parts_are_loaded_and_scored_as_the_list_is() {
    let cube = Dimensions::new(9).unwrap();
    for load in [0.0, 0.6, 1.0] {
        let text = file(cube, load);
        let list = read_traffic("t.csv", text.as_bytes(), &cube, PAYLOAD_BITS, 2).unwrap();
        let mut alone = router(cube).build(1).unwrap();
        arrivals::load(&mut *alone, std::slice::from_ref(&list)).unwrap();
        let loaded: Vec<Vec<bool>> = (0..512).map(|node| registers(&*alone, node)).collect();
        alone.advance(u64::MAX, &How::default()).unwrap();
        let nodes = [0, 1, 77, 255, 511];
        let of_node = loaded[0].len();
        let mut expected = Vec::new();
        for (node, number) in flips(&nodes, of_node) {
            alone.flip_register(node, number);
            let arrived = Arrivals::read(&*alone, PAYLOAD_BITS).unwrap();
            expected.push(Score::new(&list, &arrived));
            alone.flip_register(node, number);
        }
        assert!(expected.iter().any(|score| score.first_fault.is_some()));
        for ranks in [2, 4, 8] {
            let scores = on_threads(ranks, |rank| {
                let share = rank.share();
                let part = read_part("t.csv", text.as_bytes(), (cube, share), PAYLOAD_BITS, 2);
                let sent = Sent::Part(Box::new(part.unwrap()));
                let mut machine = router(cube).build_share(rank.clone()).unwrap();
                sent.load(&mut *machine, &mut |_| Ok(())).unwrap();
                let own = |node: &usize| share.place(cube, *node).is_some();
                for node in (0..512).filter(own) {
                    assert_eq!(registers(&*machine, node), loaded[node]);
                }
                machine.advance(u64::MAX, &How::default()).unwrap();
                let mut scores = Vec::new();
                for (node, number) in flips(&nodes, of_node) {
                    let flip = |machine: &mut dyn Lockstep| {
                        if own(&node) {
                            machine.flip_register(node, number);
                        }
                    };
                    flip(&mut *machine);
                    scores.push(sent.score_here(&*machine, true).unwrap().unwrap());
                    flip(&mut *machine);
                }
                scores
            })
            .unwrap();
            for found in scores {
                assert_eq!(found, expected, "load {load}, {ranks} ranks");
            }
        }
    }
}

/// Each register of some nodes, one after the other.
fn flips(nodes: &[usize], of_node: usize) -> impl Iterator<Item = (usize, usize)> {
    let nodes = nodes.to_vec();
    nodes
        .into_iter()
        .flat_map(move |node| (0..of_node).map(move |number| (node, number)))
}

#[test]
fn what_is_said_of_a_part_is_said_of_all_messages() {
    let cube = Dimensions::new(9).unwrap();
    let text = file(cube, 0.6);
    let list = read_traffic("t.csv", text.as_bytes(), &cube, PAYLOAD_BITS, 2).unwrap();
    let list = Sent::Listed(list);
    for rank in 0..4 {
        let share = rtl_model::machine::share::Share::new(rank, 4).unwrap();
        let part = read_part("t.csv", text.as_bytes(), (cube, share), PAYLOAD_BITS, 2).unwrap();
        let part = Sent::Part(Box::new(part));
        assert_eq!(part.messages(), list.messages());
        assert_eq!(part.payload_bits(), PAYLOAD_BITS);
        assert_eq!(part.idle(), list.idle());
        assert_eq!((part.held(), list.held()), (Held::InParts, Held::Listed));
    }
}
