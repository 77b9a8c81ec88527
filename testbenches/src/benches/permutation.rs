//! Testbenches of routers of any partial permutation: `kuszmaul`, Algorithm 2 on its schedules; `bitonic`
//! and `radix`, a sort and what follows it.

use std::collections::HashMap;

use rtl_model::permutation::{self, PermutationRouter};
use rtl_model::router::Router;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Message, Traffic, senders};

use crate::benches::messages::{self, MessageBench};
use crate::benches::{Requirement, Task};
use crate::catalogue::{Bench, Schedule, WithSchedule};
use crate::error::Error;
use crate::options::{Setup, default_load};
use crate::reference;
use crate::reference::kuszmaul::Variant;

pub(super) fn set_up<T: Task>(bench: Bench, setup: &Setup, task: T) -> Result<T::Output, Error> {
    struct SetUp<'a, T>(Schedule, &'a Setup, T);
    impl<T: Task> WithSchedule for SetUp<'_, T> {
        type Output = Result<T::Output, Error>;
        fn on<S: permutation::Schedule>(self) -> Self::Output {
            let SetUp(schedule, setup, task) = self;
            task.perform(testbench::<S>(schedule, setup)?)
        }
    }
    let schedule = schedule(bench, setup)?;
    let load = setup.load.unwrap_or(default_load(Some(schedule)));
    let setup = Setup {
        load: Some(load),
        ..setup.clone()
    };
    schedule.with(SetUp(schedule, &setup, task))
}

/// What a run takes.
pub(super) fn requirement(bench: Bench, setup: &Setup) -> Result<Requirement, Error> {
    struct Sizing<'a>(&'a Setup);
    impl WithSchedule for Sizing<'_> {
        type Output = Result<Requirement, Error>;
        fn on<S: permutation::Schedule>(self) -> Self::Output {
            Ok(messages::requirement(&router::<S>(self.0)?))
        }
    }
    schedule(bench, setup)?.with(Sizing(setup))
}

fn schedule(bench: Bench, setup: &Setup) -> Result<Schedule, Error> {
    Ok(setup.schedule(bench)?.unwrap_or(Schedule::Plain))
}

fn router<S: permutation::Schedule>(setup: &Setup) -> Result<PermutationRouter<S>, Error> {
    let dimensions = setup.dimensions()?;
    Ok(PermutationRouter::new(dimensions, setup.payload_bits())?)
}

/// The testbench of one schedule's router.
fn testbench<S: permutation::Schedule>(
    schedule: Schedule,
    setup: &Setup,
) -> Result<MessageBench<'_, PermutationRouter<S>>, Error> {
    let router = router::<S>(setup)?;
    let traffic_name = setup.traffic_name(Pattern::Randperm)?;
    messages::require_room(&router)?;
    let traffic = setup.traffic(router.dimensions(), Pattern::Randperm)?;
    if S::FULL_ONLY {
        check_full(schedule, &traffic)?;
    }
    Ok(MessageBench {
        bench: schedule.bench(),
        router,
        setup,
        schedule: Some(schedule),
        traffic_name,
        traffic,
        interesting: interesting(schedule),
        storage_bound: Some(router.storage_bound()),
    })
}

/// Refuses traffic in which some node sends nothing.
fn check_full(schedule: Schedule, traffic: &Traffic) -> Result<(), Error> {
    let (messages, nodes) = (traffic.messages().len(), traffic.nodes().count());
    match (0..nodes).find(|&node| traffic.index_from(node).is_none()) {
        None => Ok(()),
        Some(idle) => Err(partial(schedule, (messages, nodes), idle)),
    }
}

/// The refusal of it, with a node that is idle.
fn partial(schedule: Schedule, (messages, nodes): (usize, usize), idle: usize) -> Error {
    let bench = schedule.bench();
    let serves_partial = |other: &&Schedule| !other.is_full_only();
    let other = bench.schedules().iter().find(serves_partial);
    Error::PartialTraffic {
        bench: bench.name(),
        schedule: schedule.name(),
        messages,
        nodes,
        idle,
        other: other.map_or("", |other| other.name()),
    }
}

/// Refuses a load at which some node sends nothing, if the schedule cannot do without; no more is drawn than who
/// sends.
pub(crate) fn check_load(schedule: Schedule, setup: &Setup) -> Result<(), Error> {
    if !schedule.is_full_only() {
        return Ok(());
    }
    let dimensions = setup.dimensions()?;
    let load = setup.load.unwrap_or(1.0);
    let nodes = dimensions.nodes();
    if (load * nodes as f64).round() as usize == nodes {
        return Ok(());
    }
    let senders = senders(dimensions, load, setup.seed)?;
    let idle = (0..nodes).find(|node| senders.binary_search(node).is_err());
    Err(partial(schedule, (senders.len(), nodes), idle.unwrap_or(0)))
}

/// The nodes to trace where none are named, as the reference model knows them; where it knows none (or
/// there are too many nodes to ask), the first nodes of the cube.
fn interesting(schedule: Schedule) -> fn(&Traffic) -> Vec<usize> {
    match schedule {
        Schedule::Plain | Schedule::Overlapped => {
            |traffic| three_or_first(traffic, || rendezvous(traffic, Variant::CORRECT))
        }
        Schedule::Folded => {
            |traffic| three_or_first(traffic, || rendezvous(traffic, Variant::FOLDED))
        }
        Schedule::Spread => |traffic| three_or_first(traffic, || parting(traffic)),
        Schedule::Radix4 => |traffic| three_or_first(traffic, || gathering(traffic)),
        Schedule::BitonicSortAndUnpack
        | Schedule::BitonicSort
        | Schedule::RadixSortAndUnpack
        | Schedule::RadixSort => |traffic| three_or_first(traffic, || by_way_of_its_rank(traffic)),
    }
}

fn three_or_first(traffic: &Traffic, three: impl FnOnce() -> Option<[usize; 3]>) -> Vec<usize> {
    const ASKED_UP_TO: usize = 1 << 16;
    let nodes = traffic.nodes().count();
    let known = if nodes > ASKED_UP_TO { None } else { three() };
    known.map_or_else(|| (0..nodes.min(3)).collect(), |three| three.to_vec())
}

/// Three nodes that meet: one with two messages, the node where its second message waits, and the
/// empty node that takes it.
fn rendezvous(traffic: &Traffic, variant: Variant) -> Option<[usize; 3]> {
    let outcome =
        reference::kuszmaul::route(traffic.dimensions()?, &traffic.messages().to_vec(), variant);
    let detours = outcome.ok()?.detours.concat();
    detours
        .into_iter()
        .map(|detour| [detour.two, detour.waypoint, detour.empty])
        .find(all_differ)
}

/// A node that holds two messages after the first step 1, and the nodes that these are spread to.
fn parting(traffic: &Traffic) -> Option<[usize; 3]> {
    let correct = reference::spread::Variant::CORRECT;
    let messages = traffic.messages().to_vec();
    let outcome = reference::spread::route(traffic.dimensions()?, &messages, correct).ok()?;
    let mut spread_to = vec![0; messages.len()];
    for (node, message) in outcome.after_iteration.first()?.iter().enumerate() {
        if let Some(message) = message {
            spread_to[*message] = node;
        }
    }
    let mut held = HashMap::new();
    messages.iter().enumerate().find_map(|(index, message)| {
        let crossed = message.source ^ ((message.source ^ message.destination) & 1);
        let other: usize = held.insert(crossed, index)?;
        Some([crossed, spread_to[other], spread_to[index]]).filter(all_differ)
    })
}

/// The node that holds most messages after the first group's exchange, and two that its packing sends some of
/// them to.
fn gathering(traffic: &Traffic) -> Option<[usize; 3]> {
    use reference::radix4::{Variant, composition, route};
    let (dimensions, messages) = (traffic.dimensions()?, traffic.messages().to_vec());
    let groups = composition(dimensions.count(), traffic.payload_bits());
    let outcome = route(dimensions, &messages, &groups, Variant::CORRECT).ok()?;
    let crossed = *groups.groups.first().unwrap_or(&groups.last);
    let mut gathered: HashMap<usize, Vec<usize>> = HashMap::new();
    for (node, message) in outcome.after_group.first()?.iter().enumerate() {
        if let Some(message) = message {
            let Message {
                source,
                destination,
            } = messages[*message];
            let met = source ^ ((source ^ destination) & ((1 << crossed) - 1));
            gathered.entry(met).or_default().push(node);
        }
    }
    let mut nodes: Vec<(usize, Vec<usize>)> = gathered.into_iter().collect();
    nodes.sort_by_key(|(met, sent_to)| (usize::MAX - sent_to.len(), *met));
    let (met, sent_to) = nodes.into_iter().next()?;
    let mut others = sent_to.into_iter().filter(|node| *node != met);
    let three = [met, others.next()?, others.next()?];
    Some(three).filter(all_differ)
}

/// The source of a message, the node of its rank, and its destination. Where ranks are destinations: source,
/// destination, and where the message goes that begins there.
fn by_way_of_its_rank(traffic: &Traffic) -> Option<[usize; 3]> {
    let messages = traffic.messages().to_vec();
    let mut destinations: Vec<usize> = messages.iter().map(|to| to.destination).collect();
    destinations.sort_unstable();
    let on_its_way = messages.iter().find_map(|message| {
        let rank = destinations.binary_search(&message.destination).ok()?;
        Some([message.source, rank, message.destination]).filter(all_differ)
    });
    on_its_way.or_else(|| {
        messages.iter().find_map(|message| {
            let next = messages[traffic.index_from(message.destination)?].destination;
            Some([message.source, message.destination, next]).filter(all_differ)
        })
    })
}

fn all_differ([one, other, third]: &[usize; 3]) -> bool {
    one != other && other != third && third != one
}
