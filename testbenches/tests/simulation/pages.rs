//! The form of the README and of the pages of `docs/`: links, images, and how long they are.

use std::path::{Path, PathBuf};
use std::process::Command;

pub const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

/// The README, what is beside it for contributors, and all pages of `docs/`.
pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(DOCS).parent().unwrap();
    let of_docs = std::fs::read_dir(DOCS).unwrap();
    let of_docs = of_docs.map(|entry| entry.unwrap().path());
    let pages = ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name));
    let all = pages.into_iter().chain(of_docs);
    // A notebook is run by tests of the Python package.
    all.filter(|page| page.extension().is_some_and(|kind| kind == "md"))
        .collect()
}

/// Headings of a page as links name them.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let named = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|one| one.is_alphanumeric() || " -_".contains(*one));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(named).collect()
}

/// What a relative link of a page leads to is there, and so is the heading that it names.
#[test]
fn every_link_of_the_pages_leads_somewhere() {
    let mut links = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            if target.contains("://") {
                continue;
            }
            let to = match target {
                "" => page.clone(),
                _ => page.parent().unwrap().join(target),
            };
            assert!(to.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let there = anchors(&std::fs::read_to_string(to).unwrap());
                let is_there = there.iter().any(|one| one == anchor);
                assert!(is_there, "{}: {link}", page.display());
            }
            links += 1;
        }
    }
    assert!(links > 40, "{links} links");
}

/// A figure of the README that is a link stands on the page that it leads to, which says where it comes from.
#[test]
fn figures_of_the_readme_stand_on_the_pages_behind_them() {
    let root = Path::new(DOCS).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut figures = 0;
    for (before, link) in readme.split("](").zip(readme.split("](").skip(1)) {
        let figure = before.rsplit('[').next().unwrap();
        let page = link.split([')', '#']).next().unwrap();
        if figure.starts_with(|first: char| first.is_ascii_digit()) {
            let page = std::fs::read_to_string(root.join(page)).unwrap();
            let is_digit = |one: Option<char>| one.is_some_and(|one| one.is_ascii_digit());
            let is_whole = |at: usize| {
                let behind = page[at + figure.len()..].chars().next();
                !is_digit(page[..at].chars().next_back()) && !is_digit(behind)
            };
            let mut places = page.match_indices(figure);
            assert!(places.any(|(at, _)| is_whole(at)), "{figure}");
            figures += 1;
        }
    }
    assert!(figures > 3, "{figures} figures");
}

/// The lines of a list in `scripts/screenshot`: the name of an image, and what a command takes to draw it.
pub fn drawn(list: &str) -> Vec<(String, String)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/screenshot");
    let script = std::fs::read_to_string(script).unwrap();
    let begin = format!("\n{list}=\"\n");
    let lines = script.split(&begin).nth(1).unwrap();
    let lines = lines.split('"').next().unwrap().lines();
    let words = lines.map(|line| line.split_once(' ').unwrap());
    let words = words.map(|(name, options)| (name.to_owned(), options.trim().to_owned()));
    words.collect()
}

#[test]
fn every_image_is_drawn_by_the_script_and_shown_on_a_page() {
    let named = |list: &str, kind: &str| {
        let names = drawn(list).into_iter();
        Vec::from_iter(names.map(|(name, _)| format!("{name}.{kind}")))
    };
    let others = [
        "booksim.svg",
        "booksim-networks.svg",
        "first-screens.png",
        "run.png",
    ]
    .map(str::to_owned);
    let mut drawn = [
        named("pictures", "png"),
        named("plots", "svg"),
        others.to_vec(),
    ]
    .concat();
    drawn.sort();
    let files = std::fs::read_dir(Path::new(DOCS).join("images")).unwrap();
    let mut files: Vec<String> = files
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, drawn);

    let pages = pages()
        .into_iter()
        .map(|page| std::fs::read_to_string(page).unwrap());
    let pages = Vec::from_iter(pages);
    for file in files {
        let shown = format!("images/{file})");
        assert!(pages.iter().any(|page| page.contains(&shown)), "{file}");
    }
}

/// Commands of the front pages that stand in a line of text or a table, where no console block runs them.
#[test]
fn every_command_of_the_front_pages_can_be_typed() {
    let mut typed = 0;
    for page in ["README.md", "docs/README.md"] {
        let page = Path::new(DOCS).parent().unwrap().join(page);
        let text = std::fs::read_to_string(page).unwrap();
        for command in text
            .split('`')
            .filter_map(|one| one.strip_prefix("cubewave "))
        {
            // Help is given only where all commands and options before it are there.
            let words = command.replace('"', "");
            let words = words.lines().next().unwrap().split_whitespace();
            let mut cubewave = Command::new(env!("CARGO_BIN_EXE_cubewave"));
            let output = cubewave.args(words).arg("--help").output().unwrap();
            assert!(output.status.success(), "{command}: {output:?}");
            typed += 1;
        }
    }
    assert!(typed > 20, "{typed}");
}

/// Paragraphs, items of lists and rows of tables each for themselves, without what stands in blocks of code.
fn paragraphs(page: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut is_code = false;
    for line in page.lines().map(str::trim_start) {
        let behind_number = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let is_item = line.starts_with(['|', '-', '*', '#']) || behind_number.starts_with(". ");
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if is_item || is_fence || line.is_empty() {
            all.push(String::new());
        }
        if let Some(paragraph) = all.last_mut().filter(|_| !is_code && !is_fence) {
            *paragraph += &format!(" {line}");
        }
    }
    all
}

#[test]
fn paragraphs_end_where_an_item_or_a_block_begins() {
    let page = "one two\nthree\n\n- four\n  five\n1. six\n\n```sh\nseven\n```\neight\nnine";
    let found = paragraphs(page);
    let found = found.iter().map(|one| one.trim());
    let found: Vec<&str> = found.filter(|one| !one.is_empty()).collect();
    assert_eq!(
        found,
        ["one two three", "- four five", "1. six", "eight nine"]
    );
}

#[test]
fn no_paragraph_has_over_100_words_and_the_readme_fits_on_two_screens() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for paragraph in paragraphs(&text) {
            let words = paragraph.split_whitespace().count();
            assert!(
                words <= 100,
                "{}, {words} words:{paragraph}",
                page.display()
            );
        }
    }
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let characters = std::fs::read_to_string(readme).unwrap().chars().count();
    assert!(characters <= 6_000, "{characters} characters in the README");
}
