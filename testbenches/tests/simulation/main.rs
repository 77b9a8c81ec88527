//! Testbenches from end to end, without any other program.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;

mod adversarial;
mod algorithm2_example;
mod broadcast;
mod circles;
mod cli;
mod collectives;
mod compare;
mod embeddings;
mod exhaustive;
mod faults;
mod frozen;
mod journal;
mod junit;
mod new_router;
mod options_page;
#[cfg(unix)]
mod outputs;
mod pages;
mod picture;
mod properties;
mod radix4_example;
mod readme;
mod reduced_hypercube;
mod schema;
mod seams;
mod search;
mod serve;
mod structured;
mod suite;
mod surfer;
mod told;
#[cfg(target_os = "linux")]
mod view;
mod wave;
mod whole_frame;
mod wormhole;
mod wormhole_shown;
