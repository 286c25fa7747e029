"use strict";
/* Keys, buttons and typing change the units. Without these scripts the page is a plain form. */

/* Merge with the unit before or after; an empty one just goes. */
function mergeAt(at, first) {
  if (first >= 0 && first + 1 < at.units.length) commands.merge({ ...at, index: first });
}

/* To the unit before or after in the whole page, if the cursor cannot go further in this one. On one line it never can,
   so it goes at once, before the next key; on several it is seen afterwards whether the cursor has moved. */
function goOn(event, step) {
  const area = event.target;
  const before = area.selectionStart;
  const next = () => {
    const all = [...form.querySelectorAll(".units textarea")];
    const there = all[all.indexOf(area) + step];
    there?.focus();
    there?.setSelectionRange(before, before);
    return there;
  };
  if (area.clientHeight < 2 * parseFloat(getComputedStyle(area).lineHeight)) return next() && event.preventDefault();
  setTimeout(() => area.selectionStart === before && next());
}

/* The action of a key: the name of a command, or something done at once; nothing where the key is left to the text. */
function keyed(event, at) {
  const { area } = at;
  const collapsed = area.selectionStart === area.selectionEnd;
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey && !command) return kind.blank && { Enter: "add", Delete: "remove", ArrowUp: "up", ArrowDown: "down" }[event.key];
  if (command) return null;
  if (event.key === "Enter") return "split";
  if (event.key === "Delete" && collapsed && area.selectionEnd === area.value.length) return () => mergeAt(at, at.index);
  if (event.key === "Backspace" && collapsed && area.selectionStart === 0) {
    return () => (!area.value && kind.blank && at.index === 0 ? commands.remove(at) : mergeAt(at, at.index - 1));
  }
  return null;
}

function start() {
  for (const key of Object.keys(editor.state)) {
    section(key).querySelector("label.plain").replaceWith(Object.assign(document.createElement("ol"), { className: "units" }));
    if (kind.blank) {
      const more = Object.assign(document.createElement("button"), { type: "button", className: "link more", textContent: "Add a fact" });
      more.dataset.add = key;
      section(key).querySelector(".units").after(more);
    }
    draw(key);
  }
  for (const plain of form.querySelectorAll("button.plain")) plain.remove();
  for (const hidden of document.querySelectorAll(".tools, .keys")) hidden.hidden = false;
  enable();
}

function enable() {
  form.querySelector('[data-do="undo"]').disabled = !editor.past.length;
  form.querySelector('[data-do="redo"]').disabled = !editor.future.length;
}

form.addEventListener("focusin", (event) => {
  if (event.target.matches(".units textarea")) last = event.target;
});
form.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && /^[zy]$/i.test(event.key)) {
    event.preventDefault();
    return run(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
  }
  if (command && event.key === "Enter") {
    event.preventDefault();
    return form.requestSubmit(form.querySelector("button.primary"));
  }
  if (!event.target.matches(".units textarea") || event.isComposing) return;
  const at = { ...whereIs(), area: event.target };
  at.units = editor.state[at.key];
  const action = keyed(event, at);
  if (action) {
    event.preventDefault();
    if (typeof action === "string") run(action);
    else action();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (!event.shiftKey && !event.altKey && !command) goOn(event, event.key === "ArrowUp" ? -1 : 1);
  }
});
form.addEventListener("beforeinput", (event) => {
  if (!event.target.matches(".units textarea")) return;
  if (event.inputType === "insertLineBreak") {
    event.preventDefault();
    run("split");
  } else if (!kind.typed || event.inputType.startsWith("history")) {
    event.preventDefault();
  }
});
form.addEventListener("input", (event) => {
  const at = whereIs();
  if (!at || event.target !== last) return;
  const typed = kind.typed(editor.state[at.key][at.index], last.value);
  const index = at.index + typed.length - 1;
  const cursor = typed.length > 1 ? -1 : at.cursor;
  editor.change(at.key, editor.state[at.key].toSpliced(at.index, 1, ...typed), { index, cursor }, typed.length === 1);
});
// A button must not take the cursor from the text it is about.
form.addEventListener("pointerdown", (event) => event.target.closest(".tools button") && event.preventDefault());
form.addEventListener("click", (event) => {
  const { do: name, add } = event.target.closest("button")?.dataset ?? {};
  if (name) run(name);
  if (add) commands.add({ key: add, units: editor.state[add], index: editor.state[add].length - 1 });
});

start();
