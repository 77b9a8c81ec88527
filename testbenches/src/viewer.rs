//! Viewers of waveforms: which there are, where they are installed, and how one is started on a dump and the view beside it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use clap::ValueEnum;
use waves::gtkwave::FileNames;

use crate::error::refusal::{Refusal, unreadable};
use crate::error::{Error, shown_path};
use crate::report::quoted;
use crate::wave::Format;

/// How often it is looked whether a viewer that was started has failed, and how long between.
const LOOKS: u32 = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// Bytes of what a viewer says on standard error that are repeated.
const MOST_SAID: usize = 2000;
/// GTKWave says this where it has no display, and ends with success.
const NO_WINDOW: &str = "Could not initialize GTK";
/// A VCD begins with one of these (IEEE 1364-2005, 18.2).
const FIRST_WORDS: [&str; 6] = [
    "$date",
    "$version",
    "$timescale",
    "$comment",
    "$scope",
    "$var",
];
/// An FST begins with a block of this kind and length, its header.
const FST_HEADER: [u8; 9] = [0, 0, 0, 0, 0, 0, 0, 1, 73];

/// A viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// GTKWave.
    GtkWave,
    /// Surfer.
    Surfer,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wanted {
    /// GTKWave.
    Gtkwave,
    /// Surfer.
    Surfer,
    /// No viewer: the command that would open one is printed.
    None,
}

impl Viewer {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Viewer; 2] = [Viewer::GtkWave, Viewer::Surfer];

    /// The program's name.
    pub fn program(self) -> &'static str {
        match self {
            Viewer::GtkWave => "gtkwave",
            Viewer::Surfer => "surfer",
        }
    }

    /// How one gets it.
    pub(crate) fn installed_by(self) -> &'static str {
        match self {
            Viewer::GtkWave => "GTKWave (Debian: apt-get install gtkwave)",
            Viewer::Surfer => "Surfer (https://surfer-project.org)",
        }
    }

    /// Where it is installed: the first file of its name that can be executed, in the folders of `path`, which is as the variable
    /// `PATH` has them.
    pub fn find(self, path: Option<&OsStr>) -> Option<PathBuf> {
        let folders = std::env::split_paths(path?);
        let mut places = folders.map(|folder| {
            let place = folder.join(self.program());
            place.with_extension(std::env::consts::EXE_EXTENSION)
        });
        places.find(|place| is_executable(place))
    }

    /// What stands behind its name on a command line.
    fn arguments(self, shown: &Shown) -> Vec<OsString> {
        let mut arguments = vec![shown.dump.clone().into_os_string()];
        if let Some(view) = shown.view(self) {
            if self == Viewer::Surfer {
                arguments.push("-c".into());
            }
            arguments.push(view.clone().into_os_string());
        }
        arguments
    }

    /// The command line, as a shell takes it.
    pub fn command(self, shown: &Shown) -> String {
        let mut command = self.program().to_owned();
        for argument in self.arguments(shown) {
            command += " ";
            command += &quoted(&argument.to_string_lossy());
        }
        command
    }
}

/// A dump, and the views beside it that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The dump.
    pub dump: PathBuf,
    /// GTKWave's save file.
    pub save: Option<PathBuf>,
    /// Surfer's command file.
    pub surfer: Option<PathBuf>,
}

impl Shown {
    /// A dump that stands there, and what stands beside it.
    ///
    /// # Errors
    /// A file that is not there, or is no VCD or FST.
    pub fn of(dump: &Path) -> Result<Self, Error> {
        is_dump(dump)?;
        let name = dump.file_name().unwrap_or_default().to_string_lossy();
        let names = FileNames::of(&name);
        let beside = |name: &str| Some(dump.with_file_name(name)).filter(|path| path.is_file());
        Ok(Shown {
            dump: as_argument(dump),
            save: beside(&names.save).as_deref().map(as_argument),
            surfer: beside(&names.surfer).as_deref().map(as_argument),
        })
    }

    /// The view of a viewer.
    pub fn view(&self, viewer: Viewer) -> Option<&PathBuf> {
        match viewer {
            Viewer::GtkWave => self.save.as_ref(),
            Viewer::Surfer => self.surfer.as_ref(),
        }
    }

    /// Starts the viewer that is wanted, or the first one that is installed; it goes on when this returns. Returns what is to be
    /// said of it. Where none is wanted, that is the command.
    ///
    /// # Errors
    /// No viewer, no display, a viewer that cannot be started or ends at once with a failure.
    pub fn open(&self, wanted: Option<Wanted>) -> Result<String, Error> {
        let path = std::env::var_os("PATH");
        let mut installed = (Viewer::ALL.into_iter())
            .filter_map(|viewer| Some((viewer, viewer.find(path.as_deref())?)));
        let chosen = match wanted {
            Some(Wanted::Gtkwave) => installed.find(|(viewer, _)| *viewer == Viewer::GtkWave),
            Some(Wanted::Surfer) => installed.find(|(viewer, _)| *viewer == Viewer::Surfer),
            Some(Wanted::None) | None => installed.next(),
        };
        let viewer = match (wanted, &chosen) {
            (_, Some((viewer, _))) => *viewer,
            (Some(Wanted::Surfer), None) => Viewer::Surfer,
            _ => Viewer::GtkWave,
        };
        let command = viewer.command(self);
        if wanted == Some(Wanted::None) {
            return Ok(format!("{command}\n"));
        }
        let Some((_, program)) = chosen else {
            let of = match wanted {
                None => Viewer::ALL.to_vec(),
                Some(_) => vec![viewer],
            };
            return Err(none_of(&of, &command));
        };
        if !has_display(|name| std::env::var_os(name)) {
            return Err(Refusal::of("there is no display")
                .because(
                    "neither DISPLAY nor WAYLAND_DISPLAY is set, so no viewer can open a window",
                )
                .instead(format!(
                    "copy the files to where there is one and type there: {command}; or draw a picture of a run with --picture"
                ))
                .into());
        }
        start(&program, &self.arguments(viewer), &command)?;
        let alone = match self.view(viewer) {
            None => format!(
                "there is no view of {} beside it, so it is opened alone\n",
                self.dump.display()
            ),
            Some(_) => String::new(),
        };
        Ok(format!("{alone}opened: {command}\n"))
    }

    fn arguments(&self, viewer: Viewer) -> Vec<OsString> {
        viewer.arguments(self)
    }
}

/// A path that no program takes for an option.
pub(crate) fn as_argument(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let there = fs::metadata(path);
    there.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Refuses what is not there, and what is no dump by its ending or by how it begins.
pub(crate) fn is_dump(path: &Path) -> Result<(), Error> {
    let mut begin = Vec::new();
    let file = File::open(path).map_err(unreadable(path))?;
    let read = file.take(4096).read_to_end(&mut begin);
    read.map_err(unreadable(path))?;
    let refused = |is: &str| Refusal::of(format!("{} is no {is}", shown_path(path)));
    let format = Format::of(path).map_err(|_| {
        refused("dump by its name").because("viewers are given VCD (ending .vcd) or FST (.fst)")
    })?;
    let is_one = match format {
        Format::Fst => begin.starts_with(&FST_HEADER),
        Format::Vcd => {
            let text = String::from_utf8_lossy(&begin);
            let first = text.split_whitespace().next();
            first.is_some_and(|first| FIRST_WORDS.contains(&first))
        }
    };
    match is_one {
        true => Ok(()),
        false => Err(refused(format.name())
            .because("it does not begin as one does")
            .into()),
    }
}

/// Whether a window can be opened, as far as variables say: on Linux one of two has to be set.
pub(crate) fn has_display(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Starts a program that goes on by itself, and waits as long as one that cannot begin needs to say so.
fn start(program: &Path, arguments: &[OsString], command: &str) -> Result<(), Error> {
    let unstarted = |reason| Refusal::of(format!("cannot start `{command}`")).because(reason);
    let mut said = tempfile::tempfile().map_err(unstarted)?;
    let mut begun = Command::new(program);
    begun
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(said.try_clone().map_err(unstarted)?);
    // Out of reach of an interrupt that is for this process.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut begun, 0);
    let mut viewer = begun.spawn().map_err(unstarted)?;
    let Some(status) = ended(&mut viewer).map_err(unstarted)? else {
        return Ok(());
    };
    let said = what_it_said(&mut said).map_err(unstarted)?;
    if status.success() && !said.contains(NO_WINDOW) {
        return Ok(());
    }
    let ended = format!("`{command}` ended at once with {status}");
    Err(Refusal::of(ended).because(said).into())
}

/// How it ended, if it does within the time that one looks.
fn ended(viewer: &mut Child) -> io::Result<Option<ExitStatus>> {
    for _ in 0..LOOKS {
        if let Some(status) = viewer.try_wait()? {
            return Ok(Some(status));
        }
        sleep(BETWEEN_LOOKS);
    }
    Ok(None)
}

/// The refusal to go on without a viewer, and how one gets it.
fn none_of(viewers: &[Viewer], command: &str) -> Error {
    let programs: Vec<&str> = viewers.iter().map(|viewer| viewer.program()).collect();
    let sources: Vec<&str> = viewers.iter().map(|viewer| viewer.installed_by()).collect();
    let none = match programs.as_slice() {
        [one] => format!("{one} is not installed"),
        _ => format!("none of {} is installed", programs.join(", ")),
    };
    let sources = sources.join(" or ");
    Refusal::of(format!("{none}, as far as PATH says"))
        .instead(format!("install {sources}; then type: {command}"))
        .into()
}

/// The end of what it said.
fn what_it_said(said: &mut File) -> io::Result<String> {
    said.rewind()?;
    let mut text = Vec::new();
    said.read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(MOST_SAID)..]);
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_is_given() {
        let mut shown = Shown {
            dump: "my run.vcd".into(),
            save: Some("my run.gtkw".into()),
            surfer: Some("my run.surfer.sucl".into()),
        };
        let commands = |shown: &Shown| Viewer::ALL.map(|viewer| viewer.command(shown));
        assert_eq!(
            commands(&shown),
            [
                "gtkwave 'my run.vcd' 'my run.gtkw'",
                "surfer 'my run.vcd' -c 'my run.surfer.sucl'"
            ]
        );
        (shown.save, shown.surfer) = (None, None);
        assert_eq!(
            commands(&shown),
            ["gtkwave 'my run.vcd'", "surfer 'my run.vcd'"]
        );
        assert_eq!(as_argument(Path::new("-x.vcd")), Path::new("./-x.vcd"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn either_kind_of_display_will_do() {
        let with = |set: &'static str, value: &'static str| {
            has_display(move |name| (name == set).then(|| value.into()))
        };
        assert!(with("DISPLAY", ":0") && with("WAYLAND_DISPLAY", "wayland-0"));
        assert!(!with("DISPLAY", "") && !with("TERM", "xterm"));
    }

    #[test]
    fn a_dump_is_known_by_its_ending_and_its_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let refused = Shown::of(&path).err().map(|error| error.to_string());
            refused.map(|text| text.replace(&path.display().to_string(), name))
        };
        assert_eq!(refusal("a.vcd", b"\n$timescale 1ns $end"), None);
        assert_eq!(refusal("a.FST", &FST_HEADER), None);
        let no_vcd = Some("b.vcd is no VCD: it does not begin as one does".to_owned());
        assert_eq!(refusal("b.vcd", b""), no_vcd);
        assert_eq!(refusal("b.vcd", &FST_HEADER), no_vcd);
        let no_fst = Some("b.fst is no FST: it does not begin as one does".to_owned());
        assert_eq!(refusal("b.fst", b"$date"), no_fst);
        assert_eq!(
            refusal("b.txt", b"$date").as_deref(),
            Some("b.txt is no dump by its name: viewers are given VCD (ending .vcd) or FST (.fst)")
        );
        let missing = Shown::of(&folder.path().join("c.vcd")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot read "), "{missing}");
    }
}
