//! Surfer, as far as a command file goes: which commands there are, how they are written, and what they do to its list of rows.
//!
//! Restated from the sources of Surfer 0.7.0-dev (commit 97ce0d20 of February 2026): `command_parser.rs` has the commands,
//! `fzcmd.rs` their words, `batch_commands.rs` the lines of a file, `lib.rs`, `wave_data.rs` and `displayed_item_tree.rs` what
//! happens. Versions 0.4.0, 0.5.0 and 0.6.0 take these commands in the same way.

use std::path::Path;

use wellen::{Hierarchy, simple};

/// What is behind a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// All that follows.
    Rest,
    /// At most one word of letters, digits and underscores.
    Word,
    /// A name without blanks, and a time.
    NameAndTime,
}

/// All commands that a file of ours may have, of those that Surfer knows.
const COMMANDS: [(&str, Takes); 16] = [
    ("variable_add", Takes::Rest),
    ("divider_add", Takes::Word),
    ("item_focus", Takes::Rest),
    ("item_unfocus", Takes::Nothing),
    ("item_rename", Takes::Rest),
    ("item_set_color", Takes::Rest),
    ("item_set_format", Takes::Rest),
    ("group_marked", Takes::Word),
    ("group_fold_recursive", Takes::Nothing),
    ("group_unfold_recursive", Takes::Nothing),
    ("marker_set", Takes::NameAndTime),
    ("cursor_set", Takes::Rest),
    ("zoom_fit", Takes::Nothing),
    ("zoom_in", Takes::Nothing),
    ("goto_start", Takes::Nothing),
    ("goto_end", Takes::Nothing),
];

/// A command, and what is behind it.
fn parsed(command: &str) -> (&str, &str) {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = command.find(|c| !is_of_word(c)).unwrap_or(command.len());
    let (name, rest) = command.split_at(end);
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let known = COMMANDS.iter().find(|(known, _)| *known == name);
    let (_, takes) = known.unwrap_or_else(|| panic!("no command: {command}"));
    let is_right = match takes {
        Takes::Nothing => rest.is_empty(),
        Takes::Rest => !rest.is_empty(),
        Takes::Word => rest.chars().all(is_of_word),
        Takes::NameAndTime => rest.split_once(' ').is_some_and(|(name, time)| {
            !name.is_empty() && !time.is_empty() && time.chars().all(|c| c.is_ascii_digit())
        }),
    };
    assert!(is_right, "{command}");
    (name, rest)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// With its path.
    Variable(String),
    Divider,
    Group,
}

/// A row of Surfer's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub what: What,
    pub name: String,
    pub level: usize,
    pub unfolded: bool,
    pub colour: Option<String>,
    pub format: Option<String>,
}

/// What Surfer shows.
#[derive(Debug, Default)]
pub struct Surfer {
    pub rows: Vec<Row>,
    pub markers: Vec<(String, u64)>,
    pub cursor: Option<u64>,
    /// Among the visible rows.
    focus: Option<usize>,
}

impl Surfer {
    /// What it shows of a dump after the commands of a file; all variables are in the dump.
    pub fn shows(dump: &Path, file: &Path) -> Self {
        let waves = simple::read(dump).unwrap();
        let mut surfer = Surfer::default();
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let line = line.trim().split('#').next().unwrap();
            for command in line.split(';').map(str::trim) {
                if !command.is_empty() {
                    surfer.execute(parsed(command), waves.hierarchy());
                }
            }
        }
        surfer
    }

    fn execute(&mut self, (command, rest): (&str, &str), dump: &Hierarchy) {
        match command {
            "variable_add" => {
                let mut path: Vec<&str> = rest.split('.').collect();
                let name = path.pop().unwrap();
                assert!(!name.ends_with(']'), "it would be one bit: {rest}");
                let found = dump.lookup_var(&path, name);
                assert!(found.is_some(), "{rest} is not in the dump");
                self.insert(What::Variable(rest.to_owned()), name);
            }
            "divider_add" => self.insert(What::Divider, rest),
            "item_focus" => {
                let letters = rest.strip_suffix('_').unwrap();
                let digit = |letter: u8| usize::from(letter - b'a');
                let number = letters.bytes().fold(0, |number, letter| {
                    assert!((b'a'..=b'p').contains(&letter), "{rest}");
                    16 * number + digit(letter)
                });
                assert!(number < self.visible().len(), "{rest}");
                self.focus = Some(number);
            }
            "item_unfocus" => self.focus = None,
            "item_rename" => self.focused().name = rest.to_owned(),
            "item_set_color" => {
                assert!(["Red", "Orange", "Yellow", "Green", "Violet"].contains(&rest));
                self.focused().colour = Some(rest.to_owned());
            }
            "item_set_format" => {
                let What::Variable(path) = &self.focused().what else {
                    panic!("{rest}: only variables have a format");
                };
                let mut path: Vec<&str> = path.split('.').collect();
                let name = path.pop().unwrap();
                let variable = &dump[dump.lookup_var(&path, name).unwrap()];
                let bits = variable.length(dump);
                let fits = match rest {
                    "Binary" | "Hexadecimal" | "Unsigned" => bits.is_some_and(|bits| bits > 1),
                    "ASCII" => bits.is_some_and(|bits| bits % 8 == 0),
                    _ => false,
                };
                assert!(fits, "{rest}: {bits:?}");
                self.focused().format = Some(rest.to_owned());
            }
            "group_marked" => self.group(rest),
            "group_fold_recursive" | "group_unfold_recursive" => {
                let unfolded = command == "group_unfold_recursive";
                let place = self.visible()[self.focus.unwrap()];
                assert_eq!(self.rows[place].what, What::Group);
                let end = self.end(place);
                for row in &mut self.rows[place..end] {
                    row.unfolded = unfolded;
                }
                self.focus = None;
            }
            "marker_set" => {
                let (name, time) = rest.split_once(' ').unwrap();
                self.markers.push((name.to_owned(), time.parse().unwrap()));
            }
            "cursor_set" => self.cursor = Some(rest.parse().unwrap()),
            _ => assert!(["zoom_fit", "zoom_in", "goto_start", "goto_end"].contains(&command)),
        }
    }

    /// Where those rows are that no folded group hides.
    fn visible(&self) -> Vec<usize> {
        let mut hidden_below = usize::MAX;
        let is_visible = |(_, row): &(usize, &Row)| {
            if row.level > hidden_below {
                return false;
            }
            hidden_below = match row.unfolded {
                true => usize::MAX,
                false => row.level,
            };
            true
        };
        let rows = self.rows.iter().enumerate().filter(is_visible);
        rows.map(|(place, _)| place).collect()
    }

    fn focused(&mut self) -> &mut Row {
        let place = self.visible()[self.focus.unwrap()];
        &mut self.rows[place]
    }

    /// Where the rows end that are in the one at `place`.
    fn end(&self, place: usize) -> usize {
        let level = self.rows[place].level;
        let behind = self.rows.iter().skip(place + 1);
        place + 1 + behind.take_while(|row| row.level > level).count()
    }

    /// Where something new goes, and on which level.
    fn position(&self) -> (usize, usize) {
        let Some(focus) = self.focus else {
            return (self.rows.len(), 0);
        };
        let visible = self.visible();
        let place = visible[focus];
        let row = &self.rows[place];
        match row.what {
            What::Group if row.unfolded => (place + 1, row.level + 1),
            What::Group => {
                let next = visible.get(focus + 1);
                (next.map_or(self.rows.len(), |next| *next), row.level)
            }
            _ => (place + 1, row.level),
        }
    }

    /// The focus, if there is one, follows.
    fn insert(&mut self, what: What, name: &str) {
        let (place, level) = self.position();
        let row = Row {
            what,
            name: name.to_owned(),
            level,
            unfolded: true,
            colour: None,
            format: None,
        };
        self.rows.insert(place, row);
        let visible = self.visible();
        self.focus = (self.focus).and_then(|_| visible.iter().position(|one| *one == place));
    }

    /// Around the row in focus, with all that is in it.
    fn group(&mut self, name: &str) {
        assert!(!name.is_empty());
        let place = self.visible()[self.focus.unwrap()];
        let end = self.end(place);
        let (behind, level) = self.position();
        assert_eq!((behind, level), (end, self.rows[place].level), "{name}");
        for row in &mut self.rows[place..end] {
            row.level += 1;
        }
        let group = Row {
            what: What::Group,
            name: name.to_owned(),
            level,
            unfolded: true,
            colour: None,
            format: None,
        };
        self.rows.insert(place, group);
    }
}
