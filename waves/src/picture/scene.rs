//! What both forms of the picture show: the run, binned, with its sentences.

use crate::picture::traced::Shown;
use std::collections::BTreeMap;

use serde::Serialize;

use super::bins::{Bins, Cells, messages_present};
use super::colour;
use super::graph::Graph;
use super::routes::{self, Choice, Drawn};
use super::run::{self, Circle, Counted, Run};
use super::sentences::{self, Counts};
use super::{Error, MOST_GRAPH_NODES, MOST_IN_CIRCLE, MOST_LINKS, check};
use destinations::{DESTINATION, destinations};
use harm::{Failing, Harm};
use load::Loads;
use numbers::Numbered;

mod destinations;
mod harm;
mod load;
mod numbers;

/// How much is shown at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows of cells.
    pub rows: usize,
    /// Columns of cells.
    pub columns: usize,
    /// Stays and crossings; nothing where only the chosen route is drawn.
    pub route_parts: Option<usize>,
    /// The most nodes that have waveforms.
    pub wave_nodes: usize,
}

/// What the colours of cells stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Message bits at a node.
    Bits,
    /// Bits of packets at a node.
    PacketBits,
    /// Messages at a node: the bits are not known.
    Messages,
    /// Wires on which a node sends a 1: of what it holds nothing is known.
    Ones,
    /// The first number of a node: no messages are told apart.
    Number,
    /// Nothing: neither is known.
    Nothing,
}

/// A picture's data. The page reads it as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// What ran.
    pub title: String,
    /// What it does, as far as anybody says.
    pub about: String,
    /// By which command, as far as anybody says.
    pub command: String,
    /// What there is for scripts of where it comes from, a line of JSON: a part of its own of a page.
    #[serde(skip)]
    pub meta: String,
    /// How it ended, as far as anybody says.
    pub verdict: String,
    /// How to read it.
    pub explanation: String,
    /// What is left out, put together or not known.
    pub notes: Vec<String>,
    /// Which nodes and bit times share cells.
    pub bins: Bins,
    /// How many nodes there are.
    pub nodes: usize,
    /// What each row is called.
    pub rows: Vec<String>,
    /// What cells stand for.
    pub measure: Measure,
    /// In words.
    pub measured: String,
    /// The largest value of a cell.
    pub most: u32,
    /// The rows' cells.
    pub cells: Vec<Cells>,
    /// Numbers that nodes have.
    pub numbers: Vec<Numbered>,
    /// The one that the colours stand for at first, by its place; nothing where it is what `cells` are of.
    pub opens_with: Option<usize>,
    /// What bands and iterations are called.
    pub steps: &'static str,
    pub iterations: &'static str,
    /// Steps.
    pub bands: Vec<Band>,
    /// What is said of the machine.
    pub texts: Vec<Text>,
    /// Links.
    pub links: Vec<Strip>,
    /// The value of a strip's cell that has the full colour.
    pub full_link: u32,
    /// What the colours of strips stand for.
    pub linked: &'static str,
    /// Names of the nodes that routes and the deadlock go to, by number.
    pub names: BTreeMap<u32, String>,
    /// How many messages there are.
    pub messages: usize,
    /// Routes of them, of as many as there is room for.
    pub routes: Vec<Drawn>,
    /// The chosen one, by its place among them.
    pub shown: Option<usize>,
    /// What nodes are for the run, by number.
    pub roles: BTreeMap<u32, String>,
    /// The chosen node.
    pub node: Option<u32>,
    /// Wires that fail.
    pub failures: Vec<Failing>,
    /// Messages that were harmed.
    pub harm: Option<Harm>,
    /// The deadlock.
    pub circle: Option<Waiting>,
    /// The network as a graph, if it is small.
    pub graph: Option<Graph>,
    /// How much its wires are used.
    pub loads: Option<Loads>,
    /// Waveforms of nodes.
    pub waves: Option<Shown>,
    /// Colours from little to much, on a light ground and on a dark one.
    pub scales: [Vec<String>; 2],
}

/// A step, and when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Band {
    /// The first bit time.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
    /// What it is called.
    pub name: String,
    /// In which iteration it is.
    pub iteration: Option<u32>,
}

/// What a text says, one thing after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// What it is called.
    pub name: String,
    /// Each thing that it says.
    pub says: Vec<Band>,
}

/// The cells of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Strip {
    /// What it is called.
    pub name: String,
    /// Wires in use.
    pub cells: Cells,
}

/// A deadlock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// Since when.
    pub since: u32,
    /// Where, in the order of the circle.
    pub nodes: Vec<u32>,
    /// Who waits for whom, in words.
    pub sentence: String,
}

impl Scene {
    /// Of a run.
    ///
    /// # Errors
    /// What cannot be drawn.
    pub fn of(run: &Run, limits: Limits) -> Result<Scene, Error> {
        check::check(run)?;
        let bins = Bins::of(run, limits.rows, limits.columns);
        let mut numbers = Numbered::all(run, &bins);
        let (measure, cells) = measured(run, &bins, &numbers);
        numbers.extend(destinations(run).map(|number| Numbered::of(&number, &bins)));
        // What is counted says more than what only is larger or smaller.
        let says_more = |is_count: bool| {
            numbers.iter().position(|number| {
                number.is_count == is_count && !is_even(&number.cells, bins.columns)
            })
        };
        let of_destinations = |numbers: &[Numbered]| {
            let mut names = numbers.iter().map(|number| number.name.as_str());
            names.position(|name| name == DESTINATION)
        };
        let opens_with = of_destinations(&numbers).filter(|_| run.sorts);
        let opens_with = opens_with.or_else(|| match is_even(&cells, bins.columns) {
            true => says_more(true).or_else(|| says_more(false)),
            false => None,
        });
        let bands = seen((run, &bins), run.bands.iter().cloned());
        let texts = run.texts.iter().map(|text| Text {
            name: text.name.clone(),
            says: said((run, &bins), text),
        });
        let links: Vec<Strip> = run
            .links
            .iter()
            .take(MOST_LINKS)
            .map(|link| Strip {
                name: link.name.clone(),
                cells: bins.row_of([&link.used]),
            })
            .collect();
        let Choice { routes, shown } = routes::choose(run, limits.route_parts.unwrap_or(0));
        let counts = Counts {
            bands_drawn: bands.len(),
            routes_drawn: limits.route_parts.map(|_| routes.len()),
        };
        let own = usize::from(!matches!(measure, Measure::Number | Measure::Nothing));
        let has_choice = limits.wave_nodes > 0 && own + numbers.len() > 1;
        let full_link = largest(links.iter().map(|link| &link.cells)).max(run.nodes.len() as u32);
        Ok(Scene {
            title: run.title.clone(),
            about: run.about.clone(),
            command: run.provenance.command.clone(),
            meta: run.provenance.meta.clone(),
            verdict: run.verdict.clone(),
            explanation: sentences::explanation(routes.len(), has_choice, (measure, run)),
            notes: sentences::notes(run, &bins, measure, counts),
            nodes: run.nodes.len(),
            rows: (0..bins.rows)
                .map(|row| row_name(run, &bins, row))
                .collect(),
            measured: sentences::measured(measure, run),
            most: largest(&cells),
            names: names(run, &routes),
            roles: run.roles.iter().cloned().collect(),
            node: run.node.filter(|_| run.messages.is_empty()),
            failures: Failing::all(run),
            harm: Harm::of(run),
            circle: run.deadlock.as_ref().map(|circle| waiting(run, circle)),
            graph: (run.nodes.len() <= MOST_GRAPH_NODES)
                .then(|| Graph::of(run))
                .flatten(),
            loads: Loads::of(run, &bins),
            waves: run
                .waves
                .as_ref()
                .filter(|_| limits.wave_nodes > 0)
                .map(|waves| waves.shown(limits.wave_nodes, &run.nodes)),
            numbers,
            opens_with,
            steps: run.steps.unwrap_or("step"),
            iterations: run.iterations.unwrap_or("iteration"),
            texts: texts.collect(),
            scales: [colour::on_light(), colour::on_dark()],
            bins,
            measure,
            cells,
            bands,
            links,
            full_link,
            linked: sentences::links(run),
            messages: run.messages.len(),
            routes,
            shown,
        })
    }
}

fn measured(run: &Run, bins: &Bins, numbers: &[Numbered]) -> (Measure, Vec<Cells>) {
    let bits = match run.counted {
        Counted::Bits => Some(Measure::Bits),
        Counted::PacketBits => Some(Measure::PacketBits),
        Counted::Ones => None,
    };
    if let Some(bits) = bits.filter(|_| !run.occupancy.is_empty()) {
        return (bits, bins.cells(&run.occupancy));
    }
    if !run.messages.is_empty() {
        return (Measure::Messages, bins.cells(&messages_present(run)));
    }
    if let Some(number) = numbers.first() {
        return (Measure::Number, number.sizes_of_cells());
    }
    match run.occupancy.is_empty() {
        true => (Measure::Nothing, bins.cells(&[])),
        false => (Measure::Ones, bins.cells(&run.occupancy)),
    }
}

/// Whether almost all cells have the same value, so that their colours tell nothing.
fn is_even(rows: &[Cells], columns: usize) -> bool {
    let mut share: BTreeMap<u32, usize> = BTreeMap::new();
    for Cells(cells) in rows {
        let ends = cells.iter().skip(1).map(|(column, _)| *column as usize);
        for ((from, value), to) in cells.iter().zip(ends.chain([columns])) {
            *share.entry(*value).or_default() += to - *from as usize;
        }
    }
    let most = share.into_values().max().unwrap_or(0);
    10 * most >= 9 * rows.len() * columns
}

fn largest<'a>(cells: impl IntoIterator<Item = &'a Cells>) -> u32 {
    let values = cells.into_iter().flat_map(|row| &row.0);
    values.map(|(_, value)| *value).max().unwrap_or(0)
}

/// What follows each other, of those that begin in the same column the last: the others would have no width.
fn seen((run, bins): (&Run, &Bins), all: impl Iterator<Item = run::Band>) -> Vec<Band> {
    let mut begun: Vec<_> = all.filter(|band| band.from < run.bit_times).collect();
    begun.sort_by_key(|band| band.from);
    let column = |from: u32| from / bins.times_a_column;
    let mut bands: Vec<Band> = Vec::new();
    for band in begun {
        if bands
            .last()
            .is_some_and(|last| column(last.from) == column(band.from))
        {
            bands.pop();
        }
        if let Some(last) = bands.last_mut() {
            last.to = band.from;
        }
        bands.push(Band {
            from: band.from,
            to: run.bit_times,
            name: band.name,
            iteration: band.iteration,
        });
    }
    bands
}

/// What a text says, without when it says nothing.
fn said(of: (&Run, &Bins), text: &run::Text) -> Vec<Band> {
    let says = text.says.iter().map(|(from, says)| run::Band {
        from: *from,
        name: says.clone(),
        iteration: None,
    });
    let mut said = seen(of, says);
    said.retain(|band| !band.name.is_empty());
    said
}

/// The node's name, or those of the first and the last that share the row.
fn row_name(run: &Run, bins: &Bins, row: usize) -> String {
    let first = row * bins.nodes_a_row;
    let last = (first + bins.nodes_a_row).min(run.nodes.len()) - 1;
    let names = [first, last].map(|node| run.nodes.get(node).map_or("", String::as_str));
    match first == last {
        true => names[0].to_owned(),
        false => names.join("\u{2013}"),
    }
}

fn names(run: &Run, routes: &[Drawn]) -> BTreeMap<u32, String> {
    let circle = run.deadlock.iter().flat_map(|circle| &circle.nodes);
    let nodes = routes.iter().flat_map(Drawn::nodes);
    let all = nodes.chain(circle.take(MOST_IN_CIRCLE).copied());
    all.filter_map(|node| Some((node, run.nodes.get(node as usize)?.clone())))
        .collect()
}

fn waiting(run: &Run, circle: &Circle) -> Waiting {
    Waiting {
        since: circle.since,
        nodes: circle.nodes.iter().take(MOST_IN_CIRCLE).copied().collect(),
        sentence: sentences::deadlock(run, circle),
    }
}

#[cfg(test)]
mod tests;
