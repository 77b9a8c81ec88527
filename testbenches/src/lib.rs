//! t
pub mod reference;
