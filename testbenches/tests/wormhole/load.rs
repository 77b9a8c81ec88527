//! To come.
use crate::machines::*;
use testbenches::reference::wormhole::*;
fn time(network: Network, bits: usize, seed: u64) -> u64 {
    let machine = machine(network);
    let engine = run_hardware::<rtl_model::lanes::Words<4>>(machine, &permutation(nodes(machine), bits, seed), LIMIT, plain_tick);
    assert_eq!(engine.in_flight(), 0);
    engine.fabric.bit_time()
}
#[test]
fn measure() {
    for bits in [16, 64, 128, 256, 1024] {
        let r: Vec<(u64,u64)> = (0..5).map(|s| (time(copies(4,1),bits,s), time(copies(4,4),bits,s))).collect();
        println!("4 {bits} {r:?} mean {}", r.iter().map(|x| x.0 as f64/x.1 as f64).sum::<f64>()/5.);
    }
    for (bits,seeds) in [(64,2),(256,1)] {
        for s in 0..seeds {
            let t=std::time::Instant::now();
            let a=time(copies(8,1),bits,s);
            let ta=t.elapsed();
            let b=time(copies(8,8),bits,s);
            println!("8 {bits} {a} {b} {} {ta:?} {:?}", a as f64/b as f64, t.elapsed());
        }
    }
}
