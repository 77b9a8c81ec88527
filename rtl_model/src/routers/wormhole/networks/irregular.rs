//! Irregular networks: worms go by tables, which say for each node and each destination by which link they go on.

pub mod file;
pub mod routes;
