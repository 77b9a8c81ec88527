//! A machine whose nodes decide who drives which wire: each tells on what it has heard.

use std::ops::Range;

use rtl_model::closed_form::ClosedForm;
use rtl_model::language::bit::{Bit, Strobe, any};
use rtl_model::language::lines::Lines;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::language::wires::Transmit;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Machine, Node, Position, Router, Sequencer};
use rtl_model::machine::topology::Topology;
use rtl_model::parts::counter::Counter;
use rtl_model::{registers, strobes};

use crate::program::networks::Network;

/// Who drives links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Driving {
    /// The sequencer says when.
    Strobed,
    /// In some bit times each node decides which of two units does, and never both, but that takes a proof.
    Decided,
    /// In some bit times each node decides, and sometimes it is both.
    Quarrelling,
}

/// Strobes of the bundle that says which links are driven; links from there on share them.
const LINES: usize = 40;

/// The bit times of a run.
const BIT_TIMES: u32 = 45;

/// Nodes that tell each other what they have heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hearsay {
    pub network: Network,
    pub driving: Driving,
}

impl Hearsay {
    /// Whether the links of a strobe are driven in a bit time: first in turn, with long pauses, then now and then.
    fn sends(self, line: usize, bit_time: u32) -> bool {
        let (lines, time) = (self.network.links().min(LINES) as u32, bit_time);
        match time / 30 {
            0 => time / 4 % lines == line as u32,
            _ => (time * 7 + line as u32 * 5) % 11 < 3,
        }
    }
}

/// Registers side by side.
#[derive(Clone)]
struct Row<B>(Vec<B>);

impl<B: Bit> Registers<B> for Row<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.register(name, self.0.len(), &|bit| &self.0[bit]);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.0.iter_mut().for_each(visitor);
    }
}

#[derive(Clone)]
pub struct HearsayNode<B: Bit> {
    router: Hearsay,
    /// What came last over each link, and from the host.
    heard: Row<B>,
    /// What is told.
    tale: Row<B>,
    /// Who tells it.
    moods: Row<B>,
}
registers!(HearsayNode { heard, tale, moods });

strobes! {
    #[derive(Clone)]
    pub struct HearsayStrobes<S> {
        /// Which links are driven.
        sends: Lines<S>,
        /// Each node decides who drives.
        decides: S,
        /// The host is told something.
        reports: S,
        /// The tale is garbled.
        garbles: S,
    }
}

#[derive(Clone)]
pub struct HearsaySequencer<B: Bit> {
    router: Hearsay,
    bit_time: Counter<B>,
}
registers!(HearsaySequencer { bit_time });

impl<B: Bit> Node<B> for HearsayNode<B> {
    type Broadcast = HearsayStrobes<B::Strobe>;

    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let network = self.router.network;
        let (tale, moods) = (&self.tale.0, &self.moods.0);
        for link in 0..network.links() {
            let told = || tale[link % tale.len()] ^ address[link % address.len()];
            let sends = strobes.sends.line(link % LINES);
            let by_node = match self.router.driving {
                Driving::Strobed => B::Strobe::ZERO,
                _ => sends & strobes.decides,
            };
            wires.drive(link, "the teller", sends & !by_node, told);
            if !by_node.is_known_zero() {
                let (a, b, c) = (moods[0], moods[1], moods[2]);
                let decides = B::from_strobe(by_node);
                wires.drive_where(link, "the teller", decides & ((a & b) | (c & a)), told());
                let other = match self.router.driving {
                    Driving::Quarrelling => a ^ b,
                    _ => !a & (b ^ c),
                };
                wires.drive_where(link, "the other", decides & other, !told());
            }
        }
        for wire in network.links()..network.driven() {
            wires.drive(wire, "the reporter", strobes.reports, || tale[0]);
        }
    }

    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let came = any(received.iter().copied());
        for (heard, &bit) in self.heard.0.iter_mut().zip(received) {
            *heard = (*heard & address[0]) ^ bit;
        }
        let tale = &mut self.tale.0;
        tale.rotate_right(1);
        tale[0] = tale[0] ^ came;
        let last = tale.len() - 1;
        B::when(strobes.garbles, &mut self.tale, |tale| {
            tale.0[last] = tale.0[last].mux(address[address.len() - 1], tale.0[1]);
        });
        let moods = &mut self.moods.0;
        moods.rotate_left(1);
        moods[0] = moods[0] ^ (self.heard.0[0] & self.tale.0[1] & self.tale.0[3]);
    }
}

impl<S: Strobe> Sequencer<S> for HearsaySequencer<S> {
    type Broadcast = HearsayStrobes<S>;

    fn broadcast(&self, strobes: &mut HearsayStrobes<S>) {
        let time = self.bit_time.number();
        let within = |mut bit_times: Range<u32>, when: &dyn Fn(u32) -> bool| {
            any(bit_times
                .by_ref()
                .filter(|bit_time| when(*bit_time))
                .map(|bit_time| time.equals(i64::from(bit_time))))
        };
        strobes.sends.drive(S::ONE, 0..LINES, |line| {
            within(0..BIT_TIMES, &|bit_time| self.router.sends(line, bit_time))
        });
        strobes.decides = within(10..BIT_TIMES, &|bit_time| bit_time % 9 < 4);
        strobes.reports = within(0..BIT_TIMES, &|bit_time| bit_time % 5 == 2);
        strobes.garbles = within(0..BIT_TIMES, &|bit_time| bit_time % 6 == 1);
    }

    fn clock(&mut self) {
        self.bit_time.count();
    }

    fn is_done(&self) -> S {
        self.bit_time.number().equals(i64::from(BIT_TIMES))
    }
}

impl Machine for Hearsay {
    type Topology = Network;
    type Broadcast<S: Strobe> = HearsayStrobes<S>;
    type Node<B: Bit> = HearsayNode<B>;
    type Sequencer<S: Strobe> = HearsaySequencer<S>;

    fn topology(&self) -> Network {
        self.network
    }

    fn node<B: Bit>(&self) -> HearsayNode<B> {
        let row = |length| Row(vec![B::ZERO; length]);
        HearsayNode {
            router: *self,
            heard: row(self.network.received()),
            tale: row(5),
            moods: row(3),
        }
    }

    fn sequencer<S: Strobe>(&self) -> HearsaySequencer<S> {
        HearsaySequencer {
            router: *self,
            bit_time: Counter::new(BIT_TIMES, 0),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut HearsayNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        for (bit, register) in node.tale.0.iter_mut().enumerate() {
            port(Field::PAYLOAD, bit, register);
        }
    }
}

impl Router for Hearsay {
    const STEPS: &'static [&'static str] = &["hearsay"];

    fn bit_times(&self) -> ClosedForm {
        ClosedForm::of("T", &[("T", u64::from(BIT_TIMES))])
    }

    fn storage_bits(&self) -> ClosedForm {
        ClosedForm::of("links+8", &[("links", self.network.received() as u64)])
    }

    fn position(&self, sequencer: &HearsaySequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.bit_time.number().value(),
        }
    }

    fn occupancy<B: Bit>(
        &self,
        node: &HearsayNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        count(node.tale.0[0], 3);
        count(node.tale.0[1] & node.moods.0[0], 2);
        node.heard.0.iter().for_each(|bit| count(*bit, 1));
    }

    fn messages<B: Bit>(
        &self,
        node: &HearsayNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        count(node.tale.0[0]);
        count(node.moods.0[0] & node.heard.0[0]);
    }
}
