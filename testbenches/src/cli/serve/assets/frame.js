// Controls beside the page of a run. Whatever is changed, controls are asked for again, since others may follow from it, and then
// the run. What is given is in the address, and behind it what is looked at on the page.
"use strict";

/// So long after a change it is asked, in milliseconds: a slider that is dragged makes many.
const PAUSE = 120;
/// How often to look what is selected on the page, in milliseconds.
const BETWEEN_LOOKS = 500;

const GONE = "The server does not answer: it may have been stopped.";

const find = (id) => document.getElementById(id);
const state = {
  /// What is given: the testbench, then parameters, the last that was changed last.
  given: new URLSearchParams(location.search),
  /// What is looked at on the next page, as its address says it.
  looked: location.hash,
  timer: null,
  asking: null,
  /// What was changed last.
  changed: "",
  began: 0,
  /// The page that is seen, and the one that is waited for.
  front: null,
  next: null,
  /// The mouse is held on a control; and what is to be shown of controls once they may be shown anew.
  isHeld: false,
  said: null,
};

function put(parent, tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element[name] = value;
  return parent.appendChild(element);
}

/// What is selected on the page that is seen, if it is one of the testbench that is chosen.
function looked() {
  const isOfBench = state.front?.dataset.bench === String(state.given.get("bench"));
  return (isOfBench && state.front.contentWindow.location.hash) || state.looked;
}

/// The name of the message that is selected there.
const selectedMessage = () => state.front?.contentDocument.getElementById("selection").dataset.selected;

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
  state.looked = looked();
  state.given.delete(name);
  if (value !== "" && value !== null) state.given.append(name, value);
  clearTimeout(state.timer);
  state.timer = setTimeout(ask, PAUSE);
}

/// Asks for controls, and then for the run. What was asked for before is given up.
async function ask() {
  clearTimeout(state.timer);
  state.timer = null;
  state.asking?.abort();
  state.asking = new AbortController();
  state.next?.remove();
  state.next = null;
  state.began = performance.now();
  say("Running", true);
  try {
    const answer = await fetch(`/controls?${state.given}`, { signal: state.asking.signal });
    const isJson = answer.headers.get("content-type") === "application/json";
    const said = isJson ? await answer.json() : { error: await answer.text() };
    if (said.error) {
      refuse(said.error);
      return;
    }
    state.said = said;
    showSaid();
    load();
    keepAddress();
  } catch (error) {
    if (error.name !== "AbortError") refuse(GONE);
  }
}

/// Asks for the page of the run, behind the one that is seen.
function load() {
  const frame = document.createElement("iframe");
  frame.title = "The run";
  frame.dataset.bench = String(state.given.get("bench"));
  frame.src = `/run?${state.given}${state.looked}`;
  frame.addEventListener("load", () => loaded(frame));
  state.next = find("frames").appendChild(frame);
}

/// A run has been answered: its page comes to the front, or it is said why there is none.
function loaded(frame) {
  if (frame !== state.next) return;
  state.next = null;
  const page = frame.contentDocument;
  if (page?.contentType !== "text/html") {
    frame.remove();
    const why = page?.body.textContent || GONE;
    // Another run may not have the message that was followed in the last.
    if (why.startsWith("--trace-message") && state.changed !== "trace_message") give("trace_message", null);
    else refuse(why);
    return;
  }
  refuse("");
  state.front?.remove();
  state.front = frame;
  frame.className = "front";
  say(`${page.title}: ready after ${((performance.now() - state.began) / 1000).toFixed(2)} s`);
  document.title = `cubewave: ${page.title}`;
}

function keepAddress() {
  const address = `/?${state.given}${looked()}`;
  if (address !== `${location.pathname}${location.search}${location.hash}`) history.replaceState(null, "", address);
}

/// Shows controls anew, unless somebody holds one or types into it: then later.
function showSaid() {
  const field = document.activeElement;
  const isTyped = field?.dataset.shown !== undefined && field.value !== field.dataset.shown;
  if (!state.said || state.isHeld || isTyped || state.timer !== null) return;
  show(state.said);
  state.said = null;
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
  // What has the focus keeps it.
  const { name, place } = document.activeElement?.dataset ?? {};
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
  if (name) document.querySelector(`[data-name="${name}"][data-place="${place}"]`)?.focus();
}

/// An element of a control, which has a place in it.
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
      typed(name, field("input", { type: "text", value: value ?? "", placeholder: "left to the testbench" }));
      if (kind === "message") {
        const take = part(row, control, "take", "button", "the selected one", { type: "button" });
        take.addEventListener("click", () => (selectedMessage() ? give(name, selectedMessage()) : refuse("No message is selected on the page.")));
      }
      break;
    }
    default:
      showNumber(row, control, field);
  }
}

/// A field into which a value is typed.
function typed(name, field) {
  field.dataset.shown = field.value;
  field.addEventListener("change", () => {
    field.dataset.shown = field.value;
    give(name, field.value.trim());
  });
}

/// A number, with a slider that goes well beyond it.
function showNumber(row, control, field) {
  const { name, kind, value } = control;
  const [least, by] = { whole: [control.least ?? 0, 1], share: [0, 0.05], amount: [1, 0.5] }[kind];
  const beyond = Math.max(16, 2 ** Math.ceil(Math.log2(2 * (value ?? 1) + 1)));
  const most = kind === "share" ? 1 : Math.min(control.most ?? Infinity, beyond);
  const slider = part(row, control, "slider", "input", "", { type: "range", min: least, max: most, step: by, value: value ?? least });
  const number = field("input", { type: "number", value: value ?? "", placeholder: "left", step: kind === "whole" ? 1 : "any", min: least });
  typed(name, number);
  slider.addEventListener("input", () => {
    number.value = number.dataset.shown = slider.value;
    give(name, slider.value);
  });
}

function start() {
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  find("controls").addEventListener("pointerdown", () => (state.isHeld = true));
  // A click comes after this: what is clicked is still there.
  const letGo = () => {
    state.isHeld = false;
    setTimeout(showSaid);
  };
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, letGo);
  for (const kind of ["blur", "focusout"]) addEventListener(kind, letGo);
  find("bench").addEventListener("change", () => {
    state.given = new URLSearchParams(find("bench").value);
    state.looked = "";
    state.changed = "bench";
    ask();
  });
  addEventListener("hashchange", () => state.front && (state.front.contentWindow.location.hash = location.hash));
  setInterval(() => state.front && !state.next && find("refusal").hidden && keepAddress(), BETWEEN_LOOKS);
  ask();
}

start();
