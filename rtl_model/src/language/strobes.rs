//! What the sequencer broadcasts, named once.
//!
//! A broadcast is a struct whose fields are strobes, bundles of them
//! ([`crate::language::lines::Lines`]) and broadcasts of parts. [`strobes!`] defines it, and lists
//! its lines for whoever needs them one by one, each with its name and its documentation.
//!
//! [`strobes!`]: macro@crate::strobes

use crate::language::bit::Strobe;

/// What a strobe or a bundle of them is called, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// Inside a broadcast it begins with the part's: `packer_decide`.
    pub name: &'a str,
    /// The field's documentation.
    pub note: &'static str,
}

impl Label<'_> {
    /// Of a whole broadcast, which has no name.
    pub const BROADCAST: Label<'static> = Label { name: "", note: "" };

    /// The name of a field inside what this labels.
    pub fn inside(self, field: &str) -> String {
        match self.name {
            "" => field.to_owned(),
            name => format!("{name}_{field}"),
        }
    }
}

/// Called with the label of a strobe or bundle, the number of the line where it is a bundle, and
/// the line.
pub type LineVisitor<'a, S> = dyn FnMut(Label<'_>, Option<usize>, &mut S) + 'a;

/// A strobe, or a broadcast made of strobes.
pub trait Strobes<S: Strobe> {
    /// Nothing under way: all 0.
    fn idle() -> Self;

    /// Hands out every line that may be 1, in a fixed order, for reading or replacing.
    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>);
}

impl<S: Strobe> Strobes<S> for S {
    fn idle() -> Self {
        S::ZERO
    }

    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>) {
        visitor(label, None, self);
    }
}

/// Defines a broadcast. Every field needs documentation: it is what the line is for, in Verilog
/// too.
#[macro_export]
macro_rules! strobes {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $broadcast:ident<$strobe:ident> {
            $($(#[doc = $note:literal])+ $field_visibility:vis $field:ident: $kind:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $broadcast<$strobe: $crate::language::bit::Strobe> {
            $($(#[doc = $note])+ $field_visibility $field: $kind),+
        }

        impl<$strobe: $crate::language::bit::Strobe> $crate::language::strobes::Strobes<$strobe>
            for $broadcast<$strobe>
        {
            fn idle() -> Self {
                $broadcast { $($field: $crate::language::strobes::Strobes::idle()),+ }
            }

            fn visit_mut(
                &mut self,
                label: $crate::language::strobes::Label<'_>,
                visitor: &mut $crate::language::strobes::LineVisitor<'_, $strobe>,
            ) {
                $($crate::language::strobes::Strobes::visit_mut(
                    &mut self.$field,
                    $crate::language::strobes::Label {
                        name: &label.inside(stringify!($field)),
                        note: concat!($($note),+).trim_ascii(),
                    },
                    visitor,
                );)+
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lines::Lines;

    strobes! {
        struct Inner<S> {
            /// Where it
            /// enters.
            taps: Lines<S>,
        }
    }

    strobes! {
        struct Outer<S> {
            /// All move on.
            shift: S,
            /// The part's.
            inner: Inner<S>,
        }
    }

    #[test]
    fn every_line_is_listed_once_under_its_part() {
        let mut strobes = Outer::<bool>::idle();
        strobes.inner.taps.drive(true, 2..5, |_| true);
        let mut listed = Vec::new();
        strobes.visit_mut(Label::BROADCAST, &mut |label, number, line| {
            listed.push((label.name.to_owned(), label.note, number, *line));
            *line = !*line;
        });
        let taps = |number| {
            (
                "inner_taps".to_owned(),
                "Where it enters.",
                Some(number),
                true,
            )
        };
        assert_eq!(
            listed,
            [
                ("shift".to_owned(), "All move on.", None, false),
                taps(2),
                taps(3),
                taps(4)
            ]
        );
        assert!(strobes.shift && !strobes.inner.taps.line(3));
    }
}
