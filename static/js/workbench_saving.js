"use strict";
/* Saving: one request at a time with what changed, again until it is stored; what another page has stored meanwhile is
   shown beside it. */

const saving = (() => {
  const SAVE_AFTER = 500;
  const RETRY_FIRST = 1000;
  const RETRY_AT_MOST = 15_000;
  const LOGGED_OUT_RETRY = 3000;
  const REPORT_TIME_AFTER = 60;
  const MOST_UNANSWERED = 20;

  let version = page.version;
  let inFlight = new Set();
  let underWay = null;
  let wait = RETRY_FIRST;
  let halted = false; // nothing is sent until somebody has decided
  let submitting = false; // a submission that had no answer
  let mirrored = true;
  let changes = 0; // that somebody made on this page
  let unanswered = []; // what was sent without an answer: some of it may be stored

  const mirror = mirrorOf(page.mirror);
  const entriesOf = (keys) => Object.fromEntries([...keys].map((key) => [key, draft.get(key)]));
  const pending = () => draft.unsaved.size > 0 || inFlight.size > 0;

  function keep() {
    mirrored = mirror.keep(pending() ? { version, entries: entriesOf([...draft.unsaved, ...inFlight]) } : null);
  }

  const next = sooner(() => save());

  function soon(after = SAVE_AFTER) {
    if (!halted) next.within(after);
  }

  draft.listeners.push(() => {
    changes += 1;
    keep();
    if (halted) return;
    const offline = wait > RETRY_FIRST;
    if (!offline) say("Saving…");
    soon(offline ? wait : SAVE_AFTER);
  });

  async function save(more = {}) {
    next.forget();
    while (underWay) await underWay;
    if (halted) return more.submit ? decideFirst() : null;
    underWay = send(more);
    try {
      return await underWay;
    } finally {
      underWay = null;
    }
  }

  async function send({ submit = false, leaving = false }) {
    inFlight = draft.unsaved;
    draft.unsaved = new Set();
    const active = worked.seconds();
    if (inFlight.size) say("Saving…");
    const entries = entriesOf(inFlight);
    let answer;
    let body;
    try {
      answer = await post(page.save, { version, entries, active, submit }, leaving);
      body = answer.headers.get("content-type")?.includes("json") ? await answer.json() : null;
    } catch {
      answer = { status: 0 };
      if (inFlight.size) unanswered = [...unanswered, entries].slice(-MOST_UNANSWERED);
    }
    if (body && (body.next || "version" in body)) return stored(body, active);
    for (const key of inFlight) draft.unsaved.add(key);
    inFlight = new Set();
    keep();
    submitting ||= submit;
    return refused(answer, body);
  }

  function decideFirst() {
    trouble.scrollIntoView({ block: "nearest" });
    say("Not submitted: see above the text", "trouble");
    return null;
  }

  function stored(body, active) {
    const expected = version + (inFlight.size ? 1 : 0);
    const forgotten = submitting && "Not submitted: there was no answer when you did. Everything is saved; submit again.";
    inFlight = new Set();
    submitting = false;
    wait = RETRY_FIRST;
    trouble.replaceChildren();
    if (body.next) {
      halted = true;
      next.forget();
      keep();
      return body;
    }
    version = body.version;
    if (version === expected) unanswered = [];
    worked.told(active, body.active);
    keep();
    if (version > expected) return reconcile();
    if (body.error || forgotten) return complain(body.error || forgotten, "Saved, not submitted");
    document.dispatchEvent(new CustomEvent("workbench:saved"));
    if (draft.unsaved.size) soon();
    const at = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    say(draft.unsaved.size ? "Saving…" : `Saved ${at}`, "saved");
    return null;
  }

  function refused(answer, body) {
    submitting &&= !body; // one that was answered is not waited for
    if (body?.outcome === "stale") return reconcile();
    if (body?.html) return halt(body.html);
    if (body?.error) return complain(body.error); // sent again with the next change: as it is, it would be refused again
    if (answer.type === "opaqueredirect" || answer.status === 403 || answer.status === 404) return loggedOut(answer);
    say(`Offline – kept in this browser, retrying in ${wait / 1000} s`, "trouble");
    soon(wait);
    wait = Math.min(wait * 2, RETRY_AT_MOST);
    return null;
  }

  function loggedOut(answer) {
    askToLogIn(answer.status === 404 ? "You are logged in as somebody else" : "You are logged out");
    soon(LOGGED_OUT_RETRY);
    return null;
  }

  function halt(html) {
    halted = true;
    trouble.innerHTML = html;
    trouble.scrollIntoView({ block: "nearest" });
    say("Not saved: kept in this browser", "trouble");
    return null;
  }

  /* Another page has saved: where the two differ, the annotator chooses. */
  async function reconcile() {
    const compared = changes;
    const content = { entries: Object.fromEntries(draft.entries), unsaved: [...draft.unsaved], unanswered };
    let body;
    try {
      const answer = await post(page.compare, content);
      if (!answer.ok) return refused(answer, null);
      body = await answer.json();
    } catch {
      return refused({ status: 0 }, null);
    }
    if (changes !== compared) return reconcile(); // somebody wrote on meanwhile
    if (body.html && draft.unsaved.size > body.own.length) {
      halt(body.html);
      trouble.querySelector("[data-settle]").addEventListener("click", () => settle(body, compared));
      return null;
    }
    draft.unsaved = new Set(body.own);
    return takeOver(body);
  }

  function settle(body, compared) {
    if (changes !== compared) return reconcile();
    for (const picked of trouble.querySelectorAll("[data-pick]:checked")) {
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
    keep();
    if (draft.unsaved.size) soon(0);
    else say("Saved: this page shows what is stored", "saved");
    return null;
  }

  function post(address, content, leaving = false) {
    return fetch(address, {
      method: "POST",
      body: JSON.stringify(content),
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": tokenOfNow() },
      redirect: "manual",
      keepalive: leaving,
      signal: AbortSignal.timeout(20_000),
    });
  }

  /* Text that no save has taken, from a page that was closed: put back, and judged by the server as any other save. */
  function restore() {
    let number = 0;
    const homeless = [];
    for (const each of mirror.left()) {
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
      mirror.drop(each.name);
    }
    const changes = number === 1 ? "one change that had" : `${number} changes that had`;
    const told = [
      number && `Restored from this browser: ${changes} not been saved. Undo takes it back.`,
      homeless.length && `Units that you wrote at are not here any more. Copy what you need: ${homeless.join(" · ")}`,
    ].filter(Boolean);
    if (told.length) document.getElementById("notice").textContent = told.join(" ");
    if (number) save();
  }

  const whileHere = { signal: turning.left };
  addEventListener("online", () => pending() && save(), whileHere);
  // Back on this page: is it still what is stored, and still one's own?
  addEventListener("focus", () => save(), whileHere);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && (pending() || worked.seconds() > 0)) save({ leaving: true });
  }, whileHere);
  addEventListener("beforeunload", (event) => {
    if (pending() && !mirrored) event.preventDefault();
  }, whileHere);
  turning.every(5000, () => worked.seconds() >= REPORT_TIME_AFTER && save());

  return { save, restore, pending };
})();
