"use strict";
/* Saving the draft: what each save sends, and what becomes of the answer; what another page has stored meanwhile is shown
   beside it. */

const saving = (() => {
  const LOGGED_OUT_RETRY = 3000;
  const REPORT_TIME_AFTER = 60_000;
  const MOST_UNANSWERED = 20;

  let version = page.version;
  let halted = false; // nothing is sent until somebody has decided
  let submitting = false; // a submission that had no answer
  let changes = 0; // that somebody made on this page
  let unanswered = []; // changes sent without an answer: some may be stored

  const entriesOf = (keys) => Object.fromEntries(keys.map((key) => [key, draft.get(key)]));
  const autosave = autosaveOf({
    name: page.mirror,
    unsaved: draft.unsaved,
    content: (keys) => ({ version, entries: entriesOf(keys), worked: worked.report().worked }),
    send,
    isHalted: () => halted,
    say,
  });
  const { save, pending } = autosave;

  draft.listeners.push(() => {
    changes += 1;
    autosave.changed();
  });

  async function send({ submit = false, keep = false, leaving = false }) {
    if (halted) return submit ? decideFirst() : null;
    const keys = autosave.begin();
    const time = worked.report();
    if (keys.length) say("Saving…");
    const entries = entriesOf(keys);
    const { answer, body } = await autosave.post(page.save, { version, entries, ...time, submit, keep, guideline: page.guideline }, leaving);
    if (answer.status === 0 && keys.length) unanswered = [...unanswered, entries].slice(-MOST_UNANSWERED);
    if (body && (body.next || "version" in body)) return stored(body, time.clock, version + (keys.length ? 1 : 0));
    autosave.notStored();
    submitting ||= submit;
    return refused(answer, body);
  }

  function decideFirst() {
    trouble.scrollIntoView({ block: "nearest" });
    say(FAILED.undecided, "trouble");
    return null;
  }

  function stored(body, clock, expected) {
    const forgotten = submitting && FAILED.unanswered;
    autosave.stored();
    submitting = false;
    trouble.replaceChildren();
    if (body.next) {
      halted = true;
      autosave.forget();
      autosave.keep();
      return body;
    }
    version = body.version;
    announceGuidelines(body.guideline);
    for (const [key, html] of Object.entries(body.suggestions ?? {})) bench.suggest(key, html);
    if (version === expected) unanswered = [];
    worked.counted(clock, body);
    autosave.keep();
    if (version > expected) return reconcile();
    if (body.error || forgotten) return complain(body.error || forgotten, "Saved, not submitted");
    document.dispatchEvent(new CustomEvent("workbench:saved"));
    if (draft.unsaved.size) autosave.soon();
    say(draft.unsaved.size ? "Saving…" : `Saved ${timeOfDay()}`, "saved");
    return null;
  }

  function refused(answer, body) {
    submitting &&= !body; // one that was answered is not waited for
    if (body?.outcome === "stale") return reconcile();
    if (body?.html) return halt(body.html);
    if (body?.error) return complain(body.error); // sent again with the next change: as it is, it would be refused again
    if (isLoggedOut(answer) || answer.status === 404) return logInAgain(answer);
    autosave.retryOffline();
    return null;
  }

  function logInAgain(answer) {
    askToLogIn(answer.status === 404 ? "You are logged in as somebody else" : "You are logged out");
    autosave.soon(LOGGED_OUT_RETRY);
    return null;
  }

  function halt(html) {
    halted = true;
    trouble.innerHTML = html;
    trouble.querySelector("[data-written]")?.append(...[...draft.entries.values()].flatMap(textsOf).map(itemOf));
    trouble.scrollIntoView({ block: "nearest" });
    say(FAILED.kept, "trouble");
    return null;
  }

  const itemOf = (text) => Object.assign(document.createElement("li"), { textContent: text });

  /* Guidelines that changed while the page is open. */
  function announceGuidelines(newest) {
    const notice = document.getElementById("newer");
    if (!(newest > page.guideline)) return;
    notice.querySelector("b").textContent = newest;
    notice.hidden = false;
  }

  /* Another page has saved: where the two differ, the annotator chooses. */
  async function reconcile(chosen = null) {
    const compared = changes;
    const content = { entries: Object.fromEntries(draft.entries), unsaved: [...draft.unsaved], unanswered };
    const { answer, body } = await autosave.post(page.compare, content);
    if (!answer.ok || !body) return refused(answer, null);
    if (changes !== compared) return reconcile(chosen); // somebody wrote on meanwhile
    if (body.html && draft.unsaved.size > body.own.length) {
      halt(body.html);
      if (chosen) chooseAgain(chosen);
      trouble.querySelector("[data-settle]").addEventListener("click", () => settle(body, compared));
      return null;
    }
    draft.unsaved.clear();
    for (const key of body.own) draft.unsaved.add(key);
    return takeOver(body);
  }

  const picks = () => [...trouble.querySelectorAll("[data-pick]:checked")];

  /* What was chosen before the page was compared anew; what somebody wrote since then is preferred. */
  function chooseAgain(chosen) {
    trouble.querySelector("[data-again]").hidden = false;
    for (const { dataset, value } of chosen) {
      const same = trouble.querySelector(`[data-pick="${CSS.escape(dataset.pick)}"][value="${value}"]`);
      if (same) same.checked = true;
    }
  }

  function settle(body, compared) {
    if (changes !== compared) return reconcile(picks().filter((pick) => !pick.defaultChecked));
    for (const picked of picks()) {
      const key = picked.dataset.pick;
      if (picked.value === "mine") draft.unsaved.add(key);
      else draft.unsaved.delete(key);
    }
    takeOver(body);
  }

  function takeOver(body) {
    version = body.version;
    halted = false;
    unanswered = [];
    trouble.replaceChildren();
    for (const key of draft.take(body.entries)) bench.show(key);
    autosave.keep();
    if (draft.unsaved.size) autosave.soon(0);
    else say("Saved: this page shows what is stored", "saved");
    return null;
  }

  /* Text that no save has taken, from a page that was closed: put back, and judged by the server as any other save. */
  function restore() {
    let number = 0;
    const homeless = [];
    for (const each of autosave.left()) {
      worked.add(each.worked);
      const here = Object.entries(each.entries).filter(([key]) => bench.has(key));
      const gone = Object.entries(each.entries).filter(([key]) => !bench.has(key));
      homeless.push(...gone.flatMap(([, entry]) => textsOf(entry)));
      const news = here.filter(([key, entry]) => !same(regular(key, entry), draft.get(key)));
      if (news.length) version = Math.min(version, each.version);
      for (const [key, entry] of news) {
        draft.change(key, entry);
        bench.show(key);
      }
      number += news.length;
    }
    const changes = number === 1 ? "one change that had" : `${number} changes that had`;
    const notices = [
      number && RESTORED.changes(changes),
      homeless.length && `Units that you wrote at are not here any more. Copy what you need: ${homeless.join(" · ")}`,
    ].filter(Boolean);
    if (notices.length) document.getElementById("notice").textContent = notices.join(" ");
    if (number) save();
  }

  const whileHere = { signal: turning.left };
  addEventListener("online", () => pending() && save(), whileHere);
  // Back on this page: is it still as stored, and still one's own?
  addEventListener("focus", () => save(), whileHere);
  autosave.watch(() => pending() || worked.unreported() > 0, whileHere);
  turning.every(5000, () => worked.unreported() >= REPORT_TIME_AFTER && save());

  return { save, restore, pending };
})();
