"use strict";
// What is drawn, as the program wrote it, and what may be asked of it. Numbers of nodes and messages count from 0; what
// lasts `from` bit time f `to` bit time t ends before t.

const scene = JSON.parse(document.getElementById("run").textContent);

/// What changes while the page is open: the bit time, the timer while it plays, the place of the selected message, the selected
/// node, and the place of what colours stand for.
const state = { time: 0, waveFrom: 0, waveSpan: 96, timer: null, selected: null, wasSelected: false, node: null, measure: 0 };

const find = (id) => document.getElementById(id);

/// Adds an SVG element to another one.
function draw(parent, name, attributes, words) {
  const added = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) {
    added.setAttribute(attribute, value);
  }
  if (words !== undefined) added.textContent = words;
  parent.append(added);
  return added;
}

/// Adds an HTML element to another one.
function put(parent, name, words, attributes = {}) {
  const added = document.createElement(name);
  if (words !== undefined) added.textContent = words;
  for (const [attribute, value] of Object.entries(attributes)) {
    added.setAttribute(attribute, value);
  }
  parent.append(added);
  return added;
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => darkness.matches;

/// The colour of a value, or nothing for 0. The steps are those of the program, which draws SVGs with them.
function colour(value, most) {
  const step = levelOf(value, most);
  return step < 0 ? null : scene.scales[isDark() ? 1 : 0][step];
}

function levelOf(value, most) {
  const steps = scene.scales[0].length;
  return Math.min(Math.ceil((value * steps) / Math.max(most, 1)), steps) - 1;
}

const rowOf = (node) => Math.floor(node / scene.bins.nodes_a_row);
const columnOf = (time) => Math.floor(time / scene.bins.times_a_column);

/// The value of a column. Cells are columns and values in turn, a pair wherever the value changes.
function valueAt(cells, column) {
  let low = 0;
  let high = cells.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[2 * middle] <= column) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : cells[2 * low - 1];
}

/// Calls back with the first bit time, the one after the last, and the value of each run of equal cells.
function eachRun(cells, callback) {
  const time = (column) => Math.min(column * scene.bins.times_a_column, scene.bins.bit_times);
  for (let at = 0; at < cells.length; at += 2) {
    const until = at + 2 < cells.length ? cells[at + 2] : scene.bins.columns;
    if (cells[at + 1] > 0) callback(time(cells[at]), time(until), cells[at + 1]);
  }
}

const nameOf = (node) => scene.names[node] ?? String(node);

/// The nodes on a route: those where it stays, and both ends of every wire that it crosses.
function visited(route) {
  const nodes = new Set(route.stays.map(([node]) => node));
  for (const [sender, receiver] of route.crossings) nodes.add(sender).add(receiver);
  return nodes;
}

/// The colour of a message: always the same for the same name.
function messageColour(route) {
  let hash = 2166136261;
  for (const character of route.name) {
    hash = Math.imul(hash ^ character.codePointAt(0), 16777619) >>> 0;
  }
  return `hsl(${hash % 360} ${60 + (hash >>> 9) % 30}% ${isDark() ? 66 : 42}%)`;
}

/// The place of the message of this name, or null.
function routeCalled(name) {
  const place = scene.routes.findIndex((route) => route.name === name);
  return place < 0 ? null : place;
}
