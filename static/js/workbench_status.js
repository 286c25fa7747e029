"use strict";
/* Messages of the page: the line in the dock, and errors above the text. */

const trouble = document.getElementById("trouble");

// The dock's line: a hint, as long as it is news, before the state of saving.
const line = { hint: { text: "", kind: "" }, state: { text: "", kind: "" } };

function showLine() {
  const { hint, state } = line;
  const status = document.querySelector("[data-status]");
  status.textContent = [hint.text, state.text].filter(Boolean).join(" · ");
  const kind = [hint.kind, state.kind].includes("trouble") ? "trouble" : hint.text ? "" : state.kind;
  status.className = `status quiet ${kind}`;
}

/* The state of saving. */
function say(text, kind = "") {
  line.state = { text, kind };
  showLine();
}

/* An urgent message; it stands until the user changes something or goes on to another unit. */
function hint(text, kind = "") {
  if (text === line.hint.text) return;
  line.hint = { text, kind };
  showLine();
}

draft.listeners.push(() => hint(""));
document.addEventListener("workbench:unit", () => hint(""), { signal: turning.left });

/* Null, the answer of every save that leads nowhere. `short`: the dock's text. */
function complain(text, short = FAILED.kept) {
  const line = Object.assign(document.createElement("p"), { className: "message error", textContent: text });
  line.setAttribute("role", "alert");
  trouble.replaceChildren(line);
  trouble.scrollIntoView({ block: "nearest" });
  say(short, "trouble");
  return null;
}

function askToLogIn(why) {
  say(FAILED.loggedOut, "trouble");
  if (trouble.querySelector("[target=_blank]")) return; // one message is enough
  complain(FAILED.savedAfterLogIn(why));
  const link = { href: page.login, target: "_blank", textContent: "Log in on a new tab" };
  trouble.firstElementChild.append(Object.assign(document.createElement("a"), link));
  say(FAILED.loggedOut, "trouble");
}
