use super::*;
use crate::measure::row::values;

const BY: Comparison = Comparison {
    of: &["guest"],
    alike: &["dims", "start_up"],
    sizes: &[("node_bits", "bits a node"), ("message_bits", "bits")],
    at: &[("n", "dims"), ("T", "start_up")],
    with_always: true,
    title: "faster",
};

fn row(guest: &str, bits: usize, bit_times: usize) -> Row {
    Row::new(
        values! {
            guest: guest,
            dims: 4usize,
            start_up: 0usize,
            message_bits: bits,
            node_bits: None::<usize>,
            bit_times: bit_times,
        },
        &[],
    )
}

#[test]
fn the_fewest_bits_from_which_on_one_is_faster_throughout() {
    let rows = [
        row("slow", 1, 1),
        row("slow", 2, 5),
        row("slow", 4, 4),
        row("slow", 8, 8),
        row("fast", 1, 3),
        row("fast", 2, 3),
        row("fast", 4, 6),
        row("fast", 8, 6),
    ];
    let found = crossovers(BY, &rows);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].from, found[0].fast.as_str()), (8.0, "fast"));
    assert!((found[0].at_last - 8.0 / 6.0).abs() < 1e-12);
    assert_eq!(
        text(BY, &rows),
        "\nfaster\n  n  faster  than  from bits  with the most, times as fast\n  \
         4  fast    slow          8                          1.33\n"
    );
    assert_eq!(text(BY, &rows[..4]), "");
}

#[test]
fn what_is_faster_throughout_crosses_nothing() {
    let crossing = Comparison {
        with_always: false,
        ..BY
    };
    let rows = [
        row("slow", 1, 3),
        row("slow", 2, 5),
        row("fast", 1, 2),
        row("fast", 2, 3),
        row("late", 1, 9),
        row("late", 2, 4),
    ];
    let pairs = |by| -> Vec<String> {
        let found = crossovers(by, &rows).into_iter();
        found
            .map(|one| format!("{} {}", one.fast, one.from))
            .collect()
    };
    assert_eq!(pairs(BY), ["fast 1", "late 2", "fast 1"]);
    assert_eq!(pairs(crossing), ["late 2"]);
}

#[test]
fn the_fastest_of_all_stays_until_another_is_faster() {
    let rows = [
        row("one", 1, 4),
        row("one", 2, 5),
        row("one", 4, 9),
        row("other", 4, 8),
        row("other", 2, 5),
        row("other", 1, 7),
    ];
    assert_eq!(
        fastest(BY, &rows),
        "\n  n  from bits  fastest of all\n  4          1  one\n  4          4  other\n"
    );
    // Of one alone, or at one size, there is nothing to tell.
    assert_eq!(fastest(BY, &rows[..3]), "");
    assert_eq!(fastest(BY, &[row("one", 1, 4), row("other", 1, 5)]), "");
    // Where rows differ in more than the first, that is said too.
    let mut later = rows.to_vec();
    later.iter_mut().for_each(|row| row.set("start_up", 7usize));
    let all = [&rows[..], &later].concat();
    let text = fastest(BY, &all);
    assert!(text.starts_with("\n  n  T  from bits"), "{text}");
    assert!(text.contains("\n  4  7          4  other\n"), "{text}");
}
