"use strict";
/* What the page tells: the line in the dock, and above the text what is wrong. */

const trouble = document.getElementById("trouble");

function say(text, kind = "") {
  const status = document.querySelector("[data-status]");
  status.textContent = text;
  status.className = `status quiet ${kind}`;
}

/* Null, as every save is answered that leads nowhere. `short`: what the dock says of it. */
function complain(text, short = "Not saved: kept in this browser") {
  const line = Object.assign(document.createElement("p"), { className: "message error", textContent: text });
  line.setAttribute("role", "alert");
  trouble.replaceChildren(line);
  trouble.scrollIntoView({ block: "nearest" });
  say(short, "trouble");
  return null;
}

function askToLogIn(why) {
  say("Logged out – kept in this browser, retrying", "trouble");
  if (trouble.querySelector("[target=_blank]")) return; // said once is enough
  complain(`${why}. What you write is kept in this browser, and saved once you are back. `);
  const words = { href: page.login, target: "_blank", textContent: "Log in on a new tab" };
  trouble.firstElementChild.append(Object.assign(document.createElement("a"), words));
  say("Logged out – kept in this browser, retrying", "trouble");
}
