//! Where each node's message goes in a permuted send: a pattern by its name, or a file, as routers of permutations take them.

use std::path::Path;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Traffic, file};

use crate::error::Error;
use crate::families::collectives::parameters::PERMUTED;
use crate::lockstep::parameters::TRAFFIC;
use crate::options::read_traffic_file;
use crate::output::DASH;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::permutations;

/// Whether a file is called so: no pattern has a name with an ending or a folder in it.
pub fn is_file(name: &str) -> bool {
    let is_file = name == DASH || name.contains(['.', '/', '\\']) || Path::new(name).is_file();
    is_file && Pattern::from_any_name(name).is_err()
}

/// What the permutation is called.
pub fn name(chosen: &Chosen) -> &str {
    chosen.text(&PERMUTED).unwrap_or_default()
}

/// Where each node's message goes.
///
/// # Errors
/// A pattern that there is not, or not at these dimensions; a file that cannot be used; nodes that send nothing.
pub fn destinations(chosen: &Chosen, cube: Dimensions) -> Result<Vec<usize>, Error> {
    let (name, seed) = (name(chosen), chosen.seed());
    // Messages are drawn or read elsewhere.
    let payload_bits = 1;
    let traffic = match is_file(name) {
        true => read_traffic_file(Path::new(name), |name, input| {
            file::read_traffic(name, input, &cube, payload_bits, seed)
        })?,
        false => {
            let pattern = Pattern::from_name(name);
            let pattern =
                pattern.map_err(|_| TRAFFIC.refused(chosen, name, permutations(chosen)))?;
            Traffic::drawn(cube, payload_bits, pattern, 1.0, seed)?
        }
    };
    let nodes = cube.nodes();
    if let Some(idle) = (0..nodes).find(|node| traffic.index_from(*node).is_none()) {
        return Err(PERMUTED.blamed(format!(
            "node {idle} sends nothing ({} of {nodes} nodes send): every node has to send a message, and every node to be sent one",
            traffic.messages().len()
        )));
    }
    Ok((0..nodes).map(|node| traffic.destination(node)).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::families::collectives::testbench::PERMUTED_SEND;
    use crate::testbench::bench::asked;

    fn of(permutation: &str) -> Result<Vec<usize>, String> {
        let chosen = asked(&PERMUTED_SEND, &format!("--permutation {permutation}"));
        let cube = Dimensions::new(2).unwrap();
        destinations(&chosen, cube).map_err(|error| error.to_string())
    }

    #[test]
    fn patterns_are_known_by_their_names() {
        assert_eq!(of("bitcomp").unwrap(), [3, 2, 1, 0]);
        assert_eq!(of("neighbor").unwrap(), [1, 2, 3, 0]);
        assert!(of("bitcom").unwrap_err().contains("did you mean `bitcomp`"));
        assert!(of("uniform").unwrap_err().contains("uniform"));
    }

    #[test]
    fn a_file_has_to_be_a_full_permutation() {
        let read = |text: &str| {
            let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            let name = file.path().display().to_string();
            of(&name).map_err(|error| error.replace(&name, "FILE"))
        };
        assert_eq!(
            read("source,destination\n0,1\n1,2\n2,3\n3,0\n").unwrap(),
            [1, 2, 3, 0]
        );
        let partial = read("source,destination\n0,1\n1,2\n3,0\n").unwrap_err();
        assert!(
            partial.starts_with("--permutation: node 2 sends nothing (3 of 4 nodes send)"),
            "{partial}"
        );
        let twice = read("source,destination\n0,1\n1,1\n").unwrap_err();
        assert!(twice.starts_with("FILE, line 3, "), "{twice}");
    }
}
