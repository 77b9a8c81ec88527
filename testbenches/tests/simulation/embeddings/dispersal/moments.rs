//! Wires that fail in the middle of it: at every bit time.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::embeddings::dispersal::machine::{Cut, Machine, WAYS, drawn, number};

/// Whenever wires fail, and however: a message that has lost no more than it may is restored, and none is wrong.
#[test]
fn in_every_bit_time_no_message_is_wrong_and_what_may_be_lost_is() {
    let machine = Machine::of_edges("cycle", 4, [2, 8, 1]);
    assert_eq!(machine.bit_times(), 3 * 49);
    (0..machine.bit_times()).into_par_iter().for_each(|from| {
        let folder = tempfile::tempdir().unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(from);
        for way in WAYS {
            // One alone, or several.
            let count = 1 + 3 * (from as usize % 2);
            let messages = drawn(16, 8, &mut random);
            let mut cuts = machine.cuts(count, from..from + 1, &mut random);
            cuts.iter_mut().for_each(|cut| cut.3 = way);
            let hit = machine.hit(&cuts);
            let left = machine.run(folder.path(), &messages, &cuts, "");
            assert!(left.lost.is_subset(&machine.beyond(&hit)), "{cuts:?}");
            let damaged = number(&left.report, "damaged_shares");
            assert!(damaged <= hit.iter().sum::<usize>(), "{cuts:?}: {damaged}");
        }
    });
}

/// In the last bit time of a share its last bit is all that a wire can change: stuck at 0 it does or stuck at 1 it does, and not
/// both. A bit time later the share is over.
#[test]
fn a_share_is_over_after_its_last_bit() {
    let machine = Machine::of_edges("cycle", 4, [3, 8, 1]);
    let hops = machine.phase.hops();
    hops.par_iter().for_each(|hop| {
        let folder = tempfile::tempdir().unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(u64::from(hop.packet));
        let messages = drawn(16, 8, &mut random);
        let on_it = |other: &&rtl_model::embedding::phase::Hop| {
            (other.from, other.dimension) == (hop.from, hop.dimension) && other.step > hop.step
        };
        let later = hops.iter().filter(on_it).count();
        let damaged = |from, way| {
            let cut: Cut = (hop.from as usize, usize::from(hop.dimension), from, way);
            let left = machine.run(folder.path(), &messages, &[cut], "");
            let damaged = number(&left.report, "damaged_shares");
            // None to spare: each is a message that is lost.
            assert_eq!(left.lost.len(), damaged);
            damaged
        };
        let last = machine.last_of(hop);
        let [of_cut, at_0, at_1] = WAYS.map(|way| damaged(last, way));
        assert_eq!((of_cut, at_0 + at_1), (at_0, 2 * later + 1), "{hop:?}");
        // Behind the last bit time of all no wire can fail.
        if last + 1 < machine.bit_times() {
            assert_eq!(
                ["0", "1"].map(|way| damaged(last + 1, way)),
                [later; 2],
                "{hop:?}"
            );
        }
        // From the bit time before the first bit on, all of it is taken.
        let first = last + 1 - machine.step();
        assert_eq!(damaged(first, "1"), later + 1, "{hop:?}");
    });
}
