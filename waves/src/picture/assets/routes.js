// Routes of messages: as lines in the chart, under the pointer, and selected.

/// Colours of parts of the selected message that go different ways, the one that the waveform follows first; further ones have the last.
const PART_COLOURS = ["var(--chosen)", "#7c3aed", "#ea580c", "#713f12", "#0d9488", "#4d7c0f", "var(--ink)"];

/// Rows of a selected message that are marked.
const MOST_MARKED = 24;

/// The colour of a part, by its place among the ways.
function colourOf(route, part) {
  const first = followedPart(route);
  const place = part === first ? 0 : part < first ? part + 1 : part;
  return PART_COLOURS[Math.min(place, PART_COLOURS.length - 1)];
}

/// For each route its lines in the chart: from and to where, and what they stand for.
let lines = [];

/// Messages that are at a node at the same time lie in lanes, one above the other. Gives the lane of every stay, and how
/// many lanes each node has.
function lanes() {
  const stays = scene.routes.flatMap((route, place) => route.stays.map(([node, from, to], at) => ({ place, at, node, from, to })));
  stays.sort((one, other) => one.from - other.from);
  const ends = new Map();
  const lane = scene.routes.map((route) => route.stays.map(() => 0));
  for (const { place, at, node, from, to } of stays) {
    if (!ends.has(node)) ends.set(node, []);
    const free = ends.get(node);
    let number = free.findIndex((end) => end <= from);
    if (number < 0) number = free.length;
    free[number] = to;
    lane[place][at] = number;
  }
  return { lane, count: (node) => ends.get(node)?.length ?? 1 };
}

/// Works out the lines. A crossing begins in the sender's lane and ends in the receiver's.
function makeLines() {
  const { x, rowY, middle, rowHeight } = layout;
  const { lane, count } = lanes();
  const most = Math.max(Math.floor(rowHeight / 3), 1);
  const laneY = (node, number) => {
    if (scene.bins.nodes_a_row > 1) return middle(rowOf(node));
    const all = Math.min(count(node), most);
    return rowY(rowOf(node)) + (((number % all) + 0.5) * (rowHeight - 1)) / all;
  };
  lines = scene.routes.map((route, place) => {
    const stayY = (node, time) => {
      const near = route.stays.findIndex(([at, from, to]) => at === node && from - 1 <= time && time <= to + 1);
      return near < 0 ? middle(rowOf(node)) : laneY(node, lane[place][near]);
    };
    if (areParts(route)) return linesOfParts(route);
    const stays = route.stays.map(([node, from, to], at) => {
      const y = laneY(node, lane[place][at]);
      const tip = `${route.name} is at node ${nameOf(node)}, bit times ${from} to ${to - 1}`;
      return { x1: x(from), y1: y, x2: x(to), y2: y, tip, part: 0, isStay: true };
    });
    const crossings = hopsOf(route).flatMap((hop) => {
      const { sender, receiver, from, to } = hop;
      const tip = `${route.name} crosses from node ${nameOf(sender)} to node ${nameOf(receiver)}, bit times ${from} to ${to - 1}`;
      // Of what crosses bit by bit the first bit has a line, and the last.
      const bits = to - from > 2 ? [[from, from + 1], [to - 1, to]] : [[from, to]];
      return bits.map(([leaves, comes]) => ({ x1: x(leaves), y1: stayY(sender, leaves), x2: x(comes), y2: stayY(receiver, comes), tip, part: 0 }));
    });
    return [...stays, ...crossings];
  });
}

/// The lines of a message whose parts go different ways, each part in a lane of its own in the row of every node.
function linesOfParts(route) {
  const { x, rowY, rowHeight } = layout;
  const all = hopsOfParts(route);
  return all.flatMap((hops, part) => {
    const y = (node) => rowY(rowOf(node)) + ((part + 0.5) * (rowHeight - 1)) / all.length;
    const told = `${route.name}, ${route.ways[part][0]}`;
    const stay = (node, from, to) => ({ x1: x(from), y1: y(node), x2: x(to), y2: y(node), part, isStay: true, tip: `${told}: at node ${nameOf(node)}, bit times ${from} to ${to - 1}` });
    const ends = (node) => route.stays.findLast(([at]) => at === node)?.[2] ?? 0;
    const begins = (node) => route.stays.find(([at]) => at === node)?.[1] ?? 0;
    const lines = hops.length ? [stay(hops[0].sender, begins(hops[0].sender), hops.findLast(({ sender }) => sender === hops[0].sender).to)] : [];
    hops.forEach(({ sender, receiver, from, to }, at) => {
      const tip = `${told}: crosses from node ${nameOf(sender)} to node ${nameOf(receiver)}, bit times ${from} to ${to - 1}`;
      const bits = to - from > 2 ? [[from, from + 1], [to - 1, to]] : [[from, to]];
      for (const [leaves, comes] of bits) lines.push({ x1: x(leaves), y1: y(sender), x2: x(comes), y2: y(receiver), tip, part });
      const next = hops.slice(at + 1).find((hop) => hop.sender === receiver);
      lines.push(stay(receiver, from + 1, Math.max(next ? next.to : ends(receiver), to)));
    });
    return lines;
  });
}

const pathOf = (all) => all.map(({ x1, y1, x2, y2 }) => `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`).join("");

/// All routes, thin, the fainter the more there are; and the selected one.
function drawRoutes(overlay) {
  makeLines();
  const group = draw(overlay, "g", { id: "routes" });
  if (find("all_routes").checked) {
    const opacity = Math.min(0.4, Math.max(0.05, 14 / scene.routes.length));
    scene.routes.forEach((route, place) => {
      draw(group, "path", { class: "route", "data-message": route.name, "stroke-opacity": opacity, d: pathOf(lines[place]) });
    });
  }
  draw(overlay, "g", { id: "chosen" });
  showSelection();
}

/// The line of a route that is nearest to a place, if one is near that is drawn.
function lineAt(x, y) {
  const allAreDrawn = find("all_routes").checked;
  let [nearest, least] = [null, 6];
  lines.forEach((all, place) => {
    if (!allAreDrawn && place !== state.selected) return;
    for (const line of all) {
      const [along_x, along_y] = [line.x2 - line.x1, line.y2 - line.y1];
      const length = along_x * along_x + along_y * along_y || 1;
      const share = Math.min(Math.max(((x - line.x1) * along_x + (y - line.y1) * along_y) / length, 0), 1);
      const away = Math.hypot(x - line.x1 - share * along_x, y - line.y1 - share * along_y);
      // Of two equally near ones the selected message's is meant.
      if (away - (place === state.selected ? 1 : 0) < least) [nearest, least] = [{ place, line }, away];
    }
  });
  return nearest;
}

/// Selects the message at this place among the routes, or none with null. The page's address then names it.
function select(place) {
  state.selected = place;
  if (place !== null) state.node = firstNode() ?? state.node;
  showSelection();
  // What is selected is to be seen moving.
  const journey = journeyOf(scene.routes[place ?? -1]);
  if (state.isStarted && journey && !(journey.from <= state.time && state.time < journey.to)) {
    fitWave(journey);
    goTo(journey.from);
  } else showTime();
}

/// Marks the nodes of the selected message, draws its route and tells it in words.
function showSelection() {
  const route = state.selected === null ? null : scene.routes[state.selected];
  const nodes = route ? visited(route) : new Set();
  // What comes almost everywhere would hide the chart: its crossings alone are drawn, and no rows are marked.
  const isForMany = nodes.size > MOST_MARKED;
  const rows = new Set(isForMany ? [] : [...nodes].map(rowOf));
  document.querySelectorAll(".row-label").forEach((name, row) => name.classList.toggle("on", rows.has(row)));
  thin();

  // Of a message of a batch, `3->9/2`, the stages are framed that its batch goes through.
  const batch = /\/(\d+)$/.exec(route?.name ?? "")?.[1];
  document.querySelectorAll(".band.batch").forEach((bar) => bar.classList.toggle("on", bar.dataset.batch === batch));

  const chosen = find("chosen");
  chosen.replaceChildren();
  find("overlay").classList.toggle("choosing", route !== null);
  if (route) {
    const own = lines[state.selected].filter(({ isStay }) => !(isStay && isForMany));
    draw(chosen, "path", { class: "chosen-halo", d: pathOf(own) });
    const first = followedPart(route);
    draw(chosen, "path", { class: "chosen-route", "data-message": route.name, d: pathOf(own.filter(({ part }) => part === first)) });
    for (const part of areParts(route) ? route.ways.keys() : []) {
      if (part === first) continue;
      draw(chosen, "path", { class: "chosen-route", style: `stroke: ${colourOf(route, part)}`, d: pathOf(own.filter((line) => line.part === part)) });
    }
    for (const row of rows) {
      draw(chosen, "rect", { class: "row-mark", x: layout.left - 5, y: layout.rowY(row), width: 4, height: Math.max(layout.rowHeight - 1, 2) });
    }
  }
  for (const button of document.querySelectorAll("#messages button")) {
    button.classList.toggle("on", route !== null && button.dataset.message === route.name);
  }
  find("selection").dataset.selected = route?.name ?? "";
  showFate(route);
  const lists = { way: route ? wayOf(route) : [], waits: route ? [...waitsOf(route), ...turnsOf(route)] : [] };
  for (const [id, all] of Object.entries(lists)) {
    find(id).replaceChildren();
    for (const words of all) put(find(id), "li", words);
  }
  // A part whose way goes over a wire that fails is marked, if its way is told.
  const failing = (nodes) => scene.failures.some(({ sender, receiver }) => nodes.some((node, at) => node === sender && nodes[at + 1] === receiver));
  for (const [at, [, nodes]] of (route?.ways ?? []).entries()) {
    const told = find("way").children[at + 1];
    told?.classList.toggle("failing", failing(nodes));
    if (told && areParts(route)) told.style.borderLeft = `4px solid ${colourOf(route, at)}`;
  }
  // Its way says most; the rest is for who opens it.
  if (!route) find("whole").open = true;
  else if (!state.wasSelected) find("whole").open = false;
  state.wasSelected = route !== null;
  const words = find("route");
  words.textContent = route ? routeOf(route) : "None. Click a line, or find a message below by its name.";
  words.classList.toggle("nothing", route === null);
  markGraph(nodes, route);
}
