//! The operations in words: what MPI calls each, its algorithms, and what stands in its files.

use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Algorithm, Operation};
use rtl_model::routers::ports::algorithm::{PortModel, not_for_ports};

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::collectives::parameters::operation;
use crate::testbench::chosen::Chosen;

/// What MPI calls an operation.
pub fn mpi_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Scatter => "MPI_Scatter",
        Operation::Gather => "MPI_Gather",
        Operation::AllGather => "MPI_Allgather",
        Operation::AllToAll | Operation::Transpose => "MPI_Alltoall",
        Operation::Send => "MPI_Send, MPI_Recv",
        Operation::PermutedSend | Operation::Inversion => "MPI_Sendrecv",
        Operation::Histogram => "MPI_Reduce_scatter",
    }
}

/// The algorithms of an operation, the first being the default.
pub fn algorithms(operation: Operation) -> impl Iterator<Item = &'static dyn Algorithm> {
    let all = ALGORITHMS.iter().copied();
    all.filter(move |one| one.operation() == operation)
}

/// The algorithms of an operation, a line each: name, the paper's name, what it does, where it comes from.
fn lines(operation: Operation) -> Vec<String> {
    let longest = algorithms(operation).map(|one| one.name().len()).max();
    let longest = longest.unwrap_or(0);
    let line = |one: &'static dyn Algorithm| {
        format!(
            "  {:<longest$}  {}: {} ({})",
            one.name(),
            one.paper_name(),
            one.models(),
            one.source()
        )
    };
    algorithms(operation).map(line).collect()
}

/// What there is to choose: lines for `list`.
pub fn choices(nothing: &Chosen) -> Vec<String> {
    let operation = operation(nothing);
    let mpi = format!("in MPI: {}", mpi_name(operation));
    let all = std::iter::once("algorithms:".to_owned()).chain(lines(operation));
    all.chain([mpi]).collect()
}

/// What help says of `--algorithm`.
pub fn help_of_algorithms(nothing: &Chosen) -> String {
    let operation = operation(nothing);
    let first = algorithms(operation).map(|one| one.name()).next();
    let lines = lines(operation).join("\n");
    format!("Algorithm [default: {}]:\n{lines}", first.unwrap_or(""))
}

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

/// What help says of `--values`.
pub fn help_of_values(nothing: &Chosen) -> String {
    let [values, _] = rows(operation(nothing));
    format!(
        "The messages from a CSV file: a header `node,value`, then {values}; values are hexadecimal, their least significant bit is \
         the first of the message. `-` reads standard input [default: drawn from the seed]"
    )
}

/// What help says of `--results`.
pub fn help_of_results(nothing: &Chosen) -> String {
    let [_, results] = rows(operation(nothing));
    format!(
        "Write what arrived here, as CSV: {results}. `-` is standard output; the report then goes to standard error"
    )
}

/// The refusal of ports that an algorithm is not defined for, with the algorithms that are; none, if it is.
pub fn undefined(algorithm: &dyn Algorithm, ports: PortModel) -> Option<Error> {
    let models = algorithm.port_models();
    if models.contains(&ports) {
        return None;
    }
    let others = algorithms(algorithm.operation());
    let others = others.filter(|one| one.port_models().contains(&ports));
    let others: Vec<&str> = others.map(|one| one.name()).collect();
    if !others.is_empty() {
        return Some(not_for_ports(algorithm.name(), (ports, models), &others).into());
    }
    let models: Vec<&str> = models.iter().map(|model| model.name()).collect();
    let models = models.join(", ");
    Some(not_by(
        algorithm.name(),
        format!("it is not defined for {ports} ports, only for {models}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_that_an_algorithm_is_not_defined_for_are_refused() {
        let inversion = algorithms(Operation::Inversion).next().unwrap();
        let refusal = undefined(inversion, PortModel::OneWay).unwrap();
        assert_eq!(
            refusal.to_string(),
            "inversion: it is not defined for one-way ports, only for all"
        );
        assert!(undefined(inversion, PortModel::All).is_none());
    }
}
