//! The judge of steps.

use super::wires::{Sent, Wires};
use super::*;

const NETWORK: Network = Network::Reduced(Shape { k: 3, n: 1 });

/// Carries loads between these nodes, at once, in four steps.
fn carried(pairs: &[(usize, usize)]) -> Result<(u64, u64), Violation> {
    let mut wires = Wires::new(NETWORK).unwrap();
    let sends: Vec<Sent<()>> = pairs
        .iter()
        .map(|&(from, to)| Sent { from, to, load: () })
        .collect();
    // The same again is no second use of a wire.
    wires.carry(3, &sends)?;
    wires.carry(1, &sends)?;
    Ok((wires.steps, wires.sends))
}

#[test]
fn both_directions_of_all_wires_at_once() {
    let mut pairs = Vec::new();
    for node in 0..NETWORK.nodes() {
        for wire in 0..NETWORK.wires() {
            pairs.push((node, NETWORK.neighbour(node, wire)));
        }
    }
    assert_eq!(carried(&pairs), Ok((4, 2 * 32 * 4)));
    assert_eq!(carried(&[]), Ok((4, 0)));
    for &(from, to) in &pairs {
        let mut more = pairs.clone();
        more.push((from, to));
        let step = 3;
        assert_eq!(carried(&more), Err(Violation::WireTwice { step, from, to }));
    }
}

#[test]
fn links_that_there_are_not() {
    for from in 0..32 {
        for to in 0..32 {
            let neighbours = match from ^ to {
                1 | 2 | 4 => true,
                8 => from & 4 == 0,
                16 => from & 4 != 0,
                _ => false,
            };
            let step = 3;
            let expected = match neighbours {
                true => Ok((4, 2)),
                false => Err(Violation::NotNeighbours { step, from, to }),
            };
            assert_eq!(carried(&[(from, to)]), expected);
        }
        let beyond = Violation::NoSuchNode {
            node: from + 32,
            nodes: 32,
        };
        assert_eq!(carried(&[(from, from + 32)]), Err(beyond.clone()));
        assert_eq!(carried(&[(from + 32, from)]), Err(beyond));
    }
}
