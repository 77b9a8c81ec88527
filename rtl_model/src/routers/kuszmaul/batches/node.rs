//! A node of a pipeline of batches: hardware for each iteration, one behind the other, between an outbox and an inbox.
//!
//! ```text
//!          dimensions 0 .. k-1     1 .. k-1       2 .. k-1              k-1: wires of its own for each stage
//!               ||||||||            ||||||         ||||                 |
//!   [outbox]-->[stage 0]-->[input]-[stage 1]-->[input]-[stage 2]--> .. [last stage]-->[inbox]
//!    a message of batch 3           batch 2            batch 1                         batch 0
//! ```

use std::sync::Arc;

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::module_array::ModuleArray;
use crate::routers::kuszmaul::batches::inbox::Inbox;
use crate::routers::kuszmaul::batches::outbox::Outbox;
use crate::routers::kuszmaul::batches::pipeline::Pipeline;
use crate::routers::kuszmaul::batches::sequencer::BatchStrobes;
use crate::routers::kuszmaul::batches::stage::{Incoming, Input, Pipelined, Stage};

/// A stage with what stands before it, and the wires that it has.
#[derive(Clone, Debug)]
struct Seat<B: Bit, T> {
    /// The first stage has none: the outbox stands before it.
    input: Option<Input<B>>,
    iteration: T,
    /// Its wire across dimension `d` is the node's wire `first + d`.
    first: usize,
}

impl<B: Bit, T: Registers<B>> Registers<B> for Seat<B, T> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        if visitor.passes_by() {
            return;
        }
        visitor.enter(name, "Seat");
        self.input.visit(Name::Field("input"), visitor);
        self.iteration.visit(Name::Field("iteration"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.input.visit_mut(visitor);
        self.iteration.visit_mut(visitor);
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.iteration.visit_witnesses(visitor);
    }
}

/// Registers of a node.
#[derive(Clone, Debug)]
pub struct BatchNode<P: Pipelined, B: Bit> {
    pipeline: Arc<Pipeline<P>>,
    outbox: Outbox<B>,
    stages: ModuleArray<Seat<B, P::Stage<B>>>,
    inbox: Inbox<B>,
}

impl<P: Pipelined, B: Bit> Registers<B> for BatchNode<P, B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "BatchNode");
        visitor.note("the processor's messages, one for each batch");
        self.outbox.visit(Name::Field("outbox"), visitor);
        visitor.note("hardware for each iteration, with an input before all but the first");
        self.stages.visit(Name::Field("stages"), visitor);
        visitor.note("what has come for the processor, one for each batch");
        self.inbox.visit(Name::Field("inbox"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.outbox.visit_mut(visitor);
        self.stages.visit_mut(visitor);
        self.inbox.visit_mut(visitor);
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.stages.visit_witnesses(visitor);
    }
}

impl<P: Pipelined, B: Bit> BatchNode<P, B> {
    /// A node, all registers 0.
    pub fn new(pipeline: Arc<Pipeline<P>>) -> Self {
        let mut wires = 0;
        let stages = pipeline.stages.iter().map(|&(extent, _)| {
            let first = wires - extent.lowest;
            wires += pipeline.size.dimensions - extent.lowest;
            Seat {
                input: (extent.stage > 0).then(Input::new),
                iteration: P::stage(extent),
                first,
            }
        });
        BatchNode {
            outbox: Outbox::new(pipeline.size, pipeline.batches),
            stages: ModuleArray::new("stage", stages),
            inbox: Inbox::new(pipeline.size, pipeline.batches),
            pipeline,
        }
    }

    /// What a stage takes in.
    #[inline]
    fn incoming(&self, stage: usize) -> Incoming<B> {
        (self.stages[stage].input.as_ref()).map_or_else(|| self.outbox.output(), Input::output)
    }

    /// The registers that the host writes.
    pub fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        self.outbox.host_writes(self.pipeline.size, port);
    }

    /// Those that it reads.
    pub fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        self.inbox.host_reads(port);
    }

    /// The batches of which the outbox still holds a message, or its end, once that bit time is over: its place in it, and how long ago
    /// the batch began.
    fn in_outbox(&self, bit_time: i64) -> impl Iterator<Item = (usize, i64)> {
        let takes_last_at = self.pipeline.takes_last_at();
        let since = self.pipeline.since(bit_time);
        since
            .skip_while(move |ago| *ago >= takes_last_at)
            .enumerate()
    }

    /// As [`Router::occupancy`](crate::machine::router::Router::occupancy): in the outbox, in inputs and stages, and in the inbox.
    pub fn occupancy(&self, bit_time: i64, count: &mut dyn FnMut(B, u32)) {
        let pipeline = &*self.pipeline;
        let bits = (pipeline.size.dimensions + pipeline.size.payload_bits) as i64;
        let (first, _) = pipeline.stages[0];
        for (place, ago) in self.in_outbox(bit_time) {
            let taken = Pipeline::<P>::taken(first, ago);
            counted(count, self.outbox.valid_at(place), bits - taken);
        }
        let (last, begins) = pipeline.last();
        let arrives = (begins + P::delivers_at(last)) as i64;
        let arrived = pipeline
            .since(bit_time)
            .take_while(|ago| *ago >= arrives)
            .count();
        for (number, ago) in pipeline.since(bit_time).take(arrived).enumerate() {
            let place = pipeline.batches - arrived + number;
            let payload = P::delivers(last).over(ago - begins as i64);
            counted(count, self.inbox.valid_at(place), payload);
        }
        for ago in pipeline.in_stages(bit_time) {
            let mut delivered = 0;
            for (seat, &(extent, begins)) in self.stages.iter().zip(&pipeline.stages) {
                let t = ago - begins as i64;
                if let Some(input) = &seat.input {
                    let waiting = delivered - Pipeline::<P>::taken(extent, t);
                    counted(count, input.output().valid, waiting);
                }
                seat.iteration.occupancy(t, count);
                delivered = P::delivers(extent).over(t);
            }
        }
    }

    /// As [`Router::messages`](crate::machine::router::Router::messages): those that have not begun, those in stages, and those that
    /// have come.
    pub fn messages(&self, bit_time: i64, count: &mut dyn FnMut(B)) {
        let pipeline = &*self.pipeline;
        for (place, ago) in self.in_outbox(bit_time) {
            if ago < 0 {
                count(self.outbox.valid_at(place));
            }
        }
        for ago in pipeline.in_stages(bit_time) {
            for (seat, &(_, begins)) in self.stages.iter().zip(&pipeline.stages) {
                seat.iteration.messages(ago - begins as i64, count);
            }
        }
        for place in 0..pipeline.batches {
            count(self.inbox.valid_at(place));
        }
    }
}

/// Counts so many bits, if there are any.
fn counted<B: Bit>(count: &mut dyn FnMut(B, u32), flag: B, bits: i64) {
    if let Ok(bits @ 1..) = u32::try_from(bits) {
        count(flag, bits);
    }
}

impl<P: Pipelined, B: Bit> Node<B> for BatchNode<P, B> {
    type Broadcast = BatchStrobes<B::Strobe, P::Strobes<B::Strobe>>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        for (number, (seat, (_, strobes))) in self.stages.iter().zip(&strobes.stages).enumerate() {
            let incoming = self.incoming(number);
            B::within(format_args!("stage_{number}"), || {
                let mut wires = wires.from(seat.first);
                seat.iteration
                    .transmit(strobes, incoming, address, &mut wires);
            });
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        // From the last stage down: each takes what the one before it delivers, which is told by what that holds before this clock
        // edge.
        let mut behind: Option<usize> = None;
        for number in (0..strobes.stages.len()).rev() {
            let incoming = self.incoming(number);
            let received = &received[self.stages[number].first..];
            let delivered = B::within(format_args!("stage_{number}"), || {
                let (_, strobes) = &strobes.stages[number];
                let stage = &mut self.stages[number].iteration;
                let delivered = stage.delivered(strobes, incoming, address, received);
                stage.clock(strobes, incoming, address, received);
                delivered.named("delivered")
            });
            match behind {
                None => self.inbox.clock(&strobes.inbox, delivered),
                Some(behind) => {
                    if let Some(input) = &mut self.stages[behind].input {
                        input.clock(&strobes.stages[behind].0, delivered);
                    }
                }
            }
            behind = Some(number);
        }
        self.outbox.clock(&strobes.outbox);
    }
}
