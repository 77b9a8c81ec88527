//! Messages of many kinds and lengths, and what they take on the wires.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::embeddings::dispersal::machine::{Machine, drawn, hexadecimal, number, run};

/// All zeros and all ones too, which look like what failing wires give.
#[test]
fn messages_of_any_pattern_and_length_are_restored() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for bits in [1, 7, 300] {
        for needed in 1..=3 {
            let machine = Machine::of_edges("cycle", 4, [needed, bits, 0]);
            let one_hot = |edge: usize| {
                let bit = |place| place == edge * 97 % bits;
                hexadecimal(&(0..bits).map(bit).collect::<Vec<bool>>())
            };
            for messages in [
                vec![hexadecimal(&vec![false; bits]); 16],
                vec![hexadecimal(&vec![true; bits]); 16],
                (0..16).map(one_hot).collect(),
                drawn(16, bits, &mut random),
            ] {
                for way in ["0", "1"] {
                    let mut cuts = machine.cuts(5, 0..1, &mut random);
                    cuts.iter_mut().for_each(|cut| cut.3 = way);
                    let left = machine.run(folder.path(), &messages, &cuts, "");
                    assert_eq!(left.lost, machine.beyond(&machine.hit(&cuts)));
                }
            }
        }
    }
}

#[test]
fn a_run_takes_the_steps_of_the_schedule_with_a_share_in_each() {
    for (guest, dims) in [
        ("cycle", 4),
        ("cycle", 6),
        ("double-cycle", 4),
        ("gray-cycle", 4),
    ] {
        for bits in [1, 16, 17, 40] {
            for start_up in [0, 3] {
                let width = Machine::of_edges(guest, dims, [1, 1, 0]).shares;
                for needed in 1..=width {
                    let machine = Machine::of_edges(guest, dims, [needed, bits, start_up]);
                    let report = run(&machine.arguments).unwrap();
                    let steps = machine.phase.steps();
                    let share_bits = 8 * (2 * bits.div_ceil(16).div_ceil(needed)) + 32;
                    assert_eq!(number(&report, "share_bits"), share_bits);
                    assert_eq!(number(&report, "routing_steps"), steps);
                    assert_eq!(
                        number(&report, "bit_times"),
                        steps * (start_up + share_bits)
                    );
                    assert_eq!(report["bit_times_formula"]["value"], report["bit_times"]);
                    assert_eq!(
                        number(&report, "bit_times_without_shares"),
                        steps * (start_up + bits.div_ceil(width))
                    );
                    let overhead = (width * share_bits) as f64 / bits as f64;
                    assert_eq!(report["overhead"], overhead);
                    assert_eq!(
                        (number(&report, "shares"), number(&report, "needed")),
                        (width, needed)
                    );
                    assert_eq!(report["passed"], true);
                }
            }
        }
    }
}

/// Edges both ways are twice as many messages, and the order of packets changes nothing about who is restored.
#[test]
fn both_ways_and_greedily_messages_are_restored_too() {
    for further in [
        "--both-ways",
        "--order greedy",
        "--both-ways --order greedy --start-up 2",
    ] {
        let report = run(&format!("--dims 4 --message-bits 30 {further}")).unwrap();
        let messages = if further.contains("both") { 32 } else { 16 };
        assert_eq!(number(&report, "restored"), messages);
        assert_eq!(report["passed"], true);
        let report = run(&format!(
            "--dims 4 --message-bits 30 --cut-wires 20 {further}"
        ))
        .unwrap();
        assert_eq!(number(&report, "wrong"), 0);
        assert!(number(&report, "damaged_shares") > 0);
    }
}
