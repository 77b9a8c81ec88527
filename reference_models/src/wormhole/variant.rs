//! Mistakes for tests to plant.

/// A mistake to plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// None.
    Correct,
    /// An output channel is granted as soon as no input channel has it, whatever its credits.
    GrantsWithoutAllCredits,
    /// Every flit that leaves a buffer gives two credits back.
    ReturnsCreditsTwice,
    /// Flits are sent without a credit.
    SendsWithoutCredit,
    /// A wire carries a flit of every channel that is ready.
    CarriesEveryReadyChannel,
    /// The last flit of a buffer leaves it first.
    LastBitFirst,
    /// The virtual channel stays the same across the dateline; the escape channel is the last one also before it.
    NeverRaisesVirtualChannel,
    /// A worm that turns into another dimension of a torus stays in the class of the datelines that it crossed.
    KeepsDatelines,
    /// The second of two phases is in the classes of the first.
    NeverLeavesFirstPhase,
    /// A worm by address may also take links that lead away from its destination.
    LeadsAway,
    /// The escape channel is that of the highest dimension in which the nodes differ, not of the lowest.
    EscapesInAnyOrder,
    /// A header that is an address is not sent on.
    KeepsAddress,
    /// It is sent on last flit first.
    RepeatsAddressBackwards,
    /// A credit goes back for each of its flits that is sent on.
    ReturnsCreditsForAddress,
    /// A worm asks for the last of the free channels that it may take.
    AsksForLastFree,
    /// An address is looked up in no time: its worm asks a bit time early.
    LooksUpInNoTime,
    /// One flit more is read, as if of the address, while that is looked up.
    ReadsDuringLookup,
    /// What is looked up is the entry of the next destination.
    LooksUpAnotherEntry,
    /// A worm takes a channel of the class behind that of its route.
    TakesAnotherClass,
    /// A channel keeps address and route when the tail has left.
    KeepsRoute,
    /// Headers say eject one level early.
    EjectsEarly,
    /// The arbiters of the lanes of an edge decide one behind the other, from the last lane on.
    LastLaneFirst,
    /// Relays have room for a flit less than input channels.
    RelaysOneBitShort,
    /// A header flit that was read is sent on.
    KeepsHeaderBits,
    /// A switch changes the first bit of the body that it ejects.
    ChangesFirstBit,
    /// The answers to all channels are one group, of which only the last flit is filled up.
    JoinsGroups,
    /// The 0 behind the first 1 of a flit decline further candidates.
    ReadsBehindFirst,
    /// All bits of a flit are answers, also where no candidates are left to ask about.
    ReadsPadding,
    /// Bit 0 of a flit is sent over the last wire, and so on.
    TurnsFlits,
    /// The wires that are left over in the last flit of a body carry 1.
    PadsWithOnes,
    /// The last flit of a body is not sent if it is not full.
    DropsPartOfFlit,
    /// A channel keeps its flits for itself: nothing is ever granted.
    NeverGrants,
}
