//! A run whose stimulus has a wire fail.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;

use rtl_model::machine::simulation::Lockstep;

use super::*;
use crate::families::kuszmaul::BENCH;
use crate::lockstep::{Ended, Verdict, WireFault};
use crate::report::DateArgument;
use crate::testbench::bench::{asked, with_traffic};

/// Somebody else's traffic, on wires that fail.
struct Faulted {
    of: Box<dyn Stimulus>,
    faults: Vec<WireFault>,
}

impl Stimulus for Faulted {
    fn device(&self) -> &dyn Device {
        self.of.device()
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        self.of.load(machine, passed)
    }

    fn live_bits(&self, after: Option<Position>) -> Option<u64> {
        self.of.live_bits(after)
    }

    fn faults(&self) -> Vec<WireFault> {
        self.faults.clone()
    }

    fn begin(&mut self, deliveries: bool) -> Result<(), Error> {
        self.of.begin(deliveries)
    }

    fn judge(&mut self, run: Ended<'_>) -> Result<Verdict, Error> {
        self.of.judge(run)
    }

    fn traffic_file(&self) -> String {
        self.of.traffic_file()
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        self.of.expected()
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        self.of.later(round)
    }

    fn interesting(&self) -> Vec<usize> {
        self.of.interesting()
    }
}

/// The report of a full permutation of 16 nodes with such faults, with a waveform or without, and the waveform.
fn ran(faults: &[WireFault], has_wave: bool) -> (Report, Option<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let wave = has_wave.then(|| folder.path().join("run.vcd"));
    let options = RunOptions {
        wave: wave.clone(),
        trace_nodes: wave.as_ref().map(|_| "all".to_owned()),
        quiet: true,
        threads: (!has_wave).then_some(1),
        // Waveforms are compared.
        date: DateArgument { no_date: true },
        ..RunOptions::default()
    };
    let words = "--dims 4 --payload-bits 8 --load 1";
    let chosen = asked(&BENCH, words);
    let job = (BENCH.job)(&chosen).unwrap();
    let identity = BENCH.identity(&*job);
    let stimulus = Faulted {
        of: with_traffic(job).unwrap(),
        faults: faults.to_vec(),
    };
    let report = carry_out(&chosen, &identity, &options, Box::new(stimulus)).unwrap();
    (report, wave.map(|path| std::fs::read(path).unwrap()))
}

#[test]
fn a_wire_that_fails_fails_the_verdict_with_a_waveform_and_without() {
    let fault = |from, value| WireFault {
        node: 5,
        wire: 2,
        from,
        value,
        called: "stuck",
    };
    let (whole, wave) = ran(&[], true);
    assert!(whole.passed);
    assert_eq!(whole.delivered, 16);
    let bit_times = whole.bit_times;
    assert_eq!(
        whole.verdict(),
        format!("pass: 16 of 16 right, {bit_times} bit times")
    );
    for value in [false, true] {
        let mut found = Vec::new();
        for has_wave in [false, true] {
            let (report, faulted_wave) = ran(&[fault(0, value)], has_wave);
            assert!(!report.passed);
            assert!(report.delivered < 16);
            // What the nodes received is what the waveform shows.
            assert!(!has_wave || faulted_wave != wave);
            let checks = report.checks.iter();
            let checks = checks.map(|check| (check.passed, check.detail.clone()));
            found.push((
                report.bit_times,
                report.delivered,
                checks.collect::<Vec<_>>(),
            ));
        }
        assert_eq!(found[0], found[1]);
        // Views, pages and dumps say how a run ended.
        let (report, dump) = ran(&[fault(0, value)], true);
        let verdict = report.verdict();
        assert!(
            verdict.starts_with("FAIL of `") && verdict != whole.verdict(),
            "{verdict}"
        );
        let dump = String::from_utf8(dump.unwrap()).unwrap();
        let last = dump.rsplit_once("$comment").unwrap().1;
        assert_eq!(last.trim(), format!("{verdict}\n$end"));
        // A wire that fails when all is over does no harm.
        let (late, late_wave) = ran(&[fault(whole.bit_times, value)], true);
        assert!(late.passed);
        assert_eq!(late_wave, wave);
    }
}
