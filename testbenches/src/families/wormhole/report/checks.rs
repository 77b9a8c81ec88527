//! What is held of every run, and what was compared.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::dependencies::Dependencies;
use rtl_model::routers::wormhole::node::Stall;
use rtl_model::routers::wormhole::plan::NodePlan;

use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::expected::{Expected, zero_load_text};
use crate::families::wormhole::report::make::channel_name;
use crate::families::wormhole::run::{Outcome, Ran};
use crate::report::{Check, STORAGE};

/// The checks that may have something to say before a run is over.
pub(in crate::families::wormhole) const DELIVERIES: &str = "deliveries";
pub(in crate::families::wormhole) const ONE_WORM: &str = "one worm a channel";
pub(in crate::families::wormhole) const BITS: &str = "bits";

/// The verdicts.
pub(in crate::families::wormhole) fn checks(
    engine: &Engine<impl WormLanes>,
    ran: &Ran,
    graph: &Dependencies,
    storage: usize,
) -> Vec<Check> {
    let machine = engine.fabric.router();
    let arrived = engine.delivered();
    let mut checks = vec![
        no_deadlock(engine, &ran.outcome, graph),
        Check::new(
            DELIVERIES,
            engine.strays.is_empty() && (ran.continuous.is_some() || arrived == engine.worms.len()),
            match engine.strays.first() {
                None => format!(
                    "{arrived} of {} worms arrived where they were sent, every bit in order{}",
                    engine.worms.len(),
                    match ran.outcome {
                        Outcome::NotDrained { missing } =>
                            format!("; {missing} messages that count did not in the time for it"),
                        _ => String::new(),
                    }
                ),
                Some(stray) => format!(
                    "bit time {}: what came out at node {} was not sent to it",
                    stray.bit_time,
                    machine.wiring().node_name(stray.node)
                ),
            },
        ),
        Check::new(
            "one bit a wire",
            engine.conflict.is_none(),
            match &engine.conflict {
                None => format!(
                    "{} {} crossed links, no two at once",
                    engine.meters.crossed,
                    what_crosses(engine.fabric.router().plan())
                ),
                Some(conflict) => conflict.to_string(),
            },
        ),
        Check::new(
            ONE_WORM,
            engine.tracker.shared().is_none(),
            match engine.tracker.shared() {
                None => "no channel ever held bits of two worms".to_owned(),
                Some((place, bit_time)) => format!(
                    "bit time {bit_time}: two worms in {} of node {}",
                    channel_name(machine, place),
                    machine.wiring().node_name(place.node)
                ),
            },
        ),
        Check::new(
            BITS,
            engine.meters.not_conserved.is_none(),
            engine
                .meters
                .not_conserved
                .clone()
                .unwrap_or_else(|| "none lost, none doubled in any bit time".to_owned()),
        ),
    ];
    checks.push(STORAGE.check(storage as u64, &machine.storage_bits().into()));
    if let (Some(expected), Outcome::Complete) = (&ran.expected, &ran.outcome) {
        let bit_times = engine.fabric.bit_time();
        let (lower, upper) = (expected.lower, expected.upper);
        checks.push(Check::new(
            "bit times",
            (lower..=upper).contains(&bit_times),
            format!("{bit_times} measured, {lower} at least and {upper} at most"),
        ));
        if engine.worms.len() == 1 {
            checks.push(alone(engine, expected));
        }
        checks.push(loads(engine, expected));
    }
    checks
}

/// A worm alone takes as long as the closed form says. Where two edges of its route share a wire (only those of butterflies do), its
/// bits take turns there: each time one of them waits for others may cost a bit time, and nothing else does.
fn alone(engine: &Engine<impl WormLanes>, expected: &Expected) -> Check {
    let text = zero_load_text(engine.fabric.router());
    let bit_times = engine.fabric.bit_time();
    // Elsewhere a wire that is given to another channel would be a mistake.
    let turns = match engine.fabric.router().plan().relays.is_empty() {
        true => 0,
        false => engine.meters.stalls[Stall::Wire as usize],
    };
    let created = expected.latest_alone - expected.alone;
    let measured = bit_times.saturating_sub(created);
    let from = match created {
        0 => String::new(),
        created => format!(", from bit time {created} on"),
    };
    let met = match turns {
        0 => String::new(),
        turns => format!("; {turns} more at most, as its bits took turns on wires of its own"),
    };
    Check::new(
        "zero load",
        (expected.latest_alone..=expected.latest_alone + turns).contains(&bit_times),
        format!(
            "{measured} measured of a worm alone{from}, {text} = {}{met}",
            expected.alone
        ),
    )
}

fn no_deadlock(engine: &Engine<impl WormLanes>, outcome: &Outcome, graph: &Dependencies) -> Check {
    let foretold = match (graph.deadlock(), &graph.escape) {
        (None, None) => "the channel dependency graph has no cycle",
        (None, Some(_)) => "the escape channels' dependency graph has no cycle",
        (Some(_), None) => {
            "the channel dependency graph has a cycle, so other traffic can have one"
        }
        (Some(_), Some(_)) => {
            "the escape channels' dependency graph has a cycle, so other traffic may have one"
        }
    };
    let detail = match outcome {
        Outcome::Complete | Outcome::NotDrained { .. } => format!("none; {foretold}"),
        Outcome::OutOfTime => {
            "worms are under way after all the bit times that they can take".to_owned()
        }
        Outcome::Deadlock(deadlock) => format!(
            "bit time {}: {} worms {}; {} channels wait for each other{}",
            deadlock.bit_time,
            engine.in_flight(),
            match deadlock.quiet {
                0 => "are under way",
                _ => "will never arrive",
            },
            deadlock.cycle.len(),
            match (deadlock.quiet, deadlock.registers_unchanged) {
                (0, _) => "",
                (_, true) => ", and no register of the machine changes any more",
                (_, false) => ", although registers still change",
            }
        ),
    };
    let passed = matches!(outcome, Outcome::Complete | Outcome::NotDrained { .. });
    Check::new("no deadlock", passed, detail)
}

/// What crosses a link in a bit time.
fn what_crosses(plan: &NodePlan) -> &'static str {
    match plan.wire_bits {
        1 => "bits",
        _ => "flits",
    }
}

/// Worms went the way that their headers say, and links carried what that puts on them; where worms choose among lanes, those
/// among which they do together, and all links together.
fn loads(engine: &Engine<impl WormLanes>, expected: &Expected) -> Check {
    let plan = engine.fabric.router().plan();
    let unit = what_crosses(plan);
    let is_adaptive = plan.switch.is_adaptive();
    let astray = (0..engine.worms.len()).find(|&worm| {
        let (path, expected) = (engine.tracker.path(worm), &expected.paths[worm]);
        match is_adaptive {
            false => path != expected,
            true => path.len() != expected.len() || path.last() != expected.last(),
        }
    });
    let topology = engine.fabric.topology();
    let chooses = plan.switch.lanes > 1;
    // By which of several lanes or relays a worm goes is not foreseen.
    let links = if is_adaptive || !plan.relays.is_empty() {
        0
    } else {
        plan.links.len()
    };
    let loads: Vec<Vec<u32>> = (0..links)
        .map(|link| engine.meters.loads(&engine.fabric, link))
        .collect();
    let wrong = (0..topology.nodes()).find_map(|node| {
        loads.iter().enumerate().find_map(|(link, loads)| {
            let measured = u64::from(loads[node]);
            let expected = expected.loads.get(&(node, link)).copied().unwrap_or(0);
            (measured != expected).then_some((node, link, measured, expected))
        })
    });
    let wrong_edge = engine.meters.edges.wrong(&engine.fabric, &expected.edges);
    let crossed = engine.meters.crossed;
    let detail = match (astray, wrong, &wrong_edge) {
        (Some(worm), ..) if is_adaptive => {
            format!("worm {worm} did not take a shortest way")
        }
        (Some(worm), ..) => format!("worm {worm} did not take the route that its header says"),
        (_, Some((node, link, measured, expected)), _) => {
            format!("link {link} of node {node} carried {measured} {unit} in place of {expected}")
        }
        (.., Some(wrong)) => wrong.clone(),
        _ if crossed != expected.crossed => {
            format!(
                "all links carried {crossed} {unit} in place of {}",
                expected.crossed
            )
        }
        _ if is_adaptive => {
            format!("every worm took a shortest way: {crossed} {unit} over all links")
        }
        _ if chooses => format!(
            "every worm took its route, the lanes of every edge together carried the {unit} of its worms: {crossed} over all links"
        ),
        _ => format!(
            "every worm took its route, every link carried the {unit} of its worms: {} on the busiest",
            engine.meters.largest_load()
        ),
    };
    Check::new(
        "routes and loads",
        astray.is_none() && wrong.is_none() && wrong_edge.is_none() && crossed == expected.crossed,
        detail,
    )
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;
    use rtl_model::machine::meter::Storage;
    use rtl_model::machine::router::Machine;

    use super::*;
    use crate::families::wormhole::BENCH;
    use crate::families::wormhole::engine::Stray;
    use crate::families::wormhole::job::Job;
    use crate::families::wormhole::observe::Observer;
    use crate::families::wormhole::run::listed;
    use crate::families::wormhole::traffic;
    use crate::testbench::bench::asked;

    /// The checks that fail after a run in which nothing is wrong, when something is doctored.
    fn failed(words: &str, doctor: impl FnOnce(&mut Engine<u64>, &mut Ran)) -> Vec<&'static str> {
        let job = Job::new(&asked(&BENCH, &format!("--message-bits 8 {words}"))).unwrap();
        let (machine, messages) = (&job.machine, traffic::messages(&job).unwrap());
        let mut engine = Engine::<u64>::new(machine.clone(), 1).unwrap();
        let mut ran = listed(&mut engine, messages, true, &mut Observer::blind()).unwrap();
        doctor(&mut engine, &mut ran);
        let storage = Storage::of(&machine.node::<bool>()).total;
        let checks = checks(&engine, &ran, machine.dependencies(), storage);
        let failed = checks.iter().filter(|check| !check.passed);
        failed.map(|check| check.name).collect()
    }

    #[test]
    fn what_came_to_the_wrong_node_and_what_a_link_carried_too_much_fail() {
        let failed = |doctor: &dyn Fn(&mut Engine<u64>, &mut Ran)| failed("--dims 2", doctor);
        assert!(failed(&|_, _| ()).is_empty());
        let stray = |engine: &mut Engine<u64>, _: &mut Ran| {
            engine.strays.push(Stray {
                node: 0,
                switch: 0,
                bits: BitVec::new(),
                bit_time: 5,
            });
        };
        assert_eq!(failed(&stray), ["deliveries"]);
        let load = |_: &mut Engine<u64>, ran: &mut Ran| {
            let loads = &mut ran.expected.as_mut().unwrap().loads;
            *loads.values_mut().next().unwrap() += 1;
        };
        assert_eq!(failed(&load), ["routes and loads"]);
    }

    #[test]
    fn what_the_lanes_of_an_edge_carried_too_much_fails() {
        let edge = |ran: &mut Ran| {
            let edges = &mut ran.expected.as_mut().unwrap().edges;
            *edges.values_mut().next().unwrap() += 1;
        };
        let missing = |ran: &mut Ran| {
            let edges = &mut ran.expected.as_mut().unwrap().edges;
            let any = *edges.keys().next().unwrap();
            edges.remove(&any);
        };
        let all = |ran: &mut Ran| ran.expected.as_mut().unwrap().crossed -= 1;
        for network in [
            "butterflies",
            "hypercube --virtual-channels 3",
            // Of a link, lanes of several classes.
            "torus --virtual-channels 4",
            "mesh --routing valiant --virtual-channels 3",
        ] {
            let failed = |doctor: &dyn Fn(&mut Ran)| {
                failed(&format!("--network {network}"), |_, ran| doctor(ran))
            };
            assert!(failed(&|_| ()).is_empty(), "{network}");
            for doctor in [&edge as &dyn Fn(&mut Ran), &missing, &all] {
                assert_eq!(failed(doctor), ["routes and loads"], "{network}");
            }
        }
    }
}
