//! What GTKWave and Icarus make of embeddings, of collective operations and of several messages a node: views, and Verilog bit by bit. Needs both, and a virtual
//! display; without them it fails.

use crate::common::gtkwave as opened;
mod collectives;
mod dispersal_verilog;
mod gtkwave;
mod relations;
mod verilog;
