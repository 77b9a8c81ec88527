use super::*;

fn segment(at: Option<usize>, address: usize, bits: usize) -> Segment {
    Segment {
        at,
        partner: 1,
        bit: 10 * address,
        bits,
        address,
    }
}

#[test]
fn a_stretch_of_memory_has_what_lies_there_of_all_segments() {
    let segments = [
        segment(None, 60, 8),
        segment(Some(1), 0, 3),
        segment(None, 5, 2),
        segment(Some(0), 70, 1),
    ];
    // Node 3 is at relative address 1, and node 2 at 0.
    let places = Places::new(&segments, 2);
    let found = |node, from| -> Vec<[usize; 4]> {
        let all = places.stretches(node, (from, 64));
        all.map(|one| [one.other, one.bit, one.bits, one.behind])
            .collect()
    };
    assert_eq!(found(3, 0), [[2, 0, 3, 0], [2, 50, 2, 5], [2, 600, 4, 60]]);
    assert_eq!(found(3, 64), [[2, 604, 4, 0]]);
    assert_eq!(found(2, 64), [[3, 700, 1, 6], [3, 604, 4, 0]]);
    assert_eq!(found(2, 128), Vec::<[usize; 4]>::new());
}
