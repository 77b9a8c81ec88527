//! No wire has two users and no bit is late, for all `k` and all `D`: the tables of windows themselves, compared as linear forms.

mod batches;
mod closed;
mod feeds;
mod forms;
mod plain;
mod radix4;
mod sorts;
mod streams;
mod tables;
