//! Copies in use, as a list of the command line has them: `1,all`.

use crate::error::Error;
use crate::measure::ranges::{insert, numbers};

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
}
