//! What is written down of a machine in mid-run, and put into another, ends as if nobody had: on as many ranks or on others.

use std::sync::Mutex;

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Fabric, How, MidRun};
use rtl_model::machine::program::Readings;
use rtl_model::machine::router::Router;

use crate::program::common::{
    Enumeration, Family, generator, load, registers, restart_with, state,
};
use crate::program::on_each_router;
use rtl_model::machine::share::threads::on_threads;

on_each_router!(taken_up);

fn taken_up<F: Family>() {
    let payload_bits = *F::PAYLOAD_BITS.last().unwrap();
    for k in [3, 7, 9] {
        on_one_rank::<F, u64>(&F::router(k, payload_bits));
    }
    on_one_rank::<F, Words<8>>(&F::router(10, payload_bits));
}

/// All that is kept, tile after tile.
fn kept<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> (MidRun, Vec<u64>) {
    let what = fabric.mid_run().unwrap();
    let mut words = Vec::new();
    for tile in 0..what.tiles {
        fabric.copy_tile(tile, &mut words);
        assert_eq!(words.len(), (tile + 1) * what.words_of_tile());
    }
    (what, words)
}

fn put<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, (what, words): &(MidRun, Vec<u64>)) {
    assert_eq!(fabric.begin_at(what.bit_time).as_ref(), Some(what));
    let tiles = words.chunks_exact(what.words_of_tile().max(1));
    tiles
        .enumerate()
        .for_each(|(tile, words)| fabric.replace_tile(tile, words));
}

fn on_one_rank<F: Family, B: Lanes>(router: &F::Router) {
    if !rtl_model::machine::program::Program::can_be_made(router) {
        let mut fabric = Fabric::<_, B>::new(router.clone(), 1).unwrap();
        assert_eq!(fabric.mid_run(), None);
        return;
    }
    let new = || Fabric::<_, B>::new(router.clone(), 1).unwrap();
    let mut random = generator(3);
    let (mut whole, mut other) = (new(), new());
    load(&mut whole, &mut random);
    let loaded = registers(&mut whole);
    load(&mut other, &mut random);
    let otherwise = registers(&mut other);
    let program = whole.program(true);
    let length = program.length() as u64;
    let to = |fabric: &mut Fabric<_, B>, bit_time, readings: &Readings| {
        let how = How {
            readings: Some(readings),
            ..How::default()
        };
        fabric.advance(bit_time, &how).unwrap();
    };
    let expected = program.readings();
    to(&mut whole, u64::MAX, &expected);
    let end = state(&mut whole);
    let stops = [0, 1, length / 3, length / 2, length - 1, length];
    for bit_time in stops {
        let before = program.readings();
        restart_with(&mut whole, &loaded);
        to(&mut whole, bit_time, &before);
        let here = state(&mut whole);
        let kept = kept(&mut whole);
        restart_with(&mut other, &otherwise);
        put(&mut other, &kept);
        assert_eq!(state(&mut other), here, "{bit_time}");
        // Once more, as no registers of nodes are there that `state` has asked for.
        restart_with(&mut other, &otherwise);
        put(&mut other, &kept);
        let readings = program.readings();
        // What is loaded is read by whoever begins.
        if bit_time > 0 {
            readings.include(&before.words());
        }
        to(&mut other, u64::MAX, &readings);
        assert_eq!(state(&mut other), end, "{bit_time}");
        let read = |readings: &Readings| {
            let live = (0..=length as usize).map(|bit_time| readings.live_bits(bit_time));
            let steps = (0..F::Router::STEPS.len() as u32).map(Some);
            let most = [None]
                .into_iter()
                .chain(steps)
                .map(|step| readings.most_bits(step));
            (
                live.collect::<Vec<_>>(),
                most.collect::<Vec<_>>(),
                readings.most_messages(),
            )
        };
        assert_eq!(read(&readings), read(&expected), "{bit_time}");
    }
    restart_with(&mut whole, &loaded);
    assert_eq!(whole.begin_at(length + 1), None);
    assert_eq!(whole.bit_time(), 0);
}

/// Tiles of the shares are those of the machine.
#[test]
fn other_ranks_take_it_up() {
    let router = Enumeration::router(14, 1);
    let new = || Fabric::<_, Words<8>>::new(router, 1).unwrap();
    let mut whole = new();
    load(&mut whole, &mut generator(4));
    let loaded = registers(&mut whole);
    whole.advance(u64::MAX, &How::default()).unwrap();
    let end = registers(&mut whole);
    for bit_time in [2, 9] {
        for (before, after) in [(1, 2), (2, 4), (4, 1), (4, 2)] {
            let all: Mutex<Vec<(usize, MidRun, Vec<u64>)>> = Mutex::default();
            let part = |words: &[u64], rank: usize, ranks: usize| {
                let length = words.len() / ranks;
                words[rank * length..][..length].to_vec()
            };
            on_threads(before, |rank| {
                let number = rank.share().rank();
                let mut fabric = Fabric::<_, Words<8>>::of_rank(router, rank).unwrap();
                restart_with(&mut fabric, &part(&loaded, number, before));
                fabric.advance(bit_time, &How::default()).unwrap();
                let (what, words) = kept(&mut fabric);
                all.lock().unwrap().push((number, what, words));
            })
            .unwrap();
            let mut all = all.into_inner().unwrap();
            all.sort_by_key(|(rank, ..)| *rank);
            let what = all[0].1.clone();
            let words: Vec<u64> = all.into_iter().flat_map(|(_, _, words)| words).collect();
            on_threads(after, |rank| {
                let number = rank.share().rank();
                let mut fabric = Fabric::<_, Words<8>>::of_rank(router, rank).unwrap();
                let what = MidRun {
                    tiles: what.tiles * before / after,
                    ..what.clone()
                };
                put(&mut fabric, &(what, part(&words, number, after)));
                fabric.advance(u64::MAX, &How::default()).unwrap();
                assert!(
                    registers(&mut fabric) == part(&end, number, after),
                    "{bit_time}: {before} ranks, then {after}"
                );
            })
            .unwrap();
        }
    }
}
