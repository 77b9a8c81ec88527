//! At which levels a node stands, decoded from its address: each of its switches on the copies of the
//! cube-connected cycles, or the node in its two butterflies and in those whose bits it relays.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::routers::wormhole::plan::{LevelCode, MAX_LINES, NodePlan, Port};
use crate::routers::wormhole::switch_names::in_switch;

/// The most levels of all codes of a node: 16 of 16 switches.
const MAX_LEVELS: usize = 256;

/// What a switch knows of where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a, B> {
    /// By line: it stands at level 0 there.
    pub at_level_0: &'a [B],
    /// The node's address, bit by bit.
    pub address: &'a [B],
}

/// At which level a node stands by each code: one-hot, as far as its plan asks.
pub struct Levels<'a, B> {
    address: &'a [B],
    lines: usize,
    /// `at_level_0[switch * lines + line]`.
    at_level_0: ArrayVec<B, MAX_LINES>,
    /// `at[code * levels + level]`.
    at: ArrayVec<B, MAX_LEVELS>,
    levels: usize,
}

impl<'a, B: Bit> Levels<'a, B> {
    /// Decodes a node's address.
    #[inline]
    pub fn of(plan: &NodePlan, address: &'a [B]) -> Self {
        let mut at = ArrayVec::new();
        let lines = plan.lines;
        let mut at_level_0: ArrayVec<_, MAX_LINES> =
            (0..plan.switches() * lines).map(|_| B::ZERO).collect();
        for code in &plan.levels {
            let switch = code.of.map_or(0, |(switch, _)| switch);
            let labelled = is_labelled(code, address);
            for (level, spelled) in code.codes.iter().enumerate() {
                let last = code.window.len();
                let bits = code.window.iter().enumerate().map(|(place, &bit)| {
                    match spelled >> (last - 1 - place) & 1 {
                        1 => address[bit],
                        _ => !address[bit],
                    }
                });
                let here = bits.fold(B::ONE, |all, bit| all & bit) & labelled;
                let here = in_switch::<B, _>(plan, switch, || {
                    here.named(format_args!("{}_at_level_{level}", code.name))
                });
                if let (Some((switch, line)), 0) = (code.of, level) {
                    let at_level_0 = &mut at_level_0[switch * lines + line];
                    *at_level_0 = *at_level_0 | here;
                }
                at.push(here);
            }
        }
        Levels {
            address,
            lines,
            at_level_0,
            at,
            levels: plan.levels.first().map_or(0, |code| code.codes.len()),
        }
    }

    /// What a switch knows of where it stands.
    #[inline]
    pub fn here(&self, switch: usize) -> Here<'_, B> {
        Here {
            at_level_0: &self.at_level_0[switch * self.lines..][..self.lines],
            address: self.address,
        }
    }

    /// The port's condition holds.
    #[inline]
    pub fn holds(&self, port: &Port) -> B {
        match port.at {
            None => B::ONE,
            Some(at) => self.at[at.code * self.levels + at.level],
        }
    }

    /// ORs what `value` gives of the port that holds.
    #[inline]
    pub(super) fn select(&self, ports: &[Port], value: impl Fn(&Port) -> B) -> B {
        any(ports.iter().map(|port| match port.at {
            None => value(port),
            Some(_) => self.holds(port) & value(port),
        }))
    }
}

/// The node has the label of a code.
#[inline]
fn is_labelled<B: Bit>(code: &LevelCode, address: &[B]) -> B {
    code.label.iter().fold(B::ONE, |all, (bits, value)| {
        let odd = bits.iter().fold(B::ZERO, |odd, &bit| odd ^ address[bit]);
        all & if *value { odd } else { !odd }
    })
}
