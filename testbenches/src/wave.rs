//! A run's waveform: what is traced, the dump, and the view beside it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::memory;
use rtl_model::meter::Storage;
use rtl_model::router::Router;
use waves::gtkwave;
use waves::probe::{Probe, Recording, Selection};
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::options::RunOptions;
use crate::output::Staged;

/// Bytes that a declared signal takes while it is traced, by a generous estimate.
const BYTES_PER_SIGNAL: u64 = 300;

/// A waveform that was asked for: checked, with its files begun.
pub struct Wave {
    dump: Staged,
    save: Staged,
    selection: Selection,
    all_nodes: bool,
}

/// A waveform that is written.
pub struct Written {
    /// The dump.
    pub dump: PathBuf,
    /// The save file.
    pub save: PathBuf,
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
        router: &impl Router,
        interesting: impl FnOnce() -> Vec<usize>,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = &options.wave else {
            return Ok(None);
        };
        if path.extension().is_none_or(|ending| ending != "vcd") {
            return Err(Error::WaveFormat { path: path.clone() });
        }
        let nodes = router.dimensions().nodes();
        let end = router.bit_times().value;
        let (from, to) = (
            options.trace_from.unwrap_or(0),
            options.trace_to.unwrap_or(end),
        );
        if from >= to.min(end) {
            return Err(Error::EmptyTraceWindow {
                from,
                to,
                last: end - 1,
            });
        }
        let list = options.trace_nodes.as_deref();
        let selected = match list {
            None => interesting(),
            Some("all") => Vec::new(),
            Some(list) => node_list(list, nodes)?,
        };
        let all_nodes = list == Some("all");
        let amount = if all_nodes { nodes } else { selected.len() };
        let storage = Storage::of(&router.node::<bool>()).total;
        let signals = amount as u64 * (storage + 2 * router.dimensions().count()) as u64;
        memory::require(
            format!("a trace of {amount} nodes"),
            signals * BYTES_PER_SIGNAL,
            memory::available(),
        )?;
        Ok(Some(Wave {
            dump: Staged::create(path)?,
            save: Staged::create(path.with_extension("gtkw"))?,
            selection: Selection {
                nodes: if all_nodes {
                    (0..nodes).collect()
                } else {
                    selected
                },
                window: from..to,
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
    ) -> Result<Probe<VcdTrace<&mut Staged>>, Error> {
        let path = self.dump.path().to_owned();
        let selection = self.selection.clone();
        VcdTrace::new(&mut self.dump)
            .and_then(|trace| Probe::attach(trace, fabric, selection))
            .map_err(|reason| Error::Unwritable { path, reason })
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
        let name = self
            .dump
            .path()
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let view = gtkwave::view(&name, recording);
        let mut filters = Vec::new();
        for (name, content) in view.filters {
            let mut filter = Staged::create(self.dump.path().with_file_name(name))?;
            write_text(&mut filter, &content)?;
            filters.push(filter);
        }
        write_text(&mut self.save, &view.save)?;
        for filter in filters {
            filter.commit()?;
        }
        let save = self.save.commit()?;
        Ok(Written {
            dump: self.dump.commit()?,
            save,
            nodes: (!self.all_nodes).then_some(self.selection.nodes),
        })
    }
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
