//! How large packets are: as asked for, as the broadcast cuts a message, or as the formula has it.

use rtl_model::routers::ports::broadcast::{Broadcast, MOST_BITS, MOST_PACKETS};

use crate::error::Error;
use crate::error::refusal::Refusal;

/// Bits of a packet, and why so many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketSize {
    /// Bits, `B`.
    pub bits: usize,
    /// How they were found.
    pub found: Found,
    /// How they would have been found where nobody asks for them, if they are the same.
    told: Found,
}

/// The optimum by calculus, with packets of any size (Ho & Johnsson 1986, Table 3), clamped to the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calculus {
    /// Bits of a packet, `sqrt(a M tau / (b t_c))`.
    pub bits: f64,
    /// Bit times, `(sqrt(a M t_c) + sqrt(b tau))^2`.
    pub bit_times: f64,
}

/// How the size of packets was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// It was asked for.
    Asked,
    /// The broadcast cuts a message into so many parts.
    Fixed(usize),
    /// The fewest bit times by the formula.
    Optimum(Calculus),
}

impl PacketSize {
    /// Of so many bits, found so.
    pub fn found(bits: usize, found: Found) -> Self {
        PacketSize {
            bits,
            found,
            told: found,
        }
    }

    /// The same, asked for where nobody needed to if this is what would have been found.
    pub fn beside(self, own: PacketSize) -> Self {
        let told = match own.bits == self.bits {
            true => own.found,
            false => Found::Asked,
        };
        PacketSize { told, ..self }
    }

    /// As a report says it.
    pub fn text(&self) -> String {
        match self.told {
            Found::Asked => String::new(),
            Found::Fixed(1) => ", the whole message".to_owned(),
            Found::Fixed(parts) => format!(", the message cut into {parts}"),
            Found::Optimum(Calculus { bits, .. }) => {
                format!(", the optimum of the formula (sqrt(aMT/b) = {bits:.1})")
            }
        }
    }
}

/// The size for a message of `message_bits` and a broadcast of which the packets are not known yet.
///
/// # Errors
/// A size that is out of range, or that is not the broadcast's.
pub fn of(
    broadcast: &Broadcast,
    message_bits: usize,
    asked: Option<usize>,
) -> Result<PacketSize, Error> {
    let n = broadcast.cube.count();
    let fixed = broadcast.algorithm.most_packets(n);
    let most = message_bits.min(MOST_BITS);
    if let Some(bits) = asked {
        if !(1..=most).contains(&bits) {
            let of_message = match most == message_bits {
                true => ", the bits of the message",
                false => "",
            };
            let refusal = Refusal::of(format!("packets of {bits} bits are out of range"))
                .instead(format!("choose 1 to {most}{of_message}"));
            return Err(match bits {
                0 => refusal,
                _ => refusal.only_together("packets"),
            }
            .into());
        }
        let asked = PacketSize::found(bits, Found::Asked);
        return match fixed {
            Some(parts) if bits != message_bits.div_ceil(parts) => {
                let algorithm = broadcast.algorithm.name();
                let bits = message_bits.div_ceil(parts);
                Err(Refusal::of(format!(
                    "{algorithm} cuts a message of {message_bits} bits into {parts}"
                ))
                .instead(format!("leave out --packet-bits, or give {bits}"))
                .only_together("packets of a broadcast")
                .into())
            }
            _ => Ok(match self::of(broadcast, message_bits, None) {
                Ok(own) => asked.beside(own),
                Err(_) => asked,
            }),
        };
    }
    if let Some(parts) = fixed {
        let bits = message_bits.div_ceil(parts);
        if bits > MOST_BITS {
            return Err(too_large(bits));
        }
        return Ok(PacketSize::found(bits, Found::Fixed(parts)));
    }
    let bits = optimum(broadcast, message_bits);
    let found = Found::Optimum(calculus(broadcast, message_bits));
    Ok(PacketSize::found(bits, found))
}

fn too_large(bits: usize) -> Error {
    Refusal::of(format!("{bits} bits of a packet are out of range"))
        .instead(format!("choose 1 to {MOST_BITS}"))
        .into()
}

/// Bit times with packets of so many bits.
fn bit_times(broadcast: &Broadcast, message_bits: usize, bits: usize) -> u64 {
    let cut = Broadcast {
        packets: message_bits.div_ceil(bits),
        packet_bits: bits,
        ..*broadcast
    };
    cut.bit_times().value
}

/// The size with the fewest bit times; of those, the largest.
fn optimum(broadcast: &Broadcast, message_bits: usize) -> usize {
    let least = message_bits.div_ceil(MOST_PACKETS);
    let mut best = message_bits.min(MOST_BITS);
    let mut fewest = bit_times(broadcast, message_bits, best);
    let mut bits = best;
    // Of all sizes that give so many packets, the smallest is the best: from one to the next.
    while bits >= least && bits > 0 {
        let packets = message_bits.div_ceil(bits);
        bits = message_bits.div_ceil(packets);
        let here = bit_times(broadcast, message_bits, bits);
        if here < fewest {
            (best, fewest) = (bits, here);
        }
        bits -= 1;
    }
    best
}

/// The optimum of `T = (aP + b)(tau + B t_c)` with `P = M/B`.
fn calculus(broadcast: &Broadcast, message_bits: usize) -> Calculus {
    // Steps are a P + b from many packets on; ceilings of P/n aside.
    let n = broadcast.cube.count();
    let steps = |packets: usize| {
        let cut = Broadcast {
            packets,
            ..*broadcast
        };
        cut.routing_steps().value as f64
    };
    let (few, many) = (n, 101 * n);
    let a = (steps(many) - steps(few)) / (many - few) as f64;
    let b = steps(few) - a * few as f64;
    let (bits, start_up) = (message_bits as f64, broadcast.start_up as f64);
    let optimum = match b > 0.0 {
        true => (a * bits * start_up / b).sqrt(),
        false => bits,
    };
    let optimum = optimum.clamp(1.0, bits);
    Calculus {
        bits: optimum,
        bit_times: (a * bits / optimum + b) * (start_up + optimum),
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::ports::algorithm::Algorithm;

    use super::*;

    /// No size is better than the one that is found.
    #[test]
    fn the_optimum_is_the_best_of_all_sizes() {
        for algorithm in Algorithm::EACH {
            for &ports in algorithm.port_models() {
                for (n, start_up) in [(1, 3), (3, 0), (4, 7), (6, 40)] {
                    let broadcast = Broadcast {
                        cube: Dimensions::new(n).unwrap(),
                        algorithm,
                        ports,
                        source: 0,
                        packets: 1,
                        packet_bits: 1,
                        start_up,
                    };
                    if algorithm.most_packets(n).is_some() {
                        continue;
                    }
                    for message_bits in [1, 2, 17, 100, 257] {
                        let found = of(&broadcast, message_bits, None).unwrap().bits;
                        let best = (1..=message_bits)
                            .map(|bits| bit_times(&broadcast, message_bits, bits))
                            .min()
                            .unwrap();
                        assert_eq!(bit_times(&broadcast, message_bits, found), best);
                    }
                }
            }
        }
    }
}
