//! Declared signals as the tree of scopes that they were declared in.

use crate::probe::Signal;

/// A scope: its own signals, and the scopes inside it, in order of declaration.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub name: &'a str,
    pub signals: Vec<&'a Signal>,
    pub scopes: Vec<Scope<'a>>,
}

impl<'a> Scope<'a> {
    /// The tree of these signals; the root has no name.
    pub fn tree(signals: &'a [Signal]) -> Self {
        let mut root = Scope::default();
        for signal in signals {
            let mut scope = &mut root;
            for name in &signal.scopes {
                // A scope is declared in one piece: only the last one can be the same.
                if scope.scopes.last().is_none_or(|last| last.name != name) {
                    scope.scopes.push(Scope {
                        name,
                        ..Scope::default()
                    });
                }
                let last = scope.scopes.len() - 1;
                scope = &mut scope.scopes[last];
            }
            scope.signals.push(signal);
        }
        root
    }

    /// The scope of that name directly inside this one.
    pub fn scope(&self, name: &str) -> Option<&Scope<'a>> {
        self.scopes.iter().find(|scope| scope.name == name)
    }

    /// Number of signals here and in all scopes inside.
    pub fn size(&self) -> usize {
        let inside: usize = self.scopes.iter().map(Scope::size).sum();
        self.signals.len() + inside
    }
}
