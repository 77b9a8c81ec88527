use super::*;
use crate::error::refusal::Refusal;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::file::read_traffic;

const USUAL_BITS: usize = 6;

fn read(text: &str) -> Result<Vec<Timed>, Error> {
    let cube = Dimensions::new(3).unwrap();
    read_timed(
        "t.csv",
        text.as_bytes(),
        &cube,
        USUAL_BITS,
        1,
        |_, _| Ok(()),
    )
}

/// Source, destination, time and bits of each.
fn rows(text: &str) -> Vec<(usize, usize, u64, usize)> {
    let row = |one: &Timed| (one.source, one.destination, one.time, one.payload.len());
    read(text).unwrap().iter().map(row).collect()
}

#[test]
fn any_number_of_messages_from_a_node_and_to_one_go_in_the_order_of_their_rows() {
    assert_eq!(
        rows(
            "time,destination,source,payload,bits\n0,7,5,3f,\u{20}6\n0,7,5,,2\n4,7,1,1,9\n4,5,5,,6\n"
        ),
        [(5, 7, 0, 6), (5, 7, 0, 2), (1, 7, 4, 9), (5, 5, 4, 6)]
    );
    assert_eq!(
        rows("source,destination\n3,0\n2,1\n"),
        [(3, 0, 0, 6), (2, 1, 0, 6)]
    );
    assert_eq!(rows("source,destination,time\n"), []);
    let last = format!("source,destination,time\n1,2,{LAST_TIME}\n");
    assert_eq!(rows(&last), [(1, 2, LAST_TIME, 6)]);
}

#[test]
fn deliveries_are_read_in_the_order_of_their_messages() {
    let text = "message,node,source,payload,bits,bit_time,created,injected,head_arrived,tail_arrived,path\n\
                4,7,5,3,2,90,12,13,80,89,5>7\n\
                2,6,1,1,2,95,12,12,,94,1>0|1>6\n\
                0,6,3,2,2,,0,,,,\n";
    assert_eq!(rows(text), [(3, 6, 0, 2), (1, 6, 12, 2), (5, 7, 12, 2)]);
    let payloads: Vec<Vec<bool>> = read(text)
        .unwrap()
        .iter()
        .map(|one| one.payload.iter().by_vals().collect())
        .collect();
    assert_eq!(payloads, [[false, true], [true, false], [true, true]]);
}

/// A permutation is the same traffic, whichever way it is read.
#[test]
fn payloads_are_drawn_as_for_other_traffic() {
    let text = "source,destination,payload\n5,0,\n1,2,1f\n7,7,\n0,1,\n";
    let cube = Dimensions::new(3).unwrap();
    let traffic = read_traffic("t.csv", text.as_bytes(), &cube, 6, 1).unwrap();
    for one in read(text).unwrap() {
        let index = traffic.index_from(one.source).unwrap();
        assert_eq!(one.payload, traffic.payload(index));
    }
    // Of several from a node, all are different, as far as their bits allow.
    let text = format!("source,destination\n{}", "3,1\n".repeat(64));
    let mut payloads: Vec<_> = read(&text)
        .unwrap()
        .into_iter()
        .map(|one| one.payload)
        .collect();
    payloads.sort();
    assert!(payloads.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn what_there_is_no_room_for_is_refused_while_it_is_read() {
    let cube = Dimensions::new(3).unwrap();
    let text = format!("source,destination,payload\n{}x", "3,1,\n".repeat(100));
    let room = |messages, bits| match messages {
        0..=8 => Ok(()),
        _ => Err(Refusal::of(format!("{messages} and {bits}")).into()),
    };
    let refused = read_timed("t.csv", text.as_bytes(), &cube, USUAL_BITS, 1, room).unwrap_err();
    assert_eq!(refused.to_string(), "16 and 96");
    // Between two powers of two as well, at the end.
    let text = format!("source,destination\n{}", "3,1\n".repeat(9));
    assert!(read_timed("t.csv", text.as_bytes(), &cube, USUAL_BITS, 1, room).is_err());
}

#[test]
fn every_mistake_is_named_with_its_place() {
    for (text, refusal) in [
        (
            "source,destination,time\n1,2,7\n1,3,7\n0,1,5\n",
            "line 4, column 5: time 5 is before time 7 of line 3: messages stand in the order of their times: sort the rows \
             by time",
        ),
        (
            "source,destination,time\n1,2,-7\n",
            "line 2, column 5: `-7` is not a time: it is the bit time in which the host has the message, a whole number, 0 \
             to 1000000000000",
        ),
        (
            "time,source,destination\n1.5,1,2\n",
            "line 2, column 1: `1.5` is not a time: it is the bit time in which the host has the message, a whole number, 0 \
             to 1000000000000",
        ),
        (
            "time,source,destination\n,1,2\n",
            "line 2, column 1: `` is not a time: it is the bit time in which the host has the message, a whole number, 0 \
             to 1000000000000",
        ),
        (
            "time,source,destination\n1000000000001,1,2\n",
            "line 2, column 1: `1000000000001` is not a time: it is the bit time in which the host has the message, a whole \
             number, 0 to 1000000000000",
        ),
        (
            "source,destination,time\n1,8,7\n",
            "line 2, column 3: node 8 is out of range: the machine has nodes 0 to 7",
        ),
        (
            "source,destination,time,created\n1,2,7,7\n",
            "line 1, column 25: the heading `created` says the same as `time`: leave one of them out",
        ),
        (
            "node,source,destination\n1,2,7\n",
            "line 1, column 1: the heading `node` says the same as `destination`: leave one of them out",
        ),
        (
            "source,destination,when\n1,2,7\n",
            "line 1, column 20: the heading `when` means nothing here: there are source, destination, payload, bits, time and \
             message, and what a file of deliveries has",
        ),
        (
            "source,destination,source\n1,2,7\n",
            "line 1, column 20: the heading `source` stands twice: leave one of the two columns out",
        ),
        (
            "source,time\n1,2\n",
            "line 1, column 1: the header has no column `destination`: the first line must be `source,destination` or \
             `source,destination,payload`, in lower case, with commas between",
        ),
        (
            "source,destination,bits\n1,2,0\n",
            "line 2, column 5: `0` bits are none that a message can have: choose 1 to 65536",
        ),
        (
            "source,destination,bits\n1,2,65537\n",
            "line 2, column 5: `65537` bits are none that a message can have: choose 1 to 65536",
        ),
        (
            "source,destination,bits,payload\n1,2,2,4\n",
            "line 2, column 7: payload 4 takes 3 bits and the message carries 2: raise --message-bits, or its number of \
             `bits`",
        ),
        (
            "source,destination,payload\n1,2,x\n",
            "line 2, column 5: `x` is not a payload: write it in hexadecimal, as in 2f",
        ),
        (
            "message,source,destination\n1,2,3\nx,2,3\n",
            "line 3, column 1: `x` is not the number of a message: write it in decimal, or leave out the column `message`",
        ),
        (
            "message,source,destination\n1,2,3\n0,2,3\n1,2,3\n",
            "line 4, column 1: message 1 already stands in line 2: each has a number of its own",
        ),
        (
            "message,source,destination,time\n5,2,3,4\n1,2,3,9\n",
            "line 2, column 7: message 5 has time 4, and message 1 of line 3 has time 9: messages are numbered in the order of \
             their times: number them anew, or leave out the column `message` and sort the rows by time",
        ),
    ] {
        let refused = read(text).unwrap_err().to_string();
        assert_eq!(refused, format!("t.csv, {refusal}"), "{text}");
    }
}

/// Routers of permutations know neither times nor numbers.
#[test]
fn times_are_refused_where_messages_go_all_at_once() {
    let cube = Dimensions::new(3).unwrap();
    for heading in ["time", "created", "message"] {
        let text = format!("source,destination,{heading}\n1,2,0\n");
        let refused = read_traffic("t.csv", text.as_bytes(), &cube, 6, 1).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "t.csv, line 1, column 20: the heading `{heading}` means nothing here: there are source, destination and \
                 payload; times are for routers to which messages come one after the other"
            )
        );
    }
}
