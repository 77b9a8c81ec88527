//! Latencies in the network, of messages and of their worms, beside those of the reference model.

use reference_models::wormhole::{self as reference, Network};

use crate::common::worms::run;
use crate::wormhole::machines::{LIMIT, ccc, copies, ecube, machine, permutation};

fn average(of: impl Iterator<Item = u64>) -> f64 {
    let all: Vec<u64> = of.collect();
    all.iter().sum::<u64>() as f64 / all.len() as f64
}

#[test]
fn a_message_is_in_the_network_from_its_first_bit_to_its_last_and_so_is_a_worm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.csv");
    for network in [ccc(4), ecube(4), copies(4, 1), copies(4, 4)] {
        let (name, copies) = match network {
            Network::Copies { copies, .. } => (format!("copies --copies {copies}"), copies),
            Network::Hypercube { .. } => ("hypercube --virtual-channels 3".to_owned(), 1),
            _ => ("ccc".to_owned(), 1),
        };
        // Two from each node, so that pieces queue at their hosts, on each copy for a time of its own.
        let mut messages = permutation(64, 37, 3);
        messages.extend(permutation(64, 37, 4));
        let mut text = "source,destination,bits\n".to_owned();
        for message in &messages {
            text += &format!("{},{},37\n", message.source, message.destination);
        }
        std::fs::write(&path, text).unwrap();
        let report = run(&format!(
            "--seed 0 --network {name} --traffic-file {}",
            path.display()
        ));
        assert!(report.passed, "{}", report.text());
        let latency = report.worms.latency.as_ref().unwrap();
        let expected = reference::run(machine(network), &messages, LIMIT).unwrap();
        let of_messages = expected.arrivals.iter().map(|one| {
            let first = one.pieces.iter().map(|piece| piece.injected.unwrap()).min();
            let last = one
                .pieces
                .iter()
                .map(|piece| piece.tail_arrived.unwrap())
                .max();
            last.unwrap() + 1 - first.unwrap()
        });
        let pieces = expected.arrivals.iter().flat_map(|one| &one.pieces);
        let of_worms =
            pieces.map(|piece| piece.tail_arrived.unwrap() + 1 - piece.injected.unwrap());
        let (of_messages, of_worms) = (average(of_messages), average(of_worms));
        assert!((latency.average_in_network - of_messages).abs() < 1e-9);
        assert!((latency.average_of_worms_in_network - of_worms).abs() < 1e-9);
        assert_eq!(of_worms < of_messages, copies > 1, "{network:?}");
        let text = format!(
            "{of_messages:.1} bit times a message, from the first bit sent of its worms to the last arrived; {of_worms:.1} a worm"
        );
        assert!(report.text().contains(&text), "{}", report.text());
    }
}
