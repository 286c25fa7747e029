"use strict";
/* One page after another: the answer to a submission brings the next one, which is put in this one's place without being
   loaded. The whole of the workbench then begins anew (labelling), and its listeners on the window end with the page. */

const turning = (() => {
  const leaving = new AbortController();
  const { signal } = leaving;

  return {
    /* Ends what listens to more than the page itself. */
    left: signal,

    every(milliseconds, run) {
      const timer = setInterval(run, milliseconds);
      signal.addEventListener("abort", () => clearInterval(timer));
    },

    to({ next, html, notice }) {
      if (!html) return location.assign(next);
      leaving.abort();
      document.querySelector(".messages")?.remove();
      document.getElementById("content").innerHTML = html;
      history.pushState(null, "", next);
      currentPath = location.pathname;
      scrollTo(0, 0);
      // Before the workbench begins: that something was restored matters more, and takes its place.
      document.getElementById("notice").textContent = notice;
      labelling();
    },
  };
})();
