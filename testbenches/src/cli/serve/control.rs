//! Controls for what can be asked for: they follow from the parameters of the testbench and what is chosen beside them.

use serde::Serialize;

use crate::cli::serve::asked::{Asked, FOLLOWED, is_offered};
use crate::families::purposes;
use crate::testbench::Testbench;
use crate::testbench::bench::Offer;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter};

/// What a page has beside a run.
#[derive(Serialize)]
pub(super) struct Controls {
    /// What there is to choose from.
    benches: Vec<Bench>,
    /// What the one that is chosen models.
    models: &'static str,
    controls: Vec<Control>,
}

/// A testbench that can be chosen.
#[derive(Serialize)]
struct Bench {
    /// What it is for.
    purpose: &'static str,
    /// Its name, with the option that picks it.
    name: String,
    /// What a page asks for.
    query: String,
    is_chosen: bool,
}

/// A control.
#[derive(Serialize)]
struct Control {
    name: &'static str,
    option: &'static str,
    help: &'static str,
    heading: &'static str,
    #[serde(flatten)]
    kind: Form,
    /// What it has now; none, where the machine chooses.
    value: Option<String>,
    /// Somebody gave it that.
    is_given: bool,
}

/// What a value is chosen with.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Form {
    /// One of several names.
    Choice { names: Vec<&'static str> },
    /// A whole number, from the least to the most where the testbench does not leave that to the machine.
    Whole {
        least: Option<usize>,
        most: Option<usize>,
    },
    /// From 0 to 1.
    Share,
    /// A number.
    Amount,
    /// A text.
    Text,
    /// On or off.
    Switch,
    /// The message that is followed.
    Message,
}

impl Controls {
    /// For what is asked for.
    pub fn of(asked: &Asked) -> Self {
        let (chosen, bench) = (&asked.chosen, asked.bench());
        let parameters = bench.parameters.iter().copied();
        let offered = parameters.filter(|one| is_offered(one) && chosen.takes(one));
        let controls = offered.map(|parameter| Control {
            name: parameter.name,
            option: parameter.option,
            help: parameter.help.trim_end_matches(':'),
            heading: parameter.heading,
            kind: Form::of(parameter, chosen),
            value: chosen.shown(parameter),
            is_given: asked.given.contains(&parameter.name),
        });
        let followed = bench.offers(Offer::TraceMessage).then(|| Control {
            name: FOLLOWED,
            option: "--trace-message",
            help: "The message that is followed, and whose nodes have waveforms",
            heading: "Output",
            kind: Form::Message,
            value: asked.followed.clone(),
            is_given: asked.followed.is_some(),
        });
        Controls {
            benches: benches(bench),
            models: bench.models,
            controls: controls.chain(followed).collect(),
        }
    }
}

fn benches(chosen: &'static Testbench) -> Vec<Bench> {
    let all = purposes().into_iter();
    let all = all.flat_map(|(purpose, benches)| benches.into_iter().map(move |one| (purpose, one)));
    let bench = |(purpose, bench): (&'static str, &'static Testbench)| {
        let choice = bench.chosen_by;
        let option = choice.map_or(String::new(), |choice| format!(" --{}", choice.option));
        let given = choice.map_or(String::new(), |choice| {
            format!("&{}={}", choice.option.replace('-', "_"), choice.example)
        });
        Bench {
            purpose,
            name: format!("{}{option}", bench.name),
            query: format!("bench={}{given}", bench.name),
            is_chosen: std::ptr::eq(bench, chosen),
        }
    };
    all.map(bench).collect()
}

impl Form {
    fn of(parameter: &'static Parameter, chosen: &Chosen) -> Self {
        match parameter.kind {
            Kind::Name(_, known) => Form::Choice {
                names: known(chosen),
            },
            Kind::Range(least, most) => Form::Whole {
                least: Some(least),
                most: Some(most),
            },
            Kind::Whole => Form::Whole {
                least: None,
                most: None,
            },
            Kind::Share => Form::Share,
            Kind::Amount => Form::Amount,
            Kind::Switch => Form::Switch,
            Kind::Text | Kind::File(_) | Kind::Output(_) => Form::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::testbenches;

    /// What is offered can be asked for, and comes back as what is given.
    #[test]
    fn every_testbench_has_controls_for_what_can_be_asked_of_it() {
        for bench in testbenches() {
            let all = benches(bench);
            let mut chosen = all.iter().filter(|one| one.is_chosen);
            let (query, None) = (&chosen.next().unwrap().query, chosen.next()) else {
                panic!("{}", bench.name);
            };
            let controls = Controls::of(&Asked::of(query).unwrap()).controls;
            for control in controls {
                let Some(value) = control.value else {
                    continue;
                };
                let more = format!("{query}&{}={value}", control.name);
                let more = Controls::of(&Asked::of(&more).unwrap()).controls;
                let found = more.iter().find(|one| one.name == control.name);
                let found = found.unwrap_or_else(|| panic!("{query} {}", control.name));
                assert_eq!((found.is_given, found.value.as_ref()), (true, Some(&value)));
                assert_eq!(found.kind, control.kind, "{query} {}", control.name);
            }
        }
    }

    #[test]
    fn no_control_is_of_a_file() {
        for bench in testbenches() {
            let query = benches(bench).into_iter().find(|one| one.is_chosen);
            let controls = Controls::of(&Asked::of(&query.unwrap().query).unwrap()).controls;
            for word in ["FILE", "file", "-out", "wave", "picture", "deliveries"] {
                let mut options = controls.iter().map(|control| control.option);
                let found = options.find(|option| option.contains(word));
                assert_eq!(found, None, "{}", bench.name);
            }
        }
    }
}
