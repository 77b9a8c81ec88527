//! Lists of a sweep, one an axis: numbers, ranges and forms, shares, names, or `all`; and the points that they make.

use std::cell::RefCell;

use clap::ArgMatches;
use clap::parser::ValueSource;
use rtl_model::csv_file::is_whole;

use crate::error::Error;
use crate::error::refusal::{Refusal, takes_no};
use crate::measure::axes::MOST_POINTS;
use crate::measure::ranges::{insert, numbers, shares};
use crate::testbench::Testbench;
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::{Axis, Kind, NotLeft, Only, Parameter};

/// What is asked for of each axis, if anything is.
pub struct Lists {
    asked: Vec<(&'static str, String)>,
    /// Names of lists that some point has, each with its axis.
    found: RefCell<Vec<(&'static str, String)>>,
    /// Axes that some point has.
    used: RefCell<Vec<&'static str>>,
    /// The refusal of a name that was left out.
    left_out: RefCell<Option<Error>>,
    /// Others are measured beside.
    has_beside: bool,
}

/// Refuses more points than anybody would read by script.
///
/// # Errors
/// That there are more.
pub fn check_amount(points: u128) -> Result<(), Error> {
    match points > MOST_POINTS as u128 {
        true => Err(Refusal::of(format!(
            "the grid has {points} points, and {MOST_POINTS} are the most"
        ))
        .instead("shorten the lists, or give fewer --seeds")
        .into()),
        false => Ok(()),
    }
}

/// A name as lists have it: of several words the first, which stands for all names that begin with it.
fn in_lists(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(first, _)| first)
}

/// The items of a list.
fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim)
}

impl Lists {
    /// Those of a command line.
    pub fn read(axes: &[&'static Parameter], arguments: &ArgMatches) -> Self {
        let given = axes.iter().filter(|axis| {
            matches!(arguments.try_contains_id(axis.name), Ok(true))
                && arguments.value_source(axis.name) == Some(ValueSource::CommandLine)
        });
        let list = |axis: &&'static Parameter| match axis.kind {
            Kind::Switch => Some((axis.name, String::new())),
            _ => Some((axis.name, arguments.get_one::<String>(axis.name)?.clone())),
        };
        let mut all = given.clone().filter_map(|parameter| parameter.axis);
        Lists {
            has_beside: all.any(|axis| axis.is_beside),
            asked: given.filter_map(list).collect(),
            found: RefCell::default(),
            used: RefCell::default(),
            left_out: RefCell::default(),
        }
    }

    /// Whether anything is asked for of an axis.
    pub fn has(&self, axis: &Parameter) -> bool {
        self.asked(axis).is_some()
    }

    fn asked(&self, axis: &Parameter) -> Option<&str> {
        let mut all = self.asked.iter();
        let found = all.find(|(name, _)| *name == axis.name);
        found.map(|(_, list)| list.as_str())
    }

    /// Whether the word for all is in the list that is asked for.
    fn asks_for_all(&self, parameter: &Parameter) -> bool {
        let word = parameter.axis.map(|axis| axis.word_for_all);
        let list = self.asked(parameter);
        list.is_some_and(|list| items(list).any(|item| Some(item) == word))
    }

    /// The points of a testbench: each value of each axis beside each of those before it.
    ///
    /// # Errors
    /// A list that cannot be read; more points than anybody would read.
    pub fn points(
        &self,
        first: Chosen,
        axes: Vec<&'static Parameter>,
    ) -> Result<Vec<Chosen>, Error> {
        let mut points = vec![first];
        for parameter in axes {
            let Some(axis) = parameter.axis else { continue };
            let mut next = Vec::new();
            for point in points {
                if !parameter.applies(&point) {
                    next.push(point);
                    continue;
                }
                insert(&mut self.used.borrow_mut(), parameter.name);
                for value in self.values(parameter, axis, &point)? {
                    next.push(point.clone().with(parameter, value));
                }
                check_amount(next.len() as u128)?;
            }
            if let (true, Some(refused)) = (next.is_empty(), self.left_out.take()) {
                return Err(refused);
            }
            points = next;
        }
        Ok(points)
    }

    /// The values of an axis beside what is chosen; none, where the machine chooses.
    fn values(
        &self,
        parameter: &Parameter,
        axis: Axis,
        chosen: &Chosen,
    ) -> Result<Vec<Option<Given>>, Error> {
        let not_left = axis.not_left.filter(|not_left| (not_left.beside)(chosen));
        let default = not_left.map_or(axis.default, |not_left| not_left.default);
        let list = match (self.asked(parameter), parameter.kind) {
            (Some(_), Kind::Switch) => return Ok(vec![Some(Given::On)]),
            (None, Kind::Switch) => return Ok(vec![None]),
            (Some(list), _) => list,
            (None, _) if default.is_empty() => return Ok(vec![None]),
            (None, _) if self.has_beside && !axis.default_beside.is_empty() => axis.default_beside,
            (None, _) => default,
        };
        let mut values = Vec::new();
        if axis.is_beside {
            values.push(None);
        }
        for item in items(list) {
            if !axis.word_for_left.is_empty() && item == axis.word_for_left {
                if let Some(NotLeft { option, why, .. }) = not_left {
                    return Err(takes_no(chosen.bench().name, option, why));
                }
                insert(&mut values, None);
                continue;
            }
            match parameter.kind {
                Kind::Name(_, known) => {
                    let known = known(chosen);
                    let is_meant =
                        |name: &&str| item == axis.word_for_all || item == in_lists(name);
                    if let (Some(other), false) = (axis.names_beside, known.iter().any(is_meant)) {
                        let refused = parameter.refused(chosen, item, known.clone());
                        let is_named = self.asked(parameter).is_some()
                            && !axis.leaves_out
                            && !self.asks_for_all(parameter)
                            && !self.asks_for_all(other);
                        if is_named {
                            return Err(refused);
                        }
                        if !matches!(refused, Error::Unknown { .. }) {
                            let item = (parameter.name, item.to_owned());
                            insert(&mut self.found.borrow_mut(), item);
                        }
                        self.left_out.borrow_mut().get_or_insert(refused);
                    }
                    for name in known.into_iter().filter(is_meant) {
                        insert(&mut values, Some(Given::Text(name.to_owned())));
                        insert(
                            &mut self.found.borrow_mut(),
                            (parameter.name, item.to_owned()),
                        );
                    }
                }
                Kind::Share => {
                    for share in shares(parameter.option, item)? {
                        insert(&mut values, Some(Given::Share(share)));
                    }
                }
                Kind::Whole | Kind::Range(..) => {
                    for form in forms(parameter, item)? {
                        insert(&mut values, Some(Given::Whole(form)));
                    }
                }
                _ => insert(&mut values, Some(Given::Text(item.to_owned()))),
            }
        }
        if let (true, Kind::Name(_, known)) = (axis.leaves_out, parameter.kind) {
            // What is left of a list stands in the order of what there is.
            let known = known(chosen);
            values.sort_by_key(|value| match value {
                Some(Given::Text(name)) => known.iter().position(|one| one == name),
                _ => None,
            });
        }
        Ok(values)
    }

    /// Why there is no point of a testbench: it has none of the names of a list.
    pub fn none_of(&self, bench: &'static Testbench) -> Error {
        let nothing = Chosen::of(bench).at_point();
        let axis = |(name, list): &(&'static str, String)| {
            let Kind::Name(what, known) = bench.parameter(name)?.kind else {
                return None;
            };
            let known = known(&nothing);
            let is_there = items(list).any(|item| item == "all" || known.contains(&item));
            (!is_there).then(|| (what, list.clone(), known))
        };
        let none = self.asked.iter().find_map(axis);
        let (what, list, known) = none.unwrap_or_default();
        let known = known.join(", ");
        Refusal::of(format!("it has none of the {what}s {list}, only {known}"))
            .only_together("names that it has not")
            .into()
    }

    /// Refuses axes that no point has, and names that none of the testbenches has.
    ///
    /// # Errors
    /// An axis that none of them has; [`Error::Unknown`] with all that there are.
    pub fn check_used(
        &self,
        axes: &[&'static Parameter],
        benches: &[&'static Testbench],
    ) -> Result<(), Error> {
        let (found, used) = (self.found.borrow(), self.used.borrow());
        for parameter in axes {
            let is_used = self.asked(parameter).is_none() || used.contains(&parameter.name);
            if let (false, Some(Only { why, .. }), [bench, ..]) = (is_used, parameter.only, benches)
            {
                return Err(takes_no(bench.name, parameter.option, why));
            }
            let (Kind::Name(..), Some(axis), Some(list)) =
                (parameter.kind, parameter.axis, self.asked(parameter))
            else {
                continue;
            };
            let is_found = |item: &&str| {
                found
                    .iter()
                    .any(|(name, one)| *name == parameter.name && one == item)
            };
            let words = [axis.word_for_all, axis.word_for_left];
            let is_word = |item: &&str| !item.is_empty() && words.contains(item);
            let mut all = Vec::new();
            let own = |bench: &&'static Testbench| match bench.parameter(parameter.name)?.kind {
                Kind::Name(_, known) => Some(known(&Chosen::of(bench).at_point())),
                _ => None,
            };
            let of_benches = benches.iter().filter_map(own).flatten();
            of_benches.for_each(|name| insert(&mut all, in_lists(name)));
            let is_left_out = |item: &&str| axis.leaves_out && all.contains(item);
            let is_wrong = |item: &&str| !is_found(item) && !is_word(item) && !is_left_out(item);
            let wrong = items(list).find(is_wrong);
            if let Some(name) = wrong {
                let Some(bench) = benches.first() else {
                    continue;
                };
                // A name that there is beside other choices only is none beside these.
                let own = bench.parameter(parameter.name).unwrap_or(parameter);
                return Err(own.refused(&Chosen::of(bench).at_point(), name, all));
            }
        }
        Ok(())
    }
}

/// The numbers of an item: one, a range, or so many for each dimension, of which only dimensions are not counted.
fn forms(parameter: &Parameter, item: &str) -> Result<Vec<Form>, Error> {
    let is_counted = parameter.name != "dims";
    if let Ok(form) = item.parse::<Form>()
        && !form.is_number()
        && is_counted
    {
        return Ok(vec![form]);
    }
    match numbers(parameter.option, item) {
        Err(_) if is_counted && !item.contains("..") && !is_whole(item) => Err(Refusal::of(
            parameter.option,
        )
        .because(format!("`{item}` is neither a whole number nor a range"))
        .instead(
            "give some with commas between, as in 2..8,10 or 2..8:2, or k, 2k, 2k+1 for as many as there are dimensions",
        )
        .into()),
        numbers => Ok(numbers?.into_iter().map(Form::number).collect()),
    }
}
