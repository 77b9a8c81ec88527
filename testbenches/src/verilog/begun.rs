//! A project that is begun: what comes before its texts and behind them, whatever machine they describe.

use std::path::PathBuf;

use waves::gtkwave::FileNames;

use crate::error::Error;
use crate::error::refusal::takes_no;
use crate::folder::Folder;
use crate::lockstep::Identity;
use crate::options::{Format, VerilogOptions};
use crate::report::{Meta, VERSION, json};
use crate::testbench::bench::Job;
use crate::testbench::chosen::Chosen;
use crate::verilog::contents::Contents;
use crate::verilog::{DUMP, FirstRound, Project, called, commands, ports, readme, testbench};
use crate::wave::view_names;

/// The file of a project that says where it comes from.
const META_FILE: &str = "meta.json";
/// The file that tools read which prove what a machine promises.
pub(super) const PROPERTIES_FILE: &str = "properties.sv";

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
    /// What is said of that, behind where the machine comes from.
    pub of_choice: String,
    /// The command that asks for the same machine again, defaults and what was found spelled out, without its traffic and `--out`.
    command: String,
    /// The same as it stands before the file of the first round, without what means nothing beside that.
    again: String,
    folder: Folder,
    /// What its file says of where it comes from: the command names the folder alone, so that a project is the same wherever it is
    /// written.
    meta_file: String,
    /// What is printed of that.
    meta: Meta,
    /// A file of a view that was edited, and so is left as it is.
    kept_view: Option<PathBuf>,
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
            of_choice: String::new(),
            command: machine.command("verilog"),
            again: beside_file.command("verilog"),
            folder,
            meta_file: json(&meta(&again))?,
            meta: meta(options),
            kept_view: None,
        })
    }

    /// The head of a file of the machine: what it is a part of, where that comes from, and the command that writes it again.
    pub fn title(&self) -> String {
        self.titled(&self.command)
    }

    fn titled(&self, command: &str) -> String {
        let Identity { models, source, .. } = self.identity;
        format!(
            "{}: {models}.\n{source}{}.\nWritten by cubewave {VERSION}: {command} --out DIR\n\
             SPDX-License-Identifier: MIT OR Apache-2.0",
            called(self.identity.name, self.choice),
            self.of_choice,
        )
    }

    /// What traffic and later rounds are drawn from, if it takes such an option and the machine's command does not say it.
    fn seed(&self) -> Option<u64> {
        let is_said = (self.chosen.bench().project.goes_by_seed)(self.chosen);
        self.chosen.seed_if_any().filter(|_| !is_said)
    }

    /// The file of the first round, and how it is asked for.
    pub fn first_round(&self) -> FirstRound {
        self.chosen.bench().first_round()
    }

    /// How a run of that round is asked for, for people.
    pub fn first_round_again(&self) -> String {
        let round = self.first_round();
        let is = match round.option {
            Some(_) => "for",
            None => "which is drawn by",
        };
        let again = self.again.replacen("verilog", "run", 1);
        format!("{is} `{again}{}`", round.words(self.seed()))
    }

    /// What the files of a view of its dump are to be called: none of them replaces one that was edited.
    pub fn view_files(&mut self, has_steps: bool) -> FileNames {
        let view = view_names(self.folder.path(), DUMP, has_steps);
        self.kept_view = view.kept;
        view.names
    }

    /// What the machine promises, if that is asked for, as it is `written` with a title.
    ///
    /// # Errors
    /// A machine that promises nothing, which is `why`; those of what writes.
    pub(crate) fn properties(
        &self,
        why: &str,
        written: impl FnOnce(&str) -> Result<Option<String>, Error>,
    ) -> Result<Option<String>, Error> {
        if !self.options.properties {
            return Ok(None);
        }
        let written = written(&self.title())?;
        (written.map(Some)).ok_or_else(|| takes_no(self.identity.name, "--properties", why))
    }

    /// Writes it.
    ///
    /// # Errors
    /// A file that is read, or one that cannot be written after all; [`Error::Interrupted`].
    pub(crate) fn write(self, contents: Contents) -> Result<Project, Error> {
        let of_rounds = (self.first_round()).words_of_rounds(contents.rounds.len(), self.seed());
        let tb_title = self.titled(&(self.again.clone() + &of_rounds));
        let readme = readme::text(&self, &contents);
        let tb = testbench::text(&tb_title, &contents);
        let Contents {
            hardware,
            traffic_file,
            memories,
            properties,
            view,
            mut facts,
            ..
        } = contents;
        let mut files = vec![("README.md".to_owned(), readme)];
        let modules = hardware.design.files().into_iter();
        files.extend(modules.map(|(name, text)| (name, text.to_owned())));
        files.push(("tb.v".to_owned(), tb));
        files.push((self.first_round().file.to_owned(), traffic_file));
        let memories = memories.into_iter();
        files.extend(memories.map(|memory| (memory.file(), memory.contents)));
        files.extend(properties.map(|text| (PROPERTIES_FILE.to_owned(), text)));
        files.push((META_FILE.to_owned(), self.meta_file));
        if let Some((names, view)) = view {
            let of_view = [
                (names.save, view.save),
                (names.step_filter, view.step_filter),
                (names.surfer, view.surfer),
            ];
            // A machine without steps has no filter of them.
            files.extend(of_view.into_iter().filter(|(_, text)| !text.is_empty()));
        }
        self.folder.write(&files)?;
        facts.extend(hardware.facts());
        Ok(Project {
            bench: self.identity.name,
            choice: self.choice,
            dims: hardware.dims,
            nodes: hardware.nodes,
            facts,
            logic_depth: (&hardware.depth).into(),
            ports: ports(&hardware.design),
            folder: self.options.out.display().to_string(),
            files: files.into_iter().map(|(name, _)| name).collect(),
            kept_view: self.kept_view.map(|path| path.display().to_string()),
            commands: commands(&hardware.design),
            meta: self.meta,
            lines: hardware.lines(),
        })
    }
}
