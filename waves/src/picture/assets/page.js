// What the page says, the player, the finder of messages, pointer and keys.

/// Speeds to choose from, in bit times a second.
const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The finder lists so many messages at a time.
const MOST_LISTED = 200;
/// With more messages the routes are drawn when they are asked for.
const MOST_ROUTES_AT_ONCE = 256;

function showWords() {
  find("explanation").textContent = scene.explanation;
  for (const note of scene.notes) put(find("notes"), "li", note);
  if (scene.circle) {
    find("deadlock").hidden = false;
    find("deadlock").textContent = scene.circle.sentence;
  }
  showFailures();
  find("finder").hidden = find("selection").hidden = scene.routes.length === 0;
  find("search").placeholder = scene.routes[0]?.name ?? "";
  find("all_routes").checked = scene.routes.length <= MOST_ROUTES_AT_ONCE;
}

/// Goes to a bit time, or to the nearest that there is.
function goTo(time) {
  state.time = Math.min(Math.max(time, 0), scene.bins.bit_times - 1);
  showTime();
}

/// Goes some bit times on, or back.
function step(by) {
  goTo(state.time + by);
}

/// Shows the chosen bit time in the chart, the graph and in words.
function showTime() {
  const { x } = layout;
  find("time").value = state.time;
  find("now").setAttribute("x", x(state.time));
  find("now").setAttribute("width", Math.max(x(state.time + 1) - x(state.time), 1));
  const words = [`Bit time ${state.time} of 0 to ${scene.bins.bit_times - 1}`];
  if (scene.routes.length) {
    const crossing = new Set(crossingNow().map(({ route }) => route)).size;
    const of = scene.messages > scene.routes.length ? ` of the ${scene.routes.length} drawn` : "";
    words.push(`${crossing} ${crossing === 1 ? "message" : "messages"}${of} ${crossing === 1 ? "is" : "are"} crossing`);
  }
  // A sum of cells is one of nodes only where each has cells of its own.
  if (scene.measure.endsWith("bits") && scene.bins.nodes_a_row === 1 && scene.bins.times_a_column === 1) {
    const bits = scene.cells.reduce((sum, cells) => sum + valueAt(cells, state.time), 0);
    words.push(`${counted(bits)} ${bits === 1 ? "is" : "are"} at nodes`);
  }
  // More of them would take the room of the chart, which has them.
  for (const { name, says } of scene.texts.length > MOST_UPRIGHT ? [] : scene.texts) {
    const said = says.find(({ from, to }) => from <= state.time && state.time < to);
    if (said) words.push(`${name} ${said.name}`);
  }
  find("state").textContent = words.join("; ");
  showGraph();
  showNode();
  drawWave();
  keepAddress();
}

function stop() {
  clearInterval(state.timer);
  state.timer = null;
  find("play").textContent = "Play";
  keepAddress();
}

/// Plays from the chosen bit time to the last, or from the first if it is the last.
function play() {
  clearInterval(state.timer);
  if (state.time === scene.bins.bit_times - 1) goTo(0);
  const speed = Number(find("speed").value);
  const pause = Math.max(1000 / speed, 40);
  state.timer = setInterval(() => {
    step(Math.max(Math.round((speed * pause) / 1000), 1));
    if (state.time === scene.bins.bit_times - 1) stop();
  }, pause);
  find("play").textContent = "Stop";
}

const playOrStop = () => (state.timer === null ? play() : stop());

function startPlayer() {
  find("time").max = scene.bins.bit_times - 1;
  for (const speed of SPEEDS) put(find("speed"), "option", speed === 1 ? "1 bit time a second" : `${speed} bit times a second`, { value: speed });
  // A run is over in about half a minute.
  find("speed").value = SPEEDS.find((speed) => speed * 30 >= scene.bins.bit_times) ?? SPEEDS.at(-1);
  find("play").addEventListener("click", playOrStop);
  find("time").addEventListener("input", () => goTo(Number(find("time").value)));
  find("speed").addEventListener("change", () => state.timer !== null && play());
  find("player").addEventListener("submit", (event) => event.preventDefault());
}

/// Names in the order of their numbers: `e2` before `e10`.
const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/// The messages whose names have what is searched for; those that are called exactly so, or begin with it, come first.
function found() {
  const sought = find("search").value.trim();
  const places = [...scene.routes.keys()].filter((place) => scene.routes[place].name.includes(sought));
  const rank = (place) => {
    const { name } = scene.routes[place];
    return name === sought ? 0 : name.startsWith(sought) ? 1 : 2;
  };
  // What was harmed is what one looks for.
  const key = sought ? rank : (place) => 2 - harmed(scene.routes[place]);
  const name = (place) => scene.routes[place].name;
  return places.sort((one, other) => key(one) - key(other) || inOrder(name(one), name(other)));
}

function listMessages() {
  const places = found();
  const list = find("messages");
  list.replaceChildren();
  for (const place of places.slice(0, MOST_LISTED)) {
    const route = scene.routes[place];
    const attributes = { type: "button", "data-message": route.name, style: `border-left-color: ${messageColour(route)}` };
    const button = put(put(list, "li"), "button", route.name, attributes);
    button.classList.toggle("on", place === state.selected);
    button.classList.add(["unharmed", "restored", "lost"][harmed(route)]);
  }
  const more = places.length - MOST_LISTED;
  const words = more > 0 ? `${more} more: type a part of a name.` : "";
  find("further").textContent = places.length ? words : "No message has this in its name.";
}

function startFinder() {
  listMessages();
  find("search").addEventListener("input", () => {
    listMessages();
    const exact = routeCalled(find("search").value.trim());
    if (exact !== null) select(exact);
  });
  find("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found().length) select(found()[0]);
  });
  find("all_routes").addEventListener("change", () => redraw());
}

/// Where in the chart an event is.
function inChart(event) {
  const { left, top } = find("drawing").getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/// A node of a row: one that has a waveform, if there is one.
function nodeIn(row) {
  const { nodes_a_row } = scene.bins;
  return scene.waves?.nodes.find((node) => rowOf(node) === row) ?? row * nodes_a_row;
}

function clicked(event) {
  const message = event.target.closest("[data-message]");
  if (message) {
    select(routeCalled(message.dataset.message));
  } else if (event.target.closest("#drawing")) {
    const [x, y] = inChart(event);
    const place = placeAt(x, y);
    const line = lineAt(x, y);
    const row = place?.row ?? null;
    // Who looks at a node looks at it for the message.
    if (!line && row !== null) selectNode(nodeIn(row));
    else select(line?.place ?? null);
    // The links and steps above the rows choose a bit time.
    if (place && place.row === null && y < layout.chart.y) goTo(place.time);
  } else if (event.target.closest("#graph .node")) {
    selectNode(Number(event.target.closest("#graph .node").dataset.node));
  } else if (event.target.closest("#graph .edge")) {
    const [one, other] = edgeOf(event.target.closest("#graph .edge")) ?? [];
    if (one === undefined) return;
    selectNode(one);
    showWire(one, other);
  } else if (!event.target.closest("#player, #finder, #selection, #node, #exchanges, #wave, header")) {
    select(null);
  }
}

/// What is under the pointer, in words.
function told(event) {
  const tip = event.target.closest?.("[data-tip]");
  if (tip) return tip.dataset.tip;
  if (!event.target.closest?.("#drawing")) return null;
  const [x, y] = inChart(event);
  const line = lineAt(x, y);
  if (line) return line.line.tip;
  const place = placeAt(x, y);
  if (!place) return null;
  if (place.row !== null) {
    const words = wordsOf(place.row, place.time);
    return `node ${scene.rows[place.row]}, bit time ${place.time}${words && `: ${words}`}`;
  }
  const link = scene.links[Math.floor((y - layout.links.y) / layout.linkHeight)];
  if (!link || y < layout.links.y) return null;
  return `${link.name}, bit time ${place.time}: ${valueAt(link.cells, columnOf(place.time))} wires in use`;
}

function pointed(event) {
  const [tip, words] = [find("tip"), told(event)];
  tip.hidden = words === null;
  if (words === null) return;
  tip.textContent = words;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 4)}px`;
  tip.style.top = `${Math.min(event.clientY + 16, innerHeight - height - 4)}px`;
}

function pressed(event) {
  if (event.key === "Escape") {
    selectNode(null);
    return select(null);
  }
  // A field, a slider or a button has a use of its own for the other keys.
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select")) return;
  if (event.key === "ArrowLeft") step(-1);
  else if (event.key === "ArrowRight") step(1);
  else if (event.key === " " && !event.target.closest?.("button")) playOrStop();
  else return;
  event.preventDefault();
}

/// What the address says behind its #: a bit time, a message and a node, as in `#t=12&m=3-17&n=5`; or the name of a message alone.
function addressed() {
  const words = location.hash.slice(1);
  if (words === "") return {};
  try {
    if (!words.includes("=")) return { message: routeCalled(decodeURIComponent(words)) };
  } catch {
    return {}; // not a fragment of ours
  }
  const said = new URLSearchParams(words);
  const dashed = said.get("m");
  const places = [...scene.routes.keys()].filter((place) => inAddress(scene.routes[place].name) === dashed);
  const time = Number.parseInt(said.get("t"), 10);
  const node = [...Array(scene.nodes).keys()].find((one) => nodeNamed(one) === said.get("n"));
  // What is named and empty is that nothing is selected; what this run does not have, that nothing is said.
  return {
    time: Number.isNaN(time) ? undefined : time,
    message: dashed === "" ? null : places[0],
    node: said.get("n") === "" ? null : node,
  };
}

/// A name as an address has it.
const inAddress = (name) => name.replaceAll("->", "-").replaceAll(" ", "_");

/// Keeps in the address what is looked at, so that it can be sent to somebody.
function keepAddress() {
  if (state.timer !== null || !state.isStarted) return;
  const words = [`t=${state.time}`];
  const message = state.selected === null ? "" : inAddress(scene.routes[state.selected].name);
  const node = state.node === null ? "" : nodeNamed(state.node);
  words.push(`m=${encodeURIComponent(message)}`, `n=${encodeURIComponent(node)}`);
  try {
    history.replaceState(null, "", `#${words.join("&")}`);
  } catch {
    // Some browsers take so many a minute: the next one will do.
  }
}

/// Goes where the address says.
function obey({ time, message, node }) {
  if (message !== undefined) select(message);
  if (node !== undefined) selectNode(node);
  if (time !== undefined) goTo(time);
}

/// The node whose waveform is shown for the selected message: the first that it comes to and that has one.
function firstNode() {
  const route = scene.routes[state.selected ?? -1];
  return [...(route ? visited(route) : [])].find((node) => scene.waves?.nodes.includes(node)) ?? null;
}

/// The bit time at which the page opens: where something stands still for ever, or the selected message begins to move.
function firstTime() {
  return scene.circle?.since ?? journeyOf(scene.routes[state.selected ?? -1])?.from ?? 0;
}

function redraw() {
  drawChart();
  showTime();
  fitGraph();
}

function start() {
  showWords();
  startPlayer();
  startMeasures();
  drawGraph();
  const asked = addressed();
  state.selected = asked.message === undefined ? scene.shown : asked.message;
  state.node = asked.node === undefined ? (scene.node ?? firstNode()) : asked.node;
  state.time = Math.min(Math.max(asked.time ?? firstTime(), 0), scene.bins.bit_times - 1);
  startWave();
  redraw();
  startFinder();
  state.isStarted = true;
  document.addEventListener("click", clicked);
  document.addEventListener("pointermove", pointed);
  document.addEventListener("keydown", pressed);
  addEventListener("hashchange", () => obey(addressed()));
  addEventListener("resize", redraw);
  darkness.addEventListener("change", () => {
    redraw();
    listMessages();
  });
}

start();
