//! What the help says of an operation alone: its algorithms, and what stands in its files.

use clap::Command;
use rtl_model::routers::collectives::algorithms::Operation;

use crate::families::collectives::operations;
use crate::options::reworded;

/// What files of an operation have in their rows: those of `--values`, and those of `--results`.
fn rows(operation: Operation) -> [&'static str; 2] {
    match operation {
        Operation::Scatter => [
            "a row for each node, what the source has for it; of the source itself it may be left out, and stays there",
            "node,value, a row for each node, as of --values",
        ],
        Operation::Gather => [
            "a row for each node, its message; of the source itself it may be left out, and stays there",
            "node,value, a row for each node whose message came, as of --values",
        ],
        Operation::AllGather => [
            "a row for each node, its message",
            "node,value, of each node as many rows as there are nodes, in the order of the senders",
        ],
        Operation::AllToAll => [
            "of each node a row for each node, in the order of the destinations; that for itself may be left out, of all nodes",
            "node,value, of each node a row for each sender in their order; without its own if --values has none",
        ],
        Operation::Send => [
            "one row, of the source",
            "node,value, one row, of the destination",
        ],
        Operation::PermutedSend | Operation::Inversion => [
            "a row for each node, its message",
            "node,value, a row for each node, the message that it was sent",
        ],
        Operation::Transpose => ["", "rows of numbers, as of --matrix: the transposed matrix"],
        Operation::Histogram => ["", "bin,count, a row for each bin, decimal"],
    }
}

/// With what is said of the operation alone.
pub(in crate::families::collectives) fn of_operation(
    command: Command,
    operation: Operation,
) -> Command {
    let lines = operations::lines(operation).join("\n");
    let algorithm = match operations::algorithms(operation).next() {
        Some(first) => format!("Algorithm [default: {}]:\n{lines}", first.name()),
        None => "Algorithm; there is none yet".to_owned(),
    };
    let [values, results] = rows(operation);
    let command = reworded(command, "algorithm", algorithm);
    let command = match operation {
        Operation::Transpose | Operation::Histogram => command,
        _ => reworded(
            command,
            "values",
            format!(
                "The messages from a CSV file: a header `node,value`, then {values}; values are hexadecimal, their least \
                 significant bit is the first of the message. `-` reads standard input [default: drawn from the seed]"
            ),
        ),
    };
    reworded(
        command,
        "results",
        format!(
            "Write what arrived here, as CSV: {results}. `-` is standard output; the report then goes to standard error"
        ),
    )
}
