//! Options of the command line, from parameters and back.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::options::{share, whole_number};
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::{Axis, Fallback, Kind, Parameter};

/// Help with what is taken where nothing is given.
fn with_default(help: &str, default: &str) -> String {
    match default {
        "" => help.to_owned(),
        default => format!("{help} [default: {default}]"),
    }
}

/// What is taken where nothing is given, in words.
fn default_in_words(parameter: &Parameter, nothing: &Chosen) -> String {
    match (parameter.default_in_words, parameter.default) {
        ("", Fallback::None | Fallback::Rule(_) | Fallback::ShareRule(_)) => String::new(),
        ("", Fallback::Whole(number)) => number.to_string(),
        ("", Fallback::Share(share)) => share.to_string(),
        ("", Fallback::Text(text)) => text.to_owned(),
        ("", Fallback::First) => nothing.name(parameter).unwrap_or_default().to_owned(),
        (words, _) => words.to_owned(),
    }
}

/// A parameter as an option of a run.
fn option(parameter: &Parameter, nothing: &Chosen) -> Arg {
    let option = parameter.option.trim_start_matches('-');
    let help = match parameter.help_of {
        Some(help_of) => help_of(nothing),
        None => with_default(parameter.help, &default_in_words(parameter, nothing)),
    };
    let argument = Arg::new(parameter.name)
        .long(option)
        .help(help)
        .help_heading(parameter.heading)
        .required(parameter.is_required)
        .conflicts_with_all(parameter.conflicts);
    match parameter.kind {
        Kind::Switch => argument.action(ArgAction::SetTrue),
        kind => {
            let argument = argument.value_name(parameter.value_name);
            match kind {
                Kind::Whole | Kind::Range(..) => argument.value_parser(whole_number::<usize>),
                Kind::Share => argument.value_parser(share),
                Kind::File(_) | Kind::Output(_) => argument.value_parser(value_parser!(PathBuf)),
                _ => argument,
            }
        }
    }
}

/// Adds parameters as options of a run.
pub fn add_options<'a>(
    command: Command,
    parameters: impl Iterator<Item = &'a &'static Parameter>,
    nothing: &Chosen,
) -> Command {
    command.args(parameters.map(|parameter| option(parameter, nothing)))
}

/// What such options choose.
pub fn read_options(mut chosen: Chosen, arguments: &ArgMatches) -> Chosen {
    for parameter in chosen.bench().parameters {
        let name = parameter.name;
        let is_given = matches!(arguments.try_contains_id(name), Ok(true))
            && arguments.value_source(name) == Some(ValueSource::CommandLine);
        if !is_given {
            continue;
        }
        let value = match parameter.kind {
            Kind::Whole | Kind::Range(..) => arguments
                .get_one::<usize>(name)
                .map(|number| Given::Whole(Form::number(*number))),
            Kind::Share => arguments.get_one::<f64>(name).copied().map(Given::Share),
            Kind::Name(..) | Kind::Text => {
                arguments.get_one::<String>(name).cloned().map(Given::Text)
            }
            Kind::File(_) | Kind::Output(_) => {
                arguments.get_one::<PathBuf>(name).cloned().map(Given::Path)
            }
            Kind::Switch => arguments.get_flag(name).then_some(Given::On),
        };
        chosen.set(parameter, value);
    }
    chosen
}

/// Adds parameters as axes of a sweep.
pub fn add_axes<'a>(
    command: Command,
    axes: impl Iterator<Item = (&'a &'static Parameter, Axis)>,
    nothing: &Chosen,
) -> Command {
    let axes: Vec<(&&'static Parameter, Axis)> = axes.collect();
    let names: Vec<&str> = axes.iter().map(|(one, _)| one.name).collect();
    command.args(axes.into_iter().map(|(parameter, axis)| {
        // What runs have beside may be no axis.
        let conflicts = parameter.conflicts.iter();
        let conflicts = conflicts.filter(|name| names.contains(name));
        let default = match (axis.default_in_words, axis.default) {
            ("", "") => default_in_words(parameter, nothing),
            ("", list) => list.to_owned(),
            (words, _) => words.to_owned(),
        };
        let help = match parameter.kind {
            Kind::Switch => axis.help.to_owned(),
            _ => with_default(axis.help, &default),
        };
        let argument = Arg::new(parameter.name)
            .long(parameter.option.trim_start_matches('-'))
            .help(help)
            .help_heading("Grid")
            .required(parameter.is_required)
            .conflicts_with_all(conflicts);
        match parameter.kind {
            Kind::Switch => argument.action(ArgAction::SetTrue),
            _ => argument
                .value_name("LIST")
                .allow_hyphen_values(parameter.is_number()),
        }
    }))
}
