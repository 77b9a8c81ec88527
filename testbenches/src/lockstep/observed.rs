//! A run that is looked at: what its waveform and its picture show, and what is known of its messages for them.

use hosts::tale::Tales;
use hosts::whereabouts::named::{Named, Names, Told};
use hosts::whereabouts::{Choice, MOST_NODES, Wanted, Whereabouts};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::picture;
use waves::picture::run::Change;
use waves::probe::Recording;
use waves::trace::TICKS_PER_BIT_TIME;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::lockstep::faults::{self, WireFault};
use crate::lockstep::follow::{self, Followed, Found, Routes};
use crate::lockstep::joined::Joined;
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::lockstep::whereabouts;
use crate::output::note;
use crate::picture::{Looks, Picture, Recorder, Seen, wave_nodes};
use crate::report::Route;
use crate::wave::{Asked, Tracing, Wave};

/// The most nodes of which a picture has tales in colours.
const MOST_IN_COLOURS: usize = 512;
/// Bit times of a run that is shown as a whole where what comes of it is told in words.
const READABLE_BIT_TIMES: u64 = 160;
/// What a run leaves is held for so many bit times, divided by this.
const MORE_AT_THE_END: u64 = 10;
/// Bit times after which what is followed has to be seen to arrive, whether all labels can be read or not.
const FEW_BIT_TIMES: u64 = 64;

/// A run whose nodes have this number too, before the others.
fn with_first(
    mut run: picture::run::Run,
    number: Option<picture::run::Number>,
) -> picture::run::Run {
    run.numbers.splice(..0, number);
    run
}

/// A run whose one message has this route, if it is known: links then count as in use where it crosses.
fn with_route(
    run: picture::run::Run,
    route: Option<picture::run::Route>,
    topology: &dyn Topology,
) -> picture::run::Run {
    let Some(route) = route else {
        return run;
    };
    let mut used: Vec<Vec<(u32, i64)>> = vec![Vec::new(); run.links.len()];
    for one in &route.crossings {
        let sends =
            |link: &usize| topology.sender(one.receiver as usize, *link) == one.sender as usize;
        if let Some(link) = (0..used.len()).find(sends) {
            used[link].extend([(one.from, 1), (one.to, -1)]);
        }
    }
    let links = run.links.into_iter().zip(used);
    let links = links.map(|(link, used)| picture::run::Link {
        used: Change::counted(used),
        ..link
    });
    picture::run::Run {
        links: links.collect(),
        links_carry_messages: true,
        messages: vec![route],
        shown: Some(0),
        ..run
    }
}

/// What runs, how in the words of its family, and what it does, in a sentence.
pub(super) fn about(of: &Identity, stimulus: &dyn Stimulus, topology: &dyn Topology) -> String {
    format!("{}: {}", title_in_words(of, stimulus, topology), of.models)
}

/// What runs, and how in the words of its family, in a line.
pub(super) fn title_in_words(
    of: &Identity,
    stimulus: &dyn Stimulus,
    topology: &dyn Topology,
) -> String {
    let title = of.on(topology);
    match stimulus.in_words() {
        text if text.is_empty() => title,
        text => format!("{title}, {text}"),
    }
}

/// Whether a picture of a machine, and nothing else of it, may be had without a look into nodes in each bit time.
pub(super) fn is_seen_on_wires(machine: &dyn Lockstep, faults: &[WireFault]) -> bool {
    faults.is_empty()
        && machine.can_be_shown()
        && picture::is_seen_on_wires(&machine.device().shown())
}

/// What is known of messages.
pub(super) enum Known {
    /// Where all of them are, and what a waveform shows of it.
    Whereabouts(Whereabouts, Option<Choice>),
    /// The route of the one that is followed.
    Route(Box<Followed>),
    /// Nothing: to look at all ports would take too long, and so would ports of a few nodes on a page.
    TooMuch,
}

impl Known {
    /// Where all are, and the one that is chosen.
    fn chosen(&self) -> Option<(&Whereabouts, &Choice)> {
        match self {
            Known::Whereabouts(whereabouts, choice) => Some((whereabouts, choice.as_ref()?)),
            Known::Route(_) | Known::TooMuch => None,
        }
    }

    /// The route of the message that is followed.
    pub fn route(&self, topology: &dyn Topology, is_intact: bool) -> Option<Route> {
        Some(match self {
            Known::Whereabouts(whereabouts, choice) => {
                let trail = whereabouts.trail(choice.as_ref()?.message, topology);
                Route::of(&trail, topology, is_intact)
            }
            Known::Route(followed) => Route::of(&followed.route, topology, is_intact),
            Known::TooMuch => return None,
        })
    }
}

/// Finds out where messages are, if they can be told apart, and which nodes a waveform, if there is one, is to show where none were
/// named. The routes that are for a picture are left in `routes`, if that is there.
pub(super) fn who_is_where(
    stimulus: &dyn Stimulus,
    asked: &Asked<'_>,
    message: Option<&str>,
    (quiet, has_wave): (bool, bool),
    routes: Option<&mut Option<Routes>>,
) -> Result<(Option<Known>, Vec<usize>), Error> {
    match follow::find(stimulus, message, (routes.is_some(), has_wave))? {
        Found::Nothing => {}
        Found::TooMuch => return Ok((Some(Known::TooMuch), stimulus.interesting())),
        Found::Followed(followed, all) => {
            if let Some(routes) = routes {
                *routes = all;
            }
            // Who names nodes and no message wants to see what is there.
            let is_there = |node: &usize| followed.route.nodes().contains(node);
            let is_seen = asked.nodes.is_none_or(|nodes| nodes.iter().any(is_there));
            if message.is_some() || is_seen {
                let nodes = followed.nodes.clone();
                return Ok((Some(Known::Route(followed)), nodes));
            }
        }
    }
    if message.is_none() && whereabouts::takes_long(stimulus) {
        let are_lost = stimulus.sent().is_empty() || !stimulus.faults().is_empty();
        if !quiet && !are_lost {
            note(&format!(
                "finding out where messages are would take far longer than the run: names and routes of messages \
                 are left out; --trace-message has it done all the same, in machines of up to {} nodes",
                MOST_NODES
            ));
        }
        return Ok((None, stimulus.interesting()));
    }
    let Some(whereabouts) = whereabouts::find(stimulus, quiet)? else {
        let nodes = stimulus.device().topology().nodes();
        return match message {
            Some(_) if nodes > MOST_NODES => Err(Refusal::of("--trace-message")
                .because(format!(
                    "messages are told apart in machines of up to {MOST_NODES} nodes, and this one has {nodes}"
                ))
                .instead(
                    "give fewer dimensions, or look at some nodes in a waveform (--wave, --trace-nodes)",
                )
                .into()),
            Some(text) => Err(whereabouts::no_message(text, &[])),
            None => Ok((None, stimulus.interesting())),
        };
    };
    let message = match message {
        Some(text) => Some(
            (whereabouts.named(text))
                .ok_or_else(|| whereabouts::no_message(text, &whereabouts.messages))?,
        ),
        None => None,
    };
    let bit_time = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    let choice = whereabouts.choose(&Wanted {
        message,
        nodes: asked.nodes,
        window: bit_time(asked.window.start)..bit_time(asked.window.end),
        frame: stimulus.live_bits_of_each(None).unwrap_or(1),
    });
    let nodes = match &choice {
        Some(choice) => choice.nodes.clone(),
        None => stimulus.interesting(),
    };
    Ok((Some(Known::Whereabouts(whereabouts, choice)), nodes))
}

/// A run that may be looked at.
pub(super) struct Observed<'a> {
    /// What ran, in a line.
    pub title: String,
    /// The same, and what it does.
    pub about: String,
    /// What is known of its messages, if anything is.
    pub known: Option<Known>,
    /// For a picture, the routes of messages of which not more than that is known.
    pub routes: Option<Routes>,
    /// What it was made of.
    pub stimulus: &'a dyn Stimulus,
}

impl Observed<'_> {
    /// Runs the machine, with a waveform and a picture if such were asked for. Where several ranks have the nodes of a
    /// waveform, all of them run it so, and only the first has the waveform.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; files that could not be written after all.
    pub fn simulate(
        mut self,
        machine: &mut dyn Lockstep,
        run: simulation::Run<'_>,
        looks: Looks,
        mut joined: Option<Joined>,
    ) -> Result<(Measurement, Seen), Error> {
        let mut coverage = looks.coverage(&&*machine)?;
        let Looks {
            mut wave, picture, ..
        } = looks;
        if wave.is_none() && picture.is_none() && joined.is_none() && coverage.is_none() {
            let measurement = simulation::advance(machine, run)?;
            return Ok((measurement, Seen::default()));
        }
        let routes = self.routes.take();
        let known = self.known.as_ref();
        let names = match (known, &wave) {
            (Some(Known::Whereabouts(whereabouts, choice)), Some(wave)) => {
                let message = choice.as_ref().map(|choice| choice.message);
                Some(Names::new(whereabouts, machine, wave.nodes(), message))
            }
            _ => None,
        };
        let bit_times = machine.device().bit_times().value;
        let on_page = match picture.as_ref().is_some_and(Picture::is_page) {
            true => wave_nodes(&&*machine, bit_times, &self.worth_a_wave()),
            false => Vec::new(),
        };
        let page_names = match known {
            Some(Known::Whereabouts(whereabouts, choice)) if !on_page.is_empty() => {
                let message = choice.as_ref().map(|choice| choice.message);
                Some(Names::new(whereabouts, machine, &on_page, message))
            }
            _ => None,
        };
        let legend = self.stimulus.legend();
        let mut told_of = wave
            .as_ref()
            .map_or(Vec::new(), |wave| wave.nodes().to_vec());
        told_of.extend(&on_page);
        // In a picture the colours tell what each node has come by.
        if picture.is_some() && machine.nodes() <= MOST_IN_COLOURS {
            told_of = (0..machine.nodes()).collect();
        }
        told_of.sort_unstable();
        told_of.dedup();
        let tales = match told_of.is_empty() {
            true => Tales::default(),
            false => self.stimulus.tales(&told_of)?,
        };
        let ends_told = tales
            .of_nodes
            .iter()
            .filter_map(|tale| Some(tale.told.last()?.from))
            .max()
            .filter(|_| bit_times <= READABLE_BIT_TIMES);
        let told = Told {
            about: &self.about,
            legend: &legend,
            tales: &tales.of_nodes,
            names: names.as_ref(),
            route: match known {
                Some(Known::Route(followed)) => Some(&followed.route),
                _ => None,
            },
        };
        let page_told = Told {
            names: page_names.as_ref(),
            ..told
        };
        let mut recorder = picture.as_ref().map(|_| {
            let named = Named {
                machine,
                told: page_told,
            };
            let recorder = Recorder::new(self.title.clone(), &&*machine).lasting(bit_times);
            match on_page.is_empty() {
                true => recorder,
                false => recorder.keeping(&named, &on_page),
            }
        });
        let held = match wave
            .as_ref()
            .is_some_and(|wave| wave.window().contains(&bit_times))
        {
            true => bit_times.div_ceil(MORE_AT_THE_END),
            false => 0,
        };
        let mut probe = match &mut wave {
            Some(wave) => Some(match &joined {
                Some(joined) => wave.attach(&joined.with(Named { machine, told }))?,
                None => wave.attach(&Named { machine, told })?,
            }),
            None => None,
        };
        match (&mut probe, known) {
            (Some(probe), Some(Known::Whereabouts(whereabouts, Some(choice)))) => {
                probe.follow(&whereabouts.messages[choice.message].name);
                probe.open_on(u64::from(choice.window.start)..u64::from(choice.window.end));
            }
            (Some(probe), Some(Known::Route(followed))) => {
                probe.follow(&followed.begin);
                if let Some(times) = followed.opens_on() {
                    probe.open_on(times);
                }
            }
            // Where it is told in words how nodes come by what they end up with, all of it.
            (Some(probe), _) if ends_told.is_some() => {
                // What comes of it is told in its last bit time, which alone would be too narrow.
                probe.hold(held);
                probe.open_on(0..bit_times + 1 + held);
            }
            _ => {}
        }
        let is_shown = probe.is_none()
            && joined.is_none()
            && coverage.is_none()
            && on_page.is_empty()
            && is_seen_on_wires(machine, run.faults);
        let look = |machine: &dyn Lockstep| {
            interrupt::check()?;
            if let Some(coverage) = &mut coverage {
                coverage.sample(&machine);
            }
            if let Some(recorder) = &mut recorder {
                let told = page_told;
                recorder.look(&machine);
                recorder.sample(&Named { machine, told });
            }
            if let Some(joined) = &mut joined {
                joined.look(machine);
            }
            let Some(probe) = &mut probe else {
                return Ok(());
            };
            let named = Named { machine, told };
            match &joined {
                Some(joined) => probe.sample(&joined.with(named)),
                None => probe.sample(&named),
            }
        };
        let measurement = match is_shown {
            false => simulation::run(machine, run, look)?,
            true => simulation::advance_shown(machine, run, &mut |transmitted| {
                if let Some(recorder) = &mut recorder {
                    recorder.look_at_wires(transmitted);
                }
            })?,
        };
        let mut recording = probe.map(Tracing::finish).transpose()?;
        let counted = tales.counted(machine.nodes());
        let drawn = match recorder {
            Some(recorder) => Some(picture::run::Run {
                legend: legend.clone(),
                iterations: self.stimulus.iterations(),
                sorts: self.stimulus.sorts(),
                failures: faults::drawn(&self.stimulus.faults(), machine.topology()),
                fates: self.stimulus.fates(machine)?,
                roles: (self.stimulus.roles().into_iter())
                    .map(|(node, words)| (node as u32, words))
                    .collect(),
                node: self.stimulus.interesting().first().map(|node| *node as u32),
                ..self.drawn(
                    with_route(
                        with_first(recorder.finish(), counted),
                        tales.route.clone(),
                        machine.topology(),
                    ),
                    routes,
                )
            }),
            None => None,
        };
        if let (Some(wave), Some(recording)) = (&wave, &mut recording) {
            recording.keeps = ends_told.map(|end| end * TICKS_PER_BIT_TIME);
            recording.decided = recording.keeps;
            self.say(recording, wave, machine.topology());
        }
        let looks = Looks {
            wave,
            picture,
            coverage: coverage.is_some(),
        };
        Ok((measurement, looks.seen(recording, drawn, coverage)))
    }

    /// Nodes whose waveforms are worth most, where there is no room for those of all.
    fn worth_a_wave(&self) -> Vec<usize> {
        match &self.known {
            Some(Known::Whereabouts(_, Some(choice))) => choice.nodes.clone(),
            Some(Known::Route(followed)) => followed.nodes.clone(),
            Some(Known::TooMuch) => Vec::new(),
            _ => self.stimulus.interesting(),
        }
    }

    /// A run, with the routes of its messages.
    fn drawn(&self, run: picture::run::Run, routes: Option<Routes>) -> picture::run::Run {
        match (&self.known, routes) {
            (Some(Known::Whereabouts(whereabouts, choice)), _) => {
                whereabouts.drawn(run, choice.as_ref())
            }
            (Some(Known::Route(followed)), Some(routes)) => {
                routes.drawn(run, Some(&followed.message))
            }
            (_, Some(routes)) => routes.drawn(run, None),
            // The others' would take too long.
            (Some(Known::Route(followed)), None) => picture::run::Run {
                messages: vec![followed.route.drawn(run.bit_times)],
                shown: Some(0),
                are_left_out: true,
                ..run
            },
            (Some(Known::TooMuch), None) => picture::run::Run {
                are_left_out: true,
                ..run
            },
            (_, None) => run,
        }
    }

    /// Has the view say what happens: marks, what nodes are for the message that is followed, what fails.
    fn say(&self, recording: &mut Recording, wave: &Wave, topology: &dyn Topology) {
        recording.counts_from = self.stimulus.counts_from();
        for (bit_time, name) in self.stimulus.marks() {
            recording.mark(bit_time, &name);
        }
        let mut roles = self.stimulus.roles();
        if let Some(Known::Route(followed)) = &self.known {
            let first = followed.route.hops().first().map(|hop| hop.times.end);
            let end = followed.route.arrived();
            let end = end.filter(|end| *end <= FEW_BIT_TIMES).or(first);
            recording.keeps = end.map(|end| end * TICKS_PER_BIT_TIME);
            let arrived = followed.route.arrived();
            recording.arrived = arrived.map(|arrived| arrived * TICKS_PER_BIT_TIME);
            followed.route.mark(recording, wave.nodes());
            let roles_of = |node: &usize| Some((*node, followed.route.role(*node)?.to_owned()));
            roles.extend(wave.nodes().iter().filter_map(roles_of));
        }
        if let Some((whereabouts, choice)) = self.known.as_ref().and_then(Known::chosen) {
            let comes = whereabouts
                .crossings(choice.message)
                .map(|(stay, _)| stay.to);
            // Of marks that collide the first is seen: how it ends.
            if let Some(end) = comes.max() {
                recording.mark(u64::from(end), "arrived");
                let is_seen = choice.window.contains(&end);
                recording.arrived = Some(u64::from(end) * TICKS_PER_BIT_TIME);
                recording.keeps = recording.arrived.filter(|_| is_seen);
            }
            let stays = whereabouts.with_header(choice.message);
            for (number, (node, times)) in stays.iter().enumerate().skip(1) {
                let name = match number + 1 == stays.len() {
                    true => "arrives".to_owned(),
                    false => format!("to_{}", topology.node_name(*node)),
                };
                recording.mark(times.start, &name);
            }
            roles.extend(hosts::whereabouts::roles(whereabouts, choice));
        }
        for (node, role) in roles {
            if let Some(place) = wave.place_of(node) {
                recording.entitle(place, &role);
            }
        }
        for (path, how) in self.stimulus.failing() {
            recording.fail(&path.each_ref().map(String::as_str), &how);
        }
    }
}
