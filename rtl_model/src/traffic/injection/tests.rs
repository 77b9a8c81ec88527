use super::*;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::hot_spots::HotSpots;
use crate::traffic::pattern::Pattern;
use crate::traffic::pattern::no_address_bits;

mod bursts;

fn injection(nodes: usize, pattern: Pattern, load: f64, message_bits: usize) -> Injection {
    let nodes = Nodes::new(nodes).unwrap();
    let load = OfferedLoad::new(load).unwrap();
    Injection::new(nodes, pattern, load, message_bits, 11).unwrap()
}

fn until(end: u64, injection: Injection) -> Vec<Created> {
    injection
        .take_while(|created| created.bit_time < end)
        .collect()
}

/// Whether `count` of `trials` is within five standard deviations of what probability `p` gives.
fn is_likely(count: usize, trials: f64, p: f64) -> bool {
    (count as f64 - trials * p).abs() <= 5.0 * (trials * p * (1.0 - p)).sqrt()
}

#[test]
fn as_many_messages_are_created_as_the_load_says() {
    const END: u64 = 100_000;
    for (load, message_bits) in [(0.3, 16), (1.0, 5), (0.01, 64), (0.7, 1)] {
        let created = until(END, injection(24, Pattern::Uniform, load, message_bits));
        let p = load / message_bits as f64;
        assert!(is_likely(created.len(), 24.0 * END as f64, p));
        for node in 0..24 {
            let of_node = created.iter().filter(|one| one.source == node).count();
            assert!(is_likely(of_node, END as f64, p), "node {node}");
        }
        // The bound can tell: it would refuse another load.
        assert!(!is_likely(created.len(), 24.0 * END as f64, 0.7 * p));
    }
}

#[test]
fn every_bit_time_is_as_likely_whatever_was_before() {
    const END: u64 = 100_000;
    let created = until(END, injection(2, Pattern::Identity, 0.5, 2));
    for node in 0..2 {
        let times = created.iter().filter(|one| one.source == node);
        let times: Vec<u64> = times.map(|one| one.bit_time).collect();
        let mut silences: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0] - 1).collect();
        for silence in 0..8 {
            // Of those that last so long, a share of p ends here.
            silences.retain(|other| *other >= silence);
            let end = silences.iter().filter(|other| **other == silence).count();
            assert!(is_likely(end, silences.len() as f64, 0.25), "{silence}");
        }
    }
    // The first bit time is one like the others.
    let first = injection(1 << 14, Pattern::Identity, 0.5, 2);
    let first = first.take_while(|created| created.bit_time == 0).count();
    assert!(is_likely(first, 16384.0, 0.25));
}

#[test]
fn a_full_load_of_single_bits_is_a_message_of_each_node_in_each_bit_time() {
    let created = injection(3, Pattern::Neighbor, 1.0, 1).take(30);
    let found: Vec<_> = created
        .map(|one| (one.bit_time, one.source, one.destination))
        .collect();
    let expected: Vec<_> = (0..10)
        .flat_map(|bit_time| [(bit_time, 0, 1), (bit_time, 1, 2), (bit_time, 2, 0)])
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn messages_come_in_order_and_repeat_with_the_seed() {
    let created = until(2000, injection(24, Pattern::Uniform, 0.9, 70));
    assert!(created.len() > 500);
    let place = |one: &Created| (one.bit_time, one.source);
    assert!(
        created
            .windows(2)
            .all(|pair| place(&pair[0]) < place(&pair[1]))
    );
    assert!(created.iter().all(|one| one.payload.len() == 70));
    assert_eq!(
        until(2000, injection(24, Pattern::Uniform, 0.9, 70)),
        created
    );
    let load = OfferedLoad::new(0.9).unwrap();
    let nodes = Nodes::new(24).unwrap();
    let other = Injection::new(nodes, Pattern::Uniform, load, 70, 12).unwrap();
    assert_ne!(until(2000, other), created);
}

#[test]
fn a_node_sends_the_same_whatever_the_others_are_and_at_the_same_time_whatever_the_pattern() {
    let of_node = |nodes, pattern| -> Vec<Created> {
        let created = until(5000, injection(nodes, pattern, 0.5, 65)).into_iter();
        created.filter(|one| one.source == 3).collect()
    };
    let alone = of_node(4, Pattern::Identity);
    assert!(alone.len() > 20);
    assert_eq!(of_node(24, Pattern::Identity), alone);
    let without_destination = |messages: Vec<Created>| -> Vec<_> {
        let messages = messages.into_iter();
        messages.map(|one| (one.bit_time, one.payload)).collect()
    };
    let alone = without_destination(alone);
    for pattern in [Pattern::Uniform, Pattern::Randperm, Pattern::Tornado] {
        assert_eq!(without_destination(of_node(24, pattern)), alone);
    }
}

#[test]
fn every_random_number_of_a_node_is_used_once_and_in_order() {
    for message_bits in [1, 64, 65, 200] {
        let mut injection = injection(24, Pattern::Uniform, 0.5, message_bits);
        for source in [0, 1, 23] {
            let mut stream = generator(11, Purpose::Injection);
            stream.set_stream(256 * source as u64 + 4);
            let mut created = injection.clone().filter(|one| one.source == source);
            let mut bit_time = 0;
            for _ in 0..100 {
                injection.random = stream.clone();
                bit_time += injection.silence(source).unwrap();
                let destination = injection.destination(source);
                let payload = injection.payload();
                stream = injection.random.clone();
                let expected = Created {
                    bit_time,
                    source,
                    destination,
                    payload,
                    reply_to: None,
                };
                assert_eq!(created.next(), Some(expected));
                bit_time += 1;
            }
        }
    }
}

#[test]
fn no_two_messages_share_random_numbers() {
    let mut payloads: Vec<_> = injection(24, Pattern::Uniform, 1.0, 64)
        .take(20_000)
        .map(|created| created.payload)
        .collect();
    let ones: usize = payloads.iter().map(|payload| payload.count_ones()).sum();
    assert!(is_likely(ones, 64.0 * 20_000.0, 0.5));
    payloads.sort();
    assert!(payloads.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn a_permutation_stays_for_the_whole_run() {
    for pattern in [Pattern::Randperm, Pattern::Tornado, Pattern::Packed] {
        let nodes = Nodes::new(24).unwrap();
        let senders: Vec<usize> = (0..24).collect();
        let messages = pattern.messages(nodes, &senders, 11).unwrap();
        let created = until(500, injection(24, pattern, 0.5, 4));
        assert!(created.len() > 24);
        for one in created {
            assert_eq!(one.destination, messages[one.source].destination);
        }
    }
    let cube = Dimensions::new(3).unwrap();
    let load = OfferedLoad::new(1.0).unwrap();
    let mut bitcomp = Injection::new(cube, Pattern::Bitcomp, load, 4, 11).unwrap();
    assert!(
        bitcomp
            .by_ref()
            .take(100)
            .all(|one| one.destination == 7 - one.source)
    );
}

#[test]
fn uniform_reaches_all_nodes_from_all_nodes_alike() {
    let mut between = vec![0; 24 * 24];
    let amount = 24 * 24 * 100;
    for one in injection(24, Pattern::Uniform, 1.0, 1).take(amount) {
        between[one.source * 24 + one.destination] += 1;
    }
    for count in between {
        assert!(is_likely(count, amount as f64 / 24.0, 1.0 / 24.0));
    }
}

#[test]
fn next_to_no_load_is_next_to_no_work_and_ends_with_the_bit_times() {
    let times: Vec<u64> = injection(2, Pattern::Identity, 1e-18, 1)
        .map(|created| created.bit_time)
        .collect();
    assert!(is_likely(times.len(), 2.0 * u64::MAX as f64, 1e-18));
    assert!(times.is_sorted());
    assert_eq!(
        injection(2, Pattern::Identity, f64::MIN_POSITIVE, 1 << 16).next(),
        None
    );
}

#[test]
fn hot_spots_get_their_share_of_every_nodes_messages() {
    let nodes = Nodes::new(24).unwrap();
    let spots = HotSpots::new(nodes, vec![5, 20], 0.4).unwrap();
    let load = OfferedLoad::new(0.5).unwrap();
    let hot = Injection::new(nodes, spots, load, 4, 11).unwrap();
    let created: Vec<_> = hot.take(50_000).collect();
    for node in [0, 5, 20, 23] {
        let share = 0.6 / 24.0 + if node % 15 == 5 { 0.2 } else { 0.0 };
        let to_it = created.iter().filter(|one| one.destination == node).count();
        assert!(is_likely(to_it, 50_000.0, share), "{node}: {to_it}");
    }
    // Nothing but the destination differs from uniform traffic.
    let uniform = injection(24, Pattern::Uniform, 0.5, 4);
    for (hot, uniform) in created.into_iter().zip(uniform) {
        let same = (uniform.bit_time, uniform.source, uniform.payload);
        assert_eq!((hot.bit_time, hot.source, hot.payload), same);
    }
}

fn with_replies(nodes: usize, reply_bits: usize) -> Injection {
    let sources = Sources {
        load: OfferedLoad::new(0.5).unwrap(),
        message_bits: 10,
        bursts: None,
        reply_bits: Some(reply_bits),
    };
    Injection::of(Nodes::new(nodes).unwrap(), Pattern::Uniform, sources, 11).unwrap()
}

#[test]
fn a_request_that_has_arrived_is_answered_once_in_the_next_bit_time() {
    let mut injection = with_replies(4, 70);
    let request = injection.next().unwrap();
    let at = request.bit_time + 1;
    assert_eq!(request.reply_to, None);
    assert!(injection.arrived(0, at - 1), "the first one");
    assert!(!injection.arrived(0, at - 1), "and no more");
    let requests: Vec<Created> = std::iter::from_fn(|| injection.next_by(at - 1)).collect();
    assert!(requests.iter().all(|one| one.reply_to.is_none()));
    let mut replies: Vec<Created> = std::iter::from_fn(|| injection.next_by(at)).collect();
    let replies_at = replies
        .iter()
        .position(|one| one.reply_to.is_some())
        .unwrap();
    replies.retain(|one| one.reply_to.is_some());
    let [reply] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!((reply.reply_to, reply.bit_time), (Some(0), at));
    assert_eq!(
        (reply.source, reply.destination),
        (request.destination, request.source)
    );
    assert_eq!(reply.payload.len(), 70);
    // Neither a second time, nor what is a reply or was never handed out.
    let handed_out = 1 + requests.len() + replies_at;
    assert!(!injection.arrived(0, at + 1));
    assert!(!injection.arrived(handed_out, at + 1));
    assert!(!injection.arrived(1 << 20, at));
}

#[test]
fn requests_are_the_same_with_replies_and_without_and_replies_whichever_comes_first() {
    let requests = until(3000, injection(24, Pattern::Uniform, 0.5, 10));
    let mut forwards = with_replies(24, 64);
    let all: Vec<Created> = forwards.by_ref().take(requests.len()).collect();
    assert_eq!(all, requests);
    let mut backwards = forwards.clone();
    for (one, two) in (0..200).zip((0..200).rev()) {
        assert!(forwards.arrived(one, 5000) && backwards.arrived(two, 5000));
    }
    let replies = |injection: Injection| -> Vec<Created> {
        let mut replies = until(5002, injection);
        replies.retain(|one| one.reply_to.is_some());
        replies
    };
    let replies = [replies(forwards), replies(backwards)];
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[0].len(), 200);
    assert!(replies[0].is_sorted_by_key(|one| (one.source, one.reply_to)));
    let mut payloads: Vec<_> = replies[0].iter().map(|one| &one.payload).collect();
    payloads.extend(requests.iter().map(|one| &one.payload));
    payloads.sort();
    let alike = payloads.windows(2).filter(|pair| pair[0] == pair[1]);
    assert!(
        alike.clone().all(|pair| pair[0].len() == 10),
        "{}",
        alike.count()
    );
}

#[test]
fn without_replies_nothing_answers() {
    let mut injection = injection(4, Pattern::Uniform, 0.5, 10);
    let first = injection.next().unwrap();
    assert!(!injection.arrived(0, first.bit_time));
    assert!(injection.take(100).all(|one| one.reply_to.is_none()));
}

#[test]
fn what_cannot_be_injected_is_refused() {
    for load in [0.0, -0.5, 1.0001, f64::NAN, f64::INFINITY] {
        let error = OfferedLoad::new(load).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "an offered load of {load} is out of range: it is the message bits that a node creates in \
                 a bit time, on average, more than 0 and at most 1"
            )
        );
    }
    let load = OfferedLoad::new(1.0).unwrap();
    let new = |count, pattern, message_bits| {
        let nodes = Nodes::new(count).unwrap();
        Injection::new(nodes, pattern, load, message_bits, 1).map(|_| ())
    };
    assert_eq!(new(24, Pattern::Randperm, 8), Ok(()));
    assert_eq!(
        new(24, Pattern::Bitrev, 8),
        Err(no_address_bits("bitrev", Nodes::new(24).unwrap()))
    );
    for bits in [0, (1 << 16) + 1] {
        let limit = 1 << 16;
        assert_eq!(
            new(24, Pattern::Uniform, bits),
            Err(Error::PayloadBits { bits, limit })
        );
    }
}
