"use strict";
/* The entries of this page, and their undo and redo. Entries have the shape of the server's drafts; null
   stands for no entry. */

const page = JSON.parse(document.getElementById("page").textContent);

const BLANK = { value: "", error_type: "", reason: "", references: [], irrelevance: "", flagged: false };
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const card = ({ url, quote, stance, document }) => ({
  url: url ?? "",
  quote: quote ?? "",
  stance: stance ?? "",
  document: document ?? null,
});

/* The entry with its fields in one order, by the rules that the server has as well (check_judgement). */
function regular(key, entry) {
  if (entry === null) return null;
  if (key === "comment") return entry.text ? { text: entry.text } : null;
  if (key.startsWith("edit.")) return { text: entry.text };
  if (key.startsWith("keep.")) return { keep: entry.keep, reason: entry.reason };
  const full = { ...BLANK, ...entry };
  full.references = full.references.map(card);
  if (full.mark) full.mark_note ??= "";
  else for (const name of ["mark", "mark_note"]) delete full[name];
  if (page.no_claim && full.mark === "no_claim" && !full.value) Object.assign(full, { value: "irrelevant", error_type: "" });
  if (full.value !== "irrelevant" || page.scheme !== "factscore") full.irrelevance = "";
  if (page.scheme === "felm" && full.value === "irrelevant") full.error_type = "irrelevant";
  else if (full.error_type === "irrelevant") full.error_type = "";
  return same(full, BLANK) ? null : full;
}

const draft = {
  entries: new Map(Object.entries(page.entries).map(([key, entry]) => [key, regular(key, entry)])),
  unsaved: new Set(),
  past: [],
  future: [],
  typing: null,
  listeners: [],

  get(key) {
    return this.entries.get(key) ?? null;
  },

  judgement(key) {
    return this.get(key) ?? BLANK;
  },

  /* A change by the annotator. A run of key strokes in one field (`typing`) is one change. */
  change(key, entry, typing = null) {
    const after = regular(key, entry);
    const before = this.get(key);
    if (same(before, after)) return;
    if (typing === null || typing !== this.typing) this.past.push([[key, before]]);
    this.typing = typing;
    this.future.length = 0;
    this.write(key, after);
  },

  /* Several changes, [key, entry], as one: one step takes them back. */
  changeAll(changes) {
    this.past.push(changes.map(([key]) => [key, this.get(key)]));
    this.typing = null;
    this.future.length = 0;
    for (const [key, entry] of changes) this.write(key, regular(key, entry));
  },

  write(key, entry) {
    this.put(key, entry);
    this.unsaved.add(key);
    for (const listen of this.listeners) listen(key);
  },

  put(key, entry) {
    if (entry === null) this.entries.delete(key);
    else this.entries.set(key, entry);
  },

  undo() {
    return this.move(this.past, this.future);
  },

  redo() {
    return this.move(this.future, this.past);
  },

  /* The key of the first changed entry; null if there is nowhere to go. */
  move(from, to) {
    const last = from.pop();
    if (!last) return null;
    to.push(last.map(([key]) => [key, this.get(key)]));
    this.typing = null;
    for (const [key, entry] of last) this.write(key, entry);
    return last[0][0];
  },

  /* Take over stored entries where this page has none newer; returns the keys that changed. */
  take(stored) {
    const keys = new Set([...this.entries.keys(), ...Object.keys(stored)]);
    const changed = [...keys].filter((key) => {
      const entry = regular(key, stored[key] ?? null);
      if (this.unsaved.has(key) || same(entry, this.get(key))) return false;
      this.put(key, entry);
      return true;
    });
    return changed;
  },
};
