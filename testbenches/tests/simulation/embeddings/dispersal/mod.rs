//! Messages in shares while wires fail. Which shares a wire takes is worked out here again, from the schedule alone, and every run is
//! held against it; what comes back is held against what was sent.

mod copies;
mod files;
mod machine;
mod messages;
mod moments;
mod recovery;
mod refused;
mod waves;
