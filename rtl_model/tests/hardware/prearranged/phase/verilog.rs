//! Its Verilog, as far as it can be judged without a simulator.

use rtl_model::embedding::phase::Order;
use rtl_model::machine::device::Device;

use crate::prearranged::phase::common::{cycle, embeddings, machine, wide};

#[test]
fn the_host_loads_codes_and_packets_and_reads_packets() {
    let device = machine(&cycle(3, 2), Order::HopByHop, 4, 1);
    let design = device.design("A cycle.");
    assert_eq!(design.from_host, []);
    let names = |ports: &[(String, usize)]| -> Vec<String> {
        ports
            .iter()
            .map(|(name, bits)| format!("{name}[{bits}]"))
            .collect()
    };
    assert_eq!(
        names(&design.host_writes),
        ["load_sends[12]", "load_receives[12]", "load_cells[8]"]
    );
    assert!(design.node.contains("unload_cells"), "{}", design.node);
}

#[test]
fn no_line_is_too_long_to_read_and_every_wire_of_a_node_has_a_name() {
    let more = [
        ("wide 8".to_owned(), wide(8)),
        ("cycle 10".to_owned(), cycle(10, 9)),
    ];
    for (what, embedding) in embeddings().into_iter().chain(more) {
        let design = machine(&embedding, Order::Greedy, 9, 2).design("A phase.");
        let texts = [&design.node, &design.sequencer, &design.cube];
        let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        let long: Vec<&&str> = lines.iter().filter(|line| line.len() > 105).collect();
        assert!(long.is_empty(), "{what}: {long:#?}");
        let of_node = design.node.lines();
        let unnamed: Vec<&str> = of_node
            .filter(|line| line.starts_with("  wire n"))
            .collect();
        assert!(unnamed.is_empty(), "{what}: {unnamed:#?}");
    }
}
