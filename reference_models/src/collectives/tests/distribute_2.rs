//! DISTRIBUTE 2: how many waves, what is in them, and for which messages they take the time that is
//! printed.

use super::waves::{contents, ratio, waves};
use super::*;

#[test]
fn waves_are_as_many_as_the_paper_says() {
    let many: Vec<usize> = (1..=12).map(waves).collect();
    assert_eq!(many, [1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4]);
    // The paper's quotients are 0 / 0 in two dimensions, where the sums of which they are made are not.
    for dims in 3..=12_u32 {
        let d = u64::from(dims);
        let reaches = |many: u32| d * ((d - 1).pow(many) - 1) / (d - 2) >= (1 << d) - 1;
        let many = u32::try_from(waves(dims as usize)).unwrap();
        assert!(reaches(many) && !reaches(many - 1));
    }
    assert!((ratio(2) - 0.5).abs() < 1e-9);
    assert!((ratio(3) - 4.0 / 3.0).abs() < 1e-9);
    assert!((ratio(4) - 11.0 / 4.0).abs() < 1e-9);
    assert!((3..=30).all(|dims| ratio(dims) < dims as f64 - 1.0));
}

#[test]
fn waves_carry_everything_once_and_are_as_long_as_the_ratio_says() {
    for dims in 1..=16 {
        let d = dims as u64;
        let contents = contents(dims);
        let mut carried = vec![0.0; dims + 1];
        let lengths = contents.iter().map(|wave| {
            let mut length = 0.0;
            for portion in wave {
                let fraction = portion.to - portion.from;
                carried[portion.distance] += fraction;
                length += binomial(d, portion.distance as u64) as f64 * fraction / d as f64;
            }
            length
        });
        for (before, length) in lengths.rev().enumerate() {
            let expected = ratio(dims).powi(i32::try_from(before).unwrap());
            assert!((length - expected).abs() < 1e-6, "{dims} {before}");
        }
        assert!(carried[1..].iter().all(|sum| (sum - 1.0).abs() < 1e-9));
    }
}

#[test]
fn the_last_wave_but_one_has_not_always_room_for_all_of_distance_2() {
    // For each wire of the root there are (d - 1) / 2 messages for distance 2. With two waves only there
    // is nothing else where they could be.
    let fails = |dims: &usize| waves(*dims) > 2 && ratio(*dims) < (*dims as f64 - 1.0) / 2.0;
    let failing: Vec<usize> = (3..=30).filter(fails).collect();
    assert_eq!(failing, [5, 10]);
    let first = &contents(5)[0];
    assert_eq!((first[0].distance, first[0].to), (2, 1.0));
    assert!((first[0].from - 0.91726).abs() < 1e-5);
}

/// How much longer it takes than all the root has to send takes on each of its wires.
fn excess(dims: usize, bits: u64, start_up: u64) -> u64 {
    let scatter = Algorithm::Scatter(Scatter::Distribute2);
    let (stages, time, _) = ran(&scatter, dims, bits, start_up);
    assert_eq!(stages, waves(dims) as u64);
    let nodes = 1_u64 << dims;
    time - (nodes - 1) * bits / dims as u64 - stages * start_up
}

#[test]
fn long_messages_take_the_time_that_is_printed() {
    // From these many bits for each bit time of a start-up on. In two dimensions every message is long.
    for (dims, ratio) in [(3, 3), (4, 24)] {
        for start_up in [60, 120] {
            let least = ratio * start_up;
            assert_eq!(excess(dims, least, start_up), 0);
            assert_eq!(excess(dims, least + 60, start_up), 0);
            assert!(excess(dims, least - 12, start_up) > 0);
        }
    }
    for dims in 1..=2 {
        for bits in [2, 12, 120] {
            assert_eq!(excess(dims, bits, 60), 0);
        }
    }
    for dims in 5..=6 {
        assert_eq!(excess(dims, 600, 60), 0);
        assert!(excess(dims, 60, 60) > 0);
    }
}

/// From how many bits for each bit time of a start-up on messages are long. From the arrival of a wave on,
/// the wires from distance 1 to distance 2 must have sent on this wave and all but the last of those behind
/// it when the last of these arrives. They carry each distance of a wave as a packet of its own.
fn long(dims: usize) -> f64 {
    let contents = contents(dims);
    let wave = |index: usize| ratio(dims).powi((contents.len() - 1 - index) as i32);
    let last = contents.len() - 1;
    let after = |first: usize| {
        let start_ups: usize = contents[first..last].iter().map(Vec::len).sum();
        let leaves: f64 = (first..last).map(wave).sum();
        let arrives: f64 = (first + 1..=last).map(wave).sum();
        (start_ups - (last - first)) as f64 / (arrives - leaves / (dims as f64 - 1.0))
    };
    (0..last).map(after).fold(0.0, f64::max)
}

#[test]
fn messages_are_long_if_every_wave_but_the_last_is_sent_on_in_time() {
    let printed: Vec<String> = (3..=8).map(|dims| format!("{:.3}", long(dims))).collect();
    assert_eq!(
        printed,
        ["3.000", "24.000", "1.955", "2.322", "2.757", "3.644"]
    );
    for dims in 3..=7 {
        let bits = 5_040_000;
        let start_up = |ratio: f64| (bits as f64 / ratio).round() as u64;
        assert_eq!(
            excess(dims, bits, start_up(long(dims) * 1.0001)),
            0,
            "{dims}"
        );
        assert!(
            excess(dims, bits, start_up(long(dims) * 0.9999)) > 0,
            "{dims}"
        );
    }
}

#[test]
fn long_messages_in_three_dimensions_arrive_when_the_paper_says() {
    let (bits, start_up) = (600, 60);
    let sends = collective(Algorithm::Scatter(Scatter::Distribute2), 3, bits, start_up).sends();
    let last = |distance: u32| {
        let arrives = |send: &&Send| {
            send.items.iter().any(|run| {
                matches!(run.message, Message::Personal { destination, .. }
                    if destination == send.to && destination.count_ones() == distance)
            })
        };
        sends.iter().filter(arrives).map(Send::end).max().unwrap()
    };
    assert_eq!(last(1), 7 * bits / 3 + 2 * start_up);
    assert_eq!(last(2), 2 * bits + 3 * start_up);
    assert_eq!(last(3), 11 * bits / 6 + 3 * start_up);
}

#[test]
fn nodes_at_distance_1_keep_all_that_they_send_on() {
    for dims in 1..=6 {
        let (bits, start_up) = (2880, 10);
        let nodes = 1 << dims;
        for algorithm in [Algorithm::Scatter, Algorithm::Gather] {
            let run = algorithm(Scatter::Distribute2);
            let peak = ran(&run, dims, bits, start_up).2;
            let d = dims as u64;
            assert_eq!(peak * d, (nodes - 1 - d) * bits);
        }
    }
}

#[test]
fn messages_that_do_not_divide_arrive() {
    for dims in 1..=6 {
        for bits in [1, 2, 7, 59, 100] {
            for start_up in [0, 5] {
                for algorithm in [Algorithm::Scatter, Algorithm::Gather] {
                    let run = algorithm(Scatter::Distribute2);
                    collective(run, dims, bits, start_up).run().unwrap();
                }
            }
        }
    }
}

#[test]
fn messages_have_to_be_cut_as_in_o_c_send_3() {
    // With O.C. SEND 2, the wire from a node at distance 1 to the next dimension carries this much.
    for (dims, numerator, denominator) in [(3, 5, 6), (4, 17, 12), (5, 49, 20), (6, 43, 10)] {
        let bits = 2880;
        let sends = collective(Algorithm::Scatter(Scatter::Distribute1), dims, bits, 0).sends();
        let here = sends.iter().filter(|send| (send.from, send.to) == (1, 3));
        let load: u64 = here.map(|send| send.units).sum();
        assert_eq!(load * denominator, numerator * bits);
        // All waves behind the first arrive in this time, in which it has to be sent. Even without
        // start-ups it is too short in four and in six dimensions.
        let waves = waves(dims) as i32;
        let time: f64 = (0..waves - 1).map(|wave| ratio(dims).powi(wave)).sum();
        let late = load as f64 > time * bits as f64;
        assert_eq!(late, dims % 2 == 0, "{dims}");
    }
}
