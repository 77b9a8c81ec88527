//! The route of what a waveform follows, where texts of ports tell of it: found by a run before the run.
//!
//! Texts tell, bit time by bit time, what each node sends over each link. The route of one thing among them is known when all is
//! over, and a view is to open where it goes: so the machine runs once before, unloaded, since what is sent when does not
//! depend on bits of messages.

use std::collections::BTreeMap;
use std::ops::Range;

use hosts::trail::{MOST_LABOUR, MOST_SHOWN, Names, Trail, Watch, drawn, names};
use hosts::whereabouts::{MOST_NODES, receivers};
use rtl_model::machine::simulation::Lockstep;
use waves::picture::run::Run;
use waves::probe::is_about;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::stimulus::{self, Stimulus};

/// What is followed, and its route.
pub(super) struct Followed {
    /// How texts begin that are about it.
    pub begin: String,
    /// The same as a key among all messages.
    pub message: String,
    /// Its route.
    pub route: Trail,
    /// The nodes of a first screen.
    pub nodes: Vec<usize>,
}

impl Followed {
    /// The bit times that a view opens on: those in which it is on its route, with some room. Where they are too many for names to
    /// be read, the view itself ends earlier.
    pub fn opens_on(&self) -> Option<Range<u64>> {
        let times = self.route.times()?;
        let room = (times.end - times.start) / 8 + 2;
        Some(times.start.saturating_sub(room)..times.end + room)
    }
}

/// What a waveform follows, if it is known by texts of ports.
///
/// # Errors
/// What is asked for and is not there; [`Error::Interrupted`].
pub(super) fn find(
    stimulus: &dyn Stimulus,
    asked: Option<&str>,
) -> Result<Option<Followed>, Error> {
    let Some(followed) = stimulus.follow(asked)? else {
        return Ok(None);
    };
    let Some(sent) = sent(stimulus, asked.is_some()) else {
        return Ok(None);
    };
    let mut machine = stimulus.device().build(1)?;
    let route = watch(&mut *machine, &followed, &sent)?;
    let mut found = Followed {
        message: stimulus.message_in(&followed.begin).to_owned(),
        begin: followed.begin,
        route,
        nodes: followed.nodes,
    };
    if found.nodes.is_empty() {
        found.nodes = found.route.first_screen(MOST_SHOWN);
    }
    Ok(Some(found))
}

/// Texts that say what nodes send, by number, and the links that they are about; none if it takes too long to look at them all, and
/// nobody asks for it, or if nodes are too many for that.
fn sent(stimulus: &dyn Stimulus, is_asked: bool) -> Option<Vec<(usize, usize)>> {
    let device = stimulus.device();
    let told = device.shown().told;
    let sent: Vec<(usize, usize)> = (told.iter().enumerate())
        .filter_map(|(number, told)| Some((number, told.sent_over?)))
        .collect();
    let nodes = device.topology().nodes();
    let labour = (nodes * sent.len()) as u64;
    let takes_long = labour.saturating_mul(device.bit_times().value) > MOST_LABOUR;
    let is_possible = !sent.is_empty() && nodes <= MOST_NODES;
    (is_possible && (is_asked || !takes_long)).then_some(sent)
}

/// What nodes send in this bit time: node, link and what the text about it says.
fn each_sent(
    machine: &dyn Lockstep,
    (nodes, sent): (usize, &[(usize, usize)]),
    mut see: impl FnMut(usize, usize, &str),
) {
    let mut text = String::new();
    for node in 0..nodes {
        for &(number, link) in sent {
            text.clear();
            machine.append_told(node, number, &mut text);
            if !text.is_empty() {
                see(node, link, &text);
            }
        }
    }
}

/// Runs the machine to its end.
fn watch(
    machine: &mut dyn Lockstep,
    followed: &stimulus::Followed,
    sent: &[(usize, usize)],
) -> Result<Trail, Error> {
    let receivers = receivers(machine.topology());
    let ends = (followed.source, followed.destination);
    let mut watch = Watch::new(names(machine.topology()), followed.name.clone(), ends);
    while !machine.is_done() {
        interrupt::check()?;
        machine.transmit()?;
        let bit_time = machine.bit_time();
        each_sent(machine, (receivers.len(), sent), |node, link, text| {
            if is_about(text, &followed.begin) {
                let over = (node, receivers[node][link] as usize, link);
                let is_bit = machine.driver(link).is_some();
                watch.see(bit_time, over, is_bit.then_some(text));
            }
        });
        machine.clock();
    }
    Ok(watch.finish())
}

/// The routes of all messages, for a picture: seen while the machine runs.
pub(super) struct Routes<'a> {
    stimulus: &'a dyn Stimulus,
    sent: Vec<(usize, usize)>,
    receivers: Vec<Vec<u32>>,
    names: Names,
    /// By how texts begin that are about a message; none of texts that are about no message.
    watches: BTreeMap<String, Option<Watch>>,
}

impl<'a> Routes<'a> {
    /// Of a run, if texts of ports tell of its messages and it does not take too long to look at them.
    pub fn new(stimulus: &'a dyn Stimulus) -> Option<Self> {
        Some(Routes {
            stimulus,
            sent: sent(stimulus, false)?,
            receivers: receivers(&*stimulus.device().topology()),
            names: names(&*stimulus.device().topology()),
            watches: BTreeMap::new(),
        })
    }

    /// In every bit time, between its two halves.
    pub fn look(&mut self, machine: &dyn Lockstep) {
        let Routes {
            stimulus,
            sent,
            receivers,
            names,
            watches,
        } = self;
        if machine.is_done() {
            return;
        }
        each_sent(machine, (receivers.len(), sent), |node, link, text| {
            let begin = stimulus.message_in(text);
            if !watches.contains_key(begin) {
                let watch = stimulus.message_of(begin).map(|message| {
                    let ends = (message.source, message.destination);
                    Watch::new(names.clone(), message.name, ends)
                });
                watches.insert(begin.to_owned(), watch);
            }
            if let Some(Some(watch)) = watches.get_mut(begin) {
                let to = receivers[node][link] as usize;
                let is_bit = machine.driver(link).is_some();
                watch.see(machine.bit_time(), (node, to, link), is_bit.then_some(text));
            }
        });
    }

    /// A run with the routes that were seen; the one is chosen whose texts begin like that.
    pub fn drawn(self, run: Run, shown: Option<&str>) -> Run {
        let watches = self.watches.into_iter();
        let seen: Vec<(String, Watch)> = watches
            .filter_map(|(begin, watch)| Some((begin, watch?)))
            .collect();
        Run {
            shown: seen
                .iter()
                .position(|(begin, _)| Some(begin.as_str()) == shown),
            ..drawn(run, seen.into_iter().map(|(_, watch)| watch))
        }
    }
}
