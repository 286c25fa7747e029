"use strict";
/* Segments go with the form, all at once, when it is submitted. */

(() => {
  const status = form.querySelector("[data-status]");
  const saved = JSON.stringify(editor.state.response);
  const unsaved = () => JSON.stringify(editor.state.response) !== saved;
  let leaving = false;
  const tell = () => (status.textContent = `${editor.state.response.length} segments${unsaved() ? ", not saved yet" : ""}`);
  editor.listeners.push(tell);
  tell();
  form.addEventListener("submit", () => {
    leaving = true;
    const spans = Object.assign(document.createElement("input"), { type: "hidden", name: "spans" });
    spans.value = JSON.stringify(editor.state.response);
    form.append(spans);
  });
  window.addEventListener("beforeunload", (event) => unsaved() && !leaving && event.preventDefault());
})();
