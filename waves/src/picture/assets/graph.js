// The network as a graph, at the chosen bit time. A unit of the places is 100 units of the SVG.

const RADIUS = 19;
/// Characters of a value that have room in a node.
const MOST_WRITTEN = 4;
/// Nodes of a network in which values can be read.
const MOST_WITH_VALUES = 64;
const edges = new Map();
const edgeKey = (one, other) => `${Math.min(one, other)}-${Math.max(one, other)}`;

function drawGraph() {
  const { graph } = scene;
  if (!graph) return;
  find("network").hidden = false;
  find("side").classList.toggle("large", scene.nodes > MOST_WITH_VALUES);
  const places = graph.places.map(([right, down]) => [100 * right, 100 * down]);
  // Half way to the point towards which an edge is bent is the edge.
  const bows = graph.edges.map(([one, other, bend]) => {
    const ends = [places[one], places[other]];
    const bent = bentMiddle({ ends, bend });
    return [0, 1].map((axis) => (ends[0][axis] + 2 * bent[axis] + ends[1][axis]) / 4);
  });
  const [rights, downs] = [0, 1].map((axis) => [...places, ...bows].map((place) => place[axis]));
  const [left, top] = [Math.min(...rights) - 45, Math.min(...downs) - 45];
  const [width, height] = [Math.max(...rights) - left + 45, Math.max(...downs) - top + 45];
  const svg = draw(find("network"), "svg", { id: "graph", viewBox: `${left} ${top} ${width} ${height}` });
  // A small network in a wide frame would look coarse.
  svg.style.maxWidth = `${Math.max(width * 1.1, 260)}px`;
  for (const [one, other, bend] of graph.edges) {
    const edge = { ends: [places[one], places[other]], bend, low: one };
    const [middle_x, middle_y] = bentMiddle(edge);
    const [[x1, y1], [x2, y2]] = edge.ends;
    edge.drawn = draw(svg, "path", { class: "edge", d: `M${x1} ${y1}Q${middle_x} ${middle_y} ${x2} ${y2}` });
    edges.set(edgeKey(one, other), edge);
  }
  showLoads();
  const longest = scene.rows.reduce((most, name) => Math.max(most, name.length), 1);
  const size = Math.min(17, 56 / longest);
  places.forEach(([x, y], node) => {
    const group = draw(svg, "g", { class: "node", "data-node": node });
    draw(group, "circle", { cx: x, cy: y, r: RADIUS });
    draw(group, "text", { class: "name", x, y: y + size * 0.36, "text-anchor": "middle", style: `font-size: ${size}px` }, scene.rows[node]);
    draw(group, "text", { class: "value", x, y: y + RADIUS - 3, "text-anchor": "middle" });
  });
  draw(svg, "g", { id: "dots" });
  draw(svg, "g", { id: "crosses" });
  markDeadlock(svg);
}

/// All of the network is seen beside the waveform, if it can be told apart then.
function fitGraph() {
  if (!scene.graph) return;
  const svg = find("graph");
  const room = innerHeight - svg.getBoundingClientRect().top - scrollY - waveRoom();
  const [least, most] = scene.nodes > MOST_WITH_VALUES ? [320, 760] : [190, 440];
  svg.style.maxHeight = `${Math.min(Math.max(room, least), most)}px`;
}

/// Colours edges by how much they are used, and says what the colours mean.
function showLoads() {
  const { loads } = scene;
  if (!loads) return;
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const busiest = new Map();
  for (const { sender, receiver, share } of loads.each) {
    const key = edgeKey(sender, receiver);
    const edge = edges.get(key)?.drawn;
    if (!edge) continue;
    busiest.set(key, Math.max(busiest.get(key) ?? 0, share));
    edge.dataset.tip = `${edge.dataset.tip ? `${edge.dataset.tip}, ` : ""}${scene.rows[sender]} to ${scene.rows[receiver]}: ${percent(share)}`;
  }
  const colours = () => {
    for (const [key, share] of busiest) edges.get(key).drawn.style.setProperty("--load", colour(share / (loads.most || 1), 1) ?? "var(--line)");
    const legend = find("load_legend");
    legend.replaceChildren();
    ramp(legend, ["0 %", percent(loads.most)], loads.words);
    if (loads.each.some(({ cells }) => cells)) put(put(legend, "span", ""), "i", "", { class: "sample one" }).after("a 1 is on a wire, near who receives it");
  };
  colours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colours);
}

function markDeadlock(svg) {
  const nodes = scene.circle?.nodes ?? [];
  nodes.forEach((node, at) => {
    svg.querySelector(`.node[data-node="${node}"]`).classList.add("stuck");
    edges.get(edgeKey(node, nodes[(at + 1) % nodes.length]))?.drawn.classList.add("waits");
  });
}

/// The point towards which an edge is bent.
function bentMiddle({ ends: [[x1, y1], [x2, y2]], bend }) {
  return [(x1 + x2) / 2 + 2 * bend * (y2 - y1), (y1 + y2) / 2 - 2 * bend * (x2 - x1)];
}

/// The place of a dot on an edge, such a share of the route on. Dots keep to their right, so that those of both directions
/// are seen.
function onEdge(edge, sender, share) {
  const isForward = sender === edge.low;
  const along = isForward ? share : 1 - share;
  const [[x1, y1], [x2, y2]] = edge.ends;
  const [bent_x, bent_y] = bentMiddle(edge);
  const mix = (start, middle, end) => (1 - along) ** 2 * start + 2 * along * (1 - along) * middle + along ** 2 * end;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const aside = isForward ? 7 : -7;
  return [mix(x1, bent_x, x2) - (aside * (y2 - y1)) / length, mix(y1, bent_y, y2) + (aside * (x2 - x1)) / length];
}

/// The nodes that a crossing goes by: its ends, and between them those with relays, if it goes over relays: the shortest part of the
/// whole way from the one to the other.
function nodesOfHop(route, [sender, receiver]) {
  if (areParts(route) || !route.ways?.length) return [sender, receiver];
  const [, way] = route.ways[0];
  const parts = [...way.keys()].filter((at) => way[at] === sender).map((at) => way.slice(at, way.indexOf(receiver, at) + 1));
  const whole = parts.filter((part) => part.length > 1);
  return whole.sort((one, other) => one.length - other.length)[0] ?? [sender, receiver];
}

/// Fills the nodes and puts the dots where messages cross.
function showGraph() {
  if (!scene.graph) return;
  const { most, size, short } = measure();
  document.querySelectorAll("#graph .node").forEach((group, node) => {
    const cell = cellOf(measure(), node);
    const value = size(cell);
    const [circle, name, written] = group.children;
    circle.style.fill = colour(value, most) ?? "var(--ground)";
    // Words on a strong colour have the ground's colour.
    const isStrong = levelOf(value, most) >= 6;
    name.style.fill = written.style.fill = isStrong ? "var(--ground)" : isDark() || value === 0 ? "var(--ink)" : "#1c2430";
    const second = measure().second ? valueAt(measure().second[node], columnOf(state.time)) : 0;
    const words = [cell, second].map(short).filter((word) => word).join(" ");
    written.textContent = words.length <= MOST_WRITTEN && scene.nodes <= MOST_WITH_VALUES ? words : "";
    name.setAttribute("dy", written.textContent ? -5 : 0);
    const all = wordsOf(node, state.time);
    group.dataset.tip = `node ${scene.rows[node]}${all && `: ${all}`}`;
  });
  markFailures();
  const dots = find("dots");
  dots.replaceChildren();
  for (const edge of edges.values()) edge.drawn.classList.remove("busy");
  for (const load of (scene.loads?.each ?? []).filter(isBusy)) {
    const edge = edges.get(edgeKey(load.sender, load.receiver));
    edge.drawn.classList.add("busy");
    const [cx, cy] = onEdge(edge, load.sender, 0.62);
    draw(dots, "circle", { class: "bit", "data-tip": `a 1 goes from node ${scene.rows[load.sender]} to node ${scene.rows[load.receiver]}`, cx, cy, r: scene.nodes > MOST_WITH_VALUES ? 12 : 7 });
  }
  for (const { route, crossing } of crossingNow()) {
    const [sender, receiver, from, to] = crossing;
    const nodes = nodesOfHop(route, crossing);
    const along = ((state.time + 0.5 - from) / (to - from)) * (nodes.length - 1);
    const wire = Math.floor(along);
    const edge = edges.get(edgeKey(nodes[wire], nodes[wire + 1]));
    if (!edge) continue;
    // A dot leaves the sender's circle and reaches the receiver's.
    const [cx, cy] = onEdge(edge, nodes[wire], 0.28 + 0.44 * (along - wire));
    const isSelected = state.selected !== null && route === scene.routes[state.selected];
    const tip = `${route.name} crosses from node ${nameOf(sender)} to node ${nameOf(receiver)}`;
    draw(dots, "circle", { class: isSelected ? "dot on" : "dot", "data-message": route.name, "data-tip": tip, cx, cy, r: isSelected ? 13 : 9, fill: isSelected ? colourOf(route, partsOf(route)({ sender, receiver, from: state.time, to: state.time + 1 })) : messageColour(route) });
  }
}

/// What crosses at the chosen bit time.
function crossingNow() {
  const found = [];
  for (const route of scene.routes) {
    for (const crossing of route.crossings) {
      if (crossing[2] <= state.time && state.time < crossing[3]) found.push({ route, crossing });
    }
  }
  return found;
}

/// Marks nodes and edges of the selected message.
function markGraph(nodes, route) {
  document.querySelectorAll("#graph .node").forEach((group, node) => group.classList.toggle("on", nodes.has(node)));
  for (const edge of edges.values()) {
    edge.drawn.classList.remove("on");
    edge.drawn.style.removeProperty("--part");
  }
  const relays = route && !areParts(route) && route.ways?.length ? route.ways[0][1] : [];
  document.querySelectorAll("#graph .node").forEach((group, node) => group.classList.toggle("via", relays.includes(node) && !nodes.has(node)));
  const parts = route && partsOf(route);
  for (const crossing of route?.crossings ?? []) {
    const nodes = nodesOfHop(route, crossing);
    const [sender, receiver, from, to] = crossing;
    const colour = colourOf(route, parts({ sender, receiver, from, to }));
    for (const [at, node] of nodes.slice(1).entries()) {
      const edge = edges.get(edgeKey(nodes[at], node))?.drawn;
      edge?.classList.add("on");
      edge?.style.setProperty("--part", colour);
    }
  }
}
