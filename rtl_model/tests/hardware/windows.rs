//! Which unit drives which dimension's wires when, against the intervals of the schedules as they are
//! written down: in iteration `i`, with m = k-1-i and L = m+D, a wire of stage r from the start of its
//! step, or, where steps overlap, of its iteration.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rtl_model::language::lanes::Lanes;
use rtl_model::language::register::Registers;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::enumeration::{self, EnumerationRouter};
use rtl_model::routers::kuszmaul::folded::{FOLDED, Folded};
use rtl_model::routers::kuszmaul::overlapped::{OVERLAPPED, Overlapped};
use rtl_model::routers::kuszmaul::packing::{self, PackingRouter};
use rtl_model::routers::kuszmaul::plain::{PLAIN, Plain};
use rtl_model::routers::kuszmaul::radix4::{RADIX4, Radix4};
use rtl_model::routers::kuszmaul::spread::{SPREAD, Spread};
use rtl_model::routers::permutation::{AnySchedule, PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

mod radix4;
mod symbolic;

/// (bit time, dimension) of every wire that is driven, with its driver.
type Windows = BTreeMap<(u64, usize), &'static str>;

fn measured(device: &dyn Device) -> Windows {
    let mut fabric = device.build(1).unwrap();
    let mut windows = Windows::new();
    while !fabric.is_done() {
        fabric.transmit().unwrap();
        for dimension in 0..device.topology().links() {
            if let Some(driver) = fabric.driver(dimension) {
                windows.insert((fabric.bit_time(), dimension), driver);
            }
        }
        fabric.clock();
    }
    assert_eq!(fabric.bit_time(), device.bit_times().value);
    windows
}

fn drive(
    windows: &mut Windows,
    driver: &'static str,
    dimension: usize,
    start: usize,
    interval: RangeInclusive<usize>,
) {
    for bit_time in interval {
        let taken = windows.insert(((start + bit_time) as u64, dimension), driver);
        assert_eq!(taken, None);
    }
}

/// Payloads shorter than an address, as long, so long that messages of step 1 still come in when they are
/// sent on, and longer than anything else.
fn payloads(k: usize) -> [usize; 5] {
    [1, 2, k, 3 * k + 1, 40]
}

/// Holds the machine of a schedule against its windows and the bit times that they take.
fn check(
    schedule: &dyn AnySchedule,
    (k, payload): (usize, usize),
    bit_times: usize,
    windows: &Windows,
) {
    let device = schedule
        .device(Dimensions::new(k).unwrap(), payload)
        .unwrap();
    assert_eq!(device.bit_times().value, bit_times as u64);
    assert_eq!(measured(&*device), *windows, "k={k}, D={payload}");
}

#[test]
fn plain() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let mut windows = Windows::new();
            let mut start = 0;
            for i in 0..k {
                let m = k - 1 - i;
                let l = m + payload;
                drive(&mut windows, "exchange", i, start, 0..=l);
                start += l + 1;
                if m == 0 {
                    break;
                }
                // Steps 2 and 3, 4 and 5, then 6.
                for body in [l, m] {
                    for r in 1..=m {
                        drive(&mut windows, "enumeration", i + r, start, r - 1..=2 * r - 2);
                    }
                    start += 2 * m - 1;
                    for r in 1..=m {
                        let until = m + r - 2 + body;
                        drive(&mut windows, "packing", i + r, start, 2 * (r - 1)..=until);
                    }
                    start += 2 * m + body - 1;
                }
                for r in 1..=m {
                    let until = m + r - 2 + l;
                    drive(&mut windows, "packing", k - r, start, 2 * (r - 1)..=until);
                }
                start += 2 * m + l - 1;
            }
            check(PLAIN, (k, payload), start, &windows);
        }
    }
}

/// One iteration of schedules `overlapped` and `folded`; `row` are the dimensions in the order of its stages.
fn overlapped_iteration(windows: &mut Windows, row: &[usize], start: usize, l: usize) {
    let m = row.len();
    for (r, &dimension) in (1..).zip(row) {
        let mut carries = |driver, interval| drive(windows, driver, dimension, start, interval);
        // Empty nodes, then nodes with two messages.
        carries("enumeration", r..=2 * r - 1);
        carries("enumeration", m + r..=m + 2 * r - 1);
        // Step 5, headers only; step 3; step 6, which runs back.
        carries("packing", m + 2 * r..=2 * m + r);
        carries("packing", 2 * m + 2 * r..=3 * m + r + l);
        carries("circuits", 5 * m + l + 1 - r..=5 * m + 2 * l + 1 - r);
    }
}

#[test]
fn overlapped() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let mut windows = Windows::new();
            let mut start = 0;
            for i in 0..k {
                let m = k - 1 - i;
                let l = m + payload;
                let row: Vec<usize> = (i + 1..k).collect();
                drive(&mut windows, "exchange", i, start, 0..=l);
                overlapped_iteration(&mut windows, &row, start, l);
                start += match m {
                    0 => l + 1,
                    _ => 7 * m + 2 * payload + 1,
                };
            }
            check(OVERLAPPED, (k, payload), start, &windows);
        }
    }
}

/// Each iteration begins under the end of the step 6 before it.
#[test]
fn folded() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let mut windows = Windows::new();
            let mut start = 0;
            for i in 0..k {
                let m = k - 1 - i;
                let l = m + payload;
                let mut row: Vec<usize> = (i + 2..k).step_by(2).collect();
                row.extend((i + 1..k).step_by(2).rev());
                drive(&mut windows, "exchange", i, start, 0..=l);
                overlapped_iteration(&mut windows, &row, start, l);
                start += match m {
                    0 => l + 1,
                    _ => 6 * m + 2 * payload + 2,
                };
            }
            check(FOLDED, (k, payload), start, &windows);
        }
    }
}

/// A node's messages are counted in the bit time after their valid bit came. Of the 2^(r-1) nodes that
/// stage r has behind it each may hold two, so it carries r+1 bits; no rank needs more than m. The rank's
/// first bit is counted in m and sent in the next bit time; each stage takes one bit of it.
#[test]
fn spread() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let mut windows = Windows::new();
            let mut start = 0;
            for i in 0..k {
                let m = k - 1 - i;
                let l = m + payload;
                drive(&mut windows, "exchange", i, start, 0..=l);
                for r in 1..=m {
                    let mut carries =
                        |driver, interval| drive(&mut windows, driver, i + r, start, interval);
                    carries("enumeration", r..=(2 * r).min(m + r - 1));
                    carries("packing", m + 2 * r - 1..=2 * m + r - 1 + l);
                }
                start += match m {
                    0 => l + 1,
                    _ => 3 * m + payload + 1,
                };
            }
            check(SPREAD, (k, payload), start, &windows);
        }
    }
}

/// Phase p passes dimensions p-1 to 0, a stage a bit time, and begins as soon as the record's head is back at
/// the dimension above, W-1 bit times after the phase before it. Then the unpacking, from dimension k-1.
#[test]
fn bitonic() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let width = 1 + k + payload;
            let mut windows = Windows::new();
            for p in 1..=k {
                for stage in 0..p {
                    let start = (p - 1) * (width - 1) + stage;
                    drive(
                        &mut windows,
                        "comparison",
                        p - 1 - stage,
                        start,
                        0..=width - 1,
                    );
                }
            }
            check(bitonic::SORT, (k, payload), k * width, &windows);
            let start = k * width - (k - 1);
            for r in 1..=k {
                let until = k + r - 2 + payload;
                drive(&mut windows, "unpacking", k - r, start, 2 * (r - 1)..=until);
            }
            let bit_times = start + 2 * k + payload - 1;
            check(bitonic::SORT_AND_UNPACK, (k, payload), bit_times, &windows);
        }
    }
}

/// A pass enumerates, and packs with the ranks as they come: headers of k bits, messages of k+D. The next begins
/// when the wires of dimension 0 are free, and the lower bit of its key has come: destinations come from their
/// most significant bit, so that of pass 1 is the last but one.
#[test]
fn radix() {
    for k in 1..=9usize {
        for payload in payloads(k) {
            let length = k + payload;
            let key_1 = 3 * k - 1 + (k - 1).saturating_sub(1);
            let next = (2 * k + length).max(if k > 1 { key_1 + 1 } else { 0 });
            let mut windows = Windows::new();
            let passes = |windows: &mut Windows, numbers: std::ops::Range<usize>| {
                for start in numbers.map(|number| number * next) {
                    for d in 0..k {
                        drive(windows, "enumeration", d, start, d..=2 * d);
                        let until = 2 * k - 1 + d + length;
                        drive(windows, "packing", d, start, k + 2 * d..=until);
                    }
                }
            };
            passes(&mut windows, 0..k);
            let bit_times = (k - 1) * next + 3 * k - 1 + length;
            check(radix::SORT, (k, payload), bit_times, &windows);
            passes(&mut windows, k..k + 1);
            let start = k * next + 3 * k - 1 + length;
            for r in 1..=k {
                let until = k + r - 2 + payload;
                drive(&mut windows, "packing", k - r, start, 2 * (r - 1)..=until);
            }
            let bit_times = start + 2 * k + payload - 1;
            check(radix::SORT_AND_UNPACK, (k, payload), bit_times, &windows);
        }
    }
}

#[test]
fn packing() {
    for k in 1..=9 {
        for payload in [1, 2, 9] {
            let mut windows = Windows::new();
            for r in 1..=k {
                let until = k + r - 2 + payload;
                drive(&mut windows, "packing", r - 1, 0, 2 * (r - 1)..=until);
            }
            let device = packing::device(Dimensions::new(k).unwrap(), payload).unwrap();
            assert_eq!(measured(&*device), windows, "k={k}, D={payload}");
        }
    }
}

#[test]
fn enumeration() {
    for k in 1..=9 {
        let mut windows = Windows::new();
        for r in 1..=k {
            drive(&mut windows, "enumeration", r - 1, 0, r - 1..=2 * r - 2);
        }
        let device = enumeration::device(Dimensions::new(k).unwrap());
        assert_eq!(measured(&*device), windows, "k={k}");
    }
}

/// The closed forms of storage, and the memory that a machine is said to take.
#[test]
fn storage_and_memory_are_what_the_registers_make() {
    fn measure<B: Lanes, R: Router<Topology = Dimensions>>(router: &R, groups: usize) {
        let storage = Storage::of::<bool>(&router.node::<bool>());
        assert_eq!(storage.total as u64, router.storage_bits().value);
        let of_parts: usize = storage.by_part.iter().map(|(_, bits)| bits).sum();
        assert_eq!(of_parts, storage.total);

        // Wires of two bit times, and what is remembered for measurement.
        let mut witnesses = 0;
        (router.node::<bool>()).visit_witnesses(&mut |_| witnesses += 1);
        let bits = storage.total + witnesses + 2 * router.dimensions().count();
        let node = bits * size_of::<B>() + size_of::<R::Node<B>>();
        assert_eq!(Fabric::<R, B>::bytes(router, 1), (groups * node) as u64);
    }
    fn measure_schedule<S: Schedule>(cube: Dimensions, payload: usize, groups: usize) {
        let router = PermutationRouter::<S>::new(cube, payload).unwrap();
        measure::<u64, _>(&router, groups);
    }
    for k in 1..=28usize {
        let cube = Dimensions::new(k).unwrap();
        let groups = (1usize << k).div_ceil(64);
        measure::<u64, _>(&EnumerationRouter::new(cube), groups);
        for payload in [1, 24, 1000] {
            measure::<u64, _>(&PackingRouter::new(cube, payload).unwrap(), groups);
            measure_schedule::<Plain>(cube, payload, groups);
            measure_schedule::<Overlapped>(cube, payload, groups);
            measure_schedule::<Folded>(cube, payload, groups);
            measure_schedule::<Spread>(cube, payload, groups);
            measure_schedule::<Radix4>(cube, payload, groups);
            measure_schedule::<bitonic::SortAndUnpack>(cube, payload, groups);
            measure_schedule::<bitonic::Sort>(cube, payload, groups);
            measure_schedule::<radix::SortAndUnpack>(cube, payload, groups);
            measure_schedule::<radix::Sort>(cube, payload, groups);
        }
    }
}
