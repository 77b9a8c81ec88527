//! What a run would take on which computers, and what would bound it: from closed forms, from the program of the planned
//! machine, and from rates that are measured here.
//!
//! ```text
//!   Subject: the planned machine ---> memory, bit times, bits between ranks      closed forms, its program
//!       |                                         |
//!       +--> smaller ones, run here ---> rates ---+--> seconds, and the bound
//! ```
//!
//! Nothing of the planned machine is drawn, built or loaded.

mod options;
mod planned;
mod rates;
mod sizes;
mod subject;
mod told;

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::fabric::Foreseen;
use rtl_model::machine::share::Share;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::between_ranks::formula;
use crate::lockstep::stimulus::Identity;
use crate::progress::UnderWay;
use crate::ranks;
use crate::testbench::chosen::Chosen;
pub use options::ComputersArguments;
pub(crate) use options::add_computers;
use options::{Computers, of_ranks};
pub(crate) use planned::Planned;
use rates::{BitTimes, Rates};
use subject::Subject;

/// What is known of a run without any rate.
#[derive(Clone, Debug)]
struct Known {
    identity: Identity,
    dims: usize,
    /// Of the whole machine.
    nodes: u64,
    computers: Computers,
    /// Bytes of memory on each computer.
    bytes: u64,
    /// The closed form.
    bit_times: ClosedForm,
    /// Storage bits of a node.
    storage_bits: u64,
    /// Traffic is a list, which is drawn or read on every computer.
    is_listed: bool,
    /// The first computer compares all of it.
    is_compared_by_first: bool,
    /// What the run of a share does, if it is a program.
    foreseen: Option<Foreseen>,
    /// The closed form of the bits between ranks, where there is one.
    formula: Option<(String, u64)>,
    /// What would fit, where this does not.
    instead: Instead,
}

/// What would fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Instead {
    /// The fewest computers of the same memory that hold the machine.
    machines: Option<usize>,
    /// The most dimensions that the same computers hold.
    dims: Option<usize>,
}

/// Bits that ranks send each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Volume {
    /// The closed form and its value, in bits; none where nobody has written one down, and they are counted in the program.
    formula: Option<(String, u64)>,
    /// All together.
    bits: u64,
    /// How often each rank exchanges with another, where that is counted.
    exchanges: Option<u64>,
}

/// Seconds of a run; one part comes after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seconds {
    preparing: f64,
    loading_and_comparing: f64,
    bit_times: f64,
    /// None where nothing is known of what passes between ranks.
    network: Option<f64>,
}

impl Seconds {
    /// What computers do by themselves.
    fn computing(&self) -> f64 {
        self.preparing + self.loading_and_comparing + self.bit_times
    }

    fn total(&self) -> Option<f64> {
        Some(self.computing() + self.network?)
    }
}

/// What bounds a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Bound {
    Memory,
    Network,
    Processors,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    known: Known,
    samples: Vec<usize>,
    volume: Option<Volume>,
    seconds: Seconds,
    bound: Bound,
}

impl Known {
    /// Nodes on each computer.
    fn nodes_here(&self) -> u64 {
        self.nodes / self.machines()
    }

    fn machines(&self) -> u64 {
        self.computers.share.ranks() as u64
    }

    /// Bits that ranks send each other: as the program has it, or else as the closed form says.
    ///
    /// # Errors
    /// That they differ, where there are both.
    fn volume(&self) -> Result<Option<Volume>, Error> {
        let counted = self.foreseen.as_ref().map(|foreseen| {
            let bits = 64 * foreseen.words_to_ranks * self.machines();
            (bits, foreseen.exchanges)
        });
        let formula = self.formula.clone();
        let bits = match (counted, &formula) {
            (Some((counted, _)), Some((text, value))) if counted != *value => {
                return Err(Refusal::of("no plan is made")
                    .because(format!(
                        "ranks send each other {counted} bits in the program of this machine, but {text} = {value}: one of the \
                         two is a mistake of its router"
                    ))
                    .into());
            }
            (Some((bits, _)), _) => bits,
            (None, Some((_, bits))) => *bits,
            (None, None) => return Ok(None),
        };
        Ok(Some(Volume {
            formula,
            bits,
            exchanges: counted.map(|(_, exchanges)| exchanges),
        }))
    }
}

impl Plan {
    /// From what is known and measured.
    ///
    /// # Errors
    /// As [`Known::volume`].
    fn of(known: Known, rates: &Rates) -> Result<Self, Error> {
        let (all, here) = (known.nodes as f64, known.nodes_here() as f64);
        let of = |is_all: bool| if is_all { all } else { here };
        let bit_times = match (&rates.bit_times, &known.foreseen) {
            (BitTimes::Program { operation, planes }, Some(foreseen)) => {
                rates::seconds((*operation, planes), &foreseen.parts, known.nodes_here())
            }
            (BitTimes::Ticking { storage_bit }, _) => {
                here * known.bit_times.value as f64 * known.storage_bits as f64 * storage_bit
            }
            (BitTimes::Program { .. }, None) => 0.0,
        };
        let volume = match known.machines() {
            1 => Some(Volume {
                formula: None,
                bits: 0,
                exchanges: Some(0),
            }),
            _ => known.volume()?,
        };
        let network = volume.as_ref().map(|volume| {
            let bits_here = volume.bits as f64 / known.machines() as f64;
            let bandwidth = known.computers.bandwidth;
            bandwidth.map_or(0.0, |bandwidth| bits_here / bandwidth as f64)
        });
        let seconds = Seconds {
            preparing: rates.preparing,
            loading_and_comparing: of(known.is_listed) * rates.drawing
                + here * rates.loading
                + of(known.is_compared_by_first) * rates.comparing,
            bit_times,
            network,
        };
        let bound = match network {
            _ if known.bytes > known.computers.memory => Bound::Memory,
            Some(network) if network > seconds.computing() => Bound::Network,
            _ => Bound::Processors,
        };
        Ok(Plan {
            known,
            samples: rates.samples.clone(),
            volume,
            seconds,
            bound,
        })
    }
}

/// Bytes on each computer.
fn bytes(subject: &Subject, share: Share) -> Result<u64, Error> {
    let (device, requirement) = (subject.device()?, subject.requirement()?);
    Ok(requirement.beside.with(&*device, share))
}

/// What would fit where this does not.
fn instead(subject: &Subject, computers: Computers) -> Result<Instead, Error> {
    let device = subject.device()?;
    let mut more = (computers.share.log2_ranks() + 1..).map(|log2| Share::new(0, 1 << log2));
    let mut machines = None;
    while let Some(Ok(share)) = more.next() {
        if device.check_share(share).is_err() {
            break;
        }
        if bytes(subject, share)? <= computers.memory {
            machines = Some(share.ranks());
            break;
        }
    }
    let mut dims = None;
    for fewer in (1..subject.dims()).rev() {
        let smaller = subject.with_dims(fewer);
        // Below some size a machine is none, or has no share for each computer.
        let Ok(device) = smaller.device() else { break };
        if device.check_share(computers.share).is_err() {
            break;
        }
        let is_there = smaller.check_traffic().is_ok();
        if is_there && bytes(&smaller, computers.share)? <= computers.memory {
            dims = Some(fewer);
            break;
        }
    }
    Ok(Instead { machines, dims })
}

/// Plans a run.
///
/// # Errors
/// What is refused of machine and computers, before any work starts; [`Error::Interrupted`]; smaller machines that cannot be
/// run here; a closed form that is not what its program has.
pub(crate) fn plan(chosen: &Chosen, asked: &ComputersArguments) -> Result<Plan, Error> {
    let subject = &Subject(chosen.clone());
    ranks::require_one("a plan", "it measures what one process does by itself")?;
    let computers = asked.computers()?;
    let device = subject.device()?;
    subject.check_traffic()?;
    device.check_share(computers.share).map_err(of_ranks)?;
    let requirement = subject.requirement()?;
    let nodes = device.topology().nodes() as u64;
    let bytes = bytes(subject, computers.share)?;
    let instead = match bytes > computers.memory {
        true => instead(subject, computers)?,
        false => Instead::default(),
    };
    let under_way = UnderWay::new(
        "running smaller machines, to see how fast they are here",
        false,
    );
    let (rates, foreseen) =
        rates::measured(subject, (&*device, computers.share), computers.threads)?;
    drop(under_way);
    let known = Known {
        identity: subject.identity()?,
        dims: subject.dims(),
        nodes,
        computers,
        bytes,
        is_listed: requirement.is_listed(),
        is_compared_by_first: requirement.is_compared_by_first(),
        storage_bits: requirement.storage_bits.value,
        bit_times: requirement.bit_times,
        foreseen,
        formula: formula(&*device, nodes, computers.share.log2_ranks()),
        instead,
    };
    Plan::of(known, &rates)
}

#[cfg(test)]
mod tests;
