//! `cubewave serve`: answers pages of runs to browsers on this machine and to nobody else, and writes nothing.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::served::Served;

impl Served {
    fn sent(&self, head: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// The status and the body that a request is answered with, at this server's address.
    fn asked(&self, target: &str) -> (u16, String) {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        self.answered(&format!(
            "GET {target} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        ))
    }

    fn answered(&self, head: &str) -> (u16, String) {
        let mut answer = String::new();
        // What is refused in the middle may be cut off.
        _ = self.sent(head).read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        let status = head
            .split(' ')
            .nth(1)
            .map_or(0, |status| status.parse().unwrap());
        (status, body.to_owned())
    }
}

fn printed(arguments: &str, folder: &Path) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "0")
        .output()
        .unwrap();
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn the_page_of_a_run_is_that_of_its_command() {
    let served = Served::begun();
    for (query, arguments) in [
        ("bench=scatter", "run scatter --picture -"),
        (
            "bench=kuszmaul&dims=3&seed=7&trace_message=2-%3E7",
            "run kuszmaul --dims 3 --seed 7 --trace-message 2->7 --picture -",
        ),
        // A deadlock has a page too.
        (
            "bench=wormhole&virtual_channels=1",
            "run wormhole --dims 4 --virtual-channels 1 --picture -",
        ),
    ] {
        let (status, page) = served.asked(&format!("/run?{query}"));
        assert_eq!(status, 200, "{query}");
        assert_eq!(page, printed(arguments, served.folder.path()), "{query}");
        let command = page.split_once("<code>cubewave run ").unwrap().1;
        let command = command.split_once("</code>").unwrap().0;
        assert!(!command.contains("--picture"), "{command}");
    }
    assert!(served.has_written_nothing());
}

#[test]
fn what_is_refused_says_why() {
    let served = Served::begun();
    for (target, status, why) in [
        (
            "/run?bench=kuszmaul&dims=99",
            422,
            "a hypercube of 99 dimensions is out of range",
        ),
        (
            "/run?bench=kuszmaul&dims=20",
            422,
            "machines of up to 16384 nodes are drawn",
        ),
        (
            "/run?bench=kuszmaul&traffic_file=/etc/passwd",
            422,
            "a page cannot ask",
        ),
        (
            "/run?bench=kuszmaul&trace_message=0-%3E0-%3E0",
            422,
            "--trace-message",
        ),
        ("/controls?bench=no-such", 422, "there is no testbench"),
        ("/etc/passwd", 404, ""),
    ] {
        let (answered, body) = served.asked(target);
        assert_eq!(answered, status, "{target}");
        assert!(body.contains(why), "{target}: {body}");
    }
    assert!(served.has_written_nothing());
}

/// Each header that the guard reads reaches it.
#[test]
fn others_are_not_answered() {
    let served = Served::begun();
    let host = format!("Host: localhost:{}\r\n", served.port);
    for (line, headers, status) in [
        ("GET / HTTP/1.1", host.clone(), 200),
        (
            "GET / HTTP/1.1",
            "Host: rebound.example\r\n".to_owned(),
            421,
        ),
        (
            "GET /run HTTP/1.1",
            format!("{host}Origin: http://other.example\r\n"),
            403,
        ),
        (
            "GET /run HTTP/1.1",
            format!("{host}Sec-Fetch-Site: cross-site\r\n"),
            403,
        ),
        ("POST /run HTTP/1.1", host.clone(), 405),
        (
            "GET / HTTP/1.1",
            format!("{host}X: {}\r\n", "x".repeat(1 << 16)),
            431,
        ),
    ] {
        let answered = served.answered(&format!("{line}\r\n{headers}Connection: close\r\n\r\n"));
        assert_eq!(
            answered.0,
            status,
            "{line} {}",
            &headers[..headers.len().min(60)]
        );
    }
}

/// A run that would take far longer than these tests.
const LONG: &str = "/run?bench=kuszmaul&dims=13&payload_bits=4000";

/// Waits until something is so, not for long.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(3), "not yet: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// A run that has begun, and who waits for it.
fn under_way(served: &Served) -> (TcpStream, u32) {
    let head = format!(
        "GET {LONG} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
        served.port
    );
    let waits = served.sent(&head);
    until("a run", || served.runs().len() == 1);
    (waits, served.runs()[0])
}

fn is_there(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|state| !state.contains(") Z "))
}

#[test]
fn a_run_that_nobody_waits_for_is_ended() {
    let served = Served::begun();
    let (waits, run) = under_way(&served);
    sleep(Duration::from_millis(200));
    assert!(is_there(run), "it takes long");
    drop(waits);
    until("its end", || !is_there(run));
    assert!(served.has_written_nothing());
}

#[test]
fn a_run_has_so_much_memory_and_no_more() {
    let served = Served::begun();
    let (_waits, run) = under_way(&served);
    let limits = || fs::read_to_string(format!("/proc/{run}/limits")).unwrap_or_default();
    until("a limit of memory", || {
        let limits = limits();
        let mut lines = limits.lines();
        let memory = lines.find(|line| line.starts_with("Max address space"));
        memory.is_some_and(|line| line.contains(" 2147483648 "))
    });
}

/// Whether it is asked to stop or killed, its runs end with it.
#[test]
fn it_stops_when_it_is_interrupted_and_its_runs_with_it() {
    for (signal, status) in [("-INT", Some(0)), ("-KILL", None)] {
        let mut served = Served::begun();
        let (_waits, run) = under_way(&served);
        let number = served.process.id().to_string();
        let sent = Command::new("kill").args([signal, &number]).status();
        assert!(sent.unwrap().success());
        assert_eq!(served.process.wait().unwrap().code(), status);
        until("the end of its run", || !is_there(run));
    }
}

/// A server may end before its run has asked to end with it.
#[test]
fn a_run_that_begins_after_the_end_of_its_server_ends() {
    let gone = "1";
    let run = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "scatter", "--dims", "3"])
        .envs([
            ("CUBEWAVE_SERVED_MEMORY", "2147483648"),
            ("CUBEWAVE_SERVER", gone),
        ])
        .output()
        .unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let served = Served::begun();
    let port = served.port.to_string();
    let second = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["serve", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8(second.stderr).unwrap();
    let expected = format!("error: cannot listen on port {port} of this machine: ");
    assert!(
        said.starts_with(&expected) && said.contains("--port"),
        "{said}"
    );
}
