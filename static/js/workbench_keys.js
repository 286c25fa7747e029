"use strict";
/* The keyboard, the dock and the dialogs. Keys are never active while somebody writes or composes. */

(() => {
  const keys = document.getElementById("keys");
  const rest = document.getElementById("rest");
  const guidelines = document.getElementById("guidelines");
  let byKey = new Map();
  let movesOn = true;

  const RUN = {
    next: bench.next,
    previous: bench.previous,
    open: bench.nextOpen,
    supported: inView(bench.here, () => judging.judge("supported"), moveOn),
    not_supported: inView(bench.here, () => judging.judge("not_supported"), moveOn),
    irrelevant: inView(bench.here, () => judging.judge("irrelevant"), moveOn),
    not_enough_evidence: inView(bench.here, () => judging.judge("not_enough_evidence"), moveOn),
    hangs_on: inView(bench.here, () => judging.setIrrelevance("hangs_on"), moveOn),
    unrelated: inView(bench.here, () => judging.setIrrelevance("unrelated"), moveOn),
    whole: inView(() => bench.wholeOf(bench.here()), judging.whole, moveOn),
    clear: inView(bench.here, judging.clear),
    edit: judging.edit,
    type: inView(bench.here, judging.nextType),
    keep: inView(judging.verdictOf, judging.verdict),
    reason: () => judging.write("reason"),
    reference: () => judging.write("link"),
    paste: inView(bench.here, () => cards.paste(bench.current().key)),
    uncite: inView(bench.here, () => cards.remove(bench.current().key)),
    search: () => hint("There is no knowledge source to search"),
    precedents: () => hint("There are no precedents to show"),
    flag: inView(bench.here, judging.flag),
    cut: inView(bench.here, () => judging.markAs("cut")),
    no_claim: inView(bench.here, () => judging.markAs("no_claim")),
    undo: () => bench.backTo(draft.undo()),
    redo: () => bench.backTo(draft.redo()),
    guidelines: () => toggleGuidelines(),
    raw: toggleRaw,
    others: () => hint("Other annotators' evidence is shown in a rebuttal only"),
    comment: () => bench.root.querySelector("[data-comment]")?.focus(),
    rest: askForTheRest,
    skip: () => skipping?.dialog.showModal(),
    keys: () => keys.showModal(),
  };

  // Held down, these go on; all else is done once for each press.
  const GOING_ON = new Set([RUN.next, RUN.previous, RUN.undo, RUN.redo]);

  /* A key changes only what is in view: what is not is brought there, for the next press. The change is marked. */
  function inView(place, run, after = () => {}) {
    return () => {
      const node = place();
      if (!bench.inView(node)) {
        bench.reveal(node);
        return hint("Brought into view: press the key again");
      }
      const changes = draft.past.length;
      run();
      if (draft.past.length === changes) return;
      bench.mark(node);
      after();
    };
  }

  /* One key a unit, where nothing else is asked of it. */
  function moveOn() {
    if (movesOn && !bench.isOpen(bench.here())) bench.nextOpen();
  }

  function askForTheRest() {
    const open = bench.unjudged().length;
    if (!open) return hint("Every unit is judged");
    rest.querySelector("[data-rest]").textContent = open;
    rest.showModal();
  }

  /* With the focus there, so that the browser's own keys scroll it. */
  function toggleGuidelines() {
    if (!guidelines) return hint("This dataset has no guidelines yet");
    guidelines.open = !guidelines.open;
    if (!guidelines.open) return bench.comeBack();
    guidelines.scrollIntoView({ block: "nearest" });
    guidelines.querySelector("summary").focus();
  }

  /* Where a text is shown otherwise than it is stored, what is stored stands beside it. */
  function toggleRaw() {
    const raw = bench.root.classList.toggle("raw");
    for (const stored of bench.root.querySelectorAll(".unit > [data-written]")) {
      stored.hidden = !raw;
      stored.previousElementSibling.hidden = raw;
    }
    for (const folded of bench.root.querySelectorAll(".written")) folded.open = raw;
    hint(raw ? "Raw texts" : "");
  }

  /* The list of keys is the map: it is drawn by the server, with the person's choices. */
  function learn() {
    const fields = [...keys.querySelectorAll("[data-command]")];
    // The first of two wins: somebody may have mapped a key before a new command came with it.
    byKey = new Map(fields.toReversed().map(({ dataset, defaultValue }) => [defaultValue, dataset.command]));
    movesOn = keys.querySelector("[name=moves_on]").value === "yes";
    for (const { dataset, defaultValue } of fields) {
      for (const place of document.querySelectorAll(`[data-key="${dataset.command}"]`)) place.textContent = defaultValue;
    }
  }

  // There keys are the browser's: all but Escape, which leads back to the unit. But the guidelines open and shut by one key.
  const RESTING = "button, a[href], summary:not(#guidelines > summary)";
  const ALSO = { 2: "not_supported", ArrowDown: "next", ArrowUp: "previous" };
  const WRITING = "textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]";

  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest?.(WRITING);
    // 229: an input method has the key, which in a field is a part of a word.
    if (event.isComposing || (writing && event.keyCode === 229) || document.querySelector("dialog[open]")) return;
    const control = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && control) return act(event, submit);
    const resting = event.target.closest?.(RESTING);
    if (event.key === "Escape" && (writing || resting)) return act(event, bench.comeBack);
    if (writing || event.altKey || !bench.current() || trouble.contains(event.target)) return;
    if (control && /^z$/i.test(keyMeant(event, (key) => /^z$/i.test(key)))) return act(event, event.shiftKey ? RUN.redo : RUN.undo);
    const key = keyMeant(event, (each) => byKey.has(each) || each in ALSO);
    const name = byKey.get(key) ?? ALSO[key];
    if (control || !name) return;
    if (resting) return hint("Keys rest on a button or link: Esc leads back to the unit");
    act(event, RUN[name]);
  }, { signal: turning.left });

  function act(event, run) {
    event.preventDefault();
    if (!event.repeat || GOING_ON.has(run)) run();
  }

  async function submit() {
    judging.addLink();
    const left = bench.openCount();
    if (left) {
      bench.nextOpen();
      const needs = bench.needs(bench.here());
      return hint(`Not submitted: ${left} still open${needs && `; this error needs ${needs}`}`, "trouble");
    }
    const following = await saving.save({ submit: true });
    if (!following) return;
    skipping?.forget();
    turning.to(following);
  }

  bench.root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-run]");
    if (button) RUN[button.dataset.run]();
    if (target.closest("[data-submit]")) submit();
  });

  /* A click leaves no button with the focus, on which keys would rest. */
  bench.root.addEventListener("click", ({ target, detail }) => {
    const control = target.closest("button, summary");
    if (detail && control === document.activeElement && !control.closest("[data-evidence], #guidelines")) bench.focusHere();
  });

  rest.querySelector("[data-mark]").addEventListener("click", () => {
    rest.close();
    hint(`${judging.supportTheRest()} marked: Undo takes them back together`);
  });

  for (const dialog of [keys, rest, skipping?.dialog].filter(Boolean)) {
    dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
    dialog.addEventListener("close", bench.focusHere);
  }

  /* Unsaved choices are forgotten: the list shows the keys that are in force. */
  keys.addEventListener("close", () => {
    keys.querySelector("[name=moves_on]").value = movesOn ? "yes" : "no";
    for (const [key, name] of byKey) keys.querySelector(`[data-command="${name}"]`).value = key;
    keys.querySelector("[data-trouble]").textContent = "";
  });

  /* In the list a key is chosen by pressing it. */
  keys.addEventListener("keydown", (event) => {
    const field = event.target.closest("[data-command]");
    if (!field || ["Tab", "Shift", "Control", "Alt", "Meta", "Escape"].includes(event.key)) return;
    if (event.key === "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.value = event.key;
  });

  keys.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[action]");
    if (!form) return;
    event.preventDefault();
    const request = { method: "POST", body: new FormData(form), headers: { "X-CSRFToken": tokenOfNow() }, redirect: "manual" };
    const answer = await fetch(form.action, request).catch(() => ({ ok: false }));
    if (!answer.ok && answer.status !== 422) {
      form.querySelector("[data-trouble]").textContent = FAILED.keys;
      return;
    }
    form.outerHTML = await answer.text();
    if (answer.ok) learn();
    keys.querySelector("[data-trouble]").focus();
  });

  /* For the evidence panel, which stands beside: its commands are in the list, their actions are its own. And for tests:
     the entries by key. */
  window.workbench = {
    current: bench.current,
    focus: bench.focusHere,
    entries: () => [...draft.entries],
    addCard: (added) => bench.current() !== null && cards.add(bench.current().key, added),
    cards: () => (bench.current() ? draft.judgement(bench.current().key).references : []),
    registerCommand(name, run) {
      RUN[name] = run;
    },
  };

  document.documentElement.classList.add("scripted");
  bench.begin();
  learn();
  for (const panel of bench.root.querySelectorAll("[data-evidence]")) evidencePanel(panel, window.workbench, turning.left);
  saving.restore();
  skipping?.restore();
})();
