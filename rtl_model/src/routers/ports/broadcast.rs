//! A broadcast: which one, on which cube and ports, from where, and how the message is cut up; and what follows from that in
//! closed form.
//!
//! `n` dimensions, `N = 2^n` nodes, `P` packets of `B` bits, `T` bit times of start-up; `g = ceil(P/n)` groups of `n` packets.

use crate::closed_form::ClosedForm;
use crate::error::refusal::Refusal;
use crate::error::{Error, in_range, no_such_source, port_dimensions};
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::ports::algorithm::{Algorithm, PortModel};

/// A broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// The cube.
    pub cube: Dimensions,
    /// Which one.
    pub algorithm: Algorithm,
    /// On which ports.
    pub ports: PortModel,
    /// The node whose host has the message.
    pub source: usize,
    /// Packets, `P`.
    pub packets: usize,
    /// Bits of a packet, `B`.
    pub packet_bits: usize,
    /// Bit times before the first bit of a packet, `T`.
    pub start_up: usize,
}

/// The most bits of a packet, and the most bit times of a start-up.
pub const MOST_BITS: usize = 1 << 20;
/// The most packets.
pub const MOST_PACKETS: usize = 1 << 20;
/// The most dimensions: a cube of more has more wires to hosts than is worth a simulation.
pub const MOST_DIMENSIONS: usize = 16;

/// The most bits that a node has for a list: its memory and its orders.
pub const MOST_LISTED_BITS: usize = 1 << 22;

/// Texts of a number of routing steps, and of the bit times that they take.
macro_rules! steps {
    ($text:literal) => {
        [$text, concat!("(", $text, ")(T + B)")]
    };
}

impl Broadcast {
    /// The same, if it can be.
    ///
    /// # Errors
    /// Ports that the algorithm is not defined for; a source that is no node; no packets, no bits, or too many of either.
    pub fn checked(self) -> Result<Self, Error> {
        let n = self.cube.count();
        if n > MOST_DIMENSIONS {
            return Err(port_dimensions(n, MOST_DIMENSIONS));
        }
        self.algorithm.check(self.ports)?;
        if self.source >= self.cube.nodes() {
            return Err(no_such_source(self.source, self.cube.nodes()));
        }
        in_range("bits of a packet", self.packet_bits, [1, MOST_BITS])?;
        in_range("bit times of a start-up", self.start_up, [0, MOST_BITS])?;
        let most = self.algorithm.most_packets(n).unwrap_or(MOST_PACKETS);
        match self.packets {
            packets if packets > most && most <= n => Err(Refusal::of(format!(
                "{} cuts a message into {most} packets at the most, and not into {packets}",
                self.algorithm.name()
            ))
            .instead("leave the packet size to it")
            .only_together("packets of a broadcast")
            .into()),
            packets => in_range("packets", packets, [1, most]),
        }?;
        self.check_list()
    }

    /// Refuses a list for which a node would need too many registers.
    fn check_list(self) -> Result<Self, Error> {
        let Algorithm::Listed { steps } = self.algorithm else {
            return Ok(self);
        };
        match self.listed_bits(steps) {
            _ if steps == 0 => Err(Refusal::of("a list of 0 steps sends nothing")
                .because("it takes a step at least until all nodes have a packet")
                .into()),
            bits if bits > MOST_LISTED_BITS => Err(Refusal::of(format!(
                "a list of {} packets of {} bits in {steps} step{} takes {bits} bits of registers in each node of {} dimensions (PB \
                 + 2nPS), and {MOST_LISTED_BITS} are accepted",
                self.packets,
                self.packet_bits,
                if steps == 1 { "" } else { "s" },
                self.cube.count()
            ))
            .instead("use fewer packets or steps, or shorter packets")
            .into()),
            _ => Ok(self),
        }
    }

    /// Bits of a node's memory and orders, `PB + 2nPS`, where a list has so many steps.
    pub(super) fn listed_bits(&self, steps: usize) -> usize {
        let orders = (2 * self.cube.count() * self.packets).saturating_mul(steps);
        (self.packets * self.packet_bits).saturating_add(orders)
    }

    /// Groups of `n` packets, `g`.
    pub fn groups(&self) -> usize {
        self.packets.div_ceil(self.cube.count())
    }

    /// Packets of the last group.
    pub(super) fn last_group(&self) -> usize {
        self.packets - (self.groups() - 1) * self.cube.count()
    }

    /// Bit times of a routing step.
    pub fn step_bit_times(&self) -> usize {
        self.start_up + self.packet_bits
    }

    /// The closed form of the routing steps.
    pub fn routing_steps(&self) -> ClosedForm {
        self.form(self.texts()[0])
    }

    /// The closed form of the bit times.
    pub fn bit_times(&self) -> ClosedForm {
        self.form(self.texts()[1])
    }

    /// The value of a closed form in `n`, `N = 2^n`, `P`, `B`, `T` and `g`; of a list also in its steps.
    fn form(&self, text: &'static str) -> ClosedForm {
        let steps = match self.algorithm {
            Algorithm::Listed { steps } => steps,
            _ => 0,
        };
        let letters = [
            ("n", self.cube.count()),
            ("N", self.cube.nodes()),
            ("P", self.packets),
            ("B", self.packet_bits),
            ("T", self.start_up),
            ("g", self.groups()),
            ("steps", steps),
            ("the list's steps", steps),
        ];
        ClosedForm::of(text, &letters.map(|(letter, size)| (letter, size as u64)))
    }

    /// Of the routing steps and of the bit times.
    fn texts(&self) -> [&'static str; 2] {
        let n = self.cube.count();
        match (self.algorithm, self.ports) {
            (Algorithm::Listed { .. }, _) => ["the list's steps", "steps(T + B)"],
            (Algorithm::Broadcast1 | Algorithm::Broadcast2 | Algorithm::Broadcast3B, _) => {
                steps!("n")
            }
            // The last stage goes back to the source alone.
            (Algorithm::Broadcast3A, _) if n == 1 => ["1 (n = 1)", "T + B (n = 1)"],
            (Algorithm::Broadcast3A, _) => steps!("n + 1"),
            (Algorithm::Broadcast4, _) => steps!("n + g - 1"),
            // One edge: whatever the tree is called, the source sends all the time.
            _ if n == 1 => ["P (n = 1)", "P(T + B) (n = 1)"],
            (Algorithm::HamiltonianPath, PortModel::OneWay) => steps!("2P + N - 3"),
            (Algorithm::HamiltonianPath, _) => steps!("P + N - 2"),
            (Algorithm::BinomialTree, PortModel::All) => steps!("P + n - 1"),
            (Algorithm::BinomialTree, _) => ["nP", "nP(T + B)"],
            (Algorithm::TwoRootedTree, PortModel::All) => steps!("P + n - 1"),
            (Algorithm::TwoRootedTree, PortModel::OneWay) if n == 2 => {
                ["2P (n = 2)", "2P(T + B) (n = 2)"]
            }
            (Algorithm::TwoRootedTree, PortModel::OneWay) => steps!("3P + 2n - 5"),
            (Algorithm::TwoRootedTree, PortModel::TwoWay) => {
                ["2(P + n - 2)", "2(P + n - 2)(T + B)"]
            }
            (Algorithm::MultipleTrees, PortModel::OneWay) => steps!("2P + n - 1"),
            (Algorithm::MultipleTrees, PortModel::TwoWay) => steps!("P + n"),
            (Algorithm::MultipleTrees, PortModel::All) => steps!("ceil(P/n) + n"),
        }
    }

    /// The closed form of the peak of a node's forwarding buffer, in bits: packets that it is going to send on, those in
    /// flight to it among them. Of a list nothing is known beforehand.
    pub fn forwarding_buffer(&self) -> Option<ClosedForm> {
        let n = self.cube.count();
        let text = match (self.algorithm, self.ports) {
            (Algorithm::Listed { .. }, _) => return None,
            // Nobody has anybody to send on to.
            _ if n == 1 => "0 (n = 1)",
            (Algorithm::BinomialTree, PortModel::OneWay | PortModel::TwoWay)
            | (Algorithm::HamiltonianPath | Algorithm::TwoRootedTree, PortModel::OneWay)
            | (Algorithm::Broadcast1, _) => "B",
            (Algorithm::TwoRootedTree, PortModel::TwoWay) if n == 2 => "B (n = 2)",
            (Algorithm::MultipleTrees, PortModel::All) => "min(P, 2n)B",
            (Algorithm::Broadcast2, _) => "min(P, n - 1)B",
            (Algorithm::Broadcast3A, _) => "PB",
            // The last group has a second wave. With three groups the busiest node is the opposite corner, between two groups that
            // it sends on to its neighbours; of the last one it sends nothing. With one group it is one at distance n-2, which
            // has both waves.
            (Algorithm::Broadcast3B | Algorithm::Broadcast4, _) => match self.groups() {
                1 => "max(min(P, n-1), 2min(P, n-2) - [P = n-2])B",
                2 => "(n - 1 + min(P - n, n - 1))B (g = 2)",
                _ => "2nB",
            },
            _ => "min(P, 2)B",
        };
        Some(self.form(text))
    }
}

/// When what happens, in routing steps: turns of as many phases each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turns {
    /// Phases of a turn.
    pub phases: usize,
    /// Phases of the whole run, numbered from 0: the last one.
    pub last: usize,
    /// Phases are split into two halves, of which the falling one is left out in the first turn, and the rising one in the last
    /// phase.
    pub has_halves: bool,
}

impl Turns {
    /// Of a broadcast.
    pub fn of(broadcast: &Broadcast) -> Self {
        let n = broadcast.cube.count();
        let steps = broadcast.routing_steps().value as usize;
        let whole = |phases| Turns {
            phases,
            last: steps - 1,
            has_halves: false,
        };
        match (broadcast.algorithm, broadcast.ports) {
            (Algorithm::Listed { .. }, _) => whole(1),
            (Algorithm::Broadcast1 | Algorithm::Broadcast2, _) => whole(n),
            (_, PortModel::All) => whole(1),
            _ if n == 1 => whole(1),
            (Algorithm::HamiltonianPath, PortModel::OneWay) => whole(2),
            (Algorithm::TwoRootedTree, PortModel::OneWay) if n > 2 => whole(3),
            (Algorithm::TwoRootedTree, _) => whole(2),
            (Algorithm::BinomialTree, _) => whole(n),
            (Algorithm::MultipleTrees, PortModel::TwoWay) => whole(n),
            (Algorithm::MultipleTrees, _) => Turns {
                phases: n,
                last: broadcast.packets + n - 1,
                has_halves: true,
            },
            _ => whole(1),
        }
    }

    /// The number of the last turn.
    pub fn last_turn(&self) -> usize {
        self.last / self.phases
    }
}
