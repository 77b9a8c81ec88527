//! Testbench `enumeration`: Theorem 2 on any set of nodes.

use std::convert::Infallible;

use rtl_model::fabric::Fabric;
use rtl_model::host::{self, Field, NODES_AT_ONCE};
use rtl_model::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::lanes::Lanes;
use rtl_model::router::Router;
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::NodeSet;

use crate::benches::rounds::{Carries, Later};
use crate::benches::{Beside, Facts, Requirement, Testbench, report, require_memory, simulate};
use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::lanes::{WithLanes, in_lanes};
use crate::options::{RunOptions, Setup, file_name};
use crate::progress::Stage;
use crate::report::{Check, Report};
use crate::scoreboard::seated;
use crate::wave::Wave;

/// The router and the set that it ranks.
pub(super) struct EnumerationBench<'a> {
    router: EnumerationRouter,
    setup: &'a Setup,
    members: NodeSet,
}

pub(super) fn router(setup: &Setup) -> Result<EnumerationRouter, Error> {
    setup.schedule(Bench::Enumeration)?;
    setup.check_for_enumeration()?;
    Ok(EnumerationRouter::new(setup.dimensions()?))
}

/// Of a run: beside the machine, the set.
pub(super) fn requirement(router: &EnumerationRouter) -> Requirement {
    let nodes = router.dimensions().nodes();
    let beside = NodeSet::bytes(nodes);
    // While it is drawn, numbers are put into order.
    let before = beside + (size_of::<u32>() * nodes) as u64;
    Requirement::of(router, Beside { before, beside })
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
        load(fabric, &self.members, |_| Ok::<(), Infallible>(()))
            .unwrap_or_else(|never| match never {});
    }

    fn traffic_file(&self) -> String {
        let rows = self.members.iter().map(|member| format!("{member}\n"));
        String::from("source\n") + &rows.collect::<String>()
    }

    fn expected(&self) -> impl Fn(usize, Field, usize) -> Option<bool> {
        |node, field, bit| {
            let number = match field {
                Field::Rank => self.members.rank(node),
                _ => self.members.len(),
            };
            Some(number >> bit & 1 == 1)
        }
    }

    fn later(&self, round: usize) -> Result<(Self, String), Error> {
        let later = Later::of(round, Carries::Partial, self.setup.seed);
        let EnumerationBench { router, setup, .. } = *self;
        let members = later.set(router.dimensions())?;
        let bench = EnumerationBench {
            router,
            setup,
            members,
        };
        Ok((bench, format!("senders of {}", later.name())))
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
            dimensions.count(),
            InLanes {
                bench: self,
                wave,
                options,
            },
        )
    }
}

/// Puts the set into the nodes, group by group; `passed` is told how many groups have theirs.
fn load<B: Lanes, E>(
    fabric: &mut Fabric<EnumerationRouter, B>,
    members: &NodeSet,
    mut passed: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let router = *fabric.router();
    let cube = router.dimensions();
    fabric.load_groups(|group, lanes| {
        passed(group)?;
        for word in 0..B::WORDS {
            let seated = seated::<_, B>(&cube, group, word).into_iter().enumerate();
            let places = seated.fold(0, |places, (place, node)| {
                places | u64::from(members.contains(node)) << place
            });
            host::write_nodes(&router, lanes, (word, places), |_, _, _| 1);
        }
        Ok(())
    })
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
        let groups = fabric.groups() as u64;
        if self.wave.is_some() {
            // A run that is watched ticks nodes.
            fabric.node_groups_mut();
        }
        let mut loading = Stage::new(
            groups,
            "{wide_bar} loading, {percent} %",
            self.options.quiet,
        );
        load(&mut fabric, members, |group| loading.passed(group))?;
        drop(loading);
        let (measurement, outputs) = simulate(&mut fabric, 0, (self.wave, self.options))?;
        let dimensions = router.dimensions();
        let mut comparing = Stage::new(
            groups,
            "{wide_bar} comparing, {percent} %",
            self.options.quiet,
        );
        let ranks = Ranks::compare(&fabric, members, |group| comparing.passed(group))?;
        drop(comparing);
        let (traffic, load) = match &setup.traffic_file {
            Some(path) => (file_name(path), None),
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
            bytes: requirement(router).bytes,
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
    /// `passed` is told how many groups have been looked at.
    fn compare<B: Lanes, E>(
        fabric: &Fabric<EnumerationRouter, B>,
        members: &NodeSet,
        mut passed: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let router = fabric.router();
        let mut ranks = Ranks {
            nodes_right: 0,
            members_right: 0,
            totals_right: 0,
            first_fault: None,
        };
        let nodes = router.dimensions().nodes();
        let mut first_wrong: Option<(usize, u64, u64)> = None;
        fabric.read_groups(|group, lanes| {
            passed(group)?;
            for word in 0..B::WORDS {
                let (mut rank_of, mut total_of) = ([0; NODES_AT_ONCE], [0; NODES_AT_ONCE]);
                host::read_nodes(router, lanes, word, |field, _, values| match field {
                    Field::Rank => rank_of = *values,
                    _ => total_of = *values,
                });
                let seated = seated::<_, B>(fabric.topology(), group, word).into_iter();
                for (node, (rank, total)) in seated.zip(rank_of.into_iter().zip(total_of)) {
                    if node >= nodes {
                        continue;
                    }
                    let rank_is_right = rank == members.rank(node) as u64;
                    let total_is_right = total == members.len() as u64;
                    ranks.nodes_right += usize::from(rank_is_right);
                    ranks.members_right += usize::from(rank_is_right && members.contains(node));
                    ranks.totals_right += usize::from(total_is_right);
                    let is_wrong = !(rank_is_right && total_is_right);
                    if is_wrong && first_wrong.is_none_or(|(first, ..)| node < first) {
                        first_wrong = Some((node, rank, total));
                    }
                }
            }
            Ok(())
        })?;
        ranks.first_fault = first_wrong.map(|(node, rank, total)| {
            let (before, all) = (members.rank(node), members.len());
            format!("node {node} has rank {rank} of {total} in place of {before} of {all}")
        });
        Ok(ranks)
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
        let members = NodeSet::new(cube, [2, 5]);
        let ranks = Ranks::compare(&fabric, &members, |_| Ok::<(), ()>(())).unwrap();
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
