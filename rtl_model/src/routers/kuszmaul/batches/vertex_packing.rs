//! Section V: a packing where several processors share a vertex of the complete butterfly.
//!
//! A packing sends at most one message to a processor. With `p` processors at a vertex that is up to `p` messages from a vertex and to
//! one, and Lemma 1, that messages never meet, is about vertices. So a vertex sends one message after the other through its only row of
//! switches: in pass `s` that for the `s`-th processor of wherever it goes. The messages of a pass go to different vertices, and in the
//! order in which they stand, so each pass is a packing by itself.
//!
//! ```text
//!   dimension d              bit times from the pass's beginning
//!   packing                  2d .. k+d-1+D
//!   delivered                valid bit in 2k-2, payload from 2k-1 on
//! ```
//!
//! A pass takes `2k+D-1` bit times, as testbench `packing` does. Dimension 0 carries `k+D` bits of it, and the next pass has to wait for
//! that: `p` passes take `2k+D-1+(p-1)(k+D)`. More wires across the higher dimensions would change nothing. Cube-connected cycles, as the
//! paper puts them, have `k` processors at a vertex.

use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::parts::dimensions::RowOrder;
use crate::parts::packer::{Directions, Packer, PackerStrobes, Run, Source};
use crate::parts::windows::{Claim, SingleRow, Stretch};
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Incoming, Pipelined, Stage};
use crate::routers::kuszmaul::packing::PACKS;
use crate::routers::permutation::Size;

/// Passes of a packing, one stage for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VertexPacking;

/// A row of switches.
#[derive(Clone, Debug)]
pub struct PackingStage<B: Bit> {
    size: Size,
    packing: Packer<B>,
}
registers!(PackingStage {
    packing: "a switch for each dimension, each consumes one destination bit (Algorithm 1)",
});

fn source<B>(incoming: Incoming<B>) -> Source<B> {
    Source {
        valid: incoming.valid,
        bit: incoming.bit,
    }
}

impl<B: Bit> Stage<B> for PackingStage<B> {
    type Strobes = PackerStrobes<B::Strobe>;

    #[inline]
    fn transmit(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        self.packing
            .transmit(strobes, source(incoming), address, wires);
    }

    #[inline]
    fn delivered(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        self.packing
            .delivered(strobes, source(incoming), address, received)
    }

    #[inline]
    fn clock(
        &mut self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) {
        self.packing
            .clock(strobes, source(incoming), address, received);
    }

    /// In the registers behind switches, of which each lags one bit time behind the one before it.
    fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        let bits = self.size.dimensions + self.size.payload_bits;
        for behind in 1..self.size.dimensions {
            let here = Stretch::new(2 * behind as i64 - 1, (behind + bits) as i64 - 2);
            if (here.from..=here.to).contains(&t) {
                count(self.packing.stage(behind).valid(), 1);
            }
        }
    }

    /// Those that are in a register behind a switch are on their way.
    fn messages(&self, _t: i64, _count: &mut dyn FnMut(B)) {}
}

impl Pipelined for VertexPacking {
    type Strobes<S: Strobe> = PackerStrobes<S>;
    type Stage<B: Bit> = PackingStage<B>;

    const UNITS: &'static [&'static str] = &["packing"];
    const FORMS: BatchForms = BatchForms {
        interval: "k+D",
        latency: "2k+D-1",
        wires: "k",
        storage_bits: "4k-2",
        serial_adders: "0",
    };

    fn lowest(_size: Size) -> Vec<usize> {
        vec![0]
    }

    fn stage<B: Bit>(extent: Extent) -> PackingStage<B> {
        let k = extent.size.dimensions;
        PackingStage {
            size: extent.size,
            packing: Packer::new(0..k, RowOrder::Ascending, Directions::Forward),
        }
    }

    fn delivers_at(extent: Extent) -> usize {
        2 * extent.size.dimensions - 2
    }

    fn delivers(extent: Extent) -> Stretch {
        let first = Self::delivers_at(extent) as i64 + 1;
        Stretch::new(first, first + extent.size.payload_bits as i64 - 1)
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        let (k, payload_bits) = (extent.size.dimensions, extent.size.payload_bits);
        let claim = |dimension| Claim {
            dimension,
            unit: "packing",
            window: PACKS.stretch(k, payload_bits, dimension + 1),
        };
        (0..k).map(claim).collect()
    }

    fn steps(_extent: Extent) -> Vec<(&'static str, i64)> {
        vec![("pack", 0)]
    }

    fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut PackerStrobes<S>) {
        let row = SingleRow {
            dimensions: at.extent.size.dimensions,
            payload_bits: at.extent.size.payload_bits,
            during: |stretch| at.during(stretch),
        };
        strobes.decode(&[Run::delivering(&row, PACKS)]);
    }

    fn consumed(extent: Extent, t: i64) -> usize {
        let stages = (t + 2).max(0) as usize / 2;
        stages.min(extent.size.dimensions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::device::Device;
    use crate::machine::slots::{self, SlotArrivals};
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::batches::BatchRouter;
    use crate::traffic::{Message, Traffic};

    /// The packing of the processors that `sends` says to the lowest processors, pass by pass; processor `s` of vertex `x` is `xp+s`.
    fn passes(
        k: usize,
        p: usize,
        payload_bits: usize,
        sends: impl Fn(usize) -> bool,
    ) -> Vec<Traffic> {
        let cube = Dimensions::new(k).unwrap();
        let mut messages = vec![Vec::new(); p];
        for (rank, processor) in (0..cube.nodes() * p).filter(|one| sends(*one)).enumerate() {
            messages[rank % p].push(Message {
                source: processor / p,
                destination: rank / p,
            });
        }
        let passes = messages.into_iter().enumerate();
        passes
            .map(|(pass, messages)| {
                Traffic::new(cube, payload_bits, messages, pass as u64).unwrap()
            })
            .collect()
    }

    /// Every set of processors of small machines, and some of larger ones.
    #[test]
    fn a_packing_of_processors_takes_a_pass_for_each_of_a_vertex() {
        let check = |k: usize, p: usize, payload_bits: usize, sends: &dyn Fn(usize) -> bool| {
            let cube = Dimensions::new(k).unwrap();
            let router = BatchRouter::<VertexPacking>::new(cube, payload_bits, p, None).unwrap();
            let passes = passes(k, p, payload_bits, sends);
            let mut machine = Device::build(&router, 1).unwrap();
            slots::load(&mut *machine, &passes).unwrap();
            let left = |after: Option<_>| -> u64 {
                let each = passes.iter().enumerate().map(|(pass, traffic)| {
                    let bits = router.live_bits_of_slot(after, pass).unwrap();
                    traffic.messages().len() as u64 * u64::from(bits)
                });
                each.sum()
            };
            while !machine.is_done() {
                let position = Some(machine.position());
                machine.tick().unwrap();
                let live = machine.occupancy(position).live_bits;
                assert_eq!(
                    live,
                    left(position),
                    "k={k} p={p} D={payload_bits} {position:?}"
                );
            }
            let form = 2 * k + payload_bits - 1 + (p - 1) * (k + payload_bits);
            assert_eq!(machine.bit_time(), form as u64);
            let arrived = SlotArrivals::read(&*machine, p, payload_bits).unwrap();
            for (pass, traffic) in passes.iter().enumerate() {
                let messages = traffic.messages();
                let held = (0..cube.nodes()).filter(|node| arrived.at(*node, pass).is_some());
                assert_eq!(held.count(), messages.len());
                for (index, message) in messages.iter().enumerate() {
                    let payload = arrived.at(message.destination, pass);
                    assert_eq!(payload, Some(traffic.payload(index)));
                }
            }
        };
        for (k, p) in [(1, 1), (1, 3), (2, 2), (3, 1)] {
            for set in 0..1usize << (p << k) {
                check(k, p, 3, &|processor| set >> processor & 1 == 1);
            }
        }
        for (k, p, payload_bits) in [(4, 4, 1), (5, 3, 9), (6, 6, 6), (3, 5, 40)] {
            for odd in [1usize, 3, 5, 7, 9] {
                check(k, p, payload_bits, &|processor| {
                    processor * odd % 11 % 4 < odd % 4 + 1
                });
                check(k, p, payload_bits, &|_| true);
                check(k, p, payload_bits, &|processor| processor >= odd * p);
            }
        }
    }
}
