//! Sizes as one types them: a number and a unit, as in `24GiB` and `10Gbit`.

/// A unit, and how much one of it is.
type Unit = (&'static str, u64);

const BYTES: [Unit; 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];

const BITS: [Unit; 5] = [
    ("bit", 1),
    ("kbit", 1_000),
    ("Mbit", 1_000_000),
    ("Gbit", 1_000_000_000),
    ("Tbit", 1_000_000_000_000),
];

/// Digits behind the point, at the most.
const MOST_DIGITS: usize = 9;

/// Reads an amount of memory, in bytes.
///
/// # Errors
/// What is wanted, where there is no such amount; none, or more than can be counted.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    amount(text, &BYTES, "24GiB")
}

/// Reads bits a second; `/s` behind them may be left out.
///
/// # Errors
/// As [`bytes`].
pub(super) fn bits_per_second(text: &str) -> Result<u64, String> {
    amount(text.strip_suffix("/s").unwrap_or(text), &BITS, "10Gbit")
}

fn amount(text: &str, units: &[Unit], example: &str) -> Result<u64, String> {
    let wanted = || {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        format!("a number and a unit are wanted, as in {example}; the units are {names}")
    };
    let ends = text.find(|one: char| !one.is_ascii_digit() && one != '.');
    let (number, unit) = text.split_at(ends.unwrap_or(text.len()));
    let unit = unit.trim_start();
    let unit = units.iter().find(|(name, _)| *name == unit);
    let (_, unit) = unit.ok_or_else(wanted)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits = |digits: &str| !digits.is_empty() && !digits.contains('.');
    if !are_digits(whole) || !are_digits(fraction) || fraction.len() > MOST_DIGITS {
        return Err(wanted());
    }
    let too_much = || {
        format!(
            "it is too much: {} of the smallest unit is the most",
            u64::MAX
        )
    };
    let unit = u128::from(*unit);
    let whole: u128 = whole.parse().map_err(|_| too_much())?;
    let fraction_parts: u128 = fraction.parse().map_err(|_| wanted())?;
    let fraction = fraction_parts * unit / 10u128.pow(fraction.len() as u32);
    let all = whole
        .checked_mul(unit)
        .and_then(|all| all.checked_add(fraction));
    match all.map(u64::try_from) {
        Some(Ok(0)) => Err("none at all is too little".to_owned()),
        Some(Ok(all)) => Ok(all),
        _ => Err(too_much()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_unit() {
        for (text, expected) in [
            ("1B", 1),
            ("3KiB", 3 << 10),
            ("5MiB", 5 << 20),
            ("24GiB", 24 << 30),
            ("1.5 TiB", 3 << 39),
            ("7kB", 7_000),
            ("7MB", 7_000_000),
            ("0.25GB", 250_000_000),
            ("16777215TiB", 16_777_215 << 40),
            ("2TB", 2_000_000_000_000),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("9bit", 9),
            ("100kbit/s", 100_000),
            ("100Mbit", 100_000_000),
            ("10Gbit", 10_000_000_000),
            ("2.5Gbit/s", 2_500_000_000),
            ("1Tbit", 1_000_000_000_000),
        ] {
            assert_eq!(bits_per_second(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused_with_what_is_wanted() {
        let wanted = "a number and a unit are wanted, as in 24GiB; the units are B, KiB, MiB, GiB, TiB, kB, MB, GB, TB";
        for text in [
            "",
            "24",
            "GiB",
            "24Gib",
            "24gb",
            "24GiB/s",
            "24Gbit",
            "-24GiB",
            "+2GiB",
            "1.GiB",
            ".5GiB",
            "1.2.3GiB",
            "1e3GiB",
            "0x10GiB",
            "two GiB",
            "1.0000000001GiB",
            "٣GiB",
        ] {
            assert_eq!(bytes(text), Err(wanted.to_owned()), "{text}");
        }
        let wanted = "a number and a unit are wanted, as in 10Gbit; the units are bit, kbit, Mbit, Gbit, Tbit";
        for text in ["", "10", "10GB", "10Gb", "10Gbit/h", "-1Gbit", "/s"] {
            assert_eq!(bits_per_second(text), Err(wanted.to_owned()), "{text}");
        }
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        for text in ["0B", "0GiB", "0.0GiB", "0.1B"] {
            assert_eq!(
                bytes(text),
                Err("none at all is too little".to_owned()),
                "{text}"
            );
        }
        let too_much = "it is too much: 18446744073709551615 of the smallest unit is the most";
        for text in [
            "16777216TiB",
            "18446744073709551616B",
            "340282366920938463463374607431768211456TiB",
        ] {
            assert_eq!(bytes(text), Err(too_much.to_owned()), "{text}");
        }
        assert_eq!(bits_per_second("18446745Tbit"), Err(too_much.to_owned()));
    }
}
