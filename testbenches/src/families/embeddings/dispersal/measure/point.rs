//! A point of a sweep of dispersal, and its row.

use rtl_model::machine::device::Device;
use serde_json::Value;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts;
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::options::{Over, RunOptions, Setup};
use crate::families::embeddings::dispersal::report::RESTORED;
use crate::families::embeddings::dispersal::stimulus::Dispersing;
use crate::families::embeddings::dispersal::testbench::identity;
use crate::families::embeddings::measure::duration;
use crate::families::embeddings::options as of_embedding;
use crate::families::embeddings::stimulus::requirement;
use crate::lockstep::{Requirement, Steps, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};
use crate::report::{Behind, Report, Sections};

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub over: Over,
    pub guest: Option<&'static str>,
    pub dims: usize,
    pub needed: Option<usize>,
    pub cut_wires: usize,
    pub message_bits: usize,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    pub fn setup(&self) -> Setup {
        Setup {
            guest: of_embedding::Setup {
                guest: self.guest.map(str::to_owned),
                dims: Some(self.dims),
                message_bits: Some(self.message_bits),
                seed: self.seed,
                ..of_embedding::Setup::default()
            },
            over: Some(self.over.name().to_owned()),
            needed: self.needed,
            cut_wires: Some(self.cut_wires),
            ..Setup::default()
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let needed = self
            .needed
            .map_or("one share to spare".to_owned(), |needed| {
                format!("m = {needed}")
            });
        let what = self.guest.unwrap_or(Over::Copies.name());
        vec![
            Coordinate::always("guest", what.to_owned()),
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
            Coordinate::of_some("needed", needed),
            Coordinate::of_some("message_bits", format!("M = {}", self.message_bits)),
            Coordinate::of_some("cut_wires", format!("{} wires fail", self.cut_wires)),
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }
}

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    nodes: usize,
    requirement: Requirement,
}

/// What a point takes.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place) -> Result<Point, Error> {
    let dispersed = Dispersed::new(&place.setup())?;
    cuts::check_count(dispersed.job.embedding.host(), place.cut_wires)?;
    Ok(Point {
        place,
        nodes: dispersed.job.machine.topology().nodes(),
        requirement: requirement(&dispersed.job),
    })
}

fn run(place: &Place) -> Result<Report<Steps>, Error> {
    let options = RunOptions::beside_others(place.setup());
    let stimulus = Box::new(Dispersing::new(&options.setup)?);
    carry_out(&identity(), &options, &[], stimulus)
}

/// Message bits of samples: few, and some more.
const SAMPLES: [usize; 2] = [16, 256];

impl measure::Point for Point {
    fn coordinates(&self) -> Vec<Coordinate> {
        self.place.coordinates()
    }

    fn with_seed(&self, seed: u64) -> Self {
        let mut point = self.clone();
        point.place.seed = seed;
        point
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn bytes(&self) -> u64 {
        self.requirement.bytes
    }

    fn work(&self) -> Work {
        duration::work(self.nodes, self.requirement.bit_times.value)
    }

    fn kind_of_work(&self) -> String {
        format!(
            "{} {}",
            self.place.over.name(),
            self.place.guest.unwrap_or("")
        )
    }

    fn cost(&self) -> Result<Cost, Error> {
        let [small, large] = SAMPLES.map(|message_bits| {
            let place = Place {
                message_bits,
                ..self.place.clone()
            };
            let seconds = measure::duration::seconds_a_bit_time(|| Ok(run(&place)?.bit_times))?;
            Ok::<_, Error>((duration::work(self.nodes, 1).sized, seconds))
        });
        Ok(Cost::from_samples(small?, large?))
    }

    fn run(&self) -> Result<Row, Error> {
        Ok(row(&run(&self.place)?, &self.place))
    }
}

/// The row of a report. Messages that are lost fail no check here: how many are, is what is asked.
fn row(report: &Report<Steps>, place: &Place) -> Row {
    let sections = [Behind::Network, Behind::BitTimes, Behind::WireUse]
        .map(|place| report.family.section(place));
    let found = |name: &str| {
        let mut entries = sections.iter().flatten();
        entries
            .find(|(one, _)| *one == name)
            .map(|(_, value)| value)
    };
    let number = |name: &str| found(name).and_then(Value::as_u64);
    let lost = number("lost").unwrap_or(0) as f64;
    let values = values! {
        bench: report.bench,
        over: place.over.name(),
        guest: place.guest,
        dims: place.dims,
        nodes: report.topology.nodes,
        message_bits: number("message_bits"),
        shares: number("shares"),
        needed: number("needed"),
        share_bits: number("share_bits"),
        cut_wires: place.cut_wires,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        survived: number("survived"),
        lost: number("lost"),
        wrong: number("wrong"),
        lost_share: lost / report.messages.max(1) as f64,
        damaged_shares: number("damaged_shares"),
        most_damaged_shares_of_a_message: number("most_damaged_shares_of_a_message"),
        routing_steps: number("routing_steps"),
        overhead: found("overhead").and_then(Value::as_f64),
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        bit_times_text: report.bit_times_formula.as_ref().map(|form| form.text.as_str()),
        bit_times_without_shares: number("bit_times_without_shares"),
        storage_bits_per_node: report.storage_bits_per_node.total,
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        serial_adders_per_node: report.serial_adders_per_node,
        wire_use: report.wire_use,
    };
    let checks = report.checks.iter().filter(|check| check.name != RESTORED);
    Row::new(values, &checks.cloned().collect::<Vec<_>>())
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 19] = [
    Column::new("over", "over")
        .only_if(|rows| differ(rows, "over"))
        .left(),
    Column::new("guest", "guest")
        .only_if(|rows| differ(rows, "guest"))
        .left(),
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("w", "shares").or_in_words("w = {} shares"),
    Column::new("m", "needed"),
    Column::new("share", "share_bits"),
    Column::new("failing", "cut_wires"),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("messages", "messages"),
    Column::new("damaged shares", "damaged_shares"),
    Column::new("restored", "delivered"),
    Column::new("survived", "survived"),
    Column::new("lost", "lost"),
    Column::new("wrong", "wrong"),
    Column::new("bit times", "bit_times"),
    Column::new("without shares", "bit_times_without_shares"),
    Column::CHECKS,
    Column::SECONDS,
];
