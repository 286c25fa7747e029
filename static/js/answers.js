"use strict";
/* What is sent from these pages stays on them until an answer has come: that there was none, or that one is logged out,
   is said in the form, where all that was written still stands. */

/* Against forged requests: the token of now, for logging in again on another tab has changed it. */
const tokenOfNow = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1];

/* Whether the log-in page came instead of an answer. */
const loggedOut = (xhr) => xhr.responseURL.includes("/login/");

(() => {
  const NO_ANSWER = "no answer. What you wrote is still here: try again.";
  const LOGGED_OUT = "you are logged out. Log in on another tab, then try again.";

  const placeIn = (form) => form.querySelector("[data-not]");

  function say(form, words) {
    const place = placeIn(form);
    if (!place) return;
    place.hidden = false;
    place.textContent = `${place.dataset.not}: ${words}`;
  }

  // Before anything reads the form: its own token goes first, and the header that the page sends is not looked at.
  const renew = ({ target }) => {
    const token = target.elements.csrfmiddlewaretoken;
    if (token) token.value = tokenOfNow() ?? token.value;
  };
  document.addEventListener("submit", renew, true);

  document.addEventListener("htmx:beforeRequest", ({ target }) => {
    const place = placeIn(target);
    if (place) place.hidden = true;
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!loggedOut(detail.xhr)) return;
    detail.shouldSwap = false;
    say(detail.requestConfig.elt, LOGGED_OUT);
  });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(failure, ({ target, detail }) => loggedOut(detail.xhr) || say(target, NO_ANSWER));
  }
})();
