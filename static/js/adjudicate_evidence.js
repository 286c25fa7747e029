"use strict";
/* Evidence in an adjudication case: passages that are cited become cards of the decision, kept in its form; / searches. */

(() => {
  let leaving = new AbortController();
  let searchCase = () => {};

  function begin() {
    leaving.abort();
    leaving = new AbortController();
    const form = document.querySelector(".decision");
    const panel = document.querySelector("[data-evidence]");
    if (form && panel) open(form, panel);
  }

  function open(form, panel) {
    const field = form.querySelector("[data-cards]");
    const list = form.querySelector(".cards");
    const cards = () => JSON.parse(field.value || "[]");
    const sameSource = (one, other) => ["url", "document", "quote"].every((name) => one[name] === other[name]);

    function write(changed) {
      field.value = changed.length ? JSON.stringify(changed) : "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function put(changed) {
      write(changed);
      draw();
    }

    function draw() {
      list.replaceChildren(...cards().map(drawn));
      list.closest("fieldset").hidden = !list.children.length;
      document.dispatchEvent(new CustomEvent("workbench:change"));
    }

    function drawn(card, at) {
      const setStance = (stance) => write(cards().with(at, { ...cards()[at], stance }));
      return evidenceCard(card, card.title, setStance, () => put(cards().toSpliced(at, 1)));
    }

    evidencePanel(panel, {
      cards,
      current: () => ({ key: "", text: form.querySelector(".unit-head").textContent }),
      addCard: (added) => put([...cards().filter((card) => !sameSource(card, added)), added]),
      focus: () => document.getElementById("case").focus({ preventScroll: true }),
      registerCommand(name, run) {
        if (name === "search") searchCase = run;
      },
    }, leaving.signal);
    draw();
  }

  document.addEventListener("keydown", (event) => {
    if (keyMeant(event, (each) => each === "/") !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    event.preventDefault();
    searchCase();
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => target.closest("[data-evidence]") || begin());
  begin();
})();
