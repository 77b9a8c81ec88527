//! Where a point of a sweep is.

use crate::families::relations::measure::others::Other;
use crate::families::relations::options::{Amount, Setup};
use crate::lockstep::measure::lists::PayloadSize;
use crate::measure::axes::Coordinate;

/// Who carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A schedule of this testbench, by its name.
    Schedule(&'static str),
    /// A router that is given a set at a time.
    Other(Other),
}

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub amount: Amount,
    pub who: Who,
    pub dims: usize,
    pub payload: PayloadSize,
    pub load: f64,
    pub traffic: &'static str,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run. Another router is given what batches of the default schedule would be.
    pub fn setup(&self) -> Setup {
        let schedule = match self.who {
            Who::Schedule(name) => name,
            Who::Other(other) if other.takes_any_destinations() && !self.amount.is_batches() => {
                "counting"
            }
            Who::Other(_) => "spread",
        };
        Setup {
            amount: self.amount,
            dims: Some(self.dims),
            payload_bits: Some(self.payload.bits(self.dims)),
            schedule: Some(schedule.to_owned()),
            interval: None,
            traffic: Some(self.traffic.to_owned()),
            traffic_file: None,
            load: Some(self.load),
            seed: self.seed,
        }
    }

    /// What carries the messages is called.
    pub fn name(&self) -> String {
        match self.who {
            Who::Schedule(name @ ("counting" | "packing")) => name.to_owned(),
            Who::Schedule(name) => format!("{name}, in batches"),
            Who::Other(other) => format!("{}, one after another", other.name()),
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let amount = match self.amount {
            Amount::Batches(batches) => {
                Coordinate::of_some("batches", format!("{batches} batches"))
            }
            Amount::Relation(h) => Coordinate::of_some("h", format!("H = {h}")),
            Amount::Processors(processors) => {
                Coordinate::of_some("processors", format!("{processors} processors"))
            }
        };
        vec![
            Coordinate::always("who", self.name()),
            Coordinate::of_some("traffic", self.traffic.to_owned()),
            Coordinate::of_some("dims", format!("k = {}", self.dims)),
            Coordinate::of_some("payload_bits", format!("D = {}", self.payload)),
            Coordinate::of_some("load", format!("load {}", self.load)),
            amount,
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }
}
