use bitvec::vec::BitVec;
use rtl_model::fabric::{Fabric, How};

use rtl_model::kuszmaul::plain::Plain;
use rtl_model::lanes::{Lanes, Words};
use rtl_model::permutation::{PermutationRouter, Schedule};
use rtl_model::register::Registers;
use rtl_model::router::MessageRouter;
use rtl_model::topology::hypercube::Dimensions;
use std::time::Instant;
fn load<S: Schedule, B: Lanes>(f: &mut Fabric<PermutationRouter<S>, B>, k: usize) {
    let router = *f.router();
    let payload = BitVec::<u64>::repeat(true, 8);
    for source in 0..1usize << k {
        let (node, place) = f.node_mut(source);
        let dest = (source.wrapping_mul(0x9e3779b1) ^ (source >> 1)) & ((1 << k) - 1);
        let dest = if k > 16 {
            !source & ((1 << k) - 1)
        } else {
            let _ = dest;
            ((source.wrapping_mul(0x2545) & ((1 << k) - 1)) ^ 0x5a5) & ((1 << k) - 1)
        };
        router.load(node, place, dest, &payload);
    }
}
fn words<B: Lanes>(f: &mut impl Registers<B>) -> Vec<u64> {
    let mut v = vec![];
    f.visit_mut(&mut |b: &mut B| (0..B::WORDS).for_each(|i| v.push(b.word(i))));
    v
}
fn go<B: Lanes>(k: usize, reps: usize, threads: usize, check: bool) {
    let router = PermutationRouter::<Plain>::new(Dimensions::new(k).unwrap(), 8).unwrap();
    let mut f = Fabric::<_, B>::new(router, 1).unwrap();
    let mut t_adv = vec![];
    {
        let mut best = f64::MAX;
        for _ in 0..reps {
            f.restart();
            load(&mut f, k);
            f.program(false);
            let s = Instant::now();
            f.advance(
                u64::MAX,
                &How {
                    threads,
                    ..How::default()
                },
            )
            .unwrap();
            best = best.min(s.elapsed().as_secs_f64());
        }
        t_adv.push(best / f.bit_time() as f64 * 1e9);
    }
    let mut line = format!(
        "k={k} lanes {} threads {threads}: advance {:.1} ns/bt ",
        B::NODES,
        t_adv[0]
    );
    if check {
        let mut g = Fabric::<_, B>::new(router, 1).unwrap();
        load(&mut g, k);
        let s = Instant::now();
        while !g.is_done() {
            g.tick().unwrap();
        }
        let t = s.elapsed().as_secs_f64() / g.bit_time() as f64 * 1e9;
        for (a, b) in f.node_groups_mut().iter_mut().zip(g.node_groups_mut()) {
            assert_eq!(words(a), words(b));
        }
        line += &format!(" tick {t:.1}");
    }
    let st = 12.0 * k as f64;
    line += &format!(
        "  ps/node/stage(k) {:.3}",
        t_adv[0] * 1000.0 / (1u64 << k) as f64 / k as f64
    );
    let _ = st;
    println!("{line}");
}
fn main() {
    if std::env::var("ONCE").is_ok() {
        let k: usize = std::env::var("ONCE").unwrap().parse().unwrap();
        return if k == 6 {
            go::<u64>(6, 6000, 1, false)
        } else if k == 8 {
            go::<Words<4>>(8, 3000, 1, false)
        } else {
            go::<Words<8>>(k, 300, 1, false)
        };
    }
    let arg: Vec<String> = std::env::args().collect();
    let max: usize = arg.get(1).map_or(14, |a| a.parse().unwrap());
    let threads: usize = arg.get(2).map_or(1, |a| a.parse().unwrap());
    let min: usize = arg.get(3).map_or(6, |a| a.parse().unwrap());
    for k in min..=max {
        let reps = if k < 12 {
            200
        } else if k < 16 {
            10
        } else {
            2
        };
        match k {
            0..=6 => go::<u64>(k, reps, threads, true),
            7 => go::<Words<2>>(k, reps, threads, true),
            8 => go::<Words<4>>(k, reps, threads, true),
            _ => {
                go::<Words<8>>(k, reps, threads, k < 17);
                if std::env::var("PORTABLE").is_ok() {
                    go::<Words<8>>(k, reps, threads, k < 17);
                }
                if k > 9 && std::env::var("WIDE").is_ok() {
                    go::<Words<16>>(k, reps, threads, k < 17);
                }
            }
        }
    }
}
