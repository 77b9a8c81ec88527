//! The operations in words: what each is, where it comes from, what MPI calls it, and its algorithms.

use rtl_model::error::Error as ModelError;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Algorithm, Operation};
use rtl_model::routers::ports::algorithm::PortModel;

use crate::error::Error;

/// What is said of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// What it does, in a line.
    pub models: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What MPI calls it.
    pub mpi: &'static str,
}

/// What is said of an operation.
pub fn told(operation: Operation) -> Told {
    match operation {
        Operation::Scatter => Told {
            models: "one node sends each of the others a message of its own",
            source: "Ho & Johnsson 1986, section 4; Stout & Wagar 1987",
            mpi: "MPI_Scatter",
        },
        Operation::Gather => Told {
            models: "every node sends one node a message",
            source: "Ho & Johnsson 1986, section 4; Stout & Wagar 1987",
            mpi: "MPI_Gather",
        },
        Operation::AllGather => Told {
            models: "every node sends its message to all others",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Allgather",
        },
        Operation::AllToAll => Told {
            models: "every node sends each of the others a message of its own",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Alltoall",
        },
        Operation::Send => Told {
            models: "one node sends a message to one other, over many paths at once",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Send, MPI_Recv",
        },
        Operation::PermutedSend => Told {
            models: "every node sends a message to one, by any permutation",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Sendrecv",
        },
        Operation::Inversion => Told {
            models: "every node sends a message to the opposite corner",
            source: "Stout & Wagar 1987, section 6",
            mpi: "MPI_Sendrecv",
        },
        Operation::Transpose => Told {
            models: "a matrix that is spread over all nodes is transposed",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Alltoall",
        },
        Operation::Histogram => Told {
            models: "samples of all nodes are counted, bin by bin",
            source: "Stout & Wagar 1987",
            mpi: "MPI_Reduce_scatter",
        },
    }
}

/// The algorithms of an operation, the first being the default.
pub fn algorithms(operation: Operation) -> impl Iterator<Item = &'static dyn Algorithm> {
    let all = ALGORITHMS.iter().copied();
    all.filter(move |one| one.operation() == operation)
}

/// The algorithm of that name, or the first.
///
/// # Errors
/// A name of none, with the nearest.
pub fn algorithm(
    operation: Operation,
    name: Option<&str>,
) -> Result<&'static dyn Algorithm, Error> {
    let Some(name) = name else {
        return algorithms(operation).next().ok_or_else(|| Error::Refused {
            by: operation.name(),
            why: "there is no algorithm for it yet".to_owned(),
        });
    };
    let found = algorithms(operation).find(|one| one.name() == name);
    found.ok_or_else(|| Error::Unknown {
        what: "algorithm",
        name: name.to_owned(),
        known: algorithms(operation).map(|one| one.name()).collect(),
    })
}

/// The algorithms of an operation, a line each: name, the paper's name, what it does, where it comes from.
pub fn lines(operation: Operation) -> Vec<String> {
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

/// Refuses ports that an algorithm is not defined for.
///
/// # Errors
/// [`ModelError::PortModel`] with the algorithms that are; [`Error::Refused`] where there are none.
pub fn check_ports(algorithm: &dyn Algorithm, ports: PortModel) -> Result<(), Error> {
    let models = algorithm.port_models();
    if models.contains(&ports) {
        return Ok(());
    }
    let others = algorithms(algorithm.operation());
    let others = others.filter(|one| one.port_models().contains(&ports));
    let others: Vec<&str> = others.map(|one| one.name()).collect();
    let models: Vec<&str> = models.iter().map(|model| model.name()).collect();
    if others.is_empty() {
        return Err(Error::Refused {
            by: algorithm.name(),
            why: format!(
                "it is not defined for {ports} ports, only for {}",
                models.join(", ")
            ),
        });
    }
    Err(Error::Model(ModelError::PortModel {
        algorithm: algorithm.name(),
        ports: ports.name(),
        models,
        others,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_none_is_refused_with_the_nearest() {
        let refusal = algorithm(Operation::Inversion, Some("invasion")).err();
        let refusal = refusal.map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(
            refusal,
            "there is no algorithm `invasion` (did you mean `inversion`?); there are: inversion"
        );
        assert!(algorithm(Operation::Inversion, None).is_ok());
    }

    #[test]
    fn ports_that_an_algorithm_is_not_defined_for_are_refused() {
        let inversion = algorithm(Operation::Inversion, None).unwrap();
        let refusal = check_ports(inversion, PortModel::OneWay).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "inversion: it is not defined for one-way ports, only for all"
        );
        assert!(check_ports(inversion, PortModel::All).is_ok());
    }
}
