//! A collective operation as a machine: whatever it does to words, it walks through a step table.
//!
//! ```text
//!   Collective: network, width of words, step table, node, closed forms
//!       |
//!   StepTableMachine: StepSequencer --strobes--> nodes --wires--> nodes
//! ```

use std::sync::Arc;

use crate::closed_form::ClosedForm;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Router};
use crate::machine::shown::Shown;
use crate::routers::reduced_hypercube::collective::{Collective, Words};
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::shown;
use crate::routers::reduced_hypercube::steps::sequencer::{Orders, StepSequencer};
use crate::routers::reduced_hypercube::steps::table::Table;

/// The machine of a collective operation: all nodes do what its step table says.
#[derive(Clone, Debug)]
pub struct StepTableMachine<C: Collective> {
    collective: C,
    table: Arc<Table<C::Orders>>,
}

/// Equal operations have equal tables.
impl<C: Collective> PartialEq for StepTableMachine<C> {
    fn eq(&self, other: &Self) -> bool {
        self.collective == other.collective
    }
}

impl<C: Collective> StepTableMachine<C> {
    /// The machine that does it.
    pub fn new(collective: C) -> Self {
        StepTableMachine {
            table: Arc::new(collective.table()),
            collective,
        }
    }

    /// What it does.
    pub fn collective(&self) -> &C {
        &self.collective
    }

    /// The rows of its step table.
    pub fn table(&self) -> &Table<C::Orders> {
        &self.table
    }
}

impl<C: Collective> Machine for StepTableMachine<C> {
    type Topology = BlockNetwork;
    type Broadcast<S: Strobe> = <C::Orders as Orders>::Broadcast<S>;
    type Node<B: Bit> = C::Node<B>;
    type Sequencer<S: Strobe> = StepSequencer<S, C::Orders>;

    fn topology(&self) -> BlockNetwork {
        self.collective.network()
    }

    fn node<B: Bit>(&self) -> Self::Node<B> {
        self.collective.node()
    }

    fn sequencer<S: Strobe>(&self) -> Self::Sequencer<S> {
        let network = self.collective.network();
        let size = (network.wires(), network.bits());
        StepSequencer::new(self.table.clone(), size, self.collective.word_bits())
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut Self::Node<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn host_reads<B: Bit>(&self, node: &Self::Node<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl<C: Collective> Router for StepTableMachine<C> {
    const STEPS: &'static [&'static str] = C::KINDS;
    const ITERATIONS_DIFFER: bool = true;

    fn first_screen(&self) -> usize {
        shown::rows_to_begin_with(&self.table, self.collective.word_bits())
    }

    fn shown(&self) -> Shown {
        shown::shown(&self.collective, &self.table)
    }

    fn text(&self, sequencer: &Self::Sequencer<bool>, number: usize, text: &mut String) {
        if let Some((row, word, _)) = sequencer.under_way() {
            text.push_str(&match number {
                0 => row.text(self.topology()),
                _ => row.orders.says(word),
            });
        }
    }

    fn numbers<B: Lanes>(
        &self,
        sequencer: &Self::Sequencer<bool>,
        node: &Self::Node<B>,
        _address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        let under_way = sequencer.under_way();
        let turned = |number: usize| match under_way {
            Some((row, word, bit)) if row.orders.shifts(number, word) => bit,
            _ => 0,
        };
        node.show(&turned, bit);
    }

    fn bit_times(&self) -> ClosedForm {
        self.collective.bit_times()
    }

    fn storage_bits(&self) -> ClosedForm {
        self.collective.storage_bits()
    }

    fn position(&self, sequencer: &Self::Sequencer<bool>) -> Position {
        sequencer.position(C::KINDS.len() - 1)
    }
}
