use std::io::Write;

use super::*;
use crate::families::collectives::parameters::{BINS, COUNTS};
use crate::families::collectives::testbench::HISTOGRAM;
use crate::testbench::bench::asked;
use crate::testbench::chosen::{Form, Given};

fn chosen(words: &str) -> Chosen {
    asked(&HISTOGRAM, &format!("--dims 1 --bins 4 {words}"))
}

fn read_text(text: &str) -> Result<Samples, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    let samples = Samples::read(&chosen(""), file.path());
    samples.map_err(|error| error.to_string().replace(&name, "FILE"))
}

#[test]
fn samples_are_counted_where_they_belong() {
    let samples = read_text("node,value\n0,3\n1,3\n0,0\n0,3\n1,2\n").unwrap();
    assert_eq!((samples.word_bits, samples.amount()), (3, 5));
    // As many samples as are drawn do not fit into 3 bits.
    assert!(Job::new(&chosen("--word-bits 3")).is_err());
    let job = Job::new(&chosen("--word-bits 3 --samples 3")).unwrap();
    let due = samples.due(&job).unwrap();
    assert_eq!(samples.counts(&job, &due), [1, 0, 1, 3]);
    let sent = samples.sent(&job);
    let of = |node: usize, other: usize| sent.word(job.ends.sent(node, other))[0];
    assert_eq!(
        [of(0, 0), of(0, 1), of(1, 0), of(1, 1)],
        [1, 2 << 3, 0, 1 | 1 << 3]
    );
    assert!(samples.checks(&job, &due)[0].passed);
    let mut wrong = due.clone();
    wrong.set_bit(1, 3, false);
    assert!(!samples.checks(&job, &wrong)[0].passed);
}

#[test]
fn what_cannot_be_is_refused() {
    for (text, refusal) in [
        (
            "node,value\n0,4\n",
            "FILE, line 2, column 2 (value): there is no bin `4`: they are 0 to 3, decimal",
        ),
        (
            "node,value\n0,1\n2,1\n",
            "FILE, line 3, column 1 (node): there is no node `2`: they are 0 to 1",
        ),
    ] {
        assert_eq!(read_text(text).err().unwrap(), refusal);
    }
    let narrow = chosen("--samples 100").with(&COUNTS, Given::Whole(Form::number(2)));
    let told = Samples::drawn(&narrow).err().unwrap().to_string();
    assert!(told.ends_with("choose 8 to 32"), "{told}");
    let none = Chosen::of(&HISTOGRAM).with(&BINS, Given::Whole(Form::number(0)));
    assert!(none.check().is_err());
}
