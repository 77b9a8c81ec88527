//! Journals that somebody has changed: with checksums that are wrong for it, and with such as are right.

use super::{NAMES, identity, of_two_rows};
use crate::fuzz::{Desk, fuzz_from};
use crate::measure::journal::*;

/// Lines with checksums that fit.
fn resealed(text: &str) -> String {
    let sweep = identity("numbers").sweep;
    let lines = text.lines().enumerate().map(|(index, line)| {
        let object = line.split_once(CHECKSUM).map_or(line, |(begin, _)| begin);
        let sweep = if index == 0 { "" } else { &sweep };
        with_checksum(object.to_owned(), sweep).unwrap()
    });
    lines.collect()
}

#[test]
fn journals() {
    let desk = Desk::new();
    let (_, _, text) = of_two_rows();
    fuzz_from("journals", &[text], move |text| {
        let sealed = resealed(&String::from_utf8_lossy(text));
        for text in [text, sealed.as_bytes()] {
            let path = desk.put("rows.jsonl", text);
            let names = NAMES.map(str::to_owned);
            let sweep = (identity("numbers"), &names[..]);
            let looked = Planned::look(&path, &mut Staging::default(), sweep);
            match looked.and_then(Planned::begin) {
                Ok((_, rows)) => assert!(rows.len() <= NAMES.len()),
                // What is refused is left as it was.
                Err(_) => assert_eq!(std::fs::read(&path).unwrap(), text),
            }
            desk.has_only(&["rows.jsonl"]);
        }
    });
}
