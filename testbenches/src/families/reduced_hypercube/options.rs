//! What the testbenches are asked to do.

use std::path::PathBuf;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::error::Error;
use crate::families::reduced_hypercube::job::Algorithm;
use crate::options;

/// `k` where none is asked for.
pub const DEFAULT_DIMENSIONS: usize = 3;
/// `n` where none is asked for.
pub const DEFAULT_BLOCKS: usize = 2;
/// Bits of a word.
pub const DEFAULT_WORD_BITS: usize = 16;
/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 64;

/// A collective operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operation {
    /// One node's message to all.
    #[default]
    Broadcast,
    /// All words into one.
    Reduce,
    /// Of each node, its word and all before it.
    Prefix,
    /// Words into the order of nodes.
    Sort,
}

impl Operation {
    /// All, in the order of the thesis.
    pub const ALL: [Operation; 4] = [
        Operation::Broadcast,
        Operation::Reduce,
        Operation::Prefix,
        Operation::Sort,
    ];

    /// Its testbench's name.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Broadcast => "broadcast",
            Operation::Reduce => "reduce",
            Operation::Prefix => "prefix",
            Operation::Sort => "sort",
        }
    }

    /// What its words are called.
    pub fn word(self) -> &'static str {
        match self {
            Operation::Broadcast => "message",
            Operation::Sort => "key",
            _ => "word",
        }
    }
}

/// Which network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// RH(k,n).
    #[default]
    Reduced,
    /// The hypercube.
    Full,
}

impl Kind {
    /// Both, as options name them.
    pub const NAMES: [(&'static str, Kind); 2] = [
        ("reduced-hypercube", Kind::Reduced),
        ("hypercube", Kind::Full),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Reduced => "reduced-hypercube",
            Kind::Full => "hypercube",
        }
    }
}

/// The machine and its words. A testbench has options for some of it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// What is done.
    pub operation: Operation,
    /// On which network.
    pub network: Option<String>,
    /// `k`.
    pub dims: Option<usize>,
    /// `n`.
    pub blocks: Option<usize>,
    /// In which form.
    pub algorithm: Option<String>,
    /// What words are combined by.
    pub operator: Option<String>,
    /// Words of a node.
    pub keys: Option<usize>,
    /// Bits of a word, or of the message.
    pub word_bits: Option<usize>,
    /// How a message is handed on.
    pub switching: Option<String>,
    /// The node that has it.
    pub source: Option<usize>,
    /// A file with the words.
    pub values: Option<PathBuf>,
    /// Where what nodes end up with is written.
    pub results: Option<PathBuf>,
    /// What words are drawn from.
    pub seed: u64,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

/// The one of that name, of several.
fn named<T: Copy>(
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = (&'static str, T)> + Clone,
) -> Result<T, Error> {
    let found = (known.clone().into_iter()).find(|(one, _)| *one == name);
    found.map(|(_, one)| one).ok_or_else(|| Error::Unknown {
        what,
        name: name.to_owned(),
        known: known.into_iter().map(|(one, _)| one).collect(),
    })
}

impl Setup {
    /// Which network it is.
    ///
    /// # Errors
    /// A name of none.
    pub fn kind(&self) -> Result<Kind, Error> {
        match &self.network {
            None => Ok(Kind::default()),
            Some(name) => named("network", name, Kind::NAMES),
        }
    }

    /// The network.
    ///
    /// # Errors
    /// A name of none, or a size that there is not.
    pub fn network(&self) -> Result<BlockNetwork, Error> {
        let kind = self.kind()?;
        let dims = self.dims.unwrap_or(DEFAULT_DIMENSIONS);
        if let (Kind::Full, None) = (kind, self.blocks) {
            let all = self
                .dims
                .unwrap_or(DEFAULT_DIMENSIONS + (1 << DEFAULT_BLOCKS));
            return Ok(BlockNetwork::Full(Dimensions::new(all)?));
        }
        let blocks = self.blocks.unwrap_or(DEFAULT_BLOCKS);
        let reduced = BlockNetwork::Reduced(ReducedHypercube::new(dims, blocks)?);
        Ok(match kind {
            Kind::Reduced => reduced,
            Kind::Full => reduced.full(),
        })
    }

    /// The form; on the hypercube there is one.
    ///
    /// # Errors
    /// A name of none; any, on the hypercube.
    pub fn algorithm(&self) -> Result<Algorithm, Error> {
        let all = Algorithm::of(self.operation);
        let is_full = self.kind()? == Kind::Full;
        match (&self.algorithm, all.first()) {
            (Some(_), _) if is_full => Err(Error::NotApplicable {
                bench: self.operation.name(),
                option: "--algorithm",
                why: "on the hypercube each operation has a single form: leave it out",
            }),
            (Some(name), _) => named("algorithm", name, all.iter().map(|one| (one.name(), *one))),
            (None, _) if is_full => Ok(Algorithm::Textbook),
            (None, Some(first)) => Ok(*first),
            (None, None) => Ok(Algorithm::Textbook),
        }
    }

    /// What words are combined by.
    ///
    /// # Errors
    /// A name of none.
    pub fn operator(&self) -> Result<Operator, Error> {
        match &self.operator {
            None => Ok(Operator::Add),
            Some(name) => named("operator", name, Operator::ALL.map(|one| (one.name(), one))),
        }
    }

    /// Whether messages are cut through.
    ///
    /// # Errors
    /// A name of none.
    pub fn is_cut_through(&self) -> Result<bool, Error> {
        let known = [("store-and-forward", false), ("cut-through", true)];
        named("switching", self.switching(), known)
    }

    /// How messages are handed on, by its name.
    pub fn switching(&self) -> &str {
        self.switching.as_deref().unwrap_or("store-and-forward")
    }

    /// Bits of a word, or of the message.
    pub fn word_bits(&self) -> usize {
        self.word_bits.unwrap_or(match self.operation {
            Operation::Broadcast => DEFAULT_MESSAGE_BITS,
            _ => DEFAULT_WORD_BITS,
        })
    }

    /// Words of a node.
    pub fn keys(&self) -> usize {
        match self.operation {
            Operation::Sort => self.keys.unwrap_or(1),
            _ => 1,
        }
    }

    /// The command that asks for the same again, defaults spelled out.
    pub fn command(&self, verb: &str) -> String {
        let mut command = format!("cubewave {verb} {}", self.operation.name());
        let kind = self.kind().unwrap_or_default();
        command += &format!(" --network {}", kind.name());
        if let (Kind::Reduced, _) | (_, Some(_)) = (kind, self.blocks) {
            let dims = self.dims.unwrap_or(DEFAULT_DIMENSIONS);
            let blocks = self.blocks.unwrap_or(DEFAULT_BLOCKS);
            command += &format!(" --dims {dims} --blocks {blocks}");
        } else {
            let all = self
                .dims
                .unwrap_or(DEFAULT_DIMENSIONS + (1 << DEFAULT_BLOCKS));
            command += &format!(" --dims {all}");
        }
        let mut add = |option: &str, value: &str| command += &format!(" --{option} {value}");
        match self.algorithm() {
            // On the hypercube there is no such option.
            Ok(Algorithm::Textbook) | Err(_) => {}
            Ok(algorithm) => add("algorithm", algorithm.name()),
        }
        match self.operation {
            Operation::Broadcast => {
                add("switching", self.switching());
                add("source", &self.source.unwrap_or(0).to_string());
            }
            Operation::Reduce | Operation::Prefix => {
                add("operator", self.operator().unwrap_or(Operator::Add).name());
            }
            Operation::Sort => add("keys", &self.keys().to_string()),
        }
        let bits = match self.operation {
            Operation::Broadcast => "message-bits",
            _ => "word-bits",
        };
        command + &format!(" --{bits} {}", self.word_bits())
    }
}
