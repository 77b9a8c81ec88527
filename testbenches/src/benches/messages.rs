//! What the testbenches of message routers share: load, run, compare, report.

use rtl_model::fabric::Fabric;
use rtl_model::host::Field;
use rtl_model::lanes::Lanes;
use rtl_model::router::{ClosedForm, MessageRouter};
use rtl_model::traffic::{ByDestination, Traffic, file};

use crate::benches::rounds::{Carries, Later};
use crate::benches::{Beside, Facts, Requirement, Testbench, report, require_memory, simulate};
use crate::catalogue::{Bench, Schedule};
use crate::deliveries;
use crate::error::Error;
use crate::lanes::{WithLanes, in_lanes};
use crate::options::{RunOptions, Setup};
use crate::output::Staged;
use crate::progress::Stage;
use crate::report::{Check, Report};
use crate::scoreboard::{self, Arrivals, Identification, Score};
use crate::wave::Wave;

/// A message router and its traffic.
pub(super) struct MessageBench<'a, R> {
    pub bench: Bench,
    pub router: R,
    pub setup: &'a Setup,
    pub schedule: Option<Schedule>,
    /// What the report calls the traffic.
    pub traffic_name: String,
    pub traffic: Traffic,
    /// The nodes to trace where none are named.
    pub interesting: fn(&Traffic) -> Vec<usize>,
    pub storage_bound: Option<ClosedForm>,
}

/// Of a run: beside the machine, what is sent, what arrived, and, if that is not the same, who expects which message.
pub(super) fn requirement<R: MessageRouter>(router: &R) -> Requirement {
    let (nodes, payload_bits) = (router.dimensions(), router.payload_bits());
    let before = Traffic::drawing_bytes(nodes, payload_bits);
    let before = before.max(file::reading_bytes(nodes, payload_bits));
    let beside = Traffic::bytes(nodes, payload_bits)
        + Arrivals::bytes(nodes, payload_bits)
        + ByDestination::bytes(nodes);
    Requirement::of(router, Beside { before, beside })
}

/// Refuses a size that would not fit, before its traffic is drawn.
pub(super) fn require_room<R: MessageRouter>(router: &R) -> Result<(), Error> {
    require_memory(router, requirement(router))
}

impl<R> MessageBench<'_, R> {
    /// What its router carries.
    fn carries(&self) -> Carries {
        match (self.bench, self.schedule) {
            (Bench::Packing, _) => Carries::Contractions,
            (_, Some(schedule)) if schedule.is_full_only() => Carries::Full,
            _ => Carries::Partial,
        }
    }
}

impl<R: MessageRouter + Copy> Testbench for MessageBench<'_, R> {
    type Router = R;

    fn router(&self) -> R {
        self.router
    }

    fn schedule(&self) -> Option<Schedule> {
        self.schedule
    }

    fn load<B: Lanes>(&self, fabric: &mut Fabric<R, B>) {
        scoreboard::load(fabric, 0, &self.traffic);
    }

    fn traffic_file(&self) -> String {
        let rows = self.traffic.messages().iter().enumerate();
        let rows = rows.map(|(index, message)| {
            let payload = deliveries::hexadecimal(self.traffic.payload(index));
            format!("{},{},{payload}\n", message.source, message.destination)
        });
        String::from("source,destination,payload\n") + &rows.collect::<String>()
    }

    /// A message is for one node, which then holds its payload; the others hold no message.
    fn expected(&self) -> impl Fn(usize, Field, usize) -> Option<bool> {
        let mut for_node = vec![None; self.router.dimensions().nodes()];
        for (index, message) in self.traffic.messages().iter().enumerate() {
            for_node[message.destination] = Some(index);
        }
        move |node, field, bit| match field {
            Field::Valid => Some(for_node[node].is_some()),
            _ => for_node[node].map(|index| self.traffic.payload(index)[bit]),
        }
    }

    fn later(&self, round: usize) -> Result<(Self, String), Error> {
        let later = Later::of(round, self.carries(), self.setup.seed);
        let traffic = later.traffic(self.router.dimensions(), self.router.payload_bits())?;
        let name = later.name();
        let bench = MessageBench {
            traffic_name: name.clone(),
            traffic,
            storage_bound: self.storage_bound.clone(),
            ..*self
        };
        Ok((bench, name))
    }

    fn interesting(&self) -> Vec<usize> {
        (self.interesting)(&self.traffic)
    }

    fn run(self, options: &RunOptions) -> Result<Report, Error> {
        let mut staging = options.staging()?;
        let interesting = || self.interesting();
        let wave = Wave::plan(options, &mut staging, &self.router, interesting)?;
        let deliveries = match &options.deliveries {
            Some(path) => Some(staging.create_text(path, "the deliveries")?),
            None => None,
        };
        in_lanes(
            self.router.dimensions().count(),
            InLanes {
                options,
                bench: self,
                wave,
                deliveries,
            },
        )
    }
}

struct InLanes<'a, R> {
    bench: MessageBench<'a, R>,
    wave: Option<Wave>,
    deliveries: Option<Staged>,
    options: &'a RunOptions,
}

impl<R: MessageRouter + Copy> WithLanes for InLanes<'_, R> {
    type Output = Result<Report, Error>;

    fn run<B: Lanes>(self) -> Result<Report, Error> {
        let run = self.bench;
        let mut fabric = Fabric::<R, B>::new(run.router, 1)?;
        let stage = |of: usize, template| Stage::new(of as u64, template, self.options.quiet);
        let groups = fabric.groups();
        if self.wave.is_some() {
            // A run that is watched ticks nodes.
            fabric.node_groups_mut();
        }
        let mut loading = stage(groups, "{wide_bar} loading, {percent} %");
        scoreboard::load_all(&mut fabric, &run.traffic, |group| loading.passed(group))?;
        drop(loading);
        let messages = run.traffic.messages().len();
        let (measurement, mut outputs) =
            simulate(&mut fabric, messages, (self.wave, self.options))?;
        let mut reading = stage(groups, "{wide_bar} unloading, {percent} %");
        let arrivals = Arrivals::read_all(&fabric, |group| reading.passed(group))?;
        drop((reading, fabric));
        let mut scoring = stage(messages, "{wide_bar} comparing, {percent} %");
        let score = Score::of(&run.traffic, &arrivals, |index| scoring.passed(index))?;
        drop(scoring);
        if let Some(output) = self.deliveries {
            outputs.deliveries = Some(output.path().display().to_string());
            let identification = Identification::new(&run.traffic);
            deliveries::write(output, &arrivals, identification, measurement.bit_times)?;
        }
        let facts = Facts {
            bench: run.bench,
            schedule: run.schedule,
            payload_bits: run.router.payload_bits(),
            traffic: run.traffic_name,
            load: run.setup.load(),
            seed: run.setup.seed,
            messages: score.messages,
            delivered: score.delivered,
            storage_bound: run.storage_bound,
            bytes: requirement(&run.router).bytes,
            checks: vec![delivered(&score, run.traffic.payloads_are_distinct())],
        };
        report(&run.router, facts, measurement, outputs)
    }
}

fn delivered(score: &Score, payloads_are_distinct: bool) -> Check {
    let all = score.delivered == score.messages && score.wrong == 0;
    let mut detail = match &score.first_fault {
        None => format!(
            "{} of {}, each once and whole",
            score.delivered, score.messages
        ),
        Some(fault) => format!(
            "{} of {}, {} wrong; first: {fault}",
            score.delivered, score.messages, score.wrong
        ),
    };
    if !payloads_are_distinct {
        detail += " (some payloads are alike: such messages cannot be told from each other)";
    }
    Check::new("delivered", all, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_missing_or_wrong_fails_the_check() {
        let score = |delivered, wrong, fault: Option<&str>| Score {
            messages: 3,
            delivered,
            wrong,
            first_fault: fault.map(str::to_owned),
        };
        assert!(delivered(&score(3, 0, None), true).passed);
        let missing = delivered(&score(2, 0, Some("it is gone")), true);
        assert!(!missing.passed);
        assert_eq!(missing.detail, "2 of 3, 0 wrong; first: it is gone");
        assert!(!delivered(&score(3, 1, Some("a stranger")), true).passed);
        assert!(
            delivered(&score(3, 0, None), false)
                .detail
                .contains("alike")
        );
    }
}
