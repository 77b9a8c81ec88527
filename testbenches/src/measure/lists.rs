//! What a sweep is over, as it is written on the command line: `2..=8,10`, `8,16,k`, `0.5,1`.

use std::fmt;
use std::str::FromStr;

use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::wormhole;

/// More numbers than any list needs.
pub(super) const LONGEST_RANGE: usize = 1000;

/// The numbers of a list: single ones, and ranges as Rust writes them.
///
/// # Errors
/// [`Error::List`]: an item that is no number, a range that is empty or runs backwards.
pub(super) fn numbers(option: &'static str, list: &str) -> Result<Vec<usize>, Error> {
    let wrong = |why: String| Error::List { option, why };
    let mut numbers = Vec::new();
    for item in list.split(',').map(str::trim) {
        let number = |text: &str| -> Result<usize, Error> {
            text.parse().map_err(|_| {
                wrong(format!(
                    "`{item}` is neither a whole number nor a range: give some with commas between, as in \
                     2..=8,10"
                ))
            })
        };
        let Some((first, last)) = item.split_once("..") else {
            insert(&mut numbers, number(item)?);
            continue;
        };
        let (first, end) = match last.strip_prefix('=') {
            Some(last) => (number(first)?, number(last)?.saturating_add(1)),
            None => (number(first)?, number(last)?),
        };
        let includes_end = last.starts_with('=');
        if first == end && !includes_end {
            return Err(wrong(format!(
                "the range {item} is empty: its end is left out; write {first}..={first} for {first} alone"
            )));
        }
        if first >= end {
            let last = last.trim_start_matches('=');
            return Err(wrong(format!(
                "the range {item} runs backwards: write {last}..={first}"
            )));
        }
        if end - first > LONGEST_RANGE {
            return Err(wrong(format!(
                "the range {item} has {} numbers, and {LONGEST_RANGE} are the most",
                end - first
            )));
        }
        for number in first..end {
            insert(&mut numbers, number);
        }
    }
    Ok(numbers)
}

/// Each counts once.
pub(super) fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Payload bits of a point: a number, or so many for each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PayloadSize {
    per_dimension: usize,
    more: usize,
}

impl PayloadSize {
    /// Bits in a cube of `k` dimensions.
    pub fn bits(self, k: usize) -> usize {
        self.per_dimension
            .saturating_mul(k)
            .saturating_add(self.more)
    }
}

impl fmt::Display for PayloadSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.per_dimension, self.more) {
            (0, more) => write!(formatter, "{more}"),
            (1, 0) => write!(formatter, "k"),
            (1, more) => write!(formatter, "k+{more}"),
            (factor, 0) => write!(formatter, "{factor}k"),
            (factor, more) => write!(formatter, "{factor}k+{more}"),
        }
    }
}

impl FromStr for PayloadSize {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse().map_err(|_| ());
        let Some((factor, more)) = text.split_once('k') else {
            return Ok(PayloadSize {
                per_dimension: 0,
                more: number(text)?,
            });
        };
        Ok(PayloadSize {
            per_dimension: if factor.is_empty() {
                1
            } else {
                number(factor)?
            },
            more: match more.strip_prefix('+') {
                Some(more) => number(more)?,
                None if more.is_empty() => 0,
                None => return Err(()),
            },
        })
    }
}

/// The sizes of a list.
///
/// # Errors
/// [`Error::List`].
pub(super) fn payloads(list: &str) -> Result<Vec<PayloadSize>, Error> {
    let mut sizes = Vec::new();
    for item in list.split(',').map(str::trim) {
        let size = item.parse().map_err(|()| Error::List {
            option: "--payload-bits",
            why: format!(
                "`{item}` is no number of bits: give numbers, or k, 2k, 2k+1 for as many as the cube has \
                 dimensions, with commas between"
            ),
        })?;
        insert(&mut sizes, size);
    }
    Ok(sizes)
}

/// The loads of a list; whether they are between 0 and 1 is checked with the traffic.
///
/// # Errors
/// [`Error::List`].
pub(super) fn loads(list: &str) -> Result<Vec<f64>, Error> {
    let mut loads = Vec::new();
    for item in list.split(',').map(str::trim) {
        let load: f64 = item.parse().map_err(|_| Error::List {
            option: "--load",
            why: format!("`{item}` is no number: give numbers from 0 to 1 with commas between"),
        })?;
        insert(&mut loads, load);
    }
    Ok(loads)
}

/// Those of a testbench; none, where it has only one.
pub(super) type Schedules = Vec<Option<Schedule>>;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Testbenches of routers in lockstep.
    Lockstep(Vec<Bench>),
    /// That of wormhole routers.
    Wormhole,
}

/// What a list of testbenches asks for.
///
/// # Errors
/// A name of none; that of wormhole routers together with others.
pub fn measured(list: &str) -> Result<Measured, Error> {
    let is_wormhole = |name: &str| name.trim() == wormhole::options::NAME;
    if list.split(',').all(is_wormhole) {
        return Ok(Measured::Wormhole);
    }
    if list.split(',').any(is_wormhole) {
        return Err(Error::List {
            option: "testbenches",
            why: format!(
                "`{list}`: {} is measured alone, since its rows have columns of their own: measure the others in \
                 another sweep",
                wormhole::options::NAME
            ),
        });
    }
    benches(list).map(Measured::Lockstep)
}

/// The testbenches of a list, each once.
///
/// # Errors
/// A name of none.
fn benches(list: &str) -> Result<Vec<Bench>, Error> {
    let mut benches = Vec::new();
    for name in list.split(',').map(str::trim) {
        insert(&mut benches, Bench::from_name(name)?);
    }
    Ok(benches)
}

/// Each testbench with its schedules of a list, or with its default; none, where it has only one. Where there are
/// several testbenches, each takes what it has of the list.
///
/// # Errors
/// A name that a testbench has not, or none of several; a list of none that one of several has.
pub(super) fn with_schedules(
    benches: &[Bench],
    list: Option<&str>,
) -> Result<Vec<(Bench, Schedules)>, Error> {
    let is_known = |name: &str| benches.iter().any(|bench| bench.schedule(name).is_ok());
    let with = |bench: &Bench| {
        let schedules = match list {
            None => vec![bench.schedules().first().copied()],
            Some(_) if benches.len() > 1 && bench.schedules().is_empty() => vec![None],
            Some(list) => {
                let own: Vec<&str> = (list.split(',').map(str::trim))
                    .filter(|name| {
                        let of_another = bench.schedule(name).is_err() && is_known(name);
                        benches.len() == 1 || !of_another
                    })
                    .collect();
                let schedules = match own.is_empty() {
                    true => schedules(*bench, list)?,
                    false => schedules(*bench, &own.join(","))?,
                };
                schedules.into_iter().map(Some).collect()
            }
        };
        Ok((*bench, schedules))
    };
    benches.iter().map(with).collect()
}

/// The schedules of a list, or all.
///
/// # Errors
/// A name that the testbench has not; any, for one that has only one.
fn schedules(bench: Bench, list: &str) -> Result<Vec<Schedule>, Error> {
    if bench.schedules().is_empty() {
        bench.schedule(list)?;
    }
    let known = bench.schedules();
    let mut schedules = Vec::new();
    for item in list.split(',').map(str::trim) {
        match item {
            "all" => known
                .iter()
                .for_each(|schedule| insert(&mut schedules, *schedule)),
            name => insert(&mut schedules, bench.schedule(name)?),
        }
    }
    Ok(schedules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_testbenches_each_takes_its_own_schedules() {
        let both = [Bench::Bitonic, Bench::Kuszmaul];
        let of = |benches: &[Bench], list| -> Result<Vec<String>, String> {
            let all = with_schedules(benches, list).map_err(|error| error.to_string())?;
            let names = all.iter().flat_map(|(bench, schedules)| {
                schedules.iter().map(|schedule| {
                    let schedule = schedule.map_or("-", Schedule::name);
                    format!("{} {schedule}", bench.name())
                })
            });
            Ok(names.collect())
        };
        assert_eq!(
            of(&both, None).unwrap(),
            ["bitonic sort-and-unpack", "kuszmaul plain"]
        );
        let mixed = of(&both, Some("radix4,sort,spread")).unwrap();
        assert_eq!(
            mixed,
            ["bitonic sort", "kuszmaul radix4", "kuszmaul spread"]
        );
        assert_eq!(of(&both, Some("all")).unwrap().len(), 2 + 5);
        let with_one = [Bench::Enumeration, Bench::Kuszmaul];
        assert_eq!(
            of(&with_one, Some("folded")).unwrap(),
            ["enumeration -", "kuszmaul folded"]
        );
        for (benches, list) in [
            (&both[..], "radix4"),
            (&both[..], "sort,spread,fast"),
            (&both[..1], "spread"),
            (&with_one[..1], "plain"),
        ] {
            assert!(of(benches, Some(list)).is_err(), "{list}");
        }
        assert!(benches("kuszmaul,bitonc").is_err());
        assert_eq!(benches("radix,radix").unwrap(), [Bench::Radix]);
    }

    #[test]
    fn numbers_are_single_or_in_ranges_and_each_counts_once() {
        let dims = |list| numbers("--dims", list);
        assert_eq!(dims("2..=5").unwrap(), [2, 3, 4, 5]);
        assert_eq!(dims("2..5, 9,4..=6").unwrap(), [2, 3, 4, 9, 5, 6]);
        assert_eq!(dims("7..=7").unwrap(), [7]);
        for (list, refusal) in [
            (
                "5..5",
                "--dims: the range 5..5 is empty: its end is left out; write 5..=5 for 5 alone",
            ),
            (
                "9..=4",
                "--dims: the range 9..=4 runs backwards: write 4..=9",
            ),
            ("9..4", "--dims: the range 9..4 runs backwards: write 4..=9"),
            (
                "5..=4",
                "--dims: the range 5..=4 runs backwards: write 4..=5",
            ),
            (
                "0..=18446744073709551615",
                "--dims: the range 0..=18446744073709551615 has 18446744073709551615 numbers, and 1000 are \
                 the most",
            ),
            (
                "2..=x",
                "--dims: `2..=x` is neither a whole number nor a range: give some with commas between, as \
                 in 2..=8,10",
            ),
            (
                "",
                "--dims: `` is neither a whole number nor a range: give some with commas between, as in \
                 2..=8,10",
            ),
        ] {
            assert_eq!(dims(list).unwrap_err().to_string(), refusal, "{list}");
        }
    }

    #[test]
    fn payloads_may_grow_with_the_dimensions() {
        let sizes = payloads("8,k,2k,2k+1,8").unwrap();
        let bits: Vec<usize> = sizes.iter().map(|size| size.bits(5)).collect();
        assert_eq!(bits, [8, 5, 10, 11]);
        let names: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["8", "k", "2k", "2k+1"]);
        for wrong in ["", "8,", "kk", "k-1", "2k1", "-3"] {
            assert!(payloads(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wormhole_routers_are_measured_alone() {
        assert_eq!(measured("wormhole,wormhole").unwrap(), Measured::Wormhole);
        assert_eq!(
            measured("radix, kuszmaul").unwrap(),
            Measured::Lockstep(vec![Bench::Radix, Bench::Kuszmaul])
        );
        assert!(measured("kuszmaul,wormhole").is_err());
        assert!(measured("wormholes").is_err());
    }

    #[test]
    fn schedules_are_names_or_all() {
        let names = |list| {
            let schedules = schedules(Bench::Kuszmaul, list).unwrap();
            schedules.iter().map(|s| s.name()).collect::<Vec<_>>()
        };
        assert_eq!(names("spread,plain"), ["spread", "plain"]);
        assert_eq!(
            names("all"),
            ["plain", "overlapped", "folded", "spread", "radix4"]
        );
        assert_eq!(names("spread,all")[..2], ["spread", "plain"]);
        assert!(schedules(Bench::Packing, "plain").is_err());
        assert!(schedules(Bench::Kuszmaul, "fast").is_err());
    }
}
