//! The dump of a broadcast, read back through another library: the wires and what is said beside them alone give the whole message at
//! every node, no port is busy that may not be, and the view names what is there.

mod buffers;
mod dumped;
mod read;
mod view;

use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};

use crate::broadcast_wave::dumped::{Case, Dumped, cases};
use testbenches::testbench::bench::RunOptions;

fn each(check: impl Fn(&Dumped)) {
    for case in cases() {
        check(&case.run());
    }
}

fn port(node: usize, port: usize, what: &str) -> String {
    format!("node_{node}.ports.port_{port}.{what}")
}

fn wire(node: usize, dimension: usize, what: &str) -> String {
    format!("node_{node}.dim_{dimension}.{what}")
}

/// Each node with each of its ports.
fn ends(case: &Case) -> impl Iterator<Item = (usize, usize)> {
    let n = case.n;
    (0..case.nodes()).flat_map(move |node| (0..n).map(move |port| (node, port)))
}

#[test]
fn a_broadcast_can_be_followed_in_its_dump_alone() {
    each(|dumped| {
        steps_have_their_names(dumped);
        texts_are_there_while_ports_are_busy(dumped);
        every_node_gets_every_packet_bit_by_bit(dumped);
        no_port_is_busy_that_may_not_be(dumped);
    });
}

#[test]
fn buffers_hold_what_is_said_of_them() {
    each(|dumped| {
        buffers::hold_what_is_said(dumped);
        buffers::hold_what_is_sent_and_what_is_counted(dumped);
    });
}

#[test]
fn the_view_shows_what_is_said_first_and_opens_on_eight_steps() {
    each(|dumped| {
        view::begins_with_what_is_said(dumped);
        view::opens_on_eight_steps(dumped);
    });
}

/// Every node keeps every packet, and nobody says of a memory what lies in it.
#[test]
fn so_can_a_list_of_sends() {
    for (ports, source, bits) in [
        (PortModel::OneWay, 0, (4, 2)),
        (PortModel::TwoWay, 5, (1, 0)),
        (PortModel::All, 3, (4, 0)),
    ] {
        let (n, packets) = (3, 2);
        let steps = packets * 7;
        let case = Case {
            algorithm: Algorithm::Listed { steps },
            ports,
            n,
            source,
            packets,
            bits,
        };
        let dumped = case.run();
        assert!(dumped.paths_in(source, ".holds").is_empty());
        steps_have_their_names(&dumped);
        texts_are_there_while_ports_are_busy(&dumped);
        every_node_gets_every_packet_bit_by_bit(&dumped);
        no_port_is_busy_that_may_not_be(&dumped);
        view::begins_with_what_is_said(&dumped);
        view::opens_on_eight_steps(&dumped);
    }
}

/// What is followed does not depend on which nodes are traced, and when: the middle of a run is that of the whole one.
#[test]
fn some_nodes_for_some_time_are_as_in_the_whole_dump() {
    for case in cases() {
        let whole = case.run();
        let (from, end) = (whole.report.bit_times / 2, whole.report.bit_times as usize);
        let nodes = [case.nodes() - 1, 1];
        let part = case.run_with(RunOptions {
            trace_nodes: Some(nodes.map(|node| node.to_string()).join(",")),
            trace_from: Some(from),
            ..RunOptions::default()
        });
        let is_node = |path: &str| path.starts_with("cube.node_");
        assert!(part.values.keys().any(|path| path.ends_with(".holds")));
        for (path, values) in &part.values {
            let all = &whole.values[path];
            assert_eq!(values[..], all[from as usize..=end], "{case:?} {path}");
        }
        let of_node = part.values.keys().filter(|path| is_node(path)).count();
        let in_whole = whole.values.keys().filter(|path| is_node(path)).count();
        assert_eq!(of_node * case.nodes(), in_whole * nodes.len());
    }
}

fn steps_have_their_names(dumped: &Dumped) {
    let (length, (_, start_up)) = (dumped.case.step(), dumped.case.bits);
    let end = dumped.steps() * length;
    assert_eq!(dumped.report.bit_times as usize, end);
    let expected = (0..=end).map(|bit_time| match bit_time % length {
        _ if bit_time == end => "done",
        place if place < start_up => "START",
        _ => "SHIFT",
    });
    let expected: Vec<&str> = expected.collect();
    assert_eq!(dumped.of("sequencer.step_name"), expected);
}

/// What one end sends is what the other receives, from the first bit time of a step to the last; the registers say so from the bit
/// time after.
fn texts_are_there_while_ports_are_busy(dumped: &Dumped) {
    let (length, end) = (dumped.case.step(), dumped.report.bit_times as usize);
    for (node, dimension) in ends(&dumped.case) {
        let far = node ^ 1 << dimension;
        let sends = dumped.of(&port(node, dimension, "sends"));
        let receives = dumped.of(&port(far, dimension, "receives"));
        assert_eq!(sends, receives, "{:?}", dumped.case);
        assert_eq!(sends[end], "");
        for step in sends[..end].chunks(length) {
            assert!(step.iter().all(|text| *text == step[0]), "{step:?}");
        }
        for (owner, register) in [(node, "sending"), (far, "receiving")] {
            let register = port(owner, dimension, register);
            assert!(!dumped.is_one(&register, 0));
            for (bit_time, says) in sends[..end].iter().enumerate() {
                let is_busy = dumped.is_one(&register, bit_time + 1);
                let at = format!("{:?} {register} {bit_time}: {says}", dumped.case);
                assert_eq!(is_busy, !says.is_empty(), "{at}");
            }
        }
    }
}

/// By the bits on the wires in SHIFT, and by the texts. Idle wires are 0.
fn every_node_gets_every_packet_bit_by_bit(dumped: &Dumped) {
    let case = &dumped.case;
    let (contents, (packet_bits, start_up)) = (case.contents(), case.bits);
    let may_come_twice = matches!(
        case.algorithm,
        Algorithm::Broadcast3B | Algorithm::Broadcast4
    );
    for node in 0..case.nodes() {
        let mut taken = vec![0; case.packets];
        let mut received = vec![0; case.packets];
        for step in 0..dumped.steps() {
            let begin = step * case.step();
            for dimension in 0..case.n {
                let bits = &dumped.of(&wire(node, dimension, "rx"))[begin..begin + case.step()];
                let bits = bits.concat();
                let (idle, bits) = bits.split_at(start_up);
                let named = dumped.named(&port(node, dimension, "receives"), begin);
                assert!(!idle.contains('1'), "{case:?} node {node} step {step}");
                let Some(packet) = named else {
                    assert!(!bits.contains('1'), "{case:?} node {node} step {step}");
                    continue;
                };
                assert_eq!(bits, contents[packet], "{case:?} node {node} step {step}");
                received[packet] += 1;
                let take = dumped.of(&format!("node_{node}.host.take"));
                // The host sees a bit one bit time after the wire; port 0 stands last.
                let from = begin + start_up + 1;
                let takes = take[from..from + packet_bits].iter().map(|take| {
                    let channel = dimension % take.len();
                    take.as_bytes()[take.len() - 1 - channel] == b'1'
                });
                let takes = takes.filter(|takes| *takes).count();
                assert!([0, packet_bits].contains(&takes), "{case:?} node {node}");
                taken[packet] += takes / packet_bits;
            }
        }
        let once = usize::from(node != case.source);
        assert_eq!(taken, vec![once; case.packets], "{case:?} node {node}");
        if !may_come_twice {
            assert_eq!(received, taken, "{case:?} node {node}");
        }
        assert_eq!(received.iter().sum::<usize>() == 0, once == 0);
    }
}

fn no_port_is_busy_that_may_not_be(dumped: &Dumped) {
    let case = &dumped.case;
    for node in 0..case.nodes() {
        for bit_time in 0..=dumped.report.bit_times as usize {
            let busy = |texts: &str, register: &str| {
                let of_text = (0..case.n)
                    .filter(|&at| !dumped.of(&port(node, at, texts))[bit_time].is_empty());
                let of_register =
                    (0..case.n).filter(|&at| dumped.is_one(&port(node, at, register), bit_time));
                [of_text.count(), of_register.count()]
            };
            let (sends, receives) = (busy("sends", "sending"), busy("receives", "receiving"));
            for (sending, receiving) in sends.into_iter().zip(receives) {
                let is_admitted = case.ports.admits(sending, receiving);
                assert!(is_admitted, "{case:?} node {node} bit time {bit_time}");
            }
            assert!(!dumped.is_one(&format!("node_{node}.host.violation"), bit_time));
        }
    }
}
