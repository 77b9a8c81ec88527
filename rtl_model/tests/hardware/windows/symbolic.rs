//! No wire has two users and no bit is late, for all `k` and all `D`: the tables of windows themselves, compared as linear forms.

mod feeds;
mod forms;
mod radix4;
mod streams;
mod tables;
