//! Injection in bursts.

use super::*;

/// In bursts of 6 messages, or what else is given.
fn in_bursts(nodes: usize, load: f64, bits: usize, bursts: (f64, f64)) -> Injection {
    let sources = Sources {
        load: OfferedLoad::new(load).unwrap(),
        message_bits: bits,
        bursts: Some(Bursts::new(bursts.0, bursts.1, 1).unwrap()),
        reply_bits: None,
    };
    Injection::of(Nodes::new(nodes).unwrap(), Pattern::Uniform, sources, 11).unwrap()
}

#[test]
fn bursts_have_the_load_that_is_offered_on_the_average() {
    for (load, bits, bursts, end) in [
        (0.3, 16, (6.0, 1.0), 100_000),
        (0.05, 4, (1.0, 0.5), 100_000),
        (0.2, 1, (20.0, 0.25), 20_000),
        (0.9, 8, (3.0, 1.0), 12_000),
    ] {
        let created = until(end, in_bursts(24, load, bits, bursts)).len() as f64;
        let expected = 24.0 * end as f64 * load / bits as f64;
        // Of bursts the number varies by more than of single messages: as many of them come together.
        let deviation = (2.0 * bursts.0 * expected).sqrt();
        let is = (created - expected) / deviation;
        assert!(is.abs() < 5.0, "{load}, {bits}, {bursts:?}: {is}");
        assert!(deviation < expected / 30.0, "it could tell");
    }
}

/// Restated: state by state, bit time by bit time.
#[test]
fn a_node_in_bursts_is_a_markov_process_of_two_states() {
    let (load, bits, messages, burst_load) = (0.2, 4.0, 5.0, 0.8);
    let (creates, on) = (burst_load / bits, load / burst_load);
    let beta: f64 = creates / messages;
    let alpha = beta * on / (1.0 - on);
    // Of the bit times behind a message, until the next one: the probability of each length.
    let (mut is_on, mut is_off) = (1.0, 0.0);
    let mut expected = Vec::new();
    for _ in 0..400 {
        (is_on, is_off) = (
            is_on * (1.0 - beta) + is_off * alpha,
            is_off * (1.0 - alpha) + is_on * beta,
        );
        expected.push(is_on * creates);
        is_on *= 1.0 - creates;
    }
    let mut silences = vec![0; expected.len()];
    let (mut last, mut count) = ([None; 8], 0);
    for one in in_bursts(8, load, bits as usize, (messages, burst_load)).take(80_000) {
        if let Some(before) = last[one.source].replace(one.bit_time) {
            count += 1;
            if let Some(silence) = silences.get_mut((one.bit_time - before - 1) as usize) {
                *silence += 1;
            }
        }
    }
    for from in [0, 1, 2, 3, 5, 10, 40, 100] {
        let (found, probability) = (
            silences[from..].iter().sum::<usize>(),
            expected[from..].iter().sum::<f64>(),
        );
        assert!(is_likely(found, f64::from(count), probability), "{from}");
        assert!(
            !is_likely(found, f64::from(count), 0.9 * probability),
            "{from}"
        );
    }
    // Stationary from the beginning: in bit time 0 a share of them is on.
    let first = in_bursts(1 << 14, load, bits as usize, (messages, burst_load));
    let first = first.take_while(|one| one.bit_time == 0).count();
    assert!(is_likely(first, 16384.0, on * creates));
}

#[test]
fn a_node_in_bursts_has_a_stream_of_its_own() {
    let of_node = |nodes| -> Vec<Created> {
        let created = until(20_000, in_bursts(nodes, 0.3, 16, (4.0, 1.0)));
        let mut created: Vec<_> = created.into_iter().filter(|one| one.source == 3).collect();
        created.iter_mut().for_each(|one| one.destination = 0);
        created
    };
    assert!(of_node(4).len() > 50);
    assert_eq!(of_node(4), of_node(24));
    let mut all = until(20_000, in_bursts(24, 0.3, 64, (4.0, 1.0)));
    all.sort_by(|one, other| one.payload.cmp(&other.payload));
    assert!(
        all.windows(2)
            .all(|pair| pair[0].payload != pair[1].payload)
    );
}

#[test]
fn bursts_that_cannot_be_are_refused() {
    for (bursts, why) in [
        (
            Bursts::new(0.5, 1.0, 1),
            "bursts of 0.5 messages are out of range: it is how many they have on the average, 1 to 1000000000",
        ),
        (
            Bursts::new(f64::NAN, 1.0, 1),
            "bursts of NaN messages are out of range: it is how many they have on the average, 1 to 1000000000",
        ),
        (
            Bursts::new(2.0, 0.0, 1),
            "an offered load of 0 is out of range: it is the message bits that a node creates in a bit time, on average, \
             more than 0 and at most 1",
        ),
    ] {
        assert_eq!(bursts.unwrap_err().to_string(), why);
    }
    let of = |load| {
        let sources = Sources {
            load: OfferedLoad::new(load).unwrap(),
            message_bits: 4,
            bursts: Some(Bursts::new(5.0, 0.5, 1).unwrap()),
            reply_bits: None,
        };
        Injection::of(Nodes::new(4).unwrap(), Pattern::Uniform, sources, 1).map(|_| ())
    };
    assert_eq!(of(0.4878), Ok(()));
    assert_eq!(
        of(0.4879).unwrap_err().to_string(),
        "an offered load of 0.4879 leaves no time between bursts: with these bursts it can be 0.4878 at the most: offer less, \
         or have a higher load in bursts"
    );
}
