//! `cubewave serve` in a browser: parameters are changed with the mouse, and another run is there.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crate::common::served::Served;

/// Does in the browser what a person would, and writes down what came of it.
const USE: &str = "
const told = [];
addEventListener('error', (event) => told.push(event.message));
addEventListener('unhandledrejection', (event) => told.push(String(event.reason)));
const change = (element, value, kind) => {
  element.value = value;
  element.dispatchEvent(new Event(kind, { bubbles: true }));
};
const field = (name, place) => document.querySelector(`[data-name=${name}][data-place=${place}]`);
/// The page that stands after what was done, or why there is none.
const after = (act) => new Promise((done) => {
  const seen = new MutationObserver(() => {
    const [said, refused] = [find('state').textContent, find('refusal').textContent];
    if (!said.includes('ready after') && !refused) return;
    seen.disconnect();
    const verdict = state.front.contentDocument.getElementById('verdict').textContent;
    done(refused || `${said.split(':')[0]} | ${verdict}`);
  });
  find('state').textContent = '';
  find('refusal').textContent = '';
  for (const id of ['state', 'refusal']) seen.observe(find(id), { childList: true });
  act();
});
(async () => {
  while (!find('state').textContent.includes('ready after')) await new Promise((later) => setTimeout(later, 20));
  const dims = (value) => () => change(field('dims', 'slider'), value, 'input');
  told.push(await after(dims(4)));
  const page = () => state.front.contentDocument;
  page().querySelectorAll('#messages button')[2].click();
  told.push(await after(dims(3)));
  // What was asked for before is given up, and its page does not come after that of this.
  told.push(await after(() => {
    give('dims', 11);
    setTimeout(dims(4), 300);
  }));
  const isHeld = field('dims', 'slider');
  isHeld.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  told.push(await after(dims(5)));
  told.push(`${isHeld.isConnected} while it is held`);
  document.dispatchEvent(new PointerEvent('pointerup'));
  await new Promise((later) => setTimeout(later, 20));
  told.push(`${isHeld.isConnected} once it is let go`);
  told.push(await after(dims(4)));
  told.push(await after(() => change(field('schedule', 'field'), 'radix4', 'change')));
  page().querySelectorAll('#messages button')[2].click();
  const selected = selectedMessage();
  told.push(await after(() => field('trace_message', 'take').click()));
  told.push(String(field('trace_message', 'field').value === selected && selectedMessage() === selected));
  told.push(await after(() => change(field('dims', 'field'), 99, 'change')));
  told.push(await after(() => find('is_dims').closest('.control').querySelector('.left').click()));
  told.push(await after(() => change(find('bench'), 'bench=dispersal', 'change')));
  keepAddress();
  told.push(location.search + location.hash.split('&')[0]);
})()
  .catch((error) => told.push(String(error)))
  .finally(() => fetch(`/told?${new URLSearchParams({ told: JSON.stringify(told) })}`));
";

/// Reads a head and what follows it, as long as it says.
fn message(stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let begun = head.len();
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
        let line = head[begun..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// Passes on what a browser asks, under the server's own name, and has the frame do what the test does.
fn pass_on(mut browser: TcpStream, [own, port]: [u16; 2], told: &Sender<String>) -> Option<()> {
    let (head, _) = message(&browser)?;
    if let Some(rest) = head.strip_prefix("GET /told?") {
        let query = rest.split_once(' ')?.0;
        let (_, text) = form_urlencoded::parse(query.as_bytes()).next()?;
        return told.send(text.into_owned()).ok();
    }
    if head.starts_with("GET /use.js ") {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{USE}",
            USE.len()
        );
        return browser.write_all(head.as_bytes()).ok();
    }
    let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let asked = head.replace(&format!(":{own}"), &format!(":{port}"));
    let asked = asked.replacen("Connection: keep-alive", "Connection: close", 1);
    server.write_all(asked.as_bytes()).unwrap();
    let (head, body) = message(&server)?;
    let is_frame = head.contains("script-src 'self'");
    let body = match is_frame {
        true => String::from_utf8(body)
            .unwrap()
            .replacen("</body>", "<script src=\"/use.js\"></script></body>", 1)
            .into_bytes(),
        false => body,
    };
    let lines = head.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !line.is_empty() && !line.starts_with("content-length") && !line.starts_with("connection")
    });
    let lines: Vec<&str> = lines.collect();
    let length = body.len();
    let head = format!(
        "{}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n",
        lines.join("\r\n")
    );
    browser.write_all(head.as_bytes()).ok()?;
    browser.write_all(&body).ok()
}

#[test]
fn parameters_are_changed_with_the_mouse() {
    let served = Served::begun();
    let port = served.port;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().port();
    let (told, is_told) = mpsc::channel();
    thread::spawn(move || {
        for browser in listener.incoming().flatten() {
            let told = told.clone();
            thread::spawn(move || pass_on(browser, [own, port], &told));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    // A port for those who would steer it keeps it open.
    let mut browser = Command::new("chromium")
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
        ])
        .arg("--window-size=1500,1000")
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(format!("http://127.0.0.1:{own}/?bench=kuszmaul&dims=3#t=5"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("chromium is needed here (Debian: apt-get install chromium): {error}")
        });
    let told = is_told.recv_timeout(Duration::from_secs(60));
    _ = browser.kill();
    _ = browser.wait();
    let told: Vec<String> = serde_json::from_str(&told.unwrap()).unwrap();
    assert_eq!(
        told,
        [
            "kuszmaul, schedule plain, hypercube of 4 dimensions | pass: 12 of 12 right, 153 bit times",
            "kuszmaul, schedule plain, hypercube of 3 dimensions | pass: 6 of 6 right, 91 bit times",
            "kuszmaul, schedule plain, hypercube of 4 dimensions | pass: 12 of 12 right, 153 bit times",
            "kuszmaul, schedule plain, hypercube of 5 dimensions | pass: 24 of 24 right, 229 bit times",
            "true while it is held",
            "false once it is let go",
            "kuszmaul, schedule plain, hypercube of 4 dimensions | pass: 12 of 12 right, 153 bit times",
            "kuszmaul, schedule radix4, hypercube of 4 dimensions | pass: 12 of 12 right, 26 bit times",
            "kuszmaul, schedule radix4, hypercube of 4 dimensions | pass: 12 of 12 right, 26 bit times",
            "true",
            "a hypercube of 99 dimensions is out of range: choose 1 to 34",
            "kuszmaul, schedule radix4, hypercube of 6 dimensions | pass: 48 of 48 right, 61 bit times",
            "dispersal, hypercube of 4 dimensions, guest cycle, 16 bits a message in 3 shares of 48, any 2 of which restore it | pass: 16 of 16 right, 144 bit times",
            "?bench=dispersal",
        ]
    );
}
