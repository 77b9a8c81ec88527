//! That what no reader may do is found, and told.

mod files;
mod models;

use super::*;

fn corpus() -> Corpus {
    let files = ["dims,17\nload,0.5\n", "seed,3\n"].map(|text| text.as_bytes().to_vec());
    Corpus::new("of a test", (files.to_vec(), Vec::new()), 1)
}

fn found(limits: Limits, read: fn(&[u8])) -> Option<Found> {
    fuzz_with(&corpus(), 20_000, (limits, read))
}

#[test]
fn a_panic_is_found_and_what_panics_is_short() {
    // Of both files, and of a number that neither has.
    let found = found(LIMITS, |input| {
        let has = |part: &[u8]| input.windows(part.len()).any(|at| at == part);
        if has(b"load") && has(b"seed") && has(b"65536") {
            // A panic of which nobody is told.
            std::panic::resume_unwind(Box::new(()));
        }
    });
    let found = found.unwrap();
    assert_eq!(found.does, "a panic");
    assert_eq!(
        found.input.len(),
        "loadseed65536".len(),
        "{:?}",
        String::from_utf8_lossy(&found.input)
    );
}

#[test]
fn a_hang_is_found_with_its_input() {
    let hasty = Limits {
        time: Duration::from_millis(50),
        ..LIMITS
    };
    let found = found(hasty, |input| {
        if input.starts_with(b"seed,3\n\n") {
            std::thread::sleep(Duration::from_secs(3));
        }
    });
    let found = found.unwrap();
    assert_eq!(found.does, "a hang");
    assert!(found.input.starts_with(b"seed,3\n\n"));
}

#[test]
fn memory_that_is_filled_is_found() {
    let scarce = Limits {
        memory: 1 << 26,
        ..LIMITS
    };
    let found = found(scarce, |input| {
        if input.contains(&0) {
            let much = vec![1_u8; 1 << 28];
            assert!(std::hint::black_box(&much)[1 << 20] == 1);
        }
    });
    assert!(found.unwrap().does.starts_with("memory"));
}

#[test]
fn inputs_follow_from_the_seed_and_hold_all_that_is_to_happen() {
    let inputs = |seed| {
        let file = b"dims = 17
load = 0.5
"
        .to_vec();
        let corpus = Corpus::new("of a test", (vec![file], Vec::new()), seed);
        (0..20_000).map(move |number| corpus.input(number))
    };
    assert!(inputs(1).eq(inputs(1)) && !inputs(1).eq(inputs(2)));
    let all: Vec<Vec<u8>> = inputs(1).collect();
    assert_eq!(all[0], b"dims = 17\nload = 0.5\n");
    let has = |is_one: &dyn Fn(&[u8]) -> bool| assert!(all.iter().any(|input| is_one(input)));
    let within =
        |part: &'static [u8]| move |input: &[u8]| input.windows(part.len()).any(|at| at == part);
    for part in [
        &b"18446744073709551616"[..],
        b"\0",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"load = load",
        b"dims = 17\ndims = 17",
    ] {
        has(&within(part));
    }
    has(&|input| std::str::from_utf8(input).is_err());
    has(&|input| input.len() > 5000);
    has(&|input| input == b"dims = 17\nlo");
    has(&<[u8]>::is_empty);
}

#[test]
fn every_reader_has_a_corpus_and_a_share_of_all_inputs() {
    let entries = fs::read_dir(folder()).unwrap();
    let mut folders: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    assert_eq!(folders, READERS.map(|(name, _)| name));
    assert_eq!(READERS.iter().map(|(_, share)| share).sum::<u64>(), SHARES);
}
