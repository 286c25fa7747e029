"use strict";
/* A card: a source that is cited, its quote, and the stance of it. `title` is that of a document, if it is known. */

const isLink = (url) => /^https?:\/\//.test(url);

function evidenceCard(reference, title, setStance, remove) {
  const item = document.getElementById("card").content.firstElementChild.cloneNode(true);
  const stance = item.querySelector("select");
  const mark = () => (item.className = stance.value || "unsaid");
  stance.value = reference.stance;
  stance.addEventListener("change", () => {
    mark();
    setStance(stance.value);
  });
  mark();
  const quote = item.querySelector("q");
  quote.textContent = reference.quote;
  quote.hidden = !reference.quote;
  const link = item.querySelector("a");
  if (isLink(reference.url)) link.href = reference.url;
  link.textContent = title || reference.url || `document ${reference.document}`;
  item.querySelector("button").addEventListener("click", remove);
  return item;
}
