//! One test over the list of testbenches: the Verilog project of the smallest machine of each choice passes in Icarus. Needs Icarus;
//! without it it fails. Register by register the two are compared beside the other tests of each family.

use rayon::prelude::*;
use testbenches::options::VerilogOptions;
use testbenches::testbench::bench;

use crate::common::sample::ran_of_choices;
use crate::common::verilog::{text, tool};

#[test]
fn icarus_passes_the_smallest_project_of_every_choice() {
    const MOST_NODES: usize = 16;
    let small = ran_of_choices().filter(|(_, report)| report.topology.nodes <= MOST_NODES);
    let small: Vec<_> = small.collect();
    assert!(small.len() > 80, "{}", small.len());
    small.into_par_iter().for_each(|(sampled, report)| {
        let name = sampled.name();
        let folder = tempfile::tempdir().unwrap();
        let options = VerilogOptions {
            rounds: Some(2),
            out: folder.path().to_owned(),
            ..VerilogOptions::default()
        };
        let chosen = sampled.chosen();
        let project = bench::export(&chosen, &options).unwrap();
        let [compiles, runs] = project.commands.each_ref().map(|command| {
            let (program, arguments) = command.split_once(' ').unwrap();
            // With all warnings, of which there must be none.
            let arguments = arguments.replace("-g2005", "-g2005 -Wall");
            let output = tool(folder.path(), program, &arguments);
            assert_eq!(text(&output.stderr), "", "{name}: {command}");
            output
        });
        assert!(compiles.status.success(), "{name}");
        let (output, printed) = (&runs, text(&runs.stdout));
        let passed = format!("after {} bit times", report.bit_times);
        assert!(
            output.status.success() && printed.contains("PASS: ") && printed.contains(&passed),
            "{name}: {printed}"
        );
        assert!(!printed.contains("FAIL"), "{name}: {printed}");
    });
}
