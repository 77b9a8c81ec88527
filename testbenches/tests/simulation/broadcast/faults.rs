//! Wires that are stuck. Where one changes anything that a host is told or given, the checks of a run must notice it; where it does
//! not, they must not. A wire is stuck in bit times in which somebody drives it: at other times nobody listens.

use std::collections::BTreeSet;

use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::broadcast::common::objections;
use crate::broadcast::observed::{Run, all};

/// Runs with a wire stuck throughout.
fn stuck(broadcast: Broadcast, (node, wire, value): (usize, usize, bool)) -> Run {
    Run::of(
        broadcast,
        |_| (),
        |machine| machine.force_wire(node, wire, value),
    )
}

/// Some of what the second waves of BROADCAST 3B and 4 carry reaches nodes that have it, and is not taken.
#[test]
fn every_stuck_link_is_noticed_if_what_it_carries_is_taken() {
    for broadcast in all() {
        let clean = Run::clean(broadcast);
        let sends = clean.engine.monitor.sends();
        let used: BTreeSet<(usize, usize)> = (sends.iter())
            .map(|sent| (sent.from, (sent.from ^ sent.to).ilog2() as usize))
            .collect();
        let has_second_wave = matches!(
            broadcast.algorithm,
            Algorithm::Broadcast3B | Algorithm::Broadcast4
        );
        for node in 0..broadcast.cube.nodes() {
            for port in 0..broadcast.cube.count() {
                for value in [false, true] {
                    let run = stuck(broadcast, (node, port, value));
                    let (is_used, is_the_same) =
                        (used.contains(&(node, port)), run.is_the_same(&clean));
                    let objections = objections(&run.engine);
                    let what = format!(
                        "{broadcast:?}: node {node}, port {port} stuck at {value}: {objections:?}"
                    );
                    assert_eq!(objections.is_empty(), is_the_same, "{what}");
                    match has_second_wave {
                        true => assert!(is_used || is_the_same, "{what}"),
                        false => assert_eq!(is_used, !is_the_same, "{what}"),
                    }
                }
            }
        }
    }
}

/// Of the wires to hosts, what the source says of what it asks for is of no consequence in steps in which it sends nothing; that
/// it asks for a first bit, if it sends in one step alone.
#[test]
fn every_stuck_wire_to_a_host_is_noticed_if_it_says_anything_else() {
    for broadcast in all() {
        let clean = Run::clean(broadcast);
        let at = *clean.engine.device.wires();
        let mut noticed = 0;
        for node in 0..broadcast.cube.nodes() {
            for wire in at.dimensions..at.driven() {
                for value in [false, true] {
                    let run = stuck(broadcast, (node, wire, value));
                    let what = format!("{broadcast:?}: node {node}, wire {wire} at {value}");
                    let objections = objections(&run.engine);
                    noticed += usize::from(!objections.is_empty());
                    match run.is_the_same(&clean) {
                        true => assert!(objections.is_empty(), "{what}: {objections:?}"),
                        false if wire > at.ask() => {}
                        false => assert!(!objections.is_empty(), "{what}"),
                    }
                }
            }
        }
        assert!(noticed > 2 * broadcast.cube.nodes(), "{broadcast:?}");
        let is_noticed = |wire, value| {
            let run = stuck(broadcast, (broadcast.source, wire, value));
            !objections(&run.engine).is_empty()
        };
        assert!(is_noticed(at.ask(), false), "{broadcast:?}");
        let sends = clean.engine.monitor.sends();
        let steps: BTreeSet<usize> = (sends.iter())
            .filter(|sent| sent.from == broadcast.source)
            .map(|sent| sent.step)
            .collect();
        assert_eq!(
            is_noticed(at.ask_first(), false),
            steps.len() > 1,
            "{broadcast:?}"
        );
    }
}
