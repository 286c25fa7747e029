"use strict";
/* On a narrow page the tabs scroll: the one that is open shall be in sight. */
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
