//! At which level of the cube-connected cycles each switch of a node stands, decoded from the
//! node's address.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::routers::wormhole::node::in_switch;
use crate::routers::wormhole::plan::{Plan, Port};

/// The most levels of all switches of a node: 16 of 16.
const MAX_LEVELS: usize = 256;

/// At which level each switch stands: one-hot for each switch, as far as its plan asks.
pub struct Levels<B> {
    /// `at[switch * levels + level]`.
    at: ArrayVec<B, MAX_LEVELS>,
    levels: usize,
}

impl<B: Bit> Levels<B> {
    /// Decodes a node's address.
    #[inline]
    pub fn of(plan: &Plan, address: &[B]) -> Self {
        let mut at = ArrayVec::new();
        for (switch, code) in plan.levels.iter().enumerate() {
            for (level, spelled) in code.codes.iter().enumerate() {
                let last = code.window.len();
                let bits = code.window.iter().enumerate().map(|(place, &bit)| {
                    match spelled >> (last - 1 - place) & 1 {
                        1 => address[bit],
                        _ => !address[bit],
                    }
                });
                let here = bits.fold(B::ONE, |all, bit| all & bit);
                at.push(in_switch::<B, _>(plan, switch, || {
                    here.named(format_args!("stands_at_level_{level}"))
                }));
            }
        }
        Levels {
            at,
            levels: plan.levels.first().map_or(0, |code| code.codes.len()),
        }
    }

    /// The switch stands at level 0.
    #[inline]
    pub fn at_level_0(&self, switch: usize) -> B {
        match self.levels {
            0 => B::ZERO,
            levels => self.at[switch * levels],
        }
    }

    /// The port's condition holds.
    #[inline]
    pub fn holds(&self, port: &Port) -> B {
        match port.level {
            None => B::ONE,
            Some(level) => self.at[port.switch * self.levels + level],
        }
    }

    /// ORs what `value` gives of the port that holds.
    #[inline]
    pub(super) fn select(&self, ports: &[Port], value: impl Fn(&Port) -> B) -> B {
        any(ports.iter().map(|port| match port.level {
            None => value(port),
            Some(_) => self.holds(port) & value(port),
        }))
    }
}
