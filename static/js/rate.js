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
