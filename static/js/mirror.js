"use strict";
/* What is not stored yet is mirrored in the browser at each key stroke, so that no closed tab, dead server or ended
   session loses it. Each page has a mirror of its own among those of its work (`name`). */

/* What somebody wrote in an entry of a draft. */
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

    /* What other pages of this work, mostly closed ones, could not save; the oldest first. */
    left() {
      const names = Object.keys(localStorage).filter((other) => other.startsWith(`${name}.`) && other !== own);
      const found = names.map((other) => ({ name: other, ...JSON.parse(localStorage.getItem(other)) }));
      return found.sort((one, other) => one.at - other.at);
    },

    drop: (other) => localStorage.removeItem(other),
  };
};
