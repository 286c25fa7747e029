"use strict";
/* Segments go with the form, all at once, when it is submitted; until then they are mirrored in the browser. */

(() => {
  const status = form.querySelector("[data-status]");
  const mirror = mirrorOf(page.mirror);
  const saved = page.refused ? null : JSON.stringify(editor.state.response);
  const unsaved = () => JSON.stringify(editor.state.response) !== saved;
  let mirrored = true;
  let leaving = false;

  function tell() {
    mirrored = mirror.keep(unsaved() ? { seen: form.elements.seen?.value, spans: editor.state.response } : null);
    status.textContent = `${editor.state.response.length} segments${unsaved() ? ", not saved yet" : ""}`;
  }

  /* Segments that were never saved, from a page that was closed. They go with what that page had seen: where somebody
     has cut the response otherwise meanwhile, the server says so. */
  function restore() {
    for (const each of mirror.left()) {
      mirror.drop(each.name);
      if (JSON.stringify(each.spans) === JSON.stringify(editor.state.response)) continue;
      if (form.elements.seen) form.elements.seen.value = each.seen;
      editor.past.push({ state: editor.state, focus: null });
      editor.show({ response: each.spans }, null);
      document.getElementById("notice").textContent = RESTORED.segments;
    }
  }

  editor.listeners.push(tell);
  restore();
  tell();
  form.addEventListener("submit", () => {
    leaving = true;
    const spans = Object.assign(document.createElement("input"), { type: "hidden", name: "spans" });
    spans.value = JSON.stringify(editor.state.response);
    form.append(spans);
  });
  // Restoring the earlier segments gives up those on the page.
  document.querySelector(".history")?.addEventListener("submit", () => {
    leaving = true;
    mirror.keep(null);
  });
  window.addEventListener("beforeunload", (event) => unsaved() && !mirrored && !leaving && event.preventDefault());
})();
