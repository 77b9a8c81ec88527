//! How messages are created without end: at any time alike, in bursts, or with replies.

use clap::{Args, ValueEnum};
use rtl_model::error::Error as ModelError;
use rtl_model::traffic::MAX_PAYLOAD_BITS;
use rtl_model::traffic::injection::Bursts;

use crate::error::Error;
use crate::families::wormhole::options::NAME;
use crate::options::{share, whole_number};

/// How messages are created without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum InjectionName {
    /// In each bit time with the same probability
    #[default]
    Bernoulli,
    /// Many one after the other, then none for a while
    Bursty,
    /// As bernoulli; a node to which a message has come sends another one back, which --offered-load does not count
    RequestReply,
}

impl InjectionName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InjectionName::Bernoulli => "bernoulli",
            InjectionName::Bursty => "bursty",
            InjectionName::RequestReply => "request-reply",
        }
    }
}

/// Messages of a burst.
const DEFAULT_BURST_MESSAGES: f64 = 8.0;

/// Reads an amount, which need not be whole.
pub(super) fn amount(text: &str) -> Result<f64, &'static str> {
    text.parse()
        .map_err(|_| "a number is wanted, 1 or more, as in 8 or 2.5")
}

/// Continuous injection: `run` only.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Continuous injection")]
pub struct InjectionSetup {
    /// Message bits that each node offers in a bit time, on the average, over 0 to 1: messages are created at random, for
    /// as long as the run lasts. Without it each sender sends one message, all at bit time 0
    #[arg(long, value_name = "LOAD", value_parser = share)]
    pub offered_load: Option<f64>,

    /// How messages are created [default: bernoulli]
    #[arg(long, value_name = "NAME", requires = "offered_load")]
    pub injection: Option<InjectionName>,

    /// Messages of a burst, on the average, of --injection bursty: 1 or more [default: 8]
    #[arg(long, value_name = "B", value_parser = amount)]
    pub burst_messages: Option<f64>,

    /// Message bits that a node offers in a bit time of a burst, over 0 to 1, of --injection bursty; --offered-load is the
    /// average with the time between bursts, and less [default: 1]
    #[arg(long, value_name = "LOAD", value_parser = share)]
    pub burst_load: Option<f64>,

    /// Bits of a reply, of --injection request-reply, headers not counted, 1 to 65536 [default: those of a message]
    #[arg(long, value_name = "R", value_parser = whole_number::<usize>)]
    pub reply_bits: Option<usize>,

    /// Bit times before the measurement, taken as they are [default: the time of 5 messages of a node at this load, 1000 at
    /// least; twice as many, and so on, until MSER-5 finds the warm-up over and the backlog says whether it grows]
    #[arg(long, value_name = "T", requires = "offered_load", value_parser = whole_number::<u64>)]
    pub warm_up: Option<u64>,

    /// Bit times of the measurement: messages created in it are the ones that count [default: twice the warm-up, 1000 at
    /// least; with --warm-up twice as many, and so on, until the backlog says whether it grows]
    #[arg(long, value_name = "T", requires = "offered_load", value_parser = whole_number::<u64>)]
    pub measurement: Option<u64>,

    /// Bit times after it at the most, in which those that count may arrive [default: ten times the shortest measurement]
    #[arg(long, value_name = "T", requires = "offered_load", value_parser = whole_number::<u64>)]
    pub drain: Option<u64>,

    /// No option: a run that is only to tell whether the network carries the load, and ends when that is known.
    #[arg(skip)]
    pub is_probe: bool,
}

impl InjectionSetup {
    fn is(&self, name: InjectionName) -> bool {
        self.injection.unwrap_or_default() == name
    }

    /// Refuses options of another injection than that which was asked for.
    ///
    /// # Errors
    /// [`Error::NotApplicable`].
    pub(in crate::families::wormhole) fn check(&self) -> Result<(), Error> {
        use InjectionName::{Bursty, RequestReply};
        let bursty = "messages come in bursts only with --injection bursty";
        let replies = "messages are answered only with --injection request-reply";
        let given = [
            (
                "--burst-messages",
                self.burst_messages.is_some(),
                Bursty,
                bursty,
            ),
            ("--burst-load", self.burst_load.is_some(), Bursty, bursty),
            (
                "--reply-bits",
                self.reply_bits.is_some(),
                RequestReply,
                replies,
            ),
        ];
        let refused = given
            .into_iter()
            .find(|(_, is_given, of, _)| *is_given && !self.is(*of));
        refused.map_or(Ok(()), |(option, .., why)| {
            Err(Error::NotApplicable {
                bench: NAME,
                option,
                why,
            })
        })
    }

    /// Bursts, if they were asked for.
    ///
    /// # Errors
    /// Out of range, with the option.
    pub(in crate::families::wormhole) fn bursts(&self) -> Result<Option<Bursts>, Error> {
        if !self.is(InjectionName::Bursty) {
            return Ok(None);
        }
        let messages = self.burst_messages.unwrap_or(DEFAULT_BURST_MESSAGES);
        let bursts = Bursts::new(messages, self.burst_load.unwrap_or(1.0));
        bursts.map(Some).map_err(|error| Error::List {
            option: match error {
                ModelError::BurstMessages { .. } => "--burst-messages",
                _ => "--burst-load",
            },
            why: error.to_string(),
        })
    }

    /// Bits of a reply to messages of so many, if there are any.
    pub(in crate::families::wormhole) fn replies(&self, message_bits: usize) -> Option<usize> {
        let has_replies = self.is(InjectionName::RequestReply);
        has_replies.then(|| self.reply_bits.unwrap_or(message_bits))
    }

    /// The same.
    ///
    /// # Errors
    /// Out of range.
    pub(in crate::families::wormhole) fn checked_replies(
        &self,
        message_bits: usize,
    ) -> Result<Option<usize>, Error> {
        match self.replies(message_bits) {
            Some(bits) if !(1..=MAX_PAYLOAD_BITS).contains(&bits) => Err(Error::List {
                option: "--reply-bits",
                why: format!(
                    "replies of {bits} bits are out of range: choose 1 to {MAX_PAYLOAD_BITS}"
                ),
            }),
            bits => Ok(bits),
        }
    }
}
