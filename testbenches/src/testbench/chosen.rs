//! What is chosen of a testbench: a value for each of its parameters that is given, and what follows where none is.

mod command;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::Error;
use crate::error::refusal::{out_of_range, takes_no};
use crate::options::Input;
use crate::output::{DASH, same_file};
use crate::testbench::Testbench;
use crate::testbench::parameter::{Fallback, Kind, Only, Parameter, SEED};

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A whole number.
    Whole(Form),
    /// A share.
    Share(f64),
    /// A name or a text.
    Text(String),
    /// A file.
    Path(PathBuf),
    /// A switch that is on.
    On,
}

impl Given {
    /// That number.
    pub fn number(number: usize) -> Self {
        Given::Whole(Form::number(number))
    }
}

/// A whole number, or so many for each dimension: `8`, `k`, `2k+1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    per_dimension: usize,
    more: usize,
    /// The letter by which dimensions are called.
    letter: char,
}

impl Form {
    /// That number.
    pub fn number(number: usize) -> Self {
        Form {
            per_dimension: 0,
            more: number,
            letter: 'k',
        }
    }

    /// Whether it is a number whatever the dimensions.
    pub fn is_number(self) -> bool {
        self.per_dimension == 0
    }

    /// The number at so many dimensions.
    pub fn at(self, dimensions: usize) -> usize {
        let of_dimensions = self.per_dimension.saturating_mul(dimensions);
        of_dimensions.saturating_add(self.more)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.letter;
        match (self.per_dimension, self.more) {
            (0, more) => write!(formatter, "{more}"),
            (1, 0) => write!(formatter, "{letter}"),
            (1, more) => write!(formatter, "{letter}+{more}"),
            (factor, 0) => write!(formatter, "{factor}{letter}"),
            (factor, more) => write!(formatter, "{factor}{letter}+{more}"),
        }
    }
}

impl FromStr for Form {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse().map_err(|_| ());
        let Some((factor, rest)) = text.split_once(['k', 'n']) else {
            return number(text).map(Form::number);
        };
        Ok(Form {
            per_dimension: if factor.is_empty() {
                1
            } else {
                number(factor)?
            },
            more: match rest.strip_prefix('+') {
                Some(more) => number(more)?,
                None if rest.is_empty() => 0,
                None => return Err(()),
            },
            letter: if text.contains('k') { 'k' } else { 'n' },
        })
    }
}

/// What is chosen of a testbench.
#[derive(Clone)]
pub struct Chosen {
    bench: &'static Testbench,
    given: Vec<(&'static str, Given)>,
    /// Something looks at every message by itself, such as deliveries or a waveform.
    pub needs_list: bool,
    /// Somebody looks on in every bit time: a waveform or a picture.
    pub is_watched: bool,
    /// It is measured beside other testbenches.
    pub is_of_several: bool,
    is_point: bool,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.bench.name, self.given)
    }
}

impl Chosen {
    /// Nothing of it.
    pub fn of(bench: &'static Testbench) -> Self {
        Chosen {
            bench,
            given: Vec::new(),
            needs_list: false,
            is_watched: false,
            is_of_several: false,
            is_point: false,
        }
    }

    /// The same as a point of a sweep.
    pub fn at_point(self) -> Self {
        Chosen {
            is_point: true,
            ..self
        }
    }

    /// Whether it is a point of a sweep: what follows where nothing is given may be another thing there.
    pub fn is_point(&self) -> bool {
        self.is_point
    }

    /// The testbench.
    pub fn bench(&self) -> &'static Testbench {
        self.bench
    }

    /// Whether it is that testbench.
    pub fn is(&self, bench: &'static Testbench) -> bool {
        std::ptr::eq(self.bench, bench)
    }

    /// Chooses a value, or none.
    pub fn set(&mut self, parameter: &Parameter, value: Option<Given>) {
        self.given.retain(|(name, _)| *name != parameter.name);
        self.given
            .extend(value.map(|value| (parameter.name, value)));
    }

    /// The same with that value, or with none.
    pub fn with(mut self, parameter: &Parameter, value: impl Into<Option<Given>>) -> Self {
        self.set(parameter, value.into());
        self
    }

    /// The same with what a job of it has found ([`Job::found`](crate::testbench::bench::Job::found)), as far as it may be given
    /// beside the rest.
    pub fn with_found(mut self, found: Vec<(&'static Parameter, Given)>) -> Self {
        for (parameter, value) in found {
            let all = self.bench.parameters.iter();
            let mut given = all.filter(|one| self.has(one));
            let is_apart = |one: &&Parameter| {
                one.conflicts.contains(&parameter.name) || parameter.conflicts.contains(&one.name)
            };
            let is_beside = !given.any(is_apart);
            if is_beside && !self.has(parameter) && self.takes(parameter) {
                self.set(parameter, Some(value));
            }
        }
        self
    }

    /// What was given for a parameter.
    pub fn given(&self, parameter: &Parameter) -> Option<&Given> {
        let found = self.given.iter().find(|(name, _)| *name == parameter.name);
        found.map(|(_, value)| value)
    }

    /// Whether anything was.
    pub fn has(&self, parameter: &Parameter) -> bool {
        self.given(parameter).is_some()
    }

    /// Whether the testbench has a parameter, and it means something beside what is chosen.
    pub fn takes(&self, parameter: &Parameter) -> bool {
        self.bench.parameter(parameter.name).is_some() && parameter.applies(self)
    }

    /// A parameter as the testbench has it: its default may be another than that of others.
    fn own<'p>(&self, parameter: &'p Parameter) -> &'p Parameter {
        self.bench.parameter(parameter.name).unwrap_or(parameter)
    }

    /// A whole number, given or that of the parameter; none, where the machine chooses.
    pub fn whole(&self, parameter: &Parameter) -> Option<usize> {
        let parameter = self.own(parameter);
        match (self.given(parameter), parameter.default) {
            (Some(Given::Whole(form)), _) if form.is_number() => Some(form.at(0)),
            (Some(Given::Whole(form)), _) => Some(form.at(self.dimensions())),
            (None, Fallback::Whole(number)) => Some(number),
            (None, Fallback::Rule(rule)) => rule(self),
            _ => None,
        }
    }

    /// The dimensions that forms are in.
    fn dimensions(&self) -> usize {
        let dims = self.bench.parameter("dims");
        dims.and_then(|dims| self.whole(dims)).unwrap_or(0)
    }

    /// A whole number of a parameter that always has one.
    pub fn number(&self, parameter: &Parameter) -> usize {
        self.whole(parameter).unwrap_or(0)
    }

    /// A share, given or that of the parameter.
    pub fn share(&self, parameter: &Parameter) -> Option<f64> {
        let parameter = self.own(parameter);
        match (self.given(parameter), parameter.default) {
            // A zero has no sign here.
            (Some(Given::Share(share)), _) => Some(share + 0.0),
            (None, Fallback::Share(share)) => Some(share),
            (None, Fallback::ShareRule(rule)) => Some(rule(self)),
            _ => None,
        }
    }

    /// A name or a text as it was given.
    pub fn text(&self, parameter: &Parameter) -> Option<&str> {
        let parameter = self.own(parameter);
        match (self.given(parameter), parameter.default) {
            (Some(Given::Text(text)), _) => Some(text),
            (None, Fallback::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A name of those that there are, given or that of the parameter.
    ///
    /// # Errors
    /// [`Error::Unknown`]: a name that there is not.
    pub fn name(&self, parameter: &Parameter) -> Result<&'static str, Error> {
        let parameter = self.own(parameter);
        let Kind::Name(_, known) = parameter.kind else {
            return Ok("");
        };
        let known = known(self);
        let Some(name) = self.text(parameter) else {
            return Ok(known.first().copied().unwrap_or_default());
        };
        let mut all = known.iter().copied();
        all.find(|one| *one == name)
            .ok_or_else(|| parameter.refused(self, name, known))
    }

    /// What a name stands for, of a list.
    ///
    /// # Errors
    /// As [`Chosen::name`].
    pub fn named<T: Copy>(
        &self,
        parameter: &Parameter,
        all: &[(&'static str, T)],
    ) -> Result<T, Error> {
        let name = self.name(parameter)?;
        let found = all.iter().find(|(known, _)| *known == name);
        found.map(|(_, one)| *one).ok_or_else(|| {
            let known = all.iter().map(|(known, _)| *known);
            parameter.refused(self, name, known.collect())
        })
    }

    /// A file that was given.
    pub fn path(&self, parameter: &Parameter) -> Option<&Path> {
        match self.given(parameter) {
            Some(Given::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self, parameter: &Parameter) -> bool {
        self.given(parameter) == Some(&Given::On)
    }

    /// The seed of all random choices.
    pub fn seed(&self) -> u64 {
        self.number(&SEED) as u64
    }

    /// The same, if anything is drawn from it.
    pub fn seed_if_any(&self) -> Option<u64> {
        self.bench.parameter(SEED.name).map(|_| self.seed())
    }

    /// The files that are read, each with what it holds.
    pub fn inputs(&self) -> Vec<Input<'_>> {
        let files = self.bench.parameters.iter();
        files
            .filter_map(|parameter| self.input(parameter))
            .collect()
    }

    /// The file that is read for a parameter, if one is.
    fn input(&self, parameter: &Parameter) -> Option<Input<'_>> {
        match (parameter.kind, parameter.or_file) {
            (Kind::File(what), _) => self.path(parameter).map(|path| Input { path, what }),
            (Kind::Text, Some((what, is_file))) => {
                let name = self.text(parameter).filter(|text| is_file(text))?;
                let path = Path::new(name);
                Some(Input { path, what })
            }
            _ => None,
        }
    }

    /// The files that are written, each with what it holds.
    pub fn outputs(&self) -> Vec<(&Path, &'static str)> {
        let files = self.bench.parameters.iter();
        let output = |parameter: &&'static Parameter| match parameter.kind {
            Kind::Output(what) => self.path(parameter).map(|path| (path, what)),
            _ => None,
        };
        files.filter_map(output).collect()
    }

    /// The same without files, which are of this size and this run alone; a file that is the machine's own stays.
    pub fn without_files(mut self) -> Self {
        for parameter in self.bench.parameters {
            let is_output = matches!(parameter.kind, Kind::Output(_));
            let is_own = parameter.axis.is_some() && parameter.is_of_file();
            if is_output || !is_own && self.input(parameter).is_some() {
                self.set(parameter, None);
            }
        }
        self
    }

    /// The same without what is not given together with an option.
    pub fn beside(&self, option: Option<&str>) -> Self {
        let mut beside = self.clone();
        let mut all = self.bench.parameters.iter();
        let found = all.find(|parameter| Some(parameter.option) == option);
        for parameter in self.bench.parameters {
            if found.is_some_and(|other| parameter.conflicts.contains(&other.name)) {
                beside.set(parameter, None);
            }
        }
        beside
    }

    /// The same without what only some testbenches of its sweep have: on a machine of another size it may mean nothing.
    pub fn without_own(mut self) -> Self {
        for parameter in self.bench.parameters {
            if parameter.axis.is_some_and(|axis| axis.is_own) {
                self.set(parameter, None);
            }
        }
        self
    }

    /// A value as it stands on a command line and in rows; none, where the machine chooses, or where the parameter means nothing.
    pub fn shown(&self, parameter: &Parameter) -> Option<String> {
        if !self.takes(parameter) {
            return None;
        }
        match parameter.kind {
            Kind::Whole | Kind::Range(..) => self.whole(parameter).map(|number| number.to_string()),
            Kind::Share | Kind::Amount => self.share(parameter).map(|share| share.to_string()),
            Kind::Name(..) => match (self.given(parameter), parameter.default) {
                (None, Fallback::None) => None,
                _ => self.name(parameter).ok().map(str::to_owned),
            },
            Kind::Text => self.text(parameter).map(str::to_owned),
            Kind::File(_) | Kind::Output(_) => {
                self.path(parameter).map(|path| path.display().to_string())
            }
            Kind::Switch => self.is_on(parameter).then(String::new),
        }
    }

    /// Refuses numbers out of range, names that there are not, what means nothing beside the rest, and one stream for two files.
    ///
    /// # Errors
    /// A number out of range; [`Error::Unknown`]; an option that means nothing here; a stream that two files would be.
    pub fn check(&self) -> Result<(), Error> {
        let inputs = self.inputs();
        check_streams(inputs.iter().map(|input| (input.path, input.what)))?;
        check_streams(self.outputs().into_iter())?;
        for parameter in self.bench.parameters {
            if !self.has(parameter) {
                continue;
            }
            if let Some(Only { beside, why }) = parameter.only
                && !beside(self)
            {
                return Err(takes_no(self.bench.name, parameter.option, why));
            }
            match parameter.kind {
                Kind::Name(..) => {
                    self.name(parameter)?;
                }
                Kind::Range(least, most) => {
                    let number = self.number(parameter);
                    if !(least..=most).contains(&number) {
                        return Err(out_of_range(parameter.option, number, least..=most).into());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Refuses standard input, or output, for two files, each with what it holds.
pub(crate) fn check_streams<'a>(
    files: impl Iterator<Item = (&'a Path, &'static str)>,
) -> Result<(), Error> {
    let mut streams = files.filter(|(path, _)| path.as_os_str() == DASH);
    match (streams.next(), streams.next()) {
        (Some((path, first)), Some((_, second))) => Err(same_file(path, [first, second])),
        _ => Ok(()),
    }
}

/// The refusal of a name.
pub(crate) fn unknown(what: &'static str, name: &str, known: Vec<&'static str>) -> Error {
    Error::Unknown {
        what,
        name: name.to_owned(),
        known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep::permutations;

    const OF_ALL: Parameter = Parameter::whole(("groups", "--groups"), "N", "Groups");
    const OF_ALL_TWO: Parameter = OF_ALL.default(Fallback::Whole(2));
    const THREE: Parameter = OF_ALL.default(Fallback::Whole(3));
    static OWN: Testbench = Testbench {
        parameters: &[&THREE],
        ..permutations::BENCH
    };

    #[test]
    fn the_default_is_that_of_the_testbench() {
        let chosen = Chosen::of(&OWN);
        assert_eq!(chosen.whole(&OF_ALL_TWO), Some(3));
        assert_eq!(chosen.with(&THREE, Given::number(5)).number(&OF_ALL_TWO), 5);
    }
}
