"use strict";
/* Saving facts as they are written: one request at a time with the sentences that changed, again until it is stored,
   and mirrored in the browser until then.
   Where somebody else has saved meanwhile nothing is sent until one chooses; what one does not choose can be undone to. */

(() => {
  const SAVE_AFTER = 500;
  const RETRY_FIRST = 1000;
  const RETRY_AT_MOST = 15_000;

  const trouble = document.getElementById("trouble");
  const status = form.querySelector("[data-status]");
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  let version = page.version;
  let unsaved = new Set();
  let inFlight = new Set();
  let underWay = null;
  let timer = null;
  let wait = RETRY_FIRST;
  let halted = false;
  let mirrored = true;

  const mirror = mirrorOf(page.mirror);
  const sentencesOf = (keys) => Object.fromEntries([...keys].map((key) => [key, editor.state[key]]));
  const pending = () => unsaved.size + inFlight.size > 0;

  function keep() {
    mirrored = mirror.keep(pending() ? { version, sentences: sentencesOf([...unsaved, ...inFlight]) } : null);
  }

  function say(text, state = "") {
    status.textContent = text;
    status.className = `quiet status ${state}`;
  }

  /* How far the facts are, and who saved last, as the server says it. */
  function stand({ standing }) {
    document.getElementById("standing").textContent = standing;
  }

  function complain(text) {
    const line = Object.assign(document.createElement("p"), { className: "message error", textContent: text });
    line.setAttribute("role", "alert");
    trouble.replaceChildren(line);
    say("Not saved", "trouble");
  }

  function soon(after = SAVE_AFTER) {
    clearTimeout(timer);
    if (!halted) timer = setTimeout(save, after);
  }

  /* Whether it is stored. */
  async function save({ finish = false, keepalive = false } = {}) {
    clearTimeout(timer);
    while (underWay) await underWay;
    if (halted || !(finish || unsaved.size)) return false;
    underWay = send(finish, keepalive);
    const stored = await underWay;
    underWay = null;
    return stored;
  }

  async function send(finish, keepalive) {
    [inFlight, unsaved] = [unsaved, new Set()];
    say("Saving…");
    const sentences = sentencesOf(inFlight);
    let answer = { status: 0 };
    let body = null;
    try {
      answer = await fetch(form.dataset.save, {
        method: "POST",
        redirect: "manual",
        keepalive,
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify({ version, sentences, finish }),
      });
      body = answer.headers.get("content-type")?.includes("json") ? await answer.json() : null;
    } catch {
      answer = { status: 0 };
    }
    if (answer.status === 200 && body) return stored(body);
    unsaved = new Set([...inFlight, ...unsaved]);
    inFlight = new Set();
    refused(answer, body);
    return false;
  }

  function stored(body) {
    inFlight = new Set();
    version = body.version;
    stand(body);
    keep();
    wait = RETRY_FIRST;
    trouble.replaceChildren();
    const at = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    say(unsaved.size ? "Saving…" : `Draft saved ${at}`, "saved");
    if (unsaved.size) soon();
    return true;
  }

  function refused(answer, body) {
    if (answer.status === 409 && body) return choose(body);
    if (body?.error) return complain(body.error); // sent again with the next change: as it is, it would be refused again
    if (answer.type === "opaqueredirect" || answer.status === 403) complain("You are logged out. Log in on another tab: what you wrote is kept in this browser, and saved once you are back.");
    else say(`Offline – kept in this browser, retrying in ${wait / 1000} s`, "trouble");
    soon(wait);
    wait = Math.min(wait * 2, RETRY_AT_MOST);
  }

  function choose(theirs) {
    halted = true;
    say("Not saved: choose first", "trouble");
    const writing = whereIs();
    const box = document.getElementById("stale").content.cloneNode(true).firstElementChild;
    box.querySelector("[data-by]").textContent = theirs.by || "Somebody";
    box.addEventListener("click", (event) => {
      const choice = event.target.dataset.choice;
      if (!choice) return;
      version = theirs.version;
      halted = false;
      trouble.replaceChildren();
      if (choice === "theirs") {
        takeOver(theirs.sentences);
        stand(theirs);
        unsaved = new Set();
        keep();
        say("Theirs taken; undo brings yours back");
      } else {
        unsaved = new Set(Object.keys(editor.state));
        save();
      }
      goBack(writing);
    });
    trouble.replaceChildren(box);
    box.querySelector("button").focus();
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
    const same = (key, facts) => JSON.stringify(facts) === JSON.stringify(editor.state[key]);
    const found = {};
    for (const each of mirror.left()) {
      const news = Object.entries(each.sentences).filter(([key, facts]) => key in editor.state && !same(key, facts));
      if (news.length) version = Math.min(version, each.version);
      Object.assign(found, Object.fromEntries(news));
      mirror.drop(each.name);
    }
    const number = Object.keys(found).length;
    if (!number) return;
    takeOver(found);
    const whose = number === 1 ? "one sentence" : `${number} sentences`;
    document.getElementById("notice").textContent = `Restored from this browser: facts of ${whose} that had not been saved. Undo takes them back.`;
    save();
  }

  editor.listeners.push((changed) => {
    for (const key of changed) unsaved.add(key);
    keep();
    if (changed.length) soon();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await save({ finish: true })) window.location.reload();
  });
  window.addEventListener("pagehide", () => save({ keepalive: true }));
  window.addEventListener("beforeunload", (event) => pending() && !mirrored && event.preventDefault());
  document.addEventListener("visibilitychange", () => document.hidden && save({ keepalive: true }));
  restore();
})();
