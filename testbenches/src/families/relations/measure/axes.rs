//! The axes of a sweep, as options and as lists.

use clap::Args;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::relations::measure::others::{self, Other};
use crate::families::relations::measure::place::{Place, Who};
use crate::families::relations::options::Amount;
use crate::families::relations::schedules;
use crate::families::relations::traffic::H_RELATION;
use crate::lockstep::measure::lists;
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{insert, named, numbers, shares};

/// How many messages a node has.
pub(in crate::families::relations) trait AmountAxis: Args {
    /// The amounts.
    fn amounts(&self) -> Result<Vec<Amount>, Error>;
}

/// Batches.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Grid")]
pub(in crate::families::relations) struct BatchAxis {
    /// Batches: numbers and ranges, as in 1..8,16, both ends included
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub batches: String,
}

impl AmountAxis for BatchAxis {
    fn amounts(&self) -> Result<Vec<Amount>, Error> {
        let all = numbers("--batches", &self.batches)?;
        Ok(all.into_iter().map(Amount::Batches).collect())
    }
}

/// Messages of a node.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Grid")]
pub(in crate::families::relations) struct HAxis {
    /// The most messages that a node sends and receives, 1 to 16 each: numbers and ranges, as in 1..4,8, both ends included
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub h: String,
}

impl AmountAxis for HAxis {
    fn amounts(&self) -> Result<Vec<Amount>, Error> {
        let all = numbers("--h", &self.h)?;
        Ok(all.into_iter().map(Amount::Relation).collect())
    }
}

/// Processors at a vertex.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Grid")]
pub(in crate::families::relations) struct ProcessorAxis {
    /// Processors at a vertex: numbers and ranges, as in 1..8, both ends included
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub processors: String,
}

impl AmountAxis for ProcessorAxis {
    fn amounts(&self) -> Result<Vec<Amount>, Error> {
        let all = numbers("--processors", &self.processors)?;
        Ok(all.into_iter().map(Amount::Processors).collect())
    }
}

/// The others.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct RelationAxes {
    /// Dimensions k of the hypercube: numbers and ranges, as in 2..8,12, both ends included [default: 6]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Payload bits: numbers, or k, 2k, 2k+1 for as many as the cube has dimensions [default: 8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub payload_bits: Option<String>,

    /// Schedules, or all [default: spread for batches, all for h-relations]
    #[arg(long, value_name = "LIST")]
    pub schedule: Option<String>,

    /// Beside them, routers that are given the same messages a set at a time: plain, overlapped, folded, spread, radix4 of this testbench on
    /// one wire a dimension, wormhole in dimension order, or all [default: none]
    #[arg(long, value_name = "LIST")]
    pub against: Option<String>,

    /// Share of the nodes that send, 0 to 1 [default: 1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub load: Option<String>,

    /// Traffic patterns, or all [default: randperm for batches, h-relation else]
    #[arg(long, value_name = "LIST")]
    pub traffic: Option<String>,
}

impl RelationAxes {
    /// A grid of places, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub(super) fn places(
        &self,
        amounts: &[Amount],
        seeds: &Seeds,
    ) -> Result<Vec<Axes<Place>>, Error> {
        let is_batches = amounts.iter().all(|amount| amount.is_batches());
        let is_packing = matches!(amounts, [Amount::Processors(_), ..]);
        let dims = (self.dims.as_deref()).map_or(Ok(vec![6]), |list| numbers("--dims", list))?;
        let payloads = lists::payloads(self.payload_bits.as_deref().unwrap_or("8"))?;
        let loads = (self.load.as_deref()).map_or(Ok(vec![1.0]), |list| shares("--load", list))?;
        let known = Pattern::PERMUTATIONS
            .iter()
            .map(|(name, ..)| (*name, *name));
        let own = (!is_batches).then_some((H_RELATION, H_RELATION));
        let patterns: Vec<_> = own.into_iter().chain(known).collect();
        let default = match (is_packing, is_batches) {
            (true, _) => Pattern::Packed.name(),
            (_, true) => Pattern::Randperm.name(),
            _ => H_RELATION,
        };
        let patterns = named(
            "traffic pattern",
            self.traffic.as_deref().unwrap_or(default),
            &patterns,
        )?;
        let mut who = Vec::new();
        let default = if is_batches { "spread" } else { "all" };
        if is_packing {
            self.refuse_choices()?;
            who.push(Who::Schedule(schedules::PACKING.name));
        }
        for name in self
            .schedule
            .as_deref()
            .unwrap_or(default)
            .split(',')
            .filter(|_| !is_packing)
        {
            match name.trim() {
                "all" => schedules::serving(is_batches)
                    .for_each(|entry| insert(&mut who, Who::Schedule(entry.name))),
                name => insert(
                    &mut who,
                    Who::Schedule(schedules::named(name, is_batches)?.name),
                ),
            }
        }
        let against: Vec<Other> = match &self.against {
            None => Vec::new(),
            Some(list) => others::named(list)?,
        };
        who.extend(against.into_iter().map(Who::Other));
        let first = Place {
            amount: amounts[0],
            who: who[0],
            dims: 1,
            payload: payloads[0],
            load: 1.0,
            traffic: patterns[0],
            seed: seeds.first,
        };
        Ok(vec![
            Axes::new(first)
                .over(&patterns, |place, traffic| place.traffic = traffic)
                .over(&who, |place, who| place.who = who)
                .over(&dims, |place, dims| place.dims = dims)
                .over(&payloads, |place, payload| place.payload = payload)
                .over(&loads, |place, load| place.load = load)
                .over(amounts, |place, amount| place.amount = amount),
        ])
    }

    /// A packing has no choice of these.
    fn refuse_choices(&self) -> Result<(), Error> {
        let given = [
            ("--schedule", &self.schedule),
            ("--against", &self.against),
            ("--traffic", &self.traffic),
        ];
        match given.into_iter().find(|(_, list)| list.is_some()) {
            None => Ok(()),
            Some((option, _)) => Err(Error::NotApplicable {
                bench: "packing",
                option,
                why: "processors that share a vertex have one way to pack",
            }),
        }
    }
}
