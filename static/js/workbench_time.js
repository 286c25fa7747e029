"use strict";
/* Time worked: it counts while the page is in sight, has the focus, and something was done in the last minute. A save
   reports the intervals that no save has counted yet; the server counts the same time once. */

/* Pages of one browser correct its clock by the same milliseconds: when they take turns, no time is lost. */
const browserClock = {
  behind() {
    try {
      return Number(localStorage.getItem("clock-behind")) || 0;
    } catch {
      return 0;
    }
  },
  put(behind) {
    try {
      localStorage.setItem("clock-behind", behind);
    } catch {
      // This page corrects its own.
    }
  },
};

const worked = (() => {
  const IDLE_AFTER = 60_000;
  const LONGEST_TICK = 2000;
  let intervals = []; // from and until, in milliseconds; the last one grows
  let behind = browserClock.behind(); // how far this computer's clock is behind the server's
  let counted = page.active; // seconds, by the server
  let counting = false;
  let lastTick = now();
  let lastAct = now();

  const here = { passive: true, signal: turning.left };
  for (const act of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
    addEventListener(act, () => {
      lastAct = now();
      if (!counting) tick();
    }, here);
  }
  for (const turn of ["focus", "blur"]) addEventListener(turn, tick, here);
  document.addEventListener("visibilitychange", tick, here);

  function now() {
    return Date.now() + behind;
  }

  function tick() {
    const at = now();
    // A computer that slept wakes with one long tick.
    if (counting) extend(lastTick, Math.min(at, lastTick + LONGEST_TICK, lastAct + IDLE_AFTER));
    counting = !document.hidden && document.hasFocus() && at - lastAct < IDLE_AFTER;
    lastTick = at;
    show();
  }

  function extend(from, until) {
    if (until <= from) return;
    const last = intervals.at(-1);
    if (last?.[1] === from) last[1] = until;
    else intervals.push([from, until]);
  }

  const unreported = () => intervals.reduce((sum, [from, until]) => sum + until - from, 0);

  function show() {
    const minutes = Math.floor((counted + unreported() / 1000) / 60);
    const text = `${minutes} min`;
    const place = document.querySelector("[data-worked]"); // a rebuttal has none
    if (place && place.textContent !== text) place.textContent = text;
  }

  turning.every(1000, tick);
  tick();

  return {
    unreported, // milliseconds

    /* What a save sends. */
    report() {
      tick();
      return { worked: intervals.map((each) => [...each]), clock: now() };
    },

    /* A save has counted what was until `clock`. */
    counted(clock, { active, shift = 0 }) {
      counted = active;
      if (shift) browserClock.put(behind + shift);
      behind += shift;
      lastTick += shift;
      lastAct += shift;
      intervals = intervals
        .filter(([, until]) => until > clock)
        .map(([from, until]) => [Math.max(from, clock) + shift, until + shift]);
    },

    /* Of a page that was closed before a save took it. */
    add(others) {
      intervals = [...(others ?? []), ...intervals];
    },
  };
})();
