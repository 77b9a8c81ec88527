//! Where a run has no room, is disturbed, or is not alone: each of its files is whole or absent, and its status says so.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::outputs::folder::{Folder, text};
use crate::outputs::works::{Whole, tree, undated};

const CUBEWAVE: &str = env!("CARGO_BIN_EXE_cubewave");

/// A shell in a folder, which has the words of a work behind `$0`.
fn shell(folder: &Folder, script: &str, words: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", script, CUBEWAVE]).args(words.split(' '));
    undated(&mut shell)
        .current_dir(folder.path(""))
        .output()
        .unwrap()
}

/// A shell with mounts of its own, as whoever may mount something there.
fn shell_with_mounts(folder: &Folder, script: &str, words: &str) -> Output {
    let script = format!("exec unshare --map-root-user --mount sh -c '{script}' \"$0\" \"$@\"");
    shell(folder, &script, words)
}

/// Whether this user may mount something; what then runs in its place is said.
fn may_mount(instead: &str) -> bool {
    let folder = Folder::new();
    fs::create_dir(folder.path("disk")).unwrap();
    let mounted = shell_with_mounts(&folder, "mount -t tmpfs none disk", "");
    if !mounted.status.success() {
        println!(
            "nothing can be mounted here, so {instead}: {}",
            text(&mounted.stderr)
        );
    }
    mounted.status.success()
}

/// Files that may have so many blocks of 512 bytes each.
fn with_short_files(blocks: impl Iterator<Item = usize> + Clone) {
    for whole in Whole::all() {
        for blocks in blocks.clone() {
            let folder = Folder::new();
            let output = shell(
                &folder,
                &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""),
                whole.words,
            );
            whole.is_kept(
                &folder.path(""),
                &output,
                &[2],
                &format!("with {blocks} blocks a file"),
            );
        }
    }
}

/// File systems of these sizes: KiB, and how many files and folders there may be.
fn on_small_disks(disks: impl Iterator<Item = (usize, usize)> + Clone) {
    if !may_mount("files are short, and no file system is small") {
        return;
    }
    let mut refused = 0;
    for whole in Whole::all() {
        for (size, files) in disks.clone() {
            let folder = Folder::new();
            fs::create_dir(folder.path("disk")).unwrap();
            let script = format!(
                "mount -t tmpfs -o size={size}k,nr_inodes={files} none disk || exit 99; \
                 (cd disk && exec \"$0\" \"$@\"); status=$?; cp -a disk kept; exit $status"
            );
            let output = shell_with_mounts(&folder, &script, whole.words);
            let how = format!("on a disk of {size} KiB and {files} files");
            whole.is_kept(&folder.path("kept"), &output, &[2], &how);
            refused += usize::from(!output.status.success());
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_disk_that_is_full_leaves_files_whole_or_absent() {
    with_short_files([0, 3].into_iter());
    on_small_disks([(4, 100), (20, 100), (4096, 3)].into_iter());
}

/// Whichever page, and whichever file or folder, is the one too many.
#[test]
#[ignore = "long: each size, and each number of files"]
fn a_disk_that_is_full_at_any_write_leaves_files_whole_or_absent() {
    with_short_files((0..40).chain((40..400).step_by(20)));
    on_small_disks((1..40).map(|pages| (4 * pages, 1000)));
    on_small_disks((1..25).map(|files| (4096, files)));
}

/// Batch systems set such limits.
fn with_little_memory(kibibytes: impl Iterator<Item = usize> + Clone) {
    for whole in Whole::all() {
        for kibibytes in kibibytes.clone() {
            let folder = Folder::new();
            let script = format!("ulimit -c 0; ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
            let output = shell(&folder, &script, whole.words);
            let how = format!("with {kibibytes} KiB of memory");
            whole.is_kept(&folder.path(""), &output, &[2], &how);
        }
    }
}

#[test]
fn little_memory_leaves_files_whole_or_absent() {
    with_little_memory([80_000].into_iter());
    // What keeps much of a waveform in memory says so before it begins.
    let folder = Folder::new();
    let script = "ulimit -c 0; ulimit -v 92000; exec \"$0\" \"$@\"";
    let words = "run kuszmaul --dims 9 --wave run.fst --trace-nodes all";
    let output = shell(&folder, script, words);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a trace of 512 nodes needs "), "{said}");
    assert!(folder.files().is_empty());
}

#[test]
#[ignore = "long: each limit"]
fn any_little_memory_leaves_files_whole_or_absent() {
    with_little_memory((76_000..200_000).step_by(4000));
}

fn begin(folder: &Folder, words: &str) -> Child {
    let mut command = folder.command(words);
    let command = undated(&mut command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Signals at moments that are drawn, from before a run listens until after its end.
fn with_signals(times: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for whole in Whole::all() {
        let begun = Instant::now();
        Whole::of(whole.words);
        let longest = begun.elapsed().as_micros() as u64 * 6 / 5;
        for number in 0..times {
            let (signal, status) = [("-INT", 130), ("-TERM", 143)][number % 2];
            let delay = Duration::from_micros(random.random_range(0..=longest));
            let folder = Folder::new();
            let run = begin(&folder, whole.words);
            thread::sleep(delay);
            // It may be over.
            _ = Command::new("kill")
                .args([signal, &run.id().to_string()])
                .stderr(Stdio::null())
                .status();
            let output = run.wait_with_output().unwrap();
            let how = format!("with {signal} after {delay:?}");
            whole.is_kept(&folder.path(""), &output, &[status], &how);
        }
    }
}

#[test]
fn a_signal_at_any_moment_leaves_files_whole_or_absent() {
    with_signals(3);
}

#[test]
#[ignore = "long: forty moments of each"]
fn a_signal_at_many_moments_leaves_files_whole_or_absent() {
    with_signals(40);
}

/// Whoever comes second is refused, or begins when the first is over.
#[test]
fn runs_into_one_folder_do_not_mix() {
    for whole in Whole::all() {
        let folder = Folder::new();
        let runs: Vec<Child> = (0..3).map(|_| begin(&folder, whole.words)).collect();
        let outputs: Vec<Output> = runs
            .into_iter()
            .map(|run| run.wait_with_output().unwrap())
            .collect();
        assert!(
            outputs.iter().any(|output| output.status.success()),
            "{}: {outputs:?}",
            whole.words
        );
        for output in outputs {
            whole.is_kept(&folder.path(""), &output, &[2], "beside others");
        }
    }
}

/// What is written when folders go is too long for one write.
const LARGE: &str = "run kuszmaul --dims 6 --wave out/run.vcd --trace-nodes all --threads 1";

/// A folder that is taken away, replaced by a file, or called otherwise while a run writes there.
#[test]
fn a_folder_that_vanishes_is_an_error() {
    type Disturb = fn(&Path);
    let disturb: [(&str, Disturb); 3] = [
        ("taken away", |out| fs::remove_dir_all(out).unwrap()),
        ("replaced by a file", |out| {
            fs::remove_dir_all(out).unwrap();
            fs::write(out, "mine").unwrap();
        }),
        ("called otherwise", |out| {
            fs::rename(out, out.with_file_name("other")).unwrap()
        }),
    ];
    for (how, disturb) in disturb {
        let folder = Folder::new();
        let out = folder.path("out");
        fs::create_dir(&out).unwrap();
        let run = begin(&folder, LARGE);
        let begun = Instant::now();
        while fs::read_dir(&out).unwrap().count() < 4 {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "nothing is begun"
            );
            thread::sleep(Duration::from_millis(1));
        }
        disturb(&out);
        let output = run.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{how}: {said}");
        assert!(
            said.contains("error: cannot write out/run"),
            "{how}: {said}"
        );
        // What it has begun in a folder that is elsewhere now it cannot find there.
        let left = tree(&folder.path(""));
        let is_begun = |name: &String| name.starts_with("other/.") && name.ends_with(".partial");
        assert!(
            left.keys().all(|name| name == "out" || is_begun(name)),
            "{how}: {left:?}"
        );
    }
}

/// Whatever a reader has taken before it goes.
#[test]
fn a_reader_that_goes_at_any_moment_is_no_error() {
    let folder = Folder::new();
    for words in [
        "run kuszmaul --dims 11 --deliveries -",
        "run kuszmaul --dims 3 --picture -",
        "measure kuszmaul --dims 2..=4 --format csv",
        "measure kuszmaul --dims 2..=4 --plot -",
        "run kuszmaul --dims 3 --format json",
        "list",
        "schema",
        "completions bash",
        "run kuszmaul --help",
    ] {
        for taken in [0, 1, 5000] {
            let mut run = begin(&folder, words);
            let mut begin = vec![0; taken];
            let mut printed = run.stdout.take().unwrap();
            _ = printed.read_exact(&mut begin);
            drop(printed);
            let output = run.wait_with_output().unwrap();
            let said = text(&output.stderr);
            assert!(output.status.success(), "{words}, {taken} taken: {said}");
            assert!(!said.contains("error"), "{words}, {taken} taken: {said}");
            assert!(folder.files().is_empty());
        }
    }
}

/// Nobody can tell there how much memory there is.
#[test]
fn a_system_without_its_files_is_no_error() {
    if !may_mount("there are the files of the system") {
        return;
    }
    for whole in Whole::all() {
        let folder = Folder::new();
        let output = shell_with_mounts(
            &folder,
            "mount -t tmpfs none /proc; exec \"$0\" \"$@\"",
            whole.words,
        );
        assert!(
            output.status.success(),
            "{}: {}",
            whole.words,
            text(&output.stderr)
        );
        whole.is_kept(&folder.path(""), &output, &[], "without /proc");
    }
}

/// Whichever thread is the one too many.
#[test]
fn threads_that_the_system_refuses_are_an_error() {
    // A user who has no other process; whom only the system's keeper can be.
    let as_nobody = |folder: &Folder, script: &str, words: &str| {
        let own = fs::set_permissions(folder.path(""), fs::Permissions::from_mode(0o777));
        own.unwrap();
        let user = "exec setpriv --reuid 61234 --clear-groups --inh-caps=-all";
        shell(
            folder,
            &format!("{user} sh -c '{script}' \"$0\" \"$@\""),
            words,
        )
    };
    if !as_nobody(&Folder::new(), "exec \"$0\" \"$@\"", "list")
        .status
        .success()
    {
        println!("this user cannot be another, so no thread is refused");
        return;
    }
    let mut refused = 0;
    for whole in Whole::all().take(3) {
        for threads in 1..8 {
            let folder = Folder::new();
            let script = format!("exec prlimit --nproc={threads} \"$0\" \"$@\"");
            let output = as_nobody(&folder, &script, whole.words);
            let how = format!("with {threads} threads");
            whole.is_kept(&folder.path(""), &output, &[2], &how);
            refused += usize::from(!output.status.success());
        }
    }
    assert!(refused > 0);
}
