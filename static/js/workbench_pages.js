"use strict";
/* The state of the page of the web that a card names: being fetched, frozen, not reached; and whether the quote stands
   in it. */

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
    const cited = { url, quote, state: null, answer: null, places: new Set([place]) };
    followed.set(name, cited);
    follow(cited).finally(() => cited.answer?.waits !== false && followed.delete(name));
  }

  /* Until it is settled, or nobody looks any more. */
  async function follow(cited) {
    let pause = ASK_AGAIN;
    await tell(cited, ask(cited));
    while (cited.answer.waits) {
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, ASK_AT_LEAST);
      for (const place of cited.places) if (!place.isConnected) cited.places.delete(place);
      if (!cited.places.size) return;
      await tell(cited, ask(cited));
    }
  }

  /* The page is asked for once; its state then goes by the key of the request. */
  async function ask(cited) {
    const { url, quote } = cited;
    if (!cited.state) {
      const asked = await post(page.links, { url });
      if (asked.status === 422) return { waits: false, state: "dead", words: (await asked.json()).error };
      cited.state = (await asked.json()).state;
    }
    return (await post(cited.state, { quote })).json();
  }

  async function post(address, fields) {
    const headers = { Accept: "application/json", "X-CSRFToken": tokenOfNow() };
    const answer = await fetch(address, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) });
    if (!answer.ok && answer.status !== 422) throw new Error(answer.status);
    return answer;
  }

  async function tell(cited, request) {
    cited.answer = await request.catch(() => {
      cited.state = null;
      return { waits: true, words: "no word of the page yet – asking again" };
    });
    for (const place of cited.places) write(place, cited.answer);
  }

  function write(place, { state, words, title, page: address, quote }) {
    const verdicts = { found: " · ✓ quote found", missing: " · quote not found in it" };
    const text = `${title ? `“${title}” ` : ""}${words}`;
    place.replaceChildren(address ? linkTo(address, text) : text, verdicts[quote] ?? "");
    place.classList.toggle("bad", state === "dead" || quote === "missing");
  }

  function linkTo(address, text) {
    return Object.assign(document.createElement("a"), { href: address, textContent: text, target: "_blank" });
  }

  return { show };
})();
