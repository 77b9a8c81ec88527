//! The command `measure`: a subcommand a testbench, each with the axes of its family and what all sweeps have.

use std::ffi::OsString;
use std::fmt;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::testbenches;
use crate::measure::ranges::insert;
use crate::measure::{AnyGrid, Family, SweepOptions};
use crate::options::reworded;
use crate::output::report_stream;
use crate::testbench::Testbench;

/// Whatever can be measured: as what testbenches are measured, each once.
fn families() -> impl Iterator<Item = &'static dyn Family> + Clone {
    let is_first = |bench: &&'static dyn Testbench| {
        bench
            .measured_as()
            .testbenches()
            .first()
            .map(|(name, _)| *name)
            == Some(bench.name())
    };
    testbenches()
        .filter(is_first)
        .map(|bench| bench.measured_as())
}

/// What is to be measured; a refusal, if no testbench has such a name.
pub(super) struct Measure(Result<(Box<dyn AnyGrid>, SweepOptions), Error>);

impl Measure {
    /// Measures it and prints the rows; returns the exit status.
    ///
    /// # Errors
    /// What is refused, before any work starts; what keeps a sweep from its end.
    pub fn execute(self) -> Result<u8, Error> {
        let (grid, options) = self.0?;
        let report_to = report_stream(options.plot.as_deref());
        let sweep = grid.sweep(&options)?;
        super::print(report_to, &sweep.formatted(options.format)?)?;
        Ok(super::status(sweep.passed()))
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Measure")
    }
}

/// The arguments of a sweep of some testbenches of a family, and what these model.
fn with_arguments(command: Command, (family, names): (&dyn Family, &[&'static str])) -> Command {
    let known = family.testbenches().into_iter();
    let of = known.filter(|(name, _)| names.contains(name));
    let about: Vec<String> = match names {
        [_] => of.map(|(_, models)| models.to_owned()).collect(),
        _ => of
            .map(|(name, models)| format!("{name}: {models}"))
            .collect(),
    };
    let plot = format!(
        "{}. `-` is standard output; the rows then go to standard error",
        family.plot()
    );
    let command = SweepOptions::augment_args(family.arguments(command, names));
    reworded(command, "plot", plot)
        .about(about.join("; "))
        .after_help(examples(names))
}

/// Command lines that measure some of these testbenches.
fn examples(names: &[&str]) -> String {
    let is_of_some = |line: &&&str| {
        let mut words = line.split(' ').skip(1);
        let is_measure = words.next() == Some("measure");
        let measured = words.next().unwrap_or_default();
        is_measure && measured.split(',').any(|name| names.contains(&name))
    };
    let lines = testbenches().flat_map(|bench| bench.examples());
    let lines: Vec<&str> = lines.filter(is_of_some).copied().collect();
    format!("Examples:\n  {}", lines.join("\n  "))
}

/// The names of all testbenches.
fn known() -> Vec<&'static str> {
    let all = families().flat_map(|family| family.testbenches());
    all.map(|(name, _)| name).collect()
}

/// The testbenches of a list with commas between, each once; and their family.
///
/// # Errors
/// A name of none; testbenches of several families.
fn named(list: &str) -> Result<(&'static dyn Family, Vec<&'static str>), Error> {
    let all = || families();
    let (mut names, mut families): (Vec<&'static str>, Vec<&'static dyn Family>) =
        Default::default();
    for name in list.split(',').map(str::trim) {
        let has = |family: &&dyn Family| family.testbenches().iter().any(|(one, _)| *one == name);
        let (Some(family), Some(name)) = (
            all().find(has),
            known().into_iter().find(|one| *one == name),
        ) else {
            return Err(Error::Unknown {
                what: "testbench",
                name: name.to_owned(),
                known: known(),
            });
        };
        insert(&mut names, name);
        families.push(family);
    }
    let of = |family: &&dyn Family| family.testbenches()[0].0;
    families.dedup_by_key(|family| of(family));
    match families[..] {
        [family] => Ok((family, names)),
        _ => {
            families.sort_by_key(|family| family.testbenches().len());
            Err(Error::List {
                option: "testbenches",
                why: format!(
                    "`{list}`: {} is measured alone, since its rows have columns of their own: measure the others in \
                     another sweep",
                    of(&families[0])
                ),
            })
        }
    }
}

impl Args for Measure {
    fn augment_args(command: Command) -> Command {
        let of_family = |family: &'static dyn Family| {
            let subcommand = move |(name, _)| with_arguments(Command::new(name), (family, &[name]));
            family.testbenches().into_iter().map(subcommand)
        };
        command
            .subcommand_required(true)
            .subcommand_value_name("BENCH")
            .subcommand_help_heading("Testbenches, or several with commas between")
            .disable_help_subcommand(true)
            .allow_external_subcommands(true)
            .subcommands(families().flat_map(of_family))
            .after_help(examples(&known()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Measure {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Some((list, matches)) = matches.subcommand() else {
            return Err(clap::Error::new(ErrorKind::MissingSubcommand));
        };
        let (family, names) = match named(list) {
            Ok(named) => named,
            Err(refused) => return Ok(Measure(Err(refused))),
        };
        // What is no subcommand, as several names with commas between, clap gives as it is.
        let of_list = match known().contains(&list) {
            true => None,
            false => {
                let arguments = matches.get_many::<OsString>("").into_iter().flatten();
                let command = Command::new("measure").no_binary_name(true);
                let command = command.bin_name(format!("cubewave measure {list}"));
                let command = with_arguments(command, (family, &names));
                Some(command.try_get_matches_from(arguments)?)
            }
        };
        let matches = of_list.as_ref().unwrap_or(matches);
        let options = SweepOptions::from_arg_matches(matches)?;
        Ok(Measure(Ok((family.grid(matches, &names)?, options))))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Result<Vec<&'static str>, String> {
        let named = named(list).map(|(_, names)| names);
        named.map_err(|refused| refused.to_string())
    }

    #[test]
    fn testbenches_of_one_family_are_measured_together_and_each_once() {
        assert_eq!(names("wormhole,wormhole").unwrap(), ["wormhole"]);
        assert_eq!(
            names("radix, kuszmaul,radix").unwrap(),
            ["radix", "kuszmaul"]
        );
        for list in [
            "kuszmaul,wormhole",
            "wormhole,kuszmaul,radix",
            "radix,wormhole,radix",
        ] {
            let refused = names(list).unwrap_err();
            assert!(refused.contains("wormhole is measured alone"), "{refused}");
        }
        assert!(
            names("wormholes")
                .unwrap_err()
                .contains("did you mean `wormhole`?")
        );
        assert!(names("kuszmaul,bitonc").is_err());
        assert!(names("kuszmaul,").is_err());
    }

    #[test]
    fn every_testbench_has_help_and_takes_what_its_family_has() {
        let command = || Measure::augment_args(Command::new("measure"));
        command().debug_assert();
        for (list, axes) in [
            ("kuszmaul", "dims schedule payload_bits load traffic"),
            ("packing", "dims payload_bits load traffic"),
            ("enumeration", "dims load"),
            (
                "enumeration,radix",
                "dims schedule payload_bits load traffic",
            ),
            ("enumeration,packing", "dims payload_bits load traffic"),
            (
                "wormhole",
                "dims network copies message_bits virtual_channels buffer_bits switch traffic load offered_load",
            ),
        ] {
            let (family, names) = named(list).unwrap();
            let of_sweeps = SweepOptions::augment_args(Command::new("sweep"));
            let of_sweeps = of_sweeps.get_arguments().count();
            let taken = with_arguments(Command::new("measure"), (family, &names));
            let taken: Vec<&str> = taken
                .get_arguments()
                .map(|one| one.get_id().as_str())
                .collect();
            assert_eq!(
                taken.len(),
                of_sweeps + axes.split(' ').count(),
                "{taken:?}"
            );
            assert!(
                axes.split(' ').all(|axis| taken.contains(&axis)),
                "{taken:?}"
            );
        }
    }
}
