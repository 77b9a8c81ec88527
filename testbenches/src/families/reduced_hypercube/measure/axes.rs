//! The axes of a sweep of collective operations, as options and as lists.

use clap::Args;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::error::Error;
use crate::families::reduced_hypercube::job::Algorithm;
use crate::families::reduced_hypercube::measure::point::Place;
use crate::families::reduced_hypercube::options::{
    DEFAULT_BLOCKS, DEFAULT_DIMENSIONS, DEFAULT_WORD_BITS, Kind, Operation,
};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{named, numbers};

/// Axes of a sweep.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct CollectiveAxes {
    /// Networks: reduced-hypercube, hypercube, or all [default: all]
    #[arg(long, value_name = "LIST")]
    pub network: Option<String>,

    /// Dimensions k of a building block: numbers and ranges, as in 2..4,6, both ends included [default: 3]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Bits n of a sub-block's number: numbers and ranges; hypercubes have as many nodes, 2^(k+2^n) [default: 2]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub blocks: Option<String>,

    /// Algorithms on the reduced hypercube, of those that the operations have, or all [default: all]
    #[arg(long, value_name = "LIST")]
    pub algorithm: Option<String>,

    /// What words are combined by: add, min, max, and, or, carry, or all [default: add]
    #[arg(long, value_name = "LIST")]
    pub operator: Option<String>,

    /// Bits of a word, and of a message: numbers and ranges [default: 16]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub word_bits: Option<String>,

    /// Keys of a node, of sorts: numbers and ranges [default: 1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub keys: Option<String>,

    /// How broadcasts are handed on: store-and-forward, cut-through, or all [default: store-and-forward]
    #[arg(long, value_name = "LIST")]
    pub switching: Option<String>,
}

impl CollectiveAxes {
    /// A grid of places for each operation, algorithm and network, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub(super) fn places(
        &self,
        operations: &[Operation],
        seeds: &Seeds,
    ) -> Result<Vec<Axes<Place>>, Error> {
        let or_one = |option, list: &Option<String>, default| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let kinds = named(
            "network",
            self.network.as_deref().unwrap_or("all"),
            &Kind::NAMES,
        )?;
        let dims = or_one("--dims", &self.dims, DEFAULT_DIMENSIONS)?;
        let blocks = or_one("--blocks", &self.blocks, DEFAULT_BLOCKS)?;
        let words = or_one("--word-bits", &self.word_bits, DEFAULT_WORD_BITS)?;
        let keys = or_one("--keys", &self.keys, 1)?;
        let operators = Operator::ALL.map(|one| (one.name(), one));
        let operators = named(
            "operator",
            self.operator.as_deref().unwrap_or("add"),
            &operators,
        )?;
        let switchings = [
            ("store-and-forward", "store-and-forward"),
            ("cut-through", "cut-through"),
        ];
        let list = self.switching.as_deref().unwrap_or("store-and-forward");
        let switchings = named("switching", list, &switchings)?;
        self.check_options(operations, &kinds)?;
        let mut grids = Vec::new();
        for &operation in operations {
            for (kind, algorithm) in self.forms(operation, operations, &kinds)? {
                let first = Place {
                    operation,
                    kind,
                    algorithm,
                    operator: None,
                    switching: None,
                    dims: DEFAULT_DIMENSIONS,
                    blocks: DEFAULT_BLOCKS,
                    word_bits: DEFAULT_WORD_BITS,
                    keys: 1,
                    seed: seeds.first,
                };
                let mut axes = Axes::new(first);
                match operation {
                    Operation::Broadcast => {
                        axes = axes.over(&switchings, |place, name| place.switching = Some(name));
                    }
                    Operation::Sort => axes = axes.over(&keys, |place, keys| place.keys = keys),
                    Operation::Reduce | Operation::Prefix => {
                        axes = axes.over(&operators, |place, one| place.operator = Some(one));
                    }
                }
                grids.push(
                    axes.over(&blocks, |place, blocks| place.blocks = blocks)
                        .over(&dims, |place, dims| place.dims = dims)
                        .over(&words, |place, bits| place.word_bits = bits),
                );
            }
        }
        Ok(grids)
    }

    /// Refuses axes that none of the operations has.
    fn check_options(&self, operations: &[Operation], kinds: &[Kind]) -> Result<(), Error> {
        let any = |of: &[Operation]| operations.iter().any(|one| of.contains(one));
        let bench = operations.first().map_or("", |one| one.name());
        let refused = |option, why| Err(Error::NotApplicable { bench, option, why });
        let combines = any(&[Operation::Reduce, Operation::Prefix]);
        if self.keys.is_some() && !any(&[Operation::Sort]) {
            return refused("--keys", "only a sort has several words at a node");
        }
        if self.operator.is_some() && !combines {
            return refused("--operator", "only reductions and prefixes combine words");
        }
        if self.switching.is_some() && !any(&[Operation::Broadcast]) {
            return refused("--switching", "only a broadcast hands on a message");
        }
        if self.algorithm.is_some() && !kinds.contains(&Kind::Reduced) {
            return refused("--algorithm", "on the hypercube there is only one");
        }
        Ok(())
    }

    /// Networks of an operation, with the algorithms on each.
    fn forms(
        &self,
        operation: Operation,
        operations: &[Operation],
        kinds: &[Kind],
    ) -> Result<Vec<(Kind, Algorithm)>, Error> {
        let names = |operation: Operation| {
            let all = Algorithm::of(operation).iter();
            all.map(|one| (one.name(), one.name()))
        };
        let mut known: Vec<(&str, &str)> = operations.iter().copied().flat_map(names).collect();
        known.sort_unstable();
        known.dedup();
        let asked = named(
            "algorithm",
            self.algorithm.as_deref().unwrap_or("all"),
            &known,
        )?;
        let mut forms = Vec::new();
        for &kind in kinds {
            match kind {
                Kind::Full => forms.push((kind, Algorithm::Textbook)),
                Kind::Reduced => {
                    let own = Algorithm::of(operation).iter();
                    let own = own.filter(|one| asked.contains(&one.name()));
                    forms.extend(own.map(|one| (kind, *one)));
                }
            }
        }
        Ok(forms)
    }
}
