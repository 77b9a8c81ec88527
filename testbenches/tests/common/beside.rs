//! A router of permutations run beside its reference model.

use hosts::scoreboard::Score;
use reference_models as reference;
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;
use testbenches::lockstep::Schedule;

use super::device;

/// After each iteration, for each node, the message that it holds.
type AfterIteration = Vec<Vec<Option<usize>>>;

/// What the schedule's reference model says.
fn expected(schedule: Schedule, traffic: &Traffic) -> AfterIteration {
    use reference::kuszmaul::Variant;
    let (dimensions, messages) = (traffic.dimensions().unwrap(), &traffic.messages().to_vec());
    let after_iteration = match (schedule.bench, schedule.name) {
        ("kuszmaul", "plain" | "overlapped") => {
            reference::kuszmaul::route(dimensions, messages, Variant::CORRECT)
                .map(|outcome| outcome.after_iteration)
        }
        ("kuszmaul", "folded") => reference::kuszmaul::route(dimensions, messages, Variant::FOLDED)
            .map(|outcome| outcome.after_iteration),
        ("kuszmaul", "spread") => {
            reference::spread::route(dimensions, messages, reference::spread::Variant::CORRECT)
                .map(|outcome| outcome.after_iteration)
        }
        ("kuszmaul", "radix4") => {
            use reference::radix4::{Variant, composition, route};
            let groups = composition(dimensions.count(), traffic.payload_bits());
            route(dimensions, messages, &groups, Variant::CORRECT)
                .map(|outcome| outcome.after_group)
        }
        ("bitonic", "sort-and-unpack") => {
            reference::sorting::route(dimensions, messages, reference::sorting::Variant::CORRECT)
        }
        ("bitonic", "sort") => {
            reference::sorting::route(dimensions, messages, reference::sorting::Variant::SORT)
        }
        ("radix", "sort-and-unpack") => {
            reference::radix::route(dimensions, messages, reference::radix::Variant::CORRECT)
        }
        ("radix", "sort") => {
            reference::radix::route(dimensions, messages, reference::radix::Variant::SORT)
        }
        other => panic!("no reference model of {other:?}"),
    };
    after_iteration.unwrap_or_else(|violation| panic!("{violation}: {messages:?}"))
}

/// Runs traffics side by side, a cube each, and holds the machine against the reference model: which nodes
/// hold a message after each iteration, and what arrives in the end. Bit times must be the closed
/// form, and no wire may have two drivers.
pub fn run_beside_reference(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    traffics: &[Traffic],
) {
    run_beside_reference_from(schedule, k, payload_bits, traffics, |_| ());
}

/// The same, with `prepare` done to the machine before the host writes the messages.
pub fn run_beside_reference_from(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    traffics: &[Traffic],
    prepare: impl FnOnce(&mut dyn Lockstep),
) {
    assert!(!traffics.is_empty());
    let device = device(schedule, k, payload_bits);
    let outcomes: Vec<AfterIteration> = traffics
        .iter()
        .map(|traffic| expected(schedule, traffic))
        .collect();
    let mut machine = device.build(traffics.len()).unwrap();
    prepare(&mut *machine);
    arrivals::load(&mut *machine, traffics).unwrap();
    let mut iteration = 0;
    while !machine.is_done() {
        let position = machine.position();
        machine.tick().unwrap();
        let now = machine.position().iteration as usize;
        if now != iteration || machine.is_done() {
            compare_places(&*machine, &outcomes, position);
            iteration = now;
        }
    }
    assert!(outcomes.iter().all(|after| after.len() == iteration + 1));
    assert_eq!(machine.bit_time(), device.bit_times().value);
    let arrivals = Arrivals::read_each(&*machine, payload_bits).unwrap();
    for (traffic, arrivals) in traffics.iter().zip(&arrivals) {
        let score = Score::new(traffic, arrivals);
        assert_eq!(score.first_fault, None, "{:?}", traffic.messages());
        assert_eq!(score.delivered, traffic.messages().len());
    }
}

/// After an iteration every node holds a message exactly where the reference model says so.
fn compare_places(machine: &dyn Lockstep, outcomes: &[AfterIteration], after: Position) {
    let iteration = after.iteration as usize;
    let nodes = machine.topology().nodes();
    let held = machine.messages(Some(after));
    for (number, outcome) in outcomes.iter().enumerate() {
        for (node, expected) in outcome[iteration].iter().enumerate() {
            assert_eq!(
                held[number * nodes + node],
                u32::from(expected.is_some()),
                "cube {number}, node {node} after iteration {iteration}"
            );
        }
    }
}
