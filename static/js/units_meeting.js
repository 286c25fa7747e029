"use strict";
/* Facts that are written on two pages at once: which sentences the other page has changed, and a box in which to choose
   where both have. */

/* Sameness as the server sees it, which makes all white space between words one space. */
const same = (one, other) => asStored(one) === asStored(other);
const asStored = (facts) =>
  JSON.stringify(facts.map(({ text, from }) => [text.trim().replace(/\s+/g, " "), from.toSorted((low, high) => low - high)]));

/* What this page knows of each sentence: how it stood when the server last told, and what was sent since without an
   answer, of which the server may have stored any. Whatever else stands there is by another page. */
const versionsOf = (sentences) => {
  const versions = Object.fromEntries(Object.entries(sentences).map(([key, facts]) => [key, [facts]]));

  return {
    sent(key, facts) {
      if (!versions[key].some((one) => same(one, facts))) versions[key].push(facts);
    },
    stands: (key, facts) => (versions[key] = [facts]),
    restore: (key, known) => (versions[key] = known),
    known: (keys) => Object.fromEntries(keys.map((key) => [key, versions[key]])),
    changedIn: (theirs) =>
      Object.keys(theirs).filter((key) => key in versions && !versions[key].some((facts) => same(facts, theirs[key]))),
  };
};

/* Both versions of the sentences (`keys`), and the two buttons; `draw` shows one's own as it is by now. */
const boxOf = (theirs, keys) => {
  const copyOf = (id) => document.getElementById(id).content.cloneNode(true).firstElementChild;
  const fill = (item, side, facts) => item.querySelector(`[data-${side}]`).replaceChildren(...facts.map(line));
  const line = ({ text }) => Object.assign(document.createElement("li"), { textContent: text });

  const box = copyOf("stale");
  box.querySelector("[data-by]").textContent = theirs.by || "Somebody";
  const items = keys.map((key) => {
    const item = copyOf("both");
    item.querySelector("[data-sentence]").textContent = section(key).querySelector(".source").textContent;
    fill(item, "theirs", theirs.sentences[key]);
    return item;
  });
  box.querySelector("[data-list]").replaceChildren(...items);
  const draw = () => items.forEach((item, place) => fill(item, "mine", editor.state[keys[place]]));
  draw();
  return { box, draw };
};
