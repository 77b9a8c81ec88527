//! What is asked for: a testbench and what is given of its parameters, as a page says it. Files are none of it: nobody can have the
//! server read or write one.

use std::ffi::OsString;

use rtl_model::csv_file::visible;

use crate::cli::choice::pick;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::{namesakes, testbenches, unknown};
use crate::lockstep::parameters::DIMS;
use crate::testbench::Testbench;
use crate::testbench::arguments::read_options;
use crate::testbench::bench::Offer;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::{Kind, Parameter, Scope};

/// The testbench, by its name.
const BENCH: &str = "bench";
/// The message that is followed.
pub(super) const FOLLOWED: &str = "trace_message";
/// The option by which a run prints its page.
const PAGE: &str = "--picture=-";
/// Bytes of a name, and of a value.
const LONGEST: usize = 200;

/// A size that is still to be looked at, where smaller ones do not go with those that are given.
const LARGEST_TO_LOOK_AT: usize = 1 << 12;

/// What a page asks for.
#[derive(Debug)]
pub(super) struct Asked {
    /// What the run is of. Sizes that are not given are such as can be looked at.
    pub chosen: Chosen,
    /// The parameters that were given, and mean something beside the others.
    pub given: Vec<&'static str>,
    /// The message that is followed, if one is named.
    pub followed: Option<String>,
}

impl Asked {
    /// What the query of an address asks for: `bench=kuszmaul&dims=6`. A parameter that means nothing beside the others is left
    /// out.
    ///
    /// # Errors
    /// A testbench or parameter that there is not, a file, a value that cannot be.
    pub fn of(query: &str) -> Result<Self, Error> {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let is_long = |(name, value): &&(String, String)| name.len().max(value.len()) > LONGEST;
        if let Some((name, _)) = pairs.iter().find(is_long) {
            let name: String = name.chars().take(LONGEST).collect();
            return Err(refused(&name, "it is too long, or its value"));
        }
        let bench = bench(&pairs)?;
        let mut given: Vec<(&'static Parameter, String)> = Vec::new();
        let mut followed = None;
        for (name, value) in pairs {
            match name.as_str() {
                BENCH => {}
                FOLLOWED if bench.offers(Offer::TraceMessage) => followed = Some(value),
                _ => {
                    let parameter = asked_for(bench, &name, &value)?;
                    given.retain(|(other, _)| other.name != parameter.name);
                    given.push((parameter, value));
                }
            }
        }
        let words = |given: &[(&'static Parameter, String)], is_said: fn(&Parameter) -> bool| {
            let said = given.iter().filter(|(parameter, _)| is_said(parameter));
            let said = said.map(|(parameter, value)| word(parameter, value));
            bench.arguments(said.chain([PAGE.into()]))
        };
        let mut all = read_options(Chosen::of(bench), &words(&given, |_| true)?);
        for parameter in bench.parameters {
            let is_named =
                || !matches!(parameter.kind, Kind::Name(..)) || all.name(parameter).is_ok();
            if all.has(parameter) && !(parameter.applies(&all) && is_named()) {
                all.set(parameter, None);
            }
        }
        given.retain(|(parameter, _)| all.has(parameter));
        // A size that is given does not take the others away.
        let but_sizes = words(&given, |one| !one.is_size() || one.is_required)?;
        let mut chosen = bench.asked_by(&but_sizes)?.chosen;
        for (parameter, _) in given.iter().filter(|(parameter, _)| parameter.is_size()) {
            chosen.set(parameter, all.given(parameter).cloned());
        }
        chosen.check()?;
        let given: Vec<&str> = given.iter().map(|(parameter, _)| parameter.name).collect();
        Ok(Asked {
            chosen: with_sizes_that_go_together(chosen, &given),
            given,
            followed: followed.filter(|message| !message.is_empty()),
        })
    }

    /// The testbench.
    pub fn bench(&self) -> &'static Testbench {
        self.chosen.bench()
    }

    /// The words of the command line that runs it, and prints its page.
    pub fn words(&self) -> Vec<OsString> {
        let parameters = self.bench().parameters.iter();
        let given = parameters.filter(|parameter| self.chosen.has(parameter));
        let given = given.filter_map(|parameter| {
            let value = self.chosen.shown(parameter)?;
            Some(word(parameter, &value))
        });
        let followed = self.followed.iter();
        let followed = followed.map(|message| format!("--trace-message={message}").into());
        let first = ["run", self.bench().name].map(OsString::from);
        let words = first.into_iter().chain(given).chain(followed);
        words.chain([PAGE.into()]).collect()
    }
}

/// A size to look at that does not go with the sizes that are given is doubled until it does, unless that would square the nodes; one
/// that never does is left to the testbench.
fn with_sizes_that_go_together(chosen: Chosen, given: &[&str]) -> Chosen {
    let bench = chosen.bench();
    if given.is_empty() || (bench.job)(&chosen).is_ok() {
        return chosen;
    }
    let to_look_at = bench.parameters.iter().filter(|parameter| {
        parameter.is_size() && chosen.has(parameter) && !given.contains(&parameter.name)
    });
    let mut others = to_look_at.flat_map(|parameter| {
        let can_be_doubled = |size: &usize| *size > 0 && parameter.name != DIMS.name;
        let first = chosen.whole(parameter).filter(can_be_doubled);
        let doubled = std::iter::successors(first, |size| Some(2 * size));
        let doubled = doubled
            .skip(1)
            .take_while(|size| *size <= LARGEST_TO_LOOK_AT);
        let sizes = doubled.map(|size| Some(Given::number(size)));
        sizes
            .chain([None])
            .map(|size| chosen.clone().with(parameter, size))
    });
    let other = others.find(|other| other.check().and_then(|()| (bench.job)(other)).is_ok());
    other.unwrap_or(chosen)
}

/// Whether a page may ask for a parameter: for no file.
pub(super) fn is_offered(parameter: &Parameter) -> bool {
    matches!(parameter.scope, Scope::Machine | Scope::Run) && !parameter.is_of_file()
}

fn refused(name: &str, why: &str) -> Error {
    Refusal::of(format!("`{}`", visible(name)))
        .because(why)
        .into()
}

/// The testbench that is named: of several the one whose option is given; where none is named, the first of all.
fn bench(pairs: &[(String, String)]) -> Result<&'static Testbench, Error> {
    let of = |wanted: &str| pairs.iter().rfind(|(name, _)| name == wanted);
    let first = || testbenches().next().map_or("", |bench| bench.name);
    let name = of(BENCH).map_or_else(first, |(_, name)| name);
    let is_there = |bench: &'static Testbench| bench.chosen_by;
    let chosen = pick(&namesakes(name), is_there, |choice| {
        of(&choice.option.replace('-', "_")).is_some()
    });
    chosen.ok_or_else(|| unknown("serve", name))
}

/// The parameter of that name, to have that value.
fn asked_for(
    bench: &'static Testbench,
    name: &str,
    value: &str,
) -> Result<&'static Parameter, Error> {
    let parameter = bench
        .parameter(name)
        .filter(|parameter| is_offered(parameter));
    let parameter = parameter
        .ok_or_else(|| refused(name, &format!("a page cannot ask {} for it", bench.name)))?;
    match parameter.or_file {
        Some((_, is_file)) if is_file(value) => Err(refused(name, "a page cannot ask for a file")),
        _ => Ok(parameter),
    }
}

/// A value as a word of a command line.
fn word(parameter: &Parameter, value: &str) -> OsString {
    match parameter.kind {
        Kind::Switch => parameter.option.into(),
        _ => format!("{}={value}", parameter.option).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::RunOptions;

    /// The command of what a query asks for, or why it is refused.
    fn command(query: &str) -> String {
        match Asked::of(query) {
            Ok(asked) => asked.chosen.command_of_run(&RunOptions::default()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_asked_for_is_what_its_words_run() {
        for query in [
            "",
            "bench=kuszmaul&h=2&dims=3",
            "bench=wormhole&network=hypercube&dims=6&offered_load=0.1&traffic=uniform",
            "bench=scatter&dims=4&algorithm=sbt",
            "bench=permuted-send&dims=4&trace_message=1-%3E2",
        ] {
            let asked = Asked::of(query).unwrap();
            let words = asked.words();
            assert_eq!(words[..2], ["run", asked.bench().name], "{query}");
            let arguments = asked.bench().arguments(words[2..].iter().cloned()).unwrap();
            let run = asked.bench().asked_by(&arguments).unwrap();
            let command = |chosen: &Chosen| chosen.command_of_run(&RunOptions::default());
            assert_eq!(command(&run.chosen), command(&asked.chosen), "{query}");
            assert_eq!(run.options.trace_message, asked.followed, "{query}");
        }
    }

    /// A size that is given leaves the others as they can be looked at.
    #[test]
    fn sizes_are_such_as_can_be_looked_at() {
        let expected = [("bench=scatter", 3), ("bench=scatter&dims=4", 4)];
        for (query, dims) in expected {
            let command = command(query);
            assert!(command.contains(&format!(" --dims {dims} ")), "{command}");
            assert!(command.contains(" --message-bits 12"), "{command}");
        }
        let query = "bench=wormhole&offered_load=0.02&dims=8&drain=50";
        let command = command(query);
        let phases = " --warm-up 1000 --measurement 2000 --drain 50";
        assert!(command.contains(phases), "{command}");
    }

    /// Eight rows are too few for so many nodes.
    #[test]
    fn a_size_to_look_at_that_does_not_go_with_those_that_are_given_is_doubled() {
        let query = "bench=transpose&algorithm=by-submatrices";
        for (dims, size) in [(4, 8), (8, 16), (10, 32), (12, 64)] {
            let command = command(&format!("{query}&dims={dims}"));
            let sizes = format!(" --dims {dims} --start-up 2 --size {size} ");
            assert!(command.contains(&sizes), "{command}");
        }
        // Dimensions are not: as many as a run has that nobody looks at.
        let source = command("bench=scatter&source=50");
        assert!(source.contains(" --dims 6 "), "{source}");
        let refused_source = command("bench=scatter&source=100");
        assert!(refused_source.contains(" --dims 3 "), "{refused_source}");
        let refused = command(&format!("{query}&dims=8&size=8"));
        assert!(
            refused.contains(" --dims 8 --start-up 2 --size 8"),
            "{refused}"
        );
    }

    #[test]
    fn what_means_nothing_beside_the_rest_is_left_out() {
        for (query, given) in [
            ("bench=send&algorithm=no-such&dims=4", &["dims"][..]),
            (
                "bench=wormhole&load=0.5&offered_load=0.1",
                &["offered_load"],
            ),
            ("bench=kuszmaul&dims=3&seed=1&dims=4", &["seed", "dims"]),
        ] {
            assert_eq!(Asked::of(query).unwrap().given, given, "{query}");
        }
    }

    #[test]
    fn files_and_what_there_is_not_are_refused() {
        let long = "9".repeat(LONGEST + 1);
        for (query, why) in [
            ("bench=no-such", "there is no testbench `no-such`"),
            (
                "bench=kuszmaul&no_such=1",
                "`no_such`: a page cannot ask kuszmaul for it",
            ),
            (
                "bench=kuszmaul&traffic_file=mine.csv",
                "`traffic_file`: a page cannot ask kuszmaul for it",
            ),
            (
                "bench=kuszmaul&wave=run.vcd",
                "`wave`: a page cannot ask kuszmaul for it",
            ),
            (
                "bench=enumeration&trace_message=0",
                "`trace_message`: a page cannot ask enumeration for it",
            ),
            (
                "bench=permuted-send&permutation=./mine.csv",
                "`permutation`: a page cannot ask for a file",
            ),
            (
                "bench=permuted-send&permutation=-",
                "`permutation`: a page cannot ask for a file",
            ),
            ("bench=kuszmaul&load=x", "invalid value 'x' for '--load"),
            (
                &format!("bench=kuszmaul&seed={long}"),
                "`seed`: it is too long, or its value",
            ),
        ] {
            let said = command(query);
            assert!(said.contains(why), "{query}: {said}");
        }
    }
}
