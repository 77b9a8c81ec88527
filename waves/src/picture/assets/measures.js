// What the colours of cells stand for: what is at nodes, or one of their numbers.

/// Of each: its name, its cells, how large what stands in a cell is and at most, and a cell in words.
const measures = [
  ...(scene.measure === "number"
    ? []
    : [{ name: scene.measured, cells: scene.cells, most: scene.most, size: (cell) => cell, words: (cell) => counted(cell), short: () => "" }]),
  ...scene.numbers.map(({ name, values, sizes, most, cells }) => ({
    name: `${name} at a node`,
    cells,
    most,
    // Cells count values from 1 on.
    size: (cell) => sizes[cell - 1] ?? 0,
    words: (cell) => (cell ? `${name} ${shortened(values[cell - 1])}` : ""),
    short: (cell) => values[cell - 1] ?? "",
  })),
];

/// A wide number: what it begins with.
function shortened(value) {
  return value.length > 80 ? `${value.slice(0, 76)} ..` : value;
}

const measure = () => measures[state.measure];

/// What is counted at a node, in words: `3 message bits`.
function counted(value) {
  const one = { bits: "message bit", messages: "message", ones: "wire carries a 1" }[scene.measure];
  const many = { bits: "message bits", messages: "messages", ones: "wires carry a 1" }[scene.measure];
  return one ? `${value} ${value === 1 ? one : many}` : "";
}

/// What a measure says of a row at the chosen bit time, or at another.
function cellOf(measure, row, time = state.time) {
  return valueAt(measure.cells[row], columnOf(time));
}

/// A row at a bit time, in words: what the colours say first, and then the rest.
function wordsOf(row, time) {
  const others = measures.filter((one) => one !== measure());
  return [measure(), ...others].map((one) => one.words(cellOf(one, row, time))).filter((words) => words).join(", ");
}

function startMeasures() {
  find("measures").hidden = measures.length < 2;
  measures.forEach(({ name }, place) => put(find("measure"), "option", name, { value: place }));
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
  if (node === null) return;
  const words = [inWords(node), wordsOf(rowOf(node), state.time), ...sentNow(node)].filter((part) => part).join("; ");
  const role = scene.roles[node];
  find("node_title").textContent = `Node ${scene.rows[rowOf(node)]}${role ? `, ${role},` : ""} in bit time ${state.time}`;
  find("node_words").textContent = words || "Nothing is known of it in this bit time.";
}

/// What a node has, as its waveform says it in words.
function inWords(node) {
  const row = scene.waves?.rows.find(({ path }) => path === `node_${nodeNamed(node)}.in_words`);
  return row ? saidAt(row, changeAt(row.times, state.time)) : "";
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
