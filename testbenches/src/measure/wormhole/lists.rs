//! What a sweep of wormhole routers is over, as it is written on the command line: `0.05..0.9:0.1`, `ccc,ecube`, `1,all`.

use crate::error::Error;
use crate::measure::lists::{LONGEST_RANGE, insert, numbers};

/// More digits after the point than any load needs: what ranges add up to is rounded to as many.
const LOAD_DIGITS: f64 = 1e9;
/// Between the loads of a range that says nothing of it.
const LOAD_STEP: f64 = 0.05;

/// The offered loads of a list: single ones, and ranges `first..last` or `first..last:step`, both ends included; whether
/// they are between 0 and 1 is checked with the traffic.
///
/// # Errors
/// [`Error::List`]: an item that is no number, a range that runs backwards or does not move on.
pub(super) fn offered_loads(list: &str) -> Result<Vec<f64>, Error> {
    let option = "--offered-load";
    let wrong = |why: String| Error::List { option, why };
    let mut loads = Vec::new();
    for item in list.split(',').map(str::trim) {
        let number = |text: &str| -> Result<f64, Error> {
            let number = text
                .trim()
                .parse()
                .ok()
                .filter(|load: &f64| load.is_finite());
            number.ok_or_else(|| {
                wrong(format!(
                    "`{item}` is neither a number nor a range: give some with commas between, as in 0.01,0.05..0.9 or \
                     0.1..0.9:0.2"
                ))
            })
        };
        let Some((first, rest)) = item.split_once("..") else {
            insert(&mut loads, number(item)?);
            continue;
        };
        let (last, step) = match rest.split_once(':') {
            Some((last, step)) => (last, number(step)?),
            None => (rest, LOAD_STEP),
        };
        let last = last.strip_prefix('=').unwrap_or(last);
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(wrong(format!(
                "the range {item} runs backwards: write {last}..{first}"
            )));
        }
        if step <= 0.0 {
            return Err(wrong(format!(
                "the range {item} goes on by {step}, so it would never end: give more than 0 after the colon"
            )));
        }
        // As many steps as there is room for, rounding apart, and the end in any case.
        let steps = ((last - first) / step + 1e-6).floor();
        if steps >= LONGEST_RANGE as f64 {
            return Err(wrong(format!(
                "the range {item} has {:.0} numbers, and {LONGEST_RANGE} are the most",
                steps + 1.0
            )));
        }
        for place in 0..=steps as usize {
            let load = ((first + place as f64 * step) * LOAD_DIGITS).round() / LOAD_DIGITS;
            insert(&mut loads, load);
        }
        insert(&mut loads, last);
    }
    Ok(loads)
}

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
    fn offered_loads_are_single_or_in_ranges_with_both_ends() {
        let loads = offered_loads("0.05..0.9").unwrap();
        assert_eq!(loads.len(), 18);
        for (place, load) in loads.iter().enumerate() {
            assert_eq!(
                load.to_string(),
                (f64::from(5 * (place as u32 + 1)) / 100.0).to_string()
            );
        }
        for (list, loads) in [
            ("0.3", &[0.3][..]),
            ("0.3..0.3", &[0.3]),
            ("0.1..0.3:0.1", &[0.1, 0.2, 0.3]),
            ("0.1..=0.3:0.1", &[0.1, 0.2, 0.3]),
            // The step does not come to the end.
            ("0.05..0.3:0.1", &[0.05, 0.15, 0.25, 0.3]),
            ("0.1..0.2:7", &[0.1, 0.2]),
            ("0.7, 0.1..0.2, 0.15", &[0.7, 0.1, 0.15, 0.2]),
            (".5...6:.05", &[0.5, 0.55, 0.6]),
        ] {
            assert_eq!(offered_loads(list).unwrap(), loads, "{list}");
        }
        for (list, refusal) in [
            (
                "0.9..0.1",
                "the range 0.9..0.1 runs backwards: write 0.1..0.9",
            ),
            (
                "0.1..0.2:0",
                "the range 0.1..0.2:0 goes on by 0, so it would never end: give more than 0 after the colon",
            ),
            (
                "0..1:0.001",
                "the range 0..1:0.001 has 1001 numbers, and 1000 are the most",
            ),
            (
                "0.1..x",
                "`0.1..x` is neither a number nor a range: give some with commas between, as in 0.01,0.05..0.9 or \
                 0.1..0.9:0.2",
            ),
            (
                "NaN",
                "`NaN` is neither a number nor a range: give some with commas between, as in 0.01,0.05..0.9 or \
                 0.1..0.9:0.2",
            ),
        ] {
            let error = offered_loads(list).unwrap_err().to_string();
            assert_eq!(error, format!("--offered-load: {refusal}"), "{list}");
        }
        for wrong in [
            "",
            "0.1,",
            "0.1..0.2:",
            "0.1..0.2:x",
            "inf",
            "0.1..inf",
            "0.1..0.2:-1",
        ] {
            assert!(offered_loads(wrong).is_err(), "{wrong}");
        }
    }

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
