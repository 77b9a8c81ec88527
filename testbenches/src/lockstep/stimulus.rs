//! A machine and its traffic, and what is found of them: all that a run, its report and its Verilog project need to know.
//!
//! A job makes a [`Stimulus`] when its traffic is drawn or read; [`crate::lockstep::carry_out`] runs it.

use hosts::tale::Tales;
use rtl_model::closed_form::ClosedForm;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::share::gathered;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use rtl_model::traffic::Traffic;
use waves::picture::run::Fate;

use crate::error::Error;
use crate::lockstep::faults::WireFault;
use crate::lockstep::simulation::Measurement;
use crate::output::Staged;
use crate::report::{Outputs, Section, Told};
use crate::testbench::bench::Files;
use crate::testbench::parameter::Parameter;

/// What a report and a project say first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The testbench.
    pub name: &'static str,
    /// What it models, in a line.
    pub models: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its schedule, where there are several.
    pub schedule: Option<&'static str>,
}

impl Identity {
    /// What runs on which network, in a line.
    pub fn on(&self, topology: &dyn Topology) -> String {
        let schedule = self.schedule;
        let schedule = schedule.map_or(String::new(), |name| format!(", schedule {name}"));
        format!("{}{schedule}, {}", self.name, topology.summary())
    }
}

/// A run that is over.
pub struct Ended<'a> {
    /// Its machine.
    pub machine: Box<dyn Lockstep>,
    /// What was measured.
    pub measurement: &'a Measurement,
    /// Files that are to be written.
    pub files: Files,
    /// Files that were written.
    pub outputs: &'a mut Outputs,
    /// No progress bar.
    pub quiet: bool,
}

impl<'a> Ended<'a> {
    /// One that writes no files, and says nothing.
    pub fn quietly(
        machine: Box<dyn Lockstep>,
        measurement: &'a Measurement,
        outputs: &'a mut Outputs,
    ) -> Self {
        Ended {
            machine,
            measurement,
            files: Files::default(),
            outputs,
            quiet: true,
        }
    }

    /// The file that a parameter names, if it is to be written.
    pub fn file(&mut self, parameter: &Parameter) -> Option<Staged> {
        self.files.of(parameter, self.outputs)
    }

    /// The file of what arrived, if it is to be written.
    pub fn deliveries(&mut self) -> Option<Staged> {
        self.files.deliveries(self.outputs)
    }
}

/// A machine and its traffic.
pub trait Stimulus {
    /// The machine.
    fn device(&self) -> &dyn Device;

    /// Puts the traffic into the nodes, before bit time 0. `passed` is told how many nodes have been loaded.
    ///
    /// # Errors
    /// Whatever `passed` returns.
    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError>;

    /// The message bits that are live in all nodes once a bit time is over (`None`: as loaded), if none is lost or doubled;
    /// nothing where no messages move, or nobody can say.
    fn live_bits(&self, after: Option<Position>) -> Option<u64> {
        let _ = after;
        None
    }

    /// The messages that are sent, a routing for each slot of a node; none where messages cannot be told apart by their
    /// payloads, or have names that come from elsewhere ([`Stimulus::follow`]).
    fn sent(&self) -> &[Traffic] {
        &[]
    }

    /// Message bits of each message that are live once a bit time is over (`None`: as loaded): its header and its payload.
    fn live_bits_of_each(&self, after: Option<Position>) -> Option<u32> {
        let device = self.device();
        let of_slot = device.live_bits_of_slot(after, 0);
        device.live_bits_per_message(after).or(of_slot)
    }

    /// Puts other traffic into the nodes, of the same messages with other payloads.
    ///
    /// # Errors
    /// None where [`Stimulus::sent`] gives any.
    fn load_instead(&self, machine: &mut dyn Lockstep, sent: &[Traffic]) -> Result<(), ModelError> {
        let _ = (machine, sent);
        Ok(())
    }

    /// Whether its logic is small enough to be written down for the sake of its depth alone.
    fn has_logic_depth(&self) -> bool {
        true
    }

    /// The wires that fail while it runs, each of them a wire that the machine has; none unless a testbench is about such
    /// faults. They are part of every run, with a waveform and without. The Verilog project, whose wires nobody forces,
    /// goes without them.
    fn faults(&self) -> Vec<WireFault> {
        Vec::new()
    }

    /// Takes note of the threads that it may use for runs of its own, after the first.
    fn take_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// Before the machine is built: lets go of what a run has no use for. What arrived is to be written, or not.
    ///
    /// # Errors
    /// Deliveries that do not fit into memory.
    fn begin(&mut self, deliveries: bool) -> Result<(), Error> {
        let _ = deliveries;
        Ok(())
    }

    /// Of several ranks, those that are not the first do this in place of [`Stimulus::judge`]: they let the first read what
    /// they hold.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    fn attend(&self, machine: &dyn Lockstep, deliveries: bool) -> Result<(), Error> {
        let _ = deliveries;
        Ok(gathered::serve(machine)?)
    }

    /// Reads the nodes after the last bit time, and judges.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; a file that could not be written after all.
    fn judge(&mut self, run: Ended<'_>) -> Result<Verdict, Error>;

    /// The traffic as a file that `--traffic-file` reads.
    fn traffic_file(&self) -> String;

    /// Before a project is written: works out what is to be expected of it, where only a run tells.
    ///
    /// # Errors
    /// A run that goes wrong.
    fn foresee(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// What the host is to read at the end: of a node, a field and a bit of it; nothing where that does not matter. It is
    /// known from the traffic alone.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_>;

    /// Whether it matters in which order messages have arrived at a node: where it does not, [`Stimulus::expected`] has one of several.
    fn order_is_due(&self) -> bool {
        true
    }

    /// The same with the traffic of a later round of its Verilog testbench, 2 or more, and what that is.
    ///
    /// # Errors
    /// None of its own.
    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error>;

    /// Bit times that a view of a waveform marks, and what each mark is called, beside the steps: what happens from outside.
    fn marks(&self) -> Vec<(u64, String)> {
        Vec::new()
    }

    /// What a waveform follows of what its texts of ports tell: what is asked for, by name or number, or else what has much to
    /// tell; none if there is nothing of that kind.
    ///
    /// # Errors
    /// A message that there is not.
    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        let _ = asked;
        Ok(None)
    }

    /// Of a text that a waveform tells of a port: how all texts begin that are about the same message.
    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        text
    }

    /// The message that texts with this beginning are about, if they are about one.
    fn message_of(&self, begin: &str) -> Option<Followed> {
        let _ = begin;
        None
    }

    /// What a waveform says of the run beside its name and its network, such as the algorithm; it may be nothing.
    fn in_words(&self) -> String {
        String::new()
    }

    /// What names in a waveform mean, in phrases.
    fn legend(&self) -> Vec<String> {
        Vec::new()
    }

    /// What its iterations are called, if not that.
    fn iterations(&self) -> Option<&'static str> {
        None
    }

    /// Whether it sorts messages by their destinations.
    fn sorts(&self) -> bool {
        false
    }

    /// What a waveform tells of these nodes in words, from one bit time to the next, where their registers do not tell it by
    /// themselves.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    fn tales(&self, nodes: &[usize]) -> Result<Tales, Error> {
        let _ = nodes;
        Ok(Tales::default())
    }

    /// The number that its texts give the first iteration: 0, or 1.
    fn counts_from(&self) -> u32 {
        0
    }

    /// What nodes are for the run, such as the one that ends up with the result.
    fn roles(&self) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// Signals of a waveform that are of wires that fail: the scopes inside the machine, and then the name; and how it fails.
    fn failing(&self) -> Vec<([String; 3], String)> {
        Vec::new()
    }

    /// What became of messages, read from the nodes after the last bit time, where more is known of them than that they
    /// arrived: each by its name as a picture has it.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; what cannot be read.
    fn fates(&self, machine: &dyn Lockstep) -> Result<Vec<Fate>, Error> {
        let _ = machine;
        Ok(Vec::new())
    }

    /// What is told of the machine and its traffic.
    fn facts(&self) -> Section {
        Vec::new()
    }

    /// The nodes to trace where none are named.
    fn interesting(&self) -> Vec<usize>;
}

/// What a waveform follows: something that is at one node when the run begins, and that texts of ports tell of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// How texts begin that are about it.
    pub begin: String,
    /// What it is called.
    pub name: String,
    /// Where it begins.
    pub source: usize,
    /// The node that it is for; none if it is for all to which it comes.
    pub destination: Option<usize>,
    /// The nodes of a first screen; none if they are those on its way.
    pub nodes: Vec<usize>,
}

/// What a family found, and how it speaks of it.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Payload bits of a message; none where none is sent.
    pub payload_bits: Option<usize>,
    /// What the traffic is called.
    pub traffic: String,
    /// The share of nodes that send, if it was drawn.
    pub load: Option<f64>,
    /// What it was drawn from.
    pub seed: u64,
    /// What was sent, or counted.
    pub messages: usize,
    /// Of it, what is as it should be.
    pub delivered: usize,
    /// The storage that the design allows a node.
    pub storage_bound: Option<ClosedForm>,
    /// As required of memory, for all nodes.
    pub bytes: u64,
    /// The share of wire-bit-times that are given out to packets, where nodes decide for themselves whether they send; none where
    /// what is given out to units is all that is known.
    pub wire_use: Option<f64>,
    /// Rows of the summary, from what the traffic is called on; what the JSON has; and checks. What holds of every machine is added.
    pub told: Told,
}
