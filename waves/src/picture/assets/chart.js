// The chart without the routes: cells, strips of links, steps, axis, names of rows, the deadlock.

function drawChart() {
  makeLayout();
  find("overlay")?.remove();
  const { left, right, width, height } = layout;
  const drawing = find("drawing");
  drawing.style.height = `${height}px`;
  const overlay = draw(drawing, "svg", { id: "overlay", width: left + width + right, height });
  // In low rows a thick line would hide what is beside it.
  overlay.style.setProperty("--thick", Math.min(1, layout.rowHeight / 9));
  drawCells();
  drawBands(overlay);
  drawTexts(overlay);
  drawLinks(overlay);
  drawAxis(overlay);
  drawCircle(overlay);
  drawFailures(overlay);
  drawRowNames(overlay);
  drawLegend();
  draw(overlay, "rect", { class: "now", id: "now", y: layout.bands.y, height: layout.chart.y + layout.chart.height - layout.bands.y });
  drawRoutes(overlay);
}

/// Cells of nodes and of links, on the canvas.
function drawCells() {
  const { width, left, right, height, x, rowHeight, linkHeight } = layout;
  const canvas = find("cells");
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.ceil((left + width + right) * sharp);
  canvas.height = Math.ceil(height * sharp);
  canvas.style.width = `${left + width + right}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(sharp, sharp);

  const strip = (cells, y, tall, most, size = (value) => value) => {
    const runs = [];
    eachRun(cells, (from, to, value) => runs.push([from, to, size(value)]));
    // Where several columns share a pixel, the largest value is seen.
    if (scene.bins.columns > width) runs.sort((one, other) => one[2] - other[2]);
    for (const [from, to, value] of runs) {
      if (value === 0) continue;
      context.fillStyle = colour(value, most);
      const start = Math.round(x(from) * sharp) / sharp;
      context.fillRect(start, y, Math.max(Math.round(x(to) * sharp) / sharp - start, 1 / sharp), tall);
    }
  };
  const gap = rowHeight >= 6 ? 1 : 0;
  const { cells, second, most, size } = measure();
  cells.forEach((row, at) => strip(row, layout.rowY(at), rowHeight - gap, most, size));
  // Of a node that has two the second is in the lower half.
  const half = Math.floor((rowHeight - gap) / 2);
  second?.forEach((row, at) => strip(row, layout.rowY(at) + rowHeight - gap - half, half, most, size));
  scene.links.forEach((link, at) => strip(link.cells, layout.links.y + at * linkHeight, linkHeight - 1, scene.full_link));
}

/// Steps and iterations: tints, names where there is room, and a tooltip everywhere.
function drawBands(overlay) {
  if (!scene.bands.length) return;
  const { x, left, bands, iterations, chart } = layout;
  scene.bands.forEach((band, at) => {
    const [start, end] = [x(band.from), x(band.to)];
    const counted = band.iteration === null ? "" : `, ${scene.iterations} ${band.iteration}`;
    const tip = `${band.name}${counted}, bit times ${band.from} to ${band.to - 1}`;
    draw(overlay, "rect", { class: at % 2 ? "band other" : "band", x: start, y: bands.y, width: end - start, height: bands.height, "data-tip": tip });
    draw(overlay, "line", { class: "step-line", x1: start, x2: start, y1: bands.y + bands.height, y2: chart.y + chart.height });
    bandName(overlay, band.name, start, end, bands);
  });
  draw(overlay, "text", { x: left - 8, y: bands.y + bands.height / 2 + 4, "text-anchor": "end" }, scene.steps);
  if (iterations.height) drawIterations(overlay);
}

/// What is said of the machine, a row for each text.
function drawTexts(overlay) {
  const { x, left } = layout;
  scene.texts.forEach(({ name, says }, at) => {
    const row = layout.texts[at];
    draw(overlay, "text", { x: left - 8, y: row.y + row.height / 2 + 4, "text-anchor": "end" }, name);
    says.forEach((said, place) => {
      const [start, end] = [x(said.from), x(said.to)];
      const tip = `${name} ${said.name}, bit times ${said.from} to ${said.to - 1}`;
      const batch = /^(\d+):/.exec(said.name)?.[1];
      const bar = draw(overlay, "rect", { class: place % 2 ? "band other" : "band", x: start, y: row.y, width: end - start, height: row.height, "data-tip": tip });
      // A batch has its colour in all stages, and that of the selected message a frame.
      if (batch !== undefined) {
        bar.classList.add("batch");
        bar.dataset.batch = batch;
        bar.style.setProperty("--batch", `hsl(${(Number(batch) * 67 + 200) % 360} 60% ${isDark() ? 30 : 88}%)`);
      }
      bandName(overlay, said.name, start, end, row);
    });
  });
}

/// The name of what lasts so long, along its row or upright, if there is room; of a numbered step or batch else its number.
function bandName(overlay, name, start, end, bands) {
  const [middle, length, lines] = [(start + end) / 2, widthOf(name), linesOf(name, end - start)];
  if (lines && 13 * lines.length <= bands.height) {
    const y = bands.y + bands.height / 2 + 4 - 6.5 * (lines.length - 1);
    lines.forEach((line, at) => {
      draw(overlay, "text", { class: "band-name", x: middle, y: y + 13 * at, "text-anchor": "middle", "pointer-events": "none" }, line);
    });
  } else if (end - start >= LINE && length + 6 <= bands.height) {
    const y = bands.y + bands.height - 5;
    const turned = `rotate(-90 ${middle + 4} ${y})`;
    draw(overlay, "text", { class: "band-name", x: middle + 4, y, transform: turned, "pointer-events": "none" }, name);
  } else if (/^\d+_/.test(name)) {
    bandName(overlay, name.split("_")[0], start, end, bands);
  } else if (/^\d+:/.test(name)) {
    const [batch, step] = name.split(":");
    bandName(overlay, widthOf(step) + 2 <= end - start ? step : batch, start, end, bands);
  }
}

/// Steps that follow each other in one iteration have its number above them.
function drawIterations(overlay) {
  const { x, left, iterations } = layout;
  const groups = [];
  for (const { from, to, iteration } of scene.bands) {
    const last = groups.at(-1);
    if (last && last.iteration === iteration) last.to = to;
    else groups.push({ from, to, iteration });
  }
  for (const { from, to, iteration } of groups.filter((group) => group.iteration !== null)) {
    const [start, end] = [x(from) + 1, x(to) - 1];
    draw(overlay, "line", { class: "tick", x1: start, x2: Math.max(end, start), y1: iterations.y + 14.5, y2: iterations.y + 14.5 });
    const words = String(iteration);
    if (widthOf(words) + 4 > end - start) continue;
    draw(overlay, "text", { x: (start + end) / 2, y: iterations.y + 10, "text-anchor": "middle" }, words);
  }
  draw(overlay, "text", { x: left - 8, y: iterations.y + 11, "text-anchor": "end" }, scene.iterations);
}

function drawLinks(overlay) {
  const { left, width, links, linkHeight } = layout;
  if (!scene.links.length) return;
  draw(overlay, "rect", { class: "frame", x: left - 0.5, y: links.y - 0.5, width: width + 1, height: links.height + 0.5 });
  const each = Math.ceil(LINE / linkHeight);
  scene.links.forEach((link, at) => {
    if (at % each) return;
    draw(overlay, "text", { x: left - 8, y: links.y + at * linkHeight + linkHeight / 2 + 3.5, "text-anchor": "end" }, link.name);
  });
}

/// Bit times, above and below the rows.
function drawAxis(overlay) {
  const { x, left, width, chart } = layout;
  const bottom = chart.y + chart.height;
  draw(overlay, "rect", { class: "frame", x: left - 0.5, y: chart.y - 0.5, width: width + 1, height: chart.height + 1 });
  for (let time = 0; time <= scene.bins.bit_times; time += axisStep()) {
    for (const [y, towards, words] of [[chart.y, -4, chart.y - 7], [bottom, 4, bottom + 15]]) {
      draw(overlay, "line", { class: "tick", x1: x(time), x2: x(time), y1: y, y2: y + towards });
      draw(overlay, "text", { x: x(time), y: words, "text-anchor": "middle" }, String(time));
    }
  }
  draw(overlay, "text", { x: left + width / 2, y: bottom + 31, "text-anchor": "middle" }, "bit time");
}

/// The names of all rows. Which of them are to be seen is decided in `thin`.
function drawRowNames(overlay) {
  const group = draw(overlay, "g", { id: "row_names" });
  scene.rows.forEach((name, row) => {
    draw(group, "text", { class: "row-label", "data-row": row, x: layout.left - 8, y: layout.middle(row) + 4, "text-anchor": "end" }, name);
  });
  for (const node of scene.circle?.nodes ?? []) {
    group.children[rowOf(node)].classList.add("stuck");
  }
}

/// Hides names of rows that would collide: first those of a selected message have a place, then those of the deadlock, then
/// every second, fourth, eighth .. one.
function thin() {
  const names = [...document.querySelectorAll(".row-label")];
  let each = 1;
  while (each * layout.rowHeight < LINE) each *= 2;
  const taken = [];
  const place = (name, row) => {
    const y = layout.middle(row);
    const isFree = taken.every((other) => Math.abs(other - y) >= LINE - 0.5);
    if (isFree) taken.push(y);
    name.classList.toggle("thinned", !isFree);
  };
  const route = scene.routes[state.selected ?? -1];
  const ends = new Set(route ? [route.stays[0]?.[0], route.stays.at(-1)?.[0], ...hopsOf(route).slice(-1).map(({ receiver }) => receiver)].map((node) => rowOf(node ?? -1)) : []);
  const isSelected = (name) => name.classList.contains("on") || name.classList.contains("picked");
  const urgency = (name) => (isSelected(name) ? (ends.has(Number(name.dataset.row)) ? -1 : 0) : name.classList.contains("stuck") ? 1 : 2);
  for (const rank of [-1, 0, 1, 2]) {
    names.forEach((name, row) => {
      if (urgency(name) !== rank) return;
      if (rank === 2 && row % each) name.classList.add("thinned");
      else place(name, row);
    });
  }
}

/// The rows of a deadlock, and arrows from each node to the one that it waits for.
function drawCircle(overlay) {
  if (!scene.circle) return;
  const { x, left, width, rowHeight } = layout;
  const { since, nodes } = scene.circle;
  const start = Math.min(x(since), left + width - 3);
  for (const row of new Set(nodes.map(rowOf))) {
    draw(overlay, "rect", { class: "stuck-row", x: start, y: layout.rowY(row), width: left + width - start, height: rowHeight - 1 });
  }
  nodes.forEach((node, at) => {
    const [from, to] = [node, nodes[(at + 1) % nodes.length]].map((end) => layout.middle(rowOf(end)));
    const edge = left + width + 2;
    // Long arrows reach farther out, so that arcs do not lie on each other; those upwards lie outside of those downwards.
    const share = Math.abs(to - from) / layout.chart.height;
    const out = edge + 16 + 40 * Math.sqrt(share) + (to < from ? 12 : 0);
    const shift = Math.min(rowHeight / 5, 4);
    const [begin, end] = [from + shift, to - shift];
    draw(overlay, "path", { class: "waits", d: `M${edge} ${begin}C${out} ${begin} ${out} ${end} ${edge + 6} ${end}` });
    draw(overlay, "path", { class: "waits-head", d: `M${edge} ${end}l8 -4v8z` });
  });
}

/// The colours from the smallest value to the largest; those before the smallest one's are left out.
function ramp(legend, [least, most], words, first = 0) {
  const entry = put(legend, "span", "");
  put(entry, "b", String(least));
  const steps = put(entry, "span", "", { class: "ramp" });
  for (const step of scene.scales[isDark() ? 1 : 0].slice(first)) put(steps, "i", "", { style: `background: ${step}` });
  put(entry, "b", String(most));
  entry.append(` ${words}`);
}

function drawLegend() {
  const legend = find("legend");
  legend.replaceChildren();
  const { name, most, ends, least } = measure();
  if (most > 0) ramp(legend, ends, name, Math.max(levelOf(least, most), 0));
  if (scene.links.length) ramp(legend, [1, scene.full_link], scene.linked);
  if (scene.routes.length) {
    put(put(legend, "span", ""), "i", "", { class: "sample" }).after("the selected message");
  }
  if (scene.routes.some(({ ways }) => ways?.length === 1)) put(put(legend, "span", ""), "i", "", { class: "sample via" }).after("in the network: nodes whose relays pass it on");
  if (scene.failures.length) put(put(legend, "span", ""), "i", "", { class: "sample failing" }).after("a wire begins to fail, from its sender to its receiver");
  if (scene.circle) put(put(legend, "span", ""), "i", "", { class: "sample stuck" }).after("nodes of the deadlock");
}
