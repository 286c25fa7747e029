"use strict";
/* The units on the page and their changes. Each change makes a new state, so that everything can be undone. */

const editor = {
  state: kind.start(),
  past: [],
  future: [],
  listeners: [],
  typingAt: null,

  /* The next state, and where the cursor then stands: {key, index, cursor}. Typing in one place is one step back. */
  change(key, units, focus, typing = false) {
    const place = typing ? `${key}.${focus.index}` : null;
    if (!typing || this.typingAt !== place) this.past.push({ state: this.state, focus: whereIs() });
    this.typingAt = place;
    this.future = [];
    this.show({ ...this.state, [key]: units }, { key, ...focus });
  },

  show(next, focus) {
    const changed = Object.keys(next).filter((key) => next[key] !== this.state[key]);
    this.state = next;
    for (const key of changed) draw(key);
    if (focus) put(focus);
    for (const listener of this.listeners) listener(changed);
    enable();
  },

  travel(from, to) {
    const step = from.pop();
    if (!step) return;
    this.typingAt = null;
    to.push({ state: this.state, focus: whereIs() });
    this.show(step.state, step.focus);
  },
};

const section = (key) => form.querySelector(`[data-key="${key}"]`);
const areas = (key) => [...section(key).querySelectorAll(".units textarea")];
const parts = (area) => ({ key: area.closest("[data-key]").dataset.key, area });
let last = null; // the textarea that has the cursor, or had it

function whereIs() {
  if (!last?.isConnected) return null;
  const { key } = parts(last);
  return { key, index: areas(key).indexOf(last), cursor: last.selectionStart };
}

function put({ key, index, cursor }) {
  const there = areas(key);
  const area = there[Math.min(index, there.length - 1)];
  if (!area) return section(key).querySelector("[data-add]")?.focus();
  area.focus();
  const at = cursor < 0 ? area.value.length : Math.min(cursor, area.value.length);
  area.setSelectionRange(at, at);
}

const grows = CSS.supports("field-sizing", "content");

function fit(list) {
  if (grows) return;
  for (const area of list) area.style.height = "auto";
  const heights = list.map((area) => area.scrollHeight + 2);
  list.forEach((area, place) => (area.style.height = `${heights[place]}px`));
}

function draw(key) {
  const units = editor.state[key];
  const list = section(key).querySelector(".units");
  while (list.children.length > units.length) list.lastElementChild.remove();
  while (list.children.length < units.length) {
    const item = document.createElement("li");
    const area = Object.assign(document.createElement("textarea"), { rows: 1, spellcheck: page.kind === "facts" });
    if (page.kind === "segments") area.inputMode = "none"; // it is only cut: no keyboard need come up on a phone
    item.append(area);
    list.append(item);
  }
  const all = areas(key);
  all.forEach((area, place) => {
    const text = kind.text(units[place]);
    if (area.value !== text) area.value = text;
    area.setAttribute("aria-label", `${kind.name} ${place + 1} of ${units.length}`);
    const source = section(key).querySelector(".source");
    if (source) area.setAttribute("aria-describedby", source.id);
    area.parentElement.classList.toggle("joined", (units[place].from?.length ?? 0) > 1);
  });
  fit(all);
}

/* The commands, each about the unit that has the cursor. */
const commands = {
  split(at) {
    const { key, units, index, area } = at;
    const [left, right] = kind.split(units[index], area.selectionStart);
    if (kind.text(left) && kind.text(right)) {
      editor.change(key, units.toSpliced(index, 1, left, right), { index: index + 1, cursor: 0 });
    } else if (kind.blank) {
      this.add(kind.text(right) ? { ...at, index: index - 1 } : at); // at an edge: one above, or one below
    }
  },
  merge({ key, units, index }) {
    if (index + 1 >= units.length) return;
    const cursor = kind.text(units[index]).trimEnd().length;
    editor.change(key, units.toSpliced(index, 2, kind.merge(units[index], units[index + 1])), { index, cursor });
  },
  add({ key, units, index }) {
    editor.change(key, units.toSpliced(index + 1, 0, kind.blank()), { index: index + 1, cursor: 0 });
  },
  remove({ key, units, index }) {
    editor.change(key, units.toSpliced(index, 1), { index: Math.max(0, Math.min(index, units.length - 2)), cursor: -1 });
  },
  up: (at) => at.index > 0 && swap(at, at.index - 1, at.index - 1),
  down: (at) => at.index + 1 < at.units.length && swap(at, at.index, at.index + 1),
};

function swap({ key, units, area }, first, index) {
  editor.change(key, units.toSpliced(first, 2, units[first + 1], units[first]), { index, cursor: area.selectionStart });
}

function run(name) {
  if (name === "undo") return editor.travel(editor.past, editor.future);
  if (name === "redo") return editor.travel(editor.future, editor.past);
  const at = whereIs();
  if (at) commands[name]({ ...at, units: editor.state[at.key], area: last });
}
