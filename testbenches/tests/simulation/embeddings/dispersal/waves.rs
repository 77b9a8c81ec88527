//! A waveform shows what fails.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::common::dump::Dump;
use crate::embeddings::dispersal::machine::{Cut, Machine, drawn};

#[test]
fn a_wire_has_its_value_at_both_ends_from_its_bit_time_on() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::of_edges("cycle", 4, [2, 30, 0]);
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let messages = drawn(16, 30, &mut random);
    let end = machine.bit_times();
    let cuts: [Cut; 4] = [
        (5, 1, 20, "cut"),
        (9, 3, 64, "1"),
        (0, 0, 0, "1"),
        (14, 2, end - 1, "0"),
    ];
    let wave = folder.path().join("cut.vcd");
    let traced = format!("--trace-nodes all --wave {}", wave.display());
    machine.run(folder.path(), &messages, &cuts, &traced);
    let cut = Dump::read(&wave);
    for (node, dimension, from, way) in cuts {
        let value = if way == "1" { "1" } else { "0" };
        let neighbour = node ^ 1 << dimension;
        for signal in [
            format!("cube.node_{node}.dim_{dimension}.tx"),
            format!("cube.node_{neighbour}.dim_{dimension}.rx"),
        ] {
            let failing = cut.by_bit_time(&signal, from, end);
            assert_eq!(failing, vec![value; (end - from) as usize], "{signal}");
        }
    }
}
