//! Waveforms of nodes that several ranks hold: the same, byte by byte, as one process writes.

use crate::on_ranks::on_ranks;

/// All files of a waveform that so many ranks write.
fn files(ranks: usize, arguments: &str) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let output = on_ranks(ranks, folder.path(), &format!("{arguments} --no-date"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn ranks_write_the_waveform_that_one_process_writes() {
    as_one_process_writes(&[
        // The nodes of one message, wherever they are, with its name on wires and registers.
        "run kuszmaul --dims 9 --schedule radix4 --trace-message 3 --wave run.vcd",
        // Nodes of all shares, and some bit times.
        "run bitonic --dims 9 --trace-nodes 0,1,2,3,255,508,511 --trace-from 20 --trace-to 90 --wave run.fst",
        // Texts that are told of ports.
        "run prefix --network hypercube --dims 9 --trace-nodes 0,1,6,511 --wave run.vcd",
    ]);
}

#[test]
#[ignore = "long: all nodes, and more testbenches"]
fn ranks_write_other_waveforms_that_one_process_writes() {
    as_one_process_writes(&[
        "run kuszmaul --dims 9 --wave run.vcd",
        "run packing --dims 9 --trace-nodes all --wave run.fst",
        "run scatter --dims 9 --trace-nodes 0,1,7,300 --wave run.vcd",
        "run embedding --guest cycle --dims 9 --wave run.vcd",
    ]);
}

fn as_one_process_writes(runs: &[&str]) {
    for (ranks, arguments) in [2, 4, 8].into_iter().cycle().zip(runs) {
        let alone = files(1, arguments);
        // The dump, and views of it.
        assert!(alone.len() >= 3, "{arguments}: {}", alone.len());
        let shared = files(ranks, arguments);
        assert_eq!(shared.len(), alone.len(), "{arguments}");
        for (one, other) in shared.iter().zip(&alone) {
            assert_eq!(one.0, other.0);
            assert!(one.1 == other.1, "{arguments}, {ranks} ranks: {}", one.0);
        }
    }
}

/// More nodes than messages are followed in.
#[test]
fn chosen_nodes_of_a_large_machine_are_traced() {
    let arguments = "run kuszmaul --dims 15 --schedule spread --payload-bits 2 --trace-nodes 1,5,6,32767 --trace-from 100 \
                     --trace-to 140 --wave run.vcd";
    assert!(files(4, arguments) == files(1, arguments));
}
