//! What is done on which network: the hardware for it, and what the reference models say is due.

use reference_models::reduced_hypercube as models;
use reference_models::reduced_hypercube::{broadcast, prefix, reduce, sort};
use rtl_model::machine::device::Device;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

use crate::reduced_hypercube::host::{Words, load, read, run};

pub const REDUCTIONS: [ReductionForm; 2] = [ReductionForm::Printed, ReductionForm::Short];
pub const PREFIXES: [PrefixForm; 3] = [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace];
pub const SORTS: [SortForm; 2] = [SortForm::VirtualCube, SortForm::PairsOfBlocks];
pub const INNER: [Inner; 2] = [Inner::DoubleRooted, Inner::ECube];
pub const SWITCHING: [Switching; 2] = [Switching::StoreAndForward, Switching::CutThrough];

/// What is done.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Broadcast(Inner, Switching, usize),
    Reduce(ReductionForm, Operator),
    Prefix(PrefixForm, Operator),
    /// With so many keys a node.
    Sort(SortForm, usize),
}

/// On a network, with words of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub network: BlockNetwork,
    pub operation: Operation,
    pub bits: usize,
}

/// What the nodes that are looked at are to end up with; and the steps, where there is a model of this form.
pub struct Due {
    pub words: Vec<(usize, Vec<u128>)>,
    pub steps: Option<u64>,
}

/// RH(k,n).
pub fn reduced(k: usize, n: usize) -> BlockNetwork {
    BlockNetwork::Reduced(ReducedHypercube::new(k, n).unwrap())
}

/// The hypercube.
pub fn full(dimensions: usize) -> BlockNetwork {
    BlockNetwork::Full(Dimensions::new(dimensions).unwrap())
}

/// The same network as the models know it.
pub fn referred(network: BlockNetwork) -> models::Network {
    match network {
        BlockNetwork::Reduced(network) => models::Network::Reduced(models::Shape {
            k: network.block_dimensions(),
            n: network.subblock_bits(),
        }),
        BlockNetwork::Full(cube) => models::Network::Full { dims: cube.count() },
    }
}

pub fn inner(inner: Inner) -> broadcast::Inner {
    match inner {
        Inner::DoubleRooted => broadcast::Inner::TwoRooted,
        Inner::ECube => broadcast::Inner::Binomial,
    }
}

/// The operator as the models know it.
pub fn modelled(operator: Operator) -> models::operator::Operator {
    let place = Operator::ALL.iter().position(|one| *one == operator);
    models::operator::Operator::ALL[place.unwrap()]
}

/// A word of ones.
pub fn ones(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

/// The operator on words of up to 128 bits. The models have it on up to 64, and there it is the same.
pub fn applied(operator: Operator, bits: usize, lower: u128, higher: u128) -> u128 {
    let applied = match operator {
        Operator::Add => lower.wrapping_add(higher) & ones(bits),
        Operator::Min => lower.min(higher),
        Operator::Max => lower.max(higher),
        Operator::And => lower & higher,
        Operator::Or => lower | higher,
        Operator::Carry => (0..bits / 2).fold(0, |word, pair| {
            let bit = |word: u128, bit: usize| word >> (2 * pair + bit) & 1;
            let passes = bit(lower, 1) & bit(higher, 1);
            let comes_out = bit(higher, 0) | bit(higher, 1) & bit(lower, 0);
            word | (passes << 1 | comes_out) << (2 * pair)
        }),
    };
    if bits <= 64 {
        let modelled = modelled(operator).apply(bits, lower as u64, higher as u64);
        assert_eq!(u128::from(modelled), applied, "{operator:?}");
    }
    applied
}

fn identity(operator: Operator, bits: usize) -> u128 {
    match operator {
        Operator::Add | Operator::Max | Operator::Or => 0,
        Operator::Min | Operator::And => ones(bits),
        Operator::Carry => (0..bits / 2).fold(0, |word, pair| word | 2 << (2 * pair)),
    }
}

impl Job {
    pub fn device(&self) -> Box<dyn Device> {
        let Job { network, bits, .. } = *self;
        match self.operation {
            Operation::Broadcast(inner, switching, source) => {
                let how = (inner, switching);
                Broadcast::new(network, how, source, bits).unwrap().device()
            }
            Operation::Reduce(form, operator) => Reduction::new(network, form, operator, bits)
                .unwrap()
                .device(),
            Operation::Prefix(form, operator) => {
                Prefix::new(network, form, operator, bits).unwrap().device()
            }
            Operation::Sort(form, keys) => Sort::new(network, form, keys, bits).unwrap().device(),
        }
    }

    /// Steps, as the hardware's tables count them.
    pub fn steps(&self) -> u64 {
        let Job { network, bits, .. } = *self;
        match self.operation {
            Operation::Broadcast(inner, switching, source) => {
                let how = (inner, switching);
                Broadcast::new(network, how, source, bits)
                    .unwrap()
                    .steps()
                    .value
            }
            Operation::Reduce(form, operator) => {
                let reduction = Reduction::new(network, form, operator, bits).unwrap();
                reduction.machine().table().steps()
            }
            Operation::Prefix(form, operator) => {
                let prefix = Prefix::new(network, form, operator, bits).unwrap();
                prefix.machine().table().steps()
            }
            Operation::Sort(form, keys) => {
                let sort = Sort::new(network, form, keys, bits).unwrap();
                sort.machine().table().steps()
            }
        }
    }

    pub fn nodes(&self) -> usize {
        Topology::nodes(&self.network)
    }

    /// Words of a node.
    pub fn keys(&self) -> usize {
        match self.operation {
            Operation::Sort(_, keys) => keys,
            _ => 1,
        }
    }

    /// What these words become, by the models. Of a broadcast, the word of the source counts alone.
    pub fn due(&self, words: &[Vec<u128>]) -> Due {
        let network = referred(self.network);
        let first: Vec<u128> = words
            .iter()
            .map(|words| words.first().copied().unwrap_or(0))
            .collect();
        let each = |words: Vec<u128>| {
            words
                .chunks(self.keys())
                .map(<[u128]>::to_vec)
                .enumerate()
                .collect()
        };
        let apply = |operator: Operator| {
            move |lower: &u128, higher: &u128| applied(operator, self.bits, *lower, *higher)
        };
        match self.operation {
            Operation::Broadcast(how, _, source) => {
                let arrivals = match network {
                    models::Network::Reduced(shape) => {
                        broadcast::broadcast(shape, source, broadcast::Variant::correct(inner(how)))
                    }
                    models::Network::Full { dims } => broadcast::broadcast_full(dims, source),
                };
                Due {
                    words: each(vec![first[source]; words.len()]),
                    steps: Some(u64::from(arrivals.unwrap().last())),
                }
            }
            Operation::Reduce(form, operator) => {
                let model =
                    reduce::reduce(network, &first, apply(operator), reduce::Variant::Correct);
                let model = model.unwrap();
                let is_modelled = form == ReductionForm::Printed
                    || matches!(network, models::Network::Full { .. });
                Due {
                    words: vec![(0, vec![model.result])],
                    steps: is_modelled.then_some(model.steps),
                }
            }
            Operation::Prefix(form, operator) => {
                let variant = match form {
                    PrefixForm::Printed => prefix::Variant::Distribute,
                    PrefixForm::Short => prefix::Variant::Exchange,
                    PrefixForm::InPlace => prefix::Variant::InPlace,
                };
                let identity = identity(operator, self.bits);
                let model = prefix::prefix(network, &first, &identity, apply(operator), variant);
                let model = model.unwrap();
                Due {
                    words: each(model.results),
                    steps: Some(model.steps),
                }
            }
            Operation::Sort(form, _) => {
                let variant = match form {
                    SortForm::VirtualCube => sort::Variant::OneSort,
                    SortForm::PairsOfBlocks => sort::Variant::PairSorts,
                };
                // The model's keys have 64 bits: it sorts their ranks.
                let mut all: Vec<u128> = words.concat();
                let unsorted = all.clone();
                all.sort_unstable();
                all.dedup();
                let rank = |key: &u128| all.binary_search(key).unwrap() as u64;
                let ranks: Vec<u64> = unsorted.iter().map(rank).collect();
                let model = sort::sort(network, &ranks, variant).unwrap();
                let keys = model.keys.iter().map(|rank| all[*rank as usize]);
                Due {
                    words: each(keys.collect()),
                    steps: Some(model.steps),
                }
            }
        }
    }

    /// What is loaded: of a broadcast, the word of the source alone.
    pub fn loaded(&self, words: &[Vec<u128>]) -> Words {
        let nodes = self.nodes();
        let is_loaded = |node: usize| match self.operation {
            Operation::Broadcast(_, _, source) => node % nodes == source,
            _ => true,
        };
        let of = |(node, words): (usize, &Vec<u128>)| match is_loaded(node) {
            true => words.clone(),
            false => Vec::new(),
        };
        words.iter().enumerate().map(of).collect()
    }

    /// The hardware beside the model: all nodes that are looked at have what is due, after as many steps.
    pub fn beside_model(&self, words: &[Vec<u128>]) {
        self.beside_model_of_each(&[words.to_vec()]);
    }

    /// The same of these words one after the other, on one machine: its table takes longer to make than a run.
    pub fn beside_model_of_each(&self, all: &[Words]) {
        let (mut machine, steps) = (self.device().build(1).unwrap(), self.steps());
        for words in all {
            machine.restart();
            load(&mut *machine, &self.loaded(words), self.bits);
            run(&mut *machine);
            let due = self.due(words);
            for (node, due) in due.words {
                let found = read(&*machine, node, self.bits);
                assert_eq!(found, Some(due), "{self:?}: node {node} of {words:x?}");
            }
            if let Some(due) = due.steps {
                assert_eq!(steps, due, "{self:?}");
            }
        }
    }
}
