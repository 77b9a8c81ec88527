use std::io::Write;

use rtl_model::routers::collectives::algorithms::Operation;

use super::*;
use crate::families::collectives::stimulus::job;

fn setup() -> Setup {
    Setup {
        dims: Some(1),
        bins: Some(4),
        ..Setup::of(Operation::Histogram)
    }
}

fn read_text(text: &str, setup: &Setup) -> Result<Samples, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    Samples::read(setup, file.path()).map_err(|error| error.to_string().replace(&name, "FILE"))
}

#[test]
fn samples_are_counted_where_they_belong() {
    let text = "node,value\n0,3\n1,3\n0,0\n0,3\n1,2\n";
    let samples = read_text(text, &setup()).unwrap();
    assert_eq!((samples.word_bits, samples.amount()), (3, 5));
    let with_bits = Setup {
        word_bits: Some(3),
        ..setup()
    };
    // As many samples as are drawn do not fit into 3 bits.
    assert!(job(&with_bits).is_err());
    let few = Setup {
        samples: Some(3),
        ..with_bits
    };
    let job = job(&few).unwrap();
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
            "FILE, line 2: column 2: there is no bin `4`: they are 0 to 3, decimal",
        ),
        (
            "node,value\n0,1\n2,1\n",
            "FILE, line 3: column 1: there is no node `2`: they are 0 to 1",
        ),
    ] {
        assert_eq!(read_text(text, &setup()).err().unwrap(), refusal);
    }
    let narrow = Setup {
        word_bits: Some(2),
        samples: Some(100),
        ..setup()
    };
    let told = Samples::drawn(&narrow).err().unwrap().to_string();
    assert!(told.ends_with("choose 8 to 32"), "{told}");
    let none = Setup {
        bins: Some(0),
        ..setup()
    };
    assert!(Samples::drawn(&none).is_err());
}
