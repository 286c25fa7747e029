"use strict";
/* What is not stored yet is mirrored in the browser at each key stroke, so that no closed tab, dead server or ended
   session loses it. Each page has a mirror of its own. */

const entriesOf = (keys) => Object.fromEntries([...keys].map((key) => [key, draft.get(key)]));

const mirror = (() => {
  const own = `${page.mirror}.${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

  return {
    keep(version, keys) {
      try {
        if (!keys.size) localStorage.removeItem(own);
        else localStorage.setItem(own, JSON.stringify({ version, entries: entriesOf(keys), at: Date.now() }));
        return true;
      } catch {
        return false; // full, or forbidden: leaving the page then asks first
      }
    },

    /* What other pages of this task, mostly closed ones, could not save; the oldest first. */
    left() {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(`${page.mirror}.`) && name !== own);
      const found = names.map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }));
      return found.sort((one, other) => one.at - other.at);
    },

    drop: (name) => localStorage.removeItem(name),
  };
})();
