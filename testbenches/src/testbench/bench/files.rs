//! Files that a run writes beside its waveform: what arrived, and those that parameters of the testbench name.

use crate::error::Error;
use crate::junit;
use crate::options::RunOptions;
use crate::output::{Staged, Staging};
use crate::picture::PICTURE;
use crate::report::Outputs;
use crate::testbench::chosen::{Chosen, check_streams};
use crate::testbench::parameter::{Kind, Parameter};

/// What the file of what arrived is called.
const DELIVERIES: &str = "deliveries";

/// Such files, begun: each is there when it is complete.
#[derive(Default)]
pub struct Files(Vec<(&'static str, Staged)>);

impl Files {
    /// Begins those that are asked for.
    ///
    /// # Errors
    /// Places that cannot be written, or that several files would have.
    pub fn begun(
        chosen: &Chosen,
        options: &RunOptions,
        staging: &mut Staging,
    ) -> Result<Self, Error> {
        let deliveries = options.deliveries.as_deref();
        let deliveries = deliveries.map(|path| (path, "the deliveries"));
        let picture = options.picture.as_deref().map(|path| (path, PICTURE));
        let junit = options.junit.as_ref();
        let texts = deliveries.into_iter().chain(picture);
        let texts = texts.chain(junit.map(|junit| (junit.path(), junit::FILE)));
        check_streams(texts.chain(chosen.outputs()))?;
        let mut files = Files::default();
        if let Some((path, what)) = deliveries {
            let begun = staging.create_text(path, what)?;
            files.0.push((DELIVERIES, begun));
        }
        for parameter in chosen.bench().parameters {
            if let (Kind::Output(what), Some(path)) = (parameter.kind, chosen.path(parameter)) {
                files
                    .0
                    .push((parameter.symbol, staging.create_text(path, what)?));
            }
        }
        junit.map_or(Ok(()), |junit| junit.begin(staging))?;
        Ok(files)
    }

    fn take(&mut self, name: &'static str) -> Option<Staged> {
        let place = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Whether what arrived is to be written.
    pub fn has_deliveries(&self) -> bool {
        self.0.iter().any(|(known, _)| *known == DELIVERIES)
    }

    /// The file of what arrived, if it is to be written: it is put down among the outputs.
    pub fn deliveries(&mut self, outputs: &mut Outputs) -> Option<Staged> {
        let file = self.take(DELIVERIES)?;
        outputs.deliveries = Some(file.path().display().to_string());
        Some(file)
    }

    /// Whether the file that a parameter names is to be written.
    pub fn has(&self, parameter: &Parameter) -> bool {
        self.0.iter().any(|(known, _)| *known == parameter.symbol)
    }

    /// The same file, which is put down among the outputs by the parameter's symbol.
    pub fn of(&mut self, parameter: &Parameter, outputs: &mut Outputs) -> Option<Staged> {
        let file = self.take(parameter.symbol)?;
        outputs.add(parameter.symbol, file.path());
        Some(file)
    }
}
