//! Routers that do what an algorithm does, though nothing is arranged beforehand: those of other testbenches, run as the command
//! line runs them, beside the algorithms of a sweep.
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
use crate::families::collectives::operations::algorithms;
use crate::families::collectives::parameters::{
    AGAINST, ALGORITHM, MESSAGE, cube, operation, smaller,
};
use crate::families::collectives::transpose;
use crate::measure::beside;
use crate::measure::duration::{self, Cost, Work};
use crate::measure::row::values;
use crate::measure::sweep::{Beside, Size, Told};
use crate::measure::timing::words;
use crate::report::Check;
use crate::testbench::chosen::{Chosen, Given};
use facts::Facts;
use rounds::Rounds;

/// The most bits of a message of either router.
const MOST_PAYLOAD_BITS: usize = 1 << 16;
/// The most nodes of which every round is run.
const MOST_NODES: usize = 64;
/// Schedules of Algorithm 2, the default one first.
const SCHEDULES: [&str; 5] = ["plain", "overlapped", "folded", "spread", "radix4"];
/// Levels that the networks of worms come in. One of n levels has n 2^n nodes.
const LEVELS: [usize; 4] = [2, 4, 8, 16];
/// Dimensions of samples, of which all routers have hypercubes.
const SAMPLE: usize = 6;
/// Bytes of a node, messages not counted.
const NODE_BYTES: usize = 4096;

/// A router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Router {
    /// Algorithm 2 by its default schedule.
    Plain,
    /// By that of its schedules that takes the fewest bit times.
    Fastest,
    /// Worms in dimension order: the one of its networks that is a hypercube whose worms go by the shortest ways.
    DimensionOrder,
}

/// Routers, by what each is called: first its testbench.
pub const ALL: [(&str, Router); 3] = [
    ("kuszmaul plain", Router::Plain),
    ("kuszmaul fastest", Router::Fastest),
    ("wormhole ecube", Router::DimensionOrder),
];

/// As a sweep measures them.
pub const BESIDE: Beside = Beside {
    named_by: &AGAINST,
    size: |chosen| Ok(Task::new(chosen)?.size(chosen)),
    cost: |chosen| {
        let task = Task::new(&smaller(chosen, SAMPLE))?;
        let sized = duration::seconds_a_bit_time(|| Ok(task.run()?.facts.bit_times))?;
        Ok(Cost { fixed: 0.0, sized })
    },
    run: |chosen| {
        let task = Task::new(chosen)?;
        Ok(task.told(chosen, &task.run()?))
    },
};

/// What a router is to do.
#[derive(Clone, Debug, PartialEq)]
struct Task {
    router: Router,
    dims: usize,
    /// Bits of a message.
    payload_bits: usize,
    rounds: Rounds,
    seed: u64,
}

/// What a router did.
#[derive(Clone, Debug, PartialEq)]
struct Done {
    /// The schedule, where it has such.
    schedule: Option<&'static str>,
    /// Rounds of them that were run.
    runs: usize,
    /// Of all rounds together.
    facts: Facts,
}

impl Router {
    /// What it is called.
    fn name(self) -> &'static str {
        let known = ALL.iter().find(|(_, router)| *router == self);
        known.map_or("", |(name, _)| name)
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
    fn messages_beside(self, rounds: usize) -> usize {
        match self {
            Router::Plain | Router::Fastest => rounds - 1,
            Router::DimensionOrder => rounds + 1,
        }
    }

    fn refused(self, why: String) -> Error {
        Error::Refused {
            by: self.name(),
            why,
        }
    }

    /// Its testbench, and its machine of so many dimensions with messages of so many bits, as options.
    ///
    /// # Errors
    /// Dimensions that its hypercubes do not have.
    fn machine(self, dims: usize, bits: usize) -> Result<(&'static str, String), Error> {
        if self != Router::DimensionOrder {
            let words = format!("--dims {dims} --threads 1 --payload-bits {bits}");
            return Ok(("kuszmaul", words));
        }
        let dimensions = |levels: usize| levels + levels.trailing_zeros() as usize;
        let fitting = LEVELS.into_iter();
        let mut fitting = fitting.filter(|levels| dimensions(*levels) == dims);
        let levels = fitting.next().ok_or_else(|| {
            let all = LEVELS.map(|levels| dimensions(levels).to_string());
            let all = all.join(", ");
            self.refused(format!(
                "its hypercubes have {all} dimensions, and none of them {dims}"
            ))
        })?;
        let words = format!("--network ecube --dims {levels} --message-bits {bits}");
        Ok(("wormhole", words))
    }
}

/// Bits of a node's submatrix.
fn submatrix_bits(chosen: &Chosen, (router, dims): (Router, usize)) -> Result<usize, Error> {
    if !dims.is_multiple_of(2) {
        return Err(router.refused(format!(
            "{dims} dimensions: nodes have submatrices only of an even number of dimensions"
        )));
    }
    let by_submatrices = algorithms(operation(chosen)).find(|one| one.stores_submatrices());
    let name = by_submatrices.map(|one| Given::Text(one.name().to_owned()));
    let shape = transpose::shape(&chosen.clone().with(&AGAINST, None).with(&ALGORITHM, name))?;
    Ok(shape.extent().message_bits)
}

impl Task {
    /// What a router is to do at a point.
    ///
    /// # Errors
    /// A size that it does not take.
    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let router: Router = chosen.named(&AGAINST, &ALL)?;
        let (cube, operation) = (cube(chosen)?, operation(chosen));
        let (dims, nodes) = (cube.count(), cube.nodes());
        let payload_bits = match operation {
            Operation::Transpose => submatrix_bits(chosen, (router, dims))?,
            _ => chosen.number(&MESSAGE),
        };
        if !(1..=MOST_PAYLOAD_BITS).contains(&payload_bits) {
            return Err(router.refused(format!(
                "messages of {payload_bits} bits: it takes 1 to {MOST_PAYLOAD_BITS}"
            )));
        }
        router.machine(dims, payload_bits)?;
        let rounds = match operation {
            Operation::Transpose => Rounds::Pattern("transpose"),
            Operation::Inversion => Rounds::Pattern("bitcomp"),
            Operation::PermutedSend => Rounds::Pattern("randperm"),
            _ if nodes <= MOST_NODES => Rounds::EachXor(nodes),
            // Bit times of Algorithm 2 are the same for every permutation, so a few rounds tell all.
            _ if router != Router::DimensionOrder => Rounds::SomeXor(nodes),
            _ => {
                return Err(router.refused(format!(
                    "{nodes} nodes: what it takes depends on the permutation, so every round would have to be run; of \
                     {MOST_NODES} nodes at the most they are"
                )));
            }
        };
        Ok(Task {
            router,
            dims,
            payload_bits,
            rounds,
            seed: chosen.seed(),
        })
    }

    /// How large it is: what is sent across each dimension, some times over, is its work.
    fn size(&self, chosen: &Chosen) -> Size {
        let (dims, nodes) = (self.dims, 1 << self.dims);
        let of_a_round = 3 * dims * (self.payload_bits + 7 * dims);
        let runs = self.rounds.numbers().len();
        Size {
            nodes,
            bytes: (nodes * (NODE_BYTES + self.payload_bits)) as u64,
            work: Work {
                bit_times: 0.0,
                sized: (runs * of_a_round) as f64 * words(chosen, nodes),
            },
        }
    }

    /// Runs one round.
    fn round(&self, number: usize, schedule: Option<&str>) -> Result<Facts, Error> {
        let (bench, machine) = self.router.machine(self.dims, self.payload_bits)?;
        let words = format!("{machine} --seed {}", self.seed);
        let words = words.split(' ').map(str::to_owned);
        let schedule = schedule.map(|schedule| ["--schedule".to_owned(), schedule.to_owned()]);
        let mut words: Vec<String> = words.chain(schedule.into_iter().flatten()).collect();
        let told = self.rounds.with_traffic(number, |traffic| {
            words.extend(traffic);
            beside::run(bench, &words)
        })?;
        Facts::of(&told).ok_or_else(|| {
            let why = "its report does not say what it took".to_owned();
            self.router.refused(why)
        })
    }

    /// Does it.
    ///
    /// # Errors
    /// Whatever keeps a run from its end.
    fn run(&self) -> Result<Done, Error> {
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
        let rounds = numbers.into_iter();
        let each = rounds.map(|number| self.round(number, schedule));
        let each = each.collect::<Result<Vec<Facts>, Error>>()?;
        Ok(Done {
            schedule,
            runs: each.len(),
            facts: Facts::total(&each, self.rounds.amount()),
        })
    }

    /// What rows have of it.
    fn told(&self, chosen: &Chosen, done: &Done) -> Told {
        let (facts, rounds, bits) = (&done.facts, self.rounds.amount(), self.payload_bits);
        let delivered = format!("{} of {} arrived", facts.delivered, facts.messages);
        let runs = "a run of the router says what did not hold of it";
        let alike = "rounds that are not run take as long as those that are";
        let checks = vec![
            Check::new("messages", facts.delivered == facts.messages, delivered),
            Check::new("rounds", facts.passed, runs),
            Check::new("alike", facts.are_alike || done.runs == rounds, alike),
        ];
        let is_matrix = operation(chosen) == Operation::Transpose;
        let beside = self.router.messages_beside(rounds) * bits;
        let values = values! {
            bench: chosen.bench().name,
            algorithm: self.router.name(),
            is_router: true,
            schedule: done.schedule,
            ports: "all",
            nodes: 1usize << self.dims,
            message_bits: bits,
            node_bits: is_matrix.then_some(bits),
            start_up: 0usize,
            seed: self.seed,
            messages: facts.messages,
            delivered: facts.delivered,
            rounds: rounds,
            rounds_run: done.runs,
            start_ups: rounds,
            bit_times: facts.bit_times,
            bit_times_formula: facts.bit_times_formula,
            wires_per_node: facts.wires_per_node,
            wire_use: facts.wire_use,
            storage_bits_per_node: facts.storage_bits,
            storage_with_messages: facts.storage_bits + beside as u64,
            peak_occupied_bits_per_node: facts.occupied_bits,
            logic_depth: facts.logic_depth,
        };
        (values.to_vec(), checks)
    }
}

#[cfg(test)]
mod tests;
