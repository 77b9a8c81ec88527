//! The page of every testbench in a browser: it draws itself, can be clicked and played, and its console stays empty.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use testbenches::families::testbenches;

/// Runs whose pages have something that those of testbenches by default do not have. One ends in a deadlock.
const FURTHER: [&str; 5] = [
    "dispersal --dims 4 --needed 2 --message-bits 16 --cut-wires 4",
    "wormhole --dims 4 --virtual-channels 1",
    "wormhole --dims 6 --network butterflies",
    "embedding --guest gray-cycle --dims 4",
    "reduce --network hypercube --dims 4",
];

/// Before the page's own script: whatever it complains of is kept.
const LISTEN: &str = "<script>
const complaints = [];
addEventListener('error', (event) => complaints.push(event.message));
addEventListener('unhandledrejection', (event) => complaints.push(String(event.reason)));
for (const kind of ['error', 'warn']) console[kind] = (...words) => complaints.push(words.join(' '));
</script>";

/// Behind it: uses everything that there is on the page, and tells the frame's parent what came of it.
const USE: &str = "<script>
const touch = (element, kind, more = {}) => element?.dispatchEvent(new MouseEvent(kind, { bubbles: true, ...more }));
const change = (element, value, kind) => {
  element.value = value;
  element.dispatchEvent(new Event(kind, { bubbles: true }));
};
const { left, width, chart } = layout;
const pixels = find('cells').getContext('2d').getImageData(left, chart.y, width, chart.height).data.buffer;
const seen = { rows: document.querySelectorAll('.row-label').length, colours: new Set(new Uint32Array(pixels)).size };
for (const share of [0, 0.3, 0.7, 1]) {
  change(find('time'), Math.round(share * (scene.bins.bit_times - 1)), 'input');
  const { left, top } = find('drawing').getBoundingClientRect();
  const at = { clientX: left + layout.x(state.time) + 1, clientY: top + layout.middle(Math.min(1, layout.rows - 1)) };
  touch(find('cells'), 'pointermove', at);
  seen.tip = find('tip').textContent;
  find('all_routes').checked = false;
  state.selected = null;
  touch(find('cells'), 'click', at);
  seen.node = find('node_words').textContent;
}
for (let place = 0; place < measures.length; place += 1) change(find('measure'), place, 'change');
touch(document.querySelector('#graph .node:last-of-type'), 'click');
touch(document.querySelector('#graph .edge'), 'pointermove', { clientX: 5, clientY: 5 });
seen.ways = [];
seen.strangers = 0;
for (const button of [...document.querySelectorAll('#messages button')].slice(0, 12)) {
  touch(button, 'click');
  seen.ways.push(find('way').textContent);
  // What is followed is one message, and no other that is selected.
  const isTold = state.wave?.rows.some(({ path }) => path === 'followed.message');
  if (isTold && state.selected !== scene.shown) seen.strangers += 1;
}
const shown = scene.routes[scene.shown ?? -1];
const source = shown?.stays[0]?.[0];
if (scene.waves?.nodes.includes(source)) {
  select(scene.shown);
  selectNode(source);
  const isTold = ({ path, kind }) => path.startsWith('node_') && kind === 'text' && !path.endsWith('in_words');
  const told = state.wave.rows.find(isTold);
  // Of what goes to all, a tree of wires, no link tells the message.
  if (told) {
    seen.first = { of: shown.name, says: told.values.map((value) => scene.waves.values[value]) };
    seen.first.waits = find('waits').textContent;
  }
}
if (scene.waves) {
  selectNode(scene.waves.nodes[0]);
  for (const id of ['wave_in', 'wave_out', 'wave_registers']) touch(find(id), 'click');
  const scroller = find('wave_scroller').getBoundingClientRect();
  touch(find('wave_canvas'), 'click', { clientX: scroller.right - 5, clientY: scroller.top + 30 });
  const canvas = find('wave_canvas');
  const drawn = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer;
  seen.wave = { rows: state.wave.rows.length, colours: new Set(new Uint32Array(drawn)).size, at: state.time };
}
for (const key of ['ArrowRight', ' ', 'ArrowLeft', ' ', 'Escape']) {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}
dispatchEvent(new Event('resize'));
parent.postMessage({ page: location.pathname, complaints, seen }, '*');
</script>";

/// The frame of all pages. When each has told what came of it, or when time is up, it has all of that for a text.
fn frame(pages: usize) -> String {
    let mut frame = "<!doctype html><body><pre id='told'></pre><script>const told = [];\
        addEventListener('message', ({ data }) => {\
        told.push(data); document.getElementById('told').textContent = JSON.stringify(told); });</script>"
        .to_owned();
    for page in 0..pages {
        write!(
            frame,
            "<iframe width=1400 height=900 src='{page}.html'></iframe>"
        )
        .unwrap();
    }
    frame
}

/// Command lines of all testbenches, of sizes at which pages are small: of several the first that the testbench has.
fn runs() -> Vec<Vec<String>> {
    let asks = |bench: &testbenches::testbench::Testbench| {
        let chosen = bench.chosen_by.as_ref().map(|choice| {
            let (option, example) = (choice.option, choice.example);
            format!(" --{option} {example}")
        });
        let chosen = chosen.unwrap_or_default();
        let line = |dims: &str| format!("{}{chosen}{dims}", bench.name);
        match bench.parameter("dims") {
            Some(_) => [" --dims 3", " --dims 4"].map(line).to_vec(),
            None => vec![line("")],
        }
    };
    let further = FURTHER.iter().map(|line| vec![(*line).to_owned()]);
    testbenches().map(asks).chain(further).collect()
}

/// Writes the page of a run, with what is to be done on it. Whether the testbench has the run.
fn write_page(folder: &Path, number: usize, arguments: &str) -> bool {
    let file = folder.join(format!("{number}.html"));
    let ran = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("run")
        .args(arguments.split(' '))
        .arg("--picture")
        .arg(&file)
        .output()
        .unwrap();
    if ran.status.code().is_none_or(|code| code > 1) {
        return false;
    }
    let page = fs::read_to_string(&file).unwrap();
    let page = page.replacen("<head>", &format!("<head>{LISTEN}"), 1);
    let page = page.replacen("</body>", &format!("{USE}</body>"), 1);
    assert!(page.contains(LISTEN) && page.contains(USE), "{arguments}");
    fs::write(file, page).unwrap();
    true
}

#[test]
fn pages_of_all_testbenches_work_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let runs = runs();
    for (number, lines) in runs.iter().enumerate() {
        let mut lines_left = lines.iter();
        let is_written = lines_left.any(|line| write_page(folder.path(), number, line));
        assert!(is_written, "{lines:?}");
    }
    let all = folder.path().join("all.html");
    fs::write(&all, frame(runs.len())).unwrap();
    let output = Command::new("chromium")
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("file://{}", all.display()))
        .output()
        .unwrap_or_else(|error| {
            panic!("chromium is needed here (Debian: apt-get install chromium): {error}")
        });
    let mut followed = 0;
    let dom = String::from_utf8(output.stdout).unwrap();
    let told = dom.split_once("id=\"told\">").unwrap().1;
    let told = told.split("</pre>").next().unwrap().replace("&gt;", ">");
    let told = told.replace("&lt;", "<").replace("&amp;", "&");
    let told: Vec<Value> = serde_json::from_str(&told).unwrap();
    for (number, lines) in runs.iter().enumerate() {
        let arguments = &lines[0];
        let ending = format!("/{number}.html");
        let is_page = |told: &&Value| told["page"].as_str().unwrap().ends_with(&ending);
        let told = told.iter().find(is_page);
        let told = told.unwrap_or_else(|| panic!("{arguments}: its script has broken off"));
        assert_eq!(told["complaints"], Value::Array(Vec::new()), "{arguments}");
        let seen = &told["seen"];
        assert!(seen["rows"].as_u64().unwrap() > 1, "{arguments}: {seen}");
        // Cells are not all alike.
        assert!(seen["colours"].as_u64().unwrap() > 1, "{arguments}: {seen}");
        // A click at the right edge of the waveform goes there.
        let wave = &seen["wave"];
        let count = |name: &str| wave[name].as_u64().unwrap_or_default();
        let is_drawn = count("rows") > 1 && count("colours") > 2 && count("at") > 0;
        assert!(is_drawn, "{arguments}: {seen}");
        assert_eq!(seen["strangers"], 0, "{arguments}: {seen}");
        // At the source of what is selected the first link or module is one that has it: `0->7`, `0_to_7:4`, `e11_p0`.
        if let Some(name) = seen["first"]["of"].as_str() {
            let name = name.split([':', '/']).next().unwrap();
            let source = name.split("->").next().unwrap();
            let all = name.replace("->all", &format!("_to_{source}"));
            let names = [name.to_owned(), name.replace("->", "_to_"), all];
            let says = seen["first"]["says"].as_array().unwrap();
            let is_named = |word: &str| {
                let name = word.split([':', '/']).next().unwrap();
                let edge = name.split("_p").next().unwrap();
                names.iter().any(|one| one == name || one == edge)
            };
            let is_told = |said: &Value| said.as_str().unwrap().split([',', ' ']).any(is_named);
            assert!(
                says.iter().any(is_told),
                "{arguments}: {says:?} of {names:?}"
            );
            followed += 1;
            // What shares its wires with up to nine others is seen to.
            let takes_turns = "takes turns with others on dim_";
            let waits = seen["first"]["waits"].as_str().unwrap();
            let is_shared = arguments.ends_with("butterflies");
            assert!(
                !is_shared || waits.contains(takes_turns),
                "{arguments}: {waits}"
            );
        }
        let ways = seen["ways"].as_array().unwrap();
        // A message may stay where it is.
        let goes = |way: &&Value| way.as_str().unwrap().contains(" → ");
        let all_stay = !ways.is_empty() && ways.iter().filter(goes).count() == 0;
        assert!(!all_stay, "{arguments}: {seen}");
        for words in ["tip", "node"] {
            let words = seen[words].as_str().unwrap();
            let is_told = words.len() > 3 && !words.starts_with("Nothing is known");
            assert!(is_told, "{arguments}: {seen}");
        }
    }
    assert!(followed > 12, "{followed}");
}
