//! Where the bits of a worm go, worked out from its message by the rules alone.

use std::collections::HashMap;

use rtl_model::routers::wormhole::network::Network;
use testbenches::families::wormhole::message::Message;

use crate::wormhole_wave::wires::{links, name};

/// A worm on a link, as worked out from its message.
#[derive(Clone, Debug)]
pub struct Passing {
    pub worm: String,
    /// What is left of it there.
    pub bits: Vec<bool>,
    /// The input channel that it comes to, as the path of a module.
    pub arrives: String,
}

/// By link and channel (node, link, channel): what passes, in any order.
pub type Expected = HashMap<(usize, String, usize), Vec<Passing>>;

/// The bits of a message that go via a switch, if buffers have two places: the next to the first of those that would be
/// there soonest.
fn body(message: &Message, ways: &[(Vec<bool>, Vec<Hop>)], piece: usize) -> Vec<bool> {
    let bits: Vec<bool> = message.bits.iter().by_vals().collect();
    let mut lengths = vec![0; ways.len()];
    let there = |(header, hops): &(Vec<bool>, Vec<Hop>)| header.len() + 2 * hops.len();
    for _ in 0..bits.len() {
        let soonest = (0..ways.len()).min_by_key(|&one| there(&ways[one]) + lengths[one]);
        lengths[soonest.unwrap()] += 1;
    }
    let start: usize = lengths[..piece].iter().sum();
    bits[start..start + lengths[piece]].to_vec()
}

/// A hop of a worm: the link with its channel, where it leads, and the header bits that are gone on it.
struct Hop {
    link: (usize, String, usize),
    to: usize,
    input: String,
    gone: usize,
}

/// A worm in order of dimensions: its header, and its hops.
fn e_cube_hops(dimensions: usize, message: &Message) -> (Vec<bool>, Vec<Hop>) {
    let (mut header, mut hops) = (Vec::new(), Vec::new());
    let mut here = message.source;
    for dimension in 0..dimensions {
        let crosses = (here ^ message.destination) >> dimension & 1 == 1;
        header.push(crosses);
        if crosses {
            hops.push(Hop {
                link: (here, format!("dim_{dimension}"), 0),
                to: here ^ 1 << dimension,
                input: format!("in_{dimension}"),
                gone: header.len(),
            });
            here ^= 1 << dimension;
        }
    }
    (header, hops)
}

/// A worm in order of dimensions to a node and on, each time on channels of its own: its header, and its hops.
fn valiant_hops(dimensions: usize, message: &Message, via: usize) -> (Vec<bool>, Vec<Hop>) {
    let (mut header, mut hops) = (Vec::new(), Vec::new());
    let mut here = message.source;
    for (phase, end) in [via, message.destination].into_iter().enumerate() {
        for dimension in 0..dimensions {
            let crosses = (here ^ end) >> dimension & 1 == 1;
            header.push(crosses);
            if crosses {
                hops.push(Hop {
                    link: (here, format!("dim_{dimension}"), phase),
                    to: here ^ 1 << dimension,
                    input: format!("in_phase_{phase}_{dimension}"),
                    gone: header.len(),
                });
                here ^= 1 << dimension;
            }
        }
    }
    (header, hops)
}

/// Level and column of a node, or of its switch.
fn vertex(network: &Network, switch: usize, node: usize) -> (usize, usize) {
    match network {
        Network::Copies { copies, .. } => copies.unmap(switch, node),
        Network::CubeConnectedCycles(cycles) => {
            let columns = 1 << cycles.levels();
            (node / columns, node % columns)
        }
        _ => unreachable!("no cycles"),
    }
}

/// The link out of `here` that a switch at `level` has, with the number of a virtual channel on it; and where it leads.
fn cycle_link(
    network: &Network,
    (switch, level): (usize, usize),
    here: usize,
    (is_cross, channel): (bool, usize),
) -> ((usize, String, usize), usize) {
    let Network::Copies { copies, used } = network else {
        let (link, far) = links(network, here)[usize::from(is_cross)].clone();
        return ((here, link, channel), far);
    };
    let dimension = match is_cross {
        true => copies.cross_dimension(switch, level),
        false => copies.straight_dimension(switch, level),
    };
    // The three straight channels come first, where some copy goes straight over the dimension.
    let mut windows = (0..*used).map(|copy| copies.window(copy));
    let comes_second = match dimension {
        1 => level == copies.levels() - 1,
        _ => is_cross && windows.any(|window| window.contains(&dimension)),
    };
    let number = channel + if comes_second { 3 } else { 0 };
    let link = (here, format!("dim_{dimension}"), number);
    (link, here ^ 1 << dimension)
}

/// A worm on cube-connected cycles with three virtual channels: its header, and its hops.
fn cycle_hops(network: &Network, message: &Message, switch: usize) -> (Vec<bool>, Vec<Hop>) {
    let levels = match network {
        Network::Copies { copies, .. } => copies.levels(),
        Network::CubeConnectedCycles(cycles) => cycles.levels(),
        _ => unreachable!("no cycles"),
    };
    let (mut header, mut hops) = (Vec::new(), Vec::new());
    let (mut level, mut column) = vertex(network, switch, message.source);
    let destination = vertex(network, switch, message.destination);
    let (mut here, mut datelines) = (message.source, 0);
    loop {
        let mut hop = |is_cross: bool, level: usize, gone: usize| {
            let (link, to) = cycle_link(network, (switch, level), here, (is_cross, datelines));
            let way = if is_cross { "cross" } else { "straight" };
            hops.push(Hop {
                link,
                to,
                input: format!("{way}_in_{datelines}"),
                gone,
            });
            here = to;
        };
        let crosses = (column ^ destination.1) >> level & 1 == 1;
        header.push(crosses);
        if crosses {
            hop(true, level, header.len());
            column ^= 1 << level;
        }
        let ejects = (level, column) == destination;
        header.push(ejects);
        if ejects {
            assert_eq!(here, message.destination);
            return (header, hops);
        }
        hop(false, level, header.len());
        level = (level + 1) % levels;
        datelines += usize::from(level == 0);
    }
}

/// Walks a worm of message `number` from switch to switch by the rules alone. Returns its bits, none if no piece goes
/// via that switch.
pub fn walk(
    network: &Network,
    (number, message): (usize, &Message),
    switch: usize,
    expected: &mut Expected,
) -> Vec<bool> {
    let of_switch = |switch| match network {
        Network::Valiant { dimensions, .. } => {
            let trip = network.trip(number, message.source, message.destination);
            valiant_hops(dimensions.count(), message, trip.intermediate)
        }
        Network::ECube(dimensions) => e_cube_hops(dimensions.count(), message),
        _ => cycle_hops(network, message, switch),
    };
    let mut ways: Vec<_> = (0..network.switches()).map(of_switch).collect();
    let body = body(message, &ways, switch);
    if body.is_empty() {
        return body;
    }
    let (header, hops) = ways.swap_remove(switch);
    let [source, destination] =
        [message.source, message.destination].map(|node| name(network, node));
    let worm = match network {
        Network::Copies { .. } => format!("{source}->{destination}/{switch}"),
        _ => format!("{source}->{destination}"),
    };
    let whole = [header, body].concat();
    for hop in hops {
        let module = match network.switches() {
            1 => String::new(),
            _ => format!("switch_{switch}."),
        };
        expected.entry(hop.link).or_default().push(Passing {
            worm: worm.clone(),
            bits: whole[hop.gone..].to_vec(),
            arrives: format!("node_{}.{module}{}", name(network, hop.to), hop.input),
        });
    }
    whole
}
