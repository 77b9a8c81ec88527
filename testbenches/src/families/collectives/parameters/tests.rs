use super::*;
use crate::families::collectives::testbench::{
    ALL_TO_ALL, INVERSION, PERMUTED_SEND, SCATTER, SEND,
};
use crate::testbench::Testbench;
use crate::testbench::bench::asked;

fn refusal<T>(of: Result<T, Error>) -> String {
    of.map(|_| ())
        .map_or_else(|error| error.to_string(), |()| String::new())
}

/// What the kit refuses of a single value.
fn refused(bench: &'static Testbench, parameter: &Parameter, value: Given) -> String {
    refusal(Chosen::of(bench).with(parameter, value).check())
}

fn text(text: &str) -> Given {
    Given::Text(text.to_owned())
}

fn number(number: usize) -> Given {
    Given::Whole(Form::number(number))
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let send = |words: &str| asked(&SEND, words);
    assert!(refusal(cube(&send("--dims 17"))).ends_with("choose 1 to 16"));
    assert_eq!(
        refusal(source(&send("--dims 3 --source 8"))),
        "--source: 8 is out of range: choose 0 to 7"
    );
    assert_eq!(
        refusal(destination(&send("--source 2 --destination 2"))),
        "--destination: node 2 is the source: choose another"
    );
    assert_eq!(
        refused(&SEND, &MESSAGE, number(0)),
        "--message-bits: 0 is out of range: choose 1 to 1048576"
    );
    assert_eq!(
        refusal(packet_bits(&send("--packet-bits 65"), 64)),
        "--packet-bits: 65 is out of range: choose 1 to 64"
    );
    assert!(refused(&SEND, &GROUPS, number(0)).starts_with("--groups: 0 is out of range"));
    // So many packets that a plan of them would be unreasonable.
    let short = send("--packet-bits 1");
    assert!(refusal(packet_bits(&short, 1 << 20)).ends_with("choose 256 to 1048576"));
}

#[test]
fn names_of_nothing_and_ports_without_their_algorithm_are_refused() {
    assert_eq!(
        refused(&INVERSION, &ALGORITHM, text("invasion")),
        "there is no algorithm `invasion` (did you mean `inversion`?); there are: inversion"
    );
    assert_eq!(
        refused(&SEND, &PORTS, text("both")),
        "there is no port model `both`; there are: one-way, two-way, all"
    );
    assert_eq!(
        refused(&INVERSION, &PORTS, text("one-way")),
        "inversion: it is not defined for one-way ports, only for all"
    );
    assert_eq!(ports(&asked(&INVERSION, "")).unwrap(), PortModel::All);
    let trees = asked(&SCATTER, "--algorithm sbt");
    assert_eq!(ports(&trees).unwrap(), PortModel::OneWay);
}

#[test]
fn messages_that_no_node_could_hold_are_refused() {
    let of = |bench, bits: usize| {
        message_bits(&asked(bench, &format!("--dims 10 --message-bits {bits}")))
    };
    assert!(of(&ALL_TO_ALL, 1 << 14).is_ok());
    let told = refusal(of(&ALL_TO_ALL, 1 << 15));
    assert!(
        told.contains("messages of 16384 bits at the most"),
        "{told}"
    );
    assert!(of(&INVERSION, 1 << 20).is_ok());
}

#[test]
fn the_opposite_corner_is_where_a_send_goes() {
    let chosen = asked(&SEND, "--dims 4 --source 5");
    assert_eq!(destination(&chosen).unwrap(), 10);
}

#[test]
fn the_command_asks_for_the_same_again() {
    let chosen = asked(&SCATTER, "--dims 3 --source 1 --message-bits 12");
    let first = algorithm(&chosen).unwrap();
    assert_eq!(
        chosen.command("run"),
        format!(
            "cubewave run scatter --algorithm {} --ports {} --dims 3 --start-up 8 --source 1 --message-bits 12",
            first.name(),
            first.port_models()[0]
        )
    );
    let command = asked(&PERMUTED_SEND, "--dims 2 --permutation bitrev").command("verilog");
    assert!(
        command.ends_with("--message-bits 64 --permutation bitrev"),
        "{command}"
    );
    let command = asked(&SEND, "--dims 2").command("verilog");
    assert!(
        command.ends_with("--source 0 --message-bits 64 --destination 3"),
        "{command}"
    );
}
