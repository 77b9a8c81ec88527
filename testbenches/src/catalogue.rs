//! The testbenches there are.

use rtl_model::sorting::{bitonic, radix};
use rtl_model::{kuszmaul, permutation};

use crate::error::Error;
use crate::wormhole;

/// What a name on the command line selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// A testbench of routers in lockstep.
    Lockstep(Bench),
    /// That of wormhole routers.
    Wormhole,
}

impl Selected {
    /// The testbench of that name.
    ///
    /// # Errors
    /// [`Error::Unknown`], with the nearest name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name == wormhole::options::NAME {
            true => Ok(Selected::Wormhole),
            false => Bench::from_name(name).map(Selected::Lockstep),
        }
    }
}

/// A testbench of routers in lockstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bench {
    /// Theorem 2.
    Enumeration,
    /// Algorithm 1.
    Packing,
    /// Algorithm 2.
    Kuszmaul,
    /// Section VI: a bitonic sort.
    Bitonic,
    /// Section VI: a radix sort.
    Radix,
}

impl Bench {
    /// All of them.
    pub const ALL: [Bench; 5] = [
        Bench::Enumeration,
        Bench::Packing,
        Bench::Kuszmaul,
        Bench::Bitonic,
        Bench::Radix,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Bench::Enumeration => "enumeration",
            Bench::Packing => "packing",
            Bench::Kuszmaul => "kuszmaul",
            Bench::Bitonic => "bitonic",
            Bench::Radix => "radix",
        }
    }

    /// What it models, in a line.
    pub fn models(self) -> &'static str {
        match self {
            Bench::Enumeration => {
                "every member of a set of nodes learns its rank, every node the total"
            }
            Bench::Packing => "routes any semi-contraction in one pass through a row of switches",
            Bench::Kuszmaul => {
                "routes any partial permutation, deterministically, with small buffers"
            }
            Bench::Bitonic => {
                "sorts messages by destination, then unpacks them: routes any partial permutation"
            }
            Bench::Radix => {
                "sorts messages by destination, bit by bit, then unpacks them: any partial permutation"
            }
        }
    }

    /// Where it comes from.
    pub fn source(self) -> &'static str {
        match self {
            Bench::Enumeration => "Kuszmaul 1990, section II.B, Theorem 2",
            Bench::Packing => "Kuszmaul 1990, section II.A, Theorem 1 and Algorithm 1",
            Bench::Kuszmaul => "Kuszmaul 1990, section III, Algorithm 2",
            Bench::Bitonic => "Kuszmaul 1990, section VI, after Batcher 1968",
            Bench::Radix => {
                "after Kuszmaul 1990, section VI; zeros and ones in one packing, which is not in the paper"
            }
        }
    }

    /// Where it comes from, on a schedule.
    pub fn source_on(self, schedule: Option<Schedule>) -> &'static str {
        match schedule {
            Some(Schedule::Spread) => {
                "after Kuszmaul 1990, section III, Algorithm 2; its steps 2 to 6 replaced, which is not in the paper"
            }
            Some(Schedule::Radix4) => {
                "after Kuszmaul 1990, section III, Algorithm 2, and section II; in groups of two dimensions, which is not in the paper"
            }
            _ => self.source(),
        }
    }

    /// What the router relies on and cannot see: what its traffic must be like.
    pub fn relies_on(self, schedule: Option<Schedule>) -> Option<&'static str> {
        if schedule.is_some_and(Schedule::is_full_only) {
            return Some("every node sends a message, and no two have the same destination");
        }
        match self {
            Bench::Enumeration => None,
            Bench::Packing => {
                Some("no two messages end farther apart, as node numbers, than they began")
            }
            Bench::Kuszmaul | Bench::Bitonic | Bench::Radix => {
                Some("no two messages have the same destination")
            }
        }
    }

    /// The schedules it can run on; the first is the default.
    pub fn schedules(self) -> &'static [Schedule] {
        match self {
            Bench::Enumeration | Bench::Packing => &[],
            Bench::Kuszmaul => &Schedule::OF_KUSZMAUL,
            Bench::Bitonic => &Schedule::OF_BITONIC,
            Bench::Radix => &Schedule::OF_RADIX,
        }
    }

    /// Its schedule of that name.
    ///
    /// # Errors
    /// A name that it has not; any, if it has only one way to run.
    pub fn schedule(self, name: &str) -> Result<Schedule, Error> {
        let known = self.schedules();
        if known.is_empty() {
            return Err(Error::NotApplicable {
                bench: self.name(),
                option: "--schedule",
                why: "it has only one",
            });
        }
        known
            .iter()
            .find(|schedule| schedule.name() == name)
            .copied()
            .ok_or_else(|| Error::Unknown {
                what: "schedule",
                name: name.to_owned(),
                known: known.iter().map(|schedule| schedule.name()).collect(),
            })
    }

    /// The testbench of that name.
    ///
    /// # Errors
    /// [`Error::Unknown`], with the nearest name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|bench| bench.name() == name)
            .ok_or_else(|| Error::Unknown {
                what: "testbench",
                name: name.to_owned(),
                known: (Self::ALL.iter().map(|bench| bench.name()))
                    .chain([wormhole::options::NAME])
                    .collect(),
            })
    }
}

/// When a router does what: a testbench may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedule {
    /// One step of Algorithm 2 after the other.
    Plain,
    /// Its steps overlapped, with circuits held for the way back.
    Overlapped,
    /// Iterations overlapped as well.
    Folded,
    /// All messages spread out in every iteration.
    Spread,
    /// Two address bits at a time.
    Radix4,
    /// A bitonic sort, and the packing run backwards behind it.
    BitonicSortAndUnpack,
    /// A bitonic sort alone.
    BitonicSort,
    /// A radix sort, and the packing run backwards behind it.
    RadixSortAndUnpack,
    /// A radix sort alone.
    RadixSort,
}

/// Something to do with a router of permutations on a schedule, whichever it is.
pub trait WithSchedule {
    /// What comes of it.
    type Output;
    /// Does it.
    fn on<S: permutation::Schedule>(self) -> Self::Output;
}

impl Schedule {
    /// Those of Algorithm 2.
    const OF_KUSZMAUL: [Schedule; 5] = [
        Schedule::Plain,
        Schedule::Overlapped,
        Schedule::Folded,
        Schedule::Spread,
        Schedule::Radix4,
    ];

    /// Those of the bitonic sort.
    const OF_BITONIC: [Schedule; 2] = [Schedule::BitonicSortAndUnpack, Schedule::BitonicSort];

    /// Those of the radix sort.
    const OF_RADIX: [Schedule; 2] = [Schedule::RadixSortAndUnpack, Schedule::RadixSort];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Plain => "plain",
            Schedule::Overlapped => "overlapped",
            Schedule::Folded => "folded",
            Schedule::Spread => "spread",
            Schedule::Radix4 => "radix4",
            Schedule::BitonicSortAndUnpack | Schedule::RadixSortAndUnpack => "sort-and-unpack",
            Schedule::BitonicSort | Schedule::RadixSort => "sort",
        }
    }

    /// What it does, in a few words.
    pub fn models(self) -> &'static str {
        match self {
            Schedule::Plain => "one step of Algorithm 2 after the other",
            Schedule::Overlapped => {
                "steps overlap; step 6 goes back through circuits that step 5 set"
            }
            Schedule::Folded => "as overlapped, and iterations overlap",
            Schedule::Spread => {
                "steps 2 to 6 become one packing of all messages (not in the paper)"
            }
            Schedule::Radix4 => {
                "two address bits at a time, packed without headers (not in the paper)"
            }
            Schedule::BitonicSortAndUnpack | Schedule::RadixSortAndUnpack => {
                "the sort, and behind it the way from ranks to destinations"
            }
            Schedule::BitonicSort | Schedule::RadixSort => "the sort alone, for full permutations",
        }
    }

    /// Its testbench.
    pub fn bench(self) -> Bench {
        match self {
            Schedule::Plain
            | Schedule::Overlapped
            | Schedule::Folded
            | Schedule::Spread
            | Schedule::Radix4 => Bench::Kuszmaul,
            Schedule::BitonicSortAndUnpack | Schedule::BitonicSort => Bench::Bitonic,
            Schedule::RadixSortAndUnpack | Schedule::RadixSort => Bench::Radix,
        }
    }

    /// Whether it carries full permutations only.
    pub fn is_full_only(self) -> bool {
        struct IsFullOnly;
        impl WithSchedule for IsFullOnly {
            type Output = bool;
            fn on<S: permutation::Schedule>(self) -> bool {
                S::FULL_ONLY
            }
        }
        self.with(IsFullOnly)
    }

    /// Does something with its router.
    pub fn with<W: WithSchedule>(self, what: W) -> W::Output {
        match self {
            Schedule::Plain => what.on::<kuszmaul::plain::Plain>(),
            Schedule::Overlapped => what.on::<kuszmaul::overlapped::Overlapped>(),
            Schedule::Folded => what.on::<kuszmaul::folded::Folded>(),
            Schedule::Spread => what.on::<kuszmaul::spread::Spread>(),
            Schedule::Radix4 => what.on::<kuszmaul::radix4::Radix4>(),
            Schedule::BitonicSortAndUnpack => what.on::<bitonic::SortAndUnpack>(),
            Schedule::BitonicSort => what.on::<bitonic::Sort>(),
            Schedule::RadixSortAndUnpack => what.on::<radix::SortAndUnpack>(),
            Schedule::RadixSort => what.on::<radix::Sort>(),
        }
    }
}
