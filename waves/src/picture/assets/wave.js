// The waveform of the node that is selected: its signals around the bit time that is shown, by the names that a dump has.

const WAVE_ROW = 20;
/// Bit times that can be seen: the most, and the fewest.
const MOST_WAVE = 4096;
const FEWEST_WAVE = 8;
/// With more of them at first nothing could be read.
const MOST_AT_ONCE = 520;
/// A run of no more than these is seen whole.
const MOST_WHOLE = 100;
/// Pixels of a character of a label in its cell.
const WAVE_CHARACTER = 6.7;

/// Rows of the machine stand above those of each node.
const ofMachine = (row) => !row.path.startsWith("node_");

/// What a node is called: rows of the chart are called as nodes are, where each has its own.
const nodeNamed = (node) => (scene.bins.nodes_a_row === 1 ? scene.rows[node] : nameOf(node));

/// Whether what a row says is about a message: by its name, and of pieces `0->7/2`; or as ports of `0->7` say `0_to_7:4`, and those of
/// edge `e11` `e11_p0`.
function isAbout(said, name) {
  const [first] = name.split(":");
  const [source] = first.split("->");
  const port = first.replace("->all", `->${source}`).replace("->", "_to_");
  const isNamed = (one) => one === name || one.split("/")[0] === name || one.split(":")[0] === port || one.split("_p")[0] === first;
  return said.split(/[,\s]/).some(isNamed);
}

/// Which values of rows are about the message that was selected last.
const about = { name: null, values: new Map() };

/// Whether a value is about the selected message, as worked out once.
function isSelected(value) {
  const name = scene.routes[state.selected ?? -1]?.name ?? null;
  if (about.name !== name) [about.name, about.values] = [name, new Map()];
  if (name === null) return false;
  if (!about.values.has(value)) about.values.set(value, isAbout(scene.waves.values[value], name));
  return about.values.get(value);
}

/// What belongs together in a node: what a link or a module tells in words, and its bits.
const partOf = (row) => row.path.replace(/(told|ports)\.port_(\d+)[._]/, "dim_$2.").split(".").slice(0, -1).join(".");

/// The rows of a node, by the name that its scope has: what is said in words stands before the bits that it is said of, and what is
/// about the selected message before what is not.
function rowsOf(node) {
  const scope = `node_${nodeNamed(node)}.`;
  const registers = find("wave_registers").checked;
  const rows = scene.waves.rows.filter((row) => {
    // Another message may be selected than the one that was followed.
    if (row.path.startsWith("followed.")) return state.selected === null || state.selected === scene.shown;
    if (ofMachine(row)) return registers || row.path.startsWith("sequencer.step");
    return row.path.startsWith(scope) && (registers || row.wire || row.kind === "text" || row.kind === "count");
  });
  const parts = new Set(rows.filter((row) => row.kind === "text" && row.path.startsWith(scope) && row.values.some(isSelected)).map(partOf));
  const rank = (row) => {
    if (!row.path.startsWith(scope)) return 0;
    if (row.path.endsWith(".in_words")) return 1;
    return parts.has(partOf(row)) ? 2 : 3;
  };
  return rows.map((row) => [rank(row), row]).sort(([one], [other]) => one - other).map(([, row]) => row);
}

/// What a row calls its signal: without the node that the title has.
const shortPath = (path) => path.replace(/^node_[^.]*\./, "").replaceAll("_message", " message").replaceAll(".", " ");

/// The place of the last change up to a bit time; -1 before the first.
function changeAt(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/// What a row says at a change.
function saidAt(row, place) {
  if (place < 0) return "";
  const value = row.values[place];
  return row.kind === "bit" ? String(value) : scene.waves.values[value];
}

/// Times and values as lists; in the page they are differences, and bits that change in turn.
function unpackWaves() {
  for (const row of scene.waves.rows) {
    let time = 0;
    row.times = row.steps.map((step) => (time += step));
    row.values ??= row.steps.map((_, place) => (row.first + place) & 1);
    row.wire = /\.(tx|rx)[^.]*$/.test(row.path);
  }
}

/// Pixels that the waveform takes at the bottom of the window.
const waveRoom = () => (scene.waves ? 0.28 * innerHeight + 56 : 0);

/// From which bit time to which the waveform goes: it stays until the bit time that is shown leaves it.
function waveWindow() {
  const all = scene.bins.bit_times + 1;
  const span = Math.min(state.waveSpan, all);
  const isSeen = state.waveFrom <= state.time && state.time < state.waveFrom + span;
  const from = isSeen ? state.waveFrom : state.time - span / 2;
  state.waveFrom = Math.min(Math.max(from, 0), all - span);
  return { from: state.waveFrom, to: state.waveFrom + span };
}

/// Draws what can be seen, and nothing else.
function drawWave() {
  const section = find("wave");
  const node = state.node;
  const has = node !== null && scene.waves?.nodes.includes(node);
  section.hidden = !scene.waves;
  if (!scene.waves) return;
  find("wave_title").textContent = has
    ? `Waveform of node ${nodeNamed(node)}${scene.waves.until === null ? "" : ` (${scene.waves.words})`}`
    : node === null
      ? "Waveform: select a node"
      : `Node ${nodeNamed(node)} has no waveform here (${scene.waves.words})`;
  const rows = has ? rowsOf(node) : [];
  const canvas = find("wave_canvas");
  const scroller = find("wave_scroller");
  find("wave_room").style.height = `${(rows.length + 1) * WAVE_ROW}px`;
  const width = scroller.clientWidth;
  const height = Math.min(scroller.clientHeight || 400, (rows.length + 1) * WAVE_ROW);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, height);
  state.wave = null;
  if (!rows.length) return;
  const names = Math.min(Math.max(...rows.map((row) => shortPath(row.path).length)) * 6.6 + 90, width * 0.27);
  const { from, to } = waveWindow();
  const x = (time) => names + ((time - from) / (to - from)) * (width - names);
  state.wave = { rows, names, from, to, width };
  pen.font = "11px ui-monospace, monospace";
  pen.textBaseline = "middle";
  const style = getComputedStyle(document.body);
  const colour = (name) => style.getPropertyValue(name).trim() || "#888";
  const [ink, faint, accent] = ["--ink", "--line", "--chosen"].map(colour);
  // Time stands above, and stays there.
  const step = 10 ** Math.ceil(Math.log10(((to - from) * 60) / (width - names)));
  for (let time = Math.ceil(from / step) * step; time < to; time += step) {
    pen.fillStyle = faint;
    pen.fillRect(x(time), 0, 1, height);
    pen.fillStyle = ink;
    pen.fillText(String(time), x(time) + 3, WAVE_ROW / 2);
  }
  const first = Math.floor(scroller.scrollTop / WAVE_ROW);
  const last = Math.min(first + Math.ceil(height / WAVE_ROW), rows.length);
  for (let number = first; number < last; number++) {
    const row = rows[number];
    const top = (number - first + 1) * WAVE_ROW;
    const middle = top + WAVE_ROW / 2;
    const isKept = scene.waves.until === null || state.time < scene.waves.until;
    // What stands far behind is for the cell, which has room for it.
    const now = isKept ? saidAt(row, changeAt(row.times, state.time)).split("  ")[0] : "not kept";
    pen.fillStyle = ink;
    pen.fillText(`${shortPath(row.path)} = ${now}`, 4, middle, names - 8);
    drawRow(pen, row, { top, middle, from, to, x, ink, faint, accent });
  }
  pen.fillStyle = accent;
  pen.fillRect(x(state.time), 0, Math.max(x(state.time + 1) - x(state.time), 1), 3);
  pen.globalAlpha = 0.15;
  pen.fillRect(x(state.time), 0, Math.max(x(state.time + 1) - x(state.time), 1), height);
  pen.globalAlpha = 1;
}

/// A bit as a line that goes up and down, everything else as cells with what they say.
function drawRow(pen, row, { top, middle, from, to, x, ink, faint, accent }) {
  const [high, low] = [top + 4, top + WAVE_ROW - 4];
  const end = scene.waves.until ?? scene.bins.bit_times + 1;
  if (from >= end) return;
  let place = Math.max(changeAt(row.times, from), 0);
  let drawn = -1;
  for (; place < row.times.length && row.times[place] < to; place++) {
    const left = x(Math.max(row.times[place], from));
    const right = x(Math.min(row.times[place + 1] ?? end, to, end));
    // Of many changes in a pixel one is drawn.
    if (right - left < 0.3 && Math.floor(left) === drawn) continue;
    drawn = Math.floor(left);
    const said = saidAt(row, place);
    const follows = row.kind === "text" && isSelected(row.values[place]);
    pen.strokeStyle = pen.fillStyle = follows ? accent : /\.tx|[._]sends$/.test(row.path) ? "#d97706" : /\.rx|[._]receives$/.test(row.path) ? "#059669" : ink;
    pen.lineWidth = 1;
    pen.beginPath();
    if (row.kind === "bit") {
      const level = said === "1" ? high : low;
      if (place > 0 && row.times[place] >= from) {
        pen.moveTo(left, said === "1" ? low : high);
        pen.lineTo(left, level);
      } else pen.moveTo(left, level);
      pen.lineTo(right, level);
    } else if (said === "") {
      pen.strokeStyle = faint;
      pen.moveTo(left, middle);
      pen.lineTo(right, middle);
    } else {
      // Higher than a bit, so that no line goes through the words.
      pen.rect(left, top + 1.5, Math.max(right - left - 1, 0.5), WAVE_ROW - 3);
      const room = Math.floor((right - left - 4) / WAVE_CHARACTER);
      if (room >= said.length) pen.fillText(said, left + 3, middle);
      else if (room > 1) pen.fillText(`${said.slice(0, room - 1)}+`, left + 3, middle);
    }
    pen.stroke();
  }
}

/// The nodes at the ends of an edge of the graph.
function edgeOf(drawn) {
  const found = [...edges].find(([, edge]) => edge.drawn === drawn);
  return found?.[0].split("-").map(Number);
}

/// Scrolls to the wires between two nodes of a hypercube.
function showWire(one, other) {
  if (!scene.waves?.nodes.includes(one) || !scene.bins.bit_times) return;
  const wire = new RegExp(`\\b(dim|port)_${Math.log2(one ^ other)}\\b`);
  const place = rowsOf(one).findIndex((row) => wire.test(shortPath(row.path)));
  if (place >= 0) find("wave_scroller").scrollTop = place * WAVE_ROW;
}

/// Has the waveform show a journey, and a little before and after, as far as it can be read.
function fitWave({ from, to }) {
  if (scene.bins.bit_times <= MOST_WHOLE) [from, to] = [0, scene.bins.bit_times + 1];
  const length = Math.min(Math.max(to - from, 24), MOST_AT_ONCE);
  state.waveSpan = Math.ceil(1.15 * length);
  state.waveFrom = from - Math.ceil(0.05 * length);
}

/// Zoom by buttons and wheel, time by a click, rows by scrolling.
function startWave() {
  if (!scene.waves) return;
  unpackWaves();
  fitWave(journeyOf(scene.routes[state.selected ?? -1]) ?? { from: 0, to: scene.bins.bit_times });
  const zoom = (by) => {
    const { from, to } = waveWindow();
    const before = to - from;
    state.waveSpan = Math.min(Math.max(Math.round(before * by), FEWEST_WAVE), MOST_WAVE, scene.bins.bit_times + 1);
    // The bit time that is shown stays where it is.
    state.waveFrom = state.time - ((state.time - from) * state.waveSpan) / before;
    drawWave();
  };
  find("wave_in").addEventListener("click", () => zoom(1 / 1.5));
  find("wave_out").addEventListener("click", () => zoom(1.5));
  find("wave_registers").addEventListener("change", drawWave);
  const scroller = find("wave_scroller");
  scroller.addEventListener("scroll", drawWave);
  scroller.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 1 / 1.25);
  }, { passive: false });
  scroller.addEventListener("click", (event) => {
    const { names, from, to, width } = state.wave ?? {};
    const at = event.clientX - scroller.getBoundingClientRect().left;
    if (names === undefined || at < names) return;
    goTo(Math.floor(from + ((at - names) / (width - names)) * (to - from)));
  });
  window.addEventListener("resize", drawWave);
}
