"use strict";
/* The workbench's keyboard, its saving, its undo. Without this file the page is a plain form with Save and Submit. */

const form = document.getElementById("judging");
const trouble = document.getElementById("trouble");
const status = form.querySelector("[data-status]");
const undoButton = form.querySelector("[data-undo]");
const keys = document.getElementById("keys");
const units = [...form.querySelectorAll("[data-unit]")];
const version = form.elements.version;

const SAVE_AFTER = 600;
const RETRY_AT_MOST = 30000;

/* What a unit holds: read, written back, shown */

const field = (unit, kind) => unit.querySelector(`textarea[name^="${kind}-"]`);
const boxes = (unit, kind) => [...unit.querySelectorAll(`input[name^="${kind}-"]`)];
const chosen = (unit, kind) => boxes(unit, kind).find((box) => box.checked)?.value ?? "";

function read(unit) {
  return {
    value: chosen(unit, "value"),
    type: chosen(unit, "type"),
    reason: field(unit, "reason").value,
    references: field(unit, "references").value,
  };
}

function write(unit, state) {
  for (const box of boxes(unit, "value")) box.checked = box.value === state.value;
  for (const box of boxes(unit, "type")) box.checked = box.value === state.type;
  field(unit, "reason").value = state.reason;
  field(unit, "references").value = state.references;
}

const wholeOf = (unit) => units.find((each) => each.dataset.segment === unit.dataset.segment && !("required" in each.dataset));

function isOpen(unit) {
  if (!("required" in unit.dataset) || chosen(unit, "value")) return false;
  const whole = wholeOf(unit);
  return !(whole && chosen(whole, "value"));
}

function summary(state) {
  const count = state.references.split("\n").filter((line) => line.trim()).length;
  const type = state.type && state.type[0].toUpperCase() + state.type.slice(1);
  const references = count && `${count} reference${count === 1 ? "" : "s"}`;
  return [type, state.reason.trim(), references].filter(Boolean).join(" · ");
}

function show(unit) {
  const state = read(unit);
  unit.classList.remove("supported", "not_supported", "irrelevant", "open");
  unit.classList.add(state.value || "open");
  unit.querySelector("[data-said]").textContent = summary(state);
}

function showProgress() {
  const required = units.filter((unit) => "required" in unit.dataset);
  const open = required.filter(isOpen).length;
  form.querySelector("[data-done]").textContent = required.length - open;
  form.querySelector(".meter .done").setAttribute("width", required.length ? (100 * (required.length - open)) / required.length : 100);
  for (const unit of required) {
    const whole = wholeOf(unit);
    unit.classList.toggle("skipped", Boolean(whole && chosen(whole, "value")));
  }
}

/* Changes and undo */

const known = new Map(units.map((unit) => [unit, read(unit)]));
const past = [];
let typing = null;

function changed(unit, textField = null) {
  const before = known.get(unit);
  if (JSON.stringify(before) === JSON.stringify(read(unit))) return;
  // A run of key strokes in one field is one change.
  if (textField === null || textField !== typing) past.push([unit, before]);
  typing = textField;
  settle(unit);
}

function settle(unit) {
  known.set(unit, read(unit));
  undoButton.disabled = past.length === 0;
  show(unit);
  showProgress();
  saveSoon();
}

function undo() {
  const last = past.pop();
  if (!last) return;
  const [unit, before] = last;
  typing = null;
  write(unit, before);
  settle(unit);
  go(unit);
}

function judge(unit, value) {
  const takenBack = known.get(unit).value === value;
  for (const box of boxes(unit, "value")) box.checked = !takenBack && box.value === value;
  fitType(unit);
  changed(unit);
}

/* A type belongs to an error: choosing one makes an error of the unit, any other value takes it away. */
function fitType(unit) {
  if (["supported", "irrelevant"].includes(chosen(unit, "value"))) {
    for (const box of boxes(unit, "type")) box.checked = box.value === "";
  }
}

function fitValue(unit) {
  if (!chosen(unit, "type")) return;
  for (const box of boxes(unit, "value")) box.checked = box.value === "not_supported";
}

function nextType(unit) {
  const types = boxes(unit, "type");
  if (!types.length) return;
  const at = types.findIndex((box) => box.checked);
  types[(at + 1) % types.length].checked = true;
  fitValue(unit);
  changed(unit);
}

function cite(url) {
  const references = field(here, "references");
  if (references.value.split("\n").includes(url)) return;
  references.value = [references.value.trimEnd(), url].filter(Boolean).join("\n");
  changed(here);
}

/* Where one is */

let here = null;

/* The notes of one unit are open. Those of the last one close, and the page must not slide under the pointer by it. */
function stand(unit) {
  const top = unit.getBoundingClientRect().top;
  for (const each of [here, unit]) {
    each?.classList.toggle("here", each === unit);
    if (each) each.querySelector(".notes").open = each === unit;
  }
  here = unit;
  window.scrollBy(0, unit.getBoundingClientRect().top - top);
}

function go(unit) {
  if (!unit) return;
  stand(unit);
  unit.focus({ preventScroll: true });
  unit.scrollIntoView({ block: "nearest" });
}

const step = (by) => go(units[Math.min(Math.max(units.indexOf(here) + by, 0), units.length - 1)]);

function nextOpen() {
  const at = units.indexOf(here);
  go([...units.slice(at + 1), ...units.slice(0, at)].find(isOpen));
}

function writeIn(kind) {
  const text = field(here, kind);
  text.focus();
  text.setSelectionRange(text.value.length, text.value.length);
}

/* Saving: one request at a time, again if something changed meanwhile */

let timer = null;
let underWay = null;
let unsaved = false;
let halted = false;
let retryAfter = 1000;

function say(text, kind = "") {
  status.textContent = text;
  status.className = `status quiet ${kind}`;
}

function saveSoon(wait = SAVE_AFTER) {
  unsaved = true;
  clearTimeout(timer);
  if (!halted) timer = setTimeout(save, wait);
}

async function save() {
  clearTimeout(timer);
  if (underWay || halted) return underWay;
  underWay = send();
  await underWay;
  underWay = null;
  if (unsaved && !halted) saveSoon(retryAfter > 1000 ? retryAfter : 0);
}

async function send() {
  unsaved = false;
  say("Saving…");
  try {
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(20000),
    });
    await take(answer);
  } catch {
    unsaved = true;
    retryAfter = Math.min(retryAfter * 2, RETRY_AT_MOST);
    say("Offline or no answer: your changes are kept on this page, trying again", "trouble");
  }
}

async function take(answer) {
  if (answer.ok) {
    version.value = (await answer.json()).version;
    retryAfter = 1000;
    trouble.replaceChildren();
    say(`Saved ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`, "saved");
  } else if (answer.status === 409 || answer.status === 422) {
    refused(await answer.text(), answer.status === 409);
  } else if (answer.type === "opaqueredirect" || answer.status === 403) {
    unsaved = true;
    retryAfter = RETRY_AT_MOST;
    say("Not saved: you are logged out. Log in on another tab; this page keeps trying.", "trouble");
  } else {
    throw new Error(`answer ${answer.status}`);
  }
}

/* The server's own words on what is wrong. After a conflict nothing is sent until it is settled; what broke a rule is
   sent again with the next change. */
function refused(html, conflict) {
  halted = conflict;
  unsaved = conflict;
  trouble.innerHTML = html;
  say("Not saved", "trouble");
  trouble.scrollIntoView({ block: "nearest" });
}

function keepThisPage() {
  version.value = trouble.querySelector("[data-stored-version]").dataset.storedVersion;
  halted = false;
  save();
}

async function submit() {
  const open = units.filter(isOpen).length;
  if (open) {
    say(`Not submitted: ${open} still open`, "trouble");
    if (!isOpen(here)) nextOpen();
    return;
  }
  await underWay;
  if (unsaved) await save();
  if (unsaved || halted) return;
  const action = document.createElement("input");
  Object.assign(action, { type: "hidden", name: "action", value: "submit" });
  form.append(action);
  form.submit();
}

/* Keys: never while somebody writes */

const COMMANDS = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  1: () => judge(here, "supported"),
  2: () => judge(here, "not_supported"),
  3: () => judge(here, "irrelevant"),
  e: () => nextType(here),
  r: () => writeIn("reason"),
  f: () => writeIn("references"),
  n: nextOpen,
  u: undo,
  "?": () => keys.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (keys.open) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    submit();
    return;
  }
  const writing = event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.key === "Escape" && writing) here.focus({ preventScroll: true });
  if (writing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const command = COMMANDS[event.key];
  if (!command || !here) return;
  event.preventDefault();
  command();
});

form.addEventListener("input", (event) => {
  const unit = event.target.closest("[data-unit]");
  if (!unit) return;
  const { name, type } = event.target;
  if (name.startsWith("value-")) fitType(unit);
  if (name.startsWith("type-")) fitValue(unit);
  changed(unit, type === "textarea" ? event.target : null);
});

// A pointer focuses on its way down; what moved then would not be under it on its way up.
let pointing = false;
form.addEventListener("pointerdown", () => (pointing = true));
form.addEventListener("pointerup", () => (pointing = false));
form.addEventListener("pointercancel", () => (pointing = false));

form.addEventListener("focusin", (event) => {
  const unit = event.target.closest("[data-unit]");
  if (unit && unit !== here && !pointing) stand(unit);
});

form.addEventListener("click", (event) => {
  const unit = event.target.closest("[data-unit]");
  if (unit && unit !== here) stand(unit);
  if (event.target.closest("[data-keep]")) {
    event.preventDefault();
    keepThisPage();
  }
  if (event.target.closest("[data-discard]")) unsaved = false;
  if (event.target.closest("[data-undo]")) undo();
  if (event.target.closest("[data-open-keys]")) keys.showModal();
  const cited = event.target.closest("[data-cite]");
  if (cited && here) cite(cited.dataset.cite);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});

window.addEventListener("online", () => unsaved && save());
window.addEventListener("beforeunload", (event) => {
  if (unsaved || underWay) event.preventDefault();
});

document.documentElement.classList.add("scripted");
showProgress();
if (units.length) go(units.find(isOpen) ?? units[0]);
