//! A parameter of a testbench, said once: from its entry follow the option with its help and its refusal, the axis of a sweep with
//! its list, what tells points and series apart, the word of a command line, and the column of a table.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::setters::setters;
use crate::testbench::chosen::{Chosen, unknown};

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, as reports and rows have it, words with underscores between.
    pub name: &'static str,
    /// Its option, with dashes.
    pub option: &'static str,
    /// What stands for its value in help.
    pub value_name: &'static str,
    /// What it is, for help.
    pub help: &'static str,
    /// The same with its default, where it is not the same of all testbenches that have it.
    pub help_of: Option<fn(&Chosen) -> String>,
    /// The heading under which help has it.
    pub heading: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Its value where none is given.
    pub default: Fallback,
    /// That value as help says it, if not as it stands.
    pub default_in_words: &'static str,
    /// The symbol by which papers call it: the heading of its column.
    pub symbol: &'static str,
    /// A value in words, in the place of `{}`: of a point, and above a table in which it does not vary.
    pub in_words: &'static str,
    /// The same where nothing was asked for, and the machine chooses.
    pub left_in_words: &'static str,
    /// In words, of points beside whose choices it means nothing; none, where they say nothing of it.
    pub elsewhere_in_words: &'static str,
    /// Of a text: what the file holds whose name it may be, and whether it is one.
    pub or_file: Option<OrFile>,
    /// The hypercube that follows from it before anything else is worked out, if the network is one.
    pub cube: Option<Cube>,
    /// As an axis of sweeps, if it is one.
    pub axis: Option<Axis>,
    /// Beside which choices it means something, and why not beside others, where it has no value.
    pub only: Option<Only>,
    /// Options of which only one may be given together with it.
    pub conflicts: &'static [&'static str],
    /// What is said of a name that is none of those that there are, where more is known of it.
    pub refusal: Option<fn(&Chosen, &str) -> Option<Error>>,
    /// A run has to have it.
    pub is_required: bool,
    /// What a run calls it that only a sweep calls so.
    pub called_in_runs: Option<&'static Parameter>,
    /// Who has it.
    pub scope: Scope,
}

/// What a file holds, and whether a text is the name of one.
pub type OrFile = (&'static str, fn(&str) -> bool);

/// The hypercube that follows from what is chosen.
pub type Cube = fn(&Chosen) -> Result<Dimensions, Error>;

/// Where a parameter means something.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// Beside these choices;
    pub beside: fn(&Chosen) -> bool,
    /// and why not beside others.
    pub why: &'static str,
}

/// Who has a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Runs, projects and, if it is an axis, sweeps.
    Machine,
    /// Runs alone: neither machine nor traffic depends on it.
    Run,
    /// Sweeps alone.
    Sweep,
    /// Nobody is asked: it has a single value, which points and rows say.
    Fixed,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number; the machine says which.
    Whole,
    /// A whole number from the first to the last.
    Range(usize, usize),
    /// A share of a whole.
    Share,
    /// A number, whole or not.
    Amount,
    /// A name of those that there are beside what is chosen before it; and what such a name is of.
    Name(&'static str, fn(&Chosen) -> Vec<&'static str>),
    /// Any text, of which the job says what it means.
    Text,
    /// A file that is read, and what it holds.
    File(&'static str),
    /// A file that is written, and what it holds.
    Output(&'static str),
    /// It is given or not.
    Switch,
}

/// A value where none is given.
#[derive(Clone, Copy, Debug)]
pub enum Fallback {
    /// The machine chooses, or does without.
    None,
    /// This number.
    Whole(usize),
    /// A number that follows from what is chosen, if there is one.
    Rule(fn(&Chosen) -> Option<usize>),
    /// This share.
    Share(f64),
    /// A share that follows from what is chosen.
    ShareRule(fn(&Chosen) -> f64),
    /// This name or text.
    Text(&'static str),
    /// The first of the names that there are.
    First,
}

/// A parameter as an axis of sweeps.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// What its list is of, for help, if that is not what the parameter's help says.
    pub help: &'static str,
    /// The list where none is given; empty, where it is the value of a run.
    pub default: &'static str,
    /// That list as help says it, if not as it stands.
    pub default_in_words: &'static str,
    /// The list where none is given and others are measured beside; empty, where it is the same.
    pub default_beside: &'static str,
    /// A word of its list for what the machine chooses.
    pub word_for_left: &'static str,
    /// The word of its list for all values that there are.
    pub word_for_all: &'static str,
    /// What rows call it, if not by its name.
    pub in_rows: &'static str,
    /// Points say it before the other axes, whichever of them varies faster.
    pub is_named_first: bool,
    /// Whether series of a plot are called by it.
    pub series: InSeries,
    /// Its values come beside what there is without any.
    pub is_beside: bool,
    /// The axis beside whose names not all of its own are: one that is not is left out where either list has its word for all, and
    /// else refused.
    pub names_beside: Option<&'static Parameter>,
    /// A name that is none beside the other axis' is left out whatever the lists say, if that leaves any point.
    pub leaves_out: bool,
    /// Where the machine does not choose, if there is such.
    pub not_left: Option<NotLeft>,
    /// Only some testbenches of a sweep have it: it stands behind the sweep's axes where one of them is measured, with a column of
    /// its own.
    pub is_own: bool,
}

/// Where an axis has no word for what the machine chooses.
#[derive(Clone, Copy, Debug)]
pub struct NotLeft {
    /// Beside these choices.
    pub beside: fn(&Chosen) -> bool,
    /// The list where none is given.
    pub default: &'static str,
    /// The word as it was asked for, with the options beside which there is none,
    pub option: &'static str,
    /// and why there is none.
    pub why: &'static str,
}

/// Whether a series of a plot is called by an axis.
#[derive(Clone, Copy, Debug)]
pub enum InSeries {
    /// It is.
    Always,
    /// It is, if points differ in it.
    IfVaried,
    /// The same, of those points that have a choice.
    IfChoice(fn(&Chosen) -> bool),
    /// It is not: what is drawn is the same for all its values.
    Never,
    /// It is, if points differ in it; where nothing is asked for, points are not called by it at all.
    IfGiven,
    /// It is part of what the sweep calls those that it compares.
    InName,
}

/// Whether an option is the name with dashes.
const fn are_alike(name: &str, option: &str) -> bool {
    let (name, option) = (name.as_bytes(), option.as_bytes());
    if option.len() != name.len() + 2 || option[0] != b'-' || option[1] != b'-' {
        return false;
    }
    let mut place = 0;
    while place < name.len() {
        let expected = if name[place] == b'_' {
            b'-'
        } else {
            name[place]
        };
        if option[place + 2] != expected {
            return false;
        }
        place += 1;
    }
    true
}

impl Parameter {
    const fn new(
        (name, option): (&'static str, &'static str),
        value_name: &'static str,
        kind: Kind,
        help: &'static str,
    ) -> Self {
        assert!(are_alike(name, option), "an option is the name with dashes");
        Parameter {
            name,
            option,
            value_name,
            help,
            help_of: None,
            heading: "Machine",
            kind,
            default: Fallback::None,
            default_in_words: "",
            symbol: name,
            in_words: "{}",
            left_in_words: "",
            elsewhere_in_words: "",
            or_file: None,
            cube: None,
            axis: None,
            only: None,
            conflicts: &[],
            refusal: None,
            is_required: false,
            called_in_runs: None,
            scope: Scope::Machine,
        }
    }

    /// A whole number of which the machine says whether there is such.
    pub const fn whole(
        names: (&'static str, &'static str),
        value_name: &'static str,
        help: &'static str,
    ) -> Self {
        Parameter::new(names, value_name, Kind::Whole, help)
    }

    /// A share.
    pub const fn share(names: (&'static str, &'static str), help: &'static str) -> Self {
        Parameter::new(names, "FRACTION", Kind::Share, help)
    }

    /// A number, whole or not; the machine says whether there is such.
    pub const fn amount(
        names: (&'static str, &'static str),
        value_name: &'static str,
        help: &'static str,
    ) -> Self {
        Parameter::new(names, value_name, Kind::Amount, help)
    }

    /// A name, of what, and which there are.
    pub const fn name(
        names: (&'static str, &'static str),
        (what, known): (&'static str, fn(&Chosen) -> Vec<&'static str>),
        help: &'static str,
    ) -> Self {
        let of = Parameter::new(names, "NAME", Kind::Name(what, known), help);
        of.default(Fallback::First)
    }

    /// Any text.
    pub const fn text(
        names: (&'static str, &'static str),
        value_name: &'static str,
        help: &'static str,
    ) -> Self {
        Parameter::new(names, value_name, Kind::Text, help)
    }

    /// A file that is read, and what it holds.
    pub const fn file(
        names: (&'static str, &'static str),
        what: &'static str,
        help: &'static str,
    ) -> Self {
        Parameter::new(names, "FILE.csv", Kind::File(what), help)
    }

    /// A file that is written, and what it holds.
    pub const fn output(
        names: (&'static str, &'static str),
        what: &'static str,
        help: &'static str,
    ) -> Self {
        let of = Parameter::new(names, "FILE.csv", Kind::Output(what), help);
        of.heading("Output").of_run()
    }

    /// Given or not.
    pub const fn switch(names: (&'static str, &'static str), help: &'static str) -> Self {
        Parameter::new(names, "", Kind::Switch, help)
    }

    setters! {
        /// From the first number to the last.
        range(first: usize, last: usize) { kind: Kind::Range(first, last) }
        /// With another help.
        help(help: &'static str) { help }
        /// With a help, default and all, that follows from the testbench.
        help_of(help: fn(&Chosen) -> String) { help_of: Some(help) }
        /// Under that heading.
        heading(heading: &'static str) { heading }
        /// What stands for its value in help.
        value_name(value_name: &'static str) { value_name }
        /// With a value where none is given.
        default(default: Fallback) { default }
        /// With that value as help says it.
        default_in_words(default_in_words: &'static str) { default_in_words }
        /// With its symbol, and a value in words.
        called(symbol: &'static str, in_words: &'static str) { symbol, in_words }
        /// In words, where the machine chooses.
        left_in_words(left_in_words: &'static str) { left_in_words }
        /// In words, of points beside whose choices it means nothing.
        elsewhere_in_words(elsewhere_in_words: &'static str) { elsewhere_in_words }
        /// A text which may be the name of a file: what that holds, and whether it is one.
        or_file(what: &'static str, is_file: fn(&str) -> bool) { or_file: Some((what, is_file)) }
        /// From which a hypercube follows that is the network.
        of_cube(cube: fn(&Chosen) -> Result<Dimensions, Error>) { cube: Some(cube) }
        /// As an axis.
        axis(axis: Axis) { axis: Some(axis) }
        /// Which means something only beside that, and why not else.
        only(beside: fn(&Chosen) -> bool, why: &'static str) { only: Some(Only { beside, why }) }
        /// Not together with these options, by their names.
        conflicts(conflicts: &'static [&'static str]) { conflicts }
        /// With what is said of names that are none here, of which more is known.
        refusal(refusal: fn(&Chosen, &str) -> Option<Error>) { refusal: Some(refusal) }
        /// Which has to be given.
        required() { is_required: true }
        /// Which only a run has.
        of_run() { scope: Scope::Run }
        /// Which only a sweep has.
        of_sweep() { scope: Scope::Sweep }
        /// Which a sweep calls so, and a run another.
        called_in_runs(parameter: &'static Parameter) { called_in_runs: Some(parameter) }
        /// Of which nobody is asked.
        fixed() { scope: Scope::Fixed }
    }

    /// The refusal of what was asked for by its option.
    pub fn blamed(&self, why: String) -> Error {
        Refusal::of(self.option).because(why).into()
    }

    /// The refusal of a name that is none of those that there are beside what is chosen.
    pub fn refused(&self, chosen: &Chosen, name: &str, known: Vec<&'static str>) -> Error {
        let what = match self.kind {
            Kind::Name(what, _) => what,
            _ => self.name,
        };
        let refused = self.refusal.and_then(|refusal| refusal(chosen, name));
        refused.unwrap_or_else(|| unknown(what, name, known))
    }

    /// Whether it means something beside what is chosen.
    pub fn applies(&self, chosen: &Chosen) -> bool {
        self.only.is_none_or(|only| (only.beside)(chosen))
    }

    /// What rows call it.
    pub fn in_rows(&self) -> &'static str {
        match self.axis {
            Some(axis) if !axis.in_rows.is_empty() => axis.in_rows,
            _ => self.name,
        }
    }

    /// Its values are numbers, whole or not.
    pub fn is_number(&self) -> bool {
        matches!(
            self.kind,
            Kind::Whole | Kind::Range(..) | Kind::Share | Kind::Amount
        )
    }

    /// Its value is the name of a file, whatever it is.
    pub fn is_of_file(&self) -> bool {
        let is_named = self.or_file.is_some_and(|(_, is_file)| is_file(""));
        matches!(self.kind, Kind::File(_) | Kind::Output(_)) || is_named
    }

    /// It goes by a size: a whole number that is no seed and that several testbenches have, or a file.
    pub fn is_size(&self) -> bool {
        let is_size = matches!(self.kind, Kind::Whole | Kind::Range(..) | Kind::File(_));
        let is_own = self.axis.is_some_and(|axis| axis.is_own);
        is_size && self.name != SEED.name && !is_own
    }

    /// A value in words.
    pub fn told(&self, value: &str) -> String {
        self.in_words.replace("{}", value)
    }
}

impl Axis {
    /// A list of what the parameter's help says, and what it is where none is given.
    pub const fn of(default: &'static str) -> Self {
        Axis::new("", default)
    }

    /// A list of what this help says, and what it is where none is given.
    pub const fn new(help: &'static str, default: &'static str) -> Self {
        Axis {
            help,
            default,
            default_in_words: "",
            default_beside: "",
            word_for_left: "",
            word_for_all: "all",
            in_rows: "",
            is_named_first: false,
            series: InSeries::IfVaried,
            is_beside: false,
            names_beside: None,
            leaves_out: false,
            not_left: None,
            is_own: false,
        }
    }

    setters! {
        /// Of some testbenches of a sweep alone, which does not list it.
        own() { is_own: true }
        /// With that list as help says it.
        default_in_words(default_in_words: &'static str) { default_in_words }
        /// With another list where others are measured beside.
        default_beside(default_beside: &'static str) { default_beside }
        /// With a word for what the machine chooses.
        word_for_left(word_for_left: &'static str) { word_for_left }
        /// With another word for all values, where `all` is one of them.
        word_for_all(word_for_all: &'static str) { word_for_all }
        /// Which points say before the other axes.
        named_first() { is_named_first: true }
        /// Which rows call by another name.
        in_rows(in_rows: &'static str) { in_rows }
        /// With its values beside what there is without any.
        beside() { is_beside: true }
        /// Not all of whose names are beside each of those of another axis.
        names_beside(other: &'static Parameter) { names_beside: Some(other) }
        /// Which leaves out what is none beside the other axis, and refuses that alone of which no point is left.
        leaving_out() { leaves_out: true }
        /// With another list, and no word for what the machine chooses, where it does not.
        not_left(not_left: NotLeft) { not_left: Some(not_left) }
        /// As part of the names of series.
        series(series: InSeries) { series }
    }
}

/// The seed of all random choices.
pub const SEED: Parameter = Parameter::whole(("seed", "--seed"), "N", "Seed of all random choices")
    .heading("Traffic")
    .default(Fallback::Whole(1))
    .called("seed", "seed {}");

/// The patterns of permutations, by their names.
pub fn permutations(_: &Chosen) -> Vec<&'static str> {
    Pattern::PERMUTATIONS
        .iter()
        .map(|(name, ..)| *name)
        .collect()
}
