//! Exploration.
use super::model::{End, run};
use super::network::Network;
use super::pieces::{Cut, load, worms};
use super::rule::Rule;
use super::tests::{complement, random, rotation};

#[test]
#[ignore]
fn explore() {
    for levels in [4, 8] {
        let network = Network::new(levels, levels);
        let nodes = network.nodes();
        for bits in [64, 256] {
            for (name, to) in [
                ("random1", random(nodes, 1)),
                ("random2", random(nodes, 2)),
                ("compl", complement(nodes)),
                ("rot", rotation(nodes)),
            ] {
                for (rule, cut) in [
                    (Rule::Dateline, Cut::Even),
                    (Rule::AtStart, Cut::Even),
                    (Rule::Upwards, Cut::Even),
                    (Rule::Dateline, Cut::ByWay),
                    (Rule::Dateline, Cut::ByLoad),
                    (Rule::Dateline, Cut::Apart),
                ] {
                    let start = std::time::Instant::now();
                    let worms = worms(&network, &to, bits, cut);
                    let built = start.elapsed();
                    let least = load(&network, &worms).into_iter().max().unwrap();
                    let run = run(&network, &worms, rule, 2);
                    let End::Done(time) = run.end else { panic!() };
                    println!(
                        "{levels} {bits} {name} {rule:?} {cut:?} {time} at least {least} worms {} {built:?} {:?}",
                        worms.len(),
                        start.elapsed()
                    );
                }
            }
        }
    }
}
