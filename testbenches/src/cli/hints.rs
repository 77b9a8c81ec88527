//! What is suggested where a command line is refused: what is near to what was typed, or takes it, and nothing else.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::choice::{pick, stands_in, subject};
use crate::cli::chosen::{Run, Takes};
use crate::cli::describe::arguments;
use crate::cli::{COMMANDS_OF_BENCHES, read};
use crate::families::{MAIN_JOB, meant, names, namesakes, testbenches};
use crate::near::nearest;
use crate::testbench::{Choice, Testbench};

/// The names of more testbenches than these are not told.
const MOST_NAMES: usize = 6;

/// Options for the length of a message: with and without the address bits before it.
const LENGTHS: [&str; 2] = ["message-bits", "payload-bits"];

/// A refusal of the words of a command line, the first of which is the program, with what helps in place of what clap suggests
/// by likeness alone.
pub(super) fn with_hints(
    mut error: clap::Error,
    words: &[OsString],
    command: &Command,
) -> clap::Error {
    let hint = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let commands = command.get_subcommands().map(Command::get_name);
            let typed = typed(&error, ContextKind::InvalidSubcommand);
            error.remove(ContextKind::SuggestedSubcommand);
            of_command(&typed, commands, words)
        }
        ErrorKind::UnknownArgument => {
            let typed = typed(&error, ContextKind::InvalidArg);
            let hint = of_place(words).or_else(|| of_option(&typed, words));
            let suggested = match error.get(ContextKind::SuggestedArg) {
                Some(ContextValue::String(suggested)) => suggested.clone(),
                _ => String::new(),
            };
            let plain = |option: &str| option.trim_start_matches('-').to_owned();
            let is_near = nearest(&plain(&typed), [plain(&suggested).as_str()]).is_some();
            if hint.is_some() || !is_near {
                without_suggestion(&mut error);
            }
            hint
        }
        _ => None,
    };
    if let Some(hint) = hint {
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![hint.into()]),
        );
    }
    error
}

/// The word that clap refuses.
fn typed(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(typed)) => typed.clone(),
        _ => String::new(),
    }
}

/// Takes back the argument that clap suggests; the usage then is that of the command, and not of this argument.
fn without_suggestion(error: &mut clap::Error) {
    if error.remove(ContextKind::SuggestedArg).is_none() {
        return;
    }
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return;
    };
    let usage = usage.to_string();
    let command = usage.split(" --").next().unwrap_or_default();
    let usage = ContextValue::StyledStr(format!("{command} [OPTIONS]").into());
    error.insert(ContextKind::Usage, usage);
}

/// Words as one would type them, whatever the program was found as.
fn texts(words: &[OsString]) -> Vec<String> {
    let texts = words
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    std::iter::once("cubewave".to_owned())
        .chain(texts)
        .collect()
}

/// A line that can be typed, if it can.
fn typeable(words: Vec<String>) -> Option<String> {
    read(&words).is_ok().then(|| words.join(" "))
}

/// Where a command should stand: the nearest, or the first that takes what there is in its place, which is a testbench or a name
/// that an option of one takes, or nearly that.
fn of_command<'a>(
    typed: &str,
    commands: impl Iterator<Item = &'a str>,
    words: &[OsString],
) -> Option<String> {
    let words = texts(words);
    let place = words.iter().position(|word| word == typed)?;
    // What is meant in the place of that word, with all others; or by itself, where they do not go with it.
    let with_rest = |meant: &str| {
        let mut line = words.clone();
        line.splice(place..=place, meant.split(' ').map(str::to_owned));
        typeable(line)
    };
    let behind_command = |bench: &str| {
        let mut commands = COMMANDS_OF_BENCHES.iter();
        let line = commands.find_map(|command| with_rest(&format!("{command} {bench}")));
        line.unwrap_or_else(|| format!("cubewave run {bench}"))
    };
    if names().contains(&typed) {
        let line = behind_command(typed);
        return Some(format!(
            "a testbench stands behind a command, as in: {line}"
        ));
    }
    if let Some(near) = nearest(typed, commands) {
        return Some(format!("a similar command exists: '{near}'"));
    }
    let begun = |one: String| match one.strip_prefix("cubewave ") {
        Some(meant) => with_rest(meant).unwrap_or(one),
        None => behind_command(&one),
    };
    let lines: Vec<String> = (meant(Run::NAME, typed).into_iter()).map(begun).collect();
    (!lines.is_empty()).then(|| format!("did you mean: {}", lines.join("; ")))
}

/// Of options that stand before what they belong to: a command line with both in their order.
fn of_place(words: &[OsString]) -> Option<String> {
    let words = texts(words);
    let is_option = |place: usize| words.get(place).is_some_and(|word| word.starts_with('-'));
    if is_option(1) {
        let benches = || std::iter::once(MAIN_JOB[1]).chain(names());
        let lines = ["run", "measure", "verilog"].into_iter();
        let mut lines = lines.flat_map(|command| benches().map(move |bench| (command, bench)));
        let line = lines.find_map(|(command, bench)| {
            let mut line = words.clone();
            line.splice(1..1, [command, bench].map(str::to_owned));
            typeable(line)
        });
        return line.map(|line| format!("options belong to a command, as in: {line}"));
    }
    if !is_option(2) || !COMMANDS_OF_BENCHES.contains(&words[1].as_str()) {
        return None;
    }
    let benches = names();
    let place = words
        .iter()
        .position(|word| benches.contains(&word.as_str()));
    let mut line = words.clone();
    match place {
        Some(place) => line[2..=place].rotate_right(1),
        None => line.insert(2, MAIN_JOB[1].to_owned()),
    }
    typeable(line).map(|line| format!("options stand behind the testbench, as in: {line}"))
}

/// Who takes an option that a testbench does not take with a command.
fn of_option(option: &str, words: &[OsString]) -> Option<String> {
    let long = option.strip_prefix("--")?;
    let (command, name, rest) = subject(words)?;
    let command = *COMMANDS_OF_BENCHES.iter().find(|one| **one == command)?;
    let takes_it = |long: &str, command: &str, bench: &'static Testbench| {
        let command = arguments(command, bench);
        let mut options = command.get_arguments();
        options.any(|option| option.get_long() == Some(long))
    };
    let takes = |command: &str, bench: &'static Testbench| takes_it(long, command, bench);
    let namesakes = namesakes(name);
    let is_there = |choice| stands_in(rest, choice);
    // Of a list there is none.
    if let Some(own) = pick(&namesakes, |bench| bench.chosen_by, is_there) {
        let is_length = LENGTHS.contains(&long);
        let mut lengths = LENGTHS.into_iter().filter(|_| is_length);
        if let Some(here) = lengths.find(|here| *here != long && takes_it(here, command, own)) {
            return Some(format!("with {name} the length of a message is --{here}"));
        }
        let of_name: Vec<Option<Choice>> = (namesakes.iter())
            .filter(|bench| bench.chosen_by != own.chosen_by && takes(command, bench))
            .map(|bench| bench.chosen_by)
            .collect();
        if !of_name.is_empty() {
            return Some(of_namesakes(name, option, own.chosen_by, &of_name));
        }
        let mut others = COMMANDS_OF_BENCHES.into_iter();
        if let Some(other) = others.find(|other| *other != command && takes(other, own)) {
            return Some(format!("'cubewave {other} {name}' takes {option}"));
        }
    }
    let commands = std::iter::once(command).chain(COMMANDS_OF_BENCHES);
    commands.into_iter().find_map(|command| {
        let mut benches = Vec::new();
        for bench in testbenches().filter(|bench| takes(command, bench)) {
            if !benches.contains(&bench.name) {
                benches.push(bench.name);
            }
        }
        let more = benches.len().saturating_sub(MOST_NAMES);
        benches.truncate(MOST_NAMES);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let benches = benches.join(", ");
        (!benches.is_empty())
            .then(|| format!("'cubewave {command}' takes {option} with {benches}{more}"))
    })
}

/// Where another testbench of the name takes the option: what there has to be for it, or must not be.
fn of_namesakes(name: &str, option: &str, own: Option<Choice>, taken: &[Option<Choice>]) -> String {
    let with: Vec<String> = (taken.iter().flatten())
        .map(|choice| format!("--{}", choice.option))
        .collect();
    let chooses = with.iter().any(|choice| choice == option);
    match own {
        Some(own) if chooses => format!(
            "{option} chooses another testbench {name} than --{} does: give one of them",
            own.option
        ),
        Some(own) if with.is_empty() => format!("{name} takes {option} without --{}", own.option),
        Some(own) => format!(
            "{name} takes {option} with {} in place of --{}",
            with.join(" or "),
            own.option
        ),
        None => format!("{name} takes {option} with {}", with.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::measure::{Measure, Sweeps};

    /// Whatever name an option of a testbench takes.
    #[test]
    fn command_lines_that_are_suggested_can_be_typed() {
        let mut suggested = 0;
        for (_, names) in testbenches().flat_map(|bench| bench.named_choices()) {
            for name in names {
                for line in [Run::NAME, Measure::NAME]
                    .map(|command| meant(command, name))
                    .concat()
                {
                    // Some have the name of a testbench, and need no hint.
                    let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
                    assert!(line.ends_with(name) && read(words).is_ok(), "{line}");
                    suggested += 1;
                }
            }
        }
        assert!(suggested > 100, "{suggested}");
    }
}
