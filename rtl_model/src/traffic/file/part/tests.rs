//! What ranks keep of a file, against what one process reads.

use std::fmt::Write;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::machine::share::LOG2_FEWEST_NODES;
use crate::traffic::file::{precedence, read_traffic};
use crate::traffic::pattern::Pattern;
use crate::traffic::{ByNode, Traffic};

const SEED: u64 = 11;

fn shares(ranks: usize) -> impl Iterator<Item = Share> {
    (0..ranks).map(move |rank| Share::new(rank, ranks).unwrap())
}

fn read(
    text: &str,
    cube: Dimensions,
    payload_bits: usize,
    ranks: usize,
) -> Vec<Result<Part, Error>> {
    let read = |share| read_part("t.csv", text.as_bytes(), (cube, share), payload_bits, SEED);
    shares(ranks).map(read).collect()
}

fn whole(text: &str, cube: Dimensions, payload_bits: usize) -> Result<Traffic, Error> {
    read_traffic("t.csv", text.as_bytes(), &cube, payload_bits, SEED)
}

/// Which payloads a file gives.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gives {
    /// It has no column for them.
    NoColumn,
    None,
    Some,
    All,
    /// All the same.
    Alike,
}

fn file(cube: Dimensions, load: f64, payload_bits: usize, gives: Gives) -> String {
    let drawn = Traffic::drawn(cube, payload_bits, Pattern::Randperm, load, 5).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut messages = drawn.messages().to_vec();
    messages.shuffle(&mut random);
    let mut text = match gives {
        Gives::NoColumn => "destination,source\n".to_owned(),
        _ => "destination,payload,source\n".to_owned(),
    };
    for message in messages {
        let payload = random.random_range(0..1u64 << payload_bits.min(60));
        let payload = match gives {
            Gives::NoColumn => String::new(),
            Gives::None => ",".to_owned(),
            Gives::Some if random.random() => ",".to_owned(),
            Gives::Some | Gives::All => format!(",{payload:x}"),
            Gives::Alike => ",1".to_owned(),
        };
        let (source, destination) = (message.source, message.destination);
        writeln!(text, "{destination}{payload},{source}").unwrap();
    }
    text
}

/// Every message is where it begins and where it ends, with its payload, and nowhere else.
#[test]
fn what_ranks_keep_is_together_what_is_in_the_file() {
    let all = [
        Gives::NoColumn,
        Gives::None,
        Gives::Some,
        Gives::All,
        Gives::Alike,
    ];
    for (k, load) in [(1, 0.5), (3, 1.0), (4, 0.0), (7, 0.6), (9, 0.8), (10, 1.0)] {
        let cube = Dimensions::new(k).unwrap();
        for payload_bits in [1, 3, 12, 64, 70, 133] {
            for gives in all {
                let text = file(cube, load, payload_bits, gives);
                let list = whole(&text, cube, payload_bits).unwrap();
                for ranks in [1, 2, 4, 8].into_iter().filter(|ranks| *ranks <= 1 << k) {
                    let what = format!("{k}, {load}, {payload_bits}, {gives:?}, {ranks} ranks");
                    let parts = read(&text, cube, payload_bits, ranks);
                    let parts: Vec<Part> = parts.into_iter().map(Result::unwrap).collect();
                    are_together(&parts, &list, &what);
                }
            }
        }
    }
}

fn are_together(parts: &[Part], list: &Traffic, what: &str) {
    let by_destination = list.by_destination();
    let nodes = list.nodes().count();
    for (rank, part) in parts.iter().enumerate() {
        assert_eq!(part.messages(), list.messages().len(), "{what}");
        let idle = (0..nodes).find(|&node| list.index_from(node).is_none());
        assert_eq!(part.idle(), idle, "{what}");
        for node in 0..nodes {
            let cube = part.dimensions();
            let place = part.share.place(cube, node);
            let is_own = place.is_some();
            let owners = parts
                .iter()
                .filter(|part| part.share.place(cube, node).is_some());
            assert_eq!(owners.count(), 1, "{what}");
            assert!(place.is_none_or(|place| part.share.node_at(cube, place) == node));
            if parts.len() << LOG2_FEWEST_NODES <= nodes {
                assert_eq!(part.share.rank_of(&cube, node) == rank, is_own, "{what}");
            }
            let begins = list.index_from(node).filter(|_| is_own);
            assert_eq!(part.sends(node), begins.is_some(), "{what}, {node}");
            if let Some(index) = begins {
                assert_eq!(part.destination(node), list.destination(index), "{what}");
                is_like(list, index, what, |from| part.payload_chunk(node, from));
            }
            let ends = by_destination.at(node).first().filter(|_| is_own);
            let source = ends.and_then(|&index| list.sources().at(index as usize));
            assert_eq!(part.source(node), source, "{what}, {node}");
            if let (Some(source), Some(&index)) = (source, ends) {
                let chunk = |from| part.arriving_chunk((source, node), from);
                is_like(list, index as usize, what, chunk);
            }
        }
    }
    let all_distinct = parts.iter().all(Part::payloads_are_distinct);
    assert_eq!(all_distinct, list.payloads_are_distinct(), "{what}");
}

fn is_like(list: &Traffic, index: usize, what: &str, chunk: impl Fn(usize) -> u64) {
    for from in (0..list.payload_bits()).step_by(64) {
        assert_eq!(chunk(from), list.payloads().chunk(index, from), "{what}");
    }
}

/// Only whoever has the node refuses its second message. The others take no notice of it, however often it comes.
#[test]
fn a_second_message_of_a_node_is_not_kept_elsewhere() {
    let cube = Dimensions::new(7).unwrap();
    let text = "source,destination,payload\n0,2,5\n0,2,5\n";
    let parts: Vec<_> = read(text, cube, 9, 4);
    assert_eq!(parts.iter().filter(|part| part.is_err()).count(), 1);
    for part in parts.iter().flatten() {
        assert!(part.payloads_are_distinct());
    }
}

/// One payload of many is that of another, whether it is given or drawn.
#[test]
fn two_payloads_that_are_alike_are_found_whoever_has_them() {
    let cube = Dimensions::new(8).unwrap();
    for payload_bits in [8, 30, 70] {
        let drawn = |rows: &str, index: usize| {
            let text = format!("source,destination\n{rows}\n77,3\n");
            let list = whole(&text, cube, payload_bits).unwrap();
            list.payloads().chunk(index, 0)
        };
        let (drawn, second) = (drawn("9,200", 0), drawn("2,100\n9,200", 1));
        for (rows, are_distinct) in [
            (format!("9,200,\n77,3,{drawn:x}\n"), payload_bits == 70),
            (format!("9,200,\n77,3,{:x}\n", drawn ^ 1), true),
            ("9,200,5\n77,3,5\n".to_owned(), false),
            ("9,200,5\n77,3,6\n".to_owned(), true),
            ("9,200,\n77,3,\n".to_owned(), true),
            // Behind one that is given it is drawn as if that one were not.
            (
                format!("2,100,1\n9,200,\n77,3,{second:x}\n"),
                payload_bits == 70,
            ),
        ] {
            let text = format!("source,destination,payload\n{rows}");
            let list = whole(&text, cube, payload_bits).unwrap();
            assert_eq!(list.payloads_are_distinct(), are_distinct, "{text}");
            for ranks in [1, 2, 4, 8] {
                let parts = read(&text, cube, payload_bits, ranks);
                let distinct =
                    |part: &Result<Part, Error>| part.as_ref().unwrap().payloads_are_distinct();
                assert_eq!(parts.iter().all(distinct), are_distinct, "{text}, {ranks}");
            }
        }
    }
}

/// What ranks report together.
fn refusal(text: &str, cube: Dimensions, ranks: usize) -> Option<Error> {
    let errors = read(text, cube, 6, ranks)
        .into_iter()
        .filter_map(Result::err);
    errors.min_by_key(|error| precedence(error).unwrap())
}

#[test]
fn every_mistake_is_the_one_that_one_process_names() {
    let cube = Dimensions::new(3).unwrap();
    for text in [
        "",
        "source\n1\n",
        "source,destination,colour\n1,2,3\n",
        "source,destination\n1,2\n3\n",
        "source,destination\n\n",
        "source,destination\nx,2\n",
        "source,destination\n1, 8\n",
        "source,destination\n1,2\n1,3\n",
        "source,destination\n1,2\n4,2\n",
        "source,destination\n0,2\n\n4,2\n",
        "source,destination,payload\n1,2,7f\n",
        "source,destination,payload\n1,2,zz\n",
        // Both ends twice, and the payload too wide: in the order in which one process looks.
        "destination,source\n2,1\n3,4\n3,1\n",
        "source,destination,payload\n1,2,\n4,2,7f\n",
        "source,destination,payload\n1,2,\n1,3,7f\n",
        // One line each, seen by different ranks.
        "source,destination\n0,1\n2,3\n2,5\n4,3\n",
        "source,destination\n0,1\n2,3\n4,3\n2,5\n",
        "source,destination\n0,1\n5,1\n0,x\n",
    ] {
        let expected = whole_refusal(text, cube);
        assert!(expected.is_some(), "{text:?}");
        for ranks in [1, 2, 4, 8] {
            assert_eq!(
                refusal(text, cube, ranks),
                expected,
                "{text:?}, {ranks} ranks"
            );
        }
    }
}

fn whole_refusal(text: &str, cube: Dimensions) -> Option<Error> {
    whole(text, cube, 6).err()
}

/// Rows by chance, some of which are refused.
#[test]
fn so_it_is_with_any_rows() {
    let cube = Dimensions::new(4).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..2000 {
        let mut text = "source,destination,payload\n".to_owned();
        for _ in 0..random.random_range(1..8) {
            let mut node = || (random.random_range(0..260) / 16).to_string();
            let (source, destination) = (node(), node());
            let payload = match random.random_range(0..30) {
                0 => "7f",
                1 => "2z",
                2..10 => "1f",
                _ => "",
            };
            writeln!(text, "{source},{destination},{payload}").unwrap();
        }
        let expected = whole_refusal(&text, cube);
        for ranks in [1, 2, 4, 8, 16] {
            assert_eq!(
                refusal(&text, cube, ranks),
                expected,
                "{text}, {ranks} ranks"
            );
        }
        match expected {
            Some(_) => refused += 1,
            None => accepted += 1,
        }
    }
    assert!(refused > 500 && accepted > 200, "{refused}, {accepted}");
}

/// Of another rank's nodes nothing is said, and of the file nobody keeps more than there are nodes.
#[test]
fn what_is_kept_is_what_was_estimated() {
    let cube = Dimensions::new(10).unwrap();
    let text = file(cube, 1.0, 24, Gives::All);
    for ranks in [1, 2, 4, 8] {
        for part in read(&text, cube, 24, ranks) {
            let part = part.unwrap();
            let kept = |ends: &Ends| (4 * ends.others.len() + ends.payloads.count() * 3) as u64;
            let kept = kept(&part.begins) + kept(&part.ends);
            assert_eq!(Part::bytes(cube, part.share, 24), kept);
            assert_eq!(kept, 14 * 1024 / ranks as u64);
        }
    }
    // Of a node of the share two ends, two lines, and a payload with its place in a row; of every node 20 bits in 8 bytes.
    let bytes = |ranks| reading_part_bytes(cube, Share::new(0, ranks).unwrap(), 24);
    let here = |ranks: u64| (14 + 8) * 1024 / ranks + 12 * (1024 / ranks) * 9 / 8;
    for ranks in [1, 2, 4, 8] {
        assert_eq!(bytes(ranks as usize), here(ranks) + 1024 / 64 * 20);
    }
}
