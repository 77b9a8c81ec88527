//! The route of what a waveform follows, where texts of ports tell of it: found by a run before the run.
//!
//! Texts tell, bit time by bit time, what each node sends over each link. The route of one thing among them is known when all is
//! over, and a view is to open where it goes: so the machine runs once before, unloaded, since what is sent when does not
//! depend on bits of messages.

use std::ops::Range;

use hosts::trail::crossed::{Crossed, Ports, Watches};
use hosts::trail::{MOST_LABOUR, MOST_SHOWN, Names, Trail, Watch, drawn, names};
use hosts::whereabouts::MOST_NODES;
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
    if !are_told(stimulus, asked.is_some()) {
        return Ok(None);
    }
    let mut machine = stimulus.device().build(1)?;
    let route = watch(&mut *machine, &followed)?;
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

/// Whether texts say what nodes send; not if it takes too long to look at them all, and nobody asks for it, or if nodes are too
/// many for that.
fn are_told(stimulus: &dyn Stimulus, is_asked: bool) -> bool {
    let device = stimulus.device();
    let told = device.shown().told;
    let sent = told.iter().filter(|told| told.sent_over.is_some()).count();
    let nodes = device.topology().nodes();
    let labour = (nodes * sent) as u64;
    let takes_long = labour.saturating_mul(device.bit_times().value) > MOST_LABOUR;
    let is_possible = sent > 0 && nodes <= MOST_NODES;
    is_possible && (is_asked || !takes_long)
}

/// Runs the machine to its end.
fn watch(machine: &mut dyn Lockstep, followed: &stimulus::Followed) -> Result<Trail, Error> {
    let ends = (followed.source, followed.destination);
    let mut watch = Watch::new(names(machine.topology()), followed.name.clone(), ends);
    let mut see = |crossed: Crossed<'_>| {
        if is_about(crossed.text, &followed.begin) {
            let text = crossed.are_bits.then_some(crossed.text);
            watch.see(crossed.times, crossed.over, text);
        }
    };
    let mut ports = Ports::new(machine);
    while !machine.is_done() {
        interrupt::check()?;
        machine.transmit()?;
        ports.look(machine, &mut see);
        machine.clock();
    }
    ports.finish(&mut see);
    Ok(watch.finish())
}

/// The routes of all messages, for a picture: seen while the machine runs.
pub(super) struct Routes<'a> {
    stimulus: &'a dyn Stimulus,
    names: Names,
    ports: Ports,
    watches: Watches,
}

impl<'a> Routes<'a> {
    /// Of a run of a machine, if texts of ports tell of its messages and it does not take too long to look at them.
    pub fn new(stimulus: &'a dyn Stimulus, machine: &dyn Lockstep) -> Option<Self> {
        are_told(stimulus, false).then(|| Routes {
            stimulus,
            names: names(machine.topology()),
            ports: Ports::new(machine),
            watches: Watches::default(),
        })
    }

    /// In every bit time, between its two halves.
    pub fn look(&mut self, machine: &dyn Lockstep) {
        if !machine.is_done() {
            let (stimulus, names, watches) = (self.stimulus, &self.names, &mut self.watches);
            let mut see = |crossed: Crossed<'_>| see(stimulus, names, watches, &crossed);
            self.ports.look(machine, &mut see);
        }
    }

    /// A run with the routes that were seen; the one is chosen whose texts begin like that.
    pub fn drawn(mut self, run: Run, shown: Option<&str>) -> Run {
        let (stimulus, names, watches) = (self.stimulus, &self.names, &mut self.watches);
        (self.ports).finish(&mut |crossed| see(stimulus, names, watches, &crossed));
        let seen = self.watches.finish();
        Run {
            shown: seen
                .iter()
                .position(|(begin, _)| Some(begin.as_str()) == shown),
            ..drawn(run, seen.into_iter().map(|(_, watch)| watch))
        }
    }
}

/// Something has crossed a link: the message that it is about, if it is about one.
fn see(stimulus: &dyn Stimulus, names: &Names, watches: &mut Watches, crossed: &Crossed<'_>) {
    let begin = stimulus.message_in(crossed.text);
    watches.see(begin, crossed, &mut || {
        let message = stimulus.message_of(begin)?;
        let ends = (message.source, message.destination);
        Some(Watch::new(names.clone(), message.name, ends))
    });
}
