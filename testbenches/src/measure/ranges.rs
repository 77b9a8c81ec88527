//! Lists of numbers and names as they are written on the command line: `2..8,10`, `2..8:2`, `0.5,0.1..0.9:0.2`. A range has both its
//! ends, of whole numbers and of others alike, with `..` and with `..=`; behind a colon stands by how much it goes on.

use rtl_model::csv_file::{is_whole, whole};

use crate::error::Error;
use crate::error::refusal::Refusal;

/// More numbers than any list needs.
const LONGEST_RANGE: usize = 1000;
/// More digits behind the point than any share needs: what steps add up to is rounded to as many.
const DIGITS: f64 = 1e9;
/// Between the shares of a range that says nothing of it.
const STEP: f64 = 0.05;

/// Each counts once.
pub fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The ends of a range, as they are written, and by how much it goes on, if that is said; none of a single number.
fn range(item: &str) -> Option<(&str, &str, Option<&str>)> {
    let (first, rest) = item.split_once("..")?;
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    Some(match rest.split_once(':') {
        Some((last, step)) => (first, last, Some(step)),
        None => (first, rest, None),
    })
}

fn endless(item: &str, step: impl std::fmt::Display) -> String {
    format!(
        "the range {item} goes on by {step}, so it would never end: give more than 0 after the colon"
    )
}

fn backwards(item: &str, first: &str, last: &str) -> String {
    format!("the range {item} runs backwards: write {last}..{first}")
}

fn too_long(item: &str, numbers: impl std::fmt::Display) -> String {
    format!("the range {item} has {numbers} numbers, and {LONGEST_RANGE} are the most")
}

/// The whole numbers of a list: single ones, and ranges `first..last` or `first..last:step`.
///
/// # Errors
/// An item that is no number, a range that runs backwards, is too long or does not move on.
pub fn numbers(option: &'static str, list: &str) -> Result<Vec<usize>, Error> {
    let wrong = |why: String| Error::from(Refusal::of(option).because(why));
    let mut numbers = Vec::new();
    for item in list.split(',').map(str::trim) {
        let number = |text: &str| -> Result<usize, Error> {
            let text = text.trim();
            whole(text).ok_or_else(|| {
                wrong(match is_whole(text) {
                    true => format!("{text} is too large: {} is the largest number", usize::MAX),
                    false => format!(
                        "`{item}` is neither a whole number nor a range: give some with commas between, as in 2..8,10 or 2..8:2"
                    ),
                })
            })
        };
        let Some((first_text, last_text, step)) = range(item) else {
            insert(&mut numbers, number(item)?);
            continue;
        };
        let (first, last) = (number(first_text)?, number(last_text)?);
        let step = step.map_or(Ok(1), number)?;
        if first > last {
            return Err(wrong(backwards(item, first_text, last_text)));
        }
        if step == 0 {
            return Err(wrong(endless(item, step)));
        }
        let steps = (last - first) / step;
        if steps >= LONGEST_RANGE {
            return Err(wrong(too_long(item, steps as u128 + 1)));
        }
        for place in 0..=steps {
            insert(&mut numbers, first + place * step);
        }
        // The end in any case.
        insert(&mut numbers, last);
    }
    Ok(numbers)
}

/// The shares of a list: single ones, and ranges `first..last` or `first..last:step`; whether they are between 0 and 1 is
/// checked with the traffic.
///
/// # Errors
/// An item that is no number, a range that runs backwards or does not move on.
pub fn shares(option: &'static str, list: &str) -> Result<Vec<f64>, Error> {
    let wrong = |why: String| Error::from(Refusal::of(option).because(why));
    let mut shares = Vec::new();
    for item in list.split(',').map(str::trim) {
        let number = |text: &str| -> Result<f64, Error> {
            let number = (text.trim().parse().ok()).filter(|share: &f64| share.is_finite());
            number.ok_or_else(|| {
                wrong(format!(
                    "`{item}` is neither a number nor a range: give some with commas between, as in 0.01,0.05..0.9 or \
                     0.1..0.9:0.2"
                ))
            })
        };
        let Some((first_text, last_text, step)) = range(item) else {
            insert(&mut shares, number(item)?);
            continue;
        };
        let step = step.map_or(Ok(STEP), number)?;
        let (first, last) = (number(first_text)?, number(last_text)?);
        if first > last {
            return Err(wrong(backwards(item, first_text, last_text)));
        }
        if step <= 0.0 {
            return Err(wrong(endless(item, step)));
        }
        // As many steps as there is room for, rounding apart, and the end in any case.
        let steps = ((last - first) / step + 1e-6).floor();
        if steps >= LONGEST_RANGE as f64 {
            return Err(wrong(too_long(item, format_args!("{:.0}", steps + 1.0))));
        }
        for place in 0..=steps as usize {
            let share = ((first + place as f64 * step) * DIGITS).round() / DIGITS;
            insert(&mut shares, share);
        }
        insert(&mut shares, last);
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_both_its_ends_whatever_it_is_of() {
        for (list, expected) in [
            ("2..5", &[2, 3, 4, 5][..]),
            ("2..=5", &[2, 3, 4, 5]),
            ("2..5, 9,4..=6", &[2, 3, 4, 5, 9, 6]),
            ("7..=7", &[7]),
            ("7..7", &[7]),
            ("2..8:2", &[2, 4, 6, 8]),
            ("2..=8:3,3", &[2, 5, 8, 3]),
            // The step does not come to the end.
            ("2..9:3", &[2, 5, 8, 9]),
            ("1..2:18446744073709551615", &[1, 2]),
        ] {
            assert_eq!(numbers("--dims", list).unwrap(), expected, "{list}");
        }
        for (list, expected) in [
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
            assert_eq!(shares("--load", list).unwrap(), expected, "{list}");
        }
        let loads = shares("--load", "0.05..0.9").unwrap();
        let text = loads.iter().map(f64::to_string);
        let expected = (1..=18).map(|place| (f64::from(5 * place) / 100.0).to_string());
        assert!(text.eq(expected));
    }

    #[test]
    fn what_is_no_list_of_whole_numbers_is_refused_with_why() {
        let no_number = |item| {
            format!(
                "`{item}` is neither a whole number nor a range: give some with commas between, as in 2..8,10 or 2..8:2"
            )
        };
        for (list, refusal) in [
            ("9..=4", "the range 9..=4 runs backwards: write 4..9".to_owned()),
            ("9..4", "the range 9..4 runs backwards: write 4..9".to_owned()),
            ("1..1000", "".to_owned()),
            ("1..1001", "the range 1..1001 has 1001 numbers, and 1000 are the most".to_owned()),
            (
                "0..=18446744073709551615",
                "the range 0..=18446744073709551615 has 18446744073709551616 numbers, and 1000 are the most".to_owned(),
            ),
            ("0..1000000:500", "the range 0..1000000:500 has 2001 numbers, and 1000 are the most".to_owned()),
            (
                "2..8:0",
                "the range 2..8:0 goes on by 0, so it would never end: give more than 0 after the colon".to_owned(),
            ),
            (
                "2,99999999999999999999",
                "99999999999999999999 is too large: 18446744073709551615 is the largest number".to_owned(),
            ),
            ("2..8:", no_number("2..8:")),
            ("2..8:x", no_number("2..8:x")),
            ("-1..3", no_number("-1..3")),
            ("+2", no_number("+2")),
            ("2..=x", no_number("2..=x")),
            ("2..", no_number("2..")),
            ("", no_number("")),
        ] {
            let said = numbers("--dims", list).map_or_else(|error| error.to_string(), |_| String::new());
            let expected = match refusal.is_empty() {
                true => refusal,
                false => format!("--dims: {refusal}"),
            };
            assert_eq!(said, expected, "{list}");
        }
    }

    #[test]
    fn what_is_no_list_of_shares_is_refused_with_why() {
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
            let error = shares("--offered-load", list).unwrap_err().to_string();
            assert_eq!(error, format!("--offered-load: {refusal}"), "{list}");
        }
        for wrong in [
            "",
            "0.1,",
            "0.1..0.2:",
            "0.1..0.2:x",
            "inf",
            "75%",
            "0.1..inf",
            "0.1..0.2:-1",
        ] {
            assert!(shares("--load", wrong).is_err(), "{wrong}");
        }
    }
}
