//! Dumps of phases, read back through another library: what a node receives is what its neighbour sends, packets that are rebuilt
//! from bits on wires are those in the cells that orders name, ways count them, and the view names what is there.

mod dumped;
mod view;

use crate::embeddings::wave::dumped::{Dumped, PHASES};

#[test]
fn phases_can_be_followed_in_their_dumps_alone() {
    for options in PHASES {
        let dumped = Dumped::of(options);
        packets_go_from_cell_to_cell(&dumped);
        nothing_else_is_on_wires(&dumped);
        packets_stand_still_while_registers_turn(&dumped);
        cells_end_with_the_packets_of_the_messages(&dumped);
        view::begins_with_packets_by_name(&dumped);
    }
}

/// In each step: who sends, and where it goes, at both ends; and the number of packets that the way tells.
fn packets_go_from_cell_to_cell(dumped: &Dumped) {
    let ways = dumped.values("sequencer.way");
    assert_eq!(ways[dumped.end], "");
    for step in 0..dumped.steps() {
        let (first, after) = (step * dumped.per_step(), (step + 1) * dumped.per_step());
        let mut packets = 0;
        for (node, dimension) in dumped.ends() {
            let other = node ^ 1 << dimension;
            let code = |node: usize, what: &str| {
                let name = format!("port_{dimension}_{what}");
                let codes: Vec<u64> = (first..after)
                    .map(|at| dumped.number(node, &name, at))
                    .collect();
                assert!(codes.iter().all(|code| *code == codes[0]));
                codes[0]
            };
            let (sends, receives) = (code(node, "sends"), code(other, "receives"));
            assert_eq!(sends == 0, receives == 0, "{} {node}", dumped.options);
            if sends == 0 {
                continue;
            }
            packets += 1;
            let [from, to] = [sends, receives].map(|code| format!("cell_{}", code - 1));
            let bits = &dumped.wire(node, dimension, "tx")[first + dumped.start_up..after];
            let packet = dumped.spelled(bits);
            assert_eq!(
                packet,
                dumped.number(node, &from, first),
                "{} {node}",
                dumped.options
            );
            assert_eq!(
                packet,
                dumped.number(other, &to, after),
                "{} {node}",
                dumped.options
            );
        }
        let s = if packets == 1 { "" } else { "s" };
        let due = format!("{}_of_{}:{packets}_packet{s}", step + 1, dumped.steps());
        assert!(
            ways[first..after].iter().all(|way| *way == due),
            "{}: {due}, {:?}",
            dumped.options,
            &ways[first..after]
        );
    }
}

/// In start-up, after the end, and where nobody is told to send.
fn nothing_else_is_on_wires(dumped: &Dumped) {
    let steps = dumped.values("sequencer.step_name");
    for (node, dimension) in dumped.ends() {
        let sends = dumped.wire(node, dimension, "tx");
        for at in 0..=dumped.end {
            let bit = at % dumped.per_step();
            let due = match () {
                () if at == dumped.end => "done",
                () if bit < dumped.start_up => "START",
                () => "SHIFT",
            };
            assert_eq!(steps[at], due, "{}", dumped.options);
            let told = dumped.number(node, &format!("port_{dimension}_sends"), at) > 0;
            assert!(
                sends[at] == "0" || told && due == "SHIFT",
                "{}",
                dumped.options
            );
        }
    }
}

/// A cell that nothing fills shows one number from the first bit time of a step to the last.
fn packets_stand_still_while_registers_turn(dumped: &Dumped) {
    let mut seen = 0;
    for first in (0..dumped.end).step_by(dumped.per_step()) {
        for node in 0..dumped.nodes() {
            let filled: Vec<u64> = (0..dumped.dims)
                .map(|port| dumped.number(node, &format!("port_{port}_receives"), first))
                .collect();
            let idle = (0..dumped.cells).filter(|cell| !filled.contains(&(*cell as u64 + 1)));
            for cell in idle {
                let shown = |at| dumped.number(node, &format!("cell_{cell}"), at);
                let before = shown(first);
                seen += usize::from(before > 0);
                let mut bit_times = first..=first + dumped.per_step();
                assert!(
                    bit_times.all(|at| shown(at) == before),
                    "{} {node}",
                    dumped.options
                );
            }
        }
    }
    // The double cycle fills every cell in every step.
    let fills_all = dumped.options.contains("double-cycle");
    assert_eq!(seen == 0, fills_all, "{}", dumped.options);
}

fn cells_end_with_the_packets_of_the_messages(dumped: &Dumped) {
    let mut held: Vec<u64> = (0..dumped.nodes())
        .flat_map(|node| (0..dumped.cells).map(move |cell| (node, cell)))
        .map(|(node, cell)| dumped.number(node, &format!("cell_{cell}"), dumped.end))
        .collect();
    for packet in &dumped.packets {
        let place = held.iter().position(|held| held == packet);
        held.swap_remove(place.unwrap_or_else(|| panic!("{}: {packet:x}", dumped.options)));
    }
}
