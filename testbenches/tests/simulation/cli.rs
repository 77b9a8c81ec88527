//! The command line, as people and scripts meet it. What it prints is in `cmd/*.trycmd`.

use std::path::Path;
use std::process::{Command, Output};

#[test]
fn what_the_command_line_prints() {
    trycmd::TestCases::new().case("testbenches/tests/cmd/*.trycmd");
}

fn cubewave(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_main_job_writes_its_wave_and_the_view_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = cubewave(folder.path(), &[]);
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("48 of 48 messages with 8 payload bits"));
    assert_eq!(
        files(folder.path()),
        [
            "kuszmaul.gtkw",
            "kuszmaul.step.filter",
            "kuszmaul.surfer.sucl",
            "kuszmaul.vcd"
        ]
    );
}

/// What a node ends up with can be broadcast again.
#[test]
fn results_of_a_broadcast_are_values_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    std::fs::write(folder.path().join("mine.csv"), "node,value\n5,2fa\n").unwrap();
    let arguments = "run broadcast --dims 3 --algorithm sbt --ports all --source 5 --values mine.csv --packet-bits 5 \
                     --start-up 2 --results all.csv --deliveries arrived.csv";
    let run = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        cubewave(folder.path(), &arguments)
    };
    assert!(run(arguments).status.success());
    let rows: Vec<String> = (0..8).map(|node| format!("{node},2fa\n")).collect();
    assert_eq!(file("all.csv"), format!("node,value\n{}", rows.concat()));
    // Three packets of five bits: a node at distance d has the last one after d + 2 steps of 7 bit times.
    let arrived = (0..8usize).filter(|node| *node != 5).map(|node| {
        let distance = (node ^ 5).count_ones();
        format!("{node},5,2fa,{}\n", 7 * (distance + 2))
    });
    let header = "node,source,payload,bit_time\n".to_owned();
    assert_eq!(file("arrived.csv"), header + &arrived.collect::<String>());

    // Printed, with the report on the other stream; both at once are refused.
    let output = run(&arguments.replace("all.csv", "-"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), file("all.csv"));
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.starts_with("broadcast: "), "{report}");
    let output = run(&arguments
        .replace("all.csv", "-")
        .replace("arrived.csv", "-"));
    assert_eq!(output.status.code(), Some(2));
    let refusal = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        refusal,
        "error: - cannot be both the deliveries and the results\n"
    );
}

#[test]
fn deliveries_are_a_row_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let routing = "source,destination,payload\n0,5,2f\n3,0,1\n6,6,\n";
    std::fs::write(folder.path().join("mine.csv"), routing).unwrap();
    let arguments = "run kuszmaul --dims 3 --payload-bits 6 --traffic-file mine.csv \
                     --deliveries arrived.csv";
    let output = cubewave(
        folder.path(),
        &arguments.split_whitespace().collect::<Vec<_>>(),
    );
    assert!(output.status.success());
    let arrived = std::fs::read_to_string(folder.path().join("arrived.csv")).unwrap();
    let rows: Vec<&str> = arrived.lines().collect();
    assert_eq!(rows[0], "node,source,payload,bit_time");
    assert_eq!(rows[1], "0,3,01,77");
    assert_eq!(rows[2], "5,0,2f,77");
    assert!(rows[3].starts_with("6,6,") && rows[3].ends_with(",77"));
    assert_eq!(rows.len(), 4);
    assert_eq!(files(folder.path()), ["arrived.csv", "mine.csv"]);
}

#[test]
fn what_is_refused_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        "run kuszmaul --dims 35 --wave run.vcd --deliveries arrived.csv",
        "run kuszmaul --wave run.vcd --deliveries no/such/folder/arrived.csv",
        "run kuszmaul --wave run.vcd --traffic-file missing.csv",
        "run kuszmaul --wave run.vcd --trace-nodes 64",
        "run packing --traffic bitrev --wave run.vcd",
        "run bitonic --schedule sort --load 0.75 --wave run.vcd",
        "run radix --schedule sort --load 0.99 --deliveries arrived.csv",
        "run enumeration --load 2 --wave run.vcd",
        "run kuszmaul --wave run.vcd --deliveries run.gtkw",
        "run kuszmaul --wave run.vcd --deliveries ./run.vcd",
        "verilog kuszmaul --dims 11 --out project",
        "verilog kuszmaul --dims 3 --rounds 0 --out project",
        "verilog packing --dims 3 --rounds 65 --out project",
        "verilog wormhole --dims 2 --rounds 0 --out project",
        "verilog wormhole --dims 2 --message-bits 65000 --rounds 64 --out project",
        "verilog kuszmaul --dims 4 --payload-bits 5000 --out project",
        "verilog kuszmaul --dims 4 --traffic-file missing.csv --out project",
        "verilog packing --dims 4 --traffic bitrev --out project",
        "verilog enumeration --dims 4 --load 2 --out project",
        "verilog kuszmaul --dims 4 --out no/such/project",
    ] {
        let output = cubewave(
            folder.path(),
            &arguments.split_whitespace().collect::<Vec<_>>(),
        );
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let refusal = String::from_utf8(output.stderr).unwrap();
        assert!(refusal.starts_with("error: "), "{arguments}: {refusal}");
        assert!(files(folder.path()).is_empty(), "{arguments}");
    }
}

/// What a testbench says of names that its options take is what it takes: where none of them is given, it lists them.
#[test]
fn names_that_options_take_are_those_that_are_listed_in_refusals() {
    use clap::Command as ClapCommand;
    use testbenches::families;
    let folder = tempfile::tempdir().unwrap();
    let mut held = 0;
    for bench in families::testbenches() {
        let choices = bench.named_choices();
        let taken = bench.run_arguments(ClapCommand::new("run"));
        for option in ["schedule", "network", "algorithm", "guest", "over"] {
            let is_taken = taken
                .get_arguments()
                .any(|one| one.get_long() == Some(option));
            let is_told = choices.iter().any(|(one, _)| *one == option);
            assert_eq!(is_taken, is_told, "{} --{option}", bench.name);
        }
        for (option, names) in choices {
            let chosen = bench.chosen_by.filter(|choice| choice.option != option);
            let chosen = chosen.map_or(String::new(), |choice| choice.words());
            // Networks that are routed in one way only take no routing.
            let network = match option {
                "routing" => "--network hypercube",
                _ => "",
            };
            let line = format!("run {} {chosen} {network} --{option} nonsense", bench.name);
            let words: Vec<&str> = line.split_whitespace().collect();
            let said = String::from_utf8(cubewave(folder.path(), &words).stderr).unwrap();
            let lists = ["there are: ", "[possible values: "];
            let list = lists
                .iter()
                .find_map(|begin| said.split_once(begin))
                .unwrap()
                .1;
            let list = list.lines().next().unwrap().trim_end_matches(']');
            assert_eq!(list, names.join(", "), "{line}");
            held += 1;
        }
    }
    assert!(held > 20, "{held}");
}

/// The carries of 3 + 5: its bits, from the lowest in node 0, generate a carry, propagate one, propagate one, and do neither.
#[test]
fn of_a_pair_of_carry_the_low_bit_generates_and_the_high_one_propagates() {
    let folder = tempfile::tempdir().unwrap();
    let bits = "node,value\n0,1\n1,2\n2,2\n3,0\n";
    std::fs::write(folder.path().join("bits.csv"), bits).unwrap();
    let line = "run prefix --network hypercube --dims 2 --word-bits 2 --operator carry --values bits.csv --results -";
    let output = cubewave(folder.path(), &line.split(' ').collect::<Vec<_>>());
    let carries = String::from_utf8(output.stdout).unwrap();
    assert_eq!(carries, "node,value\n0,1\n1,1\n2,1\n3,0\n");
}

/// Standard error is a socket here that keeps writes apart. What ranks say at once would be mixed between two of them.
#[cfg(unix)]
#[test]
fn what_is_said_on_standard_error_is_written_at_once() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixDatagram;
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        ("run kuszmaul --dims 35", &["error: "][..]),
        ("run kuszmaul --dims six", &["error: "]),
        ("run kuzmaul", &["error: "]),
        ("run wormhole --virtual-channels 1", &["note: the channel"]),
        (
            "measure wormhole --network ccc,copies --dims 2,3,5,6 --load 0.1 --message-bits 4",
            &["note: left out"],
        ),
        (
            "view kuszmaul.vcd --viewer none --nonsense",
            &["error: unexpected"],
        ),
        // The report, beside what is asked for.
        ("run kuszmaul --dims 2 --deliveries -", &["kuszmaul"]),
    ] {
        let (here, there) = UnixDatagram::pair().unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(std::process::Stdio::null())
            .stderr(OwnedFd::from(there))
            .status();
        assert!(status.unwrap().code().is_some(), "{arguments}");
        here.set_nonblocking(true).unwrap();
        let mut text = vec![0; 1 << 16];
        let writes = std::iter::from_fn(|| {
            // No more are under way: who wrote has ended.
            let length = here.recv(&mut text).ok().filter(|length| *length > 0)?;
            Some(String::from_utf8(text[..length].to_vec()).unwrap())
        });
        let writes: Vec<String> = writes.collect();
        assert_eq!(writes.len(), expected.len(), "{arguments}: {writes:?}");
        for (said, begin) in writes.iter().zip(expected) {
            assert!(said.starts_with(begin), "{arguments}: {said}");
            assert!(said.ends_with('\n'), "{arguments}: {said}");
        }
    }
}

/// What is no text is an argument that nobody knows, and no reason to panic.
#[cfg(unix)]
#[test]
fn arguments_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"--\xff");
    for arguments in [
        &[strange][..],
        &[OsStr::new("run"), OsStr::new("kuszmaul"), strange],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

/// Ctrl-C in the middle of a long run.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::time::Duration;
    let folder = tempfile::tempdir().unwrap();
    let arguments = "run kuszmaul --dims 10 --payload-bits 30000 --wave run.vcd --deliveries a.csv";
    let mut run = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while files(folder.path()).len() < 4 {
        assert!(
            run.try_wait().unwrap().is_none(),
            "the run is too short for this"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .args(["-INT", &run.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    // So long a run is not searched for messages unasked, and a note says so.
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("note: finding out where messages are would take")
            && said.ends_with("\nerror: interrupted: nothing was written\n")
            && said.lines().count() == 2,
        "{said}"
    );
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_report_that_cannot_be_printed_is_an_error() {
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        // So is help that cannot.
        for argument in ["list", "--help"] {
            let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
                .arg(argument)
                .stdout(full.try_clone().unwrap())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(2));
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(
                said.starts_with("error: cannot print the report: "),
                "{said}"
            );
        }
    }
}

/// A stream that is closed is as one that goes nowhere, or has nothing.
#[cfg(unix)]
#[test]
fn streams_may_be_closed() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, status) in [
        ("list >&-", 0),
        ("--help >&-", 0),
        ("run kuszmaul --dims 2 --deliveries - >&-", 0),
        ("run kuszmaul --dims 2 >&- 2>&- <&-", 0),
        ("run kuszmaul --dims 35 2>&-", 2),
        ("run kuszmaul --traffic-file - <&-", 2),
    ] {
        let line = format!("exec {} {arguments}", env!("CARGO_BIN_EXE_cubewave"));
        let mut shell = Command::new("sh");
        let output = shell
            .args(["-c", &line])
            .current_dir(folder.path())
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }
}

/// The largest machine with the longest messages takes thousands of gibibytes: refused before any of
/// it is allocated, with what it needs and what there is.
#[test]
fn a_run_that_would_not_fit_is_refused_with_both_figures() {
    let folder = tempfile::tempdir().unwrap();
    let output = cubewave(
        folder.path(),
        &["run", "kuszmaul", "--dims", "28", "--payload-bits", "65536"],
    );
    assert_eq!(output.status.code(), Some(2));
    let refusal = String::from_utf8(output.stderr).unwrap();
    let figures: Vec<f64> = refusal
        .split_whitespace()
        .zip(refusal.split_whitespace().skip(1))
        .filter(|(_, unit)| *unit == "GiB")
        .map(|(figure, _)| figure.parse().unwrap())
        .collect();
    assert_eq!(figures.len(), 2, "{refusal}");
    assert!(figures[0] > 4000.0 && figures[0] > figures[1], "{refusal}");
    assert!(
        refusal.contains("a run of 268435456 nodes needs"),
        "{refusal}"
    );
}

/// Small cubes with long messages, where the sequencer is most of the work.
#[test]
fn hours_of_work_are_refused_until_somebody_says_yes() {
    are_refused(&[(
        "measure kuszmaul --dims 2 --payload-bits 65536 --schedule folded --seeds 50000",
        50_000,
    )]);
}

#[test]
/// Many large cubes; more threads than there are processors, which do not help; worms.
#[ignore = "long: points of millions of nodes are tried first"]
fn hours_of_large_points_are_refused_until_somebody_says_yes() {
    are_refused(&[
        ("measure kuszmaul --dims 18,20 --seeds 40000", 80_000),
        (
            "measure kuszmaul --dims 20 --seeds 40000 --threads 256",
            40_000,
        ),
        (
            "measure wormhole --dims 11 --network copies,hypercube --message-bits 1000 --seeds 40000",
            80_000,
        ),
    ]);
}

fn are_refused(sweeps: &[(&str, usize)]) {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, points) in sweeps {
        let output = cubewave(
            folder.path(),
            &arguments.split_whitespace().collect::<Vec<_>>(),
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        // On a slow machine it is said before that it takes its time.
        let said = said.lines().filter(|line| !line.starts_with("note: "));
        let said: String = said.collect();
        let begin = format!("error: this sweep of {points} points would take about ");
        assert!(said.starts_with(&begin), "{arguments}: {said}");
        assert!(said.contains("give --yes to run it all the same"), "{said}");
        assert!(output.stdout.is_empty());
    }
}

/// Saturated points are hollow, and only in plots of continuous injection are there any.
#[test]
fn plots_of_wormhole_routers_show_every_series() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |arguments: &str| {
        let arguments = format!("measure wormhole {arguments} --plot drawn.svg");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let output = cubewave(folder.path(), &arguments);
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.ends_with("written\n  plot  drawn.svg\n"), "{told}");
        std::fs::read_to_string(folder.path().join("drawn.svg")).unwrap()
    };
    let circles = |svg: &str, fill: bool| {
        let is_filled = |circle: &&str| !circle.contains("fill=\"none\"");
        let circles = svg.lines().filter(|line| line.starts_with("<circle"));
        circles.filter(|circle| is_filled(circle) == fill).count()
    };
    // The first series has circles: one in each legend, and one a point in both panels.
    let svg = draw("--dims 2 --network ccc,hypercube --message-bits 16 --offered-load 0.1,0.3,0.5");
    for name in ["ccc, V = 3", "hypercube, V = 1"] {
        assert_eq!(
            svg.lines().filter(|line| *line == name).count(),
            2,
            "{name}"
        );
    }
    // One point is stable, one undecided, which is a dot in a ring, and one saturated.
    assert_eq!(
        (circles(&svg, true), circles(&svg, false)),
        (2 + 2 * 2, 2 * 2)
    );
    // There are no butterflies in so few dimensions; the others differ in their channels.
    let svg = draw("--dims 3 --radix 3 --network all --message-bits 16,64,256");
    for name in [
        "ccc, V = 3",
        "copies 2, V = 3",
        "hypercube, V = 1",
        "torus, V = 1",
        "mesh, V = 1",
    ] {
        assert_eq!(
            svg.lines().filter(|line| *line == name).count(),
            1,
            "{name}"
        );
    }
    // Of five series the first and the fifth.
    assert_eq!(
        (circles(&svg, true), circles(&svg, false)),
        (2 * (1 + 3), 0)
    );
}

#[test]
fn rows_are_the_same_however_many_points_run_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |threads: &str| {
        let arguments = "measure kuszmaul --dims 1..=9 --schedule all --load 0.5,1 --format csv --no-date --threads";
        let mut arguments: Vec<&str> = arguments.split_whitespace().collect();
        arguments.push(threads);
        let output = cubewave(folder.path(), &arguments);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let alone = rows("1");
    assert_eq!(alone.len(), 1 + 9 * 5 * 2);
    assert_eq!(alone, rows("5"));
}

/// A command that may have so much memory.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, kibibytes: usize, command: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_cubewave");
    let words = format!("ulimit -c 0; ulimit -v {kibibytes}; exec {program} {command}");
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", &words]).current_dir(folder);
    shell.output().unwrap()
}

/// Where there is hardly any memory, everything is refused; nothing aborts for want of a thread.
#[cfg(target_os = "linux")]
#[test]
fn what_can_hardly_begin_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut refused = 0;
    let mut without_room = None;
    for kibibytes in (30_000..=100_000)
        .step_by(2_000)
        .chain((110_000..=200_000).step_by(10_000))
    {
        for command in [
            "list",
            "run kuszmaul --dims 4",
            "measure kuszmaul --dims 2..=4 --threads 6",
        ] {
            let output = limited(folder.path(), kibibytes, command);
            let said = String::from_utf8_lossy(&output.stderr);
            let what = format!(
                "{command} with {kibibytes} KiB: {:?}, {said}",
                output.status
            );
            // Where libraries have no room, the system says so before the program begins; where they just have it, the runtime
            // has none for itself, before `main`.
            if output.status.code().is_none_or(|status| status == 127) {
                if said.contains("memory allocation") {
                    assert_eq!(*without_room.get_or_insert(kibibytes), kibibytes, "{what}");
                }
                assert_eq!(refused, 0, "{what}");
                continue;
            }
            assert!(matches!(output.status.code(), Some(0 | 2)), "{what}");
            let is_refused = output.status.code() == Some(2);
            assert_eq!(said.contains("error: "), is_refused, "{what}");
            refused += usize::from(is_refused);
        }
    }
    assert!(refused > 0);
}

/// Batch systems set such limits. Each machine is run, or refused before it begins: around the limit as well.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_is_kept_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut refused = 0;
    let mut outcomes = Vec::new();
    for kibibytes in [120_000, 300_000, 600_000] {
        for dims in [3, 12, 16, 17, 18, 20, 24] {
            let words = format!("run kuszmaul --dims {dims} --format json");
            let output = limited(folder.path(), kibibytes, &words);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let status = output.status.code();
            assert!(matches!(status, Some(0 | 2)), "{words}: {output:?}");
            outcomes.push((kibibytes, dims, status));
            if status == Some(2) {
                refused += 1;
                let figures = [
                    "needs ",
                    " of memory",
                    "this machine has ",
                    " that `ulimit -v` allows",
                ];
                assert!(
                    figures.iter().all(|part| said.contains(part)),
                    "{words}: {said}"
                );
            }
        }
    }
    // A small machine runs, and a large one does not.
    let of = |kibibytes, dims| outcomes.contains(&(kibibytes, dims, Some(0)));
    assert!(
        of(300_000, 3) && of(600_000, 12) && !of(300_000, 24),
        "{outcomes:?}"
    );
    assert!(refused < outcomes.len());
}

/// A list of sends is kept to be read again: its lines are few here, and its bytes are not.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_does_not_fit_is_refused_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (1..=40_000).map(|step| format!("{step},0,1,{:1000}0\n", ""));
    let list = "step,from,to,packet\n".to_owned() + &rows.collect::<String>();
    std::fs::write(folder.path().join("sends.csv"), list).unwrap();
    let command = "run broadcast --dims 2 --sends sends.csv";
    let output = limited(folder.path(), 120_000, command);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let expected = "error: cannot read sends.csv: it goes on after ";
    assert!(
        said.starts_with(expected) && said.ends_with(" bytes, and more do not fit\n"),
        "{said}"
    );
}

/// A number below 0 is for the option before it, whether it stands alone or begins a list; so it is the option that refuses it.
#[test]
fn what_is_no_number_is_refused_by_its_option() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, refusal) in [
        (
            "run kuszmaul --dims -1",
            "a whole number is wanted, 0 or more",
        ),
        (
            "run kuszmaul --dims +1",
            "a whole number is wanted, 0 or more",
        ),
        (
            "run kuszmaul --dims 99999999999999999999",
            "it is too large: 18446744073709551615 is the largest",
        ),
        (
            "run kuszmaul --wave a.vcd --trace-nodes -1",
            "--trace-nodes: `-1` is not a node number",
        ),
        (
            "run kuszmaul --wave a.vcd --trace-nodes -1,2",
            "--trace-nodes: `-1` is not a node number",
        ),
        (
            "run kuszmaul --wave a.vcd --trace-nodes 99999999999999999999",
            "--trace-nodes: node 99999999999999999999 is out of range: the cube has nodes 0 to 63",
        ),
        (
            "run kuszmaul --wave a.vcd --trace-message -3",
            "--trace-message: there is no message `-3`",
        ),
        (
            "measure kuszmaul --dims -1..3",
            "--dims: `-1..3` is neither a whole number nor a range",
        ),
        ("measure kuszmaul --load -0.5,1", "load"),
        (
            "measure kuszmaul --dims 2,99999999999999999999",
            "--dims: 99999999999999999999 is too large: 18446744073709551615 is the largest number",
        ),
        (
            "plan kuszmaul --dims 20 --machines 99999999999",
            "--machines: 99999999999 is out of range: choose 1 to 268435456, a power of two",
        ),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = cubewave(folder.path(), &words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.contains(refusal), "{arguments}: {said}");
        assert!(!said.contains("unexpected argument"), "{arguments}: {said}");
    }
    let output = cubewave(
        folder.path(),
        &["measure", "kuszmaul", "--dims", "2..6:2", "--format", "csv"],
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().lines().count(),
        1 + 3
    );
}
