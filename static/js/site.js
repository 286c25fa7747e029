"use strict";
/* On a narrow page the tabs scroll: those that are open shall be in sight. */
for (const open of document.querySelectorAll(".tabs [aria-current]")) open.scrollIntoView({ block: "nearest", inline: "center" });

/* A page can come in another's place (workbench_turning.js). Back or forward between the two is the browser's way from
   one place on a page to another: what belongs there is loaded then, as it is by now. */
let shown = location.pathname;
addEventListener("popstate", () => location.pathname !== shown && location.reload());
