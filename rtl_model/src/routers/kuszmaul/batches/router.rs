//! The machine of a pipeline of batches.

use crate::closed_form::ClosedForm;
use std::sync::Arc;

use crate::error::refusal::Refusal;
use crate::error::{Error, in_range};
use crate::language::bit::{Bit, Strobe};
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Promise, Router, Sequencer};
use crate::machine::shown::{Shown, Text};
use crate::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
use crate::machine::topology::quadratic_hypercube::QuadraticHypercube;
use crate::parts::windows::Claim;
use crate::routers::kuszmaul::batches::interval::conflict;
use crate::routers::kuszmaul::batches::node::BatchNode;
use crate::routers::kuszmaul::batches::pipeline::Pipeline;
use crate::routers::kuszmaul::batches::sequencer::{BatchSequencer, BatchStrobes, STEPS};
use crate::routers::kuszmaul::batches::stage::{BatchForms, Pipelined};
use crate::routers::permutation::Size;
use crate::traffic::check_payload_bits;

/// The most batches of a run.
pub const MAX_BATCHES: usize = 1 << 12;

/// The longest interval: of as many batches, bit times are still numbers of 32 bits.
pub const MAX_INTERVAL: usize = 1 << 18;

/// A router of batches.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRouter<P> {
    network: QuadraticHypercube,
    pipeline: Arc<Pipeline<P>>,
}

impl<P: Pipelined> BatchRouter<P> {
    /// For a cube of the given dimensions, so many batches of messages of `payload_bits`, one `interval` after the other: the smallest at
    /// which nothing is in anything's way, where none is given.
    ///
    /// # Errors
    /// [`Error::PayloadBits`], batches or an interval out of range.
    pub fn new(
        dimensions: Dimensions,
        payload_bits: usize,
        batches: usize,
        interval: Option<usize>,
    ) -> Result<Self, Error> {
        in_range("batches", batches, [1, MAX_BATCHES])?;
        let size = Size {
            dimensions: dimensions.count(),
            payload_bits: check_payload_bits(payload_bits)?,
        };
        if let Some(interval) = interval
            && !(1..=MAX_INTERVAL).contains(&interval)
        {
            return Err(Refusal::of(format!(
                "an interval of {interval} bit times is out of range"
            ))
            .instead(format!("choose 1 to {MAX_INTERVAL}"))
            .into());
        }
        let pipeline = Pipeline::new(size, batches, interval);
        let lowest = pipeline.stages.iter().map(|(extent, _)| extent.lowest);
        Ok(BatchRouter {
            network: QuadraticHypercube::with_stages(dimensions, lowest),
            pipeline: Arc::new(pipeline),
        })
    }

    /// Its stages, and when batches begin at each.
    pub fn pipeline(&self) -> &Pipeline<P> {
        &self.pipeline
    }

    /// Bit times since the beginning, once the bit time `after` is over.
    fn bit_time(&self, after: Option<Position>) -> i64 {
        after.map_or(-1, |after| {
            i64::from(after.iteration) * self.pipeline.interval as i64 + i64::from(after.bit_time)
        })
    }
}

impl<P: Pipelined> Machine for BatchRouter<P> {
    type Topology = QuadraticHypercube;
    type Broadcast<S: Strobe> = BatchStrobes<S, P::Strobes<S>>;
    type Node<B: Bit> = BatchNode<P, B>;
    type Sequencer<S: Strobe> = BatchSequencer<P, S>;

    fn topology(&self) -> QuadraticHypercube {
        self.network.clone()
    }

    fn node<B: Bit>(&self) -> BatchNode<P, B> {
        BatchNode::new(Arc::clone(&self.pipeline))
    }

    fn sequencer<S: Strobe>(&self) -> BatchSequencer<P, S> {
        BatchSequencer::new(Arc::clone(&self.pipeline))
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut BatchNode<P, B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn host_reads<B: Bit>(&self, node: &BatchNode<P, B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl<P: Pipelined> Router for BatchRouter<P> {
    const STEPS: &'static [&'static str] = STEPS;
    const STEPS_OVERLAP: bool = true;
    const FIRST_SCREEN: usize = 3;
    const UNITS: &'static [&'static str] = P::UNITS;

    fn bit_times(&self) -> ClosedForm {
        let pipeline = &*self.pipeline;
        let letters = [
            ("T", pipeline.size.form(P::FORMS.latency).value),
            ("B", pipeline.batches as u64),
            ("P", pipeline.interval as u64),
        ];
        ClosedForm::of("T+(B-1)P", &letters)
    }

    fn storage_bits(&self) -> ClosedForm {
        let Pipeline { size, batches, .. } = &*self.pipeline;
        let [k, payload] = size.letters();
        let of_stages = size.form(P::FORMS.storage_bits).value;
        let letters = [k, payload, ("S", of_stages), ("B", *batches as u64)];
        ClosedForm::of("S+B(k+2D+2)", &letters)
    }

    fn position(&self, sequencer: &BatchSequencer<P, bool>) -> Position {
        sequencer.position()
    }

    fn shown(&self) -> Shown {
        let longest = self.pipeline.batches.to_string().len() + ":enumerate".len();
        let texts = STAGES[..self.pipeline.stages.len()].iter();
        Shown {
            texts: texts.map(|name| Text { name, longest }).collect(),
            ..Shown::default()
        }
    }

    /// Of a stage: the batch that began there last, and its step.
    fn text(&self, sequencer: &BatchSequencer<P, bool>, number: usize, text: &mut String) {
        if !sequencer.is_done() {
            self.pipeline
                .say(number, self.bit_time(Some(sequencer.position())), text);
        }
    }

    fn occupancy<B: Bit>(
        &self,
        node: &BatchNode<P, B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        node.occupancy(self.bit_time(after), count);
    }

    fn live_bits_of_slot(&self, after: Option<Position>, slot: usize) -> Option<u32> {
        let ago = self.bit_time(after) - (slot * self.pipeline.interval) as i64;
        u32::try_from(self.pipeline.message_bits_left(ago)).ok()
    }

    fn promise(&self) -> Option<Promise> {
        Some(Promise {
            most_messages: None,
            full_only: false,
            in_order: true,
        })
    }

    fn messages<B: Bit>(
        &self,
        node: &BatchNode<P, B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        node.messages(self.bit_time(after), count);
    }
}

/// What stages are called in a wave.
const STAGES: [&str; MAX_DIMENSIONS] = [
    "stage_0", "stage_1", "stage_2", "stage_3", "stage_4", "stage_5", "stage_6", "stage_7",
    "stage_8", "stage_9", "stage_10", "stage_11", "stage_12", "stage_13", "stage_14", "stage_15",
    "stage_16", "stage_17", "stage_18", "stage_19", "stage_20", "stage_21", "stage_22", "stage_23",
    "stage_24", "stage_25", "stage_26", "stage_27", "stage_28", "stage_29", "stage_30", "stage_31",
    "stage_32", "stage_33",
];

/// A schedule of batches behind an object: what is asked of it by those who have it from a list.
pub trait AnyPipeline: Sync {
    /// Its machine.
    ///
    /// # Errors
    /// As [`BatchRouter::new`].
    fn device(
        &self,
        dimensions: Dimensions,
        payload_bits: usize,
        batches: usize,
        interval: Option<usize>,
    ) -> Result<Box<dyn Device>, Error>;

    /// The smallest interval at which no two units ever have one wire, found wire by wire.
    fn smallest_interval(&self, size: Size) -> usize;

    /// The first two units that have one wire at a time at an interval, if there are such.
    fn conflict(&self, size: Size, interval: usize) -> Option<[Claim; 2]>;

    /// As [`Pipelined::FORMS`].
    fn forms(&self) -> BatchForms;

    /// Wires that a node drives across each dimension.
    fn wires(&self, dimensions: Dimensions) -> Vec<usize>;
}

impl<P: Pipelined> AnyPipeline for P {
    fn device(
        &self,
        dimensions: Dimensions,
        payload_bits: usize,
        batches: usize,
        interval: Option<usize>,
    ) -> Result<Box<dyn Device>, Error> {
        let router = BatchRouter::<P>::new(dimensions, payload_bits, batches, interval)?;
        Ok(Box::new(router))
    }

    fn smallest_interval(&self, size: Size) -> usize {
        Pipeline::<P>::new(size, 1, None).interval
    }

    fn conflict(&self, size: Size, interval: usize) -> Option<[Claim; 2]> {
        let pipeline = Pipeline::<P>::new(size, 1, Some(interval));
        let mut stages = pipeline.stages.iter();
        stages.find_map(|(extent, _)| conflict(&P::claims(*extent), interval))
    }

    fn forms(&self) -> BatchForms {
        P::FORMS
    }

    fn wires(&self, dimensions: Dimensions) -> Vec<usize> {
        let network =
            QuadraticHypercube::with_stages(dimensions, P::lowest(size_of_cube(dimensions)));
        (0..dimensions.count())
            .map(|dimension| network.wires_across(dimension))
            .collect()
    }
}

/// A cube whose messages do not matter.
fn size_of_cube(dimensions: Dimensions) -> Size {
    Size {
        dimensions: dimensions.count(),
        payload_bits: 1,
    }
}
