//! What files of networks and of tables have in common: how their fields are read, and how it is said what is wrong in them.

use crate::csv_file::{Broken, Fields, is_whole, shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::MAX_NODES;

/// How many nodes a network has, and its links.
pub(super) type NodesAndLinks = (usize, Vec<(usize, usize)>);

/// A file being read: knows its name, for what it has to say.
pub(super) struct Reading<'a> {
    pub(super) path: &'a str,
}

impl Reading<'_> {
    pub(super) fn at(&self, (line, column): (u64, usize), refusal: Refusal) -> Error {
        let refusal = refusal.about(self.path).at_line(line);
        refusal.at_column(column, "").into()
    }

    pub(super) fn in_field(&self, row: &Fields, index: usize, refusal: Refusal) -> Error {
        self.at((row.line, row.column(index)), refusal)
    }

    pub(super) fn malformed(&self, broken: Broken) -> Error {
        let refusal = Refusal::why(broken.malformed);
        self.at((broken.line, broken.column), refusal)
    }

    /// The places of columns in a header that has those of `needed`, and those of `others` or not, and nothing else.
    pub(super) fn header<const N: usize, const M: usize>(
        &self,
        row: &Fields,
        needed: [&str; N],
        others: [&str; M],
        must: &str,
    ) -> Result<([usize; N], [Option<usize>; M]), Error> {
        let place = |name: &str| row.fields().position(|field| field == name);
        let mut places = [0; N];
        for (to, name) in places.iter_mut().zip(needed) {
            *to = place(name).ok_or_else(|| {
                let missing = Refusal::why(format!("the header has no column `{name}`"));
                self.at((row.line, 1), missing.instead(must))
            })?;
        }
        let is_known = |heading: &str| needed.contains(&heading) || others.contains(&heading);
        let unknown = row.fields().position(|heading| !is_known(heading));
        if let Some(index) = unknown {
            let heading = shown(row.field(index));
            let why = format!("the heading `{heading}` means nothing here");
            return Err(self.in_field(row, index, Refusal::why(why).instead(must)));
        }
        Ok((places, others.map(place)))
    }

    /// Refuses a row of more or fewer fields than the header has.
    pub(super) fn width(&self, row: &Fields, columns: usize) -> Result<(), Error> {
        let fields = row.len();
        match fields == columns {
            true => Ok(()),
            false => {
                let why =
                    format!("fields in this line: {fields}; columns in the header: {columns}");
                Err(self.at((row.line, 1), Refusal::why(why)))
            }
        }
    }

    /// The number of a node in a field, below `nodes`.
    pub(super) fn node(
        &self,
        row: &Fields,
        index: usize,
        nodes: usize,
        out_of_range: impl Fn(&str) -> Refusal,
    ) -> Result<usize, Error> {
        let text = row.field(index);
        let node = whole(text).filter(|node| *node < nodes);
        node.ok_or_else(|| {
            let refusal = match is_whole(text) {
                true => out_of_range(&shown(text)),
                false => Refusal::why(format!("`{}` is not a node number", shown(text)))
                    .instead("write it in decimal, without a sign"),
            };
            self.in_field(row, index, refusal)
        })
    }
}

/// The refusal of a node that no network has, as it is written.
pub(super) fn beyond_any_network(node: &str) -> Refusal {
    let last = MAX_NODES - 1;
    Refusal::why(format!("node {node} is out of range")).instead(format!(
        "choose 0 to {last}, since a network has {MAX_NODES} nodes at the most"
    ))
}
