//! A run's waveform: what is traced, the dump, and the view beside it.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::memory;
use rtl_model::meter::Storage;
use rtl_model::router::Router;
use waves::fst::FstTrace;
use waves::gtkwave;
use waves::probe::{Probe, Recording, Selection};
use waves::trace::Trace;
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::options::RunOptions;
use crate::output::{Staged, Staging};

/// Bytes that a declared signal takes while it is traced, by a generous estimate.
const BYTES_PER_SIGNAL: u64 = 300;

/// A waveform that was asked for: checked, with its files begun.
pub struct Wave {
    dump: Staged,
    save: Staged,
    step_filter: Staged,
    name: String,
    format: Format,
    selection: Selection,
    all_nodes: bool,
}

/// A waveform that is written.
pub struct Written {
    /// The dump.
    pub dump: PathBuf,
    /// The save file.
    pub save: PathBuf,
    /// The filter file that names the steps.
    pub step_filter: PathBuf,
    /// The nodes in it; none if all.
    pub nodes: Option<Vec<usize>>,
}

impl Wave {
    /// What `options` ask for, if they do. `interesting` are the nodes to trace where none are named.
    ///
    /// # Errors
    /// A format that is not written, a node that the cube does not have, an empty window, a place that
    /// cannot be written, more signals than fit in memory.
    pub fn plan(
        options: &RunOptions,
        staging: &mut Staging,
        router: &impl Router,
        interesting: impl FnOnce() -> Vec<usize>,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = &options.wave else {
            return Ok(None);
        };
        let (name, format) = dump_name(path)?;
        let window = window(options, router.bit_times().value)?;
        let nodes = router.dimensions().nodes();
        let list = options.trace_nodes.as_deref();
        let selected = match list {
            None => Some(interesting()),
            Some("all") => None,
            Some(list) => Some(node_list(list, nodes)?),
        };
        let all_nodes = selected.is_none();
        let amount = selected.as_ref().map_or(nodes, Vec::len);
        let storage = Storage::of(&router.node::<bool>()).total;
        let signals_per_node = storage + 2 * router.dimensions().count();
        require_memory(amount, signals_per_node, memory::available())?;
        let names = gtkwave::FileNames::of(&name);
        let beside = |name: String| path.with_file_name(name);
        Ok(Some(Wave {
            dump: staging.create(path, "the waveform")?,
            save: staging.create(&beside(names.save), "the view of the waveform")?,
            step_filter: staging.create(&beside(names.step_filter), "the names of the steps")?,
            name,
            format,
            selection: Selection {
                nodes: selected.unwrap_or_else(|| (0..nodes).collect()),
                window,
            },
            all_nodes,
        }))
    }

    /// Hangs a probe on the machine that writes this waveform.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn attach<R: Router, B: Lanes>(
        &mut self,
        fabric: &Fabric<R, B>,
    ) -> Result<Probe<Box<dyn Trace + '_>>, Error> {
        let path = self.dump.path().to_owned();
        let selection = self.selection.clone();
        let attach = || -> io::Result<Probe<Box<dyn Trace + '_>>> {
            let trace: Box<dyn Trace> = match self.format {
                Format::Vcd => Box::new(VcdTrace::new(&mut self.dump)?),
                Format::Fst => Box::new(FstTrace::new(&mut self.dump)?),
            };
            Probe::attach(trace, fabric, selection)
        };
        attach().map_err(|reason| Error::Unwritable { path, reason })
    }

    /// Where the dump will stand.
    pub fn path(&self) -> &Path {
        self.dump.path()
    }

    /// Writes the view of what was recorded, and puts all files into their places.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn commit(mut self, recording: &Recording) -> Result<Written, Error> {
        let view = gtkwave::view(&self.name, recording);
        write_text(&mut self.save, &view.save)?;
        write_text(&mut self.step_filter, &view.step_filter)?;
        Ok(Written {
            dump: self.dump.commit()?,
            save: self.save.commit()?,
            step_filter: self.step_filter.commit()?,
            nodes: (!self.all_nodes).then_some(self.selection.nodes),
        })
    }
}

/// How a waveform is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Vcd,
    Fst,
}

/// The dump's name, by which the view knows it, and its format.
fn dump_name(path: &Path) -> Result<(String, Format), Error> {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let format = match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("vcd") => Format::Vcd,
        Some("fst") => Format::Fst,
        _ => {
            return Err(Error::WaveFormat {
                path: path.to_owned(),
            });
        }
    };
    let name = path.file_name().and_then(|name| name.to_str());
    match name.filter(|name| !name.contains(|c: char| c.is_control() || c == '"')) {
        Some(name) => Ok((name.to_owned(), format)),
        None => Err(Error::Unwritable {
            path: path.to_owned(),
            reason: io::Error::new(
                io::ErrorKind::InvalidFilename,
                "GTKWave's view could not spell this name",
            ),
        }),
    }
}

/// The bit times to trace. The one after the run shows what its last clock edge leaves.
fn window(options: &RunOptions, bit_times: u64) -> Result<Range<u64>, Error> {
    let end = bit_times + 1;
    let (from, to) = (
        options.trace_from.unwrap_or(0),
        options.trace_to.unwrap_or(end),
    );
    if from >= to.min(end) {
        return Err(Error::EmptyTraceWindow {
            from,
            to,
            last: bit_times,
        });
    }
    Ok(from..to)
}

fn require_memory(nodes: usize, signals_per_node: usize, available: u64) -> Result<(), Error> {
    let signals = (nodes * signals_per_node) as u64;
    memory::require(
        format!("a trace of {nodes} nodes"),
        signals * BYTES_PER_SIGNAL,
        available,
    )?;
    Ok(())
}

fn write_text(file: &mut Staged, text: &str) -> Result<(), Error> {
    let written: io::Result<()> = file.write_all(text.as_bytes());
    written.map_err(|reason| Error::Unwritable {
        path: file.path().to_owned(),
        reason,
    })
}

/// Numbers with commas between, each once, in the order given.
fn node_list(list: &str, nodes: usize) -> Result<Vec<usize>, Error> {
    let mut selected = Vec::new();
    for text in list.split(',').map(str::trim) {
        let node: usize = text.parse().map_err(|_| Error::TraceList {
            text: text.to_owned(),
        })?;
        if node >= nodes {
            return Err(Error::TraceNode {
                node,
                last: nodes - 1,
            });
        }
        if !selected.contains(&node) {
            selected.push(node);
        }
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_may_reach_to_what_the_run_leaves() {
        let options = |from, to| RunOptions {
            trace_from: from,
            trace_to: to,
            ..RunOptions::default()
        };
        assert_eq!(window(&options(None, None), 63).unwrap(), 0..64);
        assert_eq!(window(&options(Some(63), None), 63).unwrap(), 63..64);
        assert!(window(&options(Some(64), None), 63).is_err());
        assert!(window(&options(Some(5), Some(5)), 63).is_err());
    }

    #[test]
    fn a_trace_that_would_not_fit_is_refused() {
        assert!(require_memory(1000, 100, 30_000_000).is_ok());
        let refusal = require_memory(1 << 24, 100, 1 << 34)
            .unwrap_err()
            .to_string();
        assert!(
            refusal.starts_with("a trace of 16777216 nodes needs 468.75 GiB"),
            "{refusal}"
        );
    }

    #[test]
    fn a_list_of_nodes_is_numbers_with_commas_between() {
        assert_eq!(node_list("5, 0,5", 8).unwrap(), [5, 0]);
        for (list, refusal) in [
            (
                "8",
                "--trace-nodes: node 8 is out of range: the cube has nodes 0 to 7",
            ),
            (
                "1,,2",
                "--trace-nodes: `` is not a node number: give numbers with commas between, or all",
            ),
            (
                "-1",
                "--trace-nodes: `-1` is not a node number: give numbers with commas between, or all",
            ),
        ] {
            assert_eq!(node_list(list, 8).unwrap_err().to_string(), refusal);
        }
    }
}
