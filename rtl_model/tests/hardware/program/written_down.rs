//! Machines on any network with a sequencer and hosts on wires, as Verilog, beside the simulation. Needs `iverilog`.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use rand::Rng;
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::Topology;

use crate::program::common::{Family, generator, load};
use crate::program::hearsay::Hearsay;
use crate::program::networks::{Cycles, Deciding, Hosted, Joined, Kind, Ring, Scattered};
use rtl_model::language::register::Registers;

/// So many bits of numbers, the first the lowest, as a constant.
fn constant(bits: &[bool]) -> String {
    let digits: String = (bits.iter().rev())
        .map(|&bit| if bit { '1' } else { '0' })
        .collect();
    format!("{}'b{digits}", bits.len())
}

/// What a fabric holds at the end, and a test bench that prints the same.
fn end_and_bench(router: Hearsay, design: &Design, seed: u64) -> (String, String) {
    let mut random = generator(seed);
    let mut fabric = Fabric::<_, bool>::new(router, 1).unwrap();
    load(&mut fabric, &mut random);
    let (nodes, network) = (fabric.topology().nodes(), router.network);
    let mut connections = String::from(".clk(clk), .reset(reset), .done(done)");
    let mut loaded = Vec::new();
    for node in 0..nodes {
        let (group, _) = fabric.node_mut(node);
        let mut bits = Vec::new();
        group.visit_mut(&mut |bit| bits.push(*bit));
        loaded.extend_from_slice(&bits[network.received()..][..5]);
    }
    let [(name, 5)] = &design.host_writes[..] else {
        panic!("{:?}", design.host_writes);
    };
    _ = write!(connections, ", .{name}({})", constant(&loaded));
    let from_host: Vec<&str> = design.from_host.iter().map(|(name, _)| &name[..]).collect();
    let expected: Vec<String> = (0..network.hosts)
        .map(|host| format!("host_order_{host}"))
        .collect();
    assert_eq!(from_host, expected);
    assert_eq!(design.to_host.len(), network.wires_to_host());
    for (wire, name) in from_host.iter().enumerate() {
        let orders: Vec<bool> = (0..nodes).map(|_| random.random()).collect();
        for (node, order) in orders.iter().enumerate() {
            let (group, _) = network.seat::<bool>(node);
            *fabric.from_host(group, wire) = *order;
        }
        _ = write!(connections, ", .{name}({})", constant(&orders));
    }
    let mut prints = String::new();
    for node in 0..nodes {
        let registers =
            ["moods", "tale", "heard"].map(|name| format!("dut.node[{node}].router.{name}"));
        _ = writeln!(
            prints,
            "    $display(\"%b\", {{{}}});",
            registers.join(", ")
        );
    }
    let last = router.bit_times().value;
    let bench = format!(
        "module tb;\n  reg clk = 0, reset = 1;\n  wire done;\n  {} dut ({connections});\n  integer t;\n  initial begin\n    \
         #1 clk = 1; #1 clk = 0; reset = 0;\n    for (t = 0; t < {last}; t = t + 1) begin\n      \
         if (done) $display(\"done\");\n      #1 clk = 1; #1 clk = 0;\n    end\n    \
         if (!done) $display(\"not done\");\n{prints}  end\nendmodule\n",
        design.name
    );
    while !fabric.is_done() {
        fabric.tick().unwrap();
    }
    let mut expected = String::new();
    for node in 0..nodes {
        let (group, _) = fabric.node_mut(node);
        let mut bits = Vec::new();
        group.visit_mut(&mut |bit| bits.push(if *bit { '1' } else { '0' }));
        expected.extend(bits.iter().rev());
        expected.push('\n');
    }
    (expected, bench)
}

fn does_the_same<K: Kind>(k: usize) {
    let router = Joined::<K>::router(k, 1);
    let design = Design::of(&router, "A network of hearsay.");
    let name = format!("written_down_{:?}", router.network);
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (expected, bench) = end_and_bench(router, &design, k as u64);
    let tb = ("tb.v".to_owned(), &*bench);
    let mut compile = Command::new("iverilog");
    compile
        .args(["-g2005", "-Wall", "-s", "tb", "-o"])
        .arg(folder.join("tb"));
    for (name, text) in design.files().into_iter().chain([tb]) {
        std::fs::write(folder.join(&name), text).unwrap();
        compile.arg(folder.join(name));
    }
    let compiled = compile.output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{said}");
    let ran = Command::new("vvp").arg(folder.join("tb")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{said}");
}

#[test]
fn networks_that_are_written_down_do_the_same() {
    does_the_same::<Hosted>(1);
    does_the_same::<Hosted>(4);
    does_the_same::<Hosted>(6);
    does_the_same::<Ring>(3);
    does_the_same::<Cycles>(3);
    does_the_same::<Scattered>(2);
    does_the_same::<Deciding>(4);
}
