//! The testbenches, a file each, and what they share.

pub mod enumeration;
pub mod messages;
pub mod packing;
pub mod permutation;
mod rounds;

use rtl_model::fabric::Fabric;
use rtl_model::host::Field;
use rtl_model::lanes::Lanes;
use rtl_model::memory;
use rtl_model::program::Program;
use rtl_model::router::{ClosedForm, Router};
use rtl_model::topology::hypercube::Dimensions;

use crate::catalogue::{Bench, Schedule};
use crate::depth::logic_depth;
use crate::error::Error;
use crate::interrupt;
use crate::lanes::{WithLanes, in_lanes};
use crate::options::{RunOptions, Setup};
use crate::progress::UnderWay;
use crate::report::{Check, Outputs, Peak, Report, StepReport, StorageBits, Topology};
use crate::simulation::{self, Measurement};
use crate::wave::Wave;

/// Runs a testbench.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(bench: Bench, options: &RunOptions) -> Result<Report, Error> {
    struct Run<'a>(&'a RunOptions, UnderWay);
    impl Task for Run<'_> {
        type Output = Report;
        fn perform<T: Testbench>(self, testbench: T) -> Result<Report, Error> {
            let Run(options, drawing) = self;
            drop(drawing);
            interrupt::check()?;
            testbench.run(options)
        }
    }
    options.threads()?;
    if options.injection.offered_load.is_some() {
        return Err(Error::NotApplicable {
            bench: bench.name(),
            option: "--offered-load",
            why: "all its messages are there at bit time 0",
        });
    }
    if let (Bench::Enumeration, Some(_)) = (bench, &options.deliveries) {
        return Err(Error::NotApplicable {
            bench: bench.name(),
            option: "--deliveries",
            why: "nodes are counted and no message is sent",
        });
    }
    let drawing = UnderWay::new("drawing the traffic", options.quiet);
    set_up(bench, &options.setup, Run(options, drawing))
}

/// Chooses a testbench's router and draws its traffic, then does something with it.
///
/// # Errors
/// What is refused of the setup; whatever the task meets.
pub(crate) fn set_up<T: Task>(bench: Bench, setup: &Setup, task: T) -> Result<T::Output, Error> {
    if let Some(option) = setup.wormhole.given() {
        return Err(Error::NotApplicable {
            bench: bench.name(),
            option,
            why: "it is for wormhole routers",
        });
    }
    match bench {
        Bench::Enumeration => task.perform(enumeration::set_up(setup)?),
        Bench::Packing => task.perform(packing::set_up(setup)?),
        Bench::Kuszmaul | Bench::Bitonic | Bench::Radix => permutation::set_up(bench, setup, task),
    }
}

/// Something to do with a testbench, whichever it is.
pub(crate) trait Task {
    /// What comes of it.
    type Output;
    /// Does it.
    fn perform<T: Testbench>(self, testbench: T) -> Result<Self::Output, Error>;
}

/// A testbench with its router and its traffic.
pub(crate) trait Testbench {
    /// What it is built from.
    type Router: Router + Copy;

    /// The router.
    fn router(&self) -> Self::Router;

    /// Its schedule, if it has several.
    fn schedule(&self) -> Option<Schedule>;

    /// Puts the traffic into the nodes, before bit time 0.
    fn load<B: Lanes>(&self, fabric: &mut Fabric<Self::Router, B>);

    /// The traffic as a file that `--traffic-file` reads.
    fn traffic_file(&self) -> String;

    /// What the host is to read at the end: of a node, a field and a bit of it; nothing where that does
    /// not matter. It is known from the traffic alone.
    fn expected(&self) -> impl Fn(usize, Field, usize) -> Option<bool>;

    /// The same with the traffic of a later round of its Verilog testbench, 2 or more, and what that is.
    ///
    /// # Errors
    /// None of its own.
    fn later(&self, round: usize) -> Result<(Self, String), Error>
    where
        Self: Sized;

    /// The nodes to trace where none are named.
    fn interesting(&self) -> Vec<usize>;

    /// Runs it and reports.
    fn run(self, options: &RunOptions) -> Result<Report, Error>;
}

/// What a run takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requirement {
    /// Bytes of memory, for the machine, its traffic and its scoreboard.
    pub bytes: u64,
    /// It is run as a program, if nobody watches.
    pub has_program: bool,
    /// Nodes times the bit times of its closed form.
    pub node_bit_times: u64,
    /// That closed form.
    pub bit_times: ClosedForm,
    /// The closed form of a node's storage.
    pub storage_bits: ClosedForm,
}

impl Requirement {
    /// Of a machine and what is beside it.
    fn of<R: Router>(router: &R, beside: Beside) -> Self {
        struct Bytes<'a, R>(&'a R);
        impl<R: Router> WithLanes for Bytes<'_, R> {
            type Output = u64;
            fn run<B: Lanes>(self) -> u64 {
                Fabric::<R, B>::bytes(self.0, 1)
            }
        }
        let dimensions = router.dimensions();
        let nodes = dimensions.nodes() as u64;
        Requirement {
            bytes: (in_lanes(dimensions.count(), Bytes(router)) + beside.beside).max(beside.before),
            has_program: Program::can_be_made(router),
            node_bit_times: router.bit_times().value * nodes,
            bit_times: router.bit_times(),
            storage_bits: router.storage_bits(),
        }
    }
}

/// Bytes that a run takes beside its machine.
struct Beside {
    /// Before there is a machine.
    before: u64,
    /// Together with the machine.
    beside: u64,
}

/// What a run of a testbench would take; nothing is drawn or built.
///
/// # Errors
/// What is refused of the setup, except of its traffic.
pub(crate) fn requirement(bench: Bench, setup: &Setup) -> Result<Requirement, Error> {
    match bench {
        Bench::Enumeration => Ok(enumeration::requirement(&enumeration::router(setup)?)),
        Bench::Packing => Ok(messages::requirement(&packing::router(setup)?)),
        Bench::Kuszmaul | Bench::Bitonic | Bench::Radix => permutation::requirement(bench, setup),
    }
}

/// Refuses a run that would not fit.
fn require_memory<R: Router>(router: &R, requirement: Requirement) -> Result<(), Error> {
    let nodes = router.dimensions().nodes();
    memory::require_for_nodes(
        format!("a run of {nodes} nodes"),
        nodes,
        requirement.bytes,
        memory::available(),
    )?;
    Ok(())
}

/// Runs the machine, with a waveform if one was asked for.
fn simulate<R: Router, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    messages: usize,
    (wave, options): (Option<Wave>, &RunOptions),
) -> Result<(Measurement, Outputs), Error> {
    let run = simulation::Run {
        messages: messages as u64,
        quiet: options.quiet,
        threads: options.threads()?,
    };
    let Some(mut wave) = wave else {
        let measurement = simulation::advance(fabric, run)?;
        return Ok((measurement, Outputs::default()));
    };
    let path = wave.path().to_owned();
    let unwritable = |reason| Error::Unwritable {
        path: path.clone(),
        reason,
    };
    let mut probe = wave.attach(fabric)?;
    let measurement = simulation::run(fabric, run, |fabric| {
        interrupt::check()?;
        probe.sample(fabric).map_err(unwritable)
    })?;
    let (_, recording) = probe.finish().map_err(unwritable)?;
    let written = wave.commit(&recording)?;
    Ok((measurement, written.into()))
}

/// What a testbench knows of its run beyond the measurement.
struct Facts {
    bench: Bench,
    schedule: Option<Schedule>,
    payload_bits: usize,
    traffic: String,
    load: Option<f64>,
    seed: u64,
    messages: usize,
    delivered: usize,
    storage_bound: Option<ClosedForm>,
    /// As required of memory, for all nodes.
    bytes: u64,
    /// Its own checks; those that hold for every machine are added.
    checks: Vec<Check>,
}

fn report<R: Router>(
    router: &R,
    facts: Facts,
    measurement: Measurement,
    outputs: Outputs,
) -> Result<Report, Error> {
    let depth = logic_depth(router)?;
    let dimensions = router.dimensions();
    let form = router.bit_times();
    let storage_form = router.storage_bits();
    let mut checks = facts.checks;
    checks.extend(machine_checks(&form, &measurement));
    if facts.payload_bits > 0 {
        checks.push(conservation(&measurement));
    }
    let bound = facts.storage_bound.as_ref();
    checks.push(storage(
        &storage_form,
        bound,
        measurement.storage.total as u64,
    ));
    let occupancy_by_step = occupancy::<R>(dimensions, &measurement);
    let wire_bit_times = dimensions.wires() as u64 * measurement.bit_times;
    Ok(Report {
        bench: facts.bench.name(),
        models: facts.bench.models(),
        source: facts.bench.source_on(facts.schedule),
        topology: Topology {
            kind: "hypercube",
            dims: dimensions.count(),
            nodes: dimensions.nodes(),
            directed_wires: dimensions.wires(),
        },
        payload_bits: facts.payload_bits,
        schedule: facts.schedule.map(Schedule::name),
        traffic: facts.traffic,
        load: facts.load,
        seed: facts.seed,
        messages: facts.messages,
        delivered: facts.delivered,
        bit_times: measurement.bit_times,
        bit_times_formula: form.into(),
        storage_bits_per_node: StorageBits {
            total: measurement.storage.total,
            by_part: measurement.storage.by_part,
        },
        storage_bits_formula: storage_form.into(),
        storage_bound: facts.storage_bound.map(Into::into),
        sequencer_storage_bits: measurement.sequencer.total,
        logic_depth: (&depth).into(),
        peak: Peak {
            messages_per_node: measurement.peak_messages_per_node,
            occupied_bits_per_node: measurement.peak_bits_per_node,
        },
        steps_overlap: R::STEPS_OVERLAP,
        occupancy_by_step,
        serial_adders_per_node: measurement.storage.serial_adders,
        wire_use: measurement.driven_wire_bit_times as f64 / wire_bit_times.max(1) as f64,
        bytes_per_node: memory::per_node(facts.bytes, dimensions.nodes()),
        simulation_seconds: measurement.simulation.as_secs_f64(),
        outputs,
        passed: checks.iter().all(|check| check.passed),
        checks,
    })
}

/// As loaded, then by step.
fn occupancy<R: Router>(dimensions: Dimensions, measurement: &Measurement) -> Vec<StepReport> {
    let loaded = std::iter::once((&"as loaded", &measurement.loaded));
    loaded
        .chain(R::STEPS.iter().zip(&measurement.steps))
        .filter(|(_, occupancy)| occupancy.measurements > 0)
        .map(|(step, occupancy)| StepReport {
            step,
            bit_times: occupancy.bit_times,
            peak_occupied_bits_per_node: occupancy.peak_bits_per_node,
            mean_occupied_bits_per_node: occupancy.live_bits as f64
                / (occupancy.measurements as f64 * dimensions.nodes() as f64),
        })
        .collect()
}

/// What must hold for every machine.
fn machine_checks(form: &ClosedForm, measurement: &Measurement) -> [Check; 2] {
    [
        Check::new(
            "bit times",
            measurement.bit_times == form.value,
            format!(
                "{} measured, {} = {}",
                measurement.bit_times, form.text, form.value
            ),
        ),
        Check::new(
            "one bit a wire",
            measurement.conflict.is_none(),
            match &measurement.conflict {
                None => format!(
                    "{} wire-bit-times driven, none of them by two units",
                    measurement.driven_wire_bit_times
                ),
                Some(conflict) => conflict.to_string(),
            },
        ),
    ]
}

/// What must hold where messages move.
fn conservation(measurement: &Measurement) -> Check {
    let detail = measurement
        .not_conserved
        .clone()
        .unwrap_or_else(|| "none lost, none doubled in any bit time".to_owned());
    Check::new("message bits", measurement.not_conserved.is_none(), detail)
}

/// The registers are as many as their closed form says, and no more than the design allows.
fn storage(form: &ClosedForm, bound: Option<&ClosedForm>, total: u64) -> Check {
    let mut detail = format!("{total} bits a node, {} = {}", form.text, form.value);
    let mut passed = total == form.value;
    if let Some(bound) = bound {
        detail += &format!("; at most {} = {}", bound.text, bound.value);
        passed &= total <= bound.value;
    }
    Check::new("storage", passed, detail)
}

#[cfg(test)]
mod tests {
    use rtl_model::error::Error as ModelError;
    use rtl_model::kuszmaul::plain::PlainRouter;

    use super::*;
    use crate::simulation::Run;

    /// A run in which nothing is wrong.
    fn measurement() -> (PlainRouter, Measurement) {
        let router = PlainRouter::new(Dimensions::new(3).unwrap(), 4).unwrap();
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let measurement = simulation::run(&mut fabric, Run::of(0), |_| Ok::<(), ()>(())).unwrap();
        (router, measurement)
    }

    fn report_of(measurement: Measurement, router: &PlainRouter) -> Report {
        let facts = Facts {
            bench: Bench::Kuszmaul,
            schedule: Some(Schedule::Plain),
            payload_bits: 4,
            traffic: "none".to_owned(),
            load: None,
            seed: 1,
            messages: 0,
            delivered: 0,
            storage_bound: Some(router.storage_bound()),
            bytes: 1000,
            checks: Vec::new(),
        };
        report(router, facts, measurement, Outputs::default()).unwrap()
    }

    /// The one check that fails when a measurement is doctored, and what it says.
    fn verdict(doctor: impl FnOnce(&mut Measurement)) -> String {
        let (router, mut measurement) = measurement();
        assert!(report_of(measurement.clone(), &router).passed);
        doctor(&mut measurement);
        let report = report_of(measurement, &router);
        assert!(!report.passed);
        let mut failed = report.checks.iter().filter(|check| !check.passed);
        let check = failed.next().unwrap();
        assert!(failed.next().is_none());
        assert!(report.text().contains(&format!("FAIL  {}", check.name)));
        format!("{}: {}", check.name, check.detail)
    }

    #[test]
    fn every_check_can_fail_and_a_report_with_one_has_not_passed() {
        assert_eq!(
            verdict(|measurement| measurement.bit_times += 1),
            "bit times: 64 measured, 7k(k-1)+(3k-2)D-4k+5 = 63"
        );
        assert_eq!(
            verdict(|measurement| measurement.not_conserved = Some("a bit is gone".to_owned())),
            "message bits: a bit is gone"
        );
        assert_eq!(
            verdict(|measurement| measurement.storage.total += 1),
            "storage: 34 bits a node, 12k+2D-11 = 33; at most 14k+3D+8 = 62"
        );
        let conflict = ModelError::WireConflict {
            node: 0,
            wire: "across dimension 2".to_owned(),
            bit_time: 5,
            first: "exchange",
            second: "packing",
        };
        assert_eq!(
            verdict(|measurement| measurement.conflict = Some(conflict.clone())),
            format!("one bit a wire: {conflict}")
        );
    }

    /// In bytes a node, with payloads of 24 bits: 8 GiB are 512 at k = 24, 24 GiB are 96 at k = 28.
    #[test]
    fn the_largest_cubes_fit_into_24_gibibytes() {
        let bytes_per_node = |bench, schedule: Option<Schedule>, dims| {
            let setup = Setup {
                dims: Some(dims),
                payload_bits: Some(24),
                schedule: schedule.map(|schedule| schedule.name().to_owned()),
                ..Setup::default()
            };
            memory::per_node(requirement(bench, &setup).unwrap().bytes, 1 << dims)
        };
        for bench in [
            Bench::Packing,
            Bench::Kuszmaul,
            Bench::Bitonic,
            Bench::Radix,
        ] {
            let schedules = bench.schedules().iter().map(|schedule| Some(*schedule));
            for schedule in schedules.chain([None]) {
                assert!(bytes_per_node(bench, schedule, 24) <= 512.0);
                assert!(bytes_per_node(bench, schedule, 28) <= 96.0, "{schedule:?}");
            }
        }
        let plain =
            [24, 28].map(|dims| bytes_per_node(Bench::Kuszmaul, Some(Schedule::Plain), dims));
        assert_eq!(plain, [62.0, 69.0]);
    }

    #[test]
    fn storage_beyond_the_bound_fails_even_where_it_is_its_closed_form() {
        let form = |value| ClosedForm { text: "f", value };
        assert!(storage(&form(7), Some(&form(7)), 7).passed);
        assert!(!storage(&form(8), Some(&form(7)), 8).passed);
        assert!(!storage(&form(8), None, 7).passed);
    }
}
