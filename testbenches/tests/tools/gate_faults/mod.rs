//! The testbench that `cubewave verilog` writes notices a gate that is another: of the faults that many traffics show,
//! 95 in 100. Here a sample of them; `scripts/gate-faults` plants them all. Needs Icarus; without it it fails.

mod campaign;
mod planting;

use crate::common::verilog::Machine;
use campaign::Subject;

use rtl_model::routers::ports::algorithm::Algorithm;

const THREADS: usize = 2;

/// All testbenches on all schedules, the smallest size at which all their parts are there (`radix4` packs from five dimensions on).
fn small() -> Vec<Subject> {
    let lockstep = Machine::all().into_iter().map(|machine| {
        let k = match machine.schedule {
            Some(schedule) if schedule.name == "radix4" => 5,
            _ => 3,
        };
        Subject::Lockstep(machine, k, 4)
    });
    let networks = [
        Subject::Wormhole("ccc", 2, 8),
        Subject::Wormhole("copies", 3, 8),
        Subject::Wormhole("hypercube", 3, 8),
    ];
    lockstep.chain(networks).chain(broadcasts()).collect()
}

/// Every broadcast, on all its ports.
fn broadcasts() -> impl Iterator<Item = Subject> {
    Algorithm::EACH.into_iter().flat_map(|algorithm| {
        let models = algorithm.port_models().iter();
        models.map(move |model| Subject::Broadcast(algorithm, *model, 3))
    })
}

#[test]
fn of_a_small_sample_of_gate_faults_95_in_100_are_caught() {
    of_a_sample_enough_are_caught(small().into_iter().skip(2).step_by(9), 20);
}

#[test]
#[ignore = "long: all machines"]
fn of_a_sample_of_gate_faults_95_in_100_are_caught() {
    of_a_sample_enough_are_caught(small().into_iter(), 30);
}

/// So many faults of each, or some fewer: 95 in 100 of all that show, and of one machine all but one, where that is more than 5 in 100.
fn of_a_sample_enough_are_caught(subjects: impl Iterator<Item = Subject>, faults: usize) {
    let (mut caught, mut shown) = (0, 0);
    for subject in subjects {
        let outcome = subject.campaign(stride(subject) * 30 / faults, THREADS);
        assert!(outcome.planted >= 15, "{}: {outcome:?}", subject.name());
        assert!(
            3 * outcome.shown >= outcome.planted,
            "{}: {outcome:?}",
            subject.name()
        );
        let is_enough = outcome.is_enough() || outcome.caught + 1 == outcome.shown;
        assert!(is_enough, "{}: {outcome:?}", subject.name());
        caught += outcome.caught;
        shown += outcome.shown;
    }
    assert!(100 * caught >= 95 * shown, "{caught} of {shown}");
}

/// About 30 faults of each.
fn stride(subject: Subject) -> usize {
    match subject {
        Subject::Wormhole("copies", ..) => 130,
        Subject::Wormhole("hypercube", ..) => 15,
        Subject::Wormhole(..) => 29,
        Subject::Broadcast(..) => 9,
        Subject::Lockstep(machine, ..) => match (machine.bench.name, machine.schedule) {
            ("enumeration", _) => 3,
            ("packing", _) => 5,
            ("bitonic", _) => 9,
            ("radix", _) => 13,
            (_, Some(schedule)) => match schedule.name {
                "spread" => 17,
                "overlapped" => 27,
                "folded" | "radix4" => 37,
                _ => 21,
            },
            _ => 21,
        },
    }
}

/// The table of `scripts/gate-faults`, a row a machine. Which: words of its name, from the environment.
#[test]
#[ignore = "plants them all, which takes long: scripts/gate-faults"]
fn of_all_gate_faults_95_in_100_are_caught() {
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    let stride = read("GATE_FAULTS_STRIDE").parse().unwrap_or(1);
    let (only, missed) = (
        read("GATE_FAULTS_ONLY"),
        !read("GATE_FAULTS_MISSED").is_empty(),
    );
    let further = Machine::all().into_iter();
    let further = further.map(|machine| Subject::Lockstep(machine, 4, 8));
    println!(
        "| machine | faults | shown | caught in round 1 | caught | of those shown | rounds needed |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut too_few = Vec::new();
    for subject in small().into_iter().chain(further) {
        let name = subject.name();
        if !only.split_whitespace().all(|word| name.contains(word)) {
            continue;
        }
        let outcome = subject.campaign(stride, THREADS);
        println!(
            "| {name} | {} | {} | {} | {} | {:.1} % | {} |",
            outcome.planted,
            outcome.shown,
            outcome.first_round,
            outcome.caught,
            100.0 * outcome.caught as f64 / outcome.shown.max(1) as f64,
            outcome.rounds.last().unwrap_or(&0),
        );
        if missed {
            outcome
                .missed
                .iter()
                .for_each(|fault| println!("  missed: {fault}"));
        }
        if !outcome.is_enough() {
            too_few.push(name);
        }
    }
    assert!(too_few.is_empty(), "too few are caught: {too_few:?}");
}
