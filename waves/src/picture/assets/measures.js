// What the colours of cells stand for: what is at nodes, or one of their numbers.

/// Of each: its name, its cells, how large what stands in a cell is and at most, and a cell in words.
const measures = [
  ...(scene.measure === "number"
    ? []
    : [{ name: scene.measured, cells: scene.cells, most: scene.most, ends: [1, scene.most], least: 1, size: (cell) => cell, words: (cell) => counted(cell), short: () => "" }]),
  ...scene.numbers.map(({ name, values, sizes, most, cells, second, is_count }) => ({
    name: `${name} at a node`,
    cells,
    second,
    most,
    // What is counted has a scale; of the others the colours say which are larger.
    ends: is_count ? endsOf(values, sizes) : ["small", "large"],
    least: sizes.reduce((least, size) => (size > 0 && size < least ? size : least), Infinity),
    // Cells count values from 1 on.
    size: (cell) => sizes[cell - 1] ?? 0,
    // What is nothing has no words.
    words: (cell) => (values[cell - 1] ? sentence(name, shortened(values[cell - 1])) : ""),
    short: (cell) => values[cell - 1] ?? "",
  })),
];

/// A value by its name. A destination is that of one message of several, not of the selected one.
const sentence = (name, value) => (name === "destination" ? `the message that came last is for ${value}` : `${name} ${value}`);

/// A wide number: what it begins with.
function shortened(value) {
  return value.length > 80 ? `${value.slice(0, 76)} ..` : value;
}

/// The smallest of some values that is not nothing, and the largest.
function endsOf(values, sizes) {
  const bySize = [...values.keys()].filter((place) => sizes[place] > 0).sort((one, other) => sizes[one] - sizes[other]);
  return [values[bySize[0]], values[bySize.at(-1)]];
}

const measure = () => measures[state.measure];

/// What is counted at nodes, in words: `3 message bits`.
function counted(value) {
  const one = { bits: "message bit", packet_bits: "packet bit", messages: "message", ones: "wire carries a 1" }[scene.measure];
  const many = { bits: "message bits", packet_bits: "packet bits", messages: "messages", ones: "wires carry a 1" }[scene.measure];
  return one ? `${value} ${value === 1 ? one : many}` : "";
}

/// Numbers of a node that are told in words.
const MOST_NUMBERS = 4;

/// What a measure says of a row at the chosen bit time, or at another.
function cellOf(measure, row, time = state.time) {
  return valueAt(measure.cells[row], columnOf(time));
}

/// A row at a bit time, in words: what the colours say first, and then the rest.
function wordsOf(row, time) {
  // Where the last message to come goes says little of the selected one.
  const others = measures.filter((one) => one !== measure() && one.name !== "destination at a node");
  const told = [measure(), ...others].map((one) => one.words(cellOf(one, row, time))).filter((words) => words);
  const left = told.length - MOST_NUMBERS;
  const more = left > 0 ? [`${left} ${left === 1 ? "number" : "numbers"} more`] : [];
  return [...told.slice(0, MOST_NUMBERS), ...more].join(", ");
}

function startMeasures() {
  if (scene.opens_with !== null) state.measure = measures.length - scene.numbers.length + scene.opens_with;
  find("measures").hidden = measures.length < 2;
  measures.forEach(({ name }, place) => put(find("measure"), "option", name, { value: place }));
  find("measure").value = state.measure;
  find("measure").addEventListener("change", () => {
    state.measure = Number(find("measure").value);
    redraw();
  });
}

/// Marks the selected node, and says what is there at the chosen bit time.
function showNode() {
  const { node } = state;
  find("node").hidden = node === null;
  document.querySelectorAll(".row-label").forEach((name, row) => name.classList.toggle("picked", node !== null && row === rowOf(node)));
  document.querySelectorAll("#graph .node").forEach((group, at) => group.classList.toggle("picked", at === node));
  if (node === null) return find("exchanges").replaceChildren();
  const words = [inWords(node), wordsOf(rowOf(node), state.time), ...sentNow(node)].filter((part) => part).join("; ");
  const role = scene.roles[node];
  find("node_title").textContent = `Node ${scene.rows[rowOf(node)]}${role ? `, ${role}` : ""}`;
  find("node_words").textContent = `bit time ${state.time}: ${words || "nothing is known of it"}`;
  const told = scene.routes.length ? [] : exchangesOf(node);
  find("exchanges").replaceChildren(...told.map(({ from, to, says }) => {
    const item = document.createElement("li");
    item.textContent = says;
    item.classList.toggle("on", from <= state.time && state.time < to);
    return item;
  }));
}

/// By step, from whom a node gets bits and to whom it sends some, as far as ones on wires tell, and what it then has in words.
function exchangesOf(node) {
  const ends = (load, band) => load.cells !== undefined && isUsed(load.cells, columnOf(band.from), columnOf(band.to - 1));
  let had = inWords(node, 0);
  return scene.bands.flatMap((band) => {
    const during = (scene.loads?.each ?? []).filter((load) => (load.sender === node || load.receiver === node) && ends(load, band));
    const names = (loads, end) => loads.map((load) => scene.rows[load[end]]).join(", ");
    const gets = names(during.filter(({ receiver }) => receiver === node), "sender");
    const sends = names(during.filter(({ sender }) => sender === node), "receiver");
    const has = inWords(node, band.to);
    const then = has && has !== had ? `then ${has}` : "";
    had = has;
    const parts = [gets && `gets from ${gets}`, sends && `sends to ${sends}`].filter((part) => part);
    const says = [parts.join(", "), then].filter((part) => part).join("; ");
    return says ? [{ from: band.from, to: band.to, says: `${band.from} to ${band.to - 1}, ${band.name}: ${says}` }] : [];
  });
}

/// Whether cells have a value between two columns, both counted in.
function isUsed(cells, from, to) {
  if (valueAt(cells, from) > 0) return true;
  for (let at = 0; at < cells.length; at += 2) if (cells[at + 1] > 0 && from < cells[at] && cells[at] <= to) return true;
  return false;
}

/// What a node has, as its waveform says it in words.
function inWords(node, time = state.time) {
  const row = scene.waves?.rows.find(({ path }) => path === `node_${nodeNamed(node)}.in_words`);
  return row ? saidAt(row, changeAt(row.times, time)) : "";
}

/// Where a node sends a bit, as far as wires tell.
function sentNow(node) {
  const busy = (scene.loads?.each ?? []).filter((load) => load.sender === node && isBusy(load));
  return busy.map(({ receiver }) => `a 1 goes to node ${scene.rows[receiver]}`);
}

const isBusy = ({ cells }) => cells !== undefined && valueAt(cells, columnOf(state.time)) > 0;

/// Selects a node, or none with null.
function selectNode(node) {
  state.node = node;
  thin();
  showNode();
  drawWave();
  keepAddress();
}
