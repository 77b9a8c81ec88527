use super::*;

const LETTERS: [Letter<'static>; 5] = [
    ("k", 5),
    ("D", 8),
    ("m", 13),
    ("S_n", 7),
    ("one is longer", 1),
];

fn whole(text: &'static str) -> u64 {
    ClosedForm::of(text, &LETTERS).value
}

fn error(text: &str) -> String {
    evaluate(text, &LETTERS).unwrap_err().to_string()
}

#[test]
fn formulas_are_worked_out_by_the_rules_of_arithmetic() {
    for (text, value) in [
        ("7k(k-1)+(3k-2)D-4k+5", 7 * 20 + 13 * 8 - 20 + 5),
        ("3k(k-1)/2+kD+k", 30 + 40 + 5),
        ("k-1-2", 2),
        ("40/k/2", 4),
        ("2^(k-1) m", 16 * 13),
        ("2^k/4 m", 8 * 13),
        ("k2^k", 160),
        ("3*2^k - 2", 94),
        ("(1 - 2^-k) 2^k/31", 1),
        ("9(k mod 2)+(m mod 4)", 10),
        ("k max(3k+D, 4k-2)+min(k,1)^2", 5 * 23 + 1),
        ("ceil(m/k) + floor(m/k)", 5),
        (
            "ceil(log2(D)) + ceil(log2(k)) + floor(log2(k)) + log2(D)",
            3 + 3 + 2 + 3,
        ),
        ("C(k, 2) + C(k, 6)", 10),
        ("k-D+10+S_n", 14),
        ("[k = 5 < D]m - [k > 5] + [even D]", 14),
        ("-2^2+10", 6),
        ("2 - -k", 7),
        ("m max(1, 2) - m mod 2 + k mod 2", 26),
        ("sum over i < k of i", 10),
        ("(sum over 0 < i <= k of C(k, i)) + 1", 32),
        ("max over 0 < i < k of i(k-i)", 6),
        ("max over 5 < i < k of 7", 0),
        ("10 + (max over i < 3 of i-5)", 7),
        ("sum over i < 3 of max over j <= i of j", 3),
        ("least i with 2^i >= m", 4),
        ("d(2k-1-d), d=min(D,k-1)", 4 * 5),
        ("a + b, a = k, b = a + 1", 11),
        // 3, 1, 1, 2, 8: what is left of 13 bits in five parts.
        (
            "p_0 + ... + p_(k-1) + k p_(k-1), p_0 = ceil(m/k), p_i = ceil(i p_(i-1)/(k-i))",
            15 + 40,
        ),
        (
            "max over 0 < i < k of a_i - b_i, a_i = ki, b_i = a_(i-1)",
            5,
        ),
    ] {
        assert_eq!(whole(text), value, "{text}");
    }
}

#[test]
fn the_first_case_that_holds_is_meant() {
    for (text, meant) in [
        ("1 (k=1); 2 (k=5); 3 (k=5); 4", "2 (k=5)"),
        (
            "1 (even k); 2 (even k, D=8); 3 (odd k, D=k+3); 4",
            "3 (odd k, D=k+3)",
        ),
        ("1 (3<=k<=4); 2 (3<=k<5); 3 (3<=k<=5)", "3 (3<=k<=5)"),
        ("1 (k>=6); 2", "2"),
        ("1 (one is longer); 2", "1 (one is longer)"),
    ] {
        let found = evaluate(text, &LETTERS).unwrap();
        let value = found.formula.parse().unwrap();
        assert_eq!((found.text, found.value), (meant, Fraction::new(value, 1)));
    }
}

#[test]
fn a_value_may_be_a_fraction() {
    assert_eq!(
        exact_value("k2^(k-1)/(2^k-1)", &LETTERS),
        Fraction::new(80, 31)
    );
    for text in ["k/2", "k-D", "2^100"] {
        assert!(std::panic::catch_unwind(|| whole(text)).is_err(), "{text}");
    }
}

#[test]
fn what_cannot_be_evaluated_says_why() {
    assert_eq!(
        error("k+x"),
        "closed form `k+x`: `x` cannot be read in the letters k, D, m, S_n, one is longer"
    );
    assert_eq!(
        error("1 (k=5); 2q"),
        "closed form `2q`: `q` cannot be read in the letters k, D, m, S_n, one is longer"
    );
    assert_eq!(
        error("1 (k=1); 2 (even k)"),
        "closed form `1 (k=1); 2 (even k)` says nothing of k = 5, D = 8, m = 13, S_n = 7, one is longer = 1"
    );
    assert_eq!(
        error("1/(k-5)"),
        "closed form `1/(k-5)` has no such value for k = 5, D = 8, m = 13, S_n = 7, one is longer = 1"
    );
    for text in [
        "",
        "k+",
        "(k",
        "k)",
        "k, 5",
        "min(k)",
        "k (q)",
        "sum over k of 1",
        "sum over 3 < i of i",
        "k + ... + k",
        "p_0",
        "i",
        "10 000",
        "a (k=5), a=1",
        "a, k=1",
        "a, a=1, a=2",
        "D+1, k>=3",
        "p_1, p_1 = 10",
        "p_1, p_k = 10",
        "p_1, p_i = 1, p_i = 2",
        "k, = 3",
        "k, p_ = 3",
        "a, a = p_1, p_i = i",
        "sum over k < 3 of k",
        "sum over i < 3 of sum over i < 2 of i",
    ] {
        let found = evaluate(text, &LETTERS);
        assert!(
            matches!(found, Err(Error::Unread { .. })),
            "{text}: {found:?}"
        );
    }
    for text in [
        "2^200",
        "log2(k)",
        "1 mod 0",
        "p_1, p_0 = 1",
        "least i with i < 0",
        "sum over i < 2^30 of i",
        "p_1, p_i = p_i",
        "p_1, p_i = p_(i+1)",
        "a_1, a_i = b_i, b_i = a_i",
        "(0-2)^127 - 1",
    ] {
        let found = evaluate(text, &LETTERS);
        assert!(
            matches!(found, Err(Error::NoValue { .. })),
            "{text}: {found:?}"
        );
    }
}
