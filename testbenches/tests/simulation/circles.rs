//! No two files need each other, nor do several in a circle, but for those that are defended here. The imports are read from the
//! sources, without their comments and tests: a name counts for the file that defines it, whoever hands it on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::seams::{files, is_of_tests};

/// Files that need each other, and why they may.
const DEFENDED: [(&[&str], &str); 4] = [
    (
        &[
            "rtl_model/src/circuit/expression.rs",
            "rtl_model/src/circuit/expression/graph.rs",
        ],
        "a gate reads expressions, and an expression is a gate's number in the graph that is being recorded",
    ),
    (
        &[
            "rtl_model/src/language/bit.rs",
            "rtl_model/src/language/register.rs",
        ],
        "registers are of bits, and a bit as a strobe says whether registers change",
    ),
    (
        &[
            "rtl_model/src/machine/device.rs",
            "rtl_model/src/machine/simulation.rs",
        ],
        "the two halves of the hardware seam: a device builds what runs, and what runs says of which device it is",
    ),
    (
        &[
            "rtl_model/src/machine/fabric.rs",
            "rtl_model/src/machine/fabric/unsequenced.rs",
        ],
        "a fabric keeps its routine, which is functions of the fabric so that no other machine is translated with them",
    ),
];

/// What a name follows that it defines.
const DEFINES: [&str; 7] = ["struct", "enum", "trait", "type", "fn", "const", "static"];

/// A path, name by name.
type Names = Vec<String>;

/// What is read of a file.
struct File {
    name: String,
    module: Names,
    /// What it imports: the path as written, what it is called here, and whether it is handed on.
    imports: Vec<(Names, String, bool)>,
    /// The words of its code beside imports; `::` and `.` are words.
    words: Names,
}

/// By file, those that it needs.
type Arrows<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The files that one needs, and those that they need, and so on.
fn reached<'a>(arrows: &Arrows<'a>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(file) = next.pop() {
        let needed = arrows[file].iter();
        next.extend(needed.filter(|other| reached.insert(**other)));
    }
    reached
}

/// A crate's files.
struct Crate(BTreeMap<Names, File>);

/// The words of code.
fn words(code: &str) -> Names {
    let spaced = code.replace("::", " \u{1} ").replace('.', " \u{2} ");
    let is_between = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\u{1}' | '\u{2}'));
    let words = spaced.split(is_between).filter(|word| !word.is_empty());
    let words = words.map(|word| word.replace('\u{1}', "::").replace('\u{2}', "."));
    words.collect()
}

/// All that an import names, each with what it is called here. No braces stand within others in these sources.
fn spread(import: &str) -> Vec<(Names, String)> {
    let (before, several) = import.split_once('{').unwrap_or(("", import));
    assert!(!several.contains('{'), "{import}");
    let named = several.trim_end_matches('}').split(',').map(str::trim);
    let named = named.filter(|one| !one.is_empty()).map(|one| {
        let (path, called) = one.split_once(" as ").unwrap_or((one, ""));
        let path = [before, path].concat();
        let path = path.trim_end_matches("::self").split("::");
        let path: Names = path.map(str::to_owned).collect();
        let called = match called {
            "" => path.last().cloned().unwrap_or_default(),
            called => called.to_owned(),
        };
        (path, called)
    });
    named.collect()
}

impl File {
    fn read(name: String, module: Names, text: &str) -> Self {
        let text = text.split("mod tests {").next().unwrap_or_default();
        let (mut imports, mut words_of_code) = (Vec::new(), Vec::new());
        let mut lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        while let Some(line) = lines.next() {
            if matches!(line.trim(), "#[cfg(test)]" | "#[cfg(doc)]") {
                lines.next();
                continue;
            }
            let is_public = line.trim_start().starts_with("pub");
            let is_visibility = |before: &str| {
                before.is_empty() || before.starts_with("pub") && !before.contains('"')
            };
            let import = line
                .split_once("use ")
                .filter(|(before, _)| is_visibility(before.trim()));
            let Some((_, import)) = import else {
                words_of_code.extend(words(line));
                continue;
            };
            let mut import = import.to_owned();
            while !import.contains(';') {
                import += lines.next().unwrap_or(";");
            }
            let named = spread(import.split(';').next().unwrap_or_default());
            let named = named.into_iter();
            imports.extend(named.map(|(path, called)| (path, called, is_public)));
        }
        File {
            name,
            module,
            imports,
            words: words_of_code,
        }
    }

    /// Whether its code has a name, not as that of a method or of what it defines.
    fn uses(&self, name: &str) -> bool {
        let is_it =
            |pair: &[String]| pair[1] == name && !matches!(pair[0].as_str(), "." | "fn" | "mod");
        self.words.windows(2).any(is_it)
    }

    fn defines(&self, name: &str) -> bool {
        let is_it = |pair: &[String]| pair[1] == name && DEFINES.contains(&pair[0].as_str());
        self.words.windows(2).any(is_it)
    }

    /// The paths in its code.
    fn paths(&self) -> impl Iterator<Item = Names> {
        let mut paths: Vec<Names> = Vec::new();
        let mut goes_on = false;
        for pair in self.words.windows(2) {
            match (pair[0].as_str(), pair[1].as_str()) {
                (name, "::") if !goes_on => paths.push(vec![name.to_owned()]),
                ("::", name) => {
                    if let Some(path) = paths.last_mut() {
                        path.push(name.to_owned());
                    }
                }
                _ => {}
            }
            goes_on = pair[0] == "::";
        }
        paths.into_iter()
    }
}

impl Crate {
    fn read(root: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        let mut all = Vec::new();
        files(&folder, &mut all);
        let mut read = BTreeMap::new();
        for path in all {
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            if !is_of_tests(&name) {
                let mut module: Names = name
                    .trim_end_matches(".rs")
                    .split('/')
                    .map(str::to_owned)
                    .collect();
                module.pop_if(|last| matches!(last.as_str(), "mod" | "lib"));
                let text = fs::read_to_string(&path).unwrap();
                read.insert(
                    module.clone(),
                    File::read(format!("{root}/{name}"), module, &text),
                );
            }
        }
        Crate(read)
    }

    /// A path of a file from the crate's root; none if it is of another crate.
    fn path_from_root(&self, file: &File, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let child = [&file.module[..], std::slice::from_ref(first)].concat();
        Some(match first.as_str() {
            "crate" => rest.to_vec(),
            "self" => [&file.module[..], rest].concat(),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                [
                    &file.module[..file.module.len().checked_sub(up)?],
                    &path[up..],
                ]
                .concat()
            }
            _ if self.0.contains_key(&child) => [&child[..], rest].concat(),
            name => {
                let mut imports = file.imports.iter();
                let (import, ..) =
                    imports.find(|(import, called, _)| called == name && import.len() > 1)?;
                let import = self
                    .path_from_root(file, import)
                    .filter(|import| self.0.contains_key(import))?;
                [&import[..], rest].concat()
            }
        })
    }

    /// The file that defines what a path leads to; none if that is a whole file.
    fn defining(&self, path: &[String]) -> Option<&File> {
        let longest = (0..=path.len())
            .rev()
            .find(|&length| self.0.contains_key(&path[..length]))?;
        // A name may be that of a file and of what is defined in it.
        let lengths = [longest, longest.saturating_sub(1)];
        lengths
            .into_iter()
            .filter(|length| *length < path.len())
            .find_map(|length| {
                let file = &self.0[&path[..length]];
                let (name, rest) = (&path[length], &path[length + 1..]);
                let mut imports = file.imports.iter();
                let handed_on = imports.find_map(|(import, called, _)| {
                    let import = self.path_from_root(file, import)?;
                    let leads = match called.as_str() {
                        "*" => [&import[..import.len() - 1], &path[length..]].concat(),
                        called if called == name => [&import[..], rest].concat(),
                        _ => return None,
                    };
                    self.defining(&leads).filter(|_| leads != path)
                });
                handed_on.or_else(|| file.defines(name).then_some(file))
            })
    }

    fn arrows(&self) -> Arrows<'_> {
        let arrows = self.0.values().map(|file| {
            let imports = file
                .imports
                .iter()
                .filter(|(_, called, is_public)| !is_public || file.uses(called));
            let paths = imports.map(|(path, ..)| path.clone()).chain(file.paths());
            let defining =
                paths.filter_map(|path| self.defining(&self.path_from_root(file, &path)?));
            let needed = defining
                .map(|other| other.name.as_str())
                .filter(|other| *other != file.name);
            (file.name.as_str(), needed.collect())
        });
        arrows.collect()
    }

    /// The circles, each with all its files.
    fn circles(&self) -> BTreeSet<Vec<&str>> {
        let arrows = self.arrows();
        let reached: BTreeMap<&str, BTreeSet<&str>> = arrows
            .keys()
            .map(|file| (*file, reached(&arrows, file)))
            .collect();
        let circle = |file: &&str| {
            let there = reached[file]
                .iter()
                .filter(|other| reached[*other].contains(file));
            there.copied().collect::<Vec<&str>>()
        };
        let circles = reached.keys().map(circle);
        circles.filter(|circle| !circle.is_empty()).collect()
    }
}

#[test]
fn files_that_need_each_other_are_defended() {
    let crates = ["rtl_model/src", "hosts/src"].map(Crate::read);
    let circles: BTreeSet<Vec<&str>> = crates.iter().flat_map(Crate::circles).collect();
    let defended = DEFENDED.map(|(files, _)| files.to_vec());
    assert_eq!(circles, BTreeSet::from(defended));
}
