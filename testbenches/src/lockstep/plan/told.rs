//! A plan for people, and for scripts.

use crate::error::Error;
use crate::lockstep::plan::planned::Planned;
use crate::lockstep::plan::{Bound, Plan, Seconds, Volume};
use crate::options::Format;
use crate::report::{self, Meta, and, counted, rows};

/// Bytes, in a unit in which that is a figure.
fn in_bytes(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let digits = if unit == 0 { 0 } else { 2 };
    format!("{amount:.digits$} {}", UNITS[unit])
}

/// Bits a second.
fn in_bits(bits: u64) -> String {
    const UNITS: [(&str, u64); 4] = [
        ("Tbit/s", 1_000_000_000_000),
        ("Gbit/s", 1_000_000_000),
        ("Mbit/s", 1_000_000),
        ("kbit/s", 1_000),
    ];
    let unit = UNITS.iter().find(|(_, one)| bits >= *one);
    unit.map_or(format!("{bits} bit/s"), |(name, one)| {
        format!("{} {name}", bits as f64 / *one as f64)
    })
}

/// Seconds, to as many digits as can be foretold, and more than some minutes also in larger units.
fn in_time(seconds: f64) -> String {
    let in_seconds = match seconds {
        ..0.0995 => format!("{seconds:.3} s"),
        ..9.95 => format!("{seconds:.2} s"),
        ..99.5 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    };
    match seconds {
        ..300.0 => in_seconds,
        ..7200.0 => format!("{in_seconds}, {:.0} minutes", seconds / 60.0),
        _ => format!("{in_seconds}, {:.1} hours", seconds / 3600.0),
    }
}

impl Plan {
    /// In the form that is asked for.
    ///
    /// # Errors
    /// None but what serializing has.
    pub(crate) fn formatted(&self, format: Format, meta: &Meta) -> Result<String, Error> {
        match format {
            Format::Text => Ok(self.text()),
            Format::Json => report::json(&report::From {
                result: &Planned::from(self),
                meta,
            }),
        }
    }

    pub(super) fn fits(&self) -> bool {
        self.known.bytes <= self.known.computers.memory
    }

    fn on_each(&self) -> &'static str {
        match self.known.machines() {
            1 => "",
            _ => " on each",
        }
    }

    pub(super) fn text(&self) -> String {
        let known = &self.known;
        let identity = &known.identity;
        let schedule = identity.schedule.map(|name| format!(", schedule {name}"));
        let computers = counted(known.computers.share.ranks(), "computer");
        let mut text = format!(
            "plan of {}{}, {} dimensions, on {computers} with {}{}\n\n",
            identity.name,
            schedule.unwrap_or_default(),
            known.dims,
            counted(known.computers.threads, "thread"),
            self.on_each(),
        );
        let mut facts = vec![
            ("nodes", self.nodes()),
            ("memory", self.memory()),
            (
                "bit times",
                format!("{} = {}", known.bit_times.value, known.bit_times.text),
            ),
        ];
        if known.machines() > 1 {
            facts.extend(self.between_ranks());
        }
        facts.extend(self.times());
        text += &rows(&facts);
        text += &format!("\n{}\n{}", self.bound_in_words(), self.taken());
        text
    }

    fn nodes(&self) -> String {
        let known = &self.known;
        match known.machines() {
            1 => known.nodes.to_string(),
            _ => format!("{}, {} on each computer", known.nodes, known.nodes_here()),
        }
    }

    fn memory(&self) -> String {
        let known = &self.known;
        let fits = if self.fits() {
            "it fits"
        } else {
            "it does not fit"
        };
        let (needed, there) = (known.bytes as f64, known.computers.memory as f64);
        format!(
            "{}{}, of {}: {fits}",
            in_bytes(needed),
            self.on_each(),
            in_bytes(there)
        )
    }

    fn between_ranks(&self) -> Vec<(&'static str, String)> {
        let Some(Volume {
            formula,
            bits,
            exchanges,
        }) = &self.volume
        else {
            let why = "not known: it has no closed form, and no program is made of such a run";
            return vec![("between ranks", why.to_owned())];
        };
        let how = match formula {
            Some((text, _)) => format!(" = {text}"),
            None => ", counted in its program; there is no closed form".to_owned(),
        };
        let bytes = *bits as f64 / 8.0;
        let machines = self.known.machines() as f64;
        let in_exchanges = exchanges.map(|exchanges| format!(", in {exchanges} exchanges"));
        vec![
            ("between ranks", format!("{bits} bits{how}")),
            (
                "",
                format!(
                    "{} in all, {} from each computer{}",
                    in_bytes(bytes),
                    in_bytes(bytes / machines),
                    in_exchanges.unwrap_or_default()
                ),
            ),
        ]
    }

    fn times(&self) -> Vec<(&'static str, String)> {
        let Seconds {
            preparing,
            loading_and_comparing,
            bit_times,
            network,
        } = self.seconds;
        let mut times = vec![
            ("preparing", in_time(preparing)),
            ("loading and comparing", in_time(loading_and_comparing)),
            ("running bit times", in_time(bit_times)),
        ];
        if let Some(bandwidth) = self.known.computers.bandwidth {
            let network = network.map_or("not known".to_owned(), |seconds| {
                format!("{}, at {}", in_time(seconds), in_bits(bandwidth))
            });
            times.push(("network", network));
        }
        let total = self.seconds.total();
        times.push(("time in all", total.map_or("not known".to_owned(), in_time)));
        times
    }

    pub(super) fn bound_in_words(&self) -> String {
        let known = &self.known;
        let network = self.seconds.network.unwrap_or(0.0);
        let computing = in_time(self.seconds.computing());
        match self.bound {
            Bound::Memory => format!(
                "The bound is memory: {} are needed{} and {} are there. {}",
                in_bytes(known.bytes as f64),
                self.on_each(),
                in_bytes(known.computers.memory as f64),
                self.instead()
            ),
            Bound::Network => format!(
                "The bound is the network: it takes {}, and computing {computing}.",
                in_time(network)
            ),
            Bound::Processors if known.machines() == 1 => {
                format!(
                    "The bound is the processors: computing takes {computing}, and the memory is enough."
                )
            }
            Bound::Processors if self.seconds.network.is_none() => format!(
                "The bound is the processors as far as is known: computing takes {computing}; what the network takes is not known."
            ),
            Bound::Processors => format!(
                "The bound is the processors: computing takes {computing}, and the network {}.",
                in_time(network)
            ),
        }
    }

    /// What would fit.
    fn instead(&self) -> String {
        let known = &self.known;
        let these = counted(known.computers.share.ranks(), "computer");
        let these = match known.machines() {
            1 => "one computer".to_owned(),
            _ => these,
        };
        let dims = known
            .instead
            .dims
            .map(|dims| format!("--dims {dims} is the most that {these} can hold"));
        let machines = known.instead.machines;
        let machines =
            machines.map(|most| format!("--machines {most} is the fewest that can hold this"));
        match (machines, dims) {
            (Some(machines), Some(dims)) => format!("Of computers like these, {machines}; {dims}."),
            (Some(machines), None) => format!("Of computers like these, {machines}."),
            (None, Some(dims)) => format!("No number of such computers can hold it; {dims}."),
            (None, None) => {
                "No number of such computers can hold it, nor a smaller cube.".to_owned()
            }
        }
    }

    /// On what the plan rests.
    fn taken(&self) -> String {
        let known = &self.known;
        let samples: Vec<String> = self
            .samples
            .iter()
            .map(|dims| format!("2^{dims}"))
            .collect();
        let samples = and(&samples);
        let mut text = format!(
            "Computers are taken to be like this one. Rates are those of machines of {samples} nodes, which were run here just now.\n"
        );
        if known.foreseen.is_none() {
            text += "The run goes bit time by bit time, on one thread: its program would be too large, or take longer to make than it saves.\n";
        }
        if known.machines() > 1 {
            text += "Ranks wait for each other while they exchange bits, so the times add up; the latency of exchanges is not counted.\n";
        }
        text
    }
}
