//! Files of projects: those of further rounds, and those that are read.

use testbenches::options::VerilogOptions;
use testbenches::testbench::bench;

use crate::suite::{Exported, each_smallest};

const ROUNDS: usize = 3;

/// More rounds change neither the machine nor the first one.
#[test]
fn a_project_of_one_round_is_the_first_of_several() {
    each_smallest(|chosen, _| {
        let [one, several] = [1, ROUNDS].map(|rounds| Exported::of(chosen, rounds));
        let name = &one.name;
        assert_eq!(one.project.files, several.project.files, "{name}");
        for file in &one.project.files {
            let [one, several] = [&one, &several].map(|exported| exported.read(file));
            match file.as_str() {
                "README.md" | "tb.v" | "meta.json" => {}
                "traffic.hex" | "expected.hex" => {
                    let head = format!("// round 1 of {ROUNDS}: as asked for\n");
                    let rest = several.strip_prefix(&head).unwrap();
                    let next = format!("{one}// round 2 of {ROUNDS}: ");
                    assert!(rest.starts_with(&next), "{name}: {several}");
                }
                _ => assert_eq!(one, several, "{name}: {file}"),
            }
        }
    });
}

/// A project can be written again where it stands, but not over the file that it is made from.
#[test]
fn a_file_that_is_read_is_not_written_over() {
    each_smallest(|chosen, _| {
        let exported = Exported::of(chosen, 1);
        let round = &chosen.bench().project.first_round;
        let Some(option) = round.option else {
            return;
        };
        let sound = exported.read(round.file);
        let file = exported.path().join(round.file);
        let machine = chosen.beside(Some(option)).command("verilog");
        let begin = format!("cubewave verilog {}", chosen.bench().name);
        let machine = machine.strip_prefix(&begin).unwrap();
        let words = format!("{machine} {option} {}", file.display());
        let options = VerilogOptions {
            force: true,
            rounds: Some(1),
            out: exported.path().to_owned(),
            ..VerilogOptions::default()
        };
        let again = chosen.bench().asked(&words).unwrap();
        let refused = bench::export(&again, &options).unwrap_err().to_string();
        let name = &exported.name;
        assert!(
            refused.contains(" and a file of the project"),
            "{name}: {refused}"
        );
        assert_eq!(exported.read(round.file), sound, "{name}");
    });
}
