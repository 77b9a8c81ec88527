//! What is refused, as a value ([`Refusal`]), and refusals that several places make alike.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::error::{Error, shown_path};

pub use rtl_model::error::refusal::Refusal;

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refusal(refusal)
    }
}

/// A number that is given for an option.
pub fn out_of_range<T: Display>(option: &str, number: T, range: RangeInclusive<T>) -> Refusal {
    let (least, most) = range.into_inner();
    Refusal::of(option)
        .because(format!("{number} is out of range"))
        .instead(format!("choose {least} to {most}"))
}

/// An option that means nothing to a testbench.
pub fn takes_no(bench: &str, option: &str, why: impl Display) -> Error {
    let what = format!("testbench {bench} takes no {option}");
    Refusal::of(what).because(why).into()
}

/// What an algorithm does not do, though others may: a sweep over them goes without it.
pub fn not_by(algorithm: &'static str, why: impl Display) -> Error {
    let refusal = Refusal::of(algorithm).because(why);
    refusal.only_together(algorithm).into()
}

/// A file that is not written.
pub fn cannot_write(path: &Path) -> Refusal {
    Refusal::of(format!("cannot write {}", shown_path(path)))
}

/// A file or folder that the system does not write.
pub fn unwritable(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
    let refusal = cannot_write(path);
    move |reason| refusal.clone().because(reason).into()
}

/// A file that the system does not read.
pub fn unreadable(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
    let what = format!("cannot read {}", shown_path(path));
    move |reason| Refusal::of(&what).because(reason).into()
}

/// A report, or whatever else is printed, that could not be.
pub fn unprintable(reason: impl Display) -> Error {
    Refusal::of("cannot print the report")
        .because(reason)
        .into()
}
