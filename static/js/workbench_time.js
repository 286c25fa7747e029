"use strict";
/* Time worked: seconds count while the page is in sight, has the focus, and something was done in the last minute. */

const worked = (() => {
  const IDLE_AFTER = 60_000;
  let milliseconds = 0;
  let reported = page.active;
  let lastTick = Date.now();
  let lastAct = Date.now();

  for (const act of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
    addEventListener(act, () => (lastAct = Date.now()), { passive: true, signal: turning.left });
  }

  function tick() {
    const now = Date.now();
    const counts = !document.hidden && document.hasFocus() && now - lastAct < IDLE_AFTER;
    // A computer that slept wakes with one long tick.
    if (counts) milliseconds += Math.min(now - lastTick, 2000);
    lastTick = now;
    show();
  }

  function show() {
    const minutes = Math.floor((reported + milliseconds / 1000) / 60);
    const text = `${minutes} min`;
    const place = document.querySelector("[data-worked]"); // a rebuttal has none
    if (place && place.textContent !== text) place.textContent = text;
  }

  turning.every(1000, tick);
  show();

  return {
    /* Whole seconds that no save has reported yet. */
    seconds: () => Math.floor(milliseconds / 1000),
    /* A save has reported so many; the server counts `total` now. */
    reported(seconds, total) {
      milliseconds -= seconds * 1000;
      reported = total;
    },
  };
})();
