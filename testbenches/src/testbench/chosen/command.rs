//! The commands that ask for what is chosen again, and what a report says of where it comes from.

use serde_json::{Map, Value};
use waves::provenance::Provenance;

use crate::error::Error;
use crate::options::RunOptions;
use crate::output::DASH;
use crate::report::{Date, Meta, with_value};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter, SEED, Scope};

/// The command that runs a testbench.
const RUN: &str = "run";

impl Chosen {
    /// Where its report comes from. What a sweep alone asks for, a run cannot be asked for: then there is no command.
    pub fn meta(&self, options: &RunOptions, date: Date) -> Meta {
        let mut given = self.bench.parameters.iter().filter(|one| self.has(one));
        let is_run = given.all(|one| one.scope != Scope::Sweep || one.called_in_runs.is_some());
        // Whoever reads the command has not what came from standard input, and no file whose name is no text.
        let inputs = self.inputs().into_iter().map(|input| input.path);
        let all = inputs
            .clone()
            .chain(self.outputs().into_iter().map(|(path, _)| path));
        let mut all = all.chain(options.files());
        let is_run = is_run
            && inputs.clone().all(|path| path.as_os_str() != DASH)
            && all.all(|path| path.to_str().is_some());
        Meta {
            parameters: self.by_name(RUN),
            seed: self.seed_if_any(),
            ..Meta::new(is_run.then(|| self.command_of_report(options)), date)
        }
    }

    /// Where what is looked at of a run comes from, which is asked for again as [`Chosen::command_of_run`] says.
    ///
    /// # Errors
    /// A date that is none.
    pub fn provenance(&self, options: &RunOptions) -> Result<Provenance, Error> {
        let command = self.command_of_run(options);
        let mut meta = self.meta(options, options.date.date()?);
        // What gives nothing again gives no picture either.
        meta.command = meta.command.map(|_| command.clone());
        Ok(Provenance {
            command,
            ..meta.provenance()
        })
    }

    /// Where the result of another command comes from, which has these words beside what is chosen of the machine and its traffic.
    pub fn meta_of(&self, verb: &str, words: &str, date: Date) -> Meta {
        let is_said = |parameter: &Parameter| !is_output(parameter) && self.is_of_run(parameter);
        let is_read_again = self
            .inputs()
            .iter()
            .all(|input| input.path.as_os_str() != DASH && input.path.to_str().is_some());
        let command = is_read_again.then(|| self.spelled_out(verb, is_said) + words);
        Meta {
            parameters: self.by_name(verb),
            seed: self.seed_if_any(),
            ..Meta::new(command, date)
        }
    }

    /// The command that asks for the same machine again, defaults spelled out; without its traffic and without what only a run has.
    pub fn command(&self, verb: &str) -> String {
        let all = self.bench.parameters.iter();
        // The file of the first round is given in their place.
        let file = self.bench.project.first_round.option;
        let of_file = all.clone().find(|one| Some(one.option) == file);
        let instead = of_file.map_or(&[][..], |file| file.conflicts);
        let goes_by_seed = (self.bench.project.goes_by_seed)(self);
        self.spelled_out(verb, |parameter| {
            let is_file = matches!(parameter.kind, Kind::File(_)) || is_output(parameter);
            let is_seed = parameter.name == SEED.name && !goes_by_seed;
            let is_said = self.is_of_run(parameter) && !instead.contains(&parameter.name);
            is_said && !is_file && !is_seed
        })
    }

    /// The command that asks for the same run again, defaults spelled out, with its waveform and its picture and what they show; without
    /// other files that it writes, and without a picture that nobody kept.
    pub fn command_of_run(&self, options: &RunOptions) -> String {
        let run = self.spelled_out(RUN, |one| !is_output(one) && self.is_of_run(one));
        run + &options.of_looks().words()
    }

    /// The command that gives the same report and the same files again, defaults spelled out.
    pub fn command_of_report(&self, options: &RunOptions) -> String {
        self.spelled_out(RUN, |parameter| self.is_of_run(parameter)) + &options.words()
    }

    /// What is chosen by name, defaults included; of what is on or off, that it is on.
    pub fn by_name(&self, verb: &str) -> Map<String, Value> {
        let all = self.said(verb, |one| !is_output(one) && self.is_of_run(one));
        let typed = all.into_iter().map(|(parameter, value)| {
            let value = match parameter.kind {
                Kind::Whole | Kind::Range(..) => value.parse::<u64>().map(Value::from).ok(),
                Kind::Share | Kind::Amount => value.parse::<f64>().map(Value::from).ok(),
                Kind::Switch => Some(true.into()),
                Kind::Name(..) | Kind::Text | Kind::File(_) | Kind::Output(_) => None,
            }
            .unwrap_or(value.into());
            (parameter.name.to_owned(), value)
        });
        typed.collect()
    }

    /// Whether a run has it: given, or a default for which nothing else is given.
    fn is_of_run(&self, parameter: &Parameter) -> bool {
        let mut given = self.bench.parameters.iter().filter(|one| self.has(one));
        self.has(parameter) || !given.any(|one| one.conflicts.contains(&parameter.name))
    }

    /// A command that says what is chosen of the machine and its traffic, as far as it is to be said.
    fn spelled_out(&self, verb: &str, is_said: impl Fn(&Parameter) -> bool) -> String {
        let first = format!("cubewave {verb} {}", self.bench.name);
        let words = self.said(verb, is_said).into_iter();
        words.fold(first, |command, (parameter, value)| match &*value {
            "" => format!("{command} {}", parameter.option),
            value => command + &with_value(parameter.option, value),
        })
    }

    /// What is chosen of the machine and its traffic, as far as it is to be said, each with its value.
    fn said(
        &self,
        verb: &str,
        is_said: impl Fn(&Parameter) -> bool,
    ) -> Vec<(&'static Parameter, String)> {
        let all = self.bench.parameters.iter().copied();
        let of_sweep = |one: &&Parameter| one.scope == Scope::Sweep && self.has(one);
        let otherwise = all
            .clone()
            .filter(of_sweep)
            .filter_map(|one| one.called_in_runs);
        let otherwise: Vec<&str> = otherwise.map(|one| one.name).collect();
        let said = all.filter(|parameter| match parameter.scope {
            _ if otherwise.contains(&parameter.name) => false,
            Scope::Machine => is_said(parameter),
            Scope::Run => verb == RUN && is_said(parameter),
            Scope::Sweep => verb == RUN && of_sweep(parameter),
            Scope::Fixed => false,
        });
        let of_run = |parameter: &'static Parameter| parameter.called_in_runs.unwrap_or(parameter);
        said.filter_map(|parameter| Some((of_run(parameter), self.shown(parameter)?)))
            .collect()
    }
}

fn is_output(parameter: &Parameter) -> bool {
    matches!(parameter.kind, Kind::Output(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    /// What a command line cannot have beside what is given is left out; the seed and both files that are looked at are in it.
    #[test]
    fn a_run_is_asked_for_again_by_all_that_it_was_asked_for() {
        let bench = families::testbench("kuszmaul").unwrap();
        let (chosen, options) = bench
            .asked_with_options("--dims 3 --seed 5 --wave waves/w.vcd --picture p.html")
            .unwrap();
        let command = chosen.command_of_run(&options);
        assert_eq!(
            command,
            "cubewave run kuszmaul --schedule plain --dims 3 --payload-bits 8 --traffic randperm --load 0.75 --seed 5 \
             --wave w.vcd --picture p.html"
        );
        let again = bench.asked(command.strip_prefix("cubewave run kuszmaul ").unwrap());
        assert_eq!(again.unwrap().command_of_run(&options), command);
        let of_file = bench.asked("--dims 3 --traffic-file mine.csv").unwrap();
        let command = of_file.command_of_run(&RunOptions::default());
        assert!(command.contains(" --traffic-file mine.csv"), "{command}");
        assert!(
            !command.contains("--traffic ") && !command.contains("--load"),
            "{command}"
        );
    }

    #[test]
    fn what_only_a_run_has_is_asked_for_again() {
        let bench = families::testbench("wormhole").unwrap();
        let chosen = bench.asked("--traffic uniform --offered-load 0.1").unwrap();
        let command = chosen.command_of_run(&RunOptions::default());
        assert!(command.contains(" --offered-load 0.1 "), "{command}");
        let again = bench.asked(command.strip_prefix("cubewave run wormhole ").unwrap());
        assert_eq!(
            again.unwrap().command_of_run(&RunOptions::default()),
            command
        );
    }

    /// Nobody else has what came in there, and a value with a dash is no option.
    #[test]
    fn a_command_that_would_not_give_the_same_is_none() {
        let bench = families::testbench("kuszmaul").unwrap();
        let command = |words| {
            let (chosen, options) = bench.asked_with_options(words).unwrap();
            chosen.meta(&options, Date::Nothing).command
        };
        assert_eq!(command("--dims 3 --traffic-file -"), None);
        let of_file = command("--dims 3 --traffic-file=-t.csv --wave=-w.vcd --trace-to 5").unwrap();
        assert!(of_file.contains(" --traffic-file=-t.csv --"), "{of_file}");
        assert!(
            of_file.ends_with(" --wave=-w.vcd --trace-to 5"),
            "{of_file}"
        );
        let printed = command("--dims 3 --deliveries -").unwrap();
        assert!(printed.ends_with(" --deliveries -"), "{printed}");
    }
}
