//! The worms of a run as `$readmemh` reads them: a line each, port after port, those of a port in the order in which its host
//! sends them. A port is a switch of a node: switch `s` of node `n` is number `n * switches + s`.

use std::fmt::Write;

use ::hosts::deliveries::hexadecimal;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::families::wormhole::message::{Message, Worm, worms};

/// A worm that a host sends.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// The port of the host that sends it.
    pub port: usize,
    /// The node that it is for.
    pub destination: usize,
    /// The bit time before which it does not begin.
    pub time: u64,
    /// Its bits.
    pub worm: Worm,
}

/// The worms of messages, which are in the order of their times.
pub(super) fn sent(machine: &WormholeMachine, messages: &[Message]) -> Vec<Sent> {
    let switches = machine.network().switches();
    let worms = messages.iter().enumerate().flat_map(|(number, message)| {
        worms(machine, number, message).map(move |worm| Sent {
            port: message.source * switches + worm.switch,
            destination: message.destination,
            time: message.created,
            worm,
        })
    });
    let mut sent: Vec<Sent> = worms.collect();
    // Stable: those of a port keep their order.
    sent.sort_by_key(|one| one.port);
    sent
}

/// Bits of the longest worm.
pub(super) fn longest(sent: &[Sent]) -> usize {
    let lengths = sent.iter().map(|one| one.worm.bits.len());
    lengths.max().unwrap_or(0)
}

/// Lines of a round: one for nothing, if it sends nothing.
pub(super) fn lines(sent: &[Sent]) -> usize {
    sent.len().max(1)
}

/// The messages as `run` takes them: with their times, if one has to wait, and their bits, if these differ.
pub(super) fn traffic_file(messages: &[Message]) -> String {
    let has_times = messages.iter().any(|message| message.created > 0);
    let has_bits = (messages.windows(2)).any(|pair| pair[0].bits.len() != pair[1].bits.len());
    let mut text = String::from("source,destination,payload");
    text += if has_times { ",time" } else { "" };
    text += if has_bits { ",bits\n" } else { "\n" };
    for message in messages {
        let payload = hexadecimal(&message.bits);
        // Writing to a string cannot fail.
        let _ = write!(text, "{},{},{payload}", message.source, message.destination);
        if has_times {
            let _ = write!(text, ",{}", message.created);
        }
        if has_bits {
            let _ = write!(text, ",{}", message.bits.len());
        }
        text.push('\n');
    }
    text
}

/// A line a worm: the port that sends it, the bit time before which it does not begin, its length in flits, 0 if there is none, and
/// its bits, the first to be sent lowest.
pub(super) fn traffic(sent: &[Sent], (switches, wire_bits): (usize, usize)) -> String {
    text(
        sent,
        switches,
        "0 0 0 0",
        |Sent {
             port, worm, time, ..
         }| {
            let (header, _) = worm.bits.split_at(worm.header);
            let header: String = (header.iter())
                .map(|bit| if *bit { '1' } else { '0' })
                .collect();
            let from = match time {
                0 => String::new(),
                _ => format!(", from bit time {time}"),
            };
            let (length, bits) = (worm.bits.len() / wire_bits, hexadecimal(&worm.bits));
            [
                format!("{port:x} {time:x} {length:x} {bits}"),
                format!(", header {header}{from}"),
            ]
        },
    )
}

/// A line a worm: the port that it is for, the length of the body in flits, and the body.
pub(super) fn expected(sent: &[Sent], (switches, wire_bits): (usize, usize)) -> String {
    text(sent, switches, "0 0 0", |one| {
        let to = one.destination * switches + one.worm.switch;
        let body = one.worm.body();
        let (length, bits) = (body.len() / wire_bits, hexadecimal(body));
        [format!("{to:x} {length:x} {bits}"), String::new()]
    })
}

/// A line a worm: its words, and what is said of it behind where it comes from and goes; or what stands for none.
fn text(
    sent: &[Sent],
    switches: usize,
    nothing: &str,
    line: impl Fn(&Sent) -> [String; 2],
) -> String {
    if sent.is_empty() {
        return format!("{nothing} // nothing\n");
    }
    let line = |one: &Sent| {
        let [words, note] = line(one);
        let Sent {
            port, destination, ..
        } = one;
        let (node, switch) = (port / switches, port % switches);
        let switch = match switches {
            1 => String::new(),
            _ => format!(", switch {switch}"),
        };
        format!("{words} // node {node}{switch}: to node {destination}{note}\n")
    };
    sent.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;

    use super::*;

    fn worm(bits: &str, header: usize) -> Worm {
        Worm {
            message: 0,
            switch: 1,
            bits: bits.chars().map(|bit| bit == '1').collect(),
            header,
            fill: 0,
        }
    }

    #[test]
    fn the_first_bit_of_a_worm_is_the_lowest() {
        let one = |port, time| Sent {
            port,
            destination: 5,
            time,
            worm: worm("011101", 2),
        };
        let sent = [one(1, 0), one(7, 26)];
        assert_eq!(
            traffic(&sent, (2, 1)),
            "1 0 6 2e // node 0, switch 1: to node 5, header 01\n\
             7 1a 6 2e // node 3, switch 1: to node 5, header 01, from bit time 26\n"
        );
        assert_eq!(
            expected(&sent[..1], (2, 1)),
            "b 4 b // node 0, switch 1: to node 5\n"
        );
        assert_eq!((longest(&sent), lines(&sent)), (6, 2));
        assert_eq!(
            [traffic(&[], (2, 1)), expected(&[], (2, 1))].concat(),
            "0 0 0 0 // nothing\n0 0 0 // nothing\n"
        );
        assert_eq!((longest(&[]), lines(&[])), (0, 1));
    }

    #[test]
    fn a_traffic_file_has_the_columns_that_it_needs() {
        let message = |created, bits| Message {
            source: 3,
            destination: 1,
            created,
            bits: BitVec::repeat(true, bits),
        };
        for (messages, text) in [
            (vec![], "source,destination,payload\n"),
            (vec![message(0, 5)], "source,destination,payload\n3,1,1f\n"),
            (
                vec![message(0, 4), message(7, 4)],
                "source,destination,payload,time\n3,1,f,0\n3,1,f,7\n",
            ),
            (
                vec![message(0, 4), message(0, 5)],
                "source,destination,payload,bits\n3,1,f,4\n3,1,1f,5\n",
            ),
            (
                vec![message(2, 4), message(2, 2)],
                "source,destination,payload,time,bits\n3,1,f,2,4\n3,1,3,2,2\n",
            ),
        ] {
            assert_eq!(traffic_file(&messages), text);
        }
    }
}
