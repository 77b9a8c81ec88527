//! The hardware blocks that routers of several families are made of, one a file; a block that one
//! router alone has stands in that router's folder.

pub mod counter;
pub mod dimensions;
pub mod enumerator;
pub mod exchange;
pub mod message_buffer;
pub mod module_array;
pub mod packer;
pub mod scan_stage;
pub mod serial_adder;
pub mod shift_register;
pub mod switch_stage;
pub mod windows;
pub mod word;
