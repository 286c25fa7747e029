"use strict";
/* Messages of all pages when a save, or another request, fails; and when text is put back that was never saved. For a
   broken rule the server sends its own message (core/errors.py, not_saved). */

const FAILED = {
  rule: "Not saved",
  choice: "Not saved: choose first",
  kept: "Not saved: kept in this browser",
  offline: (kept, seconds) => `Offline – ${kept}, retrying in ${seconds} s`,
  loggedOut: "Logged out – kept in this browser, retrying",
  logIn: "You are logged out. Log in on another tab: what you wrote is kept in this browser, and saved once you are back.",
  savedAfterLogIn: (why) => `${why}. What you write is kept in this browser, and saved once you are back. `,
  unsaved: (mirrored) => (mirrored ? "Kept in this browser, not saved yet" : "Not saved yet"),
  undecided: "Not submitted: see above the text",
  unanswered: "Not submitted: there was no answer when you did. Everything is saved; submit again.",
  unsavedSkip: "Not skipped: what you wrote is not saved yet. Try again in a moment.",
  skip: "Not skipped: there was no answer, or you are logged out. Try again.",
  keys: "Not kept: there was no answer. Try again.",
  search: "Search is offline. Your labels are safe.",
  searchLoggedOut: "You are logged out. Log in on another tab, then try again.",
  form: (what) => `${what}: no answer. What you wrote is still here: try again.`,
  formLoggedOut: (what) => `${what}: you are logged out. Log in on another tab, then try again.`,
};

const RESTORED = {
  form: "Restored from this browser: what you wrote and had not saved.",
  segments: "Restored from this browser: segments that had not been saved. Undo takes them back.",
  facts: (count) => `Restored from this browser: facts of ${count} that had not been saved. Undo takes them back.`,
  changes: (count) => `Restored from this browser: ${count} not been saved. Undo takes it back.`,
};
