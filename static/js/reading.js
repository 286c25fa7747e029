"use strict";
/* What this browser still holds of a task that takes nothing more: shown, to be copied or forgotten. */
{
  const { mirror: name, entries } = JSON.parse(document.getElementById("stored").textContent);
  const mirror = mirrorOf(name);
  const kept = document.getElementById("kept");
  const left = mirror.left();

  const found = left
    .flatMap((page) => Object.entries(page.entries))
    .flatMap(([key, entry]) => textsOf(entry).filter((text) => !textsOf(entries[key]).includes(text)));

  kept.querySelector("ul").append(...found.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  kept.hidden = !found.length;
  kept.querySelector("button").addEventListener("click", () => {
    for (const page of left) mirror.drop(page.name);
    kept.hidden = true;
  });
}
