//! How routing tables are made: all of them end with the same check.

use super::table::{Entry, Table};
use super::{Routes, shortest, up_down};
use crate::error::Error;
use crate::machine::topology::irregular::Irregular;

impl Routes {
    /// By as few links as can be, all of class 0. Where several neighbours are nearest to destination `d`, the one of index `d`
    /// modulo their number is taken, in ascending order: so load spreads, and any reader can follow it.
    ///
    /// # Errors
    /// A node that cannot reach another one.
    pub fn shortest(network: &Irregular) -> Result<Self, Error> {
        Ok(shortest::table(network).finish()?)
    }

    /// Up*/down* routing (Schroeder et al. 1991, "Autonet: a high-speed, self-configuring local area network using
    /// point-to-point links"), all of class 0: a worm takes up links first and down links then.
    ///
    /// Node 0 is on level 0, its neighbours on level 1, and so on; a link leads up if it leads to a lower level, or to a lower
    /// number on the same one. Where down links alone lead from a node to the destination, a shortest such path is taken; else
    /// the up link from which the whole is shortest. Of several the one is taken that [`Routes::shortest`] would take.
    ///
    /// # Errors
    /// A link without one back; a node that cannot reach another one.
    pub fn up_down(network: &Irregular) -> Result<Self, Error> {
        Ok(up_down::table(network)?.finish()?)
    }

    /// As entries `(node, destination, next node, class)` say, in any order.
    ///
    /// # Errors
    /// A node or class out of range, an entry for the way from a node to itself, a next node that is no neighbour, an entry that
    /// is given twice or not at all, entries that lead in a circle.
    pub fn from_table(
        network: &Irregular,
        entries: impl Iterator<Item = (usize, usize, usize, usize)>,
    ) -> Result<Self, Error> {
        let mut table = Table::new(network);
        for (node, destination, next, class) in entries {
            table.add(Entry {
                node,
                destination,
                next,
                class,
            })?;
        }
        Ok(table.finish()?)
    }
}
