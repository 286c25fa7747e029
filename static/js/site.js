"use strict";
/* Against forged requests: the token of now, for logging in again on another tab has changed it. */
const tokenOfNow = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/* Whether the log-in page came instead of an answer. */
const loggedOut = (xhr) => xhr.responseURL.includes("/login/");

/* On a narrow page the tabs scroll: those that are open shall be in sight. */
for (const open of document.querySelectorAll(".tabs [aria-current]")) open.scrollIntoView({ block: "nearest", inline: "center" });

/* A page can come in another's place (workbench_turning.js). Back or forward between the two is the browser's way from
   one place on a page to another: its contents are loaded anew then. */
let currentPath = location.pathname;
addEventListener("popstate", () => location.pathname !== currentPath && location.reload());
