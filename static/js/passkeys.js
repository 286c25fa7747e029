"use strict";
/* Beside django-allauth's script: shows what needs passkeys where they work, which is nowhere at a bare number. */
const passkeysWork = "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
for (const part of document.querySelectorAll("[data-passkeys]")) {
  part.hidden = (part.dataset.passkeys === "work") !== passkeysWork;
  /* The enter key does as the button does. The script itself sends the form without this event. */
  if (part.tagName === "FORM") part.addEventListener("submit", (event) => {
    event.preventDefault();
    part.querySelector("button").click();
  });
}

/* Cancelled, out of time, refused: the page says so. */
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const known = event.detail.exception?.name === "InvalidStateError";
  document.querySelector("[data-passkey-status]").textContent = known
    ? "This device has a passkey for your account already."
    : "No passkey was used. You can try again.";
});
