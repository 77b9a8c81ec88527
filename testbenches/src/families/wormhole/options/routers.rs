//! The routers: their options, and the machine that these ask for.

use clap::Args;
use rtl_model::embedding::copies::Copies;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{Network, Parameters};
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::traffic::check_payload_bits;

use crate::error::Error;
use crate::families::wormhole::options::{
    DEFAULT_BUFFER_BITS, DEFAULT_LEVELS, DEFAULT_MESSAGE_BITS, NAME, NetworkName, PiecesName,
    Setup, SwitchName,
};
use crate::options::whole_number;

/// The routers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub struct WormholeSetup {
    /// Network of --dims n [default: ccc]
    #[arg(long, value_name = "NAME")]
    pub network: Option<NetworkName>,

    /// Bits of every message, headers not counted, 1 to 65536 [default: 64]
    #[arg(long, value_name = "M", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// Virtual channels of a straight link, 1 to 3; a cross link has two at the most. A link of ecube has one, of valiant
    /// two at the most. With fewer than that worms may wait for each other in a circle [default: as many as exclude it]
    #[arg(long, value_name = "V", value_parser = whole_number::<usize>)]
    pub virtual_channels: Option<usize>,

    /// Bits that each channel's buffer holds, 1 to 64 [default: 2]
    #[arg(long, value_name = "B", value_parser = whole_number::<usize>)]
    pub buffer_bits: Option<usize>,

    /// New connections in a node in a bit time [default: strong]
    #[arg(long, value_name = "NAME")]
    pub switch: Option<SwitchName>,

    /// Copies in use, 1 to n, of --network copies: a message goes in as many pieces at the most [default: n]
    #[arg(long, value_name = "C", value_parser = whole_number::<usize>)]
    pub copies: Option<usize>,

    /// How messages are cut, of --network copies [default: by-way]
    #[arg(long, value_name = "NAME")]
    pub pieces: Option<PiecesName>,
}

impl Setup {
    /// The command that asks for the same machine as Verilog again, whose messages have so many bits; defaults spelled out.
    pub fn machine_command(&self, machine: &WormholeMachine, message_bits: usize) -> String {
        let wormhole = &self.wormhole;
        let parameters = machine.parameters();
        let mut command = format!(
            "cubewave verilog {} --network {} --dims {} --message-bits {message_bits}",
            NAME,
            wormhole.network.unwrap_or_default().name(),
            self.dims.unwrap_or(DEFAULT_LEVELS),
        );
        if let Network::Copies { used, .. } = machine.network() {
            let pieces = wormhole.pieces.unwrap_or_default().name();
            command += &format!(" --copies {used} --pieces {pieces}");
        }
        command += &format!(
            " --virtual-channels {} --buffer-bits {} --switch {}",
            parameters.virtual_channels,
            parameters.buffer_bits,
            wormhole.switch.unwrap_or_default().name(),
        );
        command
    }
}

/// Half of the levels are those of a row's butterfly, the other half those of a column's.
///
/// # Errors
/// Other than 4 and 8 levels.
fn butterflies(levels: usize) -> Result<Butterflies, Error> {
    match levels {
        4 | 8 => Ok(Butterflies::new(levels / 2)?),
        _ => Err(Error::Refused {
            by: "network butterflies",
            why: format!(
                "there are none of {levels} levels: choose --dims 4 (butterflies of 2 levels in rows and in columns, 64 nodes) or \
                 8 (of 4 levels, 4096 nodes), since rows of m + log m dimensions take m copies, and m = 8 would take 4,194,304 \
                 nodes"
            ),
        }),
    }
}

impl WormholeSetup {
    /// Bits of a message.
    ///
    /// # Errors
    /// Out of range.
    pub fn checked_message_bits(&self) -> Result<usize, Error> {
        let bits = self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS);
        check_payload_bits(bits).map_err(|error| match error {
            ModelError::PayloadBits { bits, limit } => Error::MessageBits { bits, limit },
            other => other.into(),
        })
    }

    /// The machine of `dims` levels; where its network draws anything at random, from `seed`.
    ///
    /// # Errors
    /// Whatever is out of range, or does not apply to the network.
    pub fn machine(&self, dims: Option<usize>, seed: u64) -> Result<WormholeMachine, Error> {
        let levels = dims.unwrap_or(DEFAULT_LEVELS);
        let name = self.network.unwrap_or_default();
        let of_copies = [
            ("--copies", self.copies.is_some()),
            ("--pieces", self.pieces.is_some()),
        ];
        if let Some((option, _)) = of_copies.into_iter().find(|(_, given)| *given)
            && name != NetworkName::Copies
        {
            return Err(Error::NotOfNetwork {
                network: name.name(),
                option,
                why: "a message goes whole; only --network copies splits it",
            });
        }
        let network = match name {
            NetworkName::Ccc => Network::CubeConnectedCycles(CubeConnectedCycles::new(levels)?),
            NetworkName::Copies => {
                let copies = Copies::new(levels)?;
                let used = self.copies.unwrap_or(copies.copies());
                if !(1..=copies.copies()).contains(&used) {
                    return Err(Error::CopiesInUse {
                        used,
                        copies: copies.copies(),
                    });
                }
                Network::Copies { copies, used }
            }
            NetworkName::Butterflies => Network::Butterflies(butterflies(levels)?),
            NetworkName::Ecube => Network::ECube(Copies::new(levels)?.dimensions()),
            NetworkName::Valiant => Network::Valiant {
                dimensions: Copies::new(levels)?.dimensions(),
                seed,
            },
        };
        let most = name.most_virtual_channels(levels);
        let virtual_channels = self.virtual_channels.unwrap_or(most);
        if let Some(why) = name.why_no_more_channels()
            && !(1..=most).contains(&virtual_channels)
        {
            return Err(Error::ChannelsOfNetwork {
                network: name.name(),
                virtual_channels,
                most,
                why,
            });
        }
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: self.buffer_bits.unwrap_or(DEFAULT_BUFFER_BITS),
            weak_switch: self.switch.unwrap_or_default() == SwitchName::Weak,
        };
        let machine = WormholeMachine::new(network, parameters)?;
        Ok(machine.with_pieces(self.pieces.unwrap_or_default().into()))
    }
}
