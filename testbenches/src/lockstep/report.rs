//! The report of a run in lockstep.

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::machine::memory;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::BufferBounds;
use rtl_model::machine::shown::Counted;

use crate::depth::logic_depth;
use crate::error::Error;
use crate::lockstep::between_ranks::BetweenRanks;
use crate::lockstep::sections::{StepReport, Steps};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::stimulus::{Identity, Stimulus, Verdict};
use crate::ranks;
use crate::report::{
    BIT_TIMES, Check, Formula, Outputs, Peak, Report, Route, STORAGE, StorageBits, Topology,
    counted,
};

/// What is said of a run.
///
/// # Errors
/// A circuit that has no logic depth.
pub(super) fn report(
    of: &Identity,
    stimulus: &dyn Stimulus,
    mut verdict: Verdict,
    measurement: Measurement,
    (outputs, route): (Outputs, Option<Route>),
) -> Result<Report, Error> {
    let device = stimulus.device();
    let depth = (stimulus.has_logic_depth()).then(|| logic_depth(device));
    let depth = depth.transpose()?;
    let counted = (measurement.bit_times, measurement.storage.clone());
    let base = Report::of_device(of, device, counted);
    let (nodes, wires) = (base.topology.nodes, base.topology.directed_wires);
    let steps = device.steps();
    let mut checks = std::mem::take(&mut verdict.told.checks);
    checks.extend(machine_checks(&device.bit_times().into(), &measurement));
    if stimulus.live_bits(None).is_some() {
        checks.push(conservation(&measurement));
    }
    checks.extend(measurement.between_ranks.iter().map(BetweenRanks::check));
    let buffer_bounds = device.buffer_bounds();
    checks.extend(
        buffer_bounds
            .as_ref()
            .map(|bounds| buffers(bounds, &measurement)),
    );
    let bound = verdict.storage_bound.as_ref();
    let total = measurement.storage.total as u64;
    checks.push(storage(&base.storage_bits_formula, bound, total));
    let counted = device.shown().occupancy;
    let occupancy_by_step = occupancy(steps.names, (nodes, counted), &measurement);
    let peak = measurement.peak_bits_per_node;
    let is_occupied = counted == Counted::Occupied;
    let wire_bit_times = wires as u64 * measurement.bit_times;
    let given_out = measurement.driven_wire_bit_times as f64 / wire_bit_times.max(1) as f64;
    let mut report = Report {
        payload_bits: verdict.payload_bits.unwrap_or(0),
        traffic: verdict.traffic,
        load: verdict.load,
        seed: verdict.seed,
        messages: verdict.messages,
        delivered: verdict.delivered,
        logic_depth: depth.as_ref().map(Into::into),
        peak: Peak {
            messages_per_node: is_occupied.then_some(measurement.peak_messages_per_node),
            occupied_bits_per_node: is_occupied.then_some(peak),
            forwarding_buffer_bits: (counted == Counted::ToSendOn).then_some(peak),
        },
        wire_use: verdict.wire_use.unwrap_or(given_out),
        bytes_per_node: memory::per_node(verdict.bytes, ranks::share().nodes(nodes)),
        simulation_seconds: Some(measurement.simulation.as_secs_f64()),
        route,
        outputs,
        ..base
    };
    let steps = Steps {
        told: verdict.told,
        storage_bound: verdict.storage_bound.map(Into::into),
        buffer_bounds,
        has_wire_use: verdict.wire_use.is_some(),
        sequencer_storage_bits: measurement.sequencer.total,
        steps_overlap: steps.overlap,
        occupancy_by_step,
        between_ranks: measurement.between_ranks,
    };
    let mut told = steps.told(&report);
    told.checks = checks;
    report.tell(told);
    Ok(report)
}

impl Report {
    /// What is said of any machine that is run so many bit times and has these registers.
    pub fn of_device(
        of: &Identity,
        device: &dyn Device,
        (bit_times, storage): (u64, Storage),
    ) -> Self {
        let topology = device.topology();
        Report {
            bench: of.name,
            models: of.models,
            source: of.source,
            topology: Topology {
                kind: topology.kind(),
                dims: topology.dims(),
                nodes: topology.nodes(),
                directed_wires: topology.nodes() * topology.links(),
                summary: topology.summary(),
            },
            schedule: of.schedule,
            bit_times,
            bit_times_formula: Some(device.bit_times().into()),
            storage_bits_per_node: StorageBits {
                total: storage.total,
                by_part: storage.by_part,
            },
            storage_bits_formula: device.storage_bits().into(),
            serial_adders_per_node: storage.serial_adders,
            ..Report::default()
        }
    }
}

/// As loaded, then by step.
fn occupancy(
    steps: &[&'static str],
    (nodes, counted): (usize, Counted),
    measurement: &Measurement,
) -> Vec<StepReport> {
    let loaded = std::iter::once((&"as loaded", &measurement.loaded));
    loaded
        .chain(steps.iter().zip(&measurement.steps))
        .filter(|(_, occupancy)| occupancy.measurements > 0)
        .map(|(step, occupancy)| {
            let peak = occupancy.peak_bits_per_node;
            let looks = occupancy.measurements as f64 * nodes as f64;
            let mean = occupancy.live_bits as f64 / looks;
            let of = |what| (counted == what).then_some((peak, mean)).unzip();
            let (peak_occupied_bits_per_node, mean_occupied_bits_per_node) = of(Counted::Occupied);
            let (peak_forwarding_buffer_bits, mean_forwarding_buffer_bits) = of(Counted::ToSendOn);
            StepReport {
                step,
                bit_times: occupancy.bit_times,
                peak_occupied_bits_per_node,
                mean_occupied_bits_per_node,
                peak_forwarding_buffer_bits,
                mean_forwarding_buffer_bits,
            }
        })
        .collect()
}

/// What must hold for every machine.
fn machine_checks(form: &Formula, measurement: &Measurement) -> [Check; 2] {
    [
        BIT_TIMES.check(measurement.bit_times, form),
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
fn storage(form: &Formula, bound: Option<&ClosedForm>, total: u64) -> Check {
    let mut check = STORAGE.check(total, form);
    if let Some(bound) = bound {
        check.detail += &format!("; at most {} = {}", bound.text, bound.value);
        check.passed &= total <= bound.value;
    }
    check
}

/// No node held more than its bounds say, whatever the traffic.
fn buffers(bounds: &BufferBounds, measurement: &Measurement) -> Check {
    let (messages, bits) = (
        measurement.peak_messages_per_node,
        measurement.peak_bits_per_node,
    );
    let (
        BufferBounds {
            messages: most,
            occupied_bits,
        },
        at_most,
    ) = (bounds, |form: &ClosedForm| match form.text.parse::<u64>() {
        Ok(_) => format!("at most {}", form.text),
        Err(_) => format!("at most {} = {}", form.text, form.value),
    });
    let detail = format!(
        "{} at a node, {}; {bits} message bits, {}",
        counted(messages as usize, "message"),
        at_most(most),
        at_most(occupied_bits)
    );
    let are_within = u64::from(messages) <= most.value && u64::from(bits) <= occupied_bits.value;
    Check::new("buffers", are_within, detail)
}

#[cfg(test)]
mod tests {
    use rtl_model::error::Error as ModelError;

    use super::*;
    use crate::families::testbench as bench;
    use crate::lockstep::simulation::{self, Run};
    use crate::testbench::bench;

    /// A run in which nothing is wrong, and nothing is sent.
    fn measurement() -> (Box<dyn Stimulus>, Measurement) {
        let words = "--dims 3 --payload-bits 4 --load 0";
        let stimulus = bench::stimulus(bench("kuszmaul").unwrap(), words);
        let mut machine = stimulus.device().build(1).unwrap();
        let run = Run::held_to(&|_| Some(0));
        let measurement = simulation::run(&mut *machine, run, |_| Ok::<(), ()>(())).unwrap();
        (stimulus, measurement)
    }

    fn report_of(measurement: Measurement, stimulus: &dyn Stimulus) -> Report {
        let bench = bench("kuszmaul").unwrap();
        let bound = ClosedForm::of("14k+3D+8", &[("k", 3), ("D", 4)]);
        let verdict = Verdict {
            payload_bits: Some(4),
            storage_bound: Some(bound),
            ..Verdict::default()
        };
        let job = (bench.job)(&bench::asked(bench, "")).unwrap();
        let identity = bench.identity(&*job);
        report(
            &identity,
            stimulus,
            verdict,
            measurement,
            (Outputs::default(), None),
        )
        .unwrap()
    }

    /// The one check that fails when a measurement is doctored, and what it says.
    fn verdict(doctor: impl FnOnce(&mut Measurement)) -> String {
        let (stimulus, mut measurement) = measurement();
        assert!(report_of(measurement.clone(), &*stimulus).passed);
        doctor(&mut measurement);
        let report = report_of(measurement, &*stimulus);
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

    #[test]
    fn storage_beyond_the_bound_fails_even_where_it_is_its_closed_form() {
        let form = |value| Formula::from(ClosedForm::counted("f", value));
        let bound = ClosedForm::counted("f", 7);
        assert!(storage(&form(7), Some(&bound), 7).passed);
        assert!(!storage(&form(8), Some(&bound), 8).passed);
        assert!(!storage(&form(8), None, 7).passed);
    }
}
