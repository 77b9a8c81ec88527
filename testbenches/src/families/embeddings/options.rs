//! What the testbenches are asked to do.

use std::path::PathBuf;

use rtl_model::embedding::constructions::{Ask, CONSTRUCTIONS, Construction};
use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::options;

/// The guest where none is asked for.
pub const DEFAULT_GUEST: &str = "cycle";
/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 64;
/// The most bits of a message.
pub const MOST_MESSAGE_BITS: usize = 1 << 20;
/// The most packets that a message is cut into.
const MOST_PACKETS: usize = 4096;

/// The guest, its host, and its messages.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The guest.
    pub guest: Option<String>,
    /// Dimensions of the host.
    pub dims: Option<usize>,
    /// Axes of a grid.
    pub axes: Option<usize>,
    /// Sides of a grid, with commas between.
    pub sides: Option<String>,
    /// Packets that a message is cut into.
    pub packets: Option<usize>,
    /// Who goes first.
    pub order: Option<String>,
    /// Every edge both ways.
    pub both_ways: bool,
    /// Bits of a message, `M`.
    pub message_bits: Option<usize>,
    /// Bit times before a packet's first bit, `T`.
    pub start_up: usize,
    /// A file with the messages.
    pub values: Option<PathBuf>,
    /// Where messages as they arrived are written.
    pub results: Option<PathBuf>,
    /// What messages are drawn from.
    pub seed: u64,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

/// The names of all guests.
pub fn guests() -> Vec<&'static str> {
    let all = CONSTRUCTIONS.iter();
    all.map(|construction| construction.name()).collect()
}

/// The construction of a guest.
///
/// # Errors
/// A name of none.
pub fn construction(name: &str) -> Result<&'static dyn Construction, Error> {
    let found = rtl_model::embedding::constructions::construction(name);
    found.ok_or_else(|| Error::Unknown {
        what: "guest",
        name: name.to_owned(),
        known: guests(),
    })
}

/// The order of that name.
///
/// # Errors
/// A name of none.
pub fn order(name: &str) -> Result<Order, Error> {
    let mut all = Order::EACH.into_iter();
    all.find(|order| order.name() == name)
        .ok_or_else(|| Error::Unknown {
            what: "order",
            name: name.to_owned(),
            known: Order::EACH.map(Order::name).to_vec(),
        })
}

/// The sides of a grid.
///
/// # Errors
/// What is no list of numbers.
pub fn sides(list: &str) -> Result<Vec<usize>, Error> {
    let all = list.split([',', 'x']).map(|side| side.trim().parse());
    all.collect::<Result<Vec<usize>, _>>()
        .map_err(|_| Error::List {
            option: "--sides",
            why: format!(
                "`{list}` is no list of numbers: write the length of each axis, as in 8,8"
            ),
        })
}

impl Setup {
    /// How the guest is laid into its host.
    ///
    /// # Errors
    /// A name of none.
    pub fn construction(&self) -> Result<&'static dyn Construction, Error> {
        construction(self.guest.as_deref().unwrap_or(DEFAULT_GUEST))
    }

    /// Which of its sizes.
    ///
    /// # Errors
    /// Sides that cannot be read.
    pub fn ask(&self) -> Result<Ask, Error> {
        Ok(Ask {
            dimensions: self.dims,
            axes: self.axes,
            sides: self.sides.as_deref().map(sides).transpose()?,
        })
    }

    /// Who goes first.
    ///
    /// # Errors
    /// A name of none.
    pub fn order(&self) -> Result<Order, Error> {
        self.order.as_deref().map_or(Ok(Order::default()), order)
    }

    /// Bits of a message.
    ///
    /// # Errors
    /// None, or too many.
    pub fn message_bits(&self) -> Result<usize, Error> {
        match self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS) {
            bits @ 1..=MOST_MESSAGE_BITS => Ok(bits),
            bits => Err(Error::List {
                option: "--message-bits",
                why: format!("{bits} is out of range: choose 1 to {MOST_MESSAGE_BITS}"),
            }),
        }
    }

    /// Packets, where some are asked for.
    ///
    /// # Errors
    /// None, or too many.
    pub fn packets(&self) -> Result<Option<usize>, Error> {
        match self.packets {
            None | Some(1..=MOST_PACKETS) => Ok(self.packets),
            Some(packets) => Err(Error::List {
                option: "--packets",
                why: format!("{packets} is out of range: choose 1 to {MOST_PACKETS}"),
            }),
        }
    }

    /// The command line that asks for the same machine, defaults spelled out.
    ///
    /// # Errors
    /// Sides that cannot be read, or a name of none.
    pub fn command(&self, command: &str) -> Result<String, Error> {
        let construction = self.construction()?;
        let mut words = format!(
            "cubewave {command} embedding --guest {}",
            construction.name()
        );
        match &self.sides {
            Some(sides) => words += &format!(" --sides {sides}"),
            None => words += &format!(" --dims {}", construction.host(&self.ask()?)?),
        }
        if let Some(axes) = self.axes {
            words += &format!(" --axes {axes}");
        }
        if let Some(packets) = self.packets {
            words += &format!(" --packets {packets}");
        }
        if self.order()? != Order::default() {
            words += &format!(" --order {}", self.order()?.name());
        }
        if self.both_ways {
            words += " --both-ways";
        }
        words += &format!(" --message-bits {}", self.message_bits()?);
        if self.start_up > 0 {
            words += &format!(" --start-up {}", self.start_up);
        }
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let refusal = |setup: Setup| {
            let errors = [
                setup.construction().err(),
                setup.ask().err(),
                setup.order().err(),
                setup.message_bits().err(),
                setup.packets().err(),
            ];
            let mut errors = errors.into_iter().flatten();
            errors
                .next()
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        let guest = |name: &str| Setup {
            guest: Some(name.to_owned()),
            ..Setup::default()
        };
        assert!(refusal(guest("gray-cycl")).contains("gray-cycle"));
        let order = Setup {
            order: Some("greed".to_owned()),
            ..guest("gray-cycle")
        };
        assert!(refusal(order).contains("greedy"));
        let sides = Setup {
            sides: Some("8,a".to_owned()),
            ..guest("gray-cycle")
        };
        assert!(refusal(sides).contains("as in 8,8"));
        for bits in [0, MOST_MESSAGE_BITS + 1] {
            let bits = Setup {
                message_bits: Some(bits),
                ..guest("gray-cycle")
            };
            assert!(refusal(bits).contains("choose 1 to 1048576"));
        }
        let packets = Setup {
            packets: Some(0),
            ..guest("gray-cycle")
        };
        assert!(refusal(packets).contains("choose 1 to 4096"));
    }

    #[test]
    fn the_command_asks_for_the_same_again() {
        let setup = Setup {
            guest: Some("gray-cycle".to_owned()),
            packets: Some(3),
            order: Some("greedy".to_owned()),
            both_ways: true,
            start_up: 2,
            ..Setup::default()
        };
        assert_eq!(
            setup.command("run").unwrap(),
            "cubewave run embedding --guest gray-cycle --dims 8 --packets 3 --order greedy --both-ways --message-bits 64 \
             --start-up 2"
        );
    }
}
