"use strict";
/* Rating without the mouse: digits answer, n goes to the note, Enter saves, b goes back to the last one. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("#item .htmx-request")) return; // a key pressed now is not meant for the item that is going
  const typing = event.target.closest("textarea, select, input:not([type=radio])");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const answering = (key) => document.querySelector(`#item [data-key="${CSS.escape(key)}"]`);
  const key = keyMeant(event, (each) => each === "n" || answering(each));
  if (key === "n") {
    const note = document.querySelector("#item textarea");
    if (!note) return;
    event.preventDefault();
    note.focus();
    return;
  }
  const control = answering(key);
  if (!control) return;
  event.preventDefault();
  control.click();
  if (control.type === "radio") control.focus();
});
