//! Several testbenches of one name: which of them a command line is about, and what their help says of the others.

use std::ffi::{OsStr, OsString};

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::testbench::{ANY_WORDS, Choice, Testbench};

/// The command of a command line, and its testbench or list of them: its first words that are no options; and what stands
/// behind them.
pub(super) fn subject(words: &[OsString]) -> Option<(&str, &str, &[OsString])> {
    let mut plain = (words.iter().enumerate().skip(1)).filter(|(_, word)| !is_option(word));
    let ((_, command), (at, name)) = (plain.next()?, plain.next()?);
    Some((command.to_str()?, name.to_str()?, &words[at + 1..]))
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Whether an option stands among words that clap has not looked through: `--option value`, or `--option=value`.
pub(super) fn stands_in(words: &[OsString], choice: Choice) -> bool {
    let mut options = words.iter().take_while(|word| *word != "--");
    options.any(|word| {
        let name = word.as_encoded_bytes().strip_prefix(b"--");
        let rest = name.and_then(|name| name.strip_prefix(choice.option.as_bytes()));
        matches!(rest, Some([] | [b'=', ..]))
    })
}

/// Whether it is among arguments that clap has looked through, whichever testbench they are of; or among words that were taken
/// as they are.
pub(super) fn is_given(arguments: &ArgMatches, choice: Choice) -> bool {
    let as_they_are = arguments.try_get_many::<OsString>(ANY_WORDS);
    let as_they_are: Vec<OsString> = (as_they_are.ok().flatten())
        .map(|words| words.cloned().collect())
        .unwrap_or_default();
    if stands_in(&as_they_are, choice) {
        return true;
    }
    let id = choice.option.replace('-', "_");
    matches!(arguments.try_contains_id(&id), Ok(true))
        && arguments.value_source(&id) == Some(ValueSource::CommandLine)
}

/// Of several that go by one name: the first whose option is there, else the one that needs none, else the first.
pub(super) fn pick<T: Copy>(
    several: &[T],
    chosen_by: impl Fn(T) -> Option<Choice>,
    is_there: impl Fn(Choice) -> bool,
) -> Option<T> {
    let mut all = several.iter().copied();
    let chosen = all.find(|one| chosen_by(*one).is_some_and(&is_there));
    let plain = || several.iter().find(|one| chosen_by(**one).is_none());
    chosen.or_else(|| plain().or(several.first()).copied())
}

/// What a name models, for a list of names: that of the one without an option, then the options that choose others of its name.
pub(super) fn with_others(
    models: &str,
    own: Option<Choice>,
    all: impl Iterator<Item = Option<Choice>>,
) -> String {
    let others = all.flatten().filter(|_| own.is_none());
    let others: Vec<String> = others
        .map(|choice| format!("--{}", choice.option))
        .collect();
    match others.is_empty() {
        true => models.to_owned(),
        false => format!("{models} (also: {})", others.join(", ")),
    }
}

/// That an option that chooses stands in place of another.
pub(super) fn in_place_of(own: Option<Choice>) -> String {
    own.map_or(String::new(), |own| {
        format!(" in place of --{}", own.option)
    })
}

/// What the help of a testbench says of the others of its name, for a command.
pub(super) fn others(
    command: &str,
    bench: &'static Testbench,
    namesakes: &[&'static Testbench],
) -> String {
    let other = |other: &&'static Testbench| {
        let (name, models) = (other.name, other.models);
        match (other.chosen_by, bench.chosen_by) {
            (this, own) if this == own => String::new(),
            (Some(choice), own) => format!(
                "\n\nWith --{}{} it is another testbench: {models}.\n  cubewave {command} {name} {} --help",
                choice.option,
                in_place_of(own),
                choice.words()
            ),
            (None, Some(choice)) => format!(
                "\n\nWithout --{} it is another testbench: {models}.\n  cubewave {command} {name} --help",
                choice.option,
            ),
            (None, None) => String::new(),
        }
    };
    namesakes.iter().map(other).collect()
}

#[cfg(test)]
mod tests;
