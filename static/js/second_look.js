"use strict";
/* The looker's keyboard: a digit chooses a value, n goes to the reason, Enter saves, b goes back to the last one. Without this file the page is a plain form. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("textarea, select, input:not([type=radio])")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  if (event.key === "n") {
    event.preventDefault();
    document.querySelector(".judging textarea")?.focus();
    return;
  }
  const wanted = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!wanted) return;
  event.preventDefault();
  wanted.click();
  if (wanted.type === "radio") wanted.focus();
});
