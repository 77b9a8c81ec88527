//! A fault campaign: faults are put into a machine, one at a time, and of each is said what came of it.
//!
//! ```text
//!   Stimulus --> Reference: the run without faults
//!                    |
//!   Places: wires, gates, register bits --> faults, drawn where there are many
//!                    |
//!   Rig: machines side by side, a fault in each --> Ends --> judged by the testbench --> table, CSV, picture
//! ```

mod drawn;
mod engine;
mod fault;
mod ill;
mod options;
mod record;
mod reference;
mod rig;
mod tally;
mod told;

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use crate::drawing::check_is_svg;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::options::{checked_threads, staging_beside};
use crate::progress::{Progress, begins};
use crate::ranks;
use crate::report::Meta;
use crate::testbench::chosen::Chosen;
pub use engine::{Engine, Judged};
pub use fault::{Fault, Kind, Places};
pub use options::FaultsArguments;
pub(crate) use record::Record;
pub use reference::{MESSAGE_BITS, loaded};
pub use tally::{Outcome, Tried};

const TEMPLATE: &str = "fault {human_pos} of {human_len}";

/// Nodes that are run at once on a thread: what fills lanes, and not much more.
const NODES_AT_ONCE: usize = 2048;

/// The most that all faults may take, each register bits of all nodes times bit times: an hour, roughly.
const MOST_WORK: u64 = 1 << 39;

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

/// What a stimulus is to be run for.
pub(crate) struct Ask<'a> {
    /// What is chosen.
    pub chosen: &'a Chosen,
    /// What a report says first.
    pub identity: Identity,
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

/// What a fault takes: register bits of all nodes times bit times.
fn work(stimulus: &dyn Stimulus) -> u64 {
    let device = stimulus.device();
    let bits = device.storage_bits().value * device.topology().nodes() as u64;
    bits.saturating_mul(device.bit_times().value)
}

/// Refuses what would take hours, and a machine whose gates are too many to be written down.
fn check_size(stimulus: &dyn Stimulus, options: &FaultsArguments) -> Result<(), Error> {
    let work = work(stimulus);
    // There are no more flips than that, and hardly so many of anything else.
    let faults = (options.most(work)? as u64).min(work.saturating_mul(2));
    let all = faults.saturating_mul(options.kinds().len() as u64);
    if all.saturating_mul(work) > MOST_WORK {
        return Err(Refusal::of("this campaign would take hours")
            .because(format!(
                "it has up to {all} faults, and for each of them {work} bits of registers are gone through"
            ))
            .instead("give fewer dimensions, fewer --kinds, or a smaller --sample")
            .into());
    }
    match options.kinds.contains(&Kind::Gates) && !stimulus.has_logic_depth() {
        true => Err(Refusal::of("--kinds gates")
            .because("this machine has too many gates to be written down")
            .instead("give --kinds wires,registers")
            .into()),
        false => Ok(()),
    }
}

/// Puts faults into the machine of a stimulus, and writes the files that are asked for.
///
/// # Errors
/// What is refused, before any work starts; [`Error::Interrupted`]; a file that could not be written after all.
pub(crate) fn campaign(stimulus: Box<dyn Stimulus>, ask: Ask<'_>) -> Result<Campaign, Error> {
    let Ask {
        chosen,
        identity,
        options,
        meta,
    } = ask;
    ranks::require_one(
        "a fault campaign",
        "it runs many small machines side by side",
    )?;
    let threads = checked_threads(options.threads.threads)?;
    check_size(&*stimulus, options)?;
    let most = options.most(work(&*stimulus))?;
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
    let topology = stimulus.device().topology();
    let nodes = topology.nodes();
    let words = stimulus.in_words();
    let words = Some(words).filter(|words| !words.is_empty());
    let words = words.map_or(String::new(), |words| format!(", {words}"));
    let (title, network) = (identity.on(&*topology) + &words, topology.summary());
    let engine = Engine::new(stimulus)?;
    let engine = match options.kinds.contains(&Kind::Gates) {
        true => engine.with_gates(),
        false => engine,
    };
    let there: Vec<(Kind, usize)> = (options.kinds().into_iter())
        .map(|kind| (kind, engine.places().amount(kind)))
        .collect();
    let seed = chosen.seed();
    let all: Vec<(Kind, Fault)> = (there.iter())
        .flat_map(|&(kind, there)| {
            let numbers = drawn(there, most, seed).into_iter();
            let fault = |number| (kind, engine.places().fault(kind, number));
            numbers.map(fault).collect::<Vec<_>>()
        })
        .collect();
    let machines = (NODES_AT_ONCE / nodes).min(all.len().div_ceil(threads));
    let mut engine = engine.side_by_side(machines, threads)?;
    begins("faults", false);
    let mut progress = Progress::new(all.len() as u64, TEMPLATE, false);
    let mut tried = Vec::with_capacity(all.len());
    for some in all.chunks(engine.at_once().max(1)) {
        let faults: Vec<Fault> = some.iter().map(|(_, fault)| *fault).collect();
        let judged = engine.run(&faults)?;
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
        bit_times: engine.bit_times(),
        seed,
        places: engine.places().clone(),
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
