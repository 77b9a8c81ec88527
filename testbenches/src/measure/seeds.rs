//! What the seeds of a point say together: of each reading in which they differ, the mean with its confidence interval, the least and
//! the most.

use std::ops::Range;

use crate::measure::GridPoint;
use crate::measure::axes::name;
use crate::measure::row::{Row, WALL_SECONDS};
use crate::measure::sweep::Counts;
use crate::measure::table::{Filled, lines};
use crate::report::Spread;
use crate::testbench::parameter::SEED;

/// What differs with the seed whatever is measured.
const OF_EACH: [&str; 2] = [SEED.name, WALL_SECONDS];

/// What stands above the table.
const ABOVE: &str = "\nover all seeds, of what differs: the mean, half of the width of its 95 % confidence interval (Student's t), the \
                     least, the most\n\n";

/// The places of points that differ in their seeds alone; these come one after the other.
pub fn groups<P: GridPoint>(points: &[P]) -> Vec<Range<usize>> {
    let mut first = 0;
    let named = points.iter().map(name_of).collect::<Vec<_>>();
    let groups = named.chunk_by(|one, other| one == other);
    let groups = groups.map(|group| {
        let begin = first;
        first += group.len();
        begin..first
    });
    groups.collect()
}

/// What a point is called, whatever its seed.
fn name_of<P: GridPoint>(point: &P) -> String {
    let mut coordinates = point.coordinates();
    coordinates.retain(|one| one.axis != SEED.name);
    name(&coordinates)
}

/// Of each reading in which rows differ, how it is spread over those in which it counts; none of one that not all of these have.
pub fn spreads(rows: &[Row], counts: Counts) -> Vec<Spread> {
    let names = rows.first().map(Row::names).into_iter().flatten();
    let names = names.filter(|name| !OF_EACH.contains(name));
    let spread = |name: &str| {
        let rows = rows.iter().filter(|row| counts(row, name));
        let values: Option<Vec<f64>> = rows.map(|row| row.number(name)).collect();
        Spread::of(name, &values?)
    };
    names.filter_map(spread).collect()
}

/// A line for each reading of a point that differs with the seed; nothing, where no point has several.
pub fn text<P: GridPoint>(points: &[P], rows: &[Row], counts: Counts) -> String {
    let groups = groups(points);
    if groups.iter().all(|group| group.len() < 2) {
        return String::new();
    }
    // Of each point its name, and behind how many lines it stands.
    let mut names: Vec<(usize, String)> = Vec::new();
    let mut cells: Vec<[String; 5]> = Vec::new();
    for group in groups.into_iter().filter(|group| group.len() > 1) {
        let (name, before) = (name_of(&points[group.start]), cells.len());
        for spread in spreads(&rows[group], counts) {
            let [mean, half_width, least, most] = spread.in_words();
            cells.push([spread.name.replace('_', " "), mean, half_width, least, most]);
        }
        if cells.len() > before {
            names.push((before, name));
        }
    }
    if cells.is_empty() {
        return "\nover all seeds: nothing that is read differs\n".to_owned();
    }
    let headings = ["reading", "mean", "+-", "least", "most"];
    let columns = headings.iter().enumerate().map(|(number, heading)| Filled {
        is_left: number == 0,
        ..Filled::new(
            heading,
            cells.iter().map(|cell| cell[number].clone()).collect(),
        )
    });
    let table = lines(&columns.collect::<Vec<_>>());
    let mut text = ABOVE.to_owned();
    let mut names = names.into_iter().peekable();
    // The first line has the headings.
    for (number, line) in table.lines().enumerate() {
        if let Some((_, name)) = names.next_if(|(before, _)| before + 1 == number) {
            text += &format!("  {name}\n");
        }
        text += &format!("  {line}\n");
    }
    text
}
