//! A point of a sweep of an operation: an algorithm, or a router beside.

use crate::error::Error;
use crate::families::collectives::measure::place::{Place, Who};
use crate::families::collectives::measure::routers::Task;
use crate::families::collectives::measure::row;
use crate::families::collectives::options::{RunOptions, Setup};
use crate::families::collectives::stimulus::{Carrying, job};
use crate::families::collectives::testbench::identity;
use crate::lockstep::{Requirement, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{self, Cost, Work};
use crate::measure::row::Row;

/// Dimensions of samples of algorithms: the first two that an algorithm takes.
const SAMPLES: [[usize; 2]; 3] = [[2, 4], [3, 5], [4, 6]];
/// Of samples of routers, all of which have hypercubes of as many.
const ROUTER_SAMPLE: usize = 6;
/// Bytes of a node of a router, messages not counted.
const ROUTER_BYTES: usize = 4096;

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    doing: Doing,
    /// Bit times, by their formula, of the fastest algorithm of the sweep for as much.
    pub fastest: Option<u64>,
}

/// What is done.
#[derive(Clone)]
enum Doing {
    Algorithm(Requirement),
    Router(Task),
}

/// What a point takes. Among several, one that an algorithm does not take is left out where it would be refused alone.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place, is_one_of_several: bool) -> Result<Point, Error> {
    let doing = match place.who {
        Who::Router(router) => Doing::Router(Task::new(router, &place)?),
        Who::Algorithm(name) => match job(&place.setup()) {
            Ok(job) => Doing::Algorithm(job.requirement()),
            Err(Error::List {
                option: "--dims" | "--groups" | "--packet-bits" | "--size",
                why,
            }) if is_one_of_several => {
                let of_it = why.strip_prefix(name).map(|rest| format!("it{rest}"));
                let why = of_it.unwrap_or(why);
                return Err(Error::Refused { by: name, why });
            }
            Err(error) => return Err(error),
        },
    };
    Ok(Point {
        place,
        doing,
        fastest: None,
    })
}

/// Says of each point which bit times the fastest algorithm has for as much. Algorithms are compared at the same start-up;
/// routers, which have none, with the least of the sweep.
pub(super) fn compare(points: &mut [Point]) {
    let timed: Vec<(Place, u64)> = points.iter().filter_map(Point::timed).collect();
    let least = timed.iter().map(|(place, _)| place.start_up).min();
    for point in points {
        let start_up = match point.doing {
            Doing::Algorithm(_) => Some(point.place.start_up),
            Doing::Router(_) => least,
        };
        let alike = timed.iter().filter(|(place, _)| {
            place.is_as_much(&point.place) && Some(place.start_up) == start_up
        });
        point.fastest = alike.map(|(_, bit_times)| *bit_times).min();
    }
}

impl Point {
    /// An algorithm's place and bit times.
    fn timed(&self) -> Option<(Place, u64)> {
        match &self.doing {
            Doing::Algorithm(requirement) => {
                Some((self.place.clone(), requirement.bit_times.value))
            }
            Doing::Router(_) => None,
        }
    }

    /// Whether it is a router.
    pub fn is_router(&self) -> bool {
        matches!(self.doing, Doing::Router(_))
    }
}

/// Words of 64 nodes.
fn words(nodes: usize) -> f64 {
    (nodes as f64 / 64.0).max(1.0)
}

/// Runs an algorithm at a place; returns its bit times.
fn sample(place: Place) -> Result<u64, Error> {
    let options = RunOptions::beside_others(place.setup());
    let stimulus = Carrying::new(&options.setup)?;
    let of = identity(stimulus.job.algorithm);
    Ok(carry_out(&of, &options, &[], Box::new(stimulus))?.bit_times)
}

impl measure::Point for Point {
    fn coordinates(&self) -> Vec<Coordinate> {
        self.place.coordinates()
    }

    fn with_seed(&self, seed: u64) -> Self {
        let mut point = self.clone();
        point.place.seed = seed;
        if let Doing::Router(task) = &mut point.doing {
            task.seed = seed;
        }
        point
    }

    fn nodes(&self) -> usize {
        1 << self.place.dims
    }

    fn bytes(&self) -> u64 {
        match &self.doing {
            Doing::Algorithm(requirement) => requirement.bytes,
            Doing::Router(task) => (self.nodes() * (ROUTER_BYTES + task.payload_bits)) as u64,
        }
    }

    fn work(&self) -> Work {
        let words = words(self.nodes());
        match &self.doing {
            Doing::Algorithm(requirement) => {
                let bit_times = requirement.bit_times.value as f64;
                Work {
                    bit_times,
                    sized: bit_times * words,
                }
            }
            Doing::Router(task) => {
                // What is sent across each dimension, some times over.
                let dims = self.place.dims;
                let of_a_round = 3 * dims * (task.payload_bits + 7 * dims);
                Work {
                    bit_times: 0.0,
                    sized: (task.runs() * of_a_round) as f64 * words,
                }
            }
        }
    }

    fn kind_of_work(&self) -> String {
        self.place.who.name().to_owned()
    }

    /// Of an algorithm from two sizes, of messages as they are by default; of a router from one.
    fn cost(&self) -> Result<Cost, Error> {
        let place = |dims: usize| Place {
            dims,
            message_bits: None,
            size: None,
            word_bits: None,
            bins: None,
            samples: None,
            groups: None,
            packet_bits: None,
            ..self.place.clone()
        };
        if let Who::Router(router) = self.place.who {
            let task = Task::new(router, &place(ROUTER_SAMPLE))?;
            let sized = duration::seconds_a_bit_time(|| Ok(task.run()?.facts.bit_times))?;
            return Ok(Cost { fixed: 0.0, sized });
        }
        let is_taken = |dims: &usize| job(&place(*dims).setup()).is_ok();
        let mut samples = SAMPLES.into_iter();
        let [small, large] = samples
            .find(|sample| sample.iter().all(is_taken))
            .unwrap_or(SAMPLES[0]);
        let seconds = |dims: usize| -> Result<(f64, f64), Error> {
            let seconds = duration::seconds_a_bit_time(|| sample(place(dims)))?;
            Ok((dims as f64, seconds))
        };
        Ok(Cost::from_samples(seconds(small)?, seconds(large)?))
    }

    fn run(&self) -> Result<Row, Error> {
        if let (Doing::Router(task), Who::Router(router)) = (&self.doing, self.place.who) {
            return Ok(row::of_router(self, &task.run()?, (router, task)));
        }
        let setup: Setup = self.place.setup();
        let options = RunOptions::beside_others(setup);
        let stimulus = Carrying::new(&options.setup)?;
        let of = identity(stimulus.job.algorithm);
        let report = carry_out(&of, &options, &[], Box::new(stimulus))?;
        Ok(row::of_algorithm(self, &report))
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::routers::collectives::algorithms::Operation;
    use rtl_model::routers::ports::algorithm::PortModel;

    use super::*;
    use crate::families::collectives::measure::routers::Router;
    use crate::measure::Seeds;

    fn place(who: Who, message_bits: usize, start_up: usize) -> Place {
        let seeds = Seeds {
            first: 1,
            amount: 1,
        };
        Place {
            dims: 3,
            message_bits: Some(message_bits),
            start_up,
            ..Place::of(Operation::Scatter, (who, PortModel::All), &seeds)
        }
    }

    #[test]
    fn each_is_held_against_the_fastest_algorithm_for_as_much() {
        let algorithm = |name, bits, start_up| {
            sized_up(place(Who::Algorithm(name), bits, start_up), true).unwrap()
        };
        let router = Point {
            place: place(Who::Router(Router::Plain), 24, 0),
            doing: Doing::Router(
                Task::new(Router::Plain, &place(Who::Router(Router::Plain), 24, 0)).unwrap(),
            ),
            fastest: None,
        };
        let mut points = [
            algorithm("sbt", 24, 8),
            algorithm("bst", 24, 8),
            algorithm("bst", 24, 0),
            algorithm("bst", 48, 8),
            router,
        ];
        let times: Vec<u64> = points
            .iter()
            .filter_map(|point| Some(point.timed()?.1))
            .collect();
        compare(&mut points);
        let faster = times[0].min(times[1]);
        assert_eq!(points[0].fastest, Some(faster));
        assert_eq!(points[1].fastest, Some(faster));
        assert_eq!(points[3].fastest, Some(times[3]));
        assert_eq!(points[4].fastest, Some(times[2]));
        assert!(points[4].is_router());
    }

    #[test]
    fn what_an_algorithm_has_not_is_left_out_among_several_and_refused_alone() {
        let with_groups = Place {
            groups: Some(2),
            ..place(Who::Algorithm("sbt"), 24, 8)
        };
        let among = sized_up(with_groups.clone(), true).err().unwrap();
        assert!(among.concerns_one_point(), "{among}");
        let alone = sized_up(with_groups, false).err().unwrap();
        assert!(!alone.concerns_one_point(), "{alone}");
    }
}
