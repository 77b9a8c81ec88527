//! What all ranks hold, read on the first of them.
//!
//! ```text
//!   rank 1, 2, ...   64 nodes after 64 nodes:   | seats | bits of a field | bits of a field | ... |
//!                                                     |
//!   rank 0                                            v   its host is shown them as if they were here
//! ```
//!
//! All nodes of a machine are the same circuit, so the fields are those that rank 0 reads of its own nodes, in this order.

use crate::error::Error;
use crate::machine::host::{Field, NODES_AT_ONCE, Seats, Square, Unloads};
use crate::machine::share::{Communicator, Rank};
use crate::machine::simulation::Lockstep;

/// Has a host on the first rank read what all ranks hold, each of them so many words of 64 nodes; `own` reads what is here.
///
/// # Errors
/// The first of the host, on the first rank.
pub(crate) fn unload(
    rank: &Rank,
    words: usize,
    host: &mut dyn Unloads,
    own: &dyn Fn(&mut dyn Unloads) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(others) = rank.others() else {
        return own(host);
    };
    if rank.share().rank() > 0 {
        let mut sending = Sending {
            others,
            nodes: Vec::new(),
        };
        own(&mut sending)?;
        sending.pass_on();
        return Ok(());
    }
    (1..rank.share().ranks()).for_each(|other| others.send(other, &[READ]));
    let mut here = Noting {
        host,
        fields: Vec::new(),
        is_first: true,
        outcome: Ok(()),
    };
    own(&mut here)?;
    let Noting {
        fields,
        mut outcome,
        ..
    } = here;
    for other in 1..rank.share().ranks() {
        for _ in 0..words {
            let nodes = others.receive(other);
            // What is under way has to be received, whatever the host has said.
            if outcome.is_ok() {
                outcome = replay(&nodes, &fields, host);
            }
        }
    }
    outcome
}

/// On a rank that is not the first: reads for the first whenever it does, until that [is over](finish).
///
/// # Errors
/// Those of the machine.
pub fn serve(machine: &dyn Lockstep) -> Result<(), Error> {
    /// It is shown nothing.
    struct Nobody;
    impl Unloads for Nobody {
        fn seats(&mut self, _seats: &Seats) -> Result<(), Error> {
            Ok(())
        }

        fn values(&mut self, _field: Field, _from: usize, _values: &Square) -> Result<(), Error> {
            Ok(())
        }
    }
    if let Some(others) = machine.rank().others() {
        while others.receive(0) == [READ] {
            machine.unload(&mut Nobody)?;
        }
    }
    Ok(())
}

/// On the first rank: lets the others go.
pub fn finish(rank: &Rank) {
    if let Some(others) = rank.others() {
        (1..rank.share().ranks()).for_each(|other| others.send(other, &[OVER]));
    }
}

/// What the first rank tells the others.
const READ: u64 = 1;
const OVER: u64 = 0;

/// Shows a host 64 nodes of another rank.
fn replay(nodes: &[u64], fields: &[(Field, usize)], host: &mut dyn Unloads) -> Result<(), Error> {
    let (squares, _) = nodes.as_chunks::<NODES_AT_ONCE>();
    let Some((seats, squares)) = squares.split_first() else {
        return Ok(());
    };
    host.seats(&seats.map(|seat| seat as usize))?;
    let mut of_fields = fields.iter().zip(squares);
    of_fields.try_for_each(|((field, from), square)| host.values(*field, *from, square))
}

/// Sends what it is shown to the first rank.
struct Sending<'a> {
    others: &'a dyn Communicator,
    /// Of 64 nodes.
    nodes: Vec<u64>,
}

impl Sending<'_> {
    fn pass_on(&mut self) {
        if !self.nodes.is_empty() {
            self.others.send(0, &self.nodes);
            self.nodes.clear();
        }
    }
}

impl Unloads for Sending<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.pass_on();
        self.nodes.extend(seats.map(|seat| seat as u64));
        Ok(())
    }

    fn values(&mut self, _field: Field, _from: usize, values: &Square) -> Result<(), Error> {
        self.nodes.extend(values);
        Ok(())
    }
}

/// Shows a host what is here, and notes the fields.
struct Noting<'a> {
    host: &'a mut dyn Unloads,
    fields: Vec<(Field, usize)>,
    is_first: bool,
    /// What the host has said.
    outcome: Result<(), Error>,
}

impl Unloads for Noting<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.is_first = self.fields.is_empty();
        if self.outcome.is_ok() {
            self.outcome = self.host.seats(seats);
        }
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        if self.is_first {
            self.fields.push((field, from));
        }
        if self.outcome.is_ok() {
            self.outcome = self.host.values(field, from, values);
        }
        Ok(())
    }
}
