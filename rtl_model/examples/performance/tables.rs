//! The tables of `docs/performance-tables.md`.

use rtl_model::error::Error;
use rtl_model::machine::instructions::Instructions;

use crate::machine::Kernel;
use crate::measured::{Measured, PLAIN, Plan, ROUTERS, Series};
use crate::prearranged;
use crate::report::Table;
use crate::subject::{Facts, active_stages};
use crate::worms;

/// Registers that a scan stage and a switch stage together store in a bit time.
const STORES_OF_A_STAGE: f64 = 6.0;
/// 64-bit words that a store of 32 bytes takes.
const WORDS_OF_A_STORE: f64 = 4.0;
/// A copy that fetches what it writes moves a line three times where the kernel counts two.
const MOVED_BY_COPYING: f64 = 1.5;

/// All of them.
///
/// # Errors
/// None for sizes that were measured.
pub fn all(measured: &Measured, plan: &Plan) -> Result<Vec<Table>, Error> {
    Ok(vec![
        machine(measured, plan),
        bandwidth(measured, plan),
        plain(measured, plan)?,
        floor(measured, plan)?,
        memory(measured, plan),
        size(measured, plan)?,
        threads(measured, plan),
        routers(measured, plan),
        instructions(measured, plan),
        prearranged::table(&measured.prearranged),
        worms::table(&measured.worms),
    ])
}

/// Three digits that count.
pub fn digits(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let magnitude = if value == 0.0 {
        0
    } else {
        value.abs().log10().floor() as i32
    };
    match magnitude {
        -3..=4 => format!("{value:.*}", (2 - magnitude).max(0) as usize),
        _ => format!("{value:.2e}"),
    }
}

fn bytes(bytes: usize) -> String {
    match bytes >> 10 {
        kibibytes if kibibytes < 1024 => format!("{kibibytes} KiB"),
        kibibytes => format!("{} MiB", kibibytes >> 10),
    }
}

fn machine(measured: &Measured, plan: &Plan) -> Table {
    let mut system = sysinfo::System::new();
    system.refresh_cpu_all();
    system.refresh_memory();
    let cpu = system.cpus().first();
    let name = cpu.map_or("unknown", |cpu| cpu.brand()).trim();
    let store = measured.store();
    let mut table = Table::new("machine", "The machine.", &["", ""]);
    let mut row = |what: &str, value: String| table.rows.push(vec![what.to_owned(), value]);
    row("processor", name.to_owned());
    row(
        "processors seen by the system",
        system.cpus().len().to_string(),
    );
    row(
        "memory, GiB",
        format!("{:.0}", system.total_memory() as f64 / f64::from(1 << 30)),
    );
    row("instructions", Instructions::widest().name().to_owned());
    row(
        "threads of the columns for several",
        plan.threads.to_string(),
    );
    row(
        "a store of 32 bytes in the first-level cache, ns",
        digits(store),
    );
    row(
        "floor: six stores a stage, ns a stage and word of 64 nodes",
        digits(STORES_OF_A_STAGE * store / WORDS_OF_A_STORE),
    );
    table
}

fn bandwidth(measured: &Measured, plan: &Plan) -> Table {
    let several = plan.threads;
    let mut table = Table::new(
        "bandwidth",
        "Bytes that a loop reads and writes, GB/s (10^9); each thread has arrays of its own. A line that is fetched only to \
         be written does not count.",
        &[],
    );
    table.columns = ["arrays of a thread, in all".to_owned()]
        .into_iter()
        .chain([Kernel::Copy, Kernel::Triad].iter().flat_map(|kernel| {
            [1, several].map(|threads| format!("{}, threads: {threads}", kernel.name()))
        }))
        .collect();
    for &size in &plan.copies {
        let mut row = vec![bytes(size)];
        for kernel in [Kernel::Copy, Kernel::Triad] {
            for threads in [1, several] {
                row.push(digits(measured.bandwidth(kernel, size, threads) / 1e9));
            }
        }
        table.rows.push(row);
    }
    table
}

/// What is known of `plain`, by size.
fn of_plain<'a>(
    measured: &'a Measured,
    sizes: &'a [usize],
) -> impl Iterator<Item = (usize, &'a Facts)> {
    sizes
        .iter()
        .filter_map(|&k| Some((k, measured.facts(PLAIN, k)?)))
}

fn plain(measured: &Measured, plan: &Plan) -> Result<Table, Error> {
    let mut table = Table::new(
        "plain",
        "Algorithm 2 on schedule `plain`, D = 8, full permutations, one thread.",
        &[
            "k",
            "nodes",
            "bit times",
            "a run, ms",
            "of it laying out, %",
            "making the program, ms",
            "ns a bit time",
            "node-bit-times a second",
            "active stages a bit time",
            "ps a node, active stage and bit time",
            "ps a node, driven dimension and bit time",
        ],
    );
    for (k, facts) in of_plain(measured, &plan.plain) {
        let seconds = measured.plain(k, 1);
        let bit_times = facts.bit_times as f64;
        let nodes = facts.nodes as f64;
        let active = active_stages(k)? as f64;
        table.rows.push(vec![
            k.to_string(),
            facts.nodes.to_string(),
            facts.bit_times.to_string(),
            digits(seconds * 1e3),
            digits(measured.laying_out(k) / seconds * 100.0),
            digits(facts.making * 1e3),
            digits(seconds / bit_times * 1e9),
            format!("{:.2e}", nodes * bit_times / seconds),
            digits(active / bit_times),
            digits(seconds / nodes / active * 1e12),
            digits(seconds / nodes / facts.driven as f64 * 1e12),
        ]);
    }
    Ok(table)
}

fn floor(measured: &Measured, plan: &Plan) -> Result<Table, Error> {
    let store = measured.store();
    let mut table = Table::new(
        "floor",
        format!(
            "The same runs against the store port ({} ns a store of 32 bytes): as if every active stage stored six registers, \
             and for the planes that the program stores.",
            digits(store)
        ),
        &[
            "k",
            "six stores a stage: floor, ns a bit time",
            "measured / floor",
            "planes stored a bit time",
            "floor, ns a bit time",
            "measured / floor",
        ],
    );
    for (k, facts) in of_plain(measured, &plan.plain) {
        let bit_times = facts.bit_times as f64;
        let measured = measured.plain(k, 1) / bit_times * 1e9;
        let words = facts.nodes as f64 / 64.0;
        let a_word = store / WORDS_OF_A_STORE;
        let active = active_stages(k)? as f64 / bit_times;
        let stores = facts.stores as f64 / bit_times;
        let stages = STORES_OF_A_STAGE * a_word * active * words;
        let planes = a_word * stores * words;
        table.rows.push(vec![
            k.to_string(),
            digits(stages),
            digits(measured / stages),
            digits(stores),
            digits(planes),
            digits(measured / planes),
        ]);
    }
    Ok(table)
}

fn memory(measured: &Measured, plan: &Plan) -> Table {
    let mut table = Table::new(
        "memory",
        format!(
            "Bytes that would pass between memory and cache if nothing stayed there from one bit time to the next: planes of \
             registers and wires that are fetched (those to be written as well) and written back. The bound is the copy of {}, \
             counted in the same way: three lines moved for each one copied.",
            bytes(plan.largest_copy())
        ),
        &[
            "k",
            "threads",
            "registers and wires of a node, bits",
            "in all, MiB",
            "MB a bit time",
            "GB/s",
            "copy, GB/s",
            "of the copy, %",
        ],
    );
    for (k, facts) in of_plain(measured, &plan.memory) {
        for threads in [1, plan.threads] {
            let seconds = measured.plain(k, threads);
            let copy = measured.bandwidth(Kernel::Copy, plan.largest_copy(), threads);
            let copy = copy * MOVED_BY_COPYING;
            let touched = facts.touched.bytes(facts.nodes) as f64;
            // Wires are kept twice, of the bit time that ends and of the one that begins.
            let bits = facts.registers + 2 * k as u64;
            table.rows.push(vec![
                k.to_string(),
                threads.to_string(),
                bits.to_string(),
                digits((bits * facts.nodes / 8) as f64 / f64::from(1 << 20)),
                digits(touched / facts.bit_times as f64 / 1e6),
                digits(touched / seconds / 1e9),
                digits(copy / 1e9),
                digits(touched / seconds / copy * 100.0),
            ]);
        }
    }
    table
}

fn size(measured: &Measured, plan: &Plan) -> Result<Table, Error> {
    let (small, large) = plan.compared;
    let mut table = Table::new(
        "size",
        "What a larger cube costs, by node, stage and bit time, one thread.",
        &[
            "",
            &format!("k = {small}, ps"),
            &format!("k = {large}, ps"),
            "ratio",
        ],
    );
    let costs = |k: usize| -> Result<[f64; 3], Error> {
        let Some(facts) = measured.facts(PLAIN, k) else {
            return Ok([f64::NAN; 3]);
        };
        let a_node = measured.plain(k, 1) / facts.nodes as f64 * 1e12;
        let stages = (facts.bit_times * k as u64) as f64;
        Ok([
            a_node / active_stages(k)? as f64,
            a_node / facts.driven as f64,
            a_node / stages,
        ])
    };
    let (small, large) = (costs(small)?, costs(large)?);
    let what = ["an active stage", "a driven dimension", "each of k stages"];
    for (what, (small, large)) in what.iter().zip(small.into_iter().zip(large)) {
        table.rows.push(vec![
            (*what).to_owned(),
            digits(small),
            digits(large),
            digits(large / small),
        ]);
    }
    Ok(table)
}

fn threads(measured: &Measured, plan: &Plan) -> Table {
    let several = plan.threads;
    let mut table = Table::new(
        "threads",
        "Several threads, `plain`.",
        &[
            "k",
            "one thread, ms",
            &format!("{several} threads, ms"),
            "times as fast",
            &format!("node-bit-times a second, {several} threads"),
        ],
    );
    for (k, facts) in of_plain(measured, &plan.threaded) {
        let (one, all) = (measured.plain(k, 1), measured.plain(k, several));
        table.rows.push(vec![
            k.to_string(),
            digits(one * 1e3),
            digits(all * 1e3),
            digits(one / all),
            format!("{:.2e}", (facts.nodes * facts.bit_times) as f64 / all),
        ]);
    }
    table
}

fn routers(measured: &Measured, plan: &Plan) -> Table {
    let mut table = Table::new(
        "routers",
        "All routers, D = 8, one thread.",
        &[
            "router",
            "k",
            "bit times",
            "driven dimensions a bit time",
            "making the program, s",
            "a run, s",
            "node-bit-times a second",
        ],
    );
    for (router, _) in ROUTERS {
        for &k in &plan.all {
            let Some(facts) = measured.facts(router, k) else {
                continue;
            };
            let seconds = measured.seconds(Series {
                router,
                k,
                instructions: Instructions::widest(),
                threads: 1,
            });
            table.rows.push(vec![
                router.to_owned(),
                k.to_string(),
                facts.bit_times.to_string(),
                digits(facts.driven as f64 / facts.bit_times as f64),
                digits(facts.making),
                digits(seconds),
                format!("{:.2e}", (facts.nodes * facts.bit_times) as f64 / seconds),
            ]);
        }
    }
    table
}

fn instructions(measured: &Measured, plan: &Plan) -> Table {
    let widest = Instructions::widest();
    let mut table = Table::new(
        "instructions",
        "Portable instructions against the widest, `plain`, one thread.",
        &[
            "k",
            "portable, ms",
            &format!("{}, ms", widest.name()),
            "times as fast",
        ],
    );
    for &k in &plan.portable {
        let seconds = |instructions| {
            let one = Series {
                router: PLAIN,
                k,
                instructions,
                threads: 1,
            };
            measured.seconds(one)
        };
        let (portable, wide) = (seconds(Instructions::Portable), seconds(widest));
        table.rows.push(vec![
            k.to_string(),
            digits(portable * 1e3),
            digits(wide * 1e3),
            digits(portable / wide),
        ]);
    }
    table
}
