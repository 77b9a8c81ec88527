//! What the command line gives, kept byte for byte: text, JSON and CSV as they are printed, and of each file that is written its
//! length and checksum. Times and memory apart, nothing of it changes unless somebody means it to.
//!
//! A file of `tests/frozen` has command lines, run one after the other in one folder, and below each what it gave. Files are
//! written anew with `CUBEWAVE_GOLDEN=overwrite`; what has changed on purpose belongs into the changelog.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crc::{CRC_32_ISO_HDLC, Crc};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use regex::Regex;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// What differs from run to run and from machine to machine, and what stands in its place. Dates and times are left out by the command
/// itself.
const MASKS: [(&str, &str); 4] = [
    (r"(?m)^(  memory +).*$", "${1}..."),
    (r#"("bytes_per_node": )[0-9.e-]+"#, "${1}..."),
    // On a machine that is busy.
    (
        r"(?m)^note: this takes more than \d+ s; under way: .*\n",
        "",
    ),
    (r"\b[a-z0-9_]+-(linux|macos|windows)\b", "PLATFORM"),
];

/// What a file has on any machine: a text says the platform, and a view has a checksum over that.
fn elsewhere(bytes: Vec<u8>) -> Vec<u8> {
    let here = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    match String::from_utf8(bytes) {
        Ok(text) if text.contains(&here) => {
            assert!(
                !text.contains("checksum holds:") || waves::gtkwave::is_as_written(text.as_bytes())
            );
            let seal = Regex::new("(checksum holds:) [0-9a-f]{16}\n").unwrap();
            let text = text.replace(&here, "PLATFORM");
            seal.replace(&text, "$1\n").into_owned().into_bytes()
        }
        Ok(text) => text.into_bytes(),
        Err(binary) => binary.into_bytes(),
    }
}

/// All files of a folder and of those in it, each with what tells it from others.
fn files(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
            continue;
        }
        let bytes = elsewhere(std::fs::read(entry.path()).unwrap());
        let checksum = CHECKSUM.checksum(&bytes);
        found.insert(name, format!("{} bytes, {checksum:08x}", bytes.len()));
    }
}

/// What a command line gives in a folder, with the files that it writes or changes.
fn given(line: &str, folder: &Path, masks: &[(Regex, &str)]) -> String {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    files(folder, "", &mut before);
    let words = line.strip_prefix("$ cubewave ").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "0")
        .output()
        .unwrap();
    files(folder, "", &mut after);
    let mut given = format!("{line}\n");
    let code = output.status.code().unwrap();
    if code != 0 {
        writeln!(given, "? {code}").unwrap();
    }
    for (mark, bytes) in [("", output.stdout), ("! ", output.stderr)] {
        let mut text = String::from_utf8(bytes).unwrap();
        for (mask, instead) in masks {
            text = mask.replace_all(&text, *instead).into_owned();
        }
        for row in text.lines() {
            writeln!(given, "{}", format!("{mark}{row}").trim_end()).unwrap();
        }
    }
    for (name, about) in after
        .iter()
        .filter(|(name, about)| before.get(*name) != Some(*about))
    {
        writeln!(given, "> {name}: {about}").unwrap();
    }
    given
}

/// Runs the command lines of a file; what differs from what it has, if anything does.
fn difference(path: &Path, masks: &[(Regex, &str)]) -> Option<String> {
    let kept = std::fs::read_to_string(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let lines = kept.lines().filter(|line| line.starts_with("$ "));
    let parts: Vec<String> = lines
        .map(|line| given(line, folder.path(), masks))
        .collect();
    let now = parts.join("\n");
    if std::env::var("CUBEWAVE_GOLDEN").as_deref() == Ok("overwrite") {
        std::fs::write(path, &now).unwrap();
        return None;
    }
    let mut command = "";
    for (was, is) in kept.lines().zip(now.lines()) {
        if is.starts_with("$ ") {
            command = is;
        }
        if was != is {
            return Some(format!(
                "{}\n{command}\nwas: {was}\nis:  {is}",
                path.display()
            ));
        }
    }
    (kept != now).then(|| format!("{}: other lines at its end", path.display()))
}

#[test]
fn what_command_lines_give_is_what_they_gave() {
    let masks: Vec<(Regex, &str)> = MASKS
        .iter()
        .map(|(mask, instead)| (Regex::new(mask).unwrap(), *instead))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/tests/frozen");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() > 20);
    let differences: Vec<String> = paths
        .into_par_iter()
        .filter_map(|path| difference(&path, &masks))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
