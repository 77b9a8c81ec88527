//! A way to distribute messages from one node, backwards: they are collected in it. The last packet comes first, every transfer
//! goes the other way, and it takes as long and holds as much.
//!
//! ```text
//!   scatter    step 0: a -> b     step 1: b -> c, a -> d
//!   gather     step 0: c -> b, d -> a     step 1: b -> a
//! ```

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::ports::algorithm::PortModel;

/// Of a scatter whose packets are one transfer each: what continues another packet would begin before it.
pub(super) struct Backwards(pub &'static dyn Algorithm);

impl Algorithm for Backwards {
    fn operation(&self) -> Operation {
        Operation::Gather
    }

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn paper_name(&self) -> &'static str {
        self.0.paper_name()
    }

    fn models(&self) -> &'static str {
        match self.0.name() {
            "sbt" => "packets along a spanning binomial tree towards its root",
            "bst" => "packets along a balanced spanning tree towards its root",
            _ => "packets along a two-rooted complete binary tree towards a root",
        }
    }

    fn source(&self) -> &'static str {
        self.0.source()
    }

    fn port_models(&self) -> &'static [PortModel] {
        self.0.port_models()
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let plan = self.0.plan(ask)?;
        Ok(OperationPlan {
            program: plan.program.reversed(),
            ..plan
        })
    }
}
