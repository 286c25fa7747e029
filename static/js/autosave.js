"use strict";
/* Saving while one writes, on the workbench and in the editor of facts: one request at a time with what changed, again
   until there is an answer, mirrored in the browser until it is stored. Each page defines the requests and the handling of
   an answer. */

const isLoggedOut = ({ type, status }) => type === "opaqueredirect" || status === 403;
const timeOfDay = () => new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/* name: of the mirror. unsaved: the keys of what changed, to which the page adds. content: the mirror's copy of
   these keys. send: sends once, and gives what `save` gives. isHalted: whether nothing is sent for now. say: shows the
   state. */
const autosaveOf = ({ name, unsaved, content, send, isHalted, say }) => {
  const SAVE_AFTER = 500;
  const RETRY_FIRST = 1000;
  const RETRY_AT_MOST = 15_000;

  const mirror = mirrorOf(name);
  const inFlight = new Set();
  let mirrored = true;
  let underWay = null;
  let wait = RETRY_FIRST;
  let timer = null;
  let due = 0;

  const pending = () => unsaved.size + inFlight.size > 0;
  const isOffline = () => wait > RETRY_FIRST;

  function keep() {
    mirrored = mirror.keep(pending() ? content([...unsaved, ...inFlight]) : null);
  }

  function forget() {
    clearTimeout(timer);
    timer = null;
  }

  /* At that time, or earlier where that is planned already: a text that is written on and on is saved meanwhile. */
  function soon(after = SAVE_AFTER) {
    const then = performance.now() + after;
    if (isHalted() || (timer !== null && due <= then)) return;
    forget();
    due = then;
    timer = setTimeout(save, after);
  }

  async function save(options = {}) {
    forget();
    while (underWay) await underWay;
    underWay = send(options);
    try {
      return await underWay;
    } finally {
      underWay = null;
    }
  }

  return {
    pending,
    keep,
    forget,
    soon,
    save,

    changed() {
      keep();
      if (isHalted()) return;
      if (!isOffline()) say("Saving…");
      soon(isOffline() ? wait : SAVE_AFTER);
    },

    /* The keys that go with a request; later changes are unsaved again. */
    begin() {
      for (const key of unsaved) inFlight.add(key);
      unsaved.clear();
      return [...inFlight];
    },

    stored() {
      inFlight.clear();
      wait = RETRY_FIRST;
    },

    notStored() {
      for (const key of inFlight) unsaved.add(key);
      inFlight.clear();
      keep();
    },

    /* The answer and its JSON, null if it has none. Status 0: there was no answer, or only a part. */
    async post(address, content, keepalive = false) {
      try {
        const answer = await fetch(address, {
          method: "POST",
          body: JSON.stringify(content),
          headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": tokenOfNow() },
          redirect: "manual",
          keepalive,
          signal: AbortSignal.timeout(20_000),
        });
        return { answer, body: answer.headers.get("content-type")?.includes("json") ? await answer.json() : null };
      } catch {
        return { answer: { status: 0 }, body: null };
      }
    },

    retry() {
      soon(wait);
      wait = Math.min(wait * 2, RETRY_AT_MOST);
    },

    retryOffline(kept = "kept in this browser") {
      say(FAILED.offline(kept, wait / 1000), "trouble");
      this.retry();
    },

    /* Unsaved entries of closed pages, the oldest first; each is dropped once it has been put back. */
    *left() {
      for (const each of mirror.left()) {
        yield each;
        mirror.drop(each.name);
      }
    },

    /* A hidden page saves, if `isDue`; one that would lose something asks before it goes. */
    watch(isDue, listening = {}) {
      document.addEventListener("visibilitychange", () => document.hidden && isDue() && save({ leaving: true }), listening);
      addEventListener("beforeunload", (event) => pending() && !mirrored && event.preventDefault(), listening);
    },
  };
};
