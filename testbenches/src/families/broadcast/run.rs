//! Runs the testbench.

use hosts::ports::engine::Engine;
use hosts::ports::wave;
use rtl_model::machine::memory;
use rtl_model::machine::topology::Topology;
use waves::coverage::Coverage;
use waves::picture::run::Run;
use waves::probe::{Recording, Subject as _};

use crate::error::Error;
use crate::families::broadcast::job::Job;
use crate::families::broadcast::parameters::RESULTS;
use crate::families::broadcast::report::report;
use crate::families::broadcast::values;
use crate::interrupt;
use crate::lockstep::Identity;
use crate::log::{self, Logged};
use crate::options::staging_beside;
use crate::output::Staged;
use crate::picture::{Looks, Recorder, wave_nodes};
use crate::progress::{Progress, broken_off};
use crate::report::{Outputs, Report};
use crate::testbench::bench::{Files, Job as _, RunOptions};
use crate::testbench::chosen::Chosen;
use crate::wave::{Tracing, Wave};

/// Runs it.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub(super) fn run(
    job: &Job,
    (chosen, of): (&Chosen, &Identity),
    options: &RunOptions,
) -> Result<Report, Error> {
    let mut staging = staging_beside(&chosen.inputs())?;
    let (broadcast, bytes) = (job.asked.broadcast, job.requirement().bytes);
    let nodes = broadcast.cube.nodes();
    let what = format!(
        "a broadcast of {} packets to {nodes} nodes",
        broadcast.packets
    );
    memory::require_for_nodes(what, nodes, bytes, memory::available())?;
    let message = job.message();
    let device = &job.machine;
    let mut trail = None;
    let mut looks = Looks::plan((chosen, options), &mut staging, nodes, |staging| {
        Wave::plan(options, staging, device.as_device(), |_| {
            let (found, nodes) = broken_off(&mut |_| interrupt::check(), |passed| {
                wave::follow(device, &message, passed)
            })?;
            trail = found;
            Ok(nodes)
        })
    })?;
    let mut files = Files::begun(&job.chosen, options, &mut staging)?;
    interrupt::check()?;
    let mut engine = Engine::of(device.clone(), message)?;
    engine.trail = trail;
    let mut recorder = looks.picture.as_ref().map(|_| {
        let title = format!(
            "{}, {}",
            of.on(engine.machine.topology()),
            wave::how(&engine)
        );
        let bit_times = broadcast.bit_times().value;
        let nodes = wave_nodes(&engine, bit_times, &[broadcast.source]);
        Recorder::new(title, &engine).keeping(&engine, &nodes)
    });
    // A picture has the same routes, whatever is logged.
    let are_drawn = recorder.is_some() && wave::Routes::are_short(&engine);
    let mut routes = (are_drawn || options.log.is_some()).then(|| wave::Routes::new(&engine));
    let mut coverage = looks.coverage(&engine)?;
    let looks_on = LooksOn {
        wave: looks.wave.as_mut(),
        recorder: recorder.as_mut(),
        routes: routes.as_mut(),
        coverage: coverage.as_mut(),
    };
    let recording = simulate(&mut engine, looks_on, options.quiet)?;
    let mut outputs = Outputs::default();
    if let Some((file, routes)) = files.log(&mut outputs).zip(routes.as_ref()) {
        write_log(file, routes, engine.machine.topology())?;
    }
    let drawn = recorder.map(|recorder| {
        let run = Run {
            about: wave::does(&engine),
            legend: engine.legend(),
            ..recorder.finish()
        };
        match routes.filter(|_| are_drawn) {
            Some(routes) => routes.drawn(run),
            None => run,
        }
    });
    let ends = (broadcast.source, nodes);
    if let Some(file) = files.deliveries(&mut outputs) {
        values::write_deliveries(file, &engine.hosts, ends)?;
    }
    if let Some(file) = files.of(&RESULTS, &mut outputs) {
        values::write(file, &engine.hosts, nodes)?;
    }
    let mut report = report(of, job, &engine, outputs)?;
    looks
        .seen(recording, drawn, coverage)
        .put_in_place(&mut report)?;
    Ok(report)
}

/// A row a packet: each is for all nodes.
fn write_log(file: Staged, routes: &wave::Routes, topology: &dyn Topology) -> Result<(), Error> {
    let rows = routes.trails().map(|trail| Logged {
        // At the last node.
        arrived: trail.times().map(|times| times.end),
        ..Logged::of(&trail, topology, true)
    });
    log::write(file, rows)
}

/// Whatever looks on.
struct LooksOn<'a> {
    wave: Option<&'a mut Wave>,
    recorder: Option<&'a mut Recorder>,
    routes: Option<&'a mut wave::Routes>,
    coverage: Option<&'a mut Coverage>,
}

/// Runs the machine, with whatever looks on.
fn simulate(
    engine: &mut Engine,
    LooksOn {
        wave,
        mut recorder,
        mut routes,
        mut coverage,
    }: LooksOn<'_>,
    quiet: bool,
) -> Result<Option<Recording>, Error> {
    let bit_times = engine.broadcast().bit_times().value;
    let template = "bit time {human_pos} of {human_len}";
    let mut progress = Progress::of_bit_times(bit_times, template, quiet);
    let mut nodes = Vec::new();
    let mut probe = match wave {
        Some(wave) => {
            match wave.named_nodes() {
                Some(nodes) => engine.follow(nodes.iter().copied()),
                None => engine.follow(0..engine.broadcast().cube.nodes()),
            }
            nodes = wave.nodes().to_vec();
            Some(wave.attach(engine)?)
        }
        None => None,
    };
    if let (Some(probe), Some(_)) = (&mut probe, &engine.trail) {
        probe.follow(&engine.packet_name(wave::FOLLOWED));
    }
    engine.run(|engine| {
        interrupt::check()?;
        let bit_time = engine.machine.bit_time();
        if bit_time.is_multiple_of(256) {
            progress.passed(bit_time);
        }
        if let Some(coverage) = &mut coverage {
            coverage.sample(engine);
        }
        if let Some(recorder) = &mut recorder {
            recorder.look(engine);
            recorder.sample(engine);
        }
        if let Some(routes) = &mut routes {
            routes.look(engine);
        }
        match &mut probe {
            Some(probe) => probe.sample(engine),
            None => Ok(()),
        }
    })?;
    let mut recording = probe.map(Tracing::finish).transpose()?;
    if let (Some(recording), Some(trail)) = (&mut recording, &engine.trail) {
        trail.mark(recording, &nodes);
        for (place, node) in nodes.iter().enumerate() {
            trail
                .role(*node)
                .inspect(|role| recording.entitle(place, role));
        }
    }
    Ok(recording)
}
