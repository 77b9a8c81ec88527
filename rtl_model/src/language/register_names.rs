//! Register bits by name, in the order in which [`Registers`](crate::language::register::Registers) shows them.

use crate::language::bit::Bit;
use crate::language::register::{Name, Visitor};

/// The name of a register bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitName {
    /// The part of the module that it is in: the outermost module in it, or the register itself.
    pub part: String,
    /// The names of modules and register with dots between, and the number of the bit: `packing.dim_1.crossing[0]`.
    pub whole: String,
}

/// The name of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterName {
    /// The part of the module that it is in.
    pub part: String,
    /// The names of modules and register with dots between.
    pub whole: String,
    /// Its bits.
    pub width: usize,
}

impl RegisterName {
    /// Its bits, the least significant first.
    pub fn bits(&self) -> impl Iterator<Item = BitName> {
        (0..self.width).map(|bit| BitName {
            part: self.part.clone(),
            whole: format!("{}[{bit}]", self.whole),
        })
    }
}

/// Takes down the names of the registers of a module.
#[derive(Debug, Default)]
pub struct RegisterNames {
    path: Vec<String>,
    /// What it has taken down.
    pub all: Vec<RegisterName>,
}

impl RegisterNames {
    /// The bits of all of them.
    pub fn bits(&self) -> Vec<BitName> {
        self.all.iter().flat_map(RegisterName::bits).collect()
    }
}

impl<B: Bit> Visitor<B> for RegisterNames {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r B) {
        // The first name is that of the module itself.
        let modules = self.path.get(1..).unwrap_or_default();
        let path = [modules, &[name.to_string()]].concat();
        self.all.push(RegisterName {
            part: path[0].clone(),
            whole: path.join("."),
            width,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::register::Registers;
    use crate::registers;

    struct Pair<B: Bit> {
        first: B,
        second: B,
    }
    registers!(Pair { first, second });

    struct Node<B: Bit> {
        pair: Pair<B>,
        flag: B,
    }
    registers!(Node { pair, flag });

    #[test]
    fn a_bit_is_named_by_the_modules_that_it_is_in() {
        let pair = Pair {
            first: true,
            second: false,
        };
        let mut names = RegisterNames::default();
        Node { pair, flag: false }.visit(Name::Field("node"), &mut names);
        let bits = names.bits();
        let bits = bits.iter().map(|one| (&*one.part, &*one.whole));
        assert_eq!(
            Vec::from_iter(bits),
            [
                ("pair", "pair.first[0]"),
                ("pair", "pair.second[0]"),
                ("flag", "flag[0]")
            ]
        );
        let mut alone = RegisterNames::default();
        true.visit(Name::Field("ready"), &mut alone);
        assert_eq!(alone.bits()[0].whole, "ready[0]");
    }
}
