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

/// Texts that are looked at for a picture that nobody wants to wait for, all bit times together: less than a second, roughly.
const MOST_TEXTS: u64 = 1 << 21;
/// Links that messages cross, all messages together, where the routes of all are drawn: a second, roughly.
const MOST_CROSSED: u64 = 1 << 19;

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

/// What was found.
pub(super) enum Found {
    /// Nothing is known by texts of ports.
    Nothing,
    /// It would take too long to look at them.
    TooMuch,
    /// What a waveform follows; and for a picture the routes of all messages, unless there are too many links that they cross.
    Followed(Box<Followed>, Option<Routes>),
}

/// What a waveform follows, if it is known by texts of ports. For a picture alone it is not waited for long, unless it is asked for.
///
/// # Errors
/// What is asked for and is not there; [`Error::Interrupted`].
pub(super) fn find(
    stimulus: &dyn Stimulus,
    asked: Option<&str>,
    (is_drawn, has_wave): (bool, bool),
) -> Result<Found, Error> {
    let Some(followed) = stimulus.follow(asked)? else {
        return Ok(Found::Nothing);
    };
    if !are_told(stimulus, asked.is_some()) {
        return Ok(Found::Nothing);
    }
    let mut machine = stimulus.device().build(1)?;
    let most = match is_drawn && !has_wave && asked.is_none() {
        true => MOST_TEXTS,
        false => u64::MAX,
    };
    let mut routes = is_drawn.then(|| Seen::of(stimulus, &*machine, MOST_CROSSED));
    let Some(route) = watch(&mut *machine, &followed, most, &mut routes)? else {
        return Ok(Found::TooMuch);
    };
    let mut found = Followed {
        message: stimulus.message_in(&followed.begin).to_owned(),
        begin: followed.begin,
        route,
        nodes: followed.nodes,
    };
    if found.nodes.is_empty() {
        found.nodes = found.route.first_screen(MOST_SHOWN);
    }
    Ok(Found::Followed(Box::new(found), routes.map(Seen::finish)))
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

/// Runs the machine to its end; none if more texts are to be looked at than `most`. All messages are watched beside what is
/// followed until that takes too long.
fn watch(
    machine: &mut dyn Lockstep,
    followed: &stimulus::Followed,
    most: u64,
    all: &mut Option<Seen<'_>>,
) -> Result<Option<Trail>, Error> {
    let ends = (followed.source, followed.destination);
    let mut watch = Watch::new(names(machine.topology()), followed.name.clone(), ends);
    let mut see = |crossed: Crossed<'_>| {
        if is_about(crossed.text, &followed.begin) {
            let text = crossed.are_bits.then_some(crossed.text);
            watch.see(crossed.times.clone(), crossed.over, text);
        }
        if all.as_mut().is_some_and(|all| !all.see(&crossed)) {
            *all = None;
        }
    };
    let mut ports = Ports::new(machine);
    while !machine.is_done() {
        interrupt::check()?;
        machine.transmit()?;
        ports.look(machine, &mut see);
        machine.clock();
        if ports.looked_at() > most {
            return Ok(None);
        }
    }
    ports.finish(&mut see);
    Ok(Some(watch.finish()))
}

/// What was seen of all messages.
struct Seen<'a> {
    stimulus: &'a dyn Stimulus,
    names: Names,
    watches: Watches,
    /// Links that were crossed, all messages together, and how many are too many.
    crossed: u64,
    most: u64,
}

impl<'a> Seen<'a> {
    fn of(stimulus: &'a dyn Stimulus, machine: &dyn Lockstep, most: u64) -> Self {
        Seen {
            stimulus,
            names: names(machine.topology()),
            watches: Watches::default(),
            crossed: 0,
            most,
        }
    }

    /// Something has crossed a link: the message that it is about, if it is about one. Whether it is worth looking on.
    fn see(&mut self, crossed: &Crossed<'_>) -> bool {
        let begin = self.stimulus.message_in(crossed.text);
        self.watches.see(begin, crossed, &mut || {
            let message = self.stimulus.message_of(begin)?;
            let ends = (message.source, message.destination);
            Some(Watch::new(self.names.clone(), message.name, ends))
        });
        self.crossed += 1;
        self.crossed <= self.most
    }

    fn finish(self) -> Routes {
        Routes(self.watches.finish())
    }
}

/// The routes of all messages, in the order of their sources; none, where texts of ports do not tell of them.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn all(stimulus: &dyn Stimulus) -> Result<Option<Vec<Trail>>, Error> {
    let followed = stimulus.follow(None)?;
    let Some(followed) = followed.filter(|_| are_told(stimulus, true)) else {
        return Ok(None);
    };
    let mut machine = stimulus.device().build(1)?;
    let mut routes = Some(Seen::of(stimulus, &*machine, u64::MAX));
    watch(&mut *machine, &followed, u64::MAX, &mut routes)?;
    Ok(routes.map(Seen::finish).map(|Routes(seen)| {
        let trails = seen.into_iter().map(|(_, watch)| watch.finish());
        let mut trails: Vec<Trail> = trails.collect();
        trails.sort_by_key(|trail| (trail.source(), trail.destination()));
        trails
    }))
}

/// The routes of all messages, by how texts begin that are about them.
pub(super) struct Routes(Vec<(String, Watch)>);

impl Routes {
    /// A run with them; the one is chosen whose texts begin like that.
    pub fn drawn(self, run: Run, shown: Option<&str>) -> Run {
        let Routes(seen) = self;
        Run {
            shown: seen
                .iter()
                .position(|(begin, _)| Some(begin.as_str()) == shown),
            ..drawn(run, seen.into_iter().map(|(_, watch)| watch))
        }
    }
}
