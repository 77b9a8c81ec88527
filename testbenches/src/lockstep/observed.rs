//! A run that is looked at: what its waveform and its picture show, and what is known of its messages for them.

use std::io::{self, Write};

use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::picture;
use waves::probe::Recording;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::lockstep::whereabouts::named::{Named, Names};
use crate::lockstep::whereabouts::{self, Choice, Wanted, Whereabouts};
use crate::picture::{Picture, Recorder, put_in_place};
use crate::report::Outputs;
use crate::wave::{Asked, Wave};

/// What ran, in a line.
pub(super) fn title(of: &Identity, topology: &dyn Topology) -> String {
    let schedule = of
        .schedule
        .map_or(String::new(), |schedule| format!(", schedule {schedule}"));
    format!("{}{schedule}, {}", of.name, topology.summary())
}

/// Where messages are, and what a waveform shows of it.
pub(super) struct Known {
    whereabouts: Whereabouts,
    choice: Option<Choice>,
}

/// Finds out where messages are, if they can be told apart, and which nodes a waveform is to show where none were named.
pub(super) fn who_is_where(
    stimulus: &dyn Stimulus,
    asked: &Asked<'_>,
    message: Option<&str>,
    quiet: bool,
) -> Result<(Option<Known>, Vec<usize>), Error> {
    if message.is_none() && whereabouts::takes_long(stimulus) {
        let are_lost = stimulus.sent().is_empty() || !stimulus.faults().is_empty();
        if !quiet && !are_lost {
            // Where nobody can read it, it is no loss: views and pictures lack them.
            let _ = writeln!(
                io::stderr(),
                "note: finding out where messages are would take far longer than the run: names and ways of messages \
                 are left out; --trace-message has it done all the same, in machines of up to {} nodes",
                whereabouts::MOST_NODES
            );
        }
        return Ok((None, stimulus.interesting()));
    }
    let Some(whereabouts) = whereabouts::find(stimulus, quiet)? else {
        let nodes = stimulus.device().topology().nodes();
        return match message {
            Some(_) if nodes > whereabouts::MOST_NODES => Err(Error::TooManyToFollow {
                nodes,
                most: whereabouts::MOST_NODES,
            }),
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
    let known = Known {
        whereabouts,
        choice,
    };
    Ok((Some(known), nodes))
}

/// A run that may be looked at.
pub(super) struct Observed<'a> {
    /// What ran, in a line.
    pub title: String,
    /// What is known of its messages, if anything is.
    pub known: Option<Known>,
    /// What it was made of.
    pub stimulus: &'a dyn Stimulus,
}

impl Observed<'_> {
    /// Runs the machine, with a waveform and a picture if such were asked for.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; files that could not be written after all.
    pub fn simulate(
        &self,
        machine: &mut dyn Lockstep,
        run: simulation::Run<'_>,
        (mut wave, picture): (Option<Wave>, Option<Picture>),
    ) -> Result<(Measurement, Outputs), Error> {
        if wave.is_none() && picture.is_none() {
            let measurement = simulation::advance(machine, run)?;
            return Ok((measurement, Outputs::default()));
        }
        let path = wave.as_ref().map(|wave| wave.path().to_owned());
        let unwritable = |reason| Error::Unwritable {
            path: path.clone().unwrap_or_default(),
            reason,
        };
        let known = self.known.as_ref();
        let choice = known.and_then(|known| known.choice.as_ref());
        let names = known.zip(wave.as_ref()).map(|(known, wave)| {
            let message = choice.map(|choice| choice.message);
            Names::new(&known.whereabouts, machine, wave.nodes(), message)
        });
        let names = names.as_ref();
        let mut recorder = picture
            .as_ref()
            .map(|_| Recorder::new(self.title.clone(), machine));
        let mut probe = match &mut wave {
            Some(wave) => Some(wave.attach(&Named { machine, names })?),
            None => None,
        };
        if let Some(probe) = &mut probe {
            self.stimulus
                .followed()
                .inspect(|begin| probe.follow(begin));
            if let (Some(known), Some(choice)) = (known, choice) {
                probe.follow(&known.whereabouts.messages[choice.message].name);
                probe.open_on(u64::from(choice.window.start)..u64::from(choice.window.end));
            }
        }
        let measurement = simulation::run(machine, run, |machine| {
            interrupt::check()?;
            if let Some(recorder) = &mut recorder {
                recorder.look(machine);
            }
            match &mut probe {
                Some(probe) => probe.sample(&Named { machine, names }).map_err(unwritable),
                None => Ok(()),
            }
        })?;
        let recording = probe.map(|probe| probe.finish().map(|(_, recording)| recording));
        let recording = recording.transpose().map_err(unwritable)?;
        let drawn = recorder.map(|recorder| self.drawn(recorder.finish()));
        let mut recorded = wave.zip(recording);
        if let Some((wave, recording)) = &mut recorded {
            self.say(recording, wave, machine.topology());
        }
        let outputs = put_in_place(recorded, picture.zip(drawn))?;
        Ok((measurement, outputs))
    }

    /// A run, with the ways of its messages.
    fn drawn(&self, run: picture::run::Run) -> picture::run::Run {
        match &self.known {
            None => run,
            Some(known) => known.whereabouts.drawn(run, known.choice.as_ref()),
        }
    }

    /// Has the view say what happens: marks, what nodes are for the message that is followed, what fails.
    fn say(&self, recording: &mut Recording, wave: &Wave, topology: &dyn Topology) {
        for (bit_time, name) in self.stimulus.marks() {
            recording.mark(bit_time, &name);
        }
        let mut roles = self.stimulus.roles();
        if let Some((whereabouts, choice)) = (self.known.as_ref())
            .and_then(|known| Some((&known.whereabouts, known.choice.as_ref()?)))
        {
            for (node, times) in whereabouts.at_nodes(choice.message).iter().skip(1) {
                let name = format!("to_{}", topology.node_name(*node));
                recording.mark(u64::from(times.start), &name);
            }
            roles.extend(whereabouts::roles(whereabouts, choice));
        }
        for (node, role) in roles {
            if let Some(place) = wave.place_of(node) {
                recording.entitle(place, &role);
            }
        }
        for path in self.stimulus.failing() {
            recording.fail(&path.each_ref().map(String::as_str));
        }
    }
}
