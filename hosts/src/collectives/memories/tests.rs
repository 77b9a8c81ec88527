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

#[test]
fn a_piece_of_a_message_lies_in_one_limb() {
    let of = |bit, bits| {
        let segment = Segment {
            at: None,
            partner: 6,
            bit,
            bits,
            address: 1000,
        };
        let all = pieces(&segment).map(|(partner, number, piece)| {
            assert_eq!(partner, 6);
            [number, piece.bit, piece.bits, piece.address]
        });
        all.collect::<Vec<_>>()
    };
    assert_eq!(of(3, 61), [[0, 3, 61, 1000]]);
    assert_eq!(of(64, 64), [[1, 0, 64, 1000]]);
    let three = [[0, 60, 4, 1000], [1, 0, 64, 1004], [2, 0, 1, 1068]];
    assert_eq!(of(60, 69), three);
}
