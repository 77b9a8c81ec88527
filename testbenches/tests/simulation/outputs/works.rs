//! Command lines that write all kinds of files, and what they leave behind when something gets in their way.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::outputs::folder::{Folder, text};

/// Two works leave behind what their rest is taken up from.
const SWEEP: &str = "measure kuszmaul --dims 2..=5 --journal rows.jsonl --threads 1";
const CHECKPOINT: &str =
    "run kuszmaul --dims 8 --payload-bits 4 --threads 1 --checkpoint there --every 0.0001";

/// Files of runs, sweeps, projects, reports of tests, networks, checkpoints, and folders of several files.
pub const WORKS: [&str; 9] = [
    "run kuszmaul --dims 3 --payload-bits 4 --wave run.vcd --picture page.html --deliveries arrived.csv --log log.csv --junit j.xml",
    "run kuszmaul --dims 3 --payload-bits 4 --wave run.fst --picture page.svg",
    "measure kuszmaul --dims 2,3 --plot plot.svg --junit j.xml --threads 1",
    SWEEP,
    "verilog kuszmaul --dims 2 --out project",
    "run dispersal --dims 4 --message-bits 8 --results results.csv --cuts-out cuts.csv",
    "run wormhole --dims 2 --links links.csv --deliveries arrived.csv",
    "new-router mine",
    CHECKPOINT,
];

/// All files below a folder, by their names from there on.
pub type Tree = BTreeMap<String, Vec<u8>>;

pub fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(one) = folders.pop() {
        for entry in fs::read_dir(&one).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                    tree.insert(name.to_owned(), fs::read(&path).unwrap());
                }
            }
        }
    }
    tree
}

/// A command that gives the same bytes whenever it is run.
pub fn undated(command: &mut Command) -> &mut Command {
    let command = command
        .env("SOURCE_DATE_EPOCH", "0")
        .env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null())
}

/// What a work leaves behind where nothing gets in its way.
pub struct Whole {
    pub words: &'static str,
    files: Tree,
    printed: Vec<u8>,
}

impl Whole {
    pub fn of(words: &'static str) -> Self {
        let folder = Folder::new();
        let output = undated(&mut folder.command(words)).output().unwrap();
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        Whole {
            words,
            files: tree(&folder.path("")),
            printed: output.stdout,
        }
    }

    pub fn all() -> impl Iterator<Item = Self> {
        WORKS.into_iter().map(Self::of)
    }

    /// Of what was left behind every file is whole; a run that succeeds has them all, and has printed everything; one that does not
    /// says why, with one of these statuses.
    pub fn is_kept(&self, left: &Path, output: &Output, statuses: &[i32], how: &str) {
        let (status, said) = (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr),
        );
        let about = format!("{} {how}: {:?}: {said}", self.words, output.status);
        let (files, is_taken_up) = (tree(left), [SWEEP, CHECKPOINT].contains(&self.words));
        for (name, bytes) in &files {
            assert!(!name.contains(".partial"), "{about}: {name}");
            match self.files.get(name) {
                _ if is_taken_up => {}
                Some(whole) => assert!(whole == bytes, "{about}: {name} is not whole"),
                None => panic!("{about}: there is {name}"),
            }
        }
        assert!(!said.contains("panicked"), "{about}");
        match status {
            Some(0) => {
                let is_whole = is_taken_up || files == self.files;
                assert!(is_whole, "{about}: not all is there");
                assert!(output.stdout == self.printed, "{about}: not all is printed");
            }
            Some(status) => {
                assert!(statuses.contains(&status), "{about}");
                assert!(said.contains("error: "), "{about}");
            }
            // Before it listens.
            None => assert!(
                files.is_empty() && statuses.iter().any(|status| *status > 128),
                "{about}"
            ),
        }
        let rest = match self.words {
            SWEEP => Some(SWEEP.to_owned()),
            CHECKPOINT if files.contains_key("there/checkpoint.json") => Some(
                CHECKPOINT
                    .replace("--checkpoint", "--resume")
                    .replace(" --every 0.0001", ""),
            ),
            _ => None,
        };
        if let Some(words) = rest {
            let mut rest = Command::new(env!("CARGO_BIN_EXE_cubewave"));
            let rest = undated(rest.args(words.split(' ')).current_dir(left))
                .output()
                .unwrap();
            assert!(rest.status.success(), "{about}: {}", text(&rest.stderr));
            let (here, due) = (text(&rest.stdout), text(&self.printed));
            assert!(self.words != SWEEP || here == due, "{about}: {here}");
        }
    }
}
