//! Registers, named once.
//!
//! A module is a struct whose fields are its registers and its sub-modules; [`registers!`] lists
//! them in order. Everything that needs to know what a node stores walks that one list: the storage
//! count ([`crate::machine::meter`]), the waveforms, the comparison of two simulations. None of
//! them can disagree with what runs.
//!
//! [`registers!`]: crate::registers

use std::fmt;

use crate::language::bit::Bit;

/// What a register or module is called inside the module that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A field of the enclosing struct.
    Field(&'static str),
    /// The one of several like modules that serves this dimension of the cube.
    Dimension(usize),
    /// One of several like modules, by what they are and its number.
    Numbered(&'static str, usize),
    /// A part of one of several like modules, by what both are and their numbers.
    Part(&'static str, usize, &'static str, usize),
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Field(field) => formatter.write_str(field),
            Name::Dimension(dimension) => write!(formatter, "dim_{dimension}"),
            Name::Numbered(kind, number) => write!(formatter, "{kind}_{number}"),
            Name::Part(kind, number, part, place) => {
                write!(formatter, "{kind}_{number}_{part}_{place}")
            }
        }
    }
}

/// Is told every register of a module, in order.
pub trait Visitor<B: Bit> {
    /// Whether the module that comes next is passed by: nothing of it is shown. Only who knows how many registers and modules are in
    /// it can say so.
    fn passes_by(&mut self) -> bool {
        false
    }

    /// A module `name` of the given kind (the name of its struct) begins.
    fn enter(&mut self, name: Name, kind: &'static str) {
        let _ = (name, kind);
    }

    /// The innermost module ends.
    fn leave(&mut self) {}

    /// What the field that comes next is for; nothing where the description does not say.
    fn note(&mut self, note: &'static str) {
        let _ = note;
    }

    /// A register of `width` bits; `bit(0)` is its least significant bit. (Shown, not copied: one may be that of 512 nodes.)
    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B);
}

/// A register, or a module made of registers.
pub trait Registers<B: Bit> {
    /// Shows every register to `visitor`, in a fixed order, under this name.
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>);

    /// Hands out every register bit, in the same order, for writing: to flip one on purpose, or to
    /// replace them all.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B));

    /// Hands out what the simulation remembers of a module for measurement alone: no registers, the
    /// hardware forgets it.
    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        let _ = visitor;
    }
}

impl<B: Bit> Registers<B> for B {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.register(name, 1, &|_| self);
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        visitor(self);
    }
}

/// A part that some places of a machine have and others lack.
impl<B: Bit, R: Registers<B>> Registers<B> for Option<R> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        if let Some(registers) = self {
            registers.visit(name, visitor);
        }
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        if let Some(registers) = self {
            registers.visit_mut(visitor);
        }
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        if let Some(registers) = self {
            registers.visit_witnesses(visitor);
        }
    }
}

/// Lists the registers and sub-modules of a module, in order: `registers!(SerialAdder { carry })`.
/// A field may say what it is for, where that is not plain from its name and kind:
/// `registers!(Node { exchange: "step 1" })`. A module that remembers more than its registers, for
/// measurement, says so behind them: `registers!(Stage { carry; witness })`.
#[macro_export]
macro_rules! registers {
    ($module:ident { $($field:ident $(: $note:literal)?),+ $(,)? $(; $witness:ident)? }) => {
        impl<B: $crate::language::bit::Bit> $crate::language::register::Registers<B> for $module<B> {
            fn visit(
                &self,
                name: $crate::language::register::Name,
                visitor: &mut dyn $crate::language::register::Visitor<B>,
            ) {
                if visitor.passes_by() {
                    return;
                }
                visitor.enter(name, stringify!($module));
                $(
                    visitor.note(concat!($($note)?));
                    $crate::language::register::Registers::visit(
                        &self.$field,
                        $crate::language::register::Name::Field(stringify!($field)),
                        visitor,
                    );
                )+
                visitor.leave();
            }

            #[inline]
            fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
                $($crate::language::register::Registers::visit_mut(&mut self.$field, visitor);)+
            }

            fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
                $($crate::language::register::Registers::visit_witnesses(&mut self.$field, visitor);)+
                $(self.$witness.visit(visitor);)?
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Inner<B: Bit> {
        flag: B,
        spare: Option<B>,
    }
    registers!(Inner { flag, spare });

    struct Outer<B: Bit> {
        inner: Inner<B>,
        ready: B,
    }
    registers!(Outer {
        inner: "what it is for",
        ready
    });

    #[derive(Default)]
    struct Listing {
        path: Vec<String>,
        lines: Vec<String>,
    }

    impl Visitor<bool> for Listing {
        fn enter(&mut self, name: Name, kind: &'static str) {
            self.path.push(format!("{name}:{kind}"));
        }
        fn leave(&mut self) {
            self.path.pop();
        }
        fn note(&mut self, note: &'static str) {
            if !note.is_empty() {
                self.lines.push(note.to_owned());
            }
        }
        fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
            self.lines.push(format!(
                "{}/{name}[{width}]={}",
                self.path.join("/"),
                bit(0)
            ));
        }
    }

    #[test]
    fn every_register_is_listed_once_and_in_order() {
        let mut outer = Outer {
            inner: Inner {
                flag: true,
                spare: None,
            },
            ready: false,
        };
        let mut listing = Listing::default();
        outer.visit(Name::Dimension(3), &mut listing);
        assert_eq!(
            listing.lines,
            [
                "what it is for",
                "dim_3:Outer/inner:Inner/flag[1]=true",
                "dim_3:Outer/ready[1]=false"
            ]
        );

        outer.inner.spare = Some(false);
        outer.visit_mut(&mut |bit| *bit = !*bit);
        assert!(!outer.inner.flag && outer.inner.spare == Some(true) && outer.ready);
    }
}
