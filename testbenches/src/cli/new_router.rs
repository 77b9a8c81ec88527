//! The command `new-router`: writes a crate that is cubewave with a router more, the one of `examples/own_router`.

use std::path::{Path, PathBuf};

use clap::Args;
use rtl_model::csv_file::visible;
use toml::de::DeTable;

use crate::error::refusal::{Refusal, unreadable};
use crate::error::{Error, shown_path};
use crate::folder::Folder;
use crate::report::{VERSION, quoted};

/// What stands below its options.
pub(super) const EXAMPLES: &str = "\
Examples:
  cubewave new-router my_router                        in a clone, or with what is published
  cubewave new-router my_router --cubewave ~/cubewave  with a clone elsewhere
  cd my_router && cargo test                           the first build takes minutes

Exit status: 0 written, 2 bad usage, or a folder that is not empty.";

/// The files of the crate, beside its manifest. Where they are from, links lead to the example.
const FILES: [(&str, &str); 7] = [
    ("README.md", include_str!("../../template/README.md")),
    (".gitignore", "/target\n"),
    ("src/main.rs", include_str!("../../template/src/main.rs")),
    (
        "src/router.rs",
        include_str!("../../template/src/router.rs"),
    ),
    (
        "src/testbench.rs",
        include_str!("../../template/src/testbench.rs"),
    ),
    (
        "tests/gossip.rs",
        include_str!("../../template/tests/gossip.rs"),
    ),
    (
        "tests/program/mod.rs",
        include_str!("../../template/tests/program/mod.rs"),
    ),
];

/// What the example is called, for which its texts have the name of the crate.
const EXAMPLE: &str = "own_router";

/// The profiles, which cargo takes from the workspace that is built alone.
const PROFILE: &str = include_str!("../../template/profile.toml");

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct NewRouter {
    /// Folder for the crate, new or empty; the crate is called as its last part
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Clone of cubewave that the crate is built with; without it the current folder, if it is one, else what is published
    #[arg(long, value_name = "CLONE")]
    cubewave: Option<PathBuf>,
}

impl NewRouter {
    /// Writes the crate; returns what is to be said of it.
    ///
    /// # Errors
    /// A folder that is not empty, or cannot be written; one whose name no crate can have; no clone.
    pub fn write(self) -> Result<String, Error> {
        let name = name_of(&self.folder)?;
        let source = Source::of(self.cubewave.as_deref())?;
        let folder = Folder::plan_new(&self.folder)?;
        let mut files = vec![("Cargo.toml", manifest(&name, &source))];
        files.extend(FILES.map(|(file, text)| (file, text.replace(EXAMPLE, &name))));
        folder.write(&files)?;
        Ok(format!(
            "{} files in {}: crate {name}, built with {}\nto run it: cd {} && cargo run --release -- run gossip --dims 4; \
             to test it: cargo test\n",
            files.len(),
            shown_path(&self.folder),
            source.said(),
            quoted(&self.folder.display().to_string()),
        ))
    }
}

/// Where a crate has cubewave from.
enum Source {
    /// A clone, as an absolute path.
    Clone(String),
    Published,
}

impl Source {
    /// The clone that is asked for, or that of the current folder.
    fn of(asked: Option<&Path>) -> Result<Self, Error> {
        let path = match asked {
            Some(path) => path,
            None if is_clone(Path::new(".")).is_ok_and(|is_clone| is_clone) => Path::new("."),
            None => return Ok(Source::Published),
        };
        let refused = || Refusal::of(format!("{} is no clone of cubewave", shown_path(path)));
        let is_one = is_clone(path).map_err(|reason| refused().because(reason))?;
        if !is_one {
            let why = "its Cargo.toml is of another package";
            return Err(refused().because(why).into());
        }
        let absolute = path.canonicalize().map_err(unreadable(path))?;
        match absolute.to_str() {
            Some(text) if !text.contains(char::is_control) => Ok(Source::Clone(text.to_owned())),
            _ => Err(refused()
                .because("its path cannot be written into a manifest")
                .instead("rename it")
                .into()),
        }
    }

    /// As a key of a dependency on a package that is this folder of the clone.
    fn key(&self, folder: &str) -> String {
        match self {
            Source::Clone(root) => {
                let path = Path::new(root).join(folder).display().to_string();
                format!("path = {}", in_toml(path.trim_end_matches('/')))
            }
            Source::Published => format!("version = \"{VERSION}\""),
        }
    }

    fn said(&self) -> String {
        match self {
            Source::Clone(root) => format!("the clone {root}"),
            Source::Published => {
                format!("cubewave {VERSION} as published (--cubewave CLONE: with a clone)")
            }
        }
    }
}

/// Whether a folder is a clone of this repository.
fn is_clone(folder: &Path) -> Result<bool, String> {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
    let manifest = manifest.map_err(|reason| format!("Cargo.toml: {reason}"))?;
    let manifest = DeTable::parse(&manifest).map_err(|_| "its Cargo.toml is no TOML")?;
    let manifest = manifest.get_ref();
    let package = manifest.get("package").map(|package| package.get_ref());
    let name = package.and_then(|package| package.get("name"));
    let is_named = name.and_then(|name| name.get_ref().as_str()) == Some("cubewave");
    // What is published is no workspace, and has not all packages.
    Ok(is_named && manifest.contains_key("workspace"))
}

/// A text as TOML has it.
fn in_toml(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

fn manifest(name: &str, source: &Source) -> String {
    let (root, rtl_model) = (source.key(""), source.key("rtl_model"));
    let rust = env!("CARGO_PKG_RUST_VERSION");
    format!(
        "[package]
name = \"{name}\"
description = \"cubewave with a router of its own\"
version = \"0.1.0\"
edition = \"2024\"
rust-version = \"{rust}\"
publish = false

[dependencies]
rtl_model = {{ package = \"cubewave-rtl-model\", {rtl_model} }}
testbenches = {{ package = \"cubewave\", {root} }}

[dev-dependencies]
serde_json = \"1.0\"
tempfile = \"3.20\"

# Cargo takes profiles from the workspace that is built alone: with these, builds are short.
[workspace]

{PROFILE}"
    )
}

/// Names that cargo or the compiler has for something else, or that a dependency has.
const TAKEN: [&str; 15] = [
    "alloc",
    "build",
    "core",
    "cubewave",
    "cubewave_rtl_model",
    "deps",
    "examples",
    "incremental",
    "proc_macro",
    "rtl_model",
    "serde_json",
    "std",
    "tempfile",
    "test",
    "testbenches",
];

/// Words of Rust.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What the crate is called: the last part of its folder.
fn name_of(folder: &Path) -> Result<String, Error> {
    // `.` and `..` have a name in their place.
    let named = match folder.file_name() {
        Some(name) => Some(name.to_owned()),
        None => {
            let absolute = folder.canonicalize().map_err(unreadable(folder))?;
            absolute.file_name().map(ToOwned::to_owned)
        }
    };
    let name = named.unwrap_or_default().to_string_lossy().into_owned();
    let refused = |why: &str| {
        let what = format!("no crate can be called `{}`", visible(&name));
        let refusal = Refusal::of(what).because(why);
        Err(refusal.instead("choose another name for the folder").into())
    };
    let is_letter = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '-';
    let as_word = name.replace('-', "_");
    match name.chars().next() {
        None => refused("the folder has no name"),
        Some(first) if !first.is_ascii_alphabetic() => {
            refused("names of crates begin with a letter")
        }
        _ if !name.chars().all(is_letter) => {
            refused("names of crates have letters a to z, digits, _ and -")
        }
        _ if KEYWORDS.contains(&&*name) => refused("it is a word of Rust"),
        _ if TAKEN.contains(&&*as_word) => {
            refused("something else that the crate is built with is called so")
        }
        _ => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(folder: &str) -> String {
        name_of(Path::new(folder)).unwrap_err().to_string()
    }

    #[test]
    fn the_crate_is_called_as_the_last_part_of_its_folder() {
        for (folder, name) in [
            ("mine", "mine"),
            ("up/my-router_2/", "my-router_2"),
            ("../Torus", "Torus"),
        ] {
            assert_eq!(name_of(Path::new(folder)).unwrap(), name);
        }
        assert!(refusal("/").contains("has no name"));
        assert!(refusal("up/2d").contains("begin with a letter"));
        assert!(refusal("a b").contains("digits, _ and -"));
        assert!(refusal("torüs").contains("digits, _ and -"));
        assert!(refusal("fn").contains("a word of Rust"));
        assert!(refusal("rtl-model").contains("is called so"));
    }

    #[test]
    fn a_clone_is_told_from_other_folders() {
        let folder = tempfile::tempdir().unwrap();
        let told = |manifest: &str| {
            std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            Source::of(Some(folder.path())).map_err(|error| error.to_string())
        };
        let clone = "[package]\nname = \"cubewave\"\n[workspace]\n";
        assert!(matches!(told(clone), Ok(Source::Clone(_))));
        for (other, why) in [
            ("[package]\nname = \"cubewave\"\n", "of another package"),
            (
                "[package]\nname = \"other\"\n[workspace]\n",
                "of another package",
            ),
            ("[package", "is no TOML"),
        ] {
            let refusal = told(other).err().unwrap();
            assert!(
                refusal.contains("is no clone of cubewave") && refusal.contains(why),
                "{refusal}"
            );
        }
        let root = Source::Clone("/a \"b\"\\c".to_owned());
        assert_eq!(root.key(""), r#"path = "/a \"b\"\\c""#);
    }

    /// What is written is the example; nothing of its name is left.
    #[test]
    fn the_manifest_is_one_and_the_texts_have_the_name_of_the_crate() {
        let folder = tempfile::tempdir().unwrap();
        for source in [Source::Published, Source::Clone("/there".to_owned())] {
            let manifest = manifest("my-router", &source);
            let manifest = DeTable::parse(&manifest).unwrap();
            let manifest = manifest.get_ref();
            let table = |name: &str| manifest[name].get_ref().as_table().unwrap();
            let name = table("package")["name"].get_ref();
            assert_eq!(name.as_str(), Some("my-router"));
            assert!(table("workspace").is_empty());
            assert!(table("dependencies")["testbenches"].get_ref().is_table());
        }
        let new = NewRouter {
            folder: folder.path().join("my-router"),
            cubewave: None,
        };
        new.clone().write().unwrap();
        for (file, text) in FILES {
            let written = std::fs::read_to_string(new.folder.join(file)).unwrap();
            assert!(!written.contains(EXAMPLE), "{file}");
            assert_eq!(written.replace("my-router", EXAMPLE), text);
        }
        let refusal = new.write().unwrap_err().to_string();
        assert!(
            refusal.ends_with("is not empty: choose another"),
            "{refusal}"
        );
    }
}
