use rtl_model::closed_form::ClosedForm;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::fabric::Part;
use rtl_model::machine::program::Touched;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Nodes;
use serde_json::json;

use super::*;
use crate::families::testbench as bench;
use crate::lockstep;
use crate::lockstep::parameters;
use crate::options::ThreadsArgument;
use crate::report::value;
use crate::testbench::bench::asked;

const IDENTITY: Identity = Identity {
    name: "router",
    models: "a router",
    source: "nowhere",
    schedule: Some("quick"),
};

fn computers(machines: usize, memory: u64, bandwidth: u64) -> Computers {
    Computers {
        share: Share::new(0, machines).unwrap(),
        memory,
        bandwidth: (machines > 1).then_some(bandwidth),
        threads: 2,
    }
}

/// 2^30 nodes of 32 bytes, 1000 bit times, in 50 of which bits pass between two ranks and so on: half of them at each doubling.
fn known(computers: Computers) -> Known {
    let machines = computers.share.ranks() as u64;
    let nodes = 1u64 << 30;
    let exchanges = [0, 50, 75, 87][computers.share.log2_ranks()];
    let part = |bytes, operations, fetched| Part {
        bytes,
        bit_times: 500,
        operations,
        touched: Touched {
            fetched,
            written: fetched / 2,
        },
    };
    Known {
        identity: IDENTITY,
        dims: 30,
        nodes,
        computers,
        bytes: 32 * nodes / machines,
        bit_times: ClosedForm::of("30k+100", &[("k", 30)]),
        storage_bits: 100,
        is_listed: false,
        is_compared_by_first: false,
        foreseen: Some(Foreseen {
            bit_times: 1000,
            words_to_ranks: exchanges * nodes / machines / 64,
            exchanges,
            parts: vec![part(1 << 18, 4000, 3000), part(1 << 30, 6000, 4000)],
        }),
        formula: Some(("N times 50 for d = 0".to_owned(), exchanges * nodes)),
        instead: Instead::default(),
    }
}

/// A word of 64 nodes takes 2 ns an operation, and 1 ns more a plane in large parts.
fn rates() -> Rates {
    Rates {
        preparing: 0.5,
        drawing: 0.0,
        loading: 1.0 / f64::from(1 << 23),
        comparing: 1.0 / f64::from(1 << 24),
        bit_times: BitTimes::Program {
            operation: 2e-9,
            planes: vec![(1 << 19, 1e-9)],
        },
        samples: vec![14, 17, 21],
    }
}

const GIB: u64 = 1 << 30;

fn plan_of(known: Known) -> Plan {
    Plan::of(known, &rates()).unwrap()
}

#[test]
fn the_arithmetic_is_exact() {
    for (machines, exchanges) in [(1, 0), (2, 50), (4, 75), (8, 87)] {
        let plan = plan_of(known(computers(machines, 64 * GIB, 10_000_000_000)));
        let nodes = 2f64.powi(30) / machines as f64;
        // 10,000 operations, and 6,000 planes in large parts.
        let of_a_word: f64 = 10_000.0 * 2e-9 + 6000.0 * 1e-9;
        let volume = plan.volume.as_ref().unwrap();
        assert_eq!(volume.bits, exchanges << 30);
        assert_eq!(volume.exchanges, Some(exchanges));
        let Seconds {
            preparing,
            loading_and_comparing,
            bit_times,
            network,
        } = plan.seconds;
        assert_eq!(preparing, 0.5);
        assert_eq!(loading_and_comparing, 192.0 / machines as f64);
        assert!((bit_times / (nodes / 64.0 * of_a_word) - 1.0).abs() < 1e-12);
        assert_eq!(network, Some(nodes * exchanges as f64 / 1e10));
        let total = preparing + loading_and_comparing + bit_times + nodes * exchanges as f64 / 1e10;
        assert_eq!(plan.seconds.total(), Some(total));
    }
}

#[test]
fn lists_are_drawn_by_all_and_compared_by_the_first() {
    let mut known = known(computers(8, 64 * GIB, 1));
    known.is_listed = true;
    known.is_compared_by_first = true;
    let plan = plan_of(known);
    assert_eq!(plan.seconds.loading_and_comparing, 64.0 + 128.0 / 8.0);
}

#[test]
fn files_are_read_by_all_and_compared_where_messages_arrive() {
    let mut known = known(computers(8, 64 * GIB, 1));
    known.is_listed = true;
    let rates = Rates {
        drawing: 1.0 / f64::from(1 << 25),
        ..rates()
    };
    let plan = Plan::of(known, &rates).unwrap();
    assert_eq!(
        plan.seconds.loading_and_comparing,
        32.0 + (128.0 + 64.0) / 8.0
    );
    let first_compares = |traffic_file: Option<&str>, needs_list| {
        let file = traffic_file.map_or(String::new(), |file| format!("--traffic-file {file}"));
        let bench = bench("kuszmaul").unwrap();
        let mut chosen = asked(bench, &format!("--dims 12 {file}"));
        chosen.needs_list = needs_list;
        let requirement = (bench.job)(&chosen).unwrap().requirement();
        requirement.is_compared_by_first()
    };
    assert!(!first_compares(Some("mine.csv"), false));
    assert!(first_compares(Some("mine.csv"), true) && first_compares(None, false));
}

/// Nothing is known to bound a run but what is the most.
#[test]
fn the_bound_changes_where_it_should() {
    let bound = |machines, memory, bandwidth| {
        let plan = plan_of(known(computers(machines, memory, bandwidth)));
        plan.bound
    };
    // 32 GiB of nodes, to the byte.
    assert_eq!(bound(1, 32 * GIB, 1), Bound::Processors);
    assert_eq!(bound(1, 32 * GIB - 1, 1), Bound::Memory);
    assert_eq!(bound(8, 4 * GIB, 1_000_000_000), Bound::Processors);
    assert_eq!(bound(8, 4 * GIB - 1, 1_000_000_000), Bound::Memory);
    // Of 8 computers, each computes for 0.5 + 24 + 54.5 s, and sends 87 x 2^27 bits.
    let computing = plan_of(known(computers(8, GIB, 1))).seconds.computing();
    let even = 87.0 * f64::from(1 << 27) / computing;
    assert_eq!(bound(8, 4 * GIB, (even * 1.001) as u64), Bound::Processors);
    assert_eq!(bound(8, 4 * GIB, (even * 0.999) as u64), Bound::Network);
    assert_eq!(bound(8, GIB, 1), Bound::Memory);
}

#[test]
fn a_plan_for_people_says_all_in_whole_sentences() {
    let plan = plan_of(known(computers(2, 24 * GIB, 10_000_000_000)));
    assert_eq!(
        plan.text(),
        "\
plan of router, schedule quick, 30 dimensions, on 2 computers with 2 threads on each

  nodes                  1073741824, 536870912 on each computer
  memory                 16.00 GiB on each, of 24.00 GiB: it fits
  bit times              1000 = 30k+100
  between ranks          53687091200 bits = N times 50 for d = 0
                         6.25 GiB in all, 3.12 GiB from each computer, in 50 exchanges
  preparing              0.50 s
  loading and comparing  96.0 s
  running bit times      218 s
  network                2.68 s, at 10 Gbit/s
  time in all            317 s, 5 minutes

The bound is the processors: computing takes 315 s, 5 minutes, and the network 2.68 s.
Computers are taken to be like this one. Rates are those of machines of 2^14, 2^17 and 2^21 nodes, which were run here just now.
Ranks wait for each other while they exchange bits, so the times add up; the latency of exchanges is not counted.
"
    );
}

/// A word too many or too few in one of them.
#[test]
fn a_closed_form_that_is_not_what_the_program_has_is_told() {
    let right = 50 << 30;
    for wrong in [right - 64, right + 64] {
        let mut known = known(computers(2, 64 * GIB, 1));
        known.formula = Some(("N times 50 for d = 0".to_owned(), wrong));
        assert_eq!(
            Plan::of(known.clone(), &rates()).unwrap_err().to_string(),
            format!(
                "no plan is made: ranks send each other 53687091200 bits in the program of this machine, but N times 50 for \
                 d = 0 = {wrong}: one of the two is a mistake of its router"
            )
        );
        // Where nothing is counted, the closed form is all that is known.
        known.foreseen = None;
        let volume = plan_of(known).volume.unwrap();
        assert_eq!((volume.bits, volume.exchanges), (wrong, None));
    }
}

#[test]
fn a_plan_that_does_not_fit_says_what_would() {
    let bound = |machines, instead| {
        let mut known = known(computers(machines, GIB, 1000));
        known.instead = instead;
        plan_of(known).bound_in_words()
    };
    let (machines, dims) = (Some(64), Some(25));
    assert_eq!(
        bound(1, Instead { machines, dims }),
        "The bound is memory: 32.00 GiB are needed and 1.00 GiB are there. Of computers like these, --machines 64 is the fewest \
         that can hold this; --dims 25 is the most that one computer can hold."
    );
    assert_eq!(
        bound(
            2,
            Instead {
                machines,
                dims: None
            }
        ),
        "The bound is memory: 16.00 GiB are needed on each and 1.00 GiB are there. Of computers like these, --machines 64 is \
         the fewest that can hold this."
    );
    assert_eq!(
        bound(
            2,
            Instead {
                machines: None,
                dims
            }
        ),
        "The bound is memory: 16.00 GiB are needed on each and 1.00 GiB are there. No number of such computers can hold it; \
         --dims 25 is the most that 2 computers can hold."
    );
    assert_eq!(
        bound(1, Instead::default()),
        "The bound is memory: 32.00 GiB are needed and 1.00 GiB are there. No number of such computers can hold it, nor a \
         smaller cube."
    );
}

#[test]
fn the_bound_is_told_with_its_figures() {
    let told = |known| plan_of(known).bound_in_words();
    assert_eq!(
        told(known(computers(8, 4 * GIB, 1_000_000))),
        "The bound is the network: it takes 11677 s, 3.2 hours, and computing 79.0 s."
    );
    assert_eq!(
        told(known(computers(1, 32 * GIB, 1))),
        "The bound is the processors: computing takes 629 s, 10 minutes, and the memory is enough."
    );
    let mut unknown = known(computers(2, 32 * GIB, 1));
    (unknown.foreseen, unknown.formula) = (None, None);
    let plan = plan_of(unknown);
    assert_eq!((plan.seconds.network, plan.seconds.total()), (None, None));
    assert!(
        plan.text()
            .contains("its program would be too large, or take longer to make than it saves.")
    );
    assert!(plan.text().contains(
        "\n  between ranks          not known: it has no closed form, and no program is made of such a run\n"
    ));
}

#[test]
fn a_plan_for_scripts_has_all_figures_in_base_units() {
    let plan = plan_of(known(computers(2, 24 * GIB, 10_000_000_000)));
    let seconds = plan.seconds;
    assert_eq!(
        value(&Planned::from(&plan)),
        json!({
            "bench": "router",
            "schedule": "quick",
            "dims": 30,
            "nodes": 1 << 30,
            "machines": 2,
            "nodes_per_machine": 1 << 29,
            "threads_per_machine": 2,
            "memory": {
                "bytes_per_machine": 16 * GIB,
                "available_bytes_per_machine": 24 * GIB,
                "fits": true,
                "fewest_machines": null,
                "most_dims": null,
            },
            "bit_times": 1000,
            "bit_times_formula": { "text": "30k+100", "value": 1000 },
            "has_program": true,
            "between_ranks": {
                "bits": 50 * GIB,
                "bits_per_machine": 25 * GIB,
                "exchanges_per_machine": 50,
                "formula": { "text": "N times 50 for d = 0", "value": 50 * GIB },
            },
            "bandwidth_bits_per_second": 10_000_000_000u64,
            "seconds": {
                "preparing": 0.5,
                "loading_and_comparing": 96.0,
                "bit_times": seconds.bit_times,
                "network": 25.0 * GIB as f64 / 1e10,
                "total": seconds.total(),
            },
            "bound": "processors",
            "measured_dims": [14, 17, 21],
        })
    );
    let alone = value(&Planned::from(&plan_of(known(computers(1, GIB, 1)))));
    assert_eq!(alone["between_ranks"], json!(null));
    assert_eq!(alone["memory"]["fits"], json!(false));
    assert_eq!(alone["bound"], "memory");
}

fn subject(name: &str, words: &str) -> Subject {
    Subject(asked(bench(name).unwrap(), words))
}

/// What ranks send is counted in the program, and is the closed form, which every router has.
#[test]
fn the_volume_of_every_router_is_its_closed_form() {
    let mut without = Vec::new();
    for bench in lockstep::benches() {
        let schedules = bench
            .schedules
            .iter()
            .map(|one| format!("--schedule {}", one.name()));
        let default = bench.schedules.is_empty().then(String::new);
        for schedule in schedules.chain(default) {
            let load = match bench.schedules.is_empty() {
                true => "",
                false => "--load 1",
            };
            let subject = subject(bench.name, &format!("--dims 16 {schedule} {load}"));
            let device = subject.device().unwrap();
            for ranks in [2, 8] {
                let share = Share::new(0, ranks).unwrap();
                let foreseen = device.foreseen(share, 2).unwrap();
                let bits = 64 * foreseen.words_to_ranks * ranks as u64;
                match formula(&*device, 1 << 16, share.log2_ranks()) {
                    Some((_, value)) => assert_eq!(bits, value, "{bench:?} {schedule:?}"),
                    None => without.push((bench.name, schedule.clone())),
                }
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}

/// The estimate of a share is what that share requires of its rank; what would fit is found at the byte where it does.
#[test]
fn what_would_fit_is_the_next_that_does() {
    let subject = subject("kuszmaul", "--dims 26");
    let of = |dims: usize, ranks: usize| {
        let share = Share::new(0, ranks).unwrap();
        bytes(&subject.with_dims(dims), share).unwrap()
    };
    let of_two = of(26, 2);
    assert!(of_two < of(26, 1) && of(26, 4) < of_two);
    let instead = |machines, memory| instead(&subject, computers(machines, memory, 1)).unwrap();
    assert_eq!(instead(1, of_two).machines, Some(2));
    assert_eq!(instead(1, of_two - 1).machines, Some(4));
    assert_eq!(instead(1, of(25, 1)).dims, Some(25));
    assert_eq!(instead(1, of(25, 1) - 1).dims, Some(24));
    assert_eq!(instead(4, of(25, 4)).dims, Some(25));
    assert_eq!(instead(4, 1), Instead::default());
}

#[test]
fn nothing_is_planned_that_could_not_be_run() {
    let refused_of = |subject: &Subject, machines: usize| {
        let computers = ComputersArguments {
            machines,
            memory: Some(GIB),
            bandwidth: Some(1),
            threads: ThreadsArgument { threads: Some(1) },
            ..ComputersArguments::default()
        };
        plan(&subject.0, &computers).unwrap_err().to_string()
    };
    let of_dims = |dims: usize| subject("kuszmaul", &format!("--dims {dims}"));
    let refused = |dims, machines| refused_of(&of_dims(dims), machines);
    assert_eq!(
        refused(7, 4),
        "--machines: each computer is a rank, and 4 ranks are too many for 128 nodes, for each takes 64 at the least: take 2 \
         or fewer, or a larger machine"
    );
    assert_eq!(
        refused(35, 4),
        parameters::dimensions(&of_dims(35).0)
            .unwrap_err()
            .to_string()
    );
    // Lists, of which a larger memory would not make longer ones.
    let with = |name: &str, dims: usize, traffic: Option<&str>| {
        let traffic = traffic.map_or(String::new(), |name| format!("--traffic {name}"));
        subject(name, &format!("--dims {dims} {traffic}"))
    };
    let too_long = Nodes::from(Dimensions::new(33).unwrap());
    let too_long = too_long.check_listed().unwrap_err();
    for (name, traffic) in [
        ("kuszmaul", Some("packed")),
        ("packing", None),
        ("enumeration", None),
    ] {
        assert_eq!(
            refused_of(&with(name, 33, traffic), 1),
            too_long.to_string(),
            "{name}"
        );
        assert!(with(name, 31, traffic).check_traffic().is_ok(), "{name}");
    }
    for dims in [7, 33] {
        assert_eq!(
            refused_of(&with("kuszmaul", dims, Some("transpose")), 1),
            ModelError::NoTransposeAtOddDimensions { dimensions: dims }.to_string()
        );
    }
    assert!(
        with("kuszmaul", 34, Some("transpose"))
            .check_traffic()
            .is_ok()
    );
    // What only drawing tells is told of a smaller machine.
    assert!(refused_of(&with("packing", 8, Some("bitrev")), 1).contains("contraction"));
    let of_file = subject("kuszmaul", "--traffic-file no/traffic.csv");
    assert_eq!(
        refused_of(&of_file, 1),
        "cannot read no/traffic.csv: No such file or directory (os error 2)"
    );
}

/// Of traffic that is not there in every cube, what would fit is a cube in which it is.
#[test]
fn what_would_fit_has_such_traffic() {
    let subject = subject("kuszmaul", "--dims 26 --traffic transpose");
    let memory = bytes(&subject.with_dims(25), Share::WHOLE).unwrap();
    let instead = instead(&subject, computers(1, memory, 1)).unwrap();
    assert_eq!(instead.dims, Some(24));
}

/// A small machine is planned by running it; a large one without a node of it.
#[test]
fn machines_of_any_size_are_planned() {
    for (dims, payload_bits) in [(1, 8), (6, 8), (12, 8), (16, 8), (34, 8), (12, 60_000)] {
        let words = format!("--schedule spread --dims {dims} --payload-bits {payload_bits}");
        let subject = subject("kuszmaul", &words);
        let computers = ComputersArguments {
            machines: 1,
            memory: Some(GIB),
            threads: ThreadsArgument { threads: Some(1) },
            ..ComputersArguments::default()
        };
        let plan = plan(&subject.0, &computers).unwrap();
        assert_eq!(plan.known.nodes, 1 << dims);
        assert_eq!(plan.known.foreseen.is_some(), payload_bits == 8);
        assert!(plan.seconds.bit_times > 0.0 && plan.seconds.loading_and_comparing > 0.0);
        assert_eq!(plan.bound == Bound::Memory, dims == 34);
    }
}
