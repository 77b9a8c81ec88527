//! The arbiter of a node's ports: says whether more of them are busy than the port model admits.
//!
//! ```text
//!   sending 0 .. n-1   --> two at least --+
//!   receiving 0 .. n-1 --> two at least --+--> violation        (two-way)
//!
//!   sending 0 .. n-1, receiving 0 .. n-1 --> two at least --> violation        (one-way)
//! ```
//!
//! It looks at the ports and at nothing else: a schedule that is wrong is found, not trusted.

use crate::language::bit::Bit;
use crate::routers::ports::algorithm::PortModel;

/// 1 where two bits at least are 1.
fn two_at_least<B: Bit>(bits: impl Iterator<Item = B>) -> B {
    let (_, two) = bits.fold((B::ZERO, B::ZERO), |(one, two), bit| {
        (one | bit, two | one & bit)
    });
    two
}

/// Combinational: 1 where more ports are busy than may be.
pub fn violation<B: Bit>(model: PortModel, sending: &[B], receiving: &[B]) -> B {
    let both = sending.iter().chain(receiving).copied();
    match model {
        PortModel::OneWay => two_at_least(both),
        PortModel::TwoWay => {
            two_at_least(sending.iter().copied()) | two_at_least(receiving.iter().copied())
        }
        PortModel::All => B::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_port_model_does_not_admit_is_a_violation() {
        for ports in 0..5 {
            for busy in 0..1usize << (2 * ports) {
                let bits: Vec<bool> = (0..2 * ports).map(|place| busy >> place & 1 == 1).collect();
                let (sending, receiving) = bits.split_at(ports);
                let count = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
                for model in PortModel::EACH {
                    assert_eq!(
                        violation(model, sending, receiving),
                        !model.admits(count(sending), count(receiving))
                    );
                }
            }
        }
    }
}
