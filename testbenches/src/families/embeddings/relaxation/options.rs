//! What a relaxation is asked to do.

use std::path::PathBuf;

use rtl_model::embedding::constructions::{Ask, Construction};
use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::families::embeddings::options as embeddings;
use crate::options;

/// The guests: grids of processes, the embeddings of which section 8.3 compares, and the Gray code.
pub const GUESTS: [&str; 3] = ["gray-grid", "grid", "large-grid"];
/// The guest where none is asked for.
pub const DEFAULT_GUEST: &str = "grid";
/// Bits of a point.
pub const DEFAULT_WORD_BITS: usize = 16;
/// The most bits of a point: the sum of four has two more.
const MOST_WORD_BITS: usize = 62;
/// Sweeps.
const DEFAULT_SWEEPS: usize = 4;
/// The most sweeps.
const MOST_SWEEPS: usize = 4096;
/// The most points of a side.
const MOST_POINTS: usize = 1 << 14;

/// The torus, the grid of its processes, and how they send.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The guest.
    pub guest: Option<String>,
    /// Dimensions of the host.
    pub dims: Option<usize>,
    /// Points of a side, `M`.
    pub points: Option<usize>,
    /// Bits of a point.
    pub word_bits: Option<usize>,
    /// Sweeps.
    pub sweeps: Option<usize>,
    /// Packets that a message is cut into.
    pub packets: Option<usize>,
    /// Who goes first.
    pub order: Option<String>,
    /// Bit times before a packet's first bit, `T`.
    pub start_up: usize,
    /// A file with the points.
    pub values: Option<PathBuf>,
    /// Where the points after the last sweep are written.
    pub results: Option<PathBuf>,
    /// What points are drawn from.
    pub seed: u64,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

impl Setup {
    /// How the grid of processes is laid into its host.
    ///
    /// # Errors
    /// A name of none.
    pub fn construction(&self) -> Result<&'static dyn Construction, Error> {
        let name = self.guest.as_deref().unwrap_or(DEFAULT_GUEST);
        match GUESTS.contains(&name) {
            true => embeddings::construction(name),
            false => Err(Error::Unknown {
                what: "grid of processes",
                name: name.to_owned(),
                known: GUESTS.to_vec(),
            }),
        }
    }

    /// The phase of a sweep, as it is asked for of the testbench of phases; its messages are of so many bits.
    ///
    /// # Errors
    /// What is refused of the guest.
    pub fn phase(&self, message_bits: usize) -> Result<embeddings::Setup, Error> {
        Ok(embeddings::Setup {
            guest: Some(self.construction()?.name().to_owned()),
            dims: Some(self.dims()?),
            packets: self.packets,
            order: self.order.clone(),
            both_ways: true,
            message_bits: Some(message_bits),
            start_up: self.start_up,
            ..embeddings::Setup::default()
        })
    }

    /// Dimensions of the host.
    ///
    /// # Errors
    /// Those in which the guest is not, with the nearest.
    pub fn dims(&self) -> Result<usize, Error> {
        let ask = Ask {
            dimensions: self.dims,
            ..Ask::default()
        };
        Ok(self.construction()?.host(&ask)?)
    }

    /// Processes of a side of the torus: of `large-grid`, `a` to each of the `2^a` nodes of a side.
    ///
    /// # Errors
    /// As [`Setup::dims`].
    pub fn processes(&self) -> Result<usize, Error> {
        let axis = self.dims()? / 2;
        let copies = match self.construction()?.name() {
            "large-grid" => axis,
            _ => 1,
        };
        Ok(copies << axis)
    }

    /// Points of a side; where none are asked for, as many as `large-grid` would have processes, which suits all guests.
    ///
    /// # Errors
    /// Points that the processes cannot share evenly, with the nearest that they can; none, or too many.
    pub fn points(&self) -> Result<usize, Error> {
        let axis = self.dims()? / 2;
        let (points, processes) = (self.points.unwrap_or(axis << axis), self.processes()?);
        if points > MOST_POINTS {
            return Err(Error::List {
                option: "--points",
                why: format!("{points} is out of range: choose up to {MOST_POINTS}"),
            });
        }
        if points > 0 && points.is_multiple_of(processes) {
            return Ok(points);
        }
        let below = points / processes * processes;
        let above = below + processes;
        let nearest = match below {
            0 => format!("choose {above}"),
            _ => format!("choose {below} or {above}"),
        };
        let refusal = ModelError::NoEmbedding {
            guest: self.construction()?.name(),
            asked: format!(
                "in a hypercube of {} dimensions with {points} x {points} points",
                self.dims()?
            ),
            why: format!("its {processes} x {processes} processes have square blocks of one size"),
            instead: nearest,
        };
        Err(refusal.into())
    }

    /// Bits of a point.
    ///
    /// # Errors
    /// None, or too many.
    pub fn word_bits(&self) -> Result<usize, Error> {
        in_range(
            "--word-bits",
            self.word_bits.unwrap_or(DEFAULT_WORD_BITS),
            MOST_WORD_BITS,
        )
    }

    /// Sweeps.
    ///
    /// # Errors
    /// None, or too many.
    pub fn sweeps(&self) -> Result<usize, Error> {
        in_range(
            "--sweeps",
            self.sweeps.unwrap_or(DEFAULT_SWEEPS),
            MOST_SWEEPS,
        )
    }

    /// The command line that asks for the same machine, defaults spelled out.
    ///
    /// # Errors
    /// What is refused.
    pub fn command(&self, command: &str) -> Result<String, Error> {
        let order = self.phase(1)?.order()?;
        let mut words = format!(
            "cubewave {command} relaxation --guest {} --dims {} --points {} --word-bits {}",
            self.construction()?.name(),
            self.dims()?,
            self.points()?,
            self.word_bits()?
        );
        if let Some(packets) = self.packets {
            words += &format!(" --packets {packets}");
        }
        if order != Default::default() {
            words += &format!(" --order {}", order.name());
        }
        if self.start_up > 0 {
            words += &format!(" --start-up {}", self.start_up);
        }
        Ok(words)
    }
}

fn in_range(option: &'static str, number: usize, most: usize) -> Result<usize, Error> {
    match (1..=most).contains(&number) {
        true => Ok(number),
        false => Err(Error::List {
            option,
            why: format!("{number} is out of range: choose 1 to {most}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(guest: &str, dims: usize, points: Option<usize>) -> Setup {
        Setup {
            guest: Some(guest.to_owned()),
            dims: Some(dims),
            points,
            ..Setup::default()
        }
    }

    #[test]
    fn points_that_cannot_be_shared_are_refused_with_the_nearest() {
        let refusal = |guest, dims, points| {
            let error = setup(guest, dims, Some(points)).points().unwrap_err();
            error.to_string()
        };
        let told = refusal("grid", 8, 100);
        assert!(told.ends_with("choose 96 or 112"), "{told}");
        assert!(refusal("large-grid", 8, 100).ends_with("choose 64 or 128"));
        assert!(refusal("gray-grid", 4, 0).ends_with("choose 4"));
        assert!(refusal("large-grid", 4, 4).ends_with("choose 8"));
        assert!(refusal("grid", 4, 1 << 15).ends_with("choose up to 16384"));
        assert!(refusal("grid", 5, 8).contains("choose 4 or 6"));
        for guest in GUESTS {
            for dims in [4, 8, 12] {
                assert!(setup(guest, dims, None).points().is_ok());
            }
        }
    }

    #[test]
    fn other_guests_and_numbers_out_of_range_are_refused() {
        let told = setup("cycle", 4, None).dims().unwrap_err().to_string();
        assert!(told.contains("gray-grid"), "{told}");
        for number in [0, 5000] {
            let setup = Setup {
                word_bits: Some(number),
                sweeps: Some(number),
                ..Setup::default()
            };
            assert!(setup.word_bits().is_err() && setup.sweeps().is_err());
        }
    }

    #[test]
    fn the_command_asks_for_the_same_again() {
        let setup = Setup {
            packets: Some(3),
            order: Some("greedy".to_owned()),
            start_up: 2,
            ..Setup::default()
        };
        assert_eq!(
            setup.command("run").unwrap(),
            "cubewave run relaxation --guest grid --dims 8 --points 64 --word-bits 16 --packets 3 --order greedy --start-up 2"
        );
    }
}
