//! Routers that do what an algorithm does, though nothing is arranged beforehand: those of other testbenches, run as the command
//! line runs them, beside the algorithms of a sweep.
//!
//! | operation | what they are given |
//! |---|---|
//! | `all-to-all` | a permutation a round, one round after the other: in round r each node x sends to x xor r |
//! | `transpose` | the pattern `transpose`, a whole submatrix a message |
//! | `permuted-send` | the same random permutation |
//! | `inversion` | the pattern `bitcomp` |

mod rounds;

use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::collectives::operations::algorithms;
use crate::families::collectives::parameters::{
    AGAINST, ALGORITHM, MESSAGE, cube, operation, smaller,
};
use crate::families::collectives::transpose;
use crate::measure::beside::{self, Runs, have_worms};
use crate::measure::duration::{self, Cost, Work};
use crate::measure::row::values;
use crate::measure::sweep::{Beside, ReadBeside, Size, row_beside};
use crate::measure::timing::words;
use crate::report::{Check, Report};
use crate::testbench::chosen::{Chosen, Given};
use rounds::Rounds;

/// The most bits of a message of either router.
const MOST_PAYLOAD_BITS: usize = 1 << 16;
/// The most nodes of which every round is run.
const MOST_NODES: usize = 64;
/// Dimensions of samples, of which all routers have hypercubes.
const SAMPLE: usize = 6;
/// Bytes of a node, messages not counted.
const NODE_BYTES: usize = 4096;

/// A router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    name: &'static str,
    /// Schedules of Algorithm 2, of which the one that takes the fewest bit times is run; none of worms.
    schedules: &'static [&'static str],
}

/// Routers, by what each is called: first its testbench.
pub const ALL: [(&str, Router); 3] = [
    of("kuszmaul plain", &["plain"]),
    of(
        "kuszmaul fastest",
        &["plain", "overlapped", "folded", "spread", "radix4"],
    ),
    // Worms in dimension order: the one of their networks that is a hypercube in which they go by the shortest ways.
    of("wormhole ecube", &[]),
];

const fn of(name: &'static str, schedules: &'static [&'static str]) -> (&'static str, Router) {
    (name, Router { name, schedules })
}

/// As a sweep measures them.
pub const BESIDE: Beside = Beside {
    named_by: &AGAINST,
    size: |chosen| Ok(Task::new(chosen)?.size(chosen)),
    cost: |chosen| {
        let task = Task::new(&smaller(chosen, SAMPLE))?;
        let bit_times = || Ok(task.run()?.bit_times());
        let sized = duration::seconds_a_bit_time(bit_times)?;
        Ok(Cost { fixed: 0.0, sized })
    },
    run: |chosen| {
        let task = Task::new(chosen)?;
        Ok(row_beside(chosen, &task.told(chosen, &task.run()?)))
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
struct Done {
    /// The schedule, where it has such.
    schedule: Option<&'static str>,
    /// Rounds, one after the other.
    rounds: usize,
    /// What those of them report that were run, each of which stands for as many.
    runs: Runs,
}

impl Router {
    fn has_worms(self) -> bool {
        self.schedules.is_empty()
    }

    /// Messages beside its registers: of a node that has so many, those that wait or have come while it routes one. A worm has
    /// none of its bits in registers for long, and another may have come before it has gone.
    fn messages_beside(self, rounds: usize) -> usize {
        match self.has_worms() {
            true => rounds + 1,
            false => rounds - 1,
        }
    }

    fn refused(self, why: String) -> Error {
        not_by(self.name, why)
    }

    /// Its testbench, and its machine of so many dimensions with messages of so many bits, as options.
    ///
    /// # Errors
    /// Dimensions that its hypercubes do not have.
    fn machine(self, dims: usize, bits: usize) -> Result<(&'static str, String), Error> {
        if !self.has_worms() {
            let words = format!("--dims {dims} --threads 1 --payload-bits {bits}");
            return Ok(("kuszmaul", words));
        }
        have_worms(self.name, dims)?;
        let words = format!("--network hypercube --dims {dims} --message-bits {bits}");
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
            _ if !router.has_worms() => Rounds::SomeXor(nodes),
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
    fn round(&self, number: usize, schedule: Option<&str>) -> Result<Report, Error> {
        let (bench, machine) = self.router.machine(self.dims, self.payload_bits)?;
        let schedule = schedule.map_or(String::new(), |name| format!(" --schedule {name}"));
        let words = format!("{machine} --seed {}{schedule}", self.seed);
        let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        self.rounds.with_traffic(number, |traffic| {
            words.extend(traffic);
            beside::run(bench, &words)
        })
    }

    /// Does it.
    ///
    /// # Errors
    /// Whatever keeps a run from its end.
    fn run(&self) -> Result<Done, Error> {
        let numbers = self.rounds.numbers();
        let first = numbers.first().copied().unwrap_or_default();
        let schedules = self.router.schedules;
        let mut fastest = schedules.first().map(|schedule| (u64::MAX, *schedule));
        for &schedule in schedules.iter().filter(|_| schedules.len() > 1) {
            let bit_times = match self.round(first, Some(schedule)) {
                Ok(report) => report.bit_times,
                // Not every schedule is one of every size.
                Err(error) if error.concerns_one_point() => continue,
                Err(error) => return Err(error),
            };
            if fastest.is_none_or(|(least, _)| bit_times < least) {
                fastest = Some((bit_times, schedule));
            }
        }
        let schedule = fastest.map(|(_, schedule)| schedule);
        let runs = numbers.into_iter();
        let runs = runs.map(|number| self.round(number, schedule));
        Ok(Done {
            schedule,
            rounds: self.rounds.amount(),
            runs: Runs(runs.collect::<Result<_, Error>>()?),
        })
    }

    /// What rows have of it.
    fn told(&self, chosen: &Chosen, done: &Done) -> ReadBeside {
        let (rounds, runs, bits) = (done.rounds, done.runs.0.len(), self.payload_bits);
        let messages = done.sum(|run| Some(run.messages as u64));
        let delivered = done.sum(|run| Some(run.delivered as u64));
        let storage = done.runs.storage();
        let beside = self.router.messages_beside(rounds) * bits;
        let is_matrix = operation(chosen) == Operation::Transpose;
        let values = values! {
            bench: chosen.bench().name,
            algorithm: self.router.name,
            is_router: true,
            schedule: done.schedule,
            ports: "all",
            nodes: 1usize << self.dims,
            message_bits: bits,
            node_bits: is_matrix.then_some(bits),
            start_up: 0usize,
            seed: self.seed,
            messages: messages,
            delivered: delivered,
            rounds: rounds,
            rounds_run: runs,
            start_ups: rounds,
            bit_times: done.bit_times(),
            bit_times_formula: done.of_all(done.runs.bit_times_formula()),
            bit_times_text: done.runs.bit_times_text(rounds),
            wires_per_node: done.runs.wires_per_node(),
            wire_use: done.runs.wire_use(),
            storage_bits_per_node: storage,
            storage_with_messages: storage.map(|storage| storage + beside as u64),
            peak_occupied_bits_per_node: done.runs.occupied(),
            logic_depth: done.runs.logic_depth(),
        };
        let arrived = [delivered, messages].map(|amount| amount.unwrap_or_default());
        let [delivered, messages] = arrived;
        let arrived = format!("{delivered} of {messages} arrived");
        let hold = "a run of the router says what did not hold of it";
        let alike = "rounds that are not run take as long as those that are";
        let checks = vec![
            Check::new("messages", delivered == messages, arrived),
            Check::new("rounds", done.runs.passed(), hold),
            Check::new("alike", runs == rounds || done.are_alike(), alike),
        ];
        (values.to_vec(), checks)
    }
}

impl Done {
    /// What those that were run have together, of all rounds.
    fn of_all(&self, of_runs: Option<u64>) -> Option<u64> {
        Some(of_runs? * self.rounds as u64 / self.runs.0.len() as u64)
    }

    fn sum(&self, of: fn(&Report) -> Option<u64>) -> Option<u64> {
        self.of_all(self.runs.sum(of))
    }

    fn bit_times(&self) -> u64 {
        self.sum(|run| Some(run.bit_times)).unwrap_or_default()
    }

    /// Whether rounds that were run took as many bit times.
    fn are_alike(&self) -> bool {
        let mut pairs = self.runs.0.windows(2);
        pairs.all(|pair| pair[0].bit_times == pair[1].bit_times)
    }
}

#[cfg(test)]
mod tests;
