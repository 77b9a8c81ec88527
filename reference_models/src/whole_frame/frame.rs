//! A frame in a machine word.
//!
//! ```text
//!   bit 63 ..        length   length-1 ..                   0
//!        0 .. 0 0      1      [ payload | address | header ]   <- the next bit to be sent
//! ```
//!
//! The 1 above the last bit says where the frame ends; a word of 0 is no frame. So a shift to the right
//! consumes the next bit, and an OR merges two words of which at most one is a frame.

/// The longest frame, in bits.
pub const MOST_BITS: usize = 63;

/// What is left of a message, or an address, with a header in front of it or without; or no frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame(u64);

impl Frame {
    /// No frame.
    pub const NONE: Frame = Frame(0);

    /// The lowest `length` bits of a word, bit 0 the next to be sent; at most [`MOST_BITS`].
    #[inline]
    pub fn new(bits: u64, length: usize) -> Self {
        let end = 1 << length;
        Frame(bits & (end - 1) | end)
    }

    /// Whether there is a frame.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Bits that are left, 0 of no frame.
    #[inline]
    pub fn length(self) -> usize {
        self.0.checked_ilog2().map_or(0, |end| end as usize)
    }

    /// The bits that are left, bit 0 the next to be sent.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0 & !(1 << self.length())
    }

    /// The frame with a header in front of it.
    #[inline]
    pub fn behind(self, header: Frame) -> Frame {
        match self.is_some() {
            true => Frame(self.0 << header.length() | header.bits()),
            false => Frame::NONE,
        }
    }

    /// The frame with its last bit first.
    #[inline]
    pub fn reversed(self) -> Frame {
        match self.length() {
            0 => self,
            length => Frame::new(self.bits().reverse_bits() >> (64 - length), length),
        }
    }

    /// What a node whose address bit is `own` does with the frame: it keeps the first and sends the second,
    /// one of which is no frame. The next bit is consumed; it says which.
    #[inline]
    pub fn parted(self, own: u64) -> (Frame, Frame) {
        let rest = self.0 >> 1;
        let crosses = ((self.0 ^ own) & 1).wrapping_neg();
        (Frame(rest & !crosses), Frame(rest & crosses))
    }

    /// The one of the two that is a frame; nothing where both are.
    #[inline]
    pub fn or(self, other: Frame) -> Option<Frame> {
        let is_one = self.is_none() || other.is_none();
        is_one.then_some(Frame(self.0 | other.0))
    }

    /// What a wire carries of a frame, the first bit lowest: the valid bit, then its bits. All 0 of no frame.
    #[inline]
    pub fn on_wire(self) -> u64 {
        match self.is_some() {
            true => self.bits() << 1 | 1,
            false => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_of_every_length_holds_its_bits() {
        for length in 0..=MOST_BITS {
            let bits = 0x9e37_79b9_7f4a_7c15_u64 & ((1 << length) - 1);
            let frame = Frame::new(u64::MAX << length | bits, length);
            assert!(frame.is_some() && !frame.is_none());
            assert_eq!((frame.length(), frame.bits()), (length, bits));
            assert_eq!(frame.on_wire(), bits << 1 | 1);
            for place in 0..length {
                let mirrored = frame.reversed().bits() >> (length - 1 - place) & 1;
                assert_eq!(mirrored, bits >> place & 1, "bit {place} of {length}");
            }
            assert_eq!(frame.reversed().length(), length);
        }
    }

    #[test]
    fn a_switch_consumes_the_next_bit_and_keeps_or_sends_the_rest() {
        let rest = Frame::new(0b011, 3);
        for header in [0, 1] {
            let frame = rest.behind(Frame::new(header, 1));
            assert_eq!((frame.length(), frame.bits() & 1), (4, header));
            for own in [0, 1] {
                let expected = match header == own {
                    true => (rest, Frame::NONE),
                    false => (Frame::NONE, rest),
                };
                assert_eq!(frame.parted(own), expected);
            }
        }
    }

    #[test]
    fn no_frame_stays_none_and_two_do_not_merge() {
        let frame = Frame::new(0, 2);
        assert_eq!(Frame::NONE.parted(1), (Frame::NONE, Frame::NONE));
        assert_eq!(Frame::NONE.behind(frame), Frame::NONE);
        assert_eq!(Frame::NONE.reversed(), Frame::NONE);
        assert_eq!((Frame::NONE.length(), Frame::NONE.on_wire()), (0, 0));
        assert_eq!(Frame::NONE.or(frame), Some(frame));
        assert_eq!(frame.or(Frame::NONE), Some(frame));
        assert_eq!(frame.or(frame), None);
    }
}
