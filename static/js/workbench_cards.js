"use strict";
/* Cards: the evidence for a unit. One is made of a link or of a passage of the evidence panel, and can be cited again
   at other units. */

const cards = (() => {
  const titles = new Map(Object.entries(page.titles).map(([pk, title]) => [Number(pk), title]));
  let last = null;

  function element(key, reference, at) {
    const title = titles.get(reference.document);
    const setStance = (stance) => put(key, at, { stance });
    const item = evidenceCard(reference, title, setStance, () => remove(key, at));
    if (isLink(reference.url) && !reference.document) quoteByHand(item, key, at, reference);
    return item;
  }

  /* A page of the web is read elsewhere: a quote is copied here, and looked up in the page as it was fetched. */
  function quoteByHand(item, key, at, reference) {
    const quoting = item.querySelector(".quoting");
    const text = quoting.querySelector("textarea");
    const state = item.querySelector(".fetched");
    item.querySelector("q").hidden = true;
    quoting.hidden = false;
    text.value = reference.quote;
    text.addEventListener("input", () => put(key, at, { quote: text.value }, text));
    text.addEventListener("change", () => pages.show(state, reference.url, text.value));
    pages.show(state, reference.url, reference.quote);
  }

  function put(key, at, changes, typing = null) {
    const judgement = draft.judgement(key);
    last = { ...judgement.references[at], ...changes };
    draft.change(key, { ...judgement, references: judgement.references.with(at, last) }, typing);
  }

  function remove(key, at = draft.judgement(key).references.length - 1) {
    const judgement = draft.judgement(key);
    if (!judgement.references.length) return;
    draft.change(key, { ...judgement, references: judgement.references.toSpliced(at, 1) });
    bench.focusHere();
  }

  return {
    isLink,
    remove,

    /* Whether it is new to the unit; one that is not takes the new stance. */
    add(key, added) {
      if (added.document && added.title) titles.set(added.document, added.title);
      last = card(added);
      const judgement = draft.judgement(key);
      const at = judgement.references.findIndex((each) => same({ ...each, stance: "" }, { ...last, stance: "" }));
      if (at >= 0) {
        if (last.stance) put(key, at, { stance: last.stance });
        return false;
      }
      draft.change(key, { ...judgement, references: [...judgement.references, last] });
      return true;
    },

    paste: (key) => (last ? cards.add(key, last) : hint("No card was cited on this page yet")),

    show(unit) {
      const { references } = draft.judgement(unit.dataset.unit);
      let list = unit.querySelector(".cards");
      if (!list && !references.length) return;
      if (!list) {
        list = Object.assign(document.createElement("ul"), { className: "cards" });
        unit.append(list);
      }
      const drawn = JSON.parse(list.dataset.shown ?? "[]");
      list.dataset.shown = JSON.stringify(references);
      const focused = document.activeElement;
      const at = [...list.children].findIndex((item) => item.contains(focused));
      // The quote being written keeps its focus: the card is drawn anew only where more has changed.
      const written = focused.matches("textarea") && drawn[at] ? drawn.with(at, { ...drawn[at], quote: focused.value }) : drawn;
      if (same(written, references)) return;
      list.replaceChildren(...references.map((each, place) => element(unit.dataset.unit, each, place)));
      if (references[at]?.url === drawn[at]?.url) list.children[at]?.querySelector(focused.localName)?.focus();
    },
  };
})();
