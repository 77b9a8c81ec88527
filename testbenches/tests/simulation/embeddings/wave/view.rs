//! The view beside the dump.

use crate::embeddings::wave::dumped::Dumped;

fn is_row(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['[', '@', '^', '-', '*'])
}

/// The path of a row, without its range.
fn path(row: &str) -> &str {
    let path = row.rsplit_once(' ').map_or(row, |(_, path)| path);
    path.split('[').next().unwrap()
}

/// The way first, then whether packets move, by name, and no counter beside them: those are folded. At each node whose packets its
/// ports send and receive, then cells, wires, and what is of no use for following a message.
pub fn begins_with_packets_by_name(dumped: &Dumped) {
    let lines: Vec<&str> = dumped.view.lines().collect();
    let at = |line: &str| {
        let place = lines.iter().position(|one| *one == line);
        place.unwrap_or_else(|| panic!("{}: no {line}", dumped.options))
    };
    let counters = at("-counters");
    assert_eq!(lines[counters - 1], "@c00200", "folded");
    assert!(at("+{way} cube.sequencer.way") < counters);
    assert!(at("+{step} cube.sequencer.step_name") < counters);
    let rows = |from: usize, to: usize| -> Vec<&str> {
        let rows = lines[from..to].iter().filter(|line| is_row(line));
        rows.map(|row| path(row)).collect()
    };
    let first_node = lines.iter().position(|line| line.starts_with("-node_"));
    let counted = rows(counters, first_node.unwrap());
    assert_eq!(
        counted,
        ["cube.sequencer.bit_of_step", "cube.sequencer.step_number"]
    );
    for node in 0..dumped.nodes() {
        let title = format!("-node_{node} = {node:0width$b}", width = dumped.dims);
        let begin = lines.iter().position(|line| line.starts_with(&title));
        let begin = begin.unwrap_or_else(|| panic!("{}: no {title}", dumped.options));
        let next = |name: &str, from: usize| {
            from + lines[from..].iter().position(|line| *line == name).unwrap()
        };
        let wires = next("-wires", begin);
        let rest = next("-idle ports, cells, registers", wires);
        let told = rows(begin, wires);
        let scope = format!("cube.node_{node}.told.port_");
        assert!(
            told.iter().all(|row| row.starts_with(&scope)),
            "{}: {told:?}",
            dumped.options
        );
        let due: Vec<String> = (0..dumped.cells)
            .map(|cell| format!("cube.node_{node}.numbers.cell_{cell}"))
            .collect();
        let end = next("-idle ports, cells, registers", rest + 1);
        let cells: Vec<&str> = (rows(rest, end).into_iter())
            .filter(|path| path.contains(".numbers.cell_"))
            .collect();
        assert_eq!(cells, due, "{}", dumped.options);
        let shown = rows(wires, rest);
        let used = (0..dumped.dims)
            .flat_map(|dimension| ["tx", "rx"].map(|what| (dimension, what)))
            .filter(|(dimension, what)| dumped.wire(node, *dimension, what).contains(&"1"));
        for (dimension, what) in used {
            let wire = format!("cube.node_{node}.dim_{dimension}.{what}");
            assert!(
                shown.contains(&wire.as_str()),
                "{}: no {wire}",
                dumped.options
            );
        }
    }
}
