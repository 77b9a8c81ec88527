//! The lists that a sweep of wormhole routers has beside those of all sweeps.

use clap::Args;

/// Options of `measure` that are for wormhole routers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid of wormhole routers")]
pub struct WormholeGrid {
    /// Networks of --dims n: ccc, copies, ecube, or all [default: ccc]
    #[arg(long, value_name = "LIST")]
    pub network: Option<String>,

    /// Copies in use, of network copies: numbers and ranges, and all for as many as there are. With several, and with
    /// ecube beside copies, the ratios of bit times are added below the table [default: all]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub copies: Option<String>,

    /// Bits of every message, headers not counted: numbers and ranges [default: 64]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub message_bits: Option<String>,

    /// Virtual channels of a straight link: numbers and ranges. Network ecube takes 1, whatever others take
    /// [default: 3]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub virtual_channels: Option<String>,

    /// Bits that each channel's buffer holds: numbers and ranges [default: 2]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub buffer_bits: Option<String>,

    /// New connections in a node in a bit time: strong, weak, or all [default: strong]
    #[arg(long, value_name = "LIST")]
    pub switch: Option<String>,

    /// Continuous injection: message bits that each node offers in a bit time, on the average, as in
    /// 0.01,0.05..0.9 or 0.1..0.9:0.2 (from, to and including, and by how much, 0.05 if that is left out). Every
    /// load runs in full: at a saturated one, latencies are of those messages that arrived in the time for it
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub offered_load: Option<String>,
}

impl WormholeGrid {
    /// The first option that is given: other testbenches take none.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--network", &self.network),
            ("--copies", &self.copies),
            ("--message-bits", &self.message_bits),
            ("--virtual-channels", &self.virtual_channels),
            ("--buffer-bits", &self.buffer_bits),
            ("--switch", &self.switch),
            ("--offered-load", &self.offered_load),
        ];
        given
            .iter()
            .find(|(_, list)| list.is_some())
            .map(|(option, _)| *option)
    }
}
