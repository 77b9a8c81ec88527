//! What the hosts in the testbench of a broadcast look at beside the message that arrives, each of which fails it; and what is refused.
//! All else that is held of exported Verilog is held of broadcasts, too, by the suite. Needs Icarus; without it it fails.

use testbenches::families::broadcast::BENCH;
use testbenches::options::VerilogOptions;
use testbenches::testbench::bench;
use testbenches::verilog::MOST_DIMENSIONS;

use crate::suite::Exported;

/// Four packets of four bits, of which the last one lacks a bit.
const MACHINE: &str = "--dims 3 --start-up 2 --source 5 --message-bits 15 --packet-bits 4 --seed 7";

#[test]
fn what_hosts_see_fails_the_testbench() {
    let trees = "--algorithm msbt --ports two-way";
    let all_ports = "--algorithm msbt --ports all";
    for (of, file, from, to, verdict) in [
        (
            trees,
            "node.v",
            "assign host_violation = ",
            "assign host_violation = decide | ",
            "bit time 0: node 0 says that too many of its ports are busy\n",
        ),
        (
            trees,
            "node.v",
            "assign host_ask = ",
            "assign host_ask = decide | ",
            "bit time 0: node 0 asks its host, which has no message\n",
        ),
        (
            trees,
            "node.v",
            "assign host_take = arrived",
            "assign host_take = decide | arrived",
            "bit time 0: 1 of 4 bits of packet 0 came to node 0\n",
        ),
        // Of each number of ports that may be busy one more is noticed: the testbench does not rely on the arbiter.
        (
            trees,
            "node.v",
            "assign host_sending[1] = ",
            "assign host_sending[1] = decide | ",
            " sends on 2 ports and receives on 0\n",
        ),
        (
            "--algorithm msbt --ports one-way",
            "node.v",
            "assign host_sending[1] = ",
            "assign host_sending[1] = decide | ",
            " sends on 2 ports and receives on 0\n",
        ),
        (
            all_ports,
            "tb.v",
            "sends <= DIMS && receives <= DIMS",
            "sends <= 1 && receives <= 1",
            "bit time 0: node 5 sends on 3 ports and receives on 0\n",
        ),
        (
            trees,
            "node.v",
            "assign host_sending[0] = ",
            "assign host_sending[0] = decide & ~",
            "bit time 18: across dimension 0 node 0 sends, or its neighbour receives, alone\n",
        ),
        (
            "--algorithm tcbt --ports two-way",
            "tb.v",
            "$readmemh(\"configuration.hex\"",
            "$readmemh(\"missing.hex\"",
            "FAIL: traffic.hex, configuration.hex and expected.hex are not here: run in the folder of tb.v\n",
        ),
    ] {
        let chosen = BENCH.asked(&format!("{of} {MACHINE}")).unwrap();
        Exported::of(&chosen, 2)
            .with(file, from, to)
            .fails(verdict, to);
    }
}

/// The last bit is no bit of the message.
#[test]
fn what_the_last_packet_is_filled_up_with_is_compared() {
    let chosen = BENCH.asked(&format!("--algorithm msbt --ports two-way {MACHINE}"));
    let exported = Exported::of(&chosen.unwrap(), 1);
    let expected = exported.read("expected.hex");
    let first = expected[..1].parse::<u8>();
    exported.write(
        "expected.hex",
        &format!("{:x}{}", first.unwrap() ^ 8, &expected[1..]),
    );
    exported.compile();
    let verdict =
        "FAIL: done after 42 bit times, it should take 42; 7 of 8 nodes wrong, 0 other mistakes\n";
    exported.run("").fails(verdict, "the last bit");
}

#[test]
fn what_is_refused_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("project");
    let of = |words: &str, rounds| {
        let options = VerilogOptions {
            rounds,
            out: out.clone(),
            ..VerilogOptions::default()
        };
        let refused = bench::export(&BENCH.asked(words).unwrap(), &options);
        refused.unwrap_err().to_string()
    };
    let too_large = format!("--dims {}", MOST_DIMENSIONS + 1);
    for (words, rounds, refusal) in [
        (
            &too_large[..],
            None,
            "a Verilog project of 11 dimensions would be unreasonable: a Verilog simulator builds each of the 2048 \
             nodes from its gates: choose 1 to 10 dimensions (`cubewave run` goes further)",
        ),
        (
            "--dims 3 --message-bits 65537 --packet-bits 64",
            None,
            "a Verilog project of this message would be unreasonable: its packets have 65600 bits together, which its \
             testbench holds in a vector, and Verilog tools need not take more than 65536: use fewer --message-bits (`cubewave run` goes further)",
        ),
        (
            "--dims 10 --message-bits 4096 --packet-bits 1024",
            None,
            "a Verilog project of these packets would be unreasonable: 1024 nodes of 2072 flip-flops have 2121728, and \
             1048576 are the most: use fewer --dims or fewer --packet-bits (`cubewave run` goes further)",
        ),
        (
            "--dims 3 --message-bits 64 --packet-bits 1 --start-up 16384",
            None,
            "a Verilog project of this broadcast would be unreasonable: it takes 1097795 bit times, and with a Verilog \
             simulator 1048576 are the most: use fewer --message-bits, a shorter --start-up or other --packet-bits \
             (`cubewave run` goes further)",
        ),
        (
            "--dims 3",
            Some(65),
            "--rounds: 65 is out of range: choose 1 to 64",
        ),
        (
            "--dims 3 --source 8",
            None,
            "the source 8 is out of range: the nodes are 0 to 7",
        ),
    ] {
        let refused = of(words, rounds);
        assert_eq!(refused, refusal);
        assert!(!out.exists(), "{refused}");
    }
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("mine"), "").unwrap();
    assert!(of("--dims 3", None).contains("is not empty"));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
}
