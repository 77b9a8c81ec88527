//! The command `repeat`: a report, or the rows of a sweep, by the command that stands in it.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use rtl_model::csv_file::visible;
use serde_json::Value;

use crate::cli::chosen::{Run, Takes as _};
use crate::cli::measure::{Measure, Search, Sweeps};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::testbenches;
use crate::options::{file_name, read_text};
use crate::output::{Stream, note};
use crate::report::{Meta, VERSION};
use crate::testbench::parameter::Kind;

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct Repeat {
    /// Report of `run --format json`, or rows of `measure --format json`; `-` is standard input
    #[arg(value_name = "REPORT.json")]
    report: PathBuf,
}

/// The options of all commands that name a file or a folder which is written.
fn writes() -> Vec<&'static str> {
    let of_kit = [
        "--wave",
        "--picture",
        "--deliveries",
        "--log",
        "--junit",
        "--plot",
        "--journal",
        "--checkpoint",
        "--resume",
        "--out",
    ];
    let parameters = testbenches().flat_map(|bench| bench.parameters);
    let outputs = parameters.filter(|one| matches!(one.kind, Kind::Output(_)));
    of_kit
        .into_iter()
        .chain(outputs.map(|one| one.option))
        .collect()
}

impl Repeat {
    /// The words of the command that gives the report again.
    ///
    /// # Errors
    /// A file that cannot be read, or is no report, or of another form; a command that is none, or writes where nobody expects it.
    pub fn words(&self) -> Result<Vec<OsString>, Error> {
        let name = file_name(&self.report);
        let command = command(&name, &read_text(&self.report)?)?;
        let refused = |why: &str| {
            let what = format!("{name}: `{}`", visible(&command));
            Error::from(Refusal::of(what).because(why))
        };
        let words = shlex::split(&command).ok_or_else(|| refused("it has an open quote"))?;
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["cubewave", Run::NAME | Measure::NAME | Search::NAME, ..] => {}
            _ => {
                return Err(refused(
                    "only `cubewave run`, `measure` and `search` give reports",
                ));
            }
        }
        let writes = writes();
        for (option, value) in values_of(&words) {
            if writes.contains(&option) && !is_below_here(Path::new(value)) {
                return Err(Refusal::of(format!("{name}: {option} {}", visible(value)))
                    .because("a report may come from anywhere, and writes nothing outside of this folder")
                    .instead(format!("if you trust it, give the command yourself: {}", visible(&command)))
                    .into());
            }
        }
        Ok(words.into_iter().map(OsString::from).collect())
    }
}

/// Options with what stands behind them, `--option value` and `--option=value` alike.
fn values_of(words: &[String]) -> impl Iterator<Item = (&str, &str)> {
    let joined = words.iter().filter_map(|word| word.split_once('='));
    let pairs = words
        .windows(2)
        .map(|pair| (pair[0].as_str(), pair[1].as_str()));
    joined.chain(pairs)
}

/// Whether a file is in the current folder or in one below it, wherever links lead, or is no file but a stream.
fn is_below_here(path: &Path) -> bool {
    if Stream::of(path).is_some() {
        return true;
    }
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let here = Path::new(".").canonicalize();
    // A folder that is not there is refused when it is written to.
    let is_below = match (folder, here) {
        (Ok(folder), Ok(here)) => folder.starts_with(here),
        _ => true,
    };
    path.components().all(is_name) && is_below && !path.is_symlink()
}

/// The command in a report, or in the first of some rows.
fn command(name: &str, text: &str) -> Result<String, Error> {
    let refused = |why: String| Error::from(Refusal::of(name.to_owned()).because(why));
    let report: Value = serde_json::from_str(text)
        .map_err(|error| refused(format!("it is no JSON, as `--format json` prints: {error}")))?;
    let report = report.get(0).unwrap_or(&report);
    let meta = &report["meta"];
    Meta::check_schema(&meta["schema"]).map_err(refused)?;
    let version = meta
        .get("version")
        .and_then(Value::as_str)
        .unwrap_or(VERSION);
    if version != VERSION {
        note(&format!(
            "{name} is of cubewave {}, and this is {VERSION}: figures may be others",
            visible(version)
        ));
    }
    let sweep = meta.get("sweep").filter(|sweep| !sweep.is_null());
    let command = sweep.or(meta.get("command")).and_then(Value::as_str);
    let command = command.ok_or_else(|| refused("its `meta` has no command".to_owned()))?;
    Ok(command.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;
    use crate::report::SCHEMA;

    fn words_of(text: &str) -> Result<Vec<OsString>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let repeat = Repeat {
            report: file.path().to_owned(),
        };
        let name = file.path().display().to_string();
        let refused = |error: Error| error.to_string().replace(&name, "report.json");
        repeat.words().map_err(refused)
    }

    fn of_command(command: &str) -> Result<Vec<OsString>, String> {
        words_of(
            &serde_json::json!({ "meta": { "schema": SCHEMA, "command": command } }).to_string(),
        )
    }

    #[test]
    fn words_are_those_of_the_command_of_the_sweep_before_that_of_its_row() {
        let words = of_command("cubewave run send --trace-message '0->7' --wave=below/w.vcd");
        let due = [
            "cubewave",
            "run",
            "send",
            "--trace-message",
            "0->7",
            "--wave=below/w.vcd",
        ];
        assert_eq!(words.unwrap(), due);
        let rows = serde_json::json!([{ "meta": {
            "schema": SCHEMA, "command": "cubewave run send", "sweep": "cubewave measure send --plot -",
        } }]);
        let due = ["cubewave", "measure", "send", "--plot", "-"];
        assert_eq!(words_of(&rows.to_string()).unwrap(), due);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for (text, why) in [
            (
                "{",
                "it is no JSON, as `--format json` prints: EOF while parsing an object at line 1 column 1",
            ),
            ("bench,dims\n", "it is no JSON"),
            ("[]", "it has no `meta`"),
            (r#"{"meta": 5}"#, "it has no `meta`"),
            (r#"{"meta": {}}"#, "it has no `meta` with a schema"),
            (
                r#"{"meta": {"schema": 99}}"#,
                "it is of schema 99, and this cubewave knows schema 2",
            ),
            (r#"{"meta": {"schema": 2}}"#, "its `meta` has no command"),
        ] {
            let refused = words_of(text).unwrap_err();
            assert!(
                refused.starts_with("report.json") && refused.contains(why),
                "{refused}"
            );
        }
    }

    /// Whatever a run or a sweep writes.
    #[test]
    fn every_option_that_names_what_is_written_is_known_here() {
        let writes = writes();
        let words = ["Write ", "write ", "written", "Draw ", "Put down"];
        for bench in testbenches() {
            let commands = [
                bench.run_arguments(Command::new("run")),
                crate::cli::measure::arguments::<Measure>(bench),
                crate::cli::measure::arguments::<Search>(bench),
            ];
            for option in commands.iter().flat_map(Command::get_arguments) {
                let help = option
                    .get_help()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let values = option.get_value_names().unwrap_or_default();
                let is_path = values
                    .iter()
                    .any(|name| name.contains('.') || *name == "DIR");
                let name = format!("--{}", option.get_long().unwrap_or_default());
                if is_path && words.iter().any(|word| help.contains(word)) {
                    assert!(writes.contains(&name.as_str()), "{name}: {help}");
                }
            }
        }
        for option in ["--links", "--cuts-out", "--results"] {
            assert!(writes.contains(&option), "{option}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_else() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir_in(".").unwrap());
        let elsewhere = tempfile::tempdir().unwrap();
        let link = here.path().join("link");
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        let below = |path: &Path| {
            let base = std::env::current_dir().unwrap();
            is_below_here(path.strip_prefix(base).unwrap_or(path))
        };
        assert!(below(&here.path().join("w.vcd")) && below(&there.path().join("w.vcd")));
        assert!(!below(&link.join("w.vcd")) && !below(&link));
    }

    #[test]
    fn a_command_that_is_none_or_writes_elsewhere_is_refused() {
        for command in [
            "rm -rf /",
            "cubewave serve",
            "cubewave",
            "",
            "cubewave run 'send",
        ] {
            assert!(of_command(command).is_err(), "{command}");
        }
        for path in ["/etc/passwd", "../up.vcd", "below/../../up.vcd"] {
            for option in writes() {
                for between in [" ", "="] {
                    let command = format!("cubewave run send {option}{between}{path}");
                    let refused = of_command(&command).unwrap_err();
                    let all = ["writes nothing outside", &command];
                    assert!(all.iter().all(|part| refused.contains(part)), "{refused}");
                }
            }
        }
    }
}
