//! A run's picture: what is asked for, and what looks on while the machine runs.
//!
//! ```text
//!   Looks::plan       refuses, and begins the files of waveform and picture
//!   Recorder          looks on in every bit time: steps, how full nodes are, which wires are in use
//!   whoever knows     adds routes of messages, and a deadlock
//!   Seen              draws it, and then puts the files of the run into their places
//! ```

use std::io::Write;
use std::path::Path;

use rtl_model::machine::memory;
use waves::coverage::Coverage;
use waves::picture::{self, run::Run};
pub use waves::picture::{Recorder, wave_nodes};
use waves::probe::{Recording, Subject};
use waves::provenance::Provenance;

use crate::error::Error;
use crate::error::refusal::{Refusal, cannot_write, unwritable};
use crate::options::RunOptions;
use crate::output::{DASH, Staged, Staging};
use crate::report::{self, Report};
use crate::testbench::chosen::Chosen;
use crate::wave::Wave;

/// The most nodes of a machine that is drawn: each is looked at in every bit time.
pub const MOST_NODES: usize = 1 << 14;

/// What its file holds.
pub(crate) const PICTURE: &str = "the picture of the run";

/// A picture that was asked for: checked, with its file begun.
pub struct Picture {
    file: Staged,
    form: Form,
    /// Where it says that it comes from.
    provenance: Provenance,
}

/// What it is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A page for a browser.
    Page,
    /// An image.
    Image,
}

impl Form {
    /// By the ending of its name; standard output (`-`) takes a page.
    fn of(path: &Path) -> Option<Form> {
        if path.as_os_str() == DASH {
            return Some(Form::Page);
        }
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Form::Page),
            "svg" => Some(Form::Image),
            _ => None,
        }
    }
}

impl Picture {
    /// What is asked for, if anything is, of a machine with so many nodes.
    ///
    /// # Errors
    /// A form that is not drawn, a machine with too many nodes, a place that cannot be written.
    pub fn plan(
        path: Option<&Path>,
        staging: &mut Staging,
        nodes: usize,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = path else {
            return Ok(None);
        };
        let form = Form::of(path).ok_or_else(|| {
            cannot_write(path)
                .because("a picture of a run is a page or an image")
                .instead("give the file the ending .html or .svg")
        })?;
        if nodes > MOST_NODES {
            return Err(Refusal::of("--picture")
                .because(format!(
                    "machines of up to {MOST_NODES} nodes are drawn, and this one has {nodes}"
                ))
                .instead(
                    "give fewer dimensions, or look at some nodes of it in a waveform (--wave)",
                )
                .into());
        }
        let file = staging.create_text(path, PICTURE)?;
        Ok(Some(Picture {
            file,
            form,
            provenance: Provenance::default(),
        }))
    }

    /// Whether it is a page, which has room for waveforms.
    pub fn is_page(&self) -> bool {
        self.form == Form::Page
    }

    /// The same, which says where it comes from.
    #[must_use]
    pub fn made_by(self, provenance: &Provenance) -> Self {
        Picture {
            provenance: provenance.clone(),
            ..self
        }
    }

    /// Draws a run into its file, which does not stand in its place yet.
    fn draw(mut self, run: Run, report: &Report) -> Result<Staged, Error> {
        let run = Run {
            // Whoever looked on may know better.
            about: match run.about {
                about if about.is_empty() => report.models.to_owned(),
                about => about,
            },
            report: report.figures(&[]),
            provenance: std::mem::take(&mut self.provenance),
            verdict: report.verdict(),
            ..run
        };
        let drawn = match self.form {
            Form::Page => picture::html(&run),
            Form::Image => picture::svg(&run),
        };
        let text = drawn.map_err(|reason| Refusal::of("no picture").because(reason))?;
        let written = self.file.write_all(text.as_bytes());
        written.map_err(unwritable(self.file.path()))?;
        Ok(self.file)
    }
}

/// Who looks on while a machine runs: a waveform and a picture, whichever are asked for, with their files begun.
#[derive(Default)]
pub struct Looks {
    /// The waveform.
    pub wave: Option<Wave>,
    /// The picture.
    pub picture: Option<Picture>,
    /// Whether it is counted what the run covers.
    pub coverage: bool,
}

impl Looks {
    /// What is asked for of a machine with so many nodes, of which `wave` plans the waveform. Both say where they come from.
    ///
    /// # Errors
    /// Those of [`Picture::plan`], then those of `wave`; a date that is none.
    pub fn plan(
        (chosen, options): (&Chosen, &RunOptions),
        staging: &mut Staging,
        nodes: usize,
        wave: impl FnOnce(&mut Staging) -> Result<Option<Wave>, Error>,
    ) -> Result<Self, Error> {
        let provenance = chosen.provenance(options)?;
        let picture = Picture::plan(options.picture.as_deref(), staging, nodes)?;
        let wave = wave(staging)?;
        Ok(Looks {
            wave: wave.map(|wave| wave.made_by(&provenance)),
            picture: picture.map(|picture| picture.made_by(&provenance)),
            coverage: options.coverage,
        })
    }

    /// Who counts what the run of a machine covers that is about to run, if that is to be counted.
    ///
    /// # Errors
    /// Counts that do not fit in memory.
    pub fn coverage(&self, subject: &dyn Subject) -> Result<Option<Coverage>, Error> {
        if !self.coverage {
            return Ok(None);
        }
        let simulation = subject.simulation();
        let bits = subject.register_bits() + simulation.topology().driven();
        let what = format!("coverage of {} nodes", simulation.nodes());
        let bytes = Coverage::bytes(bits, simulation.words());
        memory::require(what, bytes, memory::available())?;
        Ok(Some(Coverage::new(subject)))
    }

    /// What they have seen.
    pub fn seen(
        self,
        recording: Option<Recording>,
        drawn: Option<Run>,
        coverage: Option<Coverage>,
    ) -> Seen {
        Seen {
            wave: self.wave.zip(recording),
            picture: self.picture.zip(drawn),
            coverage,
        }
    }
}

/// What was seen of a run: its waveform and its picture, of which nothing stands in its place yet, and its coverage, whichever there
/// are.
#[derive(Default)]
pub struct Seen {
    /// The waveform, but for its view.
    pub wave: Option<(Wave, Recording)>,
    /// The picture, before it is drawn.
    pub picture: Option<(Picture, Run)>,
    /// What it has covered.
    pub coverage: Option<Coverage>,
}

impl Seen {
    /// Draws it, and puts its files into their places; a report has them among its outputs. How the run ended is on them.
    ///
    /// # Errors
    /// A run that cannot be drawn: then there is no waveform either. A file that cannot be written after all.
    pub fn put_in_place(self, report: &mut Report) -> Result<(), Error> {
        report.coverage = self.coverage.map(report::Coverage);
        let drawn = (self.picture).map(|(picture, run)| picture.draw(run, report));
        let drawn = drawn.transpose()?;
        if let Some((wave, recording)) = self.wave {
            let recording = Recording {
                verdict: report.verdict(),
                ..recording
            };
            wave.commit(recording)?.add_to(&mut report.outputs);
        }
        if let Some(drawn) = drawn {
            report.outputs.picture = Some(drawn.commit()?.display().to_string());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::output::tests::files;
    use crate::testbench::bench::{asked, run_beside_others, stimulus};
    use crate::wave::Request;

    #[test]
    fn what_cannot_be_drawn_is_refused_beforehand() {
        let folder = tempfile::tempdir().unwrap();
        let plan = |name: &str, nodes: usize| {
            let path = folder.path().join(name);
            Picture::plan(Some(&path), &mut Staging::default(), nodes)
                .map(|plan| plan.map(|plan| plan.form))
        };
        assert_eq!(plan("run.html", 64).unwrap(), Some(Form::Page));
        assert_eq!(plan("run.SVG", MOST_NODES).unwrap(), Some(Form::Image));
        for name in ["run.png", "run", "run.html.gz"] {
            let refusal = plan(name, 64).unwrap_err().to_string();
            assert!(refusal.ends_with(
                "a picture of a run is a page or an image: give the file the ending .html or .svg"
            ), "{refusal}");
        }
        assert_eq!(
            plan("run.html", MOST_NODES + 1).unwrap_err().to_string(),
            "--picture: machines of up to 16384 nodes are drawn, and this one has 16385: give fewer dimensions, or look \
             at some nodes of it in a waveform (--wave)"
        );
    }

    #[test]
    fn where_a_run_cannot_be_drawn_no_waveform_is_left_either() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let stimulus = stimulus(families::testbench("kuszmaul").unwrap(), "");
        let mut machine = stimulus.device().build(1).unwrap();
        let mut staging = Staging::default();
        let dump = path("run.vcd");
        let request = Request {
            path: Some(&dump),
            ..Request::default()
        };
        let wave = Wave::plan(request, &mut staging, stimulus.device(), |_| Ok(vec![0])).unwrap();
        let mut wave = wave.unwrap();
        let mut probe = wave.attach(&&*machine).unwrap();
        machine.transmit().unwrap();
        probe.sample(&&*machine).unwrap();
        let recording = probe.finish().unwrap();
        let picture = Picture::plan(Some(&path("run.html")), &mut staging, 8).unwrap();
        let nothing = Run::default();
        let seen = Seen {
            coverage: None,
            wave: Some((wave, recording)),
            picture: Some((picture.unwrap(), nothing)),
        };
        let bench = families::testbench("kuszmaul").unwrap();
        let mut report = run_beside_others(&asked(bench, "--dims 2")).unwrap();
        let refusal = seen.put_in_place(&mut report).unwrap_err().to_string();
        assert!(refusal.contains("a run without nodes"), "{refusal}");
        assert!(files(folder.path()).is_empty());
    }
}
