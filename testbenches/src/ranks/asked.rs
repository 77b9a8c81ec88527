//! What each rank was asked for. All are to be asked for the same, so they compare it before anything else.
//!
//! ```text
//!   rank 1, 2, 3, ... -- version, words of the command line --> rank 0     compares them with its own
//!                     <-- whether one differs ----------------             and says which
//! ```

use std::ffi::OsString;

use rtl_model::machine::share::Communicator;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::ranks::{packed, unpacked};
use crate::values::shown;

/// What stands between words: no word has it.
const BETWEEN: u8 = 0;

/// Of words of which the beginning is left out, so many bytes that are alike are shown.
const ALIKE: usize = 20;

/// The program's version, and the words of a command line behind the program's name.
pub(super) fn written(version: &str, words: impl IntoIterator<Item = OsString>) -> Vec<u8> {
    let mut all = version.as_bytes().to_vec();
    for word in words {
        all.push(BETWEEN);
        all.extend_from_slice(word.as_encoded_bytes());
    }
    all
}

/// Compares what all ranks were asked for; this is one of them, and all come here.
///
/// # Errors
/// If it is not the same: on the first rank [`Error::Agreed`], on the others [`Error::ReportedElsewhere`].
pub(super) fn compare(
    others: &dyn Communicator,
    (rank, ranks): (usize, usize),
    own: &[u8],
) -> Result<(), Error> {
    let mut apart = Vec::new();
    match rank {
        0 => {
            let received = (1..ranks).map(|rank| (rank, unpacked(&others.receive(rank))));
            apart.extend(received.filter(|(_, theirs)| theirs != own));
        }
        _ => others.send(0, &packed(own)),
    }
    let mut is_apart = [u64::from(!apart.is_empty())];
    others.most(&mut is_apart);
    match apart.first() {
        Some((rank, theirs)) => {
            let error = difference(*rank, (own, theirs), apart.len() - 1);
            Err(Error::Agreed(Box::new(error)))
        }
        None if is_apart == [0] => Ok(()),
        None => Err(Error::ReportedElsewhere),
    }
}

/// What a rank was asked for in another way than the first, and so many more too.
fn difference(rank: usize, (first, other): (&[u8], &[u8]), more: usize) -> Error {
    let [mut ours, mut theirs] = [first, other].map(|asked| asked.split(|byte| *byte == BETWEEN));
    let mut word = 0;
    let (first, other) = loop {
        match (ours.next(), theirs.next()) {
            (Some(first), Some(other)) if first == other => word += 1,
            apart => break apart,
        }
    };
    // Long words are alike for long: what is shown of them begins before the first difference.
    let alike = first.zip(other).map_or(0, |(first, other)| {
        first.iter().zip(other).take_while(|(a, b)| a == b).count()
    });
    let begin = alike.saturating_sub(ALIKE);
    let text = |word: &[u8]| {
        let word = String::from_utf8_lossy(&word[begin..]);
        let before = if begin > 0 { "..." } else { "" };
        before.to_owned() + &shown(&word.escape_debug().to_string())
    };
    let differs = match (first.map(text), other.map(text)) {
        (Some(first), Some(other)) if word == 0 => {
            let versions = format!("runs cubewave {other}, and the first rank cubewave {first}");
            return Refusal::of(format!("rank {rank} {versions}"))
                .instead("start the same program on all")
                .into();
        }
        (Some(first), Some(other)) => format!("has `{other}` as word {word}, and not `{first}`"),
        (Some(first), None) => format!("ends before word {word}, `{first}`"),
        (None, other) => format!("goes on with word {word}, `{}`", other.unwrap_or_default()),
    };
    let others = match more {
        0 => String::new(),
        1 => ", and 1 more rank differs".to_owned(),
        more => format!(", and {more} more ranks differ"),
    };
    Refusal::of(format!(
        "rank {rank} was asked for something else than the first rank"
    ))
    .because(format!("its command line {differs}{others}"))
    .instead("give all ranks one command line")
    .into()
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::share::threads::on_threads;

    use super::*;

    fn asked(line: &str) -> Vec<u8> {
        written("0.1.0", line.split_whitespace().map(OsString::from))
    }

    /// What four ranks say, of which each is asked for a line.
    fn said(lines: [Vec<u8>; 4]) -> [Option<String>; 4] {
        let compared = on_threads(4, |rank| {
            let number = rank.share().rank();
            compare(rank.others().unwrap(), (number, 4), &lines[number])
        });
        let said = compared
            .unwrap()
            .into_iter()
            .map(|compared| match compared {
                Ok(()) => None,
                Err(Error::ReportedElsewhere) => Some(String::new()),
                Err(error) => {
                    assert!(matches!(error, Error::Agreed(_)));
                    Some(error.to_string())
                }
            });
        said.collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn what_all_are_asked_for_alike_is_let_pass() {
        for line in ["", "run", "run kuszmaul --dims 8"] {
            assert_eq!(said([line; 4].map(asked)), [const { None }; 4]);
        }
    }

    #[test]
    fn of_long_words_what_differs_is_shown() {
        let line = |file: &str| {
            asked(&format!(
                "run --traffic-file /scratch/project/user/of/2026/{file}"
            ))
        };
        let [first, ..] = said([line("a.csv"), line("b.csv"), line("a.csv"), line("a.csv")]);
        assert_eq!(
            first.unwrap(),
            "rank 1 was asked for something else than the first rank: its command line has `...roject/user/of/2026/b.csv` as word 3, \
             and not `...roject/user/of/2026/a.csv`: give all ranks one command line"
        );
    }

    #[test]
    fn the_first_rank_says_which_word_differs_and_where() {
        let line = "run kuszmaul --dims 8";
        for (others, expected) in [
            (
                [line, "run kuszmaul --dims 9", line],
                "rank 2 was asked for something else than the first rank: its command line has `9` as word 4, and not `8`",
            ),
            (
                [
                    line,
                    "run kuszmaul --a/long/way/to/a/file/that/is/deep/down.csv --dims 8",
                    line,
                ],
                "rank 2 was asked for something else than the first rank: its command line has \
                 `--a/long/way/to/a/file/that/is/deep/down...` as word 3, and not `--dims`",
            ),
            (
                [line, line, "run kuszmaul"],
                "rank 3 was asked for something else than the first rank: its command line ends before word 3, `--dims`",
            ),
            (
                ["run kuszmaul --dims 8 --seed 2", line, "run"],
                "rank 1 was asked for something else than the first rank: its command line goes on with word 5, `--seed`, and 1 more \
                 rank differs",
            ),
            (
                ["", "list", "run kuszmaul --dims 8\u{1b}[31m"],
                "rank 1 was asked for something else than the first rank: its command line ends before word 1, `run`, and 2 more ranks \
                 differ",
            ),
        ] {
            let [one, two, three] = others;
            let said = said([line, one, two, three].map(asked));
            let expected = format!("{expected}: give all ranks one command line");
            assert_eq!(said[0].as_deref(), Some(expected.as_str()));
            assert!(said[1..].iter().all(|other| other.as_deref() == Some("")));
        }
    }

    #[test]
    fn what_differs_is_shown_without_what_a_terminal_would_do() {
        let other = written("0.1.0", ["list\u{1b}[31m".into()]);
        let said = difference(1, (&asked("list"), &other), 0).to_string();
        assert!(said.contains("has `list\\u{1b}[31m` as word 1"), "{said}");
    }

    #[test]
    fn another_version_is_refused_whatever_it_is_asked_for() {
        let [one, two] = ["0.1.0", "0.2.0"].map(|version| written(version, ["list".into()]));
        let said = said([one.clone(), one.clone(), one, two]);
        assert_eq!(
            said[0].as_deref(),
            Some(
                "rank 3 runs cubewave 0.2.0, and the first rank cubewave 0.1.0: start the same program on all"
            )
        );
    }
}
