//! What the sequencer broadcasts, named once.
//!
//! A broadcast is a struct whose fields are strobes, bundles of them ([`crate::lines::Lines`]) and
//! broadcasts of parts; [`strobes!`] lists them. Whoever needs the lines one by one walks that list.
//!
//! [`strobes!`]: macro@crate::strobes

use crate::bit::Strobe;

/// Called with the name of a strobe or bundle, the number of the line where it is a bundle, and the
/// line.
pub type LineVisitor<'a, S> = dyn FnMut(&str, Option<usize>, &mut S) + 'a;

/// A strobe, or a broadcast made of strobes.
pub trait Strobes<S: Strobe> {
    /// Nothing under way: all 0.
    fn idle() -> Self;

    /// Hands out every line that may be 1, in a fixed order, for reading or replacing. Names inside
    /// a broadcast begin with the part's: `packer_decide`.
    fn visit_mut(&mut self, name: &str, visitor: &mut LineVisitor<'_, S>);
}

impl<S: Strobe> Strobes<S> for S {
    fn idle() -> Self {
        S::ZERO
    }

    fn visit_mut(&mut self, name: &str, visitor: &mut LineVisitor<'_, S>) {
        visitor(name, None, self);
    }
}

/// The name of a field inside a broadcast called `outer`, which may have no name.
pub fn name_inside(outer: &str, field: &str) -> String {
    match outer {
        "" => field.to_owned(),
        outer => format!("{outer}_{field}"),
    }
}

/// Lists the strobes of a broadcast, in order: `strobes!(PackingStrobes { packer, shift, fill })`.
#[macro_export]
macro_rules! strobes {
    ($broadcast:ident { $($field:ident),+ $(,)? }) => {
        impl<S: $crate::bit::Strobe> $crate::strobes::Strobes<S> for $broadcast<S> {
            fn idle() -> Self {
                $broadcast { $($field: $crate::strobes::Strobes::idle()),+ }
            }

            fn visit_mut(
                &mut self,
                name: &str,
                visitor: &mut $crate::strobes::LineVisitor<'_, S>,
            ) {
                $($crate::strobes::Strobes::visit_mut(
                    &mut self.$field,
                    &$crate::strobes::name_inside(name, stringify!($field)),
                    visitor,
                );)+
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;

    struct Inner<S> {
        taps: Lines<S>,
    }
    strobes!(Inner { taps });

    struct Outer<S> {
        shift: S,
        inner: Inner<S>,
    }
    strobes!(Outer { shift, inner });

    #[test]
    fn every_line_is_listed_once_under_its_part() {
        let mut strobes = Outer::<bool>::idle();
        strobes.inner.taps.drive(true, 2..5, |_| true);
        let mut listed = Vec::new();
        strobes.visit_mut("", &mut |name, number, line| {
            listed.push((name.to_owned(), number, *line));
            *line = !*line;
        });
        let taps = |number| ("inner_taps".to_owned(), Some(number), true);
        assert_eq!(
            listed,
            [("shift".to_owned(), None, false), taps(2), taps(3), taps(4)]
        );
        assert!(strobes.shift && !strobes.inner.taps.line(3));
    }
}
