//! The closed forms as they are printed: each text, worked out by the rules of arithmetic, is its value, for the sizes that it
//! says it is for.

mod collectives;
mod formula;
mod phase;

use rtl_model::machine::router::{ClosedForm, Router};
use rtl_model::machine::share::LOG2_FEWEST_NODES;
use rtl_model::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::{
    folded::Folded, overlapped::Overlapped, plain::Plain, radix4::Radix4, spread::Spread,
};
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

/// Whether sizes are what a text says in parentheses behind its formula, as in `(odd k, D=1, d=k-1)`.
fn is_for(condition: &str, letters: &[(&str, usize)]) -> bool {
    let number_of = |name: &str| letters.iter().find(|letter| letter.0 == name);
    let number_of = |name| number_of(name).map(|letter| letter.1);
    let k = number_of("k").unwrap();
    condition.split(',').map(str::trim).all(|one| match one {
        "even k" => k.is_multiple_of(2),
        "odd k" => !k.is_multiple_of(2),
        _ => {
            let (name, bound) = one.split_at(1);
            let Some(number) = number_of(name) else {
                panic!("`{condition}` is for what?");
            };
            let split = bound.len() - bound.trim_start_matches(['<', '=', '>']).len();
            let (relation, bound) = bound.split_at(split);
            let bound = formula::value(bound, &as_numbers(letters)).unwrap();
            let number = number as f64;
            match relation {
                "=" => number == bound,
                "<" => number < bound,
                "<=" => number <= bound,
                ">" => number > bound,
                ">=" => number >= bound,
                _ => panic!("`{condition}` is for what?"),
            }
        }
    })
}

fn as_numbers<'a>(sizes: &[(&'a str, usize)]) -> Vec<(&'a str, f64)> {
    let numbers = sizes.iter().map(|&(name, number)| (name, number as f64));
    numbers.collect()
}

fn text_is_value(form: &ClosedForm, k: usize, d: usize) {
    text_is_value_of(form, &[("k", k), ("D", d)]);
}

fn text_is_value_of(form: &ClosedForm, sizes: &[(&str, usize)]) {
    let (formula, condition) = match form.text.split_once(" (") {
        Some((formula, condition))
            if condition.contains(['=', '<', '>'])
                || ["even k)", "odd k)"].contains(&condition) =>
        {
            (formula, condition.strip_suffix(')').unwrap())
        }
        _ => (form.text, ""),
    };
    let value = formula::value(formula, &as_numbers(sizes));
    let what = format!("{} at {sizes:?}", form.text);
    assert_eq!(value, Some(form.value as f64), "{what}");
    assert!(condition.is_empty() || is_for(condition, sizes), "{what}");
}

fn sizes() -> impl Iterator<Item = (usize, usize)> {
    let payloads = [1, 2, 3, 4, 5, 8, 13, 40, 1000];
    (1..=MAX_DIMENSIONS).flat_map(move |k| payloads.map(|d| (k, d)))
}

fn texts_are_values_on<S: Schedule>() {
    for (k, d) in sizes() {
        let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), d).unwrap();
        for form in [
            router.bit_times(),
            router.storage_bits(),
            router.storage_bound(),
            router.serial_adders(),
        ] {
            text_is_value(&form, k, d);
        }
        assert_eq!(driven_bit_times(&router, (k, d)), k);
    }
}

/// Of every dimension, where there is a closed form; gives of how many. Those that can lead to other ranks have one text, for
/// the sum over them is printed with it.
fn driven_bit_times(router: &impl Router, (k, payload_bits): (usize, usize)) -> usize {
    let forms = (0..k).filter_map(|dimension| {
        let form = router.driven_bit_times(dimension)?;
        text_is_value_of(&form, &[("k", k), ("D", payload_bits), ("d", dimension)]);
        Some(form.text)
    });
    let texts: Vec<&str> = forms.collect();
    let to_ranks = &texts[..k.saturating_sub(LOG2_FEWEST_NODES).min(texts.len())];
    assert!(to_ranks.iter().all(|text| *text == texts[0]), "{texts:?}");
    texts.len()
}

#[test]
fn what_is_printed_is_what_is_asserted() {
    texts_are_values_on::<Plain>();
    texts_are_values_on::<Overlapped>();
    texts_are_values_on::<Folded>();
    texts_are_values_on::<Spread>();
    texts_are_values_on::<Radix4>();
    texts_are_values_on::<bitonic::SortAndUnpack>();
    texts_are_values_on::<bitonic::Sort>();
    texts_are_values_on::<radix::SortAndUnpack>();
    texts_are_values_on::<radix::Sort>();
    for (k, d) in sizes() {
        let cube = Dimensions::new(k).unwrap();
        let (enumeration, packing) = (
            EnumerationRouter::new(cube),
            PackingRouter::new(cube, d).unwrap(),
        );
        assert_eq!(driven_bit_times(&enumeration, (k, d)), k);
        assert_eq!(driven_bit_times(&packing, (k, d)), k);
        for form in [
            enumeration.bit_times(),
            enumeration.storage_bits(),
            packing.bit_times(),
            packing.storage_bits(),
        ] {
            text_is_value(&form, k, d);
        }
        for h in [1, 2, 3, 16] {
            let counting = CountingRouter::new(cube, d, h).unwrap();
            for form in [
                counting.bit_times(),
                counting.storage_bits(),
                counting.serial_adders(),
            ] {
                text_is_value_of(&form, &[("k", k), ("D", d), ("H", h)]);
            }
        }
    }
}

#[test]
fn a_text_that_is_not_its_value_is_noticed() {
    let at = |text, value, k, d| {
        let form = ClosedForm { text, value };
        std::panic::catch_unwind(|| text_is_value(&form, k, d)).is_ok()
    };
    assert!(at("3k(k-1)/2+kD+k", 9 + 6 + 3, 3, 2));
    assert!(at("k max(3k+D, 4k-2)+min(k,1)^2", 3 * 11 + 1, 3, 2));
    assert!(at("k+1 (odd k, D=2)", 4, 3, 2));
    assert!(at("kD+4(k mod 2) (odd k, D=k-1)", 10, 3, 2));
    for (text, value) in [
        ("k+1", 5),
        ("k+1 (even k)", 4),
        ("k+1 (odd k, D=1)", 4),
        ("k+1 (odd k, D=k-2)", 4),
        ("k mod 2", 0),
        ("k+x", 3),
        ("2k (k<3)", 6),
    ] {
        assert!(!at(text, value, 3, 2), "{text}");
    }
}
