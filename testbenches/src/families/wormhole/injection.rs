//! How messages are created without end: at any time alike, in bursts, or with replies; and the load that is looked for.

use rtl_model::error::Error as ModelError;
use rtl_model::traffic::MAX_PAYLOAD_BITS;
use rtl_model::traffic::injection::Bursts;

use crate::error::Error;
use crate::families::wormhole::parameters::{MESSAGE_BITS, WIRE_BITS};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter};

/// The heading of its options.
const HEADING: &str = "Continuous injection";
/// Ways to create messages.
const BERNOULLI: &str = "bernoulli";
const BURSTY: &str = "bursty";
const REQUEST_REPLY: &str = "request-reply";

pub const OFFERED_LOAD: Parameter = Parameter::share(
    ("offered_load", "--offered-load"),
    "Message bits that each node offers in a bit time, on the average, over 0 to --wire-bits, and no more than --message-bits: messages are created at random, for as long as \
     the run lasts. Without it each sender sends one message, all at bit time 0",
)
.value_name("LOAD")
.heading(HEADING)
.of_run()
.called("offered", "offered load {}")
.only(
    |chosen| !chosen.has(&SATURATION),
    "the load is what --saturation finds: give one of them",
)
.axis(Axis::new(
    "Continuous injection: message bits that each node offers in a bit time, on the average. Every load runs in full: at a saturated one, \
     latencies are of those messages that arrived in the time for it",
    "",
));

pub const INJECTION: Parameter = Parameter::name(
    ("injection", "--injection"),
    ("injection", |_| vec![BERNOULLI, BURSTY, REQUEST_REPLY]),
    "How messages are created: bernoulli (in each bit time with the same probability), bursty (many one after the other, then none \
     for a while) or request-reply (as bernoulli; a node to which a message has come sends another one back, which --offered-load \
     does not count)",
)
.heading(HEADING)
.of_run()
.only(
    |chosen| chosen.has(&OFFERED_LOAD),
    "each node sends one message: add --offered-load",
);

pub const BURST_MESSAGES: Parameter = Parameter::amount(
    ("burst_messages", "--burst-messages"),
    "B",
    "Messages of a burst, on the average, of --injection bursty: 1 or more",
)
.heading(HEADING)
.of_run()
.default(Fallback::Share(8.0))
.only(|chosen| is(chosen, BURSTY), NO_BURSTS);

pub const BURST_LOAD: Parameter = Parameter::share(
    ("burst_load", "--burst-load"),
    "Message bits that a node offers in a bit time of a burst, up to what --offered-load may be, of --injection bursty; --offered-load is the average with \
     the time between bursts, and less",
)
.value_name("LOAD")
.heading(HEADING)
.of_run()
.default(Fallback::ShareRule(|chosen| most_load(chosen) as f64))
.default_in_words("the most")
.only(|chosen| is(chosen, BURSTY), NO_BURSTS);

pub const REPLY_BITS: Parameter = Parameter::whole(
    ("reply_bits", "--reply-bits"),
    "R",
    "Bits of a reply, of --injection request-reply, headers not counted, 1 to 65536",
)
.heading(HEADING)
.of_run()
.default(Fallback::Rule(|chosen| chosen.whole(&MESSAGE_BITS)))
.default_in_words("those of a message")
.only(
    |chosen| is(chosen, REQUEST_REPLY),
    "messages are answered only with --injection request-reply",
);

pub const WARM_UP: Parameter = Parameter::whole(
    ("warm_up", "--warm-up"),
    "T",
    "Bit times before the measurement, taken as they are",
)
.heading(HEADING)
.of_run()
.default_in_words(
    "the time of 5 messages of a node at this load, 1000 at least; twice as many, and so on, until MSER-5 finds the warm-up over and \
     the backlog says whether it grows",
)
.called("warm-up", "warm-up {}")
.only(is_continuous, ONE_MESSAGE)
.axis(
    Axis::new(
        "With --offered-load or --saturation: bit times before each measurement, as of `run`",
        "",
    )
    .default_in_words("as many as it takes"),
);

pub const MEASUREMENT: Parameter = Parameter::whole(
    ("measurement", "--measurement"),
    "T",
    "Bit times of the measurement: messages created in it are the ones that count",
)
.heading(HEADING)
.of_run()
.default_in_words(
    "twice the warm-up, 1000 at least; with --warm-up twice as many, and so on, until the backlog says whether it grows",
)
.called("measurement", "measurement {}")
.only(is_continuous, ONE_MESSAGE)
.axis(
    Axis::new(
        "With --offered-load or --saturation: bit times of each measurement, as of `run`",
        "",
    )
    .default_in_words("as many as it takes"),
);

pub const DRAIN: Parameter = Parameter::whole(
    ("drain", "--drain"),
    "T",
    "Bit times after it at the most, in which those that count may arrive",
)
.heading(HEADING)
.of_run()
.default_in_words("ten times the shortest measurement")
.called("drain", "drain {}")
.only(is_continuous, ONE_MESSAGE)
.axis(Axis::new(
    "With --offered-load or --saturation: bit times after each measurement at the most, as of `run`",
    "",
));

pub const SATURATION: Parameter = Parameter::switch(("saturation", "--saturation"), "")
    .called("saturation", "saturation")
    .of_sweep()
    .axis(
        Axis::new(
            "Find the offered load that each network carries, in place of a list of them: the one at which the average latency \
             passes its bound, or the backlog grows without end. A row says between which two loads that is",
            "",
        )
        .series(InSeries::Never),
    );

pub const LATENCY_BOUND: Parameter = Parameter::whole(("latency_bound", "--latency-bound"), "T", "")
    .called("bound", "latency bound {}")
    .default_in_words(
        "3 times that of messages which are hardly ever in each other's way, measured at an offered load of 0.01",
    )
    .of_sweep()
    .only(|chosen| chosen.has(&SATURATION), NOT_SOUGHT)
    .axis(Axis::new(
        "With --saturation: the latency that is too long, in bit times",
        "",
    ));

pub const TOLERANCE: Parameter = Parameter::share(("tolerance", "--tolerance"), "")
    .called("tolerance", "tolerance {}")
    .of_sweep()
    .default(Fallback::Share(0.005))
    .only(|chosen| chosen.has(&SATURATION), NOT_SOUGHT)
    .axis(
        Axis::new(
            "With --saturation: how near to each other the two loads shall be, 0.0001 to 0.5",
            "",
        )
        .series(InSeries::IfGiven),
    );

const NO_BURSTS: &str = "messages come in bursts only with --injection bursty";
const ONE_MESSAGE: &str = "each node sends one message, and the run ends when all have arrived: add --offered-load, as in \
                           --offered-load 0.1";
const NOT_SOUGHT: &str = "no load is looked for: add --saturation, or leave it out";

fn is(chosen: &Chosen, injection: &str) -> bool {
    chosen.has(&OFFERED_LOAD) && chosen.name(&INJECTION).is_ok_and(|name| name == injection)
}

fn is_continuous(chosen: &Chosen) -> bool {
    offered_load(chosen).is_some()
}

/// The most message bits that a host can offer in a bit time: those of all its data wires, and no more than a message.
pub fn most_load(chosen: &Chosen) -> usize {
    chosen.number(&WIRE_BITS).min(chosen.number(&MESSAGE_BITS))
}

/// Message bits that each node offers in a bit time, if messages are created without end. Where that load is looked for, it is the
/// most that it may turn out to be.
pub fn offered_load(chosen: &Chosen) -> Option<f64> {
    match chosen.is_on(&SATURATION) {
        true => Some(most_load(chosen) as f64),
        false => chosen.share(&OFFERED_LOAD),
    }
}

/// Bursts, if they were asked for.
///
/// # Errors
/// Out of range, with the option.
pub fn bursts(chosen: &Chosen) -> Result<Option<Bursts>, Error> {
    let [messages, load] = [&BURST_MESSAGES, &BURST_LOAD].map(|one| chosen.share(one));
    let (Some(messages), Some(load)) = (messages, load) else {
        return Ok(None);
    };
    if !is(chosen, BURSTY) {
        return Ok(None);
    }
    let bursts = Bursts::new(messages, load, most_load(chosen));
    bursts.map(Some).map_err(|error| {
        let option = match error {
            ModelError::BurstMessages { .. } => BURST_MESSAGES,
            _ => BURST_LOAD,
        };
        option.blamed(error.to_string())
    })
}

/// Bits of a reply to messages of so many, if there are any.
pub fn replies(chosen: &Chosen, message_bits: usize) -> Option<usize> {
    let has_replies = is(chosen, REQUEST_REPLY);
    has_replies.then(|| chosen.whole(&REPLY_BITS).unwrap_or(message_bits))
}

/// The same.
///
/// # Errors
/// Out of range.
pub fn checked_replies(chosen: &Chosen, message_bits: usize) -> Result<Option<usize>, Error> {
    match replies(chosen, message_bits) {
        Some(bits) if !(1..=MAX_PAYLOAD_BITS).contains(&bits) => Err(REPLY_BITS.blamed(format!(
            "replies of {bits} bits are out of range: choose 1 to {MAX_PAYLOAD_BITS}"
        ))),
        bits => Ok(bits),
    }
}
