"use strict";
/* The keyboard, the dock and the dialogs. Keys are never active while somebody writes or composes. */

(() => {
  const keys = document.getElementById("keys");
  const skip = document.getElementById("skip");
  const guidelines = document.getElementById("guidelines");
  const why = skip.querySelector("[name=reason]");
  const whyMirror = mirrorOf(`${page.mirror}-skip`);
  let byKey = new Map();

  const RUN = {
    next: bench.next,
    previous: bench.previous,
    open: bench.nextOpen,
    supported: () => judging.judge("supported"),
    not_supported: () => judging.judge("not_supported"),
    irrelevant: () => judging.judge("irrelevant"),
    hangs_on: () => judging.setIrrelevance("hangs_on"),
    unrelated: () => judging.setIrrelevance("unrelated"),
    whole: judging.whole,
    edit: judging.edit,
    type: judging.nextType,
    keep: judging.verdict,
    reason: () => judging.write("reason"),
    reference: () => judging.write("link"),
    paste: () => cards.paste(bench.current().key),
    uncite: () => cards.remove(bench.current().key),
    search: () => hint("There is no knowledge source to search"),
    precedents: () => hint("There are no precedents to show"),
    flag: judging.flag,
    undo: () => bench.backTo(draft.undo()),
    redo: () => bench.backTo(draft.redo()),
    guidelines: () => toggleGuidelines(),
    comment: () => bench.root.querySelector("[data-comment]").focus(),
    skip: () => skip.showModal(),
    keys: () => keys.showModal(),
  };

  // Held down, these go on; all else is done once for each press.
  const GOING_ON = new Set([RUN.next, RUN.previous, RUN.undo, RUN.redo]);

  /* With the focus there, so that the browser's own keys scroll it. */
  function toggleGuidelines() {
    if (!guidelines) return hint("This data set has no guidelines yet");
    guidelines.open = !guidelines.open;
    if (!guidelines.open) return bench.comeBack();
    guidelines.scrollIntoView({ block: "nearest" });
    guidelines.querySelector("summary").focus();
  }

  /* The list of keys is the map: it is drawn by the server, with the person's choices. */
  function learn() {
    const fields = [...keys.querySelectorAll("[data-command]")];
    byKey = new Map(fields.map(({ dataset, defaultValue }) => [defaultValue, dataset.command]));
    for (const { dataset, defaultValue } of fields) {
      for (const place of document.querySelectorAll(`[data-key="${dataset.command}"]`)) place.textContent = defaultValue;
    }
  }

  const WRITING = "textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]";

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || document.querySelector("dialog[open]")) return;
    const writing = event.target.closest?.(WRITING);
    const control = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && control) return act(event, submit);
    if (event.key === "Escape" && writing) return act(event, bench.comeBack);
    if (writing || event.altKey || !bench.current() || trouble.contains(event.target)) return;
    if (control && event.key.toLowerCase() === "z") return act(event, event.shiftKey ? RUN.redo : RUN.undo);
    if (control) return;
    if (event.key === "ArrowDown") return act(event, RUN.next);
    if (event.key === "ArrowUp") return act(event, RUN.previous);
    if (byKey.has(event.key)) act(event, RUN[byKey.get(event.key)]);
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
      return hint(`Not submitted: ${left} still open`, "trouble");
    }
    const following = await saving.save({ submit: true });
    if (!following) return;
    whyMirror.keep(null);
    turning.to(following);
  }

  bench.root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-run]");
    if (button) RUN[button.dataset.run]();
    if (target.closest("[data-submit]")) submit();
  });

  for (const dialog of [keys, skip]) {
    dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
    dialog.addEventListener("close", bench.focusHere);
  }

  /* Unsaved choices are forgotten: the list shows the keys that are in force. */
  keys.addEventListener("close", () => {
    for (const [key, name] of byKey) keys.querySelector(`[data-command="${name}"]`).value = key;
    keys.querySelector("[data-trouble]").textContent = "";
  });

  /* The reason is mirrored until the task is skipped or submitted. */
  const keepWhy = () => whyMirror.keep(why.value ? { reason: why.value } : null);

  function restoreWhy() {
    for (const { name, reason } of whyMirror.left()) {
      why.value = reason;
      whyMirror.drop(name);
    }
    keepWhy();
  }

  why.addEventListener("input", keepWhy);

  /* Before the place is given away everything written must be stored. What is in the way is said beside the reason,
     which stays. */
  skip.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const trouble = form.querySelector("[data-trouble]");
    trouble.textContent = "";
    judging.addLink();
    await saving.save();
    if (saving.pending()) return (trouble.textContent = FAILED.unsavedSkip);
    const headers = { Accept: "application/json", "X-CSRFToken": tokenOfNow() };
    const request = { method: "POST", body: new FormData(form), headers, redirect: "manual" };
    const body = await fetch(form.action, request).then((answer) => answer.json()).catch(() => null);
    if (body?.next) {
      whyMirror.keep(null);
      return location.assign(body.next);
    }
    trouble.textContent = body?.error ?? FAILED.skip;
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

  /* For the evidence panel, which stands beside: its commands are in the list, what they do is its own. And for tests:
     what is said, each entry with its key. */
  window.workbench = {
    current: bench.current,
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
  saving.restore();
  restoreWhy();
})();
