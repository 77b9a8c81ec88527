//! Testbenches and their parameters for scripts: what `list --format json` prints.

use std::collections::BTreeMap;

use clap::{Args as _, Command};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cli::chosen::{Faults, Plan, Run, Takes, Verilog};
use crate::cli::measure::{Measure, Search, Sweeps};
use crate::cli::{COMMANDS_OF_BENCHES, measure, view};
use crate::options::ConfigArgument;
use crate::testbench::Testbench;
use crate::testbench::bench::Offer;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter, Scope};

/// What a command takes of a testbench.
pub(super) fn arguments(command: &str, bench: &'static Testbench) -> Command {
    let own = ConfigArgument::augment_args(Command::new(bench.name));
    match command {
        Measure::NAME => measure::arguments::<Measure>(bench),
        Search::NAME => measure::arguments::<Search>(bench),
        Verilog::NAME => Verilog::arguments(bench, own),
        Plan::NAME => Plan::arguments(bench, own),
        Faults::NAME => Faults::arguments(bench, own),
        view::NAME => view::OfBench::arguments(bench, own),
        _ => Run::arguments(bench, own),
    }
}

/// The commands that take a testbench, each with its options.
fn commands(bench: &'static Testbench) -> Vec<(&'static str, Command)> {
    let takes = |command: &str| match command {
        Plan::NAME => bench.offers(Offer::Plan),
        Search::NAME => bench.searched().is_some(),
        _ => true,
    };
    let all = COMMANDS_OF_BENCHES.into_iter();
    let all = all.filter(|command| takes(command));
    all.map(|command| (command, arguments(command, bench)))
        .collect()
}

/// The options of a command, with dashes.
fn options(command: &Command) -> Vec<String> {
    let all = command.get_arguments().filter(|one| !one.is_hide_set());
    all.filter_map(|option| Some(format!("--{}", option.get_long()?)))
        .collect()
}

/// A testbench.
#[derive(Serialize, JsonSchema)]
pub(super) struct Described {
    /// The testbench, as a command line names it.
    name: &'static str,
    /// The option that chooses the testbench, where others have its name.
    chosen_by: Option<ChosenBy>,
    /// What the testbench is for; those of one purpose have the same words.
    purpose: &'static str,
    /// What the testbench models.
    models: &'static str,
    /// Paper and section.
    source: &'static str,
    /// What there is to choose of the machine and its traffic, in the order of help.
    parameters: Vec<OfParameter>,
    /// The options of each command that takes the testbench, by the command's name, those that are no parameters among them.
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    commands: Map<String, Value>,
    /// Command lines that show what the testbench can do.
    examples: &'static [&'static str],
}

#[derive(Serialize, JsonSchema)]
struct ChosenBy {
    /// The option, with its dashes.
    option: String,
    /// A value for the option.
    example: &'static str,
}

/// A parameter of a testbench.
#[derive(Serialize, JsonSchema)]
struct OfParameter {
    /// What results call the parameter.
    name: &'static str,
    /// Its option, with dashes.
    option: &'static str,
    /// What help calls its value; none of a switch.
    value_name: Option<&'static str>,
    /// Below which heading help has it.
    heading: &'static str,
    /// What help says of it.
    help: String,
    /// Which values it takes: `whole`, `share`, `amount`, `name`, `text`, `file`, `output`, or `switch`.
    kind: &'static str,
    /// The first whole number and the last that it takes, where these are always the same.
    range: Option<[usize; 2]>,
    /// The names that it takes, where nothing else is given.
    names: Option<Vec<&'static str>>,
    /// It has to be given.
    required: bool,
    /// What a run has where it is not given; none, where the machine chooses.
    default: Value,
    /// The same in words, where it is no value.
    default_in_words: Option<&'static str>,
    /// What papers call it; where these say nothing, its name.
    symbol: &'static str,
    /// What `measure` says of it, of which it takes a list.
    axis: Option<OfAxis>,
    /// Parameters that may not be given beside it.
    conflicts: &'static [&'static str],
    /// The commands that take it.
    commands: Vec<&'static str>,
}

/// A parameter as an axis of `measure`.
#[derive(Serialize, JsonSchema)]
struct OfAxis {
    /// What help of `measure` says of it.
    help: String,
    /// The list where none is given.
    default: Option<String>,
    /// What rows call it.
    column: &'static str,
}

/// What help says of a parameter, in the first of some commands that take it.
fn help<'a>(
    parameter: &Parameter,
    mut commands: impl Iterator<Item = &'a Command>,
) -> Option<String> {
    commands.find_map(|command| {
        let mut all = command.get_arguments();
        let found = all.find(|one| one.get_id() == parameter.name)?;
        Some(found.get_help()?.to_string())
    })
}

/// Which values a parameter takes, in a word.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Whole | Kind::Range(..) => "whole",
        Kind::Share => "share",
        Kind::Amount => "amount",
        Kind::Name(..) => "name",
        Kind::Text => "text",
        Kind::File(_) => "file",
        Kind::Output(_) => "output",
        Kind::Switch => "switch",
    }
}

impl OfParameter {
    fn of(
        parameter: &'static Parameter,
        (nothing, defaults): (&Chosen, &Map<String, Value>),
        commands: &[(&'static str, Command)],
    ) -> Self {
        let takes = |command: &Command| options(command).iter().any(|one| one == parameter.option);
        let taking = || commands.iter().filter(|(_, command)| takes(command));
        let said = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let default = match parameter.kind {
            Kind::Switch => false.into(),
            _ => defaults.get(parameter.name).cloned().unwrap_or_default(),
        };
        let of_measure = taking().filter(|(name, _)| *name == Measure::NAME);
        let of_measure = help(parameter, of_measure.map(|(_, command)| command));
        let of_run = match default.as_str() {
            Some(text) => Some(text.to_owned()),
            None => Some(default.to_string()).filter(|_| default.is_number()),
        };
        OfParameter {
            name: parameter.name,
            option: parameter.option,
            value_name: said(parameter.value_name),
            heading: parameter.heading,
            help: help(parameter, taking().map(|(_, command)| command)).unwrap_or_default(),
            kind: kind(parameter.kind),
            range: match parameter.kind {
                Kind::Range(first, last) => Some([first, last]),
                _ => None,
            },
            names: match parameter.kind {
                Kind::Name(_, known) => Some(known(nothing)),
                _ => None,
            },
            required: parameter.is_required,
            default_in_words: said(parameter.default_in_words),
            symbol: parameter.symbol,
            axis: parameter.axis.zip(of_measure).map(|(axis, help)| OfAxis {
                help,
                default: said(axis.default).map(str::to_owned).or(of_run),
                column: parameter.in_rows(),
            }),
            default,
            conflicts: parameter.conflicts,
            commands: taking().map(|(name, _)| *name).collect(),
        }
    }
}

impl Described {
    /// A testbench, which is for that.
    pub fn of(bench: &'static Testbench, purpose: &'static str) -> Self {
        let nothing = Chosen::of(bench);
        let defaults = nothing.by_name("run");
        let commands = commands(bench);
        let parameters = bench.parameters.iter().copied();
        let parameters = parameters.filter(|parameter| parameter.scope != Scope::Fixed);
        let parameters =
            parameters.map(|one| OfParameter::of(one, (&nothing, &defaults), &commands));
        Described {
            name: bench.name,
            chosen_by: bench.chosen_by.map(|choice| ChosenBy {
                option: format!("--{}", choice.option),
                example: choice.example,
            }),
            purpose,
            models: bench.models,
            source: bench.source,
            parameters: parameters.collect(),
            commands: commands
                .iter()
                .map(|(name, command)| ((*name).to_owned(), options(command).into()))
                .collect(),
            examples: bench.examples,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cli::read;
    use crate::families::testbenches;

    /// A value that an option can have: none of a switch.
    fn value(told: &Value) -> Option<String> {
        match (told["kind"].as_str(), told["names"][0].as_str()) {
            (Some("switch"), _) => None,
            (_, Some(name)) => Some(name.to_owned()),
            _ => Some("3".to_owned()),
        }
    }

    /// Of each parameter: what is told of it is taken, by those commands and by no others.
    #[test]
    fn what_is_told_of_parameters_can_be_typed() {
        let (mut typed, mut axes) = (Vec::new(), 0);
        for bench in testbenches() {
            let told = serde_json::to_value(Described::of(bench, "")).unwrap();
            let all = told["parameters"].as_array().unwrap();
            let commands = told["commands"].as_object().unwrap();
            assert_eq!(commands.contains_key(Plan::NAME), bench.offers(Offer::Plan));
            let is_searched = bench.searched().is_some();
            assert_eq!(commands.contains_key(Search::NAME), is_searched);
            assert!(commands.len() >= COMMANDS_OF_BENCHES.len() - 3, "{bench:?}");
            let choice = bench.chosen_by.map(|choice| {
                let option = format!("--{}", choice.option);
                (option, Some(choice.example.to_owned()))
            });
            let required = all.iter().filter(|one| one["required"] == true);
            let required =
                required.map(|one| (one["option"].as_str().unwrap().to_owned(), value(one)));
            let given: BTreeMap<_, _> = required.chain(choice).collect();
            for parameter in all {
                let text = |name: &str| parameter[name].as_str().unwrap();
                assert!(!text("help").is_empty(), "{parameter}");
                let mut given = given.clone();
                let value = value(parameter);
                given.entry(text("option").to_owned()).or_insert(value);
                let words = given.into_iter().map(|(option, value)| match value {
                    Some(value) => format!("{option}={value}"),
                    None => option,
                });
                let words: Vec<String> = words.collect();
                let is_axis = !parameter["axis"].is_null();
                axes += usize::from(is_axis);
                // What `verilog` and `view` take is what `plan` and `run` do.
                for command in [Run::NAME, Measure::NAME, Plan::NAME] {
                    let mut commands = parameter["commands"].as_array().unwrap().iter();
                    let is_told = commands.any(|one| one == command);
                    assert!(
                        command != Measure::NAME || is_told || !is_axis,
                        "{parameter}"
                    );
                    // Testbenches that are measured alike have most parameters in common.
                    let same = (
                        command,
                        text("name").to_owned(),
                        std::ptr::from_ref(bench.sweep) as usize,
                        is_told,
                    );
                    if typed.contains(&same) {
                        continue;
                    }
                    typed.push(same);
                    let line = ["cubewave", command, bench.name].map(str::to_owned);
                    let line = [&line[..], &words].concat();
                    // What a plan does not know it takes, to refuse it.
                    let refuses = command == Plan::NAME && !bench.offers(Offer::Plan);
                    assert_eq!(read(&line).is_ok() && !refuses, is_told, "{line:?}");
                }
            }
        }
        assert!(typed.len() > 250 && axes > 50, "{} {axes}", typed.len());
    }

    #[test]
    fn defaults_and_ranges_are_those_of_the_testbench() {
        let bench = testbenches().next().unwrap();
        let told = serde_json::to_value(Described::of(bench, "for that")).unwrap();
        assert_eq!(told["purpose"], "for that");
        let of = |name: &str| {
            let all = told["parameters"].as_array().unwrap();
            all.iter().find(|one| one["name"] == name).unwrap().clone()
        };
        let dims = of("dims");
        assert_eq!(
            (&dims["default"], &dims["symbol"]),
            (&6.into(), &"k".into())
        );
        assert_eq!(of("load")["default"], 0.75);
        assert_eq!(of("schedule")["default"], of("schedule")["names"][0]);
        assert_eq!(dims["axis"]["column"], "dims");
        assert!(dims["help"].as_str().unwrap().contains("[default: 6]"));
        let has = |command: &str, option: &str| {
            let options = told["commands"][command].as_array();
            options.is_some_and(|options| options.iter().any(|one| one == option))
        };
        assert!(has("run", "--wave") && has("measure", "--plot") && has("verilog", "--out"));
        assert!(!has("measure", "--wave") && has("plan", "--machines"));
        let of_all = testbenches().flat_map(|bench| Described::of(bench, "").parameters);
        assert!(of_all.filter(|one| one.range.is_some()).count() > 5);
    }
}
