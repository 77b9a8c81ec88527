//! Where what is at a node is going: a number that colours can stand for, so that a sort is seen to sort and a route to get on.

use crate::picture::MOST_ROWS;
use crate::picture::bins::messages_present;
use crate::picture::run::{Change, Number, Run, Value};

/// Where more messages are at a node at once, the last of them says little.
const MOST_TOGETHER: u32 = 6;

/// What it is called.
pub const DESTINATION: &str = "destination";

/// By node, the destination of the message that came last of those that are there; nothing where messages are for all nodes, where
/// many are at a node at once, or where nodes share rows.
pub fn destinations(run: &Run) -> Option<Number> {
    let ends: Vec<u32> = run.messages.iter().map(|route| route.destination).collect();
    let is_told = ends.windows(2).any(|pair| pair[0] != pair[1]) && run.nodes.len() <= MOST_ROWS;
    let most = |changes: Vec<Change>| changes.iter().map(|change| change.value).max();
    let together = || messages_present(run).into_iter().filter_map(most).max();
    // Where messages are sorted, what came last is what counts.
    if !is_told || together()? > MOST_TOGETHER && !run.sorts {
        return None;
    }
    let mut stays: Vec<Vec<[u32; 3]>> = vec![Vec::new(); run.nodes.len()];
    for route in &run.messages {
        for stay in route.stays.iter().filter(|stay| stay.from < stay.to) {
            // Nothing is the first value.
            stays[stay.node as usize].push([stay.from, stay.to, route.destination + 1]);
        }
    }
    let names = run.nodes.iter().zip(1..);
    let value = |(name, size): (&String, u32)| Value {
        text: name.clone(),
        size,
    };
    let nothing = (&String::new(), 0);
    Some(Number {
        name: DESTINATION.to_owned(),
        is_count: false,
        width: 32,
        values: std::iter::once(nothing).chain(names).map(value).collect(),
        nodes: stays.into_iter().map(last_come).collect(),
        second: Vec::new(),
        every: 1,
    })
}

/// Of what comes and goes, given as from when to when and its value: the value of what came last and is still there, or 0.
fn last_come(mut stays: Vec<[u32; 3]>) -> Vec<Change> {
    stays.sort_unstable();
    let mut times: Vec<u32> = stays
        .iter()
        .flat_map(|[from, to, _]| [*from, *to])
        .collect();
    times.sort_unstable();
    times.dedup();
    let (mut changes, mut there): (Vec<Change>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    let mut coming = stays.into_iter().peekable();
    for from in times {
        there.retain(|[_, to, _]| *to > from);
        while let Some(comes) = coming.next_if(|comes| comes[0] <= from) {
            there.push(comes);
        }
        let value = there.last().map_or(0, |[.., value]| *value);
        if changes.last().is_none_or(|last| last.value != value) {
            changes.push(Change { from, value });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::run::{Route, Stay};

    fn run(destinations: &[u32]) -> Run {
        let message = |(number, &destination): (usize, &u32)| Route {
            destination,
            stays: vec![Stay {
                node: 1,
                from: number as u32,
                to: 20 - number as u32,
            }],
            ..Route::default()
        };
        Run {
            nodes: ["a", "b", "c"].map(str::to_owned).to_vec(),
            bit_times: 22,
            messages: destinations.iter().enumerate().map(message).collect(),
            ..Run::default()
        }
    }

    #[test]
    fn the_last_that_came_and_is_there_is_told() {
        let number = super::destinations(&run(&[2, 0])).unwrap();
        let said = |change: &Change| {
            (
                change.from,
                number.values[change.value as usize].text.as_str(),
            )
        };
        let told: Vec<_> = number.nodes[1].iter().map(said).collect();
        assert_eq!(told, [(0, "c"), (1, "a"), (19, "c"), (20, "")]);
        assert!(number.nodes[0].is_empty());
        assert_eq!([0, 1].map(|value| number.values[value].size), [0, 1]);
    }

    #[test]
    fn where_it_says_little_it_is_not_told() {
        assert_eq!(destinations(&run(&[2, 2])), None, "all are for one");
        assert_eq!(
            destinations(&run(&[2, 0, 1, 0, 1, 0, 1])),
            None,
            "seven at once"
        );
        let mut many = run(&[2, 0]);
        many.nodes = vec![String::new(); MOST_ROWS + 1];
        assert_eq!(destinations(&many), None, "they share rows");
    }
}
