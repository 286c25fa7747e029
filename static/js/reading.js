"use strict";
/* Unsaved entries of a task that is closed: this browser still holds them, to be copied or forgotten. */
{
  const { mirror: name, entries } = JSON.parse(document.getElementById("stored").textContent);
  const mirror = mirrorOf(name);
  const section = document.getElementById("kept");
  const left = mirror.left();

  const texts = left
    .flatMap((page) => Object.entries(page.entries))
    .flatMap(([key, entry]) => textsOf(entry).filter((text) => !textsOf(entries[key]).includes(text)));

  section.querySelector("ul").append(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  section.hidden = !texts.length;
  section.querySelector("button").addEventListener("click", () => {
    for (const page of left) mirror.drop(page.name);
    section.hidden = true;
  });
}
