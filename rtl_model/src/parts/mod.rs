//! The hardware blocks that routers are made of, one a file.

pub mod circuits;
pub mod comparator;
pub mod comparators;
pub mod count_row;
pub mod count_stage;
pub mod counter;
pub mod dimensions;
pub mod enumerator;
pub mod exchange;
pub mod greedy_end;
pub mod greedy_switch;
pub mod home_buffer;
pub mod lane_packer;
pub mod lane_switch;
pub mod list_row;
pub mod list_switch;
pub mod message_buffer;
pub mod packer;
pub mod pair_exchange;
pub mod scan_stage;
pub mod serial_adder;
pub mod shift_register;
pub mod switch_stage;
