//! The smallest interval at which batches can follow one another.
//!
//! ```text
//!   a wire:   |enumeration|     |packing............|                      batch 0
//!                                                   |enumeration|     |pa  batch 1, an interval later
//! ```
//!
//! All batches use a wire in the same windows, so a wire has a conflict at interval `p` if two of its windows, taken modulo `p`, have a
//! bit time in common, or one meets itself, as it does where it is longer than `p`.

use crate::parts::windows::{Claim, Stretch};

/// The first two units that are in each other's way at an interval: of the wires of one stage.
pub fn conflict(claims: &[Claim], interval: usize) -> Option<[Claim; 2]> {
    claims.iter().enumerate().find_map(|(number, one)| {
        let mut others = claims.iter().enumerate().skip(number);
        let (_, other) = others.find(|(place, other)| {
            let itself = *place == number;
            other.dimension == one.dimension
                && meets(one.window, other.window, itself, interval as i64)
        })?;
        Some([*one, *other])
    })
}

/// Whether a window of some batch and another one of any batch have a bit time in common; or it `itself`, of any other batch.
fn meets(one: Stretch, other: Stretch, itself: bool, interval: i64) -> bool {
    // Of batches so much later or earlier, the other window may reach into the first.
    let from = (one.from - other.to).div_euclid(interval);
    let to = (one.to - other.from).div_euclid(interval);
    (from..=to)
        .filter(|later| !itself || *later != 0)
        .any(|later| one.meets(other.later(later * interval)))
}

/// The smallest interval without a conflict, given the claims of each stage: 1 and more.
pub fn smallest(stages: &[Vec<Claim>]) -> usize {
    let fits = |interval: &usize| {
        let mut stages = stages.iter();
        stages.all(|claims| conflict(claims, *interval).is_none())
    };
    // One after the other, all windows of the longest stage behind one another, batches cannot meet: if nothing fits, it is because
    // claims of the same batch do, and machines raise that conflict at any interval.
    let span = |claims: &Vec<Claim>| {
        let from = claims.iter().map(|claim| claim.window.from).min();
        let to = claims.iter().map(|claim| claim.window.to).max();
        to.zip(from).map_or(0, |(to, from)| to - from + 1)
    };
    let longest = stages.iter().map(span).max().unwrap_or(0).max(1) as usize;
    (1..=longest).find(fits).unwrap_or(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(dimension: usize, from: i64, to: i64) -> Claim {
        Claim {
            dimension,
            unit: "packing",
            window: Stretch::new(from, to),
        }
    }

    /// Bit time by bit time: who has the wire, batch after batch.
    fn collides(claims: &[Claim], interval: usize) -> bool {
        let batches = 200;
        let mut taken = std::collections::HashSet::new();
        (0..batches).any(|batch| {
            claims.iter().any(|claim| {
                let window = claim.window.later(batch * interval as i64);
                let mut bit_times = (window.from..=window.to).filter(|t| window.contains(*t));
                bit_times.any(|t| !taken.insert((claim.dimension, t)))
            })
        })
    }

    #[test]
    fn a_conflict_is_one_of_some_bit_time() {
        let mut walk = 1u32;
        let mut draw = |below: u32| {
            walk = walk.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i64::from((walk >> 16) % below)
        };
        for _ in 0..500 {
            let claims: Vec<Claim> = (0..1 + draw(4))
                .map(|_| {
                    let from = draw(30) - 3;
                    let stretch = claim(draw(2) as usize, from, from + draw(9));
                    match draw(3) {
                        0 => Claim {
                            window: Stretch::every_second(from, draw(6) as usize),
                            ..stretch
                        },
                        _ => stretch,
                    }
                })
                .collect();
            for interval in 1..30 {
                assert_eq!(
                    conflict(&claims, interval).is_some(),
                    collides(&claims, interval),
                    "{claims:?} {interval}"
                );
            }
        }
    }

    #[test]
    fn the_smallest_interval_may_let_a_later_batch_go_first() {
        // The second batch's short window fits between the two of the first.
        let claims = vec![claim(0, 0, 1), claim(0, 10, 15)];
        assert_eq!(smallest(&[claims]), 8);
        assert_eq!(smallest(&[vec![claim(0, 0, 3)], vec![claim(1, 5, 9)]]), 5);
        assert_eq!(smallest(&[Vec::new()]), 1);
    }

    #[test]
    fn windows_of_every_second_bit_time_may_stand_between_one_another() {
        let claims = vec![Claim {
            window: Stretch::every_second(0, 3),
            ..claim(0, 0, 0)
        }];
        // The next batch takes the bit times between those of the first.
        assert_eq!(smallest(&[claims]), 3);
    }
}
