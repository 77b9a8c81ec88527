//! Options from a configuration file, as far as the command line does not give them.
//!
//! ```text
//!   dims = 6                  --dims=6
//!   traffic = "bitrev"        --traffic=bitrev
//!   schedule = ["plain", "spread"]    --schedule=plain,spread
//!   no_date = true            --no-date
//! ```
//!
//! They become words behind the testbench, before anybody looks at these: so they are what they would be there.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::Path;

use clap::{Args as _, Command};
use rtl_model::csv_file::visible;
use toml::de::{DeTable, DeValue};

use crate::cli::choice::subject;
use crate::cli::measure::{Measure, Search, Sweeps};
use crate::cli::{COMMANDS_OF_BENCHES, commands, measure};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::testbenches;
use crate::near::nearest;
use crate::options::{QuietArgument, file_name, read_text};

/// The option.
const CONFIG: &str = "--config";

/// Words with those of the configuration file that they name, if they name one.
///
/// # Errors
/// A file that cannot be read, or is no TOML, or has something that is no option.
pub(super) fn expanded(all: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let Some((at, path)) = named(&all) else {
        return Ok(all);
    };
    let mut words = all.clone();
    words.drain(at);
    // Two files are refused as any option is that is given twice.
    let is_one = named(&words).is_none();
    let of_bench = subject(&words).filter(|_| is_one);
    let of_bench = of_bench.filter(|(command, ..)| COMMANDS_OF_BENCHES.contains(command));
    let Some((command, name, rest)) = of_bench else {
        return Ok(all);
    };
    let behind = words.len() - rest.len();
    let text = read_text(Path::new(&path))?;
    let known = options(command, name);
    let file = file_name(Path::new(&path));
    let options = options_in(&text, &known).map_err(|(place, why)| {
        let line = 1 + text[..place.start.min(text.len())].matches('\n').count();
        Refusal::of(format!("{file}, line {line}")).because(why)
    })?;
    let is_given = |option: &str| {
        let own = words.iter().take_while(|word| *word != "--");
        let mut own = own.map(|word| word.to_string_lossy());
        own.any(|word| word == option || word.starts_with(&format!("{option}=")))
    };
    let own: Vec<OsString> = options
        .into_iter()
        .filter(|(option, _)| !is_given(option))
        .map(|(option, value)| match value {
            Some(value) => format!("{option}={value}").into(),
            None => option.into(),
        })
        .collect();
    words.splice(behind..behind, own);
    Ok(words)
}

/// Where a configuration file is named, and its name.
fn named(words: &[OsString]) -> Option<(Range<usize>, OsString)> {
    let own = words.iter().take_while(|word| *word != "--");
    for (at, word) in own.enumerate() {
        if word == CONFIG {
            return Some((at..at + 2, words.get(at + 1)?.clone()));
        }
        let text = word.to_str().and_then(|word| word.strip_prefix(CONFIG));
        if let Some(path) = text.and_then(|rest| rest.strip_prefix('=')) {
            return Some((at..at + 1, OsStr::new(path).to_owned()));
        }
    }
    None
}

/// The options that a command has for any testbench of these names, without the dashes.
pub(super) fn options(command: &str, names: &str) -> Vec<String> {
    let is_named = |name: &str| names.split(',').any(|one| one == name);
    let of_command = commands();
    let of_command = of_command.find_subcommand(command).into_iter();
    let plain = of_command.flat_map(Command::get_subcommands);
    let plain = plain.filter(|one| is_named(one.get_name())).cloned();
    // Those that an option chooses have others; what a plan or a project cannot be asked for is refused as on a command line.
    let chosen = testbenches().filter(|bench| is_named(bench.name));
    let chosen = chosen.map(|bench| match command {
        Measure::NAME => measure::arguments::<Measure>(bench),
        Search::NAME => measure::arguments::<Search>(bench),
        _ => bench.run_arguments(Command::new(bench.name)),
    });
    let of_all = QuietArgument::augment_args(Command::new("of all"));
    let all: Vec<Command> = plain.chain(chosen).chain([of_all]).collect();
    let mut options: Vec<String> = all
        .iter()
        .flat_map(Command::get_arguments)
        .filter_map(|option| Some(option.get_long()?.to_owned()))
        .collect();
    options.sort();
    options.dedup();
    options
}

/// An option, and its value if it takes one.
type Word = (String, Option<String>);
/// What is wrong at a place of a text.
type Wrong = (Range<usize>, String);

/// The options of a text, in its order.
///
/// # Errors
/// A text that is no TOML, or has something that is no option.
pub(super) fn options_in(text: &str, known: &[String]) -> Result<Vec<Word>, Wrong> {
    let table = DeTable::parse(text)
        .map_err(|error| (error.span().unwrap_or(0..0), error.message().to_owned()))?;
    let mut words = Vec::new();
    for (key, value) in table.get_ref() {
        let option = key.get_ref().replace('_', "-");
        if !known.contains(&option) || option == CONFIG[2..] {
            let near = nearest(&option, known.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            let why = format!("there is no option `{}`{near}", visible(key.get_ref()));
            return Err((key.span(), why));
        }
        let option = format!("--{option}");
        match value.get_ref() {
            DeValue::Boolean(true) => words.push((option, None)),
            DeValue::Boolean(false) => {}
            value_of => match shown(value_of) {
                Some(value) => words.push((option, Some(value))),
                None => {
                    let why = format!("{option} takes a number, a text, or a list of such");
                    return Err((value.span(), why));
                }
            },
        }
    }
    Ok(words)
}

/// A value as a command line has it.
fn shown(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Array(values) => {
            let all = values.iter().map(|value| match value.get_ref() {
                DeValue::Array(_) => None,
                value => shown(value),
            });
            Some(all.collect::<Option<Vec<_>>>()?.join(","))
        }
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str, text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.toml");
        std::fs::write(&path, text).unwrap();
        let line = line.replace("FILE", path.to_str().unwrap());
        let words = expanded(line.split(' ').map(OsString::from).collect());
        let words =
            words.map_err(|error| error.to_string().replace(path.to_str().unwrap(), "my.toml"))?;
        Ok(words
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect())
    }

    const MINE: &str = "# mine\ndims = 4\npayload_bits = 1_6\nload = 0.5\ntraffic = \"bitrev\"\nno-date = true\nquiet = false\n";

    #[test]
    fn what_the_command_line_does_not_give_comes_from_the_file() {
        for line in [
            "cubewave run kuszmaul --config FILE --load 1 --dims=3",
            "cubewave run kuszmaul --load 1 --config=FILE --dims=3",
            "cubewave run --config=FILE kuszmaul --load 1 --dims=3",
        ] {
            let mut words = words(line, MINE).unwrap();
            words.sort();
            let due = [
                "--dims=3",
                "--load",
                "--no-date",
                "--payload-bits=16",
                "--traffic=bitrev",
                "1",
                "cubewave",
                "kuszmaul",
                "run",
            ];
            assert_eq!(words, due, "{line}");
        }
        let list = words(
            "cubewave measure kuszmaul,bitonic --config FILE",
            "dims = [2, 3]\nschedule = [\"plain\", \"sort\"]\nload = \"0.5,1\"\n",
        );
        let mut list = list.unwrap();
        list.sort();
        let due = [
            "--dims=2,3",
            "--load=0.5,1",
            "--schedule=plain,sort",
            "cubewave",
            "kuszmaul,bitonic",
            "measure",
        ];
        assert_eq!(list, due);
    }

    #[test]
    fn options_that_choose_a_testbench_may_come_from_it() {
        let words = words("cubewave run kuszmaul --config FILE", "batches = 3\n").unwrap();
        assert_eq!(words, ["cubewave", "run", "kuszmaul", "--batches=3"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, why) in [
            (
                "dims = 4\ndmis = 5\n",
                "my.toml, line 2: there is no option `dmis`: did you mean `dims`?",
            ),
            (
                "config = \"other.toml\"\n",
                "my.toml, line 1: there is no option `config`",
            ),
            (
                "\n\n[run]\ndims = 4\n",
                "my.toml, line 3: there is no option `run`",
            ),
            ("dims = 4\n\ndims = 5\n", "my.toml, line 3: duplicate key"),
            ("dims = \n", "my.toml, line 1: "),
            (
                "dims = 2020-01-01\n",
                "my.toml, line 1: --dims takes a number, a text, or a list of such",
            ),
            (
                "dims = [2, [3]]\n",
                "my.toml, line 1: --dims takes a number, a text, or a list of such",
            ),
            (
                "dims = [2, true]\n",
                "my.toml, line 1: --dims takes a number, a text, or a list of such",
            ),
        ] {
            let refused = words("cubewave run kuszmaul --config FILE", text).unwrap_err();
            assert!(refused.starts_with(why), "{text}: {refused}");
        }
        let missing = "cubewave run kuszmaul --config nowhere.toml";
        let missing = expanded(missing.split(' ').map(OsString::from).collect());
        assert!(
            missing
                .unwrap_err()
                .to_string()
                .contains("cannot read nowhere.toml")
        );
    }

    #[test]
    fn commands_without_testbenches_have_none() {
        for line in [
            "cubewave topology ccc --config FILE",
            "cubewave --config",
            "cubewave run kuszmaul -- --config FILE",
            "cubewave run kuszmaul --config FILE --config FILE",
        ] {
            let due: Vec<&str> = line.split(' ').collect();
            let words = words(line, MINE).unwrap();
            assert_eq!(words.len(), due.len(), "{line}");
        }
    }
}
