"use strict";
/* The units on the page: which one is current, the judgement of each, the open ones. The notes are one editor that
   moves to the current unit; a change touches that unit (and the sentence it belongs to) only. */

const bench = (() => {
  const root = document.getElementById("workbench");
  const units = [...root.querySelectorAll("[data-unit]")];
  const place = new Map(units.map((unit, at) => [unit, at]));
  const byKey = new Map(units.map((unit) => [unit.dataset.unit, unit]));
  const required = units.filter((unit) => "required" in unit.dataset);
  const inSegment = Map.groupBy(units, (unit) => unit.dataset.segment);
  const open = new Set();
  const notes = document.getElementById("notes").content.firstElementChild.cloneNode(true);
  const field = (name) => notes.querySelector(`[data-field="${name}"]`);
  const key = (unit) => unit.dataset.unit;
  const isFact = (unit) => unit.classList.contains("fact");
  const editKey = (unit) => `edit.${unit.dataset.segment}`;
  const wholeOf = (unit) => byKey.get(unit.dataset.segment);
  // What is typeset is not what is stored: that stands beside it.
  const textOf = (unit) => (unit.querySelector("[data-written]") ?? unit.querySelector(".text")).textContent;
  let here = null;

  /* Drawing */

  function isOpen(unit) {
    const { value, irrelevance } = draft.judgement(key(unit));
    if (isFact(unit) && draft.judgement(unit.dataset.segment).value === "irrelevant") return false;
    return !value || needs(unit) !== "" || (isFact(unit) && value === "irrelevant" && !irrelevance);
  }

  /* What an error lacks before it can be submitted; "" for nothing. */
  function needs(unit) {
    const { value, error_type, reason } = draft.judgement(key(unit));
    if (value !== "not_supported") return "";
    return [page.type_required && !error_type && "a type", page.reason_required && !reason.trim() && "a reason"].filter(Boolean).join(" and ");
  }

  function count(unit) {
    if ("required" in unit.dataset) open[isOpen(unit) ? "add" : "delete"](unit);
  }

  function show(changed) {
    if (changed === "comment") showComment();
    else if (changed.startsWith("keep.")) showVerdict(changed);
    else showUnit(byKey.get(changed.replace("edit.", "")));
    showProgress();
    document.dispatchEvent(new CustomEvent("workbench:change"));
  }

  function showUnit(unit) {
    const judgement = draft.judgement(key(unit));
    unit.classList.remove("supported", "not_supported", "irrelevant", "not_enough_evidence", "open");
    unit.classList.add(judgement.value || "open");
    unit.classList.toggle("flagged", judgement.flagged);
    for (const box of unit.querySelectorAll(".judge input")) box.checked = box.value === judgement.value;
    unit.querySelector(".said").textContent = summary(unit, judgement);
    cards.show(unit);
    showCorrection(unit);
    compare(unit, judgement);
    count(unit);
    if (!("required" in unit.dataset)) {
      for (const fact of inSegment.get(unit.dataset.segment)) {
        if (fact !== unit) fact.classList.toggle("skipped", judgement.value === "irrelevant");
        count(fact);
      }
    }
    if (unit === here) fill();
  }

  /* Says in words where the label is another than the suggestion. */
  function compare(unit, judgement) {
    const suggestion = unit.querySelector("[data-suggested]");
    if (!suggestion) return;
    suggestion.querySelector("[data-differs]").hidden = ["", suggestion.dataset.suggested].includes(judgement.value);
  }

  /* A suggestion that the saved label made known. */
  function suggest(name, html) {
    const unit = byKey.get(name);
    if (!unit || unit.querySelector("[data-suggested]")) return;
    unit.querySelector(".said").insertAdjacentHTML("beforebegin", html);
    compare(unit, draft.judgement(name));
  }

  function summary(unit, judgement) {
    const type = judgement.value === "irrelevant" ? "" : judgement.error_type;
    const why = { hangs_on: "Hangs on a fact that is not supported", unrelated: "Unrelated to the prompt" }[judgement.irrelevance];
    const lacking = needs(unit) && `Needs ${needs(unit)}`;
    return [lacking, judgement.flagged && "⚑ Flagged", marked(judgement), type && typeName(type), why, judgement.reason.trim()].filter(Boolean).join(" · ");
  }

  /* In the words of the notes. */
  function marked({ mark, mark_note }) {
    if (!mark) return "";
    const box = [...notes.querySelectorAll("[data-field=mark] input")].find((each) => each.value === mark);
    return ["✂ " + box.nextSibling.textContent.trim(), mark_note.trim()].filter(Boolean).join(": ");
  }

  function typeName(type) {
    const box = [...notes.querySelectorAll("[data-field=error_type] input")].find((each) => each.value === type);
    return box ? box.parentElement.textContent.trim() : type;
  }

  function showCorrection(unit) {
    if (isFact(unit)) return;
    const correction = draft.get(editKey(unit));
    let line = unit.querySelector(".diff");
    if (!line && !correction) return;
    if (!line) unit.querySelector(".said").before((line = Object.assign(document.createElement("p"), { className: "diff" })));
    line.hidden = !correction;
    if (!correction) return;
    drawDiff(line, wordDiff(textOf(unit), correction.text));
  }

  function showComment() {
    const text = root.querySelector("[data-comment]");
    const comment = draft.get("comment")?.text ?? "";
    if (text && text.value !== comment) text.value = comment;
  }

  function showVerdict(name) {
    const part = root.querySelector(`[data-verdict="${name}"]`);
    const verdict = draft.get(name);
    for (const box of part.querySelectorAll("input")) box.checked = verdict !== null && (box.value === "yes") === verdict.keep;
    const why = part.querySelector("textarea");
    if (why.value !== (verdict?.reason ?? "")) why.value = verdict?.reason ?? "";
    why.closest("label").hidden = !verdict || verdict.keep;
  }

  function showProgress() {
    const done = required.length - open.size;
    root.querySelector("[data-done]").textContent = done;
    root.querySelector(".meter .done").setAttribute("width", required.length ? (100 * done) / required.length : 100);
    root.querySelector("[data-undo]").disabled = !draft.past.length;
    root.querySelector("[data-redo]").disabled = !draft.future.length;
  }

  /* The editor of the current unit */

  function fill() {
    const judgement = draft.judgement(key(here));
    const correction = draft.get(editKey(here));
    for (const [name, value] of [["reason", judgement.reason], ["correction", correction?.text ?? textOf(here)]]) {
      const text = field(name);
      if (text && text.value !== value) text.value = value;
    }
    for (const box of notes.querySelectorAll("[data-field=error_type] input")) {
      box.checked = box.value === (judgement.value === "irrelevant" ? "" : judgement.error_type);
    }
    for (const box of notes.querySelectorAll("[data-field=irrelevance] input")) box.checked = box.value === judgement.irrelevance;
    field("flagged").checked = judgement.flagged;
    for (const box of notes.querySelectorAll("[data-field=mark] input")) box.checked = box.value === judgement.mark;
    const note = field("mark_note");
    if (note.value !== (judgement.mark_note ?? "")) note.value = judgement.mark_note ?? "";
    note.closest("label").hidden = !judgement.mark;
    if (field("error_type")) field("error_type").hidden = !["", "not_supported"].includes(judgement.value);
    notes.querySelector("[data-needs]").textContent = needs(here) && `This error needs ${needs(here)}.`;
    if (field("irrelevance")) field("irrelevance").hidden = !isFact(here) || judgement.value !== "irrelevant";
    if (field("correction")) field("correction").closest("div").hidden = isFact(here);
  }

  /* Where one is */

  /* The notes of the last unit close as those of this one open; the page must not slide under the pointer by it. */
  function stand(unit) {
    if (unit === here) return;
    const top = unit.getBoundingClientRect().top;
    here?.classList.remove("here");
    here = unit;
    here.classList.add("here");
    here.querySelector(".said").after(notes);
    fill();
    scrollBy(0, unit.getBoundingClientRect().top - top);
    document.dispatchEvent(new CustomEvent("workbench:unit", { detail: current() }));
  }

  const current = () => here && { key: key(here), text: textOf(here) };

  function focusHere() {
    here?.focus({ preventScroll: true });
  }

  function go(unit) {
    if (!unit) return;
    stand(unit);
    focusHere();
    unit.scrollIntoView({ block: "nearest" });
    unit.querySelector(".text")?.scrollIntoView({ block: "nearest" }); // of a unit that is taller than the window
  }

  /* Twice: elements that come into sight are taller than their estimate. */
  function reveal(node) {
    node.scrollIntoView({ block: "nearest" });
    requestAnimationFrame(() => node.scrollIntoView({ block: "nearest" }));
  }

  /* Whether a reader sees it, or one line of it, above the dock. */
  function inView(node) {
    const { top, bottom, height } = node.getBoundingClientRect();
    const seen = Math.min(bottom, root.querySelector(".dock").getBoundingClientRect().top) - Math.max(top, 0);
    return seen >= Math.min(height, 20);
  }

  /* A change by key is highlighted, and announced to screen readers. */
  function mark(node) {
    const word = node.querySelector("input:checked ~ .word, .verdict-of > label:has(:checked)")?.textContent ?? "open";
    const text = [node.querySelector(".n")?.textContent, word, node.querySelector(".said")?.textContent];
    root.querySelector("[data-announced]").textContent = text.filter(Boolean).join(". ");
    root.querySelector(".changed")?.classList.remove("changed");
    node.getBoundingClientRect(); // so that it begins anew on the same one
    node.classList.add("changed");
  }

  /* Whether the page has what this key of a draft speaks of. */
  function has(changed) {
    if (changed.startsWith("keep.")) return root.querySelector(`[data-verdict="${changed}"]`) !== null;
    return changed === "comment" || byKey.has(changed.replace("edit.", ""));
  }

  const step = (by) => go(units[Math.min(Math.max(place.get(here) + by, 0), units.length - 1)]);

  function nextOpen() {
    const at = place.get(here);
    go([...units.slice(at + 1), ...units.slice(0, at + 1)].find((unit) => open.has(unit)));
  }

  /* Back to where something was changed. */
  function backTo(changed) {
    if (changed === null) return;
    if (changed === "comment") return reveal(root.querySelector("[data-comment]"));
    const verdict = changed.startsWith("keep.") && root.querySelector(`[data-verdict="${changed}"]`);
    if (verdict) reveal(verdict);
    else go(byKey.get(changed.replace("edit.", "")));
    mark(verdict || here);
  }

  // A pointer focuses before it clicks, and what moved then would not be under it any more: then the click decides.
  let pointing = false;
  root.addEventListener("pointerdown", () => (pointing = true));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pointing = false), { signal: turning.left });

  root.addEventListener("focusin", ({ target }) => {
    const unit = target.closest("[data-unit]");
    if (unit && !pointing && target.matches(":focus-visible")) stand(unit);
  });
  root.addEventListener("focusout", () => (draft.typing = null));

  root.addEventListener("click", ({ target }) => {
    const unit = target.closest("[data-unit]");
    if (unit) stand(unit);
  });

  draft.listeners.push(show);
  for (const unit of units) {
    for (const box of unit.querySelectorAll(".judge input")) box.name = `value-${key(unit)}`;
    if (draft.get(key(unit)) || draft.get(editKey(unit))) showUnit(unit);
    else count(unit);
  }
  for (const part of root.querySelectorAll("[data-verdict]")) showVerdict(part.dataset.verdict);
  showComment();
  showProgress();

  return {
    root,
    notes,
    show,
    suggest,
    has,
    current,
    focusHere,
    comeBack: () => go(here),
    reveal,
    go,
    backTo,
    inView,
    mark,
    needs,
    isOpen,
    nextOpen,
    unjudged: () => [...open].filter((unit) => !draft.judgement(key(unit)).value),
    field,
    key,
    editKey,
    textOf,
    isFact,
    wholeOf,
    here: () => here,
    unitOf: (node) => node.closest("[data-unit]"),
    next: () => step(1),
    previous: () => step(-1),
    openCount: () => open.size,
    begin: () => units.length && go(units.find((unit) => open.has(unit)) ?? units[0]),
  };
})();
