//! Like modules side by side, each called by what they are and its number.

use std::ops::{Deref, DerefMut};

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};

/// The modules, `<kind>_0` and so on, in a module of their own.
#[derive(Clone, Debug)]
pub struct ModuleArray<M> {
    kind: &'static str,
    modules: Vec<M>,
}

impl<M> ModuleArray<M> {
    /// These.
    pub fn new(kind: &'static str, modules: impl Iterator<Item = M>) -> Self {
        ModuleArray {
            kind,
            modules: modules.collect(),
        }
    }

    /// All of them.
    pub fn modules(&mut self) -> &mut Vec<M> {
        &mut self.modules
    }
}

impl<M> Deref for ModuleArray<M> {
    type Target = [M];

    #[inline]
    fn deref(&self) -> &[M] {
        &self.modules
    }
}

impl<M> DerefMut for ModuleArray<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [M] {
        &mut self.modules
    }
}

impl<B: Bit, M: Registers<B>> Registers<B> for ModuleArray<M> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "ModuleArray");
        for (number, module) in self.modules.iter().enumerate() {
            module.visit(Name::Numbered(self.kind, number), visitor);
        }
        visitor.leave();
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for module in &mut self.modules {
            module.visit_mut(visitor);
        }
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for module in &mut self.modules {
            module.visit_witnesses(visitor);
        }
    }
}
