//! Which machines there are.

use super::linked::Linked;
use super::links::Links;
use super::{Machine, Network, Variant, Violation, listed};

/// Nodes of a grid, at most.
const NODES: usize = 1 << 20;
/// Channels of all links of a node of a hypercube, a grid or a network that is listed, at most.
const CHANNELS: usize = 64;

/// Refuses a machine that there is not.
pub fn check(machine: Machine) -> Result<(), Violation> {
    check_size(machine.network)?;
    check_channels(machine)?;
    if let Network::Listed(listed) = machine.network {
        listed::check(listed, machine.virtual_channels)?;
    }
    match machine {
        Machine { buffer_bits: 0, .. } => Err(Violation::NoBuffer),
        Machine { wire_bits, .. } if !(1..=64).contains(&wire_bits) => {
            Err(Violation::WireBits { wire_bits })
        }
        _ => Ok(()),
    }
}

fn check_size(network: Network) -> Result<(), Violation> {
    match network {
        Network::CubeConnectedCycles { levels } if !(2..=16).contains(&levels) => {
            Err(Violation::Levels { levels })
        }
        Network::Copies { levels, .. } if !matches!(levels, 2 | 4 | 8 | 16) => {
            Err(Violation::Levels { levels })
        }
        Network::Butterflies { levels } if !matches!(levels, 2 | 4) => {
            Err(Violation::Levels { levels })
        }
        Network::Copies { levels, copies } if !(1..=levels).contains(&copies) => {
            Err(Violation::Copies { copies, levels })
        }
        Network::Hypercube { dimensions, .. } if !(1..=16).contains(&dimensions) => {
            Err(Violation::Dimensions { dimensions })
        }
        Network::Grid {
            radix, dimensions, ..
        } if !is_grid(radix, dimensions) => Err(Violation::Grid { radix, dimensions }),
        _ => Ok(()),
    }
}

fn check_channels(machine: Machine) -> Result<(), Violation> {
    let virtual_channels = machine.virtual_channels;
    let links = match machine.network {
        Network::Listed(listed) => Some(listed.slots),
        _ => Links::of(machine, Variant::Correct).map(|links| links.count()),
    };
    match links {
        Some(links)
            if !(1..=8).contains(&virtual_channels)
                || links.saturating_mul(virtual_channels) > CHANNELS =>
        {
            Err(Violation::LinkChannels {
                virtual_channels,
                links,
            })
        }
        None if !(1..=3).contains(&virtual_channels) => {
            Err(Violation::VirtualChannels { virtual_channels })
        }
        _ => Ok(()),
    }
}

fn is_grid(radix: usize, dimensions: usize) -> bool {
    let power = u32::try_from(dimensions).ok();
    let nodes = power.and_then(|power| radix.checked_pow(power));
    (3..=16).contains(&radix) && dimensions >= 1 && nodes.is_some_and(|nodes| nodes <= NODES)
}
