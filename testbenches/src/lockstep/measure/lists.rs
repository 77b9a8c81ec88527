//! What a sweep of routers in lockstep is over, as it is written on the command line: `8,16,k`, `spread,all`.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::lockstep::{Bench, Schedule};
use crate::measure::ranges::insert;

/// Payload bits of a point: a number, or so many for each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadSize {
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
pub fn payloads(list: &str) -> Result<Vec<PayloadSize>, Error> {
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

/// Those of a testbench: `None` where it has only one.
pub(super) type Schedules = Vec<Option<Schedule>>;

/// The schedules of a list that a testbench has, or its default one, where there is no list. Among several testbenches
/// (`others` included) each takes what it has of the list.
///
/// # Errors
/// A name that none of them has; [`Error::NoneOfSchedules`], if others have them.
pub(super) fn with_schedules(
    bench: Bench,
    others: &[Bench],
    list: Option<&str>,
) -> Result<Schedules, Error> {
    let Some(list) = list else {
        return Ok(vec![bench.schedules().first().copied()]);
    };
    if bench.schedules().is_empty() {
        return Ok(vec![None]);
    }
    let names = || list.split(',').map(str::trim);
    let has = |bench: &Bench, name: &str| name == "all" || bench.schedule(name).is_ok();
    if let Some(name) = names().find(|name| !others.iter().any(|other| has(other, name))) {
        let mut known: Vec<&'static str> = Vec::new();
        let all = others.iter().flat_map(|other| other.schedules());
        all.for_each(|schedule| insert(&mut known, schedule.name()));
        return Err(Error::Unknown {
            what: "schedule",
            name: name.to_owned(),
            known,
        });
    }
    let mut own = Vec::new();
    for name in names() {
        let named = bench.schedules().iter();
        let named = named.filter(|schedule| name == "all" || schedule.name() == name);
        named.for_each(|schedule| insert(&mut own, Some(*schedule)));
    }
    match own.is_empty() {
        true => Err(Error::NoneOfSchedules {
            list: list.to_owned(),
            known: (bench.schedules().iter())
                .map(|schedule| schedule.name())
                .collect(),
        }),
        false => Ok(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_testbenches_each_takes_its_own_schedules() {
        let both = [
            crate::families::sorting::BITONIC,
            crate::families::kuszmaul::BENCH,
        ];
        let of = |benches: &[Bench], list| -> Result<Vec<String>, String> {
            let mut names = Vec::new();
            for bench in benches {
                match with_schedules(*bench, benches, list) {
                    Ok(schedules) => names.extend(schedules.iter().map(|schedule| {
                        let schedule = schedule.map_or("-", Schedule::name);
                        format!("{} {schedule}", bench.name())
                    })),
                    Err(Error::NoneOfSchedules { .. }) => {
                        names.push(format!("{} none", bench.name()));
                    }
                    Err(refused) => return Err(refused.to_string()),
                }
            }
            Ok(names)
        };
        assert_eq!(
            of(&both, None).unwrap(),
            ["bitonic sort-and-unpack", "kuszmaul plain"]
        );
        let mixed = of(&both, Some("radix4, sort,spread")).unwrap();
        assert_eq!(
            mixed,
            ["bitonic sort", "kuszmaul radix4", "kuszmaul spread"]
        );
        assert_eq!(of(&both, Some("all")).unwrap().len(), 2 + 5);
        assert_eq!(of(&both[..1], Some("all")).unwrap().len(), 2);
        assert_eq!(
            of(&both, Some("radix4")).unwrap(),
            ["bitonic none", "kuszmaul radix4"]
        );
        let with_one = [
            crate::families::enumeration::BENCH,
            crate::families::kuszmaul::BENCH,
        ];
        assert_eq!(
            of(&with_one, Some("folded")).unwrap(),
            ["enumeration -", "kuszmaul folded"]
        );
        assert_eq!(of(&with_one[..1], Some("all")).unwrap(), ["enumeration -"]);
        for (benches, list, refusal) in [
            (
                &both[..],
                "sort,spread,fast",
                "there is no schedule `fast`; there are: sort-and-unpack, sort, plain, overlapped, folded, spread, radix4",
            ),
            (
                &both[..1],
                "spread",
                "there is no schedule `spread`; there are: sort-and-unpack, sort",
            ),
        ] {
            assert_eq!(of(benches, Some(list)).unwrap_err(), refusal);
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
    fn schedules_are_names_or_all() {
        let names = |list| {
            let schedules = with_schedules(
                crate::families::kuszmaul::BENCH,
                &[crate::families::kuszmaul::BENCH],
                Some(list),
            );
            let names = schedules.unwrap().into_iter().flatten().map(Schedule::name);
            names.collect::<Vec<_>>()
        };
        assert_eq!(names("spread,plain,spread"), ["spread", "plain"]);
        assert_eq!(
            names("all"),
            ["plain", "overlapped", "folded", "spread", "radix4"]
        );
        assert_eq!(names("spread, all")[..2], ["spread", "plain"]);
    }
}
