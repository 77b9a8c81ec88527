//! One file on several ranks: what they come to together.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::file::{read_part, read_traffic};
use rtl_model::traffic::{ByNode, Traffic};

use super::*;
use rtl_model::machine::share::threads::on_threads;

const NAME: &str = "mine.csv";

fn cube() -> Dimensions {
    Dimensions::new(3).unwrap()
}

/// What each of some ranks gives, of which each reads what is for it.
fn read<R: Read>(ranks: usize, input: impl Fn(usize) -> R + Sync) -> Vec<Result<usize, Error>> {
    on_threads(ranks, |rank| {
        let share = rank.share();
        read_together(&rank, Path::new(NAME), input(share.rank()), |input| {
            let part = read_part(NAME, input, (cube(), share), 6, 1)?;
            Ok(part.messages())
        })
    })
    .unwrap()
}

/// What the first says, where all fail.
fn said(outcomes: Vec<Result<usize, Error>>) -> String {
    let errors: Vec<Error> = outcomes.into_iter().map(Result::unwrap_err).collect();
    errors[0].to_string()
}

fn alone(text: &str) -> Result<Traffic, ModelError> {
    read_traffic(NAME, text.as_bytes(), &cube(), 6, 1)
}

#[test]
fn ranks_come_to_what_one_process_comes_to() {
    for text in [
        "source,destination\n",
        "source,destination\n5,0\n1,2\n7,7\n",
        "source,destination,payload\n5,0,2f\n1,2,\n",
    ] {
        let messages = alone(text).unwrap().messages().len();
        for ranks in [1, 2, 4, 8] {
            for outcome in read(ranks, |_| text.as_bytes()) {
                assert_eq!(outcome.unwrap(), messages);
            }
        }
    }
}

/// Whichever rank has the nodes of a mistake, and whatever others find further down.
#[test]
fn the_first_says_what_is_wrong_as_one_process_does() {
    let mut texts = vec![
        "".to_owned(),
        "source,destination\n1,2\n3\n".to_owned(),
        "source,destination,payload\n1,2,7f\n".to_owned(),
        "destination,source\n2,1\n3,4\n3,1\n".to_owned(),
    ];
    for node in 0..8 {
        let other = (node + 3) % 8;
        let last = format!("{},{node}\n{other},1\n{},{node}\n", node ^ 1, node ^ 4);
        texts.push(format!(
            "source,destination\n{node},{other}\n{node},{node}\n{last}"
        ));
        texts.push(format!("source,destination\n{other},{node}\n{last}"));
    }
    for text in texts {
        let expected = alone(&text).unwrap_err().to_string();
        for ranks in [1, 2, 4, 8] {
            let found = said(read(ranks, |_| text.as_bytes()));
            assert_eq!(found, expected, "{text:?} on {ranks} ranks");
        }
    }
}

/// An input that breaks off, and then is at its end.
struct Breaks<'a>(&'a [u8], bool);

impl<'a> Breaks<'a> {
    fn behind(text: &'a [u8]) -> Self {
        Breaks(text, false)
    }
}

impl Read for Breaks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !std::mem::replace(&mut self.1, true) => Err(io::Error::other("the disk is gone")),
            length => Ok(length),
        }
    }
}

#[test]
fn what_one_rank_cannot_read_is_told_with_its_rank() {
    let text = b"source,destination\n5,0\n5,1\n";
    for broken in [1, 3] {
        let outcomes = read(4, |rank| -> Box<dyn Read> {
            match rank == broken {
                true => Box::new(Breaks::behind(text)),
                false => Box::new(&text[..]),
            }
        });
        let expected = format!("on rank {broken}: cannot read mine.csv: the disk is gone");
        assert_eq!(said(outcomes), expected);
    }
    let outcomes = read(4, |_| Breaks::behind(text));
    assert_eq!(said(outcomes), "cannot read mine.csv: the disk is gone");
}

/// Behind an error, farther down than is read at once.
#[test]
fn so_is_one_that_differs_where_nobody_reads_any_more() {
    let rows = |last: &str| format!("source,destination\nx,0\n{}{last}\n", "\n".repeat(1 << 15));
    let (first, other) = (rows("1,2"), rows("1,3"));
    let outcomes = read(2, |rank| [first.as_bytes(), other.as_bytes()][rank]);
    assert_eq!(
        said(outcomes),
        "on rank 1: mine.csv is not there what the first rank reads: give all ranks the same file"
    );
    let outcomes = read(2, |_| first.as_bytes());
    assert!(said(outcomes).starts_with("mine.csv, line 2, column 1: `x` is not a node number"));
}

/// Also where what differs has to do with no node of the rank, or comes behind an error.
#[test]
fn a_file_that_is_another_one_elsewhere_is_told_with_its_rank() {
    let one = "source,destination\n5,0\n1,2\n";
    for (first, other) in [
        (one, "source,destination\n5,0\n1,3\n"),
        (one, "source,destination\n5,0\n1,2\n\n"),
        (one, "source,destination\n"),
        (
            "source,destination\nx,0\n1,2\n",
            "source,destination\nx,0\n1,3\n",
        ),
    ] {
        for odd in [1, 2] {
            let outcomes = read(4, |rank| if rank == odd { other } else { first }.as_bytes());
            let expected = format!(
                "on rank {odd}: mine.csv is not there what the first rank reads: give all ranks the same file"
            );
            assert_eq!(said(outcomes), expected);
        }
    }
}

/// Of one line, a source that is there twice comes before a destination, and both before a payload.
#[test]
fn mistakes_have_an_order() {
    let place = |rows: &str| {
        let text = format!("source,destination,payload\n{rows}");
        precedence(&alone(&text).unwrap_err()).unwrap()
    };
    let mistakes = ["0,2,", "1,1,", "1,2,zz"];
    let third = mistakes.map(|row| place(&format!("0,1,\n{row}\n")));
    let fourth = mistakes.map(|row| place(&format!("0,1,\n3,3,\n{row}\n")));
    let ordered = [third, fourth].concat();
    assert!(ordered.is_sorted_by(|one, other| one < other));
    assert_eq!(precedence(&ModelError::BrokenOff), None);
}
