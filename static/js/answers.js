"use strict";
/* Forms of these pages keep their text until an answer has come. A missing answer, or a log-out, is reported in the form.
   Unsent text is kept in the tab. */

(() => {
  const placeIn = (form) => form.querySelector("[data-not]");

  function say(form, message) {
    const place = placeIn(form);
    if (!place) return;
    place.hidden = false;
    place.textContent = message(place.dataset.not);
  }

  // Before anything reads the form: its own token goes first, and the header that the page sends is not looked at.
  const renew = ({ target }) => {
    const token = target.elements.csrfmiddlewaretoken;
    if (token) token.value = tokenOfNow() || token.value;
  };
  document.addEventListener("submit", renew, true);

  document.addEventListener("htmx:beforeRequest", ({ target }) => {
    const place = placeIn(target);
    if (place) place.hidden = true;
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (loggedOut(detail.xhr)) {
      detail.shouldSwap = false;
      say(detail.requestConfig.elt, FAILED.formLoggedOut);
    } else if ([409, 422].includes(detail.xhr.status)) {
      // A refusal says why in place.
      detail.shouldSwap = true;
      detail.isError = false;
    }
  });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(failure, ({ target, detail }) => loggedOut(detail.xhr) || say(target, FAILED.form));
  }
})();

/* Unsaved choices and text of a form are kept in the tab, for the way to another page and back: in the form of an item to
   rate, and in each with data-keep. */
(() => {
  const KEPT = "#item form, form[data-keep]";
  const who = document.querySelector(".account .who")?.textContent;
  const isKept = (element) => element instanceof HTMLFormElement && element.matches(KEPT);
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches("textarea, select, input:not([type=hidden])"));
  const nameOf = (field) => (field.type === "radio" ? `${field.name}=${field.value}` : field.name);
  const partOf = (field) => (["radio", "checkbox"].includes(field.type) ? "checked" : "value");
  const read = (form) => Object.fromEntries(fieldsOf(form).map((field) => [nameOf(field), field[partOf(field)]]));

  /* Every item of a sample is sent to the same address; what says data-keep has one of its own. */
  function placeOf(form) {
    const item = "keep" in form.dataset ? "" : form.querySelector("input[type=hidden]:not([name=csrfmiddlewaretoken])").value;
    return `touchstone.kept.${who}.${form.getAttribute("action")}.${item}`;
  }

  // Saved forms: a field that leaves the page with them changes for the last time.
  const saved = new WeakSet();

  function keep({ target, type }) {
    if (!isKept(target.form) || (type === "change" && saved.has(target.form))) return;
    saved.delete(target.form);
    try {
      sessionStorage.setItem(placeOf(target.form), JSON.stringify(read(target.form)));
    } catch {
      // Full, or forbidden: the text stays on the page alone.
    }
  }

  function drop(form) {
    saved.add(form);
    sessionStorage.removeItem(placeOf(form));
  }

  function restore(form) {
    const stored = JSON.parse(sessionStorage.getItem(placeOf(form)));
    const news = stored ? fieldsOf(form).filter((field) => (stored[nameOf(field)] ?? field[partOf(field)]) !== field[partOf(field)]) : [];
    if (!news.length) return;
    for (const field of news) field[partOf(field)] = stored[nameOf(field)];
    form.prepend(Object.assign(document.createElement("p"), { className: "message", role: "status", textContent: RESTORED.form }));
    form.closest("details")?.setAttribute("open", "");
  }

  const restoreAll = () => document.querySelectorAll(KEPT).forEach(restore);

  document.addEventListener("input", keep);
  document.addEventListener("change", keep); // a key that takes a side changes it without typing
  // A form without HTMX leaves the page with its answer: its errors come back in the next one.
  document.addEventListener("submit", ({ target }) => isKept(target) && !target.hasAttribute("hx-post") && drop(target));
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const form = detail.requestConfig.elt;
    if (detail.xhr.status === 200 && !loggedOut(detail.xhr) && isKept(form)) drop(form);
  });
  document.addEventListener("htmx:afterSwap", restoreAll);
  restoreAll();
})();
