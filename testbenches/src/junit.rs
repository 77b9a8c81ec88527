//! Verdicts as JUnit XML, which build servers read: a suite of cases, each of which has passed, or has a failure.
//!
//! ```text
//!   testsuites                    tests, failures
//!     testsuite                   what was run, when, how long
//!       properties                where it comes from: version, command, parameters
//!       testcase                  a check, a point, a reading
//!         failure                 what was found
//! ```

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use rtl_model::csv_file::visible;

use crate::error::Error;
use crate::error::refusal::{unprintable, unwritable};
use crate::output::{Staged, Staging, visible_lines};
use crate::report::{Check, Meta, Report};

/// What the file is called among those that a run writes, and in refusals.
pub const NAME: &str = "junit";
/// The same, with its article.
pub const FILE: &str = "the JUnit report";

/// Cases that belong together.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// What they are of.
    pub name: String,
    /// Where they come from, by name.
    pub properties: Vec<(String, String)>,
    /// When, if that is to be said.
    pub timestamp: Option<String>,
    /// What all of it took, if that is to be said.
    pub seconds: Option<f64>,
    /// In their order.
    pub cases: Vec<Case>,
}

/// What has passed or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// What it is of, under which build servers list it.
    pub class: String,
    /// What it took, if that is to be said.
    pub seconds: Option<f64>,
    /// Why it has not passed: a line that says it, and whatever further lines say.
    pub failure: Option<String>,
}

impl Case {
    /// A check of a testbench.
    fn of_check(check: &Check, bench: &str) -> Self {
        Case {
            name: check.name.to_owned(),
            class: bench.to_owned(),
            seconds: None,
            failure: (!check.passed).then(|| check.detail.clone()),
        }
    }
}

impl Suite {
    /// The checks of a run; when it was, and what it took, if the report has what it took.
    pub fn of_run(report: &Report) -> Self {
        let cases = report.checks.iter();
        let is_timed = report.simulation_seconds.is_some();
        let parameters = report.meta.parameters.iter();
        let parameters = parameters.map(|(name, value)| {
            let text = value.as_str().map(str::to_owned);
            (name.clone(), text.unwrap_or_else(|| value.to_string()))
        });
        let properties = properties(&report.meta, report.meta.command.as_deref());
        Suite {
            name: report.bench.to_owned(),
            properties: properties.into_iter().chain(parameters).collect(),
            timestamp: report.meta.date.clone().filter(|_| is_timed),
            seconds: report.simulation_seconds,
            cases: cases
                .map(|check| Case::of_check(check, report.bench))
                .collect(),
        }
    }

    /// How many cases have not passed.
    fn failures(&self) -> usize {
        let cases = self.cases.iter();
        cases.filter(|case| case.failure.is_some()).count()
    }

    /// As XML.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn xml(&self) -> Result<String, Error> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        self.write_to(&mut writer).map_err(unprintable)?;
        let mut text = String::from_utf8(writer.into_inner()).map_err(unprintable)?;
        text.push('\n');
        Ok(text)
    }

    fn write_to(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let counts = [
            ("tests", self.cases.len()),
            ("failures", self.failures()),
            ("errors", 0),
        ];
        let counts = counts.map(|(name, count)| (name, count.to_string()));
        let counts = || counts.iter().map(|(name, count)| (*name, count.as_str()));
        let said = [
            ("timestamp", self.timestamp.clone()),
            ("time", self.seconds.map(seconds)),
        ];
        let said = said
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)));
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let all = writer.create_element("testsuites");
        let all = all.with_attribute(("name", "cubewave"));
        all.with_attributes(counts())
            .write_inner_content(|writer| {
                let suite = writer.create_element("testsuite");
                let suite = suite.with_attribute(("name", &*shown(&self.name)));
                let suite = suite.with_attributes(counts().chain(said));
                suite.write_inner_content(|writer| {
                    let properties = writer.create_element("properties");
                    properties.write_inner_content(|writer| {
                        for (name, value) in &self.properties {
                            let property = writer.create_element("property");
                            let property = property.with_attribute(("name", &*shown(name)));
                            let property = property.with_attribute(("value", &*shown(value)));
                            property.write_empty()?;
                        }
                        Ok(())
                    })?;
                    self.cases.iter().try_for_each(|case| case.write_to(writer))
                })?;
                Ok(())
            })?;
        Ok(())
    }
}

impl Case {
    fn write_to(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let case = writer.create_element("testcase");
        let case = case.with_attribute(("name", &*shown(&self.name)));
        let case = case.with_attribute(("classname", &*shown(&self.class)));
        let time = self.seconds.map(seconds);
        let time = time.iter().map(|time| ("time", time.as_str()));
        let case = case.with_attributes(time);
        let Some(failure) = &self.failure else {
            case.write_empty()?;
            return Ok(());
        };
        case.write_inner_content(|writer| {
            let first = failure.lines().next().unwrap_or_default();
            let element = writer.create_element("failure");
            let element = element.with_attribute(("message", &*shown(first)));
            let text = permitted(&visible_lines(failure)).into_owned();
            element.write_text_content(BytesText::new(&text))?;
            Ok(())
        })?;
        Ok(())
    }
}

/// What says where a result comes from: the program, and the command that gives it again, if there is one.
pub fn properties(meta: &Meta, command: Option<&str>) -> Vec<(String, String)> {
    let all = [
        ("version", Some(meta.version)),
        ("commit", meta.commit),
        ("command", command),
    ];
    let all = all.into_iter();
    all.filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect()
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.6}")
}

/// A text on a line.
fn shown(text: &str) -> String {
    permitted(&visible(text)).into_owned()
}

/// A text without the two characters that XML has not, though nobody's terminal obeys them.
fn permitted(text: &str) -> Cow<'_, str> {
    const NONE: [char; 2] = ['\u{fffe}', '\u{ffff}'];
    match text.contains(NONE) {
        true => text.replace(NONE, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// Writes a suite, and puts the file into its place.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(mut file: Staged, suite: &Suite) -> Result<(), Error> {
    let written = file.write_all(suite.xml()?.as_bytes());
    written.map_err(unwritable(file.path()))?;
    file.commit()?;
    Ok(())
}

/// Where the checks of a run are to be written. The file is begun with the others of the run, so that no two of them are one, and
/// written when all is said of it.
#[derive(Clone, Debug)]
pub struct SuiteFile {
    path: PathBuf,
    begun: Arc<Mutex<Option<Staged>>>,
}

impl SuiteFile {
    /// There.
    pub fn new(path: PathBuf) -> Self {
        SuiteFile {
            path,
            begun: Arc::default(),
        }
    }

    /// As it was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the file.
    ///
    /// # Errors
    /// As [`Staging::create_text`].
    pub fn begin(&self, staging: &mut Staging) -> Result<(), Error> {
        let file = staging.create_text(&self.path, FILE)?;
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    /// Writes it; it is put down among the files of the report.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    pub fn write(&self, report: &mut Report) -> Result<(), Error> {
        let begun = self.begun.lock();
        let begun = begun.unwrap_or_else(PoisonError::into_inner).take();
        let file = match begun {
            Some(file) => file,
            // Whoever ran it has begun no files at all.
            None => Staging::default().create_text(&self.path, FILE)?,
        };
        report.outputs.add(NAME, &self.path);
        write(file, &Suite::of_run(report))
    }
}

#[cfg(test)]
mod tests;
