"use strict";
/* Unsaved entries are mirrored in the browser at each key stroke, so that no closed tab, dead server or ended
   session loses it. Each page has a mirror of its own among those of its work (`name`). */

/* The text of an entry of a draft. */
const textsOf = (entry) =>
  [entry?.reason, entry?.text, ...(entry?.references ?? []).flatMap(({ url, quote }) => [url, quote])].filter(Boolean);

const mirrorOf = (name) => {
  const own = `${name}.${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

  return {
    /* Whether it is kept; null: there is nothing that would have to be. */
    keep(content) {
      try {
        if (content === null) localStorage.removeItem(own);
        else localStorage.setItem(own, JSON.stringify({ ...content, at: Date.now() }));
        return true;
      } catch {
        return false; // full, or forbidden: leaving the page then asks first
      }
    },

    /* Unsaved entries of other pages of this work, mostly closed ones; the oldest first. */
    left() {
      const names = Object.keys(localStorage).filter((other) => other.startsWith(`${name}.`) && other !== own);
      const copies = names.map((other) => ({ name: other, ...JSON.parse(localStorage.getItem(other)) }));
      return copies.sort((one, other) => one.at - other.at);
    },

    drop: (other) => localStorage.removeItem(other),
  };
};
