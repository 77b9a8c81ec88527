//! A router of permutations run beside its reference model.

use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::permutation;
use rtl_model::permutation::PermutationRouter;
use rtl_model::router::{Machine, Position, Router};
use rtl_model::traffic::Traffic;
use testbenches::catalogue::Schedule;
use testbenches::reference;
use testbenches::scoreboard::{self, Arrivals, Score};

use super::cube;

/// After each iteration, for each node, the message that it holds.
type AfterIteration = Vec<Vec<Option<usize>>>;

/// What the schedule's reference model says.
fn expected(schedule: Schedule, traffic: &Traffic) -> AfterIteration {
    use reference::kuszmaul::Variant;
    let (dimensions, messages) = (traffic.dimensions().unwrap(), &traffic.messages().to_vec());
    let after_iteration = match schedule {
        Schedule::Plain | Schedule::Overlapped => {
            reference::kuszmaul::route(dimensions, messages, Variant::CORRECT)
                .map(|outcome| outcome.after_iteration)
        }
        Schedule::Folded => reference::kuszmaul::route(dimensions, messages, Variant::FOLDED)
            .map(|outcome| outcome.after_iteration),
        Schedule::Spread => {
            reference::spread::route(dimensions, messages, reference::spread::Variant::CORRECT)
                .map(|outcome| outcome.after_iteration)
        }
        Schedule::Radix4 => {
            use reference::radix4::{Variant, composition, route};
            let groups = composition(dimensions.count(), traffic.payload_bits());
            route(dimensions, messages, &groups, Variant::CORRECT)
                .map(|outcome| outcome.after_group)
        }
        Schedule::BitonicSortAndUnpack => {
            reference::sorting::route(dimensions, messages, reference::sorting::Variant::CORRECT)
        }
        Schedule::BitonicSort => {
            reference::sorting::route(dimensions, messages, reference::sorting::Variant::SORT)
        }
        Schedule::RadixSortAndUnpack => {
            reference::radix::route(dimensions, messages, reference::radix::Variant::CORRECT)
        }
        Schedule::RadixSort => {
            reference::radix::route(dimensions, messages, reference::radix::Variant::SORT)
        }
    };
    after_iteration.unwrap_or_else(|violation| panic!("{violation}: {messages:?}"))
}

/// Runs traffics side by side, a cube each, and holds the machine against the reference model: which nodes
/// hold a message after each iteration, and what arrives in the end. Bit times must be the closed
/// form, and no wire may have two drivers.
pub fn run_beside_reference<S: permutation::Schedule, B: Lanes>(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    traffics: &[Traffic],
) {
    run_beside_reference_from::<S, B>(schedule, k, payload_bits, traffics, |_| ());
}

/// The same, with `prepare` done to the machine before the host writes the messages.
pub fn run_beside_reference_from<S: permutation::Schedule, B: Lanes>(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    traffics: &[Traffic],
    prepare: impl FnOnce(&mut Fabric<PermutationRouter<S>, B>),
) {
    assert!(!traffics.is_empty());
    let router = PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
    let outcomes: Vec<AfterIteration> = traffics
        .iter()
        .map(|traffic| expected(schedule, traffic))
        .collect();
    let mut fabric = Fabric::<_, B>::new(router, traffics.len()).unwrap();
    prepare(&mut fabric);
    for (number, traffic) in traffics.iter().enumerate() {
        scoreboard::load(&mut fabric, number, traffic);
    }
    let mut iteration = 0;
    while !fabric.is_done() {
        let position = fabric.position();
        fabric.tick().unwrap();
        let now = fabric.position().iteration as usize;
        if now != iteration || fabric.is_done() {
            compare_places(&fabric, &outcomes, position);
            iteration = now;
        }
    }
    assert!(outcomes.iter().all(|after| after.len() == iteration + 1));
    assert_eq!(fabric.bit_time(), router.bit_times().value);
    for (number, traffic) in traffics.iter().enumerate() {
        let score = Score::new(traffic, &Arrivals::read(&fabric, number));
        assert_eq!(score.first_fault, None, "{:?}", traffic.messages());
        assert_eq!(score.delivered, traffic.messages().len());
    }
}

/// After an iteration every node holds a message exactly where the reference model says so.
fn compare_places<R: Router, B: Lanes>(
    fabric: &Fabric<R, B>,
    outcomes: &[AfterIteration],
    after: Position,
) {
    let iteration = after.iteration as usize;
    let nodes = fabric.router().dimensions().nodes();
    for (number, outcome) in outcomes.iter().enumerate() {
        for (node, expected) in outcome[iteration].iter().enumerate() {
            let (group, place) = fabric.node(number * nodes + node);
            let mut held = 0;
            fabric
                .router()
                .messages(group, Some(after), &mut |flag: B| {
                    held += u32::from(flag.get(place))
                });
            assert_eq!(
                held,
                u32::from(expected.is_some()),
                "cube {number}, node {node} after iteration {iteration}"
            );
        }
    }
}
