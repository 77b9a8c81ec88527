//! What files are read, and what is refused of others.

use super::*;
use crate::machine::router::Machine;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::parameters::Parameters;
use crate::traffic::Traffic;

fn read(text: &str) -> Result<Traffic, Error> {
    let cube = Dimensions::new(3).unwrap();
    read_traffic("mine.csv", text.as_bytes(), &cube, 6, 1)
}

fn refusal(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn messages_and_payloads_are_read() {
    let traffic = read("source, destination,payload\n5,0,0x2f\n1 , 2 ,\n").unwrap();
    assert_eq!(traffic.messages().get(1).unwrap().destination, 0);
    let bits: Vec<bool> = traffic.payload(1).iter().by_vals().collect();
    assert_eq!(bits, [true, true, true, true, false, true]);

    let without = read("destination,source\n0,5\n2,1\n").unwrap();
    assert_eq!(without.messages(), traffic.messages());
    assert_eq!(
        without.payload(0),
        traffic.payload(0),
        "drawn from the seed"
    );
    assert!(read("source,destination\n").unwrap().messages().is_empty());
}

#[test]
fn every_mistake_is_named_with_its_place() {
    let refusals = [
        "",
        "5,0\n",
        "source\n1\n",
        "source,destination,colour\n1,2,3\n",
        "source,destination\n1,2\n3\n",
        "source,destination\n1,2,3\n",
        "source,destination\n1,2,\n",
        "source,destination,payload\n1,2,7,9\n",
        "source,destination\n1,\"2\n3,\"4\"\n",
        "source,destination\n\n",
        "\nsource,destination\r\r \r",
        "source,destination\nx,2\n",
        "source,destination\n1,\n",
        "source,destination\n1,-2\n",
        "source,destination\n1, 8\n",
        "source,destination\n1,99999999999999999999999\n",
        "source,destination\n1,2\n1,3\n",
        "source,destination\n1,2\n4,2\n",
        "source,destination\n0,2\n4,2\n",
        "source,destination\n0,2\n0,3\n",
        "source,destination,payload\n1,2,7f\n",
        "source,destination,payload\n1,2,zz\n",
    ]
    .map(refusal);
    assert_eq!(
        refusals,
        [
            "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
            "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
            "mine.csv, line 1, column 1: the header has no column `destination`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
            "mine.csv, line 1, column 20: the heading `colour` means nothing here: there are source, destination and payload",
            "mine.csv, line 3, column 1: fields in this line: 1; columns in the header: 2 (a payload may be left empty, as in `0,5,`)",
            "mine.csv, line 2, column 1: fields in this line: 3; columns in the header: 2",
            "mine.csv, line 2, column 1: fields in this line: 3; columns in the header: 2",
            "mine.csv, line 2, column 1: fields in this line: 4; columns in the header: 3",
            "mine.csv, line 2, column 3: a quote in this line is not closed: a field ends with its line",
            "mine.csv, line 2, column 1: no message stands in the line below the header: a file of no messages is the header alone",
            "mine.csv, line 4, column 1: no message stands in the 2 lines below the header: a file of no messages is the header alone",
            "mine.csv, line 2, column 1: `x` is not a node number: write it in decimal, without a sign",
            "mine.csv, line 2, column 3: `` is not a node number: write it in decimal, without a sign",
            "mine.csv, line 2, column 3: `-2` is not a node number: write it in decimal, without a sign",
            "mine.csv, line 2, column 4: node 8 is out of range: the machine has nodes 0 to 7",
            "mine.csv, line 2, column 3: node 99999999999999999999999 is out of range: the machine has nodes 0 to 7",
            "mine.csv, line 3, column 1: source 1 already sends the message of line 2: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)",
            "mine.csv, line 3, column 3: sources 1 (line 2) and 4 both send to destination 2: a node receives at most one message; several messages a node need `--h H` (testbench kuszmaul)",
            "mine.csv, line 3, column 3: sources 0 (line 2) and 4 both send to destination 2: a node receives at most one message; several messages a node need `--h H` (testbench kuszmaul)",
            "mine.csv, line 3, column 1: source 0 already sends the message of line 2: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)",
            "mine.csv, line 2, column 5: payload 7f takes 7 bits and messages carry 6: raise --payload-bits",
            "mine.csv, line 2, column 5: `zz` is not a payload: write it in hexadecimal, as in 2f",
        ]
    );
}

#[test]
fn what_arrived_is_traffic_again() {
    let text = "node,source,payload,bit_time\n5,1,2f,91\n2,2,0,91\n";
    let same = "source,destination,payload\n1,5,2f\n2,2,0\n";
    let [arrived, sent] = [text, same].map(|text| read(text).unwrap());
    assert_eq!(arrived.messages(), sent.messages());
    for source in [1, 2] {
        assert_eq!(arrived.payload(source), sent.payload(source));
    }
    let both = refusal("node,source,destination\n5,1,2\n");
    assert!(
        both.contains("the heading `node` means nothing here"),
        "{both}"
    );
    let alone = refusal("source,destination,bit_time\n1,5,91\n");
    assert!(
        alone.contains("the heading `bit_time` means nothing here"),
        "{alone}"
    );
}

#[test]
fn lines_and_columns_are_those_of_an_editor() {
    for (text, place) in [
        ("source,destination\r\n0,5\r\n3,x\r\n", "line 3, column 3"),
        (
            "\n\nsource,destination\n\n \n0,5\n\n3,x",
            "line 8, column 3",
        ),
        ("\u{feff}source,destination\n3,x\n", "line 2, column 3"),
        ("source,destination\n\"1\",\"x\"\n", "line 2, column 5"),
        ("source,destination\n  1 ,  x\n", "line 2, column 8"),
        ("source,destination\n0,1\n\n0,2\n", "line 4, column 1"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(place), "{text:?}: {refusal}");
    }
    assert!(refusal("source,destination\n0,1\n\n0,2\n").contains("of line 2"));
    assert_eq!(
        refusal("source,destination,payload,payload\n1,2,3,4\n"),
        "mine.csv, line 1, column 28: the heading `payload` stands twice: leave one of the two columns out"
    );
}

#[test]
fn what_is_no_text_or_has_no_end_is_refused() {
    let cube = Dimensions::new(3).unwrap();
    let read = |input: &mut dyn Read| {
        let error = read_traffic("mine.csv", input, &cube, 6, 1).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        read(&mut &b"source,destination\n\xff,1\n"[..]),
        "mine.csv, line 2, column 1: the line is not UTF-8 text"
    );
    assert_eq!(
        read(&mut std::io::repeat(0)),
        "mine.csv, line 1, column 1: the line is longer than 131072 bytes: no row of such a file is"
    );
    let long = format!("source,destination,payload\n0,1,{}\n", "f".repeat(5000));
    assert!(read(&mut long.as_bytes()).len() < 200);
}

/// A lone carriage return once hid all that came behind it.
#[test]
fn a_row_ends_in_lf_crlf_or_cr() {
    let expected = read("source,destination,payload\n0,5,1\n1,2,2\n3,4,3\n").unwrap();
    for text in [
        "source,destination,payload\r0,5,1\r1,2,2\r3,4,3\r",
        "source,destination,payload\r0,5,1\r1,2,2\r3,4,3",
        "source,destination,payload\n0,5,1\r1,2,2\n3,4,3\n",
        "source,destination,payload\r\n0,5,1\r\n1,2,2\r\n3,4,3\r\n",
        "\rsource,destination,payload\n\r0,5,1\r\r\n1,2,2\n\n3,4,3\r\n\r",
    ] {
        let traffic = read(text).unwrap();
        assert_eq!(traffic.messages(), expected.messages(), "{text:?}");
        assert_eq!(traffic.payloads(), expected.payloads(), "{text:?}");
    }
    for (text, place) in [
        ("source,destination\r0,5\r3,x\r", "line 3, column 3"),
        ("source,destination\r\r\n0,5\n\r3,x\r", "line 5, column 3"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(place), "{text:?}: {refusal}");
    }
}

/// Endings are seen however the reader's buffer cuts the file.
#[test]
fn an_ending_may_lie_across_two_buffers() {
    struct Bytewise<'a>(&'a [u8]);
    impl Read for Bytewise<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let one = buffer.len().min(1);
            self.0.read(&mut buffer[..one])
        }
    }
    let text = b"source,destination\r\n0,5\r1,2\n\r\n3,4\r";
    let cube = Dimensions::new(3).unwrap();
    let traffic = read_traffic("mine.csv", Bytewise(text), &cube, 6, 1).unwrap();
    assert_eq!(traffic.messages().len(), 3);
}

#[test]
fn files_are_read_for_any_number_of_nodes_by_number_or_name() {
    let nodes = Nodes::new(24).unwrap();
    let cycles = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
    let parameters = Parameters {
        virtual_channels: 1,
        buffer_bits: 1,
        wire_bits: 1,
        weak_switch: false,
    };
    let topology = WormholeMachine::new(cycles, parameters).unwrap().topology();
    let read = |text: &str| read_traffic("mine.csv", text.as_bytes(), &topology, 6, 1);
    let traffic = read("source,destination\n23,0\n0,23\n").unwrap();
    assert_eq!(traffic.nodes(), nodes);
    assert_eq!(traffic.messages().get(0).unwrap().destination, 23);
    let by_name = read("source,destination\n2_7,0\n0_0,2_7\n").unwrap();
    assert_eq!(by_name.messages(), traffic.messages());
    for name in ["3_0", "0_8", "_", "x", "-1", "+1"] {
        assert_eq!(
            read(&format!("source,destination\n{name},0\n"))
                .unwrap_err()
                .to_string(),
            format!(
                "mine.csv, line 2, column 1: there is no node `{name}`: the machine has nodes 0 to 23, which by \
                 level and column are 0_0 to 2_7"
            )
        );
    }
    assert_eq!(
        read("source,destination\n23,24\n").unwrap_err().to_string(),
        "mine.csv, line 2, column 4: node 24 is out of range: the machine has nodes 0 to 23"
    );
    let set = |text: &str| read_set("set.csv", text.as_bytes(), &topology);
    assert!(set("source\n23\n0_1\n").unwrap().iter().eq([1, 23]));
    assert!(set("source\n24\n").is_err());
}

#[test]
fn a_set_is_the_source_column() {
    let cube = Dimensions::new(3).unwrap();
    let set = |text: &str| read_set("set.csv", text.as_bytes(), &cube);
    assert!(set("source\n7\n2\n").unwrap().iter().eq([2, 7]));
    assert!(
        set("source,destination\n7,1\n2,1\n")
            .unwrap()
            .iter()
            .eq([2, 7])
    );
    assert_eq!(
        set("source\n7\n7\n").unwrap_err().to_string(),
        "set.csv, line 3, column 1: node 7 already stands in line 2: a set has each of its nodes once"
    );
}
