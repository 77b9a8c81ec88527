//! A fault campaign: faults are put into a machine, one at a time, and of each is said what came of it.
//!
//! ```text
//!   Stimulus:  a machine in lockstep      WithHosts: hosts work beside it in every bit time
//!      |                                      |
//!   Engine: machines side by side (Rig),   Alone: one run after the other on each thread
//!   held against a Reference                  |
//!      '------------------.-------------------'
//!                      Faulted: takes faults (which Put puts in), says what came of each (Judged)
//!                         |
//!   Places: wires, gates, register bits --> faults, drawn where there are many --> table, CSV, picture
//! ```

mod drawn;
mod engine;
mod fault;
mod faulted;
mod ill;
mod options;
mod put;
mod record;
mod reference;
mod rig;
mod tally;
mod told;
mod with_hosts;

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rtl_model::machine::topology::Topology;

use crate::drawing::check_is_svg;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::options::{checked_threads, staging_beside};
use crate::progress::{Progress, begins};
use crate::ranks;
use crate::report::Meta;
use crate::testbench::chosen::Chosen;
pub use engine::Engine;
pub use fault::{Fault, Kind, Places};
pub use faulted::{Faulted, Judged, ONE_BIT};
pub use options::FaultsArguments;
pub(crate) use record::Record;
pub use reference::{MESSAGE_BITS, loaded};
pub use tally::{Outcome, Tried};
pub use with_hosts::{Alone, Came, WithHosts};

const TEMPLATE: &str = "fault {human_pos} of {human_len}";

/// The most that all faults may take, each register bits of all nodes times bit times: an hour, roughly.
const MOST_WORK: u64 = 1 << 39;

/// As many times as long takes a run of a machine by itself, with its hosts, as one of many side by side.
const ALONE: u64 = 8;

/// What came of the faults of a machine.
pub struct Campaign {
    identity: Identity,
    title: String,
    network: String,
    nodes: usize,
    bit_times: u64,
    seed: u64,
    places: Places,
    /// Of each kind that is asked for, how many faults there are.
    there: Vec<(Kind, usize)>,
    tried: Vec<Tried>,
}

/// A machine with its traffic, as a campaign takes it.
pub enum Loaded {
    /// In lockstep: many are run side by side.
    Lockstep(Box<dyn Stimulus>),
    /// With hosts beside it: it is run by itself.
    WithHosts(Box<dyn WithHosts>),
}

impl Loaded {
    /// What is said of it beside its name and its network.
    fn in_words(&self) -> String {
        match self {
            Loaded::Lockstep(stimulus) => stimulus.in_words(),
            Loaded::WithHosts(machine) => machine.in_words(),
        }
    }

    /// What a fault takes: register bits of all nodes times bit times.
    fn work(&self) -> u64 {
        match self {
            Loaded::Lockstep(stimulus) => {
                let device = stimulus.device();
                let bits = device.storage_bits().value * device.topology().nodes() as u64;
                bits.saturating_mul(device.bit_times().value)
            }
            Loaded::WithHosts(machine) => machine.work(),
        }
    }

    /// The same, as much as takes as long of a machine among many side by side.
    fn work_side_by_side(&self) -> u64 {
        let times = match self {
            Loaded::Lockstep(_) => 1,
            Loaded::WithHosts(_) => ALONE,
        };
        self.work().saturating_mul(times)
    }

    /// Whether its gates can be written down.
    fn has_netlist(&self) -> bool {
        match self {
            Loaded::Lockstep(stimulus) => stimulus.has_logic_depth(),
            Loaded::WithHosts(_) => true,
        }
    }

    /// It as a machine into which faults can be put, once it has run without any.
    ///
    /// # Errors
    /// A machine that does not fit, or whose run without faults is not as it should be; [`Error::Interrupted`].
    pub fn faulted(self) -> Result<Box<dyn Faulted>, Error> {
        Ok(match self {
            Loaded::Lockstep(stimulus) => Box::new(Engine::new(stimulus)?),
            Loaded::WithHosts(machine) => Box::new(Alone::new(machine)?),
        })
    }
}

/// What a machine is to be run for.
pub(crate) struct Ask<'a> {
    /// What is chosen.
    pub chosen: &'a Chosen,
    /// What a report says first.
    pub identity: Identity,
    /// Its network.
    pub topology: Box<dyn Topology>,
    /// The faults that are asked for, and files.
    pub options: &'a FaultsArguments,
    /// Where the result comes from.
    pub meta: &'a Meta,
}

/// Faults of a kind, as many as there are or as are asked for: numbers in ascending order.
fn drawn(there: usize, most: usize, seed: u64) -> Vec<usize> {
    if there <= most {
        return (0..there).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers = index::sample(&mut random, there, most).into_vec();
    numbers.sort_unstable();
    numbers
}

/// Refuses what would take hours, and a machine whose gates are too many to be written down.
fn check_size(loaded: &Loaded, options: &FaultsArguments) -> Result<(), Error> {
    let work = loaded.work();
    // There are no more flips than that, and hardly so many of anything else.
    let side_by_side = loaded.work_side_by_side();
    let faults = (options.most(side_by_side)? as u64).min(work.saturating_mul(2));
    let all = faults.saturating_mul(options.kinds().len() as u64);
    if all.saturating_mul(side_by_side) > MOST_WORK {
        return Err(Refusal::of("this campaign would take hours")
            .because(format!(
                "it has up to {all} faults, and for each of them {work} bits of registers are gone through"
            ))
            .instead("give fewer dimensions, fewer --kinds, or a smaller --sample")
            .into());
    }
    match options.kinds.contains(&Kind::Gates) && !loaded.has_netlist() {
        true => Err(Refusal::of("--kinds gates")
            .because("this machine has too many gates to be written down")
            .instead("give --kinds wires,registers")
            .into()),
        false => Ok(()),
    }
}

/// Puts faults into a machine, and writes the files that are asked for.
///
/// # Errors
/// What is refused, before any work starts; [`Error::Interrupted`]; a file that could not be written after all.
pub(crate) fn campaign(loaded: Loaded, ask: Ask<'_>) -> Result<Campaign, Error> {
    let Ask {
        chosen,
        identity,
        topology,
        options,
        meta,
    } = ask;
    ranks::require_one("a fault campaign", "it runs many small machines")?;
    let threads = checked_threads(options.threads.threads)?;
    check_size(&loaded, options)?;
    let most = options.most(loaded.work_side_by_side())?;
    let mut staging = staging_beside(&chosen.inputs())?;
    if let Some(path) = &options.plot {
        check_is_svg(path)?;
    }
    let mut text = |path: &Option<_>, what| {
        let path: Option<&std::path::PathBuf> = path.as_ref();
        path.map(|path| staging.create_text(path, what)).transpose()
    };
    let (csv, plot) = (
        text(&options.csv, "the faults")?,
        text(&options.plot, "the plot")?,
    );
    let nodes = topology.nodes();
    let words = loaded.in_words();
    let words = Some(words).filter(|words| !words.is_empty());
    let words = words.map_or(String::new(), |words| format!(", {words}"));
    let (title, network) = (identity.on(&*topology) + &words, topology.summary());
    let mut machine = loaded.faulted()?;
    if options.kinds.contains(&Kind::Gates) {
        machine.with_gates();
    }
    let there: Vec<(Kind, usize)> = (options.kinds().into_iter())
        .map(|kind| (kind, machine.places().amount(kind)))
        .collect();
    let seed = chosen.seed();
    let all: Vec<(Kind, Fault)> = (there.iter())
        .flat_map(|&(kind, there)| {
            let numbers = drawn(there, most, seed).into_iter();
            let fault = |number| (kind, machine.places().fault(kind, number));
            numbers.map(fault).collect::<Vec<_>>()
        })
        .collect();
    machine.on_threads(all.len(), threads)?;
    begins("faults", false);
    let mut progress = Progress::new(all.len() as u64, TEMPLATE, false);
    let mut tried = Vec::with_capacity(all.len());
    for some in all.chunks(machine.at_once().max(1)) {
        let faults: Vec<Fault> = some.iter().map(|(_, fault)| *fault).collect();
        let judged = machine.run(&faults)?;
        tried.extend(
            some.iter()
                .zip(judged)
                .map(|(&(kind, fault), judged)| Tried {
                    kind,
                    fault,
                    judged,
                }),
        );
        progress.passed(tried.len() as u64);
    }
    drop(progress);
    let campaign = Campaign {
        identity,
        title,
        network,
        nodes,
        bit_times: machine.bit_times(),
        seed,
        places: machine.places().clone(),
        there,
        tried,
    };
    if let Some(output) = csv {
        campaign.write_rows(output)?;
    }
    if let Some(output) = plot {
        campaign.write_picture(output, &meta.provenance())?;
    }
    Ok(campaign)
}

#[cfg(test)]
mod tests;
