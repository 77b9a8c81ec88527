//! What is measured, round by round: everything once in each, so that all of it sees the same machine.

use std::collections::BTreeMap;

use rtl_model::machine::instructions::Instructions;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::folded::FoldedRouter;
use rtl_model::routers::kuszmaul::overlapped::OverlappedRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::routers::kuszmaul::radix4::Radix4Router;
use rtl_model::routers::kuszmaul::spread::SpreadRouter;
use rtl_model::routers::sorting::bitonic::BitonicRouter;
use rtl_model::routers::sorting::radix::RadixRouter;

use crate::machine::{self, Kernel};
use crate::prearranged::Prearranged;
use crate::subject::{Facts, Subject, subject};
use crate::worms::Worms;

/// The router of most tables.
pub const PLAIN: &str = "plain";

type Make = fn(usize) -> Result<Box<dyn Subject>, rtl_model::error::Error>;

/// All routers, by what they are called.
pub const ROUTERS: [(&str, Make); 9] = [
    ("enumeration", subject::<EnumerationRouter>),
    ("packing", subject::<PackingRouter>),
    (PLAIN, subject::<PlainRouter>),
    ("overlapped", subject::<OverlappedRouter>),
    ("folded", subject::<FoldedRouter>),
    ("spread", subject::<SpreadRouter>),
    ("radix4", subject::<Radix4Router>),
    ("bitonic", subject::<BitonicRouter>),
    ("radix", subject::<RadixRouter>),
];

/// What is to be measured.
pub struct Plan {
    /// Sizes of `plain`.
    pub plain: Vec<usize>,
    /// Those with portable instructions as well.
    pub portable: Vec<usize>,
    /// Those on several threads as well.
    pub threaded: Vec<usize>,
    /// Those that are held against the machine's memory.
    pub memory: Vec<usize>,
    /// Sizes of all routers.
    pub all: Vec<usize>,
    /// Levels of cube-connected cycles with worms.
    pub levels: Vec<usize>,
    /// The most dimensions of prearranged operations.
    pub prearranged: usize,
    /// The two sizes whose costs are compared.
    pub compared: (usize, usize),
    /// Bytes of the arrays that each thread copies; the last are beyond any cache.
    pub copies: Vec<usize>,
    /// Threads.
    pub threads: usize,
    rounds: u32,
}

impl Plan {
    /// The usual one, or that of a quick look; with the largest cube or without.
    pub fn new(quick: bool, large: bool, rounds: Option<u32>, threads: usize) -> Self {
        let kibibytes = |sizes: &[usize]| sizes.iter().map(|size| size << 10).collect();
        let mut plan = match quick {
            true => Plan {
                plain: vec![6, 8, 10, 12, 14, 16, 18],
                portable: vec![8, 12],
                threaded: vec![18],
                memory: vec![18],
                all: vec![10],
                levels: vec![8],
                prearranged: 8,
                compared: (12, 18),
                copies: kibibytes(&[16, 256, 64 << 10]),
                threads,
                rounds: 3,
            },
            false => Plan {
                plain: (6..=22).step_by(2).collect(),
                portable: vec![8, 12, 16, 20],
                threaded: vec![18, 20, 22],
                memory: vec![20, 22],
                all: vec![10, 16, 20],
                levels: vec![8, 12],
                prearranged: 14,
                compared: (12, 20),
                copies: kibibytes(&[16, 256, 4 << 10, 16 << 10, 256 << 10]),
                threads,
                rounds: 5,
            },
        };
        if large {
            for sizes in [&mut plan.plain, &mut plan.threaded, &mut plan.memory] {
                sizes.push(24);
            }
        }
        plan.rounds = rounds.unwrap_or(plan.rounds);
        plan
    }

    /// Bytes beyond any cache.
    pub fn largest_copy(&self) -> usize {
        self.copies.last().copied().unwrap_or(0)
    }

    fn series(&self) -> Vec<Series> {
        let plain = |k: usize, instructions, threads| Series {
            router: PLAIN,
            k,
            instructions,
            threads,
        };
        let widest = Instructions::widest();
        let mut series: Vec<Series> = Vec::new();
        series.extend(self.plain.iter().map(|&k| plain(k, widest, 1)));
        series.extend(
            self.threaded
                .iter()
                .map(|&k| plain(k, widest, self.threads)),
        );
        series.extend(
            self.portable
                .iter()
                .map(|&k| plain(k, Instructions::Portable, 1)),
        );
        for &k in &self.all {
            let others = ROUTERS.iter().filter(|(router, _)| *router != PLAIN);
            series.extend(others.map(|&(router, _)| Series {
                router,
                ..plain(k, widest, 1)
            }));
        }
        series
    }
}

/// A machine, and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Series {
    /// Its router.
    pub router: &'static str,
    /// `k`.
    pub k: usize,
    /// With these.
    pub instructions: Instructions,
    /// On so many.
    pub threads: usize,
}

/// Samples, of which the median counts.
#[derive(Clone, Debug, Default)]
pub struct Samples(pub Vec<f64>);

impl Samples {
    /// It; of an even number, the middle of two.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match (sorted.get(middle.wrapping_sub(1)), sorted.get(middle)) {
            (Some(low), Some(high)) if sorted.len().is_multiple_of(2) => f64::midpoint(*low, *high),
            (_, middle) => middle.copied().unwrap_or(f64::NAN),
        }
    }
}

/// What was measured.
#[derive(Default)]
pub struct Measured {
    store: Samples,
    bandwidth: BTreeMap<(&'static str, usize, usize), Samples>,
    runs: BTreeMap<Series, Samples>,
    laying_out: BTreeMap<usize, Samples>,
    facts: BTreeMap<(&'static str, usize), Facts>,
    /// Wormhole machines.
    pub worms: Vec<Worms>,
    /// Machines of prearranged operations.
    pub prearranged: Vec<Prearranged>,
}

/// Small machines are run again and again until so many seconds have passed, but not for ever.
const SECONDS_OF_A_SAMPLE: f64 = 0.02;
const RUNS_OF_A_SAMPLE: usize = 32;
/// Bytes that a kernel goes through at the least.
const BYTES_OF_A_SAMPLE: usize = 256 << 20;
/// So often is the store kernel run.
const STORE_TIMES: usize = 40_000;

impl Measured {
    /// Measures; `tell` is told what is being done.
    ///
    /// # Errors
    /// A size that does not fit; a run that did not end as it ought to.
    pub fn all(plan: &Plan, tell: impl Fn(&str)) -> Result<Self, Box<dyn std::error::Error>> {
        let mut measured = Measured {
            worms: Worms::all(&plan.levels)?,
            prearranged: Prearranged::all(plan.prearranged)?,
            ..Measured::default()
        };
        let mut subjects = BTreeMap::new();
        let series = plan.series();
        for &Series { router, k, .. } in &series {
            let make = ROUTERS.iter().find(|(name, _)| *name == router);
            if let (Some((_, make)), false) = (make, subjects.contains_key(&(router, k))) {
                tell(&format!("program of {router}, k={k}"));
                let subject = make(k)?;
                measured.facts.insert((router, k), subject.facts());
                subjects.insert((router, k), subject);
            }
        }
        for round in 1..=plan.rounds {
            tell(&format!("round {round} of {}: the machine", plan.rounds));
            measured.measure_machine(plan);
            for &one in &series {
                let Series { router, k, .. } = one;
                let Some(subject) = subjects.get_mut(&(router, k)) else {
                    continue;
                };
                tell(&format!(
                    "round {round} of {}: {router}, k={k}, {}, threads: {}",
                    plan.rounds,
                    one.instructions.name(),
                    one.threads
                ));
                let runs = measured.runs.entry(one).or_default();
                runs.0.push(sample(&mut **subject, one, round == 1)?);
                if router == PLAIN && one.threads == 1 {
                    let laying_out = measured.laying_out.entry(k).or_default();
                    laying_out.0.push(subject.laying_out()?);
                }
            }
            tell(&format!("round {round} of {}: worms", plan.rounds));
            measured.worms.iter_mut().try_for_each(Worms::measure)?;
            tell(&format!("round {round} of {}: prearranged", plan.rounds));
            (measured.prearranged.iter_mut()).try_for_each(Prearranged::measure)?;
        }
        Ok(measured)
    }

    fn measure_machine(&mut self, plan: &Plan) {
        self.store.0.push(machine::store_nanoseconds(STORE_TIMES));
        for kernel in [Kernel::Copy, Kernel::Triad] {
            for &bytes in &plan.copies {
                for threads in [1, plan.threads] {
                    let at = (kernel.name(), bytes, threads);
                    let bandwidth = machine::bandwidth(kernel, bytes, threads, BYTES_OF_A_SAMPLE);
                    self.bandwidth.entry(at).or_default().0.push(bandwidth);
                }
            }
        }
    }

    /// Nanoseconds of a store of 32 bytes.
    pub fn store(&self) -> f64 {
        self.store.median()
    }

    /// Bytes a second that a kernel reads and writes.
    pub fn bandwidth(&self, kernel: Kernel, bytes: usize, threads: usize) -> f64 {
        let samples = self.bandwidth.get(&(kernel.name(), bytes, threads));
        samples.map_or(f64::NAN, Samples::median)
    }

    /// Seconds of a run.
    pub fn seconds(&self, series: Series) -> f64 {
        self.runs.get(&series).map_or(f64::NAN, Samples::median)
    }

    /// Seconds of a run of `plain`.
    pub fn plain(&self, k: usize, threads: usize) -> f64 {
        self.seconds(Series {
            router: PLAIN,
            k,
            instructions: Instructions::widest(),
            threads,
        })
    }

    /// Seconds of laying `plain` out in planes.
    pub fn laying_out(&self, k: usize) -> f64 {
        self.laying_out.get(&k).map_or(f64::NAN, Samples::median)
    }

    /// What is known of a machine.
    pub fn facts(&self, router: &'static str, k: usize) -> Option<&Facts> {
        self.facts.get(&(router, k))
    }
}

/// The median of a few runs.
fn sample(
    subject: &mut dyn Subject,
    series: Series,
    looks: bool,
) -> Result<f64, Box<dyn std::error::Error>> {
    let mut seconds = Samples::default();
    let mut spent = 0.0;
    while seconds.0.is_empty()
        || (spent < SECONDS_OF_A_SAMPLE && seconds.0.len() < RUNS_OF_A_SAMPLE)
    {
        let looks = looks && seconds.0.is_empty();
        let run = subject.run(series.instructions, series.threads, looks)?;
        let run = run.ok_or_else(|| {
            format!(
                "{} of {} dimensions did not deliver what was sent: this is a defect, and its figures are worth nothing",
                series.router, series.k
            )
        })?;
        spent += run;
        seconds.0.push(run);
    }
    Ok(seconds.median())
}
