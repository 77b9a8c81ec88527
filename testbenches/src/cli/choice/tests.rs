//! Several testbenches of one name: `echo`, and `echo` and `mirror` with `--network`.

use std::sync::Once;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command as ClapCommand};

use super::*;
use crate::cli::list::List;
use crate::cli::{Asked, Command, read};
use crate::error::Error;
use crate::families;
use crate::measure::{AnyGrid, Family};
use crate::testbench::Ran;

const NETWORK: Choice = Choice {
    option: "network",
    example: "ring",
};

/// A testbench that has names and options, and does nothing.
struct Stub {
    name: &'static str,
    models: &'static str,
    chosen_by: Option<Choice>,
    examples: &'static [&'static str],
    family: &'static StubFamily,
}

struct StubFamily {
    names: &'static [&'static str],
    chosen_by: Option<Choice>,
}

static ALONE: StubFamily = StubFamily {
    names: &["echo"],
    chosen_by: None,
};

static TOGETHER: StubFamily = StubFamily {
    names: &["echo", "mirror"],
    chosen_by: Some(NETWORK),
};

static STUBS: [Stub; 3] = [
    Stub {
        name: "echo",
        models: "says it again",
        chosen_by: None,
        examples: &["cubewave run echo --dims 3"],
        family: &ALONE,
    },
    Stub {
        name: "echo",
        models: "says it on any network",
        chosen_by: Some(NETWORK),
        examples: &[
            "cubewave run echo --network ring",
            "cubewave verilog echo --network ring",
        ],
        family: &TOGETHER,
    },
    Stub {
        name: "mirror",
        models: "turns it round",
        chosen_by: Some(NETWORK),
        examples: &["cubewave run mirror"],
        family: &TOGETHER,
    },
];

/// `--network` of those that are chosen by it, `--dims` of the other.
fn with_options(command: ClapCommand, chosen_by: Option<Choice>) -> ClapCommand {
    let option = chosen_by.map_or("dims", |choice| choice.option);
    command.arg(Arg::new(option).long(option))
}

impl Testbench for Stub {
    fn name(&self) -> &'static str {
        self.name
    }

    fn chosen_by(&self) -> Option<Choice> {
        self.chosen_by
    }

    fn models(&self) -> &'static str {
        self.models
    }

    fn source(&self) -> &'static str {
        "nowhere"
    }

    fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    fn run_arguments(&self, command: ClapCommand) -> ClapCommand {
        with_options(command, self.chosen_by)
    }

    fn run(&self, _: &ArgMatches) -> Result<Ran, Error> {
        Err(Error::Interrupted)
    }

    fn verilog_arguments(&self, command: ClapCommand) -> ClapCommand {
        with_options(command, self.chosen_by)
    }

    fn verilog(&self, _: &ArgMatches) -> Result<String, Error> {
        Ok(self.models.to_owned())
    }

    fn measured_as(&self) -> &'static dyn Family {
        self.family
    }
}

impl Family for StubFamily {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        let own = |name: &&'static str| (*name, "of a family");
        self.names.iter().map(own).collect()
    }

    fn chosen_by(&self) -> Option<Choice> {
        self.chosen_by
    }

    fn arguments(&self, command: ClapCommand, _: &[&str]) -> ClapCommand {
        with_options(command, self.chosen_by)
    }

    fn plot(&self) -> &'static str {
        "Nothing"
    }

    /// Says whose it is.
    fn grid(&self, _: &ArgMatches, names: &[&str]) -> Result<Box<dyn AnyGrid>, clap::Error> {
        let text = format!("{} of {}", names.join(" and "), self.names.len());
        Err(clap::Error::raw(ErrorKind::InvalidValue, text))
    }
}

/// Adds the stubs, once.
fn added() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| STUBS.iter().for_each(|stub| families::add(stub)));
}

/// What the testbench of a command line models; the refusal where none takes it, and help.
fn models(line: &str) -> Result<&'static str, String> {
    added();
    let asked = read(line.split(' ')).map_err(|error| error.to_string())?;
    let Asked::Command(cli) = asked else {
        return Err(format!("{line}: a command of a family"));
    };
    let bench = match cli.command {
        Some(Command::Run(run)) => run.bench(),
        Some(Command::Verilog(verilog)) => verilog.bench(),
        Some(Command::Measure(measure)) => {
            return Err(measure.execute().unwrap_err().to_string());
        }
        _ => panic!("{line}"),
    };
    bench
        .map(|(bench, _)| bench.models())
        .map_err(|error| error.to_string())
}

#[test]
fn an_option_picks_the_testbench_among_those_of_its_name() {
    for (line, expected) in [
        ("cubewave run echo", "says it again"),
        ("cubewave run echo --dims 3", "says it again"),
        ("cubewave run echo --network ring", "says it on any network"),
        ("cubewave run echo --network=ring", "says it on any network"),
        ("cubewave verilog echo", "says it again"),
        (
            "cubewave verilog echo --network ring",
            "says it on any network",
        ),
        ("cubewave run mirror", "turns it round"),
        ("cubewave run mirror --network ring", "turns it round"),
    ] {
        assert_eq!(models(line).as_deref(), Ok(expected), "{line}");
    }
    let refused = models("cubewave run echo --network ring --dims 3").unwrap_err();
    assert!(
        refused.contains("unexpected argument '--dims'"),
        "{refused}"
    );
    assert!(refused.contains("Usage: cubewave run echo"), "{refused}");
    assert_eq!(
        families::testbench("echo").unwrap().models(),
        "says it again"
    );
}

#[test]
fn all_of_a_name_are_listed_and_help_tells_of_the_others() {
    added();
    let listed = |name: Option<&str>| {
        let name = name.map(str::to_owned);
        List { name }.text().unwrap()
    };
    let list = listed(None);
    let of_all = "
of other crates
  echo                  says it again
  echo --network        says it on any network
  mirror                turns it round
";
    assert!(list.contains(of_all), "{list}");
    let of_name = "\
echo: says it again
nowhere

options, which cubewave run echo --help explains
  --dims

examples
  cubewave run echo --dims 3

echo --network ring: says it on any network
nowhere

options, which cubewave run echo --network ring --help explains
  --network

examples
  cubewave run echo --network ring
  cubewave verilog echo --network ring
";
    assert_eq!(listed(Some("echo")), of_name);

    for command in ["run", "verilog"] {
        let plain = models(&format!("cubewave {command} echo --help")).unwrap_err();
        let way = format!(
            "With --network it is another testbench: says it on any network.\n  \
             cubewave {command} echo --network ring --help\n"
        );
        assert!(plain.contains(&way) && plain.contains("--dims"), "{plain}");
        let chosen = models(&format!("cubewave {command} echo --network ring --help")).unwrap_err();
        let back = format!(
            "Without --network it is another testbench: says it again.\n  cubewave {command} echo --help\n"
        );
        assert!(
            chosen.contains(&back) && !chosen.contains("--dims"),
            "{chosen}"
        );
        let mirror = models(&format!("cubewave {command} mirror --help")).unwrap_err();
        assert!(!mirror.contains("another testbench"), "{mirror}");
        let all = models(&format!("cubewave {command} --help")).unwrap_err();
        let both = "says it again (also: --network)";
        assert!(all.contains(both), "{all}");
    }
}

#[test]
fn a_list_is_measured_as_the_family_that_has_all_and_one_name_as_the_options_say() {
    for (line, expected) in [
        ("cubewave measure echo", "echo of 1"),
        ("cubewave measure echo,echo --dims 3", "echo of 1"),
        ("cubewave measure echo --network ring", "echo of 2"),
        ("cubewave measure echo,echo --network=ring", "echo of 2"),
        ("cubewave measure mirror", "mirror of 2"),
        ("cubewave measure mirror,echo", "mirror and echo of 2"),
        (
            "cubewave measure echo,mirror --network ring",
            "echo and mirror of 2",
        ),
        (
            "cubewave measure echo,kuszmaul",
            "`echo,kuszmaul`: echo is measured alone, since",
        ),
        (
            "cubewave measure mirror,kuszmaul",
            "`mirror,kuszmaul`: mirror is measured with none but echo, mirror, since",
        ),
    ] {
        let refused = models(line).unwrap_err();
        assert!(refused.contains(expected), "{line}: {refused}");
    }
    let help = models("cubewave measure echo --help").unwrap_err();
    assert!(
        help.contains("cubewave measure echo --network ring --help"),
        "{help}"
    );
    let help = models("cubewave measure echo --network ring --help").unwrap_err();
    assert!(
        help.contains("Without --network") && !help.contains("--dims"),
        "{help}"
    );
    let help = models("cubewave measure mirror --help").unwrap_err();
    assert!(!help.contains("Without --network"), "{help}");
}

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn the_testbench_is_the_second_word_that_is_no_option() {
    let line = words("cubewave run echo --dims 4");
    let (command, name, rest) = subject(&line).unwrap();
    assert_eq!(
        (command, name, rest),
        ("run", "echo", &words("--dims 4")[..])
    );
    for line in ["cubewave", "cubewave run", "cubewave --help run -h"] {
        assert!(subject(&words(line)).is_none(), "{line}");
    }
}

#[test]
fn an_option_is_found_with_its_value_behind_it_or_in_it() {
    for (line, is_there) in [
        ("--dims 4 --network ring", true),
        ("--network=ring", true),
        ("--network", true),
        ("--networks ring", false),
        ("--net ring", false),
        ("--values network", false),
        ("--dims 4 -- --network ring", false),
    ] {
        assert_eq!(stands_in(&words(line), NETWORK), is_there, "{line}");
    }
}

#[test]
fn of_one_name_the_option_picks_and_without_it_the_one_that_needs_none() {
    let shape = Choice {
        option: "shape",
        ..NETWORK
    };
    let all = [Some(NETWORK), None, Some(shape)];
    let picked = |there: &[Choice]| pick(&all, |one| one, |choice| there.contains(&choice));
    assert_eq!(picked(&[]), Some(None));
    assert_eq!(picked(&[shape]), Some(Some(shape)));
    assert_eq!(picked(&[shape, NETWORK]), Some(Some(NETWORK)));
    assert_eq!(pick(&all[..1], |one| one, |_| false), Some(Some(NETWORK)));
    assert_eq!(pick(&all[..0], |one| one, |_| true), None);
}
