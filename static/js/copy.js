"use strict";
/* A link to a table as text puts that text on the clipboard. Where there is none, it opens as any link does. */
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copy]");
  if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const status = link.closest(".copy").querySelector("[data-copied]");
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(answer.statusText);
    await navigator.clipboard.writeText(await answer.text());
    status.textContent = `Copied as ${link.textContent}.`;
  } catch {
    location.href = link.href; // refused, or out of reach: shown instead
  }
});
/* A field that is there to be taken away gets a button, where there is a clipboard. */
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copy-field]")) {
    const field = button.parentElement.querySelector("input");
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select(); // also where the clipboard refuses
      await navigator.clipboard.writeText(field.value);
      button.parentElement.querySelector("[data-copied]").textContent = "Copied.";
    });
  }
}
