//! A run's waveform: what is traced, the dump, and the view beside it.

mod growth;
mod request;
mod tracing;
mod view;

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use rtl_model::machine::device::Device;
use rtl_model::machine::memory;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use waves::fst::{self, FstTrace};
use waves::gtkwave;
use waves::probe::{Probe, Recording, Selection, Subject};
use waves::provenance::Provenance;
use waves::trace::{TICKS_PER_BIT_TIME, Trace};
use waves::vcd::{self, VcdTrace};

use crate::error::Error;
use crate::error::refusal::unwritable;
use crate::output::{Staged, Staging, Stream, note};
use crate::report::{Outputs, TracedNodes};
use crate::wave::growth::Growing;
pub(crate) use crate::wave::request::Format;
pub use crate::wave::request::Request;
use crate::wave::request::{dump_name, node_list, window};
pub use crate::wave::tracing::Tracing;
pub(crate) use crate::wave::view::{ViewNames, view_names};

/// What a dump is for.
const DUMP: &str = "the waveform";

/// Bytes that a declared signal takes while it is traced, by a generous estimate.
const BYTES_PER_SIGNAL: u64 = 300;

/// A waveform that was asked for: checked, with its files begun.
pub struct Wave {
    dump: Staged,
    save: Staged,
    /// None where the machine has no steps.
    step_filter: Option<Staged>,
    surfer: Staged,
    name: String,
    /// What the view is called, and what stands there that it must not replace.
    view: ViewNames,
    format: Format,
    selection: Selection,
    all_nodes: bool,
    /// Where its files say that they come from.
    provenance: Provenance,
}

/// What was asked of a waveform, for whoever chooses what it shows.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The nodes that were named; none if that is all of them, or if none were.
    pub nodes: Option<&'a [usize]>,
    /// The bit times that are recorded; the end may lie beyond that of the run.
    pub window: Range<u64>,
}

impl Asked<'static> {
    /// Where there is no waveform: whatever happens in the run.
    pub(crate) const EVERYTHING: Self = Asked {
        nodes: None,
        window: 0..u64::MAX,
    };
}

/// A waveform that is written.
pub struct Written {
    /// The dump.
    pub dump: PathBuf,
    /// The save file.
    pub save: PathBuf,
    /// The filter file that names the steps, where the machine has any.
    pub step_filter: Option<PathBuf>,
    /// The same view for Surfer.
    pub surfer: PathBuf,
    /// A file of a view that was edited, and that these do not replace.
    pub kept: Option<PathBuf>,
    /// The nodes in it; none if all.
    pub nodes: Option<Vec<usize>>,
}

impl Written {
    /// Has outputs say where it is.
    pub(crate) fn add_to(self, outputs: &mut Outputs) {
        let shown = |path: PathBuf| Some(path.display().to_string());
        outputs.wave = shown(self.dump);
        outputs.view = shown(self.save);
        outputs.step_names = self.step_filter.and_then(shown);
        outputs.surfer_view = shown(self.surfer);
        outputs.kept_view = self.kept.and_then(shown);
        outputs.traced_nodes = Some(TracedNodes::new(self.nodes));
    }
}

/// A machine, as far as a waveform of it goes: its network, and what a node stores.
type Described<'a> = (&'a dyn Topology, &'a dyn Fn() -> Storage);

impl Wave {
    /// What is asked for of routers in lockstep, if anything is. `select` gives the nodes to trace where none are named; it is
    /// told what else was asked for, and called where they are.
    ///
    /// # Errors
    /// What `select` refuses; a format that is not written, a node that the cube does not have, an empty window, a place that
    /// cannot be written, more signals than fit in memory.
    pub fn plan<'a>(
        request: impl Into<Request<'a>>,
        staging: &mut Staging,
        device: &dyn Device,
        select: impl FnOnce(&Asked<'_>) -> Result<Vec<usize>, Error>,
    ) -> Result<Option<Self>, Error> {
        let request = request.into();
        let end = Some(device.bit_times().value);
        let topology = device.topology();
        let storage = || device.storage();
        let machine: Described<'_> = (&*topology, &storage);
        Self::begin(&request, staging, machine, end, select)
    }

    /// As [`Wave::plan`], of a machine that sets its own pace: it has no steps, and nobody knows when it ends. Unless its
    /// end is asked for, the waveform goes on for as long as bit times are sampled.
    ///
    /// # Errors
    /// As [`Wave::plan`]. A window that the run never reaches is no error: it gives an empty waveform.
    pub fn plan_open<'a>(
        request: impl Into<Request<'a>>,
        staging: &mut Staging,
        machine: &impl Machine,
        select: impl FnOnce(&Asked<'_>) -> Result<Vec<usize>, Error>,
    ) -> Result<Option<Self>, Error> {
        let topology = machine.topology();
        let storage = || Storage::of(&machine.node::<bool>());
        let machine: Described<'_> = (&topology, &storage);
        Self::begin(&request.into(), staging, machine, None, select)
    }

    /// `bit_times` is the length of a run in lockstep.
    fn begin(
        request: &Request<'_>,
        staging: &mut Staging,
        (topology, storage): Described<'_>,
        bit_times: Option<u64>,
        select: impl FnOnce(&Asked<'_>) -> Result<Vec<usize>, Error>,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = request.path else {
            return Ok(None);
        };
        Stream::check_file(path, DUMP)?;
        let (name, format) = dump_name(path)?;
        let window = window(request, bit_times)?;
        let nodes = topology.nodes();
        let named = match request.nodes {
            None | Some("all") => None,
            Some(list) => Some(node_list(list, topology)?),
        };
        // Files before nodes that have to be found: that may take as long as the run.
        let has_steps = bit_times.is_some();
        let beside = |name: &str| path.with_file_name(name);
        let view = view_names(&beside(""), &name, has_steps);
        if let Some(kept) = &view.kept {
            staging.keep(kept, "the view that was edited")?;
        }
        let dump = staging.create(path, DUMP)?;
        let save = staging.create(&beside(&view.names.save), "the view of the waveform")?;
        let step_filter = match has_steps {
            true => {
                let path = beside(&view.names.step_filter);
                Some(staging.create(&path, "the names of the steps")?)
            }
            false => None,
        };
        let surfer = staging.create(&beside(&view.names.surfer), "the view for Surfer")?;
        let chosen = select(&Asked {
            nodes: named.as_deref(),
            window: window.clone(),
        })?;
        let selected = match (request.nodes, named) {
            (None, _) => Some(chosen),
            (Some(_), named) => named,
        };
        let all_nodes = selected.is_none();
        let amount = selected.as_ref().map_or(nodes, Vec::len);
        let signals_per_node = storage().total + topology.driven() + topology.received();
        let changes = match format {
            Format::Vcd => 0,
            Format::Fst => bit_times.map_or(0, |_| window.end.saturating_sub(window.start)),
        };
        let signals = (amount * signals_per_node) as u64;
        require_memory(amount, (signals, changes), memory::available())?;
        Ok(Some(Wave {
            dump,
            save,
            step_filter,
            surfer,
            name,
            view,
            format,
            selection: Selection {
                nodes: selected.unwrap_or_else(|| (0..nodes).collect()),
                window,
            },
            all_nodes,
            provenance: Provenance::default(),
        }))
    }

    /// The same, whose files say where they come from.
    #[must_use]
    pub fn made_by(self, provenance: &Provenance) -> Self {
        Wave {
            provenance: provenance.clone(),
            ..self
        }
    }

    /// Hangs a probe on what runs the machine, which writes this waveform.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    pub fn attach(&mut self, subject: &dyn Subject) -> Result<Tracing<'_>, Error> {
        let path = self.dump.path().to_owned();
        let selection = self.selection.clone();
        // An open end is nobody's tick.
        let last = selection.window.end.checked_mul(TICKS_PER_BIT_TIME);
        let (written, about) = (self.dump.written(), (path.clone(), last));
        Tracing::begun(&path, || {
            let trace: Box<dyn Trace> = match self.format {
                Format::Vcd => Box::new(VcdTrace::new(&mut self.dump, &self.provenance)?),
                Format::Fst => Box::new(FstTrace::new(&mut self.dump, &self.provenance)?),
            };
            Probe::attach(
                Growing::new(trace, written, about, note),
                subject,
                selection,
            )
        })
    }

    /// The nodes in it, in the order in which they are shown; none if all.
    pub fn named_nodes(&self) -> Option<&[usize]> {
        (!self.all_nodes).then_some(&self.selection.nodes)
    }

    /// The nodes in it, in the order in which they are declared.
    pub fn nodes(&self) -> &[usize] {
        &self.selection.nodes
    }

    /// The bit times that are recorded.
    pub fn window(&self) -> Range<u64> {
        self.selection.window.clone()
    }

    /// The place of a node among those in it.
    pub fn place_of(&self, node: usize) -> Option<usize> {
        self.selection.nodes.iter().position(|one| *one == node)
    }

    /// Writes the view of what was recorded, and puts all files into their places.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    pub fn commit(mut self, recording: Recording) -> Result<Written, Error> {
        let recording = Recording {
            provenance: self.provenance,
            ..recording
        };
        let view = gtkwave::view(&self.name, &self.view.names, &recording);
        write_text(&mut self.save, &view.save)?;
        if let Some(step_filter) = &mut self.step_filter {
            write_text(step_filter, &view.step_filter)?;
        }
        write_text(&mut self.surfer, &view.surfer)?;
        let last = match self.format {
            Format::Vcd if !recording.verdict.is_empty() => vcd::last_comment(&recording.verdict),
            _ => String::new(),
        };
        write_text(&mut self.dump, &last)?;
        Ok(Written {
            dump: self.dump.commit()?,
            save: self.save.commit()?,
            step_filter: self.step_filter.map(Staged::commit).transpose()?,
            surfer: self.surfer.commit()?,
            kept: self.view.kept,
            nodes: (!self.all_nodes).then_some(self.selection.nodes),
        })
    }
}

/// Of nodes with so many signals, each of which is kept in memory for so many bit times at the most.
fn require_memory(
    nodes: usize,
    (signals, bit_times): (u64, u64),
    available: u64,
) -> Result<(), Error> {
    // A byte for each, by such an estimate too; while all that grows, it is there twice.
    let changes = signals.saturating_mul(bit_times);
    let kept = changes.min(2 * fst::BUFFER_BYTES as u64);
    memory::require(
        format!("a trace of {nodes} nodes"),
        signals * BYTES_PER_SIGNAL + kept,
        available,
    )?;
    Ok(())
}

fn write_text(file: &mut Staged, text: &str) -> Result<(), Error> {
    // None of a set is put into its place before the disk has taken all.
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(unwritable(file.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_that_would_not_fit_is_refused() {
        assert!(require_memory(1000, (100_000, 0), 30_000_000).is_ok());
        assert!(require_memory(1000, (100_000, 100), 39_999_999).is_err());
        let refusal = require_memory(1 << 24, (100 << 24, 0), 1 << 34)
            .unwrap_err()
            .to_string();
        assert!(
            refusal.starts_with("a trace of 16777216 nodes needs 468.75 GiB"),
            "{refusal}"
        );
    }
}
