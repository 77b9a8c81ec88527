//! A whole run as one picture.

pub mod run;
