//! The nodes that a waveform shows.

use super::*;
use crate::families::embeddings::dispersal::cuts::Stuck;
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::testbench::DISPERSAL;
use crate::families::embeddings::work::Work;
use crate::testbench::bench::asked;

fn dispersed() -> Dispersed {
    Dispersed::new(&asked(&DISPERSAL, "--dims 4 --message-bits 16")).unwrap()
}

fn cut(hop: &rtl_model::embedding::phase::Hop, from_bit_time: u64) -> Cut {
    Cut {
        node: hop.from as usize,
        dimension: usize::from(hop.dimension),
        from_bit_time,
        stuck: Stuck::Cut,
    }
}

#[test]
fn without_a_share_that_is_lost_they_are_those_of_any_message() {
    let job = &dispersed().job;
    let of_any_message = on_longest_way(job, any_edge(job).unwrap());
    assert_eq!(interesting(job, &[]), of_any_message);
    let late = cut(&job.phase.hops()[0], 3 * job.machine.packet_bits() as u64);
    assert_eq!(interesting(job, &[late]), of_any_message);
}

/// Both ends of the wire and of the message, of the first packet that goes over it in time.
#[test]
fn they_are_where_the_first_share_is_lost() {
    let job = &dispersed().job;
    let step = job.machine.packet_bits() as u64;
    for hop in job.phase.hops() {
        // The others over this wire are before it, or behind.
        let cut = cut(hop, u64::from(hop.step) * step + step - 1);
        let nodes = interesting(job, &[cut]);
        let edge = job
            .embedding
            .edge(job.carried().edge_of(hop.packet as usize));
        let [source, destination] = edge.map(|vertex| job.embedding.place(vertex));
        let receiver = neighbour(cut.node, cut.dimension);
        let mut expected = vec![source, cut.node, receiver, destination];
        expected.dedup();
        assert_eq!(nodes[0], source);
        assert_eq!(nodes.last(), expected.last());
        assert!([cut.node, receiver].iter().all(|node| nodes.contains(node)));
        // A way of three hops is shown as a whole.
        assert!((expected.len()..=4).contains(&nodes.len()));
    }
}

#[test]
fn of_several_wires_the_one_that_fails_a_share_first_is_shown() {
    let job = &dispersed().job;
    let in_step = |step| job.phase.hops().iter().find(move |hop| hop.step == step);
    let [first, last] = [0, 2].map(|step| in_step(step).unwrap());
    // The wire of the last step is of no use before.
    let step = job.machine.packet_bits() as u64;
    let [early, late] = [cut(first, 0), cut(last, 2 * step)];
    for cuts in [[early, late], [late, early]] {
        let nodes = interesting(job, &cuts);
        assert!(nodes.contains(&early.node), "{nodes:?}");
        assert_eq!(nodes, interesting(job, &[early]));
    }
}
