//! Runs what is chosen, and writes it as a Verilog project.

use std::path::Path;

use rtl_model::machine::topology::Topology;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::folder::Folder;
use crate::interrupt;
use crate::lockstep;
use crate::measure::reading::Finished;
use crate::measure::seeds::spreads;
use crate::measure::sweep::row_of;
use crate::measure::{Seeds, timing};
use crate::options::{RunOptions, VerilogOptions, check_reaches_all};
use crate::output::DASH;
use crate::ranks;
use crate::report::{OverSeeds, Report};
use crate::testbench::bench::{AnyMachine, Job, Offer, job};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::{Kind, SEED};
use crate::verilog::{self, Begun};

/// Runs what is chosen.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(chosen: Chosen, options: &RunOptions) -> Result<Report, Error> {
    prepared(chosen, options, |_| Ok(()))
}

/// The same, which says before it begins how long it will take if that is some minutes or more; not where the file `beside` is
/// printed.
pub(super) fn run_foretold(
    chosen: Chosen,
    options: &RunOptions,
    beside: Option<&Path>,
) -> Result<Report, Error> {
    let of = chosen.clone();
    prepared(chosen, options, |job| {
        timing::foretell((&of, job), options, beside)
    })
}

fn prepared(
    mut chosen: Chosen,
    options: &RunOptions,
    foretell: impl FnOnce(&dyn Job) -> Result<(), Error>,
) -> Result<Report, Error> {
    options.threads()?;
    let date = options.date.date()?;
    let seeds = options
        .seeds
        .map(|amount| Seeds::new(chosen.seed(), amount));
    let seeds = seeds.transpose()?;
    if seeds.is_some_and(|seeds| seeds.amount > 1) {
        check_runs_again(&chosen, options)?;
    }
    for input in chosen.inputs() {
        check_reaches_all(input.path)?;
    }
    let shown = [
        &options.wave,
        &options.picture,
        &options.deliveries,
        &options.log,
    ];
    chosen.needs_list = shown.into_iter().any(Option::is_some);
    chosen.is_watched = options.is_watched();
    for offer in chosen.bench().offers {
        if let Offer::OneRank(what, why) = offer {
            ranks::require_one(what, why)?;
        }
    }
    let job = (chosen.bench().job)(&chosen)?;
    foretell(&*job)?;
    let identity = chosen.bench().identity(&*job);
    let complete = chosen.clone().with_found(job.found());
    let mut report = job::run(job, &complete, &identity, options)?;
    report.simulation_seconds.take_if(|_| !date.is_timed());
    report.meta = complete.meta(options, date);
    if let Some(seeds) = seeds {
        with_seeds((&chosen, seeds), options, &mut report)?;
    }
    if let Some(junit) = &options.junit {
        junit.write(&mut report)?;
    }
    Ok(report)
}

/// Refuses what cannot be run again with another seed.
fn check_runs_again(chosen: &Chosen, options: &RunOptions) -> Result<(), Error> {
    let refused = |what: String, why: &str, instead: &str| {
        Err(Refusal::of(what).because(why).instead(instead).into())
    };
    let once = |path: &Path| !std::fs::metadata(path).is_ok_and(|of| of.is_file());
    match chosen.inputs().iter().find(|input| once(input.path)) {
        Some(input) if input.path.as_os_str() == DASH || input.path.exists() => refused(
            format!("--seeds with {} from {}", input.what, input.path.display()),
            "each seed reads it, and it can be read only once",
            "give a file",
        ),
        _ if options.coverage && (chosen.bench().project.goes_by_seed)(chosen) => refused(
            "--coverage with --seeds".to_owned(),
            "each seed has a machine of its own",
            "count a seed at a time",
        ),
        _ if options.checkpoints.asked().is_some() => refused(
            "--seeds with checkpoints".to_owned(),
            "these are of one run",
            "run a seed at a time",
        ),
        _ => Ok(()),
    }
}

/// Runs what is chosen with the seeds behind that of a run that is over, whose report says then what all of them say.
///
/// # Errors
/// What is refused of one of them, and whatever keeps it from its end.
fn with_seeds(
    (chosen, seeds): (&Chosen, Seeds),
    options: &RunOptions,
    report: &mut Report,
) -> Result<(), Error> {
    let row = |report: &Report| row_of(&Finished::new(chosen, report));
    let counts = chosen.bench().sweep.counts;
    let mut rows = vec![row(report)];
    let names = |report: &Report| {
        let failed = report.checks.iter().filter(|check| !check.passed);
        failed.map(|check| check.name).collect::<Vec<_>>()
    };
    let mut failed = Vec::from_iter((!report.passed).then(|| (seeds.first, names(report))));
    let options = options.of_further_seeds();
    // Files are of the first.
    let parameters = chosen.bench().parameters.iter();
    let outputs = parameters.filter(|one| matches!(one.kind, Kind::Output(_)));
    let without = outputs.fold(chosen.clone(), |chosen, output| chosen.with(output, None));
    for seed in seeds.all().skip(1) {
        interrupt::check()?;
        let with_seed = without.clone().with(&SEED, Given::number(seed as usize));
        let other = run(with_seed, &options)?;
        failed.extend((!other.passed).then(|| (seed, names(&other))));
        rows.push(row(&other));
        if let (Some(all), Some(one)) = (&mut report.coverage, other.coverage) {
            all.0.add(one.0);
        }
    }
    report.add_seeds(OverSeeds {
        seeds: seeds.amount,
        failed: failed.iter().map(|(seed, _)| *seed).collect(),
        first_failed: failed
            .into_iter()
            .next()
            .map_or(Vec::new(), |(_, names)| names),
        readings: spreads(&rows, counts),
    });
    Ok(())
}

/// Runs what is chosen beside others: on one thread, and without a word.
///
/// # Errors
/// What is refused of it, and whatever keeps it from its end.
pub fn run_beside_others(chosen: &Chosen) -> Result<Report, Error> {
    run(chosen.clone(), &RunOptions::beside_others())
}

/// Writes what is chosen as a Verilog project.
///
/// # Errors
/// What is refused of it, before anything is written; a folder that cannot be written, or is not empty; a project that would be
/// unreasonably large.
pub fn export(chosen: &Chosen, options: &VerilogOptions) -> Result<verilog::Project, Error> {
    let bench = chosen.bench();
    let mut folder = Folder::plan(&options.out, options.force)?;
    let inputs = chosen.inputs().into_iter();
    inputs.for_each(|input| folder.keep(input));
    let check = |topology: &dyn Topology| -> Result<(), Error> {
        verilog::limits::check_nodes(topology)?;
        options.rounds(topology.nodes()).map(drop)
    };
    // Before files are read, where an option says how large the machine is.
    let mut all = bench.parameters.iter();
    let cube = all.find_map(|parameter| parameter.cube);
    if let Some(cube) = cube {
        check(&cube(chosen)?)?;
    }
    let job = (bench.job)(chosen)?;
    let begun = Begun::new(folder, &*job, (chosen, options))?;
    match (job.machine(), job.dimensions()) {
        (AnyMachine::ByItself(machine), _) => return machine.write(begun),
        (AnyMachine::Lockstep(_), Some(cube)) => check(&cube)?,
        (AnyMachine::Lockstep(device), None) => check(&*device.topology())?,
    }
    lockstep::verilog::write(begun, job)
}

#[cfg(test)]
mod tests {
    use crate::families::{self, enumeration};
    use crate::lockstep::parameters::{DIMS, SET_LOAD};
    use crate::lockstep::permutations;
    use crate::options::{RunOptions, VerilogOptions};
    use crate::testbench::Testbench;
    use crate::testbench::bench::export;
    use crate::testbench::chosen::Chosen;

    /// A testbench that takes no file, and no seed either.
    static DRAWN: Testbench = Testbench {
        name: "enumeration",
        parameters: &[&DIMS, &SET_LOAD],
        job: |chosen| (enumeration::BENCH.job)(chosen),
        ..permutations::BENCH
    };

    /// The words of a run, what else is asked of it, and whether it takes a size to be looked at.
    fn takes_a_size(bench: &'static Testbench, words: &str) -> Option<String> {
        let (chosen, options) = bench.asked_with_options(words).unwrap();
        let sized = bench.at_a_glance(&chosen, &options).unwrap();
        sized.map(|sized| sized.command_of_run(&RunOptions::default()))
    }

    #[test]
    fn a_run_that_is_looked_at_has_a_size_where_none_is_given() {
        let scatter = families::testbench("scatter").unwrap();
        for words in [
            "--wave w.vcd",
            "--picture p.html",
            "--wave w.vcd --seed 3 --algorithm sbt",
        ] {
            let command = takes_a_size(scatter, words).unwrap();
            assert!(
                command.contains(" --dims 3 ") && command.contains(" --message-bits 12"),
                "{command}"
            );
        }
        for words in [
            "",
            "--seed 3",
            "--wave w.vcd --dims 6",
            "--wave w.vcd --message-bits 64",
            "--wave w.vcd --source 40",
            "--wave w.vcd --trace-nodes 40",
            "--wave w.vcd --trace-to 7",
            "--wave w.vcd --trace-message 0->40",
            "--picture p.html --values mine.csv",
        ] {
            assert_eq!(takes_a_size(scatter, words), None, "{words}");
        }
    }

    /// Under load that is the length of the measurement; a part of it that is given leaves all of it to whoever gave it.
    #[test]
    fn a_measurement_that_is_looked_at_is_short_where_no_length_is_given() {
        let worms = families::testbench("wormhole").unwrap();
        let words = "--picture p.html --offered-load 0.02";
        let command = takes_a_size(worms, words).unwrap();
        let phases = " --warm-up 1000 --measurement 2000 --drain 3000";
        assert!(command.contains(phases), "{command}");
        for words in [
            "--offered-load 0.02".to_owned(),
            "--picture p.html".to_owned(),
            "--picture p.html --offered-load 0.001".to_owned(),
            format!("{words} --dims 5"),
            format!("{words} --warm-up 300"),
            format!("{words} --drain 300"),
        ] {
            assert_eq!(takes_a_size(worms, &words), None, "{words}");
        }
    }

    #[test]
    fn sizes_to_look_at_are_of_machines_that_there_are() {
        let mut seen = 0;
        for bench in families::testbenches() {
            let sizes = (bench.looked_at)(&Chosen::of(bench));
            let choice = bench
                .chosen_by
                .map(|choice| format!(" --{} {}", choice.option, choice.example));
            let words = format!("--wave w.vcd{}", choice.unwrap_or_default());
            // What picks a testbench among namesakes may be a size.
            if sizes.is_empty() || words.ends_with(|last: char| last.is_ascii_digit()) {
                continue;
            }
            assert!(
                takes_a_size(bench, &words).is_some(),
                "{} {sizes}",
                bench.name
            );
            seen += 1;
        }
        assert!(seen > 14, "{seen}");
    }

    #[test]
    fn properties_of_what_promises_none_are_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let options = VerilogOptions {
            out: folder.path().join("project"),
            properties: true,
            ..VerilogOptions::default()
        };
        let refused = export(&DRAWN.asked("--dims 2").unwrap(), &options).unwrap_err();
        let said = refused.to_string();
        assert!(
            said.starts_with("testbench enumeration takes no --properties: no units of its nodes"),
            "{said}"
        );
        assert!(!options.out.exists());
    }

    #[test]
    fn a_project_is_asked_for_again_by_options_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let options = VerilogOptions {
            out: folder.path().join("project"),
            ..VerilogOptions::default()
        };
        export(&DRAWN.asked("--dims 2 --load 0.5").unwrap(), &options).unwrap();
        let read = |name| std::fs::read_to_string(options.out.join(name)).unwrap();
        let asked = "enumeration --dims 2 --load 0.5";
        let tb = read("tb.v");
        assert!(
            tb.contains(&format!("cubewave verilog {asked} --rounds 12 --out DIR")),
            "{tb}"
        );
        let readme = read("README.md");
        let again = format!("which is drawn by `cubewave run {asked}` |");
        assert!(readme.contains(&again), "{readme}");
    }
}
