use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::language::lanes::{Lanes, Words};
use crate::machine::device::Device;
use crate::machine::fabric::Fabric;
use crate::machine::meter::Storage;
use crate::machine::simulation::{Lockstep, Simulation};
use crate::routers::kuszmaul::counting::passes::interval;
use crate::routers::kuszmaul::spread::SpreadRouter;

mod hosts;
mod lemma;
mod loads;

use hosts::{expected, load, received};

/// By node and slot, a destination.
type Relation = Vec<Vec<Option<usize>>>;

fn router((k, d, h): (usize, usize, usize)) -> CountingRouter {
    CountingRouter::new(Dimensions::new(k).unwrap(), d, h).unwrap()
}

/// Messages of a machine that are not sent in this iteration before pass `pass + 1`, at its beginning.
fn unsent<B: Lanes>(fabric: &Fabric<CountingRouter, B>, iteration: u32, pass: usize) -> u64 {
    let valid = |node: &CountingNode<B>, place: usize| {
        let list = match iteration % 2 {
            0 => &node.even_list,
            _ => &node.odd_list,
        };
        let slots = pass + 1..fabric.router().h();
        slots.filter(|&slot| list.valid(slot).get(place)).count() as u64
    };
    (0..fabric.nodes())
        .map(|number| {
            let (node, place) = fabric.node(number);
            valid(node, place)
        })
        .sum()
}

/// Routes relations in machines side by side, having checked in every bit time that no message bit is lost
/// or doubled.
fn route<B: Lanes>(sizes: (usize, usize, usize), relations: &[Relation]) {
    let (k, d, h) = sizes;
    let mut fabric = Fabric::<_, B>::new(router(sizes), relations.len()).unwrap();
    load(&mut fabric, (k, d), relations);
    let messages = relations.iter().flatten().flatten().flatten().count() as u64;
    assert_eq!(
        Lockstep::occupancy(&mut fabric, None).live_bits,
        messages * (k + d) as u64
    );
    while !fabric.is_done() {
        let position = fabric.position();
        let at = Moment::of(fabric.router().size, h, position);
        // Slots are emptied as an iteration ends.
        let unsent = unsent(&fabric, position.iteration, at.pass);
        fabric.tick().unwrap();
        let length = (k - 1 - position.iteration as usize + d) as u64;
        let occupancy = Lockstep::occupancy(&mut fabric, Some(position));
        assert_eq!(
            occupancy.live_bits,
            messages * length + unsent,
            "{sizes:?} {position:?}"
        );
        let left = Router::live_bits_per_message(fabric.router(), Some(position));
        assert!(left.is_none_or(|left| u64::from(left) == length && unsent == 0));
    }
    assert_eq!(fabric.bit_time(), Router::bit_times(fabric.router()).value);
    assert_eq!(
        received(&fabric, (d, h)),
        expected(relations, d),
        "{sizes:?}"
    );
}

/// The relation `number` of a mixed radix count: each slot of each node empty or one of the destinations;
/// nothing, where a node would receive more than `h`.
fn counted(nodes: usize, h: usize, mut number: usize) -> Option<Relation> {
    let mut loads = vec![0; nodes];
    let mut slot = || {
        let digit = number % (nodes + 1);
        number /= nodes + 1;
        let destination = digit.checked_sub(1);
        if let Some(destination) = destination {
            loads[destination] += 1;
        }
        destination
    };
    let relation = (0..nodes)
        .map(|_| (0..h).map(|_| slot()).collect())
        .collect();
    loads.iter().all(|&load| load <= h).then_some(relation)
}

fn in_batches<B: Lanes>(sizes: (usize, usize, usize), relations: impl Iterator<Item = Relation>) {
    let all: Vec<Relation> = relations.collect();
    all.chunks(4096)
        .for_each(|relations| route::<B>(sizes, relations));
}

#[test]
fn every_relation_of_two_nodes_arrives() {
    for (h, amount) in [(1, 7), (2, 63), (3, 583)] {
        let all = 3usize.pow(2 * h as u32);
        let relations = || (0..all).filter_map(|number| counted(2, h, number));
        assert_eq!(relations().count(), amount);
        for d in [1, 3] {
            in_batches::<Words<8>>((1, d, h), relations());
            in_batches::<bool>((1, d, h), relations());
        }
    }
}

/// All of them that have their messages in the lowest slots, destinations ascending.
#[test]
fn every_2_relation_of_four_nodes_arrives() {
    let lists: Vec<Vec<Option<usize>>> = (0..25)
        .map(|number| {
            vec![
                (number / 5usize).checked_sub(1),
                (number % 5usize).checked_sub(1),
            ]
        })
        .filter(|slots| match slots[..] {
            [None, other] => other.is_none(),
            [Some(one), Some(other)] => one <= other,
            _ => true,
        })
        .collect();
    assert_eq!(lists.len(), 1 + 4 + 10);
    let all = lists.len().pow(4);
    let relations = (0..all).filter_map(|number| {
        let relation: Relation = (0..4)
            .map(|node| lists[number / lists.len().pow(node) % lists.len()].clone())
            .collect();
        let load = |node: usize| {
            relation
                .iter()
                .flatten()
                .flatten()
                .filter(|to| **to == node)
                .count()
        };
        (0..4).all(|node| load(node) <= 2).then_some(relation)
    });
    in_batches::<Words<8>>((2, 2, 2), relations);
}

/// Of all 2-relations of four nodes, with empty slots anywhere, every 23rd.
#[test]
fn one_2_relation_of_four_nodes_in_23_arrives() {
    let relations = (0..5usize.pow(8)).step_by(23);
    let relations = relations.filter_map(|number| counted(4, 2, number));
    in_batches::<Words<8>>((2, 1, 2), relations);
}

#[test]
fn larger_cubes_route_whatever_fits() {
    for k in 3..=6usize {
        for h in 1..=4 {
            for (number, d) in [1, 2, k, 2 * k + 1, 40].into_iter().enumerate() {
                let mut random = ChaCha8Rng::seed_from_u64((k * 100 + h * 10 + number) as u64);
                let relations = loads::relations(k, h, &mut random);
                route::<Words<8>>((k, d, h), &relations);
            }
        }
    }
}

#[test]
fn as_many_messages_as_there_can_be_arrive() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (k, h) in [(1, 16), (2, 16), (3, 16), (4, 9), (7, 2), (8, 5)] {
        let relations = loads::relations(k, h, &mut random);
        route::<Words<8>>((k, 5, h), &relations[..relations.len().min(6)]);
    }
}

#[test]
fn bit_times_are_their_closed_form_and_for_one_message_those_of_spread() {
    for k in 1..=9usize {
        let cube = Dimensions::new(k).unwrap();
        for d in [1, 2, 3, k, 2 * k + 1, 50] {
            for h in [1, 2, 3, 16] {
                let router = router((k, d, h));
                let mut machine = Device::build(&router, 1).unwrap();
                let mut intervals = 0;
                for m in 0..k {
                    intervals += h * interval(router.size, m) + usize::from(m > 0);
                }
                while !machine.is_done() {
                    machine.tick().unwrap();
                }
                let form = Router::bit_times(&router).value;
                assert_eq!((machine.bit_time(), form), (form, intervals as u64));
                if h == 1 {
                    let spread = SpreadRouter::new(cube, d).unwrap();
                    assert_eq!(form, Router::bit_times(&spread).value);
                }
            }
        }
    }
}

#[test]
fn storage_is_its_closed_form() {
    for k in 1..=24usize {
        for d in [1, 8, 24, 100] {
            for h in [1, 2, 5, 16] {
                let router = router((k, d, h));
                let storage = Storage::of::<bool>(&router.node::<bool>());
                let what = format!("{k} {d} {h}");
                assert_eq!(
                    storage.total as u64,
                    Router::storage_bits(&router).value,
                    "{what}"
                );
                assert_eq!(
                    storage.serial_adders as u64,
                    router.serial_adders().value,
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn messages_are_1_to_16() {
    let cube = Dimensions::new(3).unwrap();
    for h in [0, 17] {
        let error = CountingRouter::new(cube, 4, h).unwrap_err().to_string();
        let begin = format!("{h} messages a node are out of range: choose 1 to 16 (");
        assert!(error.starts_with(&begin), "{error}");
    }
    assert!(matches!(
        CountingRouter::new(cube, 0, 1),
        Err(Error::PayloadBits { .. })
    ));
    let router = CountingRouter::new(cube, 4, 16).unwrap();
    assert_eq!((router.h(), router.payload_bits()), (16, 4));
}

/// A random order of the slots, so that empty ones stand anywhere.
fn shuffled(mut relation: Relation, random: &mut impl Rng) -> Relation {
    relation.iter_mut().for_each(|slots| slots.shuffle(random));
    relation
}
