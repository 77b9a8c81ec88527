//! A point of a search: a machine, of which the worst traffic is looked for, written as a file, and run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hosts::side_by_side::{Meter, SideBySide};
use rtl_model::traffic::Nodes;

use crate::error::Error;
use crate::error::refusal::{Refusal, unwritable};
use crate::lockstep::parameters::{LOAD, schedule};
use crate::lockstep::schedule::Schedule;
use crate::measure::GridPoint;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;
use crate::measure::sweep::Point;
use crate::output::Staged;
use crate::report::{Date, Meta};
use crate::search::SearchOptions;
use crate::search::by_lanes::ByLanes;
use crate::search::by_runs::{self, ByRuns, with_file};
use crate::search::climb::{Budget, Found, Judge, search};
use crate::search::entries;
use crate::search::sought::Sought;
use crate::search::space::{Space, Traffics};
use crate::testbench::bench::AnyMachine;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter};

/// A point.
#[derive(Clone)]
pub struct SearchPoint {
    /// The machine.
    pub point: Point,
    sought: Sought,
    space: Space,
    /// Machines side by side serve, by this meter.
    meter: Option<Meter>,
    /// What takes the traffic.
    file: &'static Parameter,
    tries: u64,
    time: Option<Duration>,
    /// The folder of the file.
    out: PathBuf,
    /// Where the traffic is to be written, once that is planned.
    written: Arc<Mutex<Option<Staged>>>,
    tried: Arc<AtomicU64>,
}

impl SearchPoint {
    /// Of a point of a sweep.
    ///
    /// # Errors
    /// A testbench whose traffic cannot be searched; a reading that it does not have.
    pub fn new(mut point: Point, options: &SearchOptions) -> Result<Self, Error> {
        let bench = point.chosen.bench();
        let file = bench.parameter("traffic_file");
        let (Some(traffics), Some(file)) = (bench.searched(), file) else {
            return Err(Refusal::of(format!("no traffic of testbench {} can be searched", bench.name))
                .because("who sends what to whom is fixed by the operation, or is not told by a traffic file")
                .into());
        };
        for name in file.conflicts {
            if let Some(other) = bench.parameter(name)
                && matches!(other.kind, Kind::Name(..))
                && point.chosen.has(other)
            {
                return Err(Refusal::of(other.option)
                    .because("a search begins at all patterns, and goes on to any other traffic")
                    .instead("leave it out; --load says how many nodes send")
                    .into());
            }
        }
        // Sweeps of several messages a node say that all nodes send where nobody says it; here any number may.
        if let Some(load) = bench.parameter(LOAD.name)
            && traffics != Traffics::Permutation
            && point.chosen.share(load) == Some(1.0)
        {
            point.chosen.set(load, None);
        }
        let sought = Sought::named(bench, &options.maximise)?;
        let takes_full = schedule(&point.chosen)?.is_some_and(Schedule::is_full_only);
        let nodes = Nodes::new(point.nodes())?;
        let space = Space::new(traffics, nodes, &point.chosen, takes_full);
        let is_in_lockstep = (bench.job)(&point.chosen)?.machine().is_in_lockstep();
        // Which messages of a relation go together is found anew for each.
        let has_slots = !matches!(traffics, Traffics::Relation(_));
        let meter = sought.meter.filter(|_| is_in_lockstep && has_slots);
        if options.tries == Some(0) {
            return Err(Refusal::of("--tries")
                .because("0 tries find nothing")
                .instead("give 1 or more")
                .into());
        }
        let tries = options.tries;
        Ok(SearchPoint {
            tries: tries.unwrap_or_else(|| default_tries(space.size(), meter.is_some())),
            time: options.seconds.map(Duration::from_secs),
            out: options.out.clone(),
            written: Arc::default(),
            tried: Arc::default(),
            sought,
            space,
            meter,
            file,
            point,
        })
    }

    /// What is to be as large as can be.
    pub fn reading(&self) -> &'static str {
        self.sought.reading
    }

    /// Where its traffic is written.
    pub fn path(&self) -> PathBuf {
        let bench = self.point.chosen.bench().name;
        let name = [&self.name(), self.sought.reading].join(" ");
        let file = match name.starts_with(bench) {
            true => format!("worst-{}.csv", in_words(&name)),
            false => format!("worst-{bench}-{}.csv", in_words(&name)),
        };
        match self.out == Path::new(".") {
            true => file.into(),
            false => self.out.join(file),
        }
    }

    /// The file in which its traffic is to be written, which is begun.
    pub fn write_to(&self, file: Staged) {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
    }

    /// What is run in the end.
    fn worst(&self) -> Chosen {
        with_file(&self.point.chosen, self.file, self.path())
    }

    fn search(&self) -> Result<Found, Error> {
        let (space, chosen) = (&self.space, &self.point.chosen);
        let tell = |tried| self.tried.store(tried, Ordering::Relaxed);
        let budget = Budget {
            tries: self.tries,
            // What is beyond all time is no limit.
            until: self.time.and_then(|time| Instant::now().checked_add(time)),
            passed: &tell,
        };
        let job = (chosen.bench().job)(chosen)?;
        let mut judge: Box<dyn Judge> = match (job.machine(), self.meter) {
            (AnyMachine::Lockstep(device), Some(meter)) => {
                let payload_bits = chosen.bench().parameter("payload_bits");
                let payload_bits = payload_bits.map_or(1, |bits| chosen.number(bits));
                let machines =
                    SideBySide::new(device, (space.layers(), payload_bits), chosen.seed())?;
                Box::new(ByLanes { machines, meter })
            }
            _ => Box::new(ByRuns::new(space, chosen, self.file, self.sought.reading)?),
        };
        search(space, &mut *judge, &budget, chosen.seed())
    }

    fn write(&self, text: &str) -> Result<(), Error> {
        let file = self
            .written
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(mut file) = file else {
            return Ok(());
        };
        file.write_all(text.as_bytes())
            .map_err(unwritable(&self.path()))?;
        file.commit().map(drop)
    }
}

/// Traffics that are tried as long say how long all of them take.
const TIME_TO_COST: Duration = Duration::from_millis(100);

/// As many traffics as are tried where nobody says how many: all of them, if there are no more than take some seconds.
fn default_tries(size: f64, are_side_by_side: bool) -> u64 {
    let (all, else_so_many) = match are_side_by_side {
        true => (1_500_000, 50_000),
        false => (2000, 2000),
    };
    match size <= f64::from(all) {
        true => size as u64,
        false => else_so_many,
    }
}

/// A name as part of that of a file.
fn in_words(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

impl GridPoint for SearchPoint {
    /// Without what a file of traffic stands in the place of, where nobody has given it.
    fn coordinates(&self) -> Vec<Coordinate> {
        let chosen = &self.point.chosen;
        let is_displaced = |axis: &str| {
            let found = self.file.conflicts.iter().find(|name| **name == axis);
            let parameter = found.and_then(|name| chosen.bench().parameter(name));
            parameter.is_some_and(|parameter| !chosen.has(parameter))
        };
        let mut coordinates = self.point.coordinates();
        coordinates.retain(|one| !is_displaced(one.axis));
        coordinates
    }

    fn with_seed(&self, seed: u64) -> Self {
        SearchPoint {
            point: self.point.with_seed(seed),
            written: Arc::default(),
            tried: Arc::default(),
            ..self.clone()
        }
    }

    fn nodes(&self) -> usize {
        self.point.nodes()
    }

    fn bytes(&self) -> u64 {
        self.point.bytes() + self.space.bytes()
    }

    fn work(&self) -> Work {
        let Work { bit_times, sized } = self.point.work();
        let tries = match self.time {
            None => self.tries as f64,
            Some(_) => 1.0,
        };
        Work {
            bit_times: bit_times * tries,
            sized: sized * tries,
        }
    }

    /// Each point by itself: how many machines stand side by side differs.
    fn kind_of_work(&self) -> String {
        self.point.name()
    }

    /// Of a few tries, side by side as they will be.
    fn cost(&self) -> Result<Cost, Error> {
        let mut few = self.clone();
        few.time = Some(TIME_TO_COST);
        let begin = Instant::now();
        let tried = few.search()?.tried;
        let a_try = begin.elapsed().as_secs_f64() / tried as f64;
        Ok(Cost {
            fixed: 0.0,
            sized: a_try / self.point.work().sized,
        })
    }

    fn done(&self) -> f64 {
        self.tried.load(Ordering::Relaxed) as f64 / self.tries as f64
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.path())
    }

    fn meta(&self, date: Date) -> Meta {
        let mut worst = self.point.clone();
        worst.chosen = self.worst();
        worst.meta(date)
    }

    fn run(&self) -> Result<Row, Error> {
        let found = self.search()?;
        if found.value == f64::NEG_INFINITY {
            return Err(Refusal::of(format!("--maximise {}", self.sought.reading))
                .because("runs of this point have no number there")
                .into());
        }
        self.write(&self.space.file(&found.candidate))?;
        let mut row = by_runs::row(&self.worst())?;
        for name in self.file.conflicts {
            let given = self.point.chosen.bench().parameter(name);
            let share = given.filter(|given| self.point.chosen.has(given));
            if let Some(share) = share {
                row.set(share.in_rows(), self.point.chosen.share(share));
            }
        }
        Ok(entries::put(row, &self.sought, &found, &self.path()))
    }
}
