//! Every model in the steps that it is to take, and planted mistakes, each of which is found.

use super::*;

mod broadcasts;
mod judge;
mod operators;
mod prefixes;
mod reductions;
mod sorts;
mod trees;
