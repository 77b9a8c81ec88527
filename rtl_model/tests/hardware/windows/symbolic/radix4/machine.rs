//! The machine drives its wires when they say so.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::radix4::RADIX4;
use rtl_model::routers::kuszmaul::radix4::dimension_groups::{DimensionGroups, Kind};
use rtl_model::routers::permutation::Size;

use super::*;
use crate::windows::{Windows, measured};

/// What a group of a machine is.
fn kind(groups: &DimensionGroups, group: usize) -> Group {
    let next = || groups.kind(group + 1);
    match groups.kind(group) {
        Kind::Four if next() == Kind::Two => Group::BeforeTwo,
        Kind::Four if next() == Kind::Four => Group::BeforeFour,
        Kind::Four => Group::BeforeEnd,
        Kind::Two => Group::Two(i64::from(groups.fours > 0)),
        Kind::Greedy => Group::End(groups.greedy),
    }
}

/// Of a machine, in numbers; and its bit times.
fn written(size: Size) -> (Windows, u64) {
    let groups = DimensionGroups::new(size);
    let (mut windows, mut begins) = (Windows::new(), 0);
    for place in 0..groups.count() {
        let (group, first) = (kind(&groups, place), groups.first_dimension(place));
        let m = groups.free_dimensions(place);
        let taken = size.dimensions - m - first;
        for dimension in first..size.dimensions {
            let n = dimension - first;
            let (of, r) = match (n < taken, group) {
                (true, _) => (Of::Taken(n), taken),
                (false, _) => (Of::Row, n + 1 - taken),
            };
            let next = groups.first_dimension(place + 1);
            let pauses = of == Of::Row
                && matches!(group, Group::BeforeFour | Group::BeforeTwo)
                && dimension >= next + if group == Group::BeforeTwo { 1 } else { 2 };
            let at = [m, size.payload_bits, r];
            for (unit, piece) in group.users(of, here(), pauses) {
                let first_bit = piece.first.at(&at);
                for bit in first_bit.. {
                    let there = piece.has(number(bit));
                    if there.iter().any(|form| form.at(&at) < 0) {
                        break;
                    }
                    let unit = match (unit, group, bit % 2) {
                        ("packing", Group::Two(_), _) => unit,
                        ("packing", _, 0) => "packing_lane_0",
                        ("packing", ..) => "packing_lane_1",
                        _ => unit,
                    };
                    let bit_time = piece.time(number(bit)).at(&at);
                    let taken = windows.insert((begins + bit_time as u64, dimension), unit);
                    assert_eq!(taken, None, "{size:?} {group:?} {dimension}");
                }
            }
        }
        begins += group.length(here()).at(&[m, size.payload_bits, 0]) as u64;
    }
    (windows, begins)
}

#[test]
fn wires_are_driven_as_it_is_written() {
    for dimensions in 1..=11 {
        for payload_bits in [1, 2, 3, 8, 25] {
            let device = RADIX4
                .device(Dimensions::new(dimensions).unwrap(), payload_bits)
                .unwrap();
            let (windows, bit_times) = written(Size {
                dimensions,
                payload_bits,
            });
            assert_eq!(device.bit_times().value, bit_times);
            assert_eq!(
                measured(&*device),
                windows,
                "k={dimensions} D={payload_bits}"
            );
        }
    }
}
