"use strict";
/* The evidence panel: search, move among passages, make cards of them. `citing` makes the cards: the workbench, or an
   adjudication case; it sends the events "workbench:unit" and "workbench:change". The panel listens until `left`. */
function evidencePanel(panel, citing, left) {
  const query = panel.querySelector("[data-query]");
  const results = panel.querySelector("[data-results]");
  const precedents = panel.querySelector("[data-precedents]");
  const unit = () => citing.current() ?? { key: "", text: "" };
  let searched = "";
  let asker = null; // where the focus was when it was asked
  let sentence = { passage: null, at: 0 };

  /* Search */

  // The longest address, in characters: servers take some 4,000.
  const LONGEST = 2500;

  /* A long unit is looked for by its first words. */
  function search(text) {
    searched = text;
    asker = document.activeElement;
    let query = text;
    while (encodeURIComponent(query).length > LONGEST) query = query.slice(0, 0.9 * query.length).toWellFormed();
    ask(`${panel.dataset.search}?q=${encodeURIComponent(query)}`, results);
  }

  function searchUnit() {
    query.value = unit().text || query.value;
    search(query.value);
  }

  /* Passages */

  const passages = () => [...panel.querySelectorAll("[data-passage]")].filter((each) => !each.closest("[hidden]"));
  const passageAt = (node) => node?.closest?.("[data-passage]") ?? null;

  function move(by) {
    const all = passages();
    all[Math.min(Math.max(all.indexOf(passageAt(document.activeElement)) + by, 0), all.length - 1)]?.focus();
  }

  /* The document that the passage stands in, or from there back. */
  function turn(passage) {
    let before = passage;
    while (before && !before.querySelector(".whole, [data-again]")) before = before.previousElementSibling;
    before?.querySelector(".whole, [data-again]").click();
  }

  /* The passage's sentences are selected one after the other, so that a quote can be short without the mouse too. */
  function selectSentence(passage, by) {
    const text = passage.querySelector("[data-words]");
    const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text.textContent)];
    sentence = { passage, at: sentence.passage === passage ? sentence.at + by : by > 0 ? 0 : sentences.length - 1 };
    sentence.at = Math.min(Math.max(sentence.at, 0), sentences.length - 1);
    const { index, segment } = sentences[sentence.at];
    const [from, to] = [pointAt(text, index), pointAt(text, index + segment.trimEnd().length)];
    window.getSelection().setBaseAndExtent(...from, ...to);
  }

  /* The text node and the place in it that lie so many characters into the element. */
  function pointAt(element, offset) {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() && offset > nodes.currentNode.length) offset -= nodes.currentNode.length;
    return [nodes.currentNode, offset];
  }

  /* The quote: the selected part of the passage, else all of it; verbatim either way, and no longer than a
     quote may be. */
  const QUOTE_LIMIT = 10000;

  function quoteOf(passage) {
    const text = passage.querySelector("[data-words]");
    const selection = window.getSelection();
    const range = selection.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    const inside = range && text.contains(range.startContainer) && text.contains(range.endContainer);
    return (inside ? range.cloneContents() : text).textContent.trim().slice(0, QUOTE_LIMIT);
  }

  function cite(passage, stance) {
    const { url, document: page, title } = passage.dataset;
    const card = { url, quote: quoteOf(passage), stance, document: page ? Number(page) : null, title };
    citing.addCard(card);
    showCited();
  }

  /* Mark the passages that the unit cites, whole or in part. */
  function showCited() {
    const cited = citing.cards();
    for (const passage of passages()) {
      const text = passage.querySelector("[data-words]").textContent;
      const source = ({ url, document: page }) => (page ? String(page) : url) === (passage.dataset.document || passage.dataset.url);
      passage.classList.toggle("cited", cited.some((card) => source(card) && card.quote && text.includes(card.quote)));
    }
  }

  /* Precedents of the unit one stands on; the server shows them only once it is judged. */

  function showPrecedents() {
    const address = `${precedents.dataset.precedents}?unit=${encodeURIComponent(unit().key)}`;
    ask(address, precedents.querySelector("[data-decisions]"));
  }

  /* Keys, while one stands on a passage; all others go on to the workbench. */

  const KEYS = {
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    ArrowRight: (passage) => selectSentence(passage, 1),
    ArrowLeft: (passage) => selectSentence(passage, -1),
    Enter: turn,
    1: (passage) => cite(passage, "supports"),
    2: (passage) => cite(passage, "refutes"),
    3: (passage) => cite(passage, "insufficient"),
    Escape: citing.focus,
  };

  panel.addEventListener("keydown", (event) => {
    if (event.target === query) {
      if (event.ctrlKey || event.metaKey) return;
      event.stopPropagation();
      if (event.key === "Enter") search(query.value);
      if (event.key === "Escape") KEYS.Escape();
      if (["Enter", "Escape"].includes(event.key)) event.preventDefault();
      return;
    }
    const passage = passageAt(event.target);
    const key = keyMeant(event, (each) => each in KEYS);
    const command = KEYS[key];
    if (!passage || !command || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (key === "Enter" && event.target !== passage) return;
    event.preventDefault();
    event.stopPropagation();
    command(passage);
  });

  panel.addEventListener("click", (event) => {
    const stance = event.target.closest("[data-stance]");
    if (stance) cite(passageAt(stance), stance.dataset.stance);
    if (event.target.closest("[data-find]")) search(query.value);
    if (event.target.closest("[data-find-unit]")) searchUnit();
    if (event.target.closest("[data-again]")) search(searched);
    if (event.target.closest("[data-back]")) KEYS.Escape();
  });

  // A button that takes the focus would take the selection with it, and the selection is the quote.
  panel.addEventListener("pointerdown", (event) => event.target.closest("[data-stance]") && event.preventDefault());

  /* The server's answer goes into the place; a missing answer is reported there, too. */
  function ask(address, place) {
    htmx.ajax("GET", address, { source: place, target: place }).catch(() => say(place, FAILED.search));
  }

  function say(place, message) {
    place.replaceChildren(Object.assign(document.createElement("p"), { className: "message error", textContent: message }));
  }

  panel.addEventListener("htmx:responseError", (event) => say(event.detail.target, FAILED.search));
  panel.addEventListener("htmx:beforeSwap", (event) => {
    if (!loggedOut(event.detail.xhr)) return;
    event.detail.shouldSwap = false;
    say(event.detail.target, FAILED.searchLoggedOut);
  });

  results.addEventListener("htmx:afterSwap", ({ detail }) => {
    const { anchor } = detail.pathInfo;
    showCited();
    // A user who has gone on meanwhile stays there: their keys are not meant for the results.
    const now = document.activeElement;
    if (now !== asker && now !== document.body && !panel.contains(now)) return;
    (results.querySelector(`[id="${anchor}"]`) ?? results.querySelector("[data-passage]") ?? query).focus();
  });

  precedents?.addEventListener("toggle", () => precedents.open && showPrecedents());

  const whileHere = { signal: left };
  document.addEventListener("workbench:unit", () => precedents?.open && showPrecedents(), whileHere);
  document.addEventListener("workbench:saved", () => precedents?.querySelector("[data-unjudged]") && showPrecedents(), whileHere);
  document.addEventListener("workbench:unit", showCited, whileHere);
  document.addEventListener("workbench:change", showCited, whileHere);

  panel.classList.add("citing");
  citing.registerCommand("search", searchUnit);
  citing.registerCommand("precedents", () => {
    if (!precedents) return;
    precedents.open = !precedents.open;
    precedents.scrollIntoView({ block: "nearest" });
  });
}
