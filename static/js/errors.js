"use strict";
/* The tagger's keyboard: a digit chooses the cause and saves, j and k (or the arrows) move, u takes the last tag back, n goes to the note. Without this file the page is a plain form. */
const ALSO = { ArrowDown: "j", ArrowUp: "k" };
let leaving = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || leaving) return;
  if (event.target.closest("textarea, select, input:not([type=radio])")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const controlOf = (key) => document.querySelector(`[data-key="${CSS.escape(ALSO[key] ?? key)}"]`);
  const key = keyMeant(event, (each) => each === "n" || controlOf(each));
  if (key === "n") {
    event.preventDefault();
    document.querySelector("#cause-form textarea")?.focus();
    return;
  }
  if (key in ALSO && event.target.matches("[type=radio]")) return; // there the arrows choose
  const control = controlOf(key);
  if (!control) return;
  event.preventDefault();
  leaving = true; // a key pressed before the next mistake is drawn is not meant for it
  if (control.type !== "radio") {
    control.click();
    return;
  }
  control.checked = true;
  control.form.requestSubmit();
});

/* The page is shown anew when one goes back to it. */
window.addEventListener("pageshow", () => {
  leaving = false;
});
