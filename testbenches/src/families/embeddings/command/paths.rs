//! All paths of an embedding as a file for other tools: `guest_edge,path,hop,from,to`, nodes of the host by number.

use rtl_model::embedding::paths::Embedding;
use rtl_model::machine::topology::hypercube::neighbour;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::output::Staged;

/// Writes a row for each hop, by guest edge, path and hop. A path of no hops, inside a node, has no row.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(output: Staged, embedding: &Embedding) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(["guest_edge", "path", "hop", "from", "to"])?;
        for edge in 0..embedding.edges() {
            let source = embedding.place(embedding.edge(edge)[0]);
            for (path, hops) in embedding.paths(edge).enumerate() {
                let mut from = source;
                for (hop, &dimension) in hops.iter().enumerate() {
                    let to = neighbour(from, usize::from(dimension));
                    let row = [edge, path, hop, from, to].map(|number| number.to_string());
                    writer.write_record(row)?;
                    from = to;
                }
            }
        }
        Ok(())
    })
}
