"use strict";
/* Against forged requests: the token of now, for logging in again on another tab has changed it. */
const tokenOfNow = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/* Whether the log-in page came instead of an answer. */
const loggedOut = (xhr) => xhr.responseURL.includes("/login/");

/* The key that is meant, of those that the page knows: what was typed; the same as a narrow letter, small unless Shift is
   held (full width, Caps Lock); else its place on a keyboard of letters, which Russian letters, the signs in the French
   row of digits and an input method leave without a meaning. A Latin letter that the page does not know means nothing. */
function keyMeant(event, knows) {
  const inCase = (letter) => (event.shiftKey ? letter.toUpperCase() : letter.toLowerCase());
  const typed = event.key.length === 1 && event.getModifierState("CapsLock") ? inCase(event.key) : event.key;
  if (knows(typed) || event.getModifierState("AltGraph")) return typed;
  const narrow = typed.normalize("NFKC");
  const [, letter, digit] = event.code.match(/^(?:Key([A-Z])|Digit([0-9]))$/) ?? [];
  const place = letter ? !/^[ -~]$/.test(narrow) && inCase(letter) : !event.shiftKey && digit;
  return [narrow, inCase(narrow), place].find((key) => key && knows(key)) ?? typed;
}

/* On a narrow page the tabs scroll: those that are open shall be in sight. */
for (const open of document.querySelectorAll(".tabs [aria-current]")) open.scrollIntoView({ block: "nearest", inline: "center" });

/* A page can come in another's place (workbench_turning.js). Back or forward between the two is the browser's way from
   one place on a page to another: its contents are loaded anew then. */
let currentPath = location.pathname;
addEventListener("popstate", () => location.pathname !== currentPath && location.reload());
