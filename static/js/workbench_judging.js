"use strict";
/* Judging: keys, buttons and fields change the current unit. */

const judging = (() => {
  const { root, notes, field, key, editKey, textOf, isFact, wholeOf, here } = bench;

  const judgeAs = (unit, changes, typing) => draft.change(key(unit), { ...draft.judgement(key(unit)), ...changes }, typing);

  function correct(unit, text, typing) {
    draft.change(editKey(unit), text === textOf(unit) ? null : { text }, typing);
  }

  notes.addEventListener("input", ({ target }) => {
    const name = target.closest("[data-field]")?.dataset.field;
    if (name === "reason") judgeAs(here(), { reason: target.value }, target);
    else if (name === "correction") correct(here(), target.value, target);
    else if (name === "flagged") judgeAs(here(), { flagged: target.checked });
    else if (name === "mark") markAs(target.value);
    else if (name === "mark_note") judgeAs(here(), { mark_note: target.value }, target);
    else if (name === "irrelevance") judgeAs(here(), { value: "irrelevant", irrelevance: target.value });
    else if (name === "error_type") setType(target.value);
  });

  // A link that was left in its field counts as added.
  notes.addEventListener("change", ({ target }) => target.matches("[data-field=link]") && addLink());

  notes.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("[data-field=link]") || event.ctrlKey) return;
    event.preventDefault();
    addLinkAndStance();
  });

  notes.addEventListener("click", ({ target }) => {
    if (target.closest("[data-add]")) addLinkAndStance();
    if (target.closest("[data-as-it-was]")) correct(here(), textOf(here()));
    if (target.closest("[data-remove-sentence]")) correct(here(), "");
  });

  /* Text that is no link stays where it is. */
  function addLink() {
    const link = field("link");
    const urls = link.value.split(/\s+/).filter(Boolean);
    if (!urls.every(cards.isLink)) return hint("Not added: a link begins with https:// or http://", "trouble");
    for (const url of urls) cards.add(key(here()), { url });
    link.value = "";
    return urls.length > 0;
  }

  /* The stance comes next. */
  function addLinkAndStance() {
    if (addLink()) here().querySelector(".cards li:last-child select").focus();
  }

  /* Judging */

  function judge(value, unit = here()) {
    const box = [...unit.querySelectorAll(".judge input")].find((each) => each.value === value);
    if (!box) return;
    if (draft.judgement(key(unit)).value === value) return hint("Judged so already. To take it back, press the key for that");
    judgeAs(unit, { value, ...(value === "not_supported" ? {} : { error_type: "" }) });
    if (value === "irrelevant" && isFact(unit)) hint("Irrelevant: which?");
  }

  /* A type belongs to an error: choosing one makes an error of the unit. */
  function setType(type) {
    const judgement = draft.judgement(key(here()));
    judgeAs(here(), { error_type: type, value: type ? "not_supported" : judgement.value });
  }

  function nextType() {
    const { value } = draft.judgement(key(here()));
    if (value && value !== "not_supported") return hint("Only an error has a type: mark the unit as an error first", "trouble");
    const types = [...notes.querySelectorAll("[data-field=error_type] input")].map((box) => box.value);
    const judgement = draft.judgement(key(here()));
    setType(types[(types.indexOf(judgement.value === "not_supported" ? judgement.error_type : "") + 1) % types.length]);
  }

  function setIrrelevance(irrelevance) {
    if (isFact(here())) judgeAs(here(), { value: "irrelevant", irrelevance });
  }

  function verdict() {
    const part = verdictOf();
    const entry = draft.get(part.dataset.verdict);
    const following = { none: { keep: true, reason: "" }, true: { keep: false, reason: entry?.reason ?? "" }, false: null };
    draft.change(part.dataset.verdict, following[entry ? entry.keep : "none"]);
    if (entry?.keep) part.querySelector("textarea").focus({ preventScroll: true });
    bench.reveal(part);
  }

  const verdictOf = () => here().closest(".response").querySelector("[data-verdict]");

  for (const part of root.querySelectorAll("[data-verdict]")) {
    const name = part.dataset.verdict;
    part.addEventListener("input", ({ target }) => {
      const reason = part.querySelector("textarea").value;
      if (target.matches("textarea")) draft.change(name, { keep: false, reason }, target);
      else draft.change(name, { keep: target.value === "yes", reason });
    });
  }

  root.querySelector("[data-comment]")?.addEventListener("input", ({ target }) => draft.change("comment", { text: target.value }, target));

  root.addEventListener("input", ({ target }) => {
    if (target.closest(".judge")) judge(target.value, bench.unitOf(target));
  });

  root.addEventListener("click", ({ target }) => {
    const cited = target.closest("[data-cite]");
    if (cited && here()) cards.add(key(here()), { url: cited.dataset.cite });
  });

  function writeIn(name) {
    const text = field(name);
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }

  function edit() {
    bench.go(wholeOf(here()));
    writeIn("correction");
  }

  /* What somebody says of the unit itself; the same again takes it back. */
  function markAs(mark) {
    const { mark: before, mark_note } = draft.judgement(key(here()));
    judgeAs(here(), mark === before ? { mark: "", mark_note: "" } : { mark, mark_note });
  }

  /* All that nobody has judged, as one change. */
  function supportTheRest() {
    const rest = bench.unjudged();
    draft.changeAll(rest.map((unit) => [key(unit), { ...draft.judgement(key(unit)), value: "supported", error_type: "" }]));
    return rest.length;
  }

  /* The judgement of the unit; where it has none, that of its whole sentence. */
  function clear() {
    const judged = [here(), wholeOf(here())].find((unit) => unit && draft.judgement(key(unit)).value);
    if (judged) judgeAs(judged, { value: "", error_type: "", irrelevance: "" });
    else hint("Nothing to take back: the unit is not judged");
  }

  return {
    judge,
    clear,
    supportTheRest,
    verdict,
    verdictOf,
    nextType,
    setIrrelevance,
    edit,
    addLink,
    write: writeIn,
    whole: () => judge("irrelevant", wholeOf(here())),
    markAs,
    flag: () => judgeAs(here(), { flagged: !draft.judgement(key(here())).flagged }),
  };
})();
