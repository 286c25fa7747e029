"use strict";
/* On a narrow page the tabs scroll: those that are open shall be in sight. */
for (const open of document.querySelectorAll(".tabs [aria-current]")) open.scrollIntoView({ block: "nearest", inline: "center" });
