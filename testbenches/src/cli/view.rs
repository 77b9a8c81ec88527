//! The command `view`: a dump, or a run with its waveform, in a viewer.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use crate::cli::chosen::{Chosen, Takes};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::{VIEW_EXAMPLES, names, testbench};
use crate::output::Stream;
use crate::ranks;
use crate::report::Outputs;
use crate::testbench::Testbench;
use crate::viewer::{Shown, Wanted, as_argument};

/// Its name.
pub(super) const NAME: &str = "view";
const FILE: &str = "file";
const VIEWER: &str = "viewer";
const WAVE: &str = "wave";

/// The command with a testbench.
pub(super) struct OfBench;

impl Takes for OfBench {
    const VERB: &'static str = "Run and view";
    const NAME: &'static str = NAME;
    const EXAMPLES_OF: &'static str = "run";
    const BELOW: &'static str = "";

    fn arguments(bench: &'static Testbench, command: Command) -> Command {
        let command = bench.run_arguments(command);
        match has_wave(&command) {
            true => command.mut_arg(WAVE, |wave| {
                let usual = usual_dump(bench.name).display().to_string();
                wave.help(format!("Write the waveform here [default: {usual}]"))
                    .long_help(format!(
                        "Write the waveform here (VCD, or FST by the ending .fst), and views beside it [default: {usual}]"
                    ))
            }),
            false => command,
        }
    }
}

fn has_wave(command: &Command) -> bool {
    command
        .get_arguments()
        .any(|option| option.get_id() == WAVE)
}

/// Where the waveform of a testbench is written if nothing else is said: as that of the main job.
fn usual_dump(bench: &str) -> PathBuf {
    Path::new(bench).with_extension("vcd")
}

/// What is to be viewed.
#[derive(Debug)]
enum Of {
    File(PathBuf),
    Testbench(Chosen<OfBench>),
}

/// Its arguments.
#[derive(Debug)]
pub(super) struct View {
    of: Of,
    wanted: Option<Wanted>,
}

fn viewer_option() -> Arg {
    Arg::new(VIEWER)
        .long(VIEWER)
        .value_name("VIEWER")
        .global(true)
        .help_heading("Viewer")
        .value_parser(value_parser!(Wanted))
        .hide_possible_values(true)
        .help("Viewer: gtkwave, surfer, or none, which prints the command that opens one [default: the first that is installed]")
}

impl Args for View {
    fn augment_args(command: Command) -> Command {
        Chosen::<OfBench>::augment_args(command)
            .arg(viewer_option())
            .subcommand_value_name("BENCH|FILE")
            .after_help(VIEW_EXAMPLES)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for View {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let of = match matches.try_get_one::<PathBuf>(FILE) {
            Ok(Some(file)) => Of::File(file.clone()),
            _ => Of::Testbench(Chosen::from_arg_matches(matches)?),
        };
        let wanted = matches.get_one(VIEWER).copied();
        Ok(View { of, wanted })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The place of what is to be viewed, among the words of a command line that is about this command.
fn subject(words: &[OsString]) -> Option<usize> {
    let is_viewer = |word: &OsStr| word.to_str() == Some("--viewer");
    let is_option = |word: &OsStr| word.as_encoded_bytes().starts_with(b"-");
    let plain = |place: &usize| !is_option(&words[*place]) && !is_viewer(&words[*place - 1]);
    let mut plain = (1..words.len()).filter(plain);
    plain.next().filter(|place| words[*place] == NAME)?;
    plain.next()
}

/// Whether these are options that say which viewer, and their values.
fn are_viewers(words: &[OsString]) -> bool {
    match words {
        [] => true,
        [option, _, rest @ ..] if option == "--viewer" => are_viewers(rest),
        [option, rest @ ..] => {
            let text = option.to_string_lossy();
            text.starts_with("--viewer=") && are_viewers(rest)
        }
    }
}

/// Whether a word that is to be viewed is a file: no testbench is called so, and it looks like one, or there is one.
fn is_file(word: &OsStr) -> bool {
    let is_bench = names().iter().any(|name| word == *name);
    let is_path = word
        .as_encoded_bytes()
        .iter()
        .any(|byte| b"./\\".contains(byte));
    !is_bench && (is_path || Path::new(word).exists())
}

/// The command for a command line, which clap has not looked through: with a file in the place of the testbenches, or with the usual
/// name of the waveform among its words.
pub(super) fn choosing(command: Command, words: &mut Vec<OsString>) -> Command {
    let Some(mut place) = subject(words) else {
        return command;
    };
    // It comes before all options, where whoever looks for the testbench of a command finds it. Behind options of a testbench
    // it may be the value of one of them: that is refused as it stands.
    if words[1] == NAME {
        if !are_viewers(&words[2..place]) {
            return command;
        }
        words[2..=place].rotate_right(1);
        place = 2;
    }
    if is_file(&words[place]) {
        return command.mut_subcommand(NAME, |of_bench| {
            let about = of_bench.get_about().cloned().unwrap_or_default();
            Command::new(NAME)
                .about(about)
                .arg(
                    Arg::new(FILE)
                        .value_name("FILE")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .help("Dump to view: VCD or FST"),
                )
                .arg(viewer_option())
                .after_help(VIEW_EXAMPLES)
        });
    }
    let gives_wave = |word: &OsString| {
        let text = word.to_string_lossy();
        text == "--wave" || text.starts_with("--wave=")
    };
    let bench = words[place].to_str().and_then(|word| {
        let names = names();
        names.into_iter().find(|name| *name == word)
    });
    let takes_wave = |bench: &&str| {
        let bench = testbench(bench);
        bench.is_ok_and(|bench| has_wave(&bench.run_arguments(Command::new(NAME))))
    };
    let bench = bench.filter(takes_wave);
    if let Some(bench) = bench.filter(|_| !words.iter().any(gives_wave)) {
        let usual = usual_dump(bench).into_os_string();
        words.splice(place + 1..place + 1, ["--wave".into(), usual]);
    }
    command
}

impl View {
    /// Views it; returns whether all checks hold, of a run.
    ///
    /// # Errors
    /// What is refused of a run, or of a dump; no viewer, no display, a viewer that fails.
    pub fn execute(self) -> Result<bool, Error> {
        match self.of {
            Of::File(file) => {
                let said = Shown::of(&file)?.open(self.wanted)?;
                let stream = match self.wanted {
                    Some(Wanted::None) => Stream::Output,
                    _ => Stream::Error,
                };
                super::print(stream, &said)?;
                Ok(true)
            }
            Of::Testbench(chosen) => {
                let (bench, arguments) = chosen.bench()?;
                ranks::require_one("a viewer", "there is one display")?;
                if arguments.try_contains_id(WAVE).is_err() {
                    let bench = bench.name;
                    let none = format!("{bench} writes no waveform, so there is nothing to view");
                    return Err(Refusal::of(none).into());
                }
                let ran = bench.run(&arguments)?;
                super::print_report(&ran)?;
                if let Some(shown) = shown(&ran.report.outputs) {
                    // A report may be for a script.
                    super::print(Stream::Error, &shown.open(self.wanted)?)?;
                }
                Ok(ran.report.passed)
            }
        }
    }
}

/// The waveform of a run, with the views that were written with it.
fn shown(outputs: &Outputs) -> Option<Shown> {
    let path = |name: &Option<String>| name.as_deref().map(|name| as_argument(Path::new(name)));
    Some(Shown {
        dump: path(&outputs.wave)?,
        save: path(&outputs.view),
        surfer: path(&outputs.surfer_view),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::Viewer;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_is_viewed_stands_behind_the_command_whatever_the_options() {
        for (line, place) in [
            ("cubewave view run.vcd", Some(2)),
            ("cubewave view --viewer none run.vcd", Some(4)),
            ("cubewave view --viewer=none run.vcd", Some(3)),
            ("cubewave view", None),
            ("cubewave run view", None),
        ] {
            assert_eq!(subject(&words(line)), place, "{line}");
        }
    }

    #[test]
    fn a_dump_whose_name_begins_like_an_option_is_none() {
        let outputs = Outputs {
            wave: Some("-y.vcd".to_owned()),
            view: Some("-y.gtkw".to_owned()),
            ..Outputs::default()
        };
        let shown = shown(&outputs).unwrap();
        assert_eq!(
            Viewer::GtkWave.command(&shown),
            "gtkwave ./-y.vcd ./-y.gtkw"
        );
    }

    #[test]
    fn a_file_is_told_from_a_testbench() {
        let bench = names()[0];
        for (word, expected) in [
            (bench, false),
            ("nobody", false),
            ("run.vcd", true),
            ("a/b", true),
        ] {
            assert_eq!(is_file(OsStr::new(word)), expected, "{word}");
        }
    }

    #[test]
    fn a_waveform_has_a_name_if_none_is_given() {
        let bench = names()[0];
        let after = |line: &str| {
            let mut words = words(&line.replace("BENCH", bench));
            choosing(Command::new("cubewave"), &mut words);
            let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
            words.join(" ").replace(bench, "BENCH")
        };
        let named = "cubewave view BENCH --wave BENCH.vcd --dims 4";
        assert_eq!(after("cubewave view BENCH --dims 4"), named);
        assert_eq!(
            after("cubewave view --viewer none BENCH --dims 4"),
            "cubewave view BENCH --wave BENCH.vcd --viewer none --dims 4"
        );
        for given in [
            "cubewave view --dims 4 BENCH",
            "cubewave view BENCH --wave=a.fst",
            "cubewave view BENCH --wave a.fst",
        ] {
            assert_eq!(after(given), given);
        }
    }
}
