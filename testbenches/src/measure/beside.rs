//! A run of another testbench, as the command line would run it: by its name, with arguments as text; what it reports is read as
//! scripts read it. So a family can be compared with others and is linked to none of them.

use std::io::Write;

use clap::Command;
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::error::Error;
use crate::error::refusal::{not_by, unprintable, unwritable};
use crate::families::testbench;
use crate::options::Format;
use crate::output::unfinished::{Kind, Unfinished};

/// A report, as scripts read it.
#[derive(Clone, Debug)]
pub struct Told(Value);

/// What `cubewave run` with that testbench and these arguments reports.
///
/// # Errors
/// A testbench that there is not; arguments that it does not have; what it refuses, and whatever keeps it
/// from its end.
pub fn run(name: &str, arguments: &[String]) -> Result<Told, Error> {
    let bench = testbench(name)?;
    let command = bench.run_arguments(Command::new(bench.name).no_binary_name(true));
    let arguments = command.try_get_matches_from(arguments).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        not_by(bench.name, first.trim_start_matches("error: "))
    })?;
    let report = bench.run(&arguments)?.report.formatted(Format::Json)?;
    let told = serde_json::from_str(&report).map_err(unprintable)?;
    Ok(Told::of(told))
}

/// Gives the name of a file with this text to what runs another testbench; it is there for as long.
///
/// # Errors
/// Those of `run`; a file that cannot be written.
pub fn with_file<T>(text: &str, run: impl FnOnce(String) -> Result<T, Error>) -> Result<T, Error> {
    let unwritable = unwritable(&std::env::temp_dir());
    let mut file = NamedTempFile::with_suffix(".csv").map_err(&unwritable)?;
    let _unfinished = Unfinished::of(file.path(), Kind::File);
    file.write_all(text.as_bytes()).map_err(unwritable)?;
    run(file.path().display().to_string())
}

impl Told {
    /// Of a report in JSON.
    pub fn of(report: Value) -> Self {
        Told(report)
    }

    fn at(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .try_fold(&self.0, |value, name| value.get(name))
    }

    /// A whole number, names on the way to it with points between; none, where the report has none there.
    pub fn number(&self, path: &str) -> Option<u64> {
        self.at(path)?.as_u64()
    }

    /// The same, of any number.
    pub fn real(&self, path: &str) -> Option<f64> {
        self.at(path)?.as_f64()
    }

    /// The same, of a name.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.at(path)?.as_str()
    }

    /// All its checks hold.
    pub fn passed(&self) -> bool {
        self.at("passed").and_then(Value::as_bool) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_report_is_read_by_paths() {
        let told = run("enumeration", &words("--dims 3")).unwrap();
        assert_eq!(told.number("topology.nodes"), Some(8));
        assert_eq!(
            told.number("bit_times"),
            told.number("bit_times_formula.value")
        );
        assert_eq!(told.text("bench"), Some("enumeration"));
        assert!(told.real("wire_use").is_some() && told.passed());
        assert_eq!(told.number("topology.nodes.more"), None);
        assert_eq!(told.number("nothing"), None);
    }

    #[test]
    fn what_a_testbench_does_not_have_is_refused_in_its_name() {
        let refused = run("enumeration", &words("--colour red")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "enumeration: unexpected argument '--colour' found"
        );
        assert!(
            run("enumerations", &[])
                .unwrap_err()
                .to_string()
                .contains("did you mean")
        );
        let refused = run("enumeration", &words("--dims 99")).unwrap_err();
        assert!(!refused.to_string().is_empty());
    }
}
