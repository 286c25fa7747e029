"use strict";
/* The form of a rebuttal is saved by its buttons; what was written since is mirrored in the browser, and put back when
   the page is opened again. It goes with the version of the page it was written on: a newer one is never overwritten. */

(() => {
  const form = document.querySelector("form.rebuttal");
  const mirror = mirrorOf(form.dataset.mirror);
  const status = form.querySelector("[data-status]");
  const chosen = (field) => field.type === "radio" || field.type === "checkbox";
  const fields = [...form.elements].filter((field) => field.matches("input:not([type=hidden]), textarea"));
  let mirrored = true;
  let leaving = false;

  /* The values of the form by field; of fields with choices, each choice by its value. */
  const nameOf = (field) => (chosen(field) ? `${field.name}=${field.value}` : field.name);
  const read = () => Object.fromEntries(fields.map((field) => [nameOf(field), chosen(field) ? field.checked : field.value]));
  const normal = (value) => (typeof value === "string" ? value.split(/\s+/).filter(Boolean).join(" ") : value);
  const differing = (one, other) => Object.keys(other).filter((name) => name in one && normal(one[name]) !== normal(other[name]));

  const stored = read();
  const unsaved = () => form.hasAttribute("data-refused") || differing(stored, read()).length > 0;

  function keep() {
    mirrored = mirror.keep(unsaved() ? { version: form.elements.version.value, said: read() } : null);
    status.textContent = unsaved() ? FAILED.unsaved(mirrored) : "";
  }

  function restore() {
    for (const each of mirror.left()) {
      mirror.drop(each.name);
      const news = differing(read(), each.said);
      if (!news.length) continue;
      form.elements.version.value = Math.min(form.elements.version.value, each.version);
      for (const field of fields.filter((one) => news.includes(nameOf(one)))) {
        if (chosen(field)) field.checked = each.said[nameOf(field)];
        else field.value = each.said[nameOf(field)];
        field.closest("details")?.setAttribute("open", "");
      }
      document.getElementById("notice").textContent = RESTORED.form;
    }
  }

  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    leaving = true;
    if (event.submitter?.value === "stand") mirror.keep(null);
  });
  addEventListener("beforeunload", (event) => unsaved() && !mirrored && !leaving && event.preventDefault());
  restore();
  keep();
})();
