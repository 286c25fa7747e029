"use strict";
/* Rating without the mouse: digits answer, n goes to the note, Enter saves, b goes back to the last one. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("#item .htmx-request")) return; // what is pressed now is not meant for what is going
  const typing = event.target.closest("textarea, select, input:not([type=radio])");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  if (event.key === "n") {
    const note = document.querySelector("#item textarea");
    if (!note) return;
    event.preventDefault();
    note.focus();
    return;
  }
  const wanted = document.querySelector(`#item [data-key="${CSS.escape(event.key)}"]`);
  if (!wanted) return;
  event.preventDefault();
  wanted.click();
  if (wanted.type === "radio") wanted.focus();
});

/* A refusal says why in place; what else goes wrong is said in answers.js. */
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (![409, 422].includes(detail.xhr.status)) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

/* What was chosen and written for an item and is not saved yet is kept in the tab, for the way to another item and back. */
(() => {
  const who = document.querySelector(".account .who")?.textContent;
  const formNow = () => document.querySelector("#item form");
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches("textarea, input:not([type=hidden])"));
  const nameOf = (field) => (field.type === "radio" ? `${field.name}=${field.value}` : field.name);
  const partOf = (field) => (field.type === "radio" ? "checked" : "value");
  const read = (form) => Object.fromEntries(fieldsOf(form).map((field) => [nameOf(field), field[partOf(field)]]));

  function placeOf(form) {
    const item = form.querySelector("input[type=hidden]:not([name=csrfmiddlewaretoken])").value;
    return `touchstone.rate.${who}.${location.pathname}.${item}`;
  }

  function keep(form) {
    try {
      sessionStorage.setItem(placeOf(form), JSON.stringify(read(form)));
    } catch {
      // Full, or forbidden: what is written stays on the page alone.
    }
  }

  const drop = (form) => sessionStorage.removeItem(placeOf(form));

  function restore() {
    const form = formNow();
    const said = form && JSON.parse(sessionStorage.getItem(placeOf(form)));
    const news = said ? fieldsOf(form).filter((field) => (said[nameOf(field)] ?? field[partOf(field)]) !== field[partOf(field)]) : [];
    if (!news.length) return;
    for (const field of news) field[partOf(field)] = said[nameOf(field)];
    const words = "Restored from this browser: what you wrote and had not saved.";
    form.prepend(Object.assign(document.createElement("p"), { className: "message", role: "status", textContent: words }));
  }

  document.addEventListener("input", ({ target }) => target.form && target.form === formNow() && keep(target.form));
  // A form without HTMX leaves the page with its answer: what is wrong with it comes back in the next one.
  document.addEventListener("submit", ({ target }) => target === formNow() && !target.hasAttribute("hx-post") && drop(target));
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.status === 200 && !loggedOut(detail.xhr)) drop(detail.requestConfig.elt);
  });
  document.addEventListener("htmx:afterSwap", restore);
  restore();
})();
