//! Machines of prearranged operations, whose nodes have a memory: by their description, and as programs.

use std::sync::Arc;
use std::time::Instant;

use rtl_model::error::Error;
use rtl_model::language::lanes::Words;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::program::Program;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{Ask, Operation, algorithm};

use crate::measured::Samples;
use crate::report::Table;
use crate::tables::digits;

/// Bits of a message and bit times of a start-up, as testbenches have them where nothing is said.
const MESSAGE_BITS: usize = 64;
const START_UP: usize = 8;

/// Bit times of a sample by the description.
const BIT_TIMES: u64 = 200;

/// What is measured, and of how many dimensions.
const SIZES: [(Operation, &str, usize); 4] = [
    (Operation::Scatter, "distribute-1", 12),
    (Operation::AllToAll, "complete-exchange", 9),
    (Operation::AllGather, "complete-broadcast", 10),
    (Operation::Inversion, "inversion", 14),
];

/// A machine that is measured.
pub struct Prearranged {
    operation: Operation,
    dimensions: Dimensions,
    machine: CollectiveMachine,
    /// Seconds of a bit time by the description and as a program.
    ticking: Samples,
    running: Samples,
    /// Seconds of making the program.
    making: Samples,
}

impl Prearranged {
    /// The machines, not measured yet, of so many dimensions at the most.
    ///
    /// # Errors
    /// None for sizes that there are.
    pub fn all(most: usize) -> Result<Vec<Self>, Error> {
        let machines = SIZES.into_iter().map(|(operation, name, k)| {
            let dimensions = Dimensions::new(k.min(most))?;
            let ask = Ask {
                start_up: START_UP,
                ..Ask::of(dimensions, MESSAGE_BITS)
            };
            let Some(algorithm) = algorithm(operation, name) else {
                return Ok(None);
            };
            Ok(Some(Prearranged {
                operation,
                dimensions,
                machine: CollectiveMachine::new(Arc::new(algorithm.plan(&ask)?))?,
                ticking: Samples::default(),
                running: Samples::default(),
                making: Samples::default(),
            }))
        });
        machines.filter_map(Result::transpose).collect()
    }

    /// Measures each once. What is sent does not matter: a bit time does the same for all.
    ///
    /// # Errors
    /// What the machine reports.
    pub fn measure(&mut self) -> Result<(), Error> {
        let mut fabric = Fabric::<_, Words<8>>::new(self.machine.clone(), 1)?;
        fabric.node_groups();
        let start = Instant::now();
        while fabric.bit_time() < BIT_TIMES && !fabric.is_done() {
            fabric.tick()?;
        }
        let ticked = fabric.bit_time() as f64;
        self.ticking.0.push(start.elapsed().as_secs_f64() / ticked);
        fabric.restart();
        fabric.load_groups(&mut |_, _| Ok(()))?;
        let start = Instant::now();
        let program = Program::of::<Words<8>>(&self.machine, fabric.groups(), false);
        self.making.0.push(start.elapsed().as_secs_f64());
        drop(program);
        // It is made once more, and not counted.
        fabric.program(false);
        let start = Instant::now();
        fabric.advance(u64::MAX, &How::default())?;
        let bit_times = fabric.bit_time() as f64;
        self.running
            .0
            .push(start.elapsed().as_secs_f64() / bit_times);
        Ok(())
    }
}

/// The table of `docs/performance-tables.md`.
pub fn table(measured: &[Prearranged]) -> Table {
    let mut table = Table::new(
        "prearranged",
        "Machines of prearranged operations: messages of 64 bits, start-ups of 8 bit times, all ports, one thread. The description \
         was timed over its first 200 bit times.",
        &[
            "operation",
            "k",
            "nodes",
            "bit times",
            "memory of a node, bits",
            "description, \u{b5}s a bit time",
            "program, \u{b5}s a bit time",
            "times as fast",
            "making the program, s",
            "node-bit-times a second",
        ],
    );
    for one in measured {
        let [ticking, running] = [&one.ticking, &one.running].map(Samples::median);
        let nodes = one.dimensions.nodes();
        table.rows.push(vec![
            one.operation.to_string(),
            one.dimensions.count().to_string(),
            nodes.to_string(),
            Router::bit_times(&one.machine).value.to_string(),
            one.machine.plan().program.memory_bits.to_string(),
            digits(ticking * 1e6),
            digits(running * 1e6),
            digits(ticking / running),
            digits(one.making.median()),
            format!("{:.2e}", nodes as f64 / running),
        ]);
    }
    table
}
