//! Operators.

use super::operator::Operator;
use super::*;

#[test]
fn operators_are_associative_and_have_identities() {
    for operator in Operator::ALL {
        for bits in [2, 4] {
            let apply = |one, other| operator.apply(bits, one, other);
            let identity = operator.identity(bits);
            for one in 0..1 << bits {
                assert_eq!(apply(one, identity), one, "{operator:?}");
                assert_eq!(apply(identity, one), one, "{operator:?}");
                for two in 0..1 << bits {
                    assert!(apply(one, two) < 1 << bits);
                    for three in 0..1 << bits {
                        let left = apply(apply(one, two), three);
                        assert_eq!(left, apply(one, apply(two, three)), "{operator:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn carries_alone_are_not_commutative() {
    for operator in Operator::ALL {
        let mut commutes = true;
        for one in 0..16 {
            for two in 0..16 {
                commutes &= operator.apply(4, one, two) == operator.apply(4, two, one);
            }
        }
        assert_eq!(commutes, operator != Operator::Carry, "{operator:?}");
    }
}

#[test]
fn carries_are_those_of_an_adder() {
    // The digits of 32-bit words, the lowest first, each as a word of one pair of bits.
    for (one, two) in [
        (0x1234_5678_u64, 0xf00d_cafe_u64),
        (u64::from(u32::MAX), 1),
        (0, 0),
    ] {
        let mut so_far = Operator::Carry.identity(2);
        for bit in 0..32 {
            let (x, y) = (one >> bit & 1, two >> bit & 1);
            so_far = Operator::Carry.apply(2, so_far, (x ^ y) << 1 | (x & y));
            let below = (2 << bit) - 1;
            let carry = ((one & below) + (two & below)) >> (bit + 1);
            assert_eq!(so_far & 1, carry, "{one} + {two}, bit {bit}");
        }
    }
}

#[test]
fn words_of_64_bits() {
    for (operator, identity, result) in [
        (Operator::Add, 0, u64::MAX - 2),
        (Operator::Min, u64::MAX, u64::MAX - 1),
        (Operator::Max, 0, u64::MAX),
        (Operator::And, u64::MAX, u64::MAX - 1),
        (Operator::Or, 0, u64::MAX),
        (Operator::Carry, 0xaaaa_aaaa_aaaa_aaaa, u64::MAX),
    ] {
        assert_eq!(operator.identity(64), identity);
        assert_eq!(
            operator.apply(64, u64::MAX, u64::MAX - 1),
            result,
            "{operator:?}"
        );
    }
}

#[test]
fn sizes_of_words() {
    for operator in Operator::ALL {
        for bits in [0, 65] {
            assert_eq!(operator.allows(bits), Err(Violation::WordBits { bits }));
        }
        for bits in [2, 64] {
            assert_eq!(operator.allows(bits), Ok(()));
        }
        let odd = operator.allows(7);
        assert_eq!(odd.is_ok(), operator != Operator::Carry);
    }
}
