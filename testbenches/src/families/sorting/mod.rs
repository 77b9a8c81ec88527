//! Testbenches `bitonic` and `radix`: a sort, and what follows it.

use rtl_model::routers::sorting::{bitonic, radix};
use rtl_model::traffic::Traffic;

use crate::lockstep::permutations::{self, PARAMETERS_OF_SORTS, all_differ};
use crate::lockstep::{Schedule, ScheduleEntry};
use crate::testbench::Testbench;

/// The testbench of the bitonic sort.
pub static BITONIC: Testbench = Testbench {
    name: "bitonic",
    models: "sorts messages by destination, then unpacks them: routes any partial permutation",
    source: "Kuszmaul 1990, section VI, after Batcher 1968",
    examples: &[
        "cubewave run bitonic --dims 8",
        "cubewave run bitonic --dims 8 --schedule sort --load 1",
        "cubewave plan bitonic --dims 26 --schedule sort",
        "cubewave verilog bitonic --dims 4 --out bitonic4",
    ],
    schedules: &[Schedule(&BITONIC_SORT_AND_UNPACK), Schedule(&BITONIC_SORT)],
    parameters: PARAMETERS_OF_SORTS,
    ..permutations::BENCH
};

/// The testbench of the radix sort.
pub static RADIX: Testbench = Testbench {
    name: "radix",
    models: "sorts messages by destination, bit by bit, then unpacks them: any partial permutation",
    source: "after Kuszmaul 1990, section VI; zeros and ones in one packing, which is not in the paper",
    examples: &[
        "cubewave run radix --dims 8",
        "cubewave run radix --dims 8 --schedule sort --load 1",
        "cubewave plan radix --dims 28 --machines 4 --bandwidth 25Gbit",
        "cubewave verilog radix --dims 4 --out radix4",
    ],
    schedules: &[Schedule(&RADIX_SORT_AND_UNPACK), Schedule(&RADIX_SORT)],
    parameters: PARAMETERS_OF_SORTS,
    ..permutations::BENCH
};

const BITONIC_LEGEND: &[&str] = &[
    "phase p, iteration p: sorts blocks of 2^(p+1) nodes, every other one upside down, by comparators of dimensions p to 0, whose nodes both send and keep one each",
];
const RADIX_LEGEND: &[&str] = &[
    "pass p, iteration p: messages for nodes whose bits p and p+1 are equal go to the lowest nodes, all others, turned round, to the highest; the last pass closes gaps",
];

const SORT_AND_UNPACK: &str = "the sort, then routing from ranks to destinations";
const SORT: &str = "the sort alone, for full permutations";

static BITONIC_SORT_AND_UNPACK: ScheduleEntry = ScheduleEntry {
    name: "sort-and-unpack",
    models: SORT_AND_UNPACK,
    headline: None,
    source: None,
    bench: "bitonic",
    hardware: &bitonic::SORT_AND_UNPACK,
    legend: BITONIC_LEGEND,
    meeting: by_way_of_its_rank,
    sorts: true,
};

static BITONIC_SORT: ScheduleEntry = ScheduleEntry {
    name: "sort",
    models: SORT,
    headline: Some("sorts the messages of a full permutation by destination"),
    source: None,
    bench: "bitonic",
    hardware: &bitonic::SORT,
    legend: BITONIC_LEGEND,
    meeting: by_way_of_its_rank,
    sorts: true,
};

static RADIX_SORT_AND_UNPACK: ScheduleEntry = ScheduleEntry {
    name: "sort-and-unpack",
    models: SORT_AND_UNPACK,
    headline: None,
    source: None,
    bench: "radix",
    hardware: &radix::SORT_AND_UNPACK,
    legend: RADIX_LEGEND,
    meeting: by_way_of_its_rank,
    sorts: true,
};

static RADIX_SORT: ScheduleEntry = ScheduleEntry {
    name: "sort",
    models: SORT,
    headline: Some("sorts the messages of a full permutation by destination, bit by bit"),
    source: None,
    bench: "radix",
    hardware: &radix::SORT,
    legend: RADIX_LEGEND,
    meeting: by_way_of_its_rank,
    sorts: true,
};

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

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::traffic::Message;

    use super::*;
    use crate::lockstep::permutations::interesting;

    #[test]
    fn a_sort_shows_a_source_a_rank_and_a_destination() {
        let dimensions = Dimensions::new(3).unwrap();
        let traffic = |pairs: &[(usize, usize)]| {
            let message = |&(source, destination)| Message {
                source,
                destination,
            };
            let messages = pairs.iter().map(message).collect();
            Traffic::new(dimensions, 3, messages, 1).unwrap()
        };
        let sort = RADIX.schedules[1];
        let shown = |pairs: &[(usize, usize)]| interesting(Some(sort), &traffic(pairs));
        assert_eq!(shown(&[(0, 1), (2, 7), (5, 6)]), [5, 1, 6]);
        // Where ranks are destinations, the next message of the chain.
        let full = |x: usize| (x, (x + 3) % 8);
        assert_eq!(shown(&(0..8).map(full).collect::<Vec<_>>()), [0, 3, 6]);
        assert_eq!(shown(&[]), [0, 1, 2]);
    }
}
