use super::*;
use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::algorithms::tests::{are_whole, ask, holds};

fn asked((dims, message_bits, start_up): (usize, usize, usize), sends: usize) -> Ask {
    Ask {
        groups: Some(sends),
        ..ask(dims, message_bits, start_up)
    }
}

#[test]
fn it_takes_as_long_and_holds_as_much_as_the_closed_forms_say() {
    for (d, start_up) in [2, 4]
        .into_iter()
        .flat_map(|d| (0..=2).map(move |start_up| (d, start_up)))
    {
        for m in 1..=17 {
            let plan = holds(&BySubmatrices, &ask(d, m, start_up));
            are_whole(&plan.program, m);
        }
    }
    for (m, sends) in [(8, 1), (8, 2), (9, 3), (9, 4), (1, 1), (2, 1)] {
        holds(&BySubmatrices, &asked((2, m, 1), sends));
    }
    for (m, sends) in [(8, 4), (9, 4), (12, 6), (40, 8), (41, 10), (1, 4)] {
        holds(&BySubmatrices, &asked((4, m, 1), sends));
    }
    for (m, sends) in [(12, 6), (1, 6), (25, 12)] {
        holds(&BySubmatrices, &asked((6, m, 1), sends));
    }
    holds(&BySubmatrices, &asked((8, 25, 1), 12));
}

#[test]
fn where_it_divides_the_time_is_the_papers() {
    for (d, m, start_up, sends) in [
        (2, 12, 3, 2),
        (4, 16, 1, 4),
        (4, 16, 0, 8),
        (6, 24, 2, 12),
        (8, 48, 1, 12),
    ] {
        let plan = BySubmatrices.plan(&asked((d, m, start_up), sends)).unwrap();
        assert!(plan.divides);
        let time = (sends + 1) * m / (2 * sends) + (sends + 1) * start_up;
        assert_eq!(plan.bit_times.value as usize, time);
    }
    assert!(!BySubmatrices.plan(&asked((4, 17, 0), 4)).unwrap().divides);
}

/// In stage `j` part `i` of `k` crosses the link of difference `(i + j) mod k`, a half of it first across each port.
#[test]
fn parts_cross_links_upwards() {
    let (half, sends, bits) = (3, 12, 5);
    let program = BySubmatrices
        .plan(&asked((2 * half, 2 * sends * bits, 0), sends))
        .unwrap()
        .program;
    let firsts = program
        .transfers
        .iter()
        .filter(|one| one.sends.order == LineOrder::Ones);
    for transfer in firsts {
        let k = transfer.sends.who.low.unwrap();
        let (step, in_a_stage) = (transfer.begin / bits, sends / k);
        for line in &transfer.sends.lines {
            let packet = line.address / bits;
            let (part, first, number) = (
                packet / (2 * in_a_stage),
                packet / in_a_stage % 2,
                packet % in_a_stage,
            );
            assert_eq!(line.line, 2 * ((part + step / in_a_stage) % k) + first);
            assert_eq!(number, step % in_a_stage);
        }
    }
}

/// Nodes whose halves differ in the same `k` of `c` bits are `2^c`, not `2^k`: they also have to agree in the other `c - k` bits.
/// Those are the corners of a cube, the nodes of which are two hops apart by nodes with `k - 1` differences.
#[test]
fn erratum_8_nodes_of_a_logical_cube_agree_in_the_other_bits_too() {
    let half = 3;
    let sees = |node: usize| (node ^ node >> half) & ((1 << half) - 1);
    for node in 0_usize..1 << (2 * half) {
        let differences = sees(node);
        let k = differences.count_ones();
        let alike = (0..1 << (2 * half)).filter(|&other| sees(other) == differences);
        let (mut all, mut in_cube) = (0, 0);
        for other in alike {
            all += 1;
            in_cube += usize::from((node ^ other) & !differences & ((1 << half) - 1) == 0);
        }
        assert_eq!((all, in_cube), (1 << half, 1 << k));
        assert_eq!(
            transposed(node, half),
            node ^ (differences | differences << half)
        );
        for place in (0..half).filter(|place| differences >> place & 1 == 1) {
            for between in [place, place + half].map(|port| neighbour(node, port)) {
                assert_eq!(sees(between), differences ^ 1 << place);
            }
        }
    }
}

/// The paper has it as long as INVERSION on a cube of two dimensions.
#[test]
fn erratum_9_it_takes_as_long_as_the_fourth_send_on_a_cube_of_two_dimensions() {
    for (m, start_up, sends) in [(16, 1, 4), (48, 5, 4), (48, 5, 8)] {
        let plan = BySubmatrices.plan(&asked((4, m, start_up), sends)).unwrap();
        // O.C. SEND 4: A = (g + K(d - 1) - 1)/(dg) and S = g + d - 1, with d = 2 and K(1) = 2.
        let (g, d, k) = (sends, 2, 2);
        let time = (g + k - 1) * m / (d * g) + (g + d - 1) * start_up;
        assert_eq!(plan.bit_times.value as usize, time);
    }
}

#[test]
fn the_number_of_sends_is_the_best_that_it_takes() {
    for (d, m, start_up) in [
        (2, 100, 3),
        (2, 7, 0),
        (4, 333, 2),
        (4, 1, 9),
        (6, 500, 0),
        (8, 1000, 1),
    ] {
        let plan = BySubmatrices.plan(&ask(d, m, start_up)).unwrap();
        let (common, least) = taken(d / 2);
        let each = (least..=m.max(least)).step_by(common);
        let best = each.map(|sends| time(m, start_up, sends)).min().unwrap();
        assert_eq!(plan.bit_times.value as usize, best, "{d} {m} {start_up}");
    }
    assert_eq!(
        [1, 2, 3, 4, 5].map(taken),
        [(1, 1), (2, 4), (6, 6), (12, 12), (60, 60)]
    );
}

#[test]
fn programs_of_long_messages_are_not_too_long() {
    let plan = BySubmatrices.plan(&ask(2, 1 << 20, 0)).unwrap();
    assert_eq!(plan.groups, Some(MOST_SENDS.into()));
}

#[test]
fn what_it_does_not_take_is_refused_with_the_nearest_that_it_does() {
    let why = |ask: &Ask| BySubmatrices.plan(ask).unwrap_err().to_string();
    assert_eq!(
        why(&ask(3, 8, 0)),
        "by-submatrices: addresses of 3 bits have no two halves: it takes 2 or 4 dimensions"
    );
    assert_eq!(
        why(&ask(1, 8, 0)),
        "by-submatrices: addresses of 1 bits have no two halves: it takes 2 dimensions"
    );
    assert_eq!(
        why(&asked((4, 40, 0), 7)),
        "by-submatrices: 7 sends on 4 dimensions: they have to be a multiple of 2, 4 or more; it takes 6 or 8"
    );
    assert_eq!(
        why(&asked((4, 40, 0), 2)),
        "by-submatrices: 2 sends on 4 dimensions: they have to be a multiple of 2, 4 or more; it takes 4"
    );
    assert_eq!(
        why(&asked((2, 40, 0), 0)),
        "by-submatrices: 0 sends on 2 dimensions: they have to be a multiple of 1, 1 or more; it takes 1"
    );
    assert_eq!(
        why(&asked((4, 17, 0), usize::MAX)),
        format!(
            "by-submatrices: {} sends of 17 message bits are too many: it takes 10 at most",
            usize::MAX
        )
    );
}
