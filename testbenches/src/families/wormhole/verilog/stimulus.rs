//! The worms of a run as `$readmemh` reads them: a line for each switch of each node, in order.

use std::fmt::Write;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rtl_model::routers::wormhole::network::Network;

use crate::deliveries::hexadecimal;
use crate::families::wormhole::message::{Message, Worm, worms};
use crate::families::wormhole::verilog::is_permutation;

/// What a switch of a node sends: one worm at the most.
#[derive(Clone, Debug)]
pub(super) struct Port {
    /// The worm, and the node that it is for.
    pub worm: Option<(Worm, usize)>,
}

/// All switches of all nodes: switch `s` of node `n` is number `n * switches + s`.
pub(super) fn ports(network: &Network, messages: &[Message]) -> Vec<Port> {
    let switches = network.switches();
    let mut ports = vec![Port { worm: None }; network.nodes() * switches];
    for (number, message) in messages.iter().enumerate() {
        for worm in worms(network, number, message) {
            let port = message.source * switches + worm.switch;
            ports[port].worm = Some((worm, message.destination));
        }
    }
    ports
}

/// Bits of the longest worm.
pub(super) fn longest(ports: &[Port]) -> usize {
    let lengths = ports.iter().filter_map(|port| port.worm.as_ref());
    lengths.map(|(worm, _)| worm.bits.len()).max().unwrap_or(0)
}

/// The messages as `run` takes them; none where several are for one node, which no file may say.
pub(super) fn traffic_file(messages: &[Message]) -> Option<String> {
    is_permutation(messages).then(|| {
        let rows = messages.iter().map(|message| {
            let payload = hexadecimal(&message.bits);
            format!("{},{},{payload}\n", message.source, message.destination)
        });
        String::from("source,destination,payload\n") + &rows.collect::<String>()
    })
}

/// A line a port: the length of its worm, 0 if there is none, and its bits, the first to be sent lowest.
pub(super) fn traffic(ports: &[Port], switches: usize) -> String {
    lines(ports, switches, |worm, destination| {
        let (header, _) = worm.bits.split_at(worm.header);
        let words = [number(worm.bits.len()), hexadecimal(&worm.bits)];
        let header: String = (header.iter())
            .map(|bit| if *bit { '1' } else { '0' })
            .collect();
        let note = format!("to node {destination}, header {header}");
        (words.to_vec(), note)
    })
}

/// A line a port: the port that its worm is for, the length of the body, and the body.
pub(super) fn expected(ports: &[Port], switches: usize) -> String {
    lines(ports, switches, |worm, destination| {
        let to = destination * switches + worm.switch;
        let body: &BitSlice<u64> = worm.body();
        let words = [number(to), number(body.len()), hexadecimal(body)];
        (words.to_vec(), format!("to node {destination}"))
    })
}

fn number(number: usize) -> String {
    format!("{number:x}")
}

/// A line a port; zeros where it has no worm.
fn lines(
    ports: &[Port],
    switches: usize,
    line: impl Fn(&Worm, usize) -> (Vec<String>, String),
) -> String {
    let mut nothing = line(&EMPTY, 0).0;
    nothing.iter_mut().for_each(|word| *word = "0".to_owned());
    let mut text = String::new();
    for (number, port) in ports.iter().enumerate() {
        let (words, note) = match &port.worm {
            Some((worm, destination)) => line(worm, *destination),
            None => (nothing.clone(), "nothing".to_owned()),
        };
        let place = match switches {
            1 => format!("node {number}"),
            _ => format!("node {}, switch {}", number / switches, number % switches),
        };
        let _ = writeln!(text, "{} // {place}: {note}", words.join(" "));
    }
    text
}

/// A worm of no bits.
const EMPTY: Worm = Worm {
    message: 0,
    switch: 0,
    bits: BitVec::EMPTY,
    header: 0,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn port(header: usize, bits: &str, destination: usize) -> Port {
        let worm = Worm {
            message: 0,
            switch: 1,
            bits: bits.chars().map(|bit| bit == '1').collect(),
            header,
        };
        Port {
            worm: Some((worm, destination)),
        }
    }

    #[test]
    fn the_first_bit_of_a_worm_is_the_lowest() {
        let ports = [Port { worm: None }, port(2, "011101", 5)];
        assert_eq!(
            traffic(&ports, 2),
            "0 0 // node 0, switch 0: nothing\n6 2e // node 0, switch 1: to node 5, header 01\n"
        );
        assert_eq!(
            expected(&ports, 2),
            "0 0 0 // node 0, switch 0: nothing\nb 4 b // node 0, switch 1: to node 5\n"
        );
        assert_eq!(longest(&ports), 6);
    }
}
