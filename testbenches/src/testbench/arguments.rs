//! Options of the command line, from parameters and back.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::options::{amount, share, whole_number};
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::{Axis, Fallback, Kind, Parameter};

/// Help that ends in a colon goes on with the names that there are.
fn with_names(help: &str, parameter: &Parameter, nothing: &Chosen) -> String {
    match parameter.kind {
        Kind::Name(_, known) if help.ends_with(':') => {
            format!("{help} {}", known(nothing).join(", "))
        }
        _ => help.to_owned(),
    }
}

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
        None => {
            let help = with_names(parameter.help, parameter, nothing);
            with_default(&help, &default_in_words(parameter, nothing))
        }
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
                Kind::Amount => argument.value_parser(amount),
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
            Kind::Share | Kind::Amount => arguments.get_one::<f64>(name).copied().map(Given::Share),
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

/// What the list of an axis is of, and what it is where none is given.
fn help_of_axis(parameter: &Parameter, axis: Axis, nothing: &Chosen) -> String {
    let default = match (axis.default_in_words, axis.default) {
        ("", "") => default_in_words(parameter, nothing),
        ("", list) => list.to_owned(),
        (words, _) => words.to_owned(),
    };
    let help = match axis.help {
        "" => parameter.help,
        help => help,
    };
    match parameter.kind {
        Kind::Switch => help.to_owned(),
        _ => with_default(&with_names(help, parameter, nothing), &default),
    }
}

/// What help calls a list of an axis: [`LISTS`] says what each is.
fn list_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Whole | Kind::Range(..) => "NUMBERS",
        Kind::Share | Kind::Amount => "SHARES",
        Kind::Name(..) => "NAMES",
        Kind::Text | Kind::File(_) | Kind::Output(_) | Kind::Switch => "LIST",
    }
}

/// What help says of the lists of all axes.
pub const LISTS: &str = "Lists have commas between their items. NUMBERS are whole numbers, ranges as in 2..8 or 2..8:2 (both \
                         ends included, by 2), and but for --dims k, 2k or 2k+1 for as many as there are dimensions; SHARES are numbers and \
                         ranges, as in 0.1..0.9:0.2 (by 0.05, if nothing is said of it); NAMES are names, or the word that an option has for all.";

/// An axis of a sweep as an option, given each testbench that has it with its own parameter of that name; `beside` are all axes.
pub fn axis_option(of: &[(Chosen, &'static Parameter, Axis)], beside: &[&str]) -> Option<Arg> {
    let (_, parameter, _) = of.first()?;
    let mut help: Vec<(String, String)> = Vec::new();
    for (nothing, parameter, axis) in of {
        let text = help_of_axis(parameter, *axis, nothing);
        if !help.iter().any(|(_, known)| *known == text) {
            help.push((nothing.bench().name.to_owned(), text));
        }
    }
    let help = match &help[..] {
        [(_, only)] => only.clone(),
        several => {
            let each = several
                .iter()
                .map(|(name, help)| format!("of {name}: {help}"));
            each.collect::<Vec<String>>().join("; ")
        }
    };
    // What runs have beside may be no axis.
    let conflicts = parameter.conflicts.iter();
    let conflicts = conflicts.filter(|name| beside.contains(name));
    let argument = Arg::new(parameter.name)
        .long(parameter.option.trim_start_matches('-'))
        .help(help)
        .help_heading("Grid")
        .required(parameter.is_required)
        .conflicts_with_all(conflicts);
    Some(match parameter.kind {
        Kind::Switch => argument.action(ArgAction::SetTrue),
        _ => argument
            .value_name(list_of(parameter.kind))
            .allow_hyphen_values(parameter.is_number()),
    })
}
