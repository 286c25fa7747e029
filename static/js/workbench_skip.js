"use strict";
/* The dialog in which a task is skipped; null in a rebuttal, which is not. */

const skipping = (() => {
  const dialog = document.getElementById("skip");
  if (!dialog) return null;
  const why = dialog.querySelector("[name=reason]");
  const whyMirror = mirrorOf(`${page.mirror}-skip`);

  /* The reason is mirrored until the task is skipped or submitted. */
  const keepWhy = () => whyMirror.keep(why.value ? { reason: why.value } : null);

  function restore() {
    for (const { name, reason } of whyMirror.left()) {
      why.value = reason;
      whyMirror.drop(name);
    }
    keepWhy();
  }

  why.addEventListener("input", keepWhy);

  /* Before the place is given away everything written must be stored. Errors appear beside the reason, which
     stays. */
  dialog.querySelector("form").addEventListener("submit", async (event) => {
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

  return { dialog, restore, forget: () => whyMirror.keep(null) };
})();
