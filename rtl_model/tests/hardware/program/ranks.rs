//! A machine that several ranks share: in every bit time they hold what one machine would hold, at any number of ranks.

use std::collections::HashSet;

use rand::Rng;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Blocking, Fabric, How};
use rtl_model::machine::program::Program;
use rtl_model::machine::router::{Machine, Router};
use rtl_model::machine::share::Share;
use rtl_model::machine::share::threads::on_threads;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::MAX_DIMENSIONS;
use rtl_model::routers::kuszmaul::{radix4::Radix4, spread::Spread};

use crate::program::common::{
    Enumeration, Family, Permutation, advance, generator, load, registers, restart_with,
};
use crate::program::networks::{Bundled, Joined, Quarrelling};
use crate::program::on_each_router;

fn ways_to_run() -> [How<'static>; 3] {
    let deep = Blocking {
        cache: 0,
        shortest_pause: 1,
        bytes_per_thread: 1,
    };
    [(1, Blocking::default()), (1, deep), (3, deep)].map(|(threads, blocking)| How {
        threads,
        blocking,
        ..How::default()
    })
}

on_each_router!(
    shares,
    #[ignore = "long: more ranks, and machines of 8192 nodes"]
    larger_shares,
    driven
);

fn router<F: Family>(k: usize) -> F::Router {
    F::router(k, *F::PAYLOAD_BITS.last().unwrap())
}

/// Whether there are shares of this network; where there are none it is for a reason.
fn has_shares<F: Family>() -> bool {
    let of = router::<F>;
    if let Err(error) = Share::new(0, 2).unwrap().check(&of(9).topology()) {
        let error = error.to_string();
        assert!(error.contains(" cannot be shared among ranks: "), "{error}");
        let topology = of(9).topology();
        let crosses_in_parts = |link| match topology.crossings(link, 6) {
            None => true,
            Some(crossings) => crossings.len() > 1 || crossings[0].mask != 0,
        };
        assert!(!topology.nodes().is_power_of_two() || (0..topology.links()).any(crosses_in_parts));
        return false;
    }
    true
}

fn shares<F: Family>() {
    if has_shares::<F>() {
        as_one_machine::<F, u64>(&router::<F>(7), 2, 1);
        as_one_machine::<F, Words<8>>(&router::<F>(11), 4, 101);
    }
}

fn larger_shares<F: Family>() {
    if has_shares::<F>() {
        for (k, ranks) in [(9, 2), (9, 4), (9, 8), (10, 8)] {
            as_one_machine::<F, u64>(&router::<F>(k), ranks, 1);
        }
        for (k, ranks, every) in [(11, 4, 11), (12, 4, 37), (13, 2, 101)] {
            as_one_machine::<F, Words<8>>(&router::<F>(k), ranks, every);
        }
    }
}

/// Looks at all registers in every bit time, or in one of `every`, of which the first is drawn.
fn as_one_machine<F: Family, B: Lanes>(router: &F::Router, ranks: usize, every: u64) {
    let mut random = generator(ranks as u64);
    let mut whole = Fabric::<_, B>::new(router.clone(), 1).unwrap();
    load(&mut whole, &mut random);
    let loaded = registers(&mut whole);
    let mut states = Vec::new();
    let program = whole.program(false);
    let end = program.length() as u64;
    let mut live_bits = vec![whole.occupancy(None).live_bits];
    let is_looked_at = |bit_time: u64| bit_time.is_multiple_of(every) || bit_time == end;
    loop {
        if is_looked_at(whole.bit_time()) {
            states.push((whole.bit_time(), registers(&mut whole)));
        }
        if whole.is_done() {
            break;
        }
        let position = whole.position();
        whole.tick().unwrap();
        live_bits.push(whole.occupancy(Some(position)).live_bits);
    }
    restart_with(&mut whole, &loaded);
    let readings = whole.program(true).readings();
    let how = How {
        readings: Some(&readings),
        ..How::default()
    };
    advance(&mut whole, u64::MAX, &how);
    let measured = readings.words();
    assert_eq!(measured[0], live_bits);
    let topology = router.topology();
    let first = Share::new(0, ranks).unwrap();
    let leaves = |link: &usize| first.rank_of(&topology, topology.sender(0, *link)) != 0;
    let links = (0..topology.links()).filter(leaves);
    let driven = links.map(|link| {
        let bit_times = 0..end as usize;
        bit_times
            .filter(|bit_time| program.drives(*bit_time, link))
            .count() as u64
    });
    let exchanges = driven.sum::<u64>();
    let words = exchanges * (topology.nodes() / ranks / 64) as u64;
    on_threads(ranks, |rank| {
        let share = rank.share();
        let part = |words: &[u64]| {
            let length = words.len() / ranks;
            words[share.rank() * length..][..length].to_vec()
        };
        let mut fabric = Fabric::<_, B>::of_rank(router.clone(), rank.clone()).unwrap();
        for how in ways_to_run() {
            restart_with(&mut fabric, &part(&loaded));
            let before = (rank.words_sent(), rank.exchanges());
            for (bit_time, state) in &states {
                advance(&mut fabric, *bit_time, &how);
                let note = format!("{ranks} ranks, {} nodes, {bit_time}", topology.nodes());
                assert!(
                    registers(&mut fabric) == part(state),
                    "{note}, {}",
                    share.rank()
                );
            }
            assert!(fabric.is_done());
            assert_eq!(rank.words_sent() - before.0, words);
            // In a bit time of its own there is room for no stream.
            match every {
                1 => assert_eq!(rank.exchanges() - before.1, exchanges),
                _ => assert!(rank.exchanges() - before.1 <= exchanges),
            }
        }
        // From beginning to end; with pauses in which ranks owe each other nothing; and bit time by bit time.
        let foreseen = Fabric::<_, B>::foreseen(router, share, 1).unwrap();
        assert_eq!(foreseen.words_to_ranks, words);
        let timetable = fabric.timetable(false).unwrap();
        for how in ways_to_run() {
            for stretch in [end, 3, 20] {
                restart_with(&mut fabric, &part(&loaded));
                let before = (rank.words_sent(), rank.exchanges());
                let mut pauses = 0;
                while !fabric.is_done() {
                    let pause = timetable.pause(fabric.bit_time() + stretch);
                    advance(&mut fabric, pause.min(end), &how);
                    pauses += 1;
                }
                assert!(pauses == 1 || stretch < end);
                assert!(registers(&mut fabric) == part(&states[states.len() - 1].1));
                assert_eq!(rank.words_sent() - before.0, words);
                assert_eq!(rank.exchanges() - before.1, foreseen.exchanges);
            }
        }
        restart_with(&mut fabric, &part(&loaded));
        for (bit_time, state) in &states {
            while fabric.bit_time() < *bit_time {
                fabric.tick().unwrap();
            }
            assert!(registers(&mut fabric) == part(state));
        }
        // Measured as one machine is.
        restart_with(&mut fabric, &part(&loaded));
        let readings = fabric.timetable(true).unwrap().readings();
        let how = How {
            readings: Some(&readings),
            ..How::default()
        };
        advance(&mut fabric, u64::MAX, &how);
        readings.join(&rank);
        assert_eq!(
            readings.words(),
            measured,
            "{ranks} ranks, {} nodes",
            topology.nodes()
        );
    })
    .unwrap();
}

/// Two units of some node drive a wire: gives the bit time in which they do.
fn quarrel(k: usize, ranks: usize, seed: u64) -> Option<u64> {
    let router = Joined::<Quarrelling<Bundled>>::router(k, 1);
    let mut whole = Fabric::<_, u64>::new(router, 1).unwrap();
    let mut random = generator(seed);
    load(&mut whole, &mut random);
    // The fewer nodes have heard something, the later two units meet.
    let mut loaded = registers(&mut whole);
    for word in &mut loaded {
        (0..2 * seed).for_each(|_| *word &= random.random::<u64>());
    }
    restart_with(&mut whole, &loaded);
    let mut conflict = None;
    while !whole.is_done() && conflict.is_none() {
        conflict = whole.tick().err();
    }
    let (at, state) = (whole.bit_time(), registers(&mut whole));
    let outcomes = on_threads(ranks, |rank| {
        let part = |words: &[u64]| {
            let length = words.len() / ranks;
            words[rank.share().rank() * length..][..length].to_vec()
        };
        let mut fabric = Fabric::<_, u64>::of_rank(router, rank.clone()).unwrap();
        let outcomes = ways_to_run().map(|how| {
            restart_with(&mut fabric, &part(&loaded));
            let outcome = fabric.advance(u64::MAX, &how).err();
            assert_eq!(fabric.bit_time(), at);
            assert!(registers(&mut fabric) == part(&state));
            outcome
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
        outcomes[0].clone()
    })
    .unwrap();
    let elsewhere = conflict
        .as_ref()
        .map(|_| Error::ConflictElsewhere { bit_time: at });
    let alike = |outcome: &Option<Error>| match (outcome, &conflict) {
        (Some(Error::WireConflict { bit_time, .. }), Some(_)) => *bit_time == at,
        _ => *outcome == elsewhere,
    };
    assert!(outcomes.iter().all(alike), "{outcomes:?}");
    assert!(outcomes.contains(&conflict));
    conflict.map(|_| at)
}

#[test]
fn ranks_stop_in_the_bit_time_in_which_two_units_drive_a_wire_of_any_of_them() {
    let mut times = HashSet::new();
    for seed in 0..8 {
        for (k, ranks) in [(7, 2), (8, 4), (9, 8)] {
            times.extend(quarrel(k, ranks, seed));
        }
    }
    assert!(times.len() > 1, "always in bit times {times:?}");
}

/// Of a larger machine, in some bit times.
#[test]
fn ranks_share_16384_nodes() {
    let router = Permutation::<Spread>::router(14, 5);
    as_one_machine::<Permutation<Spread>, Words<8>>(&router, 8, 97);
    let router = Permutation::<Radix4>::router(14, 5);
    as_one_machine::<Permutation<Radix4>, Words<8>>(&router, 4, 97);
}

/// What such nodes send has their address in it, whose bits are other planes in each tile.
#[test]
fn what_is_sent_ahead_may_be_another_plane_in_each_tile() {
    let router = Joined::<Bundled>::router(14, 1);
    as_one_machine::<Joined<Bundled>, Words<8>>(&router, 2, 7);
    as_one_machine::<Joined<Bundled>, u64>(&router, 4, 7);
}

#[test]
fn ranks_that_cannot_share_a_machine_are_refused() {
    for ranks in [3, 5, 6, 12] {
        let error = Share::new(0, ranks).unwrap_err().to_string();
        let begin = format!("{ranks} ranks cannot share a machine: take ");
        assert!(error.starts_with(&begin), "{error}");
    }
    assert_eq!(
        Share::new(0, 6).unwrap_err().to_string(),
        "6 ranks cannot share a machine: take 4 or 8, a power of two"
    );
    let router = Enumeration::router(8, 1);
    let check = |ranks| Share::new(0, ranks).unwrap().check(&router.topology());
    assert!(check(1).is_ok() && check(2).is_ok() && check(4).is_ok());
    assert_eq!(
        check(8).unwrap_err().to_string(),
        "8 ranks are too many for 256 nodes, for each takes 64 at the least: take 4 or fewer, or a larger machine"
    );
}

/// What ranks exchange is foretold.
fn driven<F: Family>() {
    for k in 1..=9 {
        for &payload_bits in F::PAYLOAD_BITS {
            if F::router(9, payload_bits).topology().kind() != "hypercube" {
                return;
            }
            let router = F::router(k, payload_bits);
            for (link, driven) in driven_bit_times(&router).into_iter().enumerate() {
                let form = router.driven_bit_times(link);
                assert!(
                    form.is_none_or(|form| form.value == driven),
                    "{k} dimensions, {payload_bits} payload bits, dimension {link}"
                );
            }
        }
    }
}

/// Of each link, as a program has it, for which no nodes are made.
fn driven_bit_times<R: Router>(router: &R) -> Vec<u64> {
    let topology = router.topology();
    let program = Program::of::<u64>(router, topology.nodes().div_ceil(64), false);
    assert_eq!(program.length() as u64, router.bit_times().value);
    let driven = |link| {
        let bit_times = 0..program.length();
        bit_times
            .filter(|&bit_time| program.drives(bit_time, link))
            .count() as u64
    };
    (0..topology.links()).map(driven).collect()
}

/// Its closed form has cases of its own for the last dimensions, by the parity of `k`; so it is held against all hypercubes
/// there can be.
#[test]
fn radix4_drives_wires_as_foretold() {
    radix4_drives_as_foretold(1..=16);
}

#[test]
#[ignore = "long: programs of the largest hypercubes"]
fn radix4_drives_wires_as_foretold_in_hypercubes_of_all_sizes() {
    radix4_drives_as_foretold(17..=MAX_DIMENSIONS);
}

fn radix4_drives_as_foretold(sizes: std::ops::RangeInclusive<usize>) {
    for k in sizes {
        // Programs of large hypercubes take long: there, one payload of each kind that an odd number of dimensions tells apart.
        let payloads: &[usize] = if k <= 16 { &[1, 2, 3, 5, 40] } else { &[1, 5] };
        for &payload_bits in payloads {
            let router = Permutation::<Radix4>::router(k, payload_bits);
            let forms = (0..k).map(|dimension| router.driven_bit_times(dimension).unwrap().value);
            assert_eq!(
                driven_bit_times(&router),
                forms.collect::<Vec<_>>(),
                "{k} dimensions, {payload_bits} payload bits"
            );
        }
    }
}
