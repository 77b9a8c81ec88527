//! Lists of a sweep, one an axis: numbers, ranges and forms, shares, names, or `all`; and the points that they make.

use std::cell::RefCell;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::error::Error;
use crate::measure::axes::MOST_POINTS;
use crate::measure::ranges::{insert, numbers, shares};
use crate::testbench::bench::Bench;
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::{Axis, Kind, Only, Parameter};

/// What is asked for of each axis, if anything is.
pub struct Lists {
    asked: Vec<(&'static str, String)>,
    /// Names of lists that some point has, each with its axis.
    found: RefCell<Vec<(&'static str, String)>>,
    /// Axes that some point has.
    used: RefCell<Vec<&'static str>>,
}

/// Refuses more points than anybody would read by script.
///
/// # Errors
/// [`Error::GridTooLarge`].
pub fn check_amount(points: u128) -> Result<(), Error> {
    match points > MOST_POINTS as u128 {
        true => Err(Error::GridTooLarge {
            points,
            most: MOST_POINTS,
        }),
        false => Ok(()),
    }
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
        Lists {
            asked: given.filter_map(list).collect(),
            found: RefCell::default(),
            used: RefCell::default(),
        }
    }

    fn asked(&self, axis: &Parameter) -> Option<&str> {
        let mut all = self.asked.iter();
        let found = all.find(|(name, _)| *name == axis.name);
        found.map(|(_, list)| list.as_str())
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
        let list = match (self.asked(parameter), parameter.kind) {
            (Some(_), Kind::Switch) => return Ok(vec![Some(Given::On)]),
            (None, Kind::Switch) => return Ok(vec![None]),
            (Some(list), _) => list,
            (None, _) if axis.default.is_empty() => return Ok(vec![None]),
            (None, _) => axis.default,
        };
        let mut values = Vec::new();
        if axis.is_beside {
            values.push(None);
        }
        for item in items(list) {
            if !axis.word_for_left.is_empty() && item == axis.word_for_left {
                insert(&mut values, None);
                continue;
            }
            match parameter.kind {
                Kind::Name(_, known) => {
                    let known = known(chosen);
                    let is_meant = |name: &&str| item == axis.word_for_all || item == *name;
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
                Kind::Whole | Kind::Range(..) if axis.is_of_numbers => {
                    for number in numbers(parameter.option, item)? {
                        insert(&mut values, Some(Given::Whole(Form::number(number))));
                    }
                }
                Kind::Whole | Kind::Range(..) => {
                    for form in forms(parameter, axis, item)? {
                        insert(&mut values, Some(Given::Whole(form)));
                    }
                }
                _ => insert(&mut values, Some(Given::Text(item.to_owned()))),
            }
        }
        Ok(values)
    }

    /// Refuses axes that no point has, and names that none of the testbenches has.
    ///
    /// # Errors
    /// [`Error::NotApplicable`]; [`Error::Unknown`] with all that there are.
    pub fn check_used(
        &self,
        axes: &[&'static Parameter],
        benches: &[&'static Bench],
    ) -> Result<(), Error> {
        let (found, used) = (self.found.borrow(), self.used.borrow());
        for parameter in axes {
            let is_used = self.asked(parameter).is_none() || used.contains(&parameter.name);
            if let (false, Some(Only { why, .. }), [bench, ..]) = (is_used, parameter.only, benches)
            {
                return Err(Error::NotApplicable {
                    bench: bench.name,
                    option: parameter.option,
                    why,
                });
            }
            let (Kind::Name(_, known), Some(axis), Some(list)) =
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
            let mut wrong = items(list).filter(|item| !is_found(item) && !is_word(item));
            if let Some(name) = wrong.next() {
                let mut all = Vec::new();
                let of_benches = benches.iter().flat_map(|bench| known(&Chosen::of(bench)));
                of_benches.for_each(|name| insert(&mut all, name));
                // A name that there is beside other choices only is none beside these.
                let Some(bench) = benches.first() else {
                    continue;
                };
                return Err(parameter.refused(&Chosen::of(bench), name, all));
            }
        }
        Ok(())
    }
}

/// The numbers of an item: one, a range, or so many for each dimension.
fn forms(parameter: &Parameter, axis: Axis, item: &str) -> Result<Vec<Form>, Error> {
    if let Some((letter, why_not)) = axis.forms {
        let form = item.parse::<Form>().ok();
        let form = form.filter(|form| form.is_number() || item.contains(letter));
        let form = form.ok_or_else(|| Error::List {
            option: parameter.option,
            why: format!("`{item}` {why_not}"),
        })?;
        return Ok(vec![form]);
    }
    if let Ok(form) = item.parse::<Form>()
        && !form.is_number()
    {
        return match parameter.name {
            "dims" => Err(Error::List {
                option: parameter.option,
                why: format!("`{item}` counts dimensions by themselves: give numbers and ranges"),
            }),
            _ => Ok(vec![form]),
        };
    }
    let numbers = numbers(parameter.option, item)?;
    Ok(numbers.into_iter().map(Form::number).collect())
}
