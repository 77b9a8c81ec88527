//! The hardware blocks that routers are made of, one a file.

pub mod circuits;
pub mod comparator;
pub mod comparators;
pub mod counter;
pub mod dimensions;
pub mod enumerator;
pub mod exchange;
pub mod home_buffer;
pub mod lane_packer;
pub mod lane_switch;
pub mod message_buffer;
pub mod packer;
pub mod scan_stage;
pub mod serial_adder;
pub mod shift_register;
pub mod switch_stage;
