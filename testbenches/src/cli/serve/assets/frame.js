// Controls beside the page of a run. Whatever is changed, controls are asked for again, since others may follow from it, and then
// the run. What is given is in the address, and behind it what is looked at on the page.
"use strict";

/// A change is waited for so long, in milliseconds: a slider that is drawn makes many.
const PAUSE = 120;
/// How often it is looked what is selected on the page.
const BETWEEN_LOOKS = 500;

const find = (id) => document.getElementById(id);
const state = {
  /// What is given: `bench` first, then parameters, the last that was changed last.
  given: new URLSearchParams(location.search),
  /// What is looked at on the next page, as its address says it.
  looked: location.hash,
  timer: null,
  asking: null,
  /// What was changed last.
  changed: "",
  began: 0,
  /// The mouse is held on a control, and what is to be shown of controls once it is let go.
  isHeld: false,
  said: null,
};

function put(parent, tag, text = "", attributes = {}) {
  const element = parent.appendChild(document.createElement(tag));
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element[name] = value;
  return element;
}

const front = () => document.querySelector("iframe.front");
const back = () => document.querySelector("iframe.back");

/// What is selected on the page that is seen.
const selected = () => front().contentWindow.location.hash;

/// The name of the message that is selected there.
const selectedMessage = () => front().contentDocument.querySelector("#messages button.on")?.textContent;

function refuse(why) {
  find("refusal").hidden = why === "";
  find("refusal").textContent = why;
  if (why) say("");
}

function say(words, busy = false) {
  find("state").hidden = words === "";
  find("state").textContent = words;
  find("state").classList.toggle("busy", busy);
}

/// Gives a parameter a value; with none, it is left to the testbench.
function give(name, value) {
  state.changed = name;
  state.given.delete(name);
  if (value !== "" && value !== null) state.given.append(name, value);
  state.looked = selected() || state.looked;
  clearTimeout(state.timer);
  state.timer = setTimeout(ask, PAUSE);
}

/// Asks for controls, and then for the run.
async function ask() {
  state.asking?.abort();
  state.asking = new AbortController();
  state.began = performance.now();
  say("Running", true);
  try {
    const answer = await fetch(`/controls?${state.given}`, { signal: state.asking.signal });
    const said = await answer.json();
    if (said.error) {
      refuse(said.error);
      return;
    }
    // A slider that is held is not taken away.
    if (state.isHeld) state.said = said;
    else show(said);
    // A page that is still waited for is given up with this.
    back().contentWindow.location.replace(`/run?${state.given}${state.looked}`);
    keepAddress();
  } catch (error) {
    if (error.name !== "AbortError") refuse("The server does not answer: it may have been stopped.");
  }
}

/// A run has been answered: its page comes to the front, or it is said why there is none.
function loaded({ target }) {
  const page = target.contentDocument;
  if (!target.classList.contains("back") || target.contentWindow.location.href === "about:blank") return;
  if (!page || page.contentType !== "text/html") {
    const why = page?.body.textContent || "The server does not answer: it may have been stopped.";
    // Another run may not have the message that was followed in the last.
    if (why.startsWith("--trace-message") && state.changed !== "trace_message") give("trace_message", null);
    else refuse(why);
    return;
  }
  refuse("");
  const old = front();
  for (const frame of [old, target]) frame.className = frame === old ? "back" : "front";
  say(`${page.title}: ready after ${((performance.now() - state.began) / 1000).toFixed(2)} s`);
  document.title = `cubewave: ${page.title}`;
}

function keepAddress() {
  const hash = selected() || state.looked;
  const address = `/?${state.given}${hash}`;
  if (address !== `${location.pathname}${location.search}${location.hash}`) history.replaceState(null, "", address);
}

function show({ benches, models, controls }) {
  const list = find("bench");
  list.replaceChildren();
  let group = null;
  for (const { purpose, name, query, is_chosen } of benches) {
    if (group?.label !== purpose) group = put(list, "optgroup", "", { label: purpose });
    put(group, "option", name, { value: query, selected: is_chosen });
  }
  find("models").textContent = models;
  // What has the focus is being changed, and is left as it is.
  const focus = document.activeElement?.dataset.name;
  const place = document.activeElement?.dataset.place;
  const kept = find("controls").contains(document.activeElement) ? document.activeElement.closest(".control") : null;
  find("controls").replaceChildren();
  let set = null;
  for (const control of controls) {
    if (set?.dataset.heading !== control.heading) {
      set = put(find("controls"), "fieldset");
      set.dataset.heading = control.heading;
      put(set, "legend", control.heading);
    }
    showControl(set, control);
  }
  if (kept) document.querySelector(`[data-name="${focus}"][data-place="${place}"]`)?.focus();
}

/// An element of a control, which keeps its place when controls are shown anew.
function part(row, control, place, tag, text, attributes) {
  const element = put(row, tag, text, attributes);
  element.dataset.name = control.name;
  element.dataset.place = place;
  return element;
}

function showControl(set, control) {
  const { name, option, help, kind, value, is_given } = control;
  const whole = put(set, "div", "", { className: is_given ? "control given" : "control", title: `${option}: ${help}` });
  const label = put(whole, "label", option.replace(/^--/, "").replaceAll("-", " "), { htmlFor: `is_${name}` });
  if (is_given) {
    const leave = put(label, "button", "↺", { type: "button", className: "left", title: "Leave it to the testbench" });
    leave.addEventListener("click", () => give(name, null));
  }
  const row = put(whole, "div", "", { className: "row" });
  const field = (tag, attributes) => part(row, control, "field", tag, "", { id: `is_${name}`, ...attributes });
  switch (kind) {
    case "choice": {
      const list = field("select", {});
      for (const known of control.names) put(list, "option", known, { value: known, selected: known === value });
      list.addEventListener("change", () => give(name, list.value));
      break;
    }
    case "switch": {
      const box = field("input", { type: "checkbox", checked: value !== null });
      box.addEventListener("change", () => give(name, box.checked ? "on" : null));
      break;
    }
    case "message":
    case "text": {
      const text = field("input", { type: "text", value: value ?? "", placeholder: "left to the testbench" });
      text.addEventListener("change", () => give(name, text.value.trim()));
      if (kind === "message") {
        const take = part(row, control, "take", "button", "the selected one", { type: "button" });
        take.addEventListener("click", () => selectedMessage() && give(name, selectedMessage()));
      }
      break;
    }
    default:
      showNumber(row, control, field);
  }
}

/// A number, with a slider that goes well beyond it.
function showNumber(row, control, field) {
  const { name, kind, value } = control;
  const [least, by] = { whole: [control.least ?? 0, 1], share: [0, 0.05], amount: [1, 0.5] }[kind];
  const beyond = Math.max(16, 2 ** Math.ceil(Math.log2(2 * (value ?? 1) + 1)));
  const most = kind === "share" ? 1 : Math.min(control.most ?? Infinity, beyond);
  const slider = part(row, control, "slider", "input", "", { type: "range", min: least, max: most, step: by, value: value ?? least });
  const number = field("input", { type: "number", value: value ?? "", placeholder: "chosen", step: kind === "whole" ? 1 : "any", min: least });
  slider.addEventListener("input", () => {
    number.value = slider.value;
    give(name, slider.value);
  });
  number.addEventListener("change", () => give(name, number.value));
}

function start() {
  for (const frame of document.querySelectorAll("iframe")) frame.addEventListener("load", loaded);
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  find("controls").addEventListener("pointerdown", () => (state.isHeld = true));
  document.addEventListener("pointerup", () => {
    state.isHeld = false;
    if (state.said) show(state.said);
    state.said = null;
  });
  find("bench").addEventListener("change", () => {
    state.given = new URLSearchParams(find("bench").value);
    state.looked = "";
    ask();
  });
  setInterval(() => find("refusal").hidden && keepAddress(), BETWEEN_LOOKS);
  ask();
}

start();
