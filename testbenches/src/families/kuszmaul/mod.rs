//! Testbench `kuszmaul`: Algorithm 2, on each of its schedules.

mod shown;

use rtl_model::routers::kuszmaul;

use crate::lockstep::{Schedule, ScheduleEntry, permutations};
use crate::testbench::Testbench;

/// The testbench.
pub static BENCH: Testbench = Testbench {
    name: NAME,
    models: "routes any partial permutation, deterministically, with small buffers",
    source: "Kuszmaul 1990, section III, Algorithm 2",
    examples: &[
        "cubewave run kuszmaul --dims 8 --payload-bits 16 --traffic bitrev --load 0.5",
        "cubewave run kuszmaul --dims 3 --traffic-file mine.csv --deliveries arrived.csv",
        "cubewave run kuszmaul --wave run.vcd --trace-nodes 0,5,9 --trace-from 90 --trace-to 170",
        "cubewave run kuszmaul --schedule radix4 --dims 8",
        "cubewave measure kuszmaul --dims 2..16 --schedule all --plot bits.svg",
        "cubewave measure kuszmaul --dims 4,8,12 --schedule plain,spread --payload-bits 8,k,2k+1",
        "cubewave measure kuszmaul --dims 10 --load 0.25,0.5,1 --seeds 20 --format csv",
        "cubewave search kuszmaul --maximise occupied-bits --dims 6",
        "cubewave search kuszmaul --maximise occupied-bits --dims 1..8 --schedule all --plot buffers.svg",
        "cubewave measure kuszmaul,bitonic,radix --dims 2..12 --schedule spread,radix4,sort-and-unpack",
        "cubewave faults kuszmaul --schedule radix4 --dims 4",
        "cubewave faults kuszmaul --dims 6 --kinds registers --sample 20000 --csv faults.csv --plot faults.svg",
        "cubewave plan kuszmaul --dims 30 --machines 8 --memory 24GiB --bandwidth 10Gbit",
        "cubewave plan kuszmaul --dims 28 --schedule spread --load 1",
        "cubewave verilog kuszmaul --dims 4 --payload-bits 8 --out cube4",
        "cubewave verilog kuszmaul --dims 3 --traffic-file mine.csv --out mine --force",
    ],
    schedules: &[
        Schedule(&PLAIN),
        Schedule(&OVERLAPPED),
        Schedule(&FOLDED),
        Schedule(&SPREAD),
        Schedule(&RADIX4),
    ],
    ..permutations::BENCH
};

const NAME: &str = "kuszmaul";

static PLAIN: ScheduleEntry = ScheduleEntry {
    name: "plain",
    models: "one step of Algorithm 2 after the other",
    headline: None,
    source: None,
    bench: NAME,
    hardware: &kuszmaul::plain::PLAIN,
    legend: &[],
    meeting: shown::ascending,
    sorts: false,
};

static OVERLAPPED: ScheduleEntry = ScheduleEntry {
    name: "overlapped",
    models: "steps overlap; step 6 goes back through circuits that step 5 set",
    headline: None,
    source: None,
    bench: NAME,
    hardware: &kuszmaul::overlapped::OVERLAPPED,
    legend: &[],
    meeting: shown::ascending,
    sorts: false,
};

static FOLDED: ScheduleEntry = ScheduleEntry {
    name: "folded",
    models: "as overlapped, and iterations overlap",
    headline: None,
    source: None,
    bench: NAME,
    hardware: &kuszmaul::folded::FOLDED,
    legend: &[],
    meeting: shown::folded,
    sorts: false,
};

static SPREAD: ScheduleEntry = ScheduleEntry {
    name: "spread",
    models: "steps 2 to 6 become one packing of all messages (not in the paper)",
    headline: None,
    source: Some(
        "after Kuszmaul 1990, section III, Algorithm 2; its steps 2 to 6 replaced, which is not in the paper",
    ),
    bench: NAME,
    hardware: &kuszmaul::spread::SPREAD,
    legend: &["read_at: which bit of a message step 1 sends"],
    meeting: shown::parting,
    sorts: false,
};

static RADIX4: ScheduleEntry = ScheduleEntry {
    name: "radix4",
    models: "two address bits at a time, packed without headers (not in the paper)",
    headline: None,
    source: Some(
        "after Kuszmaul 1990, section III, Algorithm 2, and section II; in groups of two dimensions, which is not in the paper",
    ),
    bench: NAME,
    hardware: &kuszmaul::radix4::RADIX4,
    legend: &[
        "group: of two dimensions at once, level: bits in a message buffer",
        "greedy_end: the last dimensions, crossed without packing",
    ],
    meeting: shown::gathering,
    sorts: false,
};
