//! Rows and groups as commands.
//!
//! Surfer makes a group of the row in focus, inserts behind the row in focus, and as the first one where that is an unfolded group. So a
//! group is made around its last row, and what comes before is inserted from its head on:
//!
//! ```text
//!   variable_add d        d
//!   group_marked name     > name: d          in focus
//!   variable_add a        > name: a d
//!   variable_add b        > name: a b d      behind a, which is in focus
//!   variable_add c        > name: a b c d
//! ```
//!
//! A group within is folded when it is whole: only what is inserted behind a folded group comes behind it, and not into it. At the end
//! those that are open are unfolded, the last first, so that the numbers of the rows before it stay as they are.

use crate::surfer::Script;

/// What stands in a list of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A row of text.
    Label(String),
    SignalRow(SignalRow),
    Group {
        name: String,
        open: bool,
        items: Vec<Item>,
    },
}

/// A row with a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignalRow {
    /// Scopes and name, with dots between.
    pub path: String,
    pub name: String,
    /// None for what Surfer takes of its own accord.
    pub format: Option<&'static str>,
    pub colour: Option<&'static str>,
}

impl Item {
    /// It is nothing but empty groups.
    fn is_empty(&self) -> bool {
        match self {
            Item::Group { items, .. } => items.iter().all(Item::is_empty),
            _ => false,
        }
    }

    /// Rows that it takes when all is unfolded.
    fn rows(&self) -> usize {
        match self {
            Item::Group { items, .. } => 1 + filled(items).map(Item::rows).sum::<usize>(),
            _ => 1,
        }
    }
}

/// What is there of these: Surfer has no empty groups.
fn filled(items: &[Item]) -> impl DoubleEndedIterator<Item = &Item> {
    items.iter().filter(|item| !item.is_empty())
}

/// All of it, as it will stand in an empty list.
pub(super) fn write(items: &[Item], script: &mut Script) {
    for (place, item) in filled(items).enumerate() {
        add(item, place, None, script);
    }
    for (place, item) in filled(items)
        .enumerate()
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        if let Item::Group {
            open: true, items, ..
        } = item
        {
            script.focus(place);
            script.line("group_unfold_recursive");
            fold(items, place + 1, script);
        }
    }
}

/// Inserts an item behind the row `behind`, or at the end, where it will be row `place`; a group folded.
fn add(item: &Item, place: usize, behind: Option<usize>, script: &mut Script) {
    let (name, items) = match item {
        Item::Group { name, items, .. } => (name, filled(items).collect::<Vec<_>>()),
        Item::Label(text) => {
            focus_or_none(behind, script);
            script.line(format_args!("divider_add {}", word(text)));
            script.focus(place);
            script.line(format_args!("item_rename {text}"));
            return;
        }
        Item::SignalRow(row) => {
            focus_or_none(behind, script);
            script.line(format_args!("variable_add {}", row.path));
            script.focus(place);
            script.line(format_args!("item_rename {}", row.name));
            if let Some(colour) = row.colour {
                script.line(format_args!("item_set_color {colour}"));
            }
            if let Some(format) = row.format {
                script.line(format_args!("item_set_format {format}"));
            }
            return;
        }
    };
    let Some((last, before)) = items.split_last() else {
        return;
    };
    add(last, place, behind, script);
    script.focus(place);
    script.line(format_args!("group_marked {}", word(name)));
    script.focus(place);
    script.line(format_args!("item_rename {name}"));
    for (number, inside) in before.iter().enumerate() {
        add(inside, place + 1 + number, Some(place + number), script);
    }
    script.focus(place);
    script.line("group_fold_recursive");
}

fn focus_or_none(row: Option<usize>, script: &mut Script) {
    match row {
        Some(row) => script.focus(row),
        None => script.line("item_unfocus"),
    }
}

/// Folds those groups that are not open, where all are unfolded and the first item is row `first`.
fn fold(items: &[Item], first: usize, script: &mut Script) {
    let mut row = first;
    let mut places = Vec::new();
    for item in filled(items) {
        places.push((row, item));
        row += item.rows();
    }
    for (row, item) in places.into_iter().rev() {
        if let Item::Group { open, items, .. } = item {
            match open {
                true => fold(items, row + 1, script),
                false => {
                    script.focus(row);
                    script.line("group_fold_recursive");
                }
            }
        }
    }
}

/// The first word of a name: a divider and a group take one when they are made, and the rest when they are renamed.
fn word(name: &str) -> &str {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = name.split(|c| !is_of_word(c));
    words.find(|word| !word.is_empty()).unwrap_or("rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> Item {
        Item::SignalRow(SignalRow {
            path: format!("m.{name}"),
            name: name.to_owned(),
            format: None,
            colour: None,
        })
    }

    fn group(name: &str, open: bool, items: Vec<Item>) -> Item {
        let name = name.to_owned();
        Item::Group { name, open, items }
    }

    /// `> wires: b c`, open, with `> other wires: d` folded in it between the two.
    #[test]
    fn a_group_is_made_around_its_last_row() {
        let inner = group("other wires", false, vec![row("d")]);
        let outer = group("wires", true, vec![row("b"), inner, row("c")]);
        let empty = group("nothing", true, vec![group("nor here", true, Vec::new())]);
        let mut script = Script::default();
        write(&[row("a"), empty, outer], &mut script);
        let expected = "
            item_unfocus; variable_add m.a; item_focus a_; item_rename a;
            item_unfocus; variable_add m.c; item_focus b_; item_rename c;
            item_focus b_; group_marked wires; item_focus b_; item_rename wires;
            item_focus b_; variable_add m.b; item_focus c_; item_rename b;
            item_focus c_; variable_add m.d; item_focus d_; item_rename d;
            item_focus d_; group_marked other; item_focus d_; item_rename other wires;
            item_focus d_; group_fold_recursive;
            item_focus b_; group_fold_recursive;
            item_focus b_; group_unfold_recursive; item_focus d_; group_fold_recursive";
        let expected: Vec<&str> = expected.split(';').map(str::trim).collect();
        assert_eq!(script.text.lines().collect::<Vec<_>>(), expected);
    }
}
