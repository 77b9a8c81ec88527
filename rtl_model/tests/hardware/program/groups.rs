//! Lane groups that are written and read one by one, wherever their registers are.

use std::ops::Range;

use rand::Rng;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::router::{Router, memory_registers};

use crate::program::common::{Family, advance, assert_state, generator, load, registers, ticked};
use crate::program::on_each_router;

on_each_router!(
    groups_are_written_and_read_wherever_they_are,
    groups_after_one_that_fails_stay_as_they_begin,
);

/// Where the words of a memory begin among those of a group, and how many they are.
fn words_of_memory<R: Router, B: Lanes>(fabric: &Fabric<R, B>) -> Range<usize> {
    let router = fabric.router();
    let Range { start, end } = memory_registers::<_, B>(router, &mut router.node());
    start * B::WORDS..end * B::WORDS
}

/// Every register of every group, word by word, without asking for nodes. A memory that lies apart is put where it is in a node.
fn read<R: Router, B: Lanes>(fabric: &Fabric<R, B>) -> Vec<u64> {
    struct AllWords(Vec<u64>);
    impl<B: Lanes> Visitor<B> for AllWords {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
            for register in (0..width).map(bit) {
                self.0.extend((0..B::WORDS).map(|word| register.word(word)));
            }
        }
    }
    let mut words = AllWords(Vec::new());
    let mut next = 0;
    let of_memory = words_of_memory(fabric);
    let all = fabric.read_groups(&mut |group, lanes| {
        assert_eq!(group, next);
        next += 1;
        let begins = words.0.len();
        (lanes.registers()).visit(Name::Field("node"), &mut words);
        if let Some(memories) = lanes.memory() {
            let planes = (0..memories.bits()).flat_map(|address| memories.plane(address));
            let planes: Vec<u64> = planes.copied().collect();
            assert_eq!(planes.len(), of_memory.len());
            let at = begins + of_memory.start;
            words.0.splice(at..at, planes);
        }
        Ok(())
    });
    all.unwrap();
    assert_eq!(next, fabric.groups());
    words.0
}

/// Writes these words to the first groups, and then fails.
fn write_some<R: Router, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    words: &[u64],
    groups: usize,
) -> Result<(), Error> {
    let mut words = words.iter().copied();
    let of_memory = words_of_memory(fabric);
    fabric.load_groups(&mut |group, lanes| {
        if group == groups {
            return Err(Error::BrokenOff);
        }
        let is_apart = lanes.memory_mut().is_some();
        let (mut planes, mut number) = (Vec::new(), 0);
        let mut next = || {
            if is_apart && number == of_memory.start && planes.is_empty() {
                planes.extend(words.by_ref().take(of_memory.len()));
            }
            number += 1;
            words.next().unwrap()
        };
        lanes.registers_mut().visit_mut(&mut |register: &mut B| {
            (0..B::WORDS).for_each(|word| register.set_word(word, next()));
        });
        if let Some(memories) = lanes.memory_mut() {
            if planes.is_empty() {
                // No register comes behind it.
                planes.extend(words.by_ref().take(of_memory.len()));
            }
            for (address, words) in planes.chunks(B::WORDS).enumerate() {
                memories.plane_mut(address).copy_from_slice(words);
            }
        }
        Ok(())
    })
}

fn write<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, words: &[u64]) {
    write_some(fabric, words, usize::MAX).unwrap();
}

fn groups_are_written_and_read_wherever_they_are<F: Family>() {
    for &payload_bits in F::PAYLOAD_BITS {
        written_and_read::<F, u64>(4, payload_bits, 30);
        written_and_read::<F, u64>(8, payload_bits, 1);
        written_and_read::<F, Words<8>>(8, payload_bits, 3);
    }
}

fn written_and_read<F: Family, B: Lanes>(k: usize, payload_bits: usize, machines: usize) {
    let mut random = generator(k as u64);
    let new = || Fabric::<_, B>::new(F::router(k, payload_bits), machines).unwrap();
    let (mut by_node, mut by_group) = (new(), new());
    assert_eq!(read(&by_group), registers(&mut by_node));
    load(&mut by_node, &mut random);
    let loaded = registers(&mut by_node);
    assert_eq!(read(&by_node), loaded);
    for _ in 0..2 {
        // What is written a second time replaces what was.
        write(&mut by_group, &vec![0; loaded.len()]);
        assert_eq!(read(&by_group), vec![0; loaded.len()]);
        write(&mut by_group, &loaded);
        assert_eq!(read(&by_group), loaded);
        assert_eq!(registers(&mut by_group), loaded);
        by_group.restart();
    }
    write(&mut by_group, &loaded);
    let states = ticked(&mut by_node);
    let end = states.len() as u64 - 1;
    // On and on, and nobody looks but at one group after the other.
    while by_group.bit_time() < end {
        let to = (by_group.bit_time() + random.random_range(1..=end / 3 + 1)).min(end);
        advance(&mut by_group, to, &How::default());
        let seen = read(&by_group);
        assert_eq!(seen, read(&by_group));
        let mut looked_at = new();
        write(&mut looked_at, &loaded);
        advance(&mut looked_at, to, &How::default());
        assert_eq!(seen, registers(&mut looked_at));
        assert_state(&mut looked_at, &states, "looked at");
    }
    assert_state(&mut by_group, &states, "group by group");

    // Registers that a program knows better are written all the same.
    let (mut by_node, mut by_group) = (new(), new());
    write(&mut by_group, &loaded);
    write(&mut by_node, &loaded);
    let when = random.random_range(1..end);
    advance(&mut by_group, when, &How::default());
    advance(&mut by_node, when, &How::default());
    let other: Vec<u64> = registers(&mut by_node)
        .into_iter()
        .map(|word| match B::NODES {
            1 => word ^ u64::from(random.random_bool(0.1)),
            _ => word ^ random.random::<u64>() & random.random::<u64>() & random.random::<u64>(),
        })
        .collect();
    write(&mut by_group, &other);
    assert_eq!(read(&by_group), other);
    advance(&mut by_group, u64::MAX, &How::default());
    write(&mut by_node, &other);
    while !by_node.is_done() {
        by_node.tick().unwrap();
    }
    assert_eq!(read(&by_group), registers(&mut by_node));
}

fn groups_after_one_that_fails_stay_as_they_begin<F: Family>() {
    let new = || Fabric::<_, u64>::new(F::router(8, 2), 1).unwrap();
    let as_they_begin = registers(&mut new());
    let other: Vec<u64> = (1..=as_they_begin.len() as u64).collect();
    let groups = new().groups();
    for fails in 0..groups {
        let expected = {
            let of_those = other.len() / groups * fails;
            [&other[..of_those], &as_they_begin[of_those..]].concat()
        };
        for asks_for_nodes in [false, true] {
            let mut fabric = new();
            if asks_for_nodes {
                fabric.node_groups();
            }
            assert_eq!(
                write_some(&mut fabric, &other, fails),
                Err(Error::BrokenOff)
            );
            assert_eq!(read(&fabric), expected);
            advance(&mut fabric, 0, &How::default());
            assert_eq!(read(&fabric), expected);
            assert_eq!(registers(&mut fabric), expected);
        }
    }
}
