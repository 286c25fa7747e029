"use strict";
/* What became of the page of the web that a card names: being fetched, frozen, not reached; and whether what is quoted
   from it stands in it. */

const pages = (() => {
  const ASK_AGAIN = 1500;
  const ASK_AT_LEAST = 30_000;
  const followed = new Map(); // by address and quote: the last answer, and where it is shown

  function show(place, url, quote) {
    const name = JSON.stringify([url, quote]);
    const known = followed.get(name);
    if (known) {
      known.places.add(place);
      if (known.answer) write(place, known.answer);
      return;
    }
    const cited = { url, quote, answer: null, places: new Set([place]) };
    followed.set(name, cited);
    follow(cited).finally(() => cited.answer?.waits !== false && followed.delete(name));
  }

  /* Until it is settled, or nobody looks any more. Only the first and the last question carry the quote. */
  async function follow(cited) {
    let pause = ASK_AGAIN;
    await tell(cited, ask("POST", cited));
    while (cited.answer.waits) {
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, ASK_AT_LEAST);
      for (const place of cited.places) if (!place.isConnected) cited.places.delete(place);
      if (!cited.places.size) return;
      await tell(cited, ask("GET", { url: cited.url }));
      if (!cited.answer.waits && cited.quote) await tell(cited, ask("POST", cited));
    }
  }

  async function ask(method, { url, quote = "" }) {
    const fields = new URLSearchParams({ url, quote });
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
    const body = { method, redirect: "manual", headers: { Accept: "application/json", "X-CSRFToken": token } };
    const answer = await (method === "GET" ? fetch(`${page.links}?${fields}`, body) : fetch(page.links, { ...body, body: fields }));
    if (answer.status === 422) return { waits: false, state: "dead", words: (await answer.json()).error };
    if (!answer.ok) throw new Error(answer.status);
    return answer.json();
  }

  async function tell(cited, asked) {
    cited.answer = await asked.catch(() => ({ waits: true, words: "no word of the page yet – asking again" }));
    for (const place of cited.places) write(place, cited.answer);
  }

  function write(place, { state, words, title, page: address, quote }) {
    const said = { found: " · ✓ quote found", missing: " · quote not found in it" };
    const text = `${title ? `“${title}” ` : ""}${words}`;
    place.replaceChildren(address ? linkTo(address, text) : text, said[quote] ?? "");
    place.classList.toggle("bad", state === "dead" || quote === "missing");
  }

  function linkTo(address, text) {
    return Object.assign(document.createElement("a"), { href: address, textContent: text, target: "_blank" });
  }

  return { show };
})();
