/* Swagger UI, on request: it is ten times as heavy as a page. */
"use strict";

const place = document.getElementById("try-requests");
const button = document.getElementById("load-swagger");

function load() {
  button.disabled = true;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = place.dataset.style;
  const script = document.createElement("script");
  script.src = place.dataset.script;
  script.addEventListener("load", () => {
    button.hidden = true;
    place.classList.add("swagger");
    SwaggerUIBundle({ url: place.dataset.schema, domNode: place, deepLinking: true, validatorUrl: null });
  });
  document.head.append(style, script);
}

button.hidden = false;
button.addEventListener("click", load);
