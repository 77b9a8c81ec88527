//! The commands `completions` and `man`: what shells and manuals have of the command line, both from its options.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::cli::commands;
use crate::error::Error;
use crate::error::refusal::unprintable;
use crate::folder::Folder;
use crate::report::shown_path;

/// What stands below their options.
pub(super) const EXAMPLES: &str = "\
Examples:
  cubewave completions bash > ~/.local/share/bash-completion/completions/cubewave
  cubewave completions fish > ~/.config/fish/completions/cubewave.fish
  cubewave man ~/.local/share/man/man1";

/// What the command line is called.
const NAME: &str = "cubewave";

/// Arguments of `completions`.
#[derive(Args, Clone, Debug)]
pub(super) struct Completions {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// The script.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn text(self) -> Result<String, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut commands(), NAME, &mut script);
        String::from_utf8(script).map_err(unprintable)
    }
}

/// Arguments of `man`.
#[derive(Args, Clone, Debug)]
pub(super) struct Man {
    /// Folder for the pages; made if it is not there, and its other files stay
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    /// Writes the pages; returns what is to be said of them.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn write(self) -> Result<String, Error> {
        let folder = Folder::plan(&self.folder, true)?;
        let mut pages = Vec::new();
        add_pages(NAME.to_owned(), commands(), &mut pages)?;
        let files: Vec<(&str, String)> = pages
            .iter()
            .map(|(name, text)| (name.as_str(), text.clone()))
            .collect();
        folder.write(&files)?;
        let folder = shown_path(&self.folder.display().to_string());
        let example = format!("man {folder}/{NAME}.1");
        Ok(format!(
            "{} pages in {folder}; the first: {example}\n",
            pages.len()
        ))
    }
}

/// The page of a command, and those of its subcommands.
fn add_pages(
    name: String,
    command: Command,
    pages: &mut Vec<(String, String)>,
) -> Result<(), Error> {
    let subcommands: Vec<Command> = command.get_subcommands().cloned().collect();
    // Pages are found by one word, and what is typed has blanks.
    let typed = name.replace('-', " ");
    let command = command.bin_name(typed).display_name(name.clone());
    let mut page = Vec::new();
    Page::new(command).render(&mut page).map_err(unprintable)?;
    let page = String::from_utf8(page).map_err(unprintable)?;
    pages.push((format!("{name}.1"), page));
    for subcommand in subcommands {
        let name = format!("{name}-{}", subcommand.get_name());
        add_pages(name, subcommand, pages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::families::names;

    #[test]
    fn every_shell_completes_testbenches_and_options() {
        for shell in Shell::value_variants() {
            let text = Completions { shell: *shell }.text().unwrap();
            for word in ["measure", "kuszmaul", "payload-bits", "compare"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn every_command_of_every_testbench_has_its_page() {
        let folder = tempfile::tempdir().unwrap();
        let man = Man {
            folder: folder.path().join("man1"),
        };
        let said = man.clone().write().unwrap();
        // Once more, where they are already.
        assert_eq!(man.clone().write().unwrap(), said);
        let read = |name: String| std::fs::read_to_string(man.folder.join(name)).unwrap();
        for bench in names() {
            let page = read(format!("cubewave-run-{bench}.1"));
            assert!(
                page.contains(".SH SYNOPSIS") && page.contains("no\\-date"),
                "{bench}"
            );
            assert!(read(format!("cubewave-measure-{bench}.1")).contains(".SH OPTIONS"));
        }
        let pages = std::fs::read_dir(&man.folder).unwrap().count();
        assert!(said.starts_with(&format!("{pages} pages in ")), "{said}");
        assert!(read("cubewave.1".to_owned()).contains("cubewave\\-compare(1)"));
    }
}
