"use strict";
/* A rebuttal: the other annotators' evidence for the sentence one stands on, and answers that are kept. */

if ("revising" in page) {
  const others = [...bench.root.querySelectorAll("[data-evidence-at]")];
  const shown = () => others.find((each) => !each.hidden);
  let sure = false;

  function showOthers() {
    for (const each of others) each.hidden = each.dataset.evidenceAt !== bench.here()?.dataset.segment;
  }

  /* With the focus on its first passage, where the keys of the evidence panel hold. */
  function goToOthers() {
    shown()?.scrollIntoView({ block: "nearest" });
    const passage = shown()?.querySelector("[data-passage]");
    if (passage) passage.focus();
    else hint("The other annotators cite nothing here");
  }

  /* A revision that was begun is discarded by it, which is asked first. */
  async function keepAnswers() {
    if ((page.revising || draft.past.length) && !sure) {
      sure = true;
      return hint("Your changes will be discarded: choose “Keep my answers” again to confirm", "trouble");
    }
    const following = await saving.save({ submit: true, keep: true });
    if (following) turning.to(following);
  }

  draft.listeners.push(() => (sure = false));
  document.addEventListener("workbench:unit", showOthers, { signal: turning.left });
  window.workbench.registerCommand("others", goToOthers);
  window.workbench.registerCommand("stand", keepAnswers);
  showOthers();
}
