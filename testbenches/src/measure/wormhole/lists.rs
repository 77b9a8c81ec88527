//! What a sweep of wormhole routers is over, as it is written on the command line: `ccc,ecube`, `1,all`.

use crate::error::Error;
use crate::measure::ranges::{insert, numbers};

/// What names of a list stand for, each once; `all` stands for all of them.
///
/// # Errors
/// [`Error::Unknown`]: a name that is not known.
pub(super) fn named<T: Copy + PartialEq>(
    what: &'static str,
    list: &str,
    known: &[(&'static str, T)],
) -> Result<Vec<T>, Error> {
    let mut named = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name == "all" {
            known.iter().for_each(|(_, one)| insert(&mut named, *one));
            continue;
        }
        let Some((_, one)) = known.iter().find(|(known, _)| *known == name) else {
            return Err(Error::Unknown {
                what,
                name: name.to_owned(),
                known: known.iter().map(|(name, _)| *name).collect(),
            });
        };
        insert(&mut named, *one);
    }
    Ok(named)
}

/// Copies in use: a number, or all that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InUse {
    /// So many.
    Number(usize),
    /// As many as there are levels.
    All,
}

impl InUse {
    /// How many that is of the copies of networks of so many levels.
    pub fn of(self, levels: usize) -> usize {
        match self {
            InUse::Number(copies) => copies,
            InUse::All => levels,
        }
    }
}

/// The numbers of copies of a list.
///
/// # Errors
/// [`Error::List`].
pub(super) fn copies(list: &str) -> Result<Vec<InUse>, Error> {
    let mut copies = Vec::new();
    for item in list.split(',').map(str::trim) {
        match item {
            "all" => insert(&mut copies, InUse::All),
            item => numbers("--copies", item)?
                .into_iter()
                .for_each(|number| insert(&mut copies, InUse::Number(number))),
        }
    }
    Ok(copies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_numbers_or_all_that_there_are() {
        use InUse::{All, Number};
        assert_eq!(
            copies("1..=3,all,2").unwrap(),
            [Number(1), Number(2), Number(3), All]
        );
        assert!(copies("every").is_err());
    }

    #[test]
    fn names_are_taken_in_the_order_of_the_list_and_each_once() {
        let known = [("one", 1), ("two", 2), ("three", 3)];
        assert_eq!(named("number", "three,one,three", &known).unwrap(), [3, 1]);
        assert_eq!(named("number", "two,all", &known).unwrap(), [2, 1, 3]);
        let error = named("number", "ones", &known).unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no number `ones` (did you mean `one`?); there are: one, two, three"
        );
    }
}
