//! Flits: bits that cross a link side by side in one bit time, one on each of its wires.

use super::Variant;

/// One flit of a worm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flit {
    /// Which worm.
    pub worm: usize,
    /// Its place in the worm; header flits count.
    pub place: usize,
    /// What is on the wires: bit `i` on wire `i`, and 0 above the last one.
    pub value: u64,
    /// The last of its worm.
    pub tail: bool,
}

impl Flit {
    /// What is on a wire.
    pub fn wire(&self, wire: usize) -> bool {
        is_set(self.value, wire)
    }

    /// The wires from `wire` on carry 0.
    pub fn is_zero_from(&self, wire: usize) -> bool {
        (wire..u64::BITS as usize).all(|wire| !self.wire(wire))
    }

    /// The same on `wires` wires that change their places: the last one's is the first.
    pub fn turned(self, wires: usize) -> Flit {
        let turned = (0..wires).map(|wire| u64::from(self.wire(wires - 1 - wire)) << wire);
        Flit {
            value: turned.sum(),
            ..self
        }
    }
}

fn is_set(value: u64, wire: usize) -> bool {
    value >> wire & 1 == 1
}

/// Bit `i` on wire `i` modulo `wires` of flit `i` divided by `wires`; wires that are left over carry 0.
pub fn pack(bits: &[bool], wires: usize) -> Vec<u64> {
    let value = |bits: &[bool]| (bits.iter().rev()).fold(0, |rest, bit| 2 * rest + u64::from(*bit));
    bits.chunks(wires).map(value).collect()
}

/// What a body is sent as.
pub fn pack_body(body: &[bool], wires: usize, variant: Variant) -> Vec<u64> {
    let mut flits = pack(body, wires);
    let left = body.len() % wires;
    match variant {
        Variant::DropsPartOfFlit if left > 0 && flits.len() > 1 => {
            flits.pop();
        }
        Variant::PadsWithOnes if left > 0 => {
            let padding = (left..wires).map(|wire| 1 << wire).sum::<u64>();
            flits
                .iter_mut()
                .next_back()
                .into_iter()
                .for_each(|last| *last |= padding);
        }
        _ => (),
    }
    flits
}

/// What a header is sent as: the bits that one channel reads, or an address, fill whole flits.
pub fn pack_header(groups: &[Vec<bool>], wires: usize, variant: Variant) -> Vec<u64> {
    match variant {
        Variant::JoinsGroups => pack(&groups.concat(), wires),
        _ => groups.iter().flat_map(|group| pack(group, wires)).collect(),
    }
}

/// The bits of flits in order, those of wires that are left over included.
pub fn unpack(flits: &[u64], wires: usize) -> impl Iterator<Item = bool> {
    (flits.iter()).flat_map(move |&flit| (0..wires).map(move |wire| is_set(flit, wire)))
}

/// Flits carry the first of `bits`, or all of them and behind them 0.
pub fn carry(flits: &[u64], wires: usize, bits: &[bool]) -> bool {
    let mut expected = bits.iter().copied();
    flits.len() <= bits.len().div_ceil(wires)
        && unpack(flits, wires).all(|bit| bit == expected.next().unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five bits 10110 on three wires: 101 and 10, and 0 on the last wire.
    #[test]
    fn bits_lie_side_by_side() {
        let bits = [true, false, true, true, false];
        assert_eq!(pack(&bits, 1), [1, 0, 1, 1, 0]);
        assert_eq!(pack(&bits, 2), [0b01, 0b11, 0b0]);
        assert_eq!(pack(&bits, 3), [0b101, 0b01]);
        assert_eq!(pack(&bits, 5), [0b01101]);
        assert_eq!(pack(&bits, 64), [0b01101]);
        assert_eq!(pack(&[], 3), [0; 0]);
        assert_eq!(pack(&[true; 64], 64), [u64::MAX]);
        for wires in 1..=64 {
            let flits = pack(&bits, wires);
            assert!(unpack(&flits, wires).take(5).eq(bits));
            assert!(unpack(&flits, wires).skip(5).all(|bit| !bit));
            assert!((0..=flits.len()).all(|sent| carry(&flits[..sent], wires, &bits)));
            assert!(!carry(&[&flits[..], &[0]].concat(), wires, &bits));
        }
        assert!(!carry(&[0b101, 0b101], 3, &bits));
        assert!(!carry(&[0b101, 0b00], 3, &bits));
    }

    #[test]
    fn groups_fill_whole_flits() {
        let groups = [vec![true], vec![], vec![false, true], vec![false; 3]];
        let packed = |wires, variant| pack_header(&groups, wires, variant);
        assert_eq!(packed(1, Variant::Correct), [1, 0, 1, 0, 0, 0]);
        assert_eq!(packed(2, Variant::Correct), [1, 0b10, 0, 0]);
        assert_eq!(packed(3, Variant::Correct), [1, 0b10, 0]);
        assert_eq!(packed(3, Variant::JoinsGroups), [0b101, 0]);
    }

    #[test]
    fn wires_that_change_places() {
        let flit = Flit {
            worm: 0,
            place: 0,
            value: 0b1011,
            tail: false,
        };
        assert_eq!(flit.turned(4).value, 0b1101);
        assert_eq!(flit.turned(64).value, 0b1101 << 60);
        assert!(flit.is_zero_from(4) && !flit.is_zero_from(3));
        assert!(flit.is_zero_from(64));
    }
}
