//! What the meters notice.

use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::register::Registers;
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::{Message, Traffic};

use super::*;
use crate::scoreboard;

/// What is found of 3 messages with 2 payload bits in 8 nodes, where so many were meant to be loaded: by ticks, and by a
/// program.
fn found(messages: u64) -> [Option<String>; 2] {
    let cube = Dimensions::new(3).unwrap();
    let router = PlainRouter::new(cube, 2).unwrap();
    let sent = [(0, 5), (3, 0), (6, 6)].map(|(source, destination)| Message {
        source,
        destination,
    });
    let traffic = Traffic::new(cube, 2, sent.to_vec(), 1).unwrap();
    let fabric = || {
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        scoreboard::load(&mut fabric, 0, &traffic);
        fabric
    };
    let ticked = run(&mut fabric(), Run::of(messages), |_| Ok::<(), ()>(())).unwrap();
    let advanced = advance(&mut fabric(), Run::of(messages)).unwrap();
    [ticked.not_conserved, advanced.not_conserved]
}

#[test]
fn bits_that_are_missing_are_noticed_and_bits_that_are_doubled_too() {
    assert_eq!(found(3), [None, None]);
    let said = |expected| {
        let text = format!("after bit time 0 15 message bits are live in place of {expected}");
        [Some(text.clone()), Some(text)]
    };
    assert_eq!(found(4), said(20));
    assert_eq!(found(2), said(10));
}

/// Not only as loaded: a message that comes to be in the middle of a run.
#[test]
fn a_message_that_is_doubled_on_its_way_is_noticed_in_that_bit_time() {
    let cube = Dimensions::new(3).unwrap();
    let router = PlainRouter::new(cube, 2).unwrap();
    let traffic = Traffic::new(
        cube,
        2,
        vec![Message {
            source: 1,
            destination: 1,
        }],
        1,
    )
    .unwrap();
    let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
    scoreboard::load(&mut fabric, 0, &traffic);
    for _ in 0..20 {
        fabric.tick().unwrap();
    }
    // Node 2 takes over all that node 1 has.
    let (node, place) = fabric.node_mut(1);
    let mut bits = Vec::new();
    Registers::<u64>::visit_mut(node, &mut |register| bits.push(*register >> place & 1));
    let (node, place) = fabric.node_mut(2);
    let mut bits = bits.into_iter();
    Registers::<u64>::visit_mut(node, &mut |register| {
        *register |= bits.next().unwrap() << place;
    });
    let after = Some(fabric.position());
    let mut occupancy = Occupancy::new(&fabric, 1);
    let mut measurement = Measurement::before(&fabric);
    occupancy.measure(&fabric, after, &mut measurement);
    let said = measurement.not_conserved.unwrap();
    assert!(said.starts_with("after bit time 20 "), "{said}");
}
