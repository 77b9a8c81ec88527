//! What goes in one message, of routers whose streams are known, and of others.

use std::sync::Arc;

use super::*;
use crate::machine::program::Program;
use crate::machine::router::Router;
use crate::machine::share::Share;
use crate::machine::topology::Topology;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::collectives::CollectiveMachine;
use crate::routers::collectives::algorithms::{Ask, Operation, algorithm};
use crate::routers::kuszmaul::folded::Folded;
use crate::routers::kuszmaul::plain::Plain;
use crate::routers::kuszmaul::spread::Spread;
use crate::routers::permutation::PermutationRouter;
use crate::routers::sorting::bitonic;

fn program<R: Router>(router: &R, ranks: usize) -> Program<R> {
    let share = Share::new(ranks - 1, ranks).unwrap();
    let groups = share.groups(router.topology().groups::<u64>(1)).len();
    Program::of_share::<u64>(router, (groups, share), true)
}

fn plain(dims: usize, payload_bits: usize) -> PermutationRouter<Plain> {
    PermutationRouter::new(Dimensions::new(dims).unwrap(), payload_bits).unwrap()
}

/// Bit times of each stream.
fn lengths(code: &Code) -> Vec<usize> {
    let streams = code.streams.iter();
    streams.map(|stream| stream.bit_times.len()).collect()
}

/// Of two ranks, all that the first iteration sends is known from the beginning: k+D bit times.
#[test]
fn a_payload_goes_in_as_few_messages_as_its_length_allows() {
    for (dims, payload_bits, expected) in [
        (10, 8, vec![18]),
        (10, 54, vec![64]),
        (10, 64, vec![64, 10]),
        (16, 64, vec![16; 5]),
        (18, 8, vec![4, 4, 4, 4, 4, 4, 2]),
        // Planes of 32 KiB, and of 64 KiB: one of these is a long message.
        (19, 8, vec![2; 13]),
        (20, 8, vec![]),
    ] {
        let router = plain(dims, payload_bits);
        let program = program(&router, 2);
        let code = program.code();
        assert_eq!(lengths(code), expected, "{dims}, {payload_bits}");
        let all = code.idle_then_busy(code.roads().to_ranks(), 0..code.length(), 1);
        assert_eq!(all.1 - all.0, dims + payload_bits);
        let alone = all.1 - all.0 - expected.iter().sum::<usize>();
        let (exchanges, operations) = code.exchanges(all.0..all.1);
        assert_eq!(exchanges as usize, expected.len() + alone);
        assert_eq!(operations == 0, expected.is_empty());
    }
}

fn check(code: &Code) {
    let length = code.length();
    let mut last = 0;
    for stream in &code.streams {
        let Range { start, end } = stream.bit_times;
        assert!(last <= start && start + 1 < end && end <= length);
        last = end;
        let driven = (start..end).flat_map(|bit_time| {
            let links = code.sending(bit_time);
            let links = links.filter_map(|operation| match operation.to.place() {
                OperandKind::Wire(link) if code.roads().rank_bit(link).is_some() => Some(link),
                _ => None,
            });
            links.map(move |link| (bit_time, link))
        });
        assert!(driven.eq(stream.planes.iter().copied()));
        for bit_time in start..end {
            for link in 0..code.links() {
                let is_sent = stream.planes.contains(&(bit_time, link));
                let is_to_rank = code.roads().rank_bit(link).is_some();
                assert_eq!(is_sent, is_to_rank && code.drives(bit_time, link));
            }
        }
        let bytes = stream.planes.len() * code.layout().words * 8;
        assert!(bytes <= LONG_MESSAGE);
        assert!(stream.operations.len() <= MOST_OPERATIONS * stream.planes.len());
        let mut sent = Vec::new();
        for operation in code.operations(&stream.operations) {
            match operation.to.place() {
                OperandKind::Wire(number) => sent.push(number),
                OperandKind::Scratch(plane) => {
                    assert!((code.scratch..code.scratch_of_streams).contains(&plane));
                }
                other => panic!("a stream writes {other:?}"),
            }
            let wires = operation.operands.iter().filter(|operand| {
                matches!(
                    operand.place(),
                    OperandKind::Wire(_) | OperandKind::Gathered(_)
                )
            });
            assert_eq!(wires.count(), 0);
        }
        assert!(sent.into_iter().eq(0..stream.planes.len()));
        assert!(code.stream(start, end).is_some() && code.stream(start, end - 1).is_none());
    }
    for bit_time in 0..=length + 1 {
        let is_under_way = |at: usize| {
            let mut streams = code.streams.iter();
            streams.any(|stream| stream.bit_times.start < at && at < stream.bit_times.end)
        };
        let next = (bit_time..).find(|at| !is_under_way(*at));
        assert_eq!(Some(code.between_streams(bit_time)), next);
    }
}

#[test]
fn streams_are_what_is_driven_and_come_of_registers_alone() {
    for (dims, payload_bits) in [(9, 1), (9, 20), (12, 64)] {
        let cube = Dimensions::new(dims).unwrap();
        for ranks in [2, 4, 8] {
            let router = plain(dims, payload_bits);
            check(program(&router, ranks).code());
            let router = PermutationRouter::<Spread>::new(cube, payload_bits).unwrap();
            check(program(&router, ranks).code());
            let router = PermutationRouter::<Folded>::new(cube, payload_bits).unwrap();
            check(program(&router, ranks).code());
            let router = PermutationRouter::<bitonic::Sort>::new(cube, payload_bits).unwrap();
            check(program(&router, ranks).code());
        }
    }
}

/// Messages of four ranks and more, of which some depend on what was received just before.
#[test]
fn what_depends_on_what_is_received_is_sent_alone() {
    let exchanges = |router: &PermutationRouter<Plain>, ranks| {
        let program = program(router, ranks);
        let code = program.code();
        let (mut start, mut all) = (0, 0);
        while start < code.length() {
            let links = code.roads().to_ranks();
            let (idle_until, busy_until) = code.idle_then_busy(links, start..code.length(), 1);
            all += code.exchanges(idle_until..busy_until).0;
            start = busy_until;
        }
        let plane = code.layout().words as u64;
        (code.words_to_ranks(0..code.length()) / plane, all)
    };
    let router = plain(16, 64);
    assert_eq!(exchanges(&router, 2), (80, 5));
    assert_eq!(exchanges(&router, 4), (365, 91));
    assert_eq!(exchanges(&router, 8), (851, 497));
}

/// What a memory holds where blocks have changed places is not known before, so the stream of a message through it ends there.
#[test]
fn no_stream_goes_on_where_blocks_change_places() {
    for (dims, message_bits, ranks) in [(7, 1 << 10, 2), (8, 1 << 10, 4)] {
        let ask = Ask {
            permutation: Some((0..1 << dims).rev().collect()),
            ..Ask::of(Dimensions::new(dims).unwrap(), message_bits)
        };
        let of = algorithm(Operation::PermutedSend, "permuted-send").unwrap();
        let plan = of.plan(&ask).unwrap();
        let changes = plan.program.reorder.as_ref().unwrap().bit_time;
        let machine = CollectiveMachine::new(Arc::new(plan)).unwrap();
        let program = program(&machine, ranks);
        let code = program.code();
        check(code);
        let goes_on = |bit_times: &Range<usize>| {
            bit_times.contains(&changes) && bit_times.contains(&(changes + 1))
        };
        let mut streams = code.streams.iter();
        assert!(
            !streams.any(|stream| goes_on(&stream.bit_times)),
            "{dims}, {message_bits}"
        );
    }
}
