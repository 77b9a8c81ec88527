//! The testbenches in lockstep on the testbench seam.

use clap::{ArgMatches, Command};

use crate::error::Error;
use crate::lockstep::family::Bench;
use crate::lockstep::options::with_defaults;
use crate::lockstep::plan::{self, OfFamily};
use crate::lockstep::{measure, run, verilog};
use crate::measure as sweeps;
use crate::options::{Format, reworded};
use crate::report::json;
use crate::testbench::{Ran, Testbench};

impl Testbench for Bench {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn models(&self) -> &'static str {
        self.0.models()
    }

    fn source(&self) -> &'static str {
        self.0.source()
    }

    fn choices(&self) -> Vec<String> {
        let schedules = self.0.schedules();
        if schedules.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = schedules.iter().map(|schedule| schedule.name()).collect();
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let each = schedules.iter().map(|schedule| {
            let name = schedule.name();
            format!("  {name:<longest$}  {}", schedule.models())
        });
        let all = format!("schedules: {}", names.join(", "));
        std::iter::once(all).chain(each).collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let schedules = self.0.schedules();
        match schedules.is_empty() {
            true => Vec::new(),
            false => {
                let names = schedules.iter().map(|schedule| schedule.name());
                vec![("schedule", names.collect())]
            }
        }
    }

    fn examples(&self) -> &'static [&'static str] {
        self.0.examples()
    }

    fn run_arguments(&self, command: Command) -> Command {
        with_defaults(self.0.takes().run(command), *self)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = self.0.takes().run_options(arguments)?;
        options.setup.check_file()?;
        measure::foretell(*self, &options)?;
        Ok(Ran {
            report: Box::new(run::run(*self, &options)?),
            format: options.format,
            deliveries: options.deliveries,
        })
    }

    fn plan_arguments(&self, command: Command) -> Command {
        with_defaults(self.0.takes().plan(command), *self)
    }

    fn plan(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let (setup, computers) = self.0.takes().plan_options(arguments)?;
        let subject = OfFamily {
            bench: *self,
            setup,
        };
        plan::plan(&subject, &computers)?.formatted(computers.format.format)
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        let command = self.0.takes().verilog(command);
        let dims = "Dimensions of the hypercube, 1 to 10 [default: 6]";
        let payload = "Payload bits of every message, 1 to 65536 / 2^K [default: 8]";
        let command = reworded(command, "dims", dims);
        let command = reworded(command, "payload_bits", payload);
        with_defaults(command, *self)
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options = self.0.takes().verilog_options(arguments)?;
        let project = verilog::export(*self, &options)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &measure::Lockstep
    }

    fn in_lockstep(&self) -> Option<Bench> {
        Some(*self)
    }
}
