//! One stage of a packing of two messages a node: dimension `d`'s switch with two tracks.
//!
//! ```text
//!   track 0 -+--(arm)->[valid]-->(=)--(decide)-->[crossing, keeping]
//!   track 1 -+--(arm)->[valid]-->(=)--(decide)-->[crossing, keeping]
//!
//!   what crosses, of either track -(or)--> tx
//!   what stays, of either track ---(or)--> [out 0]
//!   rx ----------------------------------> [out 1]
//! ```
//!
//! Where messages have consecutive ranks and are packed from the least significant bit on, two that stand
//! at one node after `r` stages have ranks that differ by 2^r: so their next header bits differ, one at most
//! crosses, and one at most stays. What stays and what is received are the two tracks of the next stage.
//! Behind the last stage no two messages are at one node: an OR merges them.
//!
//! In time it is a stage as [`crate::parts::switch_stage`] is: valid, header bit, the rest.

use crate::language::bit::Bit;
use crate::registers;

/// A bit for each track.
#[derive(Clone, Copy, Debug)]
pub struct PerTrack<B: Bit> {
    /// Of track 0.
    pub track_0: B,
    /// Of track 1.
    pub track_1: B,
}
registers!(PerTrack { track_0, track_1 });

impl<B: Bit> PerTrack<B> {
    /// Both 0.
    pub const NONE: Self = PerTrack {
        track_0: B::ZERO,
        track_1: B::ZERO,
    };

    /// Track by track.
    #[inline]
    fn zip(self, other: Self, both: impl Fn(B, B) -> B) -> Self {
        PerTrack {
            track_0: B::within("track_0", || both(self.track_0, other.track_0)),
            track_1: B::within("track_1", || both(self.track_1, other.track_1)),
        }
    }

    /// Of either track.
    #[inline]
    pub fn either(self) -> B {
        self.track_0 | self.track_1
    }
}

/// What a stage has before it.
#[derive(Clone, Copy, Debug)]
pub struct TrackIncoming<B: Bit> {
    /// A message is there; read while deciding.
    pub valid: PerTrack<B>,
    /// This bit time's bit of it.
    pub bit: PerTrack<B>,
}

/// The switch of one dimension.
#[derive(Clone, Debug)]
pub struct TrackSwitch<B: Bit> {
    valid: Option<PerTrack<B>>,
    crossing: PerTrack<B>,
    keeping: PerTrack<B>,
    out: Option<PerTrack<B>>,
}
registers!(TrackSwitch {
    valid,
    crossing,
    keeping,
    out
});

impl<B: Bit> TrackSwitch<B> {
    /// A stage, all registers 0: fed by another stage or not, feeding one or not.
    pub fn new(is_fed: bool, feeds: bool) -> Self {
        TrackSwitch {
            valid: is_fed.then_some(PerTrack::NONE),
            crossing: PerTrack::NONE,
            keeping: PerTrack::NONE,
            out: feeds.then_some(PerTrack::NONE),
        }
    }

    /// What the next stage receives in this bit time.
    #[inline]
    pub fn output(&self) -> PerTrack<B> {
        self.out.unwrap_or(PerTrack::NONE)
    }

    /// 1 where a message is coming in from another stage, from `arm` until the next `arm`.
    #[inline]
    pub fn valid(&self) -> PerTrack<B> {
        self.valid.unwrap_or(PerTrack::NONE)
    }

    /// 1 where a message has come in, from `decide` on.
    #[inline]
    pub fn engaged(&self) -> PerTrack<B> {
        PerTrack {
            track_0: self.crossing.track_0 | self.keeping.track_0,
            track_1: self.crossing.track_1 | self.keeping.track_1,
        }
    }

    #[inline]
    fn crosses(incoming: TrackIncoming<B>, own_address_bit: B) -> PerTrack<B> {
        incoming.valid.zip(incoming.bit, |valid, bit| {
            (valid & Self::differs(bit, own_address_bit)).named("crosses")
        })
    }

    #[inline]
    fn stays(incoming: TrackIncoming<B>, own_address_bit: B) -> PerTrack<B> {
        incoming.valid.zip(incoming.bit, |valid, bit| {
            (valid & !Self::differs(bit, own_address_bit)).named("stays")
        })
    }

    #[inline]
    fn differs(bit: B, own_address_bit: B) -> B {
        (bit ^ own_address_bit).named("header_differs")
    }

    /// The bit on the wire.
    #[inline]
    pub fn transmit(&self, decide: B::Strobe, incoming: TrackIncoming<B>, own_address_bit: B) -> B {
        B::choose(
            decide,
            || {
                Self::crosses(incoming, own_address_bit)
                    .either()
                    .named("either_crosses")
            },
            || {
                let bits = self.crossing.zip(incoming.bit, |crossing, bit| {
                    (crossing & bit).named("crossing_bit")
                });
                bits.either().named("crossing_either")
            },
        )
        .named("sent")
    }

    /// What stays, of either track.
    #[inline]
    pub fn kept(&self, decide: B::Strobe, incoming: TrackIncoming<B>, own_address_bit: B) -> B {
        B::choose(
            decide,
            || {
                Self::stays(incoming, own_address_bit)
                    .either()
                    .named("either_stays")
            },
            || {
                let bits = self.keeping.zip(incoming.bit, |keeping, bit| {
                    (keeping & bit).named("keeping_bit")
                });
                bits.either().named("keeping_either")
            },
        )
        .named("kept")
    }

    /// `arm`: notes whether messages come.
    #[inline]
    pub fn arm(&mut self, input: PerTrack<B>) {
        if let Some(valid) = &mut self.valid {
            *valid = input;
        }
    }

    /// `decide` and `stream`: moves the messages on, after setting the switch by their header bits.
    #[inline]
    pub fn pass(
        &mut self,
        decide: B::Strobe,
        incoming: TrackIncoming<B>,
        own_address_bit: B,
        received: B,
    ) {
        let kept = self.kept(decide, incoming, own_address_bit);
        B::when(decide, self, |stage| {
            stage.crossing = Self::crosses(incoming, own_address_bit);
            stage.keeping = Self::stays(incoming, own_address_bit);
        });
        if let Some(out) = &mut self.out {
            *out = PerTrack {
                track_0: kept,
                track_1: received,
            };
        }
    }
}
