//! Several testbenches of one name: `echo`, and `echo` and `mirror` with `--network`.

use std::sync::Once;

use super::*;
use crate::cli::list::List;
use crate::cli::{Asked, Command, read};
use crate::error::refusal::not_by;
use crate::families;
use crate::measure::sweep::{BASE, Sweep};
use crate::measure::timing::{Timing, words as of_words};
use crate::options::FormatArgument;
use crate::testbench::bench::Project;
use crate::testbench::parameter::{Axis, Parameter};
use crate::verilog::FirstRound;

const NETWORK: Choice = Choice {
    option: "network",
    example: "ring",
};

/// `--network` of those that are chosen by it, `--dims` of the other.
static RING: Parameter = Parameter::text(("network", "--network"), "NAME", "The network")
    .axis(Axis::new("Networks", ""));
static DIMS: Parameter =
    Parameter::whole(("dims", "--dims"), "K", "Dimensions").axis(Axis::new("Dimensions", ""));

/// A testbench that has names and options, and refuses to do anything: it says what it models.
const fn stub(
    (name, models): (&'static str, &'static str),
    chosen_by: Option<Choice>,
    examples: &'static [&'static str],
    sweep: &'static Sweep,
) -> Testbench {
    Testbench {
        name,
        chosen_by,
        models,
        source: "nowhere",
        choices: |_| Vec::new(),
        names: &[],
        examples,
        schedules: &[],
        parameters: sweep.axes,
        readings: &[],
        entries: &[],
        offers: &[],
        job: |chosen| Err(not_by("stub", chosen.bench().models)),
        timing: Timing {
            size: of_words,
            most_seconds: 0.0,
            most_seconds_ticking: 0.0,
            samples: |chosen, _| [chosen.clone(), chosen.clone()],
        },
        sweep,
        project: Project::of("network", FirstRound::TRAFFIC),
        looked_at: |_| "",
    }
}

const fn family(chosen_by: Option<Choice>, axes: &'static [&'static Parameter]) -> Sweep {
    Sweep {
        chosen_by,
        axes,
        plot: "Nothing",
        ..BASE
    }
}

static ALONE: Sweep = family(None, &[&DIMS]);
static TOGETHER: Sweep = family(Some(NETWORK), &[&RING]);

static STUBS: [Testbench; 3] = [
    stub(
        ("echo", "says it again"),
        None,
        &["cubewave run echo --dims 3"],
        &ALONE,
    ),
    stub(
        ("echo", "says it on any network"),
        Some(NETWORK),
        &[
            "cubewave run echo --network ring",
            "cubewave verilog echo --network ring --out d",
        ],
        &TOGETHER,
    ),
    stub(
        ("mirror", "turns it round"),
        Some(NETWORK),
        &["cubewave run mirror"],
        &TOGETHER,
    ),
];

/// Adds the stubs, once.
fn added() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| STUBS.iter().for_each(families::add));
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
        .map(|(bench, _)| bench.models)
        .map_err(|error| error.to_string())
}

#[test]
fn an_option_picks_the_testbench_among_those_of_its_name() {
    for (line, expected) in [
        ("cubewave run echo", "says it again"),
        ("cubewave run echo --dims 3", "says it again"),
        ("cubewave run echo --network ring", "says it on any network"),
        ("cubewave run echo --network=ring", "says it on any network"),
        ("cubewave verilog echo --out d", "says it again"),
        (
            "cubewave verilog echo --network ring --out d",
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
    assert_eq!(families::testbench("echo").unwrap().models, "says it again");
}

#[test]
fn all_of_a_name_are_listed_and_help_tells_of_the_others() {
    added();
    let listed = |name: Option<&str>| {
        let name = name.map(str::to_owned);
        List {
            name,
            format: FormatArgument::default(),
        }
        .text()
        .unwrap()
    };
    let list = listed(None);
    let of_all = "
of other crates
  echo, echo --network, mirror
";
    assert!(list.contains(of_all), "{list}");
    let of_name = "\
echo: says it again
nowhere

options, which cubewave run echo --help explains
  --dims, --threads, --wave, --trace-nodes, --picture
  --coverage, --trace-from, --trace-to, --junit, --format
  --no-date

examples
  cubewave run echo --dims 3

echo --network ring: says it on any network
nowhere

options, which cubewave run echo --network ring --help explains
  --network, --threads, --wave, --trace-nodes, --picture
  --coverage, --trace-from, --trace-to, --junit, --format
  --no-date

examples
  cubewave run echo --network ring
  cubewave verilog echo --network ring --out d
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
        ("cubewave measure echo", "stub: says it again"),
        ("cubewave measure echo,echo --dims 3", "stub: says it again"),
        (
            "cubewave measure echo --network ring",
            "stub: says it on any network",
        ),
        (
            "cubewave measure echo,echo --network=ring",
            "stub: says it on any network",
        ),
        ("cubewave measure mirror", "stub: turns it round"),
        ("cubewave measure mirror,echo", "stub: turns it round"),
        (
            "cubewave measure echo,mirror --network ring",
            "stub: says it on any network",
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
        help.contains("Without --network") && !help.contains("--dims <"),
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
