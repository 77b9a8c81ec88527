//! What `--links` writes: every wire with what it carried and what stalled there, and the map of it.

use std::path::Path;

use reference_models::wormhole::Network;
use rtl_model::machine::router::Machine as _;
use rtl_model::machine::topology::Topology as _;
use testbenches::families::wormhole::message::{Message, worms};

use crate::common::worms::{Run, asked, run};
use crate::wormhole::machines::{ccc, copies, ecube, for_hardware, hardware, machine, permutation};

/// A row: from, to, wire, then bits, load, in_use, stalls and their three causes.
type Row = (String, String, String, [f64; 7]);

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = "from,to,wire,bits,load,in_use,stalls,channel_taken,no_credit,wire_given";
    let headers: Vec<_> = reader.headers().unwrap().iter().collect();
    assert_eq!(headers.join(","), header);
    let rows = reader.deserialize::<Row>();
    rows.map(Result::unwrap).collect()
}

/// Runs it with `--links`.
fn linked(words: &str) -> (Run, Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.csv");
    let report = run(&format!("{words} --links {}", path.display()));
    let outputs = serde_json::to_value(&report.outputs).unwrap();
    assert_eq!(outputs["links"].as_str(), path.to_str());
    let map = std::fs::read_to_string(folder.path().join("links.svg")).unwrap();
    assert!(map.starts_with("<svg") && map.contains("load of each wire"));
    (report, rows(&path))
}

/// The rows add up to the report, by cause, in every way to inject and on every network.
#[test]
fn rows_add_up_to_the_report() {
    let continuous = "--offered-load 0.3 --warm-up 100 --measurement 200 --drain 100";
    for network in [
        "ccc",
        "ccc --virtual-channels 1",
        "copies",
        "copies --virtual-channels 1",
        "hypercube",
        "hypercube --routing valiant",
        "hypercube --virtual-channels 3",
        "hypercube --routing adaptive",
        "torus",
        "torus --routing adaptive",
        "mesh --routing valiant",
        "butterflies",
        "butterflies --virtual-channels 1",
        "torus --routing adaptive --wire-bits 3",
        "copies --wire-bits 8",
    ] {
        for injection in ["", continuous] {
            let what = format!("--network {network} {injection}");
            let (report, rows) = linked(&what);
            let check = report.checks.last().unwrap();
            assert!(
                check.name == "wire by wire" && check.passed,
                "{what}: {check:?}"
            );
            let links = rows.iter().filter(|row| row.0 != "host" && row.1 != "host");
            let bits: f64 = links.clone().map(|row| row.3[0]).sum();
            let wires = &report.worms.wires;
            assert_eq!(links.count(), wires.links, "{what}");
            assert!(
                (bits - wires.mean_load * wires.links as f64).abs() < 1e-6,
                "{what}"
            );
            assert!(bits > 0.0);
            for (cause, stall) in report.worms.stalls.iter().enumerate() {
                let out = rows.iter().filter(|row| row.0 != "host");
                let sum: f64 = out.map(|row| row.3[4 + cause]).sum();
                assert_eq!(
                    sum, stall.channel_bit_times as f64,
                    "{what}: {}",
                    stall.cause
                );
            }
            for (from, to, wire, [bits, load, in_use, stalls, causes @ ..]) in &rows {
                assert_eq!(*stalls, causes.iter().sum::<f64>());
                let exact = bits / report.bit_times as f64;
                assert!((load - exact).abs() < 1e-6, "{what}");
                // A link carries as many bits as it has data wires.
                let wire_bits = report.worms.router.wire_bits as f64;
                assert!(
                    load / wire_bits < *in_use + 1e-6 && *in_use <= 1.0,
                    "{what}: {from} {to} {wire}"
                );
            }
        }
    }
}

/// Every row is of the wire that it names: what the ways of all worms put on it, and where it leads.
#[test]
fn a_row_has_what_the_ways_of_the_worms_put_on_its_wire() {
    let folder = tempfile::tempdir().unwrap();
    let traffic = folder.path().join("mine.csv");
    for network in [ccc(4), ecube(4), copies(4, 4)] {
        let name = match network {
            Network::Copies { .. } => "copies",
            Network::Hypercube { .. } => "hypercube",
            _ => "ccc",
        };
        let hardware = hardware(machine(network));
        let sent: Vec<Message> = (permutation(64, 24, 5).iter()).map(for_hardware).collect();
        let mut text = "source,destination,bits\n".to_owned();
        for message in &sent {
            text += &format!("{},{},24\n", message.source, message.destination);
        }
        std::fs::write(&traffic, text).unwrap();
        let (report, rows) = linked(&format!(
            "--network {name} --traffic-file {}",
            traffic.display()
        ));
        assert!(report.passed, "{}", report.text());
        let links = hardware.plan().links.len();
        let switches = hardware.plan().switches();
        let nodes = hardware.topology().nodes();
        let mut expected = vec![0.0; rows.len()];
        for (number, message) in sent.iter().enumerate() {
            for worm in worms(&hardware, number, message) {
                let bits: Vec<bool> = worm.bits.iter().by_vals().collect();
                for crossing in hardware.way(message.source, worm.switch, &bits) {
                    expected[crossing.link * nodes + crossing.node] += crossing.bits as f64;
                }
                expected[(links + worm.switch) * nodes + message.source] += bits.len() as f64;
                expected[(links + switches + worm.switch) * nodes + message.destination] +=
                    worm.body().len() as f64;
            }
        }
        for (number, (from, to, wire, counts)) in rows.iter().enumerate() {
            let (kind, node) = (number / nodes, number % nodes);
            assert_eq!(
                counts[0], expected[number],
                "{network:?}: {from} {to} {wire}"
            );
            let names = match kind {
                _ if kind < links => (
                    node.to_string(),
                    hardware.wiring().far(node, kind).to_string(),
                ),
                _ if kind < links + switches => ("host".to_owned(), node.to_string()),
                _ => (node.to_string(), "host".to_owned()),
            };
            assert_eq!((from.clone(), to.clone()), names);
        }
        assert_eq!(rows.len(), (links + 2 * switches) * nodes);
        let first = if name == "ccc" {
            "straight"
        } else {
            "dimension 0"
        };
        assert_eq!(rows[0].2, first);
        let (second, last) = (&rows[nodes].2, &rows[rows.len() - 1].2);
        match name {
            "ccc" => assert_eq!((second.as_str(), last.as_str()), ("cross", "eject")),
            "copies" => assert_eq!(last, "eject of copy 3"),
            _ => assert_eq!((second.as_str(), last.as_str()), ("dimension 1", "eject")),
        }
    }
}

/// Two worms want one wire: what waits for it stalls there, what is behind stalls at the wires behind, and nothing anywhere
/// else.
#[test]
fn a_stall_is_at_the_wire_that_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let traffic = folder.path().join("mine.csv");
    // By way of node 1 over dimension 2, which the host of node 1 has first.
    std::fs::write(&traffic, "source,destination,bits\n1,5,30\n0,5,30\n").unwrap();
    let (report, rows) = linked(&format!(
        "--dims 3 --network hypercube --traffic-file {}",
        traffic.display()
    ));
    assert!(report.passed, "{}", report.text());
    let stalled: Vec<_> = (rows.iter())
        .filter(|row| row.3[3] > 0.0)
        .map(|(from, to, wire, counts)| {
            let causes = [counts[4], counts[5], counts[6]].map(|count| count > 0.0);
            (from.as_str(), to.as_str(), wire.as_str(), causes)
        })
        .collect();
    assert_eq!(
        stalled,
        [
            ("0", "1", "dimension 0", [false, true, false]),
            // At node 5 a head waits to be connected, and what is behind it fills the buffer.
            ("1", "5", "dimension 2", [true, true, false]),
            ("host", "0", "inject", [false, true, false]),
            ("host", "1", "inject", [false, true, false]),
        ]
    );
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| {
        // Longer than anybody waits.
        let run = asked(&format!(
            "--dims 4 --network ccc --offered-load 0.01 --warm-up 1000000 --measurement 1000000 --links {}",
            path.display()
        ));
        run.err().unwrap().to_string()
    };
    let missing = refused(&folder.path().join("no/links.csv"));
    assert!(missing.contains("there is no folder"), "{missing}");
    let picture = folder.path().join("links.svg");
    let both = format!(
        "{} cannot be both the links and the map of the links",
        picture.display()
    );
    assert_eq!(refused(&picture), both);
    assert!(refused(Path::new("-")).contains("the links"));
    std::fs::create_dir(&picture).unwrap();
    let taken = refused(&folder.path().join("links.csv"));
    assert!(taken.contains("a folder of that name is there"), "{taken}");
    assert!(!folder.path().join("links.csv").exists());
}
