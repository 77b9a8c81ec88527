use super::*;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::ports::algorithm::PortModel;

/// Two packets from node 0 in two dimensions.
fn broadcast(ports: PortModel) -> Broadcast {
    Broadcast {
        cube: Dimensions::new(2).unwrap(),
        algorithm: Algorithm::BinomialTree,
        ports,
        source: 0,
        packets: 2,
        packet_bits: 8,
        start_up: 0,
    }
}

fn read(ports: PortModel, text: &str) -> Result<Vec<Send>, String> {
    read_sends("my.csv", text.as_bytes(), &broadcast(ports)).map_err(|error| error.to_string())
}

/// What is said of these rows.
fn refused(ports: PortModel, rows: &str) -> String {
    read(ports, &format!("step,from,to,packet\n{rows}")).unwrap_err()
}

/// Rows by which everything comes everywhere on two-way ports.
const GOOD: &str = "0,0,1,0\n1,0,2,1\n1,1,3,0\n2,0,1,1\n2,2,3,1\n2,3,2,0\n";

#[test]
fn a_good_list_is_read_in_order_of_its_steps() {
    let expected = read(PortModel::TwoWay, &format!("step,from,to,packet\n{GOOD}")).unwrap();
    assert_eq!(expected.len(), 6);
    assert_eq!(
        expected[2],
        Send {
            step: 1,
            from: 1,
            to: 3,
            packet: 0
        }
    );
    // Rows in another order, blank ones, other ends of lines, spaces, quotes.
    let mixed = "\u{feff}\nstep, from,to ,packet\r\n2,0,1,1\r\r1,0,2,1\n\"1\",1,3,0\n0,0,1,0\n2,2,3,1\n2,3,2,0";
    let mut found = read(PortModel::All, mixed).unwrap();
    assert!(found.is_sorted_by_key(|send| send.step));
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn there_may_be_steps_in_which_nothing_is_sent() {
    let late = GOOD
        .replace("0,0,1,0", "3,0,1,0")
        .replace("1,1,3,0", "7,1,3,0")
        .replace("2,3,2,0", "9,3,2,0");
    let text = format!("step,from,to,packet\n{late}");
    let sends = read(PortModel::TwoWay, &text).unwrap();
    assert_eq!(crate::routers::ports::sends::steps(&sends), 10);
}

#[test]
fn what_is_no_list_is_refused() {
    for (text, expected) in [
        (
            "",
            "my.csv, line 1: the file is empty: the first line must be `step,from,to,packet`, and a send stands in each line \
             below it",
        ),
        (
            "\nfrom,to,step,packet\n",
            "my.csv, line 2: the header is `from,to,step,packet`: it must be `step,from,to,packet`, in lower case, with commas \
             between",
        ),
        (
            "3,0,1,2\n",
            "my.csv, line 1: the header is `3,0,1,2`: it must be `step,from,to,packet`, in lower case, with commas between",
        ),
        (
            "0,0,1,0\n",
            "my.csv, line 1: the header is `0,0,1,0`: it must be `step,from,to,packet`, in lower case, with commas between",
        ),
        (
            "step,from,to,packet\n0,0,1\n",
            "my.csv, line 2: fields in this line: 3; there must be four, as in `0,0,1,0`: step, from, to and packet",
        ),
        (
            "step,from,to,packet\n\n0,0,-1,0\n",
            "my.csv, line 3: `-1` is not a number: write column `to` in decimal, counted from 0",
        ),
        (
            "step,from,to,packet\n,0,1,0\n",
            "my.csv, line 2: `` is not a number: write column `step` in decimal, counted from 0",
        ),
        (
            "step,from,to,packet\n0,\"0,1,0\n",
            "my.csv, line 2: a quote in this line is not closed: a field ends with its line",
        ),
    ] {
        assert_eq!(read(PortModel::All, text).unwrap_err(), expected);
    }
}

#[test]
fn what_the_machine_does_not_have_is_refused() {
    for (rows, expected) in [
        (
            "0,0,4,0",
            "my.csv, line 2: node 4 is out of range: the cube has nodes 0 to 3",
        ),
        (
            "0,99999999999999999999999,1,0",
            "my.csv, line 2: node 99999999999999999999999 is out of range: the cube has nodes 0 to 3",
        ),
        (
            "0,0,1,0\n1,1,2,0",
            "my.csv, line 3: nodes 1 and 2 are not neighbours: links join nodes whose numbers differ in one bit, and theirs \
             differ in 2",
        ),
        (
            "0,1,1,0",
            "my.csv, line 2: nodes 1 and 1 are not neighbours: links join nodes whose numbers differ in one bit, and theirs \
             differ in none",
        ),
        (
            "0,0,1,2",
            "my.csv, line 2: packet 2 is out of range: the message has packets 0 to 1",
        ),
        (
            "524286,0,1,0",
            "my.csv, line 2: step 524286 is out of range: a node has 4194304 bits at the most for a list (PB + 2nPS, in S \
             steps), so with 2 packets of 8 bits in 2 dimensions there are steps 0 to 524285: leave out steps in which nothing \
             is sent, or use fewer packets",
        ),
    ] {
        assert_eq!(refused(PortModel::All, rows), expected);
    }
    // One less is no step too many.
    let last = refused(PortModel::All, "524285,0,1,0");
    assert_eq!(
        last,
        "my.csv: node 1 never gets packet 1: all nodes are to get all packets, so add a line that sends it there"
    );
}

#[test]
fn a_link_carries_one_packet_a_step() {
    assert_eq!(
        refused(PortModel::All, "0,0,1,0\n1,0,1,1\n0,0,1,1"),
        "my.csv, line 4: the link from node 0 to node 1 carries packet 0 in step 0 already (line 2): it carries one packet a \
         step each way, so move one of the two to another step"
    );
}

#[test]
fn ports_are_used_as_they_may_be() {
    for (ports, rows, expected) in [
        (
            PortModel::OneWay,
            GOOD,
            "my.csv, line 7: in step 2 node 3 receives on port 0 (line 6), and here it sends on port 0: with one-way ports a \
             node sends or receives on one port at a time, so move one of the two to another step",
        ),
        (
            PortModel::TwoWay,
            "0,0,1,0\n0,0,2,1",
            "my.csv, line 3: in step 0 node 0 sends on port 0 (line 2), and here it sends on port 1: with two-way ports a node \
             sends on one port and receives on one at a time, so move one of the two to another step",
        ),
        (
            PortModel::TwoWay,
            "0,0,1,0\n1,0,2,1\n2,2,3,1\n2,1,3,0",
            "my.csv, line 5: in step 2 node 3 receives on port 0 (line 4), and here it receives on port 1: with two-way ports a \
             node sends on one port and receives on one at a time, so move one of the two to another step",
        ),
    ] {
        assert_eq!(refused(ports, rows), expected);
    }
}

#[test]
fn a_node_sends_what_it_has() {
    for (rows, expected) in [
        (
            "0,0,1,0\n0,1,3,0",
            "my.csv, line 3: node 1 does not have packet 0 when step 0 begins: it gets it in step 0 (line 2), and can send it \
             from step 1 on",
        ),
        (
            "2,1,3,0\n5,0,1,0",
            "my.csv, line 2: node 1 does not have packet 0 when step 2 begins: it gets it in step 5 (line 3), and can send it \
             from step 6 on",
        ),
        (
            "0,0,1,0\n1,1,3,1",
            "my.csv, line 3: node 1 does not have packet 1 when step 1 begins: no line sends it there at all",
        ),
    ] {
        assert_eq!(refused(PortModel::All, rows), expected);
    }
}

#[test]
fn a_packet_comes_once() {
    for (rows, expected) in [
        (
            "0,0,1,0\n1,1,3,0\n3,0,1,0",
            "my.csv, line 4: packet 0 comes to node 1 a second time: it has it already, since step 0 (line 2): leave one of the \
             two lines out",
        ),
        // On two ports at once.
        (
            "0,0,1,0\n0,0,2,0\n1,1,3,0\n1,2,3,0",
            "my.csv, line 5: packet 0 comes to node 3 a second time: it has it already, since step 1 (line 4): leave one of the \
             two lines out",
        ),
        (
            "0,0,1,0\n1,1,0,0",
            "my.csv, line 3: packet 0 is sent to node 0, which is the source and has it anyway: leave this line out",
        ),
    ] {
        assert_eq!(refused(PortModel::All, rows), expected);
    }
}

#[test]
fn all_packets_come_to_all_nodes() {
    assert_eq!(
        refused(PortModel::TwoWay, GOOD.trim_end_matches("2,3,2,0\n")),
        "my.csv: node 2 never gets packet 0: all nodes are to get all packets, so add a line that sends it there"
    );
    assert_eq!(
        refused(PortModel::TwoWay, ""),
        "my.csv: node 1 never gets packet 0: all nodes are to get all packets, so add a line that sends it there"
    );
}

#[test]
fn what_cannot_be_run_at_all_is_refused_before_anything_is_read() {
    let too_long = Broadcast {
        packets: 1 << 13,
        packet_bits: 1 << 9,
        ..broadcast(PortModel::All)
    };
    let error = read_sends("my.csv", "".as_bytes(), &too_long).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a list of 8192 packets of 512 bits in 1 step takes 4227072 bits of registers in each node of 2 dimensions (PB + \
         2nPS), and 4194304 are accepted: use fewer packets or steps, or shorter packets"
    );
    let listed = |steps| Broadcast {
        algorithm: Algorithm::Listed { steps },
        ..broadcast(PortModel::All)
    };
    assert_eq!(
        listed(0).checked().unwrap_err().to_string(),
        "a list of 0 steps sends nothing: it takes a step at least until all nodes have a packet"
    );
    assert!(listed(524_286).checked().is_ok());
    assert!(listed(524_287).checked().is_err());
    assert!(listed(usize::MAX).checked().is_err());
}

#[test]
fn a_list_that_does_not_fit_into_memory_is_refused() {
    let mut text = "step,from,to,packet\n".to_owned();
    for step in 0..=1 << 16 {
        text += &format!("{step},0,1,0\n");
    }
    let error = read_within(
        "my.csv",
        text.as_bytes(),
        &broadcast(PortModel::All),
        || 1 << 20,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "a list of more than 65536 sends needs 18.25 MiB of memory and this machine has 1.00 MiB available: use fewer dimensions, or \
         fewer bits of payload, message or words"
    );
}
