"use strict";
/* The adjudicator's keyboard: a digit takes a side, w writes the reason, n leaves the case for later, p goes to the one
   before, Ctrl and Enter settle or sign, or send the other form one writes in. Without this file the page is a plain
   form. */

const typing = (element) => element.matches("textarea, select, input:not([type=radio])");

function take(digit) {
  const side = document.querySelector(`.decision [data-choice="${digit}"]`);
  if (!side) return false;
  side.checked = true;
  side.dispatchEvent(new Event("change", { bubbles: true }));
  const third = side.value === "third" && document.querySelector(".decision .third input");
  (third || document.querySelector(".decision [data-why]")).focus();
  return true;
}

/* By its first button, as Enter in a line of it would: what else stands on the page is not meant. */
function submit(form) {
  form?.requestSubmit(form.querySelector("button:not([type=button])"));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    // One press settles one case, though the next stands there before the key is let go.
    if (!event.repeat) submit(event.target.closest("form") ?? document.querySelector(".decision"));
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
  const key = keyMeant(event, (each) => /^[1-9wpn]$/.test(each));
  if (/^[1-9]$/.test(key) && take(key)) event.preventDefault();
  if (key === "w") {
    event.preventDefault();
    document.querySelector(".decision [data-why]")?.focus();
  }
  if (key === "p") document.querySelector("[data-previous]")?.click();
  if (key === "n") document.querySelector("[data-later]")?.click();
});

// After a case is settled the next one stands in its place: keyboard and screen reader go on from there. A refusal stands
// beside the button.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.closest("[data-evidence]")) return; // passages, and the same case
  const refusal = document.getElementById("refusal");
  if (refusal) return refusal.focus();
  document.getElementById("case")?.focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
});
