//! Every algorithm at small sizes: what is measured is what is known beforehand.

use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Operation};

use testbenches::families::testbench;
use testbenches::testbench::bench;

use crate::collectives::command::Folder;
use crate::common::sample::quietly;
use crate::suite::reports::json;

/// Options of an operation, for runs that are soon over.
fn options(operation: Operation, dims: usize) -> Vec<String> {
    let last = (1 << dims) - 1;
    match operation {
        Operation::Scatter | Operation::Gather => vec![
            "--message-bits 7".to_owned(),
            format!("--message-bits 12 --source {last} --start-up 0"),
        ],
        Operation::Send => vec![
            format!("--message-bits 24 --source 1 --destination {}", last ^ 1),
            format!(
                "--message-bits 5 --source 0 --destination {}",
                (last >> 1).max(1)
            ),
            "--message-bits 100 --start-up 1".to_owned(),
        ],
        Operation::PermutedSend => vec![
            "--message-bits 5".to_owned(),
            "--message-bits 17 --permutation bitrev".to_owned(),
            "--message-bits 3 --permutation identity".to_owned(),
        ],
        Operation::Transpose => vec!["--word-bits 3".to_owned(), format!("--size {}", 2 << dims)],
        Operation::Histogram => vec![
            "--samples 7".to_owned(),
            "--samples 3 --bins 5 --word-bits 9".to_owned(),
        ],
        _ => vec![
            "--message-bits 6".to_owned(),
            "--message-bits 13 --start-up 0".to_owned(),
        ],
    }
}

#[test]
fn every_algorithm_holds_at_small_sizes() {
    assert!(every_algorithm_holds(1..=3) > 100);
}

#[test]
#[ignore = "long: of 16 nodes"]
fn every_algorithm_holds_at_larger_sizes() {
    assert!(every_algorithm_holds(4..=4) > 50);
}

/// How many runs held; the others were refused with the reason.
fn every_algorithm_holds(sizes: std::ops::RangeInclusive<usize>) -> usize {
    let mut held = 0;
    for algorithm in ALGORITHMS {
        let (operation, name) = (algorithm.operation(), algorithm.name());
        let bench = testbench(&operation.to_string()).unwrap();
        let mut held_here = 0;
        for dims in sizes.clone() {
            for options in options(operation, dims) {
                let line = format!("--algorithm {name} --dims {dims} {options}");
                let ran = bench.asked(&line);
                let report = match ran.and_then(|chosen| bench::run(chosen, &quietly())) {
                    Ok(report) => json(&report),
                    Err(error) => {
                        // A size or a way that the algorithm does not take: it says so itself.
                        let said = error.to_string();
                        assert!(said.starts_with(&format!("{name}: ")), "{line}: {said}");
                        continue;
                    }
                };
                assert_eq!(report["passed"], true, "{operation} {line}");
                assert_eq!(report["algorithm"], name, "{line}");
                assert_eq!(report["paper_name"], algorithm.paper_name());
                assert_eq!(report["messages"], report["delivered"], "{line}");
                assert_eq!(
                    report["routing_steps"],
                    report["routing_steps_formula"]["value"]
                );
                assert_eq!(report["bit_times"], report["bit_times_formula"]["value"]);
                assert_eq!(
                    report["peak"]["forwarding_buffer_bits"],
                    report["forwarding_buffer_bound"]["value"]
                );
                held_here += 1;
            }
        }
        assert!(held_here > 0, "{name}");
        held += held_here;
    }
    held
}

#[test]
fn ports_are_those_that_are_asked_for() {
    let folder = Folder::new();
    for algorithm in ALGORITHMS {
        for ports in algorithm.port_models() {
            let (operation, name) = (algorithm.operation(), algorithm.name());
            let way = match operation {
                Operation::Send if name.starts_with("xoc") => "--destination 3",
                Operation::Transpose => "--word-bits 1",
                Operation::Histogram | Operation::Send => "",
                _ => "--message-bits 5",
            };
            let line = format!("run {operation} --algorithm {name} --ports {ports} --dims 4 {way}");
            let report = folder.report(&line);
            assert_eq!(report["ports"], ports.name(), "{line}");
        }
    }
}

#[test]
fn all_algorithms_are_listed_and_explained() {
    let folder = Folder::new();
    for algorithm in ALGORITHMS {
        let list = folder.run(&format!("list {}", algorithm.operation()));
        let list = String::from_utf8(list.stdout).unwrap();
        let line = format!(
            "{}: {} ({})",
            algorithm.paper_name(),
            algorithm.models(),
            algorithm.source()
        );
        assert!(list.contains(&line), "{line}");
        let help = folder.run(&format!("run {} --help", algorithm.operation()));
        let help = String::from_utf8(help.stdout).unwrap();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&help).contains(&words(&line)), "{line}");
    }
}
