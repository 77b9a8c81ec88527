//! Operators on whole words: what the scoreboard combines them by.

use std::cmp::Ordering;

use rtl_model::routers::reduced_hypercube::operator::Operator;

/// Bits `2i + 1` of a limb.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// Combines two words of `bits` bits into the right one.
pub fn combine_into(operator: Operator, left: &[u64], right: &mut [u64], bits: usize) {
    match operator {
        Operator::Add => {
            let mut carry = false;
            for (left, right) in left.iter().zip(right.iter_mut()) {
                let (sum, first) = left.overflowing_add(*right);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                (*right, carry) = (sum, first | second);
            }
            if let (Some(last), 1..) = (right.last_mut(), bits % 64) {
                *last &= u64::MAX >> (64 - bits % 64);
            }
        }
        Operator::Min if compare(left, right) == Ordering::Less => right.copy_from_slice(left),
        Operator::Max if compare(left, right) == Ordering::Greater => right.copy_from_slice(left),
        Operator::Min | Operator::Max => {}
        Operator::And => each(left, right, |left, right| left & right),
        Operator::Or => each(left, right, |left, right| left | right),
        Operator::Carry => each(left, right, |left, right| {
            let propagate = left & right & ODD;
            let generate = (right & !ODD) | ((right & ODD) >> 1 & left & !ODD);
            propagate | generate
        }),
    }
}

fn each(left: &[u64], right: &mut [u64], combined: impl Fn(u64, u64) -> u64) {
    for (left, right) in left.iter().zip(right) {
        *right = combined(*left, *right);
    }
}

/// Which of two words is the larger one.
pub fn compare(one: &[u64], other: &[u64]) -> Ordering {
    one.iter().rev().cmp(other.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined(operator: Operator, left: &[u64], right: &[u64], bits: usize) -> Vec<u64> {
        let mut into = right.to_vec();
        combine_into(operator, left, &mut into, bits);
        into
    }

    #[test]
    fn words_of_several_limbs_are_combined_as_one_number() {
        let (one, other) = ([u64::MAX, 1], [1, 2]);
        assert_eq!(combined(Operator::Add, &one, &other, 70), [0, 4]);
        assert_eq!(combined(Operator::Add, &one, &other, 66), [0, 0]);
        assert_eq!(combined(Operator::Min, &one, &other, 66), one);
        assert_eq!(combined(Operator::Max, &one, &other, 66), other);
        assert_eq!(combined(Operator::And, &one, &other, 66), [1, 0]);
        assert_eq!(combined(Operator::Or, &one, &other, 66), [u64::MAX, 3]);
        assert_eq!(combined(Operator::Add, &[7], &[3], 3), [2]);
        assert_eq!(compare(&[0, 1], &[9, 0]), Ordering::Greater);
    }

    #[test]
    fn carries_are_those_of_a_sum() {
        // Of a + b, bit by bit: propagate where either is 1, generate where both are; all combined, the carry that comes out.
        for (a, b) in (0..16u64).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let groups = (0..4).map(|bit| {
                let (a, b) = (a >> bit & 1, b >> bit & 1);
                vec![(a | b) << 1 | (a & b)]
            });
            let all = groups.reduce(|left, right| combined(Operator::Carry, &left, &right, 2));
            assert_eq!(all.unwrap()[0] & 1, (a + b) >> 4, "{a} + {b}");
        }
    }
}
