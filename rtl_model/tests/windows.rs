//! Which unit drives which dimension's wires when, against the intervals of the schedules as they are
//! written down: in iteration `i`, with m = k-1-i and L = m+D, a wire of stage r from the start of its
//! step.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::lanes::Lanes;
use rtl_model::meter::Storage;
use rtl_model::router::Router;
use rtl_model::topology::hypercube::Dimensions;

/// (bit time, dimension) of every wire that is driven, with its driver.
type Windows = BTreeMap<(u64, usize), &'static str>;

fn measured<R: Router>(router: R) -> Windows {
    let mut fabric = Fabric::<R, bool>::new(router, 1).unwrap();
    let mut windows = Windows::new();
    while !fabric.is_done() {
        fabric.transmit().unwrap();
        for dimension in 0..fabric.router().dimensions().count() {
            if let Some(driver) = fabric.driver(dimension) {
                windows.insert((fabric.bit_time(), dimension), driver);
            }
        }
        fabric.clock();
    }
    assert_eq!(fabric.bit_time(), fabric.router().bit_times().value);
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

#[test]
fn plain() {
    for k in 1..=9usize {
        for payload in [1, 2, 9] {
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
            let router = PlainRouter::new(Dimensions::new(k).unwrap(), payload).unwrap();
            assert_eq!(router.bit_times().value, start as u64);
            assert_eq!(measured(router), windows, "k={k}, D={payload}");
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
            let router = PackingRouter::new(Dimensions::new(k).unwrap(), payload).unwrap();
            assert_eq!(measured(router), windows, "k={k}, D={payload}");
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
        let router = EnumerationRouter::new(Dimensions::new(k).unwrap());
        assert_eq!(measured(router), windows, "k={k}");
    }
}

/// The closed forms of storage, and the memory that a machine is said to take.
#[test]
fn storage_and_memory_are_what_the_registers_make() {
    fn check<B: Lanes, R: Router>(router: &R, groups: usize) {
        let storage = Storage::of::<bool>(&router.node::<bool>());
        assert_eq!(storage.total as u64, router.storage_bits().value);
        let of_parts: usize = storage.by_part.iter().map(|(_, bits)| bits).sum();
        assert_eq!(of_parts, storage.total);

        let bits = storage.total + router.dimensions().count();
        let node = bits * size_of::<B>() + size_of::<R::Node<B>>();
        assert_eq!(Fabric::<R, B>::bytes(router, 1), (groups * node) as u64);
    }
    for k in 1..=24usize {
        let cube = Dimensions::new(k).unwrap();
        let groups = (1usize << k).div_ceil(64);
        check::<u64, _>(&EnumerationRouter::new(cube), groups);
        for payload in [1, 24, 1000] {
            check::<u64, _>(&PackingRouter::new(cube, payload).unwrap(), groups);
            check::<u64, _>(&PlainRouter::new(cube, payload).unwrap(), groups);
        }
    }
}
