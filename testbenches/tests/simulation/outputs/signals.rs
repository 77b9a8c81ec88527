//! A signal ends a run wherever it is, with its own exit status, and nothing unfinished is left; nor is it of a run that was killed.

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::outputs::KUSZMAUL;
use crate::outputs::folder::{Folder, is_refused, text};

/// So long a run may take to come to where it is wanted, or to its end: far longer than it does.
const HANG: Duration = Duration::from_secs(60);

/// A waveform that takes minutes to write.
const LONG_WAVE: &str = "run kuszmaul --dims 12 --wave run.vcd --trace-nodes all";

fn begin(folder: &Folder, arguments: &str) -> Child {
    let mut command = folder.command(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < HANG, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, run: &Child) {
    let number = run.id().to_string();
    let sent = Command::new("kill").args([signal, &number]).status();
    assert!(sent.unwrap().success());
}

/// The run listens to signals: it says so to the system.
fn wait_for_ears(run: &Child) {
    let status = format!("/proc/{}/status", run.id());
    wait_until("it does not listen", || {
        let told = fs::read_to_string(&status).unwrap_or_default();
        let caught = told.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        caught.is_some_and(|mask| mask >> (15 - 1) & 1 == 1)
    });
}

/// Its exit status and what it said, once it has ended; not that it takes its time, which depends on what runs beside it.
fn end(mut run: Child, of: &str) -> (Option<i32>, String) {
    let mut status = None;
    wait_until(&format!("{of} does not end"), || {
        status = run.try_wait().unwrap();
        status.is_some()
    });
    let mut said = String::new();
    run.stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    let said = said.split_inclusive('\n');
    let said = said.filter(|line| !line.starts_with("note: "));
    (status.unwrap().code(), said.collect())
}

/// Off a terminal no bar shows that a run goes on.
#[test]
fn what_takes_its_time_says_what_is_under_way() {
    let folder = Folder::new();
    let mut run = begin(&folder, &format!("{KUSZMAUL} --traffic-file -"));
    let mut said = [0; 40];
    let stderr = run.stderr.as_mut().unwrap();
    stderr.read_exact(&mut said).unwrap();
    assert_eq!(text(&said), "note: this takes more than 8 s; under wa");
    send("-TERM", &run);
    let (status, said) = end(run, "a run that waits");
    assert_eq!(status, Some(128 + 15));
    assert_eq!(said, format!("y: drawing the traffic\n{NOTHING}"));
}

const NOTHING: &str = "error: interrupted: nothing was written\n";

/// Where no loop asks whether it is to go on: it waits for a file, builds tables, or writes.
#[test]
fn a_signal_ends_a_run_wherever_it_is() {
    let folder = Folder::new();
    let fifo = Command::new("mkfifo").arg(folder.path("fifo")).status();
    assert!(fifo.unwrap().success());
    let waits = [
        "run kuszmaul --traffic-file -",
        "run kuszmaul --traffic-file fifo",
        "run wormhole --traffic-file -",
        "run scatter --dims 3 --message-bits 8 --values -",
        "run kuszmaul --dims 3 --payload-bits 4 --deliveries fifo",
    ];
    // Each takes several times as long as it is left alone, on a fast machine too.
    let works = [
        "run broadcast --dims 1 --message-bits 500000",
        "run kuszmaul --dims 23",
        "run enumeration --dims 25",
        "plan kuszmaul --dims 22",
        "measure kuszmaul --dims 20 --seeds 100",
        LONG_WAVE,
    ];
    let at_once = waits.map(|arguments| (arguments, Duration::ZERO));
    let later = works.map(|arguments| (arguments, Duration::from_millis(500)));
    for (arguments, left_alone) in at_once.into_iter().chain(later) {
        let run = begin(&folder, arguments);
        wait_for_ears(&run);
        thread::sleep(left_alone);
        send("-INT", &run);
        let (status, said) = end(run, arguments);
        assert_eq!(status, Some(130), "{arguments}: {said}");
        assert!(said.ends_with(NOTHING), "{arguments}: {said}");
        assert_eq!(folder.files(), ["fifo"], "{arguments}");
    }
}

#[test]
fn each_signal_has_its_exit_status_and_nothing_unfinished_is_left() {
    let folder = Folder::new();
    for (signal, status) in [
        ("-HUP", 129),
        ("-INT", 130),
        ("-QUIT", 131),
        ("-USR1", 138),
        ("-USR2", 140),
        ("-ALRM", 142),
        ("-TERM", 143),
        ("-XCPU", 152),
    ] {
        let run = begin(&folder, LONG_WAVE);
        wait_until("no waveform is begun", || !folder.files().is_empty());
        send(signal, &run);
        let (ended, said) = end(run, signal);
        assert_eq!(ended, Some(status), "{signal}: {said}");
        assert!(said.ends_with(NOTHING), "{signal}: {said}");
        assert!(folder.files().is_empty(), "{signal}: {:?}", folder.files());
    }
}

/// As `nohup` has it.
#[test]
fn a_hangup_that_is_ignored_stays_so() {
    let folder = Folder::new();
    let run = Command::new("sh")
        .args([
            "-c",
            "trap '' HUP; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_cubewave"),
        ])
        .args("run kuszmaul --traffic-file -".split(' '))
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_ears(&run);
    send("-HUP", &run);
    thread::sleep(Duration::from_secs(2));
    send("-TERM", &run);
    let (status, said) = end(run, "it");
    assert_eq!(status, Some(143), "{said}");
}

/// Whoever is killed cannot tidy up: the next run that writes there does, and no other does while it runs.
#[test]
fn what_a_killed_run_has_left_goes_with_the_next() {
    let folder = Folder::new();
    let mut run = begin(&folder, LONG_WAVE);
    wait_until("no waveform is begun", || folder.files().len() == 4);
    let partials = [
        ".run.gtkw.partial",
        ".run.step.filter.partial",
        ".run.surfer.sucl.partial",
        ".run.vcd.partial",
    ];
    assert_eq!(folder.files(), partials);
    is_refused(
        &folder.run(&format!("{KUSZMAUL} --wave run.vcd")),
        "cannot write run.vcd: another run is writing it: wait until that is over, or give this one another name",
    );
    assert_eq!(folder.files(), partials, "they are not taken from it");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(folder.files(), partials);
    let next = folder.run(&format!("{KUSZMAUL} --wave run.vcd"));
    assert!(next.status.success(), "{}", text(&next.stderr));
    assert_eq!(
        folder.files(),
        ["run.gtkw", "run.step.filter", "run.surfer.sucl", "run.vcd"]
    );

    fs::create_dir(folder.path(".project.partial")).unwrap();
    fs::write(folder.path(".project.partial/tb.v"), "half").unwrap();
    let next = folder.run("verilog kuszmaul --dims 2 --out project");
    assert!(next.status.success(), "{}", text(&next.stderr));
    assert!(
        folder
            .files()
            .iter()
            .all(|name| !name.ends_with(".partial"))
    );
    assert!(folder.read("project/tb.v").len() > "half".len());
}

/// What is left, and how to go on.
#[test]
fn a_run_with_checkpoints_says_how_to_go_on() {
    let folder = Folder::new();
    let options = "run kuszmaul --dims 17 --payload-bits 16 --threads 1";
    let run = begin(
        &folder,
        &format!("{options} --checkpoint there --every 0.001"),
    );
    let there = folder.path("there/checkpoint.json");
    wait_until("there is no checkpoint", || there.exists());
    send("-TERM", &run);
    let (status, said) = end(run, options);
    assert_eq!(status, Some(143), "{said}");
    let has = "error: interrupted: the run as it was after bit time ";
    assert!(said.starts_with(has), "{said}");
    let how = " is in there, and the same command with --resume there goes on from there\n";
    assert!(said.ends_with(how), "{said}");
    let files = fs::read_dir(folder.path("there")).unwrap();
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".partial"), "{name}");
    }
    let resumed = folder.run(&format!("{options} --resume there"));
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));

    // Where no checkpoint has come yet, the folder that was made for them goes.
    let run = begin(&folder, &format!("{options} --checkpoint other"));
    wait_until("there is no folder", || folder.path("other").exists());
    send("-INT", &run);
    let (status, said) = end(run, options);
    let none = "error: interrupted: no checkpoint had been written yet: one is every 10 minutes, or as --every has it\n";
    assert_eq!((status, said.as_str()), (Some(130), none));
    assert!(!folder.path("other").exists());
}

/// A limit on files, and a disk that is full, are errors of the file.
#[test]
fn a_file_that_cannot_grow_is_an_error_that_names_it() {
    let folder = Folder::new();
    let limited = |limit: &str, arguments: &str| {
        let script = format!("ulimit {limit}; exec \"$0\" {arguments}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_cubewave")]);
        shell.current_dir(folder.path("")).output().unwrap()
    };
    for (limit, arguments, why) in [
        (
            "-f 8",
            "run kuszmaul --dims 6 --wave run.vcd",
            "run.vcd: File too large (os error 27)",
        ),
        (
            "-f 8",
            "run kuszmaul --dims 10 --deliveries out.csv",
            "out.csv: File too large (os error 27)",
        ),
        (
            "-f 8",
            "run kuszmaul --dims 5 --picture run.svg",
            "run.svg: File too large (os error 27)",
        ),
        (
            "-f 8",
            "verilog kuszmaul --dims 3 --out project",
            "project/",
        ),
    ] {
        let output = limited(limit, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains(&format!("error: cannot write {why}")),
            "{arguments}: {said}"
        );
        assert!(said.ends_with("File too large (os error 27)\n"), "{said}");
        assert!(folder.files().is_empty(), "{:?}", folder.files());
    }
    let output = limited("-n 5", "run kuszmaul --dims 3 --wave run.vcd");
    is_refused(
        &output,
        "a run has up to 16 files open at once, and so many are not allowed here: Too many open files (os error 24): allow more \
         (ulimit -n)",
    );
    for arguments in [
        "--help",
        "--version",
        "run --help",
        "run kuszmaul --help",
        "list",
        KUSZMAUL,
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains("No space left on device"),
            "{arguments}: {said}"
        );
    }
}
