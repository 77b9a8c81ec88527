//! The judge of schedules: it knows links, port models and packets, and no algorithm.

use std::collections::{BTreeMap, BTreeSet};

use super::violation::Violation;
use super::{MOST_DIMS, Outcome, Ports, Send, WaveSend, forwarding};

/// Checks any list of sends, in any order, in the cube of `2^dims` nodes, from `source`, of `packets`
/// packets. Packets go between neighbours. A link carries one packet a step each way, and nodes keep to
/// `ports`. A node sends only what it has received whole in an earlier step, and the source has all. At
/// the end every node has every packet. A node may receive a packet again only if `allow_redundant`.
///
/// [`Outcome::peak_forwarding_packets`] knows no waves here: a packet that a node sends on counts from
/// the step of its first arrival to the step in which it is sent last.
///
/// # Errors
///
/// The first violation, by step.
pub fn check(
    dims: usize,
    source: usize,
    packets: usize,
    ports: Ports,
    allow_redundant: bool,
    sends: &[Send],
) -> Result<Outcome, Violation> {
    let nodes = cube(dims, source)?;
    let mut sends = sends.to_vec();
    sends.sort_unstable();
    let mut has = vec![vec![false; packets]; nodes];
    has[source] = vec![true; packets];
    let mut redundant = 0;
    for together in sends.chunk_by(|one, next| one.step == next.step) {
        for send in together {
            exists(send, nodes, packets)?;
        }
        links(together)?;
        keeps_to(ports, together)?;
        for send in together {
            if !has[send.from][send.packet] {
                return Err(Violation::NotHeld {
                    step: send.step,
                    node: send.from,
                    port: port(send),
                    packet: send.packet,
                });
            }
        }
        for send in together {
            let had = std::mem::replace(&mut has[send.to][send.packet], true);
            redundant += usize::from(had);
            if had && !allow_redundant {
                return Err(Violation::Redundant {
                    step: send.step,
                    node: send.to,
                    port: port(send),
                    packet: send.packet,
                });
            }
        }
    }
    for (node, has) in has.iter().enumerate() {
        if let Some(packet) = has.iter().position(|has| !has) {
            return Err(Violation::Missing { node, packet });
        }
    }
    let in_one_wave = |send: &Send| WaveSend {
        send: *send,
        wave: 0,
    };
    let one_wave: Vec<WaveSend> = sends.iter().map(in_one_wave).collect();
    Ok(Outcome {
        steps: sends.last().map_or(0, |send| send.step + 1),
        peak_forwarding_packets: forwarding::peak(source, &one_wave),
        sends: sends.len(),
        redundant,
    })
}

/// The number of nodes, if there is such a cube and it has the source.
pub(super) fn cube(dims: usize, source: usize) -> Result<usize, Violation> {
    if !(1..=MOST_DIMS).contains(&dims) {
        return Err(Violation::Dims {
            dims,
            most: MOST_DIMS,
        });
    }
    let nodes = 1 << dims;
    if source < nodes {
        Ok(nodes)
    } else {
        Err(Violation::NoSuchSource {
            node: source,
            nodes,
        })
    }
}

/// Whether there are such nodes, such a link and such a packet.
fn exists(send: &Send, nodes: usize, packets: usize) -> Result<(), Violation> {
    let &Send {
        step,
        from,
        to,
        packet,
    } = send;
    if let Some(node) = [from, to].into_iter().find(|node| *node >= nodes) {
        return Err(Violation::NoSuchNode { step, node, nodes });
    }
    if !(from ^ to).is_power_of_two() {
        return Err(Violation::NotNeighbours { step, from, to });
    }
    if packet >= packets {
        return Err(Violation::NoSuchPacket {
            step,
            node: from,
            port: port(send),
            packet,
            packets,
        });
    }
    Ok(())
}

/// Whether every link carries one packet each way.
fn links(together: &[Send]) -> Result<(), Violation> {
    let mut used = BTreeSet::new();
    for send in together {
        if !used.insert((send.from, send.to)) {
            return Err(Violation::LinkTwice {
                step: send.step,
                node: send.from,
                port: port(send),
            });
        }
    }
    Ok(())
}

/// Whether the nodes use no more ports in a step than the model allows.
fn keeps_to(ports: Ports, together: &[Send]) -> Result<(), Violation> {
    let mut used: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for send in together {
        used.entry(send.from).or_default().0.push(port(send));
        used.entry(send.to).or_default().1.push(port(send));
    }
    for (node, (mut sends_on, mut receives_on)) in used {
        let allowed = match ports {
            Ports::OneWay => sends_on.len() + receives_on.len() <= 1,
            Ports::TwoWay => sends_on.len() <= 1 && receives_on.len() <= 1,
            Ports::All => true,
        };
        if !allowed {
            sends_on.sort_unstable();
            receives_on.sort_unstable();
            return Err(Violation::TooManyPorts {
                step: together[0].step,
                node,
                ports,
                sends_on,
                receives_on,
            });
        }
    }
    Ok(())
}

/// The dimension of the link, which is the port at both of its ends.
fn port(send: &Send) -> usize {
    (send.from ^ send.to).trailing_zeros() as usize
}
