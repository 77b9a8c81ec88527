//! The commands `measure` and `search`: a subcommand a testbench, each with the axes of its family and what all sweeps have.

use std::ffi::OsString;
use std::fmt;
use std::marker::PhantomData;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::choice::{in_place_of, is_given, pick, stands_in, with_others};
use crate::cli::chosen::{more, one_each};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::{testbenches, unknown};
#[cfg(test)]
use crate::measure::left_out::LeftOut;
use crate::measure::ranges::insert;
use crate::measure::sweep::{Sweep, SweepGrid};
use crate::measure::{self, Grid, SweepOptions};
use crate::options::{QuietArgument, reworded};
use crate::output::{hush, report_stream};
use crate::ranks;
use crate::ranks::line::Line;
use crate::report::with_value;
use crate::search::{SearchGrid, SearchOptions};
use crate::testbench::arguments::LISTS;
use crate::testbench::{Choice, Testbench};

/// A command that goes over the points of a sweep.
pub(super) trait Sweeps {
    /// What it is called.
    const NAME: &'static str;
    /// Options that it has beside those of all sweeps.
    type Own: Args;

    /// Goes over the points.
    ///
    /// # Errors
    /// As [`Grid::sweep`].
    fn sweep(
        grid: SweepGrid,
        own: Self::Own,
        options: &SweepOptions,
        line: Option<&Line>,
    ) -> Result<measure::Sweep, Error>;
}

/// No options.
#[derive(Args)]
pub(super) struct Nothing {}

/// The command `measure`.
pub(super) struct Measure;

impl Sweeps for Measure {
    const NAME: &'static str = "measure";
    type Own = Nothing;

    fn sweep(
        grid: SweepGrid,
        _: Nothing,
        options: &SweepOptions,
        line: Option<&Line>,
    ) -> Result<measure::Sweep, Error> {
        grid.sweep(options, line)
    }
}

/// The command `search`.
pub(super) struct Search;

impl Sweeps for Search {
    const NAME: &'static str = "search";
    type Own = SearchOptions;

    fn sweep(
        grid: SweepGrid,
        own: SearchOptions,
        options: &SweepOptions,
        line: Option<&Line>,
    ) -> Result<measure::Sweep, Error> {
        SearchGrid::new(grid, own).sweep(options, line)
    }
}

/// Whatever can be measured: as what testbenches are measured, each once.
fn families() -> impl Iterator<Item = &'static Sweep> + Clone {
    let is_first = |bench: &&'static Testbench| {
        let mut all = testbenches();
        let first = all.find(|other| is_same(other.sweep, bench.sweep));
        first.is_some_and(|first| std::ptr::eq(first, *bench))
    };
    testbenches().filter(is_first).map(|bench| bench.sweep)
}

/// What is asked for of it; a refusal, if no testbench has such a name.
pub(super) struct Swept<K: Sweeps> {
    asked: Result<Box<(SweepGrid, K::Own, SweepOptions)>, Error>,
    of: PhantomData<K>,
}

impl<K: Sweeps> Swept<K> {
    fn of(asked: Result<Box<(SweepGrid, K::Own, SweepOptions)>, Error>) -> Self {
        let of = PhantomData;
        Swept { asked, of }
    }

    /// Goes over the points and prints the rows; returns the exit status.
    ///
    /// # Errors
    /// What is refused, before any work starts; what keeps a sweep from its end.
    pub fn execute(self) -> Result<u8, Error> {
        let (grid, own, options) = *self.asked?;
        if options.quiet {
            hush();
        }
        let line = ranks::each_alone();
        let report_to = report_stream(options.beside());
        let sweep = K::sweep(grid, own, &options, line.as_ref())?;
        let text = sweep.formatted(options.format)?;
        super::print_as(report_to, (&text, options.format.is_prose()))?;
        Ok(super::status(sweep.passed()))
    }

    /// How many points it would have. Nothing is measured.
    #[cfg(test)]
    pub fn points(self) -> Result<usize, Error> {
        let (grid, _, options) = *self.asked?;
        let points = grid.points(&options.seeds()?, &mut LeftOut::default())?;
        Ok(points.len())
    }
}

impl<K: Sweeps> fmt::Debug for Swept<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(K::NAME)
    }
}

/// Whether two are one.
fn is_same(one: &'static Sweep, other: &'static Sweep) -> bool {
    std::ptr::eq(one, other)
}

/// The arguments of a sweep of some testbenches of a family, and what these model.
fn with_arguments<K: Sweeps>(
    command: Command,
    (family, names): (&'static Sweep, &[&'static str]),
) -> Command {
    let known = family.testbenches().into_iter();
    let of = known.filter(|(name, _)| names.contains(name));
    let about: Vec<String> = match names {
        [name] => of
            .map(|(_, models)| {
                let all = having(&[name]).into_iter().map(|other| other.chosen_by);
                with_others(models, family.chosen_by, all)
            })
            .collect(),
        _ => of
            .map(|(name, models)| format!("{name}: {models}"))
            .collect(),
    };
    let plot = format!(
        "{}. `-` is standard output; the rows then go to standard error",
        family.plot
    );
    let command = K::Own::augment_args(family.arguments(command, names));
    let command = SweepOptions::augment_args(command);
    reworded(command, "plot", plot)
        .about(about.join("; "))
        .after_help(format!(
            "{LISTS}\n\n{}{}",
            examples::<K>(family, names),
            others::<K>(family, names)
        ))
}

/// What it takes of a testbench.
pub(super) fn arguments<K: Sweeps>(bench: &'static Testbench) -> Command {
    let command = Command::new(bench.name);
    with_arguments::<K>(command, (bench.sweep, &[bench.name]))
}

/// What the help of a family says of others that have its testbenches' names too.
fn others<K: Sweeps>(family: &'static Sweep, names: &[&'static str]) -> String {
    let name = K::NAME;
    let list = names.join(",");
    let are = match names {
        [_] => "it is another testbench",
        _ => "they are other testbenches",
    };
    let other = |other: &'static Sweep| match (other.chosen_by, family.chosen_by) {
        (this, own) if this == own => String::new(),
        (Some(choice), own) => format!(
            "\n\nWith --{}{} {are}:\n  cubewave {name} {list} {} --help",
            choice.option,
            in_place_of(own),
            choice.words()
        ),
        (None, Some(choice)) => format!(
            "\n\nWithout --{} {are}:\n  cubewave {name} {list} --help",
            choice.option
        ),
        (None, None) => String::new(),
    };
    having(names).into_iter().map(other).collect()
}

/// Command lines that measure, or search, some of these testbenches, as this family.
fn examples<K: Sweeps>(family: &'static Sweep, names: &[&str]) -> String {
    let is_of_some = |line: &&&str| {
        let mut words = line.split(' ').skip(1);
        let is_this = words.next() == Some(K::NAME);
        let measured = words.next().unwrap_or_default();
        is_this && measured.split(',').any(|name| names.contains(&name))
    };
    let is_of = |bench: &&'static Testbench| is_same(family, bench.sweep);
    let lines = testbenches().filter(is_of).flat_map(|bench| bench.examples);
    let lines: Vec<&str> = lines.filter(is_of_some).copied().collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("Examples:\n  {}", lines.join("\n  ")),
    }
}

/// Command lines of a testbench that measure, or search.
fn examples_of<K: Sweeps>(bench: &'static Testbench) -> Vec<String> {
    let begin = format!("cubewave {} ", K::NAME);
    let all = bench.examples.iter();
    let of_command = all.filter(|line| line.starts_with(&begin));
    of_command.map(|line| (*line).to_owned()).collect()
}

/// The names of all testbenches, each once.
fn known() -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in families().flat_map(|family| family.testbenches()) {
        insert(&mut names, name);
    }
    names
}

/// The families that have all of these testbenches.
fn having(names: &[&str]) -> Vec<&'static Sweep> {
    let has_all = |family: &&'static Sweep| {
        let own = family.testbenches();
        let has = |name: &&str| own.iter().any(|(one, _)| one == name);
        names.iter().all(has)
    };
    families().filter(has_all).collect()
}

/// The family that testbenches are measured as, given which options are there.
fn picked(names: &[&str], is_there: impl Fn(Choice) -> bool) -> Option<&'static Sweep> {
    pick(&having(names), |family| family.chosen_by, is_there)
}

/// The command for arguments that stand behind a testbench's name: with the axes of the family that they choose. Nothing else
/// is known of them yet.
pub(super) fn choosing<K: Sweeps>(command: Command, name: &str, arguments: &[OsString]) -> Command {
    let Some(name) = known().into_iter().find(|one| *one == name) else {
        return command;
    };
    match picked(&[name], |choice| stands_in(arguments, choice)) {
        Some(family) if having(&[name]).len() > 1 => command.mut_subcommand(name, |_| {
            with_arguments::<K>(Command::new(name), (family, &[name]))
        }),
        _ => command,
    }
}

/// The testbenches of a list with commas between, each once; and the family that they are measured as, given which options are
/// there.
///
/// # Errors
/// A name of none; testbenches of several families.
fn named<K: Sweeps>(
    list: &str,
    is_there: impl Fn(Choice) -> bool,
) -> Result<(&'static Sweep, Vec<&'static str>), Error> {
    let mut names: Vec<&'static str> = Vec::new();
    for name in list.split(',').map(str::trim) {
        let Some(name) = known().into_iter().find(|one| *one == name) else {
            return Err(unknown(K::NAME, name));
        };
        insert(&mut names, name);
    }
    match picked(&names, &is_there) {
        Some(family) => Ok((family, names)),
        None => {
            let why = apart(list, &names, is_there);
            Err(Refusal::of("testbenches").because(why).into())
        }
    }
}

/// Why testbenches are not measured together: the smallest family among theirs.
fn apart(list: &str, names: &[&'static str], is_there: impl Fn(Choice) -> bool) -> String {
    let families = names.iter().filter_map(|name| {
        let family = picked(&[name], &is_there)?;
        Some((family.testbenches(), name))
    });
    let smallest = families.min_by_key(|(own, _)| own.len());
    let (own, name) = smallest.map_or((Vec::new(), ""), |(own, name)| (own, *name));
    let together: Vec<&str> = own.iter().map(|(one, _)| *one).collect();
    match together.len() {
        0 | 1 => format!(
            "`{list}`: {name} is measured alone, since its rows have columns of their own: measure the others in another \
             sweep"
        ),
        _ => format!(
            "`{list}`: {name} is measured with none but {}, since their rows have columns of their own: measure the others \
             in another sweep",
            together.join(", ")
        ),
    }
}

/// What a grid is asked for with: testbenches, and those options of their family that are given. Options of all sweeps are not
/// among them, for points have the seeds in their names, and nothing else of these is measured.
fn asked<K: Sweeps>(
    family: &'static Sweep,
    names: &[&'static str],
    matches: &ArgMatches,
) -> String {
    let of_family = K::Own::augment_args(family.arguments(Command::new(K::NAME), names));
    let given = of_family.get_arguments().filter_map(|option| {
        let id = option.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let option_of = format!("--{}", id.replace('_', "-"));
        if !option.get_action().takes_values() {
            return Some(format!(" {option_of}"));
        }
        let values = matches.try_get_raw(id).ok().flatten()?;
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        Some(with_value(&option_of, &values.join(",")))
    });
    names.join(",") + &given.collect::<String>()
}

impl<K: Sweeps> Args for Swept<K> {
    fn augment_args(command: Command) -> Command {
        let subcommand = |name: &'static str| {
            let family = picked(&[name], |_| false)?;
            Some(with_arguments::<K>(Command::new(name), (family, &[name])))
        };
        command
            .subcommand_required(true)
            .subcommand_value_name("BENCH")
            .subcommand_help_heading("Testbenches, or several with commas between")
            .disable_help_subcommand(true)
            .allow_external_subcommands(true)
            .subcommands(known().into_iter().filter_map(subcommand))
            .after_help(one_each(examples_of::<K>) + &more(K::NAME))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<K: Sweeps> FromArgMatches for Swept<K> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Some((list, matches)) = matches.subcommand() else {
            return Err(clap::Error::new(ErrorKind::MissingSubcommand));
        };
        // What is no subcommand, as several names with commas between, clap gives as it is.
        let is_list = !known().contains(&list);
        let words: Vec<OsString> = match is_list {
            true => (matches
                .get_many::<OsString>("")
                .into_iter()
                .flatten()
                .cloned())
            .collect(),
            false => Vec::new(),
        };
        let is_there = |choice| match is_list {
            true => stands_in(&words, choice),
            false => is_given(matches, choice),
        };
        let (family, names) = match named::<K>(list, is_there) {
            Ok(named) => named,
            Err(refused) => return Ok(Swept::of(Err(refused))),
        };
        let of_list = match is_list {
            false => None,
            true => {
                let command = Command::new(K::NAME).no_binary_name(true);
                let command = command.bin_name(format!("cubewave {} {list}", K::NAME));
                let command = with_arguments::<K>(command, (family, &names));
                let command = QuietArgument::augment_args(command);
                Some(command.try_get_matches_from(&words)?)
            }
        };
        let matches = of_list.as_ref().unwrap_or(matches);
        let mut options = SweepOptions::from_arg_matches(matches)?;
        options.command = K::NAME;
        options.asked = asked::<K>(family, &names, matches);
        options.quiet = QuietArgument::is_given(matches);
        let own = K::Own::from_arg_matches(matches)?;
        let asked = (family.grid(matches, &names), own, options);
        Ok(Swept::of(Ok(Box::new(asked))))
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
        let named = named::<Measure>(list, |_| false).map(|(_, names)| names);
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
        let command = || Swept::<Measure>::augment_args(Command::new("measure"));
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
                "dims network_file routes_file network radix routing copies pieces message_bits virtual_channels wire_bits buffer_bits storage switch traffic load offered_load saturation latency_bound tolerance warm_up measurement drain",
            ),
        ] {
            let (family, names) = named::<Measure>(list, |_| false).unwrap();
            let of_sweeps = SweepOptions::augment_args(Command::new("sweep"));
            let of_sweeps = of_sweeps.get_arguments().count();
            let taken = with_arguments::<Measure>(Command::new("measure"), (family, &names));
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
