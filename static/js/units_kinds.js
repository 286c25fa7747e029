"use strict";
/* The kinds of units in the editor: the facts of sentences, which can be rewritten, or the segments of a response, which
   can only be cut otherwise. */

const page = JSON.parse(document.getElementById("page").textContent);
const form = document.getElementById("editor");

/* The changes of a unit of each kind. A state is {key: [unit, …]}; units are never changed, only replaced. */
const kinds = {
  facts: {
    name: "Fact",
    start: () => page.sentences,
    text: (fact) => fact.text,
    typed: (fact, text) => text.split("\n").map((line) => ({ ...fact, text: line })),
    blank: () => ({ text: "", from: [] }),
    split: (fact, cursor) => [
      { ...fact, text: fact.text.slice(0, cursor).trimEnd() },
      { ...fact, text: fact.text.slice(cursor).trimStart() },
    ],
    merge: (one, other) => ({
      text: [one.text.trimEnd(), other.text.trimStart()].filter(Boolean).join(" "),
      from: [...new Set([...one.from, ...other.from])],
    }),
  },
  segments: {
    name: "Segment",
    /* Offsets count characters as the server does, not halves of them; a textarea writes each end of a line as one. */
    points: Array.from(page.text ?? ""),
    start: () => ({ response: page.spans }),
    text([start, end]) {
      return this.points.slice(start, end).join("").replace(/\r\n?/g, "\n");
    },
    pointAt([start, end], cursor) {
      let point = start;
      for (let passed = 0; passed < cursor && point < end; ) {
        const lineEnd = this.points[point] === "\r" && this.points[point + 1] === "\n";
        passed += lineEnd ? 1 : this.points[point].length;
        point += lineEnd ? 2 : 1;
      }
      return point;
    },
    trimmed(start, end) {
      const blank = (point) => /[^\S\ufeff]|[\x1c-\x1f\x85]/.test(this.points[point]);
      while (start < end && blank(start)) start++;
      while (end > start && blank(end - 1)) end--;
      return [start, end];
    },
    split(segment, cursor) {
      const point = this.pointAt(segment, cursor);
      return [this.trimmed(segment[0], point), this.trimmed(point, segment[1])];
    },
    merge: ([start], [, end]) => [start, end],
  },
};
const kind = kinds[page.kind];
