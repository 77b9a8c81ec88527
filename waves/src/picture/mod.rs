//! A whole run as one picture: a page for a browser, or an SVG for a document.
//!
//! ```text
//!   Run --> check --> Scene (bins, routes, graph, sentences) --> html   a page: all routes, a player, tooltips
//!                                                          \-> svg    still: one route
//! ```
//!
//! Both show nodes as rows and bit times as columns. Where there are more than can be told apart, several share a row or a
//! column (`bins`), and the picture says so. Neither reads anything else: no scripts, fonts or pictures from elsewhere.

mod bins;
mod check;
mod colour;
mod error;
mod graph;
mod html;
mod legend;
mod recorder;
mod routes;
pub mod run;
mod scene;
mod sentences;
mod svg;
mod traced;

pub use error::Error;
pub use html::{metadata, text as escaped};
pub use recorder::Recorder;
pub use routes::Room;
pub use traced::Waves;

use rtl_model::machine::shown::Shown;
use run::Run;

use crate::probe::Subject;

/// Nodes of the largest machine of which there is a picture.
pub const MOST_NODES: usize = 1 << 20;
/// Rows of cells on a page; nodes share rows where there are more.
pub const MOST_ROWS: usize = 512;
/// Columns of cells on a page; bit times share columns where there are more.
pub const MOST_COLUMNS: usize = 2048;
/// Stays and crossings, all routes together, on a page. Where there are more, whole messages are left out.
pub const MOST_WAY_PARTS: usize = 20_000;
/// Links that have a strip.
pub const MOST_LINKS: usize = 64;
/// Messages of a deadlock that are drawn and named.
pub const MOST_IN_CIRCLE: usize = 512;
/// Nodes of the largest network that is drawn as a graph.
pub const MOST_GRAPH_NODES: usize = 128;
/// Bytes of a page. One that would be larger is drawn with fewer columns and fewer routes.
pub const MOST_PAGE_BYTES: usize = 8_000_000;
/// Rows of cells in an SVG.
pub const MOST_SVG_ROWS: usize = 256;
/// Columns of cells in an SVG.
pub const MOST_SVG_COLUMNS: usize = 1024;
/// Bytes of an SVG. One that would be larger is drawn with fewer columns.
pub const MOST_SVG_BYTES: usize = 4_000_000;

/// Nodes of which a page may have waveforms, if they are few, and samples of their signals that are looked at for it: some seconds.
pub const MOST_WAVE_NODES: usize = 128;
const MOST_SAMPLES: u64 = 1 << 25;
/// The same of a machine of more nodes: some tenths of a second.
const MOST_OF_MANY: usize = 16;
const MOST_SAMPLES_OF_MANY: u64 = 1 << 23;

/// Whether a picture shows nothing of nodes but what is on their wires, waveforms of some of them left aside.
pub fn is_seen_on_wires(shown: &Shown) -> bool {
    Recorder::is_seen_on_wires(shown)
}

/// Nodes of which a page of a run of so many bit times has waveforms: all, if they are few and the run is short; else those that are
/// worth it, as many as there is time for.
pub fn wave_nodes(subject: &dyn Subject, bit_times: u64, worth: &[usize]) -> Vec<usize> {
    let simulation = subject.simulation();
    let nodes = simulation.nodes();
    let registers = subject.register_bits();
    let topology = simulation.topology();
    let signals = (registers + topology.driven() + topology.received()) as u64;
    let (most, samples) = match nodes {
        ..=MOST_WAVE_NODES => (MOST_WAVE_NODES, MOST_SAMPLES),
        _ => (MOST_OF_MANY, MOST_SAMPLES_OF_MANY),
    };
    let in_time = samples / (signals * bit_times).max(1);
    let most = usize::try_from(in_time).map_or(most, |in_time| in_time.min(most));
    match nodes <= most {
        true => (0..nodes).collect(),
        false => worth.iter().copied().take(most).collect(),
    }
}

/// A page that shows the run in a browser: one file, of itself and nothing else. A fragment behind its address, such as
/// `#t=12&m=3-17&n=5`, goes to a bit time and selects a message and a node.
///
/// # Errors
/// What of the run contradicts itself, or is too large: see [`Error`].
pub fn html(run: &Run) -> Result<String, Error> {
    html::page(run)
}

/// A picture of the run that stands still: an SVG, with the route of the message [`Run::shown`] if there is one.
///
/// # Errors
/// What of the run contradicts itself, or is too large: see [`Error`].
pub fn svg(run: &Run) -> Result<String, Error> {
    svg::picture(run)
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::fabric::Fabric;
    use rtl_model::machine::simulation::Lockstep;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;

    use super::*;

    /// Of how many nodes a page has waveforms, of a run of so many bit times in which all nodes are worth it.
    fn waveforms(dims: usize, bit_times: u64) -> usize {
        let router = EnumerationRouter::new(Dimensions::new(dims).unwrap());
        let fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let machine: &dyn Lockstep = &fabric;
        let worth: Vec<usize> = (0..1 << dims).collect();
        let nodes = wave_nodes(&machine, bit_times, &worth);
        assert_eq!(nodes, worth[..nodes.len()]);
        nodes.len()
    }

    #[test]
    fn a_page_has_waveforms_of_as_many_nodes_as_there_is_time_for() {
        assert_eq!([waveforms(7, 10), waveforms(8, 10)], [128, 16]);
        let some = waveforms(8, 1 << 14);
        assert!(0 < some && some < 16, "{some}");
        assert_eq!([waveforms(7, 1 << 25), waveforms(8, 1 << 23)], [0, 0]);
    }
}
