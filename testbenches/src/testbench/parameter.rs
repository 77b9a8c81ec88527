//! A parameter of a testbench, said once: from its entry follow the option with its help and its refusal, the axis of a sweep with
//! its list, what tells points and series apart, the word of a command line, and the column of a table.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::Refusal;
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

    /// From the first number to the last.
    pub const fn range(self, first: usize, last: usize) -> Self {
        Parameter {
            kind: Kind::Range(first, last),
            ..self
        }
    }

    /// With another help.
    pub const fn help(self, help: &'static str) -> Self {
        Parameter { help, ..self }
    }

    /// With a help, default and all, that follows from the testbench.
    pub const fn help_of(self, help: fn(&Chosen) -> String) -> Self {
        Parameter {
            help_of: Some(help),
            ..self
        }
    }

    /// Under that heading.
    pub const fn heading(self, heading: &'static str) -> Self {
        Parameter { heading, ..self }
    }

    /// What stands for its value in help.
    pub const fn value_name(self, value_name: &'static str) -> Self {
        Parameter { value_name, ..self }
    }

    /// With a value where none is given.
    pub const fn default(self, default: Fallback) -> Self {
        Parameter { default, ..self }
    }

    /// With that value as help says it.
    pub const fn default_in_words(self, default_in_words: &'static str) -> Self {
        Parameter {
            default_in_words,
            ..self
        }
    }

    /// With its symbol, and a value in words.
    pub const fn called(self, symbol: &'static str, in_words: &'static str) -> Self {
        Parameter {
            symbol,
            in_words,
            ..self
        }
    }

    /// In words, where the machine chooses.
    pub const fn left_in_words(self, left_in_words: &'static str) -> Self {
        Parameter {
            left_in_words,
            ..self
        }
    }

    /// In words, of points beside whose choices it means nothing.
    pub const fn elsewhere_in_words(self, elsewhere_in_words: &'static str) -> Self {
        Parameter {
            elsewhere_in_words,
            ..self
        }
    }

    /// A text which may be the name of a file: what that holds, and whether it is one.
    pub const fn or_file(self, what: &'static str, is_file: fn(&str) -> bool) -> Self {
        Parameter {
            or_file: Some((what, is_file)),
            ..self
        }
    }

    /// From which a hypercube follows that is the network.
    pub const fn of_cube(self, cube: fn(&Chosen) -> Result<Dimensions, Error>) -> Self {
        Parameter {
            cube: Some(cube),
            ..self
        }
    }

    /// As an axis.
    pub const fn axis(self, axis: Axis) -> Self {
        Parameter {
            axis: Some(axis),
            ..self
        }
    }

    /// Which means something only beside that, and why not else.
    pub const fn only(self, beside: fn(&Chosen) -> bool, why: &'static str) -> Self {
        Parameter {
            only: Some(Only { beside, why }),
            ..self
        }
    }

    /// Not together with these options, by their names.
    pub const fn conflicts(self, conflicts: &'static [&'static str]) -> Self {
        Parameter { conflicts, ..self }
    }

    /// With what is said of names that are none here, of which more is known.
    pub const fn refusal(self, refusal: fn(&Chosen, &str) -> Option<Error>) -> Self {
        Parameter {
            refusal: Some(refusal),
            ..self
        }
    }

    /// Which has to be given.
    pub const fn required(self) -> Self {
        Parameter {
            is_required: true,
            ..self
        }
    }

    /// Which only a run has.
    pub const fn of_run(self) -> Self {
        Parameter {
            scope: Scope::Run,
            ..self
        }
    }

    /// Which only a sweep has.
    pub const fn of_sweep(self) -> Self {
        Parameter {
            scope: Scope::Sweep,
            ..self
        }
    }

    /// Which a sweep calls so, and a run another.
    pub const fn called_in_runs(self, parameter: &'static Parameter) -> Self {
        Parameter {
            called_in_runs: Some(parameter),
            ..self
        }
    }

    /// Of which nobody is asked.
    pub const fn fixed(self) -> Self {
        Parameter {
            scope: Scope::Fixed,
            ..self
        }
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

    /// It goes by a size: a whole number that is no seed, or a file.
    pub fn is_size(&self) -> bool {
        let is_size = matches!(self.kind, Kind::Whole | Kind::Range(..) | Kind::File(_));
        is_size && self.name != SEED.name
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

    /// Of some testbenches of a sweep alone, which does not list it.
    pub const fn own(self) -> Self {
        Axis {
            is_own: true,
            ..self
        }
    }

    /// With that list as help says it.
    pub const fn default_in_words(self, default_in_words: &'static str) -> Self {
        Axis {
            default_in_words,
            ..self
        }
    }

    /// With another list where others are measured beside.
    pub const fn default_beside(self, default_beside: &'static str) -> Self {
        Axis {
            default_beside,
            ..self
        }
    }

    /// With a word for what the machine chooses.
    pub const fn word_for_left(self, word_for_left: &'static str) -> Self {
        Axis {
            word_for_left,
            ..self
        }
    }

    /// With another word for all values, where `all` is one of them.
    pub const fn word_for_all(self, word_for_all: &'static str) -> Self {
        Axis {
            word_for_all,
            ..self
        }
    }

    /// Which points say before the other axes.
    pub const fn named_first(self) -> Self {
        Axis {
            is_named_first: true,
            ..self
        }
    }

    /// Which rows call by another name.
    pub const fn in_rows(self, in_rows: &'static str) -> Self {
        Axis { in_rows, ..self }
    }

    /// With its values beside what there is without any.
    pub const fn beside(self) -> Self {
        Axis {
            is_beside: true,
            ..self
        }
    }

    /// Not all of whose names are beside each of those of another axis.
    pub const fn names_beside(self, other: &'static Parameter) -> Self {
        Axis {
            names_beside: Some(other),
            ..self
        }
    }

    /// Which leaves out what is none beside the other axis, and refuses that alone of which no point is left.
    pub const fn leaving_out(self) -> Self {
        Axis {
            leaves_out: true,
            ..self
        }
    }

    /// With another list, and no word for what the machine chooses, where it does not.
    pub const fn not_left(self, not_left: NotLeft) -> Self {
        Axis {
            not_left: Some(not_left),
            ..self
        }
    }

    /// As part of the names of series.
    pub const fn series(self, series: InSeries) -> Self {
        Axis { series, ..self }
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
