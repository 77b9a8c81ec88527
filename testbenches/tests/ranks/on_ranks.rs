//! Command lines on several ranks, which are processes of this machine.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// `mpirun` with these options, in a folder, and what it runs on so many ranks.
pub fn mpirun(options: &[&str], ranks: usize, folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("mpirun");
    command
        // What hangs ends after this many seconds, and is a failure.
        .args(["--timeout", "600"])
        .args(["--oversubscribe", "-n", &ranks.to_string()])
        .args(options)
        .arg(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .current_dir(folder);
    as_here(&mut command);
    command
}

/// What `mpirun` has to know of a machine for tests.
pub fn as_here(command: &mut Command) -> &mut Command {
    command.envs([
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        // Containers forbid what it would rather do.
        ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ])
}

/// A command line on so many ranks.
pub fn on_ranks(ranks: usize, folder: &Path, arguments: &str) -> Output {
    mpirun(&[], ranks, folder, arguments).output().unwrap()
}

/// The words that follow `error:`, of each line that has it.
pub fn errors(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stderr);
    let errors = text.lines().filter_map(|line| line.strip_prefix("error: "));
    errors.map(str::to_owned).collect()
}

/// The report of a run whose checks hold.
pub fn report(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A report without time, memory, and what is said of ranks.
pub fn but_for_time_and_memory(mut report: Value) -> Value {
    let entries = report.as_object_mut().unwrap();
    for name in ["simulation_seconds", "bytes_per_node", "between_ranks"] {
        entries.remove(name);
    }
    entries["meta"].as_object_mut().unwrap().remove("date");
    let checks = entries["checks"].as_array_mut().unwrap();
    checks.retain(|check| check["name"] != "between ranks");
    report
}
