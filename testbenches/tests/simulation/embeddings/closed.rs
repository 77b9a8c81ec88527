//! Closed forms: what the theorems say of steps, and wires that are counted in every bit time.

use rtl_model::embedding::phase::Phase;
use rtl_model::machine::device::Device;

use crate::embeddings::bench::run;
use crate::embeddings::case::{Case, Hardware, hops, laid};
use crate::embeddings::patterns::drawn;
use crate::embeddings::phase::{Configuration, carries, loaded, run as run_machine};

/// Steps by the reference's count.
fn cost(case: &Case) -> usize {
    let embedding = case.embedding();
    let phase = Phase::of(&embedding, case.order);
    let messages = drawn(embedding.edges(), 1, 1);
    let carried = laid(&embedding).carry(&messages, &hops(&phase));
    carried.unwrap().steps
}

#[test]
fn theorem_1_takes_three_steps() {
    for dims in 4..=11 {
        let case = Case::new("cycle", dims, 1);
        assert_eq!(cost(&case), 3, "{dims}");
        let measures = laid(&case.one_way()).measures().unwrap();
        // Half as many as dimensions and wider: twice a quarter of them, and the straight one.
        assert_eq!(measures.width, dims / 4 * 2 + 1, "{dims}");
        assert!(measures.width >= dims / 2 && measures.dilation == 3);
    }
    assert_eq!(cost(&Case::new("gray-cycle", 6, 1)), 1);
}

#[test]
fn theorem_2_takes_three_steps_or_four() {
    for dims in 4..=10 {
        assert_eq!(cost(&Case::new("double-cycle", dims, 1)), 3, "{dims}");
        let wide = Case::new("double-cycle-wide", dims, 1);
        assert_eq!(cost(&wide), if dims % 4 < 2 { 3 } else { 4 }, "{dims}");
        let measures = laid(&wide.one_way()).measures().unwrap();
        assert_eq!(measures.width, dims / 2, "{dims}");
    }
}

/// Ones on wires where every packet has ones alone.
fn ones(case: &Case) -> (u64, u64) {
    let hardware = Hardware::of(case);
    let messages = vec![vec![true; case.bits]; hardware.embedding.edges()];
    let mut machine = loaded(&hardware, &mut Configuration::of(&hardware, &messages));
    let (mut ones, mut fewest) = (0, u64::MAX);
    run_machine(&mut *machine, &mut |machine| {
        let mut now = 0;
        for word in 0..machine.words() {
            for wire in 0..case.dims {
                now += u64::from(machine.driven_word(word, wire).count_ones());
            }
        }
        ones += now;
        fewest = fewest.min(now);
    });
    (ones, fewest)
}

#[test]
fn ones_on_wires_are_as_many_as_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (guest, dims) in [
        ("gray-cycle", 3),
        ("cycles", 5),
        ("cycle", 4),
        ("cycle", 8),
        ("double-cycle-wide", 6),
        ("ccc-product", 6),
        ("tree", 6),
        ("large-cycle", 4),
        ("large-fft", 4),
    ] {
        let mut case = Case::new(guest, dims, 1);
        case.bits = 3 * case.embedding().packets().len();
        let report = run(&case.options(), folder.path()).unwrap();
        let bit_times = report["bit_times"].as_f64().unwrap();
        let counted = ones(&case).0 as f64 / (bit_times * (dims << dims) as f64);
        let told = report["wire_use"].as_f64().unwrap();
        assert!((counted - told).abs() < 1e-9, "{case:?}: {counted} {told}");
    }
}

/// Every wire carries a packet in every bit time: counted on the wires.
#[test]
fn theorem_2_makes_use_of_all_wires() {
    for (guest, dims) in [
        ("double-cycle", 4),
        ("double-cycle", 8),
        ("cycles", 4),
        ("large-ccc", 3),
    ] {
        let mut case = Case::new(guest, dims, 1);
        case.bits = 2 * case.embedding().packets().len();
        let all = (dims as u64) << dims;
        let (ones, fewest) = ones(&case);
        assert_eq!(fewest, all, "{guest} {dims}");
        assert_eq!(
            ones,
            all * Hardware::of(&case).machine_bit_times(),
            "{guest} {dims}"
        );
    }
}

/// So many nodes are in several groups of lanes, and a port that one group drives may be idle in another.
#[test]
fn a_cycle_of_1024_vertices_is_over_in_three_steps() {
    let case = Case {
        start_up: 1,
        ..Case::new("cycle", 10, 11)
    };
    let hardware = Hardware::of(&case);
    let messages = drawn(hardware.embedding.edges(), 11, 3);
    carries(&hardware, &messages);
    // Six packets of two bits.
    assert_eq!(hardware.machine_bit_times(), 3 * (1 + 2));
}

impl Hardware {
    fn machine_bit_times(&self) -> u64 {
        Device::bit_times(&self.machine).value
    }
}
