//! The exported Verilog is the machine: Icarus gives the same value to every register and wire in every bit time of the first round,
//! another follows, and views of the two dumps show the same rows. Needs Icarus; without it it fails.

use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;
use testbenches::families::kuszmaul;
use testbenches::report::Report;
use testbenches::testbench::bench::{self, RunOptions, with_traffic};
use testbenches::testbench::chosen::Chosen;

use crate::common::bit_for_bit::{Difference, first_difference};
use crate::common::dump::{Dump, TICKS_PER_BIT_TIME};
use crate::common::sample::{quietly, ran};
use crate::common::surfer::{Surfer, What};
use crate::common::verilog::replace;
use crate::suite::{Exported, MOST_NODES, Verdict, largest};

/// A run beside its Verilog.
pub struct Both {
    report: Report,
    pub verdict: Verdict,
    pub difference: Option<Difference>,
    /// Bits that were compared in each bit time, and those that there are.
    compared: [usize; 2],
    /// None where a project has no view.
    view: Option<Surfer>,
}

impl Both {
    pub fn of(chosen: &Chosen) -> Self {
        Self::after(chosen, 2, |_| {})
    }

    /// Of so many rounds, after `edit` had the folder of the project.
    pub fn after(chosen: &Chosen, rounds: usize, edit: impl FnOnce(&Path)) -> Self {
        let exported = Exported::of(chosen, rounds);
        edit(exported.path());
        let wave = exported.path().join("run.vcd");
        let options = RunOptions {
            wave: Some(wave.clone()),
            trace_nodes: Some("all".to_owned()),
            ..quietly()
        };
        let report = bench::run(chosen.clone(), &options).unwrap();
        exported.compile();
        let verdict = exported.run("+vcd");
        let tb = exported.path().join("tb.vcd");
        let [run, verilog] = [&wave, &tb].map(|path| Dump::read(path));
        let job = (chosen.bench().job)(chosen).unwrap();
        let topology = job.machine().topology();
        // Where nodes set their own pace, nothing is shown of what the run leaves.
        let has_more = job.machine().device().is_some();
        let end = report.bit_times + u64::from(has_more);
        // Either ends before where nothing moves any more, and a testbench where it fails.
        let ends = [&run, &verilog].map(|dump| dump.ticks.last().unwrap() / TICKS_PER_BIT_TIME);
        let end = end.min(ends[0]).min(ends[1] - 1);
        let (difference, compared) = first_difference(&run, &verilog, end, &*topology);
        // Hosts that work beside nodes say something where nobody listens: that is left out.
        let of_node = topology.driven() + topology.links() + report.storage_bits_per_node.total;
        let sequencer = report.family.entry("sequencer_storage_bits").as_u64();
        // And the clock.
        let all = 1 + topology.nodes() * of_node + sequencer.unwrap_or(0) as usize;
        let has_view = exported.project.files.iter().any(|file| file == "tb.gtkw");
        // A row whose signal is not in the dump is refused.
        let view = has_view.then(|| Surfer::shows(&tb, &tb.with_extension("surfer.sucl")));
        Both {
            report,
            verdict,
            difference,
            compared: [compared, all],
            view,
        }
    }
}

fn both() -> &'static [Both] {
    static ALL: OnceLock<Vec<Both>> = OnceLock::new();
    ALL.get_or_init(|| largest().par_iter().map(Both::of).collect())
}

fn agrees(both: &Both) {
    let name = &both.verdict.name;
    if let Some(difference) = &both.difference {
        panic!("{name}: {difference}");
    }
    let [compared, all] = both.compared;
    assert_eq!(compared, all, "{name}: not all of them are compared");
    both.verdict.passes(&both.report, 2);
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    both().iter().for_each(agrees);
    assert!(both().len() > 60, "{}", both().len());
}

/// Whether wires fail in its run, of which its Verilog has none.
fn has_failing_wires(chosen: &Chosen) -> bool {
    let job = (chosen.bench().job)(chosen).unwrap();
    job.machine().is_in_lockstep() && !with_traffic(job).unwrap().faults().is_empty()
}

#[test]
#[ignore = "long: all that is asked for in the sample"]
fn icarus_agrees_with_all_of_the_sample() {
    const MOST_BIT_TIMES: u64 = 500;
    let is_small = |report: &Report| {
        report.topology.nodes <= MOST_NODES && (1..=MOST_BIT_TIMES).contains(&report.bit_times)
    };
    let all = ran().filter(|(_, report)| is_small(report));
    let all = all.map(|(sampled, _)| sampled.chosen());
    let all: Vec<Chosen> = all.filter(|chosen| !has_failing_wires(chosen)).collect();
    all.par_iter().for_each(|chosen| agrees(&Both::of(chosen)));
}

/// A flipped bit that no message depends on: the testbench passes, the comparison does not.
#[test]
fn a_register_that_no_delivery_depends_on_is_compared_as_well() {
    let chosen = kuszmaul::BENCH
        .asked("--dims 3 --payload-bits 4 --load 0.75 --seed 9")
        .unwrap();
    let both = Both::after(&chosen, 1, |folder| {
        let to = "{rendezvous[0], arriving | ~selected}";
        replace(folder, "node.v", "{rendezvous[0], arriving}", to);
    });
    let difference = both.difference.unwrap();
    assert!(difference.signal.contains("rendezvous"), "{difference}");
    both.verdict.passes(&both.report, 1);
}

/// Every row shows the signal that it is called by, and what is marked is behind the reset.
#[test]
fn views_of_verilog_show_what_they_say() {
    let (mut rows, mut markers) = (0, 0);
    for both in both() {
        let Some(view) = &both.view else {
            continue;
        };
        let name = &both.verdict.name;
        for row in &view.rows {
            let What::Variable(path) = &row.what else {
                continue;
            };
            // Its words, in their order; wires to hosts are ports of a node, whatever else they are called.
            let plain = path.replace(['.', '['], "_").replace(']', "");
            let mut words = row.name.split(' ').filter(|word| *word != "host");
            let rest = words.try_fold(&*plain, |rest, word| Some(rest.split_once(word)?.1));
            assert!(rest.is_some(), "{name}: {} shows {path}", row.name);
            rows += 1;
        }
        for (marker, tick) in &view.markers {
            assert!(*tick >= TICKS_PER_BIT_TIME, "{name}: {marker} at {tick}");
            markers += 1;
        }
    }
    assert!(rows > 1000 && markers > 200, "{rows} {markers}");
}
