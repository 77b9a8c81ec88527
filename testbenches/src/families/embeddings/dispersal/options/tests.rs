//! What is refused, and the command line that asks for the same machine.

use clap::{Args, Command, FromArgMatches};

use super::*;
use crate::families::embeddings::dispersal::arguments::SetupArguments;

/// The setup of a command line.
fn parsed(line: &str) -> Setup {
    let command = SetupArguments::augment_args(Command::new("dispersal").no_binary_name(true));
    let matches = command
        .try_get_matches_from(line.split_whitespace())
        .unwrap();
    SetupArguments::from_arg_matches(&matches).unwrap().setup()
}

fn refusal(setup: &Setup) -> String {
    setup.check().unwrap_err().to_string()
}

/// The command line of a setup asks for a machine with the same schedule, shares and messages, and that one for itself.
#[test]
fn the_command_line_asks_for_the_same_machine() {
    for (line, expected) in [
        (
            "",
            "--over edge --guest cycle --dims 8 --order hop-by-hop --needed 4 --message-bits 256",
        ),
        (
            "--dims 4 --needed 1 --message-bits 9 --start-up 2 --order greedy --both-ways --seed 8",
            "--over edge --guest cycle --dims 4 --both-ways --order greedy --needed 1 --message-bits 9 --start-up 2",
        ),
        (
            "--guest grid --sides 4,4",
            "--over edge --guest grid --sides 4,4 --order hop-by-hop --needed 1 --message-bits 256",
        ),
        (
            "--guest gray-grid --dims 4 --axes 2",
            "--over edge --guest gray-grid --dims 4 --axes 2 --order hop-by-hop --needed 1 --message-bits 256",
        ),
        (
            "--guest ccc-product",
            "--over edge --guest ccc-product --dims 6 --order hop-by-hop --needed 2 --message-bits 256",
        ),
        (
            "--over copies",
            "--over copies --dims 6 --traffic randperm --seed 1 --order greedy --needed 3 --message-bits 256",
        ),
        (
            "--over copies --dims 3 --traffic bitrev --seed 7 --order hop-by-hop",
            "--over copies --dims 3 --traffic bitrev --seed 7 --order hop-by-hop --needed 1 --message-bits 256",
        ),
    ] {
        let setup = parsed(line);
        let one = Dispersed::new(&setup).unwrap();
        let command = setup.command("run", &one).unwrap();
        assert_eq!(command, format!("cubewave run dispersal {expected}"));
        let again = parsed(expected);
        let other = Dispersed::new(&again).unwrap();
        assert_eq!(again.command("run", &other).unwrap(), command);
        assert_eq!(one.job.phase, other.job.phase);
        assert_eq!((one.code, one.over), (other.code, other.over));
        assert_eq!(one.plain_bit_times, other.plain_bit_times);
        assert_eq!(one.job.machine.start_up(), other.job.machine.start_up());
    }
}

#[test]
fn what_the_other_way_takes_is_refused() {
    for (line, expected) in [
        (
            "--traffic randperm",
            "testbench dispersal takes no --traffic: every edge of the guest sends: choose --over copies for messages from any \
             node to any other",
        ),
        (
            "--over copies --guest cycle",
            "testbench dispersal takes no --guest: over copies there is no guest",
        ),
        (
            "--over copies --axes 2",
            "testbench dispersal takes no --axes: over copies there is no guest",
        ),
        (
            "--over copies --sides 4,4",
            "testbench dispersal takes no --sides: over copies there is no guest",
        ),
        (
            "--over copies --both-ways",
            "testbench dispersal takes no --both-ways: over copies there is no guest",
        ),
        (
            "--over edges",
            "there is no way to disperse `edges` (did you mean `edge`?); there are: edge, copies",
        ),
    ] {
        assert_eq!(refusal(&parsed(line)), expected);
    }
    let name = Setup {
        traffic: Some("bitrevv".to_owned()),
        ..Setup::default()
    };
    assert!(name.pattern().unwrap_err().to_string().contains("bitrevv"));
    let setup = parsed("--order first");
    assert!(setup.order().unwrap_err().to_string().contains("greedy"));
}

#[test]
fn a_stream_is_not_for_two_files() {
    let dash = || Some(PathBuf::from("-"));
    let mut setup = Setup {
        cut: dash(),
        cuts_out: dash(),
        ..Setup::default()
    };
    setup.check().unwrap();
    setup.guest.values = dash();
    assert_eq!(
        refusal(&setup),
        "- cannot be both the messages and the wires that fail"
    );
    setup.guest.values = None;
    setup.guest.results = dash();
    assert_eq!(
        refusal(&setup),
        "- cannot be both the results and the wires that failed"
    );
}

#[test]
fn a_report_keeps_clear_of_the_file_on_standard_output() {
    let beside = |results: Option<&str>, cuts_out: Option<&str>| {
        let mut setup = Setup {
            cuts_out: cuts_out.map(PathBuf::from),
            ..Setup::default()
        };
        setup.guest.results = results.map(PathBuf::from);
        setup.beside().map(|path| path.display().to_string())
    };
    assert_eq!(beside(None, None), None);
    assert_eq!(beside(Some("r.csv"), Some("-")).as_deref(), Some("-"));
    assert_eq!(beside(Some("-"), Some("c.csv")).as_deref(), Some("-"));
    assert_eq!(
        beside(Some("r.csv"), Some("c.csv")).as_deref(),
        Some("r.csv")
    );
    assert_eq!(beside(None, Some("-")).as_deref(), Some("-"));
}
