"use strict";
/* The correction of a sentence, word by word: the pieces that annotate/judgements/word_diff.py describes. */

function wordDiff(before, after) {
  const old = before.match(/\S+/g) ?? [];
  const now = after.match(/\S+/g) ?? [];
  const common = commonLengths(old, now);
  const pieces = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      extend(pieces, "same", now[j++]);
      i++;
    } else if (j >= now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
      extend(pieces, "removed", old[i++]);
    } else {
      extend(pieces, "added", now[j++]);
    }
  }
  pieces.forEach((piece, at) => {
    piece.replaces = piece.kind === "added" && [pieces[at - 1], pieces[at + 1]].some((other) => other?.kind === "removed");
  });
  return pieces;
}

/* common[i][j]: how many words old[i…] and now[j…] have in common, in order. */
function commonLengths(old, now) {
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

function extend(pieces, kind, token) {
  const last = pieces.at(-1);
  if (last?.kind === kind) last.text += ` ${token}`;
  else pieces.push({ kind, text: token });
}

/* Added words that correct nothing, which an edit should not have. */
function drawDiff(line, pieces) {
  const tags = { same: "span", removed: "del", added: "ins" };
  const drawn = pieces.map(({ kind, text }) => Object.assign(document.createElement(tags[kind]), { textContent: text }));
  line.replaceChildren(...drawn.flatMap((piece) => [piece, " "]));
  const added = pieces.filter((piece) => piece.kind === "added" && !piece.replaces).map((piece) => `“${piece.text}”`);
  if (!added.length) return;
  const warning = `Added, and correcting nothing: ${added.join(", ")}. Correct or remove only.`;
  line.append(Object.assign(document.createElement("small"), { className: "added", textContent: warning }));
}
