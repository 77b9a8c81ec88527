use super::*;

fn refusal<T>(of: Result<T, Error>) -> String {
    of.map(|_| ())
        .map_or_else(|error| error.to_string(), |()| String::new())
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let setup = || Setup::of(Operation::Send);
    let dims = Setup {
        dims: Some(17),
        ..setup()
    };
    assert!(refusal(dims.cube()).ends_with("choose 1 to 16"));
    let source = Setup {
        dims: Some(3),
        source: Some(8),
        ..setup()
    };
    assert_eq!(
        refusal(source.source()),
        "--source: 8 is out of range: choose 0 to 7"
    );
    let same = Setup {
        source: Some(2),
        destination: Some(2),
        ..setup()
    };
    assert_eq!(
        refusal(same.destination()),
        "--destination: node 2 is the source: choose another"
    );
    let ports = Setup {
        ports: Some("both".to_owned()),
        ..setup()
    };
    assert!(refusal(ports.ports()).starts_with("there is no port model `both`"));
    let bits = Setup {
        message_bits: Some(0),
        ..setup()
    };
    assert_eq!(
        refusal(bits.message_bits()),
        "--message-bits: 0 is out of range: choose 1 to 1048576"
    );
    let packets = Setup {
        packet_bits: Some(65),
        groups: Some(0),
        ..setup()
    };
    assert_eq!(
        refusal(packets.packet_bits(64)),
        "--packet-bits: 65 is out of range: choose 1 to 64"
    );
    assert!(refusal(packets.groups()).starts_with("--groups: 0 is out of range"));
    // So many packets that a plan of them would be unreasonable.
    let short = Setup {
        packet_bits: Some(1),
        ..setup()
    };
    assert!(refusal(short.packet_bits(1 << 20)).ends_with("choose 256 to 1048576"));
}

#[test]
fn messages_that_no_node_could_hold_are_refused() {
    let of = |operation, bits| Setup {
        dims: Some(10),
        message_bits: Some(bits),
        ..Setup::of(operation)
    };
    let all = |bits| of(Operation::AllToAll, bits).fitting_message_bits();
    assert!(all(1 << 14).is_ok());
    let told = refusal(all(1 << 15));
    assert!(
        told.contains("messages of 16384 bits at the most"),
        "{told}"
    );
    let inversion = of(Operation::Inversion, 1 << 20);
    assert!(inversion.fitting_message_bits().is_ok());
}

#[test]
fn the_opposite_corner_is_where_a_send_goes() {
    let setup = Setup {
        dims: Some(4),
        source: Some(5),
        ..Setup::of(Operation::Send)
    };
    assert_eq!(setup.destination().unwrap(), 10);
}

#[test]
fn the_command_asks_for_the_same_again() {
    let setup = Setup {
        dims: Some(3),
        source: Some(1),
        message_bits: Some(12),
        ..Setup::of(Operation::Scatter)
    };
    let first = setup.algorithm().unwrap();
    assert_eq!(
        setup.command("run").unwrap(),
        format!(
            "cubewave run scatter --algorithm {} --ports {} --dims 3 --start-up 8 --source 1 --message-bits 12",
            first.name(),
            first.port_models()[0]
        )
    );
    let setup = Setup {
        dims: Some(2),
        permutation: Some("bitrev".to_owned()),
        ..Setup::of(Operation::PermutedSend)
    };
    let command = setup.command("verilog").unwrap();
    assert!(
        command.ends_with("--message-bits 64 --permutation bitrev"),
        "{command}"
    );
}
