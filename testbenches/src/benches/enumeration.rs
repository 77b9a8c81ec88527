//! Testbench `enumeration`: Theorem 2 on any set of nodes.

use rtl_model::fabric::Fabric;
use rtl_model::host::Field;
use rtl_model::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::lanes::Lanes;
use rtl_model::router::Router;
use rtl_model::topology::hypercube::Dimensions;

use crate::benches::{
    Facts, Requirement, Testbench, WithLanes, in_lanes, report, require_memory, simulate,
};
use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::options::{RunOptions, Setup};
use crate::report::{Check, Report};
use crate::wave::Wave;

/// The router and the set that it ranks.
pub(super) struct EnumerationBench<'a> {
    router: EnumerationRouter,
    setup: &'a Setup,
    /// In ascending order.
    members: Vec<usize>,
}

pub(super) fn router(setup: &Setup) -> Result<EnumerationRouter, Error> {
    setup.schedule(Bench::Enumeration)?;
    setup.check_for_enumeration()?;
    Ok(EnumerationRouter::new(setup.dimensions()?))
}

/// Of a run: beside the machine, the set.
pub(super) fn requirement(router: &EnumerationRouter) -> Requirement {
    Requirement::of(router, size_of::<usize>() as u64)
}

pub(super) fn set_up(setup: &Setup) -> Result<EnumerationBench<'_>, Error> {
    let router = router(setup)?;
    require_memory(&router, requirement(&router))?;
    Ok(EnumerationBench {
        router,
        setup,
        members: setup.set(router.dimensions())?,
    })
}

impl Testbench for EnumerationBench<'_> {
    type Router = EnumerationRouter;

    fn router(&self) -> EnumerationRouter {
        self.router
    }

    fn schedule(&self) -> Option<Schedule> {
        None
    }

    fn load<B: Lanes>(&self, fabric: &mut Fabric<EnumerationRouter, B>) {
        for &member in &self.members {
            let (group, place) = fabric.node_mut(member);
            group.set_member(place, true);
        }
    }

    fn traffic_file(&self) -> String {
        let rows = self.members.iter().map(|member| format!("{member}\n"));
        String::from("source\n") + &rows.collect::<String>()
    }

    fn expected(&self) -> impl Fn(usize, Field, usize) -> Option<bool> {
        |node, field, bit| {
            let number = match field {
                Field::Rank => self.members.partition_point(|member| *member < node),
                _ => self.members.len(),
            };
            Some(number >> bit & 1 == 1)
        }
    }

    fn interesting(&self) -> Vec<usize> {
        vec![self.router.dimensions().nodes() - 1, 0]
    }

    fn run(self, options: &RunOptions) -> Result<Report, Error> {
        let mut staging = options.staging()?;
        let dimensions = self.router.dimensions();
        let interesting = || self.interesting();
        let wave = Wave::plan(options, &mut staging, &self.router, interesting)?;
        in_lanes(
            dimensions,
            InLanes {
                bench: self,
                wave,
                options,
            },
        )
    }
}

struct InLanes<'a> {
    bench: EnumerationBench<'a>,
    wave: Option<Wave>,
    options: &'a RunOptions,
}

impl WithLanes for InLanes<'_> {
    type Output = Result<Report, Error>;

    fn run<B: Lanes>(self) -> Result<Report, Error> {
        let EnumerationBench {
            router,
            setup,
            members,
        } = &self.bench;
        let mut fabric = Fabric::<_, B>::new(*router, 1)?;
        self.bench.load(&mut fabric);
        let (measurement, outputs) = simulate(&mut fabric, 0, (self.wave, self.options))?;
        let dimensions = router.dimensions();
        let ranks = Ranks::compare(&fabric, dimensions, members);
        let (traffic, load) = match &setup.traffic_file {
            Some(path) => (path.display().to_string(), None),
            None => ("random".to_owned(), setup.load()),
        };
        let facts = Facts {
            bench: Bench::Enumeration,
            schedule: None,
            payload_bits: 0,
            traffic,
            load,
            seed: setup.seed,
            messages: members.len(),
            delivered: ranks.members_right,
            storage_bound: None,
            checks: ranks.checks(dimensions, members.len()),
        };
        report(router, facts, measurement, outputs)
    }
}

/// What the nodes learned against the reference: members before each node, and all of them.
struct Ranks {
    nodes_right: usize,
    members_right: usize,
    totals_right: usize,
    first_fault: Option<String>,
}

impl Ranks {
    fn compare<B: Lanes>(
        fabric: &Fabric<EnumerationRouter, B>,
        dimensions: Dimensions,
        members: &[usize],
    ) -> Self {
        let mut ranks = Ranks {
            nodes_right: 0,
            members_right: 0,
            totals_right: 0,
            first_fault: None,
        };
        let mut before = 0;
        for node in 0..dimensions.nodes() {
            let is_member = members.get(before) == Some(&node);
            let (group, place) = fabric.node(node);
            let (rank, total) = (group.rank(place) as usize, group.total(place) as usize);
            if rank == before {
                ranks.nodes_right += 1;
                ranks.members_right += usize::from(is_member);
            }
            ranks.totals_right += usize::from(total == members.len());
            if rank != before || total != members.len() {
                ranks.first_fault.get_or_insert_with(|| {
                    format!(
                        "node {node} has rank {rank} of {total} in place of {before} of {}",
                        members.len()
                    )
                });
            }
            before += usize::from(is_member);
        }
        ranks
    }

    fn checks(&self, dimensions: Dimensions, members: usize) -> Vec<Check> {
        let nodes = dimensions.nodes();
        let fault = self
            .first_fault
            .as_ref()
            .map_or(String::new(), |fault| format!("; first: {fault}"));
        vec![
            Check::new(
                "ranks",
                self.nodes_right == nodes,
                format!(
                    "{} of {nodes} nodes count the members before them{fault}",
                    self.nodes_right
                ),
            ),
            Check::new(
                "totals",
                self.totals_right == nodes,
                format!(
                    "{} of {nodes} nodes know that there are {members} members",
                    self.totals_right
                ),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_rank_or_total_fails_its_check() {
        let cube = Dimensions::new(3).unwrap();
        let verdicts = |nodes_right, totals_right| {
            let ranks = Ranks {
                nodes_right,
                members_right: 4,
                totals_right,
                first_fault: None,
            };
            ranks
                .checks(cube, 4)
                .iter()
                .map(|check| check.passed)
                .collect::<Vec<_>>()
        };
        assert_eq!(verdicts(8, 8), [true, true]);
        assert_eq!(verdicts(7, 8), [false, true]);
        assert_eq!(verdicts(8, 7), [true, false]);
    }

    #[test]
    fn nodes_that_have_not_counted_are_found_out() {
        let cube = Dimensions::new(3).unwrap();
        let fabric = Fabric::<_, u64>::new(EnumerationRouter::new(cube), 1).unwrap();
        let ranks = Ranks::compare(&fabric, cube, &[2, 5]);
        // Ranks of 0 are right up to the first member, totals of 0 nowhere.
        assert_eq!(
            (ranks.nodes_right, ranks.members_right, ranks.totals_right),
            (3, 1, 0)
        );
        assert_eq!(
            ranks.first_fault.as_deref(),
            Some("node 0 has rank 0 of 0 in place of 0 of 2")
        );
    }
}
