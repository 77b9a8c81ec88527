//! Routers that do what an algorithm does, though nothing is arranged beforehand: those of other testbenches, run as the command
//! line runs them.
//!
//! | operation | what they are given |
//! |---|---|
//! | `all-to-all` | a permutation a round, one round after the other: in round r each node x sends to x xor r |
//! | `transpose` | the pattern `transpose`, a whole submatrix a message |
//! | `permuted-send` | the same random permutation |
//! | `inversion` | the pattern `bitcomp` |

mod facts;
mod rounds;

use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::families::collectives::measure::place::Place;
use crate::families::collectives::operations::algorithms;
use crate::families::collectives::options::{DEFAULT_MESSAGE_BITS, Setup};
use crate::families::collectives::transpose;
use crate::measure::beside;
use crate::measure::ranges::{insert, named};
use facts::Facts;
pub(super) use rounds::Rounds;

/// The most bits of a message of either router.
const MOST_PAYLOAD_BITS: usize = 1 << 16;
/// The most nodes of which every round is run.
const MOST_NODES: usize = 64;
/// Schedules of Algorithm 2, the default one first.
const SCHEDULES: [&str; 5] = ["plain", "overlapped", "folded", "spread", "radix4"];
/// Levels that the networks of worms come in. One of n levels has n 2^n nodes.
const LEVELS: [usize; 4] = [2, 4, 8, 16];

/// A router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Router {
    /// Algorithm 2 by its default schedule.
    Plain,
    /// By that of its schedules that takes the fewest bit times.
    Fastest,
    /// Worms in dimension order: the one of its networks that is a hypercube whose worms go by the shortest ways.
    DimensionOrder,
}

/// Routers, by the testbench.
const ROUTERS: [(&str, &[Router]); 2] = [
    ("kuszmaul", &[Router::Plain, Router::Fastest]),
    ("wormhole", &[Router::DimensionOrder]),
];

/// Whether routers do an operation too.
pub(super) fn are_for(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::AllToAll | Operation::Transpose | Operation::PermutedSend | Operation::Inversion
    )
}

/// What a router is to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Task {
    router: Router,
    dims: usize,
    /// Bits of a message.
    pub payload_bits: usize,
    rounds: Rounds,
    pub seed: u64,
}

/// What a router did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Done {
    /// The schedule, where it has such.
    pub schedule: Option<&'static str>,
    /// Rounds, one after the other.
    pub rounds: usize,
    /// Those of them that were run.
    pub runs: usize,
    /// Of all rounds together.
    pub facts: Facts,
}

impl Router {
    /// Those of a list.
    ///
    /// # Errors
    /// A name that there is not.
    pub fn named(list: &str) -> Result<Vec<Self>, Error> {
        let mut routers = Vec::new();
        for some in named("router", list, &ROUTERS)? {
            some.iter().for_each(|one| insert(&mut routers, *one));
        }
        Ok(routers)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Router::Plain => "kuszmaul plain",
            Router::Fastest => "kuszmaul fastest",
            Router::DimensionOrder => "wormhole ecube",
        }
    }

    fn bench(self) -> &'static str {
        match self {
            Router::Plain | Router::Fastest => "kuszmaul",
            Router::DimensionOrder => "wormhole",
        }
    }

    fn schedules(self) -> &'static [&'static str] {
        match self {
            Router::Plain => &SCHEDULES[..1],
            Router::Fastest => &SCHEDULES,
            Router::DimensionOrder => &[],
        }
    }

    /// Messages beside its registers: of a node that has so many, those that wait or have come while it routes one. A worm has
    /// none of its bits in registers for long, and another may have come before it has gone.
    pub fn messages_beside(self, rounds: usize) -> usize {
        match self {
            Router::Plain | Router::Fastest => rounds - 1,
            Router::DimensionOrder => rounds + 1,
        }
    }

    /// Its machine, as options.
    fn machine(self, dims: usize) -> Result<Vec<String>, Error> {
        let words = match self {
            Router::Plain | Router::Fastest => format!("--dims {dims} --threads 1"),
            Router::DimensionOrder => {
                let dimensions = |levels: usize| levels + levels.trailing_zeros() as usize;
                let of_levels = LEVELS.into_iter();
                let mut fitting = of_levels.filter(|levels| dimensions(*levels) == dims);
                let levels = fitting.next().ok_or_else(|| Error::Refused {
                    by: self.name(),
                    why: format!(
                        "its hypercubes have {} dimensions, and none of them {dims}",
                        LEVELS
                            .map(|levels| dimensions(levels).to_string())
                            .join(", ")
                    ),
                })?;
                format!("--network ecube --dims {levels}")
            }
        };
        Ok(words.split(' ').map(str::to_owned).collect())
    }
}

/// Bits of a node's submatrix.
fn submatrix_bits(place: &Place) -> Result<usize, Error> {
    let by_submatrices = algorithms(place.operation).find(|one| one.stores_submatrices());
    let refused = |why: String| Error::Refused {
        by: place.who.name(),
        why,
    };
    if !place.dims.is_multiple_of(2) {
        return Err(refused(format!(
            "{} dimensions: nodes have submatrices only of an even number of dimensions",
            place.dims
        )));
    }
    let setup = Setup {
        algorithm: by_submatrices.map(|one| one.name().to_owned()),
        ..place.setup()
    };
    Ok(transpose::shape(&setup, None)?.extent().message_bits)
}

impl Task {
    /// What a router is to do at a place.
    ///
    /// # Errors
    /// A size that it does not take.
    pub fn new(router: Router, place: &Place) -> Result<Self, Error> {
        let refused = |why: String| Error::Refused {
            by: router.name(),
            why,
        };
        let nodes = place.setup().cube()?.nodes();
        let payload_bits = match place.operation {
            Operation::Transpose => submatrix_bits(place)?,
            _ => place.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS),
        };
        if !(1..=MOST_PAYLOAD_BITS).contains(&payload_bits) {
            return Err(refused(format!(
                "messages of {payload_bits} bits: it takes 1 to {MOST_PAYLOAD_BITS}"
            )));
        }
        router.machine(place.dims)?;
        let rounds = match place.operation {
            Operation::Transpose => Rounds::Pattern("transpose"),
            Operation::Inversion => Rounds::Pattern("bitcomp"),
            Operation::PermutedSend => Rounds::Pattern("randperm"),
            _ if nodes <= MOST_NODES => Rounds::EachXor(nodes),
            // Bit times of Algorithm 2 are the same for every permutation, so a few rounds tell all.
            _ if router != Router::DimensionOrder => Rounds::SomeXor(nodes),
            _ => {
                return Err(refused(format!(
                    "{nodes} nodes: what it takes depends on the permutation, so every round would have to be run; of \
                     {MOST_NODES} nodes at the most they are"
                )));
            }
        };
        Ok(Task {
            router,
            dims: place.dims,
            payload_bits,
            rounds,
            seed: place.seed,
        })
    }

    /// Rounds that are run.
    pub fn runs(&self) -> usize {
        self.rounds.numbers().len()
    }

    /// Runs one round.
    fn round(&self, number: usize, schedule: Option<&str>) -> Result<Facts, Error> {
        let mut words = self.router.machine(self.dims)?;
        let bits = match self.router {
            Router::Plain | Router::Fastest => "--payload-bits",
            Router::DimensionOrder => "--message-bits",
        };
        words.extend([bits.to_owned(), self.payload_bits.to_string()]);
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if let Some(schedule) = schedule {
            words.extend(["--schedule".to_owned(), schedule.to_owned()]);
        }
        let told = self.rounds.with_traffic(number, |traffic| {
            words.extend(traffic);
            beside::run(self.router.bench(), &words)
        })?;
        Facts::of(&told).ok_or_else(|| Error::Refused {
            by: self.router.name(),
            why: "its report does not say what it took".to_owned(),
        })
    }

    /// Does it.
    ///
    /// # Errors
    /// Whatever keeps a run from its end.
    pub fn run(&self) -> Result<Done, Error> {
        let numbers = self.rounds.numbers();
        let first = numbers.first().copied().unwrap_or_default();
        let mut fastest: Option<(u64, &'static str)> = None;
        let schedules = self.router.schedules();
        for &schedule in schedules.iter().filter(|_| schedules.len() > 1) {
            let bit_times = match self.round(first, Some(schedule)) {
                Ok(facts) => facts.bit_times,
                // Not every schedule is one of every size.
                Err(error) if error.concerns_one_point() => continue,
                Err(error) => return Err(error),
            };
            if fastest.is_none_or(|(least, _)| bit_times < least) {
                fastest = Some((bit_times, schedule));
            }
        }
        let schedule = fastest.map(|(_, schedule)| schedule);
        let schedule = schedule.or(schedules.first().copied());
        let mut each = Vec::with_capacity(numbers.len());
        for number in numbers {
            each.push(self.round(number, schedule)?);
        }
        Ok(Done {
            schedule,
            rounds: self.rounds.amount(),
            runs: each.len(),
            facts: Facts::total(&each, self.rounds.amount()),
        })
    }
}

#[cfg(test)]
mod tests;
