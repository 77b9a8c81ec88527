//! Lists of sends: what goes over which link in which routing step.
//!
//! Steps, nodes and packets are counted from 0. A list is read from a file and checked in [`read`], and becomes the orders of each
//! node in [`order_bits`].

mod check;
pub mod order_bits;
pub mod read;

/// A packet that goes over a link in a routing step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Send {
    /// When.
    pub step: usize,
    /// The node that sends it.
    pub from: usize,
    /// The node that receives it.
    pub to: usize,
    /// Which packet.
    pub packet: usize,
}

impl Send {
    /// The port at both ends of the link, where the two nodes are neighbours.
    pub fn port(&self) -> Option<usize> {
        let apart = self.from ^ self.to;
        apart
            .is_power_of_two()
            .then(|| apart.trailing_zeros() as usize)
    }
}

/// The routing steps that a list takes, up to the last one in which something is sent.
pub fn steps(sends: &[Send]) -> usize {
    let ends = sends.iter().map(|send| send.step.saturating_add(1));
    ends.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_with_its_last_step() {
        let send = |step, to| Send {
            step,
            from: 5,
            to,
            packet: 0,
        };
        assert_eq!(steps(&[]), 0);
        assert_eq!(steps(&[send(4, 1), send(2, 7)]), 5);
        assert_eq!(send(0, 1).port(), Some(2));
        assert_eq!([send(0, 5).port(), send(0, 6).port()], [None, None]);
    }
}
