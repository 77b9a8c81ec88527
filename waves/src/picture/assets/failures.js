// Wires that fail, and messages that they harm.

const restored = new Set(scene.harm?.restored);
const lost = new Set(scene.harm?.lost);

/// How much a message was harmed: not at all, so that it was restored, or so that it was lost.
function harmed({ name }) {
  return lost.has(name) ? 2 : restored.has(name) ? 1 : 0;
}

/// Lists them above the chart.
function showFailures() {
  const list = find("failures");
  list.hidden = scene.failures.length === 0;
  for (const { words } of scene.failures) put(list, "li", words);
  if (scene.harm && scene.failures.length) put(list, "li", scene.harm.words);
}

/// What became of the selected message.
function showFate(route) {
  const words = (route && scene.harm?.fates[route.name]) ?? "";
  find("fate").textContent = words;
  find("fate").classList.toggle("lost", route !== null && harmed(route) === 2);
}

/// In the chart, a line from sender to receiver where a wire begins to fail.
function drawFailures(overlay) {
  for (const { sender, receiver, from, words } of scene.failures) {
    const [x, start, end] = [layout.x(from), layout.middle(rowOf(sender)), layout.middle(rowOf(receiver))];
    draw(overlay, "path", { class: "failure", "data-tip": words, d: `M${x} ${start}V${end}` });
    draw(overlay, "circle", { class: "failure-end", "data-tip": words, cx: x, cy: start, r: 4 });
    draw(overlay, "path", { class: "failure-end", "data-tip": words, d: `M${x} ${end}l-4 ${end < start ? 7 : -7}h8z` });
  }
}

/// In the network, a cross on the side of the sender, once a wire fails.
function markFailures() {
  document.querySelectorAll(".edge.failed").forEach((edge) => edge.classList.remove("failed"));
  const crosses = find("crosses");
  crosses.replaceChildren();
  for (const { sender, receiver, words } of scene.failures.filter(({ from }) => from <= state.time)) {
    const edge = edges.get(edgeKey(sender, receiver));
    if (!edge) continue;
    edge.drawn.classList.add("failed");
    const [x, y] = onEdge(edge, sender, 0.4);
    draw(crosses, "path", { class: "failed-mark", "data-tip": words, d: `M${x - 8} ${y - 8}l16 16m0 -16l-16 16` });
  }
}
