"use strict";
/* Saving facts: what each save sends, and what becomes of the answer. Where another page has saved meanwhile, a sentence
   that was changed on one of the two only is taken from that one. Where it was on both nothing is sent until one
   chooses; what one does not choose can be undone to. */

(() => {
  const trouble = document.getElementById("trouble");
  const status = form.querySelector("[data-status]");
  const versions = versionsOf(page.sentences);
  let version = page.version;
  const unsaved = new Set();
  let finishing = false; // asked for, and not answered yet
  let conflict = null; // the choice to make before anything is sent

  const sentencesOf = (keys) => Object.fromEntries(keys.map((key) => [key, editor.state[key]]));
  const counted = (number) => (number === 1 ? "one sentence" : `${number} sentences`);

  const autosave = autosaveOf({
    name: page.mirror,
    unsaved,
    content: (keys) => ({ version, sentences: sentencesOf(keys), seen: versions.known(keys) }),
    send,
    isHalted: () => conflict,
    say,
  });

  function say(text, state = "") {
    status.textContent = text;
    status.className = `quiet status ${state}`;
  }

  function tell(text) {
    document.getElementById("notice").textContent = text;
  }

  function complain(text) {
    const line = Object.assign(document.createElement("p"), { className: "message error", textContent: text });
    line.setAttribute("role", "alert");
    trouble.replaceChildren(line);
    say(FAILED.rule, "trouble");
  }

  async function send({ finish = false, leaving = false }) {
    if (conflict) return;
    finishing ||= finish;
    if (!(finishing || unsaved.size)) return;
    const keys = autosave.begin();
    say("Saving…");
    const sentences = sentencesOf(keys);
    for (const key of keys) versions.sent(key, sentences[key]);
    autosave.keep();
    const { answer, body } = await autosave.post(form.dataset.save, { version, sentences, finish: finishing }, leaving);
    if (answer.status === 200 && body) return stored(body, sentences);
    autosave.notStored();
    refused(answer, body);
  }

  function stored(body, sentences) {
    for (const key of Object.keys(sentences)) versions.stands(key, sentences[key]);
    finishing = false;
    goOnFrom(body);
    if (body.finished && !unsaved.size) return window.location.reload();
    say(unsaved.size ? "Saving…" : `Draft saved ${timeOfDay()}`, "saved");
    if (unsaved.size) autosave.soon();
  }

  /* Take over the server's version, with the user who saved it last. */
  function goOnFrom(body) {
    version = body.version;
    document.getElementById("standing").textContent = body.standing;
    autosave.stored();
    trouble.replaceChildren();
    autosave.keep();
  }

  function refused(answer, body) {
    if (answer.status === 409 && body) return meet(body);
    if (body?.error) {
      finishing = false;
      return complain(body.error); // sent again with the next change: as it is, it would be refused again
    }
    if (!isLoggedOut(answer)) return autosave.retryOffline(autosave.pending() ? "kept in this browser" : "not finished yet");
    complain(FAILED.logIn);
    autosave.retry();
  }

  /* Another page has saved, or this one has and never got the answer. */
  function meet(theirs) {
    const changed = versions.changedIn(theirs.sentences);
    const both = changed.filter((key) => unsaved.has(key) && !same(theirs.sentences[key], editor.state[key]));
    const news = changed.filter((key) => !unsaved.has(key));
    const again = finishing && !both.length && !news.length;
    const notices = [];
    if (news.length) notices.push(`${theirs.by || "Somebody"} has changed ${counted(news.length)} meanwhile, shown here now.`);
    if (finishing && !again) notices.push("Not finished: look at what has changed, and finish again.");
    if (notices.length) tell(notices.join(" "));
    finishing = false;
    takeIn(theirs.sentences, news);
    if (both.length) return choose(theirs, both);
    for (const key of changed) versions.stands(key, theirs.sentences[key]);
    goOnFrom(theirs);
    finishing = again;
    if (finishing || unsaved.size) autosave.soon(0);
    else say("This page shows what is stored", "saved");
  }

  /* Sentences that only the other page has changed. That is no step of one's own, and undo does not take it back. */
  function takeIn(sentences, keys) {
    const writing = document.activeElement === last ? whereIs() : null;
    const news = Object.fromEntries(keys.map((key) => [key, sentences[key]]));
    const over = (step) => ({ ...step, state: { ...step.state, ...news } });
    editor.past = editor.past.map(over);
    editor.future = editor.future.map(over);
    editor.show({ ...editor.state, ...news }, null);
    if (writing && !last.isConnected) put(writing);
    for (const key of keys) {
      versions.stands(key, sentences[key]);
      unsaved.delete(key);
    }
    autosave.keep();
  }

  function choose(theirs, both) {
    const writing = whereIs();
    conflict = boxOf(theirs, both);
    conflict.box.addEventListener("click", (event) => {
      const choice = event.target.dataset.choice;
      if (!choice) return;
      conflict = null;
      if (choice === "theirs") takeOver(Object.fromEntries(both.map((key) => [key, theirs.sentences[key]])));
      for (const key of both) {
        versions.stands(key, theirs.sentences[key]);
        if (choice === "theirs") unsaved.delete(key);
      }
      goOnFrom(theirs);
      if (unsaved.size) autosave.save();
      else say("Theirs taken; undo brings yours back");
      goBack(writing);
    });
    trouble.replaceChildren(conflict.box);
    say(FAILED.choice, "trouble");
    conflict.box.querySelector("button").focus();
  }

  /* The button that was pressed is gone, and the editor's keys reach only who is in it. */
  function goBack(place) {
    if (place) put(place);
    else form.querySelector(".units textarea, [data-add]")?.focus();
  }

  function takeOver(sentences) {
    editor.past.push({ state: editor.state, focus: whereIs() });
    editor.typingAt = null;
    editor.future = [];
    editor.show({ ...editor.state, ...sentences }, null);
  }

  /* Facts that no save has taken, from a page that was closed: put back, and judged by the server as any other save. */
  function restore() {
    const restored = {};
    for (const each of autosave.left()) {
      const news = Object.entries(each.sentences).filter(([key, facts]) => key in editor.state && !same(facts, editor.state[key]));
      if (news.length) version = Math.min(version, each.version);
      for (const [key, facts] of news) {
        restored[key] = facts;
        versions.restore(key, each.seen?.[key] ?? []); // a page from before an update may not have kept it
      }
    }
    const number = Object.keys(restored).length;
    if (!number) return;
    takeOver(restored);
    tell(RESTORED.facts(counted(number)));
    autosave.save();
  }

  function noteChanges(changed) {
    for (const key of changed) unsaved.add(key);
    if (!changed.length) return autosave.keep();
    if (finishing) tell("Not finished: you have changed the facts since. Finish again.");
    finishing = false;
    conflict?.draw();
    autosave.changed();
  }

  editor.listeners.push(noteChanges);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell("");
    autosave.save({ finish: true });
  });
  window.addEventListener("pagehide", () => autosave.save({ leaving: true }));
  autosave.watch(() => true);
  // Text written before this script had loaded.
  noteChanges(Object.keys(editor.state).filter((key) => !same(editor.state[key], page.sentences[key])));
  restore();
})();
