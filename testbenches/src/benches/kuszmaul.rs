//! Testbench `kuszmaul`: Algorithm 2 on any partial permutation.

use rtl_model::kuszmaul;
use rtl_model::kuszmaul::router::KuszmaulRouter;
use rtl_model::router::Router;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

use crate::benches::messages::{self, MessageBench};
use crate::benches::{Requirement, Task};
use crate::catalogue::{Bench, Schedule, WithSchedule};
use crate::error::Error;
use crate::options::Setup;
use crate::reference;

const BENCH: Bench = Bench::Kuszmaul;

pub(super) fn set_up<T: Task>(setup: &Setup, task: T) -> Result<T::Output, Error> {
    struct SetUp<'a, T>(Schedule, &'a Setup, T);
    impl<T: Task> WithSchedule for SetUp<'_, T> {
        type Output = Result<T::Output, Error>;
        fn on<S: kuszmaul::router::Schedule>(self) -> Self::Output {
            let SetUp(schedule, setup, task) = self;
            task.perform(bench::<S>(schedule, setup)?)
        }
    }
    let schedule = schedule(setup)?;
    schedule.with(SetUp(schedule, setup, task))
}

/// What a run takes.
pub(super) fn requirement(setup: &Setup) -> Result<Requirement, Error> {
    struct Sizing<'a>(&'a Setup);
    impl WithSchedule for Sizing<'_> {
        type Output = Result<Requirement, Error>;
        fn on<S: kuszmaul::router::Schedule>(self) -> Self::Output {
            Ok(messages::requirement(&router::<S>(self.0)?))
        }
    }
    schedule(setup)?.with(Sizing(setup))
}

fn schedule(setup: &Setup) -> Result<Schedule, Error> {
    Ok(setup.schedule(BENCH)?.unwrap_or(Schedule::Plain))
}

fn router<S: kuszmaul::router::Schedule>(setup: &Setup) -> Result<KuszmaulRouter<S>, Error> {
    let dimensions = setup.dimensions()?;
    Ok(KuszmaulRouter::new(dimensions, setup.payload_bits())?)
}

/// The testbench of one schedule's router.
fn bench<S: kuszmaul::router::Schedule>(
    schedule: Schedule,
    setup: &Setup,
) -> Result<MessageBench<'_, KuszmaulRouter<S>>, Error> {
    let router = router::<S>(setup)?;
    let traffic_name = setup.traffic_name(Pattern::Randperm)?;
    messages::require_room(&router)?;
    let traffic = setup.traffic(router.dimensions(), Pattern::Randperm)?;
    Ok(MessageBench {
        bench: BENCH,
        router,
        setup,
        schedule: Some(schedule),
        traffic_name,
        traffic,
        interesting,
        storage_bound: Some(router.storage_bound()),
    })
}

/// Three nodes that meet: one with two messages, the node where its second message waits, and the
/// empty node that takes it. The reference model knows; where there are none (or too many nodes to
/// ask), the first nodes of the cube.
fn interesting(traffic: &Traffic) -> Vec<usize> {
    const ASKED_UP_TO: usize = 1 << 16;
    let nodes = traffic.dimensions().nodes();
    let first: Vec<usize> = (0..nodes.min(3)).collect();
    if nodes > ASKED_UP_TO {
        return first;
    }
    let correct = reference::kuszmaul::Variant::CORRECT;
    let outcome = reference::kuszmaul::route(traffic.dimensions(), traffic.messages(), correct);
    let detours = outcome.map_or(Vec::new(), |outcome| outcome.detours.concat());
    detours
        .into_iter()
        .map(|detour| [detour.two, detour.waypoint, detour.empty])
        .find(|[two, waypoint, empty]| two != waypoint && waypoint != empty && two != empty)
        .map_or(first, |nodes| nodes.to_vec())
}
