// Where everything in the chart is, in pixels: from top to bottom iterations, steps, links, the axis, the rows of nodes.

let layout = null;

const FONT = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
/// Words nearer than this to each other, one above the other, would collide.
const LINE = 12;

/// The share of the chart that the last bit time has at the least.
const LEAST_END = 0.03;

/// With more texts about the machine none of what they say stands upright.
const MOST_UPRIGHT = 2;

const ruler = document.createElement("canvas").getContext("2d");

function widthOf(words) {
  ruler.font = FONT;
  return ruler.measureText(words).width;
}

function makeLayout() {
  const { bit_times: times, rows } = scene.bins;
  const names = [...scene.rows, ...scene.links.map((link) => link.name), ...scene.texts.map((text) => text.name), ...(scene.bands.length ? [scene.steps, scene.iterations] : [])];
  const longest = names.reduce((most, name) => Math.max(most, widthOf(name)), 24);
  const left = Math.min(Math.ceil(longest) + 14, 240);
  const right = scene.circle ? 74 : 16;
  const width = Math.max(find("chart").clientWidth - left - right, 200);
  // What the run leaves is seen for longer than a bit time.
  const [last, share] = [times - 1, Math.max(1 / times, LEAST_END)];
  const x = (time) => left + width * (time < last ? ((1 - share) * time) / last : 1 - share + share * (time - last));

  const timeAt = (place) => {
    const along = (place - left) / width;
    return Math.floor(along < 1 - share ? (along * last) / (1 - share) : last + (along - 1 + share) / share);
  };
  const made = { left, right, width, x, timeAt, rows };
  let y = 4;
  made.iterations = { y, height: scene.bands.some((band) => band.iteration !== null) ? 17 : 0 };
  y += made.iterations.height;
  made.bands = { y, height: namesHeight(scene.bands, x) };
  y += made.bands.height + (scene.bands.length ? 8 : 0);
  made.texts = scene.texts.map((text) => {
    // Many rows would leave no room for the chart.
    const row = { y, height: scene.texts.length > MOST_UPRIGHT ? 17 : namesHeight(text.says, x) };
    y += row.height + 4;
    return row;
  });
  made.linkHeight = scene.links.length > 12 ? 6 : 13;
  made.links = { y, height: scene.links.length * made.linkHeight };
  y += made.links.height + 20;
  // All rows are seen beside the waveform if they can be told apart then; else they are as high as they need to be.
  const room = innerHeight - find("drawing").getBoundingClientRect().top - scrollY - y - 60 - waveRoom();
  const [least, most] = [Math.min(Math.max(Math.floor(224 / rows), 2), 4), 34];
  made.rowHeight = Math.min(Math.max(Math.floor(room / rows), least), most);
  made.chart = { y, height: rows * made.rowHeight };
  made.height = y + made.chart.height + 38;
  made.rowY = (row) => made.chart.y + row * made.rowHeight;
  made.middle = (row) => made.rowY(row) + made.rowHeight / 2;
  layout = made;
}

/// The lines of a name that is not too long for so many pixels, if there is a colon to end one at.
const linesOf = (name, room) => [[name], name.split(":")].find((lines) => lines.every((line) => widthOf(line) + 2 <= room));

/// Names of what follows each other have two lines or stand upright where they are too long for their time, if there is room.
function namesHeight(all, x) {
  let height = all.length ? 17 : 0;
  for (const one of all) {
    const room = x(one.to) - x(one.from);
    const [lines, length] = [linesOf(one.name, room), widthOf(one.name) + 8];
    if (lines) height = Math.max(height, 4 + 13 * lines.length);
    else if (room >= LINE && length <= 100) height = Math.max(height, length);
  }
  return Math.ceil(height);
}

/// A step of the axis: 1, 2 or 5 times a power of ten, so that its labels do not collide.
function axisStep() {
  const { bit_times: times } = scene.bins;
  const room = widthOf(String(times)) + 24;
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      if ((layout.width * step) / times >= room) return step;
    }
  }
}

/// What is at a place of the chart: a bit time, and a row or null.
function placeAt(x, y) {
  const { bit_times: times } = scene.bins;
  const time = layout.timeAt(x);
  if (time < 0 || time >= times) return null;
  const row = Math.floor((y - layout.chart.y) / layout.rowHeight);
  return { time, row: row >= 0 && row < layout.rows ? row : null };
}
