use super::*;

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
