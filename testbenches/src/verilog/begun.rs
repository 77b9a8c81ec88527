//! A project that is begun: what comes before its texts and behind them, whatever machine they describe.

use std::path::PathBuf;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::device::Device;
use waves::gtkwave::FileNames;

use crate::error::Error;
use crate::folder::Folder;
use crate::lockstep::Identity;
use crate::options::{Format, VerilogOptions};
use crate::report::{Depth, Formula, Meta, Section, VERSION, json, value};
use crate::testbench::bench::Job;
use crate::testbench::chosen::Chosen;
use crate::verilog::{DUMP, FlipFlops, Project, called, commands};
use crate::wave::view_names;

/// The file of a project that says where it comes from.
const META_FILE: &str = "meta.json";

/// A project that was asked for: its folder is checked, and nothing of it is written.
pub struct Begun<'a> {
    /// What is chosen of the testbench.
    pub chosen: &'a Chosen,
    /// What else is asked for.
    pub options: &'a VerilogOptions,
    /// What the heads of files say first.
    pub identity: Identity,
    /// What was chosen of it, by what that is called: the schedule, the network. None if there is only one way.
    choice: (&'static str, Option<&'static str>),
    /// The command that asks for the same machine again, defaults and what was found spelled out, without its traffic and `--out`.
    pub command: String,
    /// The same as it stands before the file of the first round, without what means nothing beside that.
    pub again: String,
    folder: Folder,
    /// What its file says of where it comes from: the command names the folder alone, so that a project is the same wherever it is
    /// written.
    meta_file: String,
    /// What is printed of that.
    meta: Meta,
    /// A file of a view that was edited, and so is left as it is.
    kept_view: Option<PathBuf>,
}

/// What a project says of its machine.
pub struct OfMachine<'a> {
    /// Dimensions of the cube, or levels.
    pub dims: usize,
    /// Nodes.
    pub nodes: usize,
    /// What the family says of the machine and its traffic.
    pub facts: Section,
    /// Its registers.
    pub flip_flops: FlipFlops,
    /// Gates on the longest path between two registers.
    pub logic_depth: Depth,
    /// Its bit times, for people.
    pub bit_times: String,
    /// Its ports, as the family names them.
    pub ports: Section,
    /// The files that it is in.
    pub files: &'a [&'a str],
}

impl<'a> OfMachine<'a> {
    /// Of one that a sequencer steers, with such a longest path.
    pub fn of_device(
        device: &dyn Device,
        depth: &LogicDepth,
        (mut facts, ports): (Section, Section),
        files: &'a [&'a str],
    ) -> Self {
        let (topology, form) = (device.topology(), Formula::from(device.bit_times()));
        facts.push(("bit_times_formula", value(&form)));
        OfMachine {
            dims: topology.dims(),
            nodes: topology.nodes(),
            facts,
            flip_flops: FlipFlops {
                node: device.storage().total,
                sequencer: Some(device.sequencer_storage().total),
            },
            logic_depth: depth.into(),
            bit_times: form.to_string(),
            ports,
            files,
        }
    }

    /// What is said of it for people.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let FlipFlops { node, sequencer } = self.flip_flops;
        let of_node = format!("{node} a node");
        let depth = self.logic_depth;
        let all = format!("{} gates", depth.total);
        let (registers, gates) = match sequencer {
            None => (of_node, all),
            Some(sequencer) => (
                format!("{of_node}, {sequencer} in the sequencer"),
                format!("{all} (node {}, sequencer {})", depth.node, depth.sequencer),
            ),
        };
        vec![
            ("flip-flops", registers),
            ("logic depth", gates),
            ("bit times", self.bit_times.clone()),
        ]
    }
}

impl<'a> Begun<'a> {
    /// In that folder, of a job of what is chosen.
    ///
    /// # Errors
    /// A date that is none; what JSON cannot hold.
    pub(crate) fn new(
        folder: Folder,
        job: &dyn Job,
        (chosen, options): (&'a Chosen, &'a VerilogOptions),
    ) -> Result<Self, Error> {
        let complete = chosen.clone().with_found(job.found());
        let date = options.date.date()?;
        let meta = |options: &VerilogOptions| complete.meta_of("verilog", &options.words(), date);
        let out = options.out.file_name();
        let again = VerilogOptions {
            out: out.map_or(options.out.clone(), PathBuf::from),
            force: false,
            format: Format::default(),
            ..options.clone()
        };
        let bench = chosen.bench();
        let beside_file = complete.beside(bench.first_round().option);
        // What was found and is not to be given beside that file, the file says.
        let of_file = bench.parameters.iter();
        let of_file = of_file.filter(|one| !chosen.has(one) && !beside_file.has(one));
        let machine = of_file.fold(complete.clone(), |of, one| of.with(one, None));
        Ok(Begun {
            chosen,
            options,
            identity: bench.identity(job),
            choice: (bench.project.choice, job.choice()),
            command: machine.command("verilog"),
            again: beside_file.command("verilog"),
            folder,
            meta_file: json(&meta(&again))?,
            meta: meta(options),
            kept_view: None,
        })
    }

    /// The head of a file: what it is a part of, where that comes from, with what else is said of what was chosen, and the command that
    /// writes it again.
    pub fn title(&self, of_choice: &str, command: &str) -> String {
        let Identity { models, source, .. } = self.identity;
        format!(
            "{}: {models}.\n{source}{of_choice}.\nWritten by cubewave {VERSION}: {command} --out DIR\n\
             SPDX-License-Identifier: MIT OR Apache-2.0",
            called(self.identity.name, self.choice),
        )
    }

    /// What traffic and later rounds are drawn from, if it takes such an option and the machine's command does not say it.
    pub fn seed(&self) -> Option<u64> {
        let is_said = (self.chosen.bench().project.goes_by_seed)(self.chosen);
        self.chosen.seed_if_any().filter(|_| !is_said)
    }

    /// The command that asks for the same rounds of `tb.v`, the first from its file.
    pub fn of_rounds(&self, rounds: usize) -> String {
        let first_round = self.chosen.bench().first_round();
        self.again.clone() + &first_round.words_of_rounds(rounds, self.seed())
    }

    /// The file that says where it comes from, and what it says.
    pub fn meta_file(&self) -> (&'static str, String) {
        (META_FILE, self.meta_file.clone())
    }

    /// What the files of a view of its dump are to be called: none of them replaces one that was edited.
    pub fn view_files(&mut self, has_steps: bool) -> FileNames {
        let view = view_names(self.folder.path(), DUMP, has_steps);
        self.kept_view = view.kept;
        view.names
    }

    /// Writes it.
    ///
    /// # Errors
    /// A file that is read, or one that cannot be written after all; [`Error::Interrupted`].
    pub fn write(self, files: &[(&str, String)], machine: OfMachine<'_>) -> Result<Project, Error> {
        self.folder.write(files)?;
        let lines = machine.lines();
        let mut facts = machine.facts;
        facts.push(("flip_flops", value(&machine.flip_flops)));
        Ok(Project {
            bench: self.identity.name,
            choice: self.choice,
            dims: machine.dims,
            nodes: machine.nodes,
            facts,
            logic_depth: machine.logic_depth,
            ports: machine.ports,
            folder: self.options.out.display().to_string(),
            files: files.iter().map(|(name, _)| (*name).to_owned()).collect(),
            kept_view: self.kept_view.map(|path| path.display().to_string()),
            commands: commands(machine.files),
            meta: self.meta,
            lines,
        })
    }
}
