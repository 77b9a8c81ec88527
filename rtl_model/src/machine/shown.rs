//! What a waveform shows beside wires and registers: worked out of registers for whoever looks on, and stored nowhere.
//!
//! ```text
//!   sequencer's registers ------------------> texts:   what the bit time is about, such as who sends to whom
//!   registers of a node, its address --+----> numbers: words in the order of their bits, however far registers have shifted
//!   sequencer's registers -------------+
//!                                      |
//!   what was planned beforehand -------+----> told:    whose bits a node sends, which nothing in the node knows
//! ```

/// A text about the sequencer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What it is called.
    pub name: &'static str,
    /// Characters of the longest that there can be.
    pub longest: usize,
}

/// How a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// As a word.
    Hexadecimal,
    /// As a count, such as a rank.
    Decimal,
    /// Bit by bit: each says something by itself.
    Binary,
}

/// A number that every node has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is called.
    pub name: String,
    /// Its bits.
    pub width: usize,
    /// How it is read.
    pub digits: Digits,
}

/// A text that every node has. No register of the node says it: somebody who knows more than the node works it out, and it steers
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What it is called. A number that is called the same is the bare code of what it says.
    pub name: String,
    /// Characters of the longest that there can be, at any node.
    pub longest: usize,
    /// The link over which the node sends what the text is about, if that is what it says.
    pub sent_over: Option<usize>,
}

impl Told {
    /// What is told of a port, in this order.
    pub const OF_A_PORT: [&str; 2] = ["sends", "receives"];

    /// Of a node with this many ports: of each of them, what it sends and what it receives.
    pub fn of_ports(ports: usize, longest: usize) -> Vec<Self> {
        let of_port = |port: usize| {
            Self::OF_A_PORT.map(|what| Told {
                name: format!("port_{port}_{what}"),
                longest,
                sent_over: (what == "sends").then_some(port),
            })
        };
        (0..ports).flat_map(of_port).collect()
    }
}

/// What [`Router::occupancy`](crate::machine::router::Router::occupancy) counts of the bits of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Nothing: nobody knows how many message bits a node holds.
    Nothing,
    /// Register bits that hold bits of messages that are still needed.
    Occupied,
    /// Bits that a node is to send on, from the beginning of their arrival until they have gone: those that are still in flight
    /// to it among them, and what it has of its own not.
    ToSendOn,
}

impl Counted {
    /// What a waveform calls their number at a node.
    pub fn signal(self) -> Option<&'static str> {
        match self {
            Counted::Nothing => None,
            Counted::Occupied => Some("occupied_bits"),
            Counted::ToSendOn => Some("bits_to_send_on"),
        }
    }
}

/// What there is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Of the sequencer.
    pub texts: Vec<Text>,
    /// Of every node.
    pub numbers: Vec<Number>,
    /// Of every node, by who knows more than the node.
    pub told: Vec<Told>,
    /// What is counted of a node's bits.
    pub occupancy: Counted,
}

/// How full nodes are, and nothing else.
impl Default for Shown {
    fn default() -> Self {
        Shown {
            texts: Vec::new(),
            numbers: Vec::new(),
            told: Vec::new(),
            occupancy: Counted::Occupied,
        }
    }
}
